//! What disagreement means for the systems: scores, order and verdict under each judge.
//!
//! The one decision: two judges are compared over the topics that both judged, so that a difference is the judges' and not the topics'.

use std::collections::BTreeMap;

use karat_data::names::text;
use karat_data::{
    CollectionFacts, Grade, JudgeLabels, Judgement, Policy, Problems, Qrels, QrelsBuilder, RunFacts, RunSource,
};
use karat_measures::Measure;
use karat_report::{Cell, Column, NumberStyle, Table};
use karat_stats::association::kendall_tau;
use karat_stats::interval;
use karat_stats::sample::Sample;

use super::scale::Scale;
use crate::scores::{Setting, score};

/// The systems.
pub struct Effect<'a> {
    /// Their runs.
    pub runs: &'a dyn RunSource,
    /// How they are scored.
    pub measures: &'a [Box<dyn Measure>],
    /// How runs meet judgements.
    pub policy: Policy,
    /// Threads to use.
    pub threads: usize,
}

/// What came out.
pub(super) struct Found {
    pub(super) tables: Vec<Table>,
    pub(super) notes: Vec<String>,
    /// What is known of the runs.
    pub(super) runs: Vec<RunFacts>,
}

/// One judge's scores.
#[derive(Debug)]
pub struct Judged {
    /// The judge.
    pub name: String,
    /// Each run's name, and its score by topic.
    pub runs: Vec<(String, BTreeMap<Vec<u8>, f64>)>,
}

/// The order of systems under one judge next to that under another.
#[derive(Debug)]
pub struct Order {
    /// Kendall's tau; `None` where all tie under one of them.
    pub tau: Option<f64>,
    /// The means of the systems that have one under both.
    pub values: (Vec<f64>, Vec<f64>),
    /// Topics that both judged.
    pub topics: usize,
    /// The best system under each; systems that tie are not one best.
    pub best: (Option<String>, Option<String>),
}

pub(super) fn effect(of: &Effect<'_>, labels: &JudgeLabels, scale: &Scale, level: f64) -> Result<Found, Problems> {
    let (mut scores, mut orders, mut verdicts) = (scores_table(), orders_table(), verdicts_table(level));
    let mut notes = Vec::new();
    let qrels: Vec<(String, Qrels)> = labels
        .judges()
        .into_iter()
        .enumerate()
        .map(|(judge, name)| (text(name), judgements(labels, scale, judge as u32)))
        .filter(|(_, qrels)| !qrels.is_empty())
        .collect();
    let mut by_judge = Vec::new();
    for (name, qrels) in &qrels {
        let setting = Setting {
            qrels,
            uncut: None,
            collection: CollectionFacts {
                max_grade: scale.grades.last().copied().unwrap_or(1.0),
                whole_grades: scale.grades.iter().all(|grade| grade.fract() == 0.0),
                documents: None,
            },
            policy: of.policy,
            measures: of.measures,
            bounds: false,
            belief: None,
            calibration: None,
            threads: of.threads,
        };
        by_judge.push((name, qrels, score(&setting, of.runs)?));
    }
    for (at, measure) in of.measures.iter().enumerate() {
        let measure = measure.spec().to_string();
        let judged: Vec<Judged> = by_judge
            .iter()
            .map(|(name, qrels, runs)| {
                let values = |run: &crate::scores::RunScores| {
                    let defined = run.of(at).filter_map(|(topic, scored)| Some((topic, scored.as_ref().ok()?.value)));
                    defined.map(|(topic, value)| (qrels.name(topic).to_vec(), value)).collect()
                };
                let runs = runs.iter().map(|run| (run.name.clone(), values(run))).collect();
                Judged { name: (*name).clone(), runs }
            })
            .collect();
        push_scores(&mut scores, &measure, &judged);
        push_orders(&mut orders, &measure, &judged);
        notes.extend(push_verdicts(&mut verdicts, &measure, &judged, level));
    }
    notes.push("where all systems tie under a judge there is no tau, and tied systems are no best one".into());
    notes.push(
        "a system is scored by each judge's own labels and topics; documents that the judge did not label count as not relevant".into(),
    );
    let runs = by_judge.first().map(|(_, _, runs)| runs.iter().map(|run| run.topics.facts.clone()).collect());
    Ok(Found { tables: vec![scores, orders, verdicts], notes, runs: runs.unwrap_or_default() })
}

/// One judge's labels as judgements.
fn judgements(labels: &JudgeLabels, scale: &Scale, judge: u32) -> Qrels {
    let mut builder = QrelsBuilder::new();
    for item in labels.items() {
        let own = item.grades().find(|(by, _)| *by == judge);
        if let Some(grade) = own.and_then(|(_, grade)| Grade::new(scale.counted(grade))) {
            builder.push(labels.topic(item.topic), labels.document(item.document), Judgement::Grade(grade));
        }
    }
    builder.finish().0
}

fn scores_table() -> Table {
    Table::new("scores", "Systems under each judge")
        .column("measure", "measure")
        .column("judge", "judge")
        .column("run", "run")
        .column("value", "value")
        .column("rank", "rank")
        .column("topics", "topics")
}

fn orders_table() -> Table {
    Table::new("orders", "Is the order of systems the same?")
        .column("measure", "measure")
        .column("a", "judge")
        .column("b", "and")
        .with(Column::new("tau", "Kendall's tau").style(NumberStyle::Decimals(3)))
        .column("topics", "topics in common")
        .column("best_a", "best of the first")
        .column("best_b", "best of the second")
}

