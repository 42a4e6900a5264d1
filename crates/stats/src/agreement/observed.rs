//! Observed agreement.

use super::{Coefficient, Example, Of, Tally, Undefined};

pub(super) const ROW: Coefficient = Coefficient {
    name: "observed",
    title: "Observed agreement",
    formula: "mean over items of (pairs of equal labels) / (pairs of labels)",
    reading: "The share of pairs of labels that are equal. It does not account for chance: two judges who call \
              everything non-relevant always agree.",
    citation: "Scott (1955), Reliability of content analysis, Public Opinion Quarterly 19(3)",
    beyond_chance: false,
    of: Of::AnyJudges(observed),
    example: Example { table: &[&[70, 10], &[20, 300]], value: 0.925, derivation: "(70 + 300) / 400" },
};

fn observed(tally: &Tally) -> Result<f64, Undefined> {
    tally.agreement().ok_or(Undefined::NoOverlap)
}
