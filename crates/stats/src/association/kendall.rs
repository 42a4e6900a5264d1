//! How alike two orders of the same things are: Kendall's tau, without and with a correction for ties, and tau_AP, which minds the top most.
//!
//! All take the numbers by which things are ordered, not the orders, so that equal numbers are ties and nobody has to
//! break them. What cannot be said (nothing to order, one of the two all tied) is `None`.

use std::cmp::Ordering;

/// Kendall's tau-b (Kendall 1945): (concordant - discordant) / sqrt((pairs - tied in a) * (pairs - tied in b)). Without ties
/// it is the plain tau. `None` where a side has no two numbers that differ. In n log n (Knight 1966).
pub fn kendall_tau(a: &[f64], b: &[f64]) -> Option<f64> {
    let Pairs { balance, in_a, in_b, .. } = Pairs::of(a, b)?;
    (in_a > 0 && in_b > 0).then(|| balance as f64 / ((in_a as f64) * (in_b as f64)).sqrt())
}

/// Kendall's tau-a (Kendall 1938): (concordant - discordant) / pairs, so that a tie counts as neither. `None` for fewer than two things.
pub fn tau_a(a: &[f64], b: &[f64]) -> Option<f64> {
    let Pairs { balance, all, .. } = Pairs::of(a, b)?;
    (all > 0).then(|| balance as f64 / all as f64)
}

/// Pairs of things, counted.
#[derive(Debug, PartialEq, Eq)]
struct Pairs {
    /// Concordant less discordant.
    balance: i64,
    /// All of them.
    all: u64,
    /// Those that differ in a.
    in_a: u64,
    /// Those that differ in b.
    in_b: u64,
}

impl Pairs {
    /// Knight's method: in the order of a (and of b among ties of a), the discordant pairs are the exchanges that sort b.
    /// `None` where a number is NaN.
    fn of(a: &[f64], b: &[f64]) -> Option<Pairs> {
        let mut things: Vec<(f64, f64)> = a.iter().copied().zip(b.iter().copied()).collect();
        if things.iter().any(|(a, b)| a.is_nan() || b.is_nan()) {
            return None;
        }
        let order = |a: f64, b: f64| a.partial_cmp(&b).unwrap_or(Ordering::Equal);
        things.sort_unstable_by(|x, y| order(x.0, y.0).then(order(x.1, y.1)));
        let pairs = |n: usize| n as u64 * (n as u64).saturating_sub(1) / 2;
        let all = pairs(things.len());
        let tied_a: u64 = things.chunk_by(|x, y| x.0 == y.0).map(|chunk| pairs(chunk.len())).sum();
        let tied_both: u64 = things.chunk_by(|x, y| x == y).map(|chunk| pairs(chunk.len())).sum();
        let mut by_b: Vec<f64> = things.into_iter().map(|(_, b)| b).collect();
        let mut room = by_b.clone();
        let discordant = exchanges(&mut by_b, &mut room);
        let tied_b: u64 = by_b.chunk_by(|x, y| x == y).map(|chunk| pairs(chunk.len())).sum();
        let different = all + tied_both - tied_a - tied_b;
        Some(Pairs { balance: different as i64 - 2 * discordant as i64, all, in_a: all - tied_a, in_b: all - tied_b })
    }
}

/// Sorts, and counts the pairs that were in the wrong order.
fn exchanges(numbers: &mut [f64], room: &mut [f64]) -> u64 {
    let n = numbers.len();
    if n < 2 {
        return 0;
    }
    let middle = n / 2;
    let (left, right) = numbers.split_at_mut(middle);
    let (left_room, right_room) = room.split_at_mut(middle);
    let mut count = exchanges(left, left_room) + exchanges(right, right_room);
    let (mut l, mut r) = (0, middle);
    for slot in room.iter_mut() {
        if r == n || (l < middle && numbers[l] <= numbers[r]) {
            *slot = numbers[l];
            l += 1;
        } else {
            // It passes all that are left of the left half.
            count += (middle - l) as u64;
            *slot = numbers[r];
            r += 1;
        }
    }
    numbers.copy_from_slice(room);
    count
}

