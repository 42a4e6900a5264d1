//! Guesses of how likely unjudged documents are relevant, from the judged documents of the topic and from labels of other topics.
//!
//! The one decision: topics differ in how many of their documents are relevant, and the judged ones of a topic tell only roughly. So a topic has not
//! one rate but a distribution of rates: log odds are normal over topics, fitted to all judged documents, and each topic's own judged documents narrow
//! them down. Labels of drawn documents then shift the log odds, by one amount for each side (documents that the first run ranks higher, that the
//! second does, that both rank alike). These shifts come from other topics only, so that a topic's guesses do not depend on its own draws, and
//! estimates stay unbiased. Documents of one topic are relevant together or not at all more often than guesses apart would have it; ratios such as nDCG
//! need to know that.

/// Groups of topics: a topic's guesses come from the labels of the other groups.
const GROUPS: usize = 5;
/// Documents that the prior of a shift is worth: without labels it is 0.
const PRIOR: f64 = 0.5;
/// Steps of Fisher's scoring, and of expectation and maximisation.
const STEPS: usize = 25;
/// Largest step, in log odds.
const STRIDE: f64 = 2.0;
/// Points of log odds: from the first, so far apart.
const FIRST: f64 = -7.0;
const APART: f64 = 0.25;
const POINTS: usize = 49;
/// Log odds of a fifth: where nothing is judged.
const A_FIFTH: f64 = -1.386_294_361_119_890_6;
/// How many topics with variance 1 around [`A_FIFTH`] are added to those there are.
const ADDED: f64 = 2.0;

/// Documents of a topic that are judged, and those of them that are relevant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counts {
    /// Relevant documents.
    pub relevant: u32,
    /// Judged documents.
    pub judged: u32,
}

/// A label of a document that was drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Label {
    /// The topic's place.
    pub topic: usize,
    /// Which run ranks it higher: 1, -1 or 0.
    pub side: i8,
    /// 1 for relevant, 0 for not.
    pub relevant: f64,
}

/// How likely the log odds of a topic are these, point by point.
type Masses = [f64; POINTS];

/// Guesses of all topics before any document is drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct Priors {
    topics: Vec<Masses>,
}

/// Guesses for every topic and side.
#[derive(Debug, Clone)]
pub struct Guesses<'p> {
    priors: &'p Priors,
    /// What labels of other groups add to the log odds, by group and side.
    shifts: [[f64; 3]; GROUPS],
}

/// Guesses of one topic.
#[derive(Debug, Clone)]
pub struct TopicGuess<'p> {
    masses: &'p Masses,
    /// The rate at each point, by side.
    rates: [[f64; POINTS]; 3],
    /// Their means.
    means: [f64; 3],
}

fn log_odds(point: usize) -> f64 {
    FIRST + APART * point as f64
}

fn rate(log_odds: f64) -> f64 {
    1.0 / (1.0 + (-log_odds).exp())
}

fn place(side: i8) -> usize {
    (side + 1) as usize
}

impl Priors {
    /// From the judged documents of every topic. With judgements of relevant documents only (`sparse`) these say nothing.
    pub fn new(topics: &[Counts], sparse: bool) -> Priors {
        let counted = |counts: &Counts| if sparse { Counts { relevant: 0, judged: 0 } } else { *counts };
        let counts: Vec<Counts> = topics.iter().map(counted).collect();
        let logs: [(f64, f64); POINTS] = std::array::from_fn(|at| {
            let rate = rate(log_odds(at));
            (rate.ln(), (-rate).ln_1p())
        });
        let likely = |counts: &Counts| -> Masses {
            let (relevant, others) =
                (f64::from(counts.relevant), f64::from(counts.judged) - f64::from(counts.relevant));
            logs.map(|(log, log_other)| relevant * log + others * log_other)
        };
        let likely: Vec<Masses> = counts.iter().map(likely).collect();
        let (mut mean, mut variance) = (A_FIFTH, 1.0);
        let mut found = Vec::new();
        for _ in 0..STEPS {
            let prior: Masses = std::array::from_fn(|at| -0.5 * (log_odds(at) - mean).powi(2) / variance);
            found = likely.iter().map(|likely| posterior(&prior, likely)).collect();
            (mean, variance) = moments(&found, mean);
        }
        Priors { topics: found }
    }
}

