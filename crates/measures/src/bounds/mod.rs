//! What unjudged documents could still do to measures that are not linear in gain.
//!
//! The model: every unjudged document that was retrieved (below the depth of `-M` too), and every pooled one that was not, may turn out to have any
//! grade up to the largest; documents that are neither retrieved nor pooled are outside. The number of relevant documents
//! is then uncertain itself, which moves the denominators of AP, recall, nDCG and their kin.
//!
//! The one idea behind the algorithms: for a *given number* of newly relevant documents the best completion puts them at
//! the highest unjudged ranks and the worst at the lowest (the k-th relevant document then stands as high, or as low, as
//! it can), so only the number is left to try.

pub(crate) mod average_precision;
pub(crate) mod blended;
pub(crate) mod cascade;
pub(crate) mod counts;
pub(crate) mod overlap;
pub(crate) mod pairs;
pub(crate) mod player;
pub(crate) mod ratio;
pub(crate) mod subtopics;

use karat_data::{Judgement, TopicView};

use crate::gains::Gains;
use crate::info::MeasureInfo;
use crate::linear::Gain;
use crate::score::Score;

/// The documents that could turn out relevant at a level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Open {
    /// Unjudged documents among the ranks.
    pub retrieved: usize,
    /// Pooled but unjudged documents that are not among the ranks, and unjudged ones that the run has below them.
    pub missed: usize,
}

impl Open {
    /// None of either where no grade reaches the level: then nothing can turn out relevant.
    pub fn of(view: &TopicView<'_>, level: f64) -> Open {
        if view.collection.max_grade < level { Open { retrieved: 0, missed: 0 } } else { Open::all(view) }
    }

    /// Whatever the level.
    pub fn all(view: &TopicView<'_>) -> Open {
        let (mut retrieved, mut pooled) = (0, 0);
        for judgement in view.ranks {
            retrieved += usize::from(!judgement.is_judged());
            pooled += usize::from(*judgement == Judgement::PooledUnjudged);
        }
        Open::counted(view, f64::NEG_INFINITY, retrieved, pooled)
    }

    /// The same for those who have counted the unjudged documents among the ranks, and the pooled ones of them.
    pub fn counted(view: &TopicView<'_>, level: f64, retrieved: usize, pooled: usize) -> Open {
        if view.collection.max_grade < level {
            return Open { retrieved: 0, missed: 0 };
        }
        let missed = (view.facts.pooled_unjudged as usize).saturating_sub(pooled);
        Open { retrieved, missed: missed + view.below as usize }
    }

    /// Whether there are none.
    pub fn is_closed(self) -> bool {
        self.retrieved == 0 && self.missed == 0
    }
}

/// For measures of which nothing better can be said cheaply: the value where nothing is unjudged, else the range.
pub(crate) fn anything(view: &TopicView<'_>, info: &MeasureInfo, value: f64) -> Score {
    if Open::all(view).is_closed() { Score::exact(value) } else { Score::within(value, info.range.0, info.range.1) }
}

/// For experiments of trec_eval whose extremes nobody needs: the value where nothing is unjudged, else anything the
/// measure can be, which is sound and says little.
pub(crate) fn whole_range(view: &TopicView<'_>, info: &MeasureInfo, gains: &Gains, value: f64) -> Score {
    if Open::all(view).is_closed() {
        return Score::exact(value);
    }
    if gains.of_unjudged() || gains.least(&view.collection) < 0.0 {
        return Score::without_bounds(value);
    }
    Score::within(value, info.range.0, info.range.1)
}
