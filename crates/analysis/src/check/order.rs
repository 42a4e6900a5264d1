//! Ranks and scores of a run, topic by topic.

use karat_data::problem::FirstSeen;

use super::finding::{OddOrder, RunFinding};
use super::run::{Line, Topic};
use super::{CheckedFile, Field, Finding, FindingKind, Severity};

/// One tied document in this many, or more, is a warning.
const MANY_TIES: u64 = 20;

/// Topics with one kind of odd order, and the line of the first.
#[derive(Debug, Default)]
struct Tally {
    topics: Vec<Vec<u8>>,
    first_line: u64,
}

impl Tally {
    fn add(&mut self, topic: &Topic, line: Option<u64>) {
        let Some(line) = line else { return };
        if self.topics.is_empty() {
            self.first_line = line;
        }
        self.topics.push(topic.name.clone());
    }

    fn report(self, severity: Severity, order: OddOrder, by_rank: bool, field: Field, file: &mut CheckedFile) {
        if self.topics.is_empty() {
            return;
        }
        let kind = RunFinding::Order { order, by_rank, topics: self.topics, all_topics: file.topics };
        let make = if severity == Severity::Note { Finding::note } else { Finding::warning };
        file.findings.push(make(&file.path, FindingKind::Run(kind)).on(self.first_line, field));
    }
}

/// A run whose scores order the documents.
pub(super) fn check_scores(topics: &[Topic], file: &mut CheckedFile) {
    let (mut contradict, mut rising, mut from_zero, mut gaps, mut twice): (Tally, Tally, Tally, Tally, Tally) =
        Default::default();
    for topic in topics {
        rising.add(topic, first_rise(topic.rows.iter()));
        let mut by_rank: Vec<&Line> = topic.rows.iter().filter(|row| row.rank.is_some()).collect();
        by_rank.sort_by_key(|row| row.rank);
        contradict.add(topic, first_rise(by_rank.iter().copied()));
        from_zero.add(topic, by_rank.first().filter(|first| first.rank == Some(0)).map(|first| first.line));
        let again = by_rank.windows(2).find(|pair| pair[0].rank == pair[1].rank);
        twice.add(topic, again.map(|pair| pair[1].line));
        let start = if by_rank.first().is_some_and(|first| first.rank == Some(0)) { 0 } else { 1 };
        gaps.add(topic, first_gap(&by_rank, |rank| rank != start));
    }
    let (warning, rank) = (Severity::Warning, Field::Rank);
    contradict.report(warning, OddOrder::RanksContradictScores, false, rank, file);
    rising.report(warning, OddOrder::ScoresRise, false, Field::Score, file);
    from_zero.report(Severity::Note, OddOrder::RanksFromZero, false, rank, file);
    gaps.report(warning, OddOrder::RanksHaveGaps, false, rank, file);
    twice.report(warning, OddOrder::RankTwice, false, rank, file);
    let tied: u64 = topics.iter().map(count_tied).sum();
    if tied > 0 {
        let make = if tied * MANY_TIES >= file.rows { Finding::warning } else { Finding::note };
        file.findings.push(make(&file.path, FindingKind::Run(RunFinding::Ties { tied, documents: file.rows })));
    }
}

/// A run whose ranks order the documents: each may occur once.
pub(super) fn check_ranks(topics: &[Topic], field: Field, file: &mut CheckedFile) {
    let (mut from_zero, mut gaps, mut unsorted): (Tally, Tally, Tally) = Default::default();
    for topic in topics {
        let mut by_rank: Vec<&Line> = topic.rows.iter().collect();
        by_rank.sort_by_key(|row| (row.rank, row.line));
        for pair in by_rank.windows(2).filter(|pair| pair[0].rank == pair[1].rank) {
            let kind = RunFinding::RepeatedRank {
                rank: pair[1].rank.unwrap_or_default(),
                topic: topic.name.clone(),
                first: FirstSeen::line(pair[0].line),
            };
            file.findings.push(Finding::error(&file.path, FindingKind::Run(kind)).on(pair[1].line, field));
        }
        from_zero.add(topic, by_rank.first().filter(|first| first.rank == Some(0)).map(|first| first.line));
        gaps.add(topic, first_gap(&by_rank, |rank| rank > 1));
        unsorted.add(topic, first_rise(topic.rows.iter()));
    }
    from_zero.report(Severity::Warning, OddOrder::RanksFromZero, true, field, file);
    gaps.report(Severity::Warning, OddOrder::RanksHaveGaps, true, field, file);
    unsorted.report(Severity::Note, OddOrder::Unsorted, true, field, file);
}

/// The line of the first rank, in order, that does not follow the one before; `wrong_start` judges the first.
fn first_gap(by_rank: &[&Line], wrong_start: impl Fn(i64) -> bool) -> Option<u64> {
    let first = by_rank.first()?;
    if first.rank.is_some_and(wrong_start) {
        return Some(first.line);
    }
    let next = |rank: Option<i64>| rank.and_then(|rank| rank.checked_add(1));
    by_rank.windows(2).find(|pair| pair[1].rank > next(pair[0].rank)).map(|pair| pair[1].line)
}

/// The line of the first row whose score is larger than that of the row before.
fn first_rise<'r>(rows: impl Iterator<Item = &'r Line>) -> Option<u64> {
    let mut last = f64::INFINITY;
    for row in rows {
        if row.score > last {
            return Some(row.line);
        }
        last = row.score;
    }
    None
}

fn count_tied(topic: &Topic) -> u64 {
    let mut scores: Vec<f64> = topic.rows.iter().map(|row| row.score).collect();
    scores.sort_by(f64::total_cmp);
    scores.chunk_by(|a, b| a == b).filter(|alike| alike.len() > 1).map(|alike| alike.len() as u64).sum()
}
