//! The judgements of a collection, in flat storage: one arena of names, one array of documents topic by topic, one
//! probing table per topic inside one array. A million judgements cost a handful of allocations, and a look-up touches
//! two cache lines.
//!
//! Documents stay where the file has them; only the list of topics is ordered by name. A file grouped by topic, as
//! qrels are, is therefore indexed while it is read and never moved again.

use std::ops::Range;

use crate::hash;
use crate::judgement::{Grade, Judgement};
use crate::view::TopicFacts;

/// Topics with at most so many documents are searched from front to back; a table would cost more than it saves.
const SMALL: usize = 8;

/// A topic by its place in the byte order of topic names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TopicIndex(pub u32);

#[derive(Debug, Clone, Copy)]
struct Name {
    start: usize,
    len: u32,
}

/// A document of a topic: its name, the upper half of its hash, and its grade (negative for pooled but unjudged).
#[derive(Debug, Clone, Copy)]
struct Entry {
    start: usize,
    len: u32,
    tag: u32,
    grade: f64,
}

impl Entry {
    fn judgement(&self) -> Judgement {
        Grade::new(self.grade).map_or(Judgement::PooledUnjudged, Judgement::Grade)
    }
}

#[derive(Debug, Clone, Copy)]
struct Topic {
    name: Name,
    entries: (u32, u32),
    slots: u32,
    grades: (u32, u32),
    pooled_unjudged: u32,
    /// The topic that follows in the file, by its place in the order of names.
    next: u32,
}

/// The judgements of a collection. Topics are in byte order of their names, as trec_eval processes and sums them.
#[derive(Debug, Clone, Default)]
pub struct Qrels {
    names: Vec<u8>,
    entries: Vec<Entry>,
    slots: Vec<u32>,
    grades: Vec<(Grade, u32)>,
    topics: Vec<Topic>,
    topic_slots: Vec<u32>,
}

impl Qrels {
    /// Number of topics.
    pub fn len(&self) -> usize {
        self.topics.len()
    }

    /// Whether there is no topic.
    pub fn is_empty(&self) -> bool {
        self.topics.is_empty()
    }

    /// Number of documents over all topics, judged or not.
    pub fn rows(&self) -> usize {
        self.entries.len()
    }

