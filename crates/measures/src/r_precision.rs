//! Rprec, RprecMult and PRBEP: precision at a rank that depends on the number of relevant documents.

use karat_data::{JudgementKind, TopicView};

use crate::aggregate::Aggregate;
use crate::bounds;
use crate::citations;
use crate::info::{Citation, Example, Legal, MeasureInfo, Parameter, Tightness, WhenEmpty};
use crate::measure::Measure;
use crate::score::{Score, Undefined};
use crate::spec::{MeasureSpec, RELEVANCE};
use crate::tally;
use crate::ties::{TieRule, Tied};

/// The row of Rprec.
pub static INFO: MeasureInfo = MeasureInfo {
    name: "Rprec",
    aliases: &["r-precision", "R-precision"],
    summary: "Precision at rank R, the number of relevant documents of the topic.",
    formula: "Rprec = (1/R) * sum over ranks i <= R of rel_i",
    reading: "1 when the R relevant documents are the first R; precision and recall are equal at this rank.",
    misleads: "R counts only known relevant documents; more judgements change the rank at which it is measured.",
    citation: citations::BUCKLEY_VOORHEES_2005,
    parameters: &[RELEVANCE],
    range: (0.0, 1.0),
    needs: JudgementKind::Grades,
    aggregate: Aggregate::Mean,
    bounds: Tightness::Exact,
    when_empty: WhenEmpty::ZERO,
    examples: &[
        Example::new("Rprec", "1 0 1 1 0", "1", 0.75, "R = 4: ranks 1, 3 and 4 of the first 4 are relevant: 3/4"),
        Example::new("Rprec", "1", "1 1 1", 0.25, "R = 4, one retrieved: 1/4"),
    ],
    build: |spec| Ok(Box::new(RPrecision { kind: Kind::Rprec, level: spec.level()? })),
};

/// The row of RprecMult.
pub static MULTIPLE: MeasureInfo = MeasureInfo {
    name: "RprecMult",
    aliases: &["Rprec_mult"],
    summary: "Precision at a multiple of R: RprecMult@2 is precision at twice as many ranks as there are relevant documents.",
    formula: "RprecMult@c = P@k with k = trunc(c * R + 0.9), the rank counted as trec_eval counts it; 0 where k = 0",
    reading: "Small c shows the top of the ranking and large c its depth, at comparable points for all topics.",
    misleads: "For c < 1 and small R the rank is coarse (at R = 3, both c = 0.4 and c = 0.6 mean rank 2). For c > 1 \
               the largest possible value is 1/c.",
    citation: citations::TREC_EVAL,
    parameters: &[
        Parameter {
            name: "cutoff",
            default: "",
            legal: Legal::Described("a number above 0"),
            meaning: "the multiple of R: RprecMult@0.2; trec_eval's ten are 0.2, 0.4, ... 2.0",
        },
        RELEVANCE,
    ],
    range: (0.0, 1.0),
    needs: JudgementKind::Grades,
    aggregate: Aggregate::Mean,
    bounds: Tightness::Exact,
    when_empty: WhenEmpty::ZERO,
    examples: &[
        Example::new("RprecMult@0.5", "0 1 1 1 0", "1", 0.5, "R = 4, k = trunc(2 + 0.9) = 2: P@2 = 1/2"),
        Example::new("RprecMult@2", "0 1 1 1 0", "1", 0.375, "R = 4, k = trunc(8 + 0.9) = 8: P@8 = 3/8"),
    ],
    build: |spec| match spec.raw_cutoff() {
        Some(multiple) if multiple > 0.0 && multiple <= 1e9 => {
            Ok(Box::new(RPrecision { kind: Kind::Multiple(multiple), level: spec.level()? }))
        }
        _ => Err(spec.illegal("cutoff", "a multiple of R above 0, as in RprecMult@0.5,")),
    },
};

