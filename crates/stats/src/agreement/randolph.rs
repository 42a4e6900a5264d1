//! Randolph's free-marginal kappa.

use super::{Coefficient, Example, Of, Tally, Undefined, beyond_chance};

pub(super) const ROW: Coefficient = Coefficient {
    name: "randolph",
    title: "Randolph's kappa",
    formula: "(Po - Pe) / (1 - Pe), Pe = 1 / grades",
    reading: "Chance gives every grade of the scale the same probability. With two grades it is also called PABAK. An \
              unused grade in the scale raises it.",
    citation: "Randolph (2005), Free-marginal multirater kappa; Bennett, Alpert and Goldstein (1954), Communications through \
               limited-response questioning, Public Opinion Quarterly 18(3)",
    beyond_chance: true,
    of: Of::AnyJudges(randolph),
    example: Example { table: &[&[40, 0], &[40, 20]], value: 0.2, derivation: "Po = .6, Pe = 1/2; .1 / .5" },
};

fn randolph(tally: &Tally) -> Result<f64, Undefined> {
    let observed = tally.agreement().ok_or(Undefined::NoOverlap)?;
    match tally.declared {
        1 => Err(Undefined::OneCategoryDeclared),
        grades => beyond_chance(observed, 1.0 / grades as f64),
    }
}
