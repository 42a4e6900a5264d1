//! One row per rule: the grounds differ from a clear win in what the row says, and nothing else.

use karat_stats::interval::NoInterval;
use karat_stats::test::NoTest;

use super::super::verdict::NoP;
use super::*;

/// A clear win of the first run on 50 topics at 95%: every interval excludes 0, the adjusted p of .01 is below .05, and nothing is unjudged.
fn win() -> Grounds {
    Grounds {
        topics: 50,
        observed: 0.1,
        expected: 0.1,
        bounds: Some((0.1, 0.1)),
        over_topics: Ok((0.05, 0.15)),
        all_sources: Ok((0.04, 0.16)),
        with_unjudged: Some((0.04, 0.16)),
        with_judges: Some((0.05, 0.15)),
        unjudged_alone: Some((0.08, 0.12)),
        judges_alone: None,
        p: Ok(0.01),
        level: 0.95,
        topics_needed: Some(20),
        unmodelled: false,
        uncorrected: false,
        unresolvable: false,
        complete: true,
        worst_case: Some(Side::A),
        strict: false,
    }
}

/// The same with everything mirrored: the second run wins.
fn mirrored(grounds: Grounds) -> Grounds {
    let turn = |(low, high): Range| (0.0 - high, 0.0 - low);
    Grounds {
        observed: 0.0 - grounds.observed,
        expected: 0.0 - grounds.expected,
        bounds: grounds.bounds.map(turn),
        over_topics: grounds.over_topics.map(turn),
        all_sources: grounds.all_sources.map(turn),
        with_unjudged: grounds.with_unjudged.map(turn),
        with_judges: grounds.with_judges.map(turn),
        unjudged_alone: grounds.unjudged_alone.map(turn),
        judges_alone: grounds.judges_alone.map(turn),
        worst_case: grounds.worst_case.map(Side::other),
        ..grounds
    }
}

/// Bounds on both sides of 0.
const OPEN: Option<Range> = Some((-0.2, 0.3));
/// Bounds that exclude 0.
const SAFE: Option<Range> = Some((0.02, 0.3));

/// Unjudged documents could reverse it.
fn open(grounds: Grounds) -> Grounds {
    Grounds { bounds: OPEN, worst_case: None, ..grounds }
}

/// Without bounds there is no worst case.
fn unknown(grounds: Grounds) -> Grounds {
    Grounds { bounds: None, worst_case: None, ..grounds }
}

struct Rule {
    why: &'static str,
    grounds: Grounds,
    winner: Option<Side>,
    certain: bool,
    blocked: &'static [Block],
}

fn rule(
    why: &'static str,
    grounds: Grounds,
    (winner, certain): (Option<Side>, bool),
    blocked: &'static [Block],
) -> Rule {
    Rule { why, grounds, winner, certain, blocked }
}

fn decided() -> Vec<Rule> {
    let first = Some(Side::A);
    vec![
        rule("all intervals exclude 0 and p < .05; closed bounds exclude 0", win(), (first, true), &[]),
        rule("the same for the second run", mirrored(win()), (Some(Side::B), true), &[]),
        rule("bounds include 0: better, but not certain", open(win()), (first, false), &[]),
        rule("decided in the worst case: certain", Grounds { bounds: SAFE, ..win() }, (first, true), &[]),
        rule(
            "bounds exclude 0, but the worst case is not significant: not certain",
            Grounds { bounds: SAFE, worst_case: None, ..win() },
            (first, false),
            &[],
        ),
        rule(
            "bounds that assume every relevant document retrieved: not certain",
            Grounds { bounds: SAFE, complete: false, ..win() },
            (first, false),
            &[],
        ),
        rule(
            "certain needs no relevance model",
            Grounds { bounds: SAFE, unmodelled: true, ..win() },
            (first, true),
            &[],
        ),
        rule("no bounds: better, but not certain", unknown(win()), (first, false), &[]),
        rule(
            "bounds exclude 0, but only at estimated judge error rates: not certain",
            Grounds { bounds: SAFE, judges_alone: Some((0.05, 0.15)), ..win() },
            (first, false),
            &[],
        ),
        rule("strict, and the bounds agree", Grounds { strict: true, bounds: SAFE, ..win() }, (first, true), &[]),
        rule("p just below 1 − level", Grounds { p: Ok(0.0499), ..win() }, (first, true), &[]),
    ]
}

