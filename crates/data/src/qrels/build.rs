//! From rows in any order to indexed judgements.

use super::segment::{Counted, Entry, Name, Segment};
use super::{Place, Qrels};
use crate::hash;
use crate::judgement::Judgement;

/// Two rows that judge one document for one topic, by their numbers in the order they were added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DuplicateRow {
    /// The document.
    pub docno: Vec<u8>,
    /// The earlier row.
    pub first: usize,
    /// The later row.
    pub second: usize,
}

/// Collects rows in any order and makes [`Qrels`] of them.
#[derive(Debug, Default)]
pub struct QrelsBuilder {
    segment: Segment,
    /// Topic names in order of first appearance, whether that is not the order of their length and bytes, and their
    /// table if so.
    names: Vec<Name>,
    out_of_order: bool,
    name_slots: Vec<u32>,
    /// Pieces of consecutive rows of one topic: its number and its first row.
    pieces: Vec<(u32, u32)>,
}

impl QrelsBuilder {
    /// An empty one.
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes room for so many rows whose names have so many bytes.
    pub fn reserve(&mut self, rows: usize, bytes: usize) {
        self.segment.entries.reserve_exact(rows);
        self.segment.names.reserve_exact(bytes + rows);
    }

    /// Adds a row.
    #[inline]
    pub fn push(&mut self, topic: &[u8], docno: &[u8], judgement: Judgement) {
        let continues =
            self.pieces.last().is_some_and(|&(last, _)| self.segment.text(self.names[last as usize]) == topic);
        if !continues {
            let number = self.topic(topic);
            self.pieces.push((number, self.segment.entries.len() as u32));
        }
        self.push_on(docno, judgement);
    }

    /// Adds another row of the last row's topic, for those who know that it is the same.
    #[inline]
    pub fn push_on(&mut self, docno: &[u8], judgement: Judgement) {
        debug_assert!(!self.pieces.is_empty(), "there is no last row");
        let entry = Entry::keep(&mut self.segment.names, docno, judgement.grade().unwrap_or(-1.0));
        self.segment.entries.push(entry);
    }

    /// The number of a topic in order of first appearance.
    fn topic(&mut self, topic: &[u8]) -> u32 {
        // Files mostly list topics in order, and a name beyond all others is a new one.
        let greatest = self.names.last().map_or(&[][..], |last| self.segment.text(*last));
        self.out_of_order |= (topic.len(), topic) <= (greatest.len(), greatest);
        if !self.out_of_order {
            return self.add_topic(topic);
        }
        if self.name_slots.len() < hash::slots_for(self.names.len() + 1) {
            self.name_slots = vec![0; hash::slots_for(2 * (self.names.len() + 1))];
            for (index, name) in (1u32..).zip(&self.names) {
                if let Err(free) = hash::probe(&self.name_slots, hash::of(self.segment.text(*name)), |_| false) {
                    self.name_slots[free] = index;
                }
            }
        }
        let same = |index: usize| self.segment.text(self.names[index]) == topic;
        match hash::probe(&self.name_slots, hash::of(topic), same) {
            Ok(index) => index as u32,
            Err(slot) => {
                self.name_slots[slot] = self.names.len() as u32 + 1;
                self.add_topic(topic)
            }
        }
    }

    fn add_topic(&mut self, topic: &[u8]) -> u32 {
        let name = self.segment.keep(topic);
        self.names.push(name);
        self.names.len() as u32 - 1
    }

    /// The judgements, and the rows that judge a document again. Where there are any, look-ups find the first and counts
    /// count both: a caller that reads files refuses such judgements.
    pub fn finish(self) -> (Qrels, Vec<DuplicateRow>) {
        // One builder has each topic once, so its parts always come together.
        QrelsPart::join(vec![self.close()]).unwrap_or_default()
    }

    /// Adds this builder's rows to another, in the order they came.
    pub fn replay(&self, other: &mut QrelsBuilder) {
        for span in self.spans() {
            let topic = self.segment.text(self.names[span.topic as usize]);
            for entry in &self.segment.entries[span.start as usize..span.end as usize] {
                other.push(topic, self.segment.docno(entry), entry.judgement());
            }
        }
    }