    /// All topics, in byte order of their names.
    pub fn topics(&self) -> impl ExactSizeIterator<Item = TopicIndex> + '_ {
        (0..self.topics.len() as u32).map(TopicIndex)
    }

    /// The name of a topic.
    pub fn name(&self, topic: TopicIndex) -> &[u8] {
        bytes(&self.names, self.topics[topic.0 as usize].name)
    }

    /// The topic of that name.
    #[inline]
    pub fn find(&self, name: &[u8]) -> Option<TopicIndex> {
        if self.topic_slots.is_empty() {
            return None;
        }
        hash::probe(&self.topic_slots, hash::of(name), |index| bytes(&self.names, self.topics[index].name) == name)
            .ok()
            .map(|index| TopicIndex(index as u32))
    }

    /// The same, for a name that probably follows another topic's in the file: runs mostly list topics as qrels do.
    #[inline]
    pub fn find_after(&self, before: Option<TopicIndex>, name: &[u8]) -> Option<TopicIndex> {
        let likely = before.map(|topic| TopicIndex(self.topics[topic.0 as usize].next));
        likely.filter(|&topic| self.name(topic) == name).or_else(|| self.find(name))
    }

    /// What is known of a document for a topic; `hash` is [`hash::of`] the docno.
    #[inline]
    pub fn judgement(&self, topic: TopicIndex, docno: &[u8], hash: u64) -> Judgement {
        let topic = &self.topics[topic.0 as usize];
        let entries = &self.entries[topic.entries.0 as usize..topic.entries.1 as usize];
        let tag = (hash >> 32) as u32;
        let same = |entry: &Entry| entry.tag == tag && text(&self.names, entry) == docno;
        let found = if entries.len() <= SMALL {
            entries.iter().find(|entry| same(entry))
        } else {
            let slots = &self.slots[topic.slots as usize..][..hash::slots_for(entries.len())];
            hash::probe(slots, hash, |index| same(&entries[index])).ok().map(|index| &entries[index])
        };
        found.map_or(Judgement::Unpooled, Entry::judgement)
    }

    /// The facts of a topic.
    #[inline]
    pub fn facts(&self, topic: TopicIndex) -> TopicFacts<'_> {
        let topic = &self.topics[topic.0 as usize];
        TopicFacts {
            grades: &self.grades[topic.grades.0 as usize..topic.grades.1 as usize],
            pooled_unjudged: topic.pooled_unjudged,
        }
    }

    /// The documents of a topic and what is known of them, in file order.
    pub fn documents(&self, topic: TopicIndex) -> impl ExactSizeIterator<Item = (&[u8], Judgement)> + '_ {
        let topic = &self.topics[topic.0 as usize];
        self.entries[topic.entries.0 as usize..topic.entries.1 as usize]
            .iter()
            .map(|entry| (text(&self.names, entry), entry.judgement()))
    }

    /// The largest grade given to any document; `None` when nothing was judged.
    pub fn max_grade(&self) -> Option<f64> {
        self.grades.iter().map(|(grade, _)| grade.value()).reduce(f64::max)
    }

    /// The same judgements for some of the topics.
    pub fn restricted_to(&self, keep: impl Fn(&[u8]) -> bool) -> Qrels {
        let mut builder = QrelsBuilder::new();
        for topic in self.topics().filter(|&topic| keep(self.name(topic))) {
            for (docno, judgement) in self.documents(topic) {
                builder.push(self.name(topic), docno, judgement);
            }
        }
        builder.finish().0
    }

    /// Adds another's topics after these.
    fn append(&mut self, other: Qrels) {
        let (names, entries) = (self.names.len(), self.entries.len() as u32);
        let (slots, grades) = (self.slots.len() as u32, self.grades.len() as u32);
        self.names.extend_from_slice(&other.names);
        self.entries.extend(other.entries.iter().map(|entry| Entry { start: entry.start + names, ..*entry }));
        self.slots.extend_from_slice(&other.slots);
        self.grades.extend_from_slice(&other.grades);
        self.topics.extend(other.topics.iter().map(|topic| Topic {
            name: Name { start: topic.name.start + names, ..topic.name },
            entries: (topic.entries.0 + entries, topic.entries.1 + entries),
            slots: topic.slots + slots,
            grades: (topic.grades.0 + grades, topic.grades.1 + grades),
            pooled_unjudged: topic.pooled_unjudged,
            next: 0,
        }));
    }

    /// Brings the topics into the byte order of their names and makes their table.
    fn sort_topics(&mut self) {
        // The first eight bytes decide nearly always, and they are at hand.
        let prefix = |name: &[u8]| {
            let mut word = [0; 8];
            let len = name.len().min(8);
            word[..len].copy_from_slice(&name[..len]);
            u64::from_be_bytes(word)
        };
        let names = &self.names;
        let mut order: Vec<(u64, u32)> =
            (0u32..).zip(&self.topics).map(|(at, t)| (prefix(bytes(names, t.name)), at)).collect();
        order.sort_unstable_by(|a, b| {
            let whole = |at: u32| bytes(names, self.topics[at as usize].name);
            a.0.cmp(&b.0).then_with(|| whole(a.1).cmp(whole(b.1)))
        });
        let mut places = vec![0u32; order.len() + 1];
        for (place, &(_, at)) in order.iter().enumerate() {
            places[at as usize] = place as u32;
        }
        let in_order = |(_, at): (u64, u32)| Topic { next: places[at as usize + 1], ..self.topics[at as usize] };
        self.topics = order.into_iter().map(in_order).collect();
        let sorted: Vec<Name> = self.topics.iter().map(|topic| topic.name).collect();
        self.topic_slots = name_slots(&self.names, &sorted, hash::slots_for(sorted.len()));
    }

    /// Indexes the documents in `range`, which are those of one topic: table, duplicates (by their places), grades.
    fn close(&mut self, name: Name, range: Range<usize>, twice: &mut Vec<(usize, usize)>) -> Topic {
        let entries = &self.entries[range.clone()];
        let slots = self.slots.len();
        let tabled = entries.len() > SMALL;
        if tabled {
            self.slots.resize(slots + hash::slots_for(entries.len()), 0);
        }
        for (place, entry) in entries.iter().enumerate() {
            let docno = text(&self.names, entry);
            let same = |other: &Entry| other.tag == entry.tag && text(&self.names, other) == docno;
            let found = if tabled {
                hash::probe(&self.slots[slots..], hash::of(docno), |other| same(&entries[other]))
            } else {
                entries[..place].iter().position(same).ok_or(0)
            };
            match found {
                Ok(other) => twice.push((range.start + other, range.start + place)),
                Err(free) if tabled => self.slots[slots + free] = place as u32 + 1,
                Err(_) => {}
            }
        }
        let grades = self.grades.len();
        let pooled_unjudged = count_grades(&self.entries[range.clone()], &mut self.grades);
        Topic {
            name,
            entries: (range.start as u32, range.end as u32),
            slots: slots as u32,
            grades: (grades as u32, self.grades.len() as u32),
            pooled_unjudged,
            next: 0,
        }
    }
}

