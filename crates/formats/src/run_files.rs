//! Run files as a [`RunSource`]: threads take blocks of whole topics in turn, across files.
//!
//! The first pass assumes that a file is grouped by topic, as runs are, and keeps nothing. A file in which a topic
//! comes back is read a second time, whole; the visitor is told by the attempt number which topics count.

use std::sync::Mutex;

use karat_data::{Problem, Problems, RunFacts, RunSource, Visitor, Worker};
use memchr::memchr_iter;

use crate::Dialect;
use crate::block::{Block, Blocks, Cut, PADDING};
use crate::input::Input;
use crate::registry::RunFormat;
use crate::rows::{BlockFacts, Rows};

/// Run files.
pub struct RunFiles {
    inputs: Vec<Input>,
    format: &'static RunFormat,
    dialect: Dialect,
}

impl RunFiles {
    /// These inputs, in that format.
    pub fn new(inputs: Vec<Input>, format: &'static RunFormat, dialect: Dialect) -> RunFiles {
        RunFiles { inputs, format, dialect }
    }

    /// One thread's work: blocks until there is none.
    fn work(&self, feed: &Mutex<Feed<'_>>, visitor: &dyn Visitor) -> Vec<Done> {
        let mut worker = visitor.worker();
        let mut block = Block::default();
        let mut done = Vec::new();
        let mut capacity = 0;
        loop {
            // A panic in another thread poisons the lock; the feed is still whole, and that thread's panic is the news.
            let taken = feed.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take(&mut block);
            match taken {
                Taken::End => return done,
                Taken::Failed { run, part, problems } => {
                    done.push(Done { run, part, bytes: 0, outcome: Err(problems) })
                }
                Taken::Block { run, part } => {
                    let rows = Rows::new(run, 0, capacity, worker.as_mut());
                    let bytes = block.lines().len();
                    let facts = (self.format.parse)(block.padded(), bytes, self.dialect, rows);
                    capacity = facts.rows as usize / facts.topics.len().max(1) + 1;
                    done.push(Done { run, part, bytes: bytes as u64, outcome: Ok(facts) });
                }
            }
        }
    }

    /// Reads a run whose topics are not together.
    fn read_ungrouped(&self, run: usize, worker: &mut dyn Worker) -> Result<(u64, BlockFacts), Problems> {
        let mut blocks = Blocks::open(&self.inputs[run], Cut::Line)?;
        let (mut block, mut whole) = (Block::default(), Vec::new());
        let lines = |read: &[u8]| memchr_iter(b'\n', read).count() as u64;
        while blocks.next(&mut block).map_err(|problems| problems.after_lines(lines(&whole)))? {
            whole.extend_from_slice(block.lines());
        }
        let len = whole.len();
        whole.resize(len + PADDING, 0);
        Ok((len as u64, (self.format.parse)(&whole, len, self.dialect, Rows::ungrouped(run, 1, worker))))
    }

    /// Puts the blocks of one run together.
    fn gather(&self, run: usize, blocks: Vec<Done>, visitor: &dyn Visitor) -> Result<RunFacts, Problems> {
        let file = self.inputs[run].name().to_owned();
        let mut parts = Parts::default();
        let mut problems = Problems::default();
        let mut broken_off = false;
        for block in blocks {
            match block.outcome {
                Ok(facts) => parts.add(&file, block.bytes, facts, &mut problems),
                Err(found) => {
                    broken_off = true;
                    problems.extend(found.after_lines(parts.lines));
                }
            }
        }
        let mut attempt = 0;
        if parts.topic_comes_back() && !broken_off {
            attempt = 1;
            problems = Problems::default();
            let (bytes, facts) = self.read_ungrouped(run, visitor.worker().as_mut())?;
            parts = Parts::default();
            parts.add(&file, bytes, facts, &mut problems);
        }
        if parts.rows == 0 && !broken_off {
            problems.say_once();
        }
        if parts.rows == 0 && problems.is_empty() {
            problems.push(Problem::of_file(
                &file,
                "at least one retrieved document (topic Q0 docno rank score tag)",
                if parts.bytes == 0 { "an empty file" } else { "only blank lines and comments" },
                "check that the system wrote its run; leave the file out if it retrieved nothing",
            ));
        }
        problems.into_result()?;
        let topics = parts.topics.len() as u64;
        Ok(RunFacts { file, tag: parts.tag, bytes: parts.bytes, rows: parts.rows, topics, attempt })
    }
}