/// The row of PRBEP.
pub static BREAK_EVEN: MeasureInfo = MeasureInfo {
    name: "PRBEP",
    aliases: &["prbep", "break_even"],
    summary: "The value at which precision and recall are equal.",
    formula: "PRBEP = P@k where P@k = R@k. (count/k = count/R) holds at k = R, and elsewhere only where both are 0",
    reading: "One number for the precision-recall curve: where it crosses the diagonal.",
    misleads: "At rank R precision equals recall by definition, so with R or more documents retrieved this is Rprec. A \
               list shorter than R never crosses the diagonal (precision stays above recall). It is continued with \
               non-relevant documents, as for P@k, which again gives Rprec. Some authors average precision and recall \
               at the nearest point instead, which gives larger values.",
    citation: Citation {
        text: "Lewis (1992), An evaluation of phrasal and clustered representations on a text categorization task, SIGIR.",
        bibtex: "@inproceedings{lewis1992, author={David D. Lewis}, title={An evaluation of phrasal and clustered \
                 representations on a text categorization task}, booktitle={SIGIR}, pages={37--50}, year={1992}}",
    },
    parameters: &[RELEVANCE],
    range: (0.0, 1.0),
    needs: JudgementKind::Grades,
    aggregate: Aggregate::Mean,
    bounds: Tightness::Exact,
    when_empty: WhenEmpty::ZERO,
    examples: &[
        Example::new("PRBEP", "1 0 1 1 0", "1", 0.75, "R = 4: P@4 = 3/4 and R@4 = 3/4"),
        Example::new(
            "PRBEP",
            "1",
            "1",
            0.5,
            "the list ends at rank 1 with P = 1 and R = 1/2; continued to rank 2: 1/2",
        ),
    ],
    build: |spec| Ok(Box::new(RPrecision { kind: Kind::BreakEven, level: spec.level()? })),
};

#[derive(Debug, Clone, Copy)]
enum Kind {
    Rprec,
    Multiple(f64),
    BreakEven,
}

#[derive(Debug, Clone, Copy)]
struct RPrecision {
    kind: Kind,
    level: f64,
}

impl Measure for RPrecision {
    fn info(&self) -> &'static MeasureInfo {
        match self.kind {
            Kind::Rprec => &INFO,
            Kind::Multiple(_) => &MULTIPLE,
            Kind::BreakEven => &BREAK_EVEN,
        }
    }

    fn spec(&self) -> MeasureSpec {
        let spec = MeasureSpec::new(self.info()).with_level(self.level);
        match self.kind {
            Kind::Multiple(multiple) => spec.real_cutoff(multiple),
            Kind::Rprec | Kind::BreakEven => spec,
        }
    }

    fn score(&self, view: &TopicView<'_>) -> Result<Score, Undefined> {
        let value = self.value(view)?;
        let (low, high) = bounds::counts::window(view, self.level, |relevant| self.rank(relevant));
        Ok(Score::within(value, low, high))
    }

    fn value(&self, view: &TopicView<'_>) -> Result<f64, Undefined> {
        let rank = self.rank(view.facts.relevant(self.level) as usize);
        let found = tally::relevant(tally::first(view, Some(rank)), self.level);
        Ok(if rank == 0 { 0.0 } else { found as f64 / rank as f64 })
    }

    fn tie_rule<'a>(&'a self, tied: &'a Tied<'a>) -> TieRule<'a> {
        match self.rank(tied.view.facts.relevant(self.level) as usize) {
            0 => TieRule::Constant,
            rank => TieRule::count(|judgement| judgement.is_relevant(self.level), Some(rank), 1.0 / rank as f64),
        }
    }
}

impl RPrecision {
    /// The rank precision is taken at, with so many relevant documents.
    fn rank(&self, relevant: usize) -> usize {
        match self.kind {
            Kind::Multiple(multiple) => (multiple * relevant as f64 + 0.9) as usize,
            Kind::Rprec | Kind::BreakEven => relevant,
        }
    }
}
