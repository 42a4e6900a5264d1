//! Is one system better, by bronze labels of which the errors are known?
//!
//! The one decision: three answers, always side by side. Naive trusts bronze. Independent is the paper's equation 10, which adds
//! the error of the calibration once for each system. Shared knows that one calibration serves both, so that its errors cancel in
//! the difference (j_a − j_b)/D and only stretch it. Which is right depends on how many calibrations there are, not on taste.

use super::correct::mean_variance;
use super::{Calibration, Corrected, CorrectionError, Summary, proportion};
use crate::dist::{OutOfRange, normal, student_t};
use crate::test::satterthwaite;

/// How the errors of the calibration enter a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CalibrationErrors {
    /// One calibration for both systems: its errors are the same in both.
    Shared,
    /// As if each system had a calibration of its own.
    Independent,
}

/// What was observed of two systems.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Observed {
    /// The first system.
    pub a: Summary,
    /// The second.
    pub b: Summary,
    /// Standard deviation over queries of the difference, where both were asked the same ones.
    pub paired_sd: Option<f64>,
}

/// A difference over its standard error, and both p-values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TwoTailed {
    /// a − b.
    pub difference: f64,
    /// Its standard error.
    pub std_error: f64,
    /// Degrees of freedom by Welch and Satterthwaite.
    pub df: f64,
    /// From Student's t (equation 9).
    pub p: f64,
    /// From the Normal (equation 11).
    pub p_normal: f64,
}

/// The answers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Comparison {
    /// The systems' corrected scores.
    pub a: Corrected,
    /// The second one's.
    pub b: Corrected,
    /// Bronze taken at its word.
    pub naive: TwoTailed,
    /// Equation 10.
    pub independent: TwoTailed,
    /// Errors that cancel; `None` where each system has its own calibration.
    pub shared: Option<TwoTailed>,
}

/// Compares two systems. `own` is the second system's calibration, where it has one of its own.
///
/// # Errors
/// A score cannot be corrected, queries that are paired differ in number, or nothing varies.
pub fn compare(
    observed: &Observed,
    calibration: &Calibration,
    own: Option<&Calibration>,
) -> Result<Comparison, CorrectionError> {
    let (a, b) = (proportion(observed.a, calibration)?, proportion(observed.b, own.unwrap_or(calibration))?);
    let topics = topic_terms(observed)?;
    let naive_difference = observed.a.score - observed.b.score;
    let naive = two_tailed(naive_difference, &topics)?;
    let (d, d_b) = (discrimination(calibration), discrimination(own.unwrap_or(calibration)));
    let scaled = |scale: [f64; 2]| -> Vec<Term> {
        topics.iter().zip(scale).map(|(term, d)| Term { variance: term.variance / (d * d), ..*term }).collect()
    };
    let mut terms = if topics.len() == 2 { scaled([d, d_b]) } else { scaled([d, d]) };
    terms.extend(rate_terms(calibration, a.value, observed.a.weight - a.value, d));
    terms.extend(rate_terms(own.unwrap_or(calibration), b.value, observed.b.weight - b.value, d_b));
    let independent = two_tailed(a.value - b.value, &terms)?;
    let shared = own.is_none().then(|| {
        // (j_a − j_b)/D: the slope in m_R and in m_N is −(j_a − j_b)/D², plus (W_a − W_b)/D in m_N when the weights differ.
        let difference = a.value - b.value;
        let mut terms = scaled([d, d]);
        terms.extend(rate_terms(calibration, difference, observed.a.weight - observed.b.weight - difference, d));
        two_tailed(difference, &terms)
    });
    Ok(Comparison { a, b, naive, independent, shared: shared.transpose()? })
}

/// A part of a variance, and on how many degrees of freedom it was estimated.
#[derive(Clone, Copy, Debug)]
struct Term {
    variance: f64,
    df: f64,
}

/// The variance of the difference of the observed means.
fn topic_terms(observed: &Observed) -> Result<Vec<Term>, CorrectionError> {
    let wrong = |what, found, expected| Err(CorrectionError::OutOfRange { what, found, expected });
    let (a, b) = (mean_variance(&observed.a)?, mean_variance(&observed.b)?);
    let df = |n: u64| n.saturating_sub(1) as f64;
    match observed.paired_sd {
        None => Ok(vec![Term { variance: a, df: df(observed.a.n) }, Term { variance: b, df: df(observed.b.n) }]),
        Some(_) if observed.a.n != observed.b.n => wrong(
            "number of queries of the second system",
            observed.b.n as f64,
            "as many as the first has, since they are paired",
        ),
        Some(sd) if !(0.0..=1.0).contains(&sd) => {
            wrong("standard deviation of the differences", sd, "a number from 0 to 1")
        }
        Some(sd) => Ok(vec![Term { variance: sd * sd / observed.a.n as f64, df: df(observed.a.n) }]),
    }
}

/// Equation 7's terms of `V[J_R]` and `V[J_N]`: what the value would be with one more or less relevant, over D.
fn rate_terms(calibration: &Calibration, on_relevant: f64, on_other: f64, d: f64) -> [Term; 2] {
    [(1, on_relevant), (0, on_other)].map(|(grade, slope)| Term {
        variance: slope * slope * calibration.covariance(grade, grade, grade) / (d * d),
        df: calibration.degrees(grade),
    })
}

