//! Scores as gold judges would have given them: `--calibration`.
//!
//! A linear measure is corrected topic by topic, value − x·v + x·u with x the weight on each bronze grade, v the gains and u = 𝒥⁻¹ v. So
//! means, bounds and intervals over topics are computed as without a calibration, and only the variance of the calibration is added, under
//! the source judges. Any other mean over topics of a measure of grades is computed on drawn labels ([`super::imputation`]). What remains
//! (counts, measures of judged documents) is not corrected, and a note says so.

use karat_data::names::text;
use karat_data::{CollectionFacts, Qrels, TopicIndex};
use karat_measures::{Measure, Score};
use karat_stats::dist::normal;
use karat_stats::estimate::Interval;
use karat_stats::judge_error::{Calibration, Corrected, Harm, linear, worth};

use super::EvalError;
use super::imputation::{Drawing, Imputed, impute};
use crate::labels::{LabelWeights, LabelledList};
use crate::scored::Scored;
use crate::scores::{RunScores, Setting};

/// Refuses judgements with a grade that the calibration says nothing about; `file` names them.
///
/// # Errors
/// The first such grade.
pub fn check_compatible(qrels: &Qrels, calibration: &Calibration, file: &str) -> Result<(), EvalError> {
    for topic in qrels.topics() {
        for (docno, judgement) in qrels.documents(topic) {
            let Some(grade) = judgement.grade().filter(|grade| !calibration.grades().contains(grade)) else { continue };
            return Err(EvalError::GradeNotCalibrated {
                file: file.to_owned(),
                grade,
                topic: text(qrels.name(topic)),
                document: text(docno),
                known: calibration.grades().to_vec(),
            });
        }
    }
    Ok(())
}

/// What correction did to one measure of one run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Correction {
    /// The mean by the labels as they are.
    pub(crate) naive: f64,
    /// The variance of the mean because the error rates are estimated.
    pub(crate) judges: f64,
    /// The nearest possible value, where the corrected one is not.
    pub(crate) nearest: Option<f64>,
    /// Expected squared errors, where correcting does harm.
    pub(super) harm: Option<Harm>,
    /// By drawn labels.
    pub(super) drawn: Option<ByDraws>,
}

/// What is known of a mean over drawn labels beyond that.
#[derive(Debug, Clone, Copy)]
pub(super) struct ByDraws {
    /// The variance over topics, of which the scatter of expected scores is only a part.
    pub(super) topics: f64,
    /// The variance of our own draws.
    pub(super) monte_carlo: f64,
    /// Calibrations drawn again that told nothing, of how many.
    pub(super) lost: (u32, u32),
}

/// Corrects all scores of a run, in their place; what was done to each measure.
pub(super) fn apply(
    run: &mut RunScores,
    setting: &Setting<'_>,
    calibration: &Calibration,
    drawing: &Drawing,
) -> Vec<Option<Correction>> {
    let mut corrected: Vec<(TopicIndex, Vec<Scored>)> =
        run.topics.iter().map(|(topic, scores)| (topic, scores.to_vec())).collect();
    let drawn: Vec<usize> =
        (0..setting.measures.len()).filter(|&measure| setting.is_imputed(setting.measures[measure].as_ref())).collect();
    let measures: Vec<&dyn Measure> = drawn.iter().map(|&measure| setting.measures[measure].as_ref()).collect();
    // Topics that the policy left out have no scores, and no list.
    let lists: Vec<(String, &LabelledList)> =
        run.lists.iter().map(|(topic, list)| (text(setting.qrels.name(*topic)), list)).collect();
    let aligned = lists.len() == corrected.len();
    let mut imputed = if drawn.is_empty() || !aligned {
        None
    } else {
        impute(&measures, &lists, setting.collection, calibration, drawing)
    }
    .unwrap_or_default()
    .into_iter();
    let mut found = Vec::with_capacity(setting.measures.len());
    for (index, measure) in setting.measures.iter().enumerate() {
        if drawn.contains(&index) {
            found.push(imputed.next().and_then(|imputed| replace(index, imputed, &mut corrected)));
            continue;
        }
        let defined =
            |(topic, scores): &(TopicIndex, Vec<Scored>)| Some((scores[index].ok()?, run.labels_of(*topic, index)));
        let mut scores: Vec<(Score, LabelWeights)> = corrected.iter().filter_map(defined).collect();
        let correction = correct(measure.as_ref(), &setting.collection, calibration, &mut scores);
        if correction.is_some() {
            let places = corrected.iter_mut().filter_map(|(_, scores)| scores[index].as_mut().ok());
            places.zip(scores).for_each(|(place, (score, _))| *place = score);
        }
        found.push(correction);
    }
    corrected.into_iter().for_each(|(topic, scores)| run.topics.fill(topic, scores));
    found
}

