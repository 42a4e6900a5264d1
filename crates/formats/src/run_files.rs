//! Run files as a [`RunSource`]: threads take blocks of whole topics in turn, across files.
//!
//! The first pass assumes that a file is grouped by topic, as runs are, and keeps nothing. A file in which a topic
//! comes back is read a second time, whole; the visitor is told by the attempt number which topics count.

use std::borrow::Cow;

use karat_data::{Problem, Problems, RunFacts, RunSource, Visitor, Worker, align};
use memchr::memchr_iter;

use crate::Dialect;
use crate::block::{Block, Blocks, Choice, Cut, PADDING};
use crate::detect::RunChoice;
use crate::feed::{Done, drain};
use crate::input::Input;
use crate::memory;
use crate::registry::{ParseRun, RUN_FORMATS, RunFormat, RunReader};
use crate::rows::{BlockFacts, Rows};
use crate::sink::RunSink;

/// Run files.
pub struct RunFiles {
    inputs: Vec<Input>,
    format: RunChoice,
    dialect: Dialect,
}

impl RunFiles {
    /// These inputs, in that format, or each in the one its content shows ([`crate::detect::RUN`]).
    pub fn new(inputs: Vec<Input>, format: impl Into<RunChoice>, dialect: Dialect) -> RunFiles {
        RunFiles { inputs, format: format.into(), dialect }
    }

    /// Reads a run whose topics are not together.
    fn read_ungrouped(
        &self,
        run: usize,
        parse: ParseRun,
        worker: &mut dyn Worker,
    ) -> Result<(u64, BlockFacts), Problems> {
        let mut blocks = Blocks::open(&self.inputs[run], Cut::Line)?;
        let (mut block, mut whole, mut bytes) = (Block::default(), Vec::new(), 0);
        let lines = |read: &[u8]| memchr_iter(b'\n', read).count() as u64;
        while blocks.next(&mut block).map_err(|problems| problems.after_lines(lines(&whole)))? {
            whole.extend_from_slice(block.lines());
            bytes += block.bytes();
        }
        let len = whole.len();
        whole.resize(len + PADDING, 0);
        Ok((bytes, parse(&whole, len, self.dialect, Rows::ungrouped(run, 1, worker))))
    }

    /// Puts the blocks of one run together.
    fn gather(&self, run: usize, blocks: Vec<Done<Part>>, visitor: &dyn Visitor) -> Result<RunFacts, Problems> {
        let file = self.inputs[run].name().to_owned();
        let mut parts = Parts::default();
        let mut problems = Problems::default();
        let mut broken_off = false;
        let mut format: &RunFormat = match self.format {
            Choice::Given(format) => format,
            Choice::ByContent(_) => RUN_FORMATS[0],
        };
        for block in blocks {
            match block.outcome {
                Ok(part) => {
                    format = part.format;
                    parts.add(&file, format, block.bytes, part.facts, &mut problems);
                }
                Err(found) => {
                    broken_off = true;
                    problems.extend(found.after_lines(parts.lines));
                }
            }
        }
        let mut attempt = 0;
        if let RunReader::Lines { parse, .. } = format.reader
            && parts.topic_comes_back()
            && !broken_off
        {
            attempt = 1;
            problems = Problems::default();
            let (bytes, facts) = self.read_ungrouped(run, parse, visitor.worker().as_mut())?;
            parts = Parts::default();
            parts.add(&file, format, bytes, facts, &mut problems);
        }
        if parts.rows == 0 && !broken_off {
            problems.say_once();
        }
        if parts.rows == 0 && problems.is_empty() {
            problems.push(Problem::of_file(
                &file,
                format!("at least one retrieved document ({})", format.layout),
                if parts.bytes == 0 { "an empty file" } else { "only blank lines and comments" },
                "check that the system wrote its run; leave the file out if it retrieved nothing",
            ));
        }
        problems.into_result()?;
        let topics = parts.topics().count() as u64;
        Ok(RunFacts {
            file,
            format: format.name,
            tag: parts.tag,
            bytes: parts.bytes,
            rows: parts.rows,
            topics,
            attempt,
        })
    }
}

impl RunSource for RunFiles {
    fn visit(&self, threads: usize, visitor: &dyn Visitor) -> Result<Vec<RunFacts>, Problems> {
        // Tables in memory are not read in blocks.
        let places: Vec<usize> = (0..self.inputs.len()).filter(|&run| self.inputs[run].memory().is_none()).collect();
        let files: Cow<'_, [Input]> = if places.len() == self.inputs.len() {
            Cow::Borrowed(&self.inputs)
        } else {
            places.iter().map(|&run| self.inputs[run].clone()).collect()
        };
        let places = &places;
        let done = drain(&files, self.format, threads, || {
            let mut worker = visitor.worker();
            let mut capacity = 0;
            move |file: usize, format: &'static RunFormat, block: &Block| {
                let run = places[file];
                let facts = match format.reader {
                    RunReader::Lines { parse, .. } => {
                        let rows = Rows::new(run, 0, capacity, worker.as_mut());
                        parse(block.padded(), block.lines().len(), self.dialect, rows)
                    }
                    RunReader::Whole { read, .. } => {
                        let mut sink = RunSink::default();
                        read(block.content(), &mut sink);
                        sink.finish(run, worker.as_mut())
                    }
                };
                capacity = facts.rows as usize / facts.topics.len().max(1) + 1;
                Part { format, facts }
            }
        });
        let mut facts = Vec::with_capacity(self.inputs.len());
        let mut problems = Problems::default();
        let mut blocks = done.into_iter().peekable();
        for run in 0..self.inputs.len() {
            if let Some(table) = self.inputs[run].memory() {
                match memory::visit(table, self.inputs[run].name(), run, threads, visitor) {
                    Ok(found) => facts.push(found),
                    Err(found) => problems.extend(found),
                }
                continue;
            }
            let mut own = Vec::new();
            while let Some(block) = blocks.next_if(|block| places[block.input] == run) {
                own.push(block);
            }
            match self.gather(run, own, visitor) {
                Ok(found) => facts.push(found),
                Err(found) => problems.extend(found),
            }
        }
        problems.into_result()?;
        Ok(facts)
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
}

impl Parts {
    fn add(&mut self, file: &str, format: &RunFormat, bytes: u64, facts: BlockFacts, problems: &mut Problems) {
        for mut problem in facts.problems {
            if problem.field == align::DOCNO {
                problem.field = format.docno;
                if format.ordering_rank.is_some() {
                    problem.remedy = "keep one of the two lines, the one with the rank that the system meant".into();
                }
            }
            problems.push(Problem::of_line(file, self.lines, problem));
        }
        problems.count_more(facts.more_problems);
        for mut problem in facts.file_problems {
            file.clone_into(&mut problem.file);
            problems.push(problem);
        }
        self.bytes += bytes;
        self.lines += facts.lines;
        self.rows += facts.rows;
        self.keys.push(facts.topics);
        if let Some(tag) = facts.last_tag {
            self.tag = Some(karat_data::names::text(&tag));
        }
    }

    fn topics(&self) -> impl Iterator<Item = u64> + '_ {
        self.keys.iter().flatten().copied()
    }

    /// Two topics with one key look like one that comes back: then the file is read again for nothing, and rightly.
    fn topic_comes_back(&self) -> bool {
        if self.topics().is_sorted_by(|a, b| a < b) {
            return false;
        }
        let mut keys: Vec<u64> = self.topics().collect();
        keys.sort_unstable();
        keys.windows(2).any(|pair| pair[0] == pair[1])
    }
}