#[inline]
fn bytes(names: &[u8], name: Name) -> &[u8] {
    &names[name.start..name.start + name.len as usize]
}

#[inline]
fn text<'n>(names: &'n [u8], entry: &Entry) -> &'n [u8] {
    &names[entry.start..entry.start + entry.len as usize]
}

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
    qrels: Qrels,
    /// Topic names in order of first appearance, and their table.
    names: Vec<Name>,
    name_slots: Vec<u32>,
    /// Pieces of consecutive rows of one topic: its number and its first row.
    pieces: Vec<(u32, u32)>,
}

impl QrelsBuilder {
    /// An empty one.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a row.
    #[inline]
    pub fn push(&mut self, topic: &[u8], docno: &[u8], judgement: Judgement) {
        let continues =
            self.pieces.last().is_some_and(|&(last, _)| bytes(&self.qrels.names, self.names[last as usize]) == topic);
        if !continues {
            let number = self.topic(topic);
            self.pieces.push((number, self.qrels.entries.len() as u32));
        }
        let start = self.qrels.names.len();
        self.qrels.names.extend_from_slice(docno);
        let grade = judgement.grade().unwrap_or(-1.0);
        let tag = (hash::of(docno) >> 32) as u32;
        self.qrels.entries.push(Entry { start, len: docno.len() as u32, tag, grade });
    }

    /// The number of a topic in order of first appearance.
    fn topic(&mut self, topic: &[u8]) -> u32 {
        if self.name_slots.len() < hash::slots_for(self.names.len() + 1) {
            self.name_slots = name_slots(&self.qrels.names, &self.names, hash::slots_for(2 * (self.names.len() + 1)));
        }
        let (names, arena) = (&self.names, &self.qrels.names);
        match hash::probe(&self.name_slots, hash::of(topic), |index| bytes(arena, names[index]) == topic) {
            Ok(index) => index as u32,
            Err(slot) => {
                let start = self.qrels.names.len();
                self.qrels.names.extend_from_slice(topic);
                self.names.push(Name { start, len: topic.len() as u32 });
                self.name_slots[slot] = self.names.len() as u32;
                self.names.len() as u32 - 1
            }
        }
    }

    /// The judgements, and the rows that judge a document again. Where there are any, look-ups find the first and counts
    /// count both: a caller that reads files refuses such judgements.
    pub fn finish(self) -> (Qrels, Vec<DuplicateRow>) {
        let QrelsPart { mut qrels, mut duplicates, .. } = self.close();
        qrels.sort_topics();
        duplicates.sort_by_key(|duplicate| duplicate.second);
        (qrels, duplicates)
    }

    /// Adds this builder's rows to another, in the order they came.
    pub fn replay(&self, other: &mut QrelsBuilder) {
        let ends = self.pieces.iter().skip(1).map(|&(_, first)| first).chain([self.qrels.entries.len() as u32]);
        for (&(topic, start), end) in self.pieces.iter().zip(ends) {
            let name = bytes(&self.qrels.names, self.names[topic as usize]);
            for entry in &self.qrels.entries[start as usize..end as usize] {
                other.push(name, text(&self.qrels.names, entry), entry.judgement());
            }
        }
    }

    /// Everything but the order of topics.
    pub fn close(self) -> QrelsPart {
        let QrelsBuilder { mut qrels, names, pieces, .. } = self;
        let rows = qrels.entries.len();
        let ends = pieces.iter().skip(1).map(|&(_, first)| first).chain([rows as u32]);
        let mut spans: Vec<Span> =
            pieces.iter().zip(ends).map(|(&(topic, start), end)| Span { topic, start, end }).collect();
        if spans.len() > names.len() {
            // Not grouped by topic: bring the documents of each topic together, in file order.
            spans.sort_by_key(|span| span.topic);
            let scattered = std::mem::take(&mut qrels.entries);
            qrels.entries.reserve_exact(rows);
            for span in &spans {
                qrels.entries.extend_from_slice(&scattered[span.start as usize..span.end as usize]);
            }
        }
        let mut twice = Vec::new();
        let mut at = 0;
        qrels.topics.reserve_exact(names.len());
        for group in spans.chunk_by(|a, b| a.topic == b.topic) {
            let count: usize = group.iter().map(|span| (span.end - span.start) as usize).sum();
            let topic = qrels.close(names[group[0].topic as usize], at..at + count, &mut twice);
            qrels.topics.push(topic);
            at += count;
        }
        let duplicates = twice
            .into_iter()
            .map(|(first, second)| DuplicateRow {
                docno: text(&qrels.names, &qrels.entries[first]).to_vec(),
                first: row_of(&spans, first),
                second: row_of(&spans, second),
            })
            .collect();
        QrelsPart { qrels, duplicates, rows }
    }
}