/// Expected scores in the place of a measure's scores; `None` where there is none.
fn replace(index: usize, imputed: Imputed, corrected: &mut [(TopicIndex, Vec<Scored>)]) -> Option<Correction> {
    let naive: Vec<f64> = corrected.iter().filter_map(|(_, scores)| Some(scores[index].ok()?.value)).collect();
    if naive.is_empty() {
        return None;
    }
    for ((_, scores), score) in corrected.iter_mut().zip(imputed.scores) {
        scores[index] = score;
    }
    let Imputed { topics, judges, monte_carlo, lost, .. } = imputed;
    let naive = naive.iter().sum::<f64>() / naive.len() as f64;
    Some(Correction { naive, judges, nearest: None, harm: None, drawn: Some(ByDraws { topics, monte_carlo, lost }) })
}

/// How far correction moves each topic's score, and what is known of the corrected mean. `None` where the measure is not linear or there are
/// too few topics. Weights may be those of one list less those of another: then the mean is of a difference, and what is possible for a score
/// says nothing about it.
pub fn shifts(
    measure: &dyn Measure,
    collection: &CollectionFacts,
    calibration: &Calibration,
    weights: &[LabelWeights],
) -> Option<(Vec<f64>, Corrected)> {
    let form = measure.linear(collection)?;
    let gains: Vec<f64> = calibration.grades().iter().map(|&grade| form.gain.of(grade)).collect();
    let queries: Vec<Vec<f64>> =
        weights.iter().map(|weights| Some(weights.as_ref()?.to_vec())).collect::<Option<_>>()?;
    let worth = worth(&gains, calibration).ok()?;
    let found = linear(&queries, &gains, calibration).ok()?;
    let shift = |weights: &Vec<f64>| weights.iter().zip(worth.iter().zip(&gains)).map(|(x, (u, v))| x * (u - v)).sum();
    Some((queries.iter().map(shift).collect(), found))
}

/// Corrects a measure's scores, topic by topic. `None` where the measure is not linear or there are too few topics.
pub(crate) fn correct(
    measure: &dyn Measure,
    collection: &CollectionFacts,
    calibration: &Calibration,
    scores: &mut [(Score, LabelWeights)],
) -> Option<Correction> {
    let weights: Vec<LabelWeights> = scores.iter().map(|(_, weights)| weights.clone()).collect();
    let (shifts, found) = shifts(measure, collection, calibration, &weights)?;
    let naive = scores.iter().map(|(score, _)| score.value).sum::<f64>() / scores.len() as f64;
    for ((score, _), shift) in scores.iter_mut().zip(shifts) {
        *score = Score::within(score.value + shift, score.low + shift, score.high + shift);
    }
    Some(Correction { naive, judges: found.judges, nearest: found.nearest(), harm: found.harm(), drawn: None })
}

/// An interval over topics, with the variance of the calibration beside it.
pub(crate) fn widen(point: f64, over_topics: Interval, judges: f64, level: f64) -> Interval {
    let Ok(quantile) = normal::quantile(0.5 + level / 2.0) else { return over_topics };
    let wider = |reach: f64| reach.hypot(quantile * judges.sqrt());
    Interval {
        low: point - wider(point - over_topics.low),
        high: point + wider(over_topics.high - point),
        ..over_topics
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use karat_measures::spec;

    #[test]
    fn precision_of_two_topics_by_hand() {
        // P@2 with labels (1, 0) and (1, 1): 1/2 and 1. m_R = .9, m_N = .8, D = .7: corrected (j − .2)/.7 = .428571 and 1.142857.
        let calibration = Calibration::binary((90, 100), (80, 100)).unwrap();
        let measure = spec::parse_list("P@2", 1.0).unwrap()[0].build().unwrap();
        let score = |value, x: [f64; 2]| (Score::exact(value), Some(x.to_vec().into_boxed_slice()));
        let mut scores = [score(0.5, [0.5, 0.5]), score(1.0, [0.0, 1.0])];
        let found = correct(measure.as_ref(), &CollectionFacts::default(), &calibration, &mut scores).unwrap();
        assert!((scores[0].0.value - 0.3 / 0.7).abs() < 1e-12 && (scores[1].0.high - 0.8 / 0.7).abs() < 1e-12);
        // Equation 8 with p = .75, θ = .55/.7: (θ² m_R (1 − m_R) + (1 − θ)² m_N (1 − m_N)) / 100 / D².
        let theta: f64 = 0.55 / 0.7;
        let expected = (theta.powi(2) * 0.09 + (1.0 - theta).powi(2) * 0.16) / 100.0 / 0.49;
        assert!((found.judges - expected).abs() < 1e-12, "{} {expected}", found.judges);
        assert_eq!((found.naive, found.nearest), (0.75, None));
        let mut without = [(Score::exact(0.5), None), (Score::exact(1.0), None)];
        assert!(correct(measure.as_ref(), &CollectionFacts::default(), &calibration, &mut without).is_none());
    }
}
