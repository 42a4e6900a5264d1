//! Counts of topics and documents, summed over topics: NumQ, NumRet, NumRel, NumRelRet, NumNonRelJudgedRet.
//!
//! Five rows in one file: each is a sentence of code.

use karat_data::{JudgementKind, TopicView};

use crate::aggregate::Aggregate;
use crate::bounds::Open;
use crate::citations;
use crate::info::{Behaviour, Example, Legal, MeasureInfo, Parameter, Tightness, WhenEmpty};
use crate::measure::Measure;
use crate::score::{Score, Undefined};
use crate::spec::{MeasureSpec, OPTIONAL_CUTOFF, RELEVANCE};
use crate::tally;
use crate::ties::{TieRule, Tied};

/// The row of NumQ.
pub static TOPICS: MeasureInfo = MeasureInfo {
    name: "NumQ",
    aliases: &["num_q"],
    summary: "The number of topics evaluated.",
    formula: "NumQ = sum over topics of 1",
    reading: "The number of topics in every mean.",
    misleads: "--missing-topics decides whether topics that are missing in a run count.",
    citation: citations::BUCKLEY_VOORHEES_2005,
    parameters: &[],
    range: (1.0, 1.0),
    needs: JudgementKind::Grades,
    aggregate: Aggregate::Sum,
    bounds: Tightness::Exact,
    when_empty: WhenEmpty {
        nothing_judged: Behaviour::Value(1.0),
        nothing_relevant: Behaviour::Value(1.0),
        nothing_retrieved: Behaviour::Value(1.0),
    },
    examples: &[Example::new("NumQ", "1 0", "", 1.0, "one topic")],
    build: |_| Ok(Box::new(Count { kind: Kind::Topics, level: 1.0, cutoff: None })),
};

/// The row of NumRet.
pub static RETRIEVED: MeasureInfo = MeasureInfo {
    name: "NumRet",
    aliases: &["num_ret"],
    summary: "The number of documents retrieved.",
    formula: "NumRet = sum over topics of the length of the list",
    reading: "Shows runs that return fewer documents than others.",
    misleads: "NumRet(rel=1), as ir_measures writes it, counts only relevant documents: that is NumRelRet.",
    citation: citations::BUCKLEY_VOORHEES_2005,
    parameters: &[Parameter {
        name: "rel",
        default: "",
        legal: Legal::Described("a number above 0"),
        meaning: "count only documents of this grade or above (NumRelRet)",
    }],
    range: (0.0, f64::INFINITY),
    needs: JudgementKind::Grades,
    aggregate: Aggregate::Sum,
    bounds: Tightness::Exact,
    when_empty: WhenEmpty {
        nothing_judged: Behaviour::Depends("the length of the list"),
        nothing_relevant: Behaviour::Depends("the length of the list"),
        nothing_retrieved: Behaviour::Value(0.0),
    },
    examples: &[Example::new("NumRet", "1 0 -", "1", 3.0, "three ranks")],
    build: |spec| match spec.number("rel")? {
        None => Ok(Box::new(Count { kind: Kind::Retrieved, level: 1.0, cutoff: None })),
        Some(_) => Ok(Box::new(Count { kind: Kind::RelevantRetrieved, level: spec.level()?, cutoff: None })),
    },
};

/// The row of NumRel.
pub static RELEVANT: MeasureInfo = MeasureInfo {
    name: "NumRel",
    aliases: &["num_rel"],
    summary: "The number of documents judged relevant.",
    formula: "NumRel = sum over topics of R",
    reading: "The number of documents to find; the same for every run.",
    misleads: "Counts known relevant documents only. Unjudged documents may be relevant too.",
    citation: citations::BUCKLEY_VOORHEES_2005,
    parameters: &[RELEVANCE],
    range: (0.0, f64::INFINITY),
    needs: JudgementKind::Grades,
    aggregate: Aggregate::Sum,
    bounds: Tightness::Exact,
    when_empty: WhenEmpty {
        nothing_judged: Behaviour::Value(0.0),
        nothing_relevant: Behaviour::Value(0.0),
        nothing_retrieved: Behaviour::Depends("R"),
    },
    examples: &[Example::new("NumRel", "1 0 -", "1 1", 3.0, "one retrieved, two missed")],
    build: |spec| Ok(Box::new(Count { kind: Kind::Relevant, level: spec.level()?, cutoff: None })),
};