fn withheld() -> Vec<Rule> {
    // Where the worst case is not known to decide.
    let of = |why, grounds, blocked| rule(why, Grounds { worst_case: None, ..grounds }, (None, false), blocked);
    vec![
        rule(
            "strict, and the bounds include 0",
            Grounds { strict: true, ..open(win()) },
            (None, false),
            &[Block::Bounds],
        ),
        rule(
            "strict, and there are no bounds",
            Grounds { strict: true, ..unknown(win()) },
            (None, false),
            &[Block::Bounds],
        ),
        of("p above .05: chance over topics is not excluded", Grounds { p: Ok(0.06), ..win() }, &[Block::Queries]),
        of("p of exactly 1 − level is not below it", Grounds { p: Ok(1.0 - 0.95), ..win() }, &[Block::Queries]),
        of(
            "the interval over topics includes 0, and with it that of all sources",
            Grounds { over_topics: Ok((-0.01, 0.21)), all_sources: Ok((-0.02, 0.22)), ..win() },
            &[Block::Queries],
        ),
        of(
            "no test: nothing is known of chance",
            Grounds { p: Err(NoP::NoTest(NoTest::AllZero)), ..win() },
            &[Block::Queries],
        ),
        of("the deciding test was not run", Grounds { p: Err(NoP::NotRun), ..win() }, &[Block::Queries]),
        of(
            "no interval: one topic has no spread",
            Grounds {
                over_topics: Err(NoInterval::TooFew { have: 1, need: 5 }),
                all_sources: Err(NoInterval::TooFew { have: 1, need: 5 }),
                ..win()
            },
            &[Block::Queries],
        ),
        of(
            "unjudged documents matter and no model covers them",
            Grounds { unmodelled: true, ..win() },
            &[Block::Unjudged],
        ),
        of(
            "topics decide, unjudged documents added undo it",
            Grounds { with_unjudged: Some((-0.01, 0.16)), all_sources: Ok((-0.01, 0.16)), ..win() },
            &[Block::Unjudged],
        ),
        of(
            "unjudged documents alone leave both signs open",
            Grounds { unjudged_alone: Some((-0.01, 0.12)), all_sources: Ok((-0.01, 0.16)), ..win() },
            &[Block::Unjudged],
        ),
        rule(
            "the effect of judge errors on the measure is not known: bounds of the labels are not certain either",
            Grounds { uncorrected: true, ..win() },
            (None, false),
            &[Block::Judges],
        ),
        rule(
            "the judges' error rates alone leave both signs open",
            Grounds { judges_alone: Some((-0.01, 0.2)), all_sources: Ok((-0.02, 0.22)), ..win() },
            (None, false),
            &[Block::Judges],
        ),
        rule(
            "topics decide, the calibration's error added undoes it",
            Grounds {
                judges_alone: Some((0.01, 0.2)),
                with_judges: Some((-0.01, 0.2)),
                all_sources: Ok((-0.02, 0.22)),
                ..win()
            },
            (None, false),
            &[Block::Judges],
        ),
        of(
            "each source alone passes, all together do not",
            Grounds { all_sources: Ok((-0.01, 0.21)), ..win() },
            &[Block::Together],
        ),
        rule(
            "every source that blocks is named",
            Grounds {
                p: Ok(0.3),
                unjudged_alone: Some((-0.1, 0.1)),
                judges_alone: Some((-0.1, 0.1)),
                all_sources: Ok((-0.2, 0.2)),
                ..win()
            },
            (None, false),
            &[Block::Queries, Block::Unjudged, Block::Judges],
        ),
    ]
}

#[test]
fn every_rule() {
    for Rule { why, grounds, winner, certain, blocked } in decided().into_iter().chain(withheld()) {
        let found = decide(&grounds);
        assert_eq!((found.winner, found.certain, &found.blocked[..]), (winner, certain, blocked), "{why}");
        // A verdict does not depend on which run is named first.
        let turned = decide(&mirrored(grounds));
        assert_eq!((turned.winner, turned.certain), (winner.map(Side::other), certain), "mirrored: {why}");
        assert_eq!(turned.blocked, found.blocked, "mirrored: {why}");
        assert_eq!(turned.reason, found.reason, "the reason speaks of the leader's lead: {why}");
    }
}

#[test]
fn a_win_tells_lead_interval_and_worst_case() {
    let worst = |grounds: &Grounds| match decide(grounds).reason {
        Reason::Better { lead, interval, p, worst_case } => {
            // Observed .1, all sources (.04, .16), p .01, also when the second run wins.
            assert_eq!((lead, interval, p), (0.1, (0.04, 0.16), 0.01));
            worst_case
        }
        other => panic!("{other:?}"),
    };
    let estimated = Grounds { judges_alone: Some((0.05, 0.15)), bounds: SAFE, ..win() };
    let rows = [
        ("least and greatest are one: nothing is open", win(), WorstCase::Closed),
        ("no bounds", unknown(win()), WorstCase::Unknown),
        ("both above 0", Grounds { bounds: SAFE, ..win() }, WorstCase::Holds((0.02, 0.3))),
        ("above 0 at estimated error rates", estimated, WorstCase::HoldsAtErrorRates((0.02, 0.3))),
        ("0 between them", open(win()), WorstCase::Reversible((-0.2, 0.3))),
        (
            "above 0, but not significantly",
            Grounds { bounds: SAFE, worst_case: None, ..win() },
            WorstCase::NotSignificant((0.02, 0.3)),
        ),
        (
            "above 0 if nothing relevant is left unretrieved",
            Grounds { bounds: SAFE, complete: false, ..win() },
            WorstCase::IfAllRetrieved((0.02, 0.3)),
        ),
    ];
    for (why, grounds, expected) in rows {
        assert_eq!(worst(&grounds), expected, "{why}");
        assert_eq!(worst(&mirrored(grounds)), expected, "mirrored: {why}");
    }
}

