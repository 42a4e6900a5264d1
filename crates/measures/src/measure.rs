//! What a measure is to the rest of karat.

use karat_data::{CollectionFacts, TopicView};

use crate::difference::Pair;
use crate::info::{BoundsKind, Legal, MeasureInfo, Tightness};
use crate::linear::Form;
use crate::score::{Score, Undefined};
use crate::spec::{CUTOFF, MeasureSpec};
use crate::ties::{TieRule, Tied};

/// A measure with its parameters fixed.
pub trait Measure: Send + Sync {
    /// The row of the table it comes from.
    fn info(&self) -> &'static MeasureInfo;

    /// The parameters, as they print and parse back.
    fn spec(&self) -> MeasureSpec;

    /// The level from which a grade is relevant to it, where it has one.
    fn level(&self) -> Option<f64> {
        let takes = self.info().parameters.iter().any(|parameter| parameter.name == "rel");
        takes.then(|| self.spec().number("rel").ok().flatten().unwrap_or(1.0))
    }

    /// The last rank it looks at, where it has a cut-off that is a rank.
    fn cutoff(&self) -> Option<usize> {
        let of_ranks = |legal: Legal| matches!(legal, Legal::Rank { .. });
        let takes = self.info().parameters.iter().any(|taken| taken.name == CUTOFF.name && of_ranks(taken.legal));
        if takes { self.spec().optional_cutoff().ok().flatten() } else { None }
    }

    /// One topic's score.
    ///
    /// # Errors
    /// The reason why this topic has none.
    fn score(&self, view: &TopicView<'_>) -> Result<Score, Undefined>;

    /// The value alone, for callers who believe unjudged documents to be what the value takes them for; a measure whose
    /// bounds are dearer than its value gives it without them.
    ///
    /// # Errors
    /// As [`Measure::score`].
    fn value(&self, view: &TopicView<'_>) -> Result<f64, Undefined> {
        self.score(view).map(|score| score.value)
    }

    /// The variance of the topic's value over the samples of the pool that might have been judged instead, for a measure
    /// that infers what the others would have shown. `None` for every other measure, and where nothing was sampled or
    /// the sample does not tell.
    fn sampling_variance(&self, _view: &TopicView<'_>) -> Option<f64> {
        None
    }

    /// The measure as a weighted sum of gains, where it is one and gains do not depend on the topic: no further judgement
    /// changes it but through the gain of the document judged.
    fn linear(&self, _collection: &CollectionFacts) -> Option<Form<'_>> {
        None
    }

    /// Least and greatest difference between two lists of one topic, where more can be said than what the bounds of the two
    /// come to and the measure is not linear in gain (those are taken apart by [`crate::difference`]).
    fn difference(&self, _pair: &Pair<'_>) -> Option<(f64, f64)> {
        None
    }

    /// Whether relevant documents that the list does not have, or has below the cut-off, change the value.
    fn counts_missed(&self) -> bool {
        true
    }

    /// Whether relevant documents that neither of two lists has can only bring their difference nearer to 0. So it is where a value is a number that
    /// such documents leave alone, divided by one that is the same for both lists and that they never lessen. Where bounds do not allow for such
    /// documents, 0 is then the furthest that these can take a difference to.
    fn missed_shrink_differences(&self) -> bool {
        !self.counts_missed()
    }

    /// Which judgements the bounds allow for, of one list's score and of a difference. A measure that relevant documents elsewhere
    /// do not change has complete ones by itself; another one must see to it.
    fn bounds_kind(&self, _collection: &CollectionFacts) -> BoundsKind {
        if self.counts_missed() { BoundsKind::Retrieved } else { BoundsKind::Complete }
    }

    /// Whether [`Measure::bounds_kind`] is complete.
    fn bounds_are_complete(&self, collection: &CollectionFacts) -> bool {
        self.bounds_kind(collection) == BoundsKind::Complete
    }

    /// Whether the value is about what was judged and what was not, so that nothing is learnt by supposing more judgements.
    fn is_about_judging(&self) -> bool {
        self.info().bounds == Tightness::Estimator
    }

    /// How the value depends on the order of documents with equal scores. A measure that does not say has every distinct
    /// order scored while they are few.
    fn tie_rule<'a>(&'a self, _tied: &'a Tied<'a>) -> TieRule<'a> {
        TieRule::Enumerated
    }
}