/// Bayes: the prior, times the probability of the judged documents, both as logarithms.
fn posterior(prior: &Masses, likely: &Masses) -> Masses {
    let logs: Masses = std::array::from_fn(|at| prior[at] + likely[at]);
    let largest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut masses: Masses = logs.map(|log| (log - largest).exp());
    let all: f64 = masses.iter().sum();
    masses.iter_mut().for_each(|mass| *mass /= all);
    masses
}

/// Mean and variance of log odds over topics, a few topics added.
fn moments(topics: &[Masses], before: f64) -> (f64, f64) {
    let count = topics.len() as f64 + ADDED;
    let over = |value: &dyn Fn(f64) -> f64| -> f64 {
        let one =
            |masses: &Masses| masses.iter().enumerate().map(|(point, mass)| mass * value(log_odds(point))).sum::<f64>();
        topics.iter().map(one).sum()
    };
    let mean = (over(&|log_odds| log_odds) + ADDED * A_FIFTH) / count;
    (mean, (over(&|log_odds| (log_odds - before).powi(2)) + ADDED) / count)
}

impl<'p> Guesses<'p> {
    /// From the priors of all topics and the labels there are.
    pub fn fit(priors: &'p Priors, labels: &[Label]) -> Guesses<'p> {
        let mut shifts = [[0.0; 3]; GROUPS];
        for (group, shifts) in shifts.iter_mut().enumerate() {
            for side in [-1i8, 0, 1] {
                let others = labels.iter().filter(|label| label.side == side && label.topic % GROUPS != group);
                let known: Vec<(&Masses, f64)> =
                    others.map(|label| (&priors.topics[label.topic], label.relevant)).collect();
                shifts[place(side)] = shift(&known);
            }
        }
        Guesses { priors, shifts }
    }

    /// The guesses for a topic.
    pub fn of(&self, topic: usize) -> TopicGuess<'p> {
        let masses = &self.priors.topics[topic];
        let rates = self.shifts[topic % GROUPS].map(|shift| std::array::from_fn(|point| rate(log_odds(point) + shift)));
        let mean = |rates: &[f64; POINTS]| masses.iter().zip(rates).map(|(mass, rate)| mass * rate).sum();
        TopicGuess { masses, means: rates.each_ref().map(mean), rates }
    }
}

impl TopicGuess<'_> {
    /// The probability that a document on a side is relevant.
    pub fn mean(&self, side: i8) -> f64 {
        self.means[place(side)]
    }

    /// The point below which lies this share of the distribution of rates.
    pub fn point(&self, share: f64) -> usize {
        let mut below = 0.0;
        let found = self.masses.iter().position(|mass| {
            below += mass;
            below > share
        });
        found.unwrap_or(POINTS - 1)
    }

    /// The rate of a side at a point.
    pub fn rate(&self, side: i8, point: usize) -> f64 {
        self.rates[place(side)][point]
    }

    /// What the variance of the sum of `weight` x label over documents with these sides is more than if labels were independent: documents of one
    /// topic share its rate.
    pub fn covariance(&self, documents: impl Iterator<Item = (i8, f64)>) -> f64 {
        let (mut weights, mut squares) = ([0.0; 3], [0.0; 3]);
        for (side, weight) in documents {
            weights[place(side)] += weight;
            squares[place(side)] += weight * weight;
        }
        let sum = |at: usize| -> f64 {
            let apart = |side: usize| self.rates[side][at] - self.means[side];
            let together = (0..3).map(|side| weights[side] * apart(side)).sum::<f64>();
            together * together - (0..3).map(|side| squares[side] * apart(side).powi(2)).sum::<f64>()
        };
        self.masses.iter().enumerate().map(|(at, mass)| mass * sum(at)).sum()
    }
}

