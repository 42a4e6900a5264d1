//! Measures of sampled judgements: agreement with sample_eval.pl on a TRECVID run and with trec_eval on thinned TREC-COVID
//! judgements, and what holds for any sample.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::support;

use std::collections::BTreeMap;

use karat_data::{Aligner, CollectionFacts, Grade, Judgement, JudgementKind, Mark, Policy, Qrels, Row};
use karat_measures::example::{Document, Owned};
use karat_measures::{Measure, spec};
use proptest::prelude::*;
use support::Order;

fn build(text: &str) -> Box<dyn Measure> {
    spec::parse(text, 1.0).and_then(|spec| spec.build()).unwrap()
}

type Rows<'a> = BTreeMap<&'a str, Vec<Row<'a>>>;

/// The values of measures for the topics of a run that are judged, in the order of topic names.
fn values(qrels: &Qrels, rows: &Rows<'_>, measures: &[Box<dyn Measure>]) -> Vec<(String, Vec<f64>)> {
    let collection = CollectionFacts { max_grade: qrels.max_grade().unwrap(), ..CollectionFacts::default() };
    let mut aligner = Aligner::new();
    let mut found = Vec::new();
    for (topic, rows) in rows {
        let Some(index) = qrels.find(topic.as_bytes()) else { continue };
        let ranking = aligner.align(qrels, index, rows, &Policy::default()).unwrap();
        let view = qrels.view(index, ranking, collection);
        found.push(((*topic).to_owned(), measures.iter().map(|measure| measure.value(&view).unwrap()).collect()));
    }
    found
}

fn means(found: &[(String, Vec<f64>)], topics: usize) -> Vec<f64> {
    let width = found.first().map_or(0, |(_, values)| values.len());
    (0..width).map(|at| found.iter().map(|(_, values)| values[at]).sum::<f64>() / topics as f64).collect()
}

