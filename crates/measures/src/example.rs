//! Topics written as text: worked examples, `karat explain`, tests.
//!
//! A ranking is `1 0 ? - 2`: grades, `?` for pooled but unjudged, `-` for outside the pool; what else the judgements
//! hold is written the same way. Where judgements say more than a grade, a document is the marks it has: a small letter
//! for the group (subtopic, judgement group, stratum), a capital for the subgroup where there is one, and the number
//! where it is not 1. `ab` is relevant to the subtopics a and b, `a0b2` judged 0 for a and 2 for b, `aB3` stands third in
//! group a's subgroup B. Where the number is a probability, the grade stands before the letter: `2a0.5` was judged 2 and
//! chosen with probability 0.5.

use karat_data::{CollectionFacts, Details, Grade, Judgement, JudgementKind, Mark, NO_DOCUMENT, TopicFacts, TopicView};

use crate::info::Example;

/// A document of a topic: what a measure of grades sees of it, and its marks (their `document` is filled in later).
pub type Document = (Judgement, Vec<Mark>);

/// A topic that owns what a [`TopicView`] borrows.
#[derive(Debug, Clone, PartialEq)]
pub struct Owned {
    kind: JudgementKind,
    ranks: Vec<Judgement>,
    missed: Vec<Judgement>,
    grades: Vec<(Grade, u32)>,
    pooled_unjudged: u32,
    marks: Vec<Mark>,
    documents: Vec<u32>,
    judgements: Vec<Judgement>,
    fixed_size: Vec<u32>,
    collection: CollectionFacts,
}

impl Owned {
    /// From the judgements in rank order and those of documents that were not retrieved.
    pub fn new(ranks: Vec<Judgement>, missed: Vec<Judgement>, collection: CollectionFacts) -> Owned {
        let mut grades: Vec<(Grade, u32)> = Vec::new();
        let mut pooled_unjudged = 0;
        for judgement in ranks.iter().chain(&missed) {
            match judgement {
                Judgement::Grade(grade) => {
                    match grades.binary_search_by(|(other, _)| other.value().total_cmp(&grade.value())) {
                        Ok(at) => grades[at].1 += 1,
                        Err(at) => grades.insert(at, (*grade, 1)),
                    }
                }
                Judgement::PooledUnjudged => pooled_unjudged += 1,
                Judgement::Unpooled => {}
            }
        }
        let (kind, marks, documents, judgements) = (JudgementKind::Grades, Vec::new(), Vec::new(), Vec::new());
        let fixed_size = Vec::new();
        Owned { kind, ranks, missed, grades, pooled_unjudged, marks, documents, judgements, fixed_size, collection }
    }

    /// The same where a fixed number of documents was drawn of each of these methods, as `karat sample` does.
    #[must_use]
    pub fn drawn_in_fixed_number(mut self, methods: Vec<u32>) -> Owned {
        self.fixed_size = methods;
        self
    }

    /// The same for documents with marks.
    pub fn marked(
        kind: JudgementKind,
        ranks: Vec<Document>,
        missed: Vec<Document>,
        collection: CollectionFacts,
    ) -> Owned {
        let plain = |documents: &[Document]| documents.iter().map(|(judgement, _)| *judgement).collect();
        let mut owned = Owned::new(plain(&ranks), plain(&missed), collection);
        owned.kind = kind;
        if kind == JudgementKind::Grades {
            return owned;
        }
        let retrieved = ranks.len();
        let mut next = 0;
        for (index, (judgement, mut marks)) in ranks.into_iter().chain(missed).enumerate() {
            let document = if judgement == Judgement::Unpooled { NO_DOCUMENT } else { next };
            if index < retrieved {
                owned.documents.push(document);
            }
            if document == NO_DOCUMENT {
                continue;
            }
            next += 1;
            owned.judgements.push(judgement);
            marks.sort_by_key(|mark| (mark.group, mark.subgroup));
            owned.marks.extend(marks.into_iter().map(|mark| Mark { document, ..mark }));
        }
        owned
    }

