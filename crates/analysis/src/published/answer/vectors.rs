//! `published vectors`: R_G, R_L, and on request all rankings that print so.

use schemars::JsonSchema;
use serde::Serialize;

use super::super::count::{Count, count};
use super::super::error::PublishedError;
use super::super::paper;
use super::super::vectors::{DEEPEST, Extremes, Rank, Search, SearchEnd, score, written};
use super::super::{Printed, PublishedScore, ROUNDING};

/// Options of `published vectors`.
#[derive(Debug)]
pub struct VectorsOptions {
    /// The published score.
    pub published: PublishedScore,
    /// How many of all rankings to list; 0 for none.
    pub list: usize,
}

/// The rankings behind a printed score: strings of 1 (relevant), 0 (not relevant) and ? (unjudged).
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct VectorsAnswer {
    /// Number of significant ranks.
    pub depth: usize,
    /// The scores that print so.
    pub score_interval: (f64, f64),
    /// R_G, the lexicographically greatest ranking.
    pub greatest: String,
    /// Its score.
    pub score_greatest: f64,
    /// R_L, the lexicographically least ranking.
    pub least: String,
    /// Its score.
    pub score_least: f64,
    /// Where a residual was given.
    #[serde(flatten)]
    pub residual: Option<ResidualScores>,
    /// R_G by the paper's rules.
    pub greatest_paper: String,
    /// R_L by the paper's rules.
    pub least_paper: String,
    /// With `--all`.
    #[serde(flatten)]
    pub listing: Option<Listing>,
    /// How many ranks were searched: more than `depth` where no ranking of that depth prints so.
    #[serde(skip)]
    pub searched_depth: usize,
    /// Whether the paper's R_G and R_L miss the printed score or residual; (false, false) without a residual.
    #[serde(skip)]
    pub paper_misses: (bool, bool),
}

/// What a residual adds.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ResidualScores {
    /// The residuals that print so.
    pub residual_interval: (f64, f64),
    /// Score of R_G if all its unjudged documents are relevant.
    pub score_greatest_unjudged_relevant: f64,
    /// Score of R_L if all its unjudged documents are relevant.
    pub score_least_unjudged_relevant: f64,
}

/// The first of all rankings, and how many there are.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Listing {
    /// Number of rankings; null where there are too many to count.
    pub count: Option<u64>,
    /// Base-10 logarithm of a lower bound of their number, where `count` is null; null for no bound.
    pub log10_count_at_least: Option<f64>,
    /// Base-10 logarithm of an upper bound of their number, where `count` is null.
    pub log10_count_at_most: Option<f64>,
    /// Rankings, from the greatest down.
    pub vectors: Vec<ListedRanking>,
    /// Whether there is no other ranking.
    #[serde(skip)]
    pub complete: bool,
}

/// One ranking.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ListedRanking {
    /// Its ranks.
    pub vector: String,
    /// Its score.
    pub score: f64,
    /// Its score if all unjudged documents are relevant, where a residual was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score_unjudged_relevant: Option<f64>,
}

/// Which rankings print so?
///
/// # Errors
/// No ranking does, or it could not be found out.
pub fn vectors(options: &VectorsOptions) -> Result<VectorsAnswer, PublishedError> {
    let published = &options.published;
    let p = published.persistence();
    if published.depth() > DEEPEST {
        return Err(PublishedError::TooManyRanks { published: *published, most: DEEPEST });
    }
    published.check_binary()?;
    let found = Extremes::of(published).map_err(|end| match end {
        SearchEnd::Exhausted => PublishedError::NoRanking(*published),
        SearchEnd::GaveUp => PublishedError::SearchGaveUp(*published),
    })?;
    let by_rules = paper::vectors(published);
    let misses = |ranks: &[Rank]| published.residual().is_some() && !prints_so(published, ranks);
    Ok(VectorsAnswer {
        depth: published.depth(),
        score_interval: interval(published.score()),
        greatest: written(&found.greatest),
        score_greatest: score(&found.greatest, 0.0, p),
        least: written(&found.least),
        score_least: score(&found.least, 0.0, p),
        residual: published.residual().map(|residual| ResidualScores {
            residual_interval: interval(residual),
            score_greatest_unjudged_relevant: score(&found.greatest, 1.0, p),
            score_least_unjudged_relevant: score(&found.least, 1.0, p),
        }),
        greatest_paper: written(&by_rules.greatest),
        least_paper: written(&by_rules.least),
        listing: (options.list > 0).then(|| list(published, found.depth(), options.list)),
        searched_depth: found.depth(),
        paper_misses: (misses(&by_rules.greatest), misses(&by_rules.least)),
    })
}

fn interval(printed: Printed) -> (f64, f64) {
    (printed.low(), printed.high())
}

/// Whether a ranking has the printed score and residual.
fn prints_so(published: &PublishedScore, ranks: &[Rank]) -> bool {
    let within = |value: f64, printed: Printed| value >= printed.low() - ROUNDING && value <= printed.high() + ROUNDING;
    let own = score(ranks, 0.0, published.persistence());
    let open = score(ranks, 1.0, published.persistence()) - own;
    within(own, published.score()) && published.residual().is_none_or(|residual| within(open, residual))
}

/// The first of all rankings, and how many there are.
fn list(published: &PublishedScore, depth: usize, most: usize) -> Listing {
    let (count, log10_count_at_least, log10_count_at_most) = match count(published, depth) {
        Count::Exactly(count) => (Some(count), None, None),
        Count::Between(least, greatest) => (None, Some(least).filter(|least| least.is_finite()), Some(greatest)),
    };
    let p = published.persistence();
    let mut search = Search::descending(published, depth);
    let mut vectors = Vec::new();
    let mut end = None;
    while vectors.len() < most && end.is_none() {
        match search.next_ranking() {
            Ok(ranks) => vectors.push(ListedRanking {
                vector: written(&ranks),
                score: score(&ranks, 0.0, p),
                score_unjudged_relevant: published.residual().map(|_| score(&ranks, 1.0, p)),
            }),
            Err(why) => end = Some(why),
        }
    }
    let complete = end == Some(SearchEnd::Exhausted);
    Listing { count, log10_count_at_least, log10_count_at_most, vectors, complete }
}
