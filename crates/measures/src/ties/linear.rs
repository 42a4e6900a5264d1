//! Measures linear in gain: a tied document is worth the mean of its group, wherever in the group it stands.

use karat_data::Judgement;

use super::Tied;

/// What the mean over all orders has more than the order at hand.
pub(super) fn expected_change(tied: &Tied<'_>, worth: &dyn Fn(Judgement) -> f64, weight: &dyn Fn(usize) -> f64) -> f64 {
    let mut change = 0.0;
    for group in tied.groups.iter() {
        let total: f64 = group.members.iter().map(|judgement| worth(*judgement)).sum();
        let mean = total / group.members.len() as f64;
        for (rank, judgement) in (group.start + 1..=group.end).zip(group.members) {
            change += weight(rank) * (mean - worth(*judgement));
        }
    }
    change
}
