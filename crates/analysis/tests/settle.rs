//! A seeded slice of what tools/settle measures: sampled judgements in worlds whose truth is known.
#![allow(clippy::unwrap_used)]

#[allow(dead_code, reason = "the example keeps cells in files")]
#[path = "../examples/settle_worlds/cell.rs"]
mod cell;
#[allow(dead_code, reason = "the example keeps cells in files")]
#[path = "../examples/settle_scores/cell.rs"]
mod scores;
#[path = "../examples/settle_worlds/seen.rs"]
mod seen;
#[path = "../examples/verdict_worlds/worlds.rs"]
mod worlds;

use cell::{Cell, Tally};
use worlds::{LOW, WORLDS};

/// Worlds of a cell. With a coverage of 95% it is below 80% of 30 in one case of 1,500, and more than 5 wrong verdicts at a rate of 5% come in one of 300.
const DRAWN: u32 = 30;

/// What was found for each measure: with 40, 60, 100 and 200 judgements, with the planned number, and in looks.
fn drawn(name: &str, truths: &[(&str, f64)]) -> Vec<Vec<Tally>> {
    let world = WORLDS.iter().chain(&LOW).find(|world| world.name == name).unwrap();
    let mut cell = Cell::with_truth(world, 50, truths);
    cell.add(DRAWN).unwrap();
    cell.measures.into_iter().map(|counted| counted.tallies).collect()
}

#[test]
fn settled_verdicts_name_the_better_run() {
    // The truth is what the example settle_worlds prints, from 30,000 topics. In the hardest world the newcomer finds what the pool does not have: a
    // test over topics says the opposite.
    for (name, truths) in [("hardest", &[("P@10", -0.163), ("nDCG@10", -0.182)][..]), ("rate 2%", &[("P@10", 0.075)])] {
        let found = drawn(name, truths);
        for (place, found) in found.iter().flatten().enumerate() {
            assert!(found.covered >= 24, "{name} {place}: {found:?}");
            assert!(found.wrong == 0, "{name} {place}: {found:?}");
        }
        // A hundred judgements decide nearly always where full judgements do.
        assert!(name != "hardest" || found[0][2].right >= 25, "{:?}", found[0][2]);
    }
}

#[test]
fn equal_systems_are_seldom_told_apart() {
    for found in drawn("equal", &[("P@10", 0.0)]).iter().flatten() {
        assert!(found.wrong <= 5 && found.right == 0, "{found:?}");
    }
}

fn counted(name: &str, counted: scores::Counted, truth: &[f64]) -> Vec<scores::Tally> {
    let world = WORLDS.iter().chain(&LOW).find(|world| world.name == name).unwrap();
    let mut cell = scores::Cell::new((world, 50, "P@10"), counted, truth.to_vec());
    cell.add(DRAWN).unwrap();
    cell.tallies
}

#[test]
fn intervals_of_scores_hold_the_truth() {
    // The truth, of a pooled run and of the newcomer, is what the example settle_scores prints from 30,000 topics.
    for (place, found) in counted("hardest", scores::Counted::Scores, &[0.393, 0.553]).iter().enumerate() {
        assert!(found.counted >= 24 && found.worlds == DRAWN, "{place}: {found:?}");
    }
}

#[test]
fn claims_at_the_margin_seldom_pass() {
    // The truth as above, of the difference. Each claim is false; at 5% more than 5 of 30 pass in one case of 300.
    for (place, found) in counted("hardest", scores::Counted::Margins, &[-0.161]).iter().enumerate() {
        assert!(found.counted <= 5 && found.worlds == DRAWN, "{place}: {found:?}");
    }
}
