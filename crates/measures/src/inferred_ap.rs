//! infAP: AP estimated from a pool of which only a random sample was judged.

use karat_data::{Judgement, JudgementKind, TopicView};

use crate::aggregate::Aggregate;
use crate::average_precision;
use crate::info::{BoundsKind, Citation, Example, MeasureInfo, WhenEmpty};
use crate::measure::Measure;
use crate::score::{Score, Undefined};
use crate::spec::{MeasureSpec, RELEVANCE};

/// Keeps the share of relevant documents among none judged at one half; trec_eval's value.
const EPSILON: f64 = 0.00001;

/// The row of the table.
pub static INFO: MeasureInfo = MeasureInfo {
    name: "infAP",
    aliases: &["inferred_ap"],
    summary: "AP estimated from a random sample of the pool's judgements.",
    formula: "infAP = (1/R) * sum over judged relevant documents, at rank k, of 1/k + ((k-1)/k) * (d/(k-1)) * (rel + e) / \
              (rel + nonrel + 2e), counts above k, d = pool members above k (judged or not), e = 0.00001",
    reading: "Read as AP. With the whole pool judged it is AP, up to e.",
    misleads: "Assumes that the judged documents are a uniform random sample of the pool; unjudged pool members must be \
               in the judgement file with a negative grade. Documents outside the pool count as non-relevant. It has \
               sampling error of its own.",
    citation: Citation {
        text: "Yilmaz and Aslam (2006), Estimating average precision with incomplete and imperfect judgments, CIKM.",
        bibtex: "@inproceedings{yilmaz2006, author={Emine Yilmaz and Javed A. Aslam}, title={Estimating average \
                 precision with incomplete and imperfect judgments}, booktitle={CIKM}, pages={102--111}, year={2006}}",
    },
    parameters: &[RELEVANCE],
    range: (0.0, 1.0),
    needs: JudgementKind::Grades,
    aggregate: Aggregate::Mean,
    bounds: BoundsKind::Estimator,
    when_empty: WhenEmpty::ZERO,
    examples: &[Example::new(
        "infAP",
        "1 ? - 0 1",
        "?",
        (1.0 + 0.2 + 0.6 * (1.0 + EPSILON) / (2.0 + 2.0 * EPSILON)) / 2.0,
        "rank 1: 1; rank 5: 1/5 + (4/5)(3/4)(1 + e)/(2 + 2e), for above it are 3 pool members, 1 judged relevant, 1 not",
    )],
    build: |spec| Ok(Box::new(InferredAp { level: spec.level()? })),
};

#[derive(Debug, Clone, Copy)]
struct InferredAp {
    level: f64,
}

impl Measure for InferredAp {
    fn info(&self) -> &'static MeasureInfo {
        &INFO
    }

    fn spec(&self) -> MeasureSpec {
        MeasureSpec::new(&INFO).with_level(self.level)
    }

    fn score(&self, view: &TopicView<'_>) -> Result<Score, Undefined> {
        let relevant = view.facts.relevant(self.level);
        if relevant == 0 {
            return Ok(completed(view, self.level, 0.0));
        }
        let (mut rel, mut nonrel, mut unjudged, mut sum) = (0.0, 0.0, 0.0, 0.0);
        for (above, judgement) in view.ranks.iter().enumerate() {
            match judgement {
                Judgement::Unpooled => {}
                Judgement::PooledUnjudged => unjudged += 1.0,
                Judgement::Grade(grade) if grade.value() < self.level => nonrel += 1.0,
                Judgement::Grade(_) => {
                    sum += expected_precision(above as f64, rel, nonrel, unjudged);
                    rel += 1.0;
                }
            }
        }
        Ok(completed(view, self.level, sum / f64::from(relevant)))
    }
}

/// The least and greatest it could be were all documents judged: those of AP, up to the smoothing, which moves each
/// expected precision by less than epsilon.
fn completed(view: &TopicView<'_>, level: f64, value: f64) -> Score {
    let full = average_precision::score(view, None, level);
    Score::within(value, (full.low - EPSILON).max(0.0), (full.high + EPSILON).min(1.0))
}

/// E[P@k] of the paper for a relevant document with so many documents above it.
fn expected_precision(above: f64, rel: f64, nonrel: f64, unjudged: f64) -> f64 {
    if above == 0.0 {
        return 1.0;
    }
    let rank = above + 1.0;
    1.0 / rank
        + (above / rank) * ((rel + nonrel + unjudged) / above) * ((rel + EPSILON) / (rel + nonrel + 2.0 * EPSILON))
}
