//! The judgements of a collection, in flat storage.
//!
//! A file is indexed where its lines were parsed: one segment per block read, with an arena of names, an array of
//! documents topic by topic, and a probing table per topic inside one array. Nothing is moved when the segments come
//! together; only the list of topics is ordered by name. A million judgements cost a handful of allocations, and a
//! look-up touches two or three cache lines.

use std::ops::Range;

use crate::hash;
use crate::judgement::{Grade, Judgement};
use crate::view::TopicFacts;

/// Topics with at most so many documents are searched from front to back; a table would cost more than it saves.
const SMALL: usize = 8;

/// Distinct grades of a topic that are looked for one by one.
const FEW_GRADES: usize = 16;

/// A topic by its place in the byte order of topic names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TopicIndex(pub u32);

/// The judgements of a collection. Topics are in byte order of their names, as trec_eval processes and sums them.
#[derive(Debug, Clone, Default)]
pub struct Qrels {
    segments: Vec<Segment>,
    topics: Vec<Place>,
    topic_slots: Vec<u32>,
}

/// Where a topic is, and the topic that follows it in the file, by its place in the order of names.
#[derive(Debug, Clone, Copy)]
struct Place {
    segment: u32,
    topic: u32,
    next: u32,
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
        self.segments.iter().map(|segment| segment.entries.len()).sum()
    }

    /// All topics, in byte order of their names.
    pub fn topics(&self) -> impl ExactSizeIterator<Item = TopicIndex> + '_ {
        (0..self.topics.len() as u32).map(TopicIndex)
    }

    /// The name of a topic.
    #[inline]
    pub fn name(&self, topic: TopicIndex) -> &[u8] {
        let (segment, topic) = self.place(topic);
        segment.topic_name(topic)
    }

    /// The topic of that name.
    #[inline]
    pub fn find(&self, name: &[u8]) -> Option<TopicIndex> {
        if self.topic_slots.is_empty() {
            return None;
        }
        hash::probe(&self.topic_slots, hash::of(name), |index| self.name(TopicIndex(index as u32)) == name)
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
        let (segment, topic) = self.place(topic);
        segment.judgement(topic, docno, hash)
    }

    /// The facts of a topic.
    #[inline]
    pub fn facts(&self, topic: TopicIndex) -> TopicFacts<'_> {
        let (segment, topic) = self.place(topic);
        let grades = topic.grades as usize..topic.grades as usize + topic.grade_count as usize;
        TopicFacts { grades: &segment.grades[grades], pooled_unjudged: topic.pooled_unjudged }
    }

    /// The documents of a topic and what is known of them, in file order.
    pub fn documents(&self, topic: TopicIndex) -> impl ExactSizeIterator<Item = (&[u8], Judgement)> + '_ {
        let (segment, topic) = self.place(topic);
        segment.entries[topic.range()].iter().map(|entry| (segment.docno(entry), entry.judgement()))
    }

    /// The largest grade given to any document; `None` when nothing was judged.
    pub fn max_grade(&self) -> Option<f64> {
        let grades = self.segments.iter().flat_map(|segment| &segment.grades);
        grades.map(|(grade, _)| grade.value()).reduce(f64::max)
    }

    /// Whether all grades are whole numbers.
    pub fn has_whole_grades(&self) -> bool {
        self.segments.iter().flat_map(|segment| &segment.grades).all(|(grade, _)| grade.value().fract() == 0.0)
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

    #[inline]
    fn place(&self, topic: TopicIndex) -> (&Segment, &Topic) {
        let place = &self.topics[topic.0 as usize];
        let segment = &self.segments[place.segment as usize];
        (segment, &segment.topics[place.topic as usize])
    }

    /// Orders the topics of the segments by name; `None` when two topics have one name.
    fn of_segments(segments: Vec<Segment>) -> Option<Qrels> {
        // The first eight bytes decide nearly always, and they are at hand.
        let mut order: Vec<(u64, u32, u32)> = Vec::with_capacity(segments.iter().map(|s| s.topics.len()).sum());
        for (number, segment) in (0u32..).zip(&segments) {
            order.extend((0u32..).zip(&segment.topics).map(|(at, t)| (prefix(segment.topic_name(t)), number, at)));
        }
        let name = |segment: u32, topic: u32| {
            let segment = &segments[segment as usize];
            segment.topic_name(&segment.topics[topic as usize])
        };
        // Stable, so that equal names stand in file order.
        order.sort_by(|a, b| a.0.cmp(&b.0).then_with(|| name(a.1, a.2).cmp(name(b.1, b.2))));
        if order
            .windows(2)
            .any(|pair| pair[0].0 == pair[1].0 && name(pair[0].1, pair[0].2) == name(pair[1].1, pair[1].2))
        {
            return None;
        }
        let mut topics: Vec<Place> =
            order.iter().map(|&(_, segment, topic)| Place { segment, topic, next: 0 }).collect();
        link_in_file_order(&mut topics, &segments);
        let mut topic_slots = vec![0u32; hash::slots_for(topics.len())];
        for (index, place) in (1u32..).zip(&topics) {
            if let Err(free) = hash::probe(&topic_slots, hash::of(name(place.segment, place.topic)), |_| false) {
                topic_slots[free] = index;
            }
        }
        Some(Qrels { segments, topics, topic_slots })
    }
}

