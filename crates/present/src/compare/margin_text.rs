//! What holds within a margin, in words: the conclusion first, then the limits, then what it rests on.

use karat_analysis::compare::MarginOutcome;
use karat_analysis::compare::margin::NotWorse;
use karat_analysis::compare::verdict::{Assumption, Basis, Side};
use karat_report::NumberStyle;

/// One sentence without the full stop; `names` are those of the two runs.
pub(super) fn sentence(found: &MarginOutcome, names: (&str, &str)) -> String {
    let (candidate, other) = if found.candidate == Side::A { names } else { (names.1, names.0) };
    let margin = NumberStyle::Given.show(found.margin);
    if found.equivalent() {
        return format!(
            "{candidate} and {other} are equivalent within {margin} ({}, {}){}",
            limit(&found.not_worse, candidate),
            limit(&found.other_not_worse, other),
            rests_on(&found.not_worse)
        );
    }
    let evidence = limit(&found.not_worse, candidate);
    match found.not_worse.basis {
        Some(_) => format!(
            "{candidate} is not worse than {other} by more than {margin} ({evidence}){}",
            rests_on(&found.not_worse)
        ),
        None => format!(
            "{candidate} is not shown to be at most {margin} worse than {other} ({evidence}){}",
            why_not(found, other)
        ),
    }
}

fn score(value: f64) -> String {
    NumberStyle::Score.show(value)
}

/// The lower limit of a run's lead, and the p of the test.
fn limit(found: &NotWorse, name: &str) -> String {
    let limit = found.limit.map_or_else(|| "no limit".to_owned(), score);
    let p = found.p.map_or_else(|| "no test".to_owned(), |p| format!("p {}", NumberStyle::P.show(p)));
    format!("{name} leads by at least {limit}, {p}")
}

fn rests_on(found: &NotWorse) -> String {
    match (found.basis, found.tipping.as_ref().and_then(|tipping| tipping.point)) {
        (Some(Basis::Certain), _) => ", however the unjudged documents are judged".into(),
        (Some(Basis::Assumed(Assumption::SparseJudgements)), _) => {
            ", if documents without a judgement are not relevant".into()
        }
        (Some(Basis::Assumed(_)), Some(point)) => {
            format!(", unless more than {:.0}% of the adverse unjudged documents are relevant", 100.0 * point)
        }
        _ => String::new(),
    }
}

/// Why it is not shown: topics, or unjudged documents.
fn why_not(found: &MarginOutcome, other: &str) -> String {
    let point = found.not_worse.tipping.as_ref().and_then(|tipping| tipping.point);
    match point {
        Some(point) if point > 0.0 => format!(
            ": it fails if more than {:.0}% of the unjudged documents that {other} ranks higher are relevant",
            100.0 * point
        ),
        _ => String::new(),
    }
}
