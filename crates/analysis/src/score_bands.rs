//! Does a run's score say how likely a document is relevant? Predicted against observed relevance by score band, and by document length.
//!
//! Few scores are probabilities, so the prediction is a logistic curve of the score, fitted to the other topics (ten groups of topics, each
//! predicted from the rest). Log loss is of these predictions, next to that of the plain share of relevant documents in the other topics: a
//! score that cannot beat it says nothing across topics, however well it ranks within them. Scores that are all from 0 to 1 are also
//! checked as probabilities.

use std::collections::HashMap;

use karat_data::{RunSource, ScoredRun};
use karat_stats::dist::binomial;
use karat_stats::judge_error::Clustering;
use karat_stats::regression::{Cell, logistic};
use schemars::JsonSchema;
use serde::Serialize;

use crate::scores::{ScoreError, Setting, names};

/// Groups of topics.
const GROUPS: usize = 10;

/// How scores are checked.
#[derive(Debug, Clone)]
pub struct ScoreBandOptions {
    /// Bands of the same number of judged documents.
    pub bands: usize,
    /// The least grade that is relevant.
    pub relevance_level: f64,
    /// Confidence level of intervals.
    pub level: f64,
    /// Lengths of documents, where they are given.
    pub lengths: Option<HashMap<Vec<u8>, f64>>,
}

/// Whether scores are calibrated probabilities.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ScoreBands {
    /// One row per run; with `--score-bands`.
    pub score_calibration: Vec<ScoreCalibration>,
    /// One row per run and band of scores, lowest first.
    pub score_bands: Vec<BandRow>,
    /// One row per run and band of document lengths, shortest first; with `--lengths`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub length_bands: Vec<BandRow>,
    /// What there is to say besides.
    #[serde(skip)]
    pub notes: Vec<ScoreBandNote>,
}

/// How well the scores of a run predict relevance.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ScoreCalibration {
    /// The run.
    pub run: String,
    /// Judged documents that it retrieved for judged topics.
    pub judged: u64,
    /// Unjudged ones, which are left out.
    pub unjudged: u64,
    /// Log loss of the predictions (natural logarithm); `null` with fewer than two topics that have judged documents.
    pub log_loss: Option<f64>,
    /// Log loss of the share of relevant documents in other topics.
    pub log_loss_of_share: Option<f64>,
    /// Log loss of the scores as probabilities, where all are from 0 to 1; `null` where it is infinite.
    pub log_loss_of_scores: Option<f64>,
}

/// Documents whose score, or length, is within one range.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct BandRow {
    /// The run.
    pub run: String,
    /// The least score or length.
    pub from: f64,
    /// The greatest.
    pub to: f64,
    /// Judged documents.
    pub judged: u64,
    /// Relevant ones among them.
    pub relevant: u64,
    /// Mean predicted probability of relevance.
    pub predicted: f64,
    /// Share of relevant documents.
    pub observed: f64,
    /// Confidence interval of that share; documents of one topic are not independent.
    pub interval: Option<(f64, f64)>,
}

/// A note on the calibration of scores.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ScoreBandNote {
    /// How predictions and intervals are made.
    Method,
    /// Runs whose scores predict no better than the share of relevant documents.
    NoBetterThanShare(Vec<String>),
    /// Runs whose scores have infinite log loss as probabilities.
    InfiniteLoss(Vec<String>),
    /// Runs that retrieved no judged document.
    NothingJudged(Vec<String>),
    /// Runs with judged documents of one topic only.
    OneTopic(Vec<String>),
    /// Judged documents without a length.
    NoLength(u64),
}

/// One run.
struct RunBands {
    calibration: ScoreCalibration,
    by_score: Vec<BandRow>,
    by_length: Vec<BandRow>,
    /// Judged documents whose length is not given, where lengths are.
    without_length: u64,
    /// Whether all scores are from 0 to 1.
    probabilities: bool,
}

/// A judged document with its prediction.
struct Looked {
    topic: usize,
    score: f64,
    length: Option<f64>,
    relevant: bool,
    predicted: f64,
}

/// Reads the runs and looks at their scores.
///
/// # Errors
/// Everything wrong with the runs.
pub fn score_bands(
    setting: &Setting<'_>,
    runs: &dyn RunSource,
    options: &ScoreBandOptions,
) -> Result<ScoreBands, ScoreError> {
    let read = ScoredRun::read(setting.qrels, runs, &setting.policy, setting.threads)?;
    let named = names(&read.iter().map(|run| &run.facts).collect::<Vec<_>>())?;
    let found: Vec<RunBands> = read.iter().zip(named).map(|(run, name)| check_run(run, name, options)).collect();
    let notes = notes(&found);
    let mut answer =
        ScoreBands { score_calibration: Vec::new(), score_bands: Vec::new(), length_bands: Vec::new(), notes };
    for run in found {
        answer.score_calibration.push(run.calibration);
        answer.score_bands.extend(run.by_score);
        answer.length_bands.extend(run.by_length);
    }
    Ok(answer)
}

