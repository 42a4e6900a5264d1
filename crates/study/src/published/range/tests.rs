use super::super::{Printed, rbp};
use super::*;
use karat_stats::seed::Seed;

fn published(p: f64, score: f64, precision: f64) -> PublishedScore {
    PublishedScore::new(p, Printed::new(score, precision).unwrap(), None).unwrap()
}

#[test]
fn the_closed_form_by_hand() {
    // 1 1 f at p = 0.5 scores 0.5 + 0.25 + 0.125 f; 0.8 is f = 0.4. At p' = 0.2: 0.8 + 0.16 + 0.032 · 0.4.
    assert!((graded_high(0.5, 0.2, 0.8) - 0.9728).abs() < 1e-15);
    // At p' = 0.8 the gain goes late: 0 for f = 1 - 0.4 of rank 1, then 1s: 1 - 0.2 · 0.4 (rank 1 weighs 0.2, 0.8 - 0.5 = 0.3 of its 0.5 is 0.6).
    assert!((graded_high(0.5, 0.8, 0.8) - (1.0 - 0.2 * 0.4)).abs() < 1e-15);
    assert_eq!((graded_high(0.5, 0.2, 1.0), graded_high(0.5, 0.2, 0.0), graded_high(0.5, 0.5, 0.3)), (1.0, 0.0, 0.3));
}

#[test]
fn the_case_on_which_the_papers_range_fails() {
    // p = 0.9: 1011 scores 0.1 · (1 + 0.81 + 0.729) = 0.2539, printed 0.25. At 0.85 it scores 0.15 · (1 + 0.7225 + 0.614125)
    // = 0.35049; the paper's R_G stays below.
    let range = range(&published(0.9, 0.25, 0.01), 0.85, THOROUGH);
    let truth = rbp([1.0, 0.0, 1.0, 1.0], 0.85);
    assert!((truth - 0.350_493_75).abs() < 1e-12);
    assert!(range.high.value >= truth && range.high_graded >= range.high.value);
    assert!(range.paper.1 < truth, "{range:?}");
}

/// Of every ranking of `depth` ranks: the score at p, and at `at`.
fn all_scores(depth: usize, p: f64, at: f64) -> Vec<(f64, f64)> {
    let mut scores = vec![(0.0, 0.0)];
    for rank in 1..=depth {
        let weights = (super::super::depth::contribution(p, rank), super::super::depth::contribution(at, rank));
        scores.extend_from_within(..);
        let half = scores.len() / 2;
        scores[half..].iter_mut().for_each(|sums| *sums = (sums.0 + weights.0, sums.1 + weights.1));
    }
    scores
}

#[test]
fn no_ranking_that_prints_so_lies_outside() {
    let mut outside_papers = 0u64;
    let (mut rankings, mut widest) = (0u64, 0.0f64);
    for case in 0..12u64 {
        let mut stream = Seed(5).stream("range", case);
        let p = 0.5 + 0.45 * stream.unit();
        let at = 0.3 + 0.65 * stream.unit();
        let digits = 2 + (case % 2) as u8;
        let scores = all_scores(16, p, at);
        let truth = scores[stream.below(1 << 16) as usize].0;
        let printed = Printed::rounded(truth, digits);
        let published = PublishedScore::new(p, printed, None).unwrap();
        let range = range(&published, at, THOROUGH);
        assert!(
            range.low_graded <= range.low.value + 1e-12 && range.high.value <= range.high_graded + 1e-12,
            "{range:?}"
        );
        let (mut low, mut high) = (1.0f64, 0.0f64);
        for &(_, there) in scores.iter().filter(|(own, _)| Printed::rounded(*own, digits) == printed) {
            rankings += 1;
            (low, high) = (low.min(there), high.max(there));
            assert!(
                range.low.value <= there + 1e-12 && there <= range.high.value + 1e-12,
                "p = {p}, {there}: {range:?}"
            );
            outside_papers += u64::from(there < range.paper.0 - 1e-12 || there > range.paper.1 + 1e-12);
        }
        widest = widest.max((range.high.value - range.low.value) - (high - low));
        println!("p = {p:.3} at {at:.3}, {}: {:?} hull {low:.4}-{high:.4}", printed.value, range);
    }
    println!(
        "{rankings} rankings, none outside, {outside_papers} outside the paper's range; {widest:.4} wider at most"
    );
    assert!(rankings > 1000 && outside_papers > 0);
}
