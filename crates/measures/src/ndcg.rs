//! nDCG: discounted cumulated gain as a share of the best possible.

use karat_data::{CollectionFacts, Judgement, JudgementKind, TopicFacts, TopicView};

use crate::aggregate::Aggregate;
use crate::bounds::ratio;
use crate::citations;
use crate::difference::Pair;
use crate::discount::{Discounts, LOG2_3};
use crate::gains::{self, DCG, GAINS_WITH_UNJUDGED, Gains};
use crate::info::{BoundsKind, Example, MeasureInfo, Tightness, WhenEmpty};
use crate::measure::Measure;
use crate::score::{Score, Undefined};
use crate::spec::{MeasureSpec, OPTIONAL_CUTOFF};
use crate::tally;
use crate::ties::{TieRule, Tied};

/// The row of the table.
pub static INFO: MeasureInfo = MeasureInfo {
    name: "nDCG",
    aliases: &["ndcg", "ndcg_cut", "ndcg_burges"],
    summary: "Discounted cumulated gain divided by that of the best possible ranking.",
    formula: "nDCG = DCG / IDCG, DCG = sum over ranks i of gain_i / log2(i + 1), IDCG the same over all judged documents \
              by descending gain;  nDCG@k cuts both at rank k",
    reading: "1 when the judged documents come first, in the order of their grades.",
    misleads: "Unjudged documents have gain 0 and are not in the ideal ranking. For a list of 10 documents, nDCG \
               without a cut-off is not nDCG@10, because the ideal ranking is longer. The relevance level has no \
               effect. exp-log2 and log2 are different measures with the same name. Bounds of nDCG@k allow for any \
               number of relevant documents that no run retrieved, so they have a width even where all retrieved \
               documents are judged: the ideal lies between that of the known grades and k documents of the largest grade.",
    citation: citations::JARVELIN,
    parameters: &[OPTIONAL_CUTOFF, DCG, GAINS_WITH_UNJUDGED],
    range: (0.0, 1.0),
    needs: JudgementKind::Grades,
    aggregate: Aggregate::Mean,
    bounds: Tightness::Exact,
    when_empty: WhenEmpty::ZERO,
    examples: &[
        Example::new(
            "nDCG@2",
            "0 2 1",
            "",
            (2.0 / LOG2_3) / (2.0 + 1.0 / LOG2_3),
            "(2/log2(3)) / (2/log2(2) + 1/log2(3)) = 0.4796",
        )
        .up_to(2.0),
        Example::new("nDCG", "1 0 1", "", 1.5 / (1.0 + 1.0 / LOG2_3), "(1 + 1/log2(4)) / (1 + 1/log2(3)) = 1.5/1.6309"),
        Example::new(
            "nDCG(dcg=exp-log2)@3",
            "1 0 2",
            "",
            2.5 / (3.0 + 1.0 / LOG2_3),
            "(1 + 3/2) / (3 + 1/log2(3)) = 2.5/3.6309",
        )
        .up_to(2.0),
        Example::new(
            "nDCG(gains={1:3,2:9})",
            "1 2",
            "",
            (3.0 + 9.0 / LOG2_3) / (9.0 + 3.0 / LOG2_3),
            "(3 + 9/log2(3)) / (9 + 3/log2(3)) = 0.7967",
        )
        .up_to(2.0),
    ],
    build: |spec| {
        let (cutoff, gains) = (spec.optional_cutoff()?, Gains::of_spec(spec, true)?);
        let perfect = cutoff.filter(|cutoff| *cutoff <= DEEPEST).map(weights_down_to);
        Ok(Box::new(Ndcg { cutoff, gains, perfect }))
    },
};

/// The last cut-off that bounds know as one: weights are added rank by rank.
const DEEPEST: usize = 1_000_000;

fn weights_down_to(cutoff: usize) -> f64 {
    let discounts = Discounts::get();
    (1..=cutoff).map(|rank| 1.0 / discounts.at(rank)).sum()
}

#[derive(Debug, Clone)]
struct Ndcg {
    cutoff: Option<usize>,
    gains: Gains,
    /// The discount weights down to the cut-off: an ideal cannot be more than these times the greatest gain. Without a cut-off there is
    /// no such end, and bounds must assume that nothing relevant is left unretrieved.
    perfect: Option<f64>,
}

