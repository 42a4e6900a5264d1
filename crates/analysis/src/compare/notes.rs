//! What there is to say besides the numbers, as data.

use karat_measures::{BoundsKind, Measure};
use karat_stats::Sample;
use karat_stats::judge_error::{Calibration, Discrimination, RateInterval};
use karat_stats::rare_losses::{self, RareLosses};
use karat_stats::resample::NoResample;
use karat_stats::test::NoTest;
use karat_stats::two_way::NotTwoWay;

use super::answer::Choice;
use super::difference::{Reach, With};
use super::family::correction_done;
use super::verdict::Unjudged;
use super::{CompareOptions, Comparison, Correcting, NotTogether, RunPair};
use crate::scores::{RunScores, Setting};
use crate::topic_notes::TopicNote;

/// A note on a comparison.
#[derive(Debug)]
pub enum CompareNote {
    /// On judgements and topics.
    Topics(TopicNote),
    /// There are no ranks by this measure.
    NoRanks(String, NotTwoWay),
    /// There are no groups by this measure: too many would be needed.
    NoGroups(String),
    /// How to read the letters of groups.
    Groups,
    /// A pair has no topic with a score in both, and is left out.
    NoCommonTopic {
        /// The first run.
        a: String,
        /// The second run.
        b: String,
        /// By these measures.
        measures: Vec<String>,
    },
    /// A pair has scores for fewer topics than are judged.
    FewerTopics {
        /// The first run.
        a: String,
        /// The second run.
        b: String,
        /// The measure.
        measure: String,
        /// Topics with a score in both.
        topics: usize,
        /// Judged topics.
        judged: usize,
    },
    /// A test has no result somewhere.
    NoTest {
        /// The test's title.
        test: &'static str,
        /// Why.
        why: NoTest,
    },
    /// A test found nearly the smallest p that it can.
    SmallestP {
        /// The test's title.
        test: &'static str,
        /// That p.
        p: f64,
    },
    /// A verdict rests on a lead that rare large losses could cancel.
    RareLosses {
        /// The run that leads.
        leader: String,
        /// The other run.
        other: String,
        /// The measure.
        measure: String,
        /// What speaks for such losses.
        found: RareLosses,
        /// Further verdicts of which the same can be said.
        more: usize,
    },
    /// What so many topics detect.
    Detectable {
        /// Topics.
        topics: usize,
        /// The power.
        power: f64,
        /// The correction.
        correction: Correcting,
        /// Whether several pairs are compared, so that it changes something.
        several: bool,
        /// By measure, least and greatest over the pairs; empty where differences have no spread.
        differences: Vec<(String, f64, f64)>,
    },
    /// How p-values are adjusted.
    Adjusted {
        /// Pairs per measure.
        pairs: usize,
        /// The correction.
        correction: Correcting,
    },
    /// Pairs are not tested together by max-T, and adjusted by Holm's rule.
    NotTogether {
        /// Why.
        why: NotTogether,
        /// By these measures.
        measures: Vec<String>,
    },
    /// Intervals include the relevance model.
    RelevanceModel {
        /// The fitted model; `None` where a probability was given.
        name: Option<&'static str>,
    },
    /// Measures whose bounds assume that every relevant document was retrieved or pooled.
    RetrievedBounds(Vec<String>),
    /// Measures for which it is not known how far relevant documents that no run retrieved take a difference: `interval_all` is null.
    NoIntervalAll(Vec<String>),
    /// The judgements name documents relevant to these measures only, and all others are treated as not relevant.
    Sparse(Vec<String>),
    /// The scale of grades, whose ends these are, probably starts at 1.
    ScaleFrom1(f64, f64),
    /// How well the judges tell grades apart.
    Judges(Calibration, Discrimination),
    /// Both runs are corrected by one calibration.
    SharedCalibration,
    /// A corrected difference is larger than scores can differ.
    OutOfRange,
    /// Unjudged documents are not corrected for judge errors.
    UnjudgedUncorrected,
    /// Measures whose differences are not corrected.
    NotCorrected(Vec<String>),
    /// What the correction assumes.
    JudgesAssumption,
    /// Ranks and variance shares are of the scores as they are.
    UncorrectedRanks,
    /// Too few runs for an order.
    FewRuns {
        /// Runs.
        runs: usize,
        /// Runs needed.
        need: usize,
    },
    /// Two orders have no topic in common.
    NoOrder(String, String),
    /// There is no interval of tau_b.
    NoOrderInterval(String, String, NoResample),
    /// How to read the table of orders.
    Orders {
        /// Runs.
        runs: usize,
        /// Persistence of the overlap.
        persistence: f64,
    },
    /// A setting leaves nothing to compare.
    NothingLeft(Choice, String),
    /// No run lacks a topic.
    NoMissingTopics,
}

