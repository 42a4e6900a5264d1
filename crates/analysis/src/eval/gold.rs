//! Scores as gold judges would have given them, from queries that gold judged too: `--gold`.
//!
//! The query is the unit. Every run is scored twice, on all queries by bronze labels and on some by gold's, and each
//! measure's mean is moved by what bronze is off where gold is known ([`karat_stats::judge_error::ppi`]). So any measure that is a mean over
//! topics is corrected, linear or not.

use karat_data::{Qrels, TopicIndex, hash};
use karat_measures::{Aggregate, Measure};
use karat_stats::judge_error::ppi::{BronzeWeight, Judged, Predicted, predict};

use super::EvalError;
use super::notes::{EvalNote, GoldNote};
use super::observations::Observed;
use super::row::Row;
use crate::scored::Scored;
use crate::scores::{RunScores, Setting};

/// Below so many topics with gold a note warns.
const RECOMMENDED: usize = 15;

/// Gold's judgements of some of the queries.
pub struct Gold<'a> {
    /// The judgements; of topics that bronze judged too.
    pub qrels: &'a Qrels,
    /// How much bronze counts.
    pub weight: BronzeWeight,
}

/// Topics that an error names.
const NAMED: usize = 10;

/// Gold's judgements cut to the topics in use, where all of its topics are bronze's too; `file` names them.
///
/// # Errors
/// A topic that bronze did not judge, or fewer than two topics.
pub fn check_compatible(gold: &Qrels, setting: &Setting<'_>, file: &str) -> Result<Qrels, EvalError> {
    let bronze = setting.uncut.unwrap_or(setting.qrels);
    let strange = gold.topics().map(|topic| gold.name(topic)).filter(|name| bronze.find(name).is_none());
    let topics: Vec<Vec<u8>> = strange.take(NAMED).map(<[u8]>::to_vec).collect();
    if !topics.is_empty() {
        return Err(EvalError::GoldTopics { file: file.to_owned(), topics });
    }
    let kept = gold.restricted_to(|name| setting.qrels.find(name).is_some());
    match kept.topics().count() {
        found @ 0..=1 => Err(EvalError::FewGoldTopics { file: file.to_owned(), found }),
        _ => Ok(kept),
    }
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
    Some(Prediction { found, bounds: bounded.then(|| predicted_bounds(&found, without, with, known)) })
}

/// The bounds of a prediction from sums of lower and upper bounds: of bronze where gold is unknown, of bronze where it is known, of gold.
fn predicted_bounds(found: &Predicted, without: [f64; 2], with: [f64; 2], known: [f64; 2]) -> (f64, f64) {
    let (n, rest) = (found.gold as f64, (found.queries - found.gold) as f64);
    // ḡ + λ (1 − n/N)(f̄_rest − f̄_n), each mean at the end that makes the sum least, then greatest.
    let scale = found.weight * rest / found.queries as f64;
    let end = |low: usize| {
        let apart = if rest > 0.0 { scale * (without[low] / rest - with[1 - low] / n) } else { 0.0 };
        known[low] / n + apart
    };
    (end(0), end(1))
}

impl Observed<'_> {
    /// What gold's labels of some topics did.
    pub(super) fn gold(&self) -> Vec<EvalNote> {
        let Some(gold) = &self.options.gold else { return Vec::new() };
        let mut notes: Vec<GoldNote> = Vec::new();
        for (index, measure) in self.setting.measures.iter().enumerate() {
            notes.extend(self.rows.iter().filter_map(|run| corrected(&run[index], measure.as_ref())));
        }
        let left = self.measures(|index, _| self.rows.iter().any(|run| run[index].predicted.is_none()));
        if !left.is_empty() {
            notes.push(GoldNote::NotCorrected(left));
        }
        let (count, topics) = (gold.qrels.topics().count(), self.setting.qrels.len());
        notes.push(GoldNote::Sample { gold: count, topics });
        notes.push(GoldNote::Weight(gold.weight));
        if count < RECOMMENDED {
            notes.push(GoldNote::Few { gold: count, recommended: RECOMMENDED });
        }
        notes.extend(coverage(self.setting.qrels, gold));
        notes.into_iter().map(EvalNote::Gold).chain(self.uncorrected_ties()).collect()
    }
}

fn corrected(row: &Row, measure: &dyn Measure) -> Option<GoldNote> {
    let found = row.predicted?.found;
    Some(GoldNote::Corrected {
        measure: row.score.measure.clone(),
        run: row.score.run.clone(),
        naive: measure.info().aggregate.outward(found.naive),
        value: row.number()?,
        gold: found.gold,
        topics: found.queries,
        weight: found.weight,
    })
}

/// Whether gold judged fewer documents of its topics than bronze.
fn coverage(bronze: &Qrels, gold: &Gold<'_>) -> Option<GoldNote> {
    let (mut both, mut all) = (0u64, 0u64);
    for topic in gold.qrels.topics() {
        let Some(other) = bronze.find(gold.qrels.name(topic)) else { continue };
        for (docno, _) in bronze.documents(other).filter(|(_, judgement)| judgement.is_judged()) {
            all += 1;
            both += u64::from(gold.qrels.judgement(topic, docno, hash::of(docno)).is_judged());
        }
    }
    (both < all).then_some(GoldNote::Coverage { both, bronze: all })
}