#[test]
fn the_reason_is_the_first_that_applies() {
    let undone =
        Grounds { with_unjudged: Some((-0.08, 0.16)), all_sources: Ok((-0.08, 0.16)), expected: -0.02, ..win() };
    let rows = [
        (
            "too few topics for any result",
            Grounds { p: Ok(0.0625), unresolvable: true, topics: 5, ..win() },
            Reason::Unresolvable { topics: 5, alpha: 1.0 - 0.95 },
        ),
        (
            "no model, bounds shown",
            Grounds { unmodelled: true, bounds: OPEN, ..win() },
            Reason::Unmodelled { lead: 0.1, p: 0.01, bounds: OPEN },
        ),
        (
            "no model comes before what the judges do",
            Grounds { unmodelled: true, uncorrected: true, ..win() },
            Reason::Unmodelled { lead: 0.1, p: 0.01, bounds: Some((0.1, 0.1)) },
        ),
        (
            "the model says that the other run leads by .02",
            undone.clone(),
            Reason::Unjudged { lead: 0.1, p: 0.01, modelled: -0.02, interval: (-0.08, 0.16) },
        ),
        (
            "unjudged documents come before unknown judge errors",
            Grounds { uncorrected: true, ..undone },
            Reason::Unjudged { lead: 0.1, p: 0.01, modelled: -0.02, interval: (-0.08, 0.16) },
        ),
        (
            "unknown judge errors alone",
            Grounds { uncorrected: true, ..win() },
            Reason::Uncorrected { lead: 0.1, p: 0.01 },
        ),
        (
            "known judge errors",
            Grounds { judges_alone: Some((-0.01, 0.2)), all_sources: Ok((-0.02, 0.22)), ..win() },
            Reason::Judges { lead: 0.1, p: 0.01, interval: (-0.02, 0.22) },
        ),
        (
            "all together",
            Grounds { all_sources: Ok((-0.01, 0.21)), ..win() },
            Reason::Together { lead: 0.1, interval: (-0.01, 0.21) },
        ),
    ];
    for (why, grounds, expected) in rows {
        // Where the worst case does not decide.
        let grounds = Grounds { worst_case: None, ..grounds };
        assert_eq!(decide(&grounds).reason, expected, "{why}");
    }
}

#[test]
fn what_is_told_where_topics_are_too_few() {
    /// Corrected for several pairs, topics needed, lead under the model.
    type Told = (bool, Option<u64>, Option<f64>);
    let told = |grounds: Grounds| -> Told {
        match decide(&grounds).reason {
            Reason::NotSignificant { corrected, topics_needed, modelled, .. } => (corrected, topics_needed, modelled),
            other => panic!("{other:?}"),
        }
    };
    // The interval over topics includes 0, and the least that unjudged documents allow is above it.
    let weak = Grounds { p: Ok(0.2), over_topics: Ok((-0.01, 0.21)), all_sources: Ok((-0.01, 0.21)), ..win() };
    let open = Grounds { unjudged_alone: Some((-0.1, 0.12)), topics_needed: Some(90), ..weak.clone() };
    let rows: [(&str, Grounds, Told); 6] = [
        ("20 topics needed, there are 50: no advice", weak.clone(), (false, None, None)),
        ("90 needed", Grounds { topics_needed: Some(90), ..weak.clone() }, (false, Some(90), None)),
        (
            "the pair's own interval excludes 0: it is the correction",
            Grounds { p: Ok(0.2), ..win() },
            (true, None, None),
        ),
        (
            "unjudged documents block too: what the model says is told",
            Grounds { expected: 0.03, ..open.clone() },
            (false, Some(90), Some(0.03)),
        ),
        (
            "the model reverses it: more topics would not help",
            Grounds { expected: -0.03, ..open },
            (false, None, Some(-0.03)),
        ),
        ("no model: nothing to tell of it", Grounds { unmodelled: true, ..weak }, (false, None, None)),
    ];
    for (why, grounds, expected) in rows {
        assert_eq!(told(grounds), expected, "{why}");
    }
}

#[test]
fn only_what_could_not_be_significant_leans() {
    // Five topics: the least p of sign flips is 2 / 2^5 = .0625.
    let few = Grounds { p: Ok(0.0625), unresolvable: true, topics: 5, ..win() };
    assert_eq!(decide(&few).leans, Some(Side::A));
    assert_eq!(decide(&mirrored(few.clone())).leans, Some(Side::B));
    assert_eq!(decide(&Grounds { over_topics: Ok((-0.01, 0.2)), ..few }).leans, None, "topics favour nobody");
    assert_eq!(decide(&Grounds { p: Ok(0.2), ..win() }).leans, None, "50 topics could have been significant");
}
