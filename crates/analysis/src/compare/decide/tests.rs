//! One row per rule: the evidence differs from a clear win in what the row says, and nothing else.

use karat_stats::interval::NoInterval;
use karat_stats::test::NoTest;

use super::super::tipping::rates::Rate;
use super::super::verdict::NoP;
use super::*;

/// A clear win of the first run on 50 topics at 95%: every interval excludes 0, the adjusted p of .01 is below .05, and the worst case decides.
fn win() -> Evidence {
    Evidence {
        topics: 50,
        observed: 0.1,
        bounds: Some((0.02, 0.3)),
        over_topics: Ok((0.05, 0.15)),
        interval: Ok((0.04, 0.16)),
        p: Ok(0.01),
        level: 0.95,
        topics_needed: Some(20),
        unjudged: Unjudged::Tested,
        calibrated: false,
        uncorrected: false,
        unresolvable: false,
        worst_case: Some(Side::A),
        tipping: None,
        strict: false,
    }
}

/// A rate with its upper limit.
fn rate(rate: f64, upper: f64) -> Rate {
    Rate { rate: Some(rate), upper, unique: false }
}

/// It fails at this rate; the first run's judged documents have .1 (limit .2), the second's .2 (limit .3), those of the best run .25 (limit .4).
fn tipping(point: Option<f64>) -> Option<Tipping> {
    let (a, b, best) = (rate(0.1, 0.2), rate(0.2, 0.3), rate(0.25, 0.4));
    Some(Tipping { point, lead_at_point: None, documents: 30, alike: None, a, b, best_run: Some(2), best })
}

/// The worst case does not decide; the conclusion fails at this rate.
fn open(point: Option<f64>) -> Evidence {
    Evidence { bounds: Some((-0.2, 0.3)), worst_case: None, tipping: tipping(point), ..win() }
}

/// The same with everything mirrored: the second run wins, and the first trails.
fn mirrored(evidence: Evidence) -> Evidence {
    let turn = |(low, high): Range| (0.0 - high, 0.0 - low);
    Evidence {
        observed: 0.0 - evidence.observed,
        bounds: evidence.bounds.map(turn),
        over_topics: evidence.over_topics.map(turn),
        interval: evidence.interval.map(turn),
        worst_case: evidence.worst_case.map(Side::other),
        ..evidence
    }
}

struct Rule {
    why: &'static str,
    evidence: Evidence,
    winner: Option<(Side, Basis)>,
    blocked: &'static [Block],
}

const NOT_RELEVANT: Basis = Basis::Assumed(Assumption::UnjudgedNotRelevant);
const SPARSE: Basis = Basis::Assumed(Assumption::SparseJudgements);

fn won(why: &'static str, evidence: Evidence, winner: (Side, Basis)) -> Rule {
    Rule { why, evidence, winner: Some(winner), blocked: &[] }
}

fn blocked(why: &'static str, evidence: Evidence, block: &'static [Block]) -> Rule {
    Rule { why, evidence, winner: None, blocked: block }
}

fn decided() -> Vec<Rule> {
    let assumed = (Side::A, NOT_RELEVANT);
    vec![
        won("topics and the worst case decide: certain", win(), (Side::A, Basis::Certain)),
        won("the same for the second run", mirrored(win()), (Side::B, Basis::Certain)),
        won("p just below 1 − level", Evidence { p: Ok(0.0499), ..win() }, (Side::A, Basis::Certain)),
        won("strict, and certain", Evidence { strict: true, ..win() }, (Side::A, Basis::Certain)),
        won("no rate reverses it: assumed", open(None), assumed),
        won("the tipping point is above both limits: assumed", open(Some(0.41)), assumed),
        won(
            "the same for the second run, where the first run's limit counts",
            mirrored(open(Some(0.41))),
            (Side::B, NOT_RELEVANT),
        ),
        won(
            "decided in the worst case, but only at estimated error rates of the judges: assumed",
            Evidence { calibrated: true, ..win() },
            assumed,
        ),
        won(
            "the user takes unjudged documents as not relevant",
            Evidence { unjudged: Unjudged::NotRelevant, worst_case: None, bounds: None, ..win() },
            assumed,
        ),
        won(
            "the judgements name relevant documents only",
            Evidence { unjudged: Unjudged::Sparse, worst_case: None, bounds: None, ..win() },
            (Side::A, SPARSE),
        ),
    ]
}

