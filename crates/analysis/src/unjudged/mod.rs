//! What unjudged documents probably are, and what that does to every measure.
//!
//! A model says how likely an unjudged document at a rank is relevant: a number the user gave, or one fitted to the judged documents of all
//! runs. Measures linear in gain get mean and variance in closed form ([`mod@expected`]), any other by drawing judgements
//! ([`complete`]). The one decision: a model that was fitted carries its own error, told by leaving groups of topics
//! out; the same groups give the cross-validated loss by which models are compared.

pub mod complete;
pub mod coverage;
pub mod expected;
pub mod grades;
pub mod kind;
pub mod model;
pub mod observed;
pub mod spread;

use karat_data::{Judgement, JudgementKind, Policy, Problems, Qrels, RunSource, TopicView};
use karat_measures::{Aggregate, Measure, Score, Undefined};
use karat_sim::Posterior;
use karat_sim::urn::fit::FitError;
use karat_stats::seed::{Seed, Streams};
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use crate::scored::Scored;
use crate::streams;
use crate::values::{URN_DOCUMENTS, URN_SHARE, URN_WEIGHT};
use expected::{Expected, expected};
use grades::Grades;
use kind::{BAND, CURVES, EVERY, FLAT, ISOTONIC, Kind, LOGISTIC, URN};
use model::{Model, OnList, normals};
use observed::Observed;

/// Groups of topics that are left out in turn.
const GROUPS: usize = 10;
/// From so many topics on the Normal is good enough, and nobody keeps what the exact distribution needs.
const MANY_TOPICS: usize = 100;

/// Where the chances come from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Treatment {
    /// The user said, the same for every document.
    Given(f64),
    /// From the judged documents of the same depth band.
    Band,
    /// The best of flat, isotonic and logistic, by cross-validated loss.
    Fit,
    /// The urn.
    Urn,
}

/// How well one model predicts the judged documents.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ModelComparison {
    /// The model.
    #[serde(rename = "model")]
    pub name: &'static str,
    /// Cross-validated log loss: mean over judged documents of minus the logarithm of the probability of their judgement.
    pub log_loss: f64,
    /// Judged documents.
    pub judged: u64,
    /// Probability of relevance at rank 1, in a list with nothing judged.
    pub rank_1: f64,
    /// Probability of relevance at rank 10.
    pub rank_10: f64,
    /// Probability of relevance at rank 100.
    pub rank_100: f64,
    /// The parameters, where there are some to tell; else empty.
    pub parameters: ModelParameters,
    /// Whether it is the model in use.
    pub used: bool,
}

/// The parameters of a model.
#[derive(Debug, Clone, Copy, PartialEq, JsonSchema)]
#[schemars(with = "String")]
pub enum ModelParameters {
    /// A curve by rank has none to tell.
    None,
    /// Of the urn.
    Urn {
        /// Documents in the urn.
        documents: u32,
        /// Share of relevant ones.
        share: f64,
        /// Weight of a document that is not relevant.
        weight: f64,
    },
}

impl Serialize for ModelParameters {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            ModelParameters::None => serializer.serialize_str(""),
            ModelParameters::Urn { documents, share, weight } => serializer
                .collect_str(&format_args!("{URN_DOCUMENTS}{documents}{URN_SHARE}{share:.4}{URN_WEIGHT}{weight:.4}")),
        }
    }
}

/// Chances for unjudged documents, with their error.
#[derive(Debug, Clone)]
pub struct RelevanceModel {
    model: Model,
    refits: Vec<Model>,
    /// One for each draw, moved within the error of the fit.
    drawn_models: Vec<Model>,
    grades: Grades,
    level: f64,
    seed: Seed,
    /// How the models did; empty where the user gave the chance.
    pub compared: Vec<ModelComparison>,
}

/// What unjudged documents do to one score of one topic.
#[derive(Debug, Clone, PartialEq)]
pub enum Probable {
    /// Nothing: the measure is about what was judged.
    AsIs,
    /// In closed form.
    Expected(Expected),
    /// The value on every draw.
    Drawn {
        /// The values.
        values: Box<[f64]>,
        /// Whether all draws share one model, which has no error of its own.
        has_one_model: bool,
    },
}

/// Why there is no model.
#[derive(Debug, Clone, PartialEq)]
pub enum ModelError {
    /// The runs could not be read.
    Runs(Problems),
    /// Not a chance.
    Chance(f64),
    /// No retrieved document is judged.
    NothingJudged,
    /// One topic only, so that nothing can be left out.
    OneTopic,
    /// Every judged document is relevant: the judgements do not say how often others are.
    OnlyRelevant,
    /// No grade reaches the level.
    NoGrade {
        /// The level.
        level: f64,
        /// The largest grade.
        largest: f64,
    },
    /// The urn cannot be told.
    Urn(FitError),
}

