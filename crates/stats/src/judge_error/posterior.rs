//! What gold would have called a document, given what bronze called it: P(gold grade | bronze grade) by Bayes.
//!
//! ```text
//! P(a | b) = π_a 𝒥_ab / Σ_c π_c 𝒥_cb,    log π_a = const + θ_a · x + s_a τ_topic
//! ```
//!
//! The one decision: π, the share of each gold grade, is not one number. A document on top of a list is relevant more often than one at its end, and
//! easy topics have more of them; with one π for all, top documents would be drawn towards the mean and a good ranking would look like a poor
//! one (simulated: worse than not correcting). So π falls with the logarithm of the rank (x: 1, log rank, its square; one constant for documents
//! that were judged but not retrieved), and topics differ by a Normal effect τ; s_a is the grade's place from 0 to 1. Both are fitted to the
//! bronze labels by Fisher scoring of their likelihood, in which 𝒥 stands between π and the labels: that is the corrected prevalence, kept within
//! 0 and 1.
//!
//! It assumes what 𝒥 assumes (errors alike everywhere), and that errors of different documents are independent given their true grades.

use super::Calibration;
use crate::matrix::Matrix;

/// Labels of one kind: of a topic, at about one rank, called one grade by bronze.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Labels {
    /// The topic's number.
    pub topic: usize,
    /// The rank; `None` for documents that were judged but not retrieved.
    pub rank: Option<f64>,
    /// Bronze's grade, by place in the scale.
    pub bronze: usize,
    /// How many.
    pub count: f64,
}

/// Shares of gold grades by rank and topic, fitted to bronze labels.
#[derive(Clone, Debug, PartialEq)]
pub struct Prevalence {
    /// P(bronze b | gold a), no zeros.
    rates: Matrix,
    /// For each grade but the lowest.
    slopes: Vec<[f64; TERMS]>,
    topics: Vec<f64>,
    spread: f64,
}

/// Constant, constant of what was not retrieved, log rank, its square.
const TERMS: usize = 4;
/// Rounds of Fisher scoring; a start near the end needs fewer.
const ROUNDS: usize = 60;
/// A rate that was never seen is not impossible.
const NEVER: f64 = 1e-6;
/// Holds what the labels say nothing about (ranks nobody judged) near 0.
const RIDGE: f64 = 1e-2;

/// The logarithm of a rank about that of rank 10, in steps of a factor five.
fn terms(rank: Option<f64>) -> [f64; TERMS] {
    match rank {
        Some(rank) => {
            let z = libm::log(rank.max(1.0) / 10.0) / libm::log(5.0);
            [1.0, 0.0, z, z * z]
        }
        None => [0.0, 1.0, 0.0, 0.0],
    }
}

impl Prevalence {
    /// Fitted to labels of `topics` topics, each counting `times` (1 where there is none); from `start`, where one is known.
    pub fn fit(
        labels: &[Labels],
        topics: usize,
        times: &[u32],
        calibration: &Calibration,
        start: Option<&Prevalence>,
    ) -> Prevalence {
        let grades = calibration.grades().len();
        let shares = calibration.rates();
        let rates = Matrix::from_fn(grades, |gold, bronze| shares[(gold, bronze)].max(NEVER));
        let mut fit = match start {
            Some(start) => Prevalence { rates, ..start.clone() },
            None => Prevalence {
                rates,
                slopes: vec![[-1.0, -2.0, 0.0, 0.0]; grades - 1],
                topics: vec![0.0; topics],
                spread: 0.5,
            },
        };
        let groups = groups(labels, grades);
        let times = |topic: usize| times.get(topic).map_or(1.0, |&times| f64::from(times));
        let mut scratch = Scratch::new(grades);
        for round in 0..ROUNDS {
            let slopes = fit.step_slopes(&groups, &times, &mut scratch);
            let moved = slopes.max(fit.step_topics(&groups, &times, &mut scratch));
            if moved < 1e-4 && round > 2 {
                break;
            }
        }
        fit
    }

    /// Shares of the gold grades at a rank of a topic.
    pub fn shares(&self, topic: usize, rank: Option<f64>) -> Vec<f64> {
        let mut shares = vec![0.0; self.slopes.len() + 1];
        self.share_out(topic, &terms(rank), &mut shares);
        shares
    }

    fn share_out(&self, topic: usize, x: &[f64; TERMS], shares: &mut [f64]) {
        let steps = self.slopes.len() as f64;
        let tilt = self.topics.get(topic).copied().unwrap_or(0.0);
        let mut most = 0.0f64;
        shares[0] = 0.0;
        for (place, (share, slopes)) in shares[1..].iter_mut().zip(&self.slopes).enumerate() {
            let along: f64 = slopes.iter().zip(x).map(|(slope, x)| slope * x).sum();
            *share = along + (place + 1) as f64 / steps * tilt;
            most = most.max(*share);
        }
        shares.iter_mut().for_each(|share| *share = libm::exp(*share - most));
        let sum: f64 = shares.iter().sum();
        shares.iter_mut().for_each(|share| *share /= sum);
    }

