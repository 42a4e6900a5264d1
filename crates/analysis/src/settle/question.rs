//! What is to be estimated: measures with differences of runs or with scores of single runs, and the unjudged documents that can change them.
//!
//! The one decision: a run's score is its difference to nothing. Planning, drawing and estimating know differences only.

use karat_data::{JudgementKind, RankedDocuments, TopicIndex, TopicView};
use karat_measures::Measure;
use karat_stats::Seed;
use karat_stats::seed::Streams;

use super::effects::{Effects, GradeShares, Label, Look, OpenUnit, Views, units};
use super::guess::{Counts, Priors, TopicGuess};
use super::ratio::Ndcg;
use crate::lists::{Lists, RunPair};
use crate::scores::Setting;
use crate::sparse::is_sparse;
use crate::streams;

/// What is sampled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Design {
    /// Unjudged documents, in proportion to what each can change.
    Documents,
    /// Topics; all documents that matter in them are judged.
    Topics,
}

impl Design {
    /// The name in options and files.
    pub fn name(self) -> &'static str {
        match self {
            Design::Documents => "documents",
            Design::Topics => "topics",
        }
    }

    /// The design of a name.
    pub fn find(name: &str) -> Option<Design> {
        [Design::Documents, Design::Topics].into_iter().find(|design| design.name() == name)
    }
}

/// What a sample is drawn for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// The differences of runs.
    Difference,
    /// Every run's own score.
    Scores,
}

impl Purpose {
    /// The name in options and files.
    pub fn name(self) -> &'static str {
        match self {
            Purpose::Difference => "difference",
            Purpose::Scores => "scores",
        }
    }

    /// The purpose of a name.
    pub fn find(name: &str) -> Option<Purpose> {
        [Purpose::Difference, Purpose::Scores].into_iter().find(|purpose| purpose.name() == name)
    }
}

/// What is estimated: the difference of two runs, or the score of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Target {
    /// The place of the run.
    pub run: usize,
    /// The place of the run whose score is subtracted; `None`: nothing is, and the score is estimated.
    pub less: Option<usize>,
}

impl From<RunPair> for Target {
    fn from((run, less): RunPair) -> Target {
        Target { run, less: Some(less) }
    }
}

impl Target {
    /// A run's score.
    pub fn score(run: usize) -> Target {
        Target { run, less: None }
    }

    /// The pair, of a difference.
    pub fn pair(self) -> Option<RunPair> {
        self.less.map(|less| (self.run, less))
    }

    /// Its runs.
    pub fn runs(self) -> impl Iterator<Item = usize> {
        std::iter::once(self.run).chain(self.less)
    }
}

/// A measure and what is estimated of it.
pub type Contrast = (usize, Target);

/// Evaluations of a measure that are spent on all topics: with many topics each needs fewer draws, because their errors average out.
const EVALUATIONS: u64 = 2_000_000;
/// Evaluations per draw and topic: two for every unjudged document of two lists of ten.
const PER_DRAW: u64 = 40;
/// Fewest and most draws per topic.
const DRAWS: (u64, u64) = (4, 64);

/// The question.
pub struct Question<'a> {
    /// Judgements and measures.
    pub setting: &'a Setting<'a>,
    /// The runs, with the names of documents.
    pub read: &'a RankedDocuments,
    /// Differences and scores.
    pub targets: Vec<Target>,
    /// The topics.
    pub topics: Vec<TopicIndex>,
    /// How likely documents are relevant before any is drawn, by measure.
    priors: Vec<Priors>,
    grades: Vec<GradeShares>,
}

/// A topic of a contrast.
pub struct OpenTopic<'t> {
    /// Its unjudged documents that can count.
    pub units: Vec<OpenUnit>,
    views: Views<'t>,
    measure: &'t dyn Measure,
    grades: &'t GradeShares,
    draws: (u64, Streams),
}

impl<'a> Question<'a> {
    /// Of runs that were read to any depth, with names.
    pub fn new(setting: &'a Setting<'a>, read: &'a RankedDocuments, targets: Vec<impl Into<Target>>) -> Question<'a> {
        let targets = targets.into_iter().map(Into::into).collect();
        let topics: Vec<TopicIndex> = setting.qrels.topics().collect();
        let priors = |measure: &dyn Measure| {
            let counts = |topic: &TopicIndex| {
                let facts = setting.qrels.facts(*topic);
                let relevant = facts.grades.iter().filter(|(grade, _)| is_relevant(measure, setting, grade.value()));
                Counts { relevant: relevant.map(|(_, count)| count).sum(), judged: facts.judged() }
            };
            let sparse = is_sparse(setting.qrels, measure, &setting.collection);
            Priors::new(&topics.iter().map(counts).collect::<Vec<_>>(), sparse)
        };
        let priors = setting.measures.iter().map(|measure| priors(measure.as_ref())).collect();
        let grades = setting.measures.iter().map(|measure| grade_shares(measure.as_ref(), setting)).collect();
        Question { setting, read, targets, topics, priors, grades }
    }

    /// What it is about.
    pub fn purposes(&self) -> Vec<Purpose> {
        let any = |score: bool| self.targets.iter().any(|target| target.less.is_none() == score);
        let both = [(any(false), Purpose::Difference), (any(true), Purpose::Scores)];
        both.into_iter().filter_map(|(is_any, purpose)| is_any.then_some(purpose)).collect()
    }

    /// Every measure with every difference and score.
    pub fn contrasts(&self) -> impl Iterator<Item = Contrast> + '_ {
        (0..self.setting.measures.len()).flat_map(|measure| self.targets.iter().map(move |&target| (measure, target)))
    }

