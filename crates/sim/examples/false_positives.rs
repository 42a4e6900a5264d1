//! Which of `shared` and `independent` has the right rate of false positives? Two systems with the same true P@10, compared
//! again and again: `cargo run --release -p karat-sim --example false_positives`. The table in the guide is its output.
#![allow(clippy::print_stdout, reason = "an example prints")]

use karat_sim::judges::{JudgesError, JudgesWorld, false_positives};
use karat_stats::Seed;

const RUNS: u32 = 20_000;

fn main() -> Result<(), JudgesError> {
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
        let found = false_positives(first, second, one, RUNS, Seed(11))?;
        let shared = found.shared.map_or("—".into(), |shared| format!("{shared:.3}"));
        println!("| {name} | {:.3} | {:.3} | {shared} |", found.naive, found.independent);
    }
    Ok(())
}
