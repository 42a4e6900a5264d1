//! Agreement with other programs: what NTCIREVAL prints for its own example, ir_measures for Compat's, cwl_eval for two
//! runs of TREC's Deep Learning track 2019, and trectools for its own example.
#![allow(clippy::unwrap_used, clippy::print_stderr, clippy::panic)]

use crate::support;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use karat_data::{Aligner, CollectionFacts, Policy, Qrels};
use karat_measures::example::Owned;
use karat_measures::spec;
use support::Order;

fn folder(collection: &str) -> Option<PathBuf> {
    karat_testdata::folder(collection, "measures beside the values of other programs")
}

/// `docno L3` as docno and gain, by the gains of the levels; `None` for a document without a level.
fn labels<'t>(text: &'t str, gains: &[f64; 4]) -> Vec<(&'t str, Option<f64>)> {
    let lines = text.lines().map(str::split_whitespace);
    let gain = |level: &str| gains[level.strip_prefix('L').unwrap().parse::<usize>().unwrap()];
    lines.map(|mut fields| (fields.next().unwrap(), fields.next().map(gain))).collect()
}

/// The measure behind a name in NTCIREVAL's output: its gains are our grades.
fn measure(name: &str) -> String {
    match name {
        "AP" | "RR" | "O-measure" | "P-measure" | "P-plus" | "Q-measure" => name.into(),
        "ERR" => "ERR(gain=linear)".into(),
        "RBP" => "RBP(p=0.95,gain=linear)".into(),
        "NCUgu,P" => "NCUgu(beta=0)".into(),
        "NCUgu,BR" => "NCUgu".into(),
        "NCUrb,P" => "NCUrb(beta=0)".into(),
        "NCUrb,BR" => "NCUrb".into(),
        _ => {
            let (name, cutoff) = name.split_once('@').unwrap();
            let name = match name {
                "AP" => "Q(beta=0)",
                "nDCG" => "JKnDCG",
                "MSnDCG" => "nDCG",
                "nERR" => "nERR(gain=linear)",
                "Hit" => "Success",
                other => other,
            };
            format!("{name}@{}", cutoff.trim_start_matches('0'))
        }
    }
}

fn compare(folder: &Path, printed: &str, labelled: &str, gains: [f64; 4]) {
    let judged = support::text(folder, "sample.rel");
    let judged = labels(&judged, &gains);
    let list = support::text(folder, labelled);
    let list = labels(&list, &gains);
    let sign = |gain: Option<f64>| gain.map_or("-".into(), |gain| gain.to_string());
    let ranking: Vec<String> = list.iter().map(|(_, gain)| sign(*gain)).collect();
    let missed = judged.iter().filter(|(docno, _)| list.iter().all(|(other, _)| other != docno));
    let missed: Vec<String> = missed.map(|(_, gain)| sign(*gain)).collect();
    let collection = CollectionFacts { max_grade: gains[3], ..CollectionFacts::default() };
    let topic = Owned::parse(&ranking.join(" "), &missed.join(" "), collection).unwrap();
    let mut checked = 0;
    for line in support::text(folder, printed).lines().filter(|line| !line.trim_start().starts_with('#')) {
        let Some((name, value)) = line.split_once('=') else { continue };
        let measure = spec::parse(&measure(name.trim()), 1.0).and_then(|spec| spec.build()).unwrap();
        let ours = format!("{:.4}", measure.score(&topic.view()).unwrap().value);
        assert_eq!(ours, value.trim(), "{printed}: {line}");
        checked += 1;
    }
    assert_eq!(checked, 19, "{printed}");
}

#[test]
fn everything_ntcireval_prints() {
    let Some(folder) = folder("toy_expected") else { return };
    let folder = folder.join("ntcireval");
    let linear = [0.0, 1.0, 2.0, 3.0];
    compare(&folder, "res_test_compute.txt", "sample.lab", linear);
    compare(&folder, "res_test_compute_cutoff.txt", "sample.lab", linear);
    compare(&folder, "res_test_compute_grade.txt", "sample.lab", [0.0, 1.0, 4.0, 9.0]);
    compare(&folder, "res_test_compute_label_j.txt", "sample-j.lab", linear);
}

