//! Which run is better, or why that cannot be said.
//!
//! The rule: a run is better when the interval of the difference with all sources combined excludes 0 and the adjusted p of the
//! randomisation test is below 1 − level; strictly, also when no way of judging the unjudged documents could turn it. What
//! blocks a verdict is found by asking the same of each source alone.

use karat_report::NumberStyle;
use karat_stats::dist::normal;

use super::difference::{Difference, Inference, With};

/// Whose favour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The first run's.
    A,
    /// The second run's.
    B,
}

/// What keeps a verdict from being given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Block {
    /// Too few queries for a difference of this size.
    Queries,
    /// What unjudged documents probably are.
    Unjudged,
    /// How well the judges' error rates are known.
    Judges,
    /// None alone, all of them together.
    Together,
    /// Under `strict`: what unjudged documents could be.
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

/// The answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// Who is better; `None`: undecided.
    pub winner: Option<Side>,
    /// Whether the worst case over unjudged documents alone decides, for these topics.
    pub certain: bool,
    /// One sentence.
    pub because: String,
    /// What blocks it.
    pub blocked: Vec<Block>,
    /// Where no outcome on these topics could have given one: whom the interval over topics favours all the same.
    pub leans: Option<Side>,
}

impl Verdict {
    /// The name in machine-readable output.
    pub fn name(&self) -> &'static str {
        match self.winner {
            Some(Side::A) => "a",
            Some(Side::B) => "b",
            None => "undecided",
        }
    }
}

/// What a verdict rests on beside the difference itself.
pub struct Grounds<'a> {
    /// How the interval is made.
    pub inference: &'a Inference,
    /// The adjusted p of the randomisation test; else why there is none.
    pub p: Result<f64, String>,
    /// Whether no outcome on these topics could have been significant.
    pub unresolvable: bool,
    /// Topics needed for the difference seen.
    pub topics_needed: Option<u64>,
    /// Whether the worst case must agree.
    pub strict: bool,
    /// The names of the runs.
    pub names: (&'a str, &'a str),
}

/// Whether an interval leaves 0 out, and on which side.
fn side((low, high): (f64, f64)) -> Option<Side> {
    if low > 0.0 {
        Some(Side::A)
    } else if high < 0.0 {
        Some(Side::B)
    } else {
        None
    }
}

fn show(value: f64) -> String {
    NumberStyle::Score.show(value)
}

fn range((low, high): (f64, f64)) -> String {
    format!("{} to {}", show(low), show(high))
}

