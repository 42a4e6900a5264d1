//! Bounds of measures that are not linear in gain, worked out by hand.
#![allow(clippy::unwrap_used)]

use karat_data::{CollectionFacts, JudgementKind};
use karat_measures::example::Owned;
use karat_measures::spec;

const LOG2_3: f64 = 1.584_962_500_721_156;

fn check(measure: &str, ranking: &str, missed: &str, max_grade: f64, expected: (f64, f64, f64)) {
    check_marked(JudgementKind::Grades, measure, (ranking, missed), max_grade, expected);
}

fn check_marked(
    kind: JudgementKind,
    measure: &str,
    (ranking, missed): (&str, &str),
    max_grade: f64,
    expected: (f64, f64, f64),
) {
    let collection = CollectionFacts { max_grade, ..CollectionFacts::default() };
    let topic = Owned::parse_marked(kind, ranking, missed, collection).unwrap();
    let score = spec::parse(measure, 1.0).unwrap().build().unwrap().score(&topic.view()).unwrap();
    let found = (score.low, score.value, score.high);
    let near = |a: f64, b: f64| (a - b).abs() < 1e-12;
    assert!(
        near(found.0, expected.0) && near(found.1, expected.1) && near(found.2, expected.2),
        "{measure} of {ranking} | {missed}: {found:?}, expected {expected:?}"
    );
}

#[test]
fn average_precision() {
    // Rank 2 relevant: (1/2 + 2/3)/2 = 7/12; else (1/3)/1.
    check("AP", "0 - 1", "", 1.0, (1.0 / 3.0, 1.0 / 3.0, 7.0 / 12.0));
    // Judging more can lower it: rank 3 relevant gives (1 + 2/3)/2.
    check("AP", "1 0 ?", "", 1.0, (5.0 / 6.0, 1.0, 1.0));
    // A pooled document that was missed may be relevant: R from 1 to 2.
    check("AP", "0 1", "?", 1.0, (0.25, 0.5, 0.5));
    // Below the cut-off a document counts in R only: (1/1)/2.
    check("AP@1", "1 -", "", 1.0, (0.5, 1.0, 1.0));
    // No grade reaches level 1, so nothing can change.
    check("AP", "0 - ?", "?", 0.5, (0.0, 0.0, 0.0));
    // Nothing judged relevant: all or nothing.
    check("AP", "- -", "", 1.0, (0.0, 0.0, 1.0));
}

#[test]
fn normalised_discounted_gain() {
    // Rank 3 relevant: (1 + 1/2)/(1 + 1/log2 3).
    check("nDCG", "1 0 ?", "", 1.0, (1.5 / (1.0 + 1.0 / LOG2_3), 1.0, 1.0));
    // Rank 1 relevant: the ideal order; else the value.
    check("nDCG", "? 1", "", 1.0, (1.0 / LOG2_3, 1.0 / LOG2_3, 1.0));
    // A missed one of grade 2: 1/(2 + 1/log2 3). Not above the value.
    check("nDCG", "1", "?", 2.0, (1.0 / (2.0 + 1.0 / LOG2_3), 1.0, 1.0));
    // Grades up to 2, rank 2 unjudged behind grade 1. Grade 0: 1. Grade 1: 1. Grade 2: (1 + 2/log2 3)/(2 + 1/log2 3).
    check("nDCG", "1 -", "", 2.0, ((1.0 + 2.0 / LOG2_3) / (2.0 + 1.0 / LOG2_3), 1.0, 1.0));
    // Grade 2 at rank 2 is below its place; the best for rank 1 is grade 2 as well, or 1: by hand
    // grade 0: (2/log2 3)/2 = 0.6309; grade 1: (1 + 2/log2 3)/(2 + 1/log2 3) = 0.8597; grade 2: 1.
    check("nDCG", "- 2", "", 2.0, (1.0 / LOG2_3, 1.0 / LOG2_3, 1.0));
}

