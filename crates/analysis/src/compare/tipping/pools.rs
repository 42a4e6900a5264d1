//! Which runs were pooled, and to what rank: detected from the share of documents in the judgements by rank.
//!
//! The one decision: two pooled runs were treated alike by whoever judged, so their unjudged documents are treated alike too. A newcomer is not: the pool
//! was made without it. A run that only repeats what other runs brought into the pool looks pooled, so a pooled run must have brought something itself.

use karat_data::Judgement;
use karat_stats::dist::binomial;

use super::super::RunPair;
use crate::lists::Lists;

/// A run is pooled to a rank where this share of the documents down to it, and of those at it, is in the judgements. Assessors lose a few documents of their own pools: in TREC-COVID round 3
/// the judgements name 95 to 98% of the first documents of runs that were pooled.
const POOLED_SHARE: f64 = 0.95;
/// A rank with a smaller share ends the pool if its documents are missing more often than those above it, at this level.
const DROP_LEVEL: f64 = 0.05;
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
                // A document that no other run has and that nobody judged is not in the pool.
                let is_known = |document: u32| lists.known(document) != Judgement::Unpooled;
                let alone = |document: u32| brought_by[document as usize] == 1 && is_known(document);
                *unique += own.filter(|&&document| alone(document)).count() as u32;
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

/// The rank that a run was pooled to; ranks hold documents shown and pooled.
///
/// A rank has one document per topic: too few to tell a pool that lost 4% of its documents from one that lost 6%. So the share is that of all documents down
/// to a rank, and a rank with fewer ends the pool only if they are significantly fewer than above.
fn depth(ranks: &[(u32, u32)]) -> usize {
    let is_pooled = |(shown, pooled): (u32, u32)| f64::from(pooled) >= POOLED_SHARE * f64::from(shown);
    let (mut above, mut depth) = ((0, 0), 0);
    for (rank, &here) in (1..).zip(ranks) {
        let down_to = (above.0 + here.0, above.1 + here.1);
        if is_pooled(here) {
            depth = if is_pooled(down_to) { rank } else { depth };
        } else if drops(here, down_to) {
            break;
        }
        above = down_to;
    }
    depth
}

/// Whether documents are missing at a rank more often than above it: of all that are missing down to it, each is at the rank with the rank's share of the
/// documents, if losses are rare and equally likely (the conditional test of two Poisson rates). Nothing is above the first rank.
fn drops(here: (u32, u32), down_to: (u32, u32)) -> bool {
    let missing = |(shown, pooled): (u32, u32)| u64::from(shown.saturating_sub(pooled));
    let Some(fewer) = missing(here).checked_sub(1) else { return false };
    let share = f64::from(here.0) / f64::from(down_to.0.max(1));
    binomial::sf(fewer, missing(down_to), share).is_ok_and(|p| p < DROP_LEVEL)
}

#[cfg(test)]
mod tests {
    use karat_data::{CollectionFacts, Policy, RankedDocuments, TopicIndex};
    use karat_formats::{Dialect, Input, RunFiles, detect, read_qrels};

    use super::*;

    #[test]
    fn the_depth_ends_where_documents_are_unjudged() {
        // 50 topics: two unjudged documents of 50 are 96%. At rank 4 ten of 50 are missing, two above: of 12, each is at rank 4 with probability 1/4;
        // 10 or more of 12: (66 · 9 + 12 · 3 + 1) / 4^12 = 631 / 16,777,216.
        assert_eq!(depth(&[(50, 50), (50, 48), (50, 50), (50, 40), (50, 50)]), 3);
        assert_eq!(depth(&[(50, 20)]), 0);
        // A pool without losses ends at once: four missing at rank 11 and none above it, (1/11)^4 = .00007.
        let ranks: Vec<(u32, u32)> = [vec![(43, 43); 10], vec![(43, 39), (43, 41)]].concat();
        assert_eq!(depth(&ranks), 10);
    }

    #[test]
    fn losses_of_the_whole_pool_do_not_end_it() {
        // 40 topics, 37 to 40 documents at each rank, 266 of 280 in all: 95%. The worst rank, 36 after 156 of 160: of 8 missing, 4 or more at a rank with
        // a fifth of the documents: 1 − .9437 = .0563.
        let ranks = [39, 38, 39, 40, 36, 36, 38].map(|pooled| (40, pooled));
        assert!(!drops((40, 36), (200, 192)));
        assert_eq!(depth(&ranks), 7);
        // Rank 8 is outside: 26 of its 40 are missing, 14 of the 280 above. Of 40 missing, 26 or more at a rank with an eighth of the documents: 1e-14.
        assert_eq!(depth(&[ranks.as_slice(), &[(40, 14)], &[(40, 40); 5]].concat()), 7);
        // One document less, and 95% are not in the judgements down to rank 7, nor 95% at ranks 5 and 6.
        let ranks = [39, 38, 39, 39, 36, 36, 38].map(|pooled| (40, pooled));
        assert_eq!(depth(&ranks), 4);
        // The first rank has none above it: 37 of 40, then 116 of 120.
        assert_eq!(depth(&[(40, 37), (40, 39), (40, 40)]), 3);
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

    #[test]
    fn documents_that_nobody_judged_are_not_brought_into_the_pool() {
        // 100 topics, pool depth 3. The newcomer repeats the pooled run, but for one unjudged document on each of six topics, two at each rank: 98% of its
        // documents are in the judgements at every rank. The pooled run alone brought the six that the newcomer does not have.
        let (mut qrels, mut runs) = (String::new(), [String::new(), String::new()]);
        for topic in 0..100 {
            for rank in 0..3 {
                let line = |document| format!("{topic} Q0 {document}{rank} 0 {} run\n", 3 - rank);
                qrels.push_str(&format!("{topic} 0 d{rank} 1\n"));
                runs[0].push_str(&line('d'));
                runs[1].push_str(&line(if topic < 6 && topic % 3 == rank { 'n' } else { 'd' }));
            }
        }
        let qrels = read_qrels(&Input::bytes("qrels", qrels.into_bytes()), detect::QRELS, Dialect::Strict, 1).unwrap();
        let runs = runs.map(|run| Input::bytes("run", run.into_bytes())).into();
        let runs = RunFiles::new(runs, detect::RUN, Dialect::Strict);
        let read = RankedDocuments::read(&runs, &Policy::default(), 1).unwrap();
        let topics: Vec<TopicIndex> = qrels.0.topics().collect();
        let lists = |at: usize| Lists::new(&qrels.0, CollectionFacts::default(), None, &read, topics[at]);
        let pools = Pools::new(2, topics.len(), lists);
        assert_eq!((pools.depths.as_slice(), pools.unique.as_slice()), ([3, 3].as_slice(), [6, 0].as_slice()));
        assert!(pools.is_pooled(0) && !pools.is_pooled(1));
    }
}
