//! Computes one answer per topic from the judgements, the run and the requested lines.

use karat_data::rankings::{RunTopics, each_topic};
use karat_data::{
    CollectionFacts, JudgementKind, MissingTopics, Policy, Problems, Qrels, Ranking, ScorePrecision, Ties, TopicIndex,
};
use karat_formats::{Dialect, Input, RUN_FORMATS, RunFiles};
use karat_measures::trec_eval::{Answer, Line, Profile, answer};

use super::arguments::Arguments;
use super::zscores::Zscores;

/// Everything about the topics of the run.
pub struct Evaluated {
    /// The answers by topic, in byte order of topics; `None` where the run has no row.
    pub found: RunTopics<Answer>,
    /// What lines say of an empty list, for topics the run does not have.
    pub empty: Vec<Option<Answer>>,
}

/// Asks every line of every topic.
///
/// # Errors
/// Everything wrong with the run.
pub fn evaluate(
    qrels: &Qrels,
    run: Input,
    lines: &[Line],
    zscores: Option<&Zscores>,
    asked: &Arguments,
) -> Result<Evaluated, Problems> {
    let preferences = asked.judgements.kind() == JudgementKind::Preferences;
    let policy = Policy {
        ties: if preferences { Ties::DocnoRising } else { Ties::Docno },
        precision: match asked.profile {
            Profile::Nine => ScorePrecision::F32,
            Profile::Ten => ScorePrecision::F64,
        },
        depth: asked.depth,
        // Documents without a preference count for nothing as it is.
        judged_only: asked.judged_only && !preferences,
        missing_topics: MissingTopics::Skip,
        duplicates_below_depth: false,
    };
    // trec_eval's default size of a collection is 0.
    let documents = Some(asked.documents.unwrap_or(0));
    let max_grade = qrels.max_grade().unwrap_or(0.0).max(1.0);
    let collection = CollectionFacts { max_grade, documents, whole_grades: true };
    let ask = |topic: TopicIndex, ranking: Ranking<'_>| {
        let mut answer = answer(&qrels.view(topic, ranking, collection), lines);
        if let Some(zscores) = zscores {
            zscores.convert(qrels.name(topic), lines, &mut answer.values);
        }
        answer
    };
    let runs = RunFiles::new(vec![run], RUN_FORMATS[0], Dialect::TrecEval);
    let threads = crate::options::every_core();
    let mut all = each_topic(qrels, &runs, &policy, threads, 1, |topic, ranking, out| out.push(ask(topic, ranking)))?;
    let found = all.remove(0);
    let empty =
        qrels.topics().map(|topic| found.get(topic).is_none().then(|| ask(topic, Ranking::default()))).collect();
    Ok(Evaluated { found, empty })
}
