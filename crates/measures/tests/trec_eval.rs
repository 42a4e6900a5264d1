//! Agreement with trec_eval's own test outputs, where they are at hand: its licence keeps the files out of this
//! repository, and `karat-testdata` says where they are looked for.
#![allow(clippy::unwrap_used, clippy::print_stderr, clippy::panic)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use karat_data::{Aligner, CollectionFacts, Judgement, Policy, Qrels, QrelsBuilder, Row};
use karat_measures::{MeasureSpec, spec};

fn folder() -> Option<PathBuf> {
    karat_testdata::folder("trec_eval_test", "measures beside trec_eval's own expected outputs")
}

fn qrels(path: &Path) -> Qrels {
    let text = std::fs::read_to_string(path).unwrap();
    let mut builder = QrelsBuilder::new();
    for line in text.lines() {
        let fields: Vec<_> = line.split_whitespace().collect();
        let value: f64 = fields[3].parse().unwrap();
        builder.push(fields[0].as_bytes(), fields[2].as_bytes(), Judgement::from_number(value).unwrap());
    }
    builder.finish().0
}

fn run(text: &str) -> BTreeMap<&str, Vec<Row<'_>>> {
    let mut topics: BTreeMap<&str, Vec<Row<'_>>> = BTreeMap::new();
    for (line, text) in text.lines().enumerate() {
        let fields: Vec<_> = text.split_whitespace().collect();
        let row = Row { docno: fields[2].as_bytes(), score: fields[4].parse().unwrap(), line: line as u32 };
        topics.entry(fields[0]).or_default().push(row);
    }
    topics
}

/// The measure behind a name in trec_eval's output (version 10), and whether the golden counts it at all.
fn measure(name: &str, level: f64) -> Option<MeasureSpec> {
    let text = match name {
        "runid" | "relstring" | "relstring_20" => return None,
        "rbp_resid" => "RBP(p=0.9)".into(),
        "rbp" => "RBP(p=0.9,gain=topic)".into(),
        "11pt_avg" => "IPrecAvg(rounding=trec_eval10)".into(),
        "11pt_avg_.25,.5,.75" => "IPrecAvg(levels=[0.25,0.5,0.75],rounding=trec_eval10)".into(),
        _ => match name.strip_prefix("iprec_at_recall_") {
            Some(recall) => format!("IPrec(rounding=trec_eval10)@{recall}"),
            None => name.to_owned(),
        },
    };
    Some(spec::parse(&text, level).unwrap_or_else(|error| panic!("{name}: {error}")))
}

fn compare(folder: &Path, qrels_name: &str, golden: &str, level: f64) {
    let qrels = qrels(&folder.join(qrels_name));
    let text = std::fs::read_to_string(folder.join("results.test")).unwrap();
    let run = run(&text);
    let collection = CollectionFacts { max_grade: qrels.max_grade().unwrap_or(1.0), ..CollectionFacts::default() };
    let mut aligner = Aligner::new();
    let golden = std::fs::read_to_string(folder.join(golden)).unwrap();
    let mut checked = 0;
    for line in golden.lines() {
        let [name, topic, printed] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let (name, printed) = (name.trim(), printed.trim());
        let Some(spec) = measure(name, level) else { continue };
        let measure = spec.build().unwrap();
        let mut value = |topic: &str| {
            let index = qrels.find(topic.as_bytes()).unwrap();
            let ranking = aligner.align(&qrels, index, &run[topic], &Policy::default()).unwrap();
            let score = measure.score(&qrels.view(index, ranking, collection)).unwrap();
            // Version 10 forgets the residual of a list without unjudged documents.
            let unjudged = ranking.ranks.iter().any(|judgement| !judgement.is_judged());
            match name {
                "rbp_resid" if unjudged => score.high - score.low,
                "rbp_resid" => 0.0,
                _ => score.value,
            }
        };
        let value = if topic == "all" {
            measure.info().aggregate.of(run.keys().map(|topic| value(topic))).unwrap()
        } else {
            value(topic)
        };
        let ours = if printed.contains('.') { format!("{value:.4}") } else { format!("{value}") };
        assert_eq!(ours, printed, "{line}");
        checked += 1;
    }
    assert!(checked > 50, "only {checked} numbers compared");
}

#[test]
fn all_measures_per_topic() {
    let Some(folder) = folder() else { return };
    compare(&folder, "qrels.test", "out.test.aq", 1.0);
}

#[test]
fn relevance_level_two() {
    let Some(folder) = folder() else { return };
    compare(&folder, "qrels.rel_level", "out.test.aql", 2.0);
}

#[test]
fn measures_with_parameters() {
    let Some(folder) = folder() else { return };
    compare(&folder, "qrels.test", "out.test.meas_params", 1.0);
}