    /// From text: plain grades.
    ///
    /// # Errors
    /// A sign that is neither a grade nor `?` nor `-`.
    pub fn parse(ranking: &str, missed: &str, collection: CollectionFacts) -> Result<Owned, String> {
        Owned::parse_marked(JudgementKind::Grades, ranking, missed, collection)
    }

    /// From text: documents with marks.
    ///
    /// # Errors
    /// A sign that is none of those the module's page lists.
    pub fn parse_marked(
        kind: JudgementKind,
        ranking: &str,
        missed: &str,
        collection: CollectionFacts,
    ) -> Result<Owned, String> {
        Ok(Owned::marked(kind, documents(kind, ranking)?, documents(kind, missed)?, collection))
    }

    /// The topic of a worked example.
    ///
    /// # Errors
    /// As [`Owned::parse`].
    pub fn of(example: &Example) -> Result<Owned, String> {
        let documents = (example.documents > 0).then_some(example.documents);
        Owned::parse_marked(
            example.kind,
            example.ranking,
            example.missed,
            CollectionFacts { max_grade: example.max_grade, documents, ..CollectionFacts::default() },
        )
    }

    /// What a measure sees.
    pub fn view(&self) -> TopicView<'_> {
        TopicView {
            ranks: &self.ranks,
            below: 0,
            facts: TopicFacts { grades: &self.grades, pooled_unjudged: self.pooled_unjudged },
            collection: self.collection,
            details: Details {
                kind: self.kind,
                marks: &self.marks,
                documents: &self.documents,
                judgements: &self.judgements,
                certain: &[],
                fixed_size: &self.fixed_size,
            },
        }
    }

    /// The judgements in rank order.
    pub fn ranks(&self) -> &[Judgement] {
        &self.ranks
    }

    /// The judgements of the documents that were not retrieved.
    pub fn missed(&self) -> &[Judgement] {
        &self.missed
    }
}

/// How the documents of such judgements are written, for the pages that show examples.
pub fn legend(kind: JudgementKind) -> &'static str {
    match kind {
        JudgementKind::Grades => "a grade, `?` for pooled but unjudged, `-` for outside the pool",
        JudgementKind::Subtopics => {
            "the letters of the subtopics a document is relevant to, each with its grade where that is not 1; `0` for none, \
             `-` for outside the pool"
        }
        JudgementKind::Groups => "the letter of each judgement group and the grade it gave; `-` for outside the pool",
        JudgementKind::Preferences => {
            "the letter of each judgement group, a capital for its subgroup, and the document's place there, the larger \
             preferred; `-` for outside the pool"
        }
        JudgementKind::Strata => {
            "the letter of the stratum and the grade, `-1` for not sampled; `-` for outside the pool"
        }
        JudgementKind::Probabilities => {
            "the grade, the letter of the method and the probability of having been chosen where it is not 1; `-` for \
             not judged"
        }
    }
}

fn documents(kind: JudgementKind, text: &str) -> Result<Vec<Document>, String> {
    text.split_whitespace().map(|sign| document(kind, sign)).collect()
}

fn document(kind: JudgementKind, sign: &str) -> Result<Document, String> {
    let plain = match sign {
        "?" => Some(Judgement::PooledUnjudged),
        "-" => Some(Judgement::Unpooled),
        _ => sign.parse().ok().and_then(Grade::new).map(Judgement::Grade),
    };
    if let Some(judgement) = plain {
        return Ok((judgement, Vec::new()));
    }
    if kind == JudgementKind::Grades {
        return Err(format!("expected a grade from 0, '?' or '-', found '{sign}'"));
    }
    let marked = if kind == JudgementKind::Probabilities { chosen(sign) } else { marks(sign) };
    marked.ok_or_else(|| format!("expected marks such as ab or a0b2, a grade from 0, '?' or '-', found '{sign}'"))
}