    /// Chances of the gold grades of a document that bronze called `bronze`.
    pub fn given(&self, topic: usize, rank: Option<f64>, bronze: usize) -> Vec<f64> {
        let shares = self.shares(topic, rank);
        let mut given = vec![0.0; shares.len()];
        self.bayes(&shares, bronze, &mut given);
        given
    }

    /// Bayes: chances given the label, and how likely the label was.
    fn bayes(&self, shares: &[f64], bronze: usize, given: &mut [f64]) -> f64 {
        for (gold, (given, share)) in given.iter_mut().zip(shares).enumerate() {
            *given = share * self.rates[(gold, bronze)];
        }
        let sum: f64 = given.iter().sum();
        given.iter_mut().for_each(|given| *given /= sum);
        sum
    }

    /// One round for θ; how far it moved. Information is expected over what bronze might have said, so that it has no direction in
    /// which it is negative.
    fn step_slopes(&mut self, groups: &[Group], times: &dyn Fn(usize) -> f64, scratch: &mut Scratch) -> f64 {
        let rows = self.slopes.len() * TERMS;
        let mut score: Vec<f64> = (0..rows).map(|place| -RIDGE * self.slopes[place / TERMS][place % TERMS]).collect();
        let mut information = vec![vec![0.0; rows]; rows];
        (0..rows).for_each(|place| information[place][place] = RIDGE);
        let Scratch { shares, given } = scratch;
        for group in groups {
            let weight = times(group.topic);
            if weight == 0.0 {
                continue;
            }
            self.share_out(group.topic, &group.terms, shares);
            for (bronze, &count) in group.counts.iter().enumerate() {
                let expected = group.all * self.bayes(shares, bronze, given);
                for one in 0..rows {
                    let off = (given[one / TERMS + 1] - shares[one / TERMS + 1]) * group.terms[one % TERMS];
                    if off == 0.0 {
                        continue;
                    }
                    score[one] += weight * count * off;
                    for other in 0..rows {
                        let beside =
                            (given[other / TERMS + 1] - shares[other / TERMS + 1]) * group.terms[other % TERMS];
                        information[one][other] += weight * expected * off * beside;
                    }
                }
            }
        }
        let information = Matrix::from_fn(rows, |one, other| information[one][other]);
        let Some(step) = information.solve(&score) else { return 0.0 };
        let mut most = 0.0f64;
        for (place, step) in step.into_iter().enumerate() {
            let step = step.clamp(-1.0, 1.0);
            let slope = &mut self.slopes[place / TERMS][place % TERMS];
            *slope = (*slope + step).clamp(-30.0, 30.0);
            most = most.max(step.abs());
        }
        most
    }

    /// One round for τ and its variance; how far it moved.
    fn step_topics(&mut self, groups: &[Group], times: &dyn Fn(usize) -> f64, scratch: &mut Scratch) -> f64 {
        let steps = self.slopes.len() as f64;
        let tilt = |chances: &[f64]| -> f64 {
            chances.iter().enumerate().map(|(place, chance)| place as f64 / steps * chance).sum()
        };
        let mut score: Vec<f64> = self.topics.iter().map(|topic| -topic / self.spread).collect();
        let mut information = vec![1.0 / self.spread; self.topics.len()];
        let Scratch { shares, given } = scratch;
        for group in groups {
            self.share_out(group.topic, &group.terms, shares);
            let mean = tilt(shares);
            for (bronze, &count) in group.counts.iter().enumerate() {
                let expected = group.all * self.bayes(shares, bronze, given);
                let off = tilt(given) - mean;
                score[group.topic] += count * off;
                information[group.topic] += expected * off * off;
            }
        }
        let (mut most, mut squares, mut count) = (0.0f64, 0.0, 0.0);
        for (topic, (score, information)) in score.into_iter().zip(information).enumerate() {
            let step = (score / information).clamp(-1.0, 1.0);
            self.topics[topic] += step;
            most = most.max(step.abs());
            squares += times(topic) * (self.topics[topic] * self.topics[topic] + 1.0 / information);
            count += times(topic);
        }
        self.spread = (squares / f64::max(count, 1.0)).clamp(0.01, 9.0);
        most
    }
}

/// Labels of a topic at one rank: how many of each bronze grade.
struct Group {
    topic: usize,
    terms: [f64; TERMS],
    counts: Vec<f64>,
    all: f64,
}

/// Neighbours of one topic and rank together.
fn groups(labels: &[Labels], grades: usize) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut before = None;
    for label in labels {
        if before != Some((label.topic, label.rank)) {
            groups.push(Group { topic: label.topic, terms: terms(label.rank), counts: vec![0.0; grades], all: 0.0 });
            before = Some((label.topic, label.rank));
        }
        if let Some(group) = groups.last_mut() {
            group.counts[label.bronze] += label.count;
            group.all += label.count;
        }
    }
    groups
}

/// Room for the chances of one group.
struct Scratch {
    shares: Vec<f64>,
    given: Vec<f64>,
}

