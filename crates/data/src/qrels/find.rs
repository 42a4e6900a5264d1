//! Topics by name.
//!
//! Whoever follows the order of the judgement file, as runs mostly do, asks for few names, and a table of all would
//! cost more than it saves: so the first names are searched for in the order of names, and the table is made for
//! those who go on asking.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::{Qrels, TopicIndex};
use crate::hash;

/// One name in so many may be searched for.
const SEARCHED: usize = 64;

#[derive(Debug, Default)]
pub(super) struct Finder {
    asked: AtomicUsize,
    slots: OnceLock<Vec<u32>>,
}

impl Clone for Finder {
    /// It is only a memory of what was asked: the clone begins with none.
    fn clone(&self) -> Self {
        Finder::default()
    }
}

impl Finder {
    pub(super) fn find(&self, qrels: &Qrels, name: &[u8]) -> Option<TopicIndex> {
        let slots = match self.slots.get() {
            Some(slots) => slots,
            None if self.asked.fetch_add(1, Ordering::Relaxed) < qrels.len() / SEARCHED => return search(qrels, name),
            None => self.slots.get_or_init(|| table(qrels)),
        };
        let same = |index: usize| qrels.name(TopicIndex(index as u32)) == name;
        hash::probe(slots, hash::of(name), same).ok().map(|index| TopicIndex(index as u32))
    }
}

fn search(qrels: &Qrels, name: &[u8]) -> Option<TopicIndex> {
    let (mut low, mut high) = (0, qrels.len() as u32);
    while low < high {
        let middle = TopicIndex(low + (high - low) / 2);
        match qrels.name(middle).cmp(name) {
            std::cmp::Ordering::Less => low = middle.0 + 1,
            std::cmp::Ordering::Equal => return Some(middle),
            std::cmp::Ordering::Greater => high = middle.0,
        }
    }
    None
}

fn table(qrels: &Qrels) -> Vec<u32> {
    let mut slots = vec![0; hash::slots_for(qrels.len())];
    for topic in qrels.topics() {
        if let Err(free) = hash::probe(&slots, hash::of(qrels.name(topic)), |_| false) {
            slots[free] = topic.0 + 1;
        }
    }
    slots
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judgement::Judgement;
    use crate::qrels::QrelsBuilder;

    #[test]
    fn searching_and_the_table_find_the_same() {
        let mut builder = QrelsBuilder::new();
        for topic in (0..2000u32).map(|topic| topic * 7919 % 10_007) {
            builder.push(topic.to_string().as_bytes(), b"d", Judgement::PooledUnjudged);
        }
        let (qrels, _) = builder.finish();
        let slots = table(&qrels);
        let mut found = 0;
        for name in (0..10_007u32).map(|topic| topic.to_string()).chain([String::new(), "x".into()]) {
            let name = name.as_bytes();
            let same = |index: usize| qrels.name(TopicIndex(index as u32)) == name;
            let by_table = hash::probe(&slots, hash::of(name), same).ok().map(|index| TopicIndex(index as u32));
            assert_eq!(search(&qrels, name), by_table);
            assert_eq!(qrels.find(name), by_table);
            found += usize::from(by_table.is_some());
        }
        assert_eq!(found, 2000);
    }
}
