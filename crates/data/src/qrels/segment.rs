//! The judgements of some consecutive lines, indexed where they were parsed.

use std::ops::Range;

use crate::hash;
use crate::judgement::{Grade, Judgement};
use crate::view::TopicFacts;

/// Topics with at most so many documents are searched from front to back; a table would cost more than it saves.
const SMALL: usize = 8;

/// Distinct grades of a topic that are looked for one by one.
const FEW_GRADES: usize = 16;

/// The judgements of some consecutive lines.
#[derive(Debug, Clone, Default)]
pub(super) struct Segment {
    pub(super) names: Vec<u8>,
    pub(super) entries: Vec<Entry>,
    pub(super) slots: Vec<u32>,
    pub(super) grades: Vec<(Grade, u32)>,
    pub(super) topics: Vec<Topic>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Name {
    pub(super) start: usize,
    pub(super) len: u32,
}

/// A document of a topic: its name, the upper half of its hash, and its grade (negative for pooled but unjudged).
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    pub(super) start: usize,
    pub(super) len: u32,
    pub(super) tag: u32,
    pub(super) grade: f64,
}

impl Entry {
    #[inline]
    fn name<'a>(&self, names: &'a [u8]) -> &'a [u8] {
        &names[self.start..self.start + self.len as usize]
    }

    pub(super) fn judgement(&self) -> Judgement {
        Grade::new(self.grade).map_or(Judgement::PooledUnjudged, Judgement::Grade)
    }
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Topic {
    pub(super) start: usize,
    pub(super) len: u32,
    /// Its place in the order of names, once that is known.
    pub(super) rank: u32,
    pub(super) entries: u32,
    pub(super) entry_count: u32,
    pub(super) slots: u32,
    pub(super) grades: u32,
    pub(super) grade_count: u32,
    pub(super) pooled_unjudged: u32,
}

impl Topic {
    #[inline]
    pub(super) fn range(&self) -> Range<usize> {
        self.entries as usize..self.entries as usize + self.entry_count as usize
    }
}

/// The documents of one topic, to be found by name. The table is empty where there are few.
#[derive(Clone, Copy)]
pub(crate) struct LookUp<'a> {
    names: &'a [u8],
    entries: &'a [Entry],
    slots: &'a [u32],
}

impl LookUp<'_> {
    /// What is known of a document; `hash` is [`crate::hash::of`] the docno.
    #[inline(always)]
    pub(crate) fn judgement(&self, docno: &[u8], hash: u64) -> Judgement {
        self.find(docno, hash).map_or(Judgement::Unpooled, |place| self.entries[place].judgement())
    }

    /// The place of a document among those of the topic.
    #[inline(always)]
    pub(super) fn find(&self, docno: &[u8], hash: u64) -> Option<usize> {
        let tag = (hash >> 32) as u32;
        let same = |entry: &Entry| entry.tag == tag && entry.name(self.names) == docno;
        if self.slots.is_empty() {
            self.entries.iter().position(same)
        } else {
            hash::probe(self.slots, hash, |index| same(&self.entries[index])).ok()
        }
    }
}

impl Segment {
    #[inline]
    pub(super) fn text(&self, name: Name) -> &[u8] {
        &self.names[name.start..name.start + name.len as usize]
    }

    #[inline]
    pub(super) fn topic_name(&self, topic: &Topic) -> &[u8] {
        self.text(Name { start: topic.start, len: topic.len })
    }

    #[inline]
    pub(super) fn docno(&self, entry: &Entry) -> &[u8] {
        entry.name(&self.names)
    }

    #[inline]
    pub(super) fn facts(&self, topic: &Topic) -> TopicFacts<'_> {
        let grades = topic.grades as usize..topic.grades as usize + topic.grade_count as usize;
        TopicFacts { grades: &self.grades[grades], pooled_unjudged: topic.pooled_unjudged }
    }

    /// The documents of a topic.
    #[inline]
    pub(super) fn look_up(&self, topic: &Topic) -> LookUp<'_> {
        let entries = &self.entries[topic.range()];
        let slots = if entries.len() <= SMALL { 0 } else { hash::slots_for(entries.len()) };
        LookUp { names: &self.names, entries, slots: &self.slots[topic.slots as usize..][..slots] }
    }

    /// Gives back what growing took too much of.
    pub(super) fn shrink(&mut self) {
        self.names.shrink_to_fit();
        self.entries.shrink_to_fit();
        self.slots.shrink_to_fit();
        self.grades.shrink_to_fit();
    }

    pub(super) fn keep(&mut self, name: &[u8]) -> Name {
        let start = self.names.len();
        self.names.extend_from_slice(name);
        Name { start, len: name.len() as u32 }
    }

    /// Indexes the documents in `range`, which are those of one topic: table, duplicates (by their places), grades.
    pub(super) fn close(&mut self, name: Name, range: Range<usize>, twice: &mut Vec<(usize, usize)>) -> Topic {
        let slots = self.slots.len();
        let tabled = range.len() > SMALL;
        if tabled {
            self.slots.resize(slots + hash::slots_for(range.len()), 0);
        }
        for place in range.clone() {
            let entry = self.entries[place];
            let docno = self.docno(&entry);
            let same = |other: &Entry| other.tag == entry.tag && self.docno(other) == docno;
            let found = if tabled {
                hash::probe(&self.slots[slots..], hash::of(docno), |other| same(&self.entries[range.start + other]))
            } else {
                self.entries[range.start..place].iter().position(same).ok_or(0)
            };
            match found {
                Ok(other) => twice.push((range.start + other, place)),
                Err(free) if tabled => self.slots[slots + free] = (place - range.start) as u32 + 1,
                Err(_) => {}
            }
        }
        let grades = self.grades.len();
        let pooled_unjudged = count_grades(&self.entries[range.clone()], &mut self.grades);
        Topic {
            start: name.start,
            len: name.len,
            rank: 0,
            entries: range.start as u32,
            entry_count: range.len() as u32,
            slots: slots as u32,
            grades: grades as u32,
            grade_count: (self.grades.len() - grades) as u32,
            pooled_unjudged,
        }
    }
}

/// Appends the counts by ascending grade; returns how many documents have none.
fn count_grades(entries: &[Entry], counts: &mut Vec<(Grade, u32)>) -> u32 {
    let start = counts.len();
    let mut pooled_unjudged = 0;
    let mut unsorted = Vec::new();
    for entry in entries {
        let Judgement::Grade(grade) = entry.judgement() else {
            pooled_unjudged += 1;
            continue;
        };
        // Grades are few, so nearly always one of the first is the one. Where they are many, they are sorted at once.
        match counts[start..].iter().position(|(other, _)| *other == grade) {
            Some(place) => counts[start + place].1 += 1,
            None if counts.len() - start < FEW_GRADES => counts.push((grade, 1)),
            None => unsorted.push(grade),
        }
    }
    unsorted.sort_unstable_by(|a, b| a.value().total_cmp(&b.value()));
    counts.extend(unsorted.chunk_by(|a, b| a == b).map(|same| (same[0], same.len() as u32)));
    counts[start..].sort_unstable_by(|(a, _), (b, _)| a.value().total_cmp(&b.value()));
    pooled_unjudged
}
