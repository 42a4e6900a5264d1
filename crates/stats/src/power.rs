//! What so many topics can show: power of the paired t test, and its reverse.
//!
//! The one decision: differences are in units of the standard deviation of differences over topics (d). Whoever has a standard deviation
//! multiplies; whoever has none has no answer, and is not given a made-up one.

use crate::dist::{OutOfRange, check, each_side, noncentral_t, normal, open_probability, student_t};

/// Most topics that are asked for; more is no plan.
pub const MOST_TOPICS: u64 = 10_000_000;

/// The chance that the two-sided paired t test at `alpha` finds a difference of `d` standard deviations on `topics` topics.
///
/// # Errors
/// Fewer than 2 or more than [`MOST_TOPICS`] topics, an alpha that is none, a d beyond any use (d √n above 1e4).
pub fn power(topics: u64, d: f64, alpha: f64) -> Result<f64, OutOfRange> {
    let df = degrees(topics)?;
    let critical = student_t::upper_quantile(open_probability(alpha)? / 2.0, df)?;
    let noncentrality = d * (topics as f64).sqrt();
    Ok(noncentral_t::sf(critical, df, noncentrality)? + noncentral_t::cdf(-critical, df, noncentrality)?)
}

/// Whether the power for a `d` above 0 reaches `wanted`. The wrong side has a chance of alpha / 2 at most, and is looked at only where that
/// could make the difference.
fn has_power(topics: u64, d: f64, alpha: f64, wanted: f64) -> Result<bool, OutOfRange> {
    let df = degrees(topics)?;
    let critical = student_t::upper_quantile(open_probability(alpha)? / 2.0, df)?;
    let noncentrality = d * (topics as f64).sqrt();
    let right_side = noncentral_t::sf(critical, df, noncentrality)?;
    if right_side >= wanted || right_side + alpha / 2.0 < wanted {
        return Ok(right_side >= wanted);
    }
    Ok(right_side + noncentral_t::cdf(-critical, df, noncentrality)? >= wanted)
}

/// The smallest difference, in standard deviations, that is found with a chance of `wanted`.
///
/// # Errors
/// As [`power`]; or a wanted power not above alpha, which any difference has.
pub fn detectable(topics: u64, alpha: f64, wanted: f64) -> Result<f64, OutOfRange> {
    wanted_power(alpha, wanted)?;
    let df = degrees(topics)?;
    let critical = student_t::upper_quantile(alpha / 2.0, df)?;
    // One-sided, the noncentrality that has `wanted` above the critical value; the other side adds to it, so this is enough. It adds next to nothing but
    // with very few topics, so the answer is looked for just below first.
    let mut high = noncentral_t::noncentrality(critical, df, wanted)?.max(0.0) / (topics as f64).sqrt();
    let (mut low, mut gap) = (high, high * 1e-9);
    while low > 0.0 && power(topics, low, alpha)? >= wanted {
        (high, low, gap) = (low, (low - gap).max(0.0), gap * 32.0);
    }
    while high - low > high * 1e-13 {
        let middle = low + (high - low) / 2.0;
        if power(topics, middle, alpha)? < wanted {
            low = middle;
        } else {
            high = middle;
        }
    }
    Ok(high)
}

/// The fewest topics on which a difference of `d` standard deviations is found with a chance of `wanted`; `None` if more than
/// [`MOST_TOPICS`] are needed.
///
/// # Errors
/// As [`detectable`]; or a d of 0, which no number of topics finds.
pub fn topics_for_power(d: f64, alpha: f64, wanted: f64) -> Result<Option<u64>, OutOfRange> {
    wanted_power(alpha, wanted)?;
    check(d.is_finite() && d != 0.0, "difference in standard deviations", d, "a number other than 0")?;
    // Beyond noncentrality 1e4 the power is 1 for every alpha that can be asked for.
    let enough = |topics: u64| {
        if d.abs() * (topics as f64).sqrt() > 1e3 && topics > 2 {
            Ok(true)
        } else {
            has_power(topics, d.abs().min(1e3), alpha, wanted)
        }
    };
    // With known standard deviations: ((z_(alpha/2) + z_(1-wanted)) / d)². An estimated one costs about z_(alpha/2)² / 2 topics more
    // (Guenther 1981), which is off by one or two at most where it matters.
    let z = normal::upper_quantile(alpha / 2.0)?;
    let known = ((z + normal::upper_quantile(1.0 - wanted)?) / d).powi(2);
    fewest(enough, (known + z * z / 2.0).ceil())
}

