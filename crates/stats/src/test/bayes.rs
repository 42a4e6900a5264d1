//! The posterior of the mean difference.

use super::{Alternative, Example, NoTest, Of, Outcome, Settings, TestInfo, check, check_spread, t};
use crate::dist::student_t;
use crate::sample::Sample;

pub(super) const ROW: TestInfo = TestInfo {
    name: "bayes",
    title: "Bayesian posterior of the difference",
    statistic: "mean difference over its standard error",
    formula: "mean difference ~ mean(d) + sd(d) / sqrt(n) x Student's t with n - 1 degrees of freedom (prior 1 / sd^2 on mean and \
              variance); P(> rope), P(within +/- rope), P(< -rope)",
    reading: "The probability that the difference is above, within or below a region of practical equivalence (rope), \
              with an uninformative prior. Unlike a p-value, it can show that systems are equal for practical \
              purposes. Its p is that of the t test: twice the probability of the less probable sign.",
    misleads: "The width of the rope is a choice that changes the result: report it. The prior does not use the fact \
               that scores lie between 0 and 1.",
    citation: "Box and Tiao (1973), Bayesian Inference in Statistical Analysis, section 2.4; Benavoli, Corani, Demsar and Zaffalon \
               (2017), Time for a change, JMLR 18(77); Carterette (2015), Bayesian inference for information retrieval evaluation, ICTIR",
    of: Of::Differences(run),
    example: Example {
        differences: &[1.0, 2.0, 3.0],
        second: &[],
        statistic: 3.464_101_615_137_754_6,
        p: 0.074_179_900_227_448_54,
        within: 1e-12,
        derivation: "centre 2, scale 1 / sqrt(3), 2 degrees of freedom: P(mean > 0) = 1/2 + sqrt(12 / 14) / 2 = 0.9629; twice the rest is 0.0742",
    },
};

/// What is believed of the mean difference after the data.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Posterior {
    /// Half the width of the region of practical equivalence.
    pub rope: f64,
    /// Probability of a difference above the region.
    pub above: f64,
    /// Probability of one within.
    pub within: f64,
    /// Probability of one below.
    pub below: f64,
}

/// The posterior of the mean difference under the reference prior.
///
/// # Errors
/// Fewer than two differences, no spread among them, or a region that is none.
pub fn posterior(differences: &Sample<'_>, rope: f64) -> Result<Posterior, NoTest> {
    check(differences)?;
    check_spread(differences)?;
    if !(rope >= 0.0 && rope.is_finite()) {
        return Err(NoTest::Setting {
            what: "region of practical equivalence",
            found: rope,
            expected: "a number from 0",
        });
    }
    let too_few = NoTest::TooFew { have: differences.len(), need: 2 };
    let scale = differences.std_error().map_err(|_| too_few)?;
    let df = differences.len() as f64 - 1.0;
    let beyond = |t: f64| {
        student_t::sf(t, df).map_err(|error| NoTest::Setting { what: error.argument, found: t, expected: error.legal })
    };
    let above = beyond((rope - differences.mean()) / scale)?;
    let below = beyond((rope + differences.mean()) / scale)?;
    Ok(Posterior { rope, above, within: (1.0 - above - below).max(0.0), below })
}

fn run(differences: &Sample<'_>, alternative: Alternative, settings: &Settings) -> Result<Outcome, NoTest> {
    let found = posterior(differences, settings.rope)?;
    let test = t::run(differences, alternative, settings)?;
    Ok(Outcome { posterior: Some(found), ..test })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_three_probabilities_by_hand() {
        // 1, 2, 3 with rope 1: t = (1 − 2)·√3 = −√3 above, (1 + 2)·√3 = 3√3 below; with 2 degrees of freedom
        // P(T > t) = ½ − t / (2 √(2 + t²)): above ½ + √3/(2√5) = 0.8873, below ½ − √27/(2√29) = 0.01755.
        let found = posterior(&Sample::new(&[1.0, 2.0, 3.0]).unwrap(), 1.0).unwrap();
        assert!((found.above - (0.5 + 0.5 * (3f64 / 5.0).sqrt())).abs() < 1e-14);
        assert!((found.below - (0.5 - 0.5 * (27f64 / 29.0).sqrt())).abs() < 1e-14);
        assert!((found.above + found.within + found.below - 1.0).abs() < 1e-15);
        assert!(posterior(&Sample::new(&[1.0, 2.0]).unwrap(), -1.0).is_err());
    }
}
