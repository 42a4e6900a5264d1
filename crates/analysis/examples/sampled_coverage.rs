//! How often the interval that `karat eval` prints holds the true mean, for each design of `karat sample` and each estimator that fits it.
//!
//!     cargo run --release -p karat-analysis --example sampled_coverage -- WORLDS
//!
//! Each world has 50 topics with about 20 relevant of 200 documents, and six runs of 50 documents, all sampled from. The truth is the mean over all worlds of
//! what the measure is with the whole pool judged; the interval is over topics.
#![allow(clippy::print_stdout, reason = "an example prints")]

#[allow(dead_code, reason = "for settling and verdicts")]
#[path = "verdict_worlds/worlds.rs"]
mod worlds;

use std::collections::HashSet;
use std::error::Error;

use karat_analysis::eval::{EvalOptions, eval};
use karat_analysis::judging::sample::{Design, SampleOptions, sample};
use karat_analysis::scores::Setting;
use karat_analysis::summary::{Inference, IntervalMethod};
use karat_data::{CollectionFacts, FormGrade, FormRow, Policy};
use karat_formats::form::{Asked, Form, FormFormat, FormTexts};
use karat_formats::{Dialect, Input, RunFiles, detect, read_qrels};
use karat_measures::{Measure, spec};
use karat_stats::Seed;
use worlds::{Drawn, WORLDS};

const SEED: Seed = Seed(53);
const TOPICS: usize = 50;
const DEPTH: usize = 50;

/// How documents are drawn, by name.
#[derive(Debug, Clone, Copy)]
enum Plan {
    /// Without strata in the form (`--form-format trec`).
    Plain(f64),
    Uniform(f64),
    Strata(f64),
    Weighted(f64),
}

impl Plan {
    fn name(self) -> String {
        match self {
            Plan::Plain(rate) | Plan::Uniform(rate) => format!("uniform, {:.0}%", 100.0 * rate),
            Plan::Strata(rate) => format!("strata 10:1,50:{rate}"),
            Plan::Weighted(rate) => format!("weighted, {:.0}%", 100.0 * rate),
        }
    }

    /// Estimators, each with the measure that it estimates.
    fn measures(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Plan::Plain(_) => &[("infAP", "AP")],
            Plan::Uniform(_) => &[("xinfAP", "AP"), ("infNDCG", "nDCG"), ("infP@10", "P@10")],
            Plan::Strata(_) => &[("xinfAP", "AP"), ("infNDCG", "nDCG"), ("infP@20", "P@20")],
            Plan::Weighted(_) => &[("htRBP(p=0.8)", "RBP(p=0.8)"), ("htDCG@20", "DCG@20"), ("htP@10", "P@10")],
        }
    }
}

const PLANS: [Plan; 8] = [
    Plan::Plain(0.1),
    Plan::Plain(0.3),
    Plan::Uniform(0.1),
    Plan::Uniform(0.3),
    Plan::Strata(0.1),
    Plan::Strata(0.3),
    Plan::Weighted(0.1),
    Plan::Weighted(0.3),
];

/// A value with its interval.
type Value = (f64, Option<(f64, f64)>);

fn runs(drawn: &Drawn) -> RunFiles {
    let inputs =
        drawn.runs.iter().enumerate().map(|(run, text)| Input::bytes(format!("r{run}"), text.as_bytes().to_vec()));
    RunFiles::new(inputs.collect(), detect::RUN, Dialect::Strict)
}

/// The rows of a form, judged by the truth.
fn judged(drawn: &Drawn, plan: Plan, seed: Seed) -> Result<Vec<FormRow>, Box<dyn Error>> {
    let weights = spec::parse("RBP(p=0.8)", 1.0)?.build()?;
    let design = match plan {
        Plan::Plain(rate) | Plan::Uniform(rate) => Design::Uniform { rate },
        Plan::Strata(rate) => Design::Strata(vec![(10, 1.0), (DEPTH, rate)]),
        Plan::Weighted(rate) => {
            Design::Weighted { rate, form: weights.linear(&CollectionFacts::default()).ok_or("not linear")? }
        }
    };
    let options = SampleOptions {
        depth: DEPTH,
        design,
        qrels: None,
        judged_only: false,
        until_relevant: None,
        policy: Policy::default(),
        seed,
        threads: 1,
    };
    let found = sample(&runs(drawn), &options).map_err(|error| format!("{error:?}"))?;
    let line = |line: &str| {
        let mut fields = line.split(' ');
        let found = (fields.next()?.as_bytes().to_vec(), fields.nth(1)?.as_bytes().to_vec());
        (fields.next()? != "0").then_some(found)
    };
    let relevant: HashSet<(Vec<u8>, Vec<u8>)> = drawn.complete.lines().filter_map(line).collect();
    let row = |row: FormRow| {
        let is_relevant = relevant.contains(&(row.query_id.clone(), row.doc_id.clone()));
        let grade = match row.grade {
            FormGrade::Asked => FormGrade::Grade(f64::from(u8::from(is_relevant))),
            other => other,
        };
        let probability = row.probability.filter(|_| matches!(plan, Plan::Weighted(_)));
        let stratum = row.stratum.filter(|_| !matches!(plan, Plan::Plain(_)));
        FormRow { grade, probability, stratum, ..row }
    };
    Ok(found.form.into_iter().map(row).collect())
}

