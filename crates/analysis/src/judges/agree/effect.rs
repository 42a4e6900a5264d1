//! What disagreement means for the systems: scores, order and verdict under each judge.
//!
//! Two judges are compared over the topics that both judged, so that a difference comes from the judges and not from the topics.

use std::collections::BTreeMap;

use karat_data::names::text;
use karat_data::{CollectionFacts, Grade, JudgeLabels, Judgement, Policy, Qrels, QrelsBuilder, RunFacts, RunSource};
use karat_measures::Measure;
use karat_stats::association::kendall_tau;
use karat_stats::interval;
use karat_stats::sample::Sample;
use schemars::JsonSchema;
use serde::Serialize;

use crate::judges::scale::Scale;
use crate::scores::{RunScores, ScoreError, Setting, score};

/// Runs to score by each judge's labels.
pub struct SystemRuns<'a> {
    /// The runs.
    pub runs: &'a dyn RunSource,
    /// How they are scored.
    pub measures: &'a [Box<dyn Measure>],
    /// How runs meet judgements.
    pub policy: Policy,
    /// Threads to use.
    pub threads: usize,
}

/// The systems under each judge.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct SystemsByJudge {
    /// Scores by each judge's labels.
    pub scores: Vec<JudgeScore>,
    /// Whether two judges order the systems alike.
    pub orders: Vec<OrderAgreement>,
    /// The best two systems under each judge.
    pub verdicts: Vec<JudgeVerdict>,
}

/// A system's score by one judge's labels.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct JudgeScore {
    /// The measure.
    pub measure: String,
    /// The judge.
    pub judge: String,
    /// The system.
    pub run: String,
    /// Its mean over the judge's topics.
    pub value: Option<f64>,
    /// Its rank under this judge.
    pub rank: Option<usize>,
    /// Topics.
    pub topics: usize,
}

/// The order of systems under two judges.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct OrderAgreement {
    /// The measure.
    pub measure: String,
    /// One judge.
    pub a: String,
    /// The other.
    pub b: String,
    /// Kendall's tau of the two orders; null if all systems tie under one of the judges.
    pub tau: Option<f64>,
    /// Topics that both judged.
    pub topics: usize,
    /// The best system under the first judge; null if several tie.
    pub best_a: Option<String>,
    /// The best system under the second judge; null if several tie.
    pub best_b: Option<String>,
}

/// The difference of the two systems that are best over all judges, under one judge.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct JudgeVerdict {
    /// The measure.
    pub measure: String,
    /// The judge.
    pub judge: String,
    /// The best system over all judges.
    pub a: String,
    /// The second best.
    pub b: String,
    /// Score of a minus that of b.
    pub difference: Option<f64>,
    /// Its interval.
    pub interval: Option<(f64, f64)>,
    /// The system that is significantly better, or `undecided`.
    pub verdict: String,
    /// Topics.
    pub topics: usize,
}

/// What a reader should know about systems under several judges.
#[derive(Debug, Clone, PartialEq)]
pub enum SystemsNote {
    /// Fewer than two systems have a score on this measure.
    NoVerdict {
        /// The measure.
        measure: String,
    },
    /// Whether the verdict is the same under every judge.
    Verdicts {
        /// The measure.
        measure: String,
        /// The best system over all judges, and the second best.
        systems: (String, String),
        /// Judges under whom the first leads, and under whom the second leads.
        ahead: (usize, usize),
        /// Judges under whom the first is significantly better, and under whom the second is.
        better: (usize, usize),
        /// All judges.
        judges: usize,
    },
    /// Ties have no tau and no best system.
    Ties,
    /// Each judge's own labels and topics count, and documents without a label are not relevant.
    OwnLabels,
}

/// What came out.
pub(super) struct ScoredSystems {
    pub(super) systems: SystemsByJudge,
    pub(super) notes: Vec<SystemsNote>,
    pub(super) runs: Vec<RunFacts>,
}

/// One judge's scores: by run, topic and value.
#[derive(Debug)]
pub struct Judged {
    /// The judge.
    pub name: String,
    /// By run, the scores of its topics.
    pub runs: Vec<(String, BTreeMap<Vec<u8>, f64>)>,
}

/// The order of systems under one judge compared with that under another.
#[derive(Debug)]
pub struct Order {
    /// Kendall's tau; `None` if all tie under one of them.
    pub tau: Option<f64>,
    /// The means of the systems that have one under both.
    pub values: (Vec<f64>, Vec<f64>),
    /// Topics that both judged.
    pub topics: usize,
    /// The best system under each; `None` if several tie.
    pub best: (Option<String>, Option<String>),
}

/// Scores the runs by each judge's labels, and compares.
pub(super) fn score_systems(
    of: &SystemRuns<'_>,
    labels: &JudgeLabels,
    scale: &Scale,
    level: f64,
) -> Result<ScoredSystems, ScoreError> {
    let mut by_judge = Vec::new();
    for (judge, name) in labels.judges().into_iter().enumerate() {
        let qrels = judgements(labels, scale, judge as u32);
        if !qrels.is_empty() {
            let scores = score(&setting(of, &qrels, scale), of.runs)?;
            by_judge.push((text(name), qrels, scores));
        }
    }
    let (mut systems, mut notes) = (SystemsByJudge::default(), Vec::new());
    for (at, measure) in of.measures.iter().enumerate() {
        let measure = measure.spec().to_string();
        let judged: Vec<Judged> = by_judge.iter().map(|(name, qrels, runs)| judged(name, qrels, runs, at)).collect();
        systems.scores.extend(judged.iter().flat_map(|judge| judge_scores(&measure, judge)));
        systems.orders.extend(orders(&measure, &judged));
        let (verdicts, note) = verdicts(&measure, &judged, level);
        systems.verdicts.extend(verdicts);
        notes.extend(note);
    }
    notes.extend([SystemsNote::Ties, SystemsNote::OwnLabels]);
    let runs = by_judge.first().map(|(_, _, runs)| runs.iter().map(|run| run.topics.facts.clone()).collect());
    Ok(ScoredSystems { systems, notes, runs: runs.unwrap_or_default() })
}

