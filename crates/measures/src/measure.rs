//! What a measure is to the rest of karat.

use karat_data::{CollectionFacts, TopicView};

use crate::info::MeasureInfo;
use crate::linear::LinearForm;
use crate::score::{Score, Undefined};
use crate::spec::MeasureSpec;
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

    /// Its weights and gains, where it is linear in gain and gains do not depend on the topic.
    fn linear_form(&self, _collection: &CollectionFacts) -> Option<LinearForm<'_>> {
        None
    }

    /// How the value depends on the order of documents with equal scores. A measure that does not say has every distinct
    /// order scored while they are few.
    fn tie_rule<'a>(&'a self, _tied: &'a Tied<'a>) -> TieRule<'a> {
        TieRule::Enumerated
    }
}