/// The judgements of one part of a file, indexed but for the order of topics.
#[derive(Debug)]
pub struct QrelsPart {
    qrels: Qrels,
    duplicates: Vec<DuplicateRow>,
    rows: usize,
}

impl QrelsPart {
    /// Puts the parts of a file together, in their order; `None` when two of them have rows of one topic.
    pub fn join(parts: Vec<QrelsPart>) -> Option<(Qrels, Vec<DuplicateRow>)> {
        let mut parts = parts.into_iter();
        let Some(QrelsPart { mut qrels, mut duplicates, mut rows }) = parts.next() else {
            return Some(QrelsBuilder::new().finish());
        };
        for part in parts {
            qrels.append(part.qrels);
            duplicates.extend(part.duplicates.into_iter().map(|duplicate| DuplicateRow {
                first: rows + duplicate.first,
                second: rows + duplicate.second,
                ..duplicate
            }));
            rows += part.rows;
        }
        qrels.sort_topics();
        duplicates.sort_by_key(|duplicate| duplicate.second);
        let name = |topic: &Topic| bytes(&qrels.names, topic.name);
        let apart = qrels.topics.windows(2).all(|pair| name(&pair[0]) != name(&pair[1]));
        apart.then_some((qrels, duplicates))
    }
}

/// Consecutive rows of one topic.
#[derive(Clone, Copy)]
struct Span {
    topic: u32,
    start: u32,
    end: u32,
}

/// The row that came to stand at a place when the spans were put together.
fn row_of(spans: &[Span], mut place: usize) -> usize {
    for span in spans {
        let len = (span.end - span.start) as usize;
        if place < len {
            return span.start as usize + place;
        }
        place -= len;
    }
    place
}

fn name_slots(arena: &[u8], names: &[Name], size: usize) -> Vec<u32> {
    let mut slots = vec![0u32; size];
    for (index, name) in names.iter().enumerate() {
        if let Err(free) = hash::probe(&slots, hash::of(bytes(arena, *name)), |_| false) {
            slots[free] = index as u32 + 1;
        }
    }
    slots
}

