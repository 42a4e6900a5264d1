//! One cell: a world, a number of topics and a measure, with scores of both runs, or with one-sided limits of their difference.

use std::error::Error;
use std::fmt::Write;
use std::path::Path;

use karat_analysis::settle::estimate::Estimated;
use karat_analysis::settle::{Design, Target};
use karat_stats::Seed;

use crate::seen::{Labels, Seen, View, measures};
use crate::worlds::World;

/// Judgements in all.
pub const COUNTS: [usize; 4] = [40, 60, 100, 200];
/// Ranks of the pool.
const POOL: usize = 10;
/// Topics that the truth is computed from, and in how many parts.
const TRUTH: (usize, u64) = (2_000, 15);
const SEED: Seed = Seed(47);
/// Level of intervals, and of error on one side.
const LEVEL: f64 = 0.95;

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counted {
    /// Intervals of scores that hold the truth: of a pooled run, and of the newcomer.
    Scores,
    /// Claims to be worse by less than exactly the true difference: of the first run, and of the second. All are false.
    Margins,
}

/// A number of judgements and a run.
#[derive(Debug, Clone, Copy, Default)]
pub struct Tally {
    pub worlds: u32,
    /// Intervals that hold the truth; of margins, claims that pass.
    pub counted: u32,
    /// Sum of errors, and of their squares.
    errors: (f64, f64),
    width: f64,
}

/// World, topics and measure.
pub type Place = (&'static World, usize, &'static str);

pub struct Cell {
    pub world: &'static World,
    pub topics: usize,
    measure: &'static str,
    counted: Counted,
    /// Of each score, or of the difference.
    pub truth: Vec<f64>,
    done: u32,
    /// By number of judgements and run.
    pub tallies: Vec<Tally>,
}

impl Counted {
    pub fn name(self) -> &'static str {
        match self {
            Counted::Scores => "scores",
            Counted::Margins => "margins",
        }
    }

    fn targets(self) -> Vec<Target> {
        match self {
            Counted::Scores => vec![Target::score(0), Target::score(1)],
            Counted::Margins => vec![Target::from((0, 1))],
        }
    }
}

impl Cell {
    pub fn new((world, topics, measure): Place, counted: Counted, truth: Vec<f64>) -> Cell {
        let tallies = vec![Tally::default(); COUNTS.len() * 2];
        Cell { world, topics, measure, counted, truth, done: 0, tallies }
    }

    /// As far as it was kept.
    pub fn read(folder: &Path, place: Place, counted: Counted) -> Result<Cell, Box<dyn Error>> {
        let mut cell = Cell::new(place, counted, Vec::new());
        let Ok(text) = std::fs::read_to_string(folder.join(cell.name())) else { return Ok(cell) };
        let mut lines = text.lines().map(|line| line.split(' ').map(str::parse).collect::<Result<Vec<f64>, _>>());
        let first = lines.next().unwrap_or(Ok(Vec::new()))?;
        if let Some((done, truth)) = first.split_first() {
            (cell.done, cell.truth) = (*done as u32, truth.to_vec());
        }
        for (tally, line) in cell.tallies.iter_mut().zip(lines) {
            if let [worlds, counted, errors, squares, width] = line?[..] {
                let (worlds, counted) = (worlds as u32, counted as u32);
                *tally = Tally { worlds, counted, errors: (errors, squares), width };
            }
        }
        Ok(cell)
    }

    fn name(&self) -> String {
        let name = format!("{}-{}-{}-{}", self.counted.name(), self.world.name, self.topics, self.measure);
        name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
    }

    pub fn write(&self, folder: &Path) -> Result<(), Box<dyn Error>> {
        let truth: Vec<String> = self.truth.iter().map(f64::to_string).collect();
        let mut text = format!("{} {}\n", self.done, truth.join(" "));
        for Tally { worlds, counted, errors: (errors, squares), width } in &self.tallies {
            writeln!(text, "{worlds} {counted} {errors} {squares} {width}")?;
        }
        let partial = folder.join(self.name()).with_extension("partial");
        std::fs::write(&partial, text)?;
        Ok(std::fs::rename(partial, folder.join(self.name()))?)
    }

    pub fn done(&self) -> u32 {
        self.done
    }

