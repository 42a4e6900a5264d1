//! Agreement with the official programs of TREC's Web tracks, ndeval (diversity) and gdeval (graded), on four runs of
//! 2012: every value of every topic and every mean, to the digit printed.
#![allow(clippy::unwrap_used, clippy::print_stderr, clippy::panic)]

use crate::support;

use std::path::{Path, PathBuf};

use karat_data::{Aligner, CollectionFacts, Policy, Qrels, Ties};
use karat_measures::{Measure, spec};
use support::Order;

const RUNS: [&str; 4] = ["ql.cata", "ql.cata-filtered", "ql.catb", "ql.catb-filtered"];

fn folder() -> Option<PathBuf> {
    karat_testdata::folder("web_diversity", "diversity measures beside ndeval's and gdeval's own values")
}

/// The measure of a column's heading.
fn measure(heading: &str) -> Box<dyn Measure> {
    let text = match heading {
        "ndcg@20" => "nDCG(dcg=exp-log2)@20",
        "err@20" => "ERR@20",
        other => other,
    };
    spec::parse(text, 1.0).and_then(|spec| spec.build()).unwrap()
}

/// Compares a table of values with karat's; how many values there were, and the lines that differ.
fn compare(qrels: &Qrels, run: &str, expected: &str, order: Order, ties: Ties) -> (usize, Vec<String>) {
    let rows = support::run(run, order);
    let collection = CollectionFacts { max_grade: qrels.max_grade().unwrap(), ..CollectionFacts::default() };
    let policy = Policy { ties, ..Policy::default() };
    let mut lines = expected.lines();
    let headings: Vec<&str> = lines.next().unwrap().split(',').skip(2).collect();
    let measures: Vec<_> = headings.iter().map(|heading| measure(heading)).collect();
    let mut aligner = Aligner::new();
    let mut sums = vec![0.0; measures.len()];
    let (mut topics, mut checked, mut wrong) = (0, 0, Vec::new());
    for line in lines {
        let fields: Vec<&str> = line.split(',').collect();
        let topic = fields[1];
        let values: Vec<f64> = if topic == "amean" {
            sums.iter().map(|sum| sum / f64::from(topics)).collect()
        } else {
            topics += 1;
            let index = qrels.find(topic.as_bytes()).unwrap();
            let ranking = aligner.align(qrels, index, &rows[topic], &policy).unwrap();
            let view = qrels.view(index, ranking, collection);
            measures.iter().map(|measure| measure.score(&view).unwrap().value).collect()
        };
        for (column, &value) in values.iter().enumerate() {
            sums[column] += value;
            checked += 1;
            let printed = fields[column + 2];
            let digits = printed.split_once('.').unwrap().1.len();
            let ours = format!("{value:.digits$}");
            if ours != printed {
                wrong.push(format!("{} of topic {topic}: printed {printed}, computed {ours}", headings[column]));
            }
        }
    }
    (checked, wrong)
}

fn compare_run(folder: &Path, qrels: &Qrels, name: &str, program: &str, order: Order, ties: Ties) -> (usize, usize) {
    let runs = folder.join("runs2012");
    let expected = support::text(&runs, &format!("{name}.{program}.csv"));
    let (checked, wrong) = compare(qrels, &support::text(&runs, name), &expected, order, ties);
    for line in wrong.iter().filter(|_| ties == Ties::File || program == "gdeval") {
        eprintln!("{name}: {line}");
    }
    (checked, wrong.len())
}

/// ndeval takes a run in the order of its rank column. Here that is the order of scores, ties as they stand in the file.
#[test]
fn ndeval_2012() {
    let Some(folder) = folder() else { return };
    let qrels = support::diversity(&support::text(&folder, "2012_qrels-for-ndeval.txt"));
    let compared = RUNS.map(|name| compare_run(&folder, &qrels, name, "ndeval", Order::Score, Ties::File));
    // 50 topics and the mean, 21 columns.
    assert_eq!(compared, [(51 * 21, 0); 4]);
}

#[test]
fn ndeval_orders_by_the_rank_column_and_not_by_docno_among_ties() {
    let Some(folder) = folder() else { return };
    // Spam is -2 here, and eight subtopics have no relevant document: both make no difference.
    let qrels = support::diversity(&support::text(&folder, "2012_qrels.diversity.txt"));
    let name = "ql.cata-filtered";
    assert_eq!(compare_run(&folder, &qrels, name, "ndeval", Order::Rank, Ties::Docno), (51 * 21, 0));
    // Ties by docno, as in trec_eval and by default in karat, are another ranking of the same run.
    let (_, wrong) = compare_run(&folder, &qrels, name, "ndeval", Order::Score, Ties::Docno);
    assert!(wrong > 0, "{wrong}");
}

/// gdeval takes a run by score, ties by docno descending: karat's default.
#[test]
fn gdeval_2012() {
    let Some(folder) = folder() else { return };
    let qrels = support::qrels(&support::text(&folder, "2012_qrels.adhoc.txt"));
    let compared = RUNS.map(|name| compare_run(&folder, &qrels, name, "gdeval", Order::Score, Ties::Docno));
    assert_eq!(compared, [(51 * 2, 0); 4]);
}