/// The model that is used where none is asked for: the fitted one, or why there is none, which an answer can do without.
///
/// # Errors
/// The runs cannot be read.
pub fn fit_default_model(
    data: &ModelData<'_>,
    runs: &dyn RunSource,
    level: f64,
    draws: u32,
    seed: Seed,
) -> Result<Result<RelevanceModel, ModelError>, Problems> {
    match fit_model(data, runs, Treatment::Fit, level, draws, seed) {
        Err(ModelError::Runs(problems)) => Err(problems),
        other => Ok(other),
    }
}

/// What a model is fitted to, apart from the runs.
#[derive(Clone, Copy)]
pub struct ModelData<'a> {
    /// The judgements.
    pub qrels: &'a Qrels,
    /// All judgements, where `qrels` was cut to some topics.
    pub all_qrels: &'a Qrels,
    /// The largest grade of the collection.
    pub max_grade: f64,
    /// How runs meet judgements.
    pub policy: Policy,
    /// Threads to use; the answer does not depend on it.
    pub threads: usize,
}

/// The model asked for, fitted to the runs where it is not given. `level` is the grade from which documents are relevant,
/// `draws` how many completions measures without a closed form are computed on.
///
/// # Errors
/// Why there is none.
pub fn fit_model(
    data: &ModelData<'_>,
    runs: &dyn RunSource,
    treatment: Treatment,
    level: f64,
    draws: u32,
    seed: Seed,
) -> Result<RelevanceModel, ModelError> {
    if data.max_grade < level {
        return Err(ModelError::NoGrade { level, largest: data.max_grade });
    }
    let grades = Grades::of(data.all_qrels, level);
    let fitted = match treatment {
        Treatment::Given(chance) => Fitted::given(chance)?,
        _ => Fitted::to(&Observed::read(data, runs, level).map_err(ModelError::Runs)?, treatment)?,
    };
    Ok(RelevanceModel::new(fitted, grades, level, draws, seed))
}

/// A model with its refits, and how it compares.
#[derive(Debug, Clone)]
pub struct Fitted {
    /// The model.
    pub model: Model,
    /// The same without each group of topics.
    pub refits: Vec<Model>,
    /// How the models did.
    pub compared: Vec<ModelComparison>,
}

impl Fitted {
    /// The chance the user gave.
    ///
    /// # Errors
    /// It is not from 0 to 1.
    pub fn given(chance: f64) -> Result<Fitted, ModelError> {
        if !(0.0..=1.0).contains(&chance) {
            return Err(ModelError::Chance(chance));
        }
        Ok(Fitted { model: Model::Curve(vec![chance]), refits: Vec::new(), compared: Vec::new() })
    }

    /// Fitted to what was observed.
    ///
    /// # Errors
    /// Nothing judged, one topic only, or judgements the urn cannot be told from.
    pub fn to(observed: &Observed, treatment: Treatment) -> Result<Fitted, ModelError> {
        let wanted: &[&'static Kind] = match treatment {
            Treatment::Band => &[&BAND],
            Treatment::Urn => &[&URN],
            Treatment::Given(_) | Treatment::Fit => &[&FLAT, &ISOTONIC, &LOGISTIC],
        };
        let tried: &[&'static Kind] = if treatment == Treatment::Urn { &EVERY } else { &CURVES };
        Fitted::best(observed, tried, wanted)
    }

    /// The best of the kinds `wanted` by cross-validated loss, beside all that were tried.
    fn best(observed: &Observed, kinds: &[&'static Kind], wanted: &[&'static Kind]) -> Result<Fitted, ModelError> {
        match observed.topics.len() {
            0 => return Err(ModelError::NothingJudged),
            1 => return Err(ModelError::OneTopic),
            _ if observed.only_relevant() => return Err(ModelError::OnlyRelevant),
            _ => {}
        }
        let tried = kinds.iter().map(|kind| Tried::new(kind, observed)).collect::<Result<Vec<_>, _>>();
        let tried = tried.map_err(ModelError::Urn)?;
        let is_wanted = |tried: &&Tried| wanted.iter().any(|kind| std::ptr::eq(*kind, tried.kind));
        let best = tried.iter().filter(is_wanted).min_by(|a, b| a.log_loss.total_cmp(&b.log_loss));
        // The kinds wanted are among those tried.
        let Some(best) = best else { return Err(ModelError::NothingJudged) };
        let compared = tried.iter().map(|one| one.compared(std::ptr::eq(one, best))).collect();
        Ok(Fitted { model: best.model.clone(), refits: best.refits.clone(), compared })
    }

    /// One kind of model, whatever others would do.
    ///
    /// # Errors
    /// As [`Fitted::to`].
    pub fn of_kind(observed: &Observed, kind: &'static Kind) -> Result<Fitted, ModelError> {
        Fitted::best(observed, &[kind], &[kind])
    }
}

/// A model that was fitted, with and without each group of topics.
struct Tried {
    kind: &'static Kind,
    model: Model,
    refits: Vec<Model>,
    log_loss: f64,
    judged: f64,
}

impl Tried {
    fn new(kind: &'static Kind, observed: &Observed) -> Result<Tried, FitError> {
        let groups = GROUPS.min(observed.topics.len());
        let model = kind.fit(observed, |_| false)?;
        let (mut refits, mut loss, mut judged) = (Vec::with_capacity(groups), 0.0, 0.0);
        for group in 0..groups {
            let refit = kind.fit(observed, |place| place % groups == group)?;
            for topic in observed.topics.iter().skip(group).step_by(groups) {
                let (own, count) = log_loss(&refit, topic);
                loss += own;
                judged += count;
            }
            refits.push(refit);
        }
        Ok(Tried { kind, model, refits, log_loss: loss / judged, judged })
    }

