//! Cells on disk: one small file each, rewritten after every lot.

use std::error::Error;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use karat_stats::Seed;

use crate::tally::{self, Count, MEASURES, PAIRS, Tally};
use crate::worlds::World;

/// Topics that the true differences are taken from.
const TRUTH: usize = 20_000;

/// One cell.
pub struct Cell {
    pub world: &'static World,
    pub topics: usize,
    pub pool_depth: usize,
    /// By measure and pair; empty before the first lot.
    pub truth: Vec<[f64; PAIRS.len()]>,
    pub tallies: Vec<[Tally; PAIRS.len()]>,
}

fn path(folder: &Path, world: &World, name: &str) -> PathBuf {
    folder.join(format!("{}-{name}.txt", world.name.replace([' ', ',', '%'], "_")))
}

/// The numbers of a tally, in the order of its file.
fn numbers(tally: &mut Tally) -> [&mut u32; 13] {
    let Tally { worlds, full, plain, certain, assumed, wrong_below_tipping, above_tipping, covered, intervals } = tally;
    let [full, plain, certain, assumed] = [full, plain, certain, assumed].map(|Count { right, wrong }| (right, wrong));
    [
        worlds,
        full.0,
        full.1,
        plain.0,
        plain.1,
        certain.0,
        certain.1,
        assumed.0,
        assumed.1,
        wrong_below_tipping,
        above_tipping,
        covered,
        intervals,
    ]
}

impl Cell {
    /// What is kept of a cell, or nothing yet.
    pub fn read(
        folder: &Path,
        world: &'static World,
        topics: usize,
        pool_depth: usize,
    ) -> Result<Cell, Box<dyn Error>> {
        let mut cell = Cell {
            world,
            topics,
            pool_depth,
            truth: Vec::new(),
            tallies: vec![[Tally::default(); PAIRS.len()]; MEASURES.len()],
        };
        if let Ok(text) = std::fs::read_to_string(path(folder, world, &cell.name())) {
            let mut found = text.split_whitespace();
            for tally in cell.tallies.iter_mut().flatten() {
                for number in numbers(tally) {
                    *number = found.next().ok_or("a cell's file is cut short")?.parse()?;
                }
            }
        }
        if let Ok(text) = std::fs::read_to_string(path(folder, world, "truth")) {
            let found: Vec<f64> = text.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
            cell.truth = found.chunks_exact(PAIRS.len()).map(|pair| [pair[0], pair[1]]).collect();
        }
        Ok(cell)
    }

    fn name(&self) -> String {
        format!("{}-{}", self.topics, self.pool_depth)
    }

    /// Worlds so far.
    pub fn done(&self) -> u32 {
        self.tallies[0][0].worlds
    }

    /// Draws more worlds.
    pub fn add(&mut self, count: u32, permutations: u32, seed: Seed) -> Result<(), Box<dyn Error>> {
        if self.truth.is_empty() {
            self.truth = tally::truth(self.world, TRUTH, seed)?;
        }
        let truth = self.known_truth();
        for _ in 0..count {
            let seed = seed.child(&format!("{} {}", self.world.name, self.name()), u64::from(self.done()));
            let size = (self.topics, self.pool_depth);
            tally::add(self.world, size, &truth, (permutations, seed), &mut self.tallies)?;
        }
        Ok(())
    }

    /// The truth, where systems that are drawn alike differ by nothing.
    fn known_truth(&self) -> Vec<[f64; PAIRS.len()]> {
        let equal = matches!(self.world.name, "equal" | "graded" | "positives only");
        self.truth.iter().map(|[newcomer, _]| [if equal { 0.0 } else { *newcomer }, 0.0]).collect()
    }

    /// Keeps the cell.
    pub fn write(&self, folder: &Path) -> Result<(), Box<dyn Error>> {
        let mut text = String::new();
        for tally in self.tallies.iter().flatten() {
            let mut tally = *tally;
            let line: Vec<String> = numbers(&mut tally).iter().map(ToString::to_string).collect();
            writeln!(text, "{}", line.join(" "))?;
        }
        std::fs::write(path(folder, self.world, &self.name()), text)?;
        let truth: Vec<String> = self.truth.iter().flatten().map(ToString::to_string).collect();
        Ok(std::fs::write(path(folder, self.world, "truth"), truth.join(" "))?)
    }
}
