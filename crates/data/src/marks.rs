//! Judgements that say more than a grade per document: by subtopic, by judgement group, as preferences, with the stratum
//! or the probability a document was sampled with.
//!
//! The one decision behind it: all of them are rows of one shape, a [`Mark`] (document, group, subgroup, number), kept
//! beside plain judgements. A measure of grades sees the plain ones and need not know; a measure that needs more asks
//! for the marks of the topic, and for each rank which document stands there.

use std::collections::HashMap;
use std::fmt;

use crate::judgement::Judgement;
use crate::qrels::{DuplicateRow, Qrels, QrelsBuilder, TopicIndex};

/// What a judgement file says of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum JudgementKind {
    /// A grade.
    #[default]
    Grades,
    /// A grade for each subtopic: `group` is the subtopic, `value` the grade.
    Subtopics,
    /// A grade in each judgement group (one judge's opinion, say): `group` is the group, `value` the grade.
    Groups,
    /// A place in an order of preference: within a `group` and `subgroup`, the larger `value` is preferred.
    Preferences,
    /// A grade, or none, and the stratum of the sample it was in: `group` is the stratum, `value` the grade or -1.
    Strata,
    /// A grade and the probability with which it was chosen to be judged: `group` is the method, `value` the probability
    /// as written ([`Details::probability`] says what it means).
    Probabilities,
}

impl JudgementKind {
    /// As part of a sentence: "judgements by subtopic".
    pub fn name(self) -> &'static str {
        match self {
            JudgementKind::Grades => "grades",
            JudgementKind::Subtopics => "judgements by subtopic",
            JudgementKind::Groups => "judgement groups",
            JudgementKind::Preferences => "preferences",
            JudgementKind::Strata => "a stratified sample",
            JudgementKind::Probabilities => "judgements with their probabilities",
        }
    }

    /// Whether a topic's document has one mark only.
    pub fn is_single(self) -> bool {
        matches!(self, JudgementKind::Grades | JudgementKind::Strata | JudgementKind::Probabilities)
    }

    /// Whether plain grades can be read off it.
    pub fn has_grades(self) -> bool {
        self != JudgementKind::Preferences
    }
}

impl fmt::Display for JudgementKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One row of a judgement file, the topic apart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mark {
    /// The document, by its place among the documents of the topic, which are in byte order of their docnos.
    pub document: u32,
    /// The subtopic, judgement group, stratum or method, by its place among the names ([`Marks::group_name`]).
    pub group: u32,
    /// The subgroup, where there is one.
    pub subgroup: u32,
    /// The grade, order of preference, or probability.
    pub value: f64,
}

/// At a rank where no document of the judgements stands.
pub const NO_DOCUMENT: u32 = u32::MAX;

/// What is known of a topic beyond grades, and which documents stand at the ranks. Empty for plain judgements.
#[derive(Debug, Clone, Copy, Default)]
pub struct Details<'a> {
    /// What the marks are.
    pub kind: JudgementKind,
    /// The marks of the topic, by document, then group, then subgroup.
    pub marks: &'a [Mark],
    /// For each rank the document, or [`NO_DOCUMENT`].
    pub documents: &'a [u32],
    /// What a measure of grades sees of each document of the topic, retrieved or not, by its place.
    pub judgements: &'a [Judgement],
    /// The groups whose documents were certain to be judged ([`Details::probability`]).
    pub certain: &'a [u32],
    /// The groups of which a fixed number of documents was drawn ([`Details::is_fixed_size`]).
    pub fixed_size: &'a [u32],
}

/// Methods of prels that did not draw documents at random.
const CERTAIN_METHODS: [&[u8]; 2] = [b"0", b"2"];

/// The method of prels that `karat sample` writes for the documents of its first stratum; the next stratum has the next number. The Million
/// Query track used 0 to 4.
pub const FIRST_STRATUM_METHOD: u32 = 11;

