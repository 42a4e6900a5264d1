//! karat's own parts, each alone, on 50 topics x 1000 documents in memory.
//!
//! For comparing two versions on one machine; the peers and the floor are `bench/peers`.
#![allow(missing_docs, clippy::unwrap_used, reason = "benches are programs for developers")]

use std::fmt::Write;

use divan::counter::{BytesCount, ItemsCount};
use divan::{Bencher, black_box};
use karat_analysis::scores::{Setting, score};
use karat_data::rankings::each_topic;
use karat_data::{CollectionFacts, Policy, Qrels, Ties};
use karat_formats::{Dialect, Input, QREL_FORMATS, RUN_FORMATS, RunFiles, read_qrels};
use karat_measures::{Measure, spec};
use karat_stats::{Sample, Seed, interval};

const TOPICS: usize = 50;
const DEPTH: usize = 1000;

fn main() {
    divan::main();
}

/// A run; `step` 1 is in order of score, any other number that has no factor with DEPTH shuffles the lines.
fn run_text(step: usize) -> String {
    let mut text = String::new();
    for topic in 0..TOPICS {
        for at in 0..DEPTH {
            let rank = at * step % DEPTH;
            let docno = (topic * 7919 + rank * 104_729) % 8_841_823;
            writeln!(text, "{} Q0 {docno} {} {:.5} bench", 1000 + topic, rank + 1, 30.0 - rank as f64 * 0.013).unwrap();
        }
    }
    text
}

fn qrels() -> Qrels {
    let mut text = String::new();
    for topic in 0..TOPICS {
        for judged in 0..20usize {
            let docno = (topic * 7919 + judged * judged * 104_729) % 8_841_823;
            writeln!(text, "{} 0 {docno} {}", 1000 + topic, judged % 4).unwrap();
        }
    }
    read_qrels(&Input::bytes("qrels", text.into_bytes()), QREL_FORMATS[0], Dialect::Strict, 1).unwrap().0
}

fn source(text: &str) -> RunFiles {
    RunFiles::new(vec![Input::bytes("run", text.as_bytes())], RUN_FORMATS[0], Dialect::Strict)
}

/// Reading, ordering and look-up, without any measure.
#[divan::bench(args = [1, 7])]
fn read_and_align(bencher: Bencher, step: usize) {
    let (text, qrels) = (run_text(step), qrels());
    let runs = source(&text);
    bencher.counter(BytesCount::new(text.len())).bench_local(|| {
        each_topic(&qrels, &runs, &Policy::default(), 1, 1, |_, ranking, out| out.push(black_box(ranking.ranks.len())))
            .unwrap()
    });
}

/// The same with ties in file order.
#[divan::bench]
fn read_and_align_file_order(bencher: Bencher) {
    let (text, qrels) = (run_text(7), qrels());
    let runs = source(&text);
    let policy = Policy { ties: Ties::File, ..Policy::default() };
    bencher.counter(BytesCount::new(text.len())).bench_local(|| {
        each_topic(&qrels, &runs, &policy, 1, 1, |_, ranking, out| out.push(black_box(ranking.ranks.len()))).unwrap()
    });
}

/// Reading and one measure.
#[divan::bench(args = ["AP", "nDCG@10", "nDCG", "RR", "RBP(p=0.8)", "Bpref", "infAP", "IPrecAvg", "ROCArea"])]
fn read_and_score(bencher: Bencher, name: &str) {
    let (text, qrels) = (run_text(1), qrels());
    let runs = source(&text);
    let measures: Vec<Box<dyn Measure>> = vec![spec::parse(name, 1.0).unwrap().build().unwrap()];
    let collection = CollectionFacts { max_grade: 3.0, ..CollectionFacts::default() };
    let setting = Setting {
        qrels: &qrels,
        uncut: None,
        collection,
        policy: Policy::default(),
        measures: &measures,
        bounds: true,
        detect_sparse: false,
        relevance_model: None,
        calibration: None,
        threads: 1,
    };
    bencher.counter(ItemsCount::new(TOPICS * DEPTH)).bench_local(|| score(&setting, &runs).unwrap());
}

/// The BCa interval of a mean.
#[divan::bench(args = [50, 1000])]
fn bca(bencher: Bencher, topics: usize) {
    let values: Vec<f64> = (0..topics).map(|topic| (topic * 37 % 101) as f64 / 101.0).collect();
    let sample = Sample::new(&values).unwrap();
    bencher.bench_local(|| interval::bca(&sample, 0.95, Seed(1)).unwrap());
}
