//! One cell: a world and a number of topics, with every measure and every way of judging.

use std::error::Error;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use karat_analysis::settle::plan::Planner;
use karat_analysis::settle::stopping::Look;
use karat_analysis::settle::{Design, Target};
use karat_measures::Measure;
use karat_stats::Seed;

use crate::seen::{Labels, Seen, View, measures};
use crate::worlds::World;

/// Measures that are estimated from documents, and those that are from topics.
pub const MEASURES: [(&str, &[Way]); 6] = [
    ("P@10", &WITH_LOOKS),
    ("RBP(p=0.8)", &OF_DOCUMENTS),
    ("DCG@10", &OF_DOCUMENTS),
    ("nDCG@10", &WITH_LOOKS),
    ("AP", &OF_TOPICS),
    ("RR@10", &OF_TOPICS),
];
const WITH_LOOKS: [Way; 6] = [
    Way::Documents(40),
    Way::Documents(60),
    Way::Documents(100),
    Way::Documents(200),
    Way::Planned,
    Way::Looks { looks: 5, documents: 100 },
];
const OF_DOCUMENTS: [Way; 5] =
    [Way::Documents(40), Way::Documents(60), Way::Documents(100), Way::Documents(200), Way::Planned];
const OF_TOPICS: [Way; 2] = [Way::Topics(15), Way::Topics(30)];

/// How documents are judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// So many.
    Documents(usize),
    /// As many as karat plans for a power of 80%, with the true difference given.
    Planned,
    /// In so many batches of the same size, until one decides.
    Looks { looks: u32, documents: usize },
    /// All of about so many topics.
    Topics(usize),
}

/// The power that is planned for.
const POWER: f64 = 0.8;
const LEVEL: f64 = 0.95;
/// Ranks of the pool.
const POOL: usize = 10;
/// Topics that the truth is computed from, and in how many parts.
const TRUTH: (usize, u64) = (2_000, 15);
const SEED: Seed = Seed(31);
/// A true difference below this share of an interval's width counts as none.
const EQUAL: f64 = 0.03;

/// What was counted for a way of judging.
#[derive(Debug, Clone, Copy, Default)]
pub struct Tally {
    pub right: u32,
    pub wrong: u32,
    pub covered: u32,
    bias: f64,
    width: f64,
    few: u32,
    /// Documents that were judged.
    judged: f64,
    /// Worlds without an interval: too few topics were drawn.
    without: u32,
    /// Worlds in which something was drawn: without a plan nothing is.
    worlds: u32,
}

/// What was counted for a measure.
pub struct Counted {
    name: &'static str,
    ways: &'static [Way],
    truth: Option<f64>,
    pub tallies: Vec<Tally>,
}

pub struct Cell {
    world: &'static World,
    topics: usize,
    done: u32,
    pub measures: Vec<Counted>,
}

/// The difference of the pooled system and the newcomer.
fn pair() -> [Target; 1] {
    [Target::from((0, 1))]
}

impl Cell {
    /// A new cell with these measures.
    pub fn new(world: &'static World, topics: usize, names: &[&str]) -> Cell {
        let chosen = MEASURES.iter().filter(|(name, _)| names.is_empty() || names.contains(name));
        let counted = |&(name, ways): &(&'static str, &'static [Way])| Counted {
            name,
            ways,
            truth: None,
            tallies: vec![Tally::default(); ways.len()],
        };
        Cell { world, topics, done: 0, measures: chosen.map(counted).collect() }
    }

    /// The same, where the truth of each measure is known.
    pub fn with_truth(world: &'static World, topics: usize, truths: &[(&str, f64)]) -> Cell {
        let names: Vec<&str> = truths.iter().map(|(name, _)| *name).collect();
        let mut cell = Cell::new(world, topics, &names);
        for counted in &mut cell.measures {
            counted.truth = truths.iter().find(|(name, _)| *name == counted.name).map(|(_, truth)| *truth);
        }
        cell
    }

