//! One cell: a world, a number of topics and a measure, with so many judgements.

use std::collections::HashMap;
use std::error::Error;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use karat_analysis::scores::Setting;
use karat_analysis::settle::draw::{self, Frame};
use karat_analysis::settle::effects::OpenUnit;
use karat_analysis::settle::estimate::{Judged, JudgedSample, Said, estimate};
use karat_analysis::settle::plan::Planner;
use karat_analysis::settle::{Design, Question};
use karat_data::{CollectionFacts, Policy, Qrels, RankedDocuments};
use karat_formats::{Dialect, Input, RunFiles, detect, read_qrels};
use karat_measures::{Measure, spec};
use karat_stats::Seed;

use crate::worlds::{Drawn, POOLED, World};

/// Judgements in all; the last row is as many as karat plans for a power of 80%, with the true difference given.
const COUNTS: [Option<usize>; 5] = [Some(40), Some(60), Some(100), Some(200), None];
/// The power that is planned for.
const POWER: f64 = 0.8;
/// Ranks of the pool.
const POOL: usize = 10;
/// Topics that the truth is computed from, and in how many parts.
const TRUTH: (usize, u64) = (2_000, 15);
const SEED: Seed = Seed(31);
/// A true difference below this share of an interval's width counts as none.
const EQUAL: f64 = 0.03;

/// What was counted for a number of judgements.
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
    /// Worlds in which something was drawn: without a plan nothing is.
    worlds: u32,
}

pub struct Cell {
    world: &'static World,
    topics: usize,
    measure: &'static str,
    truth: Option<f64>,
    done: u32,
    tallies: [Tally; COUNTS.len()],
}

impl Cell {
    fn path(&self, folder: &Path) -> PathBuf {
        let name: String = format!("{}-{}-{}", self.world.name, self.topics, self.measure)
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
            .collect();
        folder.join(name)
    }

    /// As far as it was kept.
    pub fn read(
        folder: &Path,
        world: &'static World,
        topics: usize,
        measure: &'static str,
    ) -> Result<Cell, Box<dyn Error>> {
        let mut cell = Cell { world, topics, measure, truth: None, done: 0, tallies: Default::default() };
        let Ok(text) = std::fs::read_to_string(cell.path(folder)) else { return Ok(cell) };
        let mut lines = text.lines();
        let first: Vec<&str> = lines.next().unwrap_or_default().split(' ').collect();
        if let [done, truth] = first[..] {
            (cell.done, cell.truth) = (done.parse()?, Some(truth.parse()?));
        }
        for (tally, line) in cell.tallies.iter_mut().zip(lines) {
            let numbers: Vec<f64> = line.split(' ').map(str::parse).collect::<Result<_, _>>()?;
            if let [right, wrong, covered, bias, width, few, judged, worlds] = numbers[..] {
                *tally = Tally {
                    right: right as u32,
                    wrong: wrong as u32,
                    covered: covered as u32,
                    bias,
                    width,
                    few: few as u32,
                    judged,
                    worlds: worlds as u32,
                };
            }
        }
        Ok(cell)
    }

    /// A new cell of which the truth is known.
    pub fn with_truth(world: &'static World, topics: usize, measure: &'static str, truth: f64) -> Cell {
        Cell { world, topics, measure, truth: Some(truth), done: 0, tallies: Default::default() }
    }

    /// What was counted, by number of judgements; without the planned number.
    pub fn counts(&self) -> impl Iterator<Item = &Tally> {
        self.tallies.iter().take(COUNTS.len() - 1)
    }

    pub fn write(&self, folder: &Path) -> Result<(), Box<dyn Error>> {
        let mut text = format!("{} {}\n", self.done, self.truth.unwrap_or(0.0));
        for Tally { right, wrong, covered, bias, width, few, judged, worlds } in self.tallies {
            writeln!(text, "{right} {wrong} {covered} {bias} {width} {few} {judged} {worlds}")?;
        }
        let partial = self.path(folder).with_extension("partial");
        std::fs::write(&partial, text)?;
        Ok(std::fs::rename(partial, self.path(folder))?)
    }

    pub fn done(&self) -> u32 {
        self.done
    }

    /// Adds worlds.
    pub fn add(&mut self, worlds: u32) -> Result<(), Box<dyn Error>> {
        let seed = SEED.child(self.world.name, self.topics as u64);
        let truth = match self.truth {
            Some(truth) => truth,
            None => self.true_difference(seed)?,
        };
        self.truth = Some(truth);
        for _ in 0..worlds {
            let own = seed.child("world", u64::from(self.done));
            let drawn = self.world.draw(self.topics, POOL, own);
            let seen = Seen::new(&drawn, self.measure)?;
            let setting = seen.setting();
            let question = Question::new(&setting, &seen.read, vec![(0, 1)]);
            let frame = Frame::new(&question, Design::Documents, own, &|_, _| false);
            for (count, tally) in COUNTS.into_iter().zip(&mut self.tallies) {
                let planned = || Planner::new(&frame, 0, POWER, 0.95).plan(truth).count;
                if let Some(count) = count.or_else(planned) {
                    tally.add(&seen, (&question, &frame), count, own, truth);
                }
            }
            self.done += 1;
        }
        Ok(())
    }

