//! Which run is better, or why that cannot be said: what a verdict rests on and what it says. The rule is in `decide`.

use karat_stats::interval::NoInterval;
use karat_stats::test::NoTest;

use super::tipping::Tipping;
use crate::settle::estimate::NoSample;

/// The lower and the upper end of an interval, or of bounds.
pub type Range = (f64, f64);

/// The name of no winner in machine-readable output.
pub const UNDECIDED: &str = "undecided";

/// One of the two runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The first run.
    A,
    /// The second run.
    B,
}

impl Side {
    /// The other run.
    pub fn other(self) -> Side {
        match self {
            Side::A => Side::B,
            Side::B => Side::A,
        }
    }

    /// The difference `a − b` as the lead of this run.
    pub(super) fn lead(self, difference: f64) -> f64 {
        // Subtracted from 0, so that nothing is -0.
        if self == Side::A { difference } else { 0.0 - difference }
    }

    /// An interval of `a − b` as one of this run's lead.
    pub(super) fn leads(self, (low, high): Range) -> Range {
        if self == Side::A { (low, high) } else { (0.0 - high, 0.0 - low) }
    }
}

/// What keeps a verdict from being given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Block {
    /// Too few topics for a difference of this size.
    Queries,
    /// Unjudged documents: relevant as often as judged ones, they could reverse it; or a model stands in their place.
    Unjudged,
    /// How well the judges' error rates are known.
    Judges,
    /// With `strict`: no verdict that rests on an assumption.
    Bounds,
}

impl Block {
    /// The name in machine-readable output.
    pub fn name(self) -> &'static str {
        match self {
            Block::Queries => "queries",
            Block::Unjudged => "unjudged",
            Block::Judges => "judges",
            Block::Bounds => "bounds",
        }
    }
}

/// Why there is no adjusted p to decide by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum NoP {
    /// The randomisation test was not among the tests.
    NotRun,
    /// The test has no result.
    NoTest(NoTest),
}

/// How unjudged documents are treated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unjudged {
    /// As not relevant, and the verdict must hold up to the rates of relevance that are seen.
    Tested,
    /// As not relevant, because the user says so.
    NotRelevant,
    /// As not relevant, because these judgements name relevant documents only.
    Sparse,
    /// By a relevance model, or left out of the lists: differences are described, not decided.
    Modelled,
}

/// What a verdict rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Basis {
    /// It holds however the unjudged documents are judged.
    Certain,
    /// A probability sample of the unjudged documents was judged.
    Sampled,
    /// Unjudged documents are treated as not relevant.
    Assumed(Assumption),
}

/// What an assumed verdict assumes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Assumption {
    /// Unjudged documents are not relevant, or seldom enough.
    UnjudgedNotRelevant,
    /// The judgements name relevant documents only; by convention all others are not relevant.
    SparseJudgements,
}

impl Basis {
    /// The name in machine-readable output.
    pub fn name(self) -> &'static str {
        match self {
            Basis::Certain => "certain",
            Basis::Sampled => "sampled",
            Basis::Assumed(_) => "assumed",
        }
    }
}

impl Assumption {
    /// The name in machine-readable output.
    pub fn name(self) -> &'static str {
        match self {
            Assumption::UnjudgedNotRelevant => "unjudged_not_relevant",
            Assumption::SparseJudgements => "sparse_judgements",
        }
    }
}

/// The evidence that a verdict is decided by. Differences are `a − b`.
#[derive(Debug, Clone, PartialEq)]
pub struct Evidence {
    /// Topics that both runs have a score for.
    pub topics: usize,
    /// Mean difference.
    pub observed: f64,
    /// Least and greatest mean difference over all judgements of the unjudged documents.
    pub bounds: Option<Range>,
    /// Interval over topics alone.
    pub over_topics: Result<Range, NoInterval>,
    /// Interval with every source of error there is.
    pub interval: Result<Range, NoInterval>,
    /// The adjusted p of the randomisation test.
    pub p: Result<f64, NoP>,
    /// Confidence level.
    pub level: f64,
    /// Topics needed for the observed difference.
    pub topics_needed: Option<u64>,
    /// How unjudged documents are treated.
    pub unjudged: Unjudged,
    /// Whether scores are corrected by error rates of the judges, which are estimates.
    pub calibrated: bool,
    /// Whether the judges' error rates are known, but not their effect on this measure.
    pub uncorrected: bool,
    /// Whether no result on these topics could have been significant.
    pub unresolvable: bool,
    /// The run that interval and test decide for when every topic has its worst-case difference; `None` where bounds are not complete.
    pub worst_case: Option<Side>,
    /// When the conclusion fails; known where topics decide and the worst case does not.
    pub tipping: Option<Tipping>,
    /// Whether a verdict must not rest on an assumption.
    pub strict: bool,
}