fn notes(found: &[RunBands]) -> Vec<ScoreBandNote> {
    let mut notes = vec![ScoreBandNote::Method];
    let mut add = |note: fn(Vec<String>) -> ScoreBandNote, holds: &dyn Fn(&RunBands, &ScoreCalibration) -> bool| {
        let runs = found.iter().filter(|run| holds(run, &run.calibration));
        let runs: Vec<String> = runs.map(|run| run.calibration.run.clone()).collect();
        if !runs.is_empty() {
            notes.push(note(runs));
        }
    };
    add(ScoreBandNote::NoBetterThanShare, &|_, scores| {
        scores.log_loss.zip(scores.log_loss_of_share).is_some_and(|(own, share)| own >= share)
    });
    add(ScoreBandNote::InfiniteLoss, &|run, scores| {
        run.probabilities && scores.log_loss_of_scores.is_none() && scores.judged > 0
    });
    add(ScoreBandNote::NothingJudged, &|_, scores| scores.judged == 0);
    add(ScoreBandNote::OneTopic, &|_, scores| scores.judged > 0 && scores.log_loss.is_none());
    let without: u64 = found.iter().map(|run| run.without_length).sum();
    notes.extend((without > 0).then_some(ScoreBandNote::NoLength(without)));
    notes
}

fn check_run(run: &ScoredRun, name: String, options: &ScoreBandOptions) -> RunBands {
    let mut looked: Vec<Looked> = Vec::new();
    for (topic, (_, documents)) in run.topics.iter().filter(|(_, documents)| !documents.is_empty()).enumerate() {
        looked.extend(documents.iter().map(|document| Looked {
            topic,
            score: document.score,
            length: options.lengths.as_ref().and_then(|lengths| lengths.get(&*document.docno).copied()),
            relevant: document.grade.value() >= options.relevance_level,
            predicted: 0.0,
        }));
    }
    let losses = predict(&mut looked);
    let probabilities = !looked.is_empty() && looked.iter().all(|one| (0.0..=1.0).contains(&one.score));
    let of_scores = probabilities.then(|| mean_loss(looked.iter().map(|one| (one.score, one.relevant)))).flatten();
    let mut with_length: Vec<&Looked> = looked.iter().filter(|one| one.length.is_some()).collect();
    let length = |one: &Looked| one.length.unwrap_or(0.0);
    with_length.sort_by(|a, b| length(a).total_cmp(&length(b)));
    let by_length = bands(&name, &with_length, &length, options);
    let without_length = if options.lengths.is_some() { looked.len() - with_length.len() } else { 0 };
    let mut by_score: Vec<&Looked> = looked.iter().collect();
    by_score.sort_by(|a, b| a.score.total_cmp(&b.score));
    RunBands {
        by_score: bands(&name, &by_score, &|one: &Looked| one.score, options),
        by_length,
        without_length: without_length as u64,
        probabilities,
        calibration: ScoreCalibration {
            run: name,
            judged: looked.len() as u64,
            unjudged: run.unjudged,
            log_loss: losses.map(|(own, _)| own),
            log_loss_of_share: losses.map(|(_, share)| share),
            log_loss_of_scores: of_scores,
        },
    }
}

/// Predicts each group of topics from the others; the log losses of the predictions and of the plain share. With one topic the prediction is its
/// own curve, and there is no loss to speak of.
fn predict(looked: &mut [Looked]) -> Option<(f64, f64)> {
    let topics = looked.iter().map(|one| one.topic + 1).max().unwrap_or(0);
    let count = looked.len() as f64;
    // In units of its own spread, so that the curve does not depend on what scores are counted in; of the largest first, so that no square overflows.
    let largest = looked.iter().map(|one| one.score.abs()).fold(0.0, f64::max);
    let shrunk = |score: f64| if largest > 0.0 { score / largest } else { 0.0 };
    let mean = looked.iter().map(|one| shrunk(one.score)).sum::<f64>() / count.max(1.0);
    let spread = (looked.iter().map(|one| (shrunk(one.score) - mean).powi(2)).sum::<f64>() / count.max(1.0)).sqrt();
    let unit = |score: f64| if spread > 0.0 { (shrunk(score) - mean) / spread } else { 0.0 };
    let groups = GROUPS.min(topics).max(1);
    let mut of_share = Vec::with_capacity(looked.len());
    for group in 0..groups {
        let cells: Vec<(f64, Cell)> = looked
            .iter()
            .filter(|one| topics < 2 || one.topic % groups != group)
            .map(|one| (unit(one.score), Cell { count: 1.0, yes: f64::from(u8::from(one.relevant)) }))
            .collect();
        let Some(curve) = logistic(cells.iter().copied()) else { continue };
        let share = cells.iter().fold(Cell::default(), |sum, (_, cell)| sum.plus(*cell)).share();
        for one in looked.iter_mut().filter(|one| one.topic % groups == group) {
            one.predicted = curve.at(unit(one.score));
            of_share.push((share, one.relevant));
        }
    }
    let own = mean_loss(looked.iter().map(|one| (one.predicted, one.relevant)));
    own.zip(mean_loss(of_share.into_iter())).filter(|_| topics >= 2)
}

