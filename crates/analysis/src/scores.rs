//! Scores of every measure for every topic of every run: the table all other studies start from.

use karat_data::rankings::{RunTopics, each_topic_with_ties};
use karat_data::{
    CollectionFacts, JudgementKind, MissingTopics, Policy, Problem, Problems, Qrels, Ranking, RunFacts, RunSource,
    TopicIndex, TopicView, problem::quote,
};
use karat_measures::info::BoundsKind;
use karat_measures::ties::{MOST_ORDERS, Tied};
use karat_measures::{Measure, Score};
use karat_stats::judge_error::Calibration;

use crate::labels::{self, LabelWeights, LabelledList};
use crate::scored::{Scored, finite};
use crate::ties::{self, TopicTies};
use crate::unjudged::{ModelData, Probable, RelevanceModel};

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
    /// How likely unjudged documents are relevant, where values are to be expected values.
    pub belief: Option<&'a RelevanceModel>,
    /// How wrong the judges are, where scores are to be as gold judges would have given them.
    pub calibration: Option<&'a Calibration>,
    /// Threads to use; the answer does not depend on it.
    pub threads: usize,
}

impl Setting<'_> {
    /// Whether a measure is corrected by drawn labels. Expected values over unjudged documents have no labels to draw.
    pub(crate) fn is_imputed(&self, measure: &dyn Measure) -> bool {
        self.calibration.is_some() && self.belief.is_none() && labels::needs_draws(measure, &self.collection)
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
    /// What unjudged documents do to them: one answer per measure, in the order of topics; empty without a belief.
    pub probable: Vec<(TopicIndex, Box<[Probable]>)>,
    /// How their weight falls on grades: one answer per measure, in the order of topics; empty without a calibration.
    pub labels: Vec<(TopicIndex, Box<[LabelWeights]>)>,
    /// What was retrieved and judged, in the order of topics; empty without a calibration, and where all measures are linear.
    pub lists: Vec<(TopicIndex, LabelledList)>,
}

impl RunScores {
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
pub fn score(setting: &Setting<'_>, runs: &dyn RunSource) -> Result<Vec<RunScores>, Problems> {
    let inferred = setting.measures.iter().any(|measure| measure.info().bounds == BoundsKind::Estimator);
    let imputed = setting.measures.iter().any(|measure| setting.is_imputed(measure.as_ref()));
    let ask = |topic: TopicIndex, ranking: Ranking<'_>, scores: &mut Vec<Scored>| {
        let view = setting.qrels.view(topic, ranking, setting.collection);
        let score = |measure: &dyn Measure| {
            if setting.bounds { measure.score(&view) } else { measure.value(&view).map(Score::without_bounds) }
        };
        let start = scores.len();
        scores.extend(setting.measures.iter().map(|measure| finite(score(measure.as_ref()))));
        let sampling = if inferred { sampling(setting.measures, &view) } else { None };
        let probable = setting.belief.map(|belief| {
            let (name, topics) = (setting.qrels.name(topic), setting.qrels.len());
            belief.apply(setting.measures, &view, name, topics, &mut scores[start..])
        });
        let tied = Tied { view, groups: ranking.ties, most_orders: MOST_ORDERS };
        // What other orders would give is known of values, not of expected values.
        let untied = ranking.ties.is_empty() || probable.is_some();
        let ties = if untied { None } else { ties::of_topic(setting.policy.ties, setting.measures, tied) };
        let labels = setting.calibration.map(|known| labels::weights(setting.measures, &view, known.grades()));
        let list = imputed.then(|| LabelledList::new(&view));
        let silent = ties.is_none() && sampling.is_none() && probable.is_none() && labels.is_none() && list.is_none();
        (!silent).then_some(Remarks { ties, sampling, probable, labels, list })
    };
    let found =
        each_topic_with_ties(setting.qrels, runs, &setting.policy, setting.threads, setting.measures.len(), ask)?;
    let names = names(&found.iter().map(|(topics, _)| &topics.facts).collect::<Vec<_>>())?;
    let mut problems = Problems::default();
    let mut scored = Vec::with_capacity(found.len());
    for (name, (topics, remarks)) in names.into_iter().zip(found) {
        let missing: Vec<TopicIndex> = topics.missing().collect();
        let mut run = RunScores {
            name,
            topics,
            missing,
            ties: Vec::new(),
            sampling: Vec::new(),
            probable: Vec::new(),
            labels: Vec::new(),
            lists: Vec::new(),
        };
        remarks.into_iter().for_each(|(topic, remarks)| run.remark(topic, remarks));
        match setting.policy.missing_topics {
            MissingTopics::Zero => {
                for topic in run.missing.clone() {
                    let mut scores = Vec::with_capacity(setting.measures.len());
                    let remarks = ask(topic, Ranking::default(), &mut scores);
                    run.remark(topic, remarks.unwrap_or_default());
                    run.topics.fill(topic, scores);
                }
                run.sampling.sort_by_key(|(topic, _)| topic.0);
                run.probable.sort_by_key(|(topic, _)| topic.0);
                run.labels.sort_by_key(|(topic, _)| topic.0);
                run.lists.sort_by_key(|(topic, _)| topic.0);
            }
            MissingTopics::Skip => {}
            MissingTopics::Error if run.missing.is_empty() => {}
            MissingTopics::Error => {
                problems.push(missing_problem(setting.qrels, &run.topics.facts.file, &run.missing));
            }
        }
        scored.push(run);
    }
    problems.into_result()?;
    Ok(scored)
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
pub fn check_compatible(qrels: &Qrels, measures: &[Box<dyn Measure>], file: &str) -> Result<(), Problems> {
    let kind = qrels.kind();
    let mut problems = Problems::default();
    for measure in measures {
        let needs = measure.info().needs;
        let suited = if needs == JudgementKind::Grades { kind.has_grades() } else { needs == kind };
        if !suited {
            problems.push(Problem::of_file(
                file,
                format!("{needs}, which {} is computed from", measure.spec()),
                kind.to_string(),
                format!(
                    "use judgements of that kind, or remove the measure; if this file has them, read it with --qrels-format {}",
                    format_of(needs)
                ),
            ));
        }
    }
    problems.into_result()
}

/// The format whose lines say this.
fn format_of(kind: JudgementKind) -> &'static str {
    match kind {
        JudgementKind::Grades => "trec",
        JudgementKind::Subtopics => "diversity",
        JudgementKind::Groups => "trec-jg",
        JudgementKind::Preferences => "trec-prefs",
        JudgementKind::Strata => "sampled",
        JudgementKind::Probabilities => "prels",
    }
}

