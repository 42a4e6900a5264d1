//! The judgements of some consecutive lines, indexed where they were parsed.

use std::ops::Range;

use crate::hash;
use crate::judgement::{Grade, Judgement};
use crate::view::TopicFacts;

/// Topics with at most so many documents are searched from front to back; a table would cost more than it saves.
const SMALL: usize = 8;

/// Whole grades below this are counted in a table.
const SMALL_GRADES: usize = 8;

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
    pub(super) totals: Totals,
}

/// What is asked of all topics together, counted where the lines were parsed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Totals {
    /// The greatest grade; -1 where nothing was judged.
    pub(super) greatest: f64,
    /// Whether some grade is not a whole number.
    pub(super) fractions: bool,
    pub(super) pooled_unjudged: u64,
}

impl Default for Totals {
    fn default() -> Self {
        Totals { greatest: -1.0, fractions: false, pooled_unjudged: 0 }
    }
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Name {
    pub(super) start: usize,
    pub(super) len: u32,
}

/// A document of a topic: its name, some of its hash, and its grade (negative for pooled but unjudged). A million
/// judgements are mostly a million of these, so they are kept small.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    /// Where the name is among the names, and below it the tag: the upper bits of the name's hash.
    place_and_tag: u64,
    grade: f64,
}

/// Bits of a tag. The others are enough for names of a terabyte.
const TAG: u32 = 24;

/// In place of a docno's length: it is in the next four bytes.
const LONG: u8 = u8::MAX;

impl Entry {
    /// Keeps a docno behind its length.
    #[inline]
    pub(super) fn keep(names: &mut Vec<u8>, docno: &[u8], grade: f64) -> Entry {
        let place = names.len() as u64;
        match u8::try_from(docno.len()) {
            Ok(len) if len < LONG => names.push(len),
            _ => {
                names.push(LONG);
                names.extend_from_slice(&(docno.len() as u32).to_le_bytes());
            }
        }
        names.extend_from_slice(docno);
        Entry { place_and_tag: place << TAG | hash::of(docno) >> (64 - TAG), grade }
    }

    #[inline]
    fn name<'a>(&self, names: &'a [u8]) -> &'a [u8] {
        match &names[(self.place_and_tag >> TAG) as usize..] {
            [LONG, a, b, c, d, rest @ ..] => &rest[..u32::from_le_bytes([*a, *b, *c, *d]) as usize],
            [len, rest @ ..] => &rest[..*len as usize],
            [] => &[],
        }
    }

    /// Whether its name may have this hash.
    #[inline]
    fn may_be(&self, hash: u64) -> bool {
        (self.place_and_tag ^ hash >> (64 - TAG)) << (64 - TAG) == 0
    }

    /// Whether two may have one name.
    #[inline]
    fn may_equal(&self, other: &Entry) -> bool {
        (self.place_and_tag ^ other.place_and_tag) << (64 - TAG) == 0
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
        let same = |entry: &Entry| entry.may_be(hash) && entry.name(self.names) == docno;
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
    pub(super) fn close(
        &mut self,
        name: Name,
        range: Range<usize>,
        counted: &mut Counted,
        twice: &mut Vec<(usize, usize)>,
    ) -> Topic {
        let slots = self.slots.len();
        self.index(range.clone(), twice);
        let before = self.grades.len();
        let (grades, pooled_unjudged) = counted.count(&self.entries[range.clone()], &mut self.grades);
        self.totals.pooled_unjudged += u64::from(pooled_unjudged);
        for &(grade, _) in self.grades.iter().skip(before) {
            self.totals.greatest = self.totals.greatest.max(grade.value());
            self.totals.fractions |= has_fraction(grade.value());
        }
        Topic {
            start: name.start,
            len: name.len,
            rank: 0,
            entries: range.start as u32,
            entry_count: range.len() as u32,
            slots: slots as u32,
            grades: grades.start as u32,
            grade_count: grades.len() as u32,
            pooled_unjudged,
        }
    }

    /// Adds the table of a topic's documents, where they are many, and finds those that occur twice.
    #[inline]
    fn index(&mut self, range: Range<usize>, twice: &mut Vec<(usize, usize)>) {
        let slots = self.slots.len();
        let entries = &self.entries[range.clone()];
        let same = |a: &Entry, b: &Entry| a.may_equal(b) && a.name(&self.names) == b.name(&self.names);
        if entries.len() <= SMALL {
            for (place, entry) in entries.iter().enumerate() {
                if let Some(other) = entries[..place].iter().position(|other| same(other, entry)) {
                    twice.push((range.start + other, range.start + place));
                }
            }
        } else {
            self.slots.resize(slots + hash::slots_for(entries.len()), 0);
            let table = &mut self.slots[slots..];
            for (place, entry) in entries.iter().enumerate() {
                let hash = hash::of(entry.name(&self.names));
                match hash::probe(table, hash, |other| same(&entries[other], entry)) {
                    Ok(other) => twice.push((range.start + other, range.start + place)),
                    Err(free) => table[free] = place as u32 + 1,
                }
            }
        }
    }
}

