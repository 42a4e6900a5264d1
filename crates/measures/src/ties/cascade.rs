//! Users who read down until a document stops them: RR, ERR, Success.
//!
//! With U_i the expected chance to go on below rank i, the expected value is the sum over ranks of
//! weight(i) * (U_{i-1} - U_i). Within a group of n tied documents U after p of them is the mean over all subsets of size
//! p of the product of their chances to go on: an elementary symmetric polynomial over a binomial coefficient.

use karat_data::Judgement;

use super::Tied;

/// The expected value; `stop` is the chance that a document stops the user, `weight` what stopping at a rank is worth.
/// Ranks after `last` are not looked at. O(n * p) for n documents of a group on p ranks, O(n) where
/// documents either stop every user or none.
pub fn cascade(
    tied: &Tied<'_>,
    stop: impl Fn(Judgement) -> f64,
    weight: impl Fn(usize) -> f64,
    last: Option<usize>,
) -> f64 {
    let last = last.unwrap_or(usize::MAX);
    let (mut reached, mut sum) = (1.0, 0.0);
    for block in tied.blocks().take_while(|block| block.start < last) {
        let shown = block.end.min(last) - block.start;
        let chances: Vec<f64> = block.members.iter().map(|judgement| 1.0 - stop(*judgement)).collect();
        let going_on = if chances.iter().all(|chance| *chance == 0.0 || *chance == 1.0) {
            none_stops(chances.iter().filter(|chance| **chance == 1.0).count(), chances.len(), shown)
        } else {
            mean_products(chances.into_iter(), shown)
        };
        for (place, pair) in going_on.windows(2).enumerate() {
            sum += weight(block.start + place + 1) * reached * (pair[0] - pair[1]);
        }
        reached *= going_on[shown];
    }
    sum
}

/// [`mean_products`] of so many ones among zeros: the chance that none of the first documents stops the user, in time that
/// grows with the ranks alone.
fn none_stops(ones: usize, all: usize, most: usize) -> Vec<f64> {
    let mut chance = 1.0;
    let rest = (0..most).map(|place| {
        chance *= ones.saturating_sub(place) as f64 / (all - place) as f64;
        chance
    });
    std::iter::once(1.0).chain(rest.collect::<Vec<_>>()).collect()
}

/// The mean product of 0, 1, ... `most` of the values. With one value t more, the mean over the subsets of size p of m + 1
/// values is (1 - p/(m+1)) of the mean over those without t and p/(m+1) of t times that over those of size p - 1.
fn mean_products(values: impl Iterator<Item = f64>, most: usize) -> Vec<f64> {
    let mut means = vec![0.0; most + 1];
    means[0] = 1.0;
    for (count, value) in (1usize..).zip(values) {
        for size in (1..=most.min(count)).rev() {
            let share = size as f64 / count as f64;
            means[size] = (1.0 - share) * means[size] + share * value * means[size - 1];
        }
    }
    means
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mean_products_by_hand() {
        // Of 1/2, 1/4 and 1: singles 7/12; pairs 1/8, 1/2 and 1/4, mean 7/24; all three 1/8.
        let means = mean_products([0.5, 0.25, 1.0].into_iter(), 3);
        for (mean, expected) in means.iter().zip([1.0, 7.0 / 12.0, 7.0 / 24.0, 0.125]) {
            assert!((mean - expected).abs() < 1e-15, "{mean} {expected}");
        }
        assert_eq!(mean_products([0.5, 0.25, 1.0].into_iter(), 1).len(), 2);
        let literal = mean_products([1.0, 0.0, 1.0, 1.0, 0.0].into_iter(), 5);
        for (mean, expected) in none_stops(3, 5, 5).iter().zip(literal) {
            assert!((mean - expected).abs() < 1e-15, "{mean} {expected}");
        }
    }
}