impl RunSource for RunFiles {
    fn visit(&self, threads: usize, visitor: &dyn Visitor) -> Result<Vec<RunFacts>, Problems> {
        let feed =
            Mutex::new(Feed { inputs: &self.inputs, topic_of: self.format.topic_of, run: 0, part: 0, blocks: None });
        let mut done = if threads <= 1 {
            self.work(&feed, visitor)
        } else {
            std::thread::scope(|scope| {
                let handles: Vec<_> = (0..threads).map(|_| scope.spawn(|| self.work(&feed, visitor))).collect();
                handles
                    .into_iter()
                    .flat_map(|handle| match handle.join() {
                        Ok(done) => done,
                        Err(panic) => std::panic::resume_unwind(panic),
                    })
                    .collect()
            })
        };
        done.sort_by_key(|block| (block.run, block.part));
        let mut facts = Vec::with_capacity(self.inputs.len());
        let mut problems = Problems::default();
        let mut blocks = done.into_iter().peekable();
        for run in 0..self.inputs.len() {
            let mut own = Vec::new();
            while let Some(block) = blocks.next_if(|block| block.run == run) {
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
struct Done {
    run: usize,
    part: u64,
    bytes: u64,
    outcome: Result<BlockFacts, Problems>,
}

enum Taken {
    Block { run: usize, part: u64 },
    Failed { run: usize, part: u64, problems: Problems },
    End,
}

/// Hands out blocks, file after file.
struct Feed<'i> {
    inputs: &'i [Input],
    topic_of: fn(&[u8]) -> Option<&[u8]>,
    run: usize,
    part: u64,
    blocks: Option<Blocks>,
}

impl Feed<'_> {
    fn take(&mut self, block: &mut Block) -> Taken {
        while self.run < self.inputs.len() {
            match self.advance(block) {
                Ok(true) => {
                    self.part += 1;
                    return Taken::Block { run: self.run, part: self.part };
                }
                Ok(false) => self.next_run(),
                Err(problems) => {
                    let (run, part) = (self.run, self.part + 1);
                    self.next_run();
                    return Taken::Failed { run, part, problems };
                }
            }
        }
        Taken::End
    }

    fn advance(&mut self, block: &mut Block) -> Result<bool, Problems> {
        let blocks = match &mut self.blocks {
            Some(blocks) => blocks,
            none => none.insert(Blocks::open(&self.inputs[self.run], Cut::Topic(self.topic_of))?),
        };
        blocks.next(block)
    }

    fn next_run(&mut self) {
        self.run += 1;
        self.part = 0;
        self.blocks = None;
    }
}

/// The blocks of a run, added up.
#[derive(Default)]
struct Parts {
    bytes: u64,
    lines: u64,
    rows: u64,
    topics: Vec<u64>,
    tag: Option<String>,
}

impl Parts {
    fn add(&mut self, file: &str, bytes: u64, facts: BlockFacts, problems: &mut Problems) {
        for problem in facts.problems {
            problems.push(Problem::of_line(file, self.lines, problem));
        }
        problems.count_more(facts.more_problems);
        self.bytes += bytes;
        self.lines += facts.lines;
        self.rows += facts.rows;
        self.topics.extend(facts.topics);
        if let Some(tag) = facts.last_tag {
            self.tag = Some(String::from_utf8_lossy(&tag).into_owned());
        }
    }

    /// Two topics with one hash look like one that comes back: then the file is read again for nothing, and rightly.
    fn topic_comes_back(&self) -> bool {
        let mut sorted = self.topics.clone();
        sorted.sort_unstable();
        sorted.windows(2).any(|pair| pair[0] == pair[1])
    }
}
