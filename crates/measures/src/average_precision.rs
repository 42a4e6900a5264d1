//! AP: precision averaged over the relevant documents.

use karat_data::{Judgement, JudgementKind, TopicView};

use crate::aggregate::Aggregate;
use crate::bounds;
use crate::citations;
use crate::difference::{Pair, greatest_average_precision};
use crate::info::{Example, MeasureInfo, Tightness, WhenEmpty};
use crate::measure::Measure;
use crate::score::{Score, Undefined};
use crate::spec::{MeasureSpec, OPTIONAL_CUTOFF, RELEVANCE};
use crate::tally;
use crate::ties::{self, TieRule, Tied};

/// The row of the table.
pub static INFO: MeasureInfo = MeasureInfo {
    name: "AP",
    aliases: &["map", "map_cut", "average_precision"],
    summary: "Precision at the rank of each relevant document, averaged over all relevant documents.",
    formula: "AP = (1/R) * sum over ranks i of rel_i * P@i;  AP@k stops the sum at rank k and keeps R",
    reading: "1 when all R relevant documents come first; a relevant document that was not retrieved adds 0.",
    misleads: "R counts only known relevant documents. Judging more documents changes both the sum and R, so it can \
               lower AP.",
    citation: citations::HARMAN,
    parameters: &[OPTIONAL_CUTOFF, RELEVANCE],
    range: (0.0, 1.0),
    needs: JudgementKind::Grades,
    aggregate: Aggregate::Mean,
    bounds: Tightness::Exact,
    when_empty: WhenEmpty::ZERO,
    examples: &[
        Example::new(
            "AP",
            "0 1 0 0 1 0 0 1 0 1",
            "1 1 1 1 1",
            (0.5 + 0.4 + 0.375 + 0.4) / 9.0,
            "hits at ranks 2, 5, 8, 10 of 9 relevant: (1/2 + 2/5 + 3/8 + 4/10)/9 = 0.1861",
        ),
        Example::new("AP@5", "0 1 0 0 1 0 0 1 0 1", "", 0.225, "only the hits at 2 and 5 of 4 relevant: (1/2 + 2/5)/4"),
    ],
    build: |spec| Ok(Box::new(AveragePrecision { cutoff: spec.optional_cutoff()?, level: spec.level()? })),
};

#[derive(Debug, Clone, Copy)]
struct AveragePrecision {
    cutoff: Option<usize>,
    level: f64,
}

impl Measure for AveragePrecision {
    fn info(&self) -> &'static MeasureInfo {
        &INFO
    }

    fn spec(&self) -> MeasureSpec {
        MeasureSpec::new(&INFO).optional(self.cutoff).with_level(self.level)
    }

    fn missed_shrink_differences(&self) -> bool {
        // A sum of precisions over R.
        true
    }

    fn score(&self, view: &TopicView<'_>) -> Result<Score, Undefined> {
        Ok(score(view, self.cutoff, self.level))
    }

    fn value(&self, view: &TopicView<'_>) -> Result<f64, Undefined> {
        Ok(value(view, self.cutoff, self.level))
    }

    fn difference(&self, pair: &Pair<'_>) -> Option<(f64, f64)> {
        Some(pair.ends(|pair| greatest_average_precision(pair, self.cutoff, self.level)))
    }

    fn tie_rule<'a>(&'a self, tied: &'a Tied<'a>) -> TieRule<'a> {
        rule(tied, self.cutoff, self.level)
    }
}

/// AP of a topic with its bounds.
pub(crate) fn score(view: &TopicView<'_>, cutoff: Option<usize>, level: f64) -> Score {
    bounds::average_precision::average(view, cutoff, level)
}

/// AP of a topic, 0 where nothing is relevant.
pub(crate) fn value(view: &TopicView<'_>, cutoff: Option<usize>, level: f64) -> f64 {
    let relevant = view.facts.relevant(level);
    if relevant == 0 { 0.0 } else { precision_sum(tally::first(view, cutoff), level) / f64::from(relevant) }
}

/// The sum of the precisions at the ranks of relevant documents.
pub(crate) fn precision_sum(ranks: &[Judgement], level: f64) -> f64 {
    let (mut seen, mut sum) = (0u32, 0.0);
    for (index, judgement) in ranks.iter().enumerate() {
        if judgement.is_relevant(level) {
            seen += 1;
            sum += f64::from(seen) / (index + 1) as f64;
        }
    }
    sum
}

/// AP over the orders of tied documents.
pub(crate) fn rule<'a>(tied: &'a Tied<'a>, cutoff: Option<usize>, level: f64) -> TieRule<'a> {
    let relevant = f64::from(tied.view.facts.relevant(level));
    if relevant == 0.0 {
        return TieRule::Constant;
    }
    TieRule::ordered(ties::relevance(level), HOW, move || Ok(expected_precision_sum(tied, cutoff, level) / relevant))
}

/// How AP's mean over the orders of tied documents is come by.
pub(crate) const HOW: &str = "in closed form (McSherry and Najork 2008)";

/// The mean of [`precision_sum`] over the orders of tied documents. At any place of a group of n documents, r relevant, a
/// relevant document stands with chance r/n; of the p documents of the group above it p (r-1)/(n-1) are then relevant on
/// average (McSherry and Najork 2008, Computing information retrieval performance measures efficiently in the presence
/// of tied scores, ECIR).
fn expected_precision_sum(tied: &Tied<'_>, cutoff: Option<usize>, level: f64) -> f64 {
    let last = cutoff.unwrap_or(usize::MAX);
    let (mut seen, mut sum) = (0.0, 0.0);
    for block in tied.blocks() {
        let (documents, relevant) = (block.members.len() as f64, tally::relevant(block.members, level) as f64);
        let share = if documents > 1.0 { (relevant - 1.0) / (documents - 1.0) } else { 0.0 };
        if relevant > 0.0 {
            for (place, rank) in (block.start + 1..=block.end.min(last)).enumerate() {
                sum += relevant / documents * (seen + 1.0 + place as f64 * share) / rank as f64;
            }
        }
        seen += relevant;
    }
    sum
}
