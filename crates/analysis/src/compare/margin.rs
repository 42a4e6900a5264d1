//! Not worse, or equivalent, within a margin: one-sided tests of the difference plus the margin.
//!
//! The one decision: "not worse" obeys the same rule as "better": Student's limit and the randomisation test, one-sided at 1 − level, and a basis.
//! With few topics it also fails where large losses on topics unlike those seen would exceed the margin; with more of them that is a warning. Leads that
//! are all the same obey the same rule: runs with equal scores are equivalent if there are enough topics, or the margin is large.
//! Two runs are equivalent when neither is worse than the other (two one-sided tests). Nothing is corrected for the number of pairs, because a release
//! must pass every one. A judged sample says the same by its own limits.

use karat_measures::BoundsKind;
use karat_stats::Sample;
use karat_stats::dist::student_t;
use karat_stats::rare_losses::{RareLosses, rare_losses};
use karat_stats::test::{self, Alternative, Settings};

use super::gathered::Gathered;
use super::tipping::Tipping;
use super::verdict::{Assumption, Basis, Evidence, Range, Side, Unjudged};
use super::{CompareOptions, DECIDING};
use crate::settle::estimate::{Estimated, OneSided};

/// With fewer topics, a tenth of them that is unlike the others is missed more often than in 7% of samples: .9^25 = .072.
pub const FEW_TOPICS: usize = 25;

/// What is seen of one run's claim not to be worse.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct SideEvidence {
    /// The lower limit of its lead, one-sided.
    limit: Option<f64>,
    /// The p of the test that its lead is above minus the margin.
    p: Option<f64>,
    /// What speaks for rare large losses that would exceed the margin.
    rare_losses: Option<RareLosses>,
    /// Whether both decide.
    significant: bool,
    /// Whether both decide with every topic at its worst case.
    certain: bool,
}

/// Both runs' claims.
pub(super) struct Margins {
    margin: f64,
    /// The first run's and the second run's.
    pub sides: [SideEvidence; 2],
}

/// Whether a run is shown not to be worse.
#[derive(Debug, Clone, PartialEq)]
pub struct NotWorse {
    /// What the conclusion rests on; `None`: not shown.
    pub basis: Option<Basis>,
    /// The lower limit of the run's lead; `None` with too few topics.
    pub limit: Option<f64>,
    /// The p of the test against the margin; `None` where there is none.
    pub p: Option<f64>,
    /// What speaks for rare large losses that would exceed the margin.
    pub rare_losses: Option<RareLosses>,
    /// When the conclusion fails, where that was looked at.
    pub tipping: Option<Tipping>,
}

/// What holds within a margin.
#[derive(Debug, Clone, PartialEq)]
pub struct MarginOutcome {
    /// The margin.
    pub margin: f64,
    /// The run that is not the baseline.
    pub candidate: Side,
    /// Whether it is not worse.
    pub not_worse: NotWorse,
    /// Whether the other run is not worse than it.
    pub other_not_worse: NotWorse,
}

impl MarginOutcome {
    /// Whether the runs are equivalent.
    pub fn equivalent(&self) -> bool {
        self.not_worse.basis.is_some() && self.other_not_worse.basis.is_some()
    }
}

/// What a judged sample says of one run's claim not to be worse.
#[derive(Debug, Clone, PartialEq)]
pub struct SampledClaim {
    found: Option<OneSided>,
    rare_losses: Option<RareLosses>,
    holds: bool,
}

impl SampledClaim {
    /// The same rule as for topics: limit and p must decide, at the level of this look, and with few topics rare large losses must not exceed the margin.
    pub fn new(estimated: &Estimated, side: Side, (margin, largest): (f64, f64), alpha: f64) -> SampledClaim {
        let found = estimated.one_sided(side == Side::B, margin, alpha);
        let moved: Vec<f64> = estimated.leads(side == Side::B).iter().map(|lead| lead + margin).collect();
        let rare_losses = Sample::new(&moved).ok().and_then(|moved| rare_losses(&moved, largest));
        let hidden = rare_losses.is_some() && moved.len() < FEW_TOPICS;
        let decides = |found: OneSided| found.limit > 0.0 - margin && found.p < alpha;
        SampledClaim { found, rare_losses, holds: found.is_some_and(decides) && !hidden }
    }
}

