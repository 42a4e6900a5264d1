//! Where scores come from: shapes made here, whose mean is known exactly, and the scores of real runs.

use std::error::Error;

use karat_analysis::scores::{Setting, score};
use karat_data::{CollectionFacts, Policy};
use karat_formats::{Dialect, Input, RunFiles, detect, read_qrels};
use karat_measures::{Measure, spec};
use karat_stats::dist::{beta, normal};
use karat_stats::seed::Stream;

/// Points of a shape, each as likely as the others.
const POINTS: usize = 4096;

/// Numbers of topics.
pub const TOPICS: [usize; 4] = [5, 10, 25, 50];

/// A population of scores.
#[derive(Clone, Debug)]
pub struct Population {
    pub name: String,
    pub scores: Vec<f64>,
}

impl Population {
    pub fn mean(&self) -> f64 {
        self.scores.iter().sum::<f64>() / self.scores.len() as f64
    }

    /// The scores of n topics.
    pub fn draw(&self, n: usize, stream: &mut Stream) -> Vec<f64> {
        (0..n).map(|_| self.scores[stream.below(self.scores.len() as u64) as usize]).collect()
    }
}

/// What p, from 0 to 1, each point stands for.
fn places() -> impl Iterator<Item = f64> {
    (0..POINTS).map(|place| (place as f64 + 0.5) / POINTS as f64)
}

/// Scores that vary over topics as Beta(a, b).
fn beta_scores(a: f64, b: f64) -> Result<Vec<f64>, Box<dyn Error>> {
    Ok(places().map(|p| beta::quantile(p, a, b)).collect::<Result<_, _>>()?)
}

/// 1 / rank of the first relevant document, where each rank down to 1000 is relevant with this chance.
fn reciprocal_ranks(chance: f64) -> Vec<f64> {
    let rank = |p: f64| ((1.0 - p).ln() / (1.0 - chance).ln()).ceil().max(1.0);
    places().map(rank).map(|rank| if rank > 1000.0 { 0.0 } else { 1.0 / rank }).collect()
}

/// Relevant documents among the first `depth` over `depth`, where the chance of each varies over topics as Beta(a, b): 64 topics' worth of binomials.
fn precision(depth: i32, a: f64, b: f64) -> Result<Vec<f64>, Box<dyn Error>> {
    let mut shares = vec![0.0; depth as usize + 1];
    for part in 0..64 {
        let p = beta::quantile((f64::from(part) + 0.5) / 64.0, a, b)?;
        let mut ways = 1.0;
        for (k, share) in shares.iter_mut().enumerate() {
            *share += ways * p.powi(k as i32) * (1.0 - p).powi(depth - k as i32) / 64.0;
            ways *= (f64::from(depth) - k as f64) / (k + 1) as f64;
        }
    }
    let value = |p: f64| {
        let mut left = p;
        let found = shares.iter().position(|share| {
            left -= share;
            left < 0.0
        });
        found.unwrap_or(shares.len() - 1) as f64 / f64::from(depth)
    };
    Ok(places().map(value).collect())
}

/// Shapes with the measure whose scores they are like.
pub fn shapes() -> Result<Vec<(&'static str, Population)>, Box<dyn Error>> {
    let mut all = Vec::new();
    let mut add = |measure, name: String, scores| all.push((measure, Population { name, scores }));
    for chance in [0.01, 0.03, 0.1, 0.2, 0.4, 0.7, 0.9] {
        add("RR", format!("each rank relevant with {chance}"), reciprocal_ranks(chance));
    }
    // A hundred thousand times as much of both: every topic alike.
    for (chance, a, b) in [("0.02", 2e3, 98e3), ("0.1", 10e3, 90e3), ("0.5", 50e3, 50e3), ("0.9", 90e3, 10e3)] {
        add("Success@1", format!("relevant with {chance}"), precision(1, a, b)?);
    }
    for (chance, a, b) in [("0.01", 1e3, 99e3), ("0.02", 2e3, 98e3), ("0.05", 5e3, 95e3)] {
        add("P@5", format!("each rank relevant with {chance}"), precision(5, a, b)?);
    }
    for (a, b) in [(0.2, 3.8), (0.5, 2.0), (0.5, 0.5), (3.0, 2.0)] {
        add("P@5", format!("chance of a topic from Beta({a}, {b})"), precision(5, a, b)?);
    }
    for (a, b) in [(0.3, 5.7), (0.5, 9.5), (0.5, 4.5), (1.0, 9.0), (0.8, 3.2), (1.0, 3.0), (2.0, 5.0), (3.0, 3.0)] {
        add("AP", format!("Beta({a}, {b})"), beta_scores(a, b)?);
    }
    for chance in [0.03, 0.2] {
        add("AP", format!("one relevant document, each rank with {chance}"), reciprocal_ranks(chance));
    }
    Ok(all)
}

