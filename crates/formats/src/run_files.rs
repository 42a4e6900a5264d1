//! Run files as a [`RunSource`]: threads take blocks of whole topics in turn, across files.
//!
//! The first pass assumes that a run is grouped by topic, as runs are, and keeps nothing. A run in which a topic comes back, in
//! one file or in several of a folder, is given up once that is known (`watch`), read a second time and gathered
//! ([`crate::gather`]); the visitor is told by the attempt number which topics count.

use std::sync::Arc;

use karat_data::problem::{FirstSeen, quote};
use karat_data::{Condensed, LineProblem, Problem, Problems, RunFacts, RunSource, TopicRows, Visitor, Worker, align};

use crate::Dialect;
use crate::block::{Block, Blocks, Choice, Cut};
use crate::detect::RunChoice;
use crate::feed::{Done, drain};
use crate::gather::{Budget, Gather};
use crate::input::Input;
use crate::memory;
use crate::registry::{ParseRun, RUN_FORMATS, RunFormat, RunReader};
use crate::rows::{BlockFacts, Rows};
use crate::sink::RunRows;
use crate::watch::{Watch, comes_back};

/// Run files.
pub struct RunFiles {
    names: Vec<String>,
    /// The names that runs were given.
    tags: Vec<Option<String>>,
    /// Runs that are tables in memory, which are not read in blocks, each with its place.
    memory: Vec<(usize, Input)>,
    /// The files of all runs, one run after the other.
    inputs: Vec<Input>,
    /// The run of each file.
    runs: Vec<usize>,
    format: RunChoice,
    dialect: Dialect,
    budget: Option<Budget>,
    /// What was kept of runs whose rows are elsewhere.
    elsewhere: Option<Arc<Condensed>>,
}

impl RunFiles {
    /// These inputs, in that format, or each in the one its content shows ([`crate::detect::RUN`]).
    pub fn new(inputs: Vec<Input>, format: impl Into<RunChoice>, dialect: Dialect) -> RunFiles {
        let names = inputs.iter().map(|input| input.name().to_owned()).collect();
        let tags = inputs.iter().map(|input| input.tag().map(str::to_owned)).collect();
        let (memory, inputs): (Vec<_>, Vec<_>) =
            inputs.into_iter().enumerate().partition(|(_, input)| input.memory().is_some());
        let elsewhere = inputs.first().and_then(|(_, input)| input.elsewhere()).cloned();
        let mut files = RunFiles {
            names,
            tags,
            memory,
            inputs: Vec::new(),
            runs: Vec::new(),
            format: format.into(),
            dialect,
            budget: None,
            elsewhere,
        };
        for (run, input) in inputs {
            files.runs.resize(files.runs.len() + input.files().len(), run);
            files.inputs.extend_from_slice(input.files());
        }
        files
    }

    /// The same, with rows that must be held kept within this much memory.
    #[must_use]
    pub fn within(mut self, budget: Option<Budget>) -> RunFiles {
        self.budget = budget;
        self
    }

    /// The tables in memory: place, input, table.
    fn tables(&self) -> impl Iterator<Item = (usize, &Input, &memory::Memory)> {
        self.memory.iter().filter_map(|(run, input)| Some((*run, input, input.memory()?)))
    }

    /// What one of several threads may hold.
    fn share(&self, threads: usize) -> Option<Budget> {
        self.budget.clone().map(|budget| Budget { bytes: budget.bytes / threads.max(1) as u64, ..budget })
    }

