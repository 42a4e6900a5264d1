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

/// With `KARAT_CASES=100000` (here 200 are enough), the full count; see the guide.
#[test]
fn no_ranking_that_prints_so_lies_outside() {
    let cases = std::env::var("KARAT_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(12).min(200);
    let (mut rankings, mut outside_papers, mut exact) = (0u64, 0u64, 0u64);
    // Only where lists so short show all that is printed; longer ones reach further.
    let (mut shown, mut wider, mut widest) = (0u64, 0.0f64, 0.0f64);
    for case in 0..cases {
        let mut stream = Seed(5).stream("range", case);
        let depth = if cases > 12 { 20 } else { 15 };
        let p = 0.5 + 0.45 * stream.unit();
        let at = 0.3 + 0.65 * stream.unit();
        let digits = 2 + (case % 3) as u8;
        let scores = all_scores(depth, p, at);
        let truth = scores[stream.below(1 << depth) as usize].0;
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
        exact += u64::from(range.low.exact) + u64::from(range.high.exact);
        let more = (range.high.value - range.low.value) - (high - low);
        if published.depth() <= depth && at <= p {
            (shown, wider, widest) = (shown + 1, wider + more, widest.max(more));
        }
    }
    println!(
        "{cases} printed scores: {rankings} rankings print so, none is outside the range, {outside_papers} are outside the paper's; \
         {exact} of {} ends exact; in the {shown} cases that {} ranks show in full, wider than the hull of such lists by {:.5} in the mean, {widest:.5} at most",
        2 * cases,
        if cases > 12 { 20 } else { 15 },
        wider / shown.max(1) as f64
    );
    assert!(rankings > 100 && outside_papers > 0 && exact > cases);
}

#[test]
fn with_residuals_no_completion_lies_outside() {
    use super::super::vectors::{Rank, score};
    let kinds = [Rank::Not, Rank::Unjudged, Rank::Relevant];
    let strings = 3usize.pow(9);
    let string = |code: usize| -> Vec<Rank> { (0..9).map(|rank| kinds[code / 3usize.pow(rank) % 3]).collect() };
    let mut completions = 0u64;
    for case in 0..8u64 {
        let mut stream = Seed(6).stream("completions", case);
        let p = 0.5 + 0.45 * stream.unit();
        let at = 0.3 + 0.65 * stream.unit();
        let print = |ranks: &[Rank]| {
            let own = score(ranks, 0.0, p);
            (Printed::rounded(own, 2), Printed::rounded(score(ranks, 1.0, p) - own, 2))
        };
        let truth = print(&string(stream.below(strings as u64) as usize));
        let published = PublishedScore::new(p, truth.0, Some(truth.1)).unwrap();
        let range = range(&published, at, THOROUGH);
        assert!(!range.low.exact && !range.high.exact);
        for ranks in (0..strings).map(string).filter(|ranks| print(ranks) == truth) {
            completions += 1 << ranks.iter().filter(|rank| **rank == Rank::Unjudged).count();
            // A score rises with every unjudged document that turns out relevant: the first and last completion are the extremes.
            let (low, high) = (score(&ranks, 0.0, at), score(&ranks, 1.0, at));
            assert!(range.low.value <= low + 1e-12 && high <= range.high.value + 1e-12, "{low} {high} {range:?}");
        }
    }
    assert!(completions > 100, "{completions}");
}

#[test]
fn exact_means_attained_and_tight() {
    // p = 0.5 to one digit, 0.5: 0.45 to 0.55. Highest at p' = 0.25: 1 0 0 0 and then from rank 5 on what 0.05 pays for: 0.05 · 2^4 = 0.8 of the
    // rest on its own scale, all ranks below it relevant would be 1, so 1 1 0 0 1 1 0 0 ... = 0.8 in base 2. In base 4 with digits of
    // 3/4: 0.75 + 4^-4 · 0.75 (1 + 1/4)(1 + 4^-4 + ...) = 0.75 + (15/16)/(1 - 1/256) / 256.
    let range = range(&published(0.5, 0.5, 0.1), 0.25, THOROUGH);
    let by_hand = 0.75 + 15.0 / 16.0 / (1.0 - 1.0 / 256.0) / 256.0;
    assert!(range.high.exact && (range.high.value - by_hand).abs() < 2e-9, "{range:?} {by_hand}");
    // The lowest is its complement.
    assert!(range.low.exact && (range.low.value - (1.0 - by_hand)).abs() < 2e-9);
}

#[test]
fn the_ends_of_the_printed_interval_belong_to_it() {
    // p = 0.15: 11 scores 0.85 + 0.1275 = 0.9775, the lower end of 0.978 and the upper end of 0.977. Below 11 all other rankings
    // score at most 0.85 + 0.0225 (10111...). So at 0.97 the lowest is 11 itself, 0.03 + 0.0291, and of 0.977 it is the only one.
    let low = range(&published(0.15, 0.978, 1e-3), 0.97, THOROUGH).low;
    assert!(low.exact && (low.value - 0.0591).abs() < 1e-12, "{low:?}");
    let only = range(&published(0.15, 0.977, 1e-3), 0.97, THOROUGH);
    assert!(only.low.exact && only.high.exact, "{only:?}");
    assert!((only.low.value - 0.0591).abs() < 1e-12 && (only.high.value - 0.0591).abs() < 1e-12, "{only:?}");
    // p = 0.05: 10111... scores 1 - 0.0475 = 0.9525, the upper end of 0.952; at 0.85 it scores 1 - 0.15 * 0.85.
    let high = range(&published(0.05, 0.952, 1e-3), 0.85, THOROUGH).high;
    assert!(high.exact && (high.value - 0.8725).abs() < 1e-12, "{high:?}");
}

#[test]
fn no_ranking_at_an_end_of_the_interval_lies_outside() {
    // p = n/20: a ranking of five ranks, followed by 0s or by 1s, scores so many 20^5ths. It is halfway between two printed
    // scores when twice that, in units of the last digit, is an odd number; then it may be printed as either.
    let whole = 20i64.pow(5);
    let mut ties = 0;
    for n in [1i64, 3, 7, 9, 10, 13] {
        let p = n as f64 / 20.0;
        for (ranking, tail) in (0..1u32 << 5).flat_map(|ranking| [(ranking, 0i64), (ranking, 1)]) {
            let gain = |rank: u32| i64::from(ranking >> rank & 1);
            let weight = |rank: u32| (20 - n) * n.pow(rank) * 20i64.pow(4 - rank);
            let score = (0..5).map(|rank| gain(rank) * weight(rank)).sum::<i64>() + tail * n.pow(5);
            for digits in 2..=6 {
                let (scaled, scale) = (2 * 10i64.pow(digits) * score, 10f64.powi(digits as i32));
                if scaled % whole != 0 || scaled / whole % 2 == 0 {
                    continue;
                }
                for printed in [scaled / whole / 2, scaled / whole / 2 + 1] {
                    let published = published(p, printed as f64 / scale, 1.0 / scale);
                    for at in [0.2, 0.6, 0.97] {
                        let truth = rbp((0..5).map(|rank| gain(rank) as f64), at) + tail as f64 * at.powi(5);
                        let range = range(&published, at, 300);
                        assert!(
                            range.low.value <= truth + CLOSE && truth <= range.high.value + CLOSE,
                            "p = {p}, {ranking:b} and {tail}s, {truth}: {published:?} {range:?}"
                        );
                        ties += 1;
                    }
                }
            }
        }
    }
    assert!(ties > 500, "{ties}");
}