fn is_fixed_size_method(name: &[u8]) -> bool {
    let number = std::str::from_utf8(name).ok().and_then(|name| name.parse::<u32>().ok());
    number.is_some_and(|number| number >= FIRST_STRATUM_METHOD)
}

impl<'a> Details<'a> {
    /// The marks of a document.
    pub fn of(&self, document: u32) -> &'a [Mark] {
        let start = self.marks.partition_point(|mark| mark.document < document);
        let len = self.marks[start..].partition_point(|mark| mark.document == document);
        &self.marks[start..start + len]
    }

    /// The probability with which a document was chosen to be judged, where there are such.
    ///
    /// Of the Million Query track's methods, 1 drew documents with the probability written. 0 chose them by what was known
    /// so far, so they were certain to be judged, and a document both chose (2) was certain too, whatever probability it was
    /// also drawn with: 1, as in the track's own program.
    pub fn probability(&self, document: u32) -> Option<f64> {
        let mark = self.of(document).first().filter(|_| self.kind == JudgementKind::Probabilities)?;
        Some(if self.certain.contains(&mark.group) { 1.0 } else { mark.value })
    }

    /// Whether a fixed number of documents was drawn of a group, so that one document in the sample leaves less room for another.
    pub fn is_fixed_size(&self, group: u32) -> bool {
        self.fixed_size.contains(&group)
    }

    /// The marks of the documents, rank by rank; none where no document of the judgements stands.
    pub fn by_rank(&self) -> impl ExactSizeIterator<Item = &'a [Mark]> + '_ {
        self.documents.iter().map(|&document| self.of(document))
    }
}

/// The marks of all topics.
#[derive(Debug, Clone, Default)]
pub struct Marks {
    kind: JudgementKind,
    names: Vec<Vec<u8>>,
    /// Where each topic's marks and judgements end.
    ends: Vec<(u32, u32)>,
    marks: Vec<Mark>,
    judgements: Vec<Judgement>,
    certain: Vec<u32>,
    fixed_size: Vec<u32>,
}

impl Marks {
    /// What they are.
    pub fn kind(&self) -> JudgementKind {
        self.kind
    }

    /// The marks of a topic, by document, then group, then subgroup.
    pub fn topic(&self, topic: TopicIndex) -> &[Mark] {
        let ((start, _), (end, _)) = self.span(topic);
        &self.marks[start as usize..end as usize]
    }

    /// The plain judgements of a topic's documents, by their place.
    pub fn judgements(&self, topic: TopicIndex) -> &[Judgement] {
        let ((_, start), (_, end)) = self.span(topic);
        &self.judgements[start as usize..end as usize]
    }

    /// What is known of a topic beyond grades, for a list of its documents.
    pub fn details<'a>(&'a self, topic: TopicIndex, documents: &'a [u32]) -> Details<'a> {
        Details {
            kind: self.kind,
            marks: self.topic(topic),
            documents,
            judgements: self.judgements(topic),
            certain: &self.certain,
            fixed_size: &self.fixed_size,
        }
    }

    fn span(&self, topic: TopicIndex) -> ((u32, u32), (u32, u32)) {
        let index = topic.0 as usize;
        (index.checked_sub(1).map_or((0, 0), |before| self.ends[before]), self.ends[index])
    }

    /// The name of a group or subgroup.
    pub fn group_name(&self, group: u32) -> &[u8] {
        &self.names[group as usize]
    }

    /// All names of groups and subgroups, in the order they were first seen.
    pub fn group_names(&self) -> impl ExactSizeIterator<Item = &[u8]> + '_ {
        self.names.iter().map(Vec::as_slice)
    }
}

/// A row of a judgement file with more than a grade.
#[derive(Debug, Clone, Copy)]
pub struct MarkedRow<'a> {
    /// The topic.
    pub topic: &'a [u8],
    /// The document.
    pub docno: &'a [u8],
    /// What a measure of grades sees of it.
    pub judgement: Judgement,
    /// The subtopic, judgement group, stratum or method.
    pub group: &'a [u8],
    /// The subgroup; empty where there is none.
    pub subgroup: &'a [u8],
    /// The number of the mark.
    pub value: f64,
}

