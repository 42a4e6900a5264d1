//! What the reader must know beside the table, made from the numbers in it.

use karat_report::NumberStyle;
use karat_sim::{Experiment, Relevant};

use super::Question;
use super::outcome::{Centre, Outcome};
use crate::eval::percent;

/// All notes.
pub(super) fn notes(question: &Question, outcomes: &[Outcome]) -> Vec<String> {
    let Experiment { queries, replications, bins } = question.experiment;
    let mut notes = vec![format!(
        "mean and std. dev. are those of what the unjudged ranks add to RBP, were they judged, averaged over {queries} \
         queries, in {replications} replications"
    )];
    notes.extend(agreement(outcomes));
    notes.extend(assumption(question, outcomes));
    notes.extend(claim(outcomes));
    if replications == 1 {
        notes.push("one replication shows no standard deviation; ask for more with --replications".into());
    }
    if bins > 0 {
        notes.push(
            "histograms: \"list\" is of single rankings, over all that is possible; \"mean\" is of the mean over queries, \
             over what came out"
                .into(),
        );
    }
    notes
}

/// How far the simulation is from what is exact.
fn agreement(outcomes: &[Outcome]) -> Vec<String> {
    let mut notes = Vec::new();
    let missing = outcomes.iter().filter(|outcome| outcome.exact.is_none()).count();
    if missing > 0 {
        notes.push(format!(
            "no exact moments for {missing} of {} cells: they would take too long with so many ranks that count",
            outcomes.len()
        ));
    }
    let furthest = outcomes.iter().filter_map(Outcome::z).map(f64::abs).reduce(f64::max);
    if let Some(furthest) = furthest {
        let cells = outcomes.iter().filter_map(Outcome::z).count();
        notes.push(format!(
            "the simulated mean is at most {} standard errors from the exact one in {cells} {}",
            NumberStyle::Decimals(1).show(furthest),
            if cells == 1 { "cell" } else { "cells" }
        ));
    }
    notes
}

/// What the assumption of a constant q is, and what it costs.
fn assumption(question: &Question, outcomes: &[Outcome]) -> Vec<String> {
    let fixed = question.models.iter().any(|model| matches!(model.relevant(), Relevant::Exactly(_)));
    let when = if fixed {
        "not quite so even for w=1, because the number of relevant documents is fixed"
    } else {
        "exactly so for w=1"
    };
    let mut notes = vec![format!(
        "\"if q is constant\" takes each unjudged rank as relevant with probability q, whatever the others are \
         (Park 2016, section 2): {when}"
    )];
    let covered = || outcomes.iter().filter_map(|outcome| outcome.coverage);
    if let (Some(least), Some(most)) = (covered().reduce(f64::min), covered().reduce(f64::max)) {
        let show = |share: f64| NumberStyle::Decimals(1).show(100.0 * share);
        let (least, most) = (show(least), show(most));
        let held = if least == most { least } else { format!("{least} to {most}") };
        let mut methods: Vec<&str> =
            outcomes.iter().filter_map(|outcome| outcome.interval).map(|interval| interval.method.name()).collect();
        methods.sort_unstable();
        methods.dedup();
        notes.push(format!(
            "its {} interval ({}) held {held}% of the simulated means",
            percent(question.level),
            methods.join(", ")
        ));
    }
    notes
}

/// What the paper says of falling w, beside what came out.
fn claim(outcomes: &[Outcome]) -> Option<String> {
    let mut shares: Vec<f64> = outcomes.iter().map(|outcome| outcome.share).collect();
    shares.sort_by(f64::total_cmp);
    shares.dedup();
    let (mut means, mut deviations) = (Vec::new(), Vec::new());
    let mut exact = true;
    for share in shares {
        let mut column: Vec<&Outcome> = outcomes.iter().filter(|outcome| outcome.share == share).collect();
        column.sort_by(|a, b| b.weight.total_cmp(&a.weight));
        if column.len() < 2 || share <= 0.0 || share >= 1.0 {
            continue;
        }
        exact &= column.iter().all(|outcome| outcome.exact.is_some());
        let course_of = |of: fn(Centre) -> f64| course(&column.iter().map(|o| of(o.best())).collect::<Vec<_>>());
        means.push((share, course_of(|centre| centre.mean)));
        deviations.push((share, course_of(|centre| centre.std_dev)));
    }
    let how = if exact { "exactly computed" } else { "as simulated" };
    (!means.is_empty()).then(|| {
        format!(
            "Park (2016) says that mean and standard deviation both fall as w falls; {how}, the mean {}; the standard \
             deviation {}",
            told(&means),
            told(&deviations)
        )
    })
}

/// What numbers do from the first to the last.
fn course(values: &[f64]) -> &'static str {
    let mut turns: Vec<bool> = Vec::new();
    for pair in values.windows(2).filter(|pair| pair[0] != pair[1]) {
        let rises = pair[1] > pair[0];
        if turns.last() != Some(&rises) {
            turns.push(rises);
        }
    }
    match turns[..] {
        [] => "stays",
        [true] => "rises",
        [false] => "falls",
        [true, false] => "rises, then falls",
        [false, true] => "falls, then rises",
        _ => "goes up and down",
    }
}

/// `rises at q=0.1, 0.2 and falls at q=0.5`.
fn told(courses: &[(f64, &'static str)]) -> String {
    let mut kinds: Vec<(&str, Vec<String>)> = Vec::new();
    for (share, course) in courses {
        match kinds.iter_mut().find(|(kind, _)| kind == course) {
            Some((_, shares)) => shares.push(share.to_string()),
            None => kinds.push((course, vec![share.to_string()])),
        }
    }
    let one = |(kind, shares): &(&str, Vec<String>)| format!("{kind} at q={}", shares.join(", "));
    kinds.iter().map(one).collect::<Vec<_>>().join(" and ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_course_of_numbers_is_told() {
        assert_eq!(course(&[1.0, 2.0, 2.0, 3.0]), "rises");
        assert_eq!(course(&[3.0, 1.0]), "falls");
        assert_eq!(course(&[1.0, 2.0, 1.0]), "rises, then falls");
        assert_eq!(course(&[2.0, 1.0, 2.0]), "falls, then rises");
        assert_eq!(course(&[1.0, 2.0, 1.0, 2.0]), "goes up and down");
        assert_eq!(course(&[1.0, 1.0]), "stays");
        assert_eq!(told(&[(0.1, "rises"), (0.2, "falls"), (0.3, "rises")]), "rises at q=0.1, 0.3 and falls at q=0.2");
    }
}
