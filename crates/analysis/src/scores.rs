//! Scores of every measure for every topic of every run: the table all other studies start from.

mod error;
mod names;

use karat_data::rankings::{RunTopics, each_topic_with_ties};
use karat_data::{
    CollectionFacts, JudgementKind, MissingTopics, Policy, Qrels, Ranking, RunSource, TopicIndex, TopicView,
};
use karat_measures::info::Tightness;
use karat_measures::ties::{MOST_ORDERS, Tied};
use karat_measures::{Measure, Score};
use karat_stats::judge_error::Calibration;

use crate::labels::{self, LabelWeights, LabelledList};
use crate::scored::{Scored, finite};
use crate::sparse::{is_sparse, scale_from_1};
use crate::ties::{self, TopicTies};
use crate::unjudged::{ModelData, Probable, RelevanceModel};
pub use error::{MissingTopicsOf, SameName, ScoreError};
pub use names::names;

/// Everything that is fixed before the runs are read.
pub struct Setting<'a> {
    /// The judgements.
    pub qrels: &'a Qrels,
    /// All judgements, where `qrels` was cut to some topics.
    pub uncut: Option<&'a Qrels>,
    /// The collection.
    pub collection: CollectionFacts,
    /// How runs meet judgements.
    pub policy: Policy,
    /// The measures.
    pub measures: &'a [Box<dyn Measure>],
    /// Whether bounds are wanted; they cost time.
    pub bounds: bool,
    /// Whether there are none of measures of which the judgements name relevant documents only.
    pub detect_sparse: bool,
    /// How likely unjudged documents are relevant, where values are to be expected values.
    pub relevance_model: Option<&'a RelevanceModel>,
    /// How wrong the judges are, where scores are to be as gold judges would have given them.
    pub calibration: Option<&'a Calibration>,
    /// Threads to use; the answer does not depend on it.
    pub threads: usize,
}

impl Setting<'_> {
    /// Whether a measure is corrected by drawn labels. Expected values over unjudged documents have no labels to draw.
    pub(crate) fn is_imputed(&self, measure: &dyn Measure) -> bool {
        self.calibration.is_some() && self.relevance_model.is_none() && labels::needs_draws(measure, &self.collection)
    }

    /// Whether a measure has no bounds because the judgements name documents relevant to it only.
    pub fn is_sparse(&self, measure: &dyn Measure) -> bool {
        self.detect_sparse && is_sparse(self.uncut.unwrap_or(self.qrels), measure, &self.collection)
    }

    /// Whether a measure has bounds.
    pub fn has_bounds(&self, measure: &dyn Measure) -> bool {
        self.bounds && !self.is_sparse(measure)
    }

    /// The measures of which the judgements name relevant documents only.
    pub fn sparse_measures(&self) -> Vec<String> {
        let sparse = self.measures.iter().filter(|measure| self.is_sparse(measure.as_ref()));
        sparse.map(|measure| measure.spec().to_string()).collect()
    }

    /// The ends of the scale of grades, where it probably starts at 1, the lowest grade counts as relevant and nothing is said of unjudged documents.
    pub fn scale_from_1(&self) -> Option<(f64, f64)> {
        let (low, high) = self.detect_sparse.then(|| scale_from_1(self.uncut.unwrap_or(self.qrels))).flatten()?;
        let counts = |measure: &dyn Measure| measure.level().is_none_or(|level| level <= low);
        self.measures.iter().any(|measure| counts(measure.as_ref())).then_some((low, high))
    }

    /// What a model of unjudged documents is fitted to.
    pub fn model_data(&self) -> ModelData<'_> {
        let Setting { qrels, uncut, collection, policy, threads, .. } = *self;
        ModelData { qrels, all_qrels: uncut.unwrap_or(qrels), max_grade: collection.max_grade, policy, threads }
    }
}

/// What there is to say of a topic beyond its scores.
#[derive(Debug, Default)]
struct Remarks {
    ties: Option<Box<[TopicTies]>>,
    sampling: Option<Box<[Option<f64>]>>,
    probable: Option<Box<[Probable]>>,
    labels: Option<Box<[LabelWeights]>>,
    list: Option<LabelledList>,
}

