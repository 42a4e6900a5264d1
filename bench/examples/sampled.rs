//! How far the measures of sampled judgements are off, and how often their standard errors hold: samples drawn from
//! fully judged topics, where the truth is known.
//!
//!     cargo run --release -p karat-bench --example sampled -- [--samples N] [--out FOLDER] QRELS RUN...
//!
//! The pool of a topic is what was judged of it. Three designs: a uniform sample of the pool; strata by the best rank a
//! document has in the runs (1-2 judged whole, 3-5 at twice the rate, the rest at the rate); documents drawn
//! independently with probability max(rate, min(1, 2/best rank)). Every sample is used for all runs. With `--out` the
//! table of each measure is written to FOLDER/NAME.md, where the measure's page takes it from.
#![allow(clippy::print_stdout, clippy::unwrap_used, clippy::panic)]

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

use karat_data::{CollectionFacts, Grade, Judgement, JudgementKind, Mark};
use karat_measures::example::{Document, Owned};
use karat_measures::{Measure, spec};
use karat_stats::seed::{Seed, Stream};

const RATES: [f64; 5] = [0.05, 0.1, 0.2, 0.3, 0.5];

/// A measure and what it estimates.
const UNIFORM: &[(&str, &str)] = &[("infAP", "AP")];
const STRATIFIED: &[(&str, &str)] = &[("xinfAP", "AP@1000"), ("infNDCG", "nDCG@1000"), ("infP@10", "P@10")];
const CHOSEN: &[(&str, &str)] =
    &[("statAP", "AP"), ("htP@10", "P@10"), ("htRBP(p=0.8)", "RBP(p=0.8)"), ("htDCG@10", "DCG@10")];

#[derive(Clone, Copy, PartialEq)]
enum Design {
    Uniform,
    Stratified,
    Chosen,
}

impl Design {
    fn kind(self) -> JudgementKind {
        match self {
            Design::Uniform => JudgementKind::Grades,
            Design::Stratified => JudgementKind::Strata,
            Design::Chosen => JudgementKind::Probabilities,
        }
    }
}

/// A fully judged topic: grade and best rank of each document, and each run's list as places in them.
struct Topic {
    pool: Vec<(f64, usize)>,
    lists: Vec<Vec<Option<usize>>>,
}

/// What became of one document of the pool in a sample, per design: its mark and whether it was judged.
struct Drawn {
    judged: Vec<bool>,
    /// Stratum or 0, and the probability or 1.
    marks: Vec<(u32, f64)>,
}

fn build(text: &str) -> Box<dyn Measure> {
    spec::parse(text, 1.0).and_then(|spec| spec.build()).unwrap()
}

fn read(qrels: &str, runs: &[String]) -> (Vec<Topic>, f64) {
    let mut judged: BTreeMap<String, BTreeMap<String, f64>> = BTreeMap::new();
    for line in std::fs::read_to_string(qrels).unwrap().lines() {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let grade: f64 = fields[3].parse().unwrap();
        if grade >= 0.0 {
            judged.entry(fields[0].into()).or_default().insert(fields[2].into(), grade);
        }
    }
    let max_grade = judged.values().flat_map(BTreeMap::values).copied().fold(1.0, f64::max);
    let places: BTreeMap<&str, BTreeMap<&str, usize>> = judged
        .iter()
        .map(|(topic, pool)| (topic.as_str(), pool.keys().enumerate().map(|(at, name)| (name.as_str(), at)).collect()))
        .collect();
    let mut topics: BTreeMap<&str, Topic> = judged
        .iter()
        .map(|(name, pool)| {
            let pool = pool.values().map(|&grade| (grade, usize::MAX)).collect();
            (name.as_str(), Topic { pool, lists: vec![Vec::new(); runs.len()] })
        })
        .collect();
    for (number, run) in runs.iter().enumerate() {
        let text = std::fs::read_to_string(run).unwrap();
        for (name, list) in lists(&text) {
            let Some(topic) = topics.get_mut(name) else { continue };
            topic.lists[number] = list.iter().map(|(_, docno)| places[name].get(docno).copied()).collect();
            for (index, place) in topic.lists[number].iter().enumerate() {
                if let Some(place) = place {
                    let best = &mut topic.pool[*place].1;
                    *best = (*best).min(index + 1);
                }
            }
        }
    }
    (topics.into_values().collect(), max_grade)
}

/// The lists of a run, in rank order.
fn lists(text: &str) -> BTreeMap<&str, Vec<(f64, &str)>> {
    let mut lists: BTreeMap<&str, Vec<(f64, &str)>> = BTreeMap::new();
    for line in text.lines() {
        let fields: Vec<&str> = line.split_whitespace().collect();
        lists.entry(fields[0]).or_default().push((fields[4].parse().unwrap(), fields[2]));
    }
    for list in lists.values_mut() {
        list.sort_by(|a, b| b.0.total_cmp(&a.0).then(b.1.cmp(a.1)));
        list.truncate(1000);
    }
    lists
}

/// The first `count` of a random order of the documents.
fn some(mut documents: Vec<usize>, count: usize, stream: &mut Stream) -> Vec<usize> {
    let count = count.min(documents.len());
    for at in 0..count {
        let other = at + stream.below((documents.len() - at) as u64) as usize;
        documents.swap(at, other);
    }
    documents.truncate(count);
    documents
}

/// How many of so many at a rate: the nearest number, at least `least`.
fn number(documents: usize, rate: f64, least: usize) -> usize {
    ((documents as f64 * rate).round() as usize).max(least).min(documents)
}