fn setting<'a>(of: &SystemRuns<'a>, qrels: &'a Qrels, scale: &Scale) -> Setting<'a> {
    Setting {
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
        detect_sparse: false,
        relevance_model: None,
        calibration: None,
        threads: of.threads,
    }
}

/// The scores of one measure under one judge.
fn judged(name: &str, qrels: &Qrels, runs: &[RunScores], measure: usize) -> Judged {
    let values = |run: &RunScores| {
        let defined = run.of(measure).filter_map(|(topic, scored)| Some((topic, scored.as_ref().ok()?.value)));
        defined.map(|(topic, value)| (qrels.name(topic).to_vec(), value)).collect()
    };
    Judged { name: name.to_owned(), runs: runs.iter().map(|run| (run.name.clone(), values(run))).collect() }
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

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let all: Vec<f64> = values.collect();
    karat_stats::summation::mean(&all)
}

fn judge_scores(measure: &str, judge: &Judged) -> Vec<JudgeScore> {
    let means: Vec<Option<f64>> = judge.runs.iter().map(|(_, topics)| mean(topics.values().copied())).collect();
    let rank = |value: f64| 1 + means.iter().flatten().filter(|&&other| other > value).count();
    let rows = judge.runs.iter().zip(&means).map(|((run, topics), &value)| JudgeScore {
        measure: measure.to_owned(),
        judge: judge.name.clone(),
        run: run.clone(),
        value,
        rank: value.map(rank),
        topics: topics.len(),
    });
    rows.collect()
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

fn orders(measure: &str, judged: &[Judged]) -> Vec<OrderAgreement> {
    let mut rows = Vec::new();
    for (first, a) in judged.iter().enumerate() {
        for b in &judged[first + 1..] {
            let Some(Order { tau, topics, best, .. }) = order(a, b) else { continue };
            rows.push(OrderAgreement {
                measure: measure.to_owned(),
                a: a.name.clone(),
                b: b.name.clone(),
                tau,
                topics,
                best_a: best.0,
                best_b: best.1,
            });
        }
    }
    rows
}

/// The two systems that are best over all judges and topics, as places; `None` if fewer than two have a score.
fn best_two(judged: &[Judged]) -> Option<(usize, usize)> {
    let runs = judged.first()?.runs.len();
    let over_all = |run: usize| mean(judged.iter().flat_map(|judge| judge.runs[run].1.values().copied()));
    let mut order: Vec<(usize, f64)> = (0..runs).filter_map(|run| Some((run, over_all(run)?))).collect();
    order.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    match order[..] {
        [(first, _), (second, _), ..] => Some((first, second)),
        _ => None,
    }
}

/// The best two systems under each judge, and whether the verdict is the same under all.
fn verdicts(measure: &str, judged: &[Judged], level: f64) -> (Vec<JudgeVerdict>, Option<SystemsNote>) {
    let Some((first, second)) = best_two(judged) else {
        let note = SystemsNote::NoVerdict { measure: measure.to_owned() };
        return (Vec::new(), (!judged.is_empty()).then_some(note));
    };
    let rows: Vec<JudgeVerdict> = judged.iter().map(|judge| verdict(measure, judge, (first, second), level)).collect();
    let systems = (judged[0].runs[first].0.clone(), judged[0].runs[second].0.clone());
    let count = |holds: &dyn Fn(&JudgeVerdict) -> bool| rows.iter().filter(|row| holds(row)).count();
    let note = SystemsNote::Verdicts {
        measure: measure.to_owned(),
        ahead: (
            count(&|row| row.difference.is_some_and(|difference| difference > 0.0)),
            count(&|row| row.difference.is_some_and(|difference| difference < 0.0)),
        ),
        better: (
            count(&|row| row.interval.is_some_and(|(low, _)| low > 0.0)),
            count(&|row| row.interval.is_some_and(|(_, high)| high < 0.0)),
        ),
        systems,
        judges: judged.len(),
    };
    (rows, Some(note))
}

fn verdict(measure: &str, judge: &Judged, (first, second): (usize, usize), level: f64) -> JudgeVerdict {
    let ((a, of_a), (b, of_b)) = (&judge.runs[first], &judge.runs[second]);
    let differences: Vec<f64> = of_a.iter().filter_map(|(topic, value)| Some(value - of_b.get(topic)?)).collect();
    let interval = Sample::new(&differences).ok().and_then(|sample| interval::t(&sample, level).ok());
    let verdict = match &interval {
        Some(found) if found.low > 0.0 => a.as_str(),
        Some(found) if found.high < 0.0 => b.as_str(),
        _ => "undecided",
    };
    JudgeVerdict {
        measure: measure.to_owned(),
        judge: judge.name.clone(),
        a: a.clone(),
        b: b.clone(),
        difference: karat_stats::summation::mean(&differences),
        verdict: verdict.to_owned(),
        interval: interval.map(|found| (found.low, found.high)),
        topics: differences.len(),
    }
}
