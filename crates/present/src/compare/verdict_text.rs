//! The verdict in words: the conclusion first, then the numbers, then what would help. Numbers are the leader's lead.

use karat_analysis::compare::verdict::{NoP, Range, Reason, Side, Verdict, WorstCase};
use karat_report::NumberStyle;

use crate::words::percent;

/// One sentence or two, without the last full stop; `names` are those of the two runs.
pub fn because(verdict: &Verdict, names: (&str, &str)) -> String {
    let words = Words::new(verdict, names);
    let Words { leader, level, .. } = &words;
    match &verdict.reason {
        Reason::NoTest(NoP::NotRun) => "No test: the randomisation test was not run".into(),
        Reason::NoTest(NoP::NoTest(why)) => format!("No test: {why}"),
        Reason::NoInterval(why) => format!("No interval: {why}"),
        Reason::Better { lead, interval, p, worst_case } => {
            let better = format!(
                "{leader} is better by {} ({level} interval {}, adjusted p {})",
                score(*lead),
                range(*interval),
                probability(*p)
            );
            let strict = verdict.winner.is_none();
            better + &if strict { uncertain(*worst_case) } else { worst_case_text(*worst_case) }
        }
        Reason::NotSignificant { .. } => not_significant(&verdict.reason, &words),
        Reason::Unresolvable { topics, alpha } => format!(
            "Too few topics: no result on {topics} topics could reach an adjusted p below {}",
            NumberStyle::Significant(2).show(*alpha)
        ),
        Reason::Unmodelled { .. }
        | Reason::Unjudged { .. }
        | Reason::Uncorrected { .. }
        | Reason::Judges { .. }
        | Reason::Together { .. } => significant_but(&verdict.reason, &words),
    }
}

/// Significant over topics, but something else leaves it open.
fn significant_but(reason: &Reason, Words { leader, other, level }: &Words<'_>) -> String {
    match reason {
        Reason::Unmodelled { lead, p, bounds } => format!(
            "No relevance model for the unjudged documents, which could change it{}: {leader}'s lead of {} is significant over topics \
             (adjusted p {})",
            bounds.map_or_else(String::new, |bounds| format!(" (bounds {})", range(bounds))),
            score(*lead),
            probability(*p)
        ),
        Reason::Unjudged { lead, p, modelled, interval } => format!(
            "Unjudged documents: {leader}'s lead of {} is significant over topics (adjusted p {}), but under the relevance model {} \
             ({level} interval of {leader}'s lead {})",
            score(*lead),
            probability(*p),
            if *modelled < 0.0 {
                format!("{other} leads by {}", score(modelled.abs()))
            } else {
                format!("it is {}", score(*modelled))
            },
            range(*interval)
        ),
        Reason::Uncorrected { lead, p } => format!(
            "Judges: {leader}'s lead of {} is significant over topics (adjusted p {}), but the effect of judge errors on this measure is not \
             known. Use P, RBP, DCG or CG, or omit --calibration",
            score(*lead),
            probability(*p)
        ),
        Reason::Judges { lead, p, interval } => format!(
            "Judges: {leader}'s lead of {} is significant over topics (adjusted p {}), but not with the calibration error ({level} interval {})",
            score(*lead),
            probability(*p),
            range(*interval)
        ),
        Reason::Together { lead, interval } => format!(
            "Topics, unjudged documents and judges together: {leader}'s lead of {} is significant with each alone, but not with all \
             ({level} interval {})",
            score(*lead),
            range(*interval)
        ),
        _ => String::new(),
    }
}

/// What every sentence needs.
struct Words<'a> {
    leader: &'a str,
    other: &'a str,
    level: String,
}

impl<'a> Words<'a> {
    fn new(verdict: &Verdict, (a, b): (&'a str, &'a str)) -> Words<'a> {
        let (leader, other) = if verdict.leader == Side::A { (a, b) } else { (b, a) };
        Words { leader, other, level: percent(verdict.level) }
    }
}

