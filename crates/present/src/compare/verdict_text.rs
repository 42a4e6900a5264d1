//! The verdict in words: the conclusion first, then the numbers, then what would help. Numbers are the leader's lead, and
//! positive where it leads.

use karat_analysis::compare::Comparison;
use karat_analysis::compare::verdict::{NoP, Range, Reason, Side, Verdict, WorstCase};
use karat_report::NumberStyle;

use crate::words::{error_sources, percent};

/// What the interval and the p of a sentence are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Basis {
    /// The sources of error that the interval includes.
    pub sources: &'static str,
    /// Whether p is adjusted for several pairs.
    pub adjusted: bool,
    /// The power that the number of topics needed is for.
    pub power: f64,
}

impl Basis {
    /// That of a comparison among so many pairs of the same measure.
    pub fn new(comparison: &Comparison, pairs: usize, power: f64) -> Basis {
        let difference = &comparison.difference;
        Basis {
            sources: error_sources(difference.unjudged.is_some(), difference.judges.is_some()),
            adjusted: pairs > 1,
            power,
        }
    }
}

/// One sentence or two, without the last full stop; `names` are those of the two runs.
pub fn because(verdict: &Verdict, names: (&str, &str), basis: Basis) -> String {
    let words = Words { verdict, names, basis };
    match &verdict.reason {
        Reason::NoTest(NoP::NotRun) => "No test: the randomisation test was not run".into(),
        Reason::NoTest(NoP::NoTest(why)) => format!("No test: {why}"),
        Reason::NoInterval(why) => format!("No interval: {why}"),
        Reason::Better { lead, interval, p, worst_case } => {
            let better = format!(
                "{} is better by {} ({}; {})",
                words.leader(),
                score(*lead),
                words.interval(*interval),
                words.p(*p)
            );
            let strict = verdict.winner.is_none();
            better + &if strict { words.uncertain(*worst_case) } else { words.worst_case(*worst_case) }
        }
        Reason::NotSignificant { .. } => words.not_significant(),
        Reason::Unresolvable { topics, alpha } => format!(
            "Too few topics: no result on {topics} topics could reach {} below {}",
            if basis.adjusted { "an adjusted p" } else { "a p" },
            NumberStyle::Significant(2).show(*alpha)
        ),
        Reason::Unmodelled { .. }
        | Reason::Unjudged { .. }
        | Reason::Uncorrected { .. }
        | Reason::Judges { .. }
        | Reason::Together { .. } => words.significant_but(),
    }
}

/// What every sentence needs.
struct Words<'a> {
    verdict: &'a Verdict,
    names: (&'a str, &'a str),
    basis: Basis,
}

impl Words<'_> {
    fn leader(&self) -> &str {
        if self.verdict.leader == Side::A { self.names.0 } else { self.names.1 }
    }

    fn other(&self) -> &str {
        if self.verdict.leader == Side::A { self.names.1 } else { self.names.0 }
    }

    /// "new's lead of 0.0500".
    fn lead(&self, lead: f64) -> String {
        format!("{}'s lead of {}", self.leader(), score(lead))
    }

    /// "95% interval -0.0100 to 0.1100, topics".
    fn interval(&self, interval: Range) -> String {
        self.interval_of("", interval)
    }

    fn interval_of(&self, what: &str, interval: Range) -> String {
        format!("{} interval{what} {}, {}", percent(self.verdict.level), range(interval), self.basis.sources)
    }

    fn p(&self, p: f64) -> String {
        format!("{} {}", if self.basis.adjusted { "adjusted p" } else { "p" }, NumberStyle::P.show(p))
    }

    /// What the relevance model says of a lead: negative where the other run leads.
    fn modelled(&self, modelled: f64) -> String {
        if modelled < 0.0 {
            format!("under the relevance model {} leads by {}", self.other(), score(modelled.abs()))
        } else {
            format!("under the relevance model the lead is {}", score(modelled))
        }
    }

    /// Significant over topics, but something else leaves it open.
    fn significant_but(&self) -> String {
        let significant = |lead: f64, p: f64| format!("{} is significant over topics ({})", self.lead(lead), self.p(p));
        match &self.verdict.reason {
            Reason::Unmodelled { lead, p, bounds } => format!(
                "No relevance model for the unjudged documents, which could change the result{}: {}",
                bounds.map_or_else(String::new, |bounds| format!(" (bounds {})", range(bounds))),
                significant(*lead, *p)
            ),
            Reason::Unjudged { lead, p, modelled, interval } => format!(
                "Unjudged documents: {}, but {} ({}). More judgements would help (karat next)",
                significant(*lead, *p),
                self.modelled(*modelled),
                self.interval_of(&format!(" of {}'s lead", self.leader()), *interval)
            ),
            Reason::Uncorrected { lead, p } => format!(
                "Judges: {}, but the effect of judge errors on this measure is not known. Use P, RBP, DCG or CG, or omit --calibration",
                significant(*lead, *p)
            ),
            Reason::Judges { lead, p, interval } => format!(
                "Judges: {}, but not with the calibration error ({})",
                significant(*lead, *p),
                self.interval(*interval)
            ),
            Reason::Together { lead, interval } => format!(
                "Topics, unjudged documents and judges together: {} is significant with each alone, but not with all ({})",
                self.lead(*lead),
                self.interval(*interval)
            ),
            _ => String::new(),
        }
    }

    fn not_significant(&self) -> String {
        let Reason::NotSignificant { lead, topics, interval, p, corrected, topics_needed, modelled } =
            &self.verdict.reason
        else {
            return String::new();
        };
        let after = if *corrected { " after the correction for several pairs" } else { "" };
        let alone = if *corrected { " of this pair alone" } else { "" };
        let power = percent(self.basis.power);
        let needed = topics_needed.map_or_else(String::new, |needed| {
            format!(". About {needed} topics would be needed (power {power}; see karat plan topics)")
        });
        let modelled = modelled.map_or_else(String::new, |modelled| {
            let advice = if modelled < 0.0 { ": judge documents (karat next) before adding topics" } else { "" };
            format!(". {}{advice}", sentence(&self.modelled(modelled)))
        });
        format!(
            "Not significant{after}: {} leads by {} on {topics} topics ({}; {}){needed}{modelled}",
            self.leader(),
            score(*lead),
            self.interval_of(alone, *interval),
            self.p(*p)
        )
    }

    fn worst_case(&self, worst_case: WorstCase) -> String {
        match worst_case {
            WorstCase::Unknown | WorstCase::Closed => String::new(),
            WorstCase::Holds(bounds) => {
                format!(". Certain: holds however the unjudged documents are judged (bounds {})", range(bounds))
            }
            // Everything retrieved was judged: nothing more to tell.
            WorstCase::IfAllRetrieved((low, high)) | WorstCase::NotSignificant((low, high)) if low == high => {
                String::new()
            }
            WorstCase::NotSignificant(bounds) => {
                format!(". Not certain: in the worst case it is not significant (bounds {})", range(bounds))
            }
            WorstCase::IfAllRetrieved(bounds) => {
                format!(". Not certain: bounds {} assume that all relevant documents were retrieved", range(bounds))
            }
            WorstCase::HoldsAtErrorRates(bounds) => format!(
                ". Holds at the estimated judge error rates, however the unjudged documents are judged (bounds {})",
                range(bounds)
            ),
            WorstCase::Reversible(bounds) => {
                format!(". Not certain: the unjudged documents could reverse it (bounds {})", range(bounds))
            }
        }
    }

    /// Why `--strict` withholds a verdict.
    fn uncertain(&self, worst_case: WorstCase) -> String {
        let why = match worst_case {
            WorstCase::Reversible(bounds) => {
                format!("the unjudged documents could reverse it (bounds {})", range(bounds))
            }
            WorstCase::Unknown => "there are no bounds".into(),
            WorstCase::NotSignificant(_) => "it is not significant in the worst case".into(),
            WorstCase::IfAllRetrieved(_) => {
                "the bounds of this measure assume that all relevant documents were retrieved".into()
            }
            _ => "the judge error rates are estimates".into(),
        };
        format!(". Undecided because of --strict: {why}")
    }
}