fn missing_problem(qrels: &Qrels, file: &str, missing: &[TopicIndex]) -> Problem {
    Problem::of_file(
        file,
        "every judged topic",
        format!("no rows for {}", list_topics(qrels, missing)),
        "complete the run, or choose `--missing-topics zero` or `skip`",
    )
}

/// "3 topics ("a", "b", ...)", at most ten by name.
pub fn list_topics(qrels: &Qrels, topics: &[TopicIndex]) -> String {
    list_names(topics.iter().map(|&topic| qrels.name(topic)), topics.len())
}

/// The same for names.
pub fn list_names<'n>(names: impl Iterator<Item = &'n [u8]>, count: usize) -> String {
    let shown: Vec<_> = names.take(10).map(quote).collect();
    let more = if count > shown.len() { ", ..." } else { "" };
    format!("{count} topic{} ({}{more})", if count == 1 { "" } else { "s" }, shown.join(", "))
}

/// A run goes by its tag if no other has it, else by the stem of its file's name.
///
/// # Errors
/// Two runs have the same name.
pub fn names(runs: &[&RunFacts]) -> Result<Vec<String>, Problems> {
    let unique = |names: &[String], name: &str| names.iter().filter(|other| *other == name).count() == 1;
    let stems: Vec<String> = runs.iter().map(|run| stem(&run.file).to_owned()).collect();
    let tags: Vec<String> =
        runs.iter().zip(&stems).map(|(run, stem)| run.tag.clone().unwrap_or_else(|| stem.clone())).collect();
    let names: Vec<String> = tags
        .iter()
        .zip(&stems)
        .map(|(tag, stem)| if unique(&tags, tag) { tag.clone() } else { stem.clone() })
        .collect();
    let mut problems = Problems::default();
    for (place, name) in names.iter().enumerate() {
        if let Some(earlier) = names[..place].iter().position(|other| other == name) {
            problems.push(Problem::of_file(
                &runs[place].file,
                "unique run names",
                format!("the name {} again (also of {})", quote(name.as_bytes()), runs[earlier].file),
                format!("give one of the files {}another name, or remove it if it is the same run", tag(runs[place])),
            ));
        }
    }
    problems.into_result()?;
    Ok(names)
}

/// The tag as something to change, where the file has one.
fn tag(facts: &RunFacts) -> &'static str {
    match (facts.format, &facts.tag) {
        ("trec", _) => "another tag (field 6) or ",
        (_, Some(_)) => "another tag or ",
        (_, None) => "",
    }
}

/// The file's name without folders and without the endings of compression and format.
fn stem(file: &str) -> &str {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    let mut stem = name;
    for ending in [
        ".gz", ".zst", ".bz2", ".xz", ".csv", ".tsv", ".json", ".jsonl", ".ndjson", ".parquet", ".qrels", ".run",
        ".trec", ".txt",
    ] {
        stem = stem.strip_suffix(ending).filter(|rest| !rest.is_empty()).unwrap_or(stem);
    }
    stem
}

#[cfg(test)]
mod tests {
    use super::stem;

    #[test]
    fn stems() {
        assert_eq!(stem("runs/a.run.gz"), "a");
        for ending in ["csv", "tsv", "json", "jsonl", "ndjson", "parquet", "qrels", "csv.gz", "jsonl.zst", "run.csv"] {
            assert_eq!(stem(&format!("runs/bm25.{ending}")), "bm25", "{ending}");
        }
        assert_eq!(stem("bm25.b0.9.txt"), "bm25.b0.9");
        assert_eq!(stem(".run"), ".run");
        assert_eq!(stem("-"), "-");
    }
}