/// Collects rows in any order and makes [`Qrels`] with [`Marks`] of them.
///
/// Where a document has several rows, its plain judgement is the best of them: the highest grade, or else that it was
/// pooled. A document that is relevant to one subtopic is relevant.
#[derive(Debug)]
pub struct MarkedBuilder {
    kind: JudgementKind,
    names: Names,
    topics: Names,
    /// By topic: its documents and their plain judgements, and the marks with the rows they came from.
    collected: Vec<Collected>,
    rows: usize,
}

#[derive(Debug, Default)]
struct Collected {
    documents: Names,
    judgements: Vec<Judgement>,
    marks: Vec<(Mark, usize)>,
}

impl Collected {
    /// Numbers the documents by docno, so that a measure which must choose among equal documents (the greedy ideal
    /// ranking of alpha_nDCG) chooses the same whatever the order of the file.
    fn order_by_docno(&mut self) {
        let names = &self.documents.list;
        let mut order: Vec<usize> = (0..names.len()).collect();
        order.sort_unstable_by_key(|&document| &names[document]);
        let mut number = vec![0; order.len()];
        for (after, &before) in order.iter().enumerate() {
            number[before] = after as u32;
        }
        self.judgements = order.iter().map(|&before| self.judgements[before]).collect();
        self.documents.list = order.iter().map(|&before| std::mem::take(&mut self.documents.list[before])).collect();
        for (mark, _) in &mut self.marks {
            mark.document = number[mark.document as usize];
        }
    }
}

/// Names and their numbers.
#[derive(Debug, Default)]
struct Names {
    list: Vec<Vec<u8>>,
    numbers: HashMap<Vec<u8>, u32>,
}

impl Names {
    fn number(&mut self, name: &[u8]) -> u32 {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = self.list.len() as u32;
        self.list.push(name.to_vec());
        self.numbers.insert(name.to_vec(), number);
        number
    }
}

impl MarkedBuilder {
    /// An empty one for marks of a kind.
    pub fn new(kind: JudgementKind) -> MarkedBuilder {
        MarkedBuilder { kind, names: Names::default(), topics: Names::default(), collected: Vec::new(), rows: 0 }
    }

    /// Adds a row.
    pub fn push(&mut self, row: &MarkedRow<'_>) {
        let topic = self.topics.number(row.topic) as usize;
        if topic == self.collected.len() {
            self.collected.push(Collected::default());
        }
        let collected = &mut self.collected[topic];
        let document = collected.documents.number(row.docno);
        if document as usize == collected.judgements.len() {
            collected.judgements.push(row.judgement);
        } else {
            let known = &mut collected.judgements[document as usize];
            *known = better(*known, row.judgement);
        }
        let (group, subgroup) = (self.names.number(row.group), self.names.number(row.subgroup));
        collected.marks.push((Mark { document, group, subgroup, value: row.value }, self.rows));
        self.rows += 1;
    }

