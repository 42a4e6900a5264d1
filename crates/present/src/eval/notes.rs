//! Notes of an evaluation in words.

use karat_analysis::eval::Evaluation;
use karat_analysis::eval::notes::{EvalNote, ModelNote, OutOfRangeReason};
use karat_analysis::scores::Setting;
use karat_analysis::tied_scores::TiedScore;
use karat_analysis::ties::NoTieRange;
use karat_analysis::topic_notes::{RunGroup, TopicNote};
use karat_data::MissingTopics;
use karat_report::NumberStyle;
use karat_stats::interval::NoInterval;

use super::{judge_notes, score_bands, tables, tie_notes};
use crate::sampled::no_sample;
use crate::words::{count, list_names, plain_grades};

/// All notes.
pub fn notes(setting: &Setting<'_>, evaluation: &Evaluation, no_bounds: Option<&str>) -> Vec<String> {
    let mut notes: Vec<String> = no_bounds.map(|why| format!("No bounds: {why}")).into_iter().collect();
    notes.extend(tables::interval_sources(&evaluation.answer.scores));
    notes.extend(tables::interval_methods(&evaluation.answer.scores));
    notes.extend(evaluation.notes.iter().filter(|note| applies(setting, note)).map(note));
    notes.extend(tie_notes::notes(setting.policy.ties, &tied(setting, evaluation)));
    notes
}

fn applies(setting: &Setting<'_>, note: &EvalNote) -> bool {
    !matches!(note, EvalNote::Topics(note) if !topic_note_applies(setting, note))
}

/// Measures that divide by the number of relevant documents, or by the best possible value.
const DIVIDED: &[&str] = &[
    "R",
    "F",
    "RelativeP",
    "AP",
    "GMAP",
    "Yaap",
    "Rprec",
    "RprecMult",
    "PRBEP",
    "IPrec",
    "IPrecAvg",
    "nDCG",
    "nERR",
    "Compat",
    "Q",
    "OMeasure",
    "PMeasure",
    "PPlus",
    "NCUgu",
    "NCUrb",
    "JKnDCG",
    "nDCGrel",
    "Rndcg",
    "G",
    "BinG",
    "Bpref",
    "Bpref10",
    "GBpref",
    "infAP",
    "xinfAP",
    "infNDCG",
    "statAP",
    "SetR",
    "SetF",
    "SetRelativeP",
    "SetAP",
];

/// Whether a note is about a measure that was computed.
pub(crate) fn topic_note_applies(setting: &Setting<'_>, note: &TopicNote) -> bool {
    let divided = || setting.measures.iter().any(|measure| DIVIDED.contains(&measure.info().name));
    !matches!(note, TopicNote::NothingRelevant { .. }) || divided()
}

/// The rows with a value, and what the order of ties can make of it.
fn tied(setting: &Setting<'_>, evaluation: &Evaluation) -> Vec<TiedScore> {
    let rows = setting.measures.iter().enumerate().flat_map(|(index, measure)| {
        let unit = measure.info().range == (0.0, 1.0);
        // What other orders of ties make of an estimate from a sample is not known.
        evaluation.of_measure(index).iter().filter(|row| row.sampled.is_none()).map(move |row| (unit, row))
    });
    let tied = rows.filter_map(|(unit, row)| {
        let value = row.value?.number();
        Some(TiedScore { measure: row.measure.clone(), unit, run: row.run.clone(), value, ties: row.tie_summary })
    });
    tied.collect()
}

/// The runs by name up to three, else by number.
pub(super) fn runs(group: &RunGroup) -> String {
    match group.names.len() {
        0..=3 => group.names.join(", "),
        count => format!("{count} of {} runs", group.of),
    }
}

fn topics(names: &[Vec<u8>]) -> String {
    list_names(names.iter().map(Vec::as_slice), names.len())
}

fn note(note: &EvalNote) -> String {
    match note {
        EvalNote::Model(note) => of_model(note),
        EvalNote::Correction(note) => judge_notes::correction(note),
        EvalNote::Gold(note) => judge_notes::gold(note),
        EvalNote::ScoreBands(note) => score_bands::note(note),
        EvalNote::NoSample { measures, why } => {
            format!("No interval for {}: {}", measures.join(", "), no_sample(why))
        }
        EvalNote::TiesUncorrected => "Tie ranges are not corrected: they use the labels as they are".into(),
        EvalNote::Topics(note) => topic_note(note),
        EvalNote::Undefined { measure, run, topics, reason } => {
            format!("{measure} of {run} leaves out {} where it is undefined ({reason})", count(*topics, "topic"))
        }
        other => of_scores(other).unwrap_or_default(),
    }
}

