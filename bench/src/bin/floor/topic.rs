//! The rows of a topic: read, ordered, scored.
//!
//! The one decision: runs are nearly always written best first, so order is watched while reading; a topic in order is
//! not sorted, one with ties is sorted inside its ties, and only one whose scores rise somewhere is sorted whole.

use std::cmp::Ordering;
use std::ops::Range;

use crate::line::{Line, same, split};
use crate::qrels::{Qrels, Topic};

/// nDCG looks at this many rows.
pub const DEPTH: usize = 10;

/// The gain of a grade at a row, counted from zero.
pub fn discounted(grade: i16, row: usize) -> f64 {
    f64::from(grade) / ((row + 2) as f64).log2()
}

/// Sums over the topics of a block, then of a run.
#[derive(Clone, Copy, Default)]
pub struct Sums {
    pub topics: usize,
    pub rows: usize,
    pub scores: f64,
    precision: f64,
    gain: f64,
    reciprocal: f64,
}

impl Sums {
    /// AP, nDCG@10 and RR, averaged over the topics in both files.
    pub fn means(&self) -> [f64; 3] {
        [self.precision, self.gain, self.reciprocal].map(|sum| sum / self.topics as f64)
    }

    pub fn add(&mut self, other: &Self) {
        self.topics += other.topics;
        self.rows += other.rows;
        self.scores += other.scores;
        self.precision += other.precision;
        self.gain += other.gain;
        self.reciprocal += other.reciprocal;
    }
}

#[derive(Clone, Copy)]
struct Row {
    score: f64,
    start: u32,
    length: u16,
    grade: i16,
}

impl Row {
    fn document<'a>(&self, bytes: &'a [u8]) -> &'a [u8] {
        &bytes[self.start as usize..][..self.length as usize]
    }
}

/// Room for the rows of a topic, used again for the next.
#[derive(Default)]
pub struct Scorer {
    rows: Vec<Row>,
}

impl Scorer {
    /// Scores the topics in `lines`.
    pub fn score(&mut self, bytes: &[u8], lines: Range<usize>, qrels: &Qrels) -> Sums {
        let mut sums = Sums::default();
        let (mut at, mut guess) = (lines.start, 0);
        while at < lines.end {
            let mut line = split::<6>(bytes, at);
            let (start, length) = (at, line.topic_end);
            let key = qrels.find(bytes, start, length, guess);
            guess = key.map_or(guess, |key| qrels.after(key));
            let topic = key.map(|key| qrels.topic(key));
            let (mut last, mut falling, mut ties) = (f64::INFINITY, true, false);
            self.rows.clear();
            loop {
                if let Some((_, documents)) = &topic {
                    let (first, end) = (at + line.document.0, at + line.document.1);
                    let grade = documents.grade(bytes, first, end - first);
                    let score = parse(bytes, at, &line);
                    falling &= score <= last;
                    ties |= score == last;
                    last = score;
                    self.rows.push(Row { score, start: first as u32, length: (end - first) as u16, grade });
                }
                at += line.length;
                if at >= lines.end {
                    break;
                }
                line = split::<6>(bytes, at);
                if line.topic_end != length || !same(bytes, start, bytes, at, length) {
                    break;
                }
            }
            if let Some((topic, _)) = topic {
                self.arrange(bytes, falling, ties);
                measure(&self.rows, topic, &mut sums);
            }
        }
        sums
    }

    /// Puts the rows in rank order.
    fn arrange(&mut self, bytes: &[u8], falling: bool, ties: bool) {
        if !falling {
            sort(bytes, &mut self.rows);
        } else if ties {
            for tied in self.rows.chunk_by_mut(|left, right| left.score == right.score) {
                if tied.len() > 1 {
                    sort(bytes, tied);
                }
            }
        }
    }
}

/// Splits lines and parses scores, no more.
pub fn read_only(bytes: &[u8], lines: Range<usize>) -> Sums {
    let mut sums = Sums::default();
    let mut at = lines.start;
    while at < lines.end {
        let line = split::<6>(bytes, at);
        sums.scores += parse(bytes, at, &line);
        sums.rows += 1;
        at += line.length;
    }
    sums
}

#[inline(always)]
fn parse(bytes: &[u8], at: usize, line: &Line) -> f64 {
    fast_float2::parse(&bytes[at + line.score.0..at + line.score.1]).unwrap_or(0.0)
}

fn sort(bytes: &[u8], rows: &mut [Row]) {
    rows.sort_unstable_by(|left, right| {
        let by_score = right.score.partial_cmp(&left.score).unwrap_or(Ordering::Equal);
        by_score.then_with(|| right.document(bytes).cmp(left.document(bytes)))
    });
}

fn measure(rows: &[Row], topic: &Topic, sums: &mut Sums) {
    let (mut found, mut precision, mut gain) = (0, 0.0, 0.0);
    for (row, ranked) in rows.iter().enumerate().filter(|(_, ranked)| ranked.grade > 0) {
        found += 1;
        let here = f64::from(found) / (row + 1) as f64;
        precision += here;
        if found == 1 {
            sums.reciprocal += here;
        }
        if row < DEPTH {
            gain += discounted(ranked.grade, row);
        }
    }
    sums.topics += 1;
    sums.rows += rows.len();
    if topic.relevant > 0 {
        sums.precision += precision / f64::from(topic.relevant);
        sums.gain += gain / topic.ideal;
    }
}