/// At most so many pairs are listed.
const LISTED: usize = 20;

/// The notes on the comparisons themselves.
pub(super) fn notes(
    setting: &Setting<'_>,
    options: &CompareOptions<'_>,
    (names, scored): (&[String], &[RunScores]),
    comparisons: &[Comparison],
) -> Vec<CompareNote> {
    let pairs = comparisons.len() / setting.measures.len().max(1);
    let (correction, together) = correction_done(setting, scored, pairs, options);
    let mut notes = fewer_topics(setting, names, comparisons);
    notes.extend(tests(comparisons));
    notes.extend(losses(setting, names, comparisons));
    notes.push(detectable(setting.measures, (options.power, correction), comparisons));
    if comparisons.len() > setting.measures.len() {
        notes.push(CompareNote::Adjusted { pairs, correction });
        notes.extend(together);
    }
    if let Some(relevance_model) = &options.relevance_model {
        let name = relevance_model.compared.iter().find(|model| model.used).map(|model| model.name);
        notes.push(CompareNote::RelevanceModel { name });
    }
    let retrieved = |one: &&Comparison| one.bounds_kind == BoundsKind::Retrieved && one.difference.bounds.is_some();
    let retrieved = measures(setting, comparisons.iter().filter(retrieved));
    notes.extend((!retrieved.is_empty()).then_some(CompareNote::RetrievedBounds(retrieved)));
    let unknown = |one: &&Comparison| one.reach == Reach::Unknown && one.difference.bounds.is_some();
    let unknown = measures(setting, comparisons.iter().filter(unknown));
    notes.extend((!unknown.is_empty()).then_some(CompareNote::NoIntervalAll(unknown)));
    if matches!(options.unjudged, Unjudged::Sparse | Unjudged::Tested) {
        notes.extend(Some(setting.sparse_measures()).filter(|sparse| !sparse.is_empty()).map(CompareNote::Sparse));
        notes.extend(setting.scale_from_1().map(|(low, high)| CompareNote::ScaleFrom1(low, high)));
    }
    if let Some(calibration) = setting.calibration {
        notes.extend(of_judges(setting, calibration, options, comparisons));
    }
    if options.relevance_model.is_some() || setting.calibration.is_some() {
        notes.push(CompareNote::UncorrectedRanks);
    }
    notes
}

/// The measures of these comparisons, each once.
fn measures<'c>(setting: &Setting<'_>, comparisons: impl Iterator<Item = &'c Comparison>) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for comparison in comparisons {
        let name = setting.measures[comparison.measure].spec().to_string();
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// The pairs that were left out, each once.
pub(super) fn no_common_topic(
    setting: &Setting<'_>,
    names: &[String],
    left_out: &[(usize, RunPair)],
) -> Vec<CompareNote> {
    let mut pairs: Vec<(RunPair, Vec<String>)> = Vec::new();
    for &(measure, pair) in left_out {
        let measure = setting.measures[measure].spec().to_string();
        match pairs.iter_mut().find(|(other, _)| *other == pair) {
            Some((_, measures)) => measures.push(measure),
            None => pairs.push((pair, vec![measure])),
        }
    }
    let note = |((a, b), measures): (RunPair, Vec<String>)| CompareNote::NoCommonTopic {
        a: names[a].clone(),
        b: names[b].clone(),
        measures,
    };
    pairs.into_iter().take(LISTED).map(note).collect()
}

fn fewer_topics(setting: &Setting<'_>, names: &[String], comparisons: &[Comparison]) -> Vec<CompareNote> {
    let judged = setting.qrels.len();
    let fewer = comparisons.iter().filter(|comparison| comparison.difference.topics.len() < judged).take(LISTED);
    let note = |comparison: &Comparison| CompareNote::FewerTopics {
        a: names[comparison.pair.0].clone(),
        b: names[comparison.pair.1].clone(),
        measure: setting.measures[comparison.measure].spec().to_string(),
        topics: comparison.difference.topics.len(),
        judged,
    };
    fewer.map(note).collect()
}

