//! The cheapest way to a narrower interval: `cargo run -p karat --example budget [QRELS RUN [RUN]]`, by default for the last and the first
//! run of the demo collection.
#![allow(clippy::print_stdout, reason = "an example")]

use karat::prelude::*;

fn main() -> Result<(), Error> {
    let files: Vec<String> = std::env::args().skip(1).collect();
    let experiment = match files.split_first() {
        Some((qrels, runs)) => Experiment::open(qrels, runs)?,
        None => Experiment::demo()?.select([3, 0])?,
    };
    let options = BudgetOptions { target_width: Some(0.05), ..BudgetOptions::default() };
    let answer = experiment.budget(&options)?;
    println!("{}: {:.4}, interval {:.4} wide", answer.measure, answer.value, answer.width);
    for row in &answer.budget {
        println!("  {}: {:.0}% of the variance", row.source.name(), 100.0 * row.share.unwrap_or(0.0));
    }
    for row in answer.advice.iter().flatten() {
        let count = |found: Option<u64>| found.map_or("-".into(), |count| count.to_string());
        let judgements = row.judgements.map(|count| count as u64);
        println!("  {:?}: {} topics, {} judgements", row.strategy, count(row.topics), count(judgements));
    }
    answer.notes.iter().for_each(|note| println!("note: {note}"));
    Ok(())
}
