//! MS MARCO's runs: `topic docno rank`.
//!
//! There is no score; the negative of the rank is one, so that documents come in the order of ranks. A rank that two
//! documents of a topic share would leave their order to chance, and is refused. The format counts from 1; files that
//! count from 0 are read too, since their order is as clear, and `karat check` warns of them.

use std::collections::{HashMap, HashSet};

use karat_data::{LineProblem, problem::quote};

use crate::Dialect;
use crate::block::first_field;
use crate::columns::columns;
use crate::fields::is_idle;
use crate::registry::{RunFormat, RunLine, RunReader};
use crate::rows::{BlockFacts, Rows};
use crate::sample::Sample;

/// The row of the table.
pub static FORMAT: RunFormat = RunFormat {
    name: "msmarco",
    about: "MS MARCO run. Ordered by rank; every rank occurs once per topic. There is no tag.",
    layout: LAYOUT,
    docno: "docno (field 2)",
    ordering_rank: Some(RANK),
    recognise,
    reader: RunReader::Lines { topic_of: first_field, parse, parse_line },
};

const LAYOUT: &str = "topic docno rank";
const RANK: &str = "rank (field 3)";

/// The largest rank; above it a float no longer tells neighbours apart, and no list is that long.
const LARGEST: u64 = 1_000_000_000;

/// Three fields, the last a rank: a whole number that a topic has once. Grades of three-column judgements come again.
fn recognise(sample: &Sample<'_>) -> bool {
    sample.has_fields(3)
        && sample.most::<3>(|[_, _, rank]| to_rank(rank).is_some())
        && !comes_again(sample)
        && begins(sample)
}

/// Whether the first topic has a first rank; without one, whole numbers may as well be scores.
fn begins(sample: &Sample<'_>) -> bool {
    let Some([first, ..]) = sample.rows::<3>().next() else { return false };
    let own = sample.rows::<3>().take_while(|[topic, ..]| *topic == first);
    own.filter_map(|[_, _, rank]| to_rank(rank)).any(|rank| rank <= 1)
}

/// Whether the third field of more than a quarter of the lines is one that the topic had before.
fn comes_again(sample: &Sample<'_>) -> bool {
    let (mut seen, mut rows, mut again) = (HashSet::new(), 0, 0);
    for [topic, _, rank] in sample.rows() {
        rows += 1;
        again += usize::from(!seen.insert((topic, rank)));
    }
    again * 4 > rows
}

/// What to do about three columns that are not this format.
pub fn why_not(sample: &Sample<'_>) -> Option<&'static str> {
    if !sample.has_fields(3) {
        return None;
    }
    let numbers = sample.most::<3>(|[.., last]| fast_float2::parse::<f64, _>(last).is_ok());
    Some(if numbers && comes_again(sample) {
        "the third field repeats within a topic, so it is not a rank; these may be judgements (topic docno grade)"
    } else if numbers && !begins(sample) {
        "no document of the first topic has rank 1, so the third field may be a score; if it is a rank, use --run-format msmarco; if it is a score, write the six fields of TREC"
    } else {
        "three fields are read where they are topic, docno and rank, in that order; a TREC run has six (topic Q0 docno rank score tag)"
    })
}

fn to_rank(text: &[u8]) -> Option<u64> {
    let digits = matches!(text.len(), 1..=10) && text.iter().all(u8::is_ascii_digit);
    digits
        .then(|| text.iter().fold(0, |rank, digit| rank * 10 + u64::from(digit - b'0')))
        .filter(|&rank| rank <= LARGEST)
}

fn parse<'a>(padded: &'a [u8], len: usize, dialect: Dialect, mut rows: Rows<'a, '_>) -> BlockFacts {
    let mut ranks = Ranks::default();
    let mut line = 0u32;
    let lines = padded[..len].strip_suffix(b"\n").unwrap_or(&padded[..len]);
    for text in lines.split(|&byte| byte == b'\n') {
        if !is_idle(text) {
            match parse_line(text, dialect) {
                Ok(found) => {
                    ranks.add(found.topic, found.score, line);
                    rows.row(found.topic, found.docno, found.score, line);
                }
                Err(problem) => rows.problem(LineProblem { line, ..problem }),
            }
        }
        line += 1;
    }
    ranks.problems().into_iter().for_each(|problem| rows.problem(problem));
    rows.finish(u64::from(line), None)
}