    /// Adds worlds.
    pub fn add(&mut self, worlds: u32) -> Result<(), Box<dyn Error>> {
        let seed = SEED.child(self.world.name, self.topics as u64);
        if self.truth.is_empty() {
            self.truth = self.find_truth(seed)?;
        }
        let (targets, built) = (self.counted.targets(), measures(self.measure)?);
        for _ in 0..worlds {
            let own = seed.child("world", u64::from(self.done));
            let seen = Seen::new(&self.world.draw(self.topics, POOL, own))?;
            self.add_world(&seen.view(&built), &targets, own);
            self.done += 1;
        }
        Ok(())
    }

    fn add_world(&mut self, view: &View<'_>, targets: &[Target], seed: Seed) {
        let question = view.question(targets);
        let frame = view.frame(&question, Design::Documents, seed, &Labels::new(Design::Documents));
        for (row, count) in COUNTS.into_iter().enumerate() {
            let mut labels = Labels::new(Design::Documents);
            view.judge(&question, frame.draw(count, seed, 0), &mut labels);
            let estimated: Vec<Estimated> =
                targets.iter().map(|&target| view.estimate(&question, target, &labels, seed)).collect();
            for side in 0..2 {
                let tally = &mut self.tallies[row * 2 + side];
                match (self.counted, estimated.as_slice()) {
                    (Counted::Margins, [found, ..]) => {
                        tally.add_claim(found, side == 1, self.truth[0]);
                    }
                    (_, found) => tally.add_score(&found[side], self.truth[side]),
                }
            }
        }
    }

    /// The means with all documents of the lists judged, over many topics.
    fn find_truth(&self, seed: Seed) -> Result<Vec<f64>, Box<dyn Error>> {
        let ((topics, parts), built) = (TRUTH, measures(self.measure)?);
        let mut sums = Vec::new();
        for part in 0..parts {
            let drawn = self.world.draw(topics, POOL, seed.child("truth", part));
            let own = Seen::new(&drawn)?.view(&built).full(&self.counted.targets(), seed);
            sums.resize(own.len(), 0.0);
            sums.iter_mut().zip(own).for_each(|(sum, own)| *sum += own / parts as f64);
        }
        Ok(sums)
    }

    /// Rows of the table.
    pub fn rows(&self) -> String {
        let mut text = String::new();
        let sides = match self.counted {
            Counted::Scores => ["pooled", "newcomer"],
            Counted::Margins => ["pooled not worse", "newcomer not worse"],
        };
        for (place, tally) in self.tallies.iter().enumerate().filter(|(_, tally)| tally.worlds > 0) {
            let (row, side) = (place / 2, place % 2);
            let truth = self.truth.get(side).or(self.truth.first()).copied().unwrap_or(0.0);
            let worlds = f64::from(tally.worlds);
            let share = f64::from(tally.counted) / worlds;
            let bias = tally.errors.0 / worlds;
            let spread = ((tally.errors.1 / worlds - bias * bias).max(0.0) / worlds).sqrt();
            let _ = writeln!(
                text,
                "| {} | {} | {} | {} | {truth:+.3} | {} | {} | {:.1} ± {:.1} | {bias:+.4} ± {:.4} | {:.3} |",
                self.world.name,
                self.topics,
                self.measure,
                sides[side],
                COUNTS[row],
                tally.worlds,
                100.0 * share,
                196.0 * (share * (1.0 - share) / worlds).sqrt(),
                1.96 * spread,
                tally.width / worlds,
            );
        }
        text
    }
}

impl Tally {
    fn add_score(&mut self, found: &Estimated, truth: f64) {
        let found = found.at(LEVEL);
        let (low, high) = found.interval.unwrap_or((found.difference, found.difference));
        self.worlds += 1;
        self.counted += u32::from(low <= truth && truth <= high);
        self.errors.0 += found.difference - truth;
        self.errors.1 += (found.difference - truth).powi(2);
        self.width += high - low;
    }

    /// The claim to be worse by less than a margin that is exactly how much worse the run is.
    fn add_claim(&mut self, found: &Estimated, second: bool, truth: f64) {
        let lead = if second { -truth } else { truth };
        let difference = found.at(LEVEL).difference - truth;
        let Some(claim) = found.one_sided(second, -lead, 1.0 - LEVEL) else { return };
        self.worlds += 1;
        self.counted += u32::from(claim.limit > lead && claim.p < 1.0 - LEVEL);
        self.errors.0 += difference;
        self.errors.1 += difference * difference;
        self.width += lead - claim.limit;
    }
}
