//! Every distinct order of the tied documents, scored: for measures without a better way.

use karat_data::{Judgement, JudgementKind};

use super::order::Arrangement;
use super::{TieGroup, Tied};
use crate::measure::Measure;
use crate::score::Undefined;

const TOO_MANY: Undefined = Undefined { reason: "too many orders of tied documents to try them all" };

/// What all orders come to.
pub(super) struct All {
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) expected: f64,
}

/// All orders. Documents of one judgement are the same to a measure of grades; to one that needs more, no two documents
/// of the judgements are.
pub(super) fn all(measure: &dyn Measure, tied: &Tied<'_>) -> Result<All, Undefined> {
    let grades = measure.info().needs == JudgementKind::Grades;
    alike(measure, tied, &|group, a, b| {
        group.members[a] == group.members[b] && (grades || group.documents.get(a) == group.documents.get(b))
    })
}

/// The mean of a measure over all orders, where documents of equal worth are the same to it.
///
/// # Errors
/// There are too many, or one has no value.
pub fn enumerated(measure: &dyn Measure, tied: &Tied<'_>, worth: impl Fn(Judgement) -> f64) -> Result<f64, Undefined> {
    alike(measure, tied, &|group, a, b| worth(group.members[a]) == worth(group.members[b])).map(|all| all.expected)
}

/// Whether two documents of a group, by their places among its members, are the same to a measure.
type Same<'a> = dyn Fn(&TieGroup<'_>, usize, usize) -> bool + 'a;

fn alike(measure: &dyn Measure, tied: &Tied<'_>, same: &Same<'_>) -> Result<All, Undefined> {
    // What stands below the cut-off is not looked at: only the first of a group that it cuts through are placed.
    let cutoff = measure.cutoff().unwrap_or(usize::MAX);
    let seen = tied.groups.iter().filter(|group| group.start < cutoff);
    let cut = seen.map(|group| TieGroup { end: group.end.min(cutoff), ..group });
    let mut groups: Vec<Group<'_>> = cut.map(|group| Group::new(group, same)).collect();
    if groups.iter().map(Group::orders).product::<f64>() > tied.most_orders {
        return Err(TOO_MANY);
    }
    let mut all = All { low: f64::INFINITY, high: f64::NEG_INFINITY, expected: 0.0 };
    let mut score = |arrangement: &Arrangement<'_>, chance: f64| {
        let value = arrangement.value(measure)?;
        all.low = all.low.min(value);
        all.high = all.high.max(value);
        all.expected += chance * value;
        Ok(())
    };
    each(&mut groups, 0, 0, 1.0, &mut Arrangement::new(tied), &mut score)?;
    Ok(all)
}

/// A group with its kinds of document (one of each), and how many of each kind are not placed yet.
struct Group<'a> {
    group: TieGroup<'a>,
    left: usize,
    kinds: Vec<(usize, usize)>,
}

impl<'a> Group<'a> {
    fn new(group: TieGroup<'a>, same: &Same<'_>) -> Group<'a> {
        let mut kinds: Vec<(usize, usize)> = Vec::new();
        for member in 0..group.members.len() {
            match kinds.iter_mut().find(|(kind, _)| same(&group, *kind, member)) {
                Some((_, count)) => *count += 1,
                None => kinds.push((member, 1)),
            }
        }
        Group { left: group.members.len(), group, kinds }
    }

    fn orders(&self) -> f64 {
        orders(self.kinds.iter().map(|(_, count)| *count), self.group.shown())
    }
}

/// Distinct orders of the documents shown, of kinds with so many documents: the sum of the multinomial coefficients, one
/// kind after the other. May be infinite.
fn orders(kinds: impl Iterator<Item = usize>, shown: usize) -> f64 {
    let mut orders = vec![0.0; shown + 1];
    orders[0] = 1.0;
    for count in kinds {
        for places in (1..=shown).rev() {
            // Choose which of the places hold documents of this kind.
            let (mut sum, mut choose) = (orders[places], 1.0);
            for taken in 1..=count.min(places) {
                choose *= (places - taken + 1) as f64 / taken as f64;
                // A product with 0 ways to fill the rest stays 0, however many choices there are.
                if orders[places - taken] > 0.0 {
                    sum += choose * orders[places - taken];
                }
            }
            orders[places] = sum;
        }
    }
    orders[shown]
}

/// Fills the places of the groups from the group `at`, its place `place` on, in every way.
fn each(
    groups: &mut [Group<'_>],
    at: usize,
    place: usize,
    chance: f64,
    arrangement: &mut Arrangement<'_>,
    score: &mut dyn FnMut(&Arrangement<'_>, f64) -> Result<(), Undefined>,
) -> Result<(), Undefined> {
    let Some(Group { group, kinds, .. }) = groups.get(at) else { return score(arrangement, chance) };
    if place == group.shown() {
        return each(groups, at + 1, 0, chance, arrangement, score);
    }
    for kind in 0..kinds.len() {
        let Group { group, left, kinds } = &mut groups[at];
        let (member, count) = kinds[kind];
        if count == 0 {
            continue;
        }
        let chance = chance * count as f64 / *left as f64;
        arrangement.put(group, place, member);
        kinds[kind].1 -= 1;
        *left -= 1;
        each(groups, at, place + 1, chance, arrangement, score)?;
        groups[at].kinds[kind].1 += 1;
        groups[at].left += 1;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distinct_orders_are_counted() {
        let orders = |counts: &[usize], shown: usize| orders(counts.iter().copied(), shown);
        // 5!/(2! 2! 1!) = 30
        assert_eq!(orders(&[2, 2, 1], 5), 30.0);
        // The first two of a a b: aa, ab, ba.
        assert_eq!(orders(&[2, 1], 2), 3.0);
        // 1000 choose 500 is about 2.7e299, and 2000 of each overflow to infinity: both are too many.
        assert!(orders(&[500, 500], 1000) > 1e299 && orders(&[2000, 2000], 4000) > 1e299);
    }
}