/// Any line.
///
/// # Errors
/// What is wrong with it; the line number is left at 0.
pub fn parse_line(line: &[u8], _: Dialect) -> Result<RunLine<'_>, LineProblem> {
    let [topic, docno, rank] = columns(line, LAYOUT, |count| match count {
        6 => "this looks like a line of a TREC run; do not mix the two in one file",
        4 => "this looks like a line of a qrels file (topic 0 docno grade): give the qrels first, then the runs",
        _ => "complete or split the line; a docno must not contain spaces",
    })?;
    let Some(number) = to_rank(rank) else {
        let remedy = match fast_float2::parse::<f64, _>(rank) {
            Ok(number) if number < 0.0 => "count ranks from 1",
            Ok(number) if number.fract() == 0.0 => "write the rank as a plain whole number, at most 1000000000",
            Ok(_) => {
                "this format has ranks but no scores; write a TREC run (topic Q0 docno rank score tag) to keep scores"
            }
            Err(_) => "check the order of the fields: topic docno rank",
        };
        return Err(LineProblem::new(RANK, "a whole number, 1 or more", quote(rank), remedy));
    };
    // Not -0.0 for rank 0.
    Ok(RunLine { topic, docno, rank, score: 0.0 - number as f64, tag: b"" })
}

/// The ranks of a block, to find those that a topic has twice.
#[derive(Default)]
struct Ranks<'a> {
    topics: HashMap<&'a [u8], u32>,
    last: Option<(&'a [u8], u32)>,
    /// Topic, rank and line. Nearly always in order already, which sorting is quick about.
    seen: Vec<(u32, u64, u32)>,
}

impl<'a> Ranks<'a> {
    fn add(&mut self, topic: &'a [u8], score: f64, line: u32) {
        let number = match self.last {
            Some((last, number)) if last == topic => number,
            _ => {
                let next = self.topics.len() as u32;
                *self.topics.entry(topic).or_insert(next)
            }
        };
        self.last = Some((topic, number));
        self.seen.push((number, -score as u64, line));
    }

    fn problems(mut self) -> Vec<LineProblem> {
        self.seen.sort_unstable();
        let mut problems = Vec::new();
        for same in self.seen.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)).filter(|same| same.len() > 1) {
            for &(_, rank, line) in &same[1..] {
                problems.push(LineProblem {
                    line,
                    also_line: Some(same[0].2),
                    ..LineProblem::new(
                        RANK,
                        "each rank once per topic",
                        format!("{rank} again"),
                        "give each document of a topic a different rank; this format is ordered by rank",
                    )
                });
            }
        }
        problems.sort_by_key(|problem| problem.line);
        problems
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_run(text: &str) -> bool {
        recognise(&Sample::new(text.as_bytes(), true))
    }

    #[test]
    fn ranks_are_told_from_grades() {
        assert!(is_run("7\ta\t1\n7\tb\t2\n8\tc\t1\n"));
        assert!(is_run("7 a 0\n7 b 1\n"));
        // Cranfield's own judgements: query, document, code.
        assert!(!is_run("1 184 2\n1 29 2\n1 31 2\n1 12 3\n"));
        assert!(!is_run("query-id corpus-id score\n"));
        assert!(!is_run("1 a 0.5\n1 b 0.25\n"));
        let why_not = |text: &'static str| why_not(&Sample::new(text.as_bytes(), true)).unwrap_or_default();
        assert!(why_not("1 184 2\n1 29 2\n1 31 2\n1 12 3\n").starts_with("the third field repeats"));
        assert!(why_not("1 1 a\n1 2 b\n").starts_with("three fields are read"));
        assert_eq!(why_not("1 0 a 1\n"), "");
    }

    #[test]
    fn the_score_is_the_negative_rank() {
        let read = |text: &'static str| parse_line(text.as_bytes(), Dialect::Strict);
        assert_eq!(read("7\td\t12\r").unwrap().score, -12.0);
        assert!(read("7 d 0").unwrap().score.is_sign_positive());
        for bad in ["7 d", "7 d 1 2", "7 d -1", "7 d 1.5", "7 d x", "7 d 99999999999", "7 d 0x1"] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }
}
