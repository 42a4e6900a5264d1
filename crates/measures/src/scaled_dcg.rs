//! SDCG: discounted gain as a share of what a list of perfect documents would have.

use karat_data::{CollectionFacts, Judgement, JudgementKind, TopicView};

use crate::aggregate::Aggregate;
use crate::discount::{Discounts, LOG2_3};
use crate::info::{Example, Legal, MeasureInfo, Parameter, Tightness, WhenEmpty};
use crate::linear::{self, Form, Gain, Weighting};
use crate::measure::Measure;
use crate::scale::{MAX_REL, MIN_REL, Scale};
use crate::score::{Score, Undefined};
use crate::spec::MeasureSpec;
use crate::ties::{TieRule, Tied};
use crate::user_model::CWL_EVAL;

/// The largest cut-off: discounts are summed rank by rank.
const DEEPEST: usize = 1_000_000;

const CUTOFF: Parameter = Parameter {
    name: "cutoff",
    default: "",
    legal: Legal::Rank { most: Some(1_000_000), optional: false },
    meaning: "number of ranks, such as @10",
};

/// The row of the table.
pub static INFO: MeasureInfo = MeasureInfo {
    name: "SDCG",
    aliases: &["sdcg"],
    summary: "Discounted gain of the first k documents, divided by that of k perfect documents.",
    formula: "SDCG@k = sum over ranks i <= k of gain_i / log2(i + 1) / sum over i <= k of 1 / log2(i + 1)",
    reading: "Like nDCG, but the ideal does not depend on the topic: 1 only for k documents of the largest grade.",
    misleads: "A topic with one perfect document cannot reach more than 0.22 at k = 10. gain = (grade - min_rel) / (max_rel - \
               min_rel): fix max_rel to compare collections.",
    citation: CWL_EVAL,
    parameters: &[CUTOFF, MIN_REL, MAX_REL],
    range: (0.0, 1.0),
    needs: JudgementKind::Grades,
    aggregate: Aggregate::Mean,
    bounds: Tightness::Exact,
    when_empty: WhenEmpty::ZERO,
    examples: &[
        Example::new(
            "SDCG@2",
            "1 2 2",
            "",
            (0.5 + 1.0 / LOG2_3) / (1.0 + 1.0 / LOG2_3),
            "gains 1/2 and 1: (0.5 + 1/log2(3)) / (1 + 1/log2(3)) = 0.6934",
        )
        .up_to(2.0),
        Example::new("SDCG(max_rel=4)@1", "2", "", 0.5, "gain 2/4, though the collection's largest grade is 2")
            .up_to(2.0),
    ],
    build: |spec| {
        let cutoff = spec.required_cutoff()?;
        if cutoff > DEEPEST {
            return Err(spec.illegal("cutoff", CUTOFF.legal));
        }
        let discounts = Discounts::get();
        let all = (1..=cutoff).map(|rank| 1.0 / discounts.at(rank)).sum();
        Ok(Box::new(ScaledDcg { cutoff, all, scale: Scale::of_spec(spec)? }))
    },
};

#[derive(Debug, Clone, Copy)]
struct ScaledDcg {
    cutoff: usize,
    /// What perfect documents would have.
    all: f64,
    scale: Scale,
}

impl Weighting for ScaledDcg {
    #[inline]
    fn weight(&self, rank: usize) -> f64 {
        1.0 / Discounts::get().at(rank)
    }

    fn tail(&self, _: usize) -> f64 {
        0.0
    }

    fn last(&self) -> Option<usize> {
        Some(self.cutoff)
    }
}

impl Measure for ScaledDcg {
    fn info(&self) -> &'static MeasureInfo {
        &INFO
    }

    fn spec(&self) -> MeasureSpec {
        self.scale.print(MeasureSpec::new(&INFO)).cutoff(self.cutoff)
    }

    fn counts_missed(&self) -> bool {
        false
    }

    fn score(&self, view: &TopicView<'_>) -> Result<Score, Undefined> {
        let summed = linear::score(view, self, &self.scale.in_collection(&view.collection));
        Ok(Score::within(summed.value / self.all, summed.low / self.all, summed.high / self.all))
    }

    fn linear(&self, collection: &CollectionFacts) -> Option<Form<'_>> {
        Some(Form::new(self, self.scale.in_collection(collection), self.all))
    }

    fn tie_rule<'a>(&'a self, tied: &'a Tied<'a>) -> TieRule<'a> {
        let scale = self.scale.in_collection(&tied.view.collection);
        let gain = move |judgement: Judgement| judgement.grade().map_or(0.0, |grade| scale.of(grade));
        TieRule::linear(gain, |rank| if rank <= self.cutoff { self.weight(rank) / self.all } else { 0.0 })
    }
}
