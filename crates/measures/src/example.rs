//! Topics written as text: worked examples, `karat explain`, tests.
//!
//! A ranking is `1 0 ? - 2`: grades, `?` for pooled but unjudged, `-` for outside the pool; what else the judgements
//! hold is written the same way.

use karat_data::{CollectionFacts, Details, Grade, Judgement, TopicFacts, TopicView};

use crate::info::Example;

/// A topic that owns what a [`TopicView`] borrows.
#[derive(Debug, Clone, PartialEq)]
pub struct Owned {
    ranks: Vec<Judgement>,
    missed: Vec<Judgement>,
    grades: Vec<(Grade, u32)>,
    pooled_unjudged: u32,
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
        Owned { ranks, missed, grades, pooled_unjudged, collection }
    }

    /// From text.
    ///
    /// # Errors
    /// A sign that is neither a grade nor `?` nor `-`.
    pub fn parse(ranking: &str, missed: &str, collection: CollectionFacts) -> Result<Owned, String> {
        Ok(Owned::new(judgements(ranking)?, judgements(missed)?, collection))
    }

    /// The topic of a worked example.
    ///
    /// # Errors
    /// As [`Owned::parse`].
    pub fn of(example: &Example) -> Result<Owned, String> {
        let documents = (example.documents > 0).then_some(example.documents);
        Owned::parse(
            example.ranking,
            example.missed,
            CollectionFacts { max_grade: example.max_grade, documents, ..CollectionFacts::default() },
        )
    }

    /// What a measure sees.
    pub fn view(&self) -> TopicView<'_> {
        TopicView {
            ranks: &self.ranks,
            facts: TopicFacts { grades: &self.grades, pooled_unjudged: self.pooled_unjudged },
            collection: self.collection,
            details: Details::default(),
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

fn judgements(text: &str) -> Result<Vec<Judgement>, String> {
    text.split_whitespace()
        .map(|sign| match sign {
            "?" => Ok(Judgement::PooledUnjudged),
            "-" => Ok(Judgement::Unpooled),
            _ => sign
                .parse()
                .ok()
                .and_then(Grade::new)
                .map(Judgement::Grade)
                .ok_or_else(|| format!("expected a grade from 0, '?' or '-', found '{sign}'")),
        })
        .collect()
}
