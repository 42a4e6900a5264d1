//! What a sample says of scores, and of differences within a margin, in worlds whose truth is known.
//!
//!     cargo run --release -p karat-analysis --example settle_scores -- scores|margins FOLDER WORLDS SECONDS [TOPICS [MEASURE [WORLD]]]
//!
//! Each cell (a world, a number of topics, a measure) is kept in FOLDER and continued from there, until it has so many worlds; after so many seconds it stops and can
//! be called again. Then it prints the table: the share of intervals that hold the truth, or of claims that pass where the true difference is minus the
//! margin, each with its Monte-Carlo error at 95%.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "an example prints")]

#[path = "../verdict_worlds/worlds.rs"]
mod worlds;

mod cell;
#[allow(dead_code, reason = "some functions are settle_worlds's")]
#[path = "../settle_worlds/seen.rs"]
mod seen;

use std::error::Error;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use cell::{Cell, Counted};
use worlds::{LOW, WORLDS};

/// The measures.
const MEASURES: [&str; 4] = ["P@10", "RBP(p=0.8)", "DCG@10", "nDCG@10"];
/// Worlds between two looks at the clock.
const LOT: u32 = 20;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [counted, folder, wanted, seconds, rest @ ..] = arguments.as_slice() else {
        return Err("usage: settle_scores scores|margins FOLDER WORLDS SECONDS [TOPICS [MEASURE [WORLD]]]".into());
    };
    let counted = if counted == "margins" { Counted::Margins } else { Counted::Scores };
    let (folder, wanted, seconds): (PathBuf, u32, u64) = (folder.into(), wanted.parse()?, seconds.parse()?);
    let topics: usize = rest.first().map_or(Ok(50), |topics| topics.parse())?;
    std::fs::create_dir_all(&folder)?;
    let end = Instant::now() + Duration::from_secs(seconds);
    let named = |name: &str, at: usize| rest.get(at).is_none_or(|only| only == name);
    let mut cells = Vec::new();
    for world in WORLDS.iter().chain(&LOW).filter(|world| world.name != "positives only" && named(world.name, 2)) {
        for measure in MEASURES.into_iter().filter(|measure| named(measure, 1)) {
            cells.push(Cell::read(&folder, (world, topics, measure), counted)?);
        }
    }
    'all: while cells.iter().any(|cell| cell.done() < wanted) {
        // Those with the fewest worlds first, so that all are alike when time is up.
        cells.sort_by_key(Cell::done);
        for cell in cells.iter_mut().filter(|cell| cell.done() < wanted) {
            cell.add(LOT.min(wanted - cell.done()))?;
            cell.write(&folder)?;
            if Instant::now() > end {
                break 'all;
            }
        }
    }
    println!("| world | topics | measure | run | truth | judged | worlds | share % | bias | width |");
    println!("|---|---|---|---|---|---|---|---|---|---|");
    cells.iter().for_each(|cell| print!("{}", cell.rows()));
    Ok(())
}