/// One run's scores.
#[derive(Debug)]
pub struct RunScores {
    /// The name it goes by.
    pub name: String,
    /// What is known of the run and which topics it lacks. The answers are one score per measure.
    pub topics: RunTopics<Scored>,
    /// The topics whose scores were made up by the policy for missing topics.
    pub missing: Vec<TopicIndex>,
    /// What the order of documents with equal scores can make of them: one answer per measure, for the topics where
    /// another order could be seen, in the order of topics.
    pub ties: Vec<(TopicIndex, Box<[TopicTies]>)>,
    /// What another sample of the judgements could make of them: for each measure the variance of its value, where it
    /// tells one, for the topics where some measure does, in the order of topics.
    pub sampling: Vec<(TopicIndex, Box<[Option<f64>]>)>,
    /// What unjudged documents do to them: one answer per measure, in the order of topics; empty without a relevance model.
    pub probable: Vec<(TopicIndex, Box<[Probable]>)>,
    /// How their weight falls on grades: one answer per measure, in the order of topics; empty without a calibration.
    pub labels: Vec<(TopicIndex, Box<[LabelWeights]>)>,
    /// What was retrieved and judged, in the order of topics; empty without a calibration, and where all measures are linear.
    pub lists: Vec<(TopicIndex, LabelledList)>,
}

impl RunScores {
    fn new(name: String, topics: RunTopics<Scored>) -> RunScores {
        let missing = topics.missing().collect();
        let (ties, sampling, probable, labels, lists) = Default::default();
        RunScores { name, topics, missing, ties, sampling, probable, labels, lists }
    }

    /// The scores of a measure by topic; topics the policy leaves out are not among them.
    pub fn of(&self, measure: usize) -> impl Iterator<Item = (TopicIndex, &Scored)> + '_ {
        self.topics.iter().map(move |(topic, scores)| (topic, &scores[measure]))
    }

    /// What the order of ties can make of a topic's scores.
    pub fn ties_of(&self, topic: TopicIndex) -> Option<&[TopicTies]> {
        let found = self.ties.binary_search_by_key(&topic.0, |(other, _)| other.0);
        found.ok().map(|place| &*self.ties[place].1)
    }

    /// The variance of a topic's score over samples of the judgements; `None` where it is unknown or there is none.
    pub fn sampling_of(&self, topic: TopicIndex, measure: usize) -> Option<f64> {
        let found = self.sampling.binary_search_by_key(&topic.0, |(other, _)| other.0);
        found.ok().and_then(|place| self.sampling[place].1[measure])
    }

    /// What unjudged documents do to the scores of a measure, of the topics where it is defined.
    pub fn probable_of(&self, measure: usize) -> Vec<&Probable> {
        let defined = self.probable.iter().filter(|(topic, _)| {
            self.topics.get(*topic).is_some_and(|scores| scores.get(measure).is_some_and(Result::is_ok))
        });
        defined.filter_map(|(_, probable)| probable.get(measure)).collect()
    }

    /// How a topic's weight falls on grades, for a measure.
    pub fn labels_of(&self, topic: TopicIndex, measure: usize) -> LabelWeights {
        let found = self.labels.binary_search_by_key(&topic.0, |(other, _)| other.0);
        found.ok().and_then(|place| self.labels[place].1[measure].clone())
    }

    fn remark(&mut self, topic: TopicIndex, remarks: Remarks) {
        self.ties.extend(remarks.ties.map(|ties| (topic, ties)));
        self.sampling.extend(remarks.sampling.map(|variances| (topic, variances)));
        self.probable.extend(remarks.probable.map(|probable| (topic, probable)));
        self.labels.extend(remarks.labels.map(|labels| (topic, labels)));
        self.lists.extend(remarks.list.map(|list| (topic, list)));
    }
}

/// Scores all runs.
///
/// # Errors
/// Everything wrong with the runs; missing topics if the policy makes them an error; two runs of one name.
pub fn score(setting: &Setting<'_>, runs: &dyn RunSource) -> Result<Vec<RunScores>, ScoreError> {
    let scorer = Scorer::new(setting);
    let one = |topic: TopicIndex, ranking: Ranking<'_>, scores: &mut Vec<Scored>| scorer.score(topic, ranking, scores);
    let found =
        each_topic_with_ties(setting.qrels, runs, &setting.policy, setting.threads, setting.measures.len(), one)?;
    let names = names(&found.iter().map(|(topics, _)| &topics.facts).collect::<Vec<_>>())?;
    let mut scored: Vec<RunScores> = names
        .into_iter()
        .zip(found)
        .map(|(name, (topics, remarks))| {
            let mut run = RunScores::new(name, topics);
            remarks.into_iter().for_each(|(topic, remarks)| run.remark(topic, remarks));
            run
        })
        .collect();
    match setting.policy.missing_topics {
        MissingTopics::Zero => scored.iter_mut().for_each(|run| scorer.fill_missing(run)),
        MissingTopics::Skip => {}
        MissingTopics::Error => refuse_missing(setting.qrels, &scored)?,
    }
    Ok(scored)
}

/// Refuses runs that lack judged topics.
fn refuse_missing(qrels: &Qrels, scored: &[RunScores]) -> Result<(), ScoreError> {
    let lacking = scored.iter().filter(|run| !run.missing.is_empty()).map(|run| MissingTopicsOf {
        file: run.topics.facts.file.clone(),
        topics: run.missing.iter().map(|&topic| qrels.name(topic).to_owned()).collect(),
    });
    let lacking: Vec<MissingTopicsOf> = lacking.collect();
    if lacking.is_empty() { Ok(()) } else { Err(ScoreError::MissingTopics(lacking)) }
}