/// The decision.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// Which run is better, and what that rests on; `None`: undecided.
    pub winner: Option<(Side, Basis)>,
    /// What blocks a decision.
    pub blocked: Vec<Block>,
    /// The run whose lead the reason speaks of: the winner, else the run with the higher mean.
    pub leader: Side,
    /// Confidence level.
    pub level: f64,
    /// Why.
    pub reason: Reason,
}

/// Why a verdict is what it is. Numbers are leads of the verdict's `leader`.
#[derive(Debug, Clone, PartialEq)]
pub enum Reason {
    /// There is no test.
    NoTest(NoP),
    /// There is no interval.
    NoInterval(NoInterval),
    /// A relevance model, or lists without unjudged documents, describe differences.
    Described {
        /// The lead.
        lead: f64,
        /// Its interval.
        interval: Range,
    },
    /// Significant over topics, with judges.
    Better {
        /// The lead.
        lead: f64,
        /// Its interval.
        interval: Range,
        /// The adjusted p.
        p: f64,
        /// Its bounds.
        bounds: Option<Range>,
    },
    /// Not significant over topics.
    NotSignificant {
        /// The lead.
        lead: f64,
        /// Topics.
        topics: usize,
        /// Its interval.
        interval: Range,
        /// The adjusted p.
        p: f64,
        /// Whether the interval, which is of this pair alone, excludes 0: it is the correction for several pairs that is not passed.
        corrected: bool,
        /// Topics needed, where more of them would help.
        topics_needed: Option<u64>,
    },
    /// No result on these topics could have been significant.
    Unresolvable {
        /// Topics.
        topics: usize,
        /// What the adjusted p must be below.
        alpha: f64,
    },
    /// Significant over topics, but not if unjudged documents are as relevant as judged ones may be.
    Unjudged {
        /// The lead.
        lead: f64,
        /// Its interval.
        interval: Range,
        /// The adjusted p.
        p: f64,
    },
    /// Significant over topics, but the effect of the judges' errors on this measure is not known.
    Uncorrected {
        /// The lead.
        lead: f64,
        /// The adjusted p.
        p: f64,
    },
    /// Significant over topics and the judged sample.
    Settled {
        /// The lead.
        lead: f64,
        /// Its interval.
        interval: Range,
        /// The adjusted p.
        p: f64,
        /// Documents of the sample that were judged.
        judged: usize,
    },
    /// Not significant with the judged sample.
    NotSettled {
        /// The lead.
        lead: f64,
        /// Its interval.
        interval: Range,
        /// The adjusted p.
        p: f64,
        /// Documents of the sample that were judged.
        judged: usize,
        /// Documents of the sample that were not.
        open: usize,
        /// Whether topics contribute more to the variance than the sample.
        by_topics: bool,
    },
    /// The sample gives no interval.
    NoSample(NoSample),
    /// Significant over topics, but not with the error of the judges' calibration.
    Judges {
        /// The lead.
        lead: f64,
        /// The adjusted p.
        p: f64,
        /// The interval with all sources.
        interval: Range,
    },
}

impl Verdict {
    /// The run that is better.
    pub fn better(&self) -> Option<Side> {
        self.winner.map(|(side, _)| side)
    }

    /// What the verdict rests on.
    pub fn basis(&self) -> Option<Basis> {
        self.winner.map(|(_, basis)| basis)
    }

    /// What an assumed verdict assumes.
    pub fn assumption(&self) -> Option<Assumption> {
        match self.basis() {
            Some(Basis::Assumed(assumption)) => Some(assumption),
            _ => None,
        }
    }

    /// Whether it holds however the unjudged documents are judged.
    pub fn is_certain(&self) -> bool {
        self.basis() == Some(Basis::Certain)
    }

    /// The name in machine-readable output.
    pub fn name(&self) -> &'static str {
        match self.better() {
            Some(Side::A) => "a",
            Some(Side::B) => "b",
            None => UNDECIDED,
        }
    }
}
