//! From scores, lists and calibration to the parts of the budget, and the order in which to judge.

use karat_data::{CollectionFacts, Problem, Problems, RankedDocuments, TopicIndex};
use karat_measures::{Measure, Score};
use karat_runtime::jobs::in_order;
use karat_stats::Sample;
use karat_stats::interval;
use karat_stats::judge_error::{self, Calibration, Redraw};
use karat_stats::seed::Seed;

use super::chances::{Chances, centre};
use super::documents::{self, Documents, Worth};
use super::effects;
use super::order::{Chosen, Ordering};
use super::outlook::{Effort, Fit, Outlook, Quantiles, Step, Steps};
use super::{Next, source};
use crate::compare::lists::Lists;
use crate::eval::correction;
use crate::scores::{RunScores, Setting};
use crate::unjudged::Belief;

/// As alike as documents of a topic are taken to be at most.
const MOST_ALIKE: f64 = 0.95;
/// Calibrations drawn to see how sure the variance from one is.
const REDRAWS: usize = 400;

/// What the calibration does.
struct Correcting<'a> {
    calibration: &'a Calibration,
    gains: Vec<f64>,
    /// Mean weight on each bronze grade.
    weights: Vec<f64>,
    /// The share of each grade among documents that are relevant, and among the others.
    shares: Vec<(f64, f64)>,
    judges: f64,
}

/// The parts.
pub(super) struct Parts<'a> {
    /// The mean as the scores are, by the labels as they are.
    pub observed: f64,
    /// The mean as unjudged documents probably are and gold judges would have it.
    pub value: f64,
    /// How alike documents of a topic are.
    pub alike: f64,
    /// Whether effects come from draws.
    pub drawn: bool,
    /// Whether unjudged documents are a source at all.
    pub modelled: bool,
    indices: Vec<TopicIndex>,
    topics: Vec<Documents>,
    worth: Worth,
    chances: Chances,
    spread: f64,
    sampling: Option<f64>,
    correcting: Option<Correcting<'a>>,
    chosen: Vec<Chosen>,
}

