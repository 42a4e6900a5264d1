//! The rule of verdicts: a pure function from typed grounds to a typed verdict.
//!
//! A run is better when the interval of the difference with all sources combined excludes 0 and the adjusted p of the randomisation test is
//! below 1 − level. It is certain when both still decide with every topic at its worst-case difference; `strict` gives no other verdict. What blocks a verdict is found by applying the same rule to each
//! source alone.

use super::verdict::{Block, Grounds, Range, Reason, Side, Verdict, WorstCase};

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
pub fn decide(grounds: &Grounds) -> Verdict {
    let (p, over_topics, all_sources) = match (&grounds.p, &grounds.over_topics, &grounds.all_sources) {
        (Ok(p), Ok(over_topics), Ok(all_sources)) => (*p, *over_topics, *all_sources),
        (Err(why), ..) => return grounds.undecided(Reason::NoTest(*why), vec![Block::Queries]),
        (_, Err(why), _) | (.., Err(why)) => {
            return grounds.undecided(Reason::NoInterval(*why), vec![Block::Queries]);
        }
    };
    let decided = grounds.significant(p, all_sources);
    let certain = grounds.certain(p, over_topics);
    let modelled = decided.filter(|_| !grounds.unmodelled && !grounds.uncorrected);
    if let Some(winner) = certain.or(modelled) {
        return grounds.won(winner, certain == Some(winner), p, all_sources);
    }
    let blocked = grounds.blocked(p, over_topics);
    let reason = grounds.reason(p, over_topics, all_sources, &blocked);
    grounds.undecided(reason, blocked)
}

impl Grounds {
    fn alpha(&self) -> f64 {
        1.0 - self.level
    }

    /// The run that an interval and the test together decide for.
    fn significant(&self, p: f64, interval: Range) -> Option<Side> {
        side(interval).filter(|_| p < self.alpha())
    }

    /// The run that is better however the unjudged documents are judged. Worst cases are over judgements, not over error rates, which are only
    /// estimated.
    fn certain(&self, p: f64, over_topics: Range) -> Option<Side> {
        let of_judgements = self.complete && self.judges_alone.is_none() && !self.uncorrected;
        let decided = self.significant(p, over_topics).filter(|_| of_judgements)?;
        (self.worst_case == Some(decided)).then_some(decided)
    }

    fn leader(&self) -> Side {
        if self.observed >= 0.0 { Side::A } else { Side::B }
    }

    fn worst_case(&self, leader: Side, certain: bool) -> WorstCase {
        let Some(bounds) = self.bounds else { return WorstCase::Unknown };
        let shown = leader.leads(bounds);
        if certain && bounds.0 == bounds.1 {
            WorstCase::Closed
        } else if certain {
            WorstCase::Holds(shown)
        } else if side(bounds) != Some(leader) {
            WorstCase::Reversible(shown)
        } else if self.judges_alone.is_some() || self.uncorrected {
            WorstCase::HoldsAtErrorRates(shown)
        } else if self.complete {
            WorstCase::NotSignificant(shown)
        } else {
            WorstCase::IfAllRetrieved(shown)
        }
    }

    /// Significant: decided, unless certainty is required and missing.
    fn won(&self, winner: Side, certain: bool, p: f64, all_sources: Range) -> Verdict {
        let reason = Reason::Better {
            lead: self.observed.abs(),
            interval: winner.leads(all_sources),
            p,
            worst_case: self.worst_case(winner, certain),
        };
        if self.strict && !certain {
            return Verdict { leader: winner, ..self.undecided(reason, vec![Block::Bounds]) };
        }
        let (winner, leader, level) = (Some(winner), winner, self.level);
        Verdict { winner, certain, blocked: Vec::new(), leans: None, leader, level, reason }
    }

    fn undecided(&self, reason: Reason, blocked: Vec<Block>) -> Verdict {
        let leans = self.over_topics.as_ref().ok().filter(|_| self.unresolvable);
        Verdict {
            winner: None,
            certain: false,
            blocked,
            leans: leans.and_then(|&interval| side(interval)),
            leader: self.leader(),
            level: self.level,
            reason,
        }
    }

    /// Every source that blocks: alone on these topics, or by undoing what topics alone decide.
    fn blocked(&self, p: f64, over_topics: Range) -> Vec<Block> {
        let by_topics = self.significant(p, over_topics);
        let open = |alone: Option<Range>| alone.is_some_and(|alone| side(alone).is_none());
        let undone = |with: Option<Range>| {
            by_topics.is_some() && with.is_some_and(|with| self.significant(p, with) != by_topics)
        };
        let sources = [
            (Block::Queries, by_topics.is_none()),
            (Block::Unjudged, self.unmodelled || open(self.unjudged_alone) || undone(self.with_unjudged)),
            (Block::Judges, self.uncorrected || open(self.judges_alone) || undone(self.with_judges)),
        ];
        let found: Vec<Block> = sources.into_iter().filter(|(_, blocks)| *blocks).map(|(block, _)| block).collect();
        if found.is_empty() { vec![Block::Together] } else { found }
    }

    /// The reason that is told, of all that block.
    fn reason(&self, p: f64, over_topics: Range, all_sources: Range, blocked: &[Block]) -> Reason {
        let leader = self.leader();
        let (lead, interval) = (leader.lead(self.observed), leader.leads(all_sources));
        let blocks = |block: Block| blocked.contains(&block);
        if blocks(Block::Queries) {
            if self.unresolvable {
                return Reason::Unresolvable { topics: self.topics, alpha: self.alpha() };
            }
            return self.not_significant(p, over_topics, interval, blocks(Block::Unjudged));
        }
        if self.uncorrected && !blocks(Block::Unjudged) {
            Reason::Uncorrected { lead, p }
        } else if self.unmodelled {
            Reason::Unmodelled { lead, p, bounds: self.bounds.map(|bounds| leader.leads(bounds)) }
        } else if blocks(Block::Unjudged) {
            Reason::Unjudged { lead, p, modelled: leader.lead(self.expected), interval }
        } else if blocks(Block::Judges) {
            Reason::Judges { lead, p, interval }
        } else {
            Reason::Together { lead, interval }
        }
    }

    fn not_significant(&self, p: f64, over_topics: Range, interval: Range, unjudged_blocks: bool) -> Reason {
        let leader = self.leader();
        let modelled = leader.lead(self.expected);
        let modelled = Some(modelled).filter(|_| unjudged_blocks && !self.unmodelled);
        // More topics judged like these would only confirm what the unjudged documents may reverse.
        let reversed = modelled.is_some_and(|modelled| modelled * leader.lead(self.observed) < 0.0);
        Reason::NotSignificant {
            lead: leader.lead(self.observed),
            topics: self.topics,
            interval,
            p,
            corrected: side(over_topics).is_some(),
            topics_needed: self.topics_needed.filter(|&needed| !reversed && needed > self.topics as u64),
            modelled,
        }
    }
}

#[cfg(test)]
mod tests;
