//! The rankings that print so: the lexicographically greatest, the least, and all of them, one by one.
//!
//! A ranking of d ranks is a string of 1 (relevant), 0 (not) and ? (unjudged), ordered 0 < ? < 1 rank by rank. It prints so when
//! the weight of its 1s is in the printed score's interval and the weight of its ?s in the residual's.
//!
//! The one decision: an exact search and not the paper's local rules, which miss the residual in up to one case of
//! seven ([`super::paper`]). After i ranks what is wanting, x for the score and y for the residual, must be had from the ranks
//! below, which weigh rem(i): a branch is cut when no x, y ≥ 0 of the two intervals have x + y ≤ rem(i). From p = 2/3 on
//! three kinds of rank fill that triangle without holes, so hardly a branch is entered in vain; below, the holes
//! make it turn back, and the search has then proved what it says when it finds nothing.
//!
//! The ranks below the significant ones weigh less than half a unit, but where scores leave gaps that may be what is wanting:
//! at p = 0.3, 11011 scores 0.93457 and 110111 0.93627, printed 0.94. So a search that finds nothing is made again with
//! more ranks ([`Extremes::of`]).

use super::depth::contribution;
use super::score::PublishedScore;
use super::{ROUNDING, power, rbp};

/// What a rank holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rank {
    /// A relevant document.
    Relevant,
    /// A document nobody judged.
    Unjudged,
    /// A document that is not relevant.
    Not,
}

impl Rank {
    /// As it is written: 1, ? or 0.
    pub fn symbol(self) -> char {
        match self {
            Rank::Relevant => '1',
            Rank::Unjudged => '?',
            Rank::Not => '0',
        }
    }
}

/// A ranking as it is written.
pub fn written(ranks: &[Rank]) -> String {
    ranks.iter().map(|rank| rank.symbol()).collect()
}

/// RBP of a ranking whose unjudged documents have this gain.
pub fn score(ranks: &[Rank], unjudged: f64, persistence: f64) -> f64 {
    let gain = |rank: &Rank| match rank {
        Rank::Relevant => 1.0,
        Rank::Unjudged => unjudged,
        Rank::Not => 0.0,
    };
    rbp(ranks.iter().map(gain), persistence)
}

/// Why a search has nothing more to give.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SearchEnd {
    /// There is no other ranking: every branch was entered or shown to be barren.
    Exhausted,
    /// The steps were used up before that was clear.
    GaveUp,
}

/// Steps between two rankings before the search gives up; about a tenth of a second.
const STEPS: u64 = 10_000_000;

/// The greatest depth that is searched: p = 0.999 to eight digits and more.
pub const DEEPEST: usize = 100_000;

/// All rankings that print so, in lexicographic order.
#[derive(Debug)]
pub struct Search {
    /// con(i) and rem(i) = Σ_{k > i} con(k), from i = 0.
    contributions: Vec<f64>,
    remainders: Vec<f64>,
    score: (f64, f64),
    residual: (f64, f64),
    /// What a rank may hold, in the order it is tried.
    kinds: &'static [Rank],
    /// For each rank decided: which kind, and the weights of 1s and ?s down to it.
    decided: Vec<(usize, f64, f64)>,
    /// The kind to try next at the first undecided rank; `None` when the search is over.
    next: Option<usize>,
}

impl Search {
    /// From the greatest ranking of so many ranks down.
    pub fn descending(published: &PublishedScore, depth: usize) -> Search {
        let kinds: &[Rank] = match published.residual() {
            None => &[Rank::Relevant, Rank::Not],
            Some(_) => &[Rank::Relevant, Rank::Unjudged, Rank::Not],
        };
        Search::new(published, depth.min(DEEPEST), kinds)
    }

    /// From the least ranking of so many ranks up.
    pub fn ascending(published: &PublishedScore, depth: usize) -> Search {
        let kinds: &[Rank] = match published.residual() {
            None => &[Rank::Not, Rank::Relevant],
            Some(_) => &[Rank::Not, Rank::Unjudged, Rank::Relevant],
        };
        Search::new(published, depth.min(DEEPEST), kinds)
    }