/// How many documents have each grade, topic by topic. Topics with few documents have few different counts, so those
/// that were met lately are kept once: a fifth of a small topic's memory would be its counts.
#[derive(Debug)]
pub(super) struct Counted {
    /// Counts of small whole grades, eight bits each, and where they are among all.
    lately: [(u64, u32); LATELY],
}

/// Counts that are remembered.
const LATELY: usize = 256;

impl Default for Counted {
    fn default() -> Self {
        // No grade at all is found anywhere.
        Counted { lately: [(0, 0); LATELY] }
    }
}

impl Counted {
    /// Where the counts by ascending grade are, appended if they were not there; and how many documents have no grade.
    fn count(&mut self, entries: &[Entry], counts: &mut Vec<(Grade, u32)>) -> (Range<usize>, u32) {
        let start = counts.len();
        let Some((found, pooled_unjudged)) = count_small(entries) else {
            let pooled_unjudged = count_any(entries, counts);
            return (start..counts.len(), pooled_unjudged);
        };
        let occurring = (0u8..).zip(found).filter(|&(_, count)| count > 0);
        let occurring = occurring.filter_map(|(whole, count)| Some((Grade::new(f64::from(whole))?, count)));
        if entries.len() > u8::MAX as usize {
            counts.extend(occurring);
            return (start..counts.len(), pooled_unjudged);
        }
        let packed = found.iter().rev().fold(0, |packed, &count| packed << 8 | u64::from(count));
        // Fibonacci hashing: the upper bits of a product with 2^64 over the golden ratio.
        let (known, at) = &mut self.lately[(packed.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 56) as usize];
        if *known != packed {
            counts.extend(occurring);
            (*known, *at) = (packed, start as u32);
        }
        let kinds = found.iter().filter(|&&count| count > 0).count();
        (*at as usize..*at as usize + kinds, pooled_unjudged)
    }
}

/// The counts of grades and of documents without one, where all grades are small whole numbers, as they mostly are.
fn count_small(entries: &[Entry]) -> Option<([u32; SMALL_GRADES], u32)> {
    let mut found = [0; SMALL_GRADES];
    let mut pooled_unjudged = 0;
    for entry in entries {
        // Negative ones become 0 and are not that.
        let whole = entry.grade as u8;
        if f64::from(whole) == entry.grade {
            *found.get_mut(whole as usize)? += 1;
        } else if entry.grade < 0.0 {
            pooled_unjudged += 1;
        } else {
            return None;
        }
    }
    Some((found, pooled_unjudged))
}

/// Appends the counts of any grades, ascending; returns how many documents have none.
fn count_any(entries: &[Entry], counts: &mut Vec<(Grade, u32)>) -> u32 {
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

/// Whether a grade is not a whole number. From 2^53 on every float is one; below, a float that is one comes back from an
/// integer as it was.
fn has_fraction(grade: f64) -> bool {
    grade < 9_007_199_254_740_992.0 && (grade as i64) as f64 != grade
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(grades: &[f64]) -> Vec<Entry> {
        grades.iter().map(|&grade| Entry::keep(&mut Vec::new(), b"d", grade)).collect()
    }

    #[test]
    fn counting_small_grades_is_counting_any_and_the_same_counts_are_kept_once() {
        let many = [3.0; 256];
        let cases: [(&[f64], bool); 8] = [
            (&[], true),
            (&[0.0, 3.0, -1.0, 3.0, 7.0, 0.0, 3.0, -1.0], true),
            (&[-1.0], true),
            (&[1.0, 0.5], false),
            (&[8.0, 1.0], false),
            (&[1.0, 256.0], false),
            (&[1.0, 1e12, 2.0], false),
            (&many, true),
        ];
        let (mut counted, mut counts) = (Counted::default(), vec![(Grade::ONE, 9)]);
        for (grades, small) in cases {
            let mut one_by_one = Vec::new();
            let pooled = count_any(&entries(grades), &mut one_by_one);
            assert_eq!(count_small(&entries(grades)).map(|(_, pooled)| pooled), small.then_some(pooled));
            let (first, found) = counted.count(&entries(grades), &mut counts);
            assert_eq!((&counts[first.clone()], found), (&one_by_one[..], pooled), "{grades:?}");
            let (second, found) = counted.count(&entries(grades), &mut counts);
            assert_eq!((&counts[second.clone()], found), (&one_by_one[..], pooled), "{grades:?}");
            assert_eq!(first == second, small && grades.len() < 256, "{grades:?}");
        }
    }

    #[test]
    fn docnos_of_any_length_are_found_again() {
        let docnos: Vec<Vec<u8>> = [0, 1, 7, 253, 254, 255, 256, 70_000].iter().map(|&len| vec![b'd'; len]).collect();
        let mut names = b"topic".to_vec();
        let kept: Vec<Entry> = docnos.iter().map(|docno| Entry::keep(&mut names, docno, 1.0)).collect();
        for (entry, docno) in kept.iter().zip(&docnos) {
            assert_eq!(entry.name(&names), docno);
            assert!(entry.may_be(hash::of(docno)) && entry.may_equal(entry));
        }
    }

    #[test]
    fn fractions() {
        assert_eq!([0.0, 1.0, 0.5, 1e15 + 0.5, 1e300].map(has_fraction), [false, false, true, true, false]);
    }
}
