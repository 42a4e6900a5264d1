//! A seeded slice of docs/verdicts-measured.md: verdicts in worlds whose truth is known.
#![allow(clippy::unwrap_used)]

#[path = "../examples/verdict_worlds/tally.rs"]
mod tally;
#[path = "../examples/verdict_worlds/worlds.rs"]
mod worlds;

use karat_stats::Seed;
use tally::{PAIRS, Tally};
use worlds::WORLDS;

/// Topics that the true differences are taken from: a standard error of about .02 for differences of .16.
const TRUTH: usize = 400;

/// Ten draws of a world. Two pooled systems differ by nothing, and nor does the newcomer where it is `equal` to them.
fn drawn(name: &str, size: (usize, usize), equal: bool) -> Vec<[Tally; PAIRS.len()]> {
    let world = WORLDS.iter().find(|world| world.name == name).unwrap();
    let measured = tally::truth(world, TRUTH, Seed(20)).unwrap();
    let truth: Vec<[f64; 2]> =
        measured.iter().map(|[newcomer, _]| [if equal { 0.0 } else { *newcomer }, 0.0]).collect();
    let mut tallies = vec![[Tally::default(); PAIRS.len()]; tally::MEASURES.len()];
    for at in 0..10 {
        let seed = Seed(20).child(&format!("{name} {}-{}", size.0, size.1), at);
        tally::add(world, size, &truth, (500, seed), &mut tallies).unwrap();
    }
    tallies
}

#[test]
fn verdicts_do_not_go_to_the_worse_run() {
    // The newcomer is better, and its relevant documents are those that the pool does not have: a test over topics says the opposite.
    let found = drawn("hardest", (25, 10), false);
    for (measure, tallies) in found.iter().enumerate() {
        let [newcomer, pooled] = tallies;
        let name = tally::MEASURES[measure];
        assert_eq!((newcomer.worlds, pooled.worlds), (10, 10));
        assert!(newcomer.plain.wrong >= 5, "{name}: {newcomer:?}");
        assert_eq!((newcomer.certain.wrong, newcomer.wrong_below_tipping), (0, 0), "{name}: {newcomer:?}");
        assert_eq!(newcomer.covered, newcomer.intervals, "{name}: {newcomer:?}");
        // Of ten pairs of equal systems at most three are decided by chance (probability below .012 at a rate of 5%).
        assert!(pooled.certain.wrong + pooled.assumed.wrong <= 3, "{name}: {pooled:?}");
    }
}

#[test]
fn judgements_of_relevant_documents_only_decide_by_topics() {
    let found = drawn("positives only", (25, 10), true);
    for [newcomer, _] in &found {
        assert_eq!(newcomer.intervals, 0, "bounds are hidden: {newcomer:?}");
        // Equal systems: every verdict is chance.
        assert!(newcomer.assumed.wrong <= 3 && newcomer.certain.wrong == 0, "{newcomer:?}");
        assert_eq!(newcomer.assumed.wrong, newcomer.plain.wrong, "{newcomer:?}");
    }
}
