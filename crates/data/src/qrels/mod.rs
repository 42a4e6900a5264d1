//! The judgements of a collection, in flat storage.
//!
//! A file is indexed where its lines were parsed: one segment per block read, with an arena of names, an array of
//! documents topic by topic, and a probing table per topic inside one array. Nothing is moved when the segments come
//! together; only the list of topics is ordered by name. A million judgements cost a handful of allocations, and a
//! look-up touches two or three cache lines.

mod build;
mod find;
mod segment;

use std::cmp::Ordering;

use crate::align::Ranking;
use crate::judgement::Judgement;
use crate::marks::{Details, JudgementKind, MarkedBuilder, MarkedRow, Marks, NO_DOCUMENT};
use crate::view::{CollectionFacts, TopicFacts, TopicView};

pub use build::{DuplicateRow, QrelsBuilder, QrelsPart};
use find::Finder;
use segment::{LookUp, Segment, Topic};

/// A topic by its place in the byte order of topic names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TopicIndex(pub u32);

/// The judgements of a collection. Topics are in byte order of their names, as trec_eval processes and sums them.
#[derive(Debug, Clone, Default)]
pub struct Qrels {
    segments: Vec<Segment>,
    topics: Vec<Place>,
    finder: Finder,
    marks: Option<Box<Marks>>,
}

/// Where a topic is, and how its name begins.
#[derive(Debug, Clone, Copy)]
struct Place {
    prefix: u64,
    segment: u32,
    topic: u32,
}

impl Place {
    /// The topics of one segment by name, for [`Qrels::of_segments`].
    fn in_order(segment: &Segment) -> Vec<Place> {
        let topics = (0u32..).zip(&segment.topics);
        let mut places: Vec<Place> = topics
            .map(|(at, topic)| Place { prefix: prefix(segment.topic_name(topic)), segment: 0, topic: at })
            .collect();
        places.sort_by(|a, b| a.by_name(b, |place| segment.topic_name(&segment.topics[place.topic as usize])));
        places
    }

