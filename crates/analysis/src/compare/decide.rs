//! The rule of verdicts: a pure function from typed evidence to a typed verdict.
//!
//! A run is better when the interval of the difference excludes 0, the adjusted p of the randomisation test is below 1 − level, and the verdict has a
//! basis. It is certain when interval and test still decide with every topic at its worst-case difference. Otherwise unjudged documents are assumed
//! not to be relevant, and the tipping point must lie above the upper limits of the rates at which judged documents are relevant: the other run's, and
//! the best run's. For two pooled runs it is enough that it does with unjudged documents of both that are relevant equally often. Where the user or the
//! judgements say that unjudged documents are not relevant, no tipping point is needed. Models give no verdict. A judged sample has a rule of its own
//! ([`super::sampled`]).

use super::tipping::Tipping;
use super::verdict::{Assumption, Basis, Block, Evidence, Range, Reason, Side, Unjudged, Verdict};

/// The side of 0 that an interval lies on.
pub(super) fn side((low, high): Range) -> Option<Side> {
    if low > 0.0 {
        Some(Side::A)
    } else if high < 0.0 {
        Some(Side::B)
    } else {
        None
    }
}

/// The verdict.
pub fn decide(evidence: &Evidence) -> Verdict {
    let (p, over_topics, interval) = match (&evidence.p, &evidence.over_topics, &evidence.interval) {
        (Ok(p), Ok(over_topics), Ok(interval)) => (*p, *over_topics, *interval),
        (Err(why), ..) => return evidence.undecided(Reason::NoTest(*why), Block::Queries),
        (_, Err(why), _) | (.., Err(why)) => return evidence.undecided(Reason::NoInterval(*why), Block::Queries),
    };
    let leader = evidence.leader();
    let (lead, lead_interval) = (leader.lead(evidence.observed), leader.leads(interval));
    if evidence.unjudged == Unjudged::Modelled {
        return evidence.undecided(Reason::Described { lead, interval: lead_interval }, Block::Unjudged);
    }
    if evidence.significant(p, over_topics).is_none() {
        return evidence.undecided(evidence.not_significant(p, over_topics, lead_interval), Block::Queries);
    }
    if evidence.uncorrected {
        return evidence.undecided(Reason::Uncorrected { lead, p }, Block::Judges);
    }
    let Some(winner) = evidence.significant(p, interval) else {
        return evidence.undecided(Reason::Judges { lead, p, interval: lead_interval }, Block::Judges);
    };
    match evidence.basis(winner) {
        Some(basis) => evidence.won(winner, basis, lead_interval, p),
        None => evidence.undecided(Reason::Unjudged { lead, interval: lead_interval, p }, Block::Unjudged),
    }
}

impl Evidence {
    fn alpha(&self) -> f64 {
        1.0 - self.level
    }

    /// The run that topics and judges decide for, where a verdict needs a basis besides: what the tipping point is wanted for.
    pub(super) fn needs_tipping(&self) -> Option<Side> {
        let (Ok(p), Ok(interval)) = (&self.p, &self.interval) else { return None };
        let decided = self.significant(*p, *interval)?;
        (self.unjudged == Unjudged::Tested && !self.uncorrected && self.worst_case != Some(decided)).then_some(decided)
    }

    /// The run that an interval and the test together decide for.
    fn significant(&self, p: f64, interval: Range) -> Option<Side> {
        side(interval).filter(|_| p < self.alpha())
    }

    fn leader(&self) -> Side {
        if self.observed >= 0.0 { Side::A } else { Side::B }
    }

    /// What a verdict for this run rests on. Worst cases are over judgements, not over error rates, which are only estimated.
    fn basis(&self, winner: Side) -> Option<Basis> {
        if self.worst_case == Some(winner) && !self.calibrated {
            return Some(Basis::Certain);
        }
        let not_relevant = Basis::Assumed(Assumption::UnjudgedNotRelevant);
        match self.unjudged {
            Unjudged::Modelled => None,
            Unjudged::Sparse => Some(Basis::Assumed(Assumption::SparseJudgements)),
            Unjudged::NotRelevant => Some(not_relevant),
            Unjudged::Tested if self.worst_case == Some(winner) => Some(not_relevant),
            Unjudged::Tested => {
                self.tipping.as_ref().filter(|found| found.is_above_rates(winner)).map(|_| not_relevant)
            }
        }
    }

    /// Decided, unless the verdict must not rest on an assumption and does.
    fn won(&self, winner: Side, basis: Basis, interval: Range, p: f64) -> Verdict {
        let bounds = self.bounds.map(|bounds| winner.leads(bounds));
        let reason = Reason::Better { lead: winner.lead(self.observed), interval, p, bounds };
        if self.strict && !matches!(basis, Basis::Certain | Basis::Sampled) {
            return self.undecided(reason, Block::Bounds);
        }
        let (winner, leader, level) = (Some((winner, basis)), winner, self.level);
        Verdict { winner, blocked: Vec::new(), leader, level, reason }
    }

    fn undecided(&self, reason: Reason, block: Block) -> Verdict {
        Verdict { winner: None, blocked: vec![block], leader: self.leader(), level: self.level, reason }
    }

    fn not_significant(&self, p: f64, over_topics: Range, interval: Range) -> Reason {
        if self.unresolvable {
            return Reason::Unresolvable { topics: self.topics, alpha: self.alpha() };
        }
        Reason::NotSignificant {
            lead: self.leader().lead(self.observed),
            topics: self.topics,
            interval,
            p,
            corrected: side(over_topics).is_some(),
            topics_needed: self.topics_needed.filter(|&needed| needed > self.topics as u64),
        }
    }
}

impl Tipping {
    /// Whether the conclusion holds at the upper limits of the rates seen: of the run that trails, and of the best run; for pooled runs it is enough
    /// that it does where the unjudged documents of both are relevant equally often.
    pub(super) fn is_above_rates(&self, winner: Side) -> bool {
        self.is_above_itself(winner) || self.alike.as_ref().is_some_and(|alike| alike.is_above_itself(winner))
    }

    /// Whether the conclusion holds only if the unjudged documents of both runs are relevant equally often.
    pub fn needs_equal_rates(&self, winner: Side) -> bool {
        !self.is_above_itself(winner)
    }

    fn is_above_itself(&self, winner: Side) -> bool {
        let trailing = if winner == Side::A { &self.b } else { &self.a };
        self.point.is_none_or(|point| point > trailing.upper && point > self.best.upper)
    }
}

#[cfg(test)]
mod tests;
