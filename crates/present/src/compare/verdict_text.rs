//! The verdict in words: the conclusion first, then the numbers, then what would help. Numbers are the leader's lead, and
//! positive where it leads.

use karat_analysis::compare::Comparison;
use karat_analysis::compare::tipping::Tipping;
use karat_analysis::compare::to_settle::ToSettle;
use karat_analysis::compare::verdict::{Assumption, Basis, NoP, Range, Reason, Side, Verdict};
use karat_analysis::settle::estimate::{FEWEST_TOPICS, NoSample};
use karat_report::NumberStyle;

use crate::words::{SAMPLED_SOURCES, error_sources, percent};

/// What the numbers of a sentence are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wording<'a> {
    /// The sources of error that the interval includes.
    pub sources: &'static str,
    /// Whether p is adjusted for several pairs.
    pub adjusted: bool,
    /// The power that the number of topics needed is for.
    pub power: f64,
    /// The largest grade that unjudged documents may have, where that matters.
    pub graded_to: Option<f64>,
    /// Whether a relevant document that neither run retrieved lowers the measure.
    pub counts_missed: bool,
    /// Whether there are unjudged documents that could change the difference.
    pub open: bool,
    /// Sampled judgements that would settle it.
    pub to_settle: Option<ToSettle>,
    /// The look at a judged sample, and how many were planned, where there is more than one.
    pub look: Option<(u32, Option<u32>)>,
    /// When the conclusion fails.
    pub tipping: Option<&'a Tipping>,
    /// The run with the highest rate of relevance.
    pub best: Option<&'a str>,
}

impl<'a> Wording<'a> {
    /// That of a comparison among so many pairs of the same measure; `names` are those of all runs.
    pub fn new(comparison: &'a Comparison, names: &'a [String], pairs: usize, power: f64) -> Wording<'a> {
        let difference = &comparison.difference;
        let best = comparison.tipping.as_ref().and_then(|found| found.best_run);
        Wording {
            sources: match &comparison.sampled {
                Some(sampled) if sampled.facts.look.is_some() => "topics and sampled judgements, all looks together",
                Some(_) => SAMPLED_SOURCES,
                None => error_sources(difference.unjudged.is_some(), difference.judges.is_some()),
            },
            adjusted: pairs > 1,
            power,
            graded_to: comparison.graded_to,
            counts_missed: comparison.counts_missed,
            open: !difference.is_closed(),
            to_settle: comparison.to_settle,
            look: comparison.sampled.as_ref().and_then(|sampled| sampled.facts.look),
            tipping: comparison.tipping.as_ref(),
            best: best.and_then(|run| names.get(run)).map(String::as_str),
        }
    }
}

/// One sentence or two, without the last full stop; `names` are those of the two runs.
pub fn because(verdict: &Verdict, names: (&str, &str), wording: Wording<'_>) -> String {
    let words = Words { verdict, names, wording };
    match &verdict.reason {
        Reason::NoTest(NoP::NotRun) => "No test: the randomisation test was not run".into(),
        Reason::NoTest(NoP::NoTest(why)) => format!("No test: {why}"),
        Reason::NoInterval(why) => format!("No interval: {why}"),
        Reason::Described { lead, interval } => format!(
            "No verdict: {} leads by {} ({}), but a relevance model of unjudged documents gives no verdict",
            words.leader(),
            score(*lead),
            words.interval(*interval)
        ),
        Reason::Better { lead, interval, p, bounds } => words.better(*lead, *interval, *p) + &words.basis(*bounds),
        Reason::NotSignificant { .. } => words.not_significant(),
        Reason::Settled { .. } | Reason::NotSettled { .. } | Reason::NoSample(_) => words.sampled(),
        Reason::Unresolvable { topics, alpha } => format!(
            "Too few topics: no result on {topics} topics could reach {} below {}",
            if wording.adjusted { "an adjusted p" } else { "a p" },
            NumberStyle::Significant(2).show(*alpha)
        ),
        Reason::Unjudged { lead, p, .. } => words.unjudged(*lead, *p),
        Reason::Uncorrected { lead, p } => format!(
            "Judges: {}, but the effect of judge errors on this measure is not known. Use P, RBP, DCG or CG, or omit --calibration",
            words.significant(*lead, *p)
        ),
        Reason::Judges { lead, p, interval } => format!(
            "Judges: {}, but not with the calibration error ({})",
            words.significant(*lead, *p),
            words.interval(*interval)
        ),
    }
}

