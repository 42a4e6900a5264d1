//! The sample ratio: did each arm get the units that it should have?

use karat_stats::ab::{SAMPLE_RATIO_THRESHOLD, sample_ratio};
use schemars::JsonSchema;
use serde::Serialize;

use super::error::AbError;
use super::note::AbNote;

/// How units were to be split among arms.
#[derive(Debug, Clone, PartialEq)]
pub enum Split {
    /// As many to each.
    Equal,
    /// Weights: the control's first, then those of the other arms in the order in which they are shown.
    Ordered(Vec<f64>),
    /// Weights by the arm's name.
    Named(Vec<(String, f64)>),
}

impl Split {
    /// From `90:10` or `A=90,B=10`; `None` when it is neither.
    pub fn parse(given: &str) -> Option<Split> {
        let weight = |text: &str| {
            let weight = text.trim().parse::<f64>().ok();
            weight.filter(|weight| weight.is_finite() && *weight > 0.0)
        };
        if given.contains('=') {
            let named = |part: &str| {
                let (name, text) = part.rsplit_once('=')?;
                Some((name.trim().to_owned(), weight(text)?))
            };
            return given.split(',').map(named).collect::<Option<_>>().map(Split::Named);
        }
        given.split(':').map(weight).collect::<Option<_>>().map(Split::Ordered)
    }

    /// The share of each arm, in the order of the arms.
    ///
    /// # Errors
    /// It does not fit the arms.
    pub(super) fn shares(&self, arms: &[String]) -> Result<Vec<f64>, AbError> {
        let weights = match self {
            Split::Equal => vec![1.0; arms.len()],
            Split::Ordered(weights) if weights.len() == arms.len() => weights.clone(),
            Split::Ordered(weights) => {
                return Err(AbError::SplitLength { weights: weights.len(), arms: arms.to_vec() });
            }
            Split::Named(named) => named_weights(named, arms).ok_or_else(|| AbError::SplitNames {
                named: named.iter().map(|(name, _)| name.clone()).collect(),
                arms: arms.to_vec(),
            })?,
        };
        let all: f64 = weights.iter().sum();
        Ok(weights.iter().map(|weight| weight / all).collect())
    }
}

/// The weight of each arm, when every arm is named once and nothing else is.
fn named_weights(named: &[(String, f64)], arms: &[String]) -> Option<Vec<f64>> {
    let weight = |arm: &String| named.iter().find(|(name, _)| name == arm).map(|(_, weight)| *weight);
    arms.iter().map(weight).collect::<Option<Vec<f64>>>().filter(|_| named.len() == arms.len())
}

/// Chi-squared test of the units per arm against the planned split.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct SampleRatioCheck {
    /// What is counted, such as users.
    pub unit: String,
    /// Chi-squared statistic.
    pub chi_squared: f64,
    /// Its degrees of freedom.
    pub df: u64,
    /// Its p-value.
    pub p: f64,
    /// The check fails when p is below this.
    pub threshold: f64,
    /// Whether the check passed.
    pub holds: bool,
    /// Units per arm, the control first.
    pub arms: Vec<ArmUnits>,
    /// Whether a split was given.
    #[serde(skip)]
    pub planned: bool,
}

/// The units of one arm.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ArmUnits {
    /// The arm.
    pub arm: String,
    /// Units observed.
    pub units: u64,
    /// Share of the units that it should get.
    pub planned_share: f64,
    /// Units expected from that share.
    pub expected: f64,
}

impl SampleRatioCheck {
    /// Compares units per arm with the planned split; an equal one when none was given.
    ///
    /// # Errors
    /// The split does not fit the arms, or there are no units.
    pub(super) fn new(
        arms: &[String],
        units: &[u64],
        split: Option<&Split>,
        unit: &str,
    ) -> Result<SampleRatioCheck, AbError> {
        let shares = split.unwrap_or(&Split::Equal).shares(arms)?;
        let ratio = sample_ratio(units, &shares).map_err(AbError::NoSampleRatio)?;
        let arms = (0..arms.len()).map(|at| ArmUnits {
            arm: arms[at].clone(),
            units: units[at],
            planned_share: shares[at],
            expected: ratio.expected[at],
        });
        Ok(SampleRatioCheck {
            unit: unit.to_owned(),
            chi_squared: ratio.chi_squared,
            df: ratio.df,
            p: ratio.p,
            threshold: SAMPLE_RATIO_THRESHOLD,
            holds: ratio.holds(),
            arms: arms.collect(),
            planned: split.is_some(),
        })
    }

    /// The warning when it does not hold.
    pub(super) fn note(&self) -> Option<AbNote> {
        let (unit, p, planned) = (self.unit.clone(), self.p, self.planned);
        (!self.holds).then_some(AbNote::SampleRatioMismatch { unit, p, planned })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits() {
        let arms = ["A".to_owned(), "B".to_owned()];
        let shares = |text: &str| Split::parse(text).unwrap().shares(&arms);
        // 90/(90 + 10) and 3/(3 + 1).
        assert_eq!(shares("90:10").unwrap(), [0.9, 0.1]);
        assert_eq!(shares("B=1,A=3").unwrap(), [0.75, 0.25]);
        assert_eq!(Split::Equal.shares(&arms).unwrap(), [0.5, 0.5]);
        for wrong in ["1:1:1", "A=1", "A=1,C=1", "A=1,B=1,C=1"] {
            assert!(shares(wrong).is_err(), "{wrong}");
        }
        for wrong in ["", "a", "0:1", "-1:2", "A=", "1:inf"] {
            assert_eq!(Split::parse(wrong), None, "{wrong}");
        }
    }
}