/// Scores one topic of one run by all measures.
struct Scorer<'a> {
    setting: &'a Setting<'a>,
    /// Whether bounds are wanted, by measure.
    bounded: Vec<bool>,
    /// Whether some measure is an estimate from a sample of judgements.
    inferred: bool,
    /// Whether some measure is corrected by drawn labels.
    imputed: bool,
}

impl<'a> Scorer<'a> {
    fn new(setting: &'a Setting<'a>) -> Scorer<'a> {
        let inferred = setting.measures.iter().any(|measure| measure.info().bounds == Tightness::Estimator);
        let imputed = setting.measures.iter().any(|measure| setting.is_imputed(measure.as_ref()));
        let bounded = setting.measures.iter().map(|measure| setting.has_bounds(measure.as_ref())).collect();
        Scorer { setting, bounded, inferred, imputed }
    }

    /// The scores of a topic, and what there is to say beyond them.
    fn score(&self, topic: TopicIndex, ranking: Ranking<'_>, scores: &mut Vec<Scored>) -> Option<Remarks> {
        let setting = self.setting;
        let view = setting.qrels.view(topic, ranking, setting.collection);
        let score = |(measure, bounded): (&dyn Measure, &bool)| {
            if *bounded { measure.score(&view) } else { measure.value(&view).map(Score::without_bounds) }
        };
        let start = scores.len();
        let measures = setting.measures.iter().map(AsRef::as_ref).zip(&self.bounded);
        scores.extend(measures.map(|one| finite(score(one))));
        let sampling = if self.inferred { sampling(setting.measures, &view) } else { None };
        let probable = setting.relevance_model.map(|relevance_model| {
            let (name, topics) = (setting.qrels.name(topic), setting.qrels.len());
            relevance_model.apply(setting.measures, &view, name, topics, &mut scores[start..])
        });
        let tied = Tied { view, groups: ranking.ties, most_orders: MOST_ORDERS };
        // What other orders would give is known of values, not of expected values.
        let untied = ranking.ties.is_empty() || probable.is_some();
        let ties = if untied { None } else { ties::of_topic(setting.policy.ties, setting.measures, tied) };
        let labels = setting.calibration.map(|known| labels::weights(setting.measures, &view, known.grades()));
        let list = self.imputed.then(|| LabelledList::new(&view));
        let silent = ties.is_none() && sampling.is_none() && probable.is_none() && labels.is_none() && list.is_none();
        (!silent).then_some(Remarks { ties, sampling, probable, labels, list })
    }

    /// Scores the topics that a run lacks as empty lists.
    fn fill_missing(&self, run: &mut RunScores) {
        for topic in run.missing.clone() {
            let mut scores = Vec::with_capacity(self.setting.measures.len());
            let remarks = self.score(topic, Ranking::default(), &mut scores);
            run.remark(topic, remarks.unwrap_or_default());
            run.topics.fill(topic, scores);
        }
        run.sampling.sort_by_key(|(topic, _)| topic.0);
        run.probable.sort_by_key(|(topic, _)| topic.0);
        run.labels.sort_by_key(|(topic, _)| topic.0);
        run.lists.sort_by_key(|(topic, _)| topic.0);
    }
}

/// The variance of each measure's value over samples of the judgements; `None` where no measure tells one, as most do not.
fn sampling(measures: &[Box<dyn Measure>], view: &TopicView<'_>) -> Option<Box<[Option<f64>]>> {
    let mut all: Option<Box<[Option<f64>]>> = None;
    for (place, measure) in measures.iter().enumerate() {
        if let Some(variance) = measure.sampling_variance(view) {
            all.get_or_insert_with(|| vec![None; measures.len()].into())[place] = Some(variance);
        }
    }
    all
}

/// Whether the judgements say what the measures need; `file` names them.
///
/// # Errors
/// Each measure that needs others.
pub fn check_compatible(qrels: &Qrels, measures: &[Box<dyn Measure>], file: &str) -> Result<(), ScoreError> {
    let found = qrels.kind();
    let suited =
        |needs: JudgementKind| if needs == JudgementKind::Grades { found.has_grades() } else { needs == found };
    let measures: Vec<(String, JudgementKind)> = measures
        .iter()
        .map(|measure| (measure.spec().to_string(), measure.info().needs))
        .filter(|(_, needs)| !suited(*needs))
        .collect();
    if measures.is_empty() {
        Ok(())
    } else {
        Err(ScoreError::WrongJudgements { file: file.to_owned(), found, measures })
    }
}