    /// Whether a measure's differences can be estimated from a sample of documents: it is linear in gain, or nDCG with a cut-off, of which that was
    /// measured.
    pub fn is_for_documents(measure: &dyn Measure, setting: &Setting<'_>) -> bool {
        Question::is_sum(measure, setting)
            || (measure.info().needs == JudgementKind::Grades && Ndcg::new(measure).is_some())
    }

    /// Whether a measure is a sum over documents, linear in gain. Only then are scores of single runs estimated from a sample of documents.
    pub fn is_sum(measure: &dyn Measure, setting: &Setting<'_>) -> bool {
        measure.info().needs == JudgementKind::Grades && measure.linear(&setting.collection).is_some()
    }

    /// Whether a contrast can be estimated from a sample of documents.
    pub fn is_for_contrast(&self, (measure, target): Contrast) -> bool {
        let measure = self.setting.measures[measure].as_ref();
        match target.less {
            Some(_) => Question::is_for_documents(measure, self.setting),
            None => Question::is_sum(measure, self.setting),
        }
    }

    /// The lists of a topic.
    pub fn lists(&self, topic: usize) -> Lists<'_> {
        let Setting { qrels, collection, policy, .. } = self.setting;
        Lists::new(qrels, *collection, policy.depth, self.read, self.topics[topic])
    }

    /// How likely documents are relevant before any is drawn.
    pub fn priors(&self, measure: usize) -> &Priors {
        &self.priors[measure]
    }

    /// Whether a label is relevant to a measure.
    pub fn is_relevant(&self, measure: usize, grade: f64) -> bool {
        is_relevant(self.setting.measures[measure].as_ref(), self.setting, grade)
    }

    /// A topic as a contrast sees it.
    pub fn open<'t>(
        &'t self,
        lists: &'t Lists<'_>,
        (measure, target): (usize, impl Into<Target>),
        seed: Seed,
    ) -> OpenTopic<'t> {
        let target = target.into();
        let grades = &self.grades[measure];
        let measure = self.setting.measures[measure].as_ref();
        let last = measure.cutoff().unwrap_or(usize::MAX);
        let view = |run: usize| {
            let view = lists.view(run);
            TopicView { ranks: &view.ranks[..view.ranks.len().min(last)], ..view }
        };
        let name = karat_data::names::text(self.setting.qrels.name(lists.index));
        let draws = (EVALUATIONS / (self.topics.len() as u64 * PER_DRAW).max(1)).clamp(DRAWS.0, DRAWS.1);
        OpenTopic {
            units: units(lists, target, last),
            views: Views { run: view(target.run), less: target.less.map(view) },
            measure,
            grades,
            draws: (draws, seed.streams(&[streams::SETTLE_OF, &name].concat())),
        }
    }
}

impl<'t> OpenTopic<'t> {
    fn look<'s>(&'s self, known: &'s [Option<Label>]) -> Look<'s> {
        let OpenTopic { units, views, measure, grades, .. } = self;
        Look { measure: *measure, views: *views, units, grades, known }
    }

    /// What labels do under these guesses; `None` where the measure has no value.
    pub fn effects<'s>(&'s self, guess: &TopicGuess<'_>, known: &'s [Option<Label>]) -> Option<Effects<'s>> {
        self.look(known).effects(guess, self.draws)
    }

    /// The difference with these labels.
    pub fn difference(&self, labels: &[Label]) -> Option<f64> {
        self.look(&[]).difference(labels)
    }
}

/// Whether a document of a grade is relevant to a measure: whether it adds to it.
fn is_relevant(measure: &dyn Measure, setting: &Setting<'_>, grade: f64) -> bool {
    if let Some(form) = measure.linear(&setting.collection) {
        return form.gain.of(grade) > 0.0;
    }
    match Ndcg::new(measure) {
        Some(ndcg) => ndcg.gain(Some(grade)) > 0.0,
        None => grade >= measure.level().unwrap_or(1.0),
    }
}

/// All grades of the judgements, and the largest that a document may have.
fn grades_of(setting: &Setting<'_>) -> Vec<f64> {
    let facts = setting.qrels.all_facts();
    let mut found: Vec<f64> =
        facts.flat_map(|facts| facts.grades.iter().map(|(grade, _)| grade.value()).collect::<Vec<_>>()).collect();
    found.push(setting.collection.max_grade);
    found.sort_by(f64::total_cmp);
    found.dedup();
    found
}

/// How relevant documents spread over grades among the judged ones; one document of the largest grade is added.
fn grade_shares(measure: &dyn Measure, setting: &Setting<'_>) -> GradeShares {
    let mut counts: Vec<(f64, f64)> = grades_of(setting)
        .into_iter()
        .filter(|grade| is_relevant(measure, setting, *grade))
        .map(|grade| (grade, 0.0))
        .collect();
    for (grade, count) in setting.qrels.all_facts().flat_map(|facts| facts.grades.to_vec()) {
        if let Some(found) = counts.iter_mut().find(|(known, _)| *known == grade.value()) {
            found.1 += f64::from(count);
        }
    }
    if let Some(largest) = counts.last_mut() {
        largest.1 += 1.0;
    }
    let all: f64 = counts.iter().map(|(_, count)| count).sum();
    counts.into_iter().filter(|(_, count)| *count > 0.0).map(|(grade, count)| (grade, count / all)).collect()
}