impl Scratch {
    fn new(grades: usize) -> Scratch {
        Scratch { shares: vec![0.0; grades], given: vec![0.0; grades] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seed::Seed;

    #[test]
    fn bayes_by_hand() {
        // π = (.75, .25), m_N = .8, m_R = .9: P(1 | says 1) = .225/(.225 + .15) = .6; P(1 | says 0) = .025/(.025 + .6) = .04.
        let calibration = Calibration::binary((90, 100), (80, 100)).unwrap();
        let odds = libm::log(0.25 / 0.75);
        let known = Prevalence {
            rates: calibration.rates(),
            slopes: vec![[odds, odds, 0.0, 0.0]],
            topics: vec![0.0],
            spread: 1.0,
        };
        assert!((known.given(0, Some(3.0), 1)[1] - 0.6).abs() < 1e-12);
        assert!((known.given(0, None, 0)[1] - 0.04).abs() < 1e-12);
        // A topic with τ = log 3 has odds 1: .9/(.9 + .2).
        let easy = Prevalence { topics: vec![libm::log(3.0)], ..known };
        assert!((easy.given(0, Some(3.0), 1)[1] - 0.9 / 1.1).abs() < 1e-12);
    }

    #[test]
    fn one_share_of_bronze_gives_the_corrected_share() {
        // One rank, one topic: 41 of 100 called relevant; corrected (.41 − .2)/.7 = .3. The ridge and τ's prior pull by a hair.
        let calibration = Calibration::binary((900, 1000), (800, 1000)).unwrap();
        let label = |bronze, count| Labels { topic: 0, rank: Some(10.0), bronze, count };
        let fit = Prevalence::fit(&[label(0, 5900.0), label(1, 4100.0)], 1, &[], &calibration, None);
        let share = fit.shares(0, Some(10.0))[1];
        assert!((share - 0.3).abs() < 2e-3, "{share}");
    }

    #[test]
    fn the_fall_with_rank_and_the_topics_are_found() {
        // logit π = 1 − 1.5 z + τ with τ = ±1.
        let calibration = Calibration::binary((80, 100), (85, 100)).unwrap();
        let mut stream = Seed(3).stream("labels", 0);
        let mut labels = Vec::new();
        let truth = |topic: usize, rank: f64| {
            let z = libm::log(rank / 10.0) / libm::log(5.0);
            let tilt = if topic.is_multiple_of(2) { 1.0 } else { -1.0 };
            1.0 / (1.0 + libm::exp(-(1.0 - 1.5 * z + tilt)))
        };
        for topic in 0..200 {
            for rank in 1..=40 {
                let relevant = stream.unit() < truth(topic, f64::from(rank));
                let says = stream.unit() < if relevant { 0.8 } else { 0.15 };
                labels.push(Labels { topic, rank: Some(f64::from(rank)), bronze: usize::from(says), count: 1.0 });
            }
        }
        let fit = Prevalence::fit(&labels, 200, &[], &calibration, None);
        for rank in [1.0, 5.0, 20.0, 40.0] {
            let of = |start: usize, share: &dyn Fn(usize) -> f64| {
                (0..100).map(|place| share(2 * place + start)).sum::<f64>() / 100.0
            };
            let found = [0, 1].map(|start| of(start, &|topic| fit.shares(topic, Some(rank))[1]));
            let expected = [0, 1].map(|start| of(start, &|topic| truth(topic, rank)));
            // Over all topics it is right; each topic is drawn some way towards the others, as 40 noisy labels deserve.
            let off = (found[0] + found[1] - expected[0] - expected[1]) / 2.0;
            assert!(off.abs() < 0.03, "{rank}: {found:?} {expected:?}");
            assert!(
                found[0] > found[1] && (found[0] - expected[0]).abs() < 0.1 && (found[1] - expected[1]).abs() < 0.1
            );
        }
        // From its own end it does not move.
        let again = Prevalence::fit(&labels, 200, &[], &calibration, Some(&fit));
        assert!((again.shares(0, Some(3.0))[1] - fit.shares(0, Some(3.0))[1]).abs() < 1e-3);
    }

    #[test]
    fn three_grades_and_labels_never_seen() {
        // Bronze never said 2 in the calibration; chances are still chances.
        let table = vec![vec![50, 10, 0], vec![10, 40, 0], vec![5, 30, 0]];
        let calibration = Calibration::new(&[0.0, 1.0, 2.0], table).unwrap();
        let labels: Vec<Labels> =
            (0..3).map(|bronze| Labels { topic: 0, rank: None, bronze, count: 10.0 - 3.0 * bronze as f64 }).collect();
        let fit = Prevalence::fit(&labels, 1, &[], &calibration, None);
        for bronze in 0..3 {
            let chances = fit.given(0, None, bronze);
            assert!(
                (chances.iter().sum::<f64>() - 1.0).abs() < 1e-12 && chances.iter().all(|c| c.is_finite() && *c >= 0.0)
            );
        }
    }
}
