//! Scores as gold judges would have given them, from queries that gold judged too: `--gold`.
//!
//! The one decision: the query is the unit. Every run is scored twice, on all queries by bronze labels and on some by gold's, and each
//! measure's mean is moved by what bronze is off where gold is known ([`karat_stats::judge_error::ppi`]). So any measure that is a mean over
//! topics is corrected, linear or not.

use karat_data::problem::quote;
use karat_data::{Problem, Problems, Qrels, TopicIndex, hash};
use karat_measures::{Aggregate, Measure};
use karat_report::NumberStyle;
use karat_stats::judge_error::ppi::{BronzeWeight, Judged, Predicted, predict};

use crate::scores::{RunScores, Scored, Setting};

/// Below so many queries with gold a note warns.
const FEW: usize = 15;

/// Gold's judgements of some of the queries.
pub struct Gold<'a> {
    /// The judgements; of topics that bronze judged too.
    pub qrels: &'a Qrels,
    /// Their file.
    pub file: &'a str,
    /// How much bronze counts.
    pub weight: BronzeWeight,
}

/// Gold's judgements cut to the topics that are asked for, where all of its topics are bronze's too.
///
/// # Errors
/// A topic that bronze did not judge, or fewer than two topics.
pub fn check_compatible(gold: &Qrels, setting: &Setting<'_>, file: &str) -> Result<Qrels, Problems> {
    let bronze = setting.uncut.unwrap_or(setting.qrels);
    let mut problems = Problems::default();
    let strange = gold.topics().map(|topic| gold.name(topic)).filter(|name| bronze.find(name).is_none());
    for name in strange.take(10) {
        problems.push(Problem::of_file(
            file,
            "gold judgements of topics that the bronze judgements have",
            format!("topic {}", quote(name)),
            "remove the topic, or check the order (karat eval BRONZE RUN --gold GOLD)",
        ));
    }
    problems.into_result()?;
    let kept = gold.restricted_to(|name| setting.qrels.find(name).is_some());
    let count = kept.topics().count();
    if count < 2 {
        return Err(Problem::of_file(
            file,
            "gold judgements of at least 2 topics",
            count.to_string(),
            "collect gold judgements of more topics",
        )
        .into());
    }
    Ok(kept)
}

/// The runs' scores under gold, and which topic of gold's is which of bronze's.
pub(super) struct GoldScores {
    pub(super) runs: Vec<RunScores>,
    /// Gold's topic, by bronze's.
    topics: Vec<Option<TopicIndex>>,
}

impl GoldScores {
    pub(super) fn new(runs: Vec<RunScores>, gold: &Qrels, bronze: &Qrels) -> GoldScores {
        GoldScores { runs, topics: bronze.topics().map(|topic| gold.find(bronze.name(topic))).collect() }
    }

    /// A topic's score under gold; `None` where gold did not judge it, or the run has no score there.
    pub(super) fn of(&self, run: usize, topic: TopicIndex, measure: usize) -> Option<&Scored> {
        let place = self.topics.get(topic.0 as usize).copied().flatten()?;
        self.runs[run].topics.get(place).map(|scores| &scores[measure])
    }
}

/// What gold made of a measure of a run.
#[derive(Debug, Clone, Copy)]
pub(super) struct Prediction {
    /// On the scale that is averaged.
    pub(super) found: Predicted,
    /// Bounds, likewise: what documents that gold (elsewhere bronze) did not judge may do.
    pub(super) bounds: Option<(f64, f64)>,
}

/// Whether gold's labels are anything to a measure: it is a mean over topics, and not about what was judged.
pub(super) fn concerns(measure: &dyn Measure) -> bool {
    measure.info().aggregate != Aggregate::Sum && !measure.is_about_judging()
}

