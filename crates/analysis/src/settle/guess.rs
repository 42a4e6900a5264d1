//! Guesses of how likely unjudged documents are relevant, from the judged documents of the topic and from labels of other topics.
//!
//! The one decision: the odds of a topic's documents are those of its judged documents times a factor, one for each side (documents that the first run
//! ranks higher, that the second does, that both rank alike). The factors are fitted to labels of other topics only, so that a topic's guesses
//! do not depend on its own draws, and estimates stay unbiased. The number of relevant documents per topic varies much; guesses that did not follow it
//! would bias ratios such as nDCG.

/// Groups of topics: a topic's guesses come from the labels of the other groups.
const GROUPS: usize = 5;
/// Documents that the prior is worth: without labels the factor is 1.
const PRIOR: f64 = 0.5;
/// Steps of Newton's method.
const STEPS: usize = 20;
/// Largest step, in log odds.
const STRIDE: f64 = 2.0;

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

/// Guesses for every topic and side.
#[derive(Debug, Clone, PartialEq)]
pub struct Guesses {
    /// Log odds by topic without labels.
    prior: Vec<f64>,
    /// What labels of other groups add, by group and side.
    factors: [[f64; 3]; GROUPS],
}

/// How likely an unjudged document of a topic is taken to be relevant before any is drawn: the share of relevant documents among the judged ones, moved
/// towards a fifth with few of them. With judgements of relevant documents only that share says nothing.
pub fn prior(relevant: u32, judged: u32, sparse: bool) -> f64 {
    if sparse {
        return 0.2;
    }
    ((f64::from(relevant) + 1.0) / (f64::from(judged) + 5.0)).clamp(0.01, 0.9)
}

fn log_odds(share: f64) -> f64 {
    (share / (1.0 - share)).ln()
}

fn from_log_odds(log_odds: f64) -> f64 {
    1.0 / (1.0 + (-log_odds).exp())
}

fn place(side: i8) -> usize {
    (side + 1) as usize
}

impl Guesses {
    /// From the prior shares of all topics and the labels there are.
    pub fn fit(priors: &[f64], labels: &[Label]) -> Guesses {
        let prior: Vec<f64> = priors.iter().map(|share| log_odds(*share)).collect();
        let mut factors = [[0.0; 3]; GROUPS];
        for (group, factors) in factors.iter_mut().enumerate() {
            for side in [-1i8, 0, 1] {
                let others = labels.iter().filter(|label| label.side == side && label.topic % GROUPS != group);
                let known: Vec<(f64, f64)> = others.map(|label| (prior[label.topic], label.relevant)).collect();
                factors[place(side)] = factor(&known);
            }
        }
        Guesses { prior, factors }
    }

    /// The probability for documents of a topic on a side.
    pub fn of(&self, topic: usize, side: i8) -> f64 {
        from_log_odds(self.prior[topic] + self.factors[topic % GROUPS][place(side)]).clamp(0.001, 0.999)
    }
}

/// The log of the factor of odds that makes labels most likely, with a normal prior around 0.
fn factor(known: &[(f64, f64)]) -> f64 {
    let mut factor = 0.0;
    for _ in 0..STEPS {
        let (mut slope, mut curvature) = (-PRIOR * factor, PRIOR);
        for (prior, relevant) in known {
            let share = from_log_odds(prior + factor);
            slope += relevant - share;
            curvature += share * (1.0 - share);
        }
        factor += (slope / curvature).clamp(-STRIDE, STRIDE);
    }
    factor
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_labels_the_judged_share() {
        // (3 + 1) / (11 + 5) = .25; nothing judged: 1/5.
        assert_eq!((prior(3, 11, false), prior(0, 0, false), prior(9, 9, true)), (0.25, 0.2, 0.2));
        let guesses = Guesses::fit(&[0.25, 0.5], &[]);
        assert!((guesses.of(0, 1) - 0.25).abs() < 1e-12 && (guesses.of(1, -1) - 0.5).abs() < 1e-12);
    }

    #[test]
    fn labels_of_other_topics_move_the_odds() {
        // Topics 0 to 9, all with prior .5; those of side 1 all relevant, of side -1 none.
        let labels: Vec<Label> = (0..10)
            .flat_map(|topic| [Label { topic, side: 1, relevant: 1.0 }, Label { topic, side: -1, relevant: 0.0 }])
            .collect();
        let guesses = Guesses::fit(&[0.5; 10], &labels);
        // Eight labels of other groups: 8 (1 − s(x)) = x/2 at x = 1.9657 (s(x) = .87714; 8 · .12286 = .98286): a share of .8771.
        assert!((guesses.of(0, 1) - 0.8771).abs() < 5e-4, "{}", guesses.of(0, 1));
        assert!((guesses.of(0, 1) + guesses.of(0, -1) - 1.0).abs() < 1e-9 && guesses.of(0, 0) == 0.5);
    }

    #[test]
    fn a_topic_does_not_see_its_own_labels() {
        let label = |relevant| [Label { topic: 3, side: 1, relevant }];
        let of = |relevant| Guesses::fit(&[0.3; 5], &label(relevant)).of(3, 1);
        assert_eq!(of(0.0), of(1.0));
    }
}
