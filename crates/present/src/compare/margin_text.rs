//! What holds within a margin, in words: the conclusion first, then the limits, then what it rests on.

use karat_analysis::compare::MarginOutcome;
use karat_analysis::compare::margin::NotWorse;
use karat_analysis::compare::verdict::{Assumption, Basis, Side};
use karat_report::NumberStyle;
use karat_stats::rare_losses::UnseenLoss;

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
        let (worst, name) = if found.not_worse.unseen.lead <= found.other_not_worse.unseen.lead {
            (&found.not_worse, candidate)
        } else {
            (&found.other_not_worse, other)
        };
        return format!(
            "{candidate} and {other} are equivalent within {margin} ({}; {}){}{}",
            limit(&found.not_worse, candidate),
            limit(&found.other_not_worse, other),
            rests_on(&found.not_worse),
            warning(worst, name)
        );
    }
    if said == Said::Equivalent && found.not_worse.basis.is_some() {
        return format!(
            "not equivalent: {other} may be more than {margin} worse than {candidate} ({}){}",
            limit(&found.other_not_worse, other),
            why_not(&found.other_not_worse, found.margin, (other, candidate))
        );
    }
    let evidence = limit(&found.not_worse, candidate);
    match found.not_worse.basis {
        Some(_) => format!(
            "{candidate} is not worse than {other} by more than {margin} ({evidence}){}{}",
            rests_on(&found.not_worse),
            warning(&found.not_worse, candidate)
        ),
        None => format!(
            "{candidate} may be more than {margin} worse than {other} ({evidence}){}",
            why_not(&found.not_worse, found.margin, (candidate, other))
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
fn why_not(found: &NotWorse, margin: f64, (name, other): (&str, &str)) -> String {
    if !(found.limit.is_some_and(|limit| limit > 0.0 - margin)) {
        return String::new();
    }
    match found.tipping.as_ref().and_then(|tipping| tipping.point) {
        None if found.warned => format!(": too few topics. Up to {}", hidden(&found.unseen, name)),
        Some(point) => format!(
            ": it fails if more than {:.0}% of the unjudged documents that {other} ranks higher are relevant",
            100.0 * point
        ),
        None => ": no verdict is given under these options (karat explain basis)".into(),
    }
}

/// What topics unlike those seen could do.
fn hidden(found: &UnseenLoss, name: &str) -> String {
    let UnseenLoss { topics, share, loss, lead } = found;
    let share = NumberStyle::Significant(2).show(100.0 * share);
    let may = format!("{share}% of topics may be unlike the {topics} seen");
    if !loss.is_finite() {
        return format!("{may}, and the loss on those has no limit");
    }
    let loss = NumberStyle::Given.show(*loss);
    format!("{may}; if {name} lost {loss} on each of those, its mean lead would be {}", score(*lead))
}

/// The warning with a conclusion that topics unlike those seen could undo.
fn warning(found: &NotWorse, name: &str) -> String {
    if found.warned { format!(". Warning: up to {}", hidden(&found.unseen, name)) } else { String::new() }
}
