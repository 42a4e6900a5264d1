//! The judgements of a collection, in flat storage: one arena of names, one array of entries ordered by topic, one
//! probing table per topic inside one array. A million judgements cost four allocations, and a look-up touches two
//! cache lines.

use crate::hash;
use crate::judgement::{Grade, Judgement};
use crate::view::TopicFacts;

/// A topic by its place in the byte order of topic names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TopicIndex(pub u32);

#[derive(Debug, Clone, Copy)]
struct Name {
    start: usize,
    len: u32,
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    name: Name,
    tag: u32,
    judgement: Judgement,
}

#[derive(Debug, Clone, Copy)]
struct Topic {
    name: Name,
    entries: (u32, u32),
    slots: (usize, usize),
    grades: (u32, u32),
    pooled_unjudged: u32,
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

    /// Number of rows, judged or not.
    pub fn rows(&self) -> usize {
        self.entries.len()
    }

    /// All topics, in byte order of their names.
    pub fn topics(&self) -> impl ExactSizeIterator<Item = TopicIndex> + '_ {
        (0..self.topics.len() as u32).map(TopicIndex)
    }

    /// The name of a topic.
    pub fn name(&self, topic: TopicIndex) -> &[u8] {
        self.bytes(self.topics[topic.0 as usize].name)
    }

    /// The topic of that name.
    #[inline]
    pub fn find(&self, name: &[u8]) -> Option<TopicIndex> {
        if self.topic_slots.is_empty() {
            return None;
        }
        hash::probe(&self.topic_slots, hash::of(name), |index| self.bytes(self.topics[index].name) == name)
            .ok()
            .map(|index| TopicIndex(index as u32))
    }

    /// What is known of a document for a topic; `hash` is [`hash::of`] the docno.
    #[inline]
    pub fn judgement(&self, topic: TopicIndex, docno: &[u8], hash: u64) -> Judgement {
        let topic = &self.topics[topic.0 as usize];
        let entries = &self.entries[topic.entries.0 as usize..topic.entries.1 as usize];
        let tag = (hash >> 32) as u32;
        hash::probe(&self.slots[topic.slots.0..topic.slots.1], hash, |index| {
            let entry = &entries[index];
            entry.tag == tag && self.bytes(entry.name) == docno
        })
        .map_or(Judgement::Unpooled, |index| entries[index].judgement)
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
            .map(|entry| (self.bytes(entry.name), entry.judgement))
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

    #[inline]
    fn bytes(&self, name: Name) -> &[u8] {
        &self.names[name.start..name.start + name.len as usize]
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
    names: Vec<u8>,
    rows: Vec<(u32, Entry)>,
    topics: Vec<Name>,
    topic_slots: Vec<u32>,
    last_topic: Option<u32>,
}

impl QrelsBuilder {
    /// An empty one.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a row.
    pub fn push(&mut self, topic: &[u8], docno: &[u8], judgement: Judgement) {
        let topic = self.topic(topic);
        let name = self.keep(docno);
        let tag = (hash::of(docno) >> 32) as u32;
        self.rows.push((topic, Entry { name, tag, judgement }));
    }

    fn keep(&mut self, bytes: &[u8]) -> Name {
        let start = self.names.len();
        self.names.extend_from_slice(bytes);
        Name { start, len: bytes.len() as u32 }
    }

    /// The number of a topic in order of first appearance.
    fn topic(&mut self, bytes: &[u8]) -> u32 {
        let stored = |name: Name, names: &[u8]| names[name.start..name.start + name.len as usize] == *bytes;
        if let Some(last) = self.last_topic
            && stored(self.topics[last as usize], &self.names)
        {
            return last;
        }
        if self.topic_slots.len() < hash::slots_for(self.topics.len() + 1) {
            self.topic_slots = topic_slots(&self.names, &self.topics, hash::slots_for(2 * (self.topics.len() + 1)));
        }
        let found = hash::probe(&self.topic_slots, hash::of(bytes), |index| stored(self.topics[index], &self.names));
        let index = match found {
            Ok(index) => index as u32,
            Err(slot) => {
                let name = self.keep(bytes);
                self.topics.push(name);
                self.topic_slots[slot] = self.topics.len() as u32;
                self.topics.len() as u32 - 1
            }
        };
        self.last_topic = Some(index);
        index
    }

    /// The judgements, and the rows that judge a document again (the first row counts in what is returned; a caller
    /// that does not tolerate duplicates drops it).
    pub fn finish(self) -> (Qrels, Vec<DuplicateRow>) {
        let QrelsBuilder { names, rows, topics, .. } = self;
        let bytes = |name: Name| &names[name.start..name.start + name.len as usize];

        let mut by_name: Vec<u32> = (0..topics.len() as u32).collect();
        by_name.sort_unstable_by(|&a, &b| bytes(topics[a as usize]).cmp(bytes(topics[b as usize])));
        let mut position = vec![0u32; topics.len()];
        for (sorted, &topic) in by_name.iter().enumerate() {
            position[topic as usize] = sorted as u32;
        }
        let mut order: Vec<u32> = (0..rows.len() as u32).collect();
        order.sort_by_key(|&row| position[rows[row as usize].0 as usize]);

        let mut qrels = Qrels::default();
        let mut duplicates = Vec::new();
        let mut at = 0;
        for &topic in &by_name {
            let end = at + order[at..].partition_point(|&row| rows[row as usize].0 == topic);
            let mut entry_rows = Vec::with_capacity(end - at);
            let slots_start = qrels.slots.len();
            let entries_start = qrels.entries.len();
            qrels.slots.resize(slots_start + hash::slots_for(end - at), 0);
            for &row in &order[at..end] {
                let entry = rows[row as usize].1;
                let hash = hash::of(bytes(entry.name));
                let found = hash::probe(&qrels.slots[slots_start..], hash, |index| {
                    let other: &Entry = &qrels.entries[entries_start + index];
                    other.tag == entry.tag && bytes(other.name) == bytes(entry.name)
                });
                match found {
                    Ok(index) => duplicates.push(DuplicateRow {
                        docno: bytes(entry.name).to_vec(),
                        first: entry_rows[index],
                        second: row as usize,
                    }),
                    Err(slot) => {
                        qrels.entries.push(entry);
                        entry_rows.push(row as usize);
                        qrels.slots[slots_start + slot] = entry_rows.len() as u32;
                    }
                }
            }
            let (grades, pooled_unjudged) = count_grades(&qrels.entries[entries_start..]);
            let grades_start = qrels.grades.len();
            qrels.grades.extend(grades);
            qrels.topics.push(Topic {
                name: topics[topic as usize],
                entries: (entries_start as u32, qrels.entries.len() as u32),
                slots: (slots_start, qrels.slots.len()),
                grades: (grades_start as u32, qrels.grades.len() as u32),
                pooled_unjudged,
            });
            at = end;
        }
        let sorted: Vec<Name> = qrels.topics.iter().map(|topic| topic.name).collect();
        qrels.topic_slots = topic_slots(&names, &sorted, hash::slots_for(sorted.len()));
        qrels.names = names;
        (qrels, duplicates)
    }
}

fn topic_slots(names: &[u8], topics: &[Name], size: usize) -> Vec<u32> {
    let mut slots = vec![0u32; size];
    for (index, name) in topics.iter().enumerate() {
        let hash = hash::of(&names[name.start..name.start + name.len as usize]);
        if let Err(free) = hash::probe(&slots, hash, |_| false) {
            slots[free] = index as u32 + 1;
        }
    }
    slots
}

fn count_grades(entries: &[Entry]) -> (Vec<(Grade, u32)>, u32) {
    let mut counts: Vec<(Grade, u32)> = Vec::new();
    let mut pooled_unjudged = 0;
    for entry in entries {
        match entry.judgement {
            Judgement::Grade(grade) => {
                match counts.binary_search_by(|(other, _)| other.value().total_cmp(&grade.value())) {
                    Ok(index) => counts[index].1 += 1,
                    Err(index) => counts.insert(index, (grade, 1)),
                }
            }
            Judgement::PooledUnjudged | Judgement::Unpooled => pooled_unjudged += 1,
        }
    }
    (counts, pooled_unjudged)
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
        let (_, duplicates) = builder.finish();
        assert_eq!(duplicates, [DuplicateRow { docno: b"a".to_vec(), first: 0, second: 2 }]);
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
