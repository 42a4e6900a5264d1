//! Conditions that a release is held to: a pure function from a pair's outcome to whether the condition holds, and why.
//!
//! The one decision: a gate fails closed. What is undecided, could not be tested or has no basis does not hold.

use super::verdict::Side;
use super::{Compared, Comparison};

/// What must hold of every comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gate {
    /// Every other run is better than the baseline.
    Better,
    /// No other run is worse than the baseline by more than the margin.
    NotWorse,
    /// Every other run differs from the baseline by no more than the margin.
    Equivalent,
    /// Every comparison is decided.
    Decided,
}

/// What a gate looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Outcome {
    /// The run that is not the baseline; `None` where neither is the baseline.
    candidate: Option<Side>,
    /// The better run.
    better: Option<Side>,
    /// Whether the candidate is shown not to be worse, within a margin.
    not_worse: bool,
    /// Whether both are shown to be equivalent, within a margin.
    equivalent: bool,
}

impl Gate {
    /// Whether it is about a margin.
    pub fn needs_margin(self) -> bool {
        matches!(self, Gate::NotWorse | Gate::Equivalent)
    }

    fn holds(self, outcome: Outcome) -> bool {
        match (self, outcome.candidate) {
            (Gate::Decided, _) => outcome.better.is_some(),
            // Only pairs with the baseline are asked about.
            (_, None) => true,
            (Gate::Better, candidate) => outcome.better == candidate,
            (Gate::NotWorse, _) => outcome.not_worse,
            (Gate::Equivalent, _) => outcome.equivalent,
        }
    }

    /// The comparisons that it asks about, and whether it holds of each.
    pub fn check(self, compared: &Compared) -> Vec<(&Comparison, bool)> {
        let asked = compared.comparisons.iter().map(|comparison| (comparison, outcome(compared.baseline, comparison)));
        let asked = asked.filter(|(_, outcome)| self == Gate::Decided || outcome.candidate.is_some());
        asked.map(|(comparison, outcome)| (comparison, self.holds(outcome))).collect()
    }
}

fn outcome(baseline: usize, comparison: &Comparison) -> Outcome {
    let (a, b) = comparison.pair;
    Outcome {
        // The baseline is first in its own pairs; with all pairs it may be second.
        candidate: match baseline {
            baseline if baseline == a => Some(Side::B),
            baseline if baseline == b => Some(Side::A),
            _ => None,
        },
        better: comparison.verdict.better(),
        not_worse: comparison.margin.as_ref().is_some_and(|found| found.not_worse.basis.is_some()),
        equivalent: comparison.margin.as_ref().is_some_and(super::MarginOutcome::equivalent),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The candidate is the second run: the baseline is first.
    const OPEN: Outcome = Outcome { candidate: Some(Side::B), better: None, not_worse: false, equivalent: false };

    #[test]
    fn every_gate_in_every_case() {
        let better = |side: Side| Outcome { better: Some(side), ..OPEN };
        let others = |outcome: Outcome| Outcome { candidate: None, ..outcome };
        let baseline_second = |outcome: Outcome| Outcome { candidate: Some(Side::A), ..outcome };
        // By case: better, not worse, equivalent, decided.
        let rows = [
            (
                "the candidate is better, by more than the margin",
                Outcome { not_worse: true, ..better(Side::B) },
                [true, true, false, true],
            ),
            (
                "better, and within the margin",
                Outcome { not_worse: true, equivalent: true, ..better(Side::B) },
                [true, true, true, true],
            ),
            ("the candidate is worse: decided, and nothing else", better(Side::A), [false, false, false, true]),
            (
                "worse, but within the margin",
                Outcome { not_worse: true, equivalent: true, ..better(Side::A) },
                [false, true, true, true],
            ),
            ("undecided, not worse is not shown: fails closed", OPEN, [false; 4]),
            ("undecided, but not worse", Outcome { not_worse: true, ..OPEN }, [false, true, false, false]),
            ("neither is the baseline: only decided asks", others(better(Side::A)), [true; 4]),
            ("neither is the baseline, undecided", others(OPEN), [true, true, true, false]),
            (
                "the baseline is second and loses",
                baseline_second(Outcome { not_worse: true, ..better(Side::A) }),
                [true, true, false, true],
            ),
            ("the baseline is second and wins", baseline_second(better(Side::B)), [false, false, false, true]),
        ];
        for (case, outcome, expected) in rows {
            let found = [Gate::Better, Gate::NotWorse, Gate::Equivalent, Gate::Decided].map(|gate| gate.holds(outcome));
            assert_eq!(found, expected, "{case}");
        }
    }
}
