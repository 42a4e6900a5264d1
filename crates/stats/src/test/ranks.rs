//! Ranks of numbers, equal ones sharing the mean of theirs.

/// The rank of each number from 1 for the least, and the sizes of groups of equal ones. Numbers within `slack` of the first of their
/// group are equal.
pub fn mid_ranks(numbers: &[f64], slack: f64) -> (Vec<f64>, Vec<usize>) {
    let mut order: Vec<usize> = (0..numbers.len()).collect();
    order.sort_by(|&a, &b| numbers[a].total_cmp(&numbers[b]));
    let mut ranks = vec![0.0; numbers.len()];
    let mut groups = Vec::new();
    let mut start = 0;
    while start < order.len() {
        let first = numbers[order[start]];
        let end = order[start..].iter().position(|&i| numbers[i] > first + slack).map_or(order.len(), |n| start + n);
        // Ranks start + 1 to end, of which the mean is half the sum of first and last.
        order[start..end].iter().for_each(|&i| ranks[i] = (start + 1 + end) as f64 / 2.0);
        groups.push(end - start);
        start = end;
    }
    (ranks, groups)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_numbers_share_their_ranks() {
        // 1 has rank 1; the two 2s share ranks 2 and 3; 5 has rank 4.
        assert_eq!(mid_ranks(&[2.0, 5.0, 1.0, 2.0], 0.0), (vec![2.5, 4.0, 1.0, 2.5], vec![1, 2, 1]));
        // 0.3 − 0.2 is below 0.1 by a rounding error only.
        assert_eq!(mid_ranks(&[0.3 - 0.2, 0.1], 1e-12).0, [1.5, 1.5]);
        assert_eq!(mid_ranks(&[], 0.0), (vec![], vec![]));
    }
}
