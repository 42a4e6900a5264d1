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

/// What a problem with a docno calls the field, as long as nobody knows the format.
pub const DOCNO: &str = "docno (field 3)";

/// What stands at the ranks of a topic.
#[derive(Debug, Clone, Copy, Default)]
pub struct Ranking<'a> {
    /// What is known of the documents, best rank first.
    pub ranks: &'a [Judgement],
    /// Which documents of the judgements they are; empty where the judgements are plain grades and nobody asks.
    pub documents: &'a [u32],
}

/// Buffers for one thread.
#[derive(Debug, Default)]
pub struct Aligner {
    hashes: Vec<u64>,
    seen: Vec<u64>,
    slots: Vec<u32>,
    order: Vec<(f64, u32)>,
    judgements: Vec<Judgement>,
    ranks: Vec<Judgement>,
    documents: Vec<u32>,
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
    ) -> Result<Ranking<'_>, Vec<LineProblem>> {
        let suspicious = self.look_up(qrels, topic, rows);
        let in_order = is_in_order(rows, policy);
        if !in_order {
            self.sort(rows, policy);
        }
        let depth = policy.depth.unwrap_or(usize::MAX).min(rows.len());
        if suspicious {
            let problems = if policy.duplicates_below_depth || in_order {
                let checked = if policy.duplicates_below_depth { rows.len() } else { depth };
                self.duplicates(rows, 0..checked)
            } else {
                let kept: Vec<usize> = self.order[..depth].iter().map(|&(_, row)| row as usize).collect();
                self.duplicates(rows, kept.into_iter())
            };
            if !problems.is_empty() {
                return Err(problems);
            }
        }
        self.ranks.clear();
        if in_order {
            self.ranks.extend_from_slice(&self.judgements[..depth]);
        } else {
            let judgements = &self.judgements;
            self.ranks.extend(self.order[..depth].iter().map(|&(_, row)| judgements[row as usize]));
        }
        self.documents.clear();
        if qrels.marks().is_some() {
            let document = |row: usize| qrels.document(topic, rows[row].docno, self.hashes[row]);
            if in_order {
                self.documents.extend((0..depth).map(document));
            } else {
                self.documents.extend(self.order[..depth].iter().map(|&(_, row)| document(row as usize)));
            }
        }
        if policy.judged_only {
            let mut judged = self.ranks.iter().map(|judgement| judgement.is_judged());
            self.documents.retain(|_| judged.next().unwrap_or(false));
            self.ranks.retain(|judgement| judgement.is_judged());
        }
        Ok(Ranking { ranks: &self.ranks, documents: &self.documents })
    }

    /// Judgements and hashes of all rows; true when a document may occur twice.
    ///
    /// The suspicion is a Bloom filter of one word per row with three bits in it: a thousand rows cost one cache line
    /// each, and about one topic in ten is looked at again for nothing.
    fn look_up(&mut self, qrels: &Qrels, topic: TopicIndex, rows: &[Row<'_>]) -> bool {
        self.hashes.clear();
        self.judgements.clear();
        self.seen.clear();
        self.seen.resize(rows.len().next_power_of_two(), 0);
        let mask = self.seen.len() - 1;
        let mut suspicious = false;
        for row in rows {
            let hash = hash::of(row.docno);
            let bits = 1u64 << (hash >> 58) | 1u64 << (hash >> 52 & 63) | 1u64 << (hash >> 46 & 63);
            let word = &mut self.seen[hash as usize & mask];
            suspicious |= *word & bits == bits;
            *word |= bits;
            self.hashes.push(hash);
            self.judgements.push(qrels.judgement(topic, row.docno, hash));
        }
        suspicious
    }

    fn sort(&mut self, rows: &[Row<'_>], policy: &Policy) {
        self.order.clear();
        self.order.extend(rows.iter().enumerate().map(|(index, row)| (score(row, policy), index as u32)));
        self.order.sort_by(|a, b| {
            by_score(a.0, b.0).then_with(|| match policy.ties {
                Ties::Docno => rows[b.1 as usize].docno.cmp(rows[a.1 as usize].docno),
                Ties::File => Ordering::Equal,
            })
        });
    }

    fn duplicates(&mut self, rows: &[Row<'_>], checked: impl ExactSizeIterator<Item = usize>) -> Vec<LineProblem> {
        let mut problems = Vec::new();
        self.slots.clear();
        self.slots.resize(hash::slots_for(checked.len()), 0);
        for row in checked {
            let hash = self.hashes[row];
            let found = hash::probe(&self.slots, hash, |other| {
                self.hashes[other] == hash && rows[other].docno == rows[row].docno
            });
            match found {
                Err(free) => self.slots[free] = row as u32 + 1,
                Ok(other) => problems.push(duplicate(rows, other, row)),
            }
        }
        problems
    }
}

#[inline]
fn score(row: &Row<'_>, policy: &Policy) -> f64 {
    match policy.precision {
        ScorePrecision::F64 => row.score,
        ScorePrecision::F32 => f64::from(row.score as f32),
    }
}

/// Larger first. Scores are numbers; a source that lets others through gets them treated as equal.
#[inline]
fn by_score(a: f64, b: f64) -> Ordering {
    b.partial_cmp(&a).unwrap_or(Ordering::Equal)
}

/// Runs mostly come in order; looking costs a comparison a row, sorting ten.
fn is_in_order(rows: &[Row<'_>], policy: &Policy) -> bool {
    rows.windows(2).all(|pair| match by_score(score(&pair[0], policy), score(&pair[1], policy)) {
        Ordering::Less => true,
        Ordering::Greater => false,
        Ordering::Equal => policy.ties == Ties::File || pair[0].docno >= pair[1].docno,
    })
}

fn duplicate(rows: &[Row<'_>], first: usize, second: usize) -> LineProblem {
    let found = format!("{} again", quote(rows[first].docno));
    let remedy = "keep one of the two lines, the one with the higher score if the system meant it once";
    let (a, b) = (rows[first].line, rows[second].line);
    LineProblem {
        line: a.max(b),
        also_line: Some(a.min(b)),
        ..LineProblem::new(DOCNO, "each document once per topic", found, remedy)
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

    fn grades(ranking: Ranking<'_>) -> String {
        ranking
            .ranks
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
        assert_eq!((problems[0].line, problems[0].also_line), (7, Some(0)));
        let trec = Policy { depth: Some(2), duplicates_below_depth: false, ..Policy::default() };
        assert_eq!(grades(aligner.align(&qrels, topic, &rows, &trec).unwrap()), "10");
    }
}