impl Measure for Ndcg {
    fn info(&self) -> &'static MeasureInfo {
        &INFO
    }

    fn spec(&self) -> MeasureSpec {
        self.gains.print(MeasureSpec::new(&INFO)).optional(self.cutoff)
    }

    fn missed_shrink_differences(&self) -> bool {
        // DCG over the ideal DCG.
        self.gains.are_never_below_zero()
    }

    fn score(&self, view: &TopicView<'_>) -> Result<Score, Undefined> {
        let (value, dcg) = self.parts(view)?;
        let weights = Discounts::get();
        let bounds = match self.cutoff.zip(self.perfect) {
            Some((cutoff, perfect)) => ratio::complete_bounds(view, cutoff, &self.gains, &weights, (dcg, perfect)),
            None => ratio::bounds(view, self.cutoff, &self.gains, &weights, dcg),
        };
        Ok(match bounds {
            // The bounds add the same terms in another order.
            Some((low, high)) => Score::within(value, low.min(value), high.max(value)),
            None => Score::without_bounds(value),
        })
    }

    fn value(&self, view: &TopicView<'_>) -> Result<f64, Undefined> {
        self.parts(view).map(|(value, _)| value)
    }

    fn bounds_kind(&self, _: &CollectionFacts) -> BoundsKind {
        if self.perfect.is_some() { BoundsKind::Complete } else { BoundsKind::Retrieved }
    }

    fn difference(&self, pair: &Pair<'_>) -> Option<(f64, f64)> {
        let weights = Discounts::get();
        let dcg = |view: &TopicView<'_>| dcg(tally::first(view, self.cutoff), &self.gains);
        ratio::differs(pair.a(), &self.gains).then(|| {
            let more = dcg(pair.a()) - dcg(pair.b());
            let greatest = |pair: &Pair<'_>, more: f64| {
                ratio::greatest_difference(pair, self.cutoff, &self.gains, &weights, (more, self.perfect))
            };
            // Not -0.
            (0.0 - greatest(&pair.swapped(), 0.0 - more), greatest(pair, more))
        })
    }

    fn tie_rule<'a>(&'a self, tied: &'a Tied<'a>) -> TieRule<'a> {
        let ideal = ideal_dcg(tied.view.facts, &self.gains, self.cutoff.unwrap_or(usize::MAX));
        if ideal <= 0.0 {
            return TieRule::Constant;
        }
        let last = self.cutoff.unwrap_or(usize::MAX);
        let weight = move |rank: usize| if rank <= last { 1.0 / (Discounts::get().at(rank) * ideal) } else { 0.0 };
        TieRule::linear(|judgement| self.gains.of_judgement(judgement), weight)
    }
}

impl Ndcg {
    /// The value and the DCG it comes from.
    fn parts(&self, view: &TopicView<'_>) -> Result<(f64, f64), Undefined> {
        let dcg = dcg(tally::first(view, self.cutoff), &self.gains);
        let ideal = ideal_dcg(view.facts, &self.gains, self.cutoff.unwrap_or(usize::MAX));
        if ideal <= 0.0 {
            return Ok((0.0, dcg));
        }
        let value = dcg / ideal;
        if ideal.is_finite() && value.is_finite() { Ok((value, dcg)) } else { Err(gains::TOO_LARGE) }
    }
}

/// DCG of a ranking; gain divided by discount and added in rank order, as trec_eval does.
pub(crate) fn dcg(ranks: &[Judgement], gains: &Gains) -> f64 {
    let discounts = Discounts::get();
    let mut sum = 0.0;
    for (index, judgement) in ranks.iter().enumerate() {
        let gain = gains.of_judgement(*judgement);
        if gain != 0.0 {
            sum += gain / discounts.at(index + 1);
        }
    }
    sum
}

/// DCG of the best ranking of the judged documents, down to a cut-off.
pub(crate) fn ideal_dcg(facts: TopicFacts<'_>, gains: &Gains, cutoff: usize) -> f64 {
    let discounts = Discounts::get();
    let (mut rank, mut sum) = (0, 0.0);
    for group in gains.ideal(facts) {
        for _ in 0..group.count {
            if rank == cutoff {
                return sum;
            }
            rank += 1;
            sum += group.gain / discounts.at(rank);
        }
    }
    sum
}
