//! What the lines say of one topic.

use karat_data::{CollectionFacts, Grade, Judgement, TopicView};

use super::{Line, Quantity};

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

/// What every line says of a topic.
pub fn answer(view: &TopicView<'_>, lines: &[Line]) -> Answer {
    let strings = lines.iter().filter_map(|line| match line.quantity {
        Quantity::RelString(length) => {
            Some(view.ranks.iter().take(length).map(|judgement| letter(*judgement)).collect())
        }
        _ => None,
    });
    let all_judged = view.ranks.iter().all(|judgement| judgement.is_judged());
    let values = lines.iter().map(|line| value(view, &line.quantity));
    Answer { values: values.collect(), strings: strings.collect(), ranked: view.ranks.len(), all_judged }
}

/// What a line says of a topic; 0 where it has no number.
pub fn value(view: &TopicView<'_>, quantity: &Quantity) -> f64 {
    match quantity {
        Quantity::RunId | Quantity::RelString(_) => 0.0,
        Quantity::Topics => 1.0,
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
    }
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