    /// Reads a run whose topics are not together; `formats` are those of its files.
    fn read_ungrouped(
        &self,
        run: usize,
        formats: &[(usize, &'static RunFormat)],
        worker: &mut dyn Worker,
        problems: &mut Problems,
    ) -> Result<Parts, Problems> {
        let mut parts = Parts::default();
        let mut gather = Gather::new(self.budget.clone());
        // The first row of each file among the rows of all.
        let mut starts = Vec::new();
        let mut first = 0;
        for &(input, format) in formats {
            starts.push(first);
            let rows = match format.reader {
                RunReader::Lines { parse, .. } => {
                    self.gather_lines(input, (format, parse), first, &mut gather, &mut parts)?
                }
                RunReader::Whole { read, .. } => {
                    let (mut block, mut rows) = (Block::default(), 0);
                    if Blocks::open(&self.inputs[input], format)?.next(&mut block)? {
                        parts.bytes += block.bytes();
                        let mut later = Later { gather: &mut gather, first, rows: &mut rows };
                        read(block.content(), &mut later);
                    }
                    rows
                }
            };
            first = first.saturating_add(rows);
        }
        let mut found = gather.finish(run, 1, worker);
        for problem in std::mem::take(&mut found.problems) {
            problems.push(self.placed(problem, formats, &starts));
        }
        let format = formats.last().map_or(RUN_FORMATS[0], |last| last.1);
        let name = formats.first().map_or("", |&(input, _)| self.inputs[input].name());
        parts.add(name, format, 0, found, problems);
        Ok(parts)
    }

    /// A problem in its own file, of several whose rows were counted on; `starts` are their first rows.
    fn placed(&self, mut problem: LineProblem, formats: &[(usize, &'static RunFormat)], starts: &[u32]) -> Problem {
        let part = |line: u32| starts.partition_point(|&start| start <= line).saturating_sub(1);
        let at = part(problem.line);
        problem.line -= starts[at];
        let first = problem.also_line.take().map(|also| {
            let other = part(also);
            let file = (other != at).then(|| self.inputs[formats[other].0].name().to_owned());
            FirstSeen { file, ..FirstSeen::line(u64::from(also - starts[other]) + 1) }
        });
        let (input, format) = formats[at];
        Problem { first, ..Problem::of_line(self.inputs[input].name(), 0, worded(problem, format)) }
    }

    /// The lines of a file; returns how many there are.
    fn gather_lines(
        &self,
        input: usize,
        (format, parse): (&'static RunFormat, ParseRun),
        first: u32,
        gather: &mut Gather,
        parts: &mut Parts,
    ) -> Result<u32, Problems> {
        // Ranks that order documents must be seen together to be known to differ.
        let cut = if format.ordering_rank.is_some() { Cut::Nowhere } else { Cut::Line };
        let mut blocks = Blocks::open(&self.inputs[input], cut)?;
        let (mut block, mut lines) = (Block::default(), 0u64);
        while blocks.next(&mut block).map_err(|problems| problems.after_lines(lines))? {
            let start = first.saturating_add(u32::try_from(lines).unwrap_or(u32::MAX));
            let facts = {
                let mut pieces = Pieces { gather, start };
                parse(block.padded(), block.lines().len(), self.dialect, Rows::new(0, 1, 0, &mut pieces))
            };
            facts.problems.into_iter().for_each(|problem| gather.problem(below(problem, start)));
            gather.more_problems(facts.more_problems);
            if let Some(tag) = &facts.last_tag {
                gather.tag(tag);
            }
            parts.bytes += block.bytes();
            lines += facts.lines;
        }
        Ok(u32::try_from(lines).unwrap_or(u32::MAX))
    }

    /// Refuses files of a folder that name different runs: together they would be a ranking that no system made.
    fn one_run(&self, blocks: &[Done<Part>]) -> Result<(), Problems> {
        let tag = |block: &Done<Part>| Some((block.input, block.outcome.as_ref().ok()?.facts.last_tag.clone()?));
        let mut tags = blocks.iter().filter_map(tag);
        let ranked = |block: &&Done<Part>| {
            let part = block.outcome.as_ref().ok()?;
            (part.facts.rows > 0).then_some(part.facts.by_rank || part.format.ordering_rank.is_some())
        };
        let mut known = blocks.iter().filter_map(|block| Some((block.input, ranked(&block)?)));
        if let Some((first, by_rank)) = known.next()
            && let Some((other, _)) = known.find(|(_, other)| *other != by_rank)
        {
            let (ranks, scores) = if by_rank { (first, other) } else { (other, first) };
            let expected = format!("scores in every file of a run: {} has some", self.inputs[scores].name());
            let remedy = "write scores to all files of the folder, or ranks to all: the two cannot be ordered together";
            return Err(Problem::of_file(self.inputs[ranks].name(), expected, "ranks alone", remedy).into());
        }
        let Some((first, own)) = tags.next() else { return Ok(()) };
        let Some((other, its)) = tags.find(|(input, tag)| *input != first && *tag != own) else { return Ok(()) };
        let file = |input: usize| self.inputs[input].name();
        let expected = format!("the files of one run: a folder is one run, and {} is of {}", file(first), quote(&own));
        let remedy = "give each file as a run of its own (folder/*), or the same tag to all files of a run";
        Err(Problem::of_file(file(other), expected, format!("one of {}", quote(&its)), remedy).into())
    }

    /// Puts the blocks of one run together.
    fn gather(
        &self,
        run: usize,
        blocks: Vec<Done<Part>>,
        keys: Vec<Vec<u64>>,
        visitor: &dyn Visitor,
    ) -> Result<RunFacts, Problems> {
        self.one_run(&blocks)?;
        let Joined { mut parts, mut problems, broken_off, formats } = self.join(blocks, keys);
        let format = formats.last().map_or(RUN_FORMATS[0], |last| last.1);
        let mut attempt = 0;
        let pieces = formats.len() > 1 || matches!(format.reader, RunReader::Lines { .. });
        if pieces && comes_back(&parts.keys) && !broken_off {
            attempt = 1;
            problems = Problems::default();
            parts = self.read_ungrouped(run, &formats, visitor.worker().as_mut(), &mut problems)?;
        }
        let file = self.names[run].clone();
        // A file that is read whole hands over no row where one is wrong.
        if parts.rows == 0 && !broken_off && matches!(format.reader, RunReader::Lines { .. }) {
            problems.say_once();
        }
        if parts.rows == 0 && problems.is_empty() {
            problems.push(match parts.nothing.take() {
                Some(nothing) => Problem { file: file.clone(), ..nothing },
                None => nothing_retrieved(&file, format, parts.bytes),
            });
        }
        problems.into_result()?;
        let topics = parts.topics().count() as u64;
        Ok(RunFacts {
            file,
            format: format.name,
            tag: self.tags[run].clone().or(parts.tag),
            bytes: parts.bytes,
            rows: parts.rows,
            topics,
            attempt,
        })
    }

    /// The blocks of one run, in the order of its files.
    fn join(&self, blocks: Vec<Done<Part>>, keys: Vec<Vec<u64>>) -> Joined {
        let mut parts = Parts { keys, ..Parts::default() };
        let mut problems = Problems::default();
        let mut broken_off = false;
        let mut formats: Vec<(usize, &'static RunFormat)> = Vec::new();
        for block in blocks {
            let file = self.inputs[block.input].name();
            if formats.last().is_none_or(|&(input, _)| input != block.input) {
                parts.lines = 0;
                let given = if let Choice::Given(format) = self.format { format } else { RUN_FORMATS[0] };
                formats.push((block.input, given));
            }
            match block.outcome {
                Ok(part) => {
                    if let Some(last) = formats.last_mut() {
                        last.1 = part.format;
                    }
                    parts.add(file, part.format, block.bytes, part.facts, &mut problems);
                }
                Err(found) => {
                    broken_off = true;
                    problems.extend(found.after_lines(parts.lines));
                }
            }
        }
        Joined { parts, problems, broken_off, formats }
    }

    /// Reads the blocks of all files, in several threads.
    fn read_blocks(&self, threads: usize, watch: &Watch, visitor: &dyn Visitor) -> Vec<Done<Part>> {
        let share = self.share(threads);
        let enough = |input: usize| watch.is_back(self.runs[input]);
        drain(&self.inputs, self.format, threads, enough, || {
            let mut worker = visitor.worker();
            let mut capacity = 0;
            let share = share.clone();
            move |input: usize, format: &'static RunFormat, block: &Block| {
                let run = self.runs[input];
                if watch.is_back(run) {
                    return Part { format, facts: BlockFacts::default() };
                }
                let mut facts = match format.reader {
                    RunReader::Lines { parse, .. } => {
                        let rows = Rows::new(run, 0, capacity, worker.as_mut());
                        parse(block.padded(), block.lines().len(), self.dialect, rows)
                    }
                    RunReader::Whole { read, .. } => {
                        let mut gather = Gather::new(share.clone());
                        read(block.content(), &mut gather);
                        gather.finish(run, 0, worker.as_mut())
                    }
                };
                capacity = facts.rows as usize / facts.topics.len().max(1) + 1;
                watch.add(run, std::mem::take(&mut facts.topics));
                Part { format, facts }
            }
        })
    }
}

/// The blocks of a run, put together.
struct Joined {
    parts: Parts,
    problems: Problems,
    /// Whether a file could not be read to its end.
    broken_off: bool,
    /// The files with their formats.
    formats: Vec<(usize, &'static RunFormat)>,
}

/// That a run has no rows.
fn nothing_retrieved(file: &str, format: &RunFormat, bytes: u64) -> Problem {
    Problem::of_file(
        file,
        format!("at least one retrieved document ({})", format.layout),
        if bytes == 0 { "an empty file" } else { "only blank lines and comments" },
        "check that the system wrote its run; omit the file if it retrieved nothing",
    )
}

impl RunSource for RunFiles {
    fn visit(&self, threads: usize, visitor: &dyn Visitor) -> Result<Vec<RunFacts>, Problems> {
        if self.elsewhere.is_some() {
            let remedy = "leave out the option that reads the runs anew, or gather the rows and ask without a cluster";
            let found = "a run whose rows were read elsewhere, under one way of ordering and cutting lists";
            return Err(Problem::of_file(&self.names[0], "rows that can be read again", found, remedy).into());
        }
        let watch = Watch::new(self.names.len());
        let done = self.read_blocks(threads, &watch, visitor);
        let mut facts = Vec::with_capacity(self.names.len());
        let mut problems = Problems::default();
        let mut blocks = done.into_iter().peekable();
        for run in 0..self.names.len() {
            if let Some((_, input, table)) = self.tables().find(|(own, ..)| *own == run) {
                match memory::visit(table, input.name(), run, threads, visitor) {
                    Ok(found) => facts.push(RunFacts { tag: self.tags[run].clone().or(found.tag), ..found }),
                    Err(found) => problems.extend(found),
                }
                continue;
            }
            let mut own = Vec::new();
            while let Some(block) = blocks.next_if(|block| self.runs[block.input] == run) {
                own.push(block);
            }
            match self.gather(run, own, watch.take(run), visitor) {
                Ok(found) => facts.push(found),
                Err(found) => problems.extend(found),
            }
        }
        problems.into_result()?;
        Ok(facts)
    }

    fn condensed(&self, _qrels: &karat_data::Qrels) -> Option<&Condensed> {
        self.elsewhere.as_deref()
    }
}

/// A problem that the measures' side found, in the format's words.
fn worded(mut problem: LineProblem, format: &RunFormat) -> LineProblem {
    if problem.field == align::DOCNO {
        problem.field = format.docno;
        if format.ordering_rank.is_some() {
            problem.remedy = "keep one of the two, the one with the rank that the system meant".into();
        }
    }
    problem
}

/// A problem of lines that follow others.
fn below(mut problem: LineProblem, lines: u32) -> LineProblem {
    problem.line = problem.line.saturating_add(lines);
    problem.also_line = problem.also_line.map(|line| line.saturating_add(lines));
    problem
}

/// Rows of a block, put aside until their topics are whole.
struct Pieces<'g> {
    gather: &'g mut Gather,
    start: u32,
}

impl Worker for Pieces<'_> {
    fn topic(&mut self, rows: &TopicRows<'_, '_>) -> Vec<LineProblem> {
        for row in rows.rows {
            self.gather.row(rows.topic, row.docno, row.score, self.start.saturating_add(row.line));
        }
        Vec::new()
    }
}

/// Rows of a file that follows others.
struct Later<'g> {
    gather: &'g mut Gather,
    first: u32,
    rows: &'g mut u32,
}

impl RunRows for Later<'_> {
    fn row(&mut self, topic: &[u8], docno: &[u8], score: f64, line: u32) {
        *self.rows = (*self.rows).max(line.saturating_add(1));
        self.gather.row(topic, docno, score, self.first.saturating_add(line));
    }

    fn tag(&mut self, tag: &[u8]) {
        self.gather.tag(tag);
    }

    fn problem(&mut self, problem: LineProblem) {
        self.gather.problem(below(problem, self.first));
    }

    fn refuse(&mut self, expected: &str, found: &str, remedy: &str) {
        self.gather.refuse(expected, found, remedy);
    }

    fn nothing(&mut self, expected: &str, found: &str, remedy: &str) {
        self.gather.nothing(expected, found, remedy);
    }
}

/// What came of one block.
struct Part {
    format: &'static RunFormat,
    facts: BlockFacts,
}

/// The blocks of a run, added up.
#[derive(Default)]
struct Parts {
    bytes: u64,
    lines: u64,
    rows: u64,
    /// The keys of the topics, block by block.
    keys: Vec<Vec<u64>>,
    tag: Option<String>,
    nothing: Option<Problem>,
}

impl Parts {
    fn add(&mut self, file: &str, format: &RunFormat, bytes: u64, facts: BlockFacts, problems: &mut Problems) {
        for problem in facts.problems {
            problems.push(Problem::of_line(file, self.lines, worded(problem, format)));
        }
        problems.count_more(facts.more_problems);
        for mut problem in facts.file_problems {
            file.clone_into(&mut problem.file);
            problems.push(problem);
        }
        self.nothing = facts.nothing.or(self.nothing.take());
        self.bytes += bytes;
        self.lines += facts.lines;
        self.rows += facts.rows;
        if !facts.topics.is_empty() {
            self.keys.push(facts.topics);
        }
        if let Some(tag) = facts.last_tag {
            self.tag = Some(karat_data::names::text(&tag));
        }
    }

    fn topics(&self) -> impl Iterator<Item = u64> + '_ {
        self.keys.iter().flatten().copied()
    }
}
