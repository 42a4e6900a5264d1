//! Gwet's AC1.

use super::{Coefficient, Example, Of, Tally, Undefined, beyond_chance};

pub(super) const ROW: Coefficient = Coefficient {
    name: "gwet_ac1",
    title: "Gwet's AC1",
    formula: "(Po - Pe) / (1 - Pe), Pe = sum over grades of share (1 - share) / (grades - 1)",
    reading: "Stays close to the observed agreement if one grade dominates, where kappas are low (the kappa paradox). \
              It depends on the number of grades of the scale.",
    citation: "Gwet (2008), Computing inter-rater reliability and its variance in the presence of high agreement, British \
               Journal of Mathematical and Statistical Psychology 61(1)",
    beyond_chance: true,
    of: Of::AnyJudges(ac1),
    example: Example {
        table: &[&[40, 0], &[40, 20]],
        value: 0.12 / 0.52,
        derivation: "Po = .6; share of relevant .4, Pe = .4 x .6 + .6 x .4 = .48; .12 / .52",
    },
};

fn ac1(tally: &Tally) -> Result<f64, Undefined> {
    let observed = tally.agreement().ok_or(Undefined::NoOverlap)?;
    let shares = tally.mean_shares().ok_or(Undefined::NoOverlap)?;
    if tally.declared < 2 {
        return Err(Undefined::OneCategoryDeclared);
    }
    let others = tally.declared as f64 - 1.0;
    beyond_chance(observed, shares.iter().map(|share| share * (1.0 - share) / others).sum())
}
