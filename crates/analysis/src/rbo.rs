//! Rank-biased overlap: how similar are two runs? By topic and on average, for every pair of runs.
//!
//! No judgements are needed. Documents are ranked as everywhere else (score, then docno), and docnos are kept as 64-bit hashes, so that
//! runs need not be held whole.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashSet};
use std::sync::{Mutex, PoisonError};

use karat_data::names::text;
use karat_data::{LineProblem, Problems, Row, RunFacts, RunSource, TopicRows, Visitor, Worker, hash};
use karat_stats::association::{RankBiasedOverlap, rank_biased_overlap};
use schemars::JsonSchema;
use serde::Serialize;

/// How runs are compared.
#[derive(Debug, Clone)]
pub struct RboOptions {
    /// The persistence, between 0 and 1.
    pub persistence: f64,
    /// Whether every topic is listed.
    pub by_query: bool,
    /// Threads to use.
    pub threads: usize,
}

/// Rank-biased overlap of runs.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct RboAnswer {
    /// Every pair of runs, averaged over topics.
    pub rbo: Vec<RunOverlap>,
    /// Every pair of runs by topic, where that was wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by_query: Option<Vec<TopicOverlap>>,
    /// The runs, as they were read.
    #[serde(skip)]
    pub runs: Vec<RunFacts>,
}

/// Mean overlap of two runs.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct RunOverlap {
    /// The first run.
    pub a: String,
    /// The second run.
    pub b: String,
    /// Persistence.
    pub p: f64,
    /// Mean RBO, extrapolated from the agreement at the end of the lists.
    pub value: f64,
    /// Mean of the smallest possible RBO, however the lists continue.
    pub min: f64,
    /// Mean of the largest possible RBO, however the lists continue.
    pub max: f64,
    /// Topics that both runs have.
    pub topics: usize,
    /// Whether a run has topics that the other lacks.
    #[serde(skip)]
    pub topics_left_out: bool,
}

/// Overlap of two runs for one topic.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct TopicOverlap {
    /// The first run.
    pub a: String,
    /// The second run.
    pub b: String,
    /// The topic.
    pub topic: String,
    /// RBO, extrapolated from the agreement at the end of the lists.
    pub value: f64,
    /// The smallest possible RBO, however the lists continue.
    pub min: f64,
    /// The largest possible RBO, however the lists continue.
    pub max: f64,
}

/// Why runs cannot be compared.
#[derive(Debug)]
pub enum RboError {
    /// The runs cannot be read.
    Problems(Problems),
    /// Two runs have no topic in common.
    NoCommonTopic {
        /// The file of the first run.
        a: String,
        /// The file of the second run.
        b: String,
    },
}

/// A run's lists by topic.
type Lists = BTreeMap<Vec<u8>, Vec<u64>>;

/// Compares every run with every later one.
///
/// `repeated` makes the problem of a row whose document its topic already has.
///
/// # Errors
/// Everything wrong with the runs; no topic in common.
pub fn rbo(runs: &dyn RunSource, options: &RboOptions, repeated: RepeatedDocument) -> Result<RboAnswer, RboError> {
    let collecting = Collecting { found: Mutex::default(), repeated };
    let facts = runs.visit(options.threads, &collecting).map_err(RboError::Problems)?;
    let found = collecting.found.into_inner().unwrap_or_else(PoisonError::into_inner);
    let mut lists: Vec<Lists> = facts.iter().map(|_| Lists::new()).collect();
    for (run, attempt, topic, list) in found {
        if facts[run].attempt == attempt {
            lists[run].insert(topic, list);
        }
    }
    let names = names(&facts);
    let (mut pairs, mut topics) = (Vec::new(), Vec::new());
    for first in 0..lists.len() {
        for second in first + 1..lists.len() {
            let own = compare_topics((&names[first], &lists[first]), (&names[second], &lists[second]), options);
            let longer = lists[first].len().max(lists[second].len());
            pairs.push(average(&own, longer, options.persistence).ok_or_else(|| RboError::NoCommonTopic {
                a: facts[first].file.clone(),
                b: facts[second].file.clone(),
            })?);
            topics.extend(own);
        }
    }
    Ok(RboAnswer { rbo: pairs, by_query: options.by_query.then_some(topics), runs: facts })
}

/// The topics that both runs have.
fn compare_topics(a: (&str, &Lists), b: (&str, &Lists), options: &RboOptions) -> Vec<TopicOverlap> {
    let overlap = |(topic, list): (&Vec<u8>, &Vec<u64>)| {
        let found: RankBiasedOverlap = rank_biased_overlap(list, b.1.get(topic)?, options.persistence)?;
        Some(TopicOverlap {
            a: a.0.to_owned(),
            b: b.0.to_owned(),
            topic: text(topic),
            // Lists of a run have at least one document, so that each topic has a value.
            value: found.extrapolated.unwrap_or(0.0),
            min: found.min,
            max: found.max,
        })
    };
    a.1.iter().filter_map(overlap).collect()
}

/// The means over topics, when there is one; `longer` is the number of topics of the run with more of them.
fn average(topics: &[TopicOverlap], longer: usize, persistence: f64) -> Option<RunOverlap> {
    let first = topics.first()?;
    let mean = |value: fn(&TopicOverlap) -> f64| topics.iter().map(value).sum::<f64>() / topics.len() as f64;
    Some(RunOverlap {
        a: first.a.clone(),
        b: first.b.clone(),
        p: persistence,
        value: mean(|topic| topic.value),
        min: mean(|topic| topic.min),
        max: mean(|topic| topic.max),
        topics: topics.len(),
        topics_left_out: topics.len() < longer,
    })
}

/// Tags where they differ, else file names.
fn names(facts: &[RunFacts]) -> Vec<String> {
    let tags: Vec<&str> = facts.iter().map(|run| run.tag.as_deref().unwrap_or(&run.file)).collect();
    let unique = tags.iter().collect::<HashSet<_>>().len() == tags.len();
    facts.iter().zip(&tags).map(|(run, tag)| if unique { (*tag).to_owned() } else { run.file.clone() }).collect()
}

/// The problem of a document that a topic has twice, from its docno; whoever presents problems words it.
pub type RepeatedDocument = fn(docno: &[u8]) -> LineProblem;

/// A topic of a run: the run, the attempt at reading it, the topic's name, its list.
type Found = (usize, u32, Vec<u8>, Vec<u64>);

struct Collecting {
    found: Mutex<Vec<Found>>,
    repeated: RepeatedDocument,
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
        let repeated = self.into.repeated;
        let problems = twice.map(|row| LineProblem { line: row.line, ..repeated(row.docno) }).collect();
        let mut all = self.into.found.lock().unwrap_or_else(PoisonError::into_inner);
        all.push((rows.run, rows.attempt, rows.topic.to_vec(), list));
        problems
    }
}