    /// As far as it was kept.
    pub fn read(folder: &Path, world: &'static World, topics: usize) -> Result<Cell, Box<dyn Error>> {
        let mut cell = Cell::new(world, topics, &[]);
        let Ok(text) = std::fs::read_to_string(cell.path(folder)) else { return Ok(cell) };
        let mut lines = text.lines();
        cell.done = lines.next().unwrap_or_default().parse()?;
        for counted in &mut cell.measures {
            counted.truth = lines.next().map(str::parse).transpose()?;
            for tally in &mut counted.tallies {
                *tally = Tally::parse(lines.next().unwrap_or_default())?;
            }
        }
        Ok(cell)
    }

    pub fn write(&self, folder: &Path) -> Result<(), Box<dyn Error>> {
        let mut text = format!("{}\n", self.done);
        for counted in &self.measures {
            writeln!(text, "{}", counted.truth.unwrap_or(0.0))?;
            for Tally { right, wrong, covered, bias, width, few, judged, without, worlds } in &counted.tallies {
                writeln!(text, "{right} {wrong} {covered} {bias} {width} {few} {judged} {without} {worlds}")?;
            }
        }
        let partial = self.path(folder).with_extension("partial");
        std::fs::write(&partial, text)?;
        Ok(std::fs::rename(partial, self.path(folder))?)
    }

    fn path(&self, folder: &Path) -> PathBuf {
        let name = format!("{}-{}", self.world.name, self.topics);
        folder.join(name.replace(|c: char| !c.is_ascii_alphanumeric(), "_"))
    }

    pub fn done(&self) -> u32 {
        self.done
    }

    /// Adds worlds.
    pub fn add(&mut self, worlds: u32) -> Result<(), Box<dyn Error>> {
        let seed = SEED.child(self.world.name, self.topics as u64);
        let built: Vec<Vec<Box<dyn Measure>>> =
            self.measures.iter().map(|counted| measures(counted.name)).collect::<Result<_, _>>()?;
        self.find_truth(&built)?;
        for _ in 0..worlds {
            let own = seed.child("world", u64::from(self.done));
            let seen = Seen::new(&self.world.draw(self.topics, POOL, own))?;
            for (counted, measures) in self.measures.iter_mut().zip(&built) {
                counted.add(&seen.view(measures), own);
            }
            self.done += 1;
        }
        Ok(())
    }

    /// The mean differences with all documents of both lists judged, over many topics.
    fn find_truth(&mut self, built: &[Vec<Box<dyn Measure>>]) -> Result<(), Box<dyn Error>> {
        if self.measures.iter().all(|counted| counted.truth.is_some()) {
            return Ok(());
        }
        let (topics, parts) = TRUTH;
        let mut sums = vec![0.0; built.len()];
        for part in 0..parts {
            let seed = SEED.child(self.world.name, self.topics as u64).child("truth", part);
            let seen = Seen::new(&self.world.draw(topics, POOL, seed))?;
            for (sum, measures) in sums.iter_mut().zip(built) {
                *sum += seen.view(measures).full(&pair(), SEED)[0];
            }
        }
        self.measures.iter_mut().zip(sums).for_each(|(counted, sum)| counted.truth = Some(sum / parts as f64));
        Ok(())
    }

    /// Rows of the table.
    pub fn rows(&self) -> String {
        let mut text = String::new();
        for counted in &self.measures {
            for (way, tally) in counted.ways.iter().zip(&counted.tallies).filter(|(_, tally)| tally.worlds > 0) {
                let start = format!("| {} | {} | {}", self.world.name, counted.name, self.topics);
                let truth = counted.truth.unwrap_or(0.0);
                let _ = writeln!(text, "{start} | {truth:+.3} | {} | {}", way.name(), tally.row());
            }
        }
        text
    }
}

impl Way {
    fn name(self) -> String {
        match self {
            Way::Documents(count) => count.to_string(),
            Way::Planned => "planned".into(),
            Way::Looks { looks, documents } => format!("{documents} in {looks} looks"),
            Way::Topics(count) => format!("{count} topics"),
        }
    }
}

