//! How often each test rejects when there is nothing to find, and how often each interval holds the truth, on scores like those of
//! retrieval measures. Writes the tables of docs/tests-measured.md:
//!
//! ```text
//! cargo run --release -p karat-stats --example false_positives -- 4000 2
//! ```
//!
//! (trials, threads). Two systems' scores on a topic are drawn from given distributions of scores, dependent through a normal copula with
//! correlation 0.7. In "same" worlds both have one distribution, so differences are symmetric about 0. In "equal means" worlds they
//! have two distributions with one mean: no difference of means, but differences are skewed.
#![allow(clippy::print_stdout, reason = "an example prints")]

use std::error::Error;

use karat_runtime::jobs;
use karat_stats::correction::HOLM;
use karat_stats::dist::{beta, normal};
use karat_stats::interval::{self, Bootstrap};
use karat_stats::seed::Stream;
use karat_stats::test::{self, Alternative, Of, Settings, TESTS};
use karat_stats::tukey::RandomisedTukey;
use karat_stats::two_way::TwoWay;
use karat_stats::{Interval, Sample, Seed};

/// Points of a tabled distribution, each as likely.
const POINTS: usize = 4096;
/// Draws of a test: with 999, p = 50/1000 is reached, so the level can be met exactly.
const DRAWS: u32 = 999;
const TOPICS: [usize; 4] = [10, 25, 50, 100];
const CORRELATION: f64 = 0.7;
const LEVEL: f64 = 0.05;

/// The scores of a system: one of [`POINTS`] equally likely ones.
struct Scores(Vec<f64>);

impl Scores {
    /// `zeros` of the topics score 0, the others Beta(a, b).
    fn beta(zeros: f64, a: f64, b: f64) -> Result<Scores, Box<dyn Error>> {
        let at = |place: usize| {
            let p = (place as f64 + 0.5) / POINTS as f64;
            if p <= zeros { Ok(0.0) } else { beta::quantile((p - zeros) / (1.0 - zeros), a, b) }
        };
        Ok(Scores((0..POINTS).map(at).collect::<Result<_, _>>()?))
    }

    /// Values with their shares, ascending.
    fn discrete(values: &[(f64, f64)]) -> Scores {
        let at = |place: usize| {
            let (mut p, last) = ((place as f64 + 0.5) / POINTS as f64, values[values.len() - 1].0);
            let mut values = values.iter();
            let found = values.find(|(_, share)| {
                p -= share;
                p < 0.0
            });
            found.map_or(last, |(value, _)| *value)
        };
        Scores((0..POINTS).map(at).collect())
    }

    /// P@10 where the chance of relevance at a rank varies over topics as Beta(a, b): mean of 64 binomials at its quantiles.
    fn precision(a: f64, b: f64) -> Result<Scores, Box<dyn Error>> {
        let mut shares = [0.0; 11];
        for part in 0..64 {
            let p = beta::quantile((f64::from(part) + 0.5) / 64.0, a, b)?;
            let mut ways = 1.0;
            for (k, share) in shares.iter_mut().enumerate() {
                *share += ways * p.powi(k as i32) * (1.0 - p).powi(10 - k as i32) / 64.0;
                ways *= (10 - k) as f64 / (k + 1) as f64;
            }
        }
        let values: Vec<(f64, f64)> = shares.iter().enumerate().map(|(k, share)| (k as f64 / 10.0, *share)).collect();
        Ok(Scores::discrete(&values))
    }

    fn mean(&self) -> f64 {
        self.0.iter().sum::<f64>() / POINTS as f64
    }

    /// The score at a normal deviate.
    fn at(&self, z: f64) -> f64 {
        let p = normal::cdf(z).unwrap_or(0.5);
        self.0[((p * POINTS as f64) as usize).min(POINTS - 1)]
    }
}

fn deviate(stream: &mut Stream) -> f64 {
    normal::quantile(stream.unit() + 1e-17).unwrap_or(0.0)
}

