//! The expected maximum of precision over the ranks of relevant documents: interpolated precision.
//!
//! The relevant documents above a group are as many in every order, so the groups are independent: the chance that no
//! rank exceeds v is the product over the groups, each found by walking (place, relevant documents seen) without the
//! points that exceed v. The mean follows from that chance at every value precision can take there.

use karat_data::Judgement;

use super::{TieGroup, Tied};
use crate::score::Undefined;

/// Values times points that are walked over.
const MOST_STEPS: f64 = 5e7;

const TOO_MANY: Undefined = Undefined { reason: "too many tied documents for the mean of a maximum" };

/// The mean over all orders of the greatest precision at the rank of a relevant document with at least `wanted` relevant
/// ones down to it. For t tied documents with r relevant ones O((t r)^2).
///
/// # Errors
/// That is too much.
pub fn expected_maximum(
    tied: &Tied<'_>,
    relevant: impl Fn(&Judgement) -> bool,
    wanted: usize,
) -> Result<f64, Undefined> {
    let (mut seen, mut certain) = (0, 0.0f64);
    let mut groups: Vec<Group> = Vec::new();
    for block in tied.blocks() {
        let count = block.members.iter().filter(|judgement| relevant(judgement)).count();
        if count == 0 || block.members.len() == 1 {
            seen += count;
            if count > 0 && seen >= wanted {
                certain = certain.max(precision(seen, block.end));
            }
            continue;
        }
        groups.push(Group::new(&block, count, seen));
        seen += count;
    }
    let mut values: Vec<f64> = Vec::new();
    for group in &groups {
        values.extend(group.values(wanted).filter(|value| *value > certain));
    }
    values.sort_by(f64::total_cmp);
    values.dedup();
    let points: usize = groups.iter().map(|group| group.shown * (group.relevant + 1)).sum();
    if values.len() as f64 * points as f64 > MOST_STEPS {
        return Err(TOO_MANY);
    }
    let none_exceeds = |value: f64| groups.iter().map(|group| group.none_exceeds(value, wanted)).product::<f64>();
    let mut below = none_exceeds(certain);
    let mut mean = certain * below;
    for value in values {
        let chance = none_exceeds(value);
        mean += value * (chance - below);
        below = chance;
    }
    Ok(mean)
}

fn precision(seen: usize, rank: usize) -> f64 {
    seen as f64 / rank as f64
}

struct Group {
    start: usize,
    shown: usize,
    documents: usize,
    relevant: usize,
    /// Relevant documents above it.
    seen: usize,
}

impl Group {
    fn new(group: &TieGroup<'_>, relevant: usize, seen: usize) -> Group {
        Group { start: group.start, shown: group.shown(), documents: group.members.len(), relevant, seen }
    }

    /// The values precision can take at a relevant document of the group.
    fn values(&self, wanted: usize) -> impl Iterator<Item = f64> + '_ {
        let others = self.documents - self.relevant;
        (0..self.shown).flat_map(move |place| {
            let found = (place + 1).saturating_sub(others).max(1)..=self.relevant.min(place + 1);
            found
                .filter(move |found| self.seen + found >= wanted)
                .map(move |found| precision(self.seen + found, self.start + place + 1))
        })
    }

    /// The chance that precision exceeds the value nowhere in the group.
    fn none_exceeds(&self, value: f64, wanted: usize) -> f64 {
        // The chance to have seen so many relevant documents of the group and to have stayed below.
        let mut chances = vec![0.0; self.relevant + 1];
        chances[0] = 1.0;
        for place in 0..self.shown {
            let left = (self.documents - place) as f64;
            for found in (0..=self.relevant.min(place + 1)).rev() {
                let stays = chances[found] * (1.0 - (self.relevant - found) as f64 / left).max(0.0);
                let total = self.seen + found;
                let comes = if found == 0 || (total >= wanted && precision(total, self.start + place + 1) > value) {
                    0.0
                } else {
                    chances[found - 1] * (self.relevant - found + 1) as f64 / left
                };
                chances[found] = stays + comes;
            }
        }
        chances.iter().sum()
    }
}