impl<'a> Parts<'a> {
    pub fn new(
        setting: &Setting<'a>,
        measure: &dyn Measure,
        scored: &[RunScores],
        known: Option<(&RankedDocuments, &Belief)>,
        level: f64,
    ) -> Result<Parts<'a>, Problems> {
        let runs = scored.len();
        let known = known.filter(|_| Belief::concerns(measure));
        let mut kept: Vec<(TopicIndex, f64)> = Vec::new();
        let mut labelled = Vec::new();
        for topic in setting.qrels.topics() {
            let value = |run: &RunScores| Some(run.topics.get(topic)?[0].as_ref().ok()?.value);
            let Some(values) = scored.iter().map(value).collect::<Option<Vec<f64>>>() else { continue };
            let observed = values[0] - values.get(1).copied().unwrap_or(0.0);
            let weights: Option<Vec<_>> = scored.iter().map(|run| run.labels_of(topic, 0)).collect();
            let apart = weights.map(|weights| match &*weights {
                [one] => one.clone(),
                [one, other, ..] => one.iter().zip(other).map(|(a, b)| a - b).collect(),
                [] => Box::new([]),
            });
            labelled.push((Score::exact(observed), apart));
            kept.push((topic, observed));
        }
        let drawn = measure.linear(&setting.collection).is_none();
        let correcting = setting.calibration.and_then(|calibration| {
            Correcting::new(measure, &setting.collection, calibration, &mut labelled, known.map(|(_, belief)| belief))
        });
        let worth = correcting.as_ref().and_then(|found| judge_error::worth(&found.gains, found.calibration).ok());
        let grade_worth = |grade: f64| {
            let known = setting.calibration.and_then(|found| found.grades().iter().position(|&other| other == grade));
            known.zip(worth.as_ref()).map_or(0.0, |(place, worth)| worth[place])
        };
        let form = measure.linear(&setting.collection);
        let gold: Option<&dyn Fn(f64) -> f64> = if worth.is_some() { Some(&grade_worth) } else { None };
        let worth =
            form.as_ref().zip(known).map_or(Worth::EFFECT, |(form, (_, belief))| Worth::new(form, belief, gold));
        let longest = |(read, belief): (&RankedDocuments, &Belief)| {
            let lists = read.topics.iter().flat_map(|topic| (0..runs).map(|run| topic.list(run).len()));
            Chances::new(belief, lists.max().unwrap_or(0))
        };
        let chances = known.map_or_else(Chances::default, longest);
        let found: Vec<Option<Documents>> = match known {
            None => kept.iter().map(|_| Some(Documents::default())).collect(),
            Some((read, belief)) => {
                let right = belief.taken_as_right(belief.draws() as u32);
                let all: usize = read.topics.iter().map(karat_data::TopicDocuments::len).sum();
                let one = |at: usize| {
                    let topic = kept[at].0;
                    let lists = Lists::new(setting.qrels, setting.collection, setting.policy.depth, read, topic);
                    match measure.linear(&setting.collection) {
                        Some(form) => Some(documents::linear(&form, &lists, runs, (belief, &chances), &worth)),
                        None => {
                            let name = setting.qrels.name(topic);
                            // Chances and their error are the fitted model's, draws are from it as if it were right.
                            effects::drawn(setting.measures, &lists, runs, (belief, &right, &chances), name, all)
                        }
                    }
                };
                in_order(kept.len(), setting.threads, one)
            }
        };
        let without = found.iter().position(Option::is_none);
        if let Some(place) = without {
            return Err(Problem::of_file(
                "-m",
                format!(
                    "a measure that has a value however unjudged documents of topic {} are judged",
                    karat_data::names::text(setting.qrels.name(kept[place].0))
                ),
                measure.spec().to_string(),
                "choose another, or --unjudged nonrelevant",
            )
            .into());
        }
        let topics: Vec<Documents> = found.into_iter().flatten().collect();
        let indices: Vec<TopicIndex> = kept.iter().map(|(topic, _)| *topic).collect();
        let expected: Vec<f64> = topics
            .iter()
            .zip(kept.iter().zip(&labelled))
            .map(|(documents, ((_, observed), (corrected, _)))| {
                documents.expected.unwrap_or(observed + documents.added) + corrected.value - observed
            })
            .collect();
        let spread = spread(&expected, level)?;
        let count = expected.len() as f64;
        let (surprises, scales) =
            topics.iter().fold((0.0, 0.0), |sum, topic| (sum.0 + topic.alike.0, sum.1 + topic.alike.1));
        let alike = if scales > 0.0 { (surprises / scales).clamp(0.0, MOST_ALIKE) } else { 0.0 };
        let mut parts = Parts {
            observed: kept.iter().map(|(_, observed)| observed).sum::<f64>() / count,
            value: expected.iter().sum::<f64>() / count,
            alike,
            drawn: known.is_some() && drawn,
            modelled: known.is_some(),
            sampling: sampling(scored, &indices),
            indices,
            topics,
            worth,
            chances,
            spread,
            correcting,
            chosen: Vec::new(),
        };
        parts.chosen = parts.ordering().order();
        Ok(parts)
    }

    fn count(&self) -> f64 {
        self.topics.len() as f64
    }

    fn ordering(&self) -> Ordering<'_> {
        Ordering { topics: &self.topics, worth: &self.worth, chances: &self.chances }
    }

    /// What effort does.
    pub fn outlook(&self, level: f64) -> Outlook {
        let count = self.topics.len() as u64;
        let monte_carlo: f64 = self.topics.iter().map(|topic| topic.monte_carlo).sum();
        Outlook {
            level,
            quantiles: Quantiles::new(level, count),
            count,
            spread: self.spread,
            monte_carlo: monte_carlo / (self.count() * self.count()),
            steps: self.steps(),
            gold: self.correcting.as_ref().map_or(0, |found| found.calibration.counts().iter().flatten().sum()),
            gold_unsure: self.correcting.as_ref().map_or(1.0, Correcting::unsure),
        }
    }

    /// What is left after each judgement in the order of judging.
    fn steps(&self) -> Steps {
        let ordering = self.ordering();
        let (mut left, centred) = (ordering.refits(), self.chances.centred());
        centre(&mut left);
        let all = left.clone();
        let mut weights = self.correcting.as_ref().map_or_else(Vec::new, |found| found.weights.clone());
        let mut step = Step {
            open: self.topics.iter().map(|topic| topic.variance).sum(),
            shown: 0.0,
            fit: Fit::new(&left, &all),
            judges: self.correcting.as_ref().map_or(0.0, |found| found.judges),
        };
        let mut shown: Vec<f64> = self.topics.iter().map(|topic| topic.judged).collect();
        let mut steps = Steps::new(self.chosen.len());
        steps.push(step);
        for (judgements, chosen) in (1..).zip(&self.chosen) {
            let (topic, open) = ordering.open(chosen);
            let chance = self.chances.chance(open.ranks);
            step.open = (step.open - topic.together * self.worth.variance(open.weight, chance)).max(0.0);
            // Documents that are alike add up where they pull the same way. Where they would cancel that is not counted on: a document that
            // good systems did not find is less alike to those they found than these are to each other.
            let (own, before) =
                (topic.together.sqrt() * self.worth.shown_by(open.weight, chance), &mut shown[chosen.topic as usize]);
            step.shown += own * own + 2.0 * self.alike * (own * *before).max(0.0);
            *before += own;
            let effect = self.worth.effect(open.weight);
            centred.each_refit(open.ranks, |group, refit| left[group] -= effect * refit);
            if let Some(found) = &self.correcting {
                found.judged(&mut weights, open.weight, chance, self.count());
            }
            if steps.keeps(judgements) {
                step.fit = Fit::new(&left, &all);
                let found = self.correcting.as_ref().and_then(|found| found.variance(&weights));
                step.judges = found.unwrap_or(step.judges);
                steps.push(step);
            }
        }
        steps
    }

    /// The sources that apply. What the sample of judgements does is within the scatter of the topics' scores, and is booked under its own name.
    pub fn sources(&self, outlook: &Outlook) -> Vec<(&'static str, f64)> {
        let parts = outlook.after(Effort::default());
        let sampling = self.sampling.unwrap_or(0.0).min(parts.topics);
        let mut all = vec![(source::TOPICS, parts.topics - sampling)];
        if self.modelled {
            all.push((source::UNJUDGED, parts.chance + parts.fit));
        }
        if self.correcting.is_some() {
            all.push((source::JUDGES, parts.judges));
        }
        if self.sampling.is_some() {
            all.push((source::SAMPLING, sampling));
        }
        if self.drawn {
            all.push((source::MONTE_CARLO, parts.monte_carlo));
        }
        if parts.fit > 0.0 {
            all.push((source::INTERACTION, parts.interaction()));
        }
        all
    }

    /// Whether scores are corrected for the judges' errors.
    pub fn corrected(&self) -> bool {
        self.correcting.is_some()
    }

    /// The first documents in order.
    pub fn next(&self, setting: &Setting<'_>, read: Option<&RankedDocuments>, most: usize) -> Vec<Next> {
        let ordering = self.ordering();
        let one = |chosen: &Chosen| {
            let topic = self.indices[chosen.topic as usize];
            let open = ordering.open(chosen).1;
            let documents = read?.find(setting.qrels.name(topic))?;
            let (run, rank) = open.ranks.iter().enumerate().find(|(_, rank)| **rank > 0)?;
            let document = *documents.list(run).get(*rank as usize - 1)?;
            Some(Next {
                topic,
                docno: documents.docno(document).to_vec(),
                weight: self.worth.effect(open.weight),
                removed: chosen.removed / (self.count() * self.count()),
            })
        };
        self.chosen.iter().take(most).filter_map(one).collect()
    }
}