    fn new(published: &PublishedScore, depth: usize, kinds: &'static [Rank]) -> Search {
        let contributions: Vec<f64> = (1..=depth).map(|rank| contribution(published.persistence(), rank)).collect();
        let mut remainders = vec![0.0; depth + 1];
        for rank in (0..depth).rev() {
            remainders[rank] = remainders[rank + 1] + contributions[rank];
        }
        let interval = |printed: super::Printed| (printed.low(), printed.high());
        let mut search = Search {
            contributions,
            remainders,
            score: interval(published.score()),
            residual: published.residual().map_or((0.0, 0.0), interval),
            kinds,
            decided: Vec::with_capacity(depth),
            next: None,
        };
        search.next = search.promising(0, 0.0, 0.0).then_some(0);
        search
    }

    /// The next ranking.
    ///
    /// # Errors
    /// Why there is none.
    pub fn next_ranking(&mut self) -> Result<Vec<Rank>, SearchEnd> {
        let mut steps = STEPS;
        while let Some(kind) = self.next {
            if kind == self.kinds.len() || self.decided.len() == self.contributions.len() {
                self.turn_back();
                continue;
            }
            steps -= 1;
            if steps.is_multiple_of(4096) {
                karat_runtime::check();
            }
            if steps == 0 {
                return Err(SearchEnd::GaveUp);
            }
            let rank = self.decided.len();
            let (mut ones, mut open) = self.decided.last().map_or((0.0, 0.0), |&(_, ones, open)| (ones, open));
            match self.kinds[kind] {
                Rank::Relevant => ones += self.contributions[rank],
                Rank::Unjudged => open += self.contributions[rank],
                Rank::Not => {}
            }
            if !self.promising(rank + 1, ones, open) {
                self.next = Some(kind + 1);
                continue;
            }
            self.decided.push((kind, ones, open));
            self.next = Some(0);
            if self.decided.len() == self.contributions.len() {
                return Ok(self.decided.iter().map(|&(kind, _, _)| self.kinds[kind]).collect());
            }
        }
        Err(SearchEnd::Exhausted)
    }

    fn turn_back(&mut self) {
        self.next = self.decided.pop().map(|(kind, _, _)| kind + 1);
    }

    /// Whether the ranks below the first `rank` could still supply what is wanting.
    fn promising(&self, rank: usize, ones: f64, open: f64) -> bool {
        let wanting = (self.score.0 - ones).max(0.0) + (self.residual.0 - open).max(0.0);
        ones <= self.score.1 + ROUNDING
            && open <= self.residual.1 + ROUNDING
            && wanting <= self.remainders[rank] + ROUNDING
    }
}

impl Iterator for Search {
    type Item = Vec<Rank>;

    fn next(&mut self) -> Option<Vec<Rank>> {
        self.next_ranking().ok()
    }
}

/// The two ends of all rankings that print so.
#[derive(Debug, Clone, PartialEq)]
pub struct Extremes {
    /// R_G: relevant documents, then unjudged ones, as early as can be.
    pub greatest: Vec<Rank>,
    /// R_L: as late as can be.
    pub least: Vec<Rank>,
}

impl Extremes {
    /// Searches both among the rankings of the significant ranks; where there is none, of as few more as there is one of.
    ///
    /// # Errors
    /// There is no ranking, however long, or it could not be found out.
    pub fn of(published: &PublishedScore) -> Result<Extremes, SearchEnd> {
        let p = published.persistence();
        let mut depth = published.depth().min(DEEPEST);
        // Ranks that halve what is left below, so that there are few searches at any p; one rank below p = 0.5.
        let more = (0.5f64.ln() / p.ln()).ceil().max(1.0) as usize;
        loop {
            match Extremes::at(published, depth) {
                Err(SearchEnd::Exhausted) if power(p, depth) > ROUNDING && depth < DEEPEST => depth += more,
                found => return found,
            }
        }
    }

    /// Searches both among the rankings of so many ranks.
    ///
    /// # Errors
    /// There is no ranking of so many ranks, or it could not be found out.
    pub fn at(published: &PublishedScore, depth: usize) -> Result<Extremes, SearchEnd> {
        Ok(Extremes {
            greatest: Search::descending(published, depth).next_ranking()?,
            least: Search::ascending(published, depth).next_ranking()?,
        })
    }

    /// How many ranks both have.
    pub fn depth(&self) -> usize {
        self.greatest.len()
    }
}

#[cfg(test)]
mod tests;