impl NotWorse {
    /// What is certain needs no sample.
    fn settle(&mut self, claim: SampledClaim) {
        if self.basis == Some(Basis::Certain) {
            return;
        }
        *self = NotWorse {
            basis: claim.holds.then_some(Basis::Sampled),
            limit: claim.found.map(|found| found.limit),
            p: claim.found.map(|found| found.p),
            rare_losses: claim.rare_losses,
            tipping: None,
        };
    }
}

impl MarginOutcome {
    /// Puts what a judged sample says of both runs' claims in the place of what was assumed.
    pub(super) fn settle(&mut self, [of_a, of_b]: [SampledClaim; 2]) {
        let (own, other) = if self.candidate == Side::A { (of_a, of_b) } else { (of_b, of_a) };
        self.not_worse.settle(own);
        self.other_not_worse.settle(other);
    }
}

/// What topics say of both claims.
pub(super) fn gather(one: &Gathered, options: &CompareOptions<'_>, margin: f64) -> Margins {
    let largest = one.difference.largest;
    let alpha = 1.0 - options.inference.level;
    let judges = one.difference.judges.unwrap_or(0.0);
    let claim = |side: Side| {
        let leads: Vec<f64> = one.difference.topics.iter().map(|topic| side.lead(topic.observed)).collect();
        let (limit, p) = one_sided(&leads, margin, judges, (alpha, &options.settings));
        let holds = |limit: Option<f64>, p: Option<f64>| {
            limit.is_some_and(|limit| limit > 0.0 - margin) && p.is_some_and(|p| p < alpha)
        };
        let moved: Vec<f64> = leads.iter().map(|lead| lead + margin).collect();
        let rare_losses = Sample::new(&moved).ok().and_then(|moved| rare_losses(&moved, largest));
        let hidden = rare_losses.is_some() && leads.len() < FEW_TOPICS;
        let significant = holds(limit, p) && !hidden && !one.difference.uncorrected;
        let worst = || -> Option<bool> {
            let worst = |bounds: Range| side.leads(bounds).0;
            let leads =
                one.difference.topics.iter().map(|topic| topic.bounds.map(worst)).collect::<Option<Vec<f64>>>()?;
            let (limit, p) = one_sided(&leads, margin, judges, (alpha, &options.settings));
            Some(holds(limit, p))
        };
        let certain =
            significant && one.bounds_kind == BoundsKind::Complete && !one.evidence.calibrated && worst() == Some(true);
        SideEvidence { limit, p, rare_losses, significant, certain }
    };
    Margins { margin, sides: [claim(Side::A), claim(Side::B)] }
}

/// The lower limit of a mean lead, and the p of the randomisation test that it is above minus the margin.
fn one_sided(
    leads: &[f64],
    margin: f64,
    judges: f64,
    (alpha, settings): (f64, &Settings),
) -> (Option<f64>, Option<f64>) {
    let Ok(sample) = Sample::new(leads) else { return (None, None) };
    let error = sample.std_error().ok();
    let quantile = student_t::upper_quantile(alpha, leads.len() as f64 - 1.0).ok();
    let limit = error.zip(quantile).map(|(error, quantile)| sample.mean() - quantile * (error * error + judges).sqrt());
    let moved: Vec<f64> = leads.iter().map(|lead| lead + margin).collect();
    let settings = Settings { threads: 1, ..*settings };
    let p = Sample::new(&moved).ok().and_then(|moved| {
        test::find(DECIDING)?.run(&moved, Alternative::Greater, &settings).ok().map(|found: test::Evidence| found.p)
    });
    (limit, p)
}

impl SideEvidence {
    /// Whether the conclusion depends on the unjudged documents.
    pub fn needs_tipping(&self, evidence: &Evidence) -> bool {
        self.significant && !self.certain && evidence.unjudged == Unjudged::Tested
    }

