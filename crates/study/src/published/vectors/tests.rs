use super::super::{Printed, paper, significant_ranks};
use super::*;
use karat_stats::seed::{Seed, Stream};

fn published(p: f64, score: f64, residual: Option<f64>, precision: f64) -> PublishedScore {
    let printed = |value| Printed::new(value, precision).unwrap();
    PublishedScore::new(p, printed(score), residual.map(printed)).unwrap()
}

#[test]
fn by_hand_at_one_half() {
    // p = 0.5 to one digit: 0.5^5 = 0.03 is the first below 0.05, so five ranks of 1/2, 1/4, ... 1/32. 0.5 stands for 0.45 to 0.55:
    // the greatest is 16/32 + 1/32, the least 15/32.
    let found = Extremes::of(&published(0.5, 0.5, None, 0.1)).unwrap();
    assert_eq!((written(&found.greatest), written(&found.least)), ("10001".into(), "01111".into()));
    // With a residual of 0.25 (0.2 to 0.3, 7 to 9 of 32, next to 15 to 17 for the score). Greatest: rank 1, rank 2 unjudged, and
    // 1/32 more for the score. Least: rank 1 may be 0, for 15 + 7 <= 15 + 8 + ... hold only 15 below it; so it is not, nor is it
    // unjudged (16 > 9): 1. Then 000 leaves 1 of 32, 7 are wanting; 0 at rank 2 (8) leaves 7 for 7: 1 0 ? ? ?.
    let found = Extremes::of(&published(0.5, 0.5, Some(0.25), 0.1)).unwrap();
    assert_eq!((written(&found.greatest), written(&found.least)), ("1?001".into(), "10???".into()));
}

/// A ranking drawn with this share of relevant and of unjudged ranks.
fn drawn(stream: &mut Stream, depth: usize, relevant: f64, unjudged: f64) -> Vec<Rank> {
    (0..depth)
        .map(|_| match stream.unit() {
            u if u < relevant => Rank::Relevant,
            u if u < relevant + unjudged => Rank::Unjudged,
            _ => Rank::Not,
        })
        .collect()
}

/// Draws cases, and counts what the paper's rules miss: (R_G, R_L). Ours must miss none.
fn residuals(p: f64, cases: u64, seed: u64) -> (u64, u64) {
    let precision = 1e-4;
    let mut missed = (0, 0);
    for case in 0..cases {
        let mut stream = Seed(seed).stream("residuals", case);
        let (relevant, unjudged) = (stream.unit(), stream.unit());
        let truth =
            drawn(&mut stream, significant_ranks(p, precision), relevant * (1.0 - unjudged / 2.0), unjudged / 2.0);
        let exact = score(&truth, 0.0, p);
        let (printed, residual) = (Printed::rounded(exact, 4), Printed::rounded(score(&truth, 1.0, p) - exact, 4));
        let published = PublishedScore::new(p, printed, Some(residual)).unwrap();
        let found =
            Extremes::of(&published).unwrap_or_else(|end| panic!("p = {p}, case {case}: {end:?} for {published:?}"));
        let fits = |ranks: &[Rank]| {
            (score(ranks, 0.0, p) - printed.value).abs() <= precision
                && (score(ranks, 1.0, p) - (printed.value + residual.value)).abs() <= precision
        };
        assert!(fits(&found.greatest) && fits(&found.least), "p = {p}, case {case}: {published:?}");
        let (g, l, t) = (order(&found.greatest), order(&found.least), order(&truth));
        assert!(g >= t && t >= l, "p = {p}, case {case}: the truth is beyond the extremes");
        let by_rules = paper::vectors(&published);
        missed.0 += u64::from(!fits(&by_rules.greatest));
        missed.1 += u64::from(!fits(&by_rules.least));
    }
    missed
}

fn order(ranks: &[Rank]) -> Vec<u8> {
    ranks
        .iter()
        .map(|rank| match rank {
            Rank::Relevant => 2,
            Rank::Unjudged => 1,
            Rank::Not => 0,
        })
        .collect()
}

const PERSISTENCES: [f64; 6] = [0.5, 0.6, 0.7, 0.8, 0.9, 0.95];

#[test]
fn score_and_residual_are_met_where_the_papers_rules_miss_them() {
    for p in PERSISTENCES {
        let missed = residuals(p, 200, 1);
        println!("p = {p}: the paper's rules miss {missed:?} of 200, the search none");
        if p == 0.6 {
            assert!(missed.0 > 0 && missed.1 > missed.0, "the paper's rules are said to miss here: {missed:?}");
        }
    }
}
