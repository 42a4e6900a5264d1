//! How often can real systems be told apart by what was printed, and is it ever wrong? The question the paper leaves open.
//!
//! Every run is scored with every p. One run of a pair is taken as published with the lower p, the other with the higher, both
//! rounded as papers do; a verdict is drawn at the lower p from the printed numbers alone. Then it is held against the
//! truth, the scores of both at the lower p. Unjudged documents count as not relevant in the scores; with residuals
//! printed beside them the verdict must hold however they are judged, so for that truth too.
//!
//! Single topics are compared by the binary range, means by the graded one. The paper's range stands beside both, though it
//! is meant for single topics only.

use std::collections::HashMap;

use karat_report::{Axis, Block, Cell, Column, Figure, NumberStyle, Panel, Provenance, Report, Table};

use super::compare::{Verdict, verdict};
use super::paper;
use super::printed::Printed;
use super::range as ranges;
use super::score::PublishedScore;
use crate::scores::RunScores;

/// What is asked.
#[derive(Debug)]
pub struct Trial {
    /// Each p, rising; the measures of the scores are RBP with each, in this order. Checked.
    pub persistences: Vec<f64>,
    /// Digits after the point.
    pub digits: Vec<u8>,
    /// Where the numbers come from.
    pub provenance: Provenance,
    /// The version of karat.
    pub version: &'static str,
}

/// Beginnings of rankings looked at for one end of a range; more makes ranges narrower by little.
const EFFORT: usize = 200;

/// A score and its residual, for each p, of one run: for each topic, or of the mean.
type Scored = Vec<(f64, f64)>;

/// What became of all pairs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Tally {
    pairs: u64,
    decided: u64,
    wrong: u64,
    decided_by_paper: u64,
    wrong_by_paper: u64,
    /// Of these, between scores that are equal in truth.
    equal_by_paper: u64,
}

impl Tally {
    fn add(&mut self, verdict: Verdict, by_paper: Verdict, truth: Verdict) {
        self.pairs += 1;
        self.decided += u64::from(verdict != Verdict::Undecided);
        self.wrong += u64::from(verdict != Verdict::Undecided && verdict != truth);
        self.decided_by_paper += u64::from(by_paper != Verdict::Undecided);
        self.wrong_by_paper += u64::from(by_paper != Verdict::Undecided && by_paper != truth);
        self.equal_by_paper += u64::from(by_paper != Verdict::Undecided && truth == Verdict::Undecided);
    }
}

/// Tries the method on runs. `progress` is told how many of how many cells are done.
pub fn trial(question: Trial, runs: &[RunScores], progress: &mut dyn FnMut(usize, usize)) -> Report {
    let topics = by_topic(&question, runs);
    let means: Vec<Scored> = topics.iter().map(|topics| mean(topics)).collect();
    let pairs = pairs_of(&question.persistences);
    let cells = pairs.len() * question.digits.len() * 4;
    let mut table = cells_table();
    let mut lines: Vec<(String, Vec<(f64, f64)>)> = Vec::new();
    let mut done = 0;
    let (mut wrong, mut decided) = (0, 0);
    for unit in ["topic", "mean"] {
        for residuals in [false, true] {
            for &(a, b) in &pairs {
                let mut line = Vec::new();
                for &digits in &question.digits {
                    progress(done, cells);
                    done += 1;
                    let cell = Cellwise {
                        p: (question.persistences[a], question.persistences[b]),
                        of: (a, b),
                        digits,
                        residuals,
                    };
                    let tally = if unit == "topic" {
                        let mut tally = Tally::default();
                        let mut known = HashMap::new();
                        for topic in 0..topics.first().map_or(0, Vec::len) {
                            let scored: Vec<&Scored> = topics.iter().map(|run| &run[topic]).collect();
                            cell.compare(&scored, true, &mut known, &mut tally);
                        }
                        tally
                    } else {
                        let mut tally = Tally::default();
                        cell.compare(&means.iter().collect::<Vec<_>>(), false, &mut HashMap::new(), &mut tally);
                        tally
                    };
                    wrong += tally.wrong;
                    decided += tally.decided;
                    line.push((f64::from(digits), share(tally.decided, tally.pairs)));
                    table.push(row(unit, &cell, tally));
                }
                if !residuals {
                    lines.push((
                        format!("{unit}, p = {} and {}", question.persistences[a], question.persistences[b]),
                        line,
                    ));
                }
            }
        }
    }
    progress(cells, cells);
    let mut report = Report::new("Published scores on trial", "published study", question.version).table(table);
    report = report.block(Block::Figure(figure(&question.digits, lines)));
    report = report.note(format!("{decided} verdicts from printed scores alone, {wrong} of them against the truth"));
    report = report.note(
        "a verdict is wrong when the scores at the lower p are the other way round or equal; a pair is one run published with the lower p and another with the higher, both ways round, compared at the lower p; topics are compared by \
         the binary range, means by the graded one",
    );
    report = report.note(
        "the paper's range is made for single topics and a score that is known exactly; beside means it only shows what comes of taking it there",
    );
    report = report.note("unjudged documents count as not relevant; where residuals are printed the verdict holds however they are judged");
    report.provenance = question.provenance;
    report
}

