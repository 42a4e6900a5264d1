//! Scores with intervals and bounds: `cargo run -p karat --example evaluate [QRELS RUN...]`, by default on the demo collection.
#![allow(clippy::print_stdout, reason = "an example")]

use karat::prelude::*;

fn main() -> Result<(), Error> {
    let files: Vec<String> = std::env::args().skip(1).collect();
    let experiment = match files.split_first() {
        Some((qrels, runs)) => Experiment::open(qrels, runs)?,
        None => Experiment::demo()?,
    };
    let answer = experiment.measures(["AP", "nDCG@10", "RBP(p=0.8)"]).eval(&EvalOptions::default())?;
    for row in &answer.scores {
        let value = row.value.map_or(f64::NAN, |value| value.number());
        print!("{:10} {:10} {value:.4}", row.measure, row.run);
        if let Some((low, high)) = row.interval {
            print!("  95% interval {low:.4} to {high:.4}");
        }
        if let (Some(low), Some(high)) = (row.low, row.high) {
            print!("  bounds {low:.4} to {high:.4}");
        }
        println!();
    }
    answer.notes.iter().for_each(|note| println!("note: {note}"));
    Ok(())
}