/// The shift of log odds that makes labels most likely, with a normal prior around 0.
fn shift(known: &[(&Masses, f64)]) -> f64 {
    let mut shift = 0.0;
    if known.is_empty() {
        return shift;
    }
    for _ in 0..STEPS {
        let rates: [f64; POINTS] = std::array::from_fn(|point| rate(log_odds(point) + shift));
        let (mut slope, mut information) = (-PRIOR * shift, PRIOR);
        for (masses, relevant) in known {
            let (mut mean, mut change) = (0.0, 0.0);
            for (mass, rate) in masses.iter().zip(&rates) {
                mean += mass * rate;
                change += mass * rate * (1.0 - rate);
            }
            let variance = (mean * (1.0 - mean)).max(1e-9);
            slope += (relevant - mean) * change / variance;
            information += change * change / variance;
        }
        shift += (slope / information).clamp(-STRIDE, STRIDE);
    }
    shift
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(relevant: u32, judged: u32) -> Counts {
        Counts { relevant, judged }
    }

    #[test]
    fn nothing_judged_is_a_fifth() {
        // Log odds are normal around ln(1/4) with variance 1; the mean rate lies above 1/5, because the rate grows faster above than it falls below.
        // By a sum over the normal density in steps of .001: .23874.
        let priors = Priors::new(&[judged(0, 0); 3], false);
        let guess = Guesses::fit(&priors, &[]).of(0).mean(1);
        assert!((guess - 0.23874).abs() < 1e-4, "{guess}");
        // Judgements of relevant documents only say nothing.
        assert_eq!(priors, Priors::new(&[judged(7, 7); 3], true));
    }

    #[test]
    fn a_topics_own_documents_narrow_its_rate_down() {
        // A hundred judged documents in ten topics, half of them with 10%, half with 40%: each topic is near its own share.
        let counts: Vec<Counts> = (0..10).map(|topic| judged(if topic < 5 { 10 } else { 40 }, 100)).collect();
        let priors = Priors::new(&counts, false);
        let guesses = Guesses::fit(&priors, &[]);
        assert!((guesses.of(0).mean(0) - 0.1).abs() < 0.02, "{}", guesses.of(0).mean(0));
        assert!((guesses.of(9).mean(0) - 0.4).abs() < 0.02, "{}", guesses.of(9).mean(0));
        // The variance of a rate of .4 from 100 documents is near .4 x .6 / 100 = .0024: the covariance of two labels with weight 1, twice.
        let own = guesses.of(9).covariance([(1, 1.0), (1, 1.0)].into_iter());
        assert!((own / 2.0 - 0.0022).abs() < 0.0006, "{own}");
        // One document alone has none; two with opposite weights make up for each other.
        assert!(guesses.of(9).covariance([(1, 1.0)].into_iter()).abs() < 1e-12);
        assert!((guesses.of(9).covariance([(1, 1.0), (-1, -1.0)].into_iter()) + own).abs() < 1e-12);
    }

    #[test]
    fn labels_of_other_topics_shift_the_odds() {
        // Topics with so many judged documents that their rate is a half. Labels of side 1 are all relevant, of side -1 none.
        let priors = Priors::new(&[judged(5_000, 10_000); 10], false);
        let labels: Vec<Label> = (0..10)
            .flat_map(|topic| [Label { topic, side: 1, relevant: 1.0 }, Label { topic, side: -1, relevant: 0.0 }])
            .collect();
        let guesses = Guesses::fit(&priors, &labels);
        // Eight labels of other groups: 8 (1 − s(x)) = x/2 at x = 1.9657 (s(x) = .87714; 8 · .12286 = .98286): a share of .8771.
        let first = guesses.of(0);
        assert!((first.mean(1) - 0.8771).abs() < 2e-3, "{}", first.mean(1));
        assert!((first.mean(1) + first.mean(-1) - 1.0).abs() < 2e-3 && (first.mean(0) - 0.5).abs() < 1e-3);
    }

    #[test]
    fn a_topic_does_not_see_its_own_labels() {
        let priors = Priors::new(&[judged(3, 10); 5], false);
        let of = |relevant| Guesses::fit(&priors, &[Label { topic: 3, side: 1, relevant }]).of(3).mean(1);
        assert_eq!(of(0.0), of(1.0));
    }

    #[test]
    fn points_follow_the_distribution() {
        let priors = Priors::new(&[judged(5_000, 10_000); 2], false);
        let guess = Guesses::fit(&priors, &[]).of(0);
        // Log odds of 0, to the nearest point.
        assert!((guess.rate(1, guess.point(0.5)) - 0.5).abs() < 0.04 && guess.point(0.0) <= guess.point(0.999));
    }
}
