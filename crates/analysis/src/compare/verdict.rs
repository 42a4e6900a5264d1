//! Which run is better, or why that cannot be said: what a verdict rests on and what it says. The rule is in `decide`.

use karat_stats::interval::NoInterval;
use karat_stats::test::NoTest;

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
    /// The relevance model of unjudged documents.
    Unjudged,
    /// How well the judges' error rates are known.
    Judges,
    /// No source alone, but all together.
    Together,
    /// With `strict`: the worst case.
    Bounds,
}

impl Block {
    /// The name in machine-readable output.
    pub fn name(self) -> &'static str {
        match self {
            Block::Queries => "queries",
            Block::Unjudged => "unjudged",
            Block::Judges => "judges",
            Block::Together => "together",
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

/// What a verdict rests on. Differences are `a − b`.
#[derive(Debug, Clone, PartialEq)]
pub struct Grounds {
    /// Topics that both runs have a score for.
    pub topics: usize,
    /// Mean difference of the scores as they are.
    pub observed: f64,
    /// Mean difference under the relevance model.
    pub expected: f64,
    /// Least and greatest mean difference over all judgements of the unjudged documents.
    pub bounds: Option<Range>,
    /// Interval over topics alone.
    pub over_topics: Result<Range, NoInterval>,
    /// Interval with all sources.
    pub all_sources: Result<Range, NoInterval>,
    /// Interval over topics and unjudged documents.
    pub with_unjudged: Option<Range>,
    /// Interval over topics and judges.
    pub with_judges: Option<Range>,
    /// What unjudged documents alone leave open on these topics, the observed difference included; `None` without a relevance model.
    pub unjudged_alone: Option<Range>,
    /// What the judges' error rates alone leave open on these topics; `None` where scores are not corrected for them.
    pub judges_alone: Option<Range>,
    /// The adjusted p of the randomisation test.
    pub p: Result<f64, NoP>,
    /// Confidence level.
    pub level: f64,
    /// Topics needed for the observed difference.
    pub topics_needed: Option<u64>,
    /// Whether some document that matters is unjudged and no model covers it.
    pub unmodelled: bool,
    /// Whether the judges' error rates are known, but not their effect on this measure.
    pub uncorrected: bool,
    /// Whether no result on these topics could have been significant.
    pub unresolvable: bool,
    /// Whether bounds hold whatever is judged: also documents that no run retrieved.
    pub complete: bool,
    /// The run that interval and test decide for when every topic has its worst-case difference.
    pub worst_case: Option<Side>,
    /// Whether a verdict must hold in the worst case.
    pub strict: bool,
}

/// The decision.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// Which run is better; `None`: undecided.
    pub winner: Option<Side>,
    /// Whether the verdict holds however the unjudged documents are judged.
    pub certain: bool,
    /// What blocks a decision.
    pub blocked: Vec<Block>,
    /// Where no result on these topics could have been significant: the run that the interval over topics favours.
    pub leans: Option<Side>,
    /// The run whose lead the reason speaks of: the winner, else the run with the higher observed mean.
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
    /// Significant with all sources.
    Better {
        /// The observed lead.
        lead: f64,
        /// Its interval with all sources.
        interval: Range,
        /// The adjusted p.
        p: f64,
        /// Whether unjudged documents could reverse it.
        worst_case: WorstCase,
    },
    /// Not significant over topics.
    NotSignificant {
        /// The observed lead.
        lead: f64,
        /// Topics.
        topics: usize,
        /// The interval with all sources.
        interval: Range,
        /// The adjusted p.
        p: f64,
        /// Whether the interval, which is of this pair alone, excludes 0: it is the correction for several pairs that is not passed.
        corrected: bool,
        /// Topics needed, where more of them would help.
        topics_needed: Option<u64>,
        /// What the relevance model says, where unjudged documents block too.
        modelled: Option<f64>,
    },
    /// No result on these topics could have been significant.
    Unresolvable {
        /// Topics.
        topics: usize,
        /// What the adjusted p must be below.
        alpha: f64,
    },
    /// Significant over topics, but unjudged documents matter and no model covers them.
    Unmodelled {
        /// The observed lead.
        lead: f64,
        /// The adjusted p.
        p: f64,
        /// Its bounds.
        bounds: Option<Range>,
    },
    /// Significant over topics, but not under the relevance model.
    Unjudged {
        /// The observed lead.
        lead: f64,
        /// The adjusted p.
        p: f64,
        /// The lead under the relevance model; negative where the other run leads.
        modelled: f64,
        /// The interval with all sources.
        interval: Range,
    },
    /// Significant over topics, but the effect of the judges' errors on this measure is not known.
    Uncorrected {
        /// The observed lead.
        lead: f64,
        /// The adjusted p.
        p: f64,
    },
    /// Significant over topics, but not with the error of the judges' calibration.
    Judges {
        /// The observed lead.
        lead: f64,
        /// The adjusted p.
        p: f64,
        /// The interval with all sources.
        interval: Range,
    },
    /// Significant with each source alone, but not with all of them.
    Together {
        /// The observed lead.
        lead: f64,
        /// The interval with all sources.
        interval: Range,
    },
}

/// What the bounds say of a lead.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum WorstCase {
    /// There are no bounds.
    Unknown,
    /// Nothing is open.
    Closed,
    /// The verdict holds however the unjudged documents are judged.
    Holds(Range),
    /// The lead does on these topics, but in the worst case it is not significant.
    NotSignificant(Range),
    /// The lead does if every relevant document was retrieved or pooled.
    IfAllRetrieved(Range),
    /// The same, at judges' error rates that are only estimated.
    HoldsAtErrorRates(Range),
    /// Unjudged documents could reverse it.
    Reversible(Range),
}

impl Verdict {
    /// The name in machine-readable output.
    pub fn name(&self) -> &'static str {
        match self.winner {
            Some(Side::A) => "a",
            Some(Side::B) => "b",
            None => UNDECIDED,
        }
    }
}