impl Counted {
    fn add(&mut self, view: &View<'_>, seed: Seed) {
        let truth = self.truth.unwrap_or(0.0);
        let question = view.question(&pair());
        let design = if matches!(self.ways[0], Way::Topics(_)) { Design::Topics } else { Design::Documents };
        let frame = view.frame(&question, design, seed, &Labels::new(design));
        for (way, tally) in self.ways.iter().zip(&mut self.tallies) {
            let count = match *way {
                Way::Documents(count) => Some(count),
                Way::Planned => Planner::new(&frame, 0, POWER, LEVEL).plan(truth).count,
                Way::Topics(topics) => Some(frame.len() * topics / question.topics.len()),
                Way::Looks { looks, documents } => {
                    tally.look(view, seed, truth, (looks, documents));
                    None
                }
            };
            let Some(count) = count else { continue };
            let mut labels = Labels::new(design);
            view.judge(&question, frame.draw(count, seed, 0), &mut labels);
            let found = view.estimate(&question, pair()[0], &labels, seed).at(LEVEL);
            tally.add(found.interval.ok(), found.difference, truth, (found.few, labels.len()));
        }
    }
}

impl Tally {
    fn parse(line: &str) -> Result<Tally, Box<dyn Error>> {
        let numbers: Vec<f64> = line.split(' ').map(str::parse).collect::<Result<_, _>>()?;
        let [right, wrong, covered, bias, width, few, judged, without, worlds] = numbers[..] else {
            return Err(format!("not a tally: {line}").into());
        };
        let whole = |count: f64| count as u32;
        Ok(Tally {
            right: whole(right),
            wrong: whole(wrong),
            covered: whole(covered),
            bias,
            width,
            few: whole(few),
            judged,
            without: whole(without),
            worlds: whole(worlds),
        })
    }

    /// One world.
    fn add(&mut self, interval: Option<(f64, f64)>, difference: f64, truth: f64, (few, judged): (bool, usize)) {
        self.worlds += 1;
        self.judged += judged as f64;
        let Some((low, high)) = interval else {
            self.without += 1;
            return;
        };
        self.covered += u32::from(low <= truth && truth <= high);
        self.bias += difference - truth;
        self.width += high - low;
        self.few += u32::from(few);
        if low > 0.0 || high < 0.0 {
            // Of equal systems every verdict is wrong.
            let right = truth.abs() > EQUAL * (high - low) && (low > 0.0) == (truth > 0.0);
            if right { self.right += 1 } else { self.wrong += 1 }
        }
    }

    /// Batch by batch, until one decides.
    fn look(&mut self, view: &View<'_>, seed: Seed, truth: f64, (looks, documents): (u32, usize)) {
        let question = view.question(&pair());
        let mut labels = Labels::new(Design::Documents);
        for number in 1..=looks {
            let frame = view.frame(&question, Design::Documents, seed, &labels);
            let drawn = frame.draw(documents / looks as usize, seed, number);
            view.judge(&question, drawn, &mut labels);
            let estimated = view.estimate(&question, pair()[0], &labels, seed);
            let first = estimated.at(LEVEL);
            let alpha = Look { number, planned: Some(looks) }.alpha(1.0 - LEVEL, (first.topics, first.sampling));
            let found = estimated.at(1.0 - alpha);
            let decides = found.interval.is_ok_and(|(low, high)| low > 0.0 || high < 0.0);
            if decides || number == looks {
                self.add(found.interval.ok(), found.difference, truth, (found.few, labels.len()));
                return;
            }
        }
    }

    fn row(&self) -> String {
        let (worlds, intervals) = (f64::from(self.worlds), f64::from(self.worlds - self.without));
        let share = |part: u32| 100.0 * f64::from(part) / worlds;
        let found = |value: f64| if intervals > 0.0 { value / intervals } else { 0.0 };
        format!(
            "{:.0} | {} | {:.1} | {:.1} | {:.1} | {:.1} | {:+.4} | {:.3} | {:.0} | {:.1} |",
            self.judged / worlds,
            self.worlds,
            share(self.right),
            share(self.wrong),
            share(self.worlds - self.right - self.wrong),
            found(100.0 * f64::from(self.covered)),
            found(self.bias),
            found(self.width),
            share(self.few),
            share(self.without),
        )
    }
}
