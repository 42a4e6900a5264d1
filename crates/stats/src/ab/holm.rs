//! Holm's step-down correction (1979): the chance of any false finding among all comparisons stays below the level.

/// Adjusted p-values, in the order given; `None` where a comparison has none (it counts as no hypothesis).
pub fn holm(p: &[Option<f64>]) -> Vec<Option<f64>> {
    let mut order: Vec<(usize, f64)> = p.iter().enumerate().filter_map(|(at, p)| p.map(|p| (at, p))).collect();
    order.sort_by(|a, b| a.1.total_cmp(&b.1));
    let (mut adjusted, mut greatest) = (vec![None; p.len()], 0.0f64);
    for (step, &(at, p)) in order.iter().enumerate() {
        greatest = greatest.max((order.len() - step) as f64 * p).min(1.0);
        adjusted[at] = Some(greatest);
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_hand() {
        // Sorted .01, .02, .04: times 3, 2, 1 is .03, .04, .04. A comparison without p is no hypothesis.
        let found = holm(&[Some(0.04), None, Some(0.01), Some(0.02)]);
        for (ours, expected) in found.iter().zip([Some(0.04), None, Some(0.03), Some(0.04)]) {
            assert_eq!(ours.is_some(), expected.is_some());
            assert!((ours.unwrap_or(0.0) - expected.unwrap_or(0.0)).abs() < 1e-15, "{found:?}");
        }
        assert_eq!(holm(&[Some(0.6), Some(0.7)]), [Some(1.0), Some(1.0)]);
        assert!(holm(&[]).is_empty());
    }
}
