//! Intervals of agreement: whole groups are resampled, not pairs.
//!
//! The one decision: the labels of one query stand or fall together (one topic is easy, another is not), so the query is the
//! unit of chance. Resampling pairs instead would call an interval narrow because one query had many documents.

use super::{Coefficient, Counted, Undefined};
use crate::estimate::Interval;
use crate::interval::HANDFUL;
use crate::resample::{self, NoResample};
use crate::seed::Seed;
use std::fmt;

/// Why a coefficient has no interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NoAgreementInterval {
    /// The coefficient itself has no value.
    Undefined(Undefined),
    /// It is a mean over so many pairs of judges that resampling them would take minutes or more.
    ManyPairs,
    /// The resamples make none.
    Resample(NoResample),
}

impl fmt::Display for NoAgreementInterval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoAgreementInterval::Undefined(reason) => reason.fmt(f),
            NoAgreementInterval::ManyPairs => f.write_str(
                "a mean over too many pairs of judges to be resampled; choose some with --judge, or read a coefficient made for several",
            ),
            NoAgreementInterval::Resample(reason) => reason.fmt(f),
        }
    }
}

impl std::error::Error for NoAgreementInterval {}

/// The percentile interval of a coefficient, groups drawn with replacement.
///
/// # Errors
/// Too few groups or resamples, or a coefficient that too many resamples leave undefined.
pub fn by_group(
    counted: &Counted,
    coefficient: &Coefficient,
    resamples: u32,
    level: f64,
    seed: Seed,
) -> Result<Interval, NoAgreementInterval> {
    counted.value(coefficient).map_err(NoAgreementInterval::Undefined)?;
    if counted.groups() < HANDFUL {
        return Err(NoAgreementInterval::Resample(NoResample::TooFew { have: counted.groups(), need: HANDFUL }));
    }
    if counted.too_many_pairs(coefficient) {
        return Err(NoAgreementInterval::ManyPairs);
    }
    let statistic = |times: &[u32]| counted.weighted(coefficient, times).ok();
    resample::percentile(counted.slots(), statistic, resamples, level, seed.child("agreement", 0))
        .map_err(NoAgreementInterval::Resample)
}

#[cfg(test)]
mod tests {
    use super::super::{Labels, find};
    use super::*;

    #[test]
    fn clusters_widen_the_interval() {
        // 40 queries of 10 documents. In the first world judges agree on all documents of a query or on none, in the second
        // on every other document: the same agreement, but only the second has 400 chances to show it.
        let world = |agree: fn(usize) -> bool| {
            let mut labels = Labels::new(&[0.0, 1.0], 2).unwrap();
            for item in 0..400 {
                let first = (item % 3 % 2) as f64;
                labels.push([(0, first), (1, if agree(item) { first } else { 1.0 - first })]).unwrap();
            }
            let groups: Vec<usize> = (0..400).map(|item| item / 10).collect();
            by_group(&Counted::by_group(&labels, &groups), find("observed").unwrap(), 1000, 0.95, Seed(1)).unwrap()
        };
        let clustered = world(|item| item / 10 % 2 == 0);
        let spread = world(|item| item % 2 == 0);
        // Clustered: sd of a mean of 40 coins .5/√40 = .079, so a width of about 3.92 · .079 = .31.
        assert!((0.25..0.36).contains(&clustered.width()) && spread.width() < 0.001, "{clustered:?} {spread:?}");
        assert!(clustered.contains(0.5));
    }

    #[test]
    fn refusals() {
        let labels = Labels::from_table(&[&[3, 1], &[1, 3]]).unwrap();
        let one = by_group(&Counted::new(&labels), find("cohen").unwrap(), 1000, 0.95, Seed(1));
        assert_eq!(one, Err(NoAgreementInterval::Resample(NoResample::TooFew { have: 1, need: 5 })));
        let none = Labels::from_table(&[&[3, 0], &[0, 0]]).unwrap();
        let none = by_group(&Counted::new(&none), find("cohen").unwrap(), 1000, 0.95, Seed(1));
        assert_eq!(none, Err(NoAgreementInterval::Undefined(Undefined::OneCategoryUsed)));
    }
}
