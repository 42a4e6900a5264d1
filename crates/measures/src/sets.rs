//! Measures of the retrieved documents as a set, order ignored: SetP, SetR, SetRelativeP, SetAP.
//!
//! Four rows in one file because they are four ways to divide the same three counts; SetF is with F.

use karat_data::{JudgementKind, TopicView};

use crate::aggregate::Aggregate;
use crate::bounds::counts::Counts;
use crate::citations;
use crate::info::{Example, MeasureInfo, Tightness, WhenEmpty};
use crate::measure::Measure;
use crate::score::{Score, Undefined};
use crate::spec::{MeasureSpec, RELEVANCE};
use crate::tally;
use crate::ties::{self, TieRule, Tied};

/// The row of SetP.
pub static PRECISION: MeasureInfo = MeasureInfo {
    name: "SetP",
    aliases: &["set_P"],
    summary: "Share of all retrieved documents that are relevant.",
    formula: "SetP = (relevant retrieved) / (retrieved)",
    reading: "0.2: one in five retrieved documents is relevant, at any rank.",
    misleads: "A run that always returns 1000 documents has a low value by construction.",
    citation: citations::VAN_RIJSBERGEN,
    parameters: &[RELEVANCE],
    range: (0.0, 1.0),
    needs: JudgementKind::Grades,
    aggregate: Aggregate::Mean,
    bounds: Tightness::Exact,
    when_empty: WhenEmpty::ZERO,
    examples: &[Example::new("SetP", "1 0 - 1", "1", 0.5, "2 of 4 retrieved; the unjudged one could make it 3/4")],
    build: |spec| Ok(Box::new(SetMeasure { kind: Kind::Precision, level: spec.level()? })),
};

/// The row of SetR.
pub static RECALL: MeasureInfo = MeasureInfo {
    name: "SetR",
    aliases: &["set_recall"],
    summary: "Share of the relevant documents that were retrieved.",
    formula: "SetR = (relevant retrieved) / R",
    reading: "The share of known relevant documents that a user finds who reads everything retrieved.",
    misleads: "Depends on the number of documents that the run may return; R counts only known relevant documents.",
    citation: citations::VAN_RIJSBERGEN,
    parameters: &[RELEVANCE],
    range: (0.0, 1.0),
    needs: JudgementKind::Grades,
    aggregate: Aggregate::Mean,
    bounds: Tightness::Exact,
    when_empty: WhenEmpty::ZERO,
    examples: &[Example::new("SetR", "1 0 0 1", "1 1 0", 0.5, "2 of 4 relevant documents were retrieved")],
    build: |spec| Ok(Box::new(SetMeasure { kind: Kind::Recall, level: spec.level()? })),
};

/// The row of SetRelativeP.
pub static RELATIVE_PRECISION: MeasureInfo = MeasureInfo {
    name: "SetRelativeP",
    aliases: &["SetRelP", "set_relative_P"],
    summary: "SetP divided by the greatest SetP a set of that size could have.",
    formula: "SetRelativeP = (relevant retrieved) / min(retrieved, R)",
    reading: "1 when everything retrieved is relevant, or everything relevant was retrieved.",
    misleads: "It is precision for short lists and recall for long ones, so runs of different length are not comparable.",
    citation: citations::BUCKLEY_VOORHEES_2005,
    parameters: &[RELEVANCE],
    range: (0.0, 1.0),
    needs: JudgementKind::Grades,
    aggregate: Aggregate::Mean,
    bounds: Tightness::Exact,
    when_empty: WhenEmpty::ZERO,
    examples: &[Example::new("SetRelativeP", "1 0 0 1", "1", 2.0 / 3.0, "2 found, at most min(4, 3) could be: 2/3")],
    build: |spec| Ok(Box::new(SetMeasure { kind: Kind::RelativePrecision, level: spec.level()? })),
};

