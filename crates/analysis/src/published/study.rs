//! How often do printed scores decide between real systems, and is a verdict ever wrong? The paper leaves that open.
//!
//! Every run is scored with every p. One run of a pair is treated as published with the lower p, the other with the higher, both
//! rounded as papers do; the verdict is at the lower p, from the printed numbers alone. It is then compared with the
//! truth, the scores of both at the lower p. Unjudged documents count as not relevant in the scores; with residuals
//! the verdict must hold however they are judged, so for that truth too.
//!
//! Single topics are compared by the binary range, means by the graded one, and both by the paper's range too, though it
//! is meant for single topics only.

use std::collections::HashMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::compare::{Verdict, verdict};
use super::paper;
use super::printed::Printed;
use super::range as ranges;
use super::score::PublishedScore;
use crate::scores::RunScores;

/// Options of `published study`.
#[derive(Debug)]
pub struct StudyOptions {
    /// Each p, rising; the measures of the scores are RBP with each, in this order. Checked.
    pub persistences: Vec<f64>,
    /// Digits after the point.
    pub digits: Vec<u8>,
}

/// How often printed scores decide, and how often that is wrong.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct StudyAnswer {
    /// One for each unit, pair of p and number of digits, without and with residuals.
    pub cells: Vec<StudyCell>,
}

/// All pairs of runs in one setting.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct StudyCell {
    /// What is compared.
    pub unit: Unit,
    /// Whether residuals are printed.
    pub residuals: bool,
    /// The lower p, at which they are compared.
    pub p_low: f64,
    /// The higher p.
    pub p_high: f64,
    /// Digits printed after the point.
    pub digits: u8,
    /// Pairs compared.
    pub pairs: u64,
    /// Pairs with a verdict.
    pub decided: u64,
    /// Share of pairs with a verdict; null without pairs.
    pub share: Option<f64>,
    /// Verdicts against the truth.
    pub wrong: u64,
    /// Verdicts by the paper's range.
    pub decided_paper: u64,
    /// Of these, against the truth.
    pub wrong_paper: u64,
    /// Of these, between scores that are equal in truth.
    pub equal_paper: u64,
}

/// What is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// Scores on single topics.
    Topic,
    /// Means over topics.
    Mean,
}

/// Beginnings of rankings looked at for one end of a range; more makes ranges narrower by little.
const EFFORT: usize = 200;

/// A score and its residual, for each p, of one run: for each topic, or of the mean.
type Scored = Vec<(f64, f64)>;

/// Counts of pairs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Tally {
    pairs: u64,
    decided: u64,
    wrong: u64,
    decided_by_paper: u64,
    wrong_by_paper: u64,
    /// Of these, between scores that are equal in truth.
    equal_by_paper: u64,
}

impl Tally {
    fn add(&mut self, verdict: Verdict, by_paper: Verdict, truth: Verdict) {
        self.pairs += 1;
        self.decided += u64::from(verdict != Verdict::Undecided);
        self.wrong += u64::from(verdict != Verdict::Undecided && verdict != truth);
        self.decided_by_paper += u64::from(by_paper != Verdict::Undecided);
        self.wrong_by_paper += u64::from(by_paper != Verdict::Undecided && by_paper != truth);
        self.equal_by_paper += u64::from(by_paper != Verdict::Undecided && truth == Verdict::Undecided);
    }
}

/// Studies the method on runs. `progress` is given how many of how many cells are done.
pub fn study(options: &StudyOptions, runs: &[RunScores], progress: &mut dyn FnMut(usize, usize)) -> StudyAnswer {
    let topics = by_topic(options, runs);
    let means: Vec<Scored> = topics.iter().map(|topics| mean(topics)).collect();
    let settings = settings(options);
    let mut cells = Vec::new();
    for setting in &settings {
        progress(cells.len(), settings.len());
        let mut tally = Tally::default();
        match setting.unit {
            Unit::Topic => {
                let mut known = HashMap::new();
                for topic in 0..topics.first().map_or(0, Vec::len) {
                    let scored: Vec<&Scored> = topics.iter().map(|run| &run[topic]).collect();
                    setting.compare(&scored, &mut known, &mut tally);
                }
            }
            Unit::Mean => setting.compare(&means.iter().collect::<Vec<_>>(), &mut HashMap::new(), &mut tally),
        }
        cells.push(setting.cell(tally));
    }
    progress(settings.len(), settings.len());
    StudyAnswer { cells }
}

/// Every setting, in the order of the answer.
fn settings(options: &StudyOptions) -> Vec<StudySetting> {
    let p = &options.persistences;
    let pairs: Vec<(usize, usize)> = (0..p.len()).flat_map(|a| (a + 1..p.len()).map(move |b| (a, b))).collect();
    let mut settings = Vec::new();
    for (unit, residuals) in [(Unit::Topic, false), (Unit::Topic, true), (Unit::Mean, false), (Unit::Mean, true)] {
        for &(a, b) in &pairs {
            let setting = |&digits: &u8| StudySetting { unit, p: (p[a], p[b]), places: (a, b), digits, residuals };
            settings.extend(options.digits.iter().map(setting));
        }
    }
    settings
}