/// On values and intervals.
fn of_scores(note: &EvalNote) -> Option<String> {
    Some(match note {
        EvalNote::NoInterval { measures, why } => {
            format!("No interval for {}: {}", measures.join(", "), no_interval(why))
        }
        EvalNote::Sampled(measures) => format!(
            "{}: inferred from sampled judgements; the interval combines judgement sampling and topic sampling",
            measures.join(", ")
        ),
        EvalNote::SamplingErrorUnknown { measure, topics } => {
            let topics = if *topics == 1 { "1 topic".to_owned() } else { format!("up to {topics} topics of a run") };
            format!(
                "{measure}: the sampling error of {topics} cannot be estimated (too few judged or relevant documents); the mean of the \
                 other topics is used"
            )
        }
        EvalNote::OutOfRange { measures, why } => {
            format!("An interval of {} exceeds the valid range: {}", measures.join(", "), out_of_range(*why))
        }
        EvalNote::NoTieRange { measure, runs: group, only_expected, why } => {
            let what = if *only_expected { "expected value" } else { "range" };
            format!("No {what} over tie orders for {measure} of {}: {}", runs(group), no_tie_range(*why))
        }
        _ => return of_bounds(note),
    })
}

/// On bounds.
fn of_bounds(note: &EvalNote) -> Option<String> {
    Some(match note {
        EvalNote::Estimators(measures) => format!(
            "{}: estimated from the judged documents; the estimate can lie outside the bounds of full judgement",
            measures.join(", ")
        ),
        EvalNote::NoBoundsYet(measures) => {
            format!("No bounds for the mean of {}: some topics have no estimate yet", measures.join(", "))
        }
        EvalNote::NoBounds(measures) => format!(
            "No bounds for {}: negative gains, gains for unjudged documents, or too many unjudged documents to enumerate",
            measures.join(", ")
        ),
        EvalNote::Sparse(measures) => format!("No bounds: {} (--unjudged bounds shows them)", sparse(measures)),
        EvalNote::ScaleFrom1(low, high) => scale_from_1(*low, *high),
        EvalNote::RetrievedBounds(measures) => {
            format!("Bounds of {} assume that every relevant document was retrieved or pooled.", first_names(measures))
        }
        _ => return None,
    })
}

/// Names of measures, of many the first ones, so that a note stays short.
pub(crate) fn first_names(names: &[String]) -> String {
    match names.get(5..) {
        Some(rest) if rest.len() > 1 => format!("{} and {} other measures", names[..5].join(", "), rest.len()),
        _ => names.join(", "),
    }
}

fn no_interval(why: &NoInterval) -> String {
    match why {
        NoInterval::TooFew { have, need } => {
            let topics = if *have == 1 { "topic is" } else { "topics are" };
            format!("{have} {topics} too few; an interval needs {need}")
        }
        NoInterval::Constant { .. } => "all topics have the same score".into(),
        other => other.to_string(),
    }
}

fn out_of_range(why: OutOfRangeReason) -> &'static str {
    match why {
        OutOfRangeReason::Value => "the value itself is outside, so scores and error rates are inconsistent",
        OutOfRangeReason::Calibration => "the calibration error is not truncated to the valid range",
        OutOfRangeReason::StudentT => {
            "too few or too similar topics for Student's t; --interval auto stays within the range"
        }
        OutOfRangeReason::Symmetric => "the interval is symmetric, but the distribution near the limit is not",
    }
}

fn no_tie_range(why: NoTieRange) -> &'static str {
    match why {
        NoTieRange::Measure(reason) => reason,
        NoTieRange::GeometricMean => "the expected value of a geometric mean does not follow from those of the topics",
    }
}