fn undecided() -> Vec<Rule> {
    let sparse = Evidence { unjudged: Unjudged::Sparse, worst_case: None, ..win() };
    let best_is_low = |point: f64| {
        let known = tipping(Some(point)).map(|found| Tipping { best: rate(0.1, 0.15), ..found });
        Evidence { tipping: known, ..open(None) }
    };
    vec![
        blocked("the tipping point is below the best run's limit", open(Some(0.39)), &[Block::Unjudged]),
        blocked("at the limit is not above it", open(Some(0.4)), &[Block::Unjudged]),
        blocked("below the trailing run's limit of .3", best_is_low(0.29), &[Block::Unjudged]),
        blocked(
            "the second run leads, and the first run's limit of .2 counts",
            mirrored(best_is_low(0.19)),
            &[Block::Unjudged],
        ),
        blocked("no tipping point is known", Evidence { tipping: None, ..open(None) }, &[Block::Unjudged]),
        blocked("a model gives no verdict", Evidence { unjudged: Unjudged::Modelled, ..win() }, &[Block::Unjudged]),
        blocked("p is not below 1 − level", Evidence { p: Ok(0.0501), ..win() }, &[Block::Queries]),
        blocked(
            "the interval over topics includes 0",
            Evidence { over_topics: Ok((-0.01, 0.2)), ..win() },
            &[Block::Queries],
        ),
        blocked(
            "no result could be significant",
            Evidence { p: Ok(0.2), unresolvable: true, ..win() },
            &[Block::Queries],
        ),
        blocked("no test", Evidence { p: Err(NoP::NotRun), ..win() }, &[Block::Queries]),
        blocked(
            "too few topics for a test",
            Evidence { p: Err(NoP::NoTest(NoTest::AllZero)), ..win() },
            &[Block::Queries],
        ),
        blocked(
            "equal differences on every topic have no interval, and no verdict",
            Evidence {
                over_topics: Err(NoInterval::Constant { value: 0.1 }),
                interval: Err(NoInterval::Constant { value: 0.1 }),
                ..win()
            },
            &[Block::Queries],
        ),
        blocked(
            "the judges' calibration widens the interval over 0",
            Evidence { interval: Ok((-0.01, 0.2)), ..win() },
            &[Block::Judges],
        ),
        blocked(
            "the effect of the judges' errors is not known",
            Evidence { uncorrected: true, ..win() },
            &[Block::Judges],
        ),
        blocked("strict, and assumed", Evidence { strict: true, ..open(None) }, &[Block::Bounds]),
        blocked("strict, and sparse judgements", Evidence { strict: true, ..sparse }, &[Block::Bounds]),
    ]
}

#[test]
fn every_rule() {
    for rule in decided().into_iter().chain(undecided()) {
        let found = decide(&rule.evidence);
        assert_eq!(found.winner, rule.winner, "{}", rule.why);
        assert_eq!(found.blocked, rule.blocked, "{}", rule.why);
        assert_eq!(found.is_certain(), matches!(rule.winner, Some((_, Basis::Certain))), "{}", rule.why);
    }
}

#[test]
fn numbers_are_leads_of_the_leader() {
    let found = decide(&mirrored(win()));
    let better = Reason::Better { lead: 0.1, interval: (0.04, 0.16), p: 0.01, bounds: Some((0.02, 0.3)) };
    assert_eq!((found.leader, found.reason), (Side::B, better));
    let found = decide(&mirrored(Evidence { p: Ok(0.2), topics_needed: Some(90), ..win() }));
    let (interval, topics_needed) = ((0.04, 0.16), Some(90));
    let open = Reason::NotSignificant { lead: 0.1, topics: 50, interval, p: 0.2, corrected: true, topics_needed };
    assert_eq!((found.leader, found.reason), (Side::B, open));
}

#[test]
fn tipping_points_are_wanted_where_topics_decide_and_the_worst_case_does_not() {
    assert_eq!(win().needs_tipping(), None);
    assert_eq!(open(None).needs_tipping(), Some(Side::A));
    assert_eq!(mirrored(open(None)).needs_tipping(), Some(Side::B));
    for evidence in [
        Evidence { p: Ok(0.2), ..open(None) },
        Evidence { unjudged: Unjudged::Sparse, ..open(None) },
        Evidence { unjudged: Unjudged::Modelled, ..open(None) },
        Evidence { uncorrected: true, ..open(None) },
    ] {
        assert_eq!(evidence.needs_tipping(), None);
    }
}