#[test]
fn counts_and_pairs() {
    // (1)/(2) now; rank 3 relevant: still 1 of the first 2, of 3; both: 2/3.
    check("R@2", "1 - -", "1", 1.0, (1.0 / 3.0, 0.5, 2.0 / 3.0));
    // R = 1, one of one. Rank 2 relevant: R = 2, 2 of 2. Rank 3 relevant: R = 2, 1 of 2. Both: 3 of 3.
    check("Rprec", "1 - -", "", 1.0, (0.5, 1.0, 1.0));
    // A missed one widens the window: R = 2, and rank 2 is relevant: 1/2 where it was 0.
    check("Rprec", "0 1", "?", 1.0, (0.0, 0.0, 0.5));
    // Judged now: one relevant below one non-relevant of N = 1: 1 - 1/1 = 0. Rank 3 non-relevant: N = 2, min(2, 1): 0.
    // Rank 3 relevant: R = 2, N = 1: terms 1 - 1/1 twice: 0.
    check("Bpref", "0 1 -", "", 1.0, (0.0, 0.0, 0.0));
    // Value: R = 1, N = 0: 1. Rank 1 non-relevant: 1 - 1/1 = 0. Rank 1 relevant: 1.
    check("Bpref", "- 1", "", 1.0, (0.0, 1.0, 1.0));
    // ERR, grades up to 1 (S = 1/2): now (1/2)(1/2) = 0.25; rank 1 relevant: 1/2 + (1/2)(1/2)(1/2) = 0.625.
    check("ERR", "- 1", "", 1.0, (0.25, 0.25, 0.625));
}

#[test]
fn user_models() {
    // Rank 1 without gain: x = 1 + 2 - 0, so that rank 2 is looked at with (2/3)^2 = 4/9. Rank 2 relevant: (4/9)/(13/9).
    check("INST(T=1)@2", "0 -", "", 1.0, (0.0, 0.0, 4.0 / 13.0));
    // Rank 1 relevant: V = 1, 1/4, and 1.25 documents looked at. The list could have gone on to rank 2: 1.
    check("INST(T=1)@2", "1", "", 1.0, (0.8, 0.8, 1.0));
    // Relevant without end below rank 1: x stays 3, V = 1, 4/9, (4/9)^2, ...: 1 without gain of 1/(1 - 4/9) = 9/5.
    check("INST(T=1)", "0", "", 1.0, (0.0, 0.0, 4.0 / 9.0));
    // Rank 1 relevant ends the search of NERR8: 1. Not relevant: rank 2 of 2: 1/2. NERR8@3 takes the list as returned: 1/3.
    check("NERR8@2", "- 1", "", 1.0, (0.5, 0.5, 1.0));
    check("NERR8@3", "0 1", "", 1.0, (0.5, 0.5, 0.5));
    // Gain 1/2 to grade 1. Below, the best is gain 1, which ends the search: V = 1, p/2 = 1/4: (1/2 + 1/4)/(5/4).
    check("NERR10(p=0.5)", "1", "", 2.0, (1.0 / 3.0, 1.0 / 3.0, 0.6));
}

#[test]
fn shares_of_an_ideal() {
    // b = 2: ranks 1 and 2 weigh 1, rank 3 1/log2(3). Rank 3 relevant: (1 + 0.6309)/2.
    check("JKnDCG", "1 0 ?", "", 1.0, ((1.0 + 1.0 / LOG2_3) / 2.0, 1.0, 1.0));
    // S = 1/2. Now (1/2)(1/2) of 1/2; rank 1 relevant: the ideal itself.
    check("nERR", "- 1", "", 1.0, (0.5, 0.5, 1.0));
    // A missed one: (1/2)(1/2) of 1/2 + (1/2)(1/2)(1/2) = 5/8.
    check("nERR", "0 1", "?", 1.0, (0.4, 0.5, 0.5));
    // Rank 2 relevant: overlaps 0 and 1/2, 0.5 * 1/2 = 1/4, of 1 + 0.5 * 1/2 = 5/4.
    check("Compat(p=0.5)", "0 ?", "", 1.0, (0.0, 0.0, 0.2));
    // Now BR(2) = (1 + 1)/(2 + 1). Rank 1 relevant: BR is 1 at both.
    check("Q", "- 1", "", 1.0, (2.0 / 3.0, 2.0 / 3.0, 1.0));
    // A missed one: BR(2) = 2/(2 + 2), over R = 2.
    check("Q", "0 1", "?", 1.0, (0.25, 2.0 / 3.0, 2.0 / 3.0));
    // Rank 1 of grade 1: (1 + 1)/(1 + 1); of grade 2: 3/3; not relevant: (1 + 1)/(2 + 1).
    check("OMeasure", "- 1", "", 2.0, (2.0 / 3.0, 2.0 / 3.0, 1.0));
}

