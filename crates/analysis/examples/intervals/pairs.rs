//! Pairs of real runs: how often t holds a mean difference, how many significant results are warned about, and how many the bounded test finds.

use std::error::Error;

use karat_runtime::jobs;
use karat_stats::{Sample, Seed, interval};

use super::losses::{Said, say};
use super::worlds::{Collection, TOPICS};

/// What a sample of topics shows of two runs.
#[derive(Clone, Copy, Debug, Default)]
struct Shown {
    said: Said,
    /// Whether the t interval holds the mean difference over all topics; `None` where there is no spread.
    holds: Option<bool>,
}

/// One sample of n topics of one pair, drawn with replacement.
fn sample(collection: &Collection, measure: usize, n: usize, seed: Seed) -> Shown {
    let runs = &collection.scores[measure];
    let mut stream = seed.stream("pair", 0);
    let a = stream.below(runs.len() as u64) as usize;
    let b = (a + 1 + stream.below(runs.len() as u64 - 1) as usize) % runs.len();
    let (a, b) = (&runs[a].scores, &runs[b].scores);
    let topics: Vec<usize> = (0..n).map(|_| stream.below(a.len() as u64) as usize).collect();
    let scores: Vec<(f64, f64)> = topics.iter().map(|&topic| (a[topic], b[topic])).collect();
    let truth = a.iter().zip(b).map(|(a, b)| a - b).sum::<f64>() / a.len() as f64;
    let differences: Vec<f64> = scores.iter().map(|(a, b)| a - b).collect();
    let sample = Sample::new(&differences).ok().filter(|sample| !interval::is_constant(sample));
    let found = sample.and_then(|sample| interval::t(&sample, 0.95).ok());
    let holds = found.map(|found| found.low - 1e-9 <= truth && truth <= found.high + 1e-9);
    Shown { said: say(&scores, seed), holds }
}

/// The table of a collection.
pub fn of_runs(collection: &Collection, samples: usize, threads: usize) -> Result<(), Box<dyn Error>> {
    println!(
        "| collection | measure | topics | t holds % | significant % | of these warned % | of these bounded test too % |\n|---|---|---|---|---|---|---|"
    );
    for (measure, name) in collection.measures.iter().map(|measure| measure.spec().to_string()).enumerate() {
        for n in TOPICS {
            let found = jobs::in_order(samples, threads, |index| {
                let seed = Seed(4).child(&format!("{} {name} {n}", collection.name), index as u64);
                sample(collection, measure, n, seed)
            });
            let count = |of: &dyn Fn(&Shown) -> bool| found.iter().filter(|shown| of(shown)).count() as f64;
            let decided = count(&|shown| shown.said.decided);
            let of_decided =
                |part: f64| if decided > 0.0 { format!("{:.1}", 100.0 * part / decided) } else { "-".into() };
            println!(
                "| {} | {name} | {n} | {:.1} | {:.1} | {} | {} |",
                collection.name,
                100.0 * count(&|shown| shown.holds == Some(true)) / count(&|shown| shown.holds.is_some()).max(1.0),
                100.0 * decided / samples as f64,
                of_decided(count(&|shown| shown.said.decided && shown.said.warned)),
                of_decided(count(&|shown| shown.said.decided && shown.said.bounded))
            );
        }
    }
    Ok(())
}