/// The scores of a run's topics for each measure, by karat's default order.
fn scores(qrels: &Qrels, run: &str, measures: &[&str]) -> Vec<BTreeMap<String, f64>> {
    let build = |text: &&str| spec::parse(text, 1.0).and_then(|spec| spec.build()).unwrap();
    let measures: Vec<_> = measures.iter().map(build).collect();
    let collection = CollectionFacts { max_grade: qrels.max_grade().unwrap(), ..CollectionFacts::default() };
    let run = support::run(run, Order::Score);
    let mut aligner = Aligner::new();
    let mut scores = vec![BTreeMap::new(); measures.len()];
    for topic in qrels.topics() {
        let name = String::from_utf8_lossy(qrels.name(topic)).into_owned();
        let rows = run.get(name.as_str()).map_or(&[][..], Vec::as_slice);
        let ranking = aligner.align(qrels, topic, rows, &Policy::default()).unwrap();
        let view = qrels.view(topic, ranking, collection);
        for (measure, scores) in measures.iter().zip(&mut scores) {
            scores.insert(name.clone(), measure.score(&view).unwrap().value);
        }
    }
    scores
}

fn mean(scores: &BTreeMap<String, f64>) -> f64 {
    scores.values().sum::<f64>() / scores.len() as f64
}

#[test]
fn compat_of_ir_measures() {
    let Some(folder) = folder("toy_expected") else { return };
    let folder = folder.join("ir_measures");
    let qrels = support::qrels(&support::text(&folder, "compat.qrels"));
    let scores = scores(&qrels, &support::text(&folder, "compat.run"), &["Compat(p=0.95)"]).remove(0);
    for (topic, printed) in [("31_1", 0.517_795_121_655_09), ("31_2", 0.018_400_100_569_017_922)] {
        assert!((scores[topic] - printed).abs() < 1e-14, "{topic}: printed {printed}, computed {}", scores[topic]);
    }
}

/// Means over 43 topics, computed with ir_measures 0.4.3 and cwl_eval 1.0.12, the runs in karat's order (cwl_eval leaves
/// ties as it finds them). cwl_eval follows every user to rank 1000.
#[test]
fn user_models_of_cwl_eval() {
    let Some(folder) = folder("dl19_passage") else { return };
    let qrels = support::qrels(&support::text(&folder, "qrels.txt"));
    let archive = support::text(&folder, "runs_judged_topics.tar");
    let (bert, bm25) = (support::archived(&archive, "idst_bert_pr1"), support::archived(&archive, "bm25tuned_prf_p"));
    let expected = [
        ("INST(T=1,max_rel=3)@1000", 0.734_094_800_626_775_3, 0.514_350_190_243_279_5),
        ("INSQ(T=1,max_rel=3)@1000", 0.635_371_961_758_119, 0.460_052_251_165_444_74),
        ("BPM(T=1,max_rel=3)@10", 0.771_963_824_289_405_8, 0.564_470_284_237_726_2),
        ("SDCG(max_rel=3)@10", 0.625_373_350_641_544_1, 0.462_840_883_298_865_7),
        ("NERR8(max_rel=3)@10", 0.767_687_882_152_703_1, 0.554_330_005_139_290_4),
        ("NERR9(max_rel=3)@10", 0.767_710_004_850_413_3, 0.537_501_052_703_589_3),
        ("NERR10(p=0.9,max_rel=3)", 0.766_132_020_060_408_8, 0.551_184_913_261_252_6),
        ("NERR11(T=1,max_rel=3)@1000", 0.767_119_034_970_034_8, 0.533_883_136_623_984),
        ("Compat(p=0.95)", 0.586_964_872_024_565_4, 0.430_849_564_692_856_35),
    ];
    let measures = expected.map(|(measure, _, _)| measure);
    let ours = scores(&qrels, &bert, &measures).into_iter().zip(scores(&qrels, &bm25, &measures));
    for ((measure, first, second), (bert, bm25)) in expected.into_iter().zip(ours) {
        let (bert, bm25) = (mean(&bert), mean(&bm25));
        assert!((bert - first).abs() < 1e-12, "{measure}: {first}, computed {bert}");
        assert!((bm25 - second).abs() < 1e-12, "{measure}: {second}, computed {bm25}");
    }
}

/// The values trectools' own tests expect of its toy run.
#[test]
fn trectools_own_example() {
    let Some(folder) = folder("trectools_toy") else { return };
    let qrels = support::qrels(&support::text(&folder, "qrel1.txt"));
    let run = support::text(&folder, "r4.run");
    let expected = [("RR", "0.5000"), ("AP", "0.2685"), ("P@1000", "0.0010"), ("R@1000", "0.3889")];
    let ours = scores(&qrels, &run, &expected.map(|(measure, _)| measure));
    for ((measure, printed), ours) in expected.into_iter().zip(ours) {
        assert_eq!(format!("{:.4}", mean(&ours)), printed, "{measure}");
    }
}
