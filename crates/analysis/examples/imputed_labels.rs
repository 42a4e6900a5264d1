//! The table of docs/guide/judges.md: AP and nDCG@10 corrected by drawn labels, in worlds where the truth is known.
//!
//! `cargo run --release -p karat-analysis --example imputed_labels [trials]`
#![allow(clippy::print_stdout, reason = "an example prints")]

use karat_analysis::eval::imputation::simulated::{World, trials};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let count: u32 = std::env::args().nth(1).map_or(Ok(200), |text| text.parse())?;
    println!(
        "| world | measure | truth | error by bronze labels | corrected | nearer | 95% interval holds the truth: bronze | corrected |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for (name, world) in [
        (
            "m_R .75, m_N .85; topics alike",
            World { accuracy: (0.75, 0.85), slope: 0.5, spread: 0.5, ..World::default() },
        ),
        (
            "m_R .75, m_N .85; topics differ",
            World { accuracy: (0.75, 0.85), slope: 0.5, spread: 1.5, ..World::default() },
        ),
        ("m_R .9, m_N .95; topics alike", World { accuracy: (0.9, 0.95), slope: 0.5, spread: 0.5, ..World::default() }),
        (
            "m_R .9, m_N .95; topics differ, steep ranking",
            World { accuracy: (0.9, 0.95), slope: 1.5, spread: 1.5, ..World::default() },
        ),
        (
            "m_R .75, m_N .85; topics differ, steep ranking",
            World { accuracy: (0.75, 0.85), slope: 1.5, spread: 1.5, ..World::default() },
        ),
        ("relevance falls by steps, not smoothly", World { accuracy: (0.8, 0.9), steps: true, ..World::default() }),
        ("errors depend on the topic", World { accuracy: (0.8, 0.9), by_topic: 0.1, ..World::default() }),
    ] {
        for found in trials(&world, &["AP", "nDCG@10"], count, 200, 11)? {
            println!(
                "| {name} | {} | {:.3} | {:.4} | {:.4} | {:.0}% | {:.0}% | {:.0}% |",
                found.measure,
                found.truth,
                found.naive_error,
                found.error,
                100.0 * found.nearer,
                100.0 * found.naive_coverage,
                100.0 * found.coverage
            );
        }
    }
    Ok(())
}
