//! Not worse, or equivalent, within a margin: one-sided tests of the difference plus the margin.
//!
//! The one decision: "not worse" obeys the same rule as "better": Student's limit and the randomisation test, one-sided at 1 − level, and a basis.
//! No test of n topics sees what losses there are on a share 1 − .05^(1/n) of topics that are unlike those seen, so the largest possible loss on so
//! many is counted: where that exceeds the margin, fewer than 25 topics show nothing, and more of them show it with a warning. Leads that are all the
//! same obey the same rule: runs with equal scores are equivalent if there are enough topics, or the margin is large.
//! Two runs are equivalent when neither is worse than the other (two one-sided tests). Nothing is corrected for the number of pairs, because a release
//! must pass every one. A judged sample says the same by its own limits.

use karat_measures::BoundsKind;
use karat_stats::Sample;
use karat_stats::dist::student_t;
use karat_stats::rare_losses::UnseenLoss;
use karat_stats::test::{self, Alternative, Settings};

use super::gathered::Gathered;
use super::tipping::Tipping;
use super::verdict::{Assumption, Basis, Evidence, Range, Side, Unjudged};
use super::{CompareOptions, DECIDING};
use crate::settle::estimate::{Estimated, OneSided};

/// With fewer topics, a tenth of them that is unlike the others is missed more often than in 7% of samples: .9^25 = .072.
pub const FEW_TOPICS: usize = 25;

/// What topics say of one run's claim not to be worse by more than a margin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shown {
    /// The lower limit of its lead, one-sided; `None` with too few topics.
    pub limit: Option<f64>,
    /// The p of the test that its lead is above minus the margin; `None` where there is none.
    pub p: Option<f64>,
    /// What topics unlike those seen could do to the lead.
    pub unseen: UnseenLoss,
    /// Whether that would exceed the margin.
    pub warned: bool,
    /// Whether limit and test decide, and there are enough topics where there is a warning.
    pub significant: bool,
}

/// The claim of one run with its leads on all topics, the largest possible loss, and the variance that the judges' calibration adds.
pub fn show(leads: &[f64], margin: f64, (loss, judges): (f64, f64), (alpha, settings): (f64, &Settings)) -> Shown {
    let (limit, p) = one_sided(leads, margin, judges, (alpha, settings));
    let mean = leads.iter().sum::<f64>() / leads.len().max(1) as f64;
    let unseen = UnseenLoss::new(mean, leads.len(), loss);
    let warned = unseen.exceeds(margin);
    let hidden = warned && leads.len() < FEW_TOPICS;
    Shown { limit, p, unseen, warned, significant: holds((limit, p), margin, alpha) && !hidden }
}

/// Whether limit and test are on the right side of minus the margin.
fn holds((limit, p): (Option<f64>, Option<f64>), margin: f64, alpha: f64) -> bool {
    limit.is_some_and(|limit| limit > 0.0 - margin) && p.is_some_and(|p| p < alpha)
}

/// What is seen of one run's claim not to be worse.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct SideEvidence {
    shown: Shown,
    /// Whether topics decide.
    significant: bool,
    /// Whether they decide with every topic at its worst case too.
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
    /// What topics unlike those seen could do to the lead.
    pub unseen: UnseenLoss,
    /// Whether that would exceed the margin.
    pub warned: bool,
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
    unseen: UnseenLoss,
    warned: bool,
    holds: bool,
}

