//! ERR: the expected reciprocal rank at which a user is satisfied.

use karat_data::{Grade, Judgement, JudgementKind, TopicView};

use crate::aggregate::Aggregate;
use crate::info::{BoundsKind, Citation, Example, MeasureInfo, WhenEmpty};
use crate::measure::Measure;
use crate::score::{Score, Undefined};
use crate::spec::{MeasureSpec, OPTIONAL_CUTOFF};
use crate::tally;

/// The row of the table.
pub static INFO: MeasureInfo = MeasureInfo {
    name: "ERR",
    aliases: &["err"],
    summary: "Expected 1/rank at which a user, who stops when satisfied, stops; better grades satisfy more often.",
    formula: "ERR = sum over ranks r of (1/r) * S_r * product over i < r of (1 - S_i), S = (2^grade - 1) / 2^max_grade",
    reading: "A cascade: a perfect document at rank 1 leaves little for the rest to add. With max_grade 1 a relevant \
              document satisfies half of the users.",
    misleads: "Depends on the largest grade of the collection: fix it with --max-grade to compare collections (gdeval \
               uses 4). It cannot reach 1: a list of nothing but the best documents tends to -S ln(S) / (1 - S) with S = 1 - \
               2^-max_grade, which is 0.69 for max_grade 1 and 0.97 for 4.",
    citation: Citation {
        text: "Chapelle, Metzler, Zhang and Grinspan (2009), Expected reciprocal rank for graded relevance, CIKM.",
        bibtex: "@inproceedings{chapelle2009, author={Olivier Chapelle and Donald Metzler and Ya Zhang and Pierre \
                 Grinspan}, title={Expected reciprocal rank for graded relevance}, booktitle={CIKM}, \
                 pages={621--630}, year={2009}}",
    },
    parameters: &[OPTIONAL_CUTOFF],
    range: (0.0, 1.0),
    needs: JudgementKind::Grades,
    aggregate: Aggregate::Mean,
    bounds: BoundsKind::Exact,
    when_empty: WhenEmpty::ZERO,
    examples: &[
        Example::new("ERR", "1 0 1", "", 0.5 + 0.25 / 3.0, "S = 1/2: 1/2 + (1/3) * 1/2 * 1/2"),
        Example::new("ERR@2", "2 1", "", 0.75 + 0.5 * 0.25 * 0.25, "S = 3/4, 1/4: 3/4 + (1/2) * (1/4) * (1/4)")
            .up_to(2.0),
    ],
    build: |spec| Ok(Box::new(ExpectedReciprocalRank { cutoff: spec.optional_cutoff()? })),
};

#[derive(Debug, Clone, Copy)]
struct ExpectedReciprocalRank {
    cutoff: Option<usize>,
}

impl Measure for ExpectedReciprocalRank {
    fn info(&self) -> &'static MeasureInfo {
        &INFO
    }

    fn spec(&self) -> MeasureSpec {
        MeasureSpec::new(&INFO).optional(self.cutoff)
    }

    fn score(&self, view: &TopicView<'_>) -> Result<Score, Undefined> {
        // A higher grade at any rank raises it, so the bounds are those of the least and the greatest grade.
        let greatest = Grade::new(view.collection.max_grade).map_or(Judgement::Unpooled, Judgement::Grade);
        let value = self.err(view, |judgement| judgement);
        let high = self.err(view, |judgement| if judgement.is_judged() { judgement } else { greatest });
        Ok(Score::within(value, value, high))
    }

    fn value(&self, view: &TopicView<'_>) -> Result<f64, Undefined> {
        Ok(self.err(view, |judgement| judgement))
    }
}

impl ExpectedReciprocalRank {
    /// ERR with the judgements taken for others.
    fn err(&self, view: &TopicView<'_>, taken_for: impl Fn(Judgement) -> Judgement) -> f64 {
        let max_grade = view.collection.max_grade;
        // 2^(grade - max) - 2^-max is (2^grade - 1) / 2^max without powers that overflow.
        let nothing = libm::exp2(-max_grade);
        let (mut unsatisfied, mut sum) = (1.0, 0.0);
        for (index, judgement) in tally::first(view, self.cutoff).iter().enumerate() {
            let Some(grade) = taken_for(*judgement).grade().filter(|grade| *grade > 0.0) else { continue };
            let satisfied = libm::exp2(grade.min(max_grade) - max_grade) - nothing;
            sum += unsatisfied * satisfied / (index + 1) as f64;
            unsatisfied *= 1.0 - satisfied;
        }
        sum
    }
}
