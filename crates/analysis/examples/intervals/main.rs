//! How often the intervals of `karat eval` hold the truth on scores like those of real runs, how wide they are next to Student's t, and what rare
//! large losses do to verdicts and to gates. Writes the tables of docs/intervals-measured.md:
//!
//! ```text
//! cargo run --release -p karat-analysis --example intervals -- shapes 20000 2
//! cargo run --release -p karat-analysis --example intervals -- rare 5000 2
//! cargo run --release -p karat-analysis --example intervals -- runs 2000 2 NAME QRELS LEVEL RUN...
//! cargo run --release -p karat-analysis --example intervals -- losses 10000 2
//! cargo run --release -p karat-analysis --example intervals -- gates 1000 2
//! cargo run --release -p karat-analysis --example intervals -- pairs 4000 2 NAME QRELS LEVEL RUN...
//! ```
//!
//! (samples per cell, or per run of a cell; threads; a collection, its judgements, the grade from which documents are relevant to AP, RR, P and
//! Success, its runs.) A run's scores on the topics of its collection are the population; samples of topics are drawn from it with replacement, so that
//! the true mean is known.
#![allow(clippy::print_stdout, reason = "an example prints")]

#[allow(dead_code, reason = "some numbers are the test's")]
mod coverage;
mod gates;
mod losses;
mod pairs;
mod worlds;

use std::error::Error;

use worlds::Collection;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [what, samples, threads, collection @ ..] = arguments.as_slice() else {
        return Err(
            "usage: intervals shapes|rare|runs|losses|gates|pairs SAMPLES THREADS [NAME QRELS LEVEL RUN...]".into()
        );
    };
    let (samples, threads): (usize, usize) = (samples.parse()?, threads.parse()?);
    match what.as_str() {
        "shapes" => coverage::of_shapes(worlds::shapes()?, samples, threads),
        "rare" => coverage::of_shapes(worlds::rare_topics()?, samples, threads),
        "runs" => coverage::of_runs(&Collection::read(collection, threads)?, samples, threads),
        "losses" => losses::of_worlds(samples, threads),
        "gates" => gates::of_worlds(samples, threads),
        "pairs" => pairs::of_runs(&Collection::read(collection, threads)?, samples, threads),
        other => Err(format!("{other}: expected shapes, rare, runs, losses, gates or pairs").into()),
    }
}
