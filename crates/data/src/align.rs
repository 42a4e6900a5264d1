//! From the rows of a topic to the judgements in rank order: order, cut, look up, check for duplicates.
//!
//! Order of the steps is trec_eval's: sort, cut at the depth, check for documents that occur twice, then drop the
//! unjudged if asked to. One [`Aligner`] per thread keeps its buffers, so a topic costs no allocation.

use std::cmp::Ordering;
use std::ops::Range;

use crate::hash;
use crate::judgement::Judgement;
use crate::policy::{Policy, ScorePrecision, Ties};
use crate::problem::{LineProblem, ProblemKind, quote};
use crate::qrels::{Qrels, TopicIndex};
use crate::source::Row;
use crate::ties::{TieBuffer, TieGroups};

/// What a problem with a docno calls the field, as long as nobody knows the format.
pub const DOCNO: &str = "docno (field 3)";

/// So many rows are each compared with all others.
const FEW: usize = 8;

/// What stands at the ranks of a topic.
#[derive(Debug, Clone, Copy, Default)]
pub struct Ranking<'a> {
    /// What is known of the documents, best rank first.
    pub ranks: &'a [Judgement],
    /// Documents that were retrieved below the depth and are not in the judgements: they may be relevant for all that is known.
    pub below: u32,
    /// Which documents of the judgements they are; empty where the judgements are plain grades and nobody asks.
    pub documents: &'a [u32],
    /// The groups of equal score among them; empty where the aligner was not asked for them.
    pub ties: TieGroups<'a>,
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
    wants_ties: bool,
    distinct: bool,
    /// Whether the rows last aligned stood in rank order.
    in_order: bool,
    /// The places of the order whose document is tied with the next one.
    tied: Vec<usize>,
    ties: TieBuffer,
}

impl Aligner {
    /// An empty one.
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty one that tells which documents are tied.
    pub fn with_ties() -> Self {
        Aligner { wants_ties: true, ..Self::default() }
    }

    /// An empty one for lists whose documents are known to differ, as keys of a mapping do: nobody looks for duplicates.
    pub fn of_distinct() -> Self {
        Aligner { distinct: true, ..Self::default() }
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
        let written = self.arrange(rows, policy);
        let depth = policy.depth.unwrap_or(usize::MAX).min(rows.len());
        if suspicious {
            self.refuse_duplicates(rows, policy, depth)?;
        }
        let as_written = self.in_order && !policy.judged_only;
        self.ranks.clear();
        if !as_written {
            self.collect_ranks(written, depth);
        }
        self.documents.clear();
        if qrels.marks().is_some() {
            self.collect_documents(qrels, topic, rows, depth);
        }
        if policy.judged_only {
            let mut judged = self.ranks.iter().map(|judgement| judgement.is_judged());
            self.documents.retain(|_| judged.next().unwrap_or(false));
            self.ranks.retain(|judgement| judgement.is_judged());
        }
        self.ties.clear();
        if self.wants_ties && !self.tied.is_empty() {
            self.collect_ties(qrels, topic, rows, depth, policy.judged_only);
        }
        let below = if depth == rows.len() { 0 } else { self.unpooled_below(depth) };
        let ranks = if as_written { &self.judgements[..depth] } else { &self.ranks };
        Ok(Ranking { ranks, below, documents: &self.documents, ties: self.ties.groups() })
    }

