//! The parts of a budget against a brute-force simulation of the whole.
#![allow(clippy::unwrap_used, clippy::print_stderr)]

use karat_analysis::budget::{BudgetOptions, Effort, Prices, budget};
use karat_analysis::scores::Setting;
use karat_analysis::unjudged::{Treatment, fit_model};
use karat_data::{CollectionFacts, Policy};
use karat_formats::{Dialect, Input, RunFiles, detect, read_qrels};
use karat_measures::spec;
use karat_stats::Seed;
use karat_stats::dist::normal;
use karat_stats::judge_error::{Calibration, worth};

const TOPICS: usize = 30;
const DEPTH: usize = 8;
const K: usize = 5;
const REPLICATES: usize = 100_000;

/// What stands at the ranks of a topic: judged or not, relevant to bronze or not.
fn lists() -> Vec<Vec<Option<bool>>> {
    let mut stream = Seed(3).stream("lists", 0);
    let rank = |_: usize, easy: f64, stream: &mut karat_stats::seed::Stream| {
        let (judged, relevant) = (stream.unit() < 0.6, stream.unit() < easy);
        judged.then_some(relevant)
    };
    (0..TOPICS)
        .map(|_| {
            let easy = 0.2 + 0.6 * stream.unit();
            (0..DEPTH).map(|at| rank(at, easy, &mut stream)).collect()
        })
        .collect()
}

#[test]
fn parts_add_up_to_what_a_nested_simulation_finds() {
    let lists = lists();
    let (mut qrels, mut run) = (String::new(), String::new());
    for (topic, list) in lists.iter().enumerate() {
        for (rank, judged) in (1..).zip(list) {
            run.push_str(&format!("{topic:02} Q0 d{rank} {rank} {} one\n", 100 - rank));
            if let Some(relevant) = judged {
                qrels.push_str(&format!("{topic:02} 0 d{rank} {}\n", u8::from(*relevant)));
            }
        }
    }
    let qrels = read_qrels(&Input::bytes("qrels", qrels.into_bytes()), detect::QRELS, Dialect::Strict, 1).unwrap().0;
    let runs = RunFiles::new(vec![Input::bytes("run", run.into_bytes())], detect::RUN, Dialect::Strict);
    let measures = [spec::parse(&format!("P@{K}"), 1.0).unwrap().build().unwrap()];
    let (pairs_of, agreed) = ([240u64, 200u64], [216u64, 160u64]);
    let calibration = Calibration::binary((agreed[1], pairs_of[1]), (agreed[0], pairs_of[0])).unwrap();
    let setting = Setting {
        qrels: &qrels,
        uncut: None,
        collection: CollectionFacts { max_grade: 1.0, whole_grades: true, documents: None },
        policy: Policy::default(),
        measures: &measures,
        bounds: false,
        detect_sparse: false,
        relevance_model: None,
        calibration: Some(&calibration),
        threads: 1,
    };
    let relevance_model = fit_model(&setting.model_data(), &runs, Treatment::Fit, 1.0, 20, Seed(1)).unwrap();
    let chances: Vec<(f64, Box<[f64]>)> = (1..=DEPTH).map(|rank| relevance_model.chances(rank)).collect();
    let options = BudgetOptions {
        level: 0.95,
        prices: Prices::default(),
        model: Some(Ok(relevance_model)),
        draws: None,
        seed: Seed(1),
    };
    let found = budget(&setting, &runs, &options).unwrap();
    let sources = found.sources();
    let of = |name: &str| sources.iter().find(|(source, _)| source.name() == name).unwrap().1;
    // A resample of n topics has (n − 1)/n of the variance of the mean; the interaction is a bound, and in the simulation, where the model's
    // error is drawn by itself, there is none.
    let n = TOPICS as f64;
    let parts = of("topics") * (n - 1.0) / n + of("unjudged") + of("judges");
    assert!(of("topics") > 0.0 && of("unjudged") > 0.1 * parts && of("judges") > 0.03 * parts, "{:?}", sources);

    let groups = chances[0].1.len();
    let scale = ((groups as f64 - 1.0) / groups as f64).sqrt();
    let mut values = Vec::with_capacity(REPLICATES);
    for replicate in 0..REPLICATES {
        let mut stream = Seed(11).stream("replicate", replicate as u64);
        // The model within its error.
        let by: Vec<f64> =
            (0..groups).map(|_| scale * normal::quantile((stream.unit() + 1e-12).min(1.0 - 1e-12)).unwrap()).collect();
        let moved: Vec<f64> = chances
            .iter()
            .map(|(chance, refits)| {
                let mean = refits.iter().sum::<f64>() / groups as f64;
                chance + refits.iter().zip(&by).map(|(refit, by)| by * (refit - mean)).sum::<f64>()
            })
            .collect();
        // Other gold labels, with the rates that were seen.
        let again = |place: usize, stream: &mut karat_stats::seed::Stream| {
            let rate = agreed[place] as f64 / pairs_of[place] as f64;
            // A normal draw is enough for hundreds of pairs.
            let noise = normal::quantile((stream.unit() + 1e-12).min(1.0 - 1e-12)).unwrap();
            let count = rate * pairs_of[place] as f64 + noise * (pairs_of[place] as f64 * rate * (1.0 - rate)).sqrt();
            (count.round() as u64).min(pairs_of[place])
        };
        let (other, relevant) = (again(0, &mut stream), again(1, &mut stream));
        let drawn = Calibration::binary((relevant, pairs_of[1]), (other, pairs_of[0])).unwrap();
        let worth = worth(&[0.0, 1.0], &drawn).unwrap();
        // Other topics, and a truth for each.
        let mut sum = 0.0;
        for _ in 0..TOPICS {
            let list = &lists[stream.below(TOPICS as u64) as usize];
            for (rank, judged) in list[..K].iter().enumerate() {
                sum += match judged {
                    Some(relevant) => worth[usize::from(*relevant)],
                    None => f64::from(u8::from(stream.unit() < moved[rank])),
                } / K as f64;
            }
        }
        values.push(sum / n);
    }
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let total = values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / (values.len() as f64 - 1.0);
    // √(2/100 000) = .45% is the standard error of the simulated variance.
    assert!((parts / total - 1.0).abs() < 0.02, "{parts} {total} {:?}", sources);
    assert!((mean - found.value()).abs() < 0.005, "{mean} {}", found.value());

    // More of anything is not worse, but for judgements, which show spread between topics.
    let half = |effort| found.outlook().half_width(effort);
    let now = half(Effort::default());
    assert!(
        half(Effort { topics: 1, ..Effort::default() }) < now && half(Effort { gold: 10, ..Effort::default() }) < now
    );
    let all = Effort { judgements: found.outlook().documents(), ..Effort::default() };
    assert!(found.outlook().after(all).chance < 1e-12 && found.outlook().after(all).fit < 1e-12);
    // Nothing is advised, so the first ten are named.
    assert_eq!(found.answer(None).next.unwrap().len(), 10);
    eprintln!("parts {parts:.3e}, simulated {total:.3e}: {:+.2}%", 100.0 * (parts / total - 1.0));
}