/// On judgements and topics.
pub(crate) fn topic_note(note: &TopicNote) -> String {
    match note {
        TopicNote::NotPlainGrades(kind) => format!("{kind}: {}", plain_grades(*kind).unwrap_or_default()),
        TopicNote::NothingJudged { pooled } => format!(
            "warning: no document is judged: all {pooled} have grade -1 or none. Scores of 0 mean nothing here; write the grades."
        ),
        TopicNote::PooledUnjudged { pooled, judged } => format!(
            "{pooled} pooled documents are unjudged (grade -1 or none) and {judged} are judged. Unjudged documents count as not relevant. \
             If the judged ones are a random sample, use infAP instead of AP."
        ),
        TopicNote::SampleIncomplete { unjudged, judged } => format!(
            "warning: {unjudged} documents of the sample are not judged, {judged} are. Estimates from probabilities (htP, htRBP, htDCG, statAP) \
             count them as not relevant; complete the judgements."
        ),
        TopicNote::MissingTopics { topics: names, runs: group, policy } => {
            let what = match policy {
                MissingTopics::Zero => "scored as empty result lists (0), as trec_eval -c does",
                MissingTopics::Skip | MissingTopics::Error => "excluded from the means, as without trec_eval -c",
            };
            format!("Not in {}: {}; {what} (--missing-topics)", runs(group), topics(names))
        }
        TopicNote::NotJudged { topics: names, runs: group } => {
            format!("No judgements for {} of {}; ignored", topics(names), runs(group))
        }
        TopicNote::NothingRelevant { level, topics: names } => {
            let at = if *level == 1.0 { String::new() } else { format!(" (grade {level} or above)") };
            format!(
                "No relevant document{at} for {}: measures that divide by the number of relevant documents are 0, as in trec_eval",
                topics(names)
            )
        }
        TopicNote::LevelTooHigh { level } => format!(
            "No grade reaches {level}, so unjudged documents cannot be relevant and the bounds equal the value; set --max-grade if \
             higher grades are possible"
        ),
    }
}

/// What a fitted relevance model may get wrong.
pub(crate) const MODEL_FITTED: &str = "The model is fitted to the judged documents of all given runs, so other runs change it. Expected values may be too high, because pooling \
                                       selects documents that are more often relevant, most of all for runs outside the pool.";

/// On the relevance model.
fn of_model(note: &ModelNote) -> String {
    match note {
        ModelNote::NotUsed => "The relevance model is not used: all measures depend on judged documents only.".into(),
        ModelNote::ExpectedValues(model) => {
            let source = match model {
                Some(name) => format!("the {name} model: {}", assumption(name)),
                None => "the given probability".into(),
            };
            format!(
                "Values are expected values under {source}. \"unjudged\" is the interval of the value if everything were \
                 judged; the last interval adds topic sampling error."
            )
        }
        ModelNote::Fitted => MODEL_FITTED.into(),
        ModelNote::BelowEndUnjudged(measures) => format!(
            "{}: ranks below the end of a list count as unjudged, with the probabilities of those ranks",
            measures.join(", ")
        ),
        ModelNote::BelowEndNotRelevant(measures) => format!(
            "{}: ranks below the end of a list count as not relevant; only the bounds include them",
            measures.join(", ")
        ),
        ModelNote::BelowDepth { measures, depth } => format!(
            "{}: unjudged documents below rank {depth} (-M) count among those that could be relevant, with the probabilities of the \
             next ranks. Values without -M differ slightly.",
            measures.join(", ")
        ),
        ModelNote::NotAffected(measures) => {
            format!("{}: not affected by the model, because they describe the judged documents", measures.join(", "))
        }
    }
}

/// What a relevance model assumes.
fn assumption(model: &str) -> &'static str {
    match model {
        "flat" => "same probability at every rank",
        "band" => "same probability within a band of ranks",
        "isotonic" => "probability never increases with rank",
        "logistic" => "log-odds linear in log rank",
        _ => "draws from an urn in which a nonrelevant document has weight w (Park 2016, eq. 12)",
    }
}

/// That judgements name relevant documents only.
pub(crate) fn sparse(measures: &[String]) -> String {
    format!(
        "99% or more of the judged documents are relevant for {}: the judgements are taken to name relevant documents only, and all others are treated as not relevant",
        first_names(measures)
    )
}

/// That a scale of grades probably starts at 1, and what to do.
pub(crate) fn scale_from_1(low: f64, high: f64) -> String {
    let shown = |grade: f64| NumberStyle::Given.show(grade);
    format!(
        "warning: the grades go from {} to {} and none is 0: the scale probably starts at {}. If so, subtract {} from every grade, or set -l: else the lowest \
         grade counts as relevant. If the judgements name relevant documents only, use --unjudged nonrelevant",
        shown(low),
        shown(high),
        shown(low),
        shown(low)
    )
}