/// Where grades may be fractions, the only relevant document may have any grade above 0.
#[test]
fn a_share_of_an_ideal_that_is_as_small_as_one_likes() {
    let check = |ranking: &str, missed: &str, expected: (f64, f64)| {
        let collection = CollectionFacts { max_grade: 3.0, whole_grades: false, ..CollectionFacts::default() };
        let topic = Owned::parse(ranking, missed, collection).unwrap();
        let score = spec::parse("nERR", 1.0).unwrap().build().unwrap().score(&topic.view()).unwrap();
        let near = |a: f64, b: f64| (a - b).abs() < 1e-12;
        assert!(near(score.low, expected.0) && near(score.high, expected.1), "{ranking} | {missed}: {score:?}");
    };
    // Rank 2, whatever its grade, is the ideal's rank 1: S/2 of S.
    check("0 -", "0", (0.0, 0.5));
    // Rank 1 alone is the ideal.
    check("- 0", "0", (0.0, 1.0));
    // Both relevant, the first has 1/2 of its term in the ideal, the second at most 2/3: no more than 2/3 in all.
    check("0 - -", "0", (0.0, 2.0 / 3.0));
    // Grade 3 has S = 7/8. Rank 2 as good: 7/16 + (1/8)(7/8)/3, of an ideal of at least 7/8: 1/2 + 1/24. Least: rank 2
    // without relevance, (7/8)/3 of 7/8.
    check("0 - 3", "", (1.0 / 3.0, 13.0 / 24.0));
}

#[test]
fn players_and_prices() {
    // Enough at rank 2, or already at rank 1.
    check("BPM(T=1)@3", "- 1 0", "", 1.0, (0.5, 0.5, 1.0));
    // 2 is gained at rank 3, or at rank 2.
    check("BPM(T=2)@3", "1 - 1", "", 1.0, (2.0 / 3.0, 2.0 / 3.0, 1.0));
    // More is less: grade 2 at rank 2 ends the search with (0 + 1)/2; not relevant, rank 3 makes it 1/3; grade 1: 1.5/3.
    check("BPM(T=1)@3", "0 - 2", "", 2.0, (1.0 / 3.0, 1.0 / 3.0, 0.5));
    // 2 - 1 now; rank 2 relevant: 2 * 2; the missed one relevant: one less.
    check("Utility(a=2,b=-1,c=-1,d=0)", "1 -", "?", 1.0, (0.0, 1.0, 4.0));
    // Rank 1 has grade 1 of the topic's 1: 1/2, and 1 with all below. A grade 2 far down halves it.
    check("RBP(p=0.5,gain=topic)", "1", "", 2.0, (0.25, 0.5, 1.0));
}

#[test]
fn subtopics_groups_and_preferences() {
    let subtopics = |measure: &str, lists: (&str, &str), expected: (f64, f64, f64)| {
        check_marked(JudgementKind::Subtopics, measure, lists, 1.0, expected);
    };
    // One of two subtopics; rank 2 could cover the other.
    subtopics("StRecall@2", ("a -", "b"), (0.5, 0.5, 1.0));
    // c is named, nothing is relevant to it: relevant at rank 2 beyond the cut-off, it is a third to cover.
    subtopics("StRecall@1", ("ac0 -", "b"), (1.0 / 3.0, 0.5, 0.5));
    // 1 of 2 * 2, or rank 2 about both: 3 of 4.
    subtopics("P_IA@2", ("a -", "b"), (0.25, 0.25, 0.75));
    // a has AP 1 either way; b 0, or with rank 2 (1/2)/2.
    subtopics("AP_IA", ("a -", "b"), (0.5, 0.5, 0.625));
    // 1/(4/3), and all of it when the list goes on with documents about a.
    subtopics("NRBP(alpha=0.5,beta=0.5)", ("a", ""), (0.75, 0.75, 1.0));
    // Both subtopics at rank 2: 1/2 each, of 1 + (1/2)/2 = 5/4; rank 1 about both: 5/4 each.
    subtopics("ERR_IA@2", ("- ab", ""), (0.4, 0.4, 1.0));
    let groups = |expected| check_marked(JudgementKind::Groups, "GroupAP", ("a1b0 -", ""), 1.0, expected);
    // Group a: 1, also with rank 2. Group b: nothing, or rank 2 relevant: 1/2.
    groups((0.5, 0.5, 0.75));
    // Nothing is said about a document in no order.
    check_marked(JudgementKind::Preferences, "PrefRatio", ("a2 - a1", ""), 1.0, (0.0, 1.0, 1.0));
    // One stated; three documents have three pairs.
    check_marked(JudgementKind::Preferences, "NumPrefs", ("a2 - a1", ""), 1.0, (1.0, 1.0, 3.0));
}
