//! Sums of floats, where the order and the rounding are a decision.
//!
//! The one decision: standard errors and intervals rest on Neumaier's compensated sum, whose error does not grow with the number of
//! terms; `ordered_mean` adds plainly from first to last because trec_eval does, and its last digit is compared.

/// A sum with Neumaier's compensation (1974): the rounding of each addition is kept and added at the end.
#[derive(Clone, Copy, Debug, Default)]
pub struct Compensated {
    sum: f64,
    lost: f64,
}

impl Compensated {
    /// One more term.
    #[inline]
    pub fn add(&mut self, value: f64) {
        let total = self.sum + value;
        self.lost +=
            if self.sum.abs() >= value.abs() { (self.sum - total) + value } else { (value - total) + self.sum };
        self.sum = total;
    }

    /// The sum so far.
    pub fn total(self) -> f64 {
        self.sum + self.lost
    }
}

/// The compensated sum of all values.
pub fn compensated_sum(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut sum = Compensated::default();
    values.into_iter().for_each(|value| sum.add(value));
    sum.total()
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