/// The scores of systems on n topics.
fn draw(systems: &[&Scores], n: usize, stream: &mut Stream) -> Vec<Vec<f64>> {
    let mut scores = vec![Vec::with_capacity(n); systems.len()];
    for _ in 0..n {
        let topic = deviate(stream);
        for (scores, system) in scores.iter_mut().zip(systems) {
            let own = deviate(stream);
            scores.push(system.at(CORRELATION.sqrt() * topic + (1.0 - CORRELATION).sqrt() * own));
        }
    }
    scores
}

/// What one trial of two systems found: each test's rejection, each interval's hit. `None` where there was no answer.
type Trial = Vec<Option<bool>>;

fn trial(a: &Scores, b: &Scores, n: usize, index: u64, name: &str) -> Trial {
    let mut stream = Seed(1).stream(name, index);
    let scores = draw(&[a, b], n, &mut stream);
    let differences: Vec<f64> = scores[0].iter().zip(&scores[1]).map(|(a, b)| a - b).collect();
    let (Ok(sample), Ok(single)) = (Sample::new(&differences), Sample::new(&scores[0])) else { return Vec::new() };
    let seed = Seed(index).child(name, n as u64);
    let settings = Settings { permutations: DRAWS, seed, tie: 0.0, ..Settings::default() };
    let rejects =
        paired().map(|row| row.run(&sample, Alternative::TwoSided, &settings).ok().map(|found| found.p <= LEVEL));
    let mut found: Trial = rejects.collect();
    for (sample, truth) in [(&sample, a.mean() - b.mean()), (&single, a.mean())] {
        let bootstrap = Bootstrap::new(sample, 1000, seed).ok();
        let intervals: [Option<Interval>; 3] = [
            interval::t(sample, 1.0 - LEVEL).ok(),
            bootstrap.as_ref().and_then(|drawn| drawn.percentile(1.0 - LEVEL).ok()),
            bootstrap.as_ref().and_then(|drawn| drawn.bca(1.0 - LEVEL).ok()),
        ];
        found.extend(intervals.map(|interval| interval.map(|interval| interval.contains(truth))));
    }
    found
}

/// The tests of differences; the posterior's p is that of t.
fn paired() -> impl Iterator<Item = &'static test::TestInfo> {
    TESTS.iter().filter(|row| matches!(row.of, Of::Differences(_)) && row.name != "bayes")
}

/// Five systems that are the same: does each way of comparing all pairs find any difference?
fn family(scores: &Scores, n: usize, index: u64) -> Result<[bool; 3], Box<dyn Error>> {
    let mut stream = Seed(2).stream("family", index * 1000 + n as u64);
    let systems = draw(&[scores; 5], n, &mut stream);
    let settings = Settings { permutations: DRAWS, seed: Seed(index), ..Settings::default() };
    let row = test::find("t").ok_or("no t test")?;
    let mut p = Vec::new();
    for a in 0..5 {
        for b in 0..a {
            let differences: Vec<f64> = systems[a].iter().zip(&systems[b]).map(|(a, b)| a - b).collect();
            let found = row.run(&Sample::new(&differences)?, Alternative::TwoSided, &settings);
            p.push(found.map_or(1.0, |found| found.p));
        }
    }
    let tukey = RandomisedTukey::new(&TwoWay::new(&systems)?, DRAWS, Seed(index), 1)?;
    let any = |p: &[f64]| p.iter().any(|p| *p <= LEVEL);
    let tukey = (0..5).any(|a| (0..a).any(|b| tukey.p(a, b) <= LEVEL));
    Ok([any(&p), any(&HOLM.adjust(&p)?), tukey])
}