    fn compared(&self, used: bool) -> ModelComparison {
        let on = self.model.on(&[], 1.0, false);
        let parameters = match self.model {
            Model::Urn { documents, share, weight } => ModelParameters::Urn { documents, share, weight },
            Model::Curve(_) => ModelParameters::None,
        };
        ModelComparison {
            name: self.kind.name,
            log_loss: self.log_loss,
            judged: self.judged as u64,
            rank_1: on.at(1),
            rank_10: on.at(10),
            rank_100: on.at(100),
            parameters,
            used,
        }
    }
}

/// -log of the chance a model gives to a topic's judgements, and how many they are. The urn is asked about the judged
/// prefixes only, each rank with those above it known.
fn log_loss(model: &Model, topic: &observed::Topic) -> (f64, f64) {
    match model {
        Model::Curve(_) => {
            let on = model.on(&[], 1.0, false);
            let one = |(rank, cell): (usize, &karat_stats::regression::Cell)| {
                let chance = on.at(rank);
                -(cell.yes * libm::log(chance) + (cell.count - cell.yes) * libm::log(1.0 - chance))
            };
            let judged = (1..).zip(&topic.cells).filter(|(_, cell)| cell.count > 0.0);
            (judged.map(one).sum(), topic.judged())
        }
        Model::Urn { documents, share, weight } => topic.prefixes.iter().fold((0.0, 0.0), |(loss, count), prefix| {
            let evidence = Posterior::new(*documents, *share, *weight, prefix).map_or(0.0, |urn| urn.log_evidence());
            (loss - evidence, count + prefix.len() as f64)
        }),
    }
}

impl RelevanceModel {
    /// From a model, for this many draws.
    pub fn new(fitted: Fitted, grades: Grades, level: f64, draws: u32, seed: Seed) -> RelevanceModel {
        let Fitted { model, refits, compared } = fitted;
        let streams = seed.streams(streams::ERROR_OF_FIT);
        let moved = |draw| model.moved(&refits, &normals(refits.len(), &mut streams.at(draw)));
        let drawn_models =
            (0..u64::from(draws)).map(|draw| if refits.is_empty() { model.clone() } else { moved(draw) }).collect();
        RelevanceModel { model, refits, drawn_models, grades, level, seed, compared }
    }

    /// The same model taken as right, for this many draws.
    pub fn taken_as_right(&self, draws: u32) -> RelevanceModel {
        let fitted = Fitted { model: self.model.clone(), refits: Vec::new(), compared: self.compared.clone() };
        RelevanceModel::new(fitted, self.grades.clone(), self.level, draws, self.seed)
    }

    /// The chance of a rank, from 1, in a list with nothing judged: by the model, and by it without each group of topics.
    pub fn chances(&self, rank: usize) -> (f64, Box<[f64]>) {
        let at = |model: &Model| model.on(&[], self.level, true).at(rank);
        (at(&self.model), self.refits.iter().map(at).collect())
    }

