//! What a random share of `karat next` says in worlds whose truth is known: bias and coverage of `compare --sample`.
//!
//!     cargo run --release -p karat-analysis --example next_worlds -- WORLDS [MEASURE [WORLD]]
//!
//! Each row has so many worlds of 50 topics, two runs, judged to a pool of depth 10 without the second run. *Bias* is the mean of the estimate less the
//! difference with every document of the world judged, with its standard error; *covered* is how often the 95% interval holds the mean difference over
//! all worlds of the row with every document judged.
#![allow(clippy::print_stdout, reason = "an example prints")]

mod sample;
#[path = "../verdict_worlds/worlds.rs"]
mod worlds;

use std::error::Error;

use karat_stats::Seed;
use sample::{Choice, Found, estimates};
use worlds::{LOW, WORLDS};

const SEED: Seed = Seed(47);
const TOPICS: usize = 50;
/// Ranks of the pool.
const POOL: usize = 10;
/// Documents judged, and those of them drawn at random.
const CHOICES: [Choice; 3] =
    [Choice { count: 60, random: 30 }, Choice { count: 100, random: 50 }, Choice { count: 100, random: 100 }];
const NAMES: [&str; 4] = ["equal", "better", "hardest", "rate 5%"];
const MEASURES: [&str; 3] = ["P@10", "RBP(p=0.8)", "nDCG@10"];

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let count: u64 = arguments.first().ok_or("usage: next_worlds WORLDS [MEASURE [WORLD]]")?.parse()?;
    let is_asked = |place: usize, name: &str| arguments.get(place).is_none_or(|only| only == name);
    println!("| world | measure | judged | at random | bias | covered | width |");
    println!("|---|---|---|---|---|---|---|");
    for world in WORLDS.iter().chain(&LOW).filter(|world| NAMES.contains(&world.name)) {
        for measure in MEASURES.into_iter().filter(|measure| is_asked(1, measure) && is_asked(2, world.name)) {
            let seed = SEED.child(world.name, 0);
            let one = |number: u64| {
                let own = seed.child(measure, number);
                estimates(&world.draw(TOPICS, POOL, own), measure, &CHOICES, own)
            };
            let found: Vec<Vec<Found>> = (0..count).map(one).collect::<Result<_, _>>()?;
            let truth = found.iter().map(|found| found[0].full).sum::<f64>() / count as f64;
            for (place, choice) in CHOICES.iter().enumerate() {
                let own: Vec<Found> = found.iter().map(|found| found[place]).collect();
                print_row(&format!("{} | {measure}", world.name), choice, &own, truth);
            }
        }
    }
    Ok(())
}

fn print_row(name: &str, choice: &Choice, found: &[Found], truth: f64) {
    let count = found.len() as f64;
    let bias = found.iter().map(|found| found.error).sum::<f64>() / count;
    let variance = found.iter().map(|found| (found.error - bias).powi(2)).sum::<f64>() / (count - 1.0) / count;
    let holds = |found: &&Found| found.interval.0 <= truth && truth <= found.interval.1;
    let covered = 100.0 * found.iter().filter(holds).count() as f64 / count;
    let width = found.iter().map(|found| found.interval.1 - found.interval.0).sum::<f64>() / count;
    let Choice { count: judged, random } = choice;
    println!("| {name} | {judged} | {random} | {bias:+.4} ± {:.4} | {covered:.1}% | {width:.3} |", variance.sqrt());
}