    /// The first eight bytes decide nearly always, and they are at hand.
    #[inline]
    fn by_name<'n>(&self, other: &Place, name: impl Fn(&Place) -> &'n [u8]) -> Ordering {
        self.prefix.cmp(&other.prefix).then_with(|| name(self).cmp(name(other)))
    }
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
        self.finder.find(self, name)
    }

    /// The same, for a name that probably follows another topic's in the file: runs mostly list topics as qrels do.
    #[inline]
    pub fn find_after(&self, before: Option<TopicIndex>, name: &[u8]) -> Option<TopicIndex> {
        let likely = before.and_then(|topic| self.following(topic));
        let found = likely.filter(|(segment, topic)| segment.topic_name(topic) == name);
        found.map(|(_, topic)| TopicIndex(topic.rank)).or_else(|| self.find(name))
    }

    /// The topic that follows in the file.
    #[inline]
    fn following(&self, topic: TopicIndex) -> Option<(&Segment, &Topic)> {
        let place = &self.topics[topic.0 as usize];
        let own = &self.segments[place.segment as usize];
        if let Some(next) = own.topics.get(place.topic as usize + 1) {
            return Some((own, next));
        }
        let other = self.segments.get(place.segment as usize + 1)?;
        Some((other, other.topics.first()?))
    }

    /// What is known of a document for a topic; `hash` is [`crate::hash::of`] the docno.
    #[inline]
    pub fn judgement(&self, topic: TopicIndex, docno: &[u8], hash: u64) -> Judgement {
        let (segment, topic) = self.place(topic);
        segment.look_up(topic).judgement(docno, hash)
    }

    /// The topic's documents, for those who ask for many.
    #[inline]
    pub(crate) fn look_up(&self, topic: TopicIndex) -> LookUp<'_> {
        let (segment, topic) = self.place(topic);
        segment.look_up(topic)
    }

    /// The document's place among those of the topic, or [`NO_DOCUMENT`].
    #[inline]
    pub fn document(&self, topic: TopicIndex, docno: &[u8], hash: u64) -> u32 {
        let (segment, topic) = self.place(topic);
        segment.look_up(topic).find(docno, hash).map_or(NO_DOCUMENT, |place| place as u32)
    }

    /// What is known beyond grades.
    pub fn marks(&self) -> Option<&Marks> {
        self.marks.as_deref()
    }

    /// What the judgements are.
    pub fn kind(&self) -> JudgementKind {
        self.marks().map_or(JudgementKind::Grades, Marks::kind)
    }

    pub(crate) fn set_marks(&mut self, marks: Marks) {
        self.marks = Some(Box::new(marks));
    }

    /// What a measure sees of a topic of a run.
    #[inline]
    pub fn view<'a>(&'a self, topic: TopicIndex, ranking: Ranking<'a>, collection: CollectionFacts) -> TopicView<'a> {
        let details = self.marks().map_or_else(Details::default, |marks| marks.details(topic, ranking.documents));
        TopicView { ranks: ranking.ranks, below: ranking.below, facts: self.facts(topic), collection, details }
    }

    /// The facts of a topic.
    #[inline]
    pub fn facts(&self, topic: TopicIndex) -> TopicFacts<'_> {
        let (segment, topic) = self.place(topic);
        segment.facts(topic)
    }

    /// The facts of all topics, in file order: for those who only count, and need not jump about in memory.
    pub fn all_facts(&self) -> impl Iterator<Item = TopicFacts<'_>> + '_ {
        self.segments.iter().flat_map(|segment| segment.topics.iter().map(|topic| segment.facts(topic)))
    }

    /// The documents of a topic and what is known of them, in file order.
    pub fn documents(&self, topic: TopicIndex) -> impl ExactSizeIterator<Item = (&[u8], Judgement)> + '_ {
        let (segment, topic) = self.place(topic);
        segment.entries[topic.range()].iter().map(|entry| (segment.docno(entry), entry.judgement()))
    }

    /// The largest grade given to any document; `None` when nothing was judged.
    pub fn max_grade(&self) -> Option<f64> {
        let greatest = self.segments.iter().map(|segment| segment.totals.greatest).reduce(f64::max);
        greatest.filter(|&grade| grade >= 0.0)
    }

    /// Whether all grades are whole numbers.
    pub fn has_whole_grades(&self) -> bool {
        !self.segments.iter().any(|segment| segment.totals.fractions)
    }

    /// How many documents of all topics have no grade.
    pub fn pooled_unjudged(&self) -> u64 {
        self.segments.iter().map(|segment| segment.totals.pooled_unjudged).sum()
    }

    /// The same judgements for some of the topics.
    pub fn restricted_to(&self, keep: impl Fn(&[u8]) -> bool) -> Qrels {
        if let Some(marks) = self.marks() {
            return self.marked_for(marks, keep);
        }
        let mut builder = QrelsBuilder::new();
        for topic in self.topics().filter(|&topic| keep(self.name(topic))) {
            for (docno, judgement) in self.documents(topic) {
                builder.push(self.name(topic), docno, judgement);
            }
        }
        builder.finish().0
    }

    fn marked_for(&self, marks: &Marks, keep: impl Fn(&[u8]) -> bool) -> Qrels {
        let mut builder = MarkedBuilder::new(marks.kind());
        for topic in self.topics().filter(|&topic| keep(self.name(topic))) {
            let documents: Vec<_> = self.documents(topic).collect();
            for mark in marks.topic(topic) {
                let (docno, judgement) = documents[mark.document as usize];
                builder.push(&MarkedRow {
                    topic: self.name(topic),
                    docno,
                    judgement,
                    group: marks.group_name(mark.group),
                    subgroup: marks.group_name(mark.subgroup),
                    value: mark.value,
                });
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

    /// The segments with their topics, of which those of each segment are in order already; `None` when two topics have
    /// one name.
    fn of_segments(mut segments: Vec<Segment>, mut topics: Vec<Place>) -> Option<Qrels> {
        let name = |place: &Place| {
            let segment = &segments[place.segment as usize];
            segment.topic_name(&segment.topics[place.topic as usize])
        };
        // The sort is the one that finds what is in order and only merges.
        topics.sort_by(|a, b| a.by_name(b, name));
        if topics.windows(2).any(|pair| pair[0].by_name(&pair[1], name) == Ordering::Equal) {
            return None;
        }
        for (rank, place) in (0u32..).zip(&topics) {
            segments[place.segment as usize].topics[place.topic as usize].rank = rank;
        }
        Some(Qrels { segments, topics, finder: Finder::default(), marks: None })
    }
}

/// The first bytes of a name as a number that sorts as they do.
fn prefix(name: &[u8]) -> u64 {
    let mut word = [0; 8];
    let len = name.len().min(8);
    word[..len].copy_from_slice(&name[..len]);
    u64::from_be_bytes(word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash;

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
