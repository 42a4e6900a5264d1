//! How often A/B tests of heavy-tailed users find a difference where there is none, with and without daily looks, and how often their
//! intervals hold the truth. Writes the tables of docs/ab-measured.md:
//!
//! ```text
//! cargo run --release -p karat-sim --example ab_levels -- levels 5000 2 [WORLD]
//! cargo run --release -p karat-sim --example ab_levels -- coverage 2000 2
//! cargo run --release -p karat-sim --example ab_levels -- switch 1000 2
//! cargo run --release -p karat-sim --example ab_levels -- peek 2000 2 [WORLD]
//! cargo run --release -p karat-sim --example ab_levels -- others 2000 2 [WORLD]
//! ```
//!
//! (table, trials, threads, and the number of one world from 0, for those who go on later.)
#![allow(clippy::print_stdout, reason = "an example prints")]

use std::error::Error;

use karat_sim::{Arrival, HEAVY_WORLDS, HeavyPeeked, HeavyWorld, Kind, Looks, OTHER_WORLDS};
use karat_stats::Seed;
use karat_stats::ab::RESAMPLED_BELOW;

/// Draws of a resampling test in the tables: with 500, the largest p below .05 is 25/501, so the level can be met nearly exactly.
const DRAWS: u32 = 500;
const SEED: Seed = Seed(2026);
const EQUAL: [(usize, usize); 4] = [(30, 30), (50, 50), (100, 100), (300, 300)];
const UNEQUAL: [(usize, usize); 4] = [(30, 90), (90, 30), (100, 300), (300, 100)];

fn percent(share: f64) -> String {
    if share.is_finite() { format!("{:.1}", 100.0 * share) } else { "-".into() }
}

fn levels(worlds: &[HeavyWorld], trials: usize, threads: usize) {
    for world in worlds {
        for users in EQUAL.into_iter().chain(UNEQUAL) {
            let found = world.level(users, trials, DRAWS, SEED, threads);
            let cells =
                [found.delta, found.t, found.permutation, found.signs, found.both, found.verdict, found.among_given()];
            let cells = cells.map(percent).join(" | ");
            let refused = format!("{:.0}", 100.0 * found.refused);
            println!("| {} | {}:{} | {cells} | {refused} |", world.name, users.0, users.1);
        }
    }
}

fn coverage(trials: usize, threads: usize) {
    for world in HEAVY_WORLDS.iter().filter(|world| ["geometric", "lognormal 1.5", "Pareto 1.5"].contains(&world.name))
    {
        for users in [(30, 30), (50, 50), (100, 100), (300, 300), (30, 90), (100, 300)] {
            for lost in [0.2, 0.5] {
                let found = world.coverage(users, (0.25, lost), (trials, DRAWS), SEED, threads);
                println!(
                    "| {} | {}:{} | {} | {} | {} | {} | {:.3} | {:.3} | {} |",
                    world.name,
                    users.0,
                    users.1,
                    percent(lost / (1.0 - lost)),
                    percent(found.delta),
                    percent(found.resampling),
                    percent(found.lift),
                    found.delta_width,
                    found.width,
                    percent(found.power),
                );
            }
        }
    }
}

fn switch(trials: usize, threads: usize) {
    for (name, users) in [
        ("geometric", 800),
        ("lognormal 1.5", 4000),
        ("Pareto 2", 4000),
        ("Pareto 1.5", 10_000),
        ("Pareto 2, half never click / alike", 4000),
    ] {
        let Some(world) = HEAVY_WORLDS.iter().find(|world| world.name == name) else { continue };
        let (counted, found) = world.agreement((users, users), RESAMPLED_BELOW, (trials, 1999), SEED, threads);
        println!(
            "| {name} | {users} | {counted} | {} | {} | {} | {:.4} | {} |",
            percent(found.t),
            percent(found.resampling),
            percent(found.differ),
            found.p,
            percent(found.error),
        );
    }
}

/// Where a sequence is tightest, in users of both arms.
const TUNINGS: [u64; 3] = [200, 1000, 5000];

fn peek(worlds: &[HeavyWorld], trials: usize, threads: usize) -> Result<(), Box<dyn Error>> {
    for world in worlds.iter().filter(|world| world.kind != Kind::Conversions || world.name == "5% convert") {
        for users in [(100, 100), (500, 500), (2000, 2000), (100, 300), (100, 900), (900, 100), (100, 2000)] {
            for (arrival, name) in [(Arrival::OneByOne, "once"), (Arrival::ComeBack, "come back")] {
                let looks = Looks { users, arrival, days: 14 };
                let found = world.peek(looks, TUNINGS, trials, SEED, threads)?;
                println!("| {} | {}:{} | {name} | {} |", world.name, users.0, users.1, peeked(&found));
            }
        }
    }
    Ok(())
}

/// Other allocations and other looks, in all worlds.
fn others(world: &HeavyWorld, trials: usize, threads: usize) -> Result<(), Box<dyn Error>> {
    for users in [(60, 180), (100, 500), (500, 100), (100, 2000), (2000, 100), (500, 4500), (1000, 1000)] {
        for days in [4, 60] {
            let looks = Looks { users, arrival: Arrival::OneByOne, days };
            let found = world.peek(looks, TUNINGS, trials, SEED, threads)?;
            println!("| {} | {}:{} | {days} | {} |", world.name, users.0, users.1, peeked(&found));
        }
    }
    Ok(())
}

/// What the tuning points have in common is taken from the middle one; of the others, the worst.
fn peeked(found: &[HeavyPeeked; 3]) -> String {
    let [few, some, usual] = found;
    let arm = found.iter().map(|one| one.arm.unwrap_or(f64::NAN)).fold(f64::NAN, f64::max);
    let holds = few.holds.min(some.holds).min(usual.holds);
    let holds = if some.looked > 0.0 { holds } else { f64::NAN };
    let cells = [some.fixed, few.sequence, some.sequence, usual.sequence, holds, arm].map(percent).join(" | ");
    format!("{cells} | {:.0}", 100.0 * some.looked)
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [table, trials, threads, world @ ..] = &arguments[..] else { return Err("table, trials, threads".into()) };
    let (trials, threads) = (trials.parse()?, threads.parse()?);
    let mut worlds = HEAVY_WORLDS.to_vec();
    if table == "others" {
        worlds.extend(OTHER_WORLDS);
    }
    if let Some(number) = world.first() {
        worlds = vec![*worlds.get(number.parse::<usize>()?).ok_or("no such world")?];
    }
    match table.as_str() {
        "levels" => levels(&worlds, trials, threads),
        "coverage" => coverage(trials, threads),
        "switch" => switch(trials, threads),
        "peek" => peek(&worlds, trials, threads)?,
        "others" => worlds.iter().try_for_each(|world| others(world, trials, threads))?,
        _ => return Err("levels, coverage, switch, peek or others".into()),
    }
    Ok(())
}