/// The first bytes of a name as a number that sorts as they do.
fn prefix(name: &[u8]) -> u64 {
    let mut word = [0; 8];
    let len = name.len().min(8);
    word[..len].copy_from_slice(&name[..len]);
    u64::from_be_bytes(word)
}

fn link_in_file_order(topics: &mut [Place], segments: &[Segment]) {
    let mut first = Vec::with_capacity(segments.len());
    let mut count = 0usize;
    for segment in segments {
        first.push(count);
        count += segment.topics.len();
    }
    let mut by_file = vec![0u32; count + 1];
    let in_file = |place: &Place| first[place.segment as usize] + place.topic as usize;
    for (index, place) in (0u32..).zip(topics.iter()) {
        by_file[in_file(place)] = index;
    }
    for place in topics {
        place.next = by_file[in_file(place) + 1];
    }
}

/// The judgements of some consecutive lines.
#[derive(Debug, Clone, Default)]
struct Segment {
    names: Vec<u8>,
    entries: Vec<Entry>,
    slots: Vec<u32>,
    grades: Vec<(Grade, u32)>,
    topics: Vec<Topic>,
}

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
    entries: u32,
    entry_count: u32,
    slots: u32,
    grades: u32,
    grade_count: u32,
    pooled_unjudged: u32,
}

impl Topic {
    #[inline]
    fn range(&self) -> Range<usize> {
        self.entries as usize..self.entries as usize + self.entry_count as usize
    }
}

impl Segment {
    #[inline]
    fn text(&self, name: Name) -> &[u8] {
        &self.names[name.start..name.start + name.len as usize]
    }

    #[inline]
    fn topic_name(&self, topic: &Topic) -> &[u8] {
        self.text(topic.name)
    }

    #[inline]
    fn docno(&self, entry: &Entry) -> &[u8] {
        &self.names[entry.start..entry.start + entry.len as usize]
    }

    #[inline]
    fn judgement(&self, topic: &Topic, docno: &[u8], hash: u64) -> Judgement {
        let entries = &self.entries[topic.range()];
        let tag = (hash >> 32) as u32;
        let same = |entry: &Entry| entry.tag == tag && self.docno(entry) == docno;
        let found = if entries.len() <= SMALL {
            entries.iter().find(|entry| same(entry))
        } else {
            let slots = &self.slots[topic.slots as usize..][..hash::slots_for(entries.len())];
            hash::probe(slots, hash, |index| same(&entries[index])).ok().map(|index| &entries[index])
        };
        found.map_or(Judgement::Unpooled, Entry::judgement)
    }

    /// Gives back what growing took too much of.
    fn shrink(&mut self) {
        self.names.shrink_to_fit();
        self.entries.shrink_to_fit();
        self.slots.shrink_to_fit();
        self.grades.shrink_to_fit();
    }