/// Half the width of the t interval of a mean that is to be expected on `topics` topics, for a standard deviation of `sd`: quantile ×
/// expected estimate of sd / √n.
///
/// # Errors
/// As [`power`]; or a standard deviation below 0.
pub fn half_width(topics: u64, sd: f64, level: f64) -> Result<f64, OutOfRange> {
    let df = degrees(topics)?;
    check(sd >= 0.0 && sd.is_finite(), "standard deviation", sd, "a number from 0")?;
    Ok(student_t::upper_quantile(each_side(level)?, df)? * sd * expected_sd(df) / (topics as f64).sqrt())
}

/// The fewest topics on which the t interval's expected half width is at most `wanted`; `None` if more than [`MOST_TOPICS`] are needed.
///
/// # Errors
/// As [`half_width`]; or a wanted width not above 0.
pub fn topics_for_half_width(sd: f64, wanted: f64, level: f64) -> Result<Option<u64>, OutOfRange> {
    check(wanted > 0.0 && wanted.is_finite(), "half width", wanted, "a number above 0")?;
    let guess = (normal::upper_quantile(each_side(level)?)? * sd / wanted).powi(2);
    fewest(|topics| Ok(half_width(topics, sd, level)? <= wanted), guess)
}

/// The fewest topics that must differ before sign-flip, sign and Wilcoxon tests (two-sided) can reach `alpha`: 2^(1 − k) ≤ alpha.
/// Below, a comparison is unresolvable whatever the scores are.
///
/// # Errors
/// An alpha that is none.
pub fn fewest_that_can_reach(alpha: f64) -> Result<u32, OutOfRange> {
    let alpha = open_probability(alpha)?;
    // 1 − log₂ alpha, a hair less for alphas that are powers of two.
    Ok((1.0 - libm::log2(alpha) - 1e-12).ceil() as u32)
}

/// E[s] / σ of a normal sample: √(2/df) Γ((df + 1)/2) / Γ(df/2), often called c₄.
pub(crate) fn expected_sd(df: f64) -> f64 {
    // The difference of logarithms loses digits where both are large; there the series has them.
    if df > 200.0 {
        let x = 1.0 / df;
        return 1.0 - x / 4.0 + x * x / 32.0 + 5.0 * x * x * x / 128.0;
    }
    (2.0 / df).sqrt() * libm::exp(libm::lgamma((df + 1.0) / 2.0) - libm::lgamma(df / 2.0))
}

fn degrees(topics: u64) -> Result<f64, OutOfRange> {
    check((2..=MOST_TOPICS).contains(&topics), "topics", topics as f64, "from 2 to 10 million").map(|n| n - 1.0)
}

fn wanted_power(alpha: f64, wanted: f64) -> Result<(), OutOfRange> {
    open_probability(alpha)?;
    check(wanted > alpha && wanted < 1.0, "power", wanted, "a number above alpha and below 1, such as 0.8").map(|_| ())
}

