//! How often do A/B tests of two equal arms find a difference? `cargo run --release -p karat-sim --example ab`. The tables in the
//! guide are its output.
#![allow(clippy::print_stdout, reason = "an example prints")]

use karat_sim::clicks::{Arrival, ClickError, ClickWorld};
use karat_stats::Seed;

fn main() -> Result<(), ClickError> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let world = ClickWorld { rate: 0.4, spread: 0.9, searches: 5.0, users: 1000, lift: 0.0 };
    println!("| searches of a user | users | naive | t |");
    println!("|---|---|---|---|");
    for (searches, users) in [(1.0, 1000), (2.0, 1000), (5.0, 1000), (10.0, 1000), (20.0, 1000), (10.0, 100)] {
        let found = ClickWorld { searches, users, ..world }.test(20_000, Seed(11), threads)?;
        println!("| {searches} | {users} | {:.3} | {:.3} |", found.naive, found.t);
    }
    println!();
    println!(
        "| users | searches of a user | rate | tuned for | fixed, at the end | fixed, at any look | sequence, at any look |"
    );
    println!("|---|---|---|---|---|---|---|");
    for (arrival, name) in [(Arrival::OneByOne, "one by one"), (Arrival::ComeBack, "come back")] {
        for (rate, tuning) in [(0.4, 1000), (0.4, 5000), (0.05, 1000)] {
            let found = ClickWorld { rate, ..world }.peek(arrival, tuning, 4000, Seed(12), threads)?;
            println!(
                "| 1000, {name} | 5 | {rate} | {tuning} | {:.3} | {:.3} | {:.3} |",
                found.at_end, found.fixed, found.sequence
            );
        }
    }
    Ok(())
}