/// For each run and topic: the score and residual for each p. Topics a run lacks are left out of all.
fn by_topic(options: &StudyOptions, runs: &[RunScores]) -> Vec<Vec<Scored>> {
    let of_run = |run: &RunScores| -> HashMap<u32, Scored> {
        let mut found: HashMap<u32, Scored> = HashMap::new();
        for measure in 0..options.persistences.len() {
            for (topic, scored) in run.of(measure) {
                if let Ok(score) = scored {
                    found.entry(topic.0).or_default().push((score.value, (score.high - score.value).max(0.0)));
                }
            }
        }
        found
    };
    let found: Vec<HashMap<u32, Scored>> = runs.iter().map(of_run).collect();
    let Some(first) = runs.first() else { return Vec::new() };
    let whole =
        |topic: &u32| found.iter().all(|run| run.get(topic).is_some_and(|s| s.len() == options.persistences.len()));
    let topics: Vec<u32> = first.of(0).map(|(topic, _)| topic.0).filter(whole).collect();
    found.iter().map(|run| topics.iter().filter_map(|topic| run.get(topic).cloned()).collect()).collect()
}

fn mean(topics: &[Scored]) -> Scored {
    let count = topics.len().max(1) as f64;
    let of = |p: usize| {
        let sum = topics.iter().fold((0.0, 0.0), |sum, topic| (sum.0 + topic[p].0, sum.1 + topic[p].1));
        (sum.0 / count, sum.1 / count)
    };
    (0..topics.first().map_or(0, Vec::len)).map(of).collect()
}

/// What is compared, the two p and their places, the digits printed, and whether residuals are.
struct StudySetting {
    unit: Unit,
    p: (f64, f64),
    places: (usize, usize),
    digits: u8,
    residuals: bool,
}

/// What was printed, as whole units of the last digit.
type Key = (u64, u64);

/// A score's ranges at the lower p: ours, and the paper's.
type Carried = ((f64, f64), (f64, f64));

impl StudySetting {
    /// Compares all runs with each other, each in both roles.
    fn compare(&self, runs: &[&Scored], known: &mut HashMap<Key, Option<Carried>>, tally: &mut Tally) {
        let published = |(score, residual): (f64, f64), p: f64| {
            let residual = self.residuals.then(|| Printed::rounded(residual, self.digits));
            PublishedScore::new(p, Printed::rounded(score, self.digits), residual).ok()
        };
        let own: Vec<Option<PublishedScore>> = runs.iter().map(|run| published(run[self.places.0], self.p.0)).collect();
        let mut carry = |run: &Scored| -> Option<Carried> {
            let published = published(run[self.places.1], self.p.1)?;
            let unit = |printed: Printed| (printed.value / printed.unit).round() as u64;
            let key = (unit(published.score()), published.residual().map_or(0, unit));
            *known.entry(key).or_insert_with(|| {
                let ours = if self.unit == Unit::Topic {
                    let (low, high) = ranges::binary(&published, self.p.0, EFFORT);
                    (low.value, high.value)
                } else {
                    ranges::graded(&published, self.p.0)
                };
                Some((ours, paper::range(&published, self.p.0)))
            })
        };
        let carried: Vec<Option<Carried>> = runs.iter().map(|run| carry(run)).collect();
        for (a, own) in own.iter().enumerate() {
            for (b, carried) in carried.iter().enumerate().filter(|(b, _)| *b != a) {
                let (Some(own), Some((range, by_paper))) = (own, carried) else { continue };
                let exactly =
                    (own.score().value, own.score().value + own.residual().map_or(0.0, |residual| residual.value));
                let truth = truth(runs[a][self.places.0].0, runs[b][self.places.0].0);
                tally.add(verdict(own.judged(), *range), verdict(exactly, *by_paper), truth);
            }
        }
    }

    fn cell(&self, tally: Tally) -> StudyCell {
        StudyCell {
            unit: self.unit,
            residuals: self.residuals,
            p_low: self.p.0,
            p_high: self.p.1,
            digits: self.digits,
            pairs: tally.pairs,
            decided: tally.decided,
            share: (tally.pairs > 0).then(|| tally.decided as f64 / tally.pairs as f64),
            wrong: tally.wrong,
            decided_paper: tally.decided_by_paper,
            wrong_paper: tally.wrong_by_paper,
            equal_paper: tally.equal_by_paper,
        }
    }
}

fn truth(a: f64, b: f64) -> Verdict {
    verdict((a, a), (b, b))
}

#[cfg(test)]
mod tests {
    use super::super::ROUNDING;
    use super::*;

    #[test]
    fn pairs_are_taken_both_ways() {
        // Two runs on one topic. At p = 0.5: 1 0 0 … scores 0.5, 0 0 0 1 scores 0.0625; at p = 0.8: 0.2 and 0.1024. Published 0.50 at 0.5
        // beside 0.10 at 0.8, and 0.06 beside 0.20.
        let (good, poor): (Scored, Scored) = (vec![(0.5, 0.0), (0.2, 0.0)], vec![(0.0625, 0.0), (0.1024, 0.0)]);
        let cell = StudySetting { unit: Unit::Topic, p: (0.5, 0.8), places: (0, 1), digits: 2, residuals: false };
        let mut tally = Tally::default();
        cell.compare(&[&good, &poor], &mut HashMap::new(), &mut tally);
        // 0.10 at p = 0.8 is at most 0 1 … (0.16 is too much): 001… scores 0.128, too much as well; 0001 at 0.5 is below 0.495. 0.20 may be 1000…,
        // or as low as 0.2 spread late, below 0.06: undecided.
        assert_eq!((tally.pairs, tally.decided, tally.wrong), (2, 1, 0));
    }

    #[test]
    fn a_mean_is_of_scores_and_of_residuals() {
        let topics = [vec![(0.2, 0.1)], vec![(0.4, 0.0)]];
        let mean = mean(&topics)[0];
        assert!((mean.0 - 0.3).abs() < 1e-15 && (mean.1 - 0.05).abs() < 1e-15);
        assert_eq!(truth(0.1 + ROUNDING, 0.1), Verdict::Undecided);
    }
}