/// For each run and topic: the score and residual for each p. Topics a run lacks are left out of all.
fn by_topic(question: &Trial, runs: &[RunScores]) -> Vec<Vec<Scored>> {
    let of_run = |run: &RunScores| -> HashMap<u32, Scored> {
        let mut found: HashMap<u32, Scored> = HashMap::new();
        for measure in 0..question.persistences.len() {
            for (topic, scored) in run.of(measure) {
                if let Ok(score) = scored {
                    found.entry(topic.0).or_default().push((score.value, (score.high - score.value).max(0.0)));
                }
            }
        }
        found
    };
    let found: Vec<HashMap<u32, Scored>> = runs.iter().map(of_run).collect();
    let Some(first) = runs.first() else { return Vec::new() };
    let whole =
        |topic: &u32| found.iter().all(|run| run.get(topic).is_some_and(|s| s.len() == question.persistences.len()));
    let topics: Vec<u32> = first.of(0).map(|(topic, _)| topic.0).filter(whole).collect();
    found.iter().map(|run| topics.iter().filter_map(|topic| run.get(topic).cloned()).collect()).collect()
}

fn mean(topics: &[Scored]) -> Scored {
    let count = topics.len().max(1) as f64;
    let of = |p: usize| {
        let sum = topics.iter().fold((0.0, 0.0), |sum, topic| (sum.0 + topic[p].0, sum.1 + topic[p].1));
        (sum.0 / count, sum.1 / count)
    };
    (0..topics.first().map_or(0, Vec::len)).map(of).collect()
}

/// The pairs of places of a lower and a higher p.
fn pairs_of(persistences: &[f64]) -> Vec<(usize, usize)> {
    (0..persistences.len()).flat_map(|a| (a + 1..persistences.len()).map(move |b| (a, b))).collect()
}

/// One setting: the two p, their places, the digits printed, and whether residuals are.
struct Cellwise {
    p: (f64, f64),
    of: (usize, usize),
    digits: u8,
    residuals: bool,
}

/// What was printed, as whole units of the last digit.
type Key = (u64, u64);

/// A score's ranges at the lower p: ours, and the paper's.
type Carried = ((f64, f64), (f64, f64));

impl Cellwise {
    /// Compares all runs with each other, each in both roles.
    fn compare(&self, runs: &[&Scored], binary: bool, known: &mut HashMap<Key, Option<Carried>>, tally: &mut Tally) {
        let published = |(score, residual): (f64, f64), p: f64| {
            let residual = self.residuals.then(|| Printed::rounded(residual, self.digits));
            PublishedScore::new(p, Printed::rounded(score, self.digits), residual).ok()
        };
        let own: Vec<Option<PublishedScore>> = runs.iter().map(|run| published(run[self.of.0], self.p.0)).collect();
        let mut carry = |run: &Scored| -> Option<Carried> {
            let published = published(run[self.of.1], self.p.1)?;
            let unit = |printed: Printed| (printed.value / printed.unit).round() as u64;
            let key = (unit(published.score()), published.residual().map_or(0, unit));
            *known.entry(key).or_insert_with(|| {
                let ours = if binary {
                    let (low, high) = ranges::binary(&published, self.p.0, EFFORT);
                    (low.value, high.value)
                } else {
                    ranges::graded(&published, self.p.0)
                };
                Some((ours, paper::range(&published, self.p.0)))
            })
        };
        let carried: Vec<Option<Carried>> = runs.iter().map(|run| carry(run)).collect();
        for (a, own) in own.iter().enumerate() {
            for (b, carried) in carried.iter().enumerate().filter(|(b, _)| *b != a) {
                let (Some(own), Some((range, by_paper))) = (own, carried) else { continue };
                let exactly =
                    (own.score().value, own.score().value + own.residual().map_or(0.0, |residual| residual.value));
                let truth = truth(runs[a][self.of.0].0, runs[b][self.of.0].0);
                tally.add(verdict(own.judged(), *range), verdict(exactly, *by_paper), truth);
            }
        }
    }
}