/// `2a0.5`: a grade, then the mark with its probability.
fn chosen(sign: &str) -> Option<Document> {
    let (number, mark) = sign.split_at(sign.find(|c: char| c.is_ascii_lowercase())?);
    let (_, marks) = marks(mark).filter(|(_, marks)| marks.len() == 1)?;
    Some((Judgement::Grade(Grade::new(number.parse().ok()?)?), marks))
}

/// `a0bC2`: marks, and as the plain judgement the best of their numbers.
fn marks(sign: &str) -> Option<Document> {
    let mut marks = Vec::new();
    let mut best = Judgement::PooledUnjudged;
    let mut rest = sign;
    while let Some(letter) = rest.chars().next() {
        let group = u32::from(letter.is_ascii_lowercase().then(|| letter as u8 - b'a')?);
        rest = &rest[1..];
        let capital = rest.bytes().next().filter(u8::is_ascii_uppercase);
        let subgroup = capital.map_or(0, |capital| u32::from(capital - b'A') + 1);
        rest = &rest[usize::from(capital.is_some())..];
        let end = rest.find(|c: char| c.is_ascii_lowercase()).unwrap_or(rest.len());
        let value: f64 = if end == 0 { 1.0 } else { rest[..end].parse().ok()? };
        rest = &rest[end..];
        let judgement = Judgement::from_number(value)?;
        if judgement.grade() > best.grade() {
            best = judgement;
        }
        marks.push(Mark { document: NO_DOCUMENT, group, subgroup, value });
    }
    (!marks.is_empty()).then_some((best, marks))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_written_by_letter() {
        let owned = Owned::parse_marked(JudgementKind::Subtopics, "ba - a0b2 0", "c-1 aB3", CollectionFacts::default())
            .unwrap();
        let listed: Vec<_> =
            owned.marks.iter().map(|mark| (mark.document, mark.group, mark.subgroup, mark.value)).collect();
        let expected = [
            (0, 0, 0, 1.0),
            (0, 1, 0, 1.0),
            (1, 0, 0, 0.0),
            (1, 1, 0, 2.0),
            // Document 2 is the plain 0; what was not retrieved follows.
            (3, 2, 0, -1.0),
            (4, 0, 2, 3.0),
        ];
        assert_eq!(listed, expected);
        assert_eq!(owned.view().details.documents, [0, NO_DOCUMENT, 1, 2]);
        let best: Vec<_> = owned.ranks().iter().chain(owned.missed()).map(|judgement| judgement.grade()).collect();
        assert_eq!(best, [Some(1.0), None, Some(2.0), Some(0.0), None, Some(3.0)]);
    }

    #[test]
    fn a_grade_stands_before_its_probability() {
        let kind = JudgementKind::Probabilities;
        let owned = Owned::parse_marked(kind, "2a0.5 -", "0b", CollectionFacts::default()).unwrap();
        let listed: Vec<_> = owned.marks.iter().map(|mark| (mark.document, mark.group, mark.value)).collect();
        assert_eq!(listed, [(0, 0, 0.5), (1, 1, 1.0)]);
        let grades: Vec<_> = owned.view().details.judgements.iter().map(|judgement| judgement.grade()).collect();
        assert_eq!(grades, [Some(2.0), Some(0.0)]);
    }

    #[test]
    fn signs_that_are_none() {
        for (kind, sign) in [
            (JudgementKind::Grades, "a"),
            (JudgementKind::Grades, "-1"),
            (JudgementKind::Subtopics, "A"),
            (JudgementKind::Subtopics, "a1.2.3"),
            (JudgementKind::Subtopics, "aé"),
            (JudgementKind::Subtopics, "é"),
            (JudgementKind::Probabilities, "a0.5"),
            (JudgementKind::Probabilities, "1a0.5b"),
        ] {
            let error = Owned::parse_marked(kind, sign, "", CollectionFacts::default()).unwrap_err();
            assert!(error.contains(sign), "{error}");
        }
    }
}
