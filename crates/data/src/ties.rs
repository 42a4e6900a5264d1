//! Documents of equal score: where they stand, and what is known of them.
//!
//! The decision behind it: a group is kept only where another order of its documents could be seen by a measure, so a
//! topic without ties, or whose tied documents were all judged alike, costs nothing further on. A group that the depth
//! cuts through keeps the documents below the cut too: in another order they would be above it.

use crate::judgement::Judgement;

/// Where a group stands, and where its documents are among those of all groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Span {
    start: usize,
    end: usize,
    from: usize,
    to: usize,
}

/// The groups of one topic, as they are collected.
#[derive(Debug, Clone, Default)]
pub struct TieBuffer {
    spans: Vec<Span>,
    members: Vec<Judgement>,
    documents: Vec<u32>,
    unclear: bool,
}

impl TieBuffer {
    /// No group.
    pub fn clear(&mut self) {
        self.spans.clear();
        self.members.clear();
        self.documents.clear();
        self.unclear = false;
    }

    /// A group whose first document stands at the index `start` of the ranks and of which the first `shown` documents
    /// are among the ranks. It is kept if its documents differ. `documents` says which documents they are, or nothing
    /// where judgements are plain grades.
    pub fn push(
        &mut self,
        start: usize,
        shown: usize,
        members: impl Iterator<Item = Judgement>,
        documents: impl Iterator<Item = u32>,
    ) {
        let from = self.members.len();
        self.members.extend(members);
        self.documents.extend(documents);
        let alike = self.members[from..].windows(2).all(|pair| pair[0] == pair[1])
            && self.documents.iter().skip(from).is_sorted_by(|a, b| a == b);
        if shown == 0 || alike {
            self.members.truncate(from);
            self.documents.truncate(from);
            return;
        }
        self.spans.push(Span { start, end: start + shown, from, to: self.members.len() });
    }

    /// Says that how many documents are ranked depends on the order among tied ones.
    pub fn set_unclear(&mut self) {
        self.unclear = true;
    }

    /// What was collected.
    pub fn groups(&self) -> TieGroups<'_> {
        TieGroups { spans: &self.spans, members: &self.members, documents: &self.documents, unclear: self.unclear }
    }
}

/// The groups of tied documents of one topic, from the top of the ranking down.
#[derive(Debug, Clone, Copy, Default)]
pub struct TieGroups<'a> {
    spans: &'a [Span],
    members: &'a [Judgement],
    documents: &'a [u32],
    unclear: bool,
}

/// One group of tied documents.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TieGroup<'a> {
    /// The index of its first rank.
    pub start: usize,
    /// The index after its last rank.
    pub end: usize,
    /// All its documents, those below the depth too; the first stand at `start..end`, in that order.
    pub members: &'a [Judgement],
    /// Which documents of the judgements they are; empty where judgements are plain grades.
    pub documents: &'a [u32],
}

impl TieGroup<'_> {
    /// Ranks the group fills.
    pub fn shown(&self) -> usize {
        self.end - self.start
    }
}

impl<'a> TieGroups<'a> {
    /// Whether no other order could be seen.
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty() && !self.unclear
    }

    /// Whether the very number of ranked documents depends on the order: the depth cuts through a group before the
    /// unjudged documents are taken out.
    pub fn is_unclear(&self) -> bool {
        self.unclear
    }

    /// The groups.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = TieGroup<'a>> + use<'a> {
        let (members, documents) = (self.members, self.documents);
        self.spans.iter().map(move |span| TieGroup {
            start: span.start,
            end: span.end,
            members: &members[span.from..span.to],
            documents: documents.get(span.from..span.to).unwrap_or_default(),
        })
    }
}
