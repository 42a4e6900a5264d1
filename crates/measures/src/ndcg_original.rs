//! JKnDCG: nDCG as first published, with no discount above rank b.

use std::borrow::Cow;

use karat_data::{JudgementKind, TopicView};

use crate::aggregate::Aggregate;
use crate::bounds::ratio::{self, Weights};
use crate::citations;
use crate::discount::LOG2_3;
use crate::gains::{self, GAINS, Gains};
use crate::info::{Example, Legal, MeasureInfo, Parameter, Tightness, WhenEmpty};
use crate::measure::Measure;
use crate::score::{Score, Undefined};
use crate::spec::{MeasureSpec, OPTIONAL_CUTOFF};
use crate::tally;

const BASE: Parameter = Parameter {
    name: "b",
    default: "2",
    legal: Legal::Described("a number above 1, to 1000000"),
    meaning: "base of the logarithm: ranks above b are not discounted, so a larger b is a more patient user",
};

/// The row of the table.
pub static INFO: MeasureInfo = MeasureInfo {
    name: "JKnDCG",
    aliases: &["nDCG_JK"],
    summary: "nDCG as first published: gains are discounted only from rank b on.",
    formula: "JKnDCG = DCG / IDCG, DCG = sum over ranks i of gain_i / max(1, log_b(i)), IDCG the same over all judged documents by \
              descending gain;  JKnDCG@k cuts both at rank k",
    reading: "1 when the judged documents come first, in the order of their grades.",
    misleads: "With b = 2, ranks 1 and 2 have the same weight, so swapping them changes nothing. Nearly all later work \
               uses the discount log2(i + 1) of nDCG. NTCIREVAL calls this measure nDCG, and karat's nDCG MSnDCG.",
    citation: citations::JARVELIN,
    parameters: &[OPTIONAL_CUTOFF, BASE, GAINS],
    range: (0.0, 1.0),
    needs: JudgementKind::Grades,
    aggregate: Aggregate::Mean,
    bounds: Tightness::Exact,
    when_empty: WhenEmpty::ZERO,
    examples: &[
        Example::new("JKnDCG@2", "0 3 - 2", "3 3 2 2 1 1 1 1", 0.5, "3/1 of 3/1 + 3/1").up_to(3.0),
        Example::new("JKnDCG", "1 0 1", "", (1.0 + 1.0 / LOG2_3) / 2.0, "(1 + 1/log2(3)) / (1 + 1) = 0.8155"),
        Example::new("JKnDCG(b=10)", "0 0 1", "", 1.0, "rank 3 is not discounted: 1 of 1"),
    ],
    build: |spec| {
        let base = spec.number("b")?.unwrap_or(2.0);
        if !(base > 1.0 && base <= 1e6) {
            return Err(spec.illegal("b", BASE.legal));
        }
        Ok(Box::new(Original { cutoff: spec.optional_cutoff()?, base, gains: Gains::of_spec(spec, false)? }))
    },
};

#[derive(Debug, Clone)]
struct Original {
    cutoff: Option<usize>,
    base: f64,
    gains: Gains,
}

impl Original {
    fn dcg(&self, gains: impl Iterator<Item = f64>) -> f64 {
        let gains = gains.take(self.cutoff.unwrap_or(usize::MAX)).enumerate().filter(|(_, gain)| *gain != 0.0);
        gains.map(|(index, gain)| gain / self.discount(index + 1)).sum()
    }

    fn discount(&self, rank: usize) -> f64 {
        (libm::log(rank as f64) / libm::log(self.base)).max(1.0)
    }
}

impl Weights for Original {
    fn at(&self, rank: usize) -> f64 {
        1.0 / self.discount(rank)
    }

    fn sums(&self, longest: usize) -> Cow<'static, [f64]> {
        let mut sum = 0.0;
        let sums = (0..=longest).map(|rank| {
            sum += if rank == 0 { 0.0 } else { self.at(rank) };
            sum
        });
        Cow::Owned(sums.collect())
    }
}

impl Measure for Original {
    fn info(&self) -> &'static MeasureInfo {
        &INFO
    }

    fn spec(&self) -> MeasureSpec {
        self.gains.print(MeasureSpec::new(&INFO).with_unless("b", self.base, 2.0)).optional(self.cutoff)
    }

    fn missed_shrink_differences(&self) -> bool {
        // DCG over the ideal DCG.
        self.gains.are_never_below_zero()
    }

    fn score(&self, view: &TopicView<'_>) -> Result<Score, Undefined> {
        let groups = self.gains.ideal(view.facts);
        let ideal = self.dcg(groups.flat_map(|group| std::iter::repeat_n(group.gain, group.count)));
        let ranks = tally::first(view, self.cutoff).iter();
        let dcg = self.dcg(ranks.map(|judgement| self.gains.of_judgement(*judgement)));
        let value = if ideal > 0.0 { dcg / ideal } else { 0.0 };
        if !ideal.is_finite() || !value.is_finite() {
            return Err(gains::TOO_LARGE);
        }
        Ok(match ratio::bounds(view, self.cutoff, &self.gains, self, dcg) {
            // The bounds add the same terms in another order.
            Some((low, high)) => Score::within(value, low.min(value), high.max(value)),
            None => Score::without_bounds(value),
        })
    }
}