    /// Puts the rows in rank order, unless they stand in it, and notes which places are tied with the next.
    #[inline]
    fn arrange(&mut self, rows: &[Row<'_>], policy: &Policy) -> Written {
        let written = order_of(rows, policy, &mut self.tied);
        self.in_order = written == Written::InOrder;
        match written {
            Written::InOrder => {}
            Written::Falling => self.sort_ties(rows, policy),
            Written::Unsorted => {
                self.sort(rows, policy);
                self.tied.clear();
                if self.wants_ties {
                    let pairs = self.order.windows(2).enumerate();
                    self.tied.extend(pairs.filter(|(_, pair)| pair[0].0 == pair[1].0).map(|(place, _)| place));
                }
            }
        }
        written
    }

    fn refuse_duplicates(&mut self, rows: &[Row<'_>], policy: &Policy, depth: usize) -> Result<(), Vec<LineProblem>> {
        let problems = if policy.duplicates_below_depth || self.in_order {
            let checked = if policy.duplicates_below_depth { rows.len() } else { depth };
            self.duplicates(rows, 0..checked)
        } else {
            let kept: Vec<usize> = self.order[..depth].iter().map(|&(_, row)| row as usize).collect();
            self.duplicates(rows, kept.into_iter())
        };
        if problems.is_empty() { Ok(()) } else { Err(problems) }
    }

    /// The judgements in rank order.
    #[inline]
    fn collect_ranks(&mut self, written: Written, depth: usize) {
        let (judgements, order) = (&self.judgements, &self.order);
        match written {
            Written::InOrder => self.ranks.extend_from_slice(&judgements[..depth]),
            Written::Falling => {
                self.ranks.extend_from_slice(&judgements[..depth]);
                for place in self.tied.iter().flat_map(|&place| place..place + 2).take_while(|&place| place < depth) {
                    self.ranks[place] = judgements[order[place].1 as usize];
                }
            }
            Written::Unsorted => self.ranks.extend(order[..depth].iter().map(|&(_, row)| judgements[row as usize])),
        }
    }

    /// Which documents of the judgements stand at the ranks.
    #[inline]
    fn collect_documents(&mut self, qrels: &Qrels, topic: TopicIndex, rows: &[Row<'_>], depth: usize) {
        let document = |row: usize| qrels.document(topic, rows[row].docno, self.hashes[row]);
        if self.in_order {
            self.documents.extend((0..depth).map(document));
        } else {
            self.documents.extend(self.order[..depth].iter().map(|&(_, row)| document(row as usize)));
        }
    }

    #[inline]
    fn collect_ties(&mut self, qrels: &Qrels, topic: TopicIndex, rows: &[Row<'_>], depth: usize, judged_only: bool) {
        let (order, in_order) = (&self.order, self.in_order);
        let at = |place: usize| if in_order { place } else { order[place].1 as usize };
        let document = |row: usize| qrels.document(topic, rows[row].docno, self.hashes[row]);
        let documents: Option<&dyn Fn(usize) -> u32> = if qrels.marks().is_some() { Some(&document) } else { None };
        let reading = Reading { tied: &self.tied, depth, judged_only };
        collect_ties(&mut self.ties, &self.judgements, reading, at, documents);
    }

    /// Documents below the depth that are not in the judgements.
    #[inline]
    fn unpooled_below(&self, depth: usize) -> u32 {
        if self.in_order {
            unpooled(self.judgements[depth..].iter())
        } else {
            unpooled(self.order[depth..].iter().map(|&(_, row)| &self.judgements[row as usize]))
        }
    }

    /// The rows last aligned in rank order, all of them, whatever the depth.
    pub fn aligned<'r, 'a>(&'r self, rows: &'r [Row<'a>]) -> impl Iterator<Item = &'r Row<'a>> {
        (0..rows.len()).map(|place| if self.in_order { &rows[place] } else { &rows[self.order[place].1 as usize] })
    }

    /// The rows in rank order, cut at the depth, for those who ask which documents they are and not how they were judged.
    ///
    /// # Errors
    /// Every document that occurs twice.
    pub fn order(&mut self, rows: &[Row<'_>], policy: &Policy) -> Result<Vec<usize>, Vec<LineProblem>> {
        self.hashes.clear();
        self.hashes.extend(rows.iter().map(|row| hash::of(row.docno)));
        self.sort(rows, policy);
        let depth = policy.depth.unwrap_or(usize::MAX).min(rows.len());
        let kept: Vec<usize> = self.order[..depth].iter().map(|&(_, row)| row as usize).collect();
        let problems = if policy.duplicates_below_depth {
            self.duplicates(rows, 0..rows.len())
        } else {
            self.duplicates(rows, kept.iter().copied())
        };
        if problems.is_empty() { Ok(kept) } else { Err(problems) }
    }

    /// Judgements and hashes of all rows; true when a document may occur twice.
    ///
    /// The suspicion is a Bloom filter of one word per row with three bits in it: a thousand rows cost one cache line
    /// each, and about one topic in ten is looked at again for nothing. The hashes of a few rows are compared themselves.
    fn look_up(&mut self, qrels: &Qrels, topic: TopicIndex, rows: &[Row<'_>]) -> bool {
        let (names, documents) = (hash::Names::get(), qrels.look_up(topic));
        self.hashes.clear();
        self.hashes.extend(rows.iter().map(|row| names.hash(row.docno)));
        if rows.len() <= FEW || self.distinct {
            self.judgements.clear();
            let rows = rows.iter().zip(&self.hashes);
            self.judgements.extend(rows.map(|(row, &hash)| documents.judgement(row.docno, hash)));
            return !self.distinct
                && self.hashes.iter().enumerate().any(|(place, hash)| self.hashes[..place].contains(hash));
        }
        self.seen.clear();
        self.seen.resize(rows.len().next_power_of_two(), 0);
        let mask = self.seen.len() - 1;
        let mut suspicious = false;
        self.judgements.clear();
        self.judgements.extend(rows.iter().zip(&self.hashes).map(|(row, &hash)| {
            let bits = 1u64 << (hash >> 58) | 1u64 << (hash >> 52 & 63) | 1u64 << (hash >> 46 & 63);
            let word = &mut self.seen[hash as usize & mask];
            suspicious |= *word & bits == bits;
            *word |= bits;
            documents.judgement(row.docno, hash)
        }));
        suspicious
    }

    fn sort(&mut self, rows: &[Row<'_>], policy: &Policy) {
        self.list(rows, policy);
        self.order.sort_by(|a, b| by_score(a.0, b.0).then_with(|| by_rule(rows, policy, a.1, b.1)));
    }

    /// The same for rows whose scores never rise, so that only tied ones can be out of order.
    fn sort_ties(&mut self, rows: &[Row<'_>], policy: &Policy) {
        self.list(rows, policy);
        for group in groups(&self.tied) {
            self.order[group].sort_by(|a, b| by_rule(rows, policy, a.1, b.1));
        }
    }

    /// The rows in the order of the file.
    fn list(&mut self, rows: &[Row<'_>], policy: &Policy) {
        self.order.clear();
        self.order.extend(rows.iter().enumerate().map(|(index, row)| (score(row, policy), index as u32)));
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

/// What of the rows becomes ranks.
struct Reading<'a> {
    /// The places whose document is tied with the next one.
    tied: &'a [usize],
    depth: usize,
    judged_only: bool,
}

/// The groups of equal score. `at` tells the row at a place of the order; `document` the document of a row,
/// where measures may ask.
fn collect_ties(
    ties: &mut TieBuffer,
    judgements: &[Judgement],
    reading: Reading<'_>,
    at: impl Fn(usize) -> usize,
    document: Option<&dyn Fn(usize) -> u32>,
) {
    let stays = |row: usize| !reading.judged_only || judgements[row].is_judged();
    let staying = |places: Range<usize>| places.map(&at).filter(|&row| stays(row));
    // The rank, as an index, of the first document of the group: places above it less those taken out.
    let (mut start, mut counted) = (0, 0);
    for Range { start: place, end } in groups(reading.tied) {
        if place >= reading.depth {
            break;
        }
        start += if reading.judged_only { staying(counted..place).count() } else { place - counted };
        counted = place;
        let all = staying(place..end).count();
        if end > reading.depth && all > 0 && all < end - place {
            ties.set_unclear();
        } else {
            let shown = staying(place..end.min(reading.depth)).count();
            let members = staying(place..end).map(|row| judgements[row]);
            let documents = document.into_iter().flat_map(|document| staying(place..end).map(document));
            ties.push(start, shown, members, documents);
        }
    }
}

/// The places of each group of equal scores, from those whose document is tied with the next one: places one after the
/// other are of one group.
fn groups(tied: &[usize]) -> impl Iterator<Item = Range<usize>> + '_ {
    tied.chunk_by(|place, next| place + 1 == *next).map(|group| group[0]..group[group.len() - 1] + 2)
}

fn unpooled<'a>(judgements: impl Iterator<Item = &'a Judgement>) -> u32 {
    judgements.filter(|judgement| **judgement == Judgement::Unpooled).count() as u32
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

/// Two rows of equal score by the rule for ties.
#[inline]
fn by_rule(rows: &[Row<'_>], policy: &Policy, a: u32, b: u32) -> Ordering {
    let (a, b) = (rows[a as usize].docno, rows[b as usize].docno);
    match policy.ties {
        Ties::Docno | Ties::Range => b.cmp(a),
        Ties::DocnoRising => a.cmp(b),
        Ties::File => Ordering::Equal,
    }
}

/// How the rows of a topic stand in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Written {
    /// In rank order.
    InOrder,
    /// By descending score, but ties are not in the order of the tie rule.
    Falling,
    /// In another order.
    Unsorted,
}

/// Runs mostly come by falling score; checking costs one comparison per row, sorting about ten. Where they do, `tied` gets the places
/// whose document is tied with the next one.
fn order_of(rows: &[Row<'_>], policy: &Policy, tied: &mut Vec<usize>) -> Written {
    tied.clear();
    let mut written = Written::InOrder;
    for (place, pair) in rows.windows(2).enumerate() {
        match by_score(score(&pair[0], policy), score(&pair[1], policy)) {
            Ordering::Less => {}
            Ordering::Greater => return Written::Unsorted,
            Ordering::Equal => {
                tied.push(place);
                if by_rule(rows, policy, place as u32, place as u32 + 1) == Ordering::Greater {
                    written = Written::Falling;
                }
            }
        }
    }
    written
}

fn duplicate(rows: &[Row<'_>], first: usize, second: usize) -> LineProblem {
    let found = format!("{} again", quote(rows[first].docno));
    let remedy = "keep one of the two, for example the one with the higher score";
    let (a, b) = (rows[first].line, rows[second].line);
    LineProblem {
        line: a.max(b),
        also_line: Some(a.min(b)),
        kind: ProblemKind::Repeated,
        ..LineProblem::new(DOCNO, "each document once per topic", found, remedy)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::marks::{JudgementKind, MarkedBuilder, MarkedRow};
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
        letters(ranking.ranks)
    }

    fn letters(ranks: &[Judgement]) -> String {
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
        assert_eq!((problems[0].line, problems[0].also_line), (7, Some(0)));
        let trec = Policy { depth: Some(2), duplicates_below_depth: false, ..Policy::default() };
        assert_eq!(grades(aligner.align(&qrels, topic, &rows, &trec).unwrap()), "10");
    }

    #[test]
    fn documents_known_to_differ_are_ranked_alike() {
        let qrels = abc();
        let topic = qrels.find(b"1").unwrap();
        let names: Vec<String> = (0..40).map(|number| format!("d{number}")).collect();
        let others = names.iter().zip(0u32..).map(|(name, number)| row(name, f64::from(number % 7), number));
        let rows: Vec<_> = [row("b", 3.0, 0), row("a", 6.5, 1), row("c", 3.0, 2)].into_iter().chain(others).collect();
        for policy in [Policy::default(), Policy { judged_only: true, depth: Some(20), ..Policy::default() }] {
            let (mut plain, mut distinct) = (Aligner::new(), Aligner::of_distinct());
            let expected = grades(plain.align(&qrels, topic, &rows, &policy).unwrap());
            assert_eq!(grades(distinct.align(&qrels, topic, &rows, &policy).unwrap()), expected);
        }
    }

    /// The groups as "start-end:members".
    fn groups(rows: &[Row<'_>], policy: &Policy) -> (Vec<String>, bool) {
        let qrels = abc();
        let topic = qrels.find(b"1").unwrap();
        let mut aligner = Aligner::with_ties();
        let ties = aligner.align(&qrels, topic, rows, policy).unwrap().ties;
        let text = |group: crate::TieGroup<'_>| format!("{}-{}:{}", group.start, group.end, letters(group.members));
        (ties.iter().map(text).collect(), ties.is_unclear())
    }

    #[test]
    fn tied_documents_are_told_where_their_order_could_matter() {
        // a 1, b 0, c pooled but unjudged, x y z outside the pool. z alone; c b a tied; y x tied and alike.
        let rows = [("z", 9.0), ("b", 5.0), ("a", 5.0), ("c", 5.0), ("y", 2.0), ("x", 2.0)].map(|(d, s)| row(d, s, 0));
        let whole = Policy::default();
        assert_eq!(groups(&rows, &whole), (vec!["1-4:?01".into()], false));
        // In order already: the same.
        let sorted = [rows[0], rows[3], rows[1], rows[2], rows[4], rows[5]];
        assert_eq!(groups(&sorted, &whole), (vec!["1-4:?01".into()], false));
        // The depth cuts through the group: what is below it is a member still.
        let cut = Policy { depth: Some(2), ..whole };
        assert_eq!(groups(&rows, &cut), (vec!["1-2:?01".into()], false));
        assert_eq!(groups(&rows, &Policy { depth: Some(1), ..whole }), (vec![], false));
        // Without the unjudged: z and c go.
        let judged = Policy { judged_only: true, ..whole };
        assert_eq!(groups(&rows, &judged), (vec!["0-2:01".into()], false));
        // Cut first, then without the unjudged: 1 or 2 documents are left, as the order will have it.
        assert_eq!(groups(&rows, &Policy { judged_only: true, ..cut }), (vec![], true));
        // Not asked for.
        let (qrels, mut aligner) = (abc(), Aligner::new());
        let topic = qrels.find(b"1").unwrap();
        assert!(aligner.align(&qrels, topic, &rows, &whole).unwrap().ties.is_empty());
    }

    #[test]
    fn tied_documents_with_marks_are_told_apart() {
        let mut builder = MarkedBuilder::new(JudgementKind::Subtopics);
        for (docno, group) in [("a", "1"), ("b", "2"), ("c", "3")] {
            let judgement = Judgement::from_number(1.0).unwrap();
            builder.push(&MarkedRow {
                topic: b"1",
                docno: docno.as_bytes(),
                judgement,
                group: group.as_bytes(),
                subgroup: b"",
                value: 1.0,
            });
        }
        let qrels = builder.finish().0;
        let topic = qrels.find(b"1").unwrap();
        // All of grade 1, yet of three subtopics; c is tied with nothing.
        let rows = [row("a", 5.0, 0), row("b", 5.0, 1), row("c", 4.0, 2)];
        let mut aligner = Aligner::with_ties();
        let ranking = aligner.align(&qrels, topic, &rows, &Policy::default()).unwrap();
        let groups: Vec<_> = ranking.ties.iter().collect();
        assert_eq!(groups.len(), 1);
        assert_eq!((groups[0].start, groups[0].end), (0, 2));
        assert_eq!(groups[0].documents, &ranking.documents[..2]);
        assert_ne!(groups[0].documents[0], groups[0].documents[1]);
    }
}
