//! How alike two lists of numbers are by value: Pearson's and Spearman's correlation, and how far apart they are.

use crate::summation::compensated_sum;
use crate::test::mid_ranks;

/// Pearson's correlation of pairs. `None` for fewer than two, where one side does not vary, or where a number is not finite.
pub fn pearson(a: &[f64], b: &[f64]) -> Option<f64> {
    let n = a.len().min(b.len());
    let (a, b) = (deviations(&a[..n])?, deviations(&b[..n])?);
    let product = compensated_sum(a.iter().zip(&b).map(|(a, b)| a * b));
    Some(product.clamp(-1.0, 1.0))
}

/// Spearman's correlation: Pearson's of the ranks, equal numbers sharing the mean of theirs.
pub fn spearman(a: &[f64], b: &[f64]) -> Option<f64> {
    let n = a.len().min(b.len());
    let ranks = |numbers: &[f64]| numbers.iter().all(|number| !number.is_nan()).then(|| mid_ranks(numbers, 0.0).0);
    pearson(&ranks(&a[..n])?, &ranks(&b[..n])?)
}

/// Root of the mean squared difference of pairs. `None` for no pairs or a number that is not finite.
pub fn root_mean_square(a: &[f64], b: &[f64]) -> Option<f64> {
    let n = a.len().min(b.len());
    let squares = compensated_sum(a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)));
    let found = (squares / n as f64).sqrt();
    (n > 0 && found.is_finite()).then_some(found)
}

/// Deviations from the mean, divided by the root of the sum of their squares.
fn deviations(numbers: &[f64]) -> Option<Vec<f64>> {
    let first = numbers.first()?;
    if numbers.iter().any(|number| !number.is_finite()) || numbers.iter().all(|number| number == first) {
        return None;
    }
    let mean = compensated_sum(numbers.iter().copied()) / numbers.len() as f64;
    let deviations: Vec<f64> = numbers.iter().map(|number| number - mean).collect();
    // Scaled first, so that squares neither overflow nor vanish.
    let largest = deviations.iter().fold(0.0f64, |most, deviation| most.max(deviation.abs()));
    let size = compensated_sum(deviations.iter().map(|d| (d / largest) * (d / largest))).sqrt() * largest;
    (size > 0.0 && size.is_finite()).then(|| deviations.iter().map(|deviation| deviation / size).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: Option<f64>, expected: f64) -> bool {
        found.is_some_and(|found| (found - expected).abs() < 1e-12)
    }

    #[test]
    fn by_hand() {
        // Deviations −1, 0, 1 and −2, −1, 3: products 2 + 0 + 3 = 5; squares 2 and 14: 5/√28.
        assert!(near(pearson(&[1.0, 2.0, 3.0], &[1.0, 2.0, 6.0]), 5.0 / 28f64.sqrt()));
        // In order both ways: ranks agree though values do not.
        assert!(near(spearman(&[1.0, 2.0, 3.0], &[1.0, 2.0, 6.0]), 1.0));
        // Ranks 1.5, 1.5, 3 and 1, 2, 3: deviations −½, −½, 1 and −1, 0, 1: 1.5 / √(1.5 · 2).
        assert!(near(spearman(&[5.0, 5.0, 9.0], &[1.0, 2.0, 3.0]), 1.5 / 3f64.sqrt()));
        // Differences 0, 0, −3: √(9/3).
        assert!(near(root_mean_square(&[1.0, 2.0, 3.0], &[1.0, 2.0, 6.0]), 3f64.sqrt()));
    }

    #[test]
    fn nothing_instead_of_nan() {
        assert_eq!((pearson(&[1.0, 1.0], &[1.0, 2.0]), pearson(&[1.0], &[2.0]), pearson(&[], &[])), (None, None, None));
        assert_eq!(pearson(&[1.0, f64::INFINITY], &[1.0, 2.0]), None);
        assert_eq!((spearman(&[1.0, f64::NAN], &[1.0, 2.0]), spearman(&[2.0, 2.0], &[1.0, 2.0])), (None, None));
        assert_eq!((root_mean_square(&[], &[]), root_mean_square(&[f64::NAN], &[1.0])), (None, None));
        assert!(near(pearson(&[1e200, 2e200], &[1e-200, 2e-200]), 1.0));
    }
}