    /// The judgements, and the rows that say the same thing again: the same document (for a [`JudgementKind::is_single`]) or the
    /// same document in the same group and subgroup.
    pub fn finish(mut self) -> (Qrels, Vec<DuplicateRow>) {
        let mut plain = QrelsBuilder::new();
        let mut duplicates = Vec::new();
        for (topic, collected) in self.topics.list.iter().zip(&mut self.collected) {
            collected.order_by_docno();
            for (docno, &judgement) in collected.documents.list.iter().zip(&collected.judgements) {
                plain.push(topic, docno, judgement);
            }
            // By row last, so that of two equal ones the first is the first.
            collected.marks.sort_by_key(|(mark, row)| (mark.document, mark.group, mark.subgroup, *row));
            let same = |a: &Mark, b: &Mark| {
                a.document == b.document && (self.kind.is_single() || (a.group, a.subgroup) == (b.group, b.subgroup))
            };
            for run in collected.marks.chunk_by(|a, b| same(&a.0, &b.0)) {
                let first = run.iter().map(|&(_, row)| row).min().unwrap_or_default();
                let docno = &collected.documents.list[run[0].0.document as usize];
                let again = run.iter().map(|&(_, row)| row).filter(|&row| row != first);
                duplicates.extend(again.map(|second| DuplicateRow { docno: docno.clone(), first, second }));
            }
        }
        duplicates.sort_by_key(|duplicate| duplicate.second);
        let (mut qrels, _) = plain.finish();
        let certain = CERTAIN_METHODS.iter().filter_map(|&method| self.names.numbers.get(method).copied()).collect();
        let numbered = (0..).zip(&self.names.list).filter(|(_, name)| is_fixed_size_method(name));
        let fixed_size =
            numbered.filter(|_| self.kind == JudgementKind::Probabilities).map(|(group, _)| group).collect();
        let mut marks = Marks { kind: self.kind, names: self.names.list, certain, fixed_size, ..Marks::default() };
        for topic in qrels.topics() {
            if let Some(&number) = self.topics.numbers.get(qrels.name(topic)) {
                let collected = &self.collected[number as usize];
                marks.marks.extend(collected.marks.iter().map(|&(mark, _)| mark));
                marks.judgements.extend(&collected.judgements);
            }
            marks.ends.push((marks.marks.len() as u32, marks.judgements.len() as u32));
        }
        qrels.set_marks(marks);
        (qrels, duplicates)
    }
}

