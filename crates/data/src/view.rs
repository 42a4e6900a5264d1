//! What a measure sees of one topic: the judgements in rank order, and the facts of the topic and the collection.
//!
//! No name of a document gets this far, so no measure can depend on one.

use crate::judgement::{Grade, Judgement};
use crate::marks::Details;
use crate::qrels::Qrels;

/// What the judgements say about a topic, whatever any run retrieved.
#[derive(Debug, Clone, Copy, Default)]
pub struct TopicFacts<'a> {
    /// How many documents were judged at each grade, by ascending grade; only grades that occur.
    pub grades: &'a [(Grade, u32)],
    /// How many documents are in the judgement file without a grade.
    pub pooled_unjudged: u32,
}

impl TopicFacts<'_> {
    /// Documents judged at `level` or above.
    #[inline]
    pub fn relevant(&self, level: f64) -> u32 {
        self.grades.iter().filter(|(grade, _)| grade.value() >= level).map(|(_, count)| count).sum()
    }

    /// Documents judged below `level`.
    #[inline]
    pub fn judged_nonrelevant(&self, level: f64) -> u32 {
        self.grades.iter().filter(|(grade, _)| grade.value() < level).map(|(_, count)| count).sum()
    }

    /// Documents judged.
    #[inline]
    pub fn judged(&self) -> u32 {
        self.grades.iter().map(|(_, count)| count).sum()
    }
}

/// What holds for all topics together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CollectionFacts {
    /// The largest grade a document can have: the largest in the judgements, or what the user said.
    pub max_grade: f64,
    /// Whether all grades are whole numbers, so that a document not yet judged will have a whole one too.
    pub whole_grades: bool,
    /// Documents in the collection, where the user said.
    pub documents: Option<u64>,
}

impl Default for CollectionFacts {
    fn default() -> Self {
        CollectionFacts { max_grade: 1.0, whole_grades: true, documents: None }
    }
}

/// As far as grades go in files.
const LARGEST_GRADE: f64 = 1e9;

/// A largest grade that the judgements contradict.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MaxGradeError {
    /// What was given.
    pub given: f64,
    /// The largest grade of the judgements.
    pub least: f64,
    /// As far as grades go.
    pub most: f64,
}

impl CollectionFacts {
    /// What holds for the whole collection, given what the user said of it. `qrels` has all topics, so that a topic's score does not
    /// depend on which others are looked at.
    ///
    /// # Errors
    /// The largest grade given is below one in the judgements.
    pub fn new(
        qrels: &Qrels,
        max_grade: Option<f64>,
        documents: Option<u64>,
    ) -> Result<CollectionFacts, MaxGradeError> {
        let largest = qrels.max_grade().unwrap_or(0.0);
        let max_grade = match max_grade {
            Some(given) if given >= largest && given <= LARGEST_GRADE => given,
            Some(given) => return Err(MaxGradeError { given, least: largest, most: LARGEST_GRADE }),
            None if largest > 0.0 => largest,
            // Nothing but 0 judged so far: a relevant document would have grade 1.
            None => 1.0,
        };
        let whole_grades = qrels.has_whole_grades() && max_grade.fract() == 0.0;
        Ok(CollectionFacts { max_grade, whole_grades, documents })
    }
}

/// One topic of one run.
#[derive(Debug, Clone, Copy)]
pub struct TopicView<'a> {
    /// What is known of the documents, best rank first.
    pub ranks: &'a [Judgement],
    /// Documents that the run has below the ranks (`-M`) and that are not in the judgements.
    pub below: u32,
    /// The topic.
    pub facts: TopicFacts<'a>,
    /// The collection.
    pub collection: CollectionFacts,
    /// What is known beyond grades, for the measures that need it.
    pub details: Details<'a>,
}
