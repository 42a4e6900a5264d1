//! Conditions that a release is held to: a pure function from a pair's outcome to whether the condition holds.

use karat_stats::test::NoTest;

use super::verdict::{Side, Verdict};
use super::{Compared, Comparison};

/// What must hold of every comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gate {
    /// Every other run is better than the baseline.
    Better,
    /// No other run is worse than the baseline.
    NotWorse,
    /// Every comparison is decided.
    Decided,
}

/// What a gate looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Outcome {
    /// The run that is not the baseline; `None` where neither is the baseline.
    candidate: Option<Side>,
    /// The winner.
    winner: Option<Side>,
    /// Whom the interval over topics favours where no result could have been significant.
    leans: Option<Side>,
    /// Whether there were enough topics for every test.
    tested: bool,
}

impl Gate {
    fn holds(self, outcome: Outcome) -> bool {
        let Outcome { candidate, winner, leans, tested } = outcome;
        match (self, candidate) {
            (Gate::Decided, _) => winner.is_some(),
            (Gate::Better | Gate::NotWorse, None) => true,
            (Gate::Better, Some(candidate)) => winner == Some(candidate),
            // Without a test nothing is known to be not worse; runs with equal scores everywhere are not worse.
            (Gate::NotWorse, Some(candidate)) => {
                let not_against = |side: Option<Side>| side.is_none_or(|side| side == candidate);
                tested && not_against(leans) && not_against(winner)
            }
        }
    }

    /// The comparisons that break it.
    pub fn broken(self, compared: &Compared) -> Vec<&Comparison> {
        let outcome = |comparison: &Comparison| {
            let (a, b) = comparison.pair;
            let Verdict { winner, leans, .. } = comparison.verdict;
            Outcome {
                // The baseline is first in its own pairs; with all pairs it may be second.
                candidate: match compared.baseline {
                    baseline if baseline == a => Some(Side::B),
                    baseline if baseline == b => Some(Side::A),
                    _ => None,
                },
                winner,
                leans,
                tested: comparison.tests.iter().all(|(_, found)| !matches!(found, Err(NoTest::TooFew { .. }))),
            }
        };
        compared.comparisons.iter().filter(|comparison| !self.holds(outcome(comparison))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The candidate is the second run: the baseline is first.
    const TESTED: Outcome = Outcome { candidate: Some(Side::B), winner: None, leans: None, tested: true };

    #[test]
    fn every_gate_in_every_case() {
        let winner = |side: Side| Outcome { winner: Some(side), ..TESTED };
        let leans = |side: Side| Outcome { leans: Some(side), ..TESTED };
        let untested = Outcome { tested: false, ..TESTED };
        let others = |outcome: Outcome| Outcome { candidate: None, ..outcome };
        let baseline_second = |outcome: Outcome| Outcome { candidate: Some(Side::A), ..outcome };
        // By case: better, not worse, decided.
        let rows = [
            ("the candidate is better", winner(Side::B), [true, true, true]),
            (
                "the candidate is worse: decided, but neither better nor not worse",
                winner(Side::A),
                [false, false, true],
            ),
            ("undecided: not better, and nothing says worse", TESTED, [false, true, false]),
            ("undecidable, topics favour the candidate", leans(Side::B), [false, true, false]),
            (
                "undecidable, topics favour the baseline: not known to be not worse",
                leans(Side::A),
                [false, false, false],
            ),
            ("too few topics for a test: nothing is known", untested, [false, false, false]),
            ("neither is the baseline: only Decided asks", others(winner(Side::A)), [true, true, true]),
            ("neither is the baseline, undecided", others(TESTED), [true, true, false]),
            ("the baseline is second and loses", baseline_second(winner(Side::A)), [true, true, true]),
            ("the baseline is second and wins", baseline_second(winner(Side::B)), [false, false, true]),
        ];
        for (case, outcome, expected) in rows {
            let found = [Gate::Better, Gate::NotWorse, Gate::Decided].map(|gate| gate.holds(outcome));
            assert_eq!(found, expected, "{case}");
        }
    }
}
