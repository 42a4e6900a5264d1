//! What holds within a margin, in words: the conclusion first, then the limits, then what it rests on.

use karat_analysis::compare::MarginOutcome;
use karat_analysis::compare::margin::NotWorse;
use karat_analysis::compare::verdict::{Assumption, Basis, Side};
use karat_report::NumberStyle;
use karat_stats::rare_losses::RareLosses;

/// What is said of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Said {
    /// All that holds.
    Both,
    /// Whether the run that is not the baseline is not worse.
    NotWorse,
    /// Whether both are equivalent, and if not, why.
    Equivalent,
}

/// One sentence without the full stop; `names` are those of the two runs.
pub(super) fn sentence(found: &MarginOutcome, names: (&str, &str), said: Said) -> String {
    let (candidate, other) = if found.candidate == Side::A { names } else { (names.1, names.0) };
    let margin = NumberStyle::Given.show(found.margin);
    if found.equivalent() && said != Said::NotWorse {
        return format!(
            "{candidate} and {other} are equivalent within {margin} ({}; {}){}{}",
            limit(&found.not_worse, candidate),
            limit(&found.other_not_worse, other),
            rests_on(&found.not_worse),
            warning(&found.not_worse)
        );
    }
    if said == Said::Equivalent && found.not_worse.basis.is_some() {
        return format!(
            "not equivalent: {other} may be more than {margin} worse than {candidate} ({}){}",
            limit(&found.other_not_worse, other),
            why_not(&found.other_not_worse, found.margin, candidate)
        );
    }
    let evidence = limit(&found.not_worse, candidate);
    match found.not_worse.basis {
        Some(_) => format!(
            "{candidate} is not worse than {other} by more than {margin} ({evidence}){}{}",
            rests_on(&found.not_worse),
            warning(&found.not_worse)
        ),
        None => format!(
            "{candidate} may be more than {margin} worse than {other} ({evidence}){}",
            why_not(&found.not_worse, found.margin, other)
        ),
    }
}

fn score(value: f64) -> String {
    NumberStyle::Score.show(value)
}

/// The lower limit of a run's lead, and the p of the test.
fn limit(found: &NotWorse, name: &str) -> String {
    let limit = match found.limit {
        None => format!("no limit for {name}"),
        Some(limit) if limit < 0.0 => format!("{name} is at most {} worse, one-sided", score(-limit)),
        Some(limit) => format!("{name} leads by at least {}, one-sided", score(limit)),
    };
    let p = found.p.map_or_else(|| "no test".to_owned(), |p| format!("p {}", NumberStyle::P.show(p)));
    format!("{limit}; {p}")
}

fn rests_on(found: &NotWorse) -> String {
    match (found.basis, found.tipping.as_ref().and_then(|tipping| tipping.point)) {
        (Some(Basis::Sampled), _) => ", estimated from the sampled judgements".into(),
        (Some(Basis::Certain), _) => ", however the unjudged documents are judged".into(),
        (Some(Basis::Assumed(Assumption::SparseJudgements)), _) => {
            ", if documents without a judgement are not relevant".into()
        }
        (Some(Basis::Assumed(_)), Some(point)) => {
            format!(
                ", unless more than {:.0}% of the unjudged documents that count against it are relevant",
                100.0 * point
            )
        }
        _ => String::new(),
    }
}

/// Why it is not shown, where limit and p are not the reason: few topics, unjudged documents, or no basis at all.
fn why_not(found: &NotWorse, margin: f64, other: &str) -> String {
    if !(found.limit.is_some_and(|limit| limit > 0.0 - margin)) {
        return String::new();
    }
    match (&found.rare_losses, found.tipping.as_ref().and_then(|tipping| tipping.point)) {
        (Some(losses), None) => format!(": too few topics. {}", hidden(losses)),
        (_, Some(point)) => format!(
            ": it fails if more than {:.0}% of the unjudged documents that {other} ranks higher are relevant",
            100.0 * point
        ),
        (None, None) => ": no verdict is given under these options (karat explain basis)".into(),
    }
}

/// That topics unlike those seen could exceed the margin.
fn hidden(found: &RareLosses) -> String {
    match found {
        RareLosses::Unseen { topics, share, cancelling } => format!(
            "Up to {}% of topics may differ from the {topics} seen; losing {} more on those exceeds the margin",
            NumberStyle::Significant(2).show(100.0 * share),
            score(*cancelling)
        ),
        RareLosses::Few { largest, .. } => {
            format!("The margin depends on how rare large losses are (largest: {})", score(*largest))
        }
    }
}

/// The warning with a conclusion that rare large losses could undo.
fn warning(found: &NotWorse) -> String {
    found.rare_losses.as_ref().map_or_else(String::new, |losses| format!(". Warning: {}", lower(&hidden(losses))))
}

fn lower(words: &str) -> String {
    let mut rest = words.chars();
    rest.next().map_or_else(String::new, |first| first.to_lowercase().chain(rest).collect())
}