/// A tipping point below this share is said to be none.
const NEXT_TO_NONE: f64 = 0.005;

/// What verdicts on AP, nDCG and recall assume besides.
const NO_OTHER_MISSING: &str = "no other relevant document is missing from the judgements";

/// More topics than this are not counted.
const MANY_TOPICS: u64 = 10_000;

/// What every sentence needs.
struct Words<'a> {
    verdict: &'a Verdict,
    names: (&'a str, &'a str),
    wording: Wording<'a>,
}

impl Words<'_> {
    fn leader(&self) -> &str {
        if self.verdict.leader == Side::A { self.names.0 } else { self.names.1 }
    }

    fn other(&self) -> &str {
        if self.verdict.leader == Side::A { self.names.1 } else { self.names.0 }
    }

    /// "new's lead of 0.0500 is significant over topics (p 0.01)".
    fn significant(&self, lead: f64, p: f64) -> String {
        format!("{}'s lead of {} is significant over topics ({})", self.leader(), score(lead), self.p(p))
    }

    /// "95% interval -0.0100 to 0.1100, topics".
    fn interval(&self, interval: Range) -> String {
        self.interval_of("", interval)
    }

    fn interval_of(&self, what: &str, interval: Range) -> String {
        format!("{} interval{what} {}, {}", percent(self.verdict.level), range(interval), self.wording.sources)
    }

    fn p(&self, p: f64) -> String {
        format!("{} {}", if self.wording.adjusted { "adjusted p" } else { "p" }, NumberStyle::P.show(p))
    }

    /// What a verdict rests on, or why `--strict` withholds it.
    fn basis(&self, bounds: Option<Range>) -> String {
        match self.verdict.basis() {
            Some(Basis::Certain) => match bounds {
                Some((low, high)) if low != high => {
                    let grades = self.wording.graded_to.map_or_else(String::new, |grade| {
                        format!(", up to grade {} (--max-grade)", NumberStyle::Given.show(grade))
                    });
                    format!(
                        ". Certain: holds however the unjudged documents are judged{grades} (bounds {})",
                        range((low, high))
                    )
                }
                _ => String::new(),
            },
            Some(Basis::Assumed(Assumption::SparseJudgements)) => {
                ". Assumes that documents without a judgement are not relevant, as usual where only relevant ones are judged".into()
            }
            Some(Basis::Assumed(Assumption::UnjudgedNotRelevant)) => match self.wording.tipping {
                Some(tipping) => format!(". {}", self.holds_unless(tipping)),
                None if bounds.is_some_and(|(low, _)| low > 0.0) => {
                    ". Holds at the estimated judge error rates, however the unjudged documents are judged".into()
                }
                None => ". Assumes that unjudged documents are not relevant".into(),
            },
            Some(Basis::Sampled) => String::new(),
            None => ". No verdict because of --strict: the unjudged documents could reverse it".into(),
        }
    }

    /// "new is better by 0.0500 (95% interval 0.0100 to 0.0900, topics; p 0.01)".
    fn better(&self, lead: f64, interval: Range, p: f64) -> String {
        format!("{} is better by {} ({}; {})", self.leader(), score(lead), self.interval(interval), self.p(p))
    }

    /// What a judged sample says.
    fn sampled(&self) -> String {
        match &self.verdict.reason {
            Reason::Settled { lead, interval, p, judged } => format!(
                "{}. Estimated from {judged} sampled judgements, without an assumption about the other unjudged documents",
                self.better(*lead, *interval, *p)
            ),
            Reason::NotSettled { interval, judged, open, .. } if *open > 0 => format!(
                "Not settled: {open} of {} sampled documents are not judged, and the interval allows for every label they may have ({}). Judge them first",
                judged + open,
                self.interval_of(&format!(" of {}'s lead", self.leader()), *interval)
            ),
            Reason::NotSettled { lead, interval, p, judged, by_topics, .. } => format!(
                "Not settled by {judged} sampled judgements: {} leads by {} ({}; {}). {}",
                self.leader(),
                score(*lead),
                self.interval(*interval),
                self.p(*p),
                match self.wording.look {
                    Some((number, Some(planned))) if number < planned => {
                        "Draw the next batch (karat settle --sample FORM)"
                    }
                    _ if *by_topics => {
                        "The topics contribute more to the uncertainty than the sample, so more topics would help most"
                    }
                    _ => {
                        "The sample contributes more to the uncertainty than the topics, so more judgements would help (karat settle --sample FORM)"
                    }
                }
            ),
            Reason::NoSample(NoSample::FewTopics { have }) => format!(
                "Not settled: {have} topics were sampled, and {FEWEST_TOPICS} are needed. Draw more (karat settle --sample)"
            ),
            Reason::NoSample(NoSample::OpenLabels { open }) => format!(
                "Not settled: {open} sampled documents have no usable label, and this measure is no sum over documents. Judge them, or use P@k, RBP or DCG"
            ),
            Reason::NoSample(NoSample::Interval(why)) => format!("No interval: {why}"),
            _ => String::new(),
        }
    }

    /// Up to where an assumed verdict holds.
    fn holds_unless(&self, tipping: &Tipping) -> String {
        let which = self.which();
        if tipping.needs_equal_rates(self.verdict.leader) {
            return self.equal_rates(tipping);
        }
        match tipping.point {
            None if !self.wording.open && !self.wording.counts_missed => {
                "Its documents are all judged; judging those of other runs could change the correction for several pairs".into()
            }
            None if tipping.documents == 0 => {
                "Assumes that no relevant document is missing from the judgements and from both runs".into()
            }
            None if self.wording.counts_missed => {
                format!("Holds even if all {which} are relevant, but assumes that {NO_OTHER_MISSING}")
            }
            None => format!("Holds even if all {which} are relevant"),
            Some(point) => format!(
                "Holds unless more than {} of the {which} are relevant, weighted by rank. {}{}",
                share(point),
                self.rates(tipping),
                self.missed()
            ),
        }
    }

    /// What verdicts assume besides on measures that relevant documents lower which nobody retrieved.
    fn missed(&self) -> String {
        if self.wording.counts_missed { format!(". Also assumes that {NO_OTHER_MISSING}") } else { String::new() }
    }

    /// What a verdict on two pooled runs assumes, where it must.
    fn equal_rates(&self, tipping: &Tipping) -> String {
        let (leader, other) = (self.leader(), self.other());
        let (of_leader, of_other) =
            if self.verdict.leader == Side::A { (&tipping.a, &tipping.b) } else { (&tipping.b, &tipping.a) };
        let seen =
            of_leader.rate.zip(of_other.rate).filter(|_| !of_leader.unique).map_or_else(String::new, |(one, two)| {
                format!(". Judged documents at these ranks: {} for {leader}, {} for {other}", share(one), share(two))
            });
        let fails = tipping.point.map_or_else(String::new, |point| {
            format!(". It fails if more than {} of those that {other} ranks higher are, and no others", share(point))
        });
        format!(
            "Assumes that the unjudged documents of both runs, which were both pooled, are relevant equally often{seen}{fails}{}",
            self.missed()
        )
    }

    /// The unjudged documents that a tipping point is about.
    fn which(&self) -> String {
        format!("unjudged documents that {} ranks higher", self.other())
    }

    /// How often judged documents are relevant at the same ranks.
    fn rates(&self, tipping: &Tipping) -> String {
        let trailing = if self.verdict.leader == Side::A { &tipping.b } else { &tipping.a };
        let Some(own) = trailing.rate else { return "Too few judged documents at these ranks to compare with".into() };
        if trailing.unique {
            return format!(
                "Documents that one pooled run alone brought into the pool are relevant at a rate of {} at these ranks (upper limit {})",
                share(own),
                share(trailing.upper)
            );
        }
        let best = self.wording.best.filter(|best| *best != self.other()).zip(tipping.best.rate);
        let best = best.map_or_else(String::new, |(name, rate)| {
            format!(" and {} for {name} ({})", share(rate), share(tipping.best.upper))
        });
        format!(
            "The rate of judged documents at these ranks: {} for {} (upper limit {}){best}",
            share(own),
            self.other(),
            share(trailing.upper)
        )
    }

    /// Significant, but not at the rates of relevance that are seen.
    fn unjudged(&self, lead: f64, p: f64) -> String {
        let but = match self.wording.tipping {
            Some(tipping) if tipping.point.is_some_and(|point| point < NEXT_TO_NONE) => {
                format!("not shown to hold if any of the {} {} is relevant", tipping.documents, self.which())
            }
            Some(tipping) => format!(
                "not shown to hold if more than {} of the {} are relevant, weighted by rank. {}",
                share(tipping.point.unwrap_or(1.0)),
                self.which(),
                self.rates(tipping)
            ),
            None => "the unjudged documents could reverse it".into(),
        };
        let help = match self.wording.to_settle {
            Some(ToSettle { judgements, .. }) => {
                format!("About {judgements} sampled judgements would settle it (karat settle)")
            }
            None => "More judgements would help (karat settle, karat next)".to_owned(),
        };
        format!("Unjudged documents: {}, but {but}. {help}", self.significant(lead, p))
    }

    fn not_significant(&self) -> String {
        let Reason::NotSignificant { lead, topics, interval, p, corrected, topics_needed } = &self.verdict.reason
        else {
            return String::new();
        };
        let after = if *corrected { " after the correction for several pairs" } else { "" };
        let alone = if *corrected { " of this pair alone" } else { "" };
        let power = percent(self.wording.power);
        let needed = topics_needed.map_or_else(String::new, |needed| {
            let number =
                if needed > MANY_TOPICS { format!("More than {MANY_TOPICS}") } else { format!("About {needed}") };
            format!(". {number} topics would be needed (power {power}; see karat plan topics)")
        });
        format!(
            "Not significant{after}: {} leads by {} on {topics} topics ({}; {}){needed}{}",
            self.leader(),
            score(*lead),
            self.interval_of(alone, *interval),
            self.p(*p),
            match self.wording.to_settle {
                Some(ToSettle { judgements, expected }) => format!(
                    ". If unjudged documents are relevant as often as judged ones, {} leads by {}: about {judgements} sampled judgements would show that (karat settle)",
                    if expected >= 0.0 { self.names.0 } else { self.names.1 },
                    score(expected.abs())
                ),
                None if self.wording.open => {
                    ". Unjudged documents count as not relevant here; karat budget shows the difference expected with them".into()
                }
                None => String::new(),
            }
        )
    }
}

