//! Sums of floats, where the order and the rounding are a decision.
//!
//! The one decision: standard errors and intervals rest on Neumaier's compensated sum, whose error does not grow with the number of
//! terms; `ordered_mean` adds plainly from first to last because trec_eval does, and its last digit is compared.

/// Sum with Neumaier's compensation (1974): the rounding of each addition is kept and added at the end.
pub fn compensated_sum(values: impl IntoIterator<Item = f64>) -> f64 {
    let (mut sum, mut lost) = (0.0_f64, 0.0_f64);
    for value in values {
        let total = sum + value;
        lost += if sum.abs() >= value.abs() { (sum - total) + value } else { (value - total) + sum };
        sum = total;
    }
    sum + lost
}

/// Compensated sum over count; `None` for no values.
pub fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| compensated_sum(values.iter().copied()) / values.len() as f64)
}

/// Plain sum from first to last over count, as trec_eval averages topics; `None` for no values.
pub fn ordered_mean(values: &[f64]) -> Option<f64> {
    // Not `iter().sum()`: std starts its float sum from −0.0 and promises no order.
    (!values.is_empty()).then(|| values.iter().fold(0.0, |sum, value| sum + value) / values.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compensation_recovers_what_plain_addition_loses() {
        // Neumaier's example: 1 + 1e100 + 1 − 1e100 = 2 exactly; left to right the ones vanish.
        let values = [1.0, 1e100, 1.0, -1e100];
        assert_eq!(mean(&values), Some(0.5));
        assert_eq!(ordered_mean(&values), Some(0.0));
    }

    #[test]
    fn no_values_have_no_mean() {
        assert_eq!(mean(&[]), None);
        assert_eq!(ordered_mean(&[]), None);
    }
}