    fn keep(&mut self, name: &[u8]) -> Name {
        let start = self.names.len();
        self.names.extend_from_slice(name);
        Name { start, len: name.len() as u32 }
    }

    /// Indexes the documents in `range`, which are those of one topic: table, duplicates (by their places), grades.
    fn close(&mut self, name: Name, range: Range<usize>, twice: &mut Vec<(usize, usize)>) -> Topic {
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
            name,
            entries: range.start as u32,
            entry_count: range.len() as u32,
            slots: slots as u32,
            grades: grades as u32,
            grade_count: (self.grades.len() - grades) as u32,
            pooled_unjudged,
        }
    }
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
    segment: Segment,
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

    /// Makes room for so many rows whose names have so many bytes.
    pub fn reserve(&mut self, rows: usize, bytes: usize) {
        self.segment.entries.reserve_exact(rows);
        self.segment.names.reserve_exact(bytes);
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
        let Name { start, len } = self.segment.keep(docno);
        let grade = judgement.grade().unwrap_or(-1.0);
        let tag = (hash::of(docno) >> 32) as u32;
        self.segment.entries.push(Entry { start, len, tag, grade });
    }

    /// The number of a topic in order of first appearance.
    fn topic(&mut self, topic: &[u8]) -> u32 {
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
                let name = self.segment.keep(topic);
                self.names.push(name);
                self.name_slots[slot] = self.names.len() as u32;
                self.names.len() as u32 - 1
            }
        }
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

    /// Everything but the order of topics.
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
        let mut twice = Vec::new();
        let mut at = 0;
        segment.topics.reserve_exact(names.len());
        for group in spans.chunk_by(|a, b| a.topic == b.topic) {
            let count: usize = group.iter().map(|span| (span.end - span.start) as usize).sum();
            let topic = segment.close(names[group[0].topic as usize], at..at + count, &mut twice);
            segment.topics.push(topic);
            at += count;
        }
        let mut begins: Vec<usize> = Vec::with_capacity(spans.len());
        let mut begin = 0;
        for span in &spans {
            begins.push(begin);
            begin += (span.end - span.start) as usize;
        }
        let duplicates = twice
            .into_iter()
            .map(|(first, second)| DuplicateRow {
                docno: segment.docno(&segment.entries[first]).to_vec(),
                first: row_of(&spans, &begins, first),
                second: row_of(&spans, &begins, second),
            })
            .collect();
        segment.shrink();
        QrelsPart { segment, duplicates, rows }
    }
}

/// The judgements of one part of a file, indexed but for the order of topics.
#[derive(Debug)]
pub struct QrelsPart {
    segment: Segment,
    duplicates: Vec<DuplicateRow>,
    rows: usize,
}

impl QrelsPart {
    /// Puts the parts of a file together, in their order; `None` when two of them have rows of one topic.
    pub fn join(parts: Vec<QrelsPart>) -> Option<(Qrels, Vec<DuplicateRow>)> {
        let mut duplicates: Vec<DuplicateRow> = Vec::new();
        let mut segments = Vec::with_capacity(parts.len());
        let mut rows = 0;
        for part in parts {
            duplicates.extend(part.duplicates.into_iter().map(|duplicate| DuplicateRow {
                first: rows + duplicate.first,
                second: rows + duplicate.second,
                ..duplicate
            }));
            rows += part.rows;
            segments.push(part.segment);
        }
        duplicates.sort_by_key(|duplicate| duplicate.second);
        Some((Qrels::of_segments(segments)?, duplicates))
    }
}

/// Consecutive rows of one topic.
#[derive(Clone, Copy)]
struct Span {
    topic: u32,
    start: u32,
    end: u32,
}

/// The row that came to stand at a place when the spans were put together; `begins` has the place of each span's first.
fn row_of(spans: &[Span], begins: &[usize], place: usize) -> usize {
    let span = begins.partition_point(|&begin| begin <= place) - 1;
    spans[span].start as usize + place - begins[span]
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