impl<'a> Correcting<'a> {
    /// Corrects the scores; `None` where the measure is not linear.
    fn new(
        measure: &dyn Measure,
        collection: &CollectionFacts,
        calibration: &'a Calibration,
        labelled: &mut [(Score, correction::LabelWeights)],
        belief: Option<&Belief>,
    ) -> Option<Correcting<'a>> {
        let form = measure.linear(collection)?;
        let found = correction::correct(measure, collection, calibration, labelled)?;
        let grades = calibration.grades();
        let gains: Vec<f64> = grades.iter().map(|&grade| form.gain.of(grade)).collect();
        let mut weights = vec![0.0; grades.len()];
        for (_, own) in labelled.iter() {
            weights.iter_mut().zip(own.as_ref()?).for_each(|(sum, weight)| *sum += weight / labelled.len() as f64);
        }
        let share = |grade: f64| {
            let is = |other: f64| f64::from(u8::from(other == grade));
            belief.map_or((0.0, 0.0), |belief| {
                let (yes, no) = belief.grades().gains(&is);
                (yes.mean, no.mean)
            })
        };
        let shares = grades.iter().map(|&grade| share(grade)).collect();
        Some(Correcting { calibration, gains, weights, shares, judges: found.judges })
    }

    /// Once a document is judged its weight falls on grades.
    fn judged(&self, weights: &mut [f64], added: f64, chance: f64, topics: f64) {
        for (weight, (yes, no)) in weights.iter_mut().zip(&self.shares) {
            *weight += added / topics * (no + chance * (yes - no));
        }
    }

    /// The variance because error rates are estimated, with this weight on each grade.
    fn variance(&self, weights: &[f64]) -> Option<f64> {
        self.variance_by(weights, self.calibration)
    }

    fn variance_by(&self, weights: &[f64], calibration: &Calibration) -> Option<f64> {
        let twice = [weights.to_vec(), weights.to_vec()];
        judge_error::linear(&twice, &self.gains, calibration).ok().map(|found| found.judges)
    }

    /// How much larger than estimated that variance must be taken for plans to hold on average: the squared mean of σ/s, over calibrations
    /// drawn from the present one.
    fn unsure(&self) -> f64 {
        let Ok(redraw) = Redraw::new(self.calibration) else { return 1.0 };
        let mut stream = Seed(0).stream("gold labels", 0);
        let drawn = (0..REDRAWS).filter_map(|_| redraw.draw(&mut stream));
        let ratios: Vec<f64> = drawn
            .filter_map(|calibration| self.variance_by(&self.weights, &calibration))
            .map(|drawn| (self.judges / drawn).sqrt())
            .filter(|ratio| ratio.is_finite() && *ratio > 0.0)
            .collect();
        let mean = ratios.iter().sum::<f64>() / ratios.len().max(1) as f64;
        // Rates that may be no better than a coin's have a mean without meaning; beyond 2 more labels would look worse than none.
        (mean * mean).clamp(1.0, 2.0)
    }
}

/// The variance of topics' scores.
fn spread(expected: &[f64], level: f64) -> Result<f64, Problems> {
    let refuse = |why: String, remedy: &str| {
        let expected = format!("at least {} topics with scores that differ, to judge chance by", interval::HANDFUL);
        Err(Problem::of_file("topics", expected, why, remedy).into())
    };
    let more = "give judgements and runs of more topics";
    match Sample::new(expected).ok().map(|sample| (interval::t(&sample, level), sample.variance())) {
        Some((Ok(_), Ok(variance))) => Ok(variance),
        Some((Err(interval::NoInterval::Constant { value }), _)) => {
            refuse(format!("{} topics that all have {value}", expected.len()), more)
        }
        _ => refuse(format!("{} with a score", expected.len()), more),
    }
}

/// Variance of a single run's mean over samples of the judgements; topics that do not tell theirs are as the others.
fn sampling(scored: &[RunScores], topics: &[TopicIndex]) -> Option<f64> {
    let [run] = scored else { return None };
    let known: Vec<f64> = topics.iter().filter_map(|topic| run.sampling_of(*topic, 0)).collect();
    (!known.is_empty()).then(|| known.iter().sum::<f64>() / known.len() as f64 / topics.len() as f64)
}
