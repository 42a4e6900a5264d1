//! GMAP and GBpref: AP and bpref summed up over topics by the geometric mean, which the worst topics dominate.

use karat_data::{JudgementKind, TopicView};

use crate::aggregate::Aggregate;
use crate::info::{Example, MeasureInfo, Tightness, WhenEmpty};
use crate::measure::Measure;
use crate::score::{Score, Undefined};
use crate::spec::{MeasureSpec, RELEVANCE};
use crate::ties::{TieRule, Tied};
use crate::{average_precision, bpref, citations};

/// What a zero counts as: the geometric mean of anything with a zero would be zero.
const SUMMARY: Aggregate = Aggregate::GeometricMean { floor: 1e-5 };

/// The row of GMAP.
pub static AVERAGE_PRECISION: MeasureInfo = MeasureInfo {
    name: "GMAP",
    aliases: &["gm_map"],
    summary: "AP per topic, with the geometric instead of the arithmetic mean over topics.",
    formula: "GMAP = exp((1/n) * sum over topics of ln(max(AP, 0.00001)))",
    reading: "Doubling AP counts the same on a hard topic (0.01 to 0.02) as on an easy one (0.3 to 0.6).",
    misleads: "The floor has a large influence: a topic with AP 0 counts as 0.00001, so a few failed topics dominate \
               the mean. Per topic it is plain AP.",
    citation: citations::ROBERTSON_2006,
    parameters: &[RELEVANCE],
    range: (0.0, 1.0),
    needs: JudgementKind::Grades,
    aggregate: SUMMARY,
    bounds: Tightness::Exact,
    when_empty: WhenEmpty::ZERO,
    examples: &[Example::new("GMAP", "1 0 1", "", 5.0 / 6.0, "one topic's value is its AP: (1 + 2/3)/2")],
    build: |spec| Ok(Box::new(Geometric { of: Of::AveragePrecision, level: spec.level()? })),
};

/// The row of GBpref.
pub static BPREF: MeasureInfo = MeasureInfo {
    name: "GBpref",
    aliases: &["gm_bpref"],
    summary: "Bpref per topic, with the geometric instead of the arithmetic mean over topics.",
    formula: "GBpref = exp((1/n) * sum over topics of ln(max(Bpref, 0.00001)))",
    reading: "As GMAP is to AP: improving a hard topic counts as much as improving an easy one by the same factor.",
    misleads: "The floor of 0.00001 has a large influence, as for GMAP, and Bpref is 0 more often than AP. Per topic \
               it is plain Bpref.",
    citation: citations::ROBERTSON_2006,
    parameters: &[RELEVANCE],
    range: (0.0, 1.0),
    needs: JudgementKind::Grades,
    aggregate: SUMMARY,
    bounds: Tightness::Estimator,
    when_empty: WhenEmpty::ZERO,
    examples: &[Example::new("GBpref", "1 0 1", "0", 0.75, "one topic's value is its bpref: (1 + (1 - 1/2))/2")],
    build: |spec| Ok(Box::new(Geometric { of: Of::Bpref, level: spec.level()? })),
};

#[derive(Debug, Clone, Copy)]
enum Of {
    AveragePrecision,
    Bpref,
}

#[derive(Debug, Clone, Copy)]
struct Geometric {
    of: Of,
    level: f64,
}

impl Measure for Geometric {
    fn info(&self) -> &'static MeasureInfo {
        match self.of {
            Of::AveragePrecision => &AVERAGE_PRECISION,
            Of::Bpref => &BPREF,
        }
    }

    fn spec(&self) -> MeasureSpec {
        MeasureSpec::new(self.info()).with_level(self.level)
    }

    fn score(&self, view: &TopicView<'_>) -> Result<Score, Undefined> {
        Ok(match self.of {
            Of::AveragePrecision => average_precision::score(view, None, self.level),
            Of::Bpref => bpref::score(view, self.level),
        })
    }

    fn value(&self, view: &TopicView<'_>) -> Result<f64, Undefined> {
        Ok(match self.of {
            Of::AveragePrecision => average_precision::value(view, None, self.level),
            Of::Bpref => bpref::value(view, self.level),
        })
    }

    fn tie_rule<'a>(&'a self, tied: &'a Tied<'a>) -> TieRule<'a> {
        match self.of {
            Of::AveragePrecision => average_precision::rule(tied, None, self.level),
            Of::Bpref => bpref::rule(tied, self.level, false),
        }
    }
}
