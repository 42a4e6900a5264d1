//! Intervals of an association: items, or whole groups of them, drawn again.

use crate::estimate::Interval;
use crate::resample::{self, NoResample};
use crate::seed::Seed;

/// The percentile interval of an association of pairs when items are drawn again with replacement. An item drawn twice ties with itself on
/// both sides, so take a statistic that is defined with ties.
///
/// # Errors
/// Too few items or resamples, or too many resamples without a value.
pub fn by_item(
    a: &[f64],
    b: &[f64],
    statistic: impl Fn(&[f64], &[f64]) -> Option<f64>,
    resamples: u32,
    level: f64,
    seed: Seed,
) -> Result<Interval, NoResample> {
    let groups: Vec<usize> = (0..a.len().min(b.len())).collect();
    by_group(a, b, &groups, statistic, resamples, level, seed)
}

/// The same when groups are drawn whole: `groups` has the group of each item, numbered from 0.
///
/// # Errors
/// Too few groups or resamples, or too many resamples without a value.
pub fn by_group(
    a: &[f64],
    b: &[f64],
    groups: &[usize],
    statistic: impl Fn(&[f64], &[f64]) -> Option<f64>,
    resamples: u32,
    level: f64,
    seed: Seed,
) -> Result<Interval, NoResample> {
    let count = groups.iter().max().map_or(0, |greatest| greatest + 1);
    let of_times = |times: &[u32]| {
        let (mut drawn_a, mut drawn_b) = (Vec::with_capacity(a.len()), Vec::with_capacity(b.len()));
        for ((&a, &b), &group) in a.iter().zip(b).zip(groups) {
            for _ in 0..times[group] {
                drawn_a.push(a);
                drawn_b.push(b);
            }
        }
        statistic(&drawn_a, &drawn_b)
    };
    resample::percentile(count, of_times, resamples, level, seed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::association::{kendall_tau, pearson};

    #[test]
    fn the_interval_of_a_correlation_is_about_fishers() {
        // 200 pairs with correlation near r: Fisher's interval is tanh(atanh r ± 1.96/√197). The bootstrap's ends lie within a third of
        // its half width of those.
        let mut stream = Seed(3).stream("pairs", 0);
        let mut normal = || crate::dist::normal::quantile(stream.unit().max(1e-12)).unwrap();
        let pairs: Vec<(f64, f64)> = (0..200)
            .map(|_| {
                let x = normal();
                (x, 0.8 * x + 0.6 * normal())
            })
            .collect();
        let (a, b): (Vec<f64>, Vec<f64>) = pairs.into_iter().unzip();
        let r = pearson(&a, &b).unwrap();
        let reach = 1.96 / 197f64.sqrt();
        let (low, high) = ((r.atanh() - reach).tanh(), (r.atanh() + reach).tanh());
        let found = by_item(&a, &b, pearson, 2000, 0.95, Seed(1)).unwrap();
        let slack = (high - low) / 6.0;
        assert!((found.low - low).abs() < slack && (found.high - high).abs() < slack, "{found:?} {low} {high}");
        // Items that come in identical fives are forty groups: the interval is wider than of two hundred items.
        let five = |numbers: &[f64]| numbers[..40].iter().flat_map(|number| [*number; 5]).collect::<Vec<f64>>();
        let (a, b) = (five(&a), five(&b));
        let groups: Vec<usize> = (0..200).map(|item| item / 5).collect();
        let grouped = by_group(&a, &b, &groups, kendall_tau, 1000, 0.9, Seed(1)).unwrap();
        let alone = by_item(&a, &b, kendall_tau, 1000, 0.9, Seed(1)).unwrap();
        assert!(grouped.width() > 1.7 * alone.width(), "{grouped:?} {alone:?}");
    }

    #[test]
    fn reasons() {
        let few = [1.0, 2.0, 3.0];
        assert!(matches!(by_item(&few, &few, pearson, 1000, 0.95, Seed(1)), Err(NoResample::TooFew { have: 3, .. })));
        let flat = [1.0; 20];
        assert!(matches!(by_item(&flat, &flat, pearson, 1000, 0.95, Seed(1)), Err(NoResample::Undefined { .. })));
    }
}
