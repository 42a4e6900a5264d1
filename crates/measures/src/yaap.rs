//! Yaap: average precision on the log-odds scale, "yet another average precision".

use karat_data::{JudgementKind, TopicView};

use crate::aggregate::Aggregate;
use crate::average_precision::precision_sum;
use crate::bounds;
use crate::info::{Behaviour, Citation, Example, MeasureInfo, Tightness, WhenEmpty};
use crate::measure::Measure;
use crate::score::{Score, Undefined};
use crate::spec::{MeasureSpec, RELEVANCE};
use crate::ties::{self, TieRule, Tied};

/// The row of the table.
pub static INFO: MeasureInfo = MeasureInfo {
    name: "Yaap",
    aliases: &["yaap"],
    summary: "Average precision as smoothed log-odds, so that topics of all difficulties can be averaged.",
    formula: "Yaap = ln((1 + S) / (1 + R - S)), S = sum over relevant documents of P at their rank = R * AP",
    reading: "0 when AP is one half. Differences near 0 and near 1 are stretched. Within a topic it orders runs as AP \
              does.",
    misleads: "Its range grows with R, and it is negative for most topics. Nothing retrieved gives -ln(1 + R), not 0.",
    citation: Citation {
        text: "Robertson (2012), On smoothing average precision, ECIR, LNCS 7224.",
        bibtex: "@inproceedings{robertson2012, author={Stephen Robertson}, title={On smoothing average precision}, \
                 booktitle={ECIR}, series={LNCS}, volume={7224}, pages={158--169}, year={2012}}",
    },
    parameters: &[RELEVANCE],
    range: (f64::NEG_INFINITY, f64::INFINITY),
    needs: JudgementKind::Grades,
    aggregate: Aggregate::Mean,
    bounds: Tightness::Exact,
    when_empty: WhenEmpty {
        nothing_judged: Behaviour::Value(0.0),
        nothing_relevant: Behaviour::Value(0.0),
        nothing_retrieved: Behaviour::Depends("-ln(1 + R)"),
    },
    examples: &[
        Example::new("Yaap", "1 0", "1", 0.0, "S = 1, R = 2: ln(2/2)"),
        Example::new("Yaap", "1 1 0", "", 1.098_612_288_668_109_8, "S = 2, R = 2: ln(3/1)"),
    ],
    build: |spec| Ok(Box::new(Yaap { level: spec.level()? })),
};

#[derive(Debug, Clone, Copy)]
struct Yaap {
    level: f64,
}

impl Measure for Yaap {
    fn info(&self) -> &'static MeasureInfo {
        &INFO
    }

    fn spec(&self) -> MeasureSpec {
        MeasureSpec::new(&INFO).with_level(self.level)
    }

    fn score(&self, view: &TopicView<'_>) -> Result<Score, Undefined> {
        let relevant = f64::from(view.facts.relevant(self.level));
        let sum = precision_sum(view.ranks, self.level);
        let yaap = |sum: f64, relevant: f64| libm::log((1.0 + sum) / (1.0 + relevant - sum));
        Ok(bounds::average_precision::score(view, None, self.level, yaap(sum, relevant), yaap))
    }

    fn tie_rule<'a>(&'a self, tied: &'a Tied<'a>) -> TieRule<'a> {
        let relevance = ties::relevance(self.level);
        let how =
            "by scoring every distinct order, where they are few enough: it is not linear in anything that has a mean";
        TieRule::ordered(relevance, how, move || ties::enumerated(self, tied, relevance))
    }
}