fn percent(hits: usize, trials: usize) -> String {
    if trials == 0 { "-".into() } else { format!("{:.1}", 100.0 * hits as f64 / trials as f64) }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let trials: usize = arguments.next().map_or(Ok(4000), |word| word.parse())?;
    let threads: usize = arguments.next().map_or(Ok(1), |word| word.parse())?;
    // The second of each pair has the mean of the first: .3; .9 · .6 = .54; .4 + .2/2 + .2/5 = .3 + .4/2 + .2/5 = .54; .4.
    let worlds = [
        ("AP-like", Scores::beta(0.0, 0.6, 1.4)?, Scores::beta(0.0, 1.8, 4.2)?),
        ("nDCG-like", Scores::beta(0.1, 3.0, 2.0)?, Scores::beta(0.0, 2.7, 2.3)?),
        (
            "RR-like",
            Scores::discrete(&[(0.0, 0.2), (0.2, 0.2), (0.5, 0.2), (1.0, 0.4)]),
            Scores::discrete(&[(0.0, 0.1), (0.2, 0.2), (0.5, 0.4), (1.0, 0.3)]),
        ),
        ("P@10-like", Scores::precision(0.8, 1.2)?, Scores::precision(4.0, 6.0)?),
    ];
    print_pairs(&worlds, trials, threads);
    print_families(&worlds, trials, threads);
    Ok(())
}

/// A name, and two kinds of scores with the same mean.
type World = (&'static str, Scores, Scores);

/// How often tests of two systems err, and how often intervals hold.
fn print_pairs(worlds: &[World], trials: usize, threads: usize) {
    let names: Vec<&str> = paired().map(|row| row.name).collect();
    let (mut rates, mut coverage) = (Vec::new(), Vec::new());
    for (name, first, second) in worlds {
        for (kind, other) in [("same", first), ("equal means", second)] {
            for n in TOPICS {
                let found = jobs::in_order(trials, threads, |index| {
                    trial(first, other, n, index as u64, &format!("{name} {kind} {n}"))
                });
                let cell = |place: usize| {
                    let answers: Vec<bool> = found.iter().filter_map(|trial| *trial.get(place)?).collect();
                    percent(answers.iter().filter(|hit| **hit).count(), answers.len())
                };
                let cells = |from: usize, to: usize| (from..to).map(cell).collect::<Vec<String>>().join(" | ");
                rates.push(format!("| {name} | {kind} | {n} | {} |", cells(0, names.len())));
                coverage.push(format!("| {name} | {kind} | {n} | {} |", cells(names.len(), names.len() + 6)));
            }
        }
    }
    println!("## False positives at 5%, in percent of {trials} trials\n");
    println!("| scores | worlds | topics | {} |", names.join(" | "));
    println!("|---|---|---|{}", "---|".repeat(names.len()));
    println!("{}\n", rates.join("\n"));
    println!("## Coverage of 95% intervals, in percent\n");
    println!("| scores | worlds | topics | {} |", {
        let intervals = ["t", "percentile", "BCa"];
        let of = |what: &str| intervals.map(|name| format!("{what}: {name}")).join(" | ");
        format!("{} | {}", of("difference"), of("one system"))
    });
    println!("|---|---|---|{}", "---|".repeat(6));
    println!("{}\n", coverage.join("\n"));
}

/// How often five equal systems seem to differ.
fn print_families(worlds: &[World], trials: usize, threads: usize) {
    println!("## Any finding among the ten pairs of five equal systems, in percent\n");
    println!("| scores | topics | t, uncorrected | t, Holm | randomised Tukey |\n|---|---|---|---|---|");
    for (name, first, _) in worlds {
        for n in [10, 25, 50] {
            let found = jobs::in_order(trials, threads, |index| family(first, n, index as u64).ok());
            let found: Vec<[bool; 3]> = found.into_iter().flatten().collect();
            let cell = |way: usize| percent(found.iter().filter(|trial| trial[way]).count(), found.len());
            println!("| {name} | {n} | {} | {} | {} |", cell(0), cell(1), cell(2));
        }
    }
}