/// A share as people write it: 34%.
fn share(value: f64) -> String {
    format!("{}%", NumberStyle::Significant(2).show(100.0 * value))
}

fn score(value: f64) -> String {
    NumberStyle::Score.show(value)
}

fn range((low, high): Range) -> String {
    format!("{} to {}", score(low), score(high))
}

#[cfg(test)]
mod tests {
    use karat_analysis::compare::tipping::rates::Rate;
    use karat_analysis::compare::verdict::Block;

    use super::*;

    fn rate(rate: f64, upper: f64) -> Rate {
        Rate { rate: Some(rate), upper, unique: false }
    }

    #[test]
    fn the_conclusion_comes_first_and_the_leader_leads() {
        let not_relevant = Basis::Assumed(Assumption::UnjudgedNotRelevant);
        let better =
            Reason::Better { lead: 0.0752, interval: (0.0257, 0.254), p: 0.0075, bounds: Some((-0.0018, 0.5075)) };
        let open = |topics_needed| Reason::NotSignificant {
            lead: 0.05,
            topics: 50,
            interval: (-0.01, 0.11),
            p: 0.12,
            corrected: false,
            topics_needed,
        };
        let tipping = Tipping {
            point: Some(0.34),
            lead_at_point: Some(0.02),
            documents: 120,
            alike: None,
            a: rate(0.22, 0.28),
            b: rate(0.3, 0.4),
            best_run: Some(1),
            best: rate(0.3, 0.4),
        };
        // Above both upper limits; and pooled runs, for which it is so only at equal rates.
        let above = Tipping { point: Some(0.51), ..tipping.clone() };
        let pooled = Tipping { alike: Some(Box::new(above.clone())), ..tipping.clone() };
        let tipping = Some(&tipping);
        let rows = [
            (
                Some(Basis::Certain),
                better.clone(),
                None,
                "new is better by 0.0752 (95% interval 0.0257 to 0.2540, topics; adjusted p 0.0075). Certain: holds however the unjudged documents are judged (bounds -0.0018 to 0.5075)",
            ),
            (
                Some(not_relevant),
                better.clone(),
                Some(&pooled),
                "new is better by 0.0752 (95% interval 0.0257 to 0.2540, topics; adjusted p 0.0075). Assumes that the unjudged documents of both runs, which were both pooled, are relevant equally often. Judged documents at these ranks: 30% for new, 22% for old. It fails if more than 34% of those that old ranks higher are, and no others",
            ),
            (
                Some(not_relevant),
                better.clone(),
                Some(&above),
                "new is better by 0.0752 (95% interval 0.0257 to 0.2540, topics; adjusted p 0.0075). Holds unless more than 51% of the unjudged documents that old ranks higher are relevant, weighted by rank. The rate of judged documents at these ranks: 22% for old (upper limit 28%) and 30% for new (40%)",
            ),
            (
                None,
                better,
                None,
                "new is better by 0.0752 (95% interval 0.0257 to 0.2540, topics; adjusted p 0.0075). No verdict because of --strict: the unjudged documents could reverse it",
            ),
            (
                None,
                Reason::Unjudged { lead: 0.0752, interval: (0.0257, 0.254), p: 0.0075 },
                tipping,
                "Unjudged documents: new's lead of 0.0752 is significant over topics (adjusted p 0.0075), but not shown to hold if more than 34% of the unjudged documents that old ranks higher are relevant, weighted by rank. The rate of judged documents at these ranks: 22% for old (upper limit 28%) and 30% for new (40%). About 60 sampled judgements would settle it (karat settle)",
            ),
            (
                None,
                open(Some(193)),
                None,
                "Not significant: new leads by 0.0500 on 50 topics (95% interval -0.0100 to 0.1100, topics; adjusted p 0.12). About 193 topics would be needed (power 80%; see karat plan topics). If unjudged documents are relevant as often as judged ones, old leads by 0.0200: about 60 sampled judgements would show that (karat settle)",
            ),
            (
                None,
                Reason::Unresolvable { topics: 5, alpha: 0.05 },
                None,
                "Too few topics: no result on 5 topics could reach an adjusted p below 0.050",
            ),
        ];
        for (basis, reason, tipping, expected) in rows {
            let winner = basis.map(|basis| (Side::B, basis));
            let verdict = Verdict { winner, blocked: vec![Block::Queries], leader: Side::B, level: 0.95, reason };
            let sources = error_sources(false, false);
            let wording = Wording {
                sources,
                adjusted: true,
                power: 0.8,
                graded_to: None,
                counts_missed: false,
                open: true,
                to_settle: Some(ToSettle { judgements: 60, expected: 0.02 }),
                look: None,
                tipping,
                best: Some("new"),
            };
            assert_eq!(because(&verdict, ("old", "new"), wording), expected);
        }
    }
}