fn discrimination(calibration: &Calibration) -> f64 {
    calibration.accuracies().map_or(1.0, |(relevant, other)| relevant + other - 1.0)
}

fn two_tailed(difference: f64, terms: &[Term]) -> Result<TwoTailed, CorrectionError> {
    let parts: Vec<(f64, f64)> = terms.iter().map(|term| (term.variance, term.df)).collect();
    let Some((variance, df)) = satterthwaite(&parts) else {
        let (what, expected) = ("standard error of the difference", "a number above 0, so that chance can be judged");
        return Err(CorrectionError::OutOfRange { what, found: 0.0, expected });
    };
    let (std_error, df) = (variance.sqrt(), df.min(1e10));
    let t = (difference / std_error).clamp(-1e150, 1e150);
    let out = |error: OutOfRange| CorrectionError::OutOfRange {
        what: error.argument,
        found: error.found,
        expected: error.legal,
    };
    let (p, p_normal) = (student_t::two_sided(t, df).map_err(out)?, normal::two_sided(t).map_err(out)?);
    Ok(TwoTailed { difference, std_error, df, p, p_normal })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn papers() -> (Observed, Calibration) {
        let of = |score, sd, n| Summary { score, sd: Some(sd), n, weight: 1.0 };
        let observed = Observed { a: of(0.6260, 0.414, 10_278), b: of(0.6385, 0.402, 20_604), paired_sd: None };
        (observed, Calibration::binary((43, 59), (67, 84)).unwrap())
    }

    #[test]
    fn the_search_engine_example() {
        let (observed, calibration) = papers();
        let found = compare(&observed, &calibration, None).unwrap();
        assert!((found.naive.p - 0.0116).abs() < 5e-5, "{found:?}");
        // The paper prints .841; its own numbers (.02374 / √(.0903² + .0923²) = .1839) give .854.
        assert!((found.independent.p - 0.854).abs() < 5e-4 && (found.independent.p_normal - 0.854).abs() < 5e-4);
        let shared = found.shared.unwrap();
        assert!((shared.p - 0.017).abs() < 5e-4 && (shared.p_normal - 0.017).abs() < 5e-4, "{shared:?}");
        // (V[J_a] + V[J_b])/D² + (j_a − j_b)² (V[J_R] + V[J_N])/D⁴.
        let (m_r, m_n) = (43.0 / 59.0, 67.0 / 84.0);
        let (d, j): (f64, f64) = (m_r + m_n - 1.0, 0.6260 - 0.6385);
        let topics = 0.414f64.powi(2) / 10_278.0 + 0.402f64.powi(2) / 20_604.0;
        let rates = m_r * (1.0 - m_r) / 59.0 + m_n * (1.0 - m_n) / 84.0;
        let literal = topics / d.powi(2) + j.powi(2) * rates / d.powi(4);
        assert!((shared.std_error.powi(2) - literal).abs() < 1e-15 && (shared.difference - j / d).abs() < 1e-15);
        assert!((found.independent.std_error - found.a.std_error().hypot(found.b.std_error())).abs() < 1e-15);
    }

    #[test]
    fn welch_by_hand() {
        // Variances of the means 1/4 and 1/9 on 3 and 8 degrees of freedom: (13/36)² / (1/16/3 + 1/81/8) = 5.8312 of them.
        let terms = [Term { variance: 0.25, df: 3.0 }, Term { variance: 1.0 / 9.0, df: 8.0 }];
        let found = two_tailed(1.0, &terms).unwrap();
        assert!((found.df - (13.0f64 / 36.0).powi(2) / (1.0 / 48.0 + 1.0 / 648.0)).abs() < 1e-12);
        assert!((found.std_error - 13f64.sqrt() / 6.0).abs() < 1e-15 && found.p > found.p_normal);
    }

    #[test]
    fn pairing_and_own_calibrations() {
        let (mut observed, calibration) = papers();
        let refused = compare(&Observed { paired_sd: Some(0.1), ..observed }, &calibration, None).unwrap_err();
        assert!(refused.to_string().contains("since they are paired"), "{refused}");
        observed.b.n = observed.a.n;
        let apart = compare(&observed, &calibration, None).unwrap();
        let paired = compare(&Observed { paired_sd: Some(0.1), ..observed }, &calibration, None).unwrap();
        // Paired: sd .1 over √10278, and 10277 degrees of freedom.
        assert!(
            (paired.naive.std_error - 0.1 / 10_278f64.sqrt()).abs() < 1e-15
                && (paired.naive.df - 10_277.0).abs() < 1e-6
        );
        assert!(paired.shared.unwrap().p < apart.shared.unwrap().p);
        // A calibration of its own: nothing is shared. With the same counts, independent is what it was.
        let own = compare(&observed, &calibration, Some(&calibration.clone())).unwrap();
        assert_eq!((own.shared, own.independent), (None, apart.independent));
        let flat = Summary { score: 0.5, sd: Some(0.0), n: 9, weight: 1.0 };
        let none = compare(&Observed { a: flat, b: flat, paired_sd: None }, &calibration, None).unwrap_err();
        assert!(none.to_string().contains("standard error of the difference is 0"), "{none}");
    }
}
