//! From the rows of a topic to the judgements in rank order: order, cut, look up, check for duplicates.
//!
//! Order of the steps is trec_eval's: sort, cut at the depth, check for documents that occur twice, then drop the
//! unjudged if asked to. One [`Aligner`] per thread keeps its buffers, so a topic costs no allocation.

use std::cmp::Ordering;

use crate::hash;
use crate::judgement::Judgement;
use crate::policy::{Policy, ScorePrecision, Ties};
use crate::problem::{LineProblem, quote};
use crate::qrels::{Qrels, TopicIndex};
use crate::source::Row;

/// Buffers for one thread.
#[derive(Debug, Default)]
pub struct Aligner {
    hashes: Vec<u64>,
    slots: Vec<u32>,
    order: Vec<(f64, u32)>,
    ranks: Vec<Judgement>,
}

impl Aligner {
    /// An empty one.
    pub fn new() -> Self {
        Self::default()
    }

    /// The judgements in rank order of `rows` for `topic`.
    ///
    /// # Errors
    /// Every document that occurs twice.
    pub fn align(
        &mut self,
        qrels: &Qrels,
        topic: TopicIndex,
        rows: &[Row<'_>],
        policy: &Policy,
    ) -> Result<&[Judgement], Vec<LineProblem>> {
        self.hashes.clear();
        self.hashes.extend(rows.iter().map(|row| hash::of(row.docno)));
        self.sort(rows, policy);
        let depth = policy.depth.unwrap_or(usize::MAX).min(rows.len());
        let checked = if policy.duplicates_below_depth { rows.len() } else { depth };
        let problems = self.duplicates(rows, checked);
        if !problems.is_empty() {
            return Err(problems);
        }
        self.ranks.clear();
        let (hashes, order) = (&self.hashes, &self.order[..depth]);
        self.ranks.extend(
            order.iter().map(|&(_, row)| qrels.judgement(topic, rows[row as usize].docno, hashes[row as usize])),
        );
        if policy.judged_only {
            self.ranks.retain(|judgement| judgement.is_judged());
        }
        Ok(&self.ranks)
    }

    /// Rows by their number, best first, as the last call of [`Aligner::align`] ordered them (before any cut).
    pub fn order(&self) -> impl ExactSizeIterator<Item = usize> + '_ {
        self.order.iter().map(|&(_, row)| row as usize)
    }

    fn sort(&mut self, rows: &[Row<'_>], policy: &Policy) {
        let score = |row: &Row<'_>| match policy.precision {
            ScorePrecision::F64 => row.score,
            ScorePrecision::F32 => f64::from(row.score as f32),
        };
        self.order.clear();
        self.order.extend(rows.iter().enumerate().map(|(index, row)| (score(row), index as u32)));
        let before = |a: &(f64, u32), b: &(f64, u32)| -> Ordering {
            b.0.partial_cmp(&a.0).unwrap_or(Ordering::Equal).then_with(|| match policy.ties {
                Ties::Docno => rows[b.1 as usize].docno.cmp(rows[a.1 as usize].docno),
                Ties::File => Ordering::Equal,
            })
        };
        // Runs mostly come in order; looking costs a comparison a row, sorting ten.
        if !self.order.is_sorted_by(|a, b| before(a, b) != Ordering::Greater) {
            self.order.sort_by(before);
        }
    }

    fn duplicates(&mut self, rows: &[Row<'_>], checked: usize) -> Vec<LineProblem> {
        let mut problems = Vec::new();
        self.slots.clear();
        self.slots.resize(hash::slots_for(checked), 0);
        let mut look = |row: usize| {
            let hash = self.hashes[row];
            let found = hash::probe(&self.slots, hash, |other| {
                self.hashes[other] == hash && rows[other].docno == rows[row].docno
            });
            match found {
                Err(free) => self.slots[free] = row as u32 + 1,
                Ok(other) => problems.push(duplicate(rows, other, row)),
            }
        };
        if checked == rows.len() {
            (0..checked).for_each(&mut look);
        } else {
            self.order[..checked].iter().for_each(|&(_, row)| look(row as usize));
        }
        problems
    }
}

fn duplicate(rows: &[Row<'_>], first: usize, second: usize) -> LineProblem {
    let docno = quote(rows[first].docno);
    let lines_between = i64::from(rows[second].line) - i64::from(rows[first].line);
    LineProblem {
        line: rows[second].line,
        field: "docno (field 3)",
        expected: "each document once per topic".into(),
        found: format!("{docno} again ({} lines after its first occurrence)", lines_between.abs()),
        remedy: "keep one of the two lines, the one with the higher score if the system meant it once".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::qrels::QrelsBuilder;

    fn row(docno: &str, score: f64, line: u32) -> Row<'_> {
        Row { docno: docno.as_bytes(), score, line }
    }

    fn abc() -> Qrels {
        let mut builder = QrelsBuilder::new();
        for (docno, value) in [("a", 1.0), ("b", 0.0), ("c", -1.0)] {
            builder.push(b"1", docno.as_bytes(), Judgement::from_number(value).unwrap());
        }
        builder.finish().0
    }

    fn grades(ranks: &[Judgement]) -> String {
        ranks
            .iter()
            .map(|judgement| match judgement {
                Judgement::Grade(grade) => grade.to_string(),
                Judgement::PooledUnjudged => "?".into(),
                Judgement::Unpooled => "-".into(),
            })
            .collect()
    }

    #[test]
    fn ties_go_by_docno_descending_or_by_the_file() {
        let qrels = abc();
        let topic = qrels.find(b"1").unwrap();
        let rows = [row("b", 1.0, 0), row("a", 1.0, 1), row("c", 1.0, 2), row("z", 2.0, 3)];
        let mut aligner = Aligner::new();
        // docno descending among the tied: c, b, a
        assert_eq!(grades(aligner.align(&qrels, topic, &rows, &Policy::default()).unwrap()), "-?01");
        let file = Policy { ties: Ties::File, ..Policy::default() };
        assert_eq!(grades(aligner.align(&qrels, topic, &rows, &file).unwrap()), "-01?");
        let judged = Policy { judged_only: true, depth: Some(3), ..Policy::default() };
        assert_eq!(grades(aligner.align(&qrels, topic, &rows, &judged).unwrap()), "0");
    }

    #[test]
    fn float32_makes_ties_that_float64_does_not() {
        let qrels = abc();
        let topic = qrels.find(b"1").unwrap();
        let rows = [row("a", 1.000_000_01, 0), row("b", 1.0, 1)];
        let mut aligner = Aligner::new();
        assert_eq!(grades(aligner.align(&qrels, topic, &rows, &Policy::default()).unwrap()), "10");
        let narrow = Policy { precision: ScorePrecision::F32, ..Policy::default() };
        assert_eq!(grades(aligner.align(&qrels, topic, &rows, &narrow).unwrap()), "01");
    }

    #[test]
    fn duplicates_are_found_wherever_they_stand() {
        let qrels = abc();
        let topic = qrels.find(b"1").unwrap();
        let rows = [row("a", 3.0, 0), row("b", 2.0, 1), row("a", 1.0, 7)];
        let mut aligner = Aligner::new();
        let problems = aligner.align(&qrels, topic, &rows, &Policy::default()).unwrap_err();
        assert_eq!(problems.len(), 1);
        assert_eq!(problems[0].line, 7);
        let trec = Policy { depth: Some(2), duplicates_below_depth: false, ..Policy::default() };
        assert_eq!(grades(aligner.align(&qrels, topic, &rows, &trec).unwrap()), "10");
    }
}
