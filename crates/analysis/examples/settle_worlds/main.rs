//! What settling says in worlds whose truth is known: prints the table that tools/settle makes a page of.
//!
//!     cargo run --release -p karat-analysis --example settle_worlds -- FOLDER WORLDS SECONDS [WORLD]
//!
//! Each cell (a world, a number of topics) is kept in FOLDER and continued from there, until it has so many worlds; after so many seconds it stops and
//! can be called again. Then it prints the table.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "an example prints")]

#[path = "../verdict_worlds/worlds.rs"]
mod worlds;

#[allow(dead_code, reason = "some functions are the test's")]
mod cell;
mod seen;

use std::error::Error;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use cell::Cell;
use worlds::{LOW, WORLDS};

/// Topics of every world, and of some.
const TOPICS: usize = 50;
const FEW_AND_MANY: [usize; 2] = [25, 200];
const WITH_FEW_AND_MANY: [&str; 5] = ["equal", "better", "hardest", "graded", "rate 2%"];
/// Worlds between two looks at the clock.
const LOT: u32 = 20;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, wanted, seconds, rest @ ..] = arguments.as_slice() else {
        return Err("usage: settle_worlds FOLDER WORLDS SECONDS [WORLD]".into());
    };
    let (folder, wanted, seconds): (PathBuf, u32, u64) = (folder.into(), wanted.parse()?, seconds.parse()?);
    std::fs::create_dir_all(&folder)?;
    let end = Instant::now() + Duration::from_secs(seconds);
    let named = |name: &str| rest.first().is_none_or(|only| only == name);
    let mut cells = Vec::new();
    for world in WORLDS.iter().chain(&LOW).filter(|world| world.name != "positives only" && named(world.name)) {
        let others = FEW_AND_MANY.into_iter().filter(|_| WITH_FEW_AND_MANY.contains(&world.name));
        for topics in others.chain([TOPICS]) {
            cells.push(Cell::read(&folder, world, topics)?);
        }
    }
    // The cells with fewest worlds first: whenever it stops, all have about as many.
    while let Some(cell) = cells.iter_mut().filter(|cell| cell.done() < wanted).min_by_key(|cell| cell.done()) {
        if Instant::now() > end {
            break;
        }
        cell.add(LOT.min(wanted - cell.done()))?;
        cell.write(&folder)?;
    }
    println!(
        "| world | measure | topics | true difference | way | judged | worlds | right | wrong | none | covered | bias | width | few labels of a kind | no interval |"
    );
    println!("|{}", "---|".repeat(15));
    cells.iter().for_each(|cell| print!("{}", cell.rows()));
    Ok(())
}
