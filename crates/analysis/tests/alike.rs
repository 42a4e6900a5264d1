//! Topics that look alike share their answers: that must be what each topic gets when it is scored alone.
#![allow(clippy::unwrap_used)]

use karat_analysis::scores::{RunScores, Setting, score};
use karat_data::{CollectionFacts, JudgementKind, Policy, Qrels};
use karat_formats::{Dialect, Input, RunFiles, detect, read_qrels};
use karat_measures::registry::MEASURES;
use karat_measures::{Measure, spec};
use karat_stats::Seed;

const TOPICS: usize = 400;

/// The lines of one topic in qrels and run: lists so short that many are alike; some ties, some lists that are too long,
/// and more grades than are told apart.
fn topic(name: usize) -> (String, String) {
    let mut stream = Seed(5).stream("alike", name as u64);
    let mut below = |limit: f64| (stream.unit() * limit) as usize;
    let (mut qrels, mut run) = (format!("{name} 0 judged 1\n"), String::new());
    let depth = if below(10.0) == 0 { 20 } else { 1 + below(3.0) };
    for rank in 1..=depth {
        let tied = below(5.0) == 0;
        run += &format!("{name} Q0 d{rank} {rank} {} one\n", if tied { 50 } else { 100 - rank });
        match below(8.0) {
            0 => qrels += &format!("{name} 0 d{rank} -1\n"),
            1 => qrels += &format!("{name} 0 d{rank} 1.{name:03}\n"),
            grade @ 2..5 => qrels += &format!("{name} 0 d{rank} {}\n", grade - 2),
            _ => {}
        }
    }
    if below(3.0) == 0 {
        qrels += &format!("{name} 0 pooled -1\n");
    }
    (qrels, run)
}

fn scored(topics: &[(String, String)], policy: Policy, measures: &[Box<dyn Measure>]) -> (Qrels, RunScores) {
    let (qrels, run): (Vec<&str>, Vec<&str>) = topics.iter().map(|(qrels, run)| (&qrels[..], &run[..])).unzip();
    let input = Input::bytes("qrels", qrels.concat().into_bytes());
    let qrels = read_qrels(&input, detect::QRELS, Dialect::Strict, 1).unwrap().0;
    let runs = RunFiles::new(vec![Input::bytes("run", run.concat().into_bytes())], detect::RUN, Dialect::Strict);
    let setting = Setting {
        qrels: &qrels,
        uncut: None,
        collection: CollectionFacts { max_grade: 2.0, whole_grades: false, documents: Some(100) },
        policy,
        measures,
        bounds: true,
        detect_sparse: false,
        relevance_model: None,
        calibration: None,
        threads: 1,
    };
    let run = score(&setting, &runs).unwrap().remove(0);
    (qrels, run)
}

#[test]
fn shared_answers_are_those_of_each_topic_alone() {
    let of_grades = MEASURES.iter().filter(|info| info.needs == JudgementKind::Grades);
    let measures: Vec<Box<dyn Measure>> = of_grades
        .flat_map(|info| info.examples)
        .map(|example| spec::parse(example.measure, 1.0).unwrap().build().unwrap())
        .collect();
    let topics: Vec<_> = (0..TOPICS).map(topic).collect();
    for policy in [
        Policy::default(),
        Policy { depth: Some(2), ..Policy::default() },
        Policy { judged_only: true, ..Policy::default() },
    ] {
        // Estimators have something to say of every topic, and then nothing is shared.
        let (estimators, others): (Vec<_>, Vec<_>) =
            measures.iter().partition(|measure| measure.info().bounds == karat_measures::Tightness::Estimator);
        for chosen in [others, estimators] {
            let chosen: Vec<_> = chosen.into_iter().map(|measure| measure.spec().build().unwrap()).collect();
            let (qrels, together) = scored(&topics, policy, &chosen);
            for (name, topic) in topics.iter().enumerate() {
                let (alone_qrels, alone) = scored(std::slice::from_ref(topic), policy, &chosen);
                let at = qrels.find(name.to_string().as_bytes()).unwrap();
                let only = alone_qrels.topics().next().unwrap();
                // As text, so that every digit counts and NaN would show.
                assert_eq!(format!("{:?}", together.topics.get(at)), format!("{:?}", alone.topics.get(only)), "{name}");
                assert_eq!(format!("{:?}", together.ties_of(at)), format!("{:?}", alone.ties_of(only)), "{name}");
                for measure in 0..chosen.len() {
                    assert_eq!(together.sampling_of(at, measure), alone.sampling_of(only, measure), "{name}");
                }
            }
        }
    }
}
