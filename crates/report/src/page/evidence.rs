//! What the page's script works with: scores by topic, verdicts by pair, rankings to a stated depth.
//!
//! The one decision: the script computes from what Rust read and decided (judgements at ranks, scores, verdicts) and never decides anew which
//! run is better; what it computes itself (RBP at another p) is a sum over ranks.

use crate::figure::Figure;

/// All of it. Places are places in `measures`, `runs` and `topics`.
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    /// The measures' names, in the order asked for.
    pub measures: Vec<String>,
    /// The runs' names.
    pub runs: Vec<String>,
    /// The topics' names.
    pub topics: Vec<String>,
    /// The topics' texts, where they were given.
    pub queries: Vec<Option<String>>,
    /// The measure looked at first.
    pub first: usize,
    /// The two runs looked at first.
    pub pair: (usize, usize),
    /// Confidence level.
    pub level: f64,
    /// The least grade that is relevant.
    pub relevance_level: f64,
    /// What an unjudged document can gain at most in binary RBP: 1, or 0 where no grade of the collection reaches the level.
    pub greatest_gain: f64,
    /// Rankings are carried down to this rank.
    pub depth: usize,
    /// By measure, run and topic: value, least, greatest; `None` where there is no score, NaN where there are no bounds.
    pub scores: Vec<Vec<Vec<Option<[f64; 3]>>>>,
    /// By measure and run.
    pub standings: Vec<Vec<Standing>>,
    /// By measure; every pair that was compared.
    pub pairs: Vec<Vec<Pair>>,
    /// By topic.
    pub rankings: Vec<TopicEvidence>,
    /// Documents' texts by name, of documents that are in a ranking.
    pub texts: Vec<(String, String)>,
    /// Whether the treatment of missing topics scores a run there (zero), or leaves the topic out.
    pub missing_is_zero: bool,
    /// By run: Student's t for the level and the run's topics, where there are enough.
    pub quantiles: Vec<Option<f64>>,
    /// The normal distribution's for the level.
    pub normal_quantile: f64,
    /// Figures the script chooses among, by name: `leaderboard`, then one for each measure.
    pub figures: Vec<(String, Vec<Figure>)>,
}

/// A run by a measure.
#[derive(Clone, Debug, Default)]
pub struct Standing {
    /// The value; `None` where it has none.
    pub value: Option<f64>,
    /// Least and greatest over the ways of judging.
    pub bounds: Option<(f64, f64)>,
    /// The interval over topics.
    pub interval: Option<(f64, f64)>,
    /// The topics.
    pub topics: u64,
    /// Groups of runs that cannot be told apart.
    pub letters: String,
}

/// Two runs by a measure.
#[derive(Clone, Debug, Default)]
pub struct Pair {
    /// The runs' places.
    pub runs: (usize, usize),
    /// First less second.
    pub difference: f64,
    /// Its interval with all sources.
    pub interval: Option<(f64, f64)>,
    /// What unjudged documents could make of it.
    pub bounds: Option<(f64, f64)>,
    /// The adjusted p that the verdict rests on.
    pub p: Option<f64>,
    /// Which of the two is better.
    pub winner: Option<usize>,
    /// What the verdict rests on: `certain`, `sampled` or `assumed`.
    pub basis: Option<&'static str>,
    /// The judged sample that difference, interval and p are estimated from, where there is one.
    pub sample: Option<PairSample>,
    /// One sentence.
    pub because: String,
    /// By topic: its place, the difference, and what unjudged documents could make of it; empty where there are too many pairs to carry it.
    pub topics: Vec<TopicDifference>,
}

/// A judged sample behind a pair.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PairSample {
    /// Documents that were drawn.
    pub drawn: usize,
    /// Those with a label.
    pub judged: usize,
    /// Variance from the topics.
    pub topics: f64,
    /// Variance from the sample.
    pub sampling: f64,
    /// First less second as judged, without the sample.
    pub as_judged: f64,
}

/// A topic's place, the difference there, and what unjudged documents could make of it.
pub type TopicDifference = (usize, f64, Option<(f64, f64)>);

/// What is known of a document.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Judged {
    /// Not in the judgements.
    Unpooled,
    /// In the judgements, without a grade.
    Unjudged,
    /// A grade.
    Grade(f64),
}

/// The documents of a topic that any run has.
#[derive(Clone, Debug, Default)]
pub struct TopicEvidence {
    /// Names.
    pub documents: Vec<String>,
    /// What is known of each.
    pub judged: Vec<Judged>,
    /// By run; `None` where it has no row for the topic.
    pub lists: Vec<Option<Ranked>>,
}

/// A ranking: documents by place, best first, and whether each has the score of the one before it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ranked {
    /// Places in `documents`.
    pub documents: Vec<u32>,
    /// Whether a document is tied with the one above.
    pub tied: Vec<bool>,
}