/// The row of SetAP.
pub static AVERAGE_PRECISION: MeasureInfo = MeasureInfo {
    name: "SetAP",
    aliases: &["set_map"],
    summary: "Precision times recall of all retrieved documents.",
    formula: "SetAP = (relevant retrieved)^2 / (retrieved * R) = SetP * SetR",
    reading: "AP with the precision of the whole list in place of the precision at each relevant document.",
    misleads: "Order is ignored, and the value depends strongly on the length of the list.",
    citation: citations::BUCKLEY_VOORHEES_2005,
    parameters: &[RELEVANCE],
    range: (0.0, 1.0),
    needs: JudgementKind::Grades,
    aggregate: Aggregate::Mean,
    bounds: Tightness::Exact,
    when_empty: WhenEmpty::ZERO,
    examples: &[Example::new("SetAP", "1 0 0 1", "1 1", 0.25, "2^2 / (4 * 4) = 1/4")],
    build: |spec| Ok(Box::new(SetMeasure { kind: Kind::AveragePrecision, level: spec.level()? })),
};

#[derive(Debug, Clone, Copy)]
enum Kind {
    Precision,
    Recall,
    RelativePrecision,
    AveragePrecision,
}

#[derive(Debug, Clone, Copy)]
struct SetMeasure {
    kind: Kind,
    level: f64,
}

impl Measure for SetMeasure {
    fn info(&self) -> &'static MeasureInfo {
        match self.kind {
            Kind::Precision => &PRECISION,
            Kind::Recall => &RECALL,
            Kind::RelativePrecision => &RELATIVE_PRECISION,
            Kind::AveragePrecision => &AVERAGE_PRECISION,
        }
    }

    fn spec(&self) -> MeasureSpec {
        MeasureSpec::new(self.info()).with_level(self.level)
    }

    fn counts_missed(&self) -> bool {
        !matches!(self.kind, Kind::Precision)
    }

    fn missed_shrink_differences(&self) -> bool {
        // Over R; relative precision is over the lesser of R and the length of the list, which differs.
        !matches!(self.kind, Kind::RelativePrecision)
    }

    fn score(&self, view: &TopicView<'_>) -> Result<Score, Undefined> {
        let retrieved = view.ranks.len() as f64;
        let share = |count: f64, of: f64| if of > 0.0 { count / of } else { 0.0 };
        Ok(Counts::of(view, None, self.level).score(|found, relevant| match self.kind {
            Kind::Precision => share(found, retrieved),
            Kind::Recall => share(found, relevant),
            Kind::RelativePrecision => share(found, retrieved.min(relevant)),
            Kind::AveragePrecision => share(found * found, retrieved * relevant),
        }))
    }

    fn tie_rule<'a>(&'a self, tied: &'a Tied<'a>) -> TieRule<'a> {
        let retrieved = tied.view.ranks.len() as f64;
        let relevant = f64::from(tied.view.facts.relevant(self.level));
        let of = match self.kind {
            Kind::Precision => retrieved,
            Kind::Recall => relevant,
            Kind::RelativePrecision => retrieved.min(relevant),
            Kind::AveragePrecision => retrieved * relevant,
        };
        if of == 0.0 {
            return TieRule::Constant;
        }
        if let Kind::AveragePrecision = self.kind {
            let how = "from the hypergeometric count of relevant documents above the depth";
            return TieRule::ordered(ties::relevance(self.level), how, move || {
                Ok(expected_square(tied, self.level) / of)
            });
        }
        TieRule::count(|judgement| judgement.is_relevant(self.level), None, 1.0 / of)
    }
}

/// The mean of (relevant retrieved)^2 over the orders of tied documents: of s documents out of n with r relevant ones, the
/// count X has E[X] = s r/n and E[X] = s(s-1) r(r-1) / (n(n-1)).
fn expected_square(tied: &Tied<'_>, level: f64) -> f64 {
    let (mut above, mut square) = (0.0, 0.0);
    for block in tied.blocks() {
        let (documents, shown) = (block.members.len() as f64, block.shown() as f64);
        let relevant = tally::relevant(block.members, level) as f64;
        let mean = relevant * shown / documents;
        let pairs = if documents > 1.0 {
            shown * (shown - 1.0) * relevant * (relevant - 1.0) / (documents * (documents - 1.0))
        } else {
            0.0
        };
        // Only the last block can be cut, so what is above it is as many in every order.
        square = above * above + 2.0 * above * mean + mean + pairs;
        above += mean;
    }
    square
}