    /// Chances by rank, from 1, the last one for all deeper ranks: by the model, and by it without each group of topics. `None` where
    /// they depend on more than the rank.
    pub fn curves(&self) -> Option<(&[f64], Vec<&[f64]>)> {
        fn curve(model: &Model) -> Option<&[f64]> {
            if let Model::Curve(curve) = model { Some(curve) } else { None }
        }
        Some((curve(&self.model)?, self.refits.iter().map(curve).collect::<Option<Vec<_>>>()?))
    }

    /// Whether all draws have the same chances, by rank alone.
    pub fn has_one_model(&self) -> bool {
        self.refits.is_empty() && self.is_by_rank()
    }

    /// Whether chances are by rank alone.
    pub fn is_by_rank(&self) -> bool {
        matches!(self.model, Model::Curve(_))
    }

    /// The grade from which documents are relevant.
    pub fn level(&self) -> f64 {
        self.level
    }

    /// The grades of documents that are relevant, or are not.
    pub fn grades(&self) -> &Grades {
        &self.grades
    }

    /// How many draws there are.
    pub fn draws(&self) -> usize {
        self.drawn_models.len()
    }

    /// The streams of a topic's draws.
    pub fn streams(&self, topic: &[u8]) -> Streams {
        self.seed.streams(&[streams::UNJUDGED_OF, &karat_data::names::text(topic)].concat())
    }

    /// The model of a draw on a list.
    pub fn on(&self, draw: usize, ranks: &[Judgement]) -> OnList<'_> {
        self.drawn_models[draw].on(ranks, self.level, true)
    }

    /// The grade that a number from 0 to 1 stands for when relevance has this chance.
    pub fn grade(&self, unit: f64, chance: f64) -> f64 {
        self.grades.draw(unit, chance)
    }

    /// Whether unjudged documents are anything to a measure: it is of grades, and not of what was judged.
    pub fn concerns(measure: &dyn Measure) -> bool {
        measure.info().needs == JudgementKind::Grades && !measure.is_about_judging()
    }

    /// Whether a measure is computed on draws on this topic.
    fn draws_for(measure: &dyn Measure, view: &TopicView<'_>) -> bool {
        RelevanceModel::concerns(measure)
            && (measure.info().aggregate != Aggregate::Mean || measure.linear(&view.collection).is_none())
    }

    /// Expected scores of a topic, in place of `scores`, and what is behind them, measure by measure.
    pub fn apply(
        &self,
        measures: &[Box<dyn Measure>],
        view: &TopicView<'_>,
        name: &[u8],
        topics: usize,
        scores: &mut [Scored],
    ) -> Box<[Probable]> {
        let drawn: Vec<&dyn Measure> =
            measures.iter().map(AsRef::as_ref).filter(|measure| RelevanceModel::draws_for(*measure, view)).collect();
        let streams = self.streams(name);
        let mut draws =
            if drawn.is_empty() { Vec::new() } else { complete::draws(&drawn, view, self, streams) }.into_iter();
        let one = |(measure, score): (&dyn Measure, &mut Scored)| -> Probable {
            if !RelevanceModel::concerns(measure) {
                return Probable::AsIs;
            }
            if RelevanceModel::draws_for(measure, view) {
                return match draws.next() {
                    Some(Ok(values)) if !values.is_empty() => {
                        let mean = values.iter().sum::<f64>() / values.len() as f64;
                        replace(score, Ok(mean));
                        Probable::Drawn { values, has_one_model: self.has_one_model() }
                    }
                    Some(Err(reason)) => {
                        replace(score, Err(reason));
                        Probable::AsIs
                    }
                    Some(Ok(_)) | None => Probable::AsIs,
                };
            }
            let Some(form) = measure.linear(&view.collection) else { return Probable::AsIs };
            let found = expected(&form, view, self, topics < MANY_TOPICS);
            if score.is_ok() {
                replace(score, Ok(found.mean));
            }
            Probable::Expected(found)
        };
        measures.iter().map(AsRef::as_ref).zip(scores).map(one).collect()
    }
}

/// The expected value in the place of the value; bounds stay, and hold it but for rounding.
fn replace(score: &mut Scored, value: Result<f64, Undefined>) {
    *score = value.map(|value| match *score {
        Ok(Score { low, high, .. }) if low <= high => Score { value: value.clamp(low, high), low, high },
        _ => Score::without_bounds(value),
    });
}

impl Probable {
    fn draws(&self) -> Option<&[f64]> {
        if let Probable::Drawn { values, .. } = self { Some(values) } else { None }
    }

    fn expected(&self) -> Option<&Expected> {
        if let Probable::Expected(expected) = self { Some(expected) } else { None }
    }
}