impl SampledClaim {
    /// The same rule as for topics: limit and p must decide, at the level of this look, and with few topics unseen losses must not exceed the margin.
    pub fn new(estimated: &Estimated, side: Side, (margin, loss): (f64, f64), alpha: f64) -> SampledClaim {
        let found = estimated.one_sided(side == Side::B, margin, alpha);
        let leads = estimated.leads(side == Side::B);
        let unseen = UnseenLoss::new(leads.iter().sum::<f64>() / leads.len().max(1) as f64, leads.len(), loss);
        let warned = unseen.exceeds(margin);
        let decides = |found: OneSided| found.limit > 0.0 - margin && found.p < alpha;
        let hidden = warned && leads.len() < FEW_TOPICS;
        SampledClaim { found, unseen, warned, holds: found.is_some_and(decides) && !hidden }
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
            unseen: claim.unseen,
            warned: claim.warned,
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
    let alpha = 1.0 - options.inference.level;
    let judges = one.difference.judges.unwrap_or(0.0);
    let test = (alpha, &options.settings);
    let claim = |side: Side| {
        let leads: Vec<f64> = one.difference.topics.iter().map(|topic| side.lead(topic.observed)).collect();
        let shown = show(&leads, margin, (largest_loss(one, side), judges), test);
        let significant = shown.significant && !one.difference.uncorrected;
        let worst = || -> Option<bool> {
            let worst = |bounds: Range| side.leads(bounds).0;
            let leads =
                one.difference.topics.iter().map(|topic| topic.bounds.map(worst)).collect::<Option<Vec<f64>>>()?;
            Some(holds(one_sided(&leads, margin, judges, test), margin, alpha))
        };
        let certain =
            significant && one.bounds_kind == BoundsKind::Complete && !one.evidence.calibrated && worst() == Some(true);
        SideEvidence { shown, significant, certain }
    };
    Margins { margin, sides: [claim(Side::A), claim(Side::B)] }
}

/// The largest loss of a run on a topic: the width of the measure's range; where that has no end, the largest that the bounds of any topic allow.
fn largest_loss(one: &Gathered, side: Side) -> f64 {
    let width = one.difference.largest;
    if width.is_finite() {
        return width;
    }
    let loss = |bounds: Option<Range>| bounds.map_or(f64::INFINITY, |bounds| 0.0 - side.leads(bounds).0);
    one.difference.topics.iter().map(|topic| loss(topic.bounds)).fold(0.0, f64::max)
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
            limit: seen.shown.limit,
            p: seen.shown.p,
            unseen: seen.shown.unseen,
            warned: seen.shown.warned,
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
    use karat_stats::Seed;

    use super::*;

    /// What so many topics show, ahead by .04 on every second one and behind by .04 on the others, within .02.
    fn shown(topics: usize, loss: f64) -> Shown {
        let leads: Vec<f64> = (0..topics).map(|topic| if topic % 2 == 0 { 0.04 } else { -0.04 }).collect();
        let settings = Settings { permutations: 9_999, seed: Seed(1), threads: 1, ..Settings::default() };
        show(&leads, 0.02, (loss, 0.0), (0.05, &settings))
    }

    #[test]
    fn the_number_of_topics_decides_whether_a_warning_blocks() {
        // Standard deviation .04 sqrt(24/23) = .0408604, error of the mean .0083406, t(.95, 23) = 1.713872: limit −.0142947. Of all topics 11.7% may
        // have been missed; losing 1 on those is .117 of the mean, beyond .02. Losses as large as any lead were seen: they say nothing of others.
        let few = shown(24, 1.0);
        assert!((few.limit.unwrap() + 0.014_294_7).abs() < 1e-6 && few.p.unwrap() < 0.05);
        assert!(few.warned && !few.significant);
        // 26 topics miss 10.9%: the same, with a warning.
        let enough = shown(26, 1.0);
        assert!(enough.warned && enough.significant);
        // Losses of .1 at most: .0117 of the mean, within .02.
        let bounded = shown(24, 0.1);
        assert!(!bounded.warned && bounded.significant);
        // A loss without a limit exceeds every margin.
        assert!(shown(24, f64::INFINITY).warned && !shown(24, f64::INFINITY).significant);
    }

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
        // Six topics, all with a lead of nearly 0: limits decide, but 1 − .05^(1/6) = 39% of all topics may differ, and losing 1 on those exceeds the margin.
        let few = Estimated::of_topics(&[0.001, -0.001, 0.001, -0.001, 0.001, -0.001]);
        let claim = SampledClaim::new(&few, Side::A, (0.05, 1.0), 0.05);
        assert!(claim.found.unwrap().limit > -0.05 && !claim.holds && claim.warned);
    }

    #[test]
    fn what_is_certain_needs_no_sample() {
        let not_worse = |basis| NotWorse {
            basis,
            limit: None,
            p: None,
            unseen: UnseenLoss::new(0.0, 100, 1.0),
            warned: false,
            tipping: None,
        };
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