fn not_significant(reason: &Reason, Words { leader, other, level }: &Words<'_>) -> String {
    let Reason::NotSignificant { lead, topics, interval, p, corrected, topics_needed, modelled } = reason else {
        return String::new();
    };
    let (lead, interval, p) = (score(*lead), range(*interval), probability(*p));
    let after = if *corrected { " after the correction for several pairs" } else { "" };
    let alone = if *corrected { " of this pair alone" } else { "" };
    let needed = topics_needed.map_or_else(String::new, |needed| format!(". About {needed} topics would be needed"));
    let modelled = match modelled {
        None => String::new(),
        Some(modelled) if *modelled < 0.0 => format!(
            ". Under the relevance model {other} leads by {}: judge documents before adding topics",
            score(modelled.abs())
        ),
        Some(modelled) => format!(". Under the relevance model the lead is {}", score(*modelled)),
    };
    format!(
        "Not significant{after}: {leader} leads by {lead} on {topics} topics ({level} interval{alone} {interval}, adjusted p {p}){needed}{modelled}"
    )
}

fn worst_case_text(worst_case: WorstCase) -> String {
    match worst_case {
        WorstCase::Unknown | WorstCase::Closed => String::new(),
        WorstCase::Holds(bounds) => {
            format!("; holds however the unjudged documents are judged (bounds {})", range(bounds))
        }
        WorstCase::HoldsAtErrorRates(bounds) => {
            format!(
                "; holds at the estimated judge error rates, however the unjudged documents are judged (bounds {})",
                range(bounds)
            )
        }
        WorstCase::Reversible(bounds) => {
            format!("; not certain: the unjudged documents could reverse it (bounds {})", range(bounds))
        }
    }
}

/// Why `--strict` withholds a verdict.
fn uncertain(worst_case: WorstCase) -> String {
    match worst_case {
        WorstCase::Reversible(bounds) => {
            format!(", but not certain (--strict): the unjudged documents could reverse it (bounds {})", range(bounds))
        }
        WorstCase::Unknown => ", but not certain (--strict): there are no bounds".into(),
        _ => ", but not certain (--strict): the judge error rates are estimates".into(),
    }
}

fn score(value: f64) -> String {
    NumberStyle::Score.show(value)
}

fn range((low, high): Range) -> String {
    format!("{} to {}", score(low), score(high))
}

fn probability(p: f64) -> String {
    NumberStyle::P.show(p)
}

#[cfg(test)]
mod tests {
    use karat_analysis::compare::verdict::Block;

    use super::*;

    #[test]
    fn the_conclusion_comes_first_and_the_leader_leads() {
        let (winner, undecided) = (Some(Side::B), None);
        let worst_case = WorstCase::Reversible((-0.0018, 0.5075));
        let better = Reason::Better { lead: 0.0752, interval: (0.0257, 0.254), p: 0.0075, worst_case };
        let open = |topics_needed, modelled| Reason::NotSignificant {
            lead: 0.05,
            topics: 50,
            interval: (-0.01, 0.11),
            p: 0.12,
            corrected: false,
            topics_needed,
            modelled,
        };
        let rows = [
            (
                winner,
                better.clone(),
                "new is better by 0.0752 (95% interval 0.0257 to 0.2540, adjusted p 0.0075); not certain: the unjudged documents could reverse it (bounds -0.0018 to 0.5075)",
            ),
            (
                undecided,
                better,
                "new is better by 0.0752 (95% interval 0.0257 to 0.2540, adjusted p 0.0075), but not certain (--strict): the unjudged documents could reverse it (bounds -0.0018 to 0.5075)",
            ),
            (
                undecided,
                open(Some(193), None),
                "Not significant: new leads by 0.0500 on 50 topics (95% interval -0.0100 to 0.1100, adjusted p 0.12). About 193 topics would be needed",
            ),
            (
                undecided,
                open(None, Some(-0.02)),
                "Not significant: new leads by 0.0500 on 50 topics (95% interval -0.0100 to 0.1100, adjusted p 0.12). Under the relevance model old leads by 0.0200: judge documents before adding topics",
            ),
            (
                undecided,
                Reason::Unresolvable { topics: 5, alpha: 0.05 },
                "Too few topics: no result on 5 topics could reach an adjusted p below 0.050",
            ),
        ];
        for (winner, reason, expected) in rows {
            let blocked = vec![Block::Queries];
            let verdict =
                Verdict { winner, certain: false, blocked, leans: None, leader: Side::B, level: 0.95, reason };
            assert_eq!(because(&verdict, ("old", "new")), expected);
        }
    }
}
