//! Scores of every measure for every topic of every run: the table all other studies start from.

use karat_data::rankings::{RunTopics, each_topic_with_ties};
use karat_data::{
    CollectionFacts, JudgementKind, MissingTopics, Policy, Problem, Problems, Qrels, Ranking, RunFacts, RunSource,
    TopicIndex, problem::quote,
};
use karat_measures::ties::{MOST_ORDERS, Tied};
use karat_measures::{Measure, Score, Undefined};

use crate::ties::{self, TopicTies};

/// What a topic's score came to.
pub type Scored = Result<Score, Undefined>;

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
    /// Threads to use; the answer does not depend on it.
    pub threads: usize,
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
}

/// Scores all runs.
///
/// # Errors
/// Everything wrong with the runs; missing topics if the policy makes them an error; two runs of one name.
pub fn score(setting: &Setting<'_>, runs: &dyn RunSource) -> Result<Vec<RunScores>, Problems> {
    let ask = |topic: TopicIndex, ranking: Ranking<'_>, scores: &mut Vec<Scored>| {
        let view = setting.qrels.view(topic, ranking, setting.collection);
        let score = |measure: &dyn Measure| {
            if setting.bounds { measure.score(&view) } else { measure.value(&view).map(Score::without_bounds) }
        };
        scores.extend(setting.measures.iter().map(|measure| finite(score(measure.as_ref()))));
        if ranking.ties.is_empty() {
            return None;
        }
        let tied = Tied { view, groups: ranking.ties, most_orders: MOST_ORDERS };
        ties::of_topic(setting.policy.ties, setting.measures, tied)
    };
    let found =
        each_topic_with_ties(setting.qrels, runs, &setting.policy, setting.threads, setting.measures.len(), ask)?;
    let names = names(&found.iter().map(|(topics, _)| &topics.facts).collect::<Vec<_>>())?;
    let mut problems = Problems::default();
    let mut scored = Vec::with_capacity(found.len());
    for (name, (mut topics, ties)) in names.into_iter().zip(found) {
        let missing: Vec<TopicIndex> = topics.missing().collect();
        match setting.policy.missing_topics {
            MissingTopics::Zero => {
                for &topic in &missing {
                    let mut scores = Vec::with_capacity(setting.measures.len());
                    ask(topic, Ranking::default(), &mut scores);
                    topics.fill(topic, scores);
                }
            }
            MissingTopics::Skip => {}
            MissingTopics::Error if missing.is_empty() => {}
            MissingTopics::Error => problems.push(missing_problem(setting.qrels, &topics.facts.file, &missing)),
        }
        scored.push(RunScores { name, topics, missing, ties });
    }
    problems.into_result()?;
    Ok(scored)
}

/// Whether the judgements say what the measures need; `file` names them.
///
/// # Errors
/// Each measure that needs others.
pub fn suits(qrels: &Qrels, measures: &[Box<dyn Measure>], file: &str) -> Result<(), Problems> {
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
                "give judgements of that kind (--qrels-format, where the file is mistaken for another), or leave the measure out",
            ));
        }
    }
    problems.into_result()
}

/// What a measure of grades makes of judgements that are not plain grades.
pub(crate) fn grades_of(kind: JudgementKind) -> Option<&'static str> {
    match kind {
        JudgementKind::Grades => None,
        JudgementKind::Subtopics => Some(
            "measures of plain grades take a document's best grade over the subtopics (where field 2 is a judge and not a subtopic, say --qrels-format trec-jg)",
        ),
        JudgementKind::Groups => Some("measures of plain grades take a document's best grade over the groups"),
        JudgementKind::Preferences => Some("measures of plain grades cannot be computed from them"),
        JudgementKind::Strata => Some(
            "measures of plain grades use the grades as they are and estimate nothing from the strata; documents that were not drawn count as pooled but not judged",
        ),
        JudgementKind::Probabilities => {
            Some("measures of plain grades use the grades as they are and do not weigh them by the probabilities")
        }
    }
}

/// A value that left the range of floats (huge grades, huge gains) is no value.
fn finite(scored: Scored) -> Scored {
    scored.and_then(
        |score| if score.value.is_finite() { Ok(score) } else { Err(Undefined { reason: "too large to compute" }) },
    )
}

fn missing_problem(qrels: &Qrels, file: &str, missing: &[TopicIndex]) -> Problem {
    Problem::of_file(
        file,
        "every judged topic",
        format!("none of the rows for {}", list_topics(qrels, missing)),
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
pub(crate) fn names(runs: &[&RunFacts]) -> Result<Vec<String>, Problems> {
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
                "run names that differ",
                format!("the name {} again, which is {}'s too", quote(name.as_bytes()), runs[earlier].file),
                "give one of the files another tag (field 6) or another name, or leave it out if it is the same run",
            ));
        }
    }
    problems.into_result()?;
    Ok(names)
}

/// The file's name without folders and without the endings of compression and format.
fn stem(file: &str) -> &str {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    let mut stem = name;
    for ending in [".gz", ".zst", ".bz2", ".xz", ".run", ".trec", ".txt"] {
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
        assert_eq!(stem("bm25.b0.9.txt"), "bm25.b0.9");
        assert_eq!(stem(".run"), ".run");
        assert_eq!(stem("-"), "-");
    }
}
