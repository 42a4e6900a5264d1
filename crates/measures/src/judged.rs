//! Judged and Unjudged: how much of the top of a ranking the judgements cover.
//!
//! The value describes the judgements as they are; the bounds say where further judging can take it: only up for Judged,
//! only down for Unjudged.

use karat_data::{Judgement, JudgementKind, TopicView};

use crate::aggregate::Aggregate;
use crate::citations;
use crate::info::{Behaviour, Example, MeasureInfo, Tightness, WhenEmpty};
use crate::measure::Measure;
use crate::score::{Score, Undefined};
use crate::spec::{CUTOFF, MeasureSpec, OPTIONAL_CUTOFF};
use crate::tally;
use crate::ties::{TieRule, Tied};

const NOTHING: &str = "nothing was retrieved";

/// The row of Judged.
pub static INFO: MeasureInfo = MeasureInfo {
    name: "Judged",
    aliases: &["judged"],
    summary: "Share of the first k documents that were judged.",
    formula: "Judged@k = (judged among the first k) / min(k, retrieved)",
    reading: "1: scores at this depth use judged documents only. 0.5: half of the documents are unjudged, so scores \
              depend on assumptions.",
    misleads: "A low value means that scores are uncertain, not that the run is bad.",
    citation: citations::IR_MEASURES,
    parameters: &[OPTIONAL_CUTOFF],
    range: (0.0, 1.0),
    needs: JudgementKind::Grades,
    aggregate: Aggregate::Mean,
    bounds: Tightness::Sound,
    when_empty: WhenEmpty {
        nothing_judged: Behaviour::Value(0.0),
        nothing_relevant: Behaviour::Value(1.0),
        nothing_retrieved: Behaviour::Undefined(NOTHING),
    },
    examples: &[
        Example::new("Judged@3", "1 - 0 ?", "", 2.0 / 3.0, "ranks 1 and 3 of the first 3"),
        Example::new("Judged@10", "1 - 0 ?", "", 0.5, "2 of the 4 retrieved; the list is shorter than 10"),
    ],
    build: |spec| Ok(Box::new(Judged { cutoff: spec.optional_cutoff()? })),
};

/// The row of Unjudged.
pub static UNJUDGED: MeasureInfo = MeasureInfo {
    name: "Unjudged",
    aliases: &["unj", "unjudged"],
    summary: "Share of the first k ranks that hold an unjudged document.",
    formula: "Unjudged@k = (unjudged among the first k) / k",
    reading: "High values at small k are a warning: the judgements do not cover this run.",
    misleads: "Divides by k, so the missing ranks of a short list count as judged; 1 - Judged@k divides by the number \
               of documents retrieved.",
    citation: citations::TREC_EVAL,
    parameters: &[CUTOFF],
    range: (0.0, 1.0),
    needs: JudgementKind::Grades,
    aggregate: Aggregate::Mean,
    bounds: Tightness::Sound,
    when_empty: WhenEmpty {
        nothing_judged: Behaviour::Depends("all that was retrieved is unjudged: min(k, retrieved) / k"),
        nothing_relevant: Behaviour::Value(0.0),
        nothing_retrieved: Behaviour::Value(0.0),
    },
    examples: &[Example::new("Unjudged@5", "1 - 0 ?", "", 0.4, "ranks 2 and 4: 2/5")],
    build: |spec| Ok(Box::new(Unjudged { cutoff: spec.required_cutoff()? })),
};

#[derive(Debug, Clone, Copy)]
struct Judged {
    cutoff: Option<usize>,
}

impl Measure for Judged {
    fn info(&self) -> &'static MeasureInfo {
        &INFO
    }

    fn spec(&self) -> MeasureSpec {
        MeasureSpec::new(&INFO).optional(self.cutoff)
    }

    fn is_about_judging(&self) -> bool {
        true
    }

    fn counts_missed(&self) -> bool {
        false
    }

    fn score(&self, view: &TopicView<'_>) -> Result<Score, Undefined> {
        let ranks = tally::first(view, self.cutoff);
        if ranks.is_empty() {
            return Err(Undefined { reason: NOTHING });
        }
        let judged = ranks.len() - tally::unjudged(ranks);
        // Judging can only raise it, to 1 at most.
        let share = judged as f64 / ranks.len() as f64;
        Ok(Score::within(share, share, 1.0))
    }

    fn tie_rule<'a>(&'a self, tied: &'a Tied<'a>) -> TieRule<'a> {
        let looked_at = tally::first(&tied.view, self.cutoff).len();
        TieRule::count(Judgement::is_judged, self.cutoff, 1.0 / looked_at.max(1) as f64)
    }
}

#[derive(Debug, Clone, Copy)]
struct Unjudged {
    cutoff: usize,
}

impl Measure for Unjudged {
    fn info(&self) -> &'static MeasureInfo {
        &UNJUDGED
    }

    fn spec(&self) -> MeasureSpec {
        MeasureSpec::new(&UNJUDGED).cutoff(self.cutoff)
    }

    fn is_about_judging(&self) -> bool {
        true
    }

    fn counts_missed(&self) -> bool {
        false
    }

    fn score(&self, view: &TopicView<'_>) -> Result<Score, Undefined> {
        let unjudged = tally::unjudged(tally::first(view, Some(self.cutoff)));
        let share = unjudged as f64 / self.cutoff as f64;
        Ok(Score::within(share, 0.0, share))
    }

    fn tie_rule<'a>(&'a self, _: &'a Tied<'a>) -> TieRule<'a> {
        TieRule::count(|judgement| !judgement.is_judged(), Some(self.cutoff), 1.0 / self.cutoff as f64)
    }
}
