//! From scores, lists and calibration to the parts of the budget, and the order in which to judge.

use karat_data::{CollectionFacts, Problem, Problems, RankedDocuments, TopicIndex};
use karat_measures::{Measure, Score};
use karat_runtime::jobs::in_order;
use karat_stats::Sample;
use karat_stats::interval;
use karat_stats::judge_error::{self, Calibration, Redraw};
use karat_stats::seed::Seed;

use super::documents::{self, Documents};
use super::effects;
use super::outlook::{Outlook, Step, Variances, jackknife};
use super::{Next, source};
use crate::compare::lists::Lists;
use crate::eval::correction;
use crate::scores::{RunScores, Setting};
use crate::unjudged::Belief;

/// As alike as documents of a topic are taken to be at most.
const MOST_ALIKE: f64 = 0.95;
/// Calibrations drawn to see how sure the variance from one is.
const REDRAWS: usize = 400;
/// The order of documents is looked at anew so often.
const ROUNDS: usize = 60;

/// A document in the order of judging.
#[derive(Debug, Clone, Copy)]
struct Chosen {
    topic: usize,
    place: usize,
    removed: f64,
}

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
    topics: Vec<(TopicIndex, Documents)>,
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
        let found: Vec<Option<Documents>> = match known {
            None => kept.iter().map(|_| Some(Documents::default())).collect(),
            Some((read, belief)) => {
                let right = belief.taken_as_right(belief.draws() as u32);
                let lists =
                    |at: usize| Lists::new(setting.qrels, setting.collection, setting.policy.depth, read, kept[at].0);
                let all: usize = read.topics.iter().map(karat_data::TopicDocuments::len).sum();
                let one = |at: usize| {
                    let lists = lists(at);
                    match measure.linear(&setting.collection) {
                        Some(form) => {
                            let worth: Option<&dyn Fn(f64) -> f64> =
                                if worth.is_some() { Some(&grade_worth) } else { None };
                            Some(documents::linear(&form, &lists, runs, belief, worth))
                        }
                        None => {
                            let name = setting.qrels.name(kept[at].0);
                            // Chances and their error are the fitted model's, draws are from it as if it were right.
                            effects::drawn(setting.measures, &lists, runs, (belief, &right), name, all)
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
        let topics: Vec<(TopicIndex, Documents)> =
            kept.iter().map(|(topic, _)| *topic).zip(found.into_iter().flatten()).collect();
        let expected: Vec<f64> = topics
            .iter()
            .zip(kept.iter().zip(&labelled))
            .map(|((_, documents), ((_, observed), (corrected, _)))| {
                documents.expected.unwrap_or(observed + documents.added) + corrected.value - observed
            })
            .collect();
        let spread = spread(&expected, level)?;
        let count = expected.len() as f64;
        let (surprises, scales) =
            topics.iter().fold((0.0, 0.0), |sum, (_, topic)| (sum.0 + topic.alike.0, sum.1 + topic.alike.1));
        let alike = if scales > 0.0 { (surprises / scales).clamp(0.0, MOST_ALIKE) } else { 0.0 };
        let mut parts = Parts {
            observed: kept.iter().map(|(_, observed)| observed).sum::<f64>() / count,
            value: expected.iter().sum::<f64>() / count,
            alike,
            drawn: known.is_some() && drawn,
            modelled: known.is_some(),
            sampling: sampling(scored, &topics),
            topics,
            spread,
            correcting,
            chosen: Vec::new(),
        };
        parts.chosen = parts.choose();
        Ok(parts)
    }

    fn count(&self) -> f64 {
        self.topics.len() as f64
    }

    /// What the refits say of everything open, summed over topics.
    fn refits(&self) -> Vec<f64> {
        let open = self.topics.iter().flat_map(|(_, topic)| &topic.open);
        let below = self.topics.iter().map(|(_, topic)| &topic.below);
        let groups = open.clone().map(|open| open.refits.len()).chain(below.clone().map(|all| all.len())).max();
        let mut sums = vec![0.0; groups.unwrap_or(0)];
        for open in open {
            sums.iter_mut().zip(&open.refits).for_each(|(sum, chance)| *sum += open.effect * chance);
        }
        below.for_each(|below| sums.iter_mut().zip(below).for_each(|(sum, other)| *sum += other));
        sums
    }

    /// The order of judging: what takes most out of the source `unjudged` first, by chance and by what the model has to say.
    fn choose(&self) -> Vec<Chosen> {
        let mut refits = self.refits();
        let groups = refits.len() as f64;
        let squared = self.count() * self.count();
        let mut left: Vec<Chosen> = (0..self.topics.len())
            .flat_map(|topic| {
                (0..self.topics[topic].1.open.len()).map(move |place| Chosen { topic, place, removed: 0.0 })
            })
            .collect();
        let mut order = Vec::with_capacity(left.len());
        let chunk = left.len().div_ceil(ROUNDS).max(10);
        while !left.is_empty() {
            let mean = refits.iter().sum::<f64>() / groups.max(1.0);
            for chosen in &mut left {
                let open = &self.topics[chosen.topic].1.open[chosen.place];
                let own = open.refits.iter().sum::<f64>() / groups.max(1.0);
                // Of the sum of squares around the mean, without this document.
                let of_fit: f64 = open
                    .refits
                    .iter()
                    .zip(&refits)
                    .map(|(chance, all)| (open.effect * (chance - own), all - mean))
                    .map(|(own, all)| own * (2.0 * all - own))
                    .sum();
                let of_fit = if groups > 0.0 { (groups - 1.0) / groups * of_fit } else { 0.0 };
                chosen.removed = (open.variance + of_fit) / squared;
            }
            left.sort_by(|a, b| b.removed.total_cmp(&a.removed).then((a.topic, a.place).cmp(&(b.topic, b.place))));
            for chosen in left.drain(..chunk.min(left.len())) {
                let open = &self.topics[chosen.topic].1.open[chosen.place];
                refits.iter_mut().zip(&open.refits).for_each(|(sum, chance)| *sum -= open.effect * chance);
                order.push(chosen);
            }
        }
        order
    }

    /// What effort does.
    pub fn outlook(&self, level: f64) -> Outlook {
        let all = |of: &dyn Fn(&Documents) -> f64| self.topics.iter().map(|(_, topic)| of(topic)).sum::<f64>();
        let mut weights = self.correcting.as_ref().map_or_else(Vec::new, |found| found.weights.clone());
        let mut step = Step {
            open: all(&|topic| topic.variance),
            shown: 0.0,
            refits: self.refits().into(),
            judges: self.correcting.as_ref().map_or(0.0, |found| found.judges),
        };
        let mut shown: Vec<f64> = self.topics.iter().map(|(_, topic)| topic.judged).collect();
        let mut steps = vec![step.clone()];
        for chosen in &self.chosen {
            let open = &self.topics[chosen.topic].1.open[chosen.place];
            step.open = (step.open - open.variance).max(0.0);
            // Documents that are alike add up where they pull the same way. Where they would cancel that is not counted on: a document that
            // good systems did not find is less alike to those they found than these are to each other.
            step.shown += open.shown * open.shown + 2.0 * self.alike * (open.shown * shown[chosen.topic]).max(0.0);
            shown[chosen.topic] += open.shown;
            step.refits.iter_mut().zip(&open.refits).for_each(|(sum, chance)| *sum -= open.effect * chance);
            if let Some(found) = &self.correcting {
                found.judged(&mut weights, open, self.count());
                step.judges = found.variance(&weights).unwrap_or(step.judges);
            }
            steps.push(step.clone());
        }
        Outlook {
            level,
            count: self.topics.len() as u64,
            spread: self.spread,
            monte_carlo: all(&|topic| topic.monte_carlo) / (self.count() * self.count()),
            steps,
            gold: self.correcting.as_ref().map_or(0, |found| found.calibration.counts().iter().flatten().sum()),
            gold_unsure: self.correcting.as_ref().map_or(1.0, Correcting::unsure),
        }
    }

    /// The sources that apply. What the sample of judgements does is within the scatter of the topics' scores, and is booked under its own name.
    pub fn sources(&self) -> Vec<(&'static str, f64)> {
        let parts = self.outlook_now();
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

    fn outlook_now(&self) -> Variances {
        // Level and later steps do not matter for what is.
        let refits: Vec<f64> = self.refits().iter().map(|sum| sum / self.count()).collect();
        let squared = self.count() * self.count();
        let all =
            |of: &dyn Fn(&Documents) -> f64| self.topics.iter().map(|(_, topic)| of(topic)).sum::<f64>() / squared;
        Variances {
            topics: self.spread / self.count(),
            chance: all(&|topic| topic.variance),
            fit: jackknife(&refits),
            judges: self.correcting.as_ref().map_or(0.0, |found| found.judges),
            monte_carlo: all(&|topic| topic.monte_carlo),
        }
    }

    /// Whether scores are corrected for the judges' errors.
    pub fn corrected(&self) -> bool {
        self.correcting.is_some()
    }

    /// The documents in order.
    pub fn next(&self, setting: &Setting<'_>, read: Option<&RankedDocuments>) -> Vec<Next> {
        let one = |chosen: &Chosen| {
            let (topic, documents) = &self.topics[chosen.topic];
            let open = &documents.open[chosen.place];
            let docno = read?.find(setting.qrels.name(*topic))?.docno(open.document).to_vec();
            Some(Next { topic: *topic, docno, weight: open.effect, removed: chosen.removed })
        };
        self.chosen.iter().filter_map(one).collect()
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
    fn judged(&self, weights: &mut [f64], open: &documents::Open, topics: f64) {
        for (weight, (yes, no)) in weights.iter_mut().zip(&self.shares) {
            *weight += open.weight / topics * (no + open.chance * (yes - no));
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
fn sampling(scored: &[RunScores], topics: &[(TopicIndex, Documents)]) -> Option<f64> {
    let [run] = scored else { return None };
    let known: Vec<f64> = topics.iter().filter_map(|(topic, _)| run.sampling_of(*topic, 0)).collect();
    (!known.is_empty()).then(|| known.iter().sum::<f64>() / known.len() as f64 / topics.len() as f64)
}
