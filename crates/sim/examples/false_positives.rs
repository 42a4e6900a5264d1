//! Which of `shared` and `independent` has the right rate of false positives? Two systems with the same true P@10, compared
//! again and again: `cargo run --release -p karat-sim --example false_positives`. The table in the guide is its output.
#![allow(clippy::print_stdout, reason = "an example prints")]

use karat_sim::JudgesWorld;
use karat_stats::Seed;
use karat_stats::judge_error::{Calibration, Observed, compare};

const RUNS: u32 = 20_000;

/// Shares of runs with p below .05: naive, independent, shared.
fn false_positives(first: &JudgesWorld, second: &JudgesWorld, one_calibration: bool, seed: Seed) -> Option<[f64; 3]> {
    let (first, second) = (first.prepare().ok()?, second.prepare().ok()?);
    let streams = seed.streams("false positives");
    let mut found = [0u32; 3];
    let mut compared = 0;
    for run in 0..RUNS {
        let mut stream = streams.at(u64::from(run));
        let observed = Observed { a: first.summary(&mut stream), b: second.summary(&mut stream), paired_sd: None };
        let mut calibrate = |world: &karat_sim::judges::Prepared| {
            let (relevant, nonrelevant) = world.calibrate(&mut stream);
            Calibration::binary(relevant, nonrelevant).ok()
        };
        let calibration = calibrate(&first)?;
        let own = if one_calibration { None } else { Some(calibrate(&second)?) };
        let Ok(answer) = compare(&observed, &calibration, own.as_ref()) else { continue };
        compared += 1;
        let below = [answer.naive.p, answer.independent.p, answer.shared.map_or(1.0, |shared| shared.p)];
        found.iter_mut().zip(below).for_each(|(count, p)| *count += u32::from(p < 0.05));
    }
    Some(found.map(|count| f64::from(count) / f64::from(compared.max(1))))
}

fn main() {
    let paper = JudgesWorld { queries: 500, ..JudgesWorld::paper() };
    let small = JudgesWorld { pairs: (59, 84), relevant: 43.0 / 59.0, nonrelevant: 67.0 / 84.0, ..paper.clone() };
    let other = JudgesWorld { relevant: 0.8, nonrelevant: 0.9, ..paper.clone() };
    println!("| two systems of equal true P@10 | naive | independent | shared |");
    println!("|---|---|---|---|");
    for (name, first, second, one) in [
        ("one calibration, 250 + 250 pairs (m_R .9, m_N .8)", &paper, &paper, true),
        ("one calibration, 59 + 84 pairs (m_R .729, m_N .798)", &small, &small, true),
        ("a calibration each, the same judges", &paper, &paper, false),
        ("a calibration each, judges who err differently", &paper, &other, false),
    ] {
        let Some([naive, independent, shared]) = false_positives(first, second, one, Seed(11)) else { continue };
        let shared = if one { format!("{shared:.3}") } else { "—".into() };
        println!("| {name} | {naive:.3} | {independent:.3} | {shared} |");
    }
}
