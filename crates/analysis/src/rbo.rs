//! How alike are two runs? Rank-biased overlap, topic by topic and on average, for every pair of runs.
//!
//! No judgements are needed. The lists are ranked as everywhere else (score, then docno), and their docnos kept as
//! hashes of 64 bits, so that runs need not be held whole.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::{Mutex, PoisonError};

use karat_data::names::text;
use karat_data::{
    LineProblem, Problem, Problems, Row, RunFacts, RunSource, TopicRows, Visitor, Worker, hash, problem::quote,
};
use karat_report::{Audience, Cell, Column, Provenance, Report, Table};
use karat_stats::association::{RankBiasedOverlap, rank_biased_overlap};

/// What is asked.
#[derive(Debug)]
pub struct Question {
    /// The persistence, between 0 and 1.
    pub persistence: f64,
    /// Whether every topic is listed.
    pub by_query: bool,
    /// Threads to use.
    pub threads: usize,
    /// The version of karat.
    pub version: &'static str,
}

/// A run's lists by topic.
type Lists = BTreeMap<Vec<u8>, Vec<u64>>;

/// Compares every run with every later one.
///
/// # Errors
/// Everything wrong with the runs; fewer than two; no topic in common.
pub fn rbo(runs: &dyn RunSource, question: &Question) -> Result<Report, Problems> {
    let collecting = Collecting::default();
    let facts = runs.visit(question.threads, &collecting)?;
    let found = collecting.found.into_inner().unwrap_or_else(PoisonError::into_inner);
    let mut lists: Vec<Lists> = facts.iter().map(|_| Lists::new()).collect();
    for (run, attempt, topic, list) in found {
        if facts[run].attempt == attempt {
            lists[run].insert(topic, list);
        }
    }
    let mut pairs = Table::new("rbo", "")
        .column("a", "run")
        .column("b", "and")
        .with(Column::new("p", "p").data_only())
        .column("value", "RBO")
        .column("min", "at least")
        .column("max", "at most")
        .column("topics", "topics");
    let mut topics = Table::new("by_query", "By query")
        .audience(Audience::Both)
        .column("a", "run")
        .column("b", "and")
        .column("topic", "topic")
        .column("value", "RBO")
        .column("min", "at least")
        .column("max", "at most");
    let names = names(&facts);
    let mut left_out = BTreeSet::new();
    for (first, a) in lists.iter().enumerate() {
        for (second, b) in lists.iter().enumerate().skip(first + 1) {
            let of_topic = |(topic, list): (&Vec<u8>, &Vec<u64>)| {
                Some((text(topic), rank_biased_overlap(list, b.get(topic)?, question.persistence)?))
            };
            let common: Vec<(String, RankBiasedOverlap)> = a.iter().filter_map(of_topic).collect();
            if common.is_empty() {
                return Err(nothing_in_common(&facts[first], &facts[second]));
            }
            if common.len() < a.len().max(b.len()) {
                left_out.insert(format!("{} and {}", names[first], names[second]));
            }
            let mean = |of: &dyn Fn(&RankBiasedOverlap) -> f64| {
                common.iter().map(|(_, overlap)| of(overlap)).sum::<f64>() / common.len() as f64
            };
            // Lists of a run have at least one document, so that each topic has a value.
            let value = |overlap: &RankBiasedOverlap| overlap.extrapolated.unwrap_or(0.0);
            pairs.push([
                names[first].as_str().into(),
                names[second].as_str().into(),
                question.persistence.into(),
                mean(&value).into(),
                mean(&|overlap| overlap.min).into(),
                mean(&|overlap| overlap.max).into(),
                common.len().into(),
            ]);
            for (topic, overlap) in common {
                topics.push([
                    names[first].as_str().into(),
                    names[second].as_str().into(),
                    topic.into(),
                    Cell::Number(value(&overlap)),
                    overlap.min.into(),
                    overlap.max.into(),
                ]);
            }
        }
    }
    let mut provenance = Provenance::default().option("p", question.persistence);
    for run in &facts {
        provenance = provenance.input_in(run.format, &run.file, run.bytes, run.rows);
    }
    let mut report = Report::new("Rank-biased overlap", "rbo", question.version).table(pairs);
    report.provenance = provenance;
    if question.by_query {
        report = report.table(topics);
    }
    if !left_out.is_empty() {
        let which: Vec<String> = left_out.into_iter().collect();
        report = report.note(format!("topics that only one of two runs has are left out: {}", which.join("; ")));
    }
    Ok(report.note(format!(
        "RBO at p = {}: a reader goes on to the next rank with that probability. It supposes that the agreement at the end of \
         the lists goes on; at least and at most are what any continuation of the lists could make of it",
        question.persistence
    )))
}

/// Tags where they differ, else file names.
fn names(facts: &[RunFacts]) -> Vec<String> {
    let tags: Vec<&str> = facts.iter().map(|run| run.tag.as_deref().unwrap_or(&run.file)).collect();
    let unique = tags.iter().collect::<HashSet<_>>().len() == tags.len();
    facts.iter().zip(&tags).map(|(run, tag)| if unique { (*tag).to_owned() } else { run.file.clone() }).collect()
}

fn nothing_in_common(a: &RunFacts, b: &RunFacts) -> Problems {
    let remedy = "check that the runs are for the same topics and write them alike";
    Problem::of_file(&b.file, format!("at least one topic that {} has", a.file), "none", remedy).into()
}

/// A topic of a run: the run, the attempt at reading it, the topic's name, its list.
type Found = (usize, u32, Vec<u8>, Vec<u64>);

#[derive(Default)]
struct Collecting {
    found: Mutex<Vec<Found>>,
}

impl Visitor for Collecting {
    fn worker(&self) -> Box<dyn Worker + '_> {
        Box::new(Collector { into: self })
    }
}

struct Collector<'a> {
    into: &'a Collecting,
}

impl Worker for Collector<'_> {
    fn topic(&mut self, rows: &TopicRows<'_, '_>) -> Vec<LineProblem> {
        let mut order: Vec<&Row<'_>> = rows.rows.iter().collect();
        order.sort_by(|a, b| {
            b.score.partial_cmp(&a.score).unwrap_or(Ordering::Equal).then_with(|| b.docno.cmp(a.docno))
        });
        let list: Vec<u64> = order.iter().map(|row| hash::of(row.docno)).collect();
        let mut seen = HashSet::with_capacity(list.len());
        let twice = order.iter().filter(|row| !seen.insert(row.docno));
        let problems: Vec<LineProblem> = twice
            .map(|row| {
                let remedy = "keep one of the two lines";
                let found = format!("{} again", quote(row.docno));
                LineProblem {
                    line: row.line,
                    ..LineProblem::new("docno", "each document once per topic", found, remedy)
                }
            })
            .collect();
        let mut all = self.into.found.lock().unwrap_or_else(PoisonError::into_inner);
        all.push((rows.run, rows.attempt, rows.topic.to_vec(), list));
        problems
    }
}