/// The row of NumRelRet.
pub static RELEVANT_RETRIEVED: MeasureInfo = MeasureInfo {
    name: "NumRelRet",
    aliases: &["num_rel_ret", "hits"],
    summary: "The number of relevant documents retrieved.",
    formula: "NumRelRet = sum over topics of the relevant documents in the list, or in its first k ranks",
    reading: "NumRelRet / NumRel is the share found; topics with many relevant documents have more weight.",
    misleads: "A sum: topics with many relevant documents dominate it.",
    citation: citations::BUCKLEY_VOORHEES_2005,
    parameters: &[OPTIONAL_CUTOFF, RELEVANCE],
    range: (0.0, f64::INFINITY),
    needs: JudgementKind::Grades,
    aggregate: Aggregate::Sum,
    bounds: Tightness::Exact,
    when_empty: WhenEmpty::ZERO,
    examples: &[
        Example::new("NumRelRet", "1 0 - 1", "1", 2.0, "ranks 1 and 4; the unjudged rank 3 could make it 3"),
        Example::new("NumRelRet@2", "1 0 - 1", "1", 1.0, "rank 1"),
    ],
    build: |spec| {
        let cutoff = spec.optional_cutoff()?;
        Ok(Box::new(Count { kind: Kind::RelevantRetrieved, level: spec.level()?, cutoff }))
    },
};

/// The row of NumNonRelJudgedRet.
pub static NONRELEVANT_RETRIEVED: MeasureInfo = MeasureInfo {
    name: "NumNonRelJudgedRet",
    aliases: &["num_nonrel_judged_ret"],
    summary: "The number of retrieved documents that were judged and not relevant.",
    formula: "NumNonRelJudgedRet = sum over topics of the documents in the list judged below the relevance level",
    reading: "Together with NumRelRet it gives the number of judged documents retrieved.",
    misleads: "A small count may mean few non-relevant documents or few judgements.",
    citation: citations::TREC_EVAL,
    parameters: &[RELEVANCE],
    range: (0.0, f64::INFINITY),
    needs: JudgementKind::Grades,
    aggregate: Aggregate::Sum,
    bounds: Tightness::Sound,
    when_empty: WhenEmpty {
        nothing_judged: Behaviour::Value(0.0),
        nothing_relevant: Behaviour::Depends("all judged documents retrieved"),
        nothing_retrieved: Behaviour::Value(0.0),
    },
    examples: &[Example::new("NumNonRelJudgedRet", "1 0 - ?", "0", 1.0, "rank 2")],
    build: |spec| Ok(Box::new(Count { kind: Kind::NonrelevantRetrieved, level: spec.level()?, cutoff: None })),
};

#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    Topics,
    Retrieved,
    Relevant,
    RelevantRetrieved,
    NonrelevantRetrieved,
}

#[derive(Debug, Clone, Copy)]
struct Count {
    kind: Kind,
    level: f64,
    cutoff: Option<usize>,
}

impl Measure for Count {
    fn info(&self) -> &'static MeasureInfo {
        match self.kind {
            Kind::Topics => &TOPICS,
            Kind::Retrieved => &RETRIEVED,
            Kind::Relevant => &RELEVANT,
            Kind::RelevantRetrieved => &RELEVANT_RETRIEVED,
            Kind::NonrelevantRetrieved => &NONRELEVANT_RETRIEVED,
        }
    }

    fn spec(&self) -> MeasureSpec {
        MeasureSpec::new(self.info()).with_level(self.level).optional(self.cutoff)
    }

    fn counts_missed(&self) -> bool {
        self.kind == Kind::Relevant
    }

    fn score(&self, view: &TopicView<'_>) -> Result<Score, Undefined> {
        Ok(match self.kind {
            Kind::Topics => Score::exact(1.0),
            Kind::Retrieved => Score::exact(view.ranks.len() as f64),
            Kind::Relevant => {
                let (known, open) = (f64::from(view.facts.relevant(self.level)), Open::of(view, self.level));
                Score::within(known, known, known + (open.retrieved + open.missed) as f64)
            }
            Kind::RelevantRetrieved => {
                let ranks = tally::first(view, self.cutoff);
                let found = tally::relevant(ranks, self.level) as f64;
                Score::within(found, found, tally::possibly_relevant(view, ranks, self.level) as f64)
            }
            Kind::NonrelevantRetrieved => {
                let judged = view.ranks.len() - tally::unjudged(view.ranks);
                let count = (judged - tally::relevant(view.ranks, self.level)) as f64;
                Score::within(count, count, count + tally::unjudged(view.ranks) as f64)
            }
        })
    }

    fn tie_rule<'a>(&'a self, _: &'a Tied<'a>) -> TieRule<'a> {
        match self.kind {
            Kind::Topics | Kind::Retrieved | Kind::Relevant => TieRule::Constant,
            Kind::RelevantRetrieved => TieRule::count(|judgement| judgement.is_relevant(self.level), self.cutoff, 1.0),
            Kind::NonrelevantRetrieved => {
                TieRule::count(|judgement| judgement.is_judged_nonrelevant(self.level), None, 1.0)
            }
        }
    }
}