/// Mean of −ln of the probability given to what was; `None` of nothing, or where that was 0.
fn mean_loss(predictions: impl Iterator<Item = (f64, bool)>) -> Option<f64> {
    let (mut sum, mut count) = (0.0, 0.0);
    for (probability, relevant) in predictions {
        sum -= libm::log(if relevant { probability } else { 1.0 - probability });
        count += 1.0;
    }
    (count > 0.0 && f64::is_finite(sum)).then(|| sum / count)
}

/// Cuts what is in order into bands of about the same number; equal values stay together.
fn bands(run: &str, ordered: &[&Looked], value: &dyn Fn(&Looked) -> f64, options: &ScoreBandOptions) -> Vec<BandRow> {
    let mut bands = Vec::new();
    let mut from = 0;
    for band in 1..=options.bands {
        let mut to = (band * ordered.len() / options.bands).max(from);
        while to > from && to < ordered.len() && value(ordered[to]) == value(ordered[to - 1]) {
            to += 1;
        }
        if to > from {
            bands.push(one_band(run, &ordered[from..to], value, options.level));
            from = to;
        }
    }
    bands
}

fn one_band(run: &str, inside: &[&Looked], value: &dyn Fn(&Looked) -> f64, level: f64) -> BandRow {
    let judged = inside.len() as u64;
    let relevant = inside.iter().filter(|one| one.relevant).count() as u64;
    let mut by_topic: std::collections::BTreeMap<usize, [u64; 2]> = std::collections::BTreeMap::new();
    for one in inside {
        by_topic.entry(one.topic).or_default()[usize::from(one.relevant)] += 1;
    }
    let rows: Vec<&[u64]> = by_topic.values().map(|row| row.as_slice()).collect();
    let worth = Clustering::of(&rows).worth(judged, level);
    let interval = worth.and_then(|worth| binomial::clopper_pearson_worth(relevant, judged, worth, level)).ok();
    BandRow {
        run: run.to_owned(),
        from: value(inside[0]),
        to: value(inside[inside.len() - 1]),
        judged,
        relevant,
        observed: relevant as f64 / judged as f64,
        predicted: inside.iter().map(|one| one.predicted).sum::<f64>() / judged as f64,
        interval: interval.filter(|_| rows.len() > 1).map(|interval| (interval.low, interval.high)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn looked(topic: usize, score: f64, relevant: bool) -> Looked {
        Looked { topic, score, length: None, relevant, predicted: 0.0 }
    }

    #[test]
    fn losses_by_hand() {
        // −ln .8, −ln(1 − .4): (.22314 + .51083)/2 = .36698.
        let loss = mean_loss([(0.8, true), (0.4, false)].into_iter()).unwrap();
        assert!((loss - 0.366_984_5).abs() < 1e-6, "{loss}");
        assert_eq!(mean_loss([(0.0, true)].into_iter()), None);
        assert_eq!(mean_loss(std::iter::empty()), None);
    }

    #[test]
    fn scores_that_tell_beat_the_share_and_others_do_not() {
        // Twenty topics of 20 documents; relevant ones have scores of 10 more, or nobody can tell.
        let make = |tells: bool| -> Vec<Looked> {
            let one = |at: usize| {
                let (topic, document) = (at / 20, at % 20);
                let relevant = document < 5;
                let noise = ((at * 7919) % 13) as f64;
                looked(topic, noise + if relevant && tells { 10.0 } else { 0.0 }, relevant)
            };
            (0..400).map(one).collect()
        };
        let (own, share) = predict(&mut make(true)).unwrap();
        // The share 1/4 everywhere: −(¼ ln ¼ + ¾ ln ¾) = .56234, but for half an observation.
        assert!((share - 0.562_335).abs() < 1e-3 && own < 0.3, "{own} {share}");
        let (own, share) = predict(&mut make(false)).unwrap();
        assert!(own > share - 0.01, "{own} {share}");
        assert_eq!(predict(&mut [looked(0, 1.0, true), looked(0, 2.0, false)]), None);
    }

    #[test]
    fn bands_keep_equal_scores_together() {
        let all: Vec<Looked> =
            [1.0, 1.0, 1.0, 2.0, 3.0, 3.0].iter().map(|&score| looked(0, score, score > 1.5)).collect();
        let options = ScoreBandOptions { bands: 3, relevance_level: 1.0, level: 0.95, lengths: None };
        let found = bands("r", &all.iter().collect::<Vec<_>>(), &|one| one.score, &options);
        let rows: Vec<_> = found.iter().map(|band| ((band.from, band.to), band.judged, band.relevant)).collect();
        assert_eq!(rows, [((1.0, 1.0), 3, 0), ((2.0, 2.0), 1, 1), ((3.0, 3.0), 2, 2)]);
        assert!(bands("r", &[], &|one| one.score, &options).is_empty());
    }
}