fn tests(comparisons: &[Comparison]) -> Vec<CompareNote> {
    let mut failed: Vec<(&'static str, NoTest)> = Vec::new();
    let mut smallest: Vec<(&'static str, f64)> = Vec::new();
    for (test, found) in comparisons.iter().flat_map(|comparison| &comparison.tests) {
        match found {
            Err(why) if !failed.contains(&(test.title, *why)) => failed.push((test.title, *why)),
            Err(_) => {}
            Ok((evidence, _)) => {
                let least = evidence.smallest_p.filter(|least| evidence.p <= 2.0 * least);
                smallest.extend(least.map(|p| (test.title, p)).filter(|one| !smallest.contains(one)));
            }
        }
    }
    let failed = failed.into_iter().map(|(test, why)| CompareNote::NoTest { test, why });
    failed.chain(smallest.into_iter().map(|(test, p)| CompareNote::SmallestP { test, p })).collect()
}

/// The first verdict that rare large losses could undo, and how many there are.
fn losses(setting: &Setting<'_>, names: &[String], comparisons: &[Comparison]) -> Option<CompareNote> {
    let one = |comparison: &Comparison| {
        let difference = &comparison.difference;
        let leader = comparison.winner()?;
        let (a, b) = comparison.pair;
        let (other, mean) = if leader == a { (b, difference.means.1) } else { (a, difference.means.0) };
        let (least, greatest) = setting.measures[comparison.measure].info().range;
        let values = difference.values();
        // The other run's scores say little about topics that are not there; only where the measure has no largest score, they must do.
        let width = greatest - least;
        let largest = if width.is_finite() { width } else { rare_losses::largest_loss(mean - least.min(0.0), width) };
        let found = rare_losses::rare_losses(&Sample::new(&values).ok()?, largest)?;
        let measure = setting.measures[comparison.measure].spec().to_string();
        let (leader, other) = (names[leader].clone(), names[other].clone());
        Some(CompareNote::RareLosses { leader, other, measure, found, more: 0 })
    };
    let mut all = comparisons.iter().filter_map(one);
    match (all.next()?, all.count()) {
        (CompareNote::RareLosses { leader, other, measure, found, .. }, more) => {
            Some(CompareNote::RareLosses { leader, other, measure, found, more })
        }
        (note, _) => Some(note),
    }
}

fn detectable(
    measures: &[Box<dyn Measure>],
    (power, correction): (f64, Correcting),
    comparisons: &[Comparison],
) -> CompareNote {
    let one = |(place, measure): (usize, &dyn Measure)| {
        let known = comparisons.iter().filter(|comparison| comparison.measure == place);
        let known = known.filter_map(|comparison| comparison.detectable);
        let (least, most) = known.fold((f64::INFINITY, 0.0f64), |(least, most), one| (least.min(one), most.max(one)));
        (most > 0.0).then(|| (measure.spec().to_string(), least, most))
    };
    CompareNote::Detectable {
        topics: comparisons.iter().map(|comparison| comparison.difference.topics.len()).max().unwrap_or(0),
        power,
        correction,
        several: comparisons.len() > measures.len(),
        differences: measures.iter().map(AsRef::as_ref).enumerate().filter_map(one).collect(),
    }
}

/// What is said where the judges' errors are known.
fn of_judges(
    setting: &Setting<'_>,
    calibration: &Calibration,
    options: &CompareOptions<'_>,
    comparisons: &[Comparison],
) -> Vec<CompareNote> {
    let found = calibration.discrimination(options.inference.level, RateInterval::ClopperPearson);
    let mut notes: Vec<CompareNote> = found.into_iter().map(|d| CompareNote::Judges(calibration.clone(), d)).collect();
    let left = measures(setting, comparisons.iter().filter(|comparison| comparison.difference.uncorrected));
    if left.len() < setting.measures.len() {
        notes.push(CompareNote::SharedCalibration);
        let outside = |comparison: &Comparison| {
            let (least, most) = setting.measures[comparison.measure].info().range;
            let whole = comparison.difference.interval(&options.inference, With::ALL);
            let furthest = whole.map_or(0.0, |found| found.low.abs().max(found.high.abs()));
            comparison.difference.observed.abs().max(furthest) > most - least
        };
        notes.extend(comparisons.iter().any(outside).then_some(CompareNote::OutOfRange));
    }
    if setting.bounds && comparisons.iter().any(|comparison| comparison.difference.unjudged.is_some()) {
        notes.push(CompareNote::UnjudgedUncorrected);
    }
    if !left.is_empty() {
        notes.push(CompareNote::NotCorrected(left));
    }
    notes.push(CompareNote::JudgesAssumption);
    notes
}
