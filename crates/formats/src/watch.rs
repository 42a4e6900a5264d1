//! Watches the topics of runs while they are read: does one come back?
//!
//! The one decision: a look at all topics so far is taken each time they have become four times as many. A run in no order
//! is then given up after a few blocks, not at its end with an answer kept for nearly every row of it; a run that is
//! grouped pays for a third more of the look that is taken at its end.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// Topics of the first look.
const FIRST: usize = 1 << 16;

/// The topics of all runs.
pub(crate) struct Watch(Vec<Run>);

#[derive(Default)]
struct Run {
    back: AtomicBool,
    seen: Mutex<Seen>,
}

#[derive(Default)]
struct Seen {
    /// The keys of topics, block by block.
    blocks: Vec<Vec<u64>>,
    topics: usize,
    /// How many there were at the last look.
    looked: usize,
}

impl Watch {
    /// For so many runs.
    pub(crate) fn new(runs: usize) -> Watch {
        Watch((0..runs).map(|_| Run::default()).collect())
    }

    /// The topics of a block.
    pub(crate) fn add(&self, run: usize, keys: Vec<u64>) {
        let run = &self.0[run];
        let mut seen = run.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.topics += keys.len();
        seen.blocks.push(keys);
        if seen.topics >= FIRST.max(4 * seen.looked) {
            seen.looked = seen.topics;
            if comes_back(&seen.blocks) {
                run.back.store(true, Ordering::Relaxed);
            }
        }
    }

    /// Whether a topic of the run is known to have come back.
    pub(crate) fn is_back(&self, run: usize) -> bool {
        self.0[run].back.load(Ordering::Relaxed)
    }

    /// The keys of a run's topics.
    pub(crate) fn take(&self, run: usize) -> Vec<Vec<u64>> {
        std::mem::take(&mut self.0[run].seen.lock().unwrap_or_else(PoisonError::into_inner).blocks)
    }
}

/// Whether two of the keys are the same. Two topics with one key look like one that comes back: then the file is read
/// again for nothing, and rightly.
pub(crate) fn comes_back(blocks: &[Vec<u64>]) -> bool {
    // Files are mostly in order, and then blocks are too, whatever the order in which threads are done with them.
    let mut ends: Vec<(u64, u64)> = blocks.iter().filter_map(|keys| Some((*keys.first()?, *keys.last()?))).collect();
    ends.sort_unstable();
    let in_order = |keys: &Vec<u64>| keys.is_sorted_by(|a, b| a < b);
    if blocks.iter().all(in_order) && ends.is_sorted_by(|a, b| a.1 < b.0) {
        return false;
    }
    let mut keys: Vec<u64> = blocks.iter().flatten().copied().collect();
    keys.sort_unstable();
    keys.windows(2).any(|pair| pair[0] == pair[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_topic_that_comes_back_is_found_in_every_order_of_blocks() {
        assert!(!comes_back(&[]) && !comes_back(&[vec![]]));
        assert!(!comes_back(&[vec![7, 8], vec![], vec![1, 2, 3]]));
        assert!(!comes_back(&[vec![8, 7], vec![1, 9, 3]]));
        assert!(comes_back(&[vec![1, 5], vec![3, 5]]), "in order, but not apart");
        assert!(comes_back(&[vec![3, 5], vec![1, 3]]));
        assert!(comes_back(&[vec![2, 1, 2]]));
    }

    #[test]
    fn a_run_in_no_order_is_known_after_a_few_blocks() {
        let watch = Watch::new(2);
        for block in 0..8 {
            watch.add(0, (0..10_000).map(|topic| block * 10_000 + topic).collect());
            watch.add(1, (0..10_000).collect());
        }
        assert!(!watch.is_back(0) && watch.is_back(1));
        assert_eq!(watch.take(0).len(), 8);
    }
}
