//! Whether rare large losses of the system that leads could hide: a warning, not a test; and how far topics unlike all that were seen could
//! lower a lead, which no sample can exclude.
//!
//! A test that finds the lead significant has seen how it varies on the topics there are. If the leader loses much on few topics only, a sample
//! may have none of them (then it looks even, and every test is sure), or one or two (then the differences are skewed, and tests by spread or
//! by signs err too often).
//!
//! The one decision: both are told from the sample by rules whose constants were set by measurement, so that they warn where such losses are and
//! seldom where they are not (docs/intervals-measured.md).

use crate::interval::is_constant;
use crate::sample::Sample;

/// A loss is large from so many times the lead.
const LARGE: f64 = 2.0;

/// The differences are skewed from this multiple of the root of their number.
const SKEWED: f64 = 0.3;

/// How much a leader could lose on a topic: where it finds nothing it loses what the other system scores. That is taken to be twice the other's mean at
/// most, and no more than the width of the range.
pub fn largest_loss(mean_of_other: f64, width: f64) -> f64 {
    (2.0 * mean_of_other).clamp(0.0, width)
}

/// What speaks for rare large losses. Leads and losses are positive numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RareLosses {
    /// No topic shows a loss as large as the lead, and large ones on few others would cancel it.
    Unseen {
        /// Topics.
        topics: usize,
        /// The share of topics that may be unlike all that were seen, at 95%: 1 − .05^(1/n), near 3/n (rule of three).
        share: f64,
        /// The mean loss that on so many topics cancels the lead.
        cancelling: f64,
    },
    /// Few topics show a loss much larger than the lead, so how often they occur is hardly known.
    Few {
        /// The largest loss.
        largest: f64,
        /// The lead.
        lead: f64,
    },
}

/// Looks at the differences of two systems. `largest` is how much the leader could lose on a topic: the width of the measure's range at most, and where
/// scores are known, see [`largest_loss`], less.
pub fn rare_losses(differences: &Sample<'_>, largest: f64) -> Option<RareLosses> {
    let topics = differences.len();
    let (mean, n) = (differences.mean(), topics as f64);
    let lead = mean.abs();
    let worst = differences.values().iter().fold(0.0f64, |most, value| most.max(-value * mean.signum()));
    if lead == 0.0 {
        return None;
    }
    let share = missed_share(topics);
    let cancelling = lead * (1.0 - share) / share;
    if worst < lead && cancelling <= largest {
        return Some(RareLosses::Unseen { topics, share, cancelling });
    }
    let towards = -differences.skewness() * mean.signum();
    let skewed = !is_constant(differences) && towards > SKEWED * n.sqrt();
    (skewed && worst >= LARGE * lead).then_some(RareLosses::Few { largest: worst, lead })
}

/// The share of topics, unlike all others, that a sample of so many lacks with a probability of 5%: 1 − .05^(1/n), near 3/n (rule of three).
pub fn missed_share(topics: usize) -> f64 {
    1.0 - libm::pow(0.05, 1.0 / topics as f64)
}

/// What topics unlike all that were seen could do to a lead. It depends on the number of topics and on the mean alone, so that noise changes nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UnseenLoss {
    /// Topics seen.
    pub topics: usize,
    /// The share of topics that may have been missed ([`missed_share`]).
    pub share: f64,
    /// The largest possible loss on a topic.
    pub loss: f64,
    /// The mean lead if so many topics had that loss, and the others the lead seen: (1 − share) × lead − share × loss.
    pub lead: f64,
}

impl UnseenLoss {
    /// Of a mean lead on so many topics.
    pub fn new(lead: f64, topics: usize, loss: f64) -> UnseenLoss {
        let share = missed_share(topics);
        UnseenLoss { topics, share, loss, lead: (1.0 - share) * lead - share * loss }
    }

    /// Whether the lead would then be below minus the margin.
    pub fn exceeds(&self, margin: f64) -> bool {
        self.lead < 0.0 - margin
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(values: &[f64], largest: f64) -> Option<RareLosses> {
        let turned: Vec<f64> = values.iter().map(|value| -value).collect();
        let found = rare_losses(&Sample::new(values).unwrap(), largest);
        // Which system comes first does not matter.
        assert_eq!(found, rare_losses(&Sample::new(&turned).unwrap(), largest));
        found
    }

    #[test]
    fn ten_topics_won_by_a_tenth() {
        // 1 − .05^(1/10) = .2588656; .1 · .7411344/.2588656 = .2863009 on so many topics cancels a lead of .1.
        let Some(RareLosses::Unseen { topics: 10, share, cancelling }) = found(&[0.1; 10], 1.0) else { panic!() };
        assert!((share - 0.258_865_6).abs() < 1e-6 && (cancelling - 0.286_300_9).abs() < 1e-6);
        // The other system never scores more than .25: losses cannot be that large.
        assert_eq!(found(&[0.1; 10], 0.25), None);
        // Fifty topics: at most 5.8% unseen, which would have to lose 1.62 each.
        assert_eq!(found(&[0.1; 50], 1.0), None);
    }

    #[test]
    fn losses_that_were_seen_are_in_the_spread() {
        // Nine wins of .15 and a loss: mean (1.35 − x)/10. A loss of .05 is below the lead of .13, one of .15 is not below .12.
        let with = |loss: f64| found(&[vec![0.15; 9], vec![-loss]].concat(), 1.0);
        assert!(matches!(with(0.05), Some(RareLosses::Unseen { .. })));
        assert_eq!(with(0.15), None);
        // One loss of .5 among ten: lead .085, five times smaller. Skewness −8/3 of one value against nine, beyond .3 √10 = .95.
        let Some(RareLosses::Few { largest, lead }) = with(0.5) else { panic!() };
        assert!((largest - 0.5).abs() < 1e-12 && (lead - 0.085).abs() < 1e-12);
        // Large losses that are not rare: five of ten.
        assert_eq!(found(&[0.5, 0.5, 0.5, 0.5, 0.5, -0.4, -0.4, -0.4, -0.4, -0.4], 1.0), None);
    }

    #[test]
    fn topics_that_were_not_seen() {
        // 1 − .05^(1/24) = 1 − e^(−2.995732/24) = .1173462. No lead: .1173462 lower. A lead of .2: .8826538 · .2 − .1173462 = .0591846.
        let none = UnseenLoss::new(0.0, 24, 1.0);
        assert!((none.share - 0.117_346_2).abs() < 1e-6 && (none.lead + 0.117_346_2).abs() < 1e-6);
        assert!(none.exceeds(0.11) && !none.exceeds(0.12));
        let ahead = UnseenLoss::new(0.2, 24, 1.0);
        assert!((ahead.lead - 0.059_184_6).abs() < 1e-6 && !ahead.exceeds(0.0));
        // A loss of at most a tenth of that: −.1 · .1173462, within .02.
        assert!(!UnseenLoss::new(0.0, 24, 0.1).exceeds(0.02));
        // Two hundred topics miss 1 − .05^(1/200) = .0148670.
        assert!((missed_share(200) - 0.014_867_0).abs() < 1e-6);
    }

    #[test]
    fn no_lead_no_losses() {
        assert_eq!(found(&[0.0; 9], 1.0), None);
        assert_eq!(found(&[0.1, -0.1], 1.0), None);
        // A run with a mean of .3 loses .6 at most by this rule, one with .7 what the range allows.
        assert_eq!((largest_loss(0.3, 1.0), largest_loss(0.7, 1.0), largest_loss(-0.1, 1.0)), (0.6, 1.0, 0.0));
    }
}