/// tau_AP of an estimated order against the true one (Yilmaz, Aslam and Robertson 2008, A new rank correlation coefficient
/// for information retrieval, SIGIR, equation 3): 2/(n-1) * sum over ranks i >= 2 of C(i)/(i-1), minus 1, where C(i) counts
/// what stands above rank i of the estimate and above it in truth too. It is defined for orders without ties only:
/// `None` where there are some, and for fewer than two things.
pub fn tau_ap(estimate: &[f64], truth: &[f64]) -> Option<f64> {
    let n = estimate.len().min(truth.len());
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&a, &b| estimate[b].total_cmp(&estimate[a]));
    let distinct = |numbers: &[f64]| {
        let mut sorted = numbers[..n].to_vec();
        sorted.sort_by(f64::total_cmp);
        sorted.iter().all(|number| !number.is_nan()) && sorted.windows(2).all(|pair| pair[0] != pair[1])
    };
    if n < 2 || !distinct(estimate) || !distinct(truth) {
        return None;
    }
    let rightly_above = |rank: usize| order[..rank].iter().filter(|&&above| truth[above] > truth[order[rank]]).count();
    let sum: f64 = (1..n).map(|rank| rightly_above(rank) as f64 / rank as f64).sum();
    Some(2.0 / (n - 1) as f64 * sum - 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As the definition says, pair by pair.
    fn literal(a: &[f64], b: &[f64]) -> Option<f64> {
        let (mut balance, mut in_a, mut in_b) = (0i64, 0u64, 0u64);
        for (place, (a_here, b_here)) in a.iter().zip(b).enumerate() {
            for (a_there, b_there) in a[..place].iter().zip(b) {
                let (by_a, by_b) = (a_here.partial_cmp(a_there)?, b_here.partial_cmp(b_there)?);
                in_a += u64::from(by_a != Ordering::Equal);
                in_b += u64::from(by_b != Ordering::Equal);
                balance += by_a as i64 * by_b as i64;
            }
        }
        (in_a > 0 && in_b > 0).then(|| balance as f64 / ((in_a as f64) * (in_b as f64)).sqrt())
    }

    fn near(found: Option<f64>, expected: f64) -> bool {
        found.is_some_and(|found| (found - expected).abs() < 1e-12)
    }

    #[test]
    fn tau_by_hand() {
        // Of the pairs of 1 2 3 4 against 1 3 2 4 only (2, 3) is turned: (5 - 1) / 6.
        assert!(near(kendall_tau(&[1.0, 2.0, 3.0, 4.0], &[1.0, 3.0, 2.0, 4.0]), 4.0 / 6.0));
        assert!(near(kendall_tau(&[1.0, 2.0, 3.0], &[9.0, 5.0, 1.0]), -1.0));
        // a has a tie of the first two, b none: 2 concordant of 3; 2 pairs differ in a, 3 in b: 2 / sqrt(6).
        assert!(near(kendall_tau(&[1.0, 1.0, 2.0], &[1.0, 2.0, 3.0]), 2.0 / 6f64.sqrt()));
        // The same tie on both sides is agreement: 2 / sqrt(2 * 2).
        assert!(near(kendall_tau(&[1.0, 1.0, 2.0], &[5.0, 5.0, 7.0]), 1.0));
        assert_eq!(kendall_tau(&[1.0, 1.0], &[1.0, 2.0]), None);
        assert_eq!((kendall_tau(&[], &[]), kendall_tau(&[1.0, f64::NAN], &[1.0, 2.0])), (None, None));
    }

    #[test]
    fn tau_ap_by_hand_minds_the_top() {
        let truth = [4.0, 3.0, 2.0, 1.0];
        // The first two swapped: C = 0, 2, 3 of 1, 2, 3: 2/3 * (0 + 1 + 1) - 1 = 1/3.
        assert!(near(tau_ap(&[3.0, 4.0, 2.0, 1.0], &truth), 1.0 / 3.0));
        // The last two swapped: C = 1, 2, 2 of 1, 2, 3: 2/3 * (1 + 1 + 2/3) - 1 = 7/9. Kendall's tau is 2/3 for both.
        assert!(near(tau_ap(&[4.0, 3.0, 1.0, 2.0], &truth), 7.0 / 9.0));
        assert!(near(tau_ap(&truth, &truth), 1.0) && near(tau_ap(&[1.0, 2.0, 3.0, 4.0], &truth), -1.0));
        assert_eq!((tau_ap(&[1.0, 1.0], &[1.0, 2.0]), tau_ap(&[1.0], &[1.0])), (None, None));
    }

    #[test]
    fn knights_method_is_the_definition_to_the_last_digit() {
        for index in 0..200 {
            let mut stream = crate::Seed(9).stream("tau", index);
            let n = stream.below(40) as usize;
            let mut draw = || (0..n).map(|_| stream.below(1 + index % 15) as f64 - 3.0).collect::<Vec<f64>>();
            let (a, b) = (draw(), draw());
            assert_eq!(kendall_tau(&a, &b), literal(&a, &b), "{a:?} {b:?}");
        }
        assert_eq!(kendall_tau(&[0.0, -0.0, 1.0], &[1.0, 2.0, 3.0]), literal(&[0.0, -0.0, 1.0], &[1.0, 2.0, 3.0]));
    }

    #[test]
    fn tau_a_by_hand() {
        // 1 1 2 against 1 2 3: two concordant of three pairs, one tied: 2/3.
        assert!(near(tau_a(&[1.0, 1.0, 2.0], &[1.0, 2.0, 3.0]), 2.0 / 3.0));
        assert!(near(tau_a(&[1.0, 2.0, 3.0, 4.0], &[1.0, 3.0, 2.0, 4.0]), 4.0 / 6.0));
        assert_eq!((tau_a(&[1.0], &[1.0]), tau_a(&[1.0, f64::NAN], &[1.0, 2.0])), (None, None));
        assert_eq!(tau_a(&[1.0, 1.0], &[1.0, 2.0]), Some(0.0));
    }
}
