//! How far the measures of sampled judgements are off, and how often their standard errors hold: samples drawn from
//! fully judged topics, where the truth is known.
//!
//!     cargo run --release -p karat-bench --example sampled -- [--samples N] [--out FOLDER] QRELS RUN...
//!     cargo run --release -p karat-bench --example sampled -- [--samples N] [--out FOLDER] --world
//!
//! The pool of a topic is what was judged of it. Three designs of others: a uniform sample of the pool; strata by the best rank a
//! document has in the runs (1-2 judged whole, 3-5 at twice the rate, the rest at the rate); documents drawn
//! independently with probability max(rate, min(1, 2/best rank)). Three of `karat sample`, drawn by its own code from the first 100
//! ranks of each run; the truth is then what the judgements of these documents say. Every sample is used for all runs. With `--out`
//! tables are written to FOLDER, where the measures' pages take them from. `--world` simulates a collection with shallow pools.
#![allow(clippy::print_stdout, clippy::unwrap_used, clippy::panic)]

mod collection;
mod design;
mod world;

use std::fmt::Write;
use std::path::PathBuf;

use karat_measures::{Measure, spec};
use karat_stats::seed::{Seed, Stream};

use collection::{Collection, DEPTH, Files, Topic};
use design::{Design, Drawn, draw_all, view};

const RATES: [f64; 5] = [0.05, 0.1, 0.2, 0.3, 0.5];

/// A measure and what it estimates.
type Pair = (&'static str, &'static str);

const IN_STRATA: &[Pair] = &[("xinfAP", "AP@1000"), ("infNDCG", "nDCG@1000"), ("infP@10", "P@10")];
/// Where the first ten ranks are all judged.
const BELOW_10: &[Pair] = &[("xinfAP", "AP@1000"), ("infNDCG", "nDCG@1000"), ("infP@20", "P@20")];
const TOTALS: &[Pair] = &[("htP@10", "P@10"), ("htRBP(p=0.8)", "RBP(p=0.8)"), ("htDCG@10", "DCG@10")];
const STAT_AP: &[Pair] = &[("statAP", "AP")];

/// Designs, what the tables' names end in, and the measures.
const EXPERIMENTS: &[(Design, &str, &[Pair])] = &[
    (Design::Uniform, "", &[("infAP", "AP")]),
    (Design::Stratified, "", IN_STRATA),
    (Design::Chosen, "", STAT_AP),
    (Design::Chosen, "", TOTALS),
    (Design::SampleUniform, ".uniform", IN_STRATA),
    (Design::SampleStrata, ".strata", BELOW_10),
    (Design::SampleWeighted, ".weighted", TOTALS),
    (Design::WeightedUnnamed, ".weighted", STAT_AP),
];

fn build(text: &str) -> Box<dyn Measure> {
    spec::parse(text, 1.0).and_then(|spec| spec.build()).unwrap()
}

/// What was seen of one measure at one rate.
#[derive(Clone, Copy, Default)]
struct Seen {
    values: f64,
    estimates: f64,
    truths: f64,
    squares: f64,
    variances: f64,
    told: f64,
    held: f64,
    means: f64,
    mean_held: f64,
}

impl Seen {
    fn and(self, other: Seen) -> Seen {
        Seen {
            values: self.values + other.values,
            estimates: self.estimates + other.estimates,
            truths: self.truths + other.truths,
            squares: self.squares + other.squares,
            variances: self.variances + other.variances,
            told: self.told + other.told,
            held: self.held + other.held,
            means: self.means + other.means,
            mean_held: self.mean_held + other.mean_held,
        }
    }

    fn row(self, rate: f64) -> String {
        let (truth, estimate) = (self.truths / self.values, self.estimates / self.values);
        let rms = (self.squares / self.values).sqrt();
        format!(
            "| {:.0}% | {truth:.4} | {estimate:.4} | {:+.4} ({:+.1}%) | {rms:.4} | {:.4} | {:.1}% | {:.1}% |",
            rate * 100.0,
            estimate - truth,
            (estimate / truth - 1.0) * 100.0,
            (self.variances / self.told).sqrt(),
            self.held / self.told * 100.0,
            self.mean_held / self.means * 100.0,
        )
    }
}

/// 97.5% of the standard normal lie below it.
const NORMAL: f64 = 1.959_963_984_540_054;

struct Experiment {
    collection: Collection,
    measures: Vec<Box<dyn Measure>>,
    /// By topic, run and measure.
    truths: Vec<Vec<Vec<f64>>>,
    design: Design,
}

