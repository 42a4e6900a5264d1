//! From the judgements, the run and the lines asked for to one answer per topic.

use karat_data::rankings::{RunTopics, each_topic};
use karat_data::{
    CollectionFacts, Grade, Judgement, JudgementKind, MissingTopics, Policy, Problems, Qrels, Ranking, ScorePrecision,
    Ties, TopicIndex, TopicView,
};
use karat_formats::{Dialect, Input, RUN_FORMATS, RunFiles};

use super::arguments::{Arguments, Profile};
use super::select::{Line, Quantity};
use super::zscores::Zscores;

/// One topic's answer.
pub struct Answer {
    /// A value per line, or its z score; 0 where a line has none.
    pub values: Box<[f64]>,
    /// The strings, in the order of their lines.
    pub strings: Box<[String]>,
    /// Documents that were ranked.
    pub ranked: usize,
    /// Whether all of them were judged.
    pub all_judged: bool,
}

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

fn answer(view: &TopicView<'_>, lines: &[Line]) -> Answer {
    let mut strings = Vec::new();
    let values = lines
        .iter()
        .map(|line| match &line.quantity {
            Quantity::RunId => 0.0,
            Quantity::Topics => 1.0,
            Quantity::RelString(length) => {
                strings.push(view.ranks.iter().take(*length).map(|judgement| letter(*judgement)).collect());
                0.0
            }
            // What has no value counts 0, as trec_eval begins with.
            Quantity::Measure(measure) => measure.value(view).unwrap_or(0.0),
            Quantity::Rbp(measure) => measure.value(&by_topic(view)).unwrap_or(0.0),
            // By the rule of -c a missing topic adds 0, so an empty list has no residual here.
            Quantity::Residual(_) if view.ranks.is_empty() => 0.0,
            Quantity::Residual(measure) => {
                // Without a relevant document the upper bound is the residual itself, and no digit is lost to a difference.
                let ranks: Vec<Judgement> = view
                    .ranks
                    .iter()
                    .map(|judgement| match judgement {
                        Judgement::Grade(_) => Judgement::Grade(Grade::ZERO),
                        unjudged => *unjudged,
                    })
                    .collect();
                measure.score(&TopicView { ranks: &ranks, ..by_topic(view) }).map_or(0.0, |score| score.high)
            }
        })
        .collect();
    let all_judged = view.ranks.iter().all(|judgement| judgement.is_judged());
    Answer { values, strings: strings.into(), ranked: view.ranks.len(), all_judged }
}

/// trec_eval scales RBP's gains by the topic's largest grade where it is above 1, not by the collection's.
fn by_topic<'a>(view: &TopicView<'a>) -> TopicView<'a> {
    let largest = view.facts.grades.last().map_or(1.0, |(grade, _)| grade.value().max(1.0));
    TopicView { collection: CollectionFacts { max_grade: largest, ..view.collection }, ..*view }
}

fn letter(judgement: Judgement) -> char {
    match judgement {
        Judgement::Grade(grade) if grade.value() > 9.0 => '>',
        Judgement::Grade(grade) => char::from(b'0' + grade.value() as u8),
        Judgement::Unpooled => '-',
        Judgement::PooledUnjudged => '.',
    }
}
