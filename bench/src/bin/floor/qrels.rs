//! Judgements, arranged for looking up: a table of topics, and for each topic a small table of its documents.
//!
//! The one decision: a slot is eight bytes, a piece of the hash and where the document stands in the file, which is
//! kept. Nearly all lookups are of unjudged documents and end at one slot; the grade is read from the file's
//! bytes at the few that are found. Each thread reads its part of the file and keeps it, so nothing is copied.

use std::fs::File;
use std::io;
use std::ops::Range;

use crate::block::Block;
use crate::in_parallel;
use crate::line::{hash, same, split};
use crate::topic::{DEPTH, discounted};

/// All judgements.
pub struct Qrels {
    parts: Vec<Part>,
    /// Open addressing: a topic's key plus one, or zero.
    index: Vec<u32>,
}

/// What one thread read.
struct Part {
    bytes: Vec<u8>,
    topics: Vec<Topic>,
    slots: Vec<Slot>,
}

/// What is known of a topic.
#[derive(Clone, Copy)]
pub struct Topic {
    start: u32,
    length: u32,
    slots: u32,
    mask: u32,
    pub relevant: u32,
    /// DCG@10 of the best possible ranking.
    pub ideal: f64,
}

#[derive(Clone, Copy, Default)]
struct Slot {
    /// High bits of the document's hash, made odd; zero if the slot is free.
    tag: u32,
    start: u32,
}

impl Qrels {
    pub fn load(path: &str, threads: usize) -> io::Result<Self> {
        let file = File::open(path)?;
        let size = file.metadata()?.len();
        let border = |part: usize| size * part as u64 / threads as u64;
        let parts = in_parallel(threads, |part| {
            let mut block = Block::default();
            let lines = block.read(&file, border(part)..border(part + 1), size)?;
            let (topics, slots) = read_topics(&block.bytes, lines);
            Ok(Part { bytes: block.bytes, topics, slots })
        });
        let parts = parts.into_iter().collect::<io::Result<Vec<_>>>()?;
        let topics: usize = parts.iter().map(|part| part.topics.len()).sum();
        let mut index = vec![0; (2 * topics).next_power_of_two()];
        let mask = index.len() - 1;
        for (number, part) in parts.iter().enumerate() {
            for (row, topic) in part.topics.iter().enumerate() {
                let mut at = hash(&part.bytes, topic.start as usize, topic.length as usize) as usize & mask;
                while index[at] != 0 {
                    at = (at + 1) & mask;
                }
                index[at] = (row * threads + number + 1) as u32;
            }
        }
        Ok(Self { parts, index })
    }

    /// The key of a topic. `guess` is tried first: runs mostly list topics in the order of the qrels.
    pub fn find(&self, bytes: &[u8], start: usize, length: usize, guess: usize) -> Option<usize> {
        let is = |key: usize| {
            let part = &self.parts[key % self.parts.len()];
            part.topics.get(key / self.parts.len()).is_some_and(|topic| {
                topic.length as usize == length && same(bytes, start, &part.bytes, topic.start as usize, length)
            })
        };
        if is(guess) {
            return Some(guess);
        }
        let mask = self.index.len() - 1;
        let mut at = hash(bytes, start, length) as usize & mask;
        loop {
            let key = (self.index[at] as usize).checked_sub(1)?;
            if is(key) {
                return Some(key);
            }
            at = (at + 1) & mask;
        }
    }

    /// The key of the topic below this one in the file.
    pub fn after(&self, key: usize) -> usize {
        key + self.parts.len()
    }

    /// The topic with a key, and its documents.
    pub fn topic(&self, key: usize) -> (&Topic, Documents<'_>) {
        let part = &self.parts[key % self.parts.len()];
        let topic = &part.topics[key / self.parts.len()];
        let first = topic.slots as usize;
        (topic, Documents { bytes: &part.bytes, slots: &part.slots[first..=first + topic.mask as usize] })
    }
}

/// A topic's judged documents.
pub struct Documents<'a> {
    bytes: &'a [u8],
    /// A power of two of them, at least half of them free.
    slots: &'a [Slot],
}

impl Documents<'_> {
    /// The grade of a document, zero if it is not judged.
    #[inline(always)]
    pub fn grade(&self, bytes: &[u8], start: usize, length: usize) -> i16 {
        let hash = hash(bytes, start, length);
        let (tag, mask) = (tag(hash), self.slots.len() - 1);
        let mut at = hash as usize & mask;
        loop {
            let slot = self.slots[at];
            if slot.tag == 0 {
                return 0;
            }
            let judged = slot.start as usize;
            if slot.tag == tag && self.bytes[judged + length] <= b' ' && same(bytes, start, self.bytes, judged, length)
            {
                return grade(&self.bytes[judged + length..]);
            }
            at = (at + 1) & mask;
        }
    }
}

#[inline(always)]
fn tag(hash: u64) -> u32 {
    (hash >> 32) as u32 | 1
}

/// The number after some blanks.
fn grade(rest: &[u8]) -> i16 {
    let mut digits = rest.iter().skip_while(|byte| **byte <= b' ').peekable();
    let negative = digits.next_if_eq(&&b'-').is_some();
    let size =
        digits.take_while(|byte| byte.is_ascii_digit()).fold(0_i16, |sum, digit| sum * 10 + i16::from(digit - b'0'));
    if negative { -size } else { size }
}

/// Adds a table of these documents; where it begins, and its mask.
#[inline]
fn add_slots(slots: &mut Vec<Slot>, documents: &[(u64, u32)]) -> (usize, usize) {
    let (first, mask) = (slots.len(), (2 * documents.len()).next_power_of_two() - 1);
    slots.resize(first + mask + 1, Slot::default());
    for &(hash, start) in documents {
        let mut slot = hash as usize & mask;
        while slots[first + slot].tag != 0 {
            slot = (slot + 1) & mask;
        }
        slots[first + slot] = Slot { tag: tag(hash), start };
    }
    (first, mask)
}

/// The topics in a part of the file, with the slots of their documents.
fn read_topics(bytes: &[u8], part: Range<usize>) -> (Vec<Topic>, Vec<Slot>) {
    let (mut topics, mut slots) = (Vec::new(), Vec::new());
    let (mut documents, mut grades) = (Vec::new(), Vec::new());
    let mut at = part.start;
    while at < part.end {
        let (start, length) = (at, split::<4>(bytes, at).topic_end);
        documents.clear();
        grades.clear();
        while at < part.end {
            let line = split::<4>(bytes, at);
            if line.topic_end != length || !same(bytes, start, bytes, at, length) {
                break;
            }
            let (first, end) = line.document;
            documents.push((hash(bytes, at + first, end - first), (at + first) as u32));
            let grade = grade(&bytes[at + end..]);
            if grade > 0 {
                grades.push(grade);
            }
            at += line.length;
        }
        let (first, mask) = add_slots(&mut slots, &documents);
        grades.sort_unstable_by(|left, right| right.cmp(left));
        topics.push(Topic {
            start: start as u32,
            length: length as u32,
            slots: first as u32,
            mask: mask as u32,
            relevant: grades.len() as u32,
            ideal: grades.iter().take(DEPTH).enumerate().map(|(row, &grade)| discounted(grade, row)).sum(),
        });
    }
    (topics, slots)
}
