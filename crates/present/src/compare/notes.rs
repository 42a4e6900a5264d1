//! Notes of a comparison in words.

use karat_analysis::compare::notes::CompareNote;
use karat_analysis::compare::{Correcting, NotTogether};
use karat_analysis::judges::rate_warnings;
use karat_report::NumberStyle;
use karat_stats::rare_losses::RareLosses;

use super::tables::choice_name;
use crate::eval::notes::{first_names, scale_from_1, sparse, topic_note};
use crate::judges::{SAME_RATES, rate_warning};
use crate::words::percent;

fn score(value: f64) -> String {
    NumberStyle::Score.show(value)
}

/// A note in words; that on judges may be several.
pub(super) fn note(note: &CompareNote) -> Vec<String> {
    if let CompareNote::Judges(calibration, discrimination) = note {
        return rate_warnings(calibration, discrimination).iter().map(rate_warning).collect();
    }
    if let CompareNote::Topics(note) = note {
        return vec![topic_note(note)];
    }
    vec![numbers(note).or_else(|| of_unjudged(note)).or_else(|| of_orders(note)).unwrap_or_else(|| of_judges(note))]
}

/// On topics, ranks and tests.
fn numbers(note: &CompareNote) -> Option<String> {
    Some(match note {
        CompareNote::NoRanks(measure, why) => format!("no ranks by {measure}: {why}"),
        CompareNote::NoGroups(measure) => format!("no groups by {measure}: too many would be needed"),
        CompareNote::Groups => "no verdict separates runs that share a letter".into(),
        CompareNote::NoCommonTopic { a, b, measures } => {
            format!("warning: {a} and {b} are not compared by {}: no topic has a score in both", measures.join(", "))
        }
        CompareNote::FewerTopics { a, b, measure, topics, judged } => {
            format!("{a} and {b}, {measure}: {topics} of {judged} judged topics have a score in both")
        }
        CompareNote::NoTest { test, why } => format!("no {test}: {why}"),
        CompareNote::SmallestP { test, p } => {
            format!("{test}: the smallest possible p is {} here", NumberStyle::Significant(2).show(*p))
        }
        CompareNote::RareLosses { leader, other, measure, found, more } => {
            let more = if *more == 0 { String::new() } else { format!(" Also for {more} more verdicts.") };
            format!("warning: {}{more}", rare_losses((leader, other, measure), found))
        }
        CompareNote::Detectable { topics, power, correction, several, differences } => {
            detectable((*topics, *power), several.then_some(correction), differences)
        }
        CompareNote::Adjusted { pairs, correction } => {
            format!("p adjusted for {pairs} pairs per measure: {}", correction_name(correction))
        }
        CompareNote::NotTogether { why, measures } => format!(
            "Holm's correction instead of max-T for {}: {}",
            measures.join(", "),
            match why {
                NotTogether::NotAsTheyAre => "max-T tests scores as they are, not expected or corrected ones",
                NotTogether::TopicsDiffer => "max-T needs scores of all runs on the same topics",
            }
        ),
        _ => return None,
    })
}

fn rare_losses((leader, other, measure): (&str, &str, &str), found: &RareLosses) -> String {
    match found {
        RareLosses::Unseen { topics, share, cancelling } => format!(
            "up to {}% of topics may differ from the {topics} seen; losing {} on those cancels {leader}'s lead over {other} ({measure}). \
             --test bounded allows for it.",
            NumberStyle::Significant(2).show(100.0 * share),
            score(*cancelling)
        ),
        RareLosses::Few { largest, lead } => format!(
            "{leader}'s lead over {other} ({measure}, {}) depends on how rare its large losses are (largest: {}). --test bounded \
             allows for it.",
            score(*lead),
            score(*largest)
        ),
    }
}

fn correction_name(correction: &Correcting) -> &'static str {
    match correction {
        Correcting::Rule(rule) => rule.title,
        Correcting::MaxT => "step-down max-T (randomisation test), Holm (other tests)",
        Correcting::Tukey => {
            "randomised Tukey HSD (randomisation test; assumes that all runs vary alike), Holm (other tests)"
        }
    }
}