/// Words as a sentence begins.
fn sentence(words: &str) -> String {
    let mut rest = words.chars();
    rest.next().map_or_else(String::new, |first| first.to_uppercase().chain(rest).collect())
}

fn score(value: f64) -> String {
    NumberStyle::Score.show(value)
}

fn range((low, high): Range) -> String {
    format!("{} to {}", score(low), score(high))
}

#[cfg(test)]
mod tests {
    use karat_analysis::compare::verdict::Block;

    use super::*;

    #[test]
    fn the_conclusion_comes_first_and_the_leader_leads() {
        let (winner, undecided) = (Some(Side::B), None);
        let worst_case = WorstCase::Reversible((-0.0018, 0.5075));
        let better = Reason::Better { lead: 0.0752, interval: (0.0257, 0.254), p: 0.0075, worst_case };
        let open = |topics_needed, modelled| Reason::NotSignificant {
            lead: 0.05,
            topics: 50,
            interval: (-0.01, 0.11),
            p: 0.12,
            corrected: false,
            topics_needed,
            modelled,
        };
        let rows = [
            (
                winner,
                better.clone(),
                "new is better by 0.0752 (95% interval 0.0257 to 0.2540, topics; adjusted p 0.0075). Not certain: the unjudged documents could reverse it (bounds -0.0018 to 0.5075)",
            ),
            (
                undecided,
                better,
                "new is better by 0.0752 (95% interval 0.0257 to 0.2540, topics; adjusted p 0.0075). Undecided because of --strict: the unjudged documents could reverse it (bounds -0.0018 to 0.5075)",
            ),
            (
                undecided,
                open(Some(193), None),
                "Not significant: new leads by 0.0500 on 50 topics (95% interval -0.0100 to 0.1100, topics; adjusted p 0.12). About 193 topics would be needed (power 80%; see karat plan topics)",
            ),
            (
                undecided,
                open(None, Some(-0.02)),
                "Not significant: new leads by 0.0500 on 50 topics (95% interval -0.0100 to 0.1100, topics; adjusted p 0.12). Under the relevance model old leads by 0.0200: judge documents (karat next) before adding topics",
            ),
            (
                undecided,
                Reason::Unresolvable { topics: 5, alpha: 0.05 },
                "Too few topics: no result on 5 topics could reach an adjusted p below 0.050",
            ),
        ];
        for (winner, reason, expected) in rows {
            let blocked = vec![Block::Queries];
            let verdict =
                Verdict { winner, certain: false, blocked, leans: None, leader: Side::B, level: 0.95, reason };
            let basis = Basis { sources: error_sources(false, false), adjusted: true, power: 0.8 };
            assert_eq!(because(&verdict, ("old", "new"), basis), expected);
        }
    }
}
