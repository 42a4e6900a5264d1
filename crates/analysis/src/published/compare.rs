//! Whose score is higher at one p, and the order of many.
//!
//! Only intervals that do not touch decide. Intervals on one scale make an interval order, which is transitive; so the
//! order of more than two systems is taken at one p for all of them.

use schemars::JsonSchema;
use serde::Serialize;

use super::ROUNDING;

/// Which of two scores is higher, where their ranges tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The first is higher, whatever ranking it was.
    A,
    /// The second is.
    B,
    /// The ranges overlap.
    Undecided,
}

/// Compares two ranges at one p.
pub fn verdict(a: (f64, f64), b: (f64, f64)) -> Verdict {
    match difference(a, b) {
        (low, _) if low > 0.0 => Verdict::A,
        (_, high) if high < 0.0 => Verdict::B,
        _ => Verdict::Undecided,
    }
}

/// The least and the greatest that a − b may be. Ends that touch differ by 0, not by what floating point leaves of it.
pub fn difference(a: (f64, f64), b: (f64, f64)) -> (f64, f64) {
    let between = |a: f64, b: f64| if (a - b).abs() <= 10.0 * ROUNDING { 0.0 } else { a - b };
    (between(a.0, b.1), between(a.1, b.0))
}

/// The order of many ranges at one p.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    /// For each, those that are certainly lower.
    pub above: Vec<Vec<usize>>,
    /// For each, those lower with none between: the edges of the graph.
    pub next: Vec<Vec<usize>>,
    /// For each, the longest chain of certainly higher ones: 0 is the top.
    pub level: Vec<usize>,
}

impl Order {
    /// The order of these ranges.
    pub fn from_ranges(ranges: &[(f64, f64)]) -> Order {
        let is_above = |a: usize, b: usize| verdict(ranges[a], ranges[b]) == Verdict::A;
        let all = 0..ranges.len();
        let above: Vec<Vec<usize>> = all.clone().map(|a| all.clone().filter(|&b| is_above(a, b)).collect()).collect();
        let between = |a: usize, b: usize| above[a].iter().any(|&c| is_above(c, b));
        let next = all.clone().map(|a| above[a].iter().copied().filter(|&b| !between(a, b)).collect()).collect();
        let mut level = vec![0; ranges.len()];
        // From the highest low end down: whoever is above another comes before it.
        let mut by_low: Vec<usize> = all.collect();
        by_low.sort_by(|&a, &b| ranges[b].0.total_cmp(&ranges[a].0));
        for &a in &by_low {
            for &b in &above[a] {
                level[b] = level[b].max(level[a] + 1);
            }
        }
        Order { above, next, level }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn touching_ranges_decide_nothing() {
        assert_eq!(verdict((0.4, 0.5), (0.2, 0.3)), Verdict::A);
        assert_eq!(verdict((0.2, 0.3), (0.4, 0.5)), Verdict::B);
        assert_eq!(verdict((0.3, 0.5), (0.2, 0.3)), Verdict::Undecided);
    }

    #[test]
    fn ends_that_touch_differ_by_nothing() {
        // 0.42 and 0.43 to two digits touch at 0.425; the low end of a range is 1 less the high end of the complement, and there
        // a float has 0.425 otherwise.
        let (a, b) = ((0.415, 0.425), (1.0 - (1.0 - 0.425), 0.435));
        assert!(a.1 != b.0, "the case is no case");
        assert_eq!(difference(a, b).1, 0.0);
        assert!((difference(a, b).0 + 0.02).abs() < 1e-15);
    }

    #[test]
    fn an_order_has_levels_and_no_shortcuts() {
        // 0 above 1 above 2; 3 overlaps 0 and 1 and is above 2.
        let order = Order::from_ranges(&[(0.8, 0.9), (0.5, 0.6), (0.1, 0.2), (0.55, 0.85)]);
        assert_eq!(order.above, [vec![1, 2], vec![2], vec![], vec![2]]);
        assert_eq!(order.next, [vec![1], vec![2], vec![], vec![2]]);
        assert_eq!(order.level, [0, 1, 2, 0]);
    }
}