/// The verdict on a difference.
pub fn verdict(difference: &Difference, grounds: &Grounds<'_>) -> Verdict {
    // Bounds are of what unjudged documents could be, not of error rates that are only estimated.
    let certain = difference.bounds.filter(|_| difference.judges.is_none() && !difference.uncorrected).and_then(side);
    let interval_over_topics = difference.for_verdict(grounds.inference, With::TOPICS).ok();
    let undecided = |because: String, blocked: Vec<Block>| Verdict {
        winner: None,
        certain: certain.is_some(),
        because,
        blocked,
        leans: interval_over_topics.filter(|_| grounds.unresolvable).and_then(side),
    };
    let topics = difference.topics.len();
    let interval = |with: With| difference.for_verdict(grounds.inference, with);
    let (p, whole, over_topics) = match (&grounds.p, interval(With::ALL), interval(With::TOPICS)) {
        (Ok(p), Ok(whole), Ok(over_topics)) => (*p, whole, over_topics),
        (Err(why), ..) => return undecided(format!("no test: {why}"), vec![Block::Queries]),
        (_, Err(why), _) | (.., Err(why)) => return undecided(format!("no interval: {why}"), vec![Block::Queries]),
    };
    let alpha = 1.0 - grounds.inference.level;
    let percent = crate::eval::percent(grounds.inference.level);
    let significant = p < alpha;
    let decided = |range: (f64, f64)| side(range).filter(|_| significant);
    let chance = decided(over_topics);
    let worst = difference.bounds.map_or_else(String::new, |bounds| {
        if bounds.0 == bounds.1 {
            String::new()
        } else if certain.is_some() {
            format!("; no way of judging the unjudged documents turns it ({})", range(bounds))
        } else if side(bounds).is_some() {
            format!(
                "; at the judges' error rates found no way of judging the unjudged documents turns it ({})",
                range(bounds)
            )
        } else {
            format!("; in the worst case unjudged documents could still turn it ({})", range(bounds))
        }
    });
    if let Some(winner) = decided(whole)
        && !difference.unmodelled
        && !difference.uncorrected
    {
        let name = if winner == Side::A { grounds.names.0 } else { grounds.names.1 };
        let because = format!(
            "{name} is better by {} ({percent} interval with all sources {}, adjusted p {})",
            show(difference.observed.abs()),
            range(if winner == Side::A { whole } else { (0.0 - whole.1, 0.0 - whole.0) }),
            probability(p),
        );
        if grounds.strict && certain != Some(winner) {
            return undecided(format!("{because}, but --strict wants certainty{worst}"), vec![Block::Bounds]);
        }
        return Verdict {
            winner: Some(winner),
            certain: certain == Some(winner),
            because: because + &worst,
            blocked: Vec::new(),
            leans: None,
        };
    }
    let mut blocked = Vec::new();
    if chance.is_none() {
        blocked.push(Block::Queries);
    }
    let alone = difference.unjudged.map(|unjudged| {
        let (low, high) = unjudged.alone(difference.expected);
        (low.min(difference.observed), high.max(difference.observed))
    });
    let unjudged_blocks = difference.unmodelled
        || alone.is_some_and(|alone| side(alone).is_none())
        || chance.is_some()
            && interval(With { unjudged: true, judges: false }).is_ok_and(|with| decided(with) != chance);
    if unjudged_blocks {
        blocked.push(Block::Unjudged);
    }
    let judges_block = difference.uncorrected
        || difference.judges.is_some_and(|variance| {
            let quantile = normal::upper_quantile(alpha / 2.0).unwrap_or(0.0);
            let reach = quantile * variance.sqrt();
            side((difference.expected - reach, difference.expected + reach)).is_none()
        })
        || chance.is_some()
            && interval(With { unjudged: false, judges: true }).is_ok_and(|with| decided(with) != chance);
    if judges_block {
        blocked.push(Block::Judges);
    }
    if blocked.is_empty() {
        blocked.push(Block::Together);
    }
    // Words speak of the lead of the run that is ahead, whichever comes first.
    let ahead = difference.observed >= 0.0;
    let show = |value: f64| show(if ahead { value } else { 0.0 - value });
    let range = |(low, high): (f64, f64)| range(if ahead { (low, high) } else { (0.0 - high, 0.0 - low) });
    let (leader, other) = if ahead { grounds.names } else { (grounds.names.1, grounds.names.0) };
    let seen = show(difference.observed);
    let because = if difference.uncorrected && chance.is_some() && !unjudged_blocks {
        format!(
            "judges: over topics the lead of {leader}, {seen}, is significant (adjusted p {}), but it is not known what the judges' errors do to this measure; compare \
             P, RBP, DCG or CG, or leave --calibration out for a verdict by the labels as they are",
            probability(p)
        )
    } else if chance.is_none() && grounds.unresolvable {
        format!("no outcome on {topics} topics could have reached an adjusted p below {}", show_alpha(alpha))
    } else if chance.is_none() {
        let turned = unjudged_blocks && difference.turns();
        let needed = match grounds.topics_needed {
            // More topics judged like these would only show what unjudged documents may turn.
            _ if turned => String::new(),
            Some(needed) if needed > topics as u64 => {
                format!("; about {needed} topics would show a difference of this size")
            }
            _ => String::new(),
        };
        let too = if !unjudged_blocks || difference.unmodelled {
            String::new()
        } else if turned {
            format!(
                ". Unjudged documents block it too: with what they probably are {other} is ahead by {}, so judge them before asking more topics",
                self::show(difference.expected.abs())
            )
        } else {
            format!(
                ". Unjudged documents block it too: with what they probably are the difference is {}",
                show(difference.expected)
            )
        };
        // An interval that leaves out 0 is no evidence of chance: it is that of a pair alone, and there are others.
        let alone = if over_topics.0 > 0.0 || over_topics.1 < 0.0 { " of this pair alone" } else { "" };
        let among = if alone.is_empty() { "" } else { ", for it is one of several that were compared" };
        format!(
            "queries: that {leader} is ahead by {seen} over {topics} topics may be chance{among} ({percent} interval over topics{alone} {}, adjusted p {}){needed}{too}",
            range(over_topics),
            probability(p)
        )
    } else if difference.unmodelled {
        format!(
            "unjudged documents: over topics the lead of {leader} is significant (adjusted p {}), but they could turn it{} and no model says what they probably are",
            probability(p),
            difference.bounds.map_or_else(String::new, |bounds| format!(" ({})", range(bounds)))
        )
    } else if unjudged_blocks {
        format!(
            "unjudged documents: over topics the lead of {leader}, {seen}, is significant (adjusted p {}), but with what they probably are it is {} ({percent} interval {})",
            probability(p),
            show(difference.expected),
            range(whole)
        )
    } else if judges_block {
        format!(
            "judges: over topics the lead of {leader} is significant (adjusted p {}), but with the error of the judges' calibration the {percent} interval is {}",
            probability(p),
            range(whole)
        )
    } else {
        format!(
            "queries, unjudged documents and judges together: none alone, but with all of them the {percent} interval of {leader}'s lead is {}",
            range(whole)
        )
    };
    undecided(because, blocked)
}

fn probability(p: f64) -> String {
    NumberStyle::P.show(p)
}

fn show_alpha(alpha: f64) -> String {
    NumberStyle::Significant(2).show(alpha)
}