/// Every infAP, infNDCG and iP of 20 topics and their means, to the digit printed.
#[test]
fn sample_eval_on_trecvid_2021() {
    let Some(folder) =
        karat_testdata::folder("xinfap_trecvid_avs21", "xinfAP, infNDCG and infP beside sample_eval.pl's")
    else {
        return;
    };
    let qrels = support::strata(&support::text(&folder, "qrels.5col.strata"));
    let names = ["infAP", "infNDCG", "iP5", "iP10", "iP15", "iP20", "iP30", "iP100", "iP200", "iP500", "iP1000"];
    let measures: Vec<_> = names
        .iter()
        .map(|name| match *name {
            // TRECVID's version of the script: AP over at most 1000 relevant documents, and an ideal with fractions of documents.
            "infAP" => build("xinfAP(capped=true)"),
            "infNDCG" => build("infNDCG(rounded=false)"),
            other => build(&other.replace("iP", "infP@")),
        })
        .collect();
    let run = support::text(&folder, "run.RUCMM.txt");
    let mut found = values(&qrels, &support::run(&run, Order::Score), &measures);
    found.push(("all".to_owned(), means(&found, found.len())));
    let (mut checked, mut wrong) = (0, Vec::new());
    for line in support::text(&folder, "expected.sample_eval.q.txt").lines() {
        let [name, topic, printed] = line.split_whitespace().collect::<Vec<_>>()[..] else { continue };
        let Some(column) = names.iter().position(|other| *other == name) else { continue };
        let (_, values) = found.iter().find(|(other, _)| other == topic).unwrap();
        checked += 1;
        if format!("{:.4}", values[column]) != printed {
            wrong.push(format!("{name} of {topic}: printed {printed}, computed {}", values[column]));
        }
    }
    assert_eq!(checked, 21 * names.len());
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// infAP of all runs to the digits trec_eval printed, with a fifth and with half of the judgements; with all of them it
/// is AP, to 1e-4 for every topic of every run.
#[test]
fn inferred_ap_on_thinned_trec_covid() {
    let Some(folder) = karat_testdata::folder("trec_covid_r1", "infAP beside trec_eval's on thinned judgements") else {
        return;
    };
    let archive = support::text(&folder, "runs.tar");
    let thinned = ["20", "50"].map(|rate| {
        let name = format!("derived_sampled_{rate}pct");
        let expected = support::text(&folder, &format!("{name}.trec_eval10.tsv"));
        (support::qrels(&support::text(&folder, &format!("{name}.qrels"))), expected)
    });
    let full = support::qrels(&support::text(&folder, "qrels.txt"));
    let mut checked = 0;
    for line in thinned[0].1.lines().skip(1) {
        let name = line.split('\t').next().unwrap();
        let run = support::archived(&archive, name);
        let run = support::run(&run, Order::Score);
        for (qrels, expected) in &thinned {
            let row = expected.lines().find(|row| row.split('\t').next() == Some(name)).unwrap();
            let printed = row.split('\t').nth(1).unwrap();
            let found = values(qrels, &run, &[build("infAP")]);
            let mean = means(&found, found.len())[0];
            assert_eq!(format!("{mean:.4}"), printed, "{name}");
            checked += 1;
        }
        for (topic, values) in values(&full, &run, &[build("infAP"), build("AP")]) {
            assert!((values[0] - values[1]).abs() < 1e-4, "{name}, topic {topic}: {values:?}");
        }
    }
    assert_eq!(checked, 2 * 143);
}

/// Documents in strata, of which about half were judged.
fn document() -> impl Strategy<Value = Document> {
    (0u32..3, prop_oneof![Just(None), (0u32..3).prop_map(Some)], prop::bool::weighted(0.8)).prop_map(
        |(group, grade, pooled)| {
            let grade = grade.map(f64::from);
            let judgement = match grade {
                _ if !pooled => Judgement::Unpooled,
                Some(grade) => Judgement::Grade(Grade::new(grade).unwrap()),
                None => Judgement::PooledUnjudged,
            };
            let mark = Mark { document: 0, group, subgroup: 0, value: grade.unwrap_or(-1.0) };
            (judgement, if pooled { vec![mark] } else { Vec::new() })
        },
    )
}

fn topic(ranks: &[Document], missed: &[Document]) -> Owned {
    let collection = CollectionFacts { max_grade: 2.0, ..CollectionFacts::default() };
    let missed = missed.iter().filter(|(judgement, _)| *judgement != Judgement::Unpooled).cloned().collect();
    Owned::marked(JudgementKind::Strata, ranks.to_vec(), missed, collection)
}

/// Every unjudged document, pooled or not, judged in some way; documents outside the pool join stratum 0.
fn completed(documents: &[Document], grades: &mut impl Iterator<Item = u32>) -> Vec<Document> {
    let mut judge = |(judgement, marks): &Document| {
        if judgement.is_judged() {
            return (*judgement, marks.clone());
        }
        let grade = f64::from(grades.next().unwrap());
        let mark = marks.first().copied().unwrap_or(Mark { document: 0, group: 0, subgroup: 0, value: 0.0 });
        (Judgement::Grade(Grade::new(grade).unwrap()), vec![Mark { value: grade, ..mark }])
    };
    documents.iter().map(&mut judge).collect()
}

const STRATIFIED: [(&str, &str); 8] = [
    ("xinfAP", "AP"),
    ("xinfAP@3", "AP@3"),
    ("xinfAP(capped=true)", "AP"),
    ("infNDCG(rounded=false)", "nDCG@1000"),
    ("xinfAP(rel=2)@30", "AP(rel=2)@30"),
    ("infNDCG", "nDCG@1000"),
    ("infNDCG(dcg=exp-log2)@3", "nDCG(dcg=exp-log2)@3"),
    ("infP@5", "P@5"),
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    /// With everything judged they are the measures they estimate, with a sampling variance of 0, and the bounds given
    /// before hold them.
    #[test]
    fn full_judgement_gives_what_is_estimated(
        ranks in prop::collection::vec(document(), 0..10),
        missed in prop::collection::vec(document(), 0..8),
        grades in prop::collection::vec(0u32..3, 18),
    ) {
        let before = topic(&ranks, &missed);
        let mut grades = grades.into_iter();
        let missed: Vec<_> = missed.into_iter().filter(|(judgement, _)| *judgement != Judgement::Unpooled).collect();
        let whole = topic(&completed(&ranks, &mut grades), &completed(&missed, &mut grades));
        for (text, estimated) in STRATIFIED {
            let measure = build(text);
            let (value, truth) = (measure.value(&whole.view()).unwrap(), build(estimated).value(&whole.view()).unwrap());
            prop_assert!((value - truth).abs() < 3e-5, "{text}: {value}, {truth}");
            prop_assert!(matches!(measure.sampling_variance(&whole.view()), None | Some(0.0)), "{text}");
            if let Ok(score) = measure.score(&before.view()) {
                prop_assert!(score.value.is_finite() && score.value >= 0.0, "{text}: {}", score.value);
                let (low, high) = score.bounds().unwrap();
                prop_assert!(low - 1e-12 <= truth && truth <= high + 1e-12, "{text}: {truth} in {low}..{high}");
            }
            if let Some(variance) = measure.sampling_variance(&before.view()) {
                prop_assert!(variance.is_finite() && variance >= 0.0, "{text}: {variance}");
            }
        }
    }

    /// More relevant documents than the depth, by which xinfAP then divides: what it is with everything judged lies within
    /// the bounds it had before.
    #[test]
    fn a_shallow_list_stays_within_its_bounds(
        ranks in prop::collection::vec(document(), 0..10),
        missed in prop::collection::vec(document(), 0..8),
        grades in prop::collection::vec(0u32..3, 18),
    ) {
        let before = topic(&ranks, &missed);
        let mut grades = grades.into_iter();
        let missed: Vec<_> = missed.into_iter().filter(|(judgement, _)| *judgement != Judgement::Unpooled).collect();
        let whole = topic(&completed(&ranks, &mut grades), &completed(&missed, &mut grades));
        for text in ["xinfAP(capped=true)@1", "xinfAP(capped=true)@3", "xinfAP(capped=true,rel=2)@4", "xinfAP@2"] {
            let measure = build(text);
            let Ok(score) = measure.score(&before.view()) else { continue };
            let (value, (low, high)) = (measure.value(&whole.view()).unwrap(), score.bounds().unwrap());
            prop_assert!(low - 1e-12 <= value && value <= high + 1e-12, "{text}: {value} in {low}..{high}");
        }
    }

    /// Other names for strata, another order of what was not retrieved.
    #[test]
    fn renaming_changes_nothing(
        ranks in prop::collection::vec(document(), 0..10),
        missed in prop::collection::vec(document(), 0..8),
    ) {
        let other = |documents: &[Document]| -> Vec<Document> {
            let rename = |mark: &Mark| Mark { group: 2 - mark.group, ..*mark };
            documents.iter().map(|(judgement, marks)| (*judgement, marks.iter().map(rename).collect())).collect()
        };
        let mut last = other(&missed);
        last.reverse();
        let (a, b) = (topic(&ranks, &missed), topic(&other(&ranks), &last));
        for (text, _) in STRATIFIED {
            let measure = build(text);
            match (measure.value(&a.view()), measure.value(&b.view())) {
                (Ok(a), Ok(b)) => prop_assert!((a - b).abs() < 1e-12, "{text}: {a}, {b}"),
                (a, b) => prop_assert_eq!(a, b, "{}", text),
            }
            match (measure.sampling_variance(&a.view()), measure.sampling_variance(&b.view())) {
                (Some(a), Some(b)) => prop_assert!((a - b).abs() < 1e-12, "{text}: {a}, {b}"),
                (a, b) => prop_assert_eq!(a, b, "{}", text),
            }
        }
    }
}
