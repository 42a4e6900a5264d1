//! CG and DCG: the sum of gains, plain and discounted by rank.

use karat_data::{CollectionFacts, Judgement, JudgementKind, TopicView};

use crate::aggregate::Aggregate;
use crate::citations;
use crate::gains::{self, DCG, GAINS, Gains};
use crate::info::{Example, MeasureInfo, Tightness, WhenEmpty};
use crate::linear::{self, Form, Gain, Weighting};
use crate::measure::Measure;
use crate::score::{Score, Undefined};
use crate::spec::{CUTOFF, MeasureSpec, OPTIONAL_CUTOFF};
use crate::ties::{TieRule, Tied};

/// The row of CG.
pub static PLAIN: MeasureInfo = MeasureInfo {
    name: "CG",
    aliases: &["cg"],
    summary: "The sum of the gains of the first k documents.",
    formula: "CG@k = sum over ranks i <= k of gain_i",
    reading: "Grades 0 to 3, k = 10: 12 of at most 30 points were collected.",
    misleads: "Not normalised, so topics with many relevant documents dominate the mean; order within k does not matter.",
    citation: citations::JARVELIN,
    parameters: &[CUTOFF, GAINS],
    range: (0.0, f64::INFINITY),
    needs: JudgementKind::Grades,
    aggregate: Aggregate::Mean,
    bounds: Tightness::Exact,
    when_empty: WhenEmpty::ZERO,
    examples: &[
        Example::new("CG@3", "2 - 1 2", "", 3.0, "2 + 0 + 1; the unjudged document could add 2").up_to(2.0),
        Example::new("CG(gains={1:3,2:9})@3", "2 - 1 2", "", 12.0, "9 + 0 + 3").up_to(2.0),
    ],
    build: |spec| {
        let cutoff = Some(spec.required_cutoff()?);
        Ok(Box::new(CumulatedGain { cutoff, gains: Gains::of_spec(spec, false)?, discounted: false }))
    },
};

/// The row of DCG.
pub static DISCOUNTED: MeasureInfo = MeasureInfo {
    name: "DCG",
    aliases: &["dcg", "dcg_burges"],
    summary: "The sum of the gains, each divided by log2(rank + 1).",
    formula: "DCG = sum over ranks i of gain_i / log2(i + 1);  DCG@k stops at rank k",
    reading: "Gain counts fully at rank 1, half at rank 3, a third at rank 7.",
    misleads: "Not normalised: the mean is dominated by topics with many or highly graded documents; nDCG divides by \
               the maximum. Jarvelin and Kekalainen discount by max(1, log2(i)); this is the form in common use.",
    citation: citations::JARVELIN,
    parameters: &[OPTIONAL_CUTOFF, DCG, GAINS],
    range: (0.0, f64::INFINITY),
    needs: JudgementKind::Grades,
    aggregate: Aggregate::Mean,
    bounds: Tightness::Exact,
    when_empty: WhenEmpty::ZERO,
    examples: &[
        Example::new("DCG@3", "2 - 1 2", "", 2.5, "2/log2(2) + 1/log2(4); the unjudged rank 2 could add 2/log2(3)")
            .up_to(2.0),
        Example::new("DCG(dcg=exp-log2)", "2 0 1", "", 3.5, "3/log2(2) + 1/log2(4)").up_to(2.0),
    ],
    build: |spec| {
        let cutoff = spec.optional_cutoff()?;
        Ok(Box::new(CumulatedGain { cutoff, gains: Gains::of_spec(spec, false)?, discounted: true }))
    },
};

#[derive(Debug, Clone)]
struct CumulatedGain {
    cutoff: Option<usize>,
    gains: Gains,
    discounted: bool,
}

impl Weighting for CumulatedGain {
    fn weight(&self, rank: usize) -> f64 {
        if self.cutoff.is_some_and(|cutoff| rank > cutoff) {
            0.0
        } else if self.discounted {
            1.0 / crate::discount::Discounts::get().at(rank)
        } else {
            1.0
        }
    }

    fn tail(&self, _: usize) -> f64 {
        0.0
    }

    fn last(&self) -> Option<usize> {
        self.cutoff
    }
}

impl Measure for CumulatedGain {
    fn info(&self) -> &'static MeasureInfo {
        if self.discounted { &DISCOUNTED } else { &PLAIN }
    }

    fn spec(&self) -> MeasureSpec {
        self.gains.print(MeasureSpec::new(self.info())).optional(self.cutoff)
    }

    fn counts_missed(&self) -> bool {
        false
    }

    fn score(&self, view: &TopicView<'_>) -> Result<Score, Undefined> {
        let score = linear::score(view, self, &self.gains);
        if score.value.is_finite() { Ok(score) } else { Err(gains::TOO_LARGE) }
    }

    fn linear(&self, _: &CollectionFacts) -> Option<Form<'_>> {
        Some(Form::new(self, self.gains.clone(), 1.0))
    }

    fn tie_rule<'a>(&'a self, _: &'a Tied<'a>) -> TieRule<'a> {
        let gain = |judgement: Judgement| judgement.grade().map_or(0.0, |grade| self.gains.of(grade));
        TieRule::linear(gain, |rank| self.weight(rank))
    }
}
