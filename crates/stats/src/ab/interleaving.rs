//! Interleaved results: which of two rankings do clicks prefer, when both are shown in one list?
//!
//! The one decision: ties say nothing about who wins and everything about how often it matters. The sign test leaves them out; the
//! margin (wins of b − wins of a) over all searches counts them as 0.

use super::{NoAnswer, Ratio};
use crate::dist::{binomial, each_side, student_t};
use crate::estimate::{Interval, Method};

/// The sign test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SignTest {
    /// Wins of b among all that were decided.
    pub share: f64,
    /// Clopper-Pearson's interval of it.
    pub interval: Interval,
    /// The exact two-sided p.
    pub p: f64,
}

/// Whether as many are won as lost, ties left out.
///
/// # Errors
/// Nothing was decided.
pub fn sign_test(wins_a: u64, wins_b: u64, level: f64) -> Result<SignTest, NoAnswer> {
    let decided = wins_a.saturating_add(wins_b);
    if decided == 0 {
        return Err(NoAnswer::NothingDecided);
    }
    let fewer = wins_a.min(wins_b);
    // At p = ½ both tails are alike, so twice the smaller one is exact.
    let p = (2.0 * binomial::cdf(fewer, decided, 0.5)?).min(1.0);
    let interval = binomial::clopper_pearson(wins_b, decided, level)?;
    Ok(SignTest { share: wins_b as f64 / decided as f64, interval, p })
}

/// The margin over searches, with users as units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Margin {
    /// (Wins of b − wins of a) / searches.
    pub value: f64,
    /// Standard error over users.
    pub std_error: f64,
    /// Units − 1.
    pub df: f64,
    /// The margin over its standard error.
    pub t: f64,
    /// Its two-sided p.
    pub p: f64,
    /// Its interval.
    pub interval: Interval,
}

/// Student's t of the margin: one (wins of b − wins of a, searches) a unit.
///
/// # Errors
/// Fewer than two units, no search, or all units alike.
pub fn margin(units: &[(f64, f64)], level: f64) -> Result<Margin, NoAnswer> {
    let ratio = Ratio::of(units)?;
    let (std_error, df) = (ratio.std_error(), (ratio.units - 1) as f64);
    if std_error <= 0.0 {
        return Err(NoAnswer::Constant);
    }
    let t = (ratio.value / std_error).clamp(-1e150, 1e150);
    let reach = student_t::upper_quantile(each_side(level)?, df)? * std_error;
    let interval = Interval { low: ratio.value - reach, high: ratio.value + reach, level, method: Method::StudentT };
    Ok(Margin { value: ratio.value, std_error, df, t, p: student_t::two_sided(t, df)?, interval })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_of_ten() {
        // Twice (1 + 10 + 45)/1024 = .109375.
        let found = sign_test(2, 8, 0.95).unwrap();
        assert!((found.p - 0.109375).abs() < 1e-14 && found.share == 0.8);
        assert_eq!(sign_test(8, 2, 0.95).unwrap().p, found.p);
        assert_eq!(sign_test(5, 5, 0.95).unwrap().p, 1.0);
        assert_eq!(sign_test(0, 0, 0.95), Err(NoAnswer::NothingDecided));
    }

    #[test]
    fn a_margin_with_one_search_a_user_is_students_t() {
        // 1, 1, 1, 0, −1: mean .4, variance (3 · .36 + .16 + 1.96)/4 = .8; t = .4/√.16 = 1 with 4 degrees of freedom: p = .3739.
        let units = [1.0, 1.0, 1.0, 0.0, -1.0].map(|margin| (margin, 1.0));
        let found = margin(&units, 0.95).unwrap();
        assert!((found.value - 0.4).abs() < 1e-15 && (found.t - 1.0).abs() < 1e-14 && found.df == 4.0);
        assert!((found.p - 0.373900966300059).abs() < 1e-12, "{}", found.p);
        assert!(margin(&[(1.0, 1.0)], 0.95).is_err() && margin(&[(1.0, 1.0); 5], 0.95).is_err());
    }
}
