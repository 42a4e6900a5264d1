//! AP: precision averaged over the relevant documents.

use karat_data::TopicView;

use crate::aggregate::Aggregate;
use crate::info::{Behaviour, BoundsKind, Citation, Example, MeasureInfo, WhenEmpty};
use crate::measure::Measure;
use crate::score::{Score, Undefined};
use crate::spec::{MeasureSpec, OPTIONAL_CUTOFF, RELEVANCE};

/// The row of the table.
pub static INFO: MeasureInfo = MeasureInfo {
    name: "AP",
    aliases: &["map", "MAP", "map_cut"],
    summary: "Precision at the rank of each relevant document, averaged over all relevant documents.",
    formula: "AP = (1/R) * sum over ranks i of rel_i * P@i;  AP@k stops the sum at rank k and keeps R",
    reading: "1 when all R relevant documents come first; a relevant document that was not retrieved adds 0.",
    misleads: "R counts the relevant documents that are known; unjudged ones change both the sum and R.",
    citation: Citation {
        text: "Harman (1992), Evaluation issues in information retrieval, IP&M 28(4).",
        bibtex: "@article{harman1992, author={Donna Harman}, title={Evaluation issues in information retrieval}, \
                 journal={Information Processing \\& Management}, volume={28}, number={4}, year={1992}}",
    },
    parameters: &[OPTIONAL_CUTOFF, RELEVANCE],
    range: (0.0, 1.0),
    aggregate: Aggregate::Mean,
    bounds: BoundsKind::None,
    when_empty: WhenEmpty {
        nothing_judged: Behaviour::Value(0.0),
        nothing_relevant: Behaviour::Value(0.0),
        nothing_retrieved: Behaviour::Value(0.0),
    },
    examples: &[Example {
        measure: "AP",
        ranking: "0 1 0 0 1 0 0 1 0 1",
        missed: "1 1 1 1 1",
        max_grade: 1.0,
        documents: 0,
        value: (0.5 + 0.4 + 0.375 + 0.4) / 9.0,
        derivation: "hits at ranks 2, 5, 8, 10 of 9 relevant: (1/2 + 2/5 + 3/8 + 4/10)/9 = 0.1861",
    }],
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

    fn score(&self, view: &TopicView<'_>) -> Result<Score, Undefined> {
        let relevant = view.facts.relevant(self.level);
        if relevant == 0 {
            return Ok(Score::without_bounds(0.0));
        }
        let depth = self.cutoff.unwrap_or(usize::MAX).min(view.ranks.len());
        let (mut seen, mut sum) = (0u32, 0.0);
        for (index, judgement) in view.ranks[..depth].iter().enumerate() {
            if judgement.is_relevant(self.level) {
                seen += 1;
                sum += f64::from(seen) / (index + 1) as f64;
            }
        }
        Ok(Score::without_bounds(sum / f64::from(relevant)))
    }
}