fn draw(topic: &Topic, design: Design, rate: f64, stream: &mut Stream) -> Drawn {
    let size = topic.pool.len();
    let (mut judged, mut marks) = (vec![false; size], vec![(0, 1.0); size]);
    match design {
        Design::Uniform => {
            some((0..size).collect(), number(size, rate, 1), stream).into_iter().for_each(|at| judged[at] = true);
        }
        Design::Stratified => {
            for (stratum, (range, rate)) in
                (0u32..).zip([(1..3, 1.0), (3..6, (2.0 * rate).min(1.0)), (6..usize::MAX, rate)])
            {
                let of = |at: &usize| range.contains(&topic.pool[*at].1.min(usize::MAX - 1));
                let members: Vec<usize> = (0..size).filter(of).collect();
                members.iter().for_each(|&at| marks[at].0 = stratum);
                let count = number(members.len(), rate, 2);
                some(members, count, stream).into_iter().for_each(|at| judged[at] = true);
            }
        }
        Design::Chosen => {
            for at in 0..size {
                let probability = rate.max((2.0 / topic.pool[at].1 as f64).min(1.0));
                marks[at].1 = probability;
                judged[at] = stream.unit() < probability;
            }
        }
    }
    Drawn { judged, marks }
}

/// What a measure sees of a run's list.
fn view(topic: &Topic, list: &[Option<usize>], design: Design, drawn: &Drawn, max_grade: f64) -> Owned {
    let mut missed = vec![true; topic.pool.len()];
    let document = |place: usize| -> Document {
        let grade = topic.pool[place].0;
        let judgement = match (drawn.judged[place], design) {
            (true, _) => Judgement::Grade(Grade::new(grade).unwrap()),
            (false, Design::Chosen) => return (Judgement::Unpooled, Vec::new()),
            (false, _) => Judgement::PooledUnjudged,
        };
        let (group, probability) = drawn.marks[place];
        let value = if design == Design::Chosen { probability } else { judgement.grade().unwrap_or(-1.0) };
        (judgement, vec![Mark { document: 0, group, subgroup: 0, value }])
    };
    let mut ranks = Vec::with_capacity(list.len());
    for place in list {
        ranks.push(place.map_or((Judgement::Unpooled, Vec::new()), |place| {
            missed[place] = false;
            document(place)
        }));
    }
    let missed = (0..missed.len()).filter(|&place| missed[place]).map(document);
    let missed = missed.filter(|(judgement, _)| *judgement != Judgement::Unpooled).collect();
    Owned::marked(design.kind(), ranks, missed, CollectionFacts { max_grade, ..CollectionFacts::default() })
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
    topics: Vec<Topic>,
    runs: usize,
    max_grade: f64,
    measures: Vec<Box<dyn Measure>>,
    /// By topic, run and measure.
    truths: Vec<Vec<Vec<f64>>>,
    design: Design,
}

impl Experiment {
    /// One sample of every topic, all runs.
    fn sample(&self, rate: f64, stream: &mut Stream) -> Vec<Seen> {
        let drawn: Vec<Drawn> = self.topics.iter().map(|topic| draw(topic, self.design, rate, stream)).collect();
        let mut seen = vec![Seen::default(); self.measures.len()];
        for run in 0..self.runs {
            // Of each measure: estimates, truths, known variances, their number, topics.
            let mut sums = vec![[0.0; 5]; self.measures.len()];
            for (number, topic) in self.topics.iter().enumerate() {
                let owned = view(topic, &topic.lists[run], self.design, &drawn[number], self.max_grade);
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
                    seen.mean_held += f64::from(u8::from(off <= NORMAL * error));
                }
            }
        }
        seen
    }
}

/// The experiment with one design, the truth being what the second measure of a pair says of all judgements.
fn experiment(qrels: &str, runs: &[String], design: Design, pairs: &[(&str, &str)]) -> Experiment {
    let (topics, max_grade) = read(qrels, runs);
    let full: Vec<_> = pairs.iter().map(|(_, full)| build(full)).collect();
    let truth = |topic: &Topic, list: &[Option<usize>]| -> Vec<f64> {
        let size = topic.pool.len();
        let drawn = Drawn { judged: vec![true; size], marks: vec![(0, 1.0); size] };
        let owned = view(topic, list, Design::Uniform, &drawn, max_grade);
        full.iter().map(|measure| measure.value(&owned.view()).unwrap()).collect()
    };
    let truths = topics.iter().map(|topic| topic.lists.iter().map(|list| truth(topic, list)).collect()).collect();
    let measures = pairs.iter().map(|(text, _)| build(text)).collect();
    Experiment { runs: runs.len(), topics, max_grade, measures, truths, design }
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
    let (mut samples, mut out, mut files) = (200u64, None, Vec::new());
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--samples" => samples = arguments.next().unwrap().parse().unwrap(),
            "--out" => out = arguments.next().map(PathBuf::from),
            _ => files.push(argument),
        }
    }
    let [qrels, runs @ ..] = &files[..] else { panic!("sampled QRELS RUN...") };
    for (design, pairs) in [(Design::Uniform, UNIFORM), (Design::Stratified, STRATIFIED), (Design::Chosen, CHOSEN)] {
        let rows = experiment(qrels, runs, design, pairs).rows(samples);
        for ((text, full), rows) in pairs.iter().zip(rows) {
            let mut table = format!(
                "| rate | {full} | {text} | bias | rms error | rms std. error | topics held | means held |\n\
                 |---|---|---|---|---|---|---|---|\n"
            );
            table.push_str(&rows);
            println!("{text}\n\n{table}");
            if let Some(folder) = &out {
                let name = text.split(['(', '@']).next().unwrap();
                std::fs::create_dir_all(folder).unwrap();
                std::fs::write(folder.join(format!("{name}.md")), table).unwrap();
            }
        }
    }
}
