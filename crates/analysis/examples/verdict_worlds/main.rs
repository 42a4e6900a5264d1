//! What verdicts say in worlds whose truth is known: writes the tables of docs/verdicts-measured.md.
//!
//!     cargo run --release -p karat-analysis --example verdict_worlds -- FOLDER [WORLDS [SECONDS [joined]]]
//!
//! Each cell (a world, a pool depth, a number of topics) is kept in FOLDER and continued from there, until it has so many worlds; after so many seconds it
//! stops and can be called again. Then it prints the tables. `joined`: the worlds whose newcomer is in the pool; they need a folder of their own.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "an example prints")]

mod kept;
mod table;
mod tally;
mod worlds;

use std::error::Error;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use karat_stats::Seed;
use kept::Cell;
use worlds::{JOINING, WORLDS, World};

/// Ranks of the pool.
const DEPTHS: [usize; 3] = [5, 10, 50];
/// Topics.
const TOPICS: [usize; 3] = [25, 50, 200];
/// Permutations of a test: its p then has a standard error of .005 at .05.
const PERMUTATIONS: u32 = 2_000;
/// Worlds between two looks at the clock.
const LOT: u32 = 10;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().ok_or("a folder for the cells is missing")?);
    let wanted: u32 = arguments.next().map_or(Ok(1000), |text| text.parse())?;
    let seconds: u64 = arguments.next().map_or(Ok(u64::MAX / 4), |text| text.parse())?;
    let worlds: &'static [World] =
        if arguments.next().is_some_and(|word| word == "joined") { &JOINING } else { &WORLDS };
    std::fs::create_dir_all(&folder)?;
    let end = Instant::now() + Duration::from_secs(seconds.min(1 << 40));
    let mut cells = Vec::new();
    for (world, topics, pool_depth) in all(worlds) {
        cells.push(Cell::read(&folder, world, topics, pool_depth)?);
    }
    // Every cell gets a lot in turn, so that the table is even whenever it is stopped.
    'all: loop {
        let mut more = false;
        for cell in &mut cells {
            if cell.done() >= wanted {
                continue;
            }
            cell.add(LOT.min(wanted - cell.done()), PERMUTATIONS, Seed(20))?;
            cell.write(&folder)?;
            more = true;
            if Instant::now() > end {
                break 'all;
            }
        }
        if !more {
            break;
        }
    }
    println!("{}", table::tables(&cells));
    Ok(())
}

fn all(worlds: &'static [World]) -> impl Iterator<Item = (&'static World, usize, usize)> {
    worlds.iter().flat_map(|world| {
        TOPICS.iter().flat_map(move |&topics| DEPTHS.iter().map(move |&pool_depth| (world, topics, pool_depth)))
    })
}