/// Appends the counts by ascending grade; returns how many documents have none.
fn count_grades(entries: &[Entry], counts: &mut Vec<(Grade, u32)>) -> u32 {
    let start = counts.len();
    let mut pooled_unjudged = 0;
    for entry in entries {
        let Judgement::Grade(grade) = entry.judgement() else {
            pooled_unjudged += 1;
            continue;
        };
        match counts[start..].binary_search_by(|(other, _)| other.value().total_cmp(&grade.value())) {
            Ok(index) => counts[start + index].1 += 1,
            Err(index) => counts.insert(start + index, (grade, 1)),
        }
    }
    pooled_unjudged
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grade(value: f64) -> Judgement {
        Judgement::from_number(value).unwrap()
    }

    #[test]
    fn rows_in_any_order_become_topics_in_byte_order() {
        let mut builder = QrelsBuilder::new();
        for (topic, docno, value) in
            [("2", "d1", 1.0), ("10", "d1", 0.0), ("2", "d2", -1.0), ("10", "d9", 2.0), ("2", "d3", 1.0)]
        {
            builder.push(topic.as_bytes(), docno.as_bytes(), grade(value));
        }
        let (qrels, duplicates) = builder.finish();
        assert!(duplicates.is_empty());
        let names: Vec<_> = qrels.topics().map(|topic| qrels.name(topic).to_vec()).collect();
        assert_eq!(names, [b"10".to_vec(), b"2".to_vec()]);
        let two = qrels.find(b"2").unwrap();
        assert_eq!(qrels.judgement(two, b"d2", hash::of(b"d2")), Judgement::PooledUnjudged);
        assert_eq!(qrels.judgement(two, b"d9", hash::of(b"d9")), Judgement::Unpooled);
        assert_eq!(qrels.facts(two).relevant(1.0), 2);
        assert_eq!(qrels.facts(two).pooled_unjudged, 1);
        assert_eq!(qrels.max_grade(), Some(2.0));
        assert!(qrels.find(b"3").is_none());
        assert!(Qrels::default().find(b"3").is_none());
    }

    #[test]
    fn a_second_judgement_of_a_document_is_reported_with_both_rows() {
        let mut builder = QrelsBuilder::new();
        builder.push(b"1", b"a", grade(1.0));
        builder.push(b"2", b"a", grade(1.0));
        builder.push(b"1", b"a", grade(0.0));
        builder.push(b"1", b"b", grade(2.0));
        builder.push(b"1", b"b", grade(2.0));
        let (qrels, duplicates) = builder.finish();
        assert_eq!(
            duplicates,
            [
                DuplicateRow { docno: b"a".to_vec(), first: 0, second: 2 },
                DuplicateRow { docno: b"b".to_vec(), first: 3, second: 4 }
            ]
        );
        let one = qrels.find(b"1").unwrap();
        assert_eq!(qrels.judgement(one, b"a", hash::of(b"a")).grade(), Some(1.0));
    }

    #[test]
    fn a_large_topic_in_pieces_is_found_whole_and_its_duplicates_named_by_row() {
        let mut builder = QrelsBuilder::new();
        for document in 0..200u32 {
            builder.push(b"big", document.to_string().as_bytes(), grade(f64::from(document % 3)));
            builder.push(b"other", document.to_string().as_bytes(), grade(-1.0));
        }
        builder.push(b"big", b"100", grade(9.0));
        let (qrels, duplicates) = builder.finish();
        assert_eq!(duplicates, [DuplicateRow { docno: b"100".to_vec(), first: 200, second: 400 }]);
        let (big, other) = (qrels.find(b"big").unwrap(), qrels.find(b"other").unwrap());
        for document in 0..200u32 {
            let name = document.to_string();
            let hash = hash::of(name.as_bytes());
            assert_eq!(qrels.judgement(big, name.as_bytes(), hash).grade(), Some(f64::from(document % 3)));
            assert_eq!(qrels.judgement(other, name.as_bytes(), hash), Judgement::PooledUnjudged);
        }
        // 0, 3, ..., 198 are 67 documents of grade 0; 1, 4, ..., 199 are 67 of grade 1; 66 of grade 2; the duplicate.
        let counts: Vec<u32> = qrels.facts(big).grades.iter().map(|&(_, count)| count).collect();
        assert_eq!(counts, [67, 67, 66, 1]);
        assert_eq!(qrels.facts(other).pooled_unjudged, 200);
    }

    #[test]
    fn parts_join_to_what_one_builder_makes_unless_a_topic_is_in_two() {
        let rows: Vec<(String, String)> =
            (0..300).map(|row| (format!("t{}", row / 10 * 7919 % 1000), format!("d{}", row % 9))).collect();
        let build = |rows: &[(String, String)]| {
            let mut builder = QrelsBuilder::new();
            rows.iter().for_each(|(topic, docno)| builder.push(topic.as_bytes(), docno.as_bytes(), grade(1.0)));
            builder
        };
        let (whole, whole_duplicates) = build(&rows).finish();
        let parts = |cut: usize| vec![build(&rows[..cut]).close(), build(&rows[cut..]).close()];
        let (joined, duplicates) = QrelsPart::join(parts(120)).unwrap();
        assert_eq!(duplicates, whole_duplicates);
        assert_eq!(duplicates[0], DuplicateRow { docno: b"d0".to_vec(), first: 0, second: 9 });
        let listed = |qrels: &Qrels| -> Vec<(Vec<u8>, Vec<u8>)> {
            let of = |topic| qrels.documents(topic).map(move |(docno, _)| (qrels.name(topic).to_vec(), docno.to_vec()));
            qrels.topics().flat_map(of).collect()
        };
        assert_eq!(listed(&joined), listed(&whole));
        assert!(QrelsPart::join(parts(125)).is_none());
        let mut again = QrelsBuilder::new();
        build(&rows[..125]).replay(&mut again);
        build(&rows[125..]).replay(&mut again);
        assert_eq!(listed(&again.finish().0), listed(&whole));
        assert!(QrelsPart::join(Vec::new()).unwrap().0.is_empty());
    }

    #[test]
    fn many_topics_are_all_found_again() {
        let mut builder = QrelsBuilder::new();
        for topic in 0..5000u32 {
            builder.push(topic.to_string().as_bytes(), b"d", grade(1.0));
        }
        let (qrels, _) = builder.finish();
        assert_eq!(qrels.len(), 5000);
        for topic in 0..5000u32 {
            let name = topic.to_string();
            assert_eq!(qrels.name(qrels.find(name.as_bytes()).unwrap()), name.as_bytes());
        }
    }
}
