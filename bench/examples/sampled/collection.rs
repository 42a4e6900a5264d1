//! A fully judged collection: topics whose pool is what was judged of them, and runs.

use std::collections::BTreeMap;

use karat_data::Qrels;
use karat_formats::{Dialect, Input, RunFiles, read_qrels, trec_qrels, trec_run};

/// Ranks of a run that `karat sample` draws from.
pub const DEPTH: usize = 100;

/// A fully judged topic: grade and best rank of each document, and each run's list as places in them.
#[derive(Clone)]
pub struct Topic {
    pub name: String,
    pub docnos: Vec<String>,
    pub pool: Vec<(f64, usize)>,
    pub lists: Vec<Vec<Option<usize>>>,
}

impl Topic {
    /// The documents that some run has down to a rank, as if there were no others.
    fn within(&self, depth: usize) -> Topic {
        let kept: Vec<usize> = (0..self.pool.len()).filter(|&at| self.pool[at].1 <= depth).collect();
        let place = |at: usize| kept.binary_search(&at).ok();
        Topic {
            name: self.name.clone(),
            docnos: kept.iter().map(|&at| self.docnos[at].clone()).collect(),
            pool: kept.iter().map(|&at| self.pool[at]).collect(),
            lists: self.lists.iter().map(|list| list.iter().map(|at| at.and_then(place)).collect()).collect(),
        }
    }
}

/// The text of judgements and runs.
pub struct Files {
    pub qrels: String,
    pub runs: Vec<String>,
}

impl Files {
    pub fn read(paths: &[String]) -> Files {
        let text = |path: &String| std::fs::read_to_string(path).unwrap();
        let [qrels, runs @ ..] = paths else { panic!("sampled QRELS RUN..., or sampled --world") };
        Files { qrels: text(qrels), runs: runs.iter().map(text).collect() }
    }
}

pub struct Collection {
    pub topics: Vec<Topic>,
    pub max_grade: f64,
    pub runs: usize,
    /// For `karat sample`: the judgements, and the runs down to its depth.
    pub qrels: Qrels,
    pub run_files: RunFiles,
}

impl Collection {
    /// `depth`: documents below it in every run are left out.
    pub fn new(files: &Files, depth: Option<usize>) -> Collection {
        let (mut topics, max_grade) = topics(files);
        if let Some(depth) = depth {
            topics = topics.iter().map(|topic| topic.within(depth)).collect();
        }
        let qrels = Input::bytes("qrels", files.qrels.clone().into_bytes());
        let (qrels, _) = read_qrels(&qrels, &trec_qrels::FORMAT, Dialect::Strict, 1).unwrap();
        let cut = |(number, text): (usize, &String)| {
            let mut rows = String::new();
            for (topic, list) in lists(text) {
                for (score, docno) in list.iter().take(DEPTH) {
                    rows.push_str(&format!("{topic} Q0 {docno} 0 {score} run{number}\n"));
                }
            }
            Input::bytes(format!("run{number}"), rows.into_bytes())
        };
        let run_files =
            RunFiles::new(files.runs.iter().enumerate().map(cut).collect(), &trec_run::FORMAT, Dialect::Strict);
        Collection { topics, max_grade, runs: files.runs.len(), qrels, run_files }
    }
}

fn topics(files: &Files) -> (Vec<Topic>, f64) {
    let mut judged: BTreeMap<String, BTreeMap<String, f64>> = BTreeMap::new();
    for line in files.qrels.lines() {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let grade: f64 = fields[3].parse().unwrap();
        if grade >= 0.0 {
            judged.entry(fields[0].into()).or_default().insert(fields[2].into(), grade);
        }
    }
    let max_grade = judged.values().flat_map(BTreeMap::values).copied().fold(1.0, f64::max);
    let places: BTreeMap<&str, BTreeMap<&str, usize>> = judged
        .iter()
        .map(|(topic, pool)| (topic.as_str(), pool.keys().enumerate().map(|(at, name)| (name.as_str(), at)).collect()))
        .collect();
    let mut topics: BTreeMap<&str, Topic> = judged
        .iter()
        .map(|(name, pool)| {
            let docnos = pool.keys().cloned().collect();
            let pool = pool.values().map(|&grade| (grade, usize::MAX)).collect();
            (name.as_str(), Topic { name: name.clone(), docnos, pool, lists: vec![Vec::new(); files.runs.len()] })
        })
        .collect();
    for (number, text) in files.runs.iter().enumerate() {
        for (name, list) in lists(text) {
            let Some(topic) = topics.get_mut(name) else { continue };
            topic.lists[number] = list.iter().map(|(_, docno)| places[name].get(docno).copied()).collect();
            for (index, place) in topic.lists[number].iter().enumerate() {
                if let Some(place) = place {
                    let best = &mut topic.pool[*place].1;
                    *best = (*best).min(index + 1);
                }
            }
        }
    }
    (topics.into_values().collect(), max_grade)
}

/// The lists of a run, in rank order.
fn lists(text: &str) -> BTreeMap<&str, Vec<(f64, &str)>> {
    let mut lists: BTreeMap<&str, Vec<(f64, &str)>> = BTreeMap::new();
    for line in text.lines() {
        let fields: Vec<&str> = line.split_whitespace().collect();
        lists.entry(fields[0]).or_default().push((fields[4].parse().unwrap(), fields[2]));
    }
    for list in lists.values_mut() {
        list.sort_by(|a, b| b.0.total_cmp(&a.0).then(b.1.cmp(a.1)));
        list.truncate(1000);
    }
    lists
}