impl Experiment {
    /// One sample of every topic, all runs.
    fn sample(&self, rate: f64, stream: &mut Stream) -> Vec<Seen> {
        let drawn = draw_all(&self.collection, self.design, rate, stream);
        let mut seen = vec![Seen::default(); self.measures.len()];
        for run in 0..self.collection.runs {
            // Of each measure: estimates, truths, known variances, their number, topics.
            let mut sums = vec![[0.0; 5]; self.measures.len()];
            for (number, topic) in self.collection.topics.iter().enumerate() {
                let owned = view(topic, &topic.lists[run], self.design, &drawn[number], self.collection.max_grade);
                for (at, measure) in self.measures.iter().enumerate() {
                    let Ok(value) = measure.value(&owned.view()) else { continue };
                    let truth = self.truths[number][run][at];
                    let seen = &mut seen[at];
                    seen.values += 1.0;
                    seen.estimates += value;
                    seen.truths += truth;
                    seen.squares += (value - truth) * (value - truth);
                    let sums = &mut sums[at];
                    sums[0] += value;
                    sums[1] += truth;
                    sums[4] += 1.0;
                    if let Some(variance) = measure.sampling_variance(&owned.view()) {
                        seen.told += 1.0;
                        seen.variances += variance;
                        seen.held += f64::from(u8::from((value - truth).abs() <= NORMAL * variance.sqrt() + 5e-5));
                        sums[2] += variance;
                        sums[3] += 1.0;
                    }
                }
            }
            for (seen, [estimates, truths, variances, told, topics]) in seen.iter_mut().zip(sums) {
                // As eval books it: topics that do not tell are taken like the others.
                if told > 0.0 {
                    let error = (variances / told / topics).sqrt();
                    seen.means += 1.0;
                    let off = (estimates - truths).abs() / topics;
                    seen.mean_held += f64::from(u8::from(off <= NORMAL * error + 5e-5));
                }
            }
        }
        seen
    }
}

/// The experiment with one design, the truth being what the second measure of a pair says of all judgements.
fn experiment(files: &Files, design: Design, pairs: &[Pair]) -> Experiment {
    let collection = Collection::new(files, design.is_of_sample().then_some(DEPTH));
    let full: Vec<_> = pairs.iter().map(|(_, full)| build(full)).collect();
    let truth = |topic: &Topic, list: &[Option<usize>]| -> Vec<f64> {
        let size = topic.pool.len();
        let drawn = Drawn { judged: vec![true; size], marks: vec![(0, 1.0); size] };
        let owned = view(topic, list, Design::Uniform, &drawn, collection.max_grade);
        full.iter().map(|measure| measure.value(&owned.view()).unwrap()).collect()
    };
    let of_topic = |topic: &Topic| topic.lists.iter().map(|list| truth(topic, list)).collect();
    let truths = collection.topics.iter().map(of_topic).collect();
    let measures = pairs.iter().map(|(text, _)| build(text)).collect();
    Experiment { collection, measures, truths, design }
}

impl Experiment {
    /// The lines of each measure's table, one for each rate.
    fn rows(&self, samples: u64) -> Vec<String> {
        let mut rows = vec![String::new(); self.measures.len()];
        for rate in RATES {
            let streams = Seed(4).streams(&format!("sampled {} {rate}", self.design as u8));
            let part = |first: u64| -> Vec<Vec<Seen>> {
                (first..samples).step_by(2).map(|sample| self.sample(rate, &mut streams.at(sample))).collect()
            };
            let (even, odd) = std::thread::scope(|scope| {
                let odd = scope.spawn(|| part(1));
                (part(0), odd.join().unwrap())
            });
            for (at, rows) in rows.iter_mut().enumerate() {
                let all = even.iter().chain(&odd).map(|seen| seen[at]).fold(Seen::default(), Seen::and);
                let _ = writeln!(rows, "{}", all.row(rate));
            }
        }
        rows
    }
}

fn main() {
    let (mut samples, mut out, mut world, mut paths) = (200u64, None, false, Vec::new());
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--samples" => samples = arguments.next().unwrap().parse().unwrap(),
            "--out" => out = arguments.next().map(PathBuf::from),
            "--world" => world = true,
            _ => paths.push(argument),
        }
    }
    let files = if world { world::files() } else { Files::read(&paths) };
    // The pools of the simulated collection are shallow for designs of `karat sample`; the others are for deep ones.
    for (design, suffix, pairs) in EXPERIMENTS.iter().filter(|(design, ..)| design.is_of_sample() || !world) {
        let suffix = if world { format!("{suffix}.world") } else { (*suffix).to_owned() };
        let rows = experiment(&files, *design, pairs).rows(samples);
        for ((text, full), rows) in pairs.iter().zip(rows) {
            let mut table = format!(
                "| rate | {full} | {text} | bias | rms error | rms std. error | topics held | means held |\n\
                 |---|---|---|---|---|---|---|---|\n"
            );
            table.push_str(&rows);
            println!("{text} {}\n\n{table}", suffix.trim_start_matches('.'));
            if let Some(folder) = &out {
                let name = text.split(['(', '@']).next().unwrap();
                std::fs::create_dir_all(folder).unwrap();
                std::fs::write(folder.join(format!("{name}{suffix}.md")), table).unwrap();
            }
        }
    }
}
