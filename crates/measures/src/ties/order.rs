//! Other orders of a topic's tied documents.

use karat_data::{Details, Judgement, TieGroup, TopicView};

use super::Tied;
use crate::measure::Measure;
use crate::score::Undefined;

/// A topic with its tied documents in another order: the judgements, and which documents they are of.
pub(super) struct Arrangement<'a> {
    tied: &'a Tied<'a>,
    ranks: Vec<Judgement>,
    documents: Vec<u32>,
}

impl<'a> Arrangement<'a> {
    pub(super) fn new(tied: &'a Tied<'a>) -> Arrangement<'a> {
        Arrangement { tied, ranks: tied.view.ranks.to_vec(), documents: tied.view.details.documents.to_vec() }
    }

    /// Puts a document of a group at one of its places, from 0.
    pub(super) fn put(&mut self, group: &TieGroup<'_>, place: usize, member: usize) {
        self.ranks[group.start + place] = group.members[member];
        if let (Some(at), Some(document)) = (self.documents.get_mut(group.start + place), group.documents.get(member)) {
            *at = *document;
        }
    }

    pub(super) fn value(&self, measure: &dyn Measure) -> Result<f64, Undefined> {
        let details = Details { documents: &self.documents, ..self.tied.view.details };
        measure.value(&TopicView { ranks: &self.ranks, details, ..self.tied.view })
    }
}

/// The score with every group sorted by worth, the other way round, and the lesser of the two first.
pub(super) fn sorted_ends(
    measure: &dyn Measure,
    tied: &Tied<'_>,
    worth: &dyn Fn(Judgement) -> f64,
) -> Result<(f64, f64), Undefined> {
    let mut arrangement = Arrangement::new(tied);
    let mut members: Vec<(f64, usize)> = Vec::new();
    let mut sorted = |descending: bool| {
        for group in tied.groups.iter() {
            members.clear();
            members.extend(group.members.iter().enumerate().map(|(member, judgement)| (worth(*judgement), member)));
            members.sort_by(|a, b| if descending { b.0.total_cmp(&a.0) } else { a.0.total_cmp(&b.0) });
            // Where the depth cuts through the group, the last of them stay below it.
            for (place, (_, member)) in members[..group.shown()].iter().enumerate() {
                arrangement.put(&group, place, *member);
            }
        }
        arrangement.value(measure)
    };
    let (descending, ascending) = (sorted(true)?, sorted(false)?);
    Ok((descending.min(ascending), descending.max(ascending)))
}
