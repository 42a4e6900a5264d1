//! The ROC curve over the judged documents: relevant ones found against non-relevant ones met.

use karat_data::TopicView;

use crate::roc_area::ONE_CLASS;
use crate::score::Undefined;

/// A point of the ROC curve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RocPoint {
    /// The rank down to which it counts; 0 for the start, `None` for the end, where the unretrieved follow in a tie.
    pub rank: Option<usize>,
    /// Judged non-relevant documents met, as a share of all (1 - specificity).
    pub false_positive_rate: f64,
    /// Judged relevant documents found, as a share of all (sensitivity, recall).
    pub true_positive_rate: f64,
}

/// The curve from (0, 0) to (1, 1), a point after every judged document retrieved. Unretrieved judged documents tie
/// below the list: a straight line to (1, 1).
///
/// # Errors
/// Not both relevant and non-relevant documents were judged.
pub fn roc(view: &TopicView<'_>, level: f64) -> Result<Vec<RocPoint>, Undefined> {
    let relevant = f64::from(view.facts.relevant(level));
    let nonrelevant = f64::from(view.facts.judged_nonrelevant(level));
    if relevant == 0.0 || nonrelevant == 0.0 {
        return Err(Undefined { reason: ONE_CLASS });
    }
    let (mut found, mut met) = (0.0, 0.0);
    let mut curve = vec![RocPoint { rank: Some(0), false_positive_rate: 0.0, true_positive_rate: 0.0 }];
    for (index, judgement) in view.ranks.iter().enumerate() {
        let Some(grade) = judgement.grade() else { continue };
        *(if grade >= level { &mut found } else { &mut met }) += 1.0;
        curve.push(RocPoint {
            rank: Some(index + 1),
            false_positive_rate: met / nonrelevant,
            true_positive_rate: found / relevant,
        });
    }
    if found < relevant || met < nonrelevant {
        curve.push(RocPoint { rank: None, false_positive_rate: 1.0, true_positive_rate: 1.0 });
    }
    Ok(curve)
}

/// The area under a curve by trapezoids.
pub fn area(curve: &[RocPoint]) -> f64 {
    curve
        .windows(2)
        .map(|pair| {
            let width = pair[1].false_positive_rate - pair[0].false_positive_rate;
            width * (pair[0].true_positive_rate + pair[1].true_positive_rate) / 2.0
        })
        .sum()
}