    /// The mean difference with all documents of both lists judged, over many topics.
    fn true_difference(&self, seed: Seed) -> Result<f64, Box<dyn Error>> {
        let (topics, parts) = TRUTH;
        let mut sum = 0.0;
        for part in 0..parts {
            let drawn = self.world.draw(topics, POOL, seed.child("truth", part));
            sum += Seen::new(&drawn, self.measure)?.full().iter().sum::<f64>();
        }
        Ok(sum / (topics as f64 * parts as f64))
    }

    /// Rows of the table.
    pub fn rows(&self) -> String {
        let mut text = String::new();
        for (count, tally) in COUNTS.iter().zip(&self.tallies).filter(|(_, tally)| tally.worlds > 0) {
            let worlds = f64::from(tally.worlds);
            let name = if count.is_some() { "" } else { "planned: " };
            let share = |part: u32| 100.0 * f64::from(part) / worlds;
            let _ = writeln!(
                text,
                "| {} | {} | {} | {:+.3} | {name}{:.0} | {} | {:.1} | {:.1} | {:.1} | {:.1} | {:+.4} | {:.3} | {:.0} |",
                self.world.name,
                self.measure,
                self.topics,
                self.truth.unwrap_or(0.0),
                tally.judged / worlds,
                tally.worlds,
                share(tally.right),
                share(tally.wrong),
                share(tally.worlds - tally.right - tally.wrong),
                share(tally.covered),
                tally.bias / worlds,
                tally.width / worlds,
                share(tally.few),
            );
        }
        text
    }
}

impl Tally {
    fn add(&mut self, seen: &Seen, (question, frame): (&Question<'_>, &Frame), count: usize, seed: Seed, truth: f64) {
        self.worlds += 1;
        let found = seen.settle(question, frame.draw(count, seed, 0), seed);
        let Some((difference, (low, high), few, judged)) = found else { return };
        self.judged += judged as f64;
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
}

/// A world as karat sees it, with the truth beside it: the first pooled system and the newcomer.
struct Seen {
    qrels: Qrels,
    read: RankedDocuments,
    /// Grades of the relevant documents.
    grades: HashMap<(String, String), f64>,
    measures: Vec<Box<dyn Measure>>,
}

impl Seen {
    fn new(drawn: &Drawn, measure: &str) -> Result<Seen, Box<dyn Error>> {
        let input = Input::bytes("qrels", drawn.judged.as_bytes().to_vec());
        let (qrels, _) =
            read_qrels(&input, detect::QRELS, Dialect::Strict, 1).map_err(|problems| problems.to_string())?;
        let run = |run: usize| Input::bytes(format!("r{run}"), drawn.runs[run].as_bytes().to_vec());
        let files = RunFiles::new(vec![run(0), run(POOLED)], detect::RUN, Dialect::Strict);
        let read = RankedDocuments::read(&files, &Policy::default(), 1).map_err(|problems| problems.to_string())?;
        let grade = |line: &str| {
            let mut fields = line.split(' ');
            let document = (fields.next()?.to_owned(), fields.nth(1)?.to_owned());
            Some((document, fields.next()?.parse().ok()?))
        };
        let grades = drawn.complete.lines().filter_map(grade).collect();
        Ok(Seen { qrels, read, grades, measures: vec![spec::parse(measure, 1.0)?.build()?] })
    }

    fn setting(&self) -> Setting<'_> {
        Setting {
            qrels: &self.qrels,
            uncut: None,
            collection: CollectionFacts::new(&self.qrels, None, None).unwrap_or_default(),
            policy: Policy::default(),
            measures: &self.measures,
            bounds: true,
            relevance_model: None,
            calibration: None,
            threads: 1,
        }
    }

    fn grade(&self, question: &Question<'_>, topic: usize, docno: &[u8]) -> Option<f64> {
        let name = String::from_utf8_lossy(self.qrels.name(question.topics[topic])).into_owned();
        self.grades.get(&(name, String::from_utf8_lossy(docno).into_owned())).copied()
    }

    /// The differences with all documents judged.
    fn full(&self) -> Vec<f64> {
        let setting = self.setting();
        let question = Question::new(&setting, &self.read, vec![(0, 1)]);
        let one = |topic: usize| {
            let lists = question.lists(topic);
            let open = question.open(&lists, (0, (0, 1)), SEED);
            let label = |unit: &OpenUnit| self.grade(&question, topic, lists.docno(unit.open));
            open.difference(&open.units.iter().map(label).collect::<Vec<_>>()).unwrap_or(0.0)
        };
        (0..question.topics.len()).map(one).collect()
    }

    /// The difference from these documents, its interval, whether labels of one kind are few, and how many documents there are.
    fn settle(
        &self,
        question: &Question<'_>,
        drawn: Vec<draw::Drawn>,
        seed: Seed,
    ) -> Option<(f64, (f64, f64), bool, usize)> {
        let judged = |drawn: draw::Drawn| {
            let said = Said::Grade(self.grade(question, drawn.topic, &drawn.docno).unwrap_or(0.0));
            Judged { topic: drawn.topic, docno: drawn.docno, probability: drawn.probability, batch: 0, said }
        };
        let rows: Vec<Judged> = drawn.into_iter().map(judged).collect();
        let (count, sizes) = (rows.len(), vec![rows.len()]);
        let sample = JudgedSample { design: Design::Documents, rows, sizes };
        let found = estimate(question, (0, (0, 1)), &sample, 0.95, seed);
        Some((found.difference, found.interval.ok()?, found.few, count))
    }
}
