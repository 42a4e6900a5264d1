//! Which run is better: `cargo run -p karat --example compare [QRELS RUN RUN...]`, by default on the demo collection.
#![allow(clippy::print_stdout, reason = "an example")]

use karat::prelude::*;

fn main() -> Result<(), Error> {
    let files: Vec<String> = std::env::args().skip(1).collect();
    let experiment = match files.split_first() {
        Some((qrels, runs)) => Experiment::open(qrels, runs)?,
        None => Experiment::demo()?,
    };
    let answer = experiment.measures(["nDCG@10", "RBP(p=0.8)"]).compare(&CompareOptions::default())?;
    for row in &answer.comparisons {
        println!(
            "{}: {} {:.4}, {} {:.4}, better: {}",
            row.measure, row.a, row.value_a, row.b, row.value_b, row.verdict
        );
        println!("  {}", row.because);
    }
    answer.notes.iter().for_each(|note| println!("note: {note}"));
    Ok(())
}