    fn spans(&self) -> Vec<Span> {
        let end = self.segment.entries.len() as u32;
        let ends = self.pieces.iter().skip(1).map(|&(_, first)| first).chain([end]);
        self.pieces.iter().zip(ends).map(|(&(topic, start), end)| Span { topic, start, end }).collect()
    }

    /// Everything but the order of topics among those of other parts.
    pub fn close(self) -> QrelsPart {
        let mut spans = self.spans();
        let QrelsBuilder { mut segment, names, .. } = self;
        let rows = segment.entries.len();
        if spans.len() > names.len() {
            // Not grouped by topic: bring the documents of each topic together, in file order.
            spans.sort_by_key(|span| span.topic);
            let scattered = std::mem::take(&mut segment.entries);
            segment.entries.reserve_exact(rows);
            for span in &spans {
                segment.entries.extend_from_slice(&scattered[span.start as usize..span.end as usize]);
            }
        }
        let (mut twice, mut counted) = (Vec::new(), Counted::default());
        let mut at = 0;
        segment.topics.reserve_exact(names.len());
        for group in spans.chunk_by(|a, b| a.topic == b.topic) {
            let count: usize = group.iter().map(|span| (span.end - span.start) as usize).sum();
            let topic = segment.close(names[group[0].topic as usize], at..at + count, &mut counted, &mut twice);
            segment.topics.push(topic);
            at += count;
        }
        let duplicates = duplicates(&twice, &spans, &segment);
        segment.shrink();
        let order = Place::in_order(&segment);
        QrelsPart { segment, order, duplicates, rows }
    }
}

/// The judgements of one part of a file, indexed.
#[derive(Debug)]
pub struct QrelsPart {
    segment: Segment,
    /// Its topics by name.
    order: Vec<Place>,
    duplicates: Vec<DuplicateRow>,
    rows: usize,
}

impl QrelsPart {
    /// Puts the parts of a file together, in their order; `None` when two of them have rows of one topic.
    pub fn join(parts: Vec<QrelsPart>) -> Option<(Qrels, Vec<DuplicateRow>)> {
        let mut duplicates: Vec<DuplicateRow> = Vec::new();
        let mut segments = Vec::with_capacity(parts.len());
        let mut topics = Vec::with_capacity(parts.iter().map(|part| part.order.len()).sum());
        let mut rows = 0;
        for (segment, part) in (0u32..).zip(parts) {
            topics.extend(part.order.iter().map(|place| Place { segment, ..*place }));
            duplicates.extend(part.duplicates.into_iter().map(|duplicate| DuplicateRow {
                first: rows + duplicate.first,
                second: rows + duplicate.second,
                ..duplicate
            }));
            rows += part.rows;
            segments.push(part.segment);
        }
        duplicates.sort_by_key(|duplicate| duplicate.second);
        Some((Qrels::of_segments(segments, topics)?, duplicates))
    }
}

/// Consecutive rows of one topic.
#[derive(Clone, Copy)]
struct Span {
    topic: u32,
    start: u32,
    end: u32,
}

/// The documents at two places of the segment, by their rows before the spans were put together.
fn duplicates(twice: &[(usize, usize)], spans: &[Span], segment: &Segment) -> Vec<DuplicateRow> {
    if twice.is_empty() {
        return Vec::new();
    }
    let mut begin = 0;
    let mut begins = Vec::with_capacity(spans.len());
    for span in spans {
        begins.push(begin);
        begin += (span.end - span.start) as usize;
    }
    let row_of = |place: usize| {
        let span = begins.partition_point(|&begin| begin <= place) - 1;
        spans[span].start as usize + place - begins[span]
    };
    let duplicate = |&(first, second): &(usize, usize)| DuplicateRow {
        docno: segment.docno(&segment.entries[first]).to_vec(),
        first: row_of(first),
        second: row_of(second),
    };
    twice.iter().map(duplicate).collect()
}
