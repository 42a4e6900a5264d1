//! What so many topics could have shown, and how many would show the difference that was seen.
//!
//! The one decision: the smallest detectable difference is a standard deviation times a number that depends on the topics alone, so it is found once for
//! all pairs with as many of them.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use karat_stats::dist::normal;
use karat_stats::{Sample, power};

/// Plans for one family of comparisons.
pub(super) struct Planner {
    alpha: f64,
    own: f64,
    power: f64,
    /// The least difference that is significant among all pairs, where they are tested together (Tukey).
    critical: Option<f64>,
    /// By number of topics, in standard deviations.
    detectable: Mutex<BTreeMap<usize, Option<f64>>>,
}

/// The plan of one pair.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Plan {
    /// The level that the pair must reach on its own.
    pub alpha: f64,
    /// The p that the pair's own test must be able to give.
    pub own: f64,
    /// The smallest difference that is found with the power asked for.
    pub detectable: Option<f64>,
    /// The difference over its standard deviation over topics.
    pub effect_size: Option<f64>,
    /// Topics on which that would be found.
    pub topics_needed: Option<u64>,
}

impl Planner {
    /// For the level that a pair must reach, and the p that its own test must be able to give.
    pub fn new((alpha, own): (f64, f64), power: f64, critical: Option<f64>) -> Planner {
        Planner { alpha, own, power, critical, detectable: Mutex::default() }
    }

    /// From differences by topic and their mean.
    pub fn plan(&self, values: &[f64], observed: f64) -> Plan {
        // Differences that are the same but for rounding have no spread.
        let largest = values.iter().fold(0.0f64, |most, value| most.max(value.abs()));
        let spread = Sample::new(values).ok().and_then(|sample| sample.sd().ok());
        let sd = spread.filter(|sd| *sd > largest * karat_stats::test::SAME);
        let effect_size = sd.map(|sd| observed / sd);
        if let Some((sd, plan)) = sd.zip(self.critical).and_then(|(sd, critical)| Some((sd, self.of_all(critical)?))) {
            let all = plan(values.len(), sd, observed);
            let (detectable, topics_needed) = (Some(all.0), all.1);
            return Plan { alpha: self.alpha, own: self.own, effect_size, detectable, topics_needed };
        }
        let needed = |effect: f64| power::topics_for_power(effect, self.alpha, self.power).ok().flatten();
        Plan {
            alpha: self.alpha,
            own: self.own,
            detectable: sd.and_then(|sd| Some(sd * self.detectable(values.len())?)),
            effect_size,
            topics_needed: effect_size.filter(|effect| *effect != 0.0).and_then(needed),
        }
    }

    /// With all pairs tested together: a true difference is found with the power asked for where it is z standard errors above the critical one,
    /// which falls with the root of the number of topics.
    fn of_all(&self, critical: f64) -> Option<impl Fn(usize, f64, f64) -> (f64, Option<u64>)> {
        let z = normal::upper_quantile(1.0 - self.power).ok()?;
        Some(move |count: usize, sd: f64, observed: f64| {
            let root = (count as f64).sqrt();
            let needed = ((critical * root + z * sd) / observed).powi(2).ceil();
            (critical + z * sd / root, (needed <= power::MOST_TOPICS as f64).then_some(needed as u64))
        })
    }

    fn detectable(&self, topics: usize) -> Option<f64> {
        let mut known = self.detectable.lock().unwrap_or_else(PoisonError::into_inner);
        *known.entry(topics).or_insert_with(|| power::detectable(topics as u64, self.alpha, self.power).ok())
    }
}
