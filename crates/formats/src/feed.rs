//! Blocks of one or more inputs for several threads: each takes the next block in turn, works on it while the next
//! thread reads, and the results come back in the order of the files.

use std::sync::{Mutex, PoisonError};

use karat_data::Problems;

use crate::block::{Block, Blocks, Choice, Form};
use crate::input::Input;

/// What came of one block, or of the failure to read it.
pub struct Done<T> {
    /// Which input.
    pub input: usize,
    /// Which block of it.
    part: u64,
    /// The block's bytes.
    pub bytes: u64,
    /// The result.
    pub outcome: Result<T, Problems>,
}

/// Works through all blocks of all inputs. `worker` is called once in each thread and makes what works on its blocks,
/// told the number of the input and its format. Of an input of which `enough` is known only the first block is read.
pub fn drain<F: Form, T: Send, W: FnMut(usize, F, &Block) -> T>(
    inputs: &[Input],
    choice: Choice<F>,
    threads: usize,
    enough: impl Fn(usize) -> bool + Sync,
    worker: impl Fn() -> W + Sync,
) -> Vec<Done<T>> {
    let feed = Mutex::new(Feed { inputs, choice, input: 0, part: 0, blocks: None });
    let work = || {
        let mut worker = worker();
        let mut block = Block::default();
        let mut done = Vec::new();
        loop {
            // A panic in another thread poisons the lock; the feed is still whole, and that thread's panic is the news.
            let taken = feed.lock().unwrap_or_else(PoisonError::into_inner).take(&mut block, &enough);
            let Some((input, part, read)) = taken else { return done };
            let bytes = if read.is_ok() { block.bytes() } else { 0 };
            done.push(Done { input, part, bytes, outcome: read.map(|form| worker(input, form, &block)) });
        }
    };
    let mut done: Vec<Done<T>> = karat_runtime::together(threads, work).into_iter().flatten().collect();
    done.sort_by_key(|done| (done.input, done.part));
    done
}

/// Hands out blocks, input after input.
struct Feed<'i, F> {
    inputs: &'i [Input],
    choice: Choice<F>,
    input: usize,
    part: u64,
    blocks: Option<Blocks<F>>,
}

impl<F: Form> Feed<'_, F> {
    /// The next block or failure, with its input and number.
    fn take(&mut self, block: &mut Block, enough: impl Fn(usize) -> bool) -> Option<(usize, u64, Result<F, Problems>)> {
        while self.input < self.inputs.len() {
            if self.part > 0 && enough(self.input) {
                self.next_input();
                continue;
            }
            let (input, part) = (self.input, self.part);
            self.part += 1;
            match self.advance(block) {
                Ok(Some(form)) => return Some((input, part, Ok(form))),
                Ok(None) => self.next_input(),
                Err(problems) => {
                    self.next_input();
                    return Some((input, part, Err(problems)));
                }
            }
        }
        None
    }

    fn advance(&mut self, block: &mut Block) -> Result<Option<F>, Problems> {
        let blocks = match &mut self.blocks {
            Some(blocks) => blocks,
            none => none.insert(Blocks::open(&self.inputs[self.input], self.choice)?),
        };
        Ok(if blocks.next(block)? { blocks.form() } else { None })
    }

    fn next_input(&mut self) {
        self.input += 1;
        self.part = 0;
        self.blocks = None;
    }
}