/// The last run's values.
fn values(drawn: &Drawn, rows: &[FormRow], names: &[&str]) -> Result<Vec<Value>, Box<dyn Error>> {
    let mut bytes = Vec::new();
    let texts = FormTexts::default();
    let form = Form::new(rows, &texts, FormFormat::Trec, Asked::Question).map_err(|why| why.to_string())?;
    form.write(&mut bytes)?;
    let input = Input::bytes("form", bytes);
    let (qrels, _) = read_qrels(&input, detect::QRELS, Dialect::Strict, 1).map_err(|problems| problems.to_string())?;
    let measures: Vec<Box<dyn Measure>> = spec::build_all(names, 1.0)?;
    let setting = Setting {
        qrels: &qrels,
        uncut: None,
        collection: CollectionFacts::new(&qrels, None, None).unwrap_or_default(),
        policy: Policy::default(),
        measures: &measures,
        bounds: false,
        detect_sparse: false,
        relevance_model: None,
        calibration: None,
        threads: 1,
    };
    let inference = Inference { level: 0.95, method: IntervalMethod::Auto, seed: SEED };
    let options =
        EvalOptions { inference, by_query: false, draws: 0, gold: None, score_bands: None, sampled: Vec::new() };
    let found = eval(&setting, &runs(drawn), &options).map_err(|error| format!("{error:?}"))?;
    let last = drawn.runs.len() - 1;
    let value = |measure: usize| {
        let row = found.of_measure(measure).get(last).ok_or("no row")?;
        Ok((row.value.ok_or("no value")?.number(), row.interval))
    };
    (0..names.len()).map(value).collect()
}

fn main() -> Result<(), Box<dyn Error>> {
    let count: u64 = std::env::args().nth(1).ok_or("usage: sampled_coverage WORLDS")?.parse()?;
    println!("| design | measure | true mean | bias | covered | width | width, all judged |");
    println!("|---|---|---|---|---|---|---|");
    let world = WORLDS[0];
    for (number, plan) in (0u64..).zip(PLANS) {
        let (estimators, complete): (Vec<&str>, Vec<&str>) = plan.measures().iter().copied().unzip();
        let mut found = Vec::new();
        for draw in 0..count {
            let seed = SEED.child("world", number * count + draw);
            let drawn = world.draw(TOPICS, DEPTH, seed);
            let all = judged(&drawn, Plan::Plain(1.0), seed)?;
            let sampled = judged(&drawn, plan, seed)?;
            found.push((values(&drawn, &sampled, &estimators)?, values(&drawn, &all, &complete)?));
        }
        for (place, name) in estimators.iter().enumerate() {
            let of: Vec<(Value, Value)> = found.iter().map(|(sampled, all)| (sampled[place], all[place])).collect();
            print_row(&plan.name(), name, &of);
        }
    }
    Ok(())
}

fn print_row(design: &str, name: &str, found: &[(Value, Value)]) {
    let count = found.len() as f64;
    let mean = |of: &dyn Fn(&(Value, Value)) -> f64| found.iter().map(of).sum::<f64>() / count;
    let truth = mean(&|(_, all)| all.0);
    let bias = mean(&|(sampled, all)| sampled.0 - all.0);
    let spread = mean(&|(sampled, all)| (sampled.0 - all.0 - bias).powi(2));
    let holds = |interval: Option<(f64, f64)>| interval.is_some_and(|(low, high)| low <= truth && truth <= high);
    let width = |interval: Option<(f64, f64)>| interval.map_or(f64::NAN, |(low, high)| high - low);
    println!(
        "| {design} | {name} | {truth:.4} | {bias:+.4} ± {:.4} ({:+.1}%) | {:.1}% | {:.3} | {:.3} |",
        (spread / count).sqrt(),
        100.0 * bias / truth,
        100.0 * mean(&|(sampled, _)| f64::from(u8::from(holds(sampled.1)))),
        mean(&|(sampled, _)| width(sampled.1)),
        mean(&|(_, all)| width(all.1)),
    );
}
