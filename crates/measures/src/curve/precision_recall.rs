//! Precision and recall at ranks.

use karat_data::TopicView;

use crate::curve::NOTHING_RELEVANT;
use crate::score::Undefined;

/// Precision and recall at one rank.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PrecisionRecall {
    /// The rank, from 1.
    pub rank: usize,
    /// Relevant documents down to it, as a share of the rank.
    pub precision: f64,
    /// Relevant documents down to it, as a share of all relevant ones.
    pub recall: f64,
}

/// The ranks at which points are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Points<'a> {
    /// Every rank of the list.
    EveryRank,
    /// The ranks of relevant documents: the corners of the saw-tooth.
    Relevant,
    /// These ranks, ascending; those below the end of the list are left out.
    At(&'a [usize]),
}

/// The points of the precision-recall curve.
///
/// # Errors
/// Nothing is relevant.
pub fn precision_recall(
    view: &TopicView<'_>,
    level: f64,
    points: Points<'_>,
) -> Result<Vec<PrecisionRecall>, Undefined> {
    let relevant = view.facts.relevant(level);
    if relevant == 0 {
        return Err(Undefined { reason: NOTHING_RELEVANT });
    }
    let mut found = 0u32;
    let mut wanted = match points {
        Points::At(ranks) => ranks.iter().copied().peekable(),
        Points::EveryRank | Points::Relevant => [].iter().copied().peekable(),
    };
    let mut curve = Vec::new();
    for (index, judgement) in view.ranks.iter().enumerate() {
        let (rank, hit) = (index + 1, judgement.is_relevant(level));
        found += u32::from(hit);
        let asked = match points {
            Points::EveryRank => true,
            Points::Relevant => hit,
            Points::At(_) => {
                while wanted.next_if(|other| *other < rank).is_some() {}
                wanted.peek() == Some(&rank)
            }
        };
        if asked {
            let share = |of: f64| f64::from(found) / of;
            curve.push(PrecisionRecall { rank, precision: share(rank as f64), recall: share(f64::from(relevant)) });
        }
    }
    Ok(curve)
}
