//! Which runs were pooled, and to what rank: detected from the share of documents in the judgements by rank.
//!
//! The one decision: two pooled runs were treated alike by whoever judged, so their unjudged documents are treated alike too. A newcomer is not: the pool
//! was made without it. A run that only repeats what other runs brought into the pool looks pooled, so a pooled run must have brought something itself.

use karat_data::Judgement;

use super::super::RunPair;
use crate::lists::Lists;

/// A rank is pooled where this share of its documents is in the judgements. Assessors lose a few documents of their own pools: in TREC-COVID round 3
/// the judgements name 95 to 98% of the first documents of runs that were pooled.
const POOLED_SHARE: f64 = 0.95;
/// A run is pooled when its documents are in the judgements down to this rank.
const LEAST_DEPTH: usize = 3;
/// A pooled run brought so many documents into the pool that no other run here did.
const FEWEST_UNIQUE: u32 = 5;
/// The shallower of two pools must reach this share of the deeper one, to treat the two runs alike.
const SIMILAR: f64 = 0.5;

/// To what rank each run was pooled.
pub(super) struct Pools {
    /// By run; 0 and small numbers: not pooled.
    pub depths: Vec<usize>,
    /// By run: documents that it alone brought into the pool.
    unique: Vec<u32>,
}

impl Pools {
    /// From all topics.
    pub fn new<'a>(runs: usize, topics: usize, lists: impl Fn(usize) -> Lists<'a>) -> Pools {
        let mut seen: Vec<Vec<(u32, u32)>> = vec![Vec::new(); runs];
        for at in 0..topics {
            let lists = lists(at);
            for (run, seen) in seen.iter_mut().enumerate() {
                let list = lists.list(run);
                if seen.len() < list.len() {
                    seen.resize(list.len(), (0, 0));
                }
                for (rank, &document) in seen.iter_mut().zip(list) {
                    rank.0 += 1;
                    // What was pooled and not judged was in the pool all the same.
                    rank.1 += u32::from(lists.known(document) != Judgement::Unpooled);
                }
            }
        }
        let mut pools = Pools { depths: seen.iter().map(|ranks| depth(ranks)).collect(), unique: vec![0; runs] };
        let mut brought_by = Vec::new();
        for lists in (0..topics).map(lists) {
            pools.count(&lists, &mut brought_by);
            for (run, unique) in pools.unique.iter_mut().enumerate() {
                let own = lists.list(run).iter().take(pools.depths[run]);
                *unique += own.filter(|&&document| brought_by[document as usize] == 1).count() as u32;
            }
        }
        pools
    }

    /// Whether a run was pooled.
    pub fn is_pooled(&self, run: usize) -> bool {
        self.depths[run] >= LEAST_DEPTH && self.unique[run] >= FEWEST_UNIQUE
    }

    /// Whether two runs were pooled to similar ranks.
    pub fn are_alike(&self, (a, b): RunPair) -> bool {
        let (least, most) = (self.depths[a].min(self.depths[b]), self.depths[a].max(self.depths[b]));
        self.is_pooled(a) && self.is_pooled(b) && least as f64 >= SIMILAR * most as f64
    }

    /// How many pooled runs brought each document of a topic into the pool.
    pub fn count(&self, lists: &Lists<'_>, brought_by: &mut Vec<u32>) {
        brought_by.clear();
        brought_by.resize(lists.documents(), 0);
        for (run, &depth) in self.depths.iter().enumerate() {
            lists.list(run).iter().take(depth).for_each(|&document| brought_by[document as usize] += 1);
        }
    }
}

/// The last rank before the first one with documents outside the pool, but for a few; ranks hold documents shown and pooled.
fn depth(ranks: &[(u32, u32)]) -> usize {
    let is_pooled = |&&(shown, pooled): &&(u32, u32)| f64::from(pooled) >= POOLED_SHARE * f64::from(shown);
    ranks.iter().take_while(is_pooled).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_depth_ends_where_documents_are_unjudged() {
        // 50 topics: two unjudged documents of 50 are 96%, three are 94%.
        assert_eq!(depth(&[(50, 50), (50, 48), (50, 50), (50, 47), (50, 50)]), 3);
        assert_eq!(depth(&[(50, 20)]), 0);
    }

    #[test]
    fn pooled_runs_are_alike_where_depths_are_similar() {
        let pools = Pools { depths: vec![10, 5, 4, 2, 100, 10], unique: vec![9, 9, 9, 9, 9, 4] };
        assert!(pools.are_alike((0, 1)) && pools.are_alike((1, 2)));
        // 4 is less than half of 10; 2 is not pooled; 10 is less than half of 100.
        assert!(!pools.are_alike((0, 2)) && !pools.are_alike((0, 3)) && !pools.are_alike((4, 0)));
        // The last one repeats what others brought into the pool, but for four documents.
        assert!(!pools.is_pooled(5) && !pools.are_alike((0, 5)));
    }
}
