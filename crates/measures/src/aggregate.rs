//! How a measure's per-topic values become one number for a run.

/// The summary over topics.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Aggregate {
    /// The arithmetic mean.
    Mean,
    /// exp of the mean of ln(max(value, floor)): GMAP and its kin.
    GeometricMean {
        /// The least value that enters the logarithm (trec_eval: 0.00001).
        floor: f64,
    },
    /// The sum: counts of documents.
    Sum,
}

impl Aggregate {
    /// In a sentence.
    pub fn sentence(self) -> String {
        match self {
            Aggregate::Mean => "the mean".into(),
            Aggregate::Sum => "the sum".into(),
            Aggregate::GeometricMean { floor } => {
                format!("the geometric mean; values below {floor} count as {floor}")
            }
        }
    }

    /// The value that is averaged in place of `value` (the identity, but for the geometric mean).
    #[inline]
    pub fn inward(self, value: f64) -> f64 {
        match self {
            Aggregate::GeometricMean { floor } => libm::log(value.max(floor)),
            Aggregate::Mean | Aggregate::Sum => value,
        }
    }

    /// From the mean (or sum) of the inward values back to the measure's scale.
    #[inline]
    pub fn outward(self, value: f64) -> f64 {
        match self {
            Aggregate::GeometricMean { .. } => libm::exp(value),
            Aggregate::Mean | Aggregate::Sum => value,
        }
    }

    /// The summary of values, added left to right as trec_eval adds them; `None` for no value.
    pub fn of(self, values: impl IntoIterator<Item = f64>) -> Option<f64> {
        let (mut sum, mut count) = (0.0, 0u64);
        for value in values {
            sum += self.inward(value);
            count += 1;
        }
        match self {
            Aggregate::Sum => Some(sum),
            _ if count == 0 => None,
            _ => Some(self.outward(sum / count as f64)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summaries_by_hand() {
        assert_eq!(Aggregate::Mean.of([0.25, 0.75]), Some(0.5));
        assert_eq!(Aggregate::Sum.of([3.0, 4.0]), Some(7.0));
        assert_eq!(Aggregate::Mean.of([]), None);
        // sqrt(0.25 * 1.0) = 0.5
        let geometric = Aggregate::GeometricMean { floor: 1e-5 };
        assert!((geometric.of([0.25, 1.0]).unwrap() - 0.5).abs() < 1e-15);
        // A zero counts as 0.00001: sqrt(0.00001 * 0.1) = 0.001
        assert!((geometric.of([0.0, 0.1]).unwrap() - 0.001).abs() < 1e-15);
    }
}
