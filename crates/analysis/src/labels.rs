//! What a correction for judges' errors needs to know of each topic: where a measure's weight falls, and what was retrieved and judged.

use karat_data::{CollectionFacts, Grade, Judgement, JudgementKind, TopicView};
use karat_measures::{Aggregate, Measure};

/// The weight that a measure puts on each grade of a calibration in one topic; `None` for a measure that is not linear.
pub type LabelWeights = Option<Box<[f64]>>;

/// The weights of all measures.
pub fn weights(measures: &[Box<dyn Measure>], view: &TopicView<'_>, grades: &[f64]) -> Box<[LabelWeights]> {
    measures.iter().map(|measure| weights_of(measure.as_ref(), view, grades)).collect()
}

/// The weights of one measure.
pub fn weights_of(measure: &dyn Measure, view: &TopicView<'_>, grades: &[f64]) -> LabelWeights {
    let form = measure.linear(&view.collection).filter(|_| measure.info().aggregate == Aggregate::Mean)?;
    let mut weights = vec![0.0; grades.len()];
    for (index, judgement) in view.ranks[..form.depth(view.ranks.len())].iter().enumerate() {
        if let Judgement::Grade(grade) = judgement {
            // Grades off the scale were refused before.
            let place = grades.iter().position(|&known| known == grade.value())?;
            weights[place] += form.weight(index + 1);
        }
    }
    Some(weights.into())
}

/// Whether a measure needs drawn labels to be corrected: it is a mean over topics, of grades and not of what was judged, and not linear.
pub fn needs_draws(measure: &dyn Measure, collection: &CollectionFacts) -> bool {
    let info = measure.info();
    info.aggregate == Aggregate::Mean
        && info.needs == JudgementKind::Grades
        && !measure.is_about_judging()
        && measure.linear(collection).is_none()
}

/// What a run retrieved for a topic and what is judged there, by bronze.
#[derive(Debug, Clone)]
pub struct LabelledList {
    /// The documents retrieved.
    pub ranks: Box<[Judgement]>,
    /// Documents judged at each grade, retrieved or not.
    pub grades: Box<[(Grade, u32)]>,
    /// Documents in the judgement file without a grade.
    pub pooled_unjudged: u32,
    /// Documents retrieved below the ranks.
    pub below: u32,
}

impl LabelledList {
    /// What a view shows.
    pub fn new(view: &TopicView<'_>) -> LabelledList {
        LabelledList {
            ranks: view.ranks.into(),
            grades: view.facts.grades.into(),
            pooled_unjudged: view.facts.pooled_unjudged,
            below: view.below,
        }
    }
}