/// The least number of topics that is enough: from a guess in growing steps to where it turns, then by halving; what is enough stays enough.
fn fewest(enough: impl Fn(u64) -> Result<bool, OutOfRange>, guess: f64) -> Result<Option<u64>, OutOfRange> {
    let guess = guess.clamp(2.0, MOST_TOPICS as f64) as u64;
    // Not enough, and enough; 1 topic never is.
    let (mut low, mut high) = (1, guess);
    let mut step = 1;
    if enough(guess)? {
        while high > 2 {
            let fewer = high.saturating_sub(step).max(2);
            if !enough(fewer)? {
                low = fewer;
                break;
            }
            (high, step) = (fewer, 2 * step);
        }
    } else {
        loop {
            if high == MOST_TOPICS {
                return Ok(None);
            }
            (low, high, step) = (high, (high + step).min(MOST_TOPICS), 2 * step);
            if enough(high)? {
                break;
            }
        }
    }
    while low + 1 < high {
        let middle = low + (high - low) / 2;
        if enough(middle)? {
            high = middle;
        } else {
            low = middle;
        }
    }
    Ok(Some(high))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_statsmodels_says() {
        // statsmodels 0.15.0: TTestPower().power(0.5, 34, 0.05) = 0.8077775012, .solve_power(0.5, power=.8, alpha=.05) = 33.37 → 34
        // topics; .solve_power(nobs=50, power=.8, alpha=.05) = 0.4041502...; all in tests/scipy_reference.tsv to more digits.
        assert_eq!(topics_for_power(0.5, 0.05, 0.8), Ok(Some(34)));
        assert!(power(34, 0.5, 0.05).unwrap() >= 0.8 && power(33, 0.5, 0.05).unwrap() < 0.8);
        // Without a difference the power is alpha.
        assert!((power(20, 0.0, 0.05).unwrap() - 0.05).abs() < 1e-12);
        // The reverse of each other, and the sign of d does not matter.
        let d = detectable(50, 0.05, 0.8).unwrap();
        assert!((power(50, d, 0.05).unwrap() - 0.8).abs() < 1e-10);
        assert_eq!(topics_for_power(-d * 1.000001, 0.05, 0.8), Ok(Some(50)));
    }

    #[test]
    fn half_width_by_hand() {
        // n = 5: t(.975, 4) = 2.7764451; E[s]/σ with 4 degrees of freedom is √(1/2) Γ(2.5)/Γ(2) = 0.7071068 · 1.3293404 = 0.9399856.
        let expected = 2.776_445_105 * 0.939_985_603 / 5f64.sqrt();
        assert!((half_width(5, 1.0, 0.95).unwrap() - expected).abs() < 1e-8);
        let needed = topics_for_half_width(0.2, 0.05, 0.95).unwrap().unwrap();
        assert!(half_width(needed, 0.2, 0.95).unwrap() <= 0.05 && half_width(needed - 1, 0.2, 0.95).unwrap() > 0.05);
        // No spread, no width: two topics do.
        assert_eq!(topics_for_half_width(0.0, 0.05, 0.95), Ok(Some(2)));
        // Series and logarithms meet.
        let logarithms =
            |df: f64| (2.0 / df).sqrt() * libm::exp(libm::lgamma((df + 1.0) / 2.0) - libm::lgamma(df / 2.0));
        assert!((expected_sd(201.0) - logarithms(201.0)).abs() < 1e-10);
    }

    #[test]
    fn too_few_to_reach_it_at_all() {
        // 2^(1 − 5) = .0625 > .05 ≥ 2^(1 − 6) = .03125; at .01 eight; at 1/4 exactly three.
        assert_eq!([0.05, 0.01, 0.25].map(|alpha| fewest_that_can_reach(alpha).unwrap()), [6, 8, 3]);
        assert!(fewest_that_can_reach(0.0).is_err());
    }

    #[test]
    fn refusals_and_extremes() {
        assert!(power(1, 0.5, 0.05).is_err() && power(10, 0.5, 1.0).is_err() && power(10, f64::NAN, 0.05).is_err());
        assert!(detectable(10, 0.05, 0.04).is_err() && detectable(10, 0.05, 1.0).is_err());
        assert!(topics_for_power(0.0, 0.05, 0.8).is_err() && topics_for_half_width(0.2, 0.0, 0.95).is_err());
        assert!(half_width(10, -1.0, 0.95).is_err() && half_width(10, 1.0, 2.0).is_err());
        assert_eq!(topics_for_power(1e-6, 0.05, 0.8), Ok(None));
        assert_eq!(topics_for_half_width(0.2, 1e-9, 0.95), Ok(None));
        assert!(topics_for_power(1e6, 0.05, 0.8).unwrap().unwrap() <= 3);
    }
}
