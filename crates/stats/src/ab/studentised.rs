//! An estimate over its standard error, when few or skewed units say how large that error is.
//!
//! Two things make |t| too large in samples of a hundred units, and both are worst when the arms are unequal (docs/ab-measured.md).
//! First, the variance of the smaller arm is small by luck: of 50 users nobody converts, so the arm seems to have no variance at all.
//! Second, of skewed units the mean and its standard error are small together, so t has a long tail on one side. In equal arms of one
//! distribution these tails cancel; in unequal arms they do not.
//!
//! The one decision: neither correction may ever make a result more significant.
//!
//! - The variance of a difference is the larger of Welch's and the pooled one, which a permutation test has. Welch's alone suffices in
//!   large samples, so the larger of the two does too. In arms of equal size they are the same.
//! - t is transformed by Hall (1992, "On the removal of skewness by transformation"): t + gt²/3 + g²t³/27 + g/6, with g the skewness of
//!   the estimate. Of t and its transform the one nearer to 0 counts.

use super::Ratio;

/// An estimate, divided by its standard error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Studentised {
    /// The estimate over its standard error.
    pub(super) t: f64,
    /// The variance of the estimate.
    pub(super) variance: f64,
    /// The skewness of the estimate.
    skewness: f64,
}

impl Studentised {
    /// The value of an arm; `None` without variance.
    pub(super) fn value(arm: &Ratio) -> Option<Studentised> {
        Studentised::new(arm.value, arm.variance(), arm.third_moment)
    }

    /// Treatment minus control; `None` where neither varies.
    pub(super) fn difference(control: &Ratio, treatment: &Ratio) -> Option<Studentised> {
        let variance = (control.variance() + treatment.variance()).max(pooled(control, treatment));
        Studentised::new(treatment.value - control.value, variance, treatment.third_moment - control.third_moment)
    }

    fn new(estimate: f64, variance: f64, third: f64) -> Option<Studentised> {
        let error = Some(variance.sqrt()).filter(|error| *error > 0.0)?;
        Some(Studentised { t: estimate / error, variance, skewness: third / (error * error * error) })
    }

    /// The normal score: of |t| and its transform the smaller, at least 0.
    pub(super) fn score(&self) -> f64 {
        let (t, g) = (self.t, self.skewness);
        let transformed = t + g * t * t / 3.0 + g * g * t * t * t / 27.0 + g / 6.0;
        let sign = if t < 0.0 { -1.0 } else { 1.0 };
        (sign * t).min(sign * transformed).max(0.0)
    }

    /// Standard errors below and above the estimate at which the score is this.
    pub(super) fn reach(&self, score: f64) -> (f64, f64) {
        (score.max(inverse(score, self.skewness)), score.max(inverse(score, -self.skewness)))
    }
}

/// The variance of the difference if the units of both arms vary alike.
fn pooled(control: &Ratio, treatment: &Ratio) -> f64 {
    let (a, b) = (control.units as f64, treatment.units as f64);
    (a * control.unit_variance + b * treatment.unit_variance) / (a + b) * (1.0 / a + 1.0 / b)
}

/// The t whose transform is this: 3/g (c − 1) with c³ = 1 + g(z − g/6), written without a difference that cancels.
fn inverse(z: f64, g: f64) -> f64 {
    let shifted = z - g / 6.0;
    let c = libm::cbrt(1.0 + g * shifted);
    3.0 * shifted / (c * c + c + 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(t: f64, skewness: f64) -> Studentised {
        Studentised { t, variance: 1.0, skewness }
    }

    #[test]
    fn the_transform_by_hand() {
        // g = −.6, t = 3: 3 − .6 · 9/3 + .36 · 27/27 − .1 = 1.46. On the other side the transform is further from 0, so t counts.
        assert!((with(3.0, -0.6).score() - 1.46).abs() < 1e-12);
        assert_eq!(with(-3.0, -0.6).score(), 3.0);
        assert!((with(-3.0, 0.6).score() - 1.46).abs() < 1e-12);
        // The transform of .05 is on the other side of 0: .05 − .0005 + … − .1.
        assert_eq!(with(0.05, -0.6).score(), 0.0);
        assert_eq!(with(2.5, 0.0).score(), 2.5);
    }

    #[test]
    fn reach_and_score_are_one_test() {
        for skewness in [-1.0, -0.4, -1e-9, 0.0, 1e-9, 0.05, 0.7, 1.0] {
            for score in [0.5, 1.96, 3.04, 4.5] {
                let (below, above) = with(0.0, skewness).reach(score);
                // The estimate is `below` errors above the value that is tested.
                for (t, beyond) in [(below, 1e-6), (-above, -1e-6)] {
                    let (inside, outside) = (with(t - beyond, skewness), with(t + beyond, skewness));
                    assert!(inside.score() < score && outside.score() >= score, "{skewness} {score} {t}");
                }
                assert!(below.min(above) >= score);
            }
        }
    }

    #[test]
    fn the_larger_variance_counts() {
        // Unit variances 1 of 100 and 4 of 900: Welch .01 + .0044; pooled (100 + 3600)/1000 · (.01 + 1/900) = .0411.
        let (small, large) = (Ratio::of_equal_units(0.0, 1.0, 100), Ratio::of_equal_units(0.0, 4.0, 900));
        let found = Studentised::difference(&small, &large).unwrap();
        assert!((found.variance - 3.7 / 90.0).abs() < 1e-15, "{found:?}");
        // The smaller arm varies more: Welch 4/100 + 1/900; pooled (400 + 900)/1000 · (.01 + 1/900) = .0144.
        let (small, large) = (Ratio::of_equal_units(0.0, 4.0, 100), Ratio::of_equal_units(0.0, 1.0, 900));
        let found = Studentised::difference(&small, &large).unwrap();
        assert!((found.variance - (0.04 + 1.0 / 900.0)).abs() < 1e-15, "{found:?}");
        // Nobody of 50 users converts, and 5% of 450: the pooled variance is .9 · .0475 (1/50 + 1/450), so t = .05/.0308 = 1.62 and not
        // the √(450/.0475) · .05 = 4.87 of Welch.
        let (none, some) = (Ratio::of_equal_units(0.0, 0.0, 50), Ratio::of_equal_units(0.05, 0.0475, 450));
        let found = Studentised::difference(&none, &some).unwrap();
        assert!((found.t - 0.05 / (0.9f64 * 0.0475 / 45.0).sqrt()).abs() < 1e-12 && found.t < 1.63, "{found:?}");
        assert_eq!(Studentised::difference(&none, &none), None);
    }

    #[test]
    fn skewness_of_equal_arms_cancels() {
        let skewed = Ratio { third_moment: 1e-4, ..Ratio::of_equal_units(0.2, 1.0, 100) };
        assert_eq!(Studentised::difference(&skewed, &skewed).unwrap().skewness, 0.0);
        // Of one arm it is third moment over standard error cubed: 1e-4/.1³.
        assert!((Studentised::value(&skewed).unwrap().skewness - 0.1).abs() < 1e-12);
    }
}