fn verdicts_table(level: f64) -> Table {
    Table::new("verdicts", "The best two systems under each judge")
        .column("measure", "measure")
        .column("judge", "judge")
        .column("a", "system")
        .column("b", "minus")
        .column("difference", "difference")
        .with(Column::new("interval", format!("{} interval", crate::eval::percent(level))).range())
        .column("verdict", "better")
        .column("topics", "topics")
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let all: Vec<f64> = values.collect();
    karat_stats::summation::mean(&all)
}

fn push_scores(table: &mut Table, measure: &str, judged: &[Judged]) {
    for judge in judged {
        let means: Vec<Option<f64>> = judge.runs.iter().map(|(_, topics)| mean(topics.values().copied())).collect();
        for ((run, topics), value) in judge.runs.iter().zip(&means) {
            let rank = value.map(|value| 1 + means.iter().flatten().filter(|&&other| other > value).count());
            table.push([
                measure.into(),
                judge.name.as_str().into(),
                run.as_str().into(),
                (*value).into(),
                rank.into(),
                topics.len().into(),
            ]);
        }
    }
}

/// The means of all runs over topics that both judges have; `None` for a run without one.
fn over_common(own: &Judged, other: &Judged) -> Vec<Option<f64>> {
    let common = |(run, topics): &(String, BTreeMap<Vec<u8>, f64>)| {
        let there = other.runs.iter().find(|(name, _)| name == run).map(|(_, topics)| topics)?;
        mean(topics.iter().filter(|(topic, _)| there.contains_key(*topic)).map(|(_, value)| *value))
    };
    own.runs.iter().map(common).collect()
}

/// Compares two judges over the topics that both judged; `None` where there is none.
pub fn order(a: &Judged, b: &Judged) -> Option<Order> {
    let (by_a, by_b) = (over_common(a, b), over_common(b, a));
    let both = by_a.iter().zip(&by_b).filter_map(|(a, b)| Some(((*a)?, (*b)?)));
    let values: (Vec<f64>, Vec<f64>) = both.unzip();
    let topics = a.runs.first().zip(b.runs.first());
    let topics = topics.map_or(0, |(a, b)| a.1.keys().filter(|topic| b.1.contains_key(*topic)).count());
    let best = |values: &[Option<f64>]| {
        let found = values.iter().enumerate().filter_map(|(run, value)| Some((run, (*value)?)));
        let found: Vec<(usize, f64)> = found.collect();
        let most = found.iter().map(|(_, value)| *value).fold(f64::NEG_INFINITY, f64::max);
        let mut first = found.iter().filter(|(_, value)| *value == most);
        first.next().filter(|_| first.next().is_none()).map(|(run, _)| a.runs[*run].0.clone())
    };
    let tau = kendall_tau(&values.0, &values.1);
    (topics > 0).then(|| Order { tau, values, topics, best: (best(&by_a), best(&by_b)) })
}

fn push_orders(table: &mut Table, measure: &str, judged: &[Judged]) {
    for (first, a) in judged.iter().enumerate() {
        for b in &judged[first + 1..] {
            let Some(Order { tau, topics, best, .. }) = order(a, b) else { continue };
            let cells: [Cell; 7] = [
                measure.into(),
                a.name.as_str().into(),
                b.name.as_str().into(),
                tau.into(),
                topics.into(),
                best.0.into(),
                best.1.into(),
            ];
            table.push(cells);
        }
    }
}

/// The two systems that are best over all judges and topics, under each judge; says whether the verdict survives.
fn push_verdicts(table: &mut Table, measure: &str, judged: &[Judged], level: f64) -> Option<String> {
    let runs: Vec<&String> = judged.first()?.runs.iter().map(|(run, _)| run).collect();
    let over_all = |run: usize| mean(judged.iter().flat_map(|judge| judge.runs[run].1.values().copied()));
    let mut order: Vec<(usize, f64)> = (0..runs.len()).filter_map(|run| Some((run, over_all(run)?))).collect();
    order.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let [(first, _), (second, _), ..] = order[..] else {
        return Some(format!("{measure}: fewer than two systems have a score, so there is no verdict to survive"));
    };
    let (mut ahead, mut behind, mut sure) = (0, 0, Vec::new());
    for judge in judged {
        let (a, b) = (&judge.runs[first].1, &judge.runs[second].1);
        let differences: Vec<f64> = a.iter().filter_map(|(topic, value)| Some(value - b.get(topic)?)).collect();
        let difference = karat_stats::summation::mean(&differences);
        let interval = Sample::new(&differences).ok().and_then(|sample| interval::t(&sample, level).ok());
        let verdict = match &interval {
            Some(found) if found.low > 0.0 => runs[first].as_str(),
            Some(found) if found.high < 0.0 => runs[second].as_str(),
            _ => "undecided",
        };
        ahead += u32::from(difference.is_some_and(|d| d > 0.0));
        behind += u32::from(difference.is_some_and(|d| d < 0.0));
        sure.push(verdict);
        table.push([
            measure.into(),
            judge.name.as_str().into(),
            runs[first].as_str().into(),
            runs[second].as_str().into(),
            difference.into(),
            interval.map(|found| (found.low, found.high)).into(),
            verdict.into(),
            differences.len().into(),
        ]);
    }
    let (a, b, all) = (runs[first], runs[second], judged.len());
    let count = |name: &str| sure.iter().filter(|verdict| **verdict == name).count();
    let (for_a, for_b) = (count(a), count(b));
    let same = match (for_a, for_b) {
        (0, 0) => "no judge's labels decide between them".to_owned(),
        (n, 0) | (0, n) if n == all => {
            format!("the verdict survives: {} is better under every judge", if for_a > 0 { a } else { b })
        }
        _ => format!(
            "the verdict does not survive: {a} is better under {for_a}, {b} under {for_b}, the others leave it undecided"
        ),
    };
    Some(format!("{measure}: {a} is ahead of {b} under {ahead} of {all} judges and behind under {behind}; {same}"))
}