fn better(a: Judgement, b: Judgement) -> Judgement {
    match (a.grade(), b.grade()) {
        (Some(of_a), Some(of_b)) => {
            if of_b > of_a {
                b
            } else {
                a
            }
        }
        (None, Some(_)) => b,
        (Some(_) | None, None) => a,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash;

    fn row<'a>(topic: &'a str, docno: &'a str, group: &'a str, value: f64) -> MarkedRow<'a> {
        let judgement = Judgement::from_number(value).unwrap();
        MarkedRow {
            topic: topic.as_bytes(),
            docno: docno.as_bytes(),
            judgement,
            group: group.as_bytes(),
            subgroup: b"",
            value,
        }
    }

    #[test]
    fn marks_stand_beside_the_best_plain_judgement() {
        let mut builder = MarkedBuilder::new(JudgementKind::Subtopics);
        for row in [
            row("2", "a", "x", 0.0),
            row("10", "b", "y", 1.0),
            row("2", "b", "x", 1.0),
            row("2", "a", "y", 2.0),
            row("2", "c", "y", -1.0),
            row("2", "a", "x", 1.0),
        ] {
            builder.push(&row);
        }
        let (qrels, duplicates) = builder.finish();
        // Row 5 judges a for x again, which row 0 did.
        assert_eq!(duplicates, [DuplicateRow { docno: b"a".to_vec(), first: 0, second: 5 }]);
        let two = qrels.find(b"2").unwrap();
        assert_eq!(qrels.judgement(two, b"a", hash::of(b"a")).grade(), Some(2.0));
        assert_eq!(qrels.judgement(two, b"c", hash::of(b"c")), Judgement::PooledUnjudged);
        let marks = qrels.marks().unwrap();
        assert_eq!(marks.kind(), JudgementKind::Subtopics);
        let listed: Vec<_> = marks
            .topic(two)
            .iter()
            .map(|mark| (mark.document, String::from_utf8_lossy(marks.group_name(mark.group)).into_owned(), mark.value))
            .collect();
        let expected = [(0, "x", 0.0), (0, "x", 1.0), (0, "y", 2.0), (1, "x", 1.0), (2, "y", -1.0)]
            .map(|(d, g, v)| (d, g.to_owned(), v));
        assert_eq!(listed, expected);
        assert_eq!(marks.topic(qrels.find(b"10").unwrap()).len(), 1);
        let documents = [1, NO_DOCUMENT, 0];
        let details = Details { marks: marks.topic(two), documents: &documents, ..Details::default() };
        // a: the best of 0, 1 and 2; b: 1; c: in the pool only.
        let grades: Vec<_> = marks.judgements(two).iter().map(|judgement| judgement.grade()).collect();
        assert_eq!(grades, [Some(2.0), Some(1.0), None]);
        let counts: Vec<usize> = details.by_rank().map(<[Mark]>::len).collect();
        assert_eq!(counts, [1, 0, 3]);
    }

    #[test]
    fn documents_are_numbered_by_docno_whatever_the_order_of_rows() {
        let mut builder = MarkedBuilder::new(JudgementKind::Subtopics);
        for row in [row("1", "c", "x", 1.0), row("1", "a", "x", 0.0), row("1", "b", "y", 2.0), row("1", "a", "y", 1.0)]
        {
            builder.push(&row);
        }
        let (qrels, _) = builder.finish();
        let topic = qrels.find(b"1").unwrap();
        let numbers = [b"a", b"b", b"c"].map(|docno| qrels.document(topic, docno, hash::of(docno)));
        assert_eq!(numbers, [0, 1, 2]);
        let values: Vec<_> =
            qrels.marks().unwrap().topic(topic).iter().map(|mark| (mark.document, mark.value)).collect();
        assert_eq!(values, [(0, 0.0), (0, 1.0), (1, 2.0), (2, 1.0)]);
        assert_eq!(qrels.judgement(topic, b"c", hash::of(b"c")).grade(), Some(1.0));
    }

    #[test]
    fn a_sampled_document_stands_in_one_stratum() {
        let mut builder = MarkedBuilder::new(JudgementKind::Strata);
        builder.push(&row("1", "a", "1", 1.0));
        builder.push(&row("1", "a", "2", -1.0));
        let (_, duplicates) = builder.finish();
        assert_eq!(duplicates, [DuplicateRow { docno: b"a".to_vec(), first: 0, second: 1 }]);
    }

    #[test]
    fn a_document_that_was_certain_to_be_judged_has_probability_1() {
        let mut builder = MarkedBuilder::new(JudgementKind::Probabilities);
        [row("1", "a", "1", 0.25), row("1", "b", "2", 0.25), row("1", "c", "0", 0.25), row("1", "d", "4", 0.25)]
            .iter()
            .for_each(|row| builder.push(row));
        let qrels = builder.finish().0;
        let details = qrels.marks().unwrap().details(TopicIndex(0), &[]);
        let values: Vec<Option<f64>> = (0..5).map(|document| details.probability(document)).collect();
        assert_eq!(values, [Some(0.25), Some(1.0), Some(1.0), Some(0.25), None]);
        assert!(details.marks.iter().all(|mark| mark.value == 0.25), "the rows stay as written");
    }

    #[test]
    fn methods_of_karats_own_samples_are_known() {
        let mut builder = MarkedBuilder::new(JudgementKind::Probabilities);
        [row("1", "a", "1", 0.25), row("1", "b", "11", 0.25), row("1", "c", "12", 0.5), row("1", "d", "4", 0.25)]
            .iter()
            .for_each(|row| builder.push(row));
        let qrels = builder.finish().0;
        let details = qrels.marks().unwrap().details(TopicIndex(0), &[]);
        let fixed: Vec<bool> = details.marks.iter().map(|mark| details.is_fixed_size(mark.group)).collect();
        assert_eq!(fixed, [false, true, true, false]);
        assert_eq!(details.probability(1), Some(0.25));
    }

    #[test]
    fn some_topics_keep_their_marks() {
        let mut builder = MarkedBuilder::new(JudgementKind::Subtopics);
        builder.push(&row("1", "a", "x", 1.0));
        builder.push(&row("2", "b", "y", 1.0));
        builder.push(&row("2", "b", "x", 0.0));
        let kept = builder.finish().0.restricted_to(|topic| topic == b"2");
        let marks = kept.marks().unwrap();
        assert_eq!((kept.len(), marks.topic(TopicIndex(0)).len()), (1, 2));
        assert_eq!(marks.group_names().len(), 3);
    }
}
