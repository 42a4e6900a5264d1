//! The paired t test.

use super::{Alternative, Calculation, Example, NoTest, Of, Outcome, Settings, TestInfo, check_spread};
use crate::dist::student_t;
use crate::sample::Sample;

pub(super) const ROW: TestInfo = TestInfo {
    name: "t",
    title: "paired t test",
    statistic: "mean difference over its standard error, n - 1 degrees of freedom",
    formula: "t = mean(d) / (sd(d) / sqrt(n)), sd with divisor n - 1; p from Student's t with n - 1 degrees of freedom",
    reading: "The probability of a mean difference at least this large, relative to its standard error, if the systems \
              are equal. It keeps its level on skewed and discrete scores from about 25 topics on. The printed \
              interval is based on it.",
    misleads: "Below about 10 topics if scores are mostly 0 or 1. With thousands of topics every difference is \
               significant, and only its size matters.",
    citation: "Student (1908), The probable error of a mean, Biometrika 6(1); level on retrieval scores: Urbano, Lima and \
               Hanjalic (2019), Statistical significance testing in information retrieval, SIGIR",
    of: Of::Differences(run),
    example: Example {
        differences: &[1.0, 2.0, 3.0],
        second: &[],
        statistic: 3.464_101_615_137_754_6,
        p: 0.074_179_900_227_448_54,
        within: 1e-12,
        derivation: "mean 2, sd 1, t = 2 sqrt(3) = 3.4641; with 2 degrees of freedom P(|T| > t) = 1 - t / sqrt(2 + t^2) = \
                     1 - sqrt(12 / 14) = 0.0742",
    },
};

pub(super) fn run(differences: &Sample<'_>, alternative: Alternative, _: &Settings) -> Result<Outcome, NoTest> {
    check_spread(differences)?;
    let too_few = NoTest::TooFew { have: differences.len(), need: 2 };
    let error = differences.std_error().map_err(|_| too_few)?;
    from_statistic(differences.mean() / error, differences.len() as f64 - 1.0, differences.len(), alternative)
}

/// The p of a t with its degrees of freedom.
pub(super) fn from_statistic(t: f64, df: f64, used: usize, alternative: Alternative) -> Result<Outcome, NoTest> {
    let p = match alternative {
        Alternative::TwoSided => student_t::two_sided(t, df),
        Alternative::Greater => student_t::sf(t, df),
        Alternative::Less => student_t::cdf(t, df),
    };
    let p = p.map_err(|error| NoTest::Setting { what: error.argument, found: error.found, expected: error.legal })?;
    Ok(Outcome { statistic: t, p, smallest_p: None, calculation: Calculation::Distribution, used, posterior: None })
}