/// What of its measure's scores a rare kind of topic is: their share, their score, and around what the scores of the others lie.
struct Unlike {
    share: f64,
    score: f64,
    others: f64,
}

const UNLIKE: [Unlike; 4] = [
    Unlike { share: 0.05, score: 0.0, others: 0.5 },
    Unlike { share: 0.08, score: 1.0, others: 0.5 },
    Unlike { share: 0.15, score: 0.0, others: 0.6 },
    Unlike { share: 0.2, score: 0.1, others: 0.7 },
];

/// Scores of P@20 that are nearly the same on most topics (normal, standard deviation .05, at most .15 away, in steps of 1/20) and far from them on few:
/// a sample that lacks the few looks precise.
pub fn rare_topics() -> Result<Vec<(&'static str, Population)>, Box<dyn Error>> {
    let one = |unlike: &Unlike| -> Result<(&'static str, Population), Box<dyn Error>> {
        let Unlike { share, score, others } = *unlike;
        let rare = (share * POINTS as f64).round() as usize;
        let common = POINTS - rare;
        let near = |place: usize| -> Result<f64, Box<dyn Error>> {
            let deviate = normal::quantile((place as f64 + 0.5) / common as f64)?;
            let value = 20.0 * (others + (0.05 * deviate).clamp(-0.15, 0.15));
            // Rounded up as often as the value is above the step: multiples of the golden ratio are spread evenly.
            let up = (place as f64 * 0.618_033_988_749_895).fract() < value.fract();
            Ok((value.floor() + f64::from(u8::from(up))) / 20.0)
        };
        let scores = (0..common).map(near).chain((0..rare).map(|_| Ok(score))).collect::<Result<_, _>>()?;
        let name = format!("{:.0}% near {others}, {:.0}% at {score}", 100.0 * (1.0 - share), 100.0 * share);
        Ok(("P@20", Population { name, scores }))
    };
    UNLIKE.iter().map(one).collect()
}

/// The runs of a collection with their scores by topic.
pub struct Collection {
    pub name: String,
    pub measures: Vec<Box<dyn Measure>>,
    /// By measure, then by run: a score for every topic, in one order of topics.
    pub scores: Vec<Vec<Population>>,
}

/// The measures of which real runs are looked at.
pub const MEASURES: [&str; 5] = ["RR", "Success@1", "P@5", "AP", "nDCG@10"];

impl Collection {
    /// Scores the runs as `karat eval` does.
    pub fn read(arguments: &[String], threads: usize) -> Result<Collection, Box<dyn Error>> {
        let [name, qrels, level, runs @ ..] = arguments else { return Err("expected NAME QRELS LEVEL RUN...".into()) };
        let level: f64 = level.parse()?;
        let input = |name: &String| {
            let path = name.clone();
            Input::new(name, move || Ok(Box::new(std::fs::File::open(&path)?)))
        };
        let (qrels, _) =
            read_qrels(&input(qrels), detect::QRELS, Dialect::Strict, threads).map_err(|e| e.to_string())?;
        let source = RunFiles::new(runs.iter().map(input).collect(), detect::RUN, Dialect::Strict);
        let measures: Vec<Box<dyn Measure>> = MEASURES
            .iter()
            .map(|name| Ok(spec::parse(name, level)?.build()?))
            .collect::<Result<_, Box<dyn Error>>>()?;
        let setting = Setting {
            qrels: &qrels,
            uncut: None,
            collection: CollectionFacts::default(),
            policy: Policy::default(),
            measures: &measures,
            bounds: false,
            detect_sparse: false,
            relevance_model: None,
            calibration: None,
            threads,
        };
        let scored = score(&setting, &source).map_err(|error| format!("{error:?}"))?;
        let population = |measure: usize| {
            let of_run = |run: &karat_analysis::scores::RunScores| Population {
                name: run.name.clone(),
                scores: run.of(measure).filter_map(|(_, score)| score.as_ref().ok()).map(|score| score.value).collect(),
            };
            scored.iter().map(of_run).collect::<Vec<_>>()
        };
        let scores = (0..measures.len()).map(population).collect();
        Ok(Collection { name: name.clone(), measures, scores })
    }
}
