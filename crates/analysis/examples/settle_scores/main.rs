//! What a sample says of scores, and of differences within a margin, in worlds whose truth is known.
//!
//!     cargo run --release -p karat-analysis --example settle_scores -- scores|margins FOLDER WORLDS SECONDS [TOPICS [WORLD]]
//!
//! Each cell (a world, a number of topics) is kept in FOLDER and continued from there, until it has so many worlds; after so many seconds it stops and can
//! be called again. Then it prints the table: the share of intervals that hold the truth, or of claims that pass where the true difference is minus the
//! margin, each with its Monte-Carlo error at 95%.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "an example prints")]

#[path = "../verdict_worlds/worlds.rs"]
mod worlds;

mod cell;
mod seen;

use std::error::Error;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use cell::{Cell, Counted};
use worlds::{LOW, WORLDS};

/// Worlds between two looks at the clock.
const LOT: u32 = 20;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [counted, folder, wanted, seconds, rest @ ..] = arguments.as_slice() else {
        return Err("usage: settle_scores scores|margins FOLDER WORLDS SECONDS [TOPICS [WORLD]]".into());
    };
    let counted = if counted == "margins" { Counted::Margins } else { Counted::Scores };
    let (folder, wanted, seconds): (PathBuf, u32, u64) = (folder.into(), wanted.parse()?, seconds.parse()?);
    let topics: usize = rest.first().map_or(Ok(50), |topics| topics.parse())?;
    std::fs::create_dir_all(&folder)?;
    let end = Instant::now() + Duration::from_secs(seconds);
    let named = |name: &str| rest.get(1).is_none_or(|only| only == name);
    let known = WORLDS.iter().chain(&LOW).filter(|world| world.name != "positives only" && named(world.name));
    let mut cells =
        known.map(|world| Cell::read(&folder, world, topics, counted)).collect::<Result<Vec<Cell>, Box<dyn Error>>>()?;
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