fn detectable(
    (topics, power): (usize, f64),
    correction: Option<&Correcting>,
    differences: &[(String, f64, f64)],
) -> String {
    if differences.is_empty() {
        return format!("no smallest detectable difference on {topics} topics: the differences have no spread");
    }
    let one = |(measure, least, most): &(String, f64, f64)| {
        let (least, most) = (score(*least), score(*most));
        if least == most { format!("{measure} {least}") } else { format!("{measure} {least} to {most}") }
    };
    format!(
        "smallest difference detectable on {topics} topics (power {}, {}): {}",
        percent(power),
        match correction {
            None => "paired t",
            Some(Correcting::Rule(_)) => "paired t, corrected for the number of pairs",
            Some(Correcting::MaxT) => "paired t, after the max-T correction",
            Some(Correcting::Tukey) => "after the Tukey correction",
        },
        differences.iter().map(one).collect::<Vec<_>>().join("; ")
    )
}

/// On unjudged documents.
fn of_unjudged(note: &CompareNote) -> Option<String> {
    Some(match note {
        CompareNote::RelevanceModel { name } => format!(
            "differences are expected values under a relevance model of unjudged documents ({}); a model describes and gives no verdict",
            name.map_or_else(
                || "probability as given".to_owned(),
                |name| format!("{name} model, fitted to all given runs: other runs change it")
            ),
        ),
        CompareNote::RetrievedBounds(measures) => {
            format!("Bounds of {} assume that every relevant document was retrieved or pooled.", first_names(measures))
        }
        CompareNote::NoIntervalAll(measures) => format!(
            "No interval for all judgements (interval_all) of {}: relevant documents that no run retrieved can move the difference beyond its bounds.",
            first_names(measures)
        ),
        CompareNote::Sparse(measures) => {
            format!("{} (--unjudged bounds shows what they could change)", sparse(measures))
        }
        CompareNote::ScaleFrom1(low, high) => scale_from_1(*low, *high),
        _ => return None,
    })
}

/// On orders of runs and sensitivity.
fn of_orders(note: &CompareNote) -> Option<String> {
    Some(match note {
        CompareNote::FewRuns { runs, need } => {
            format!("no order of runs by other judgements: {runs} runs, at least {need} are needed")
        }
        CompareNote::NoOrder(a, b) => format!("no agreement of orders by {a} and {b}: no topic in common"),
        CompareNote::NoOrderInterval(a, b, why) => format!("no interval of tau_b for {a} and {b}: {why}"),
        CompareNote::Orders { runs, persistence } => format!(
            "orders of {runs} runs by mean: tau_AP treats the second order as the truth and is undefined with ties; rbo is \
             rank-biased overlap at p = {persistence}, averaged over the orders of ties"
        ),
        CompareNote::NothingLeft(choice, setting) => {
            format!("sensitivity: no comparison with {} {setting}: no topic in common", choice_name(*choice))
        }
        CompareNote::NoMissingTopics => {
            "sensitivity: no run lacks a judged topic, so --missing-topics has no effect".into()
        }
        _ => return None,
    })
}

/// On the judges' errors.
fn of_judges(note: &CompareNote) -> String {
    match note {
        CompareNote::SharedCalibration => {
            "one calibration serves both runs: its error is shared and partly cancels".into()
        }
        CompareNote::OutOfRange => "warning: a corrected difference, or its interval, is larger than scores can differ: scores and error \
                                    rates do not fit together (karat eval --calibration shows each run's corrected score)"
            .into(),
        CompareNote::UnjudgedUncorrected => {
            "only judged documents are corrected; the relevance model predicts what these judges would say, errors included".into()
        }
        CompareNote::NotCorrected(measures) => {
            format!("no verdict, because differences are corrected only for measures linear in gain: {}", measures.join(", "))
        }
        CompareNote::UncorrectedRanks => {
            "ranks and variance shares use the scores as they are, neither expected nor corrected".into()
        }
        _ => SAME_RATES.into(),
    }
}
