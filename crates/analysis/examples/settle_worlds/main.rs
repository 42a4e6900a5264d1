//! What settling says in worlds whose truth is known: prints the tables that tools/settle makes a page of.
//!
//!     cargo run --release -p karat-analysis --example settle_worlds -- FOLDER WORLDS SECONDS [WORLD [MEASURE]]
//!
//! Each cell (a world, a number of topics, a measure) is kept in FOLDER and continued from there, until it has so many worlds; after so many seconds it
//! stops and can be called again. Then it prints the tables.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "an example prints")]

#[path = "../verdict_worlds/worlds.rs"]
mod worlds;

#[allow(dead_code, reason = "some functions are the test's")]
mod cell;

use std::error::Error;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use cell::Cell;
use worlds::{LOW, WORLDS};

/// Topics.
const TOPICS: [usize; 2] = [50, 200];
/// The measures.
const MEASURES: [&str; 4] = ["P@10", "RBP(p=0.8)", "DCG@10", "nDCG@10"];
/// Worlds between two looks at the clock.
const LOT: u32 = 20;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, wanted, seconds, rest @ ..] = arguments.as_slice() else {
        return Err("usage: settle_worlds FOLDER WORLDS SECONDS [WORLD [MEASURE]]".into());
    };
    let (folder, wanted, seconds): (PathBuf, u32, u64) = (folder.into(), wanted.parse()?, seconds.parse()?);
    std::fs::create_dir_all(&folder)?;
    let end = Instant::now() + Duration::from_secs(seconds);
    let named = |name: &str, at: usize| rest.get(at).is_none_or(|only| only == name);
    let mut cells = Vec::new();
    for world in WORLDS.iter().chain(&LOW).filter(|world| world.name != "positives only" && named(world.name, 0)) {
        for topics in TOPICS {
            for measure in MEASURES.into_iter().filter(|measure| named(measure, 1)) {
                cells.push(Cell::read(&folder, world, topics, measure)?);
            }
        }
    }
    'all: while cells.iter().any(|cell| cell.done() < wanted) {
        for cell in cells.iter_mut().filter(|cell| cell.done() < wanted) {
            cell.add(LOT.min(wanted - cell.done()))?;
            cell.write(&folder)?;
            if Instant::now() > end {
                break 'all;
            }
        }
    }
    println!(
        "| world | measure | topics | true difference | judged | worlds | right | wrong | none | covered | bias | width | few labels of a kind |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|---|");
    cells.iter().for_each(|cell| print!("{}", cell.rows()));
    Ok(())
}