/// The mean of a measure over the topics of a run, corrected; `None` where the measure is left as it is or gold says too little.
pub(super) fn correct(
    measure: (usize, &dyn Measure),
    (place, run): (usize, &RunScores),
    gold: &GoldScores,
    weight: BronzeWeight,
) -> Option<Prediction> {
    let (index, measure) = measure;
    if !concerns(measure) {
        return None;
    }
    let inward = |value: f64| measure.info().aggregate.inward(value);
    let mut queries = Vec::new();
    // Sums of bronze's bounds where gold is unknown, of bronze's where it is known, of gold's.
    let (mut without, mut with, mut known) = ([0.0; 2], [0.0; 2], [0.0; 2]);
    let mut bounded = true;
    let mut add = |sum: &mut [f64; 2], bounds: Option<(f64, f64)>| match bounds {
        Some((low, high)) => {
            sum[0] += inward(low);
            sum[1] += inward(high);
        }
        None => bounded = false,
    };
    for (topic, scored) in run.of(index) {
        let (Ok(score), gold) = (scored, gold.of(place, topic, index)) else { continue };
        let gold = match gold {
            // Undefined under gold: the topic is in neither mean.
            Some(Err(_)) => continue,
            Some(Ok(gold)) => {
                add(&mut with, score.bounds());
                add(&mut known, gold.bounds());
                Some(inward(gold.value))
            }
            None => {
                add(&mut without, score.bounds());
                None
            }
        };
        queries.push(Judged { bronze: inward(score.value), gold });
    }
    let found = predict(&queries, weight).ok()?;
    let (n, rest) = (found.gold as f64, (found.queries - found.gold) as f64);
    // ḡ + λ (1 − n/N)(f̄_rest − f̄_n), each mean at the end that makes the sum least, then greatest.
    let scale = found.weight * rest / found.queries as f64;
    let end = |low: usize| {
        let apart = if rest > 0.0 { scale * (without[low] / rest - with[1 - low] / n) } else { 0.0 };
        known[low] / n + apart
    };
    Some(Prediction { found, bounds: bounded.then(|| (end(0), end(1))) })
}

/// What is to be said: what was corrected, by how many queries, and what it rests on.
pub(super) fn notes(
    setting: &Setting<'_>,
    gold: &Gold<'_>,
    found: &[(String, String, f64, Option<Prediction>)],
) -> Vec<String> {
    let show = |value: f64| NumberStyle::Score.show(value);
    let mut notes = Vec::new();
    let mut left: Vec<&str> = Vec::new();
    for (measure, run, value, prediction) in found {
        match prediction {
            Some(Prediction { found, .. }) => notes.push(format!(
                "{measure} of {run}: {} with bronze labels, {} with gold labels of {} of {} topics (bronze weight {})",
                show(naive(setting, measure, found.naive)),
                show(*value),
                found.gold,
                found.queries,
                NumberStyle::Decimals(2).show(found.weight)
            )),
            None if !left.contains(&measure.as_str()) => left.push(measure),
            None => {}
        }
    }
    if !left.is_empty() {
        notes.push(format!(
            "Not corrected (counts, measures of judged documents, or too few topics with both): {}",
            left.join(", ")
        ));
    }
    let (with, all) = (gold.qrels.topics().count(), setting.qrels.len());
    notes.push(format!(
        "The correction assumes that the {with} topics with gold labels are a random sample of the {all}."
    ));
    notes.push(match gold.weight {
        BronzeWeight::Tuned => {
            "The bronze weight minimises the variance (regression estimator, Cochran 1977); Student's t intervals with \
                                Satterthwaite's degrees of freedom."
                .into()
        }
        BronzeWeight::Fixed(weight) => format!(
            "Bronze weight {weight} (--bronze-weight); Student's t intervals with Satterthwaite's degrees of freedom."
        ),
    });
    if with < FEW {
        notes.push(format!(
            "warning: intervals may be too narrow with gold labels of only {with} topics (recommended: {FEW}); collect more"
        ));
    }
    notes.extend(coverage(setting.qrels, gold));
    notes
}

/// The naive mean on the measure's scale.
fn naive(setting: &Setting<'_>, name: &str, inward: f64) -> f64 {
    let measure = setting.measures.iter().find(|measure| measure.spec().to_string() == name);
    measure.map_or(inward, |measure| measure.info().aggregate.outward(inward))
}

/// Warns where gold judged fewer documents of its queries than bronze.
fn coverage(bronze: &Qrels, gold: &Gold<'_>) -> Option<String> {
    let (mut both, mut all) = (0u64, 0u64);
    for topic in gold.qrels.topics() {
        let Some(other) = bronze.find(gold.qrels.name(topic)) else { continue };
        for (docno, _) in bronze.documents(other).filter(|(_, judgement)| judgement.is_judged()) {
            all += 1;
            both += u64::from(gold.qrels.judgement(topic, docno, hash::of(docno)).is_judged());
        }
    }
    (both < all).then(|| {
        format!(
            "warning: corrected scores may be too low: gold judged {both} of the {all} documents that bronze judged in these \
             topics, and the others count as not relevant"
        )
    })
}