    fn basis(&self, evidence: &Evidence, tipping: Option<&Tipping>, side: Side) -> Option<Basis> {
        let not_relevant = Basis::Assumed(Assumption::UnjudgedNotRelevant);
        match evidence.unjudged {
            _ if !self.significant => None,
            Unjudged::Modelled => None,
            Unjudged::Sparse => Some(Basis::Assumed(Assumption::SparseJudgements)),
            Unjudged::NotRelevant => Some(not_relevant),
            Unjudged::Tested if self.certain => Some(Basis::Certain),
            Unjudged::Tested => tipping.filter(|found| found.is_above_rates(side)).map(|_| not_relevant),
        }
        .filter(|basis| !evidence.strict || *basis == Basis::Certain)
    }
}

/// What holds.
pub(super) fn decide(
    found: &Margins,
    evidence: &Evidence,
    tipping: [Option<Tipping>; 2],
    candidate: Side,
) -> MarginOutcome {
    let [of_a, of_b] = tipping;
    let one = |side: Side| {
        let (seen, tipping) = if side == Side::A { (&found.sides[0], &of_a) } else { (&found.sides[1], &of_b) };
        NotWorse {
            basis: seen.basis(evidence, tipping.as_ref(), side),
            limit: seen.limit,
            p: seen.p,
            rare_losses: seen.rare_losses,
            tipping: tipping.clone(),
        }
    };
    MarginOutcome {
        margin: found.margin,
        candidate,
        not_worse: one(candidate),
        other_not_worse: one(candidate.other()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leads(topics: usize) -> Estimated {
        // In turn −.1 and .1: mean 0, standard deviation near .1.
        Estimated::of_topics(&(0..topics).map(|topic| if topic % 2 == 0 { -0.1 } else { 0.1 }).collect::<Vec<f64>>())
    }

    #[test]
    fn a_sample_decides_by_its_limits() {
        // 100 topics: standard error .0100504 (.1 · sqrt(100/99)/10), t(.95, 99) = 1.6604: at most .016687 worse.
        let claim = |margin: f64, alpha: f64| SampledClaim::new(&leads(100), Side::A, (margin, 1.0), alpha);
        assert!((claim(0.02, 0.05).found.unwrap().limit + 0.016_687).abs() < 1e-5);
        assert!(claim(0.02, 0.05).holds && !claim(0.016, 0.05).holds);
        // An earlier look has a stricter limit: t(.99, 99) = 2.3646, at most .023765 worse.
        assert!(!claim(0.02, 0.01).holds && claim(0.024, 0.01).holds);
    }

    #[test]
    fn with_few_topics_unseen_losses_count() {
        // Six topics, all with a lead of nearly 0: limits decide, but 1 − .05^(1/6) = 39% of all topics may differ, and losing .05 · .61/.39 = .08 more
        // on those exceeds the margin.
        let few = Estimated::of_topics(&[0.001, -0.001, 0.001, -0.001, 0.001, -0.001]);
        let claim = SampledClaim::new(&few, Side::A, (0.05, 1.0), 0.05);
        assert!(claim.found.unwrap().limit > -0.05 && !claim.holds && claim.rare_losses.is_some());
    }

    #[test]
    fn what_is_certain_needs_no_sample() {
        let not_worse = |basis| NotWorse { basis, limit: None, p: None, rare_losses: None, tipping: None };
        let outcome = |basis| MarginOutcome {
            margin: 0.02,
            candidate: Side::B,
            not_worse: not_worse(basis),
            other_not_worse: not_worse(None),
        };
        let claims = || {
            let of = |margin: f64| SampledClaim::new(&leads(100), Side::A, (margin, 1.0), 0.05);
            // The first run's claim holds, the second's does not.
            [of(0.02), of(0.001)]
        };
        let mut found = outcome(Some(Basis::Certain));
        found.settle(claims());
        assert_eq!((found.not_worse.basis, found.other_not_worse.basis), (Some(Basis::Certain), Some(Basis::Sampled)));
        let mut found = outcome(None);
        found.settle(claims());
        assert!(found.not_worse.basis.is_none() && !found.equivalent());
    }
}