fn truth(a: f64, b: f64) -> Verdict {
    verdict((a, a), (b, b))
}

fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { f64::NAN } else { part as f64 / whole as f64 }
}

fn cells_table() -> Table {
    let p = |key, heading: &str| Column::new(key, heading).style(NumberStyle::Given);
    let third = |key, heading: &str| Column::new(key, heading).style(NumberStyle::Decimals(3));
    Table::new("cells", "")
        .column("unit", "compared by")
        .column("residuals", "residuals printed")
        .with(p("p_low", "p"))
        .with(p("p_high", "and p"))
        .column("digits", "digits")
        .column("pairs", "pairs")
        .column("decided", "decided")
        .with(third("share", "share"))
        .column("wrong", "wrong")
        .column("decided_paper", "decided by the paper's range")
        .column("wrong_paper", "of these wrong")
        .column("equal_paper", "of these equal in truth")
}

fn row(unit: &str, cell: &Cellwise, tally: Tally) -> Vec<Cell> {
    vec![
        unit.into(),
        cell.residuals.into(),
        cell.p.0.into(),
        cell.p.1.into(),
        u32::from(cell.digits).into(),
        tally.pairs.into(),
        tally.decided.into(),
        share(tally.decided, tally.pairs).into(),
        tally.wrong.into(),
        tally.decided_by_paper.into(),
        tally.wrong_by_paper.into(),
        tally.equal_by_paper.into(),
    ]
}

fn figure(digits: &[u8], lines: Vec<(String, Vec<(f64, f64)>)>) -> Figure {
    let ends = digits.iter().fold((u8::MAX, 0), |(low, high), &digits| (low.min(digits), high.max(digits)));
    let axis = Axis::new("digits printed", f64::from(ends.0), f64::from(ends.1.max(ends.0.saturating_add(1))));
    let mut panel = Panel::new("", axis, Axis::new("share of pairs decided", 0.0, 1.0));
    let each = lines.len().div_ceil(2).max(1);
    for (at, (label, points)) in lines.into_iter().enumerate() {
        panel = panel.line(at % each, label, at >= each, points);
    }
    Figure::new("study", "How often printed scores decide", 1).panel(panel)
}

#[cfg(test)]
mod tests {
    use super::super::ROUNDING;
    use super::*;

    #[test]
    fn pairs_are_taken_both_ways() {
        // Two runs on one topic. At p = 0.5: 1 0 0 … scores 0.5, 0 0 0 1 scores 0.0625; at p = 0.8: 0.2 and 0.1024. Published 0.50 at 0.5
        // beside 0.10 at 0.8, and 0.06 beside 0.20.
        let (good, poor): (Scored, Scored) = (vec![(0.5, 0.0), (0.2, 0.0)], vec![(0.0625, 0.0), (0.1024, 0.0)]);
        let cell = Cellwise { p: (0.5, 0.8), of: (0, 1), digits: 2, residuals: false };
        let mut tally = Tally::default();
        cell.compare(&[&good, &poor], true, &mut HashMap::new(), &mut tally);
        // 0.10 at p = 0.8 is at most 0 1 … (0.16 is too much): 001… scores 0.128, too much as well; 0001 at 0.5 is below 0.495. 0.20 may be 1000…,
        // or as low as 0.2 spread late, below 0.06: undecided.
        assert_eq!((tally.pairs, tally.decided, tally.wrong), (2, 1, 0));
    }

    #[test]
    fn a_mean_is_of_scores_and_of_residuals() {
        let topics = [vec![(0.2, 0.1)], vec![(0.4, 0.0)]];
        let mean = mean(&topics)[0];
        assert!((mean.0 - 0.3).abs() < 1e-15 && (mean.1 - 0.05).abs() < 1e-15);
        assert_eq!(truth(0.1 + ROUNDING, 0.1), Verdict::Undecided);
    }
}
