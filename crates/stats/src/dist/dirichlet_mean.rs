//! The distribution of a mean whose weights are uniform: Σ Wᵢxᵢ with W from Dirichlet(1, …, 1), a value seen k times having shape k.
//!
//! The one decision: Σ Wᵢxᵢ exceeds t just when Σ (xᵢ − t) Gᵢ exceeds 0, with Gᵢ independent gamma variables; the probability of that is
//! one integral of e^{K(s)}/s through its saddle point. No value is drawn, so the same numbers give the same answer on every machine.

use super::{OutOfRange, check, normal, open_probability};

/// Steps of the trapezoid rule in x, where the path is a hyperbola with sinh x. With twice this step the worst relative error among the tests was
/// 2e-11; the rule's error falls exponentially with 1/STEP.
const STEP: f64 = 0.1;

/// Terms of the sum below this share of the first end it.
const NEGLIGIBLE: f64 = 1e-17;

/// A quantile is found when its probability, as a normal deviate, is this near.
const CLOSE: f64 = 1e-11;

/// Values with how often each is there.
#[derive(Clone, Debug)]
pub struct DirichletMean {
    /// Ascending, each value once, with its count.
    values: Vec<(f64, f64)>,
}

impl DirichletMean {
    /// Over these finite values; equal ones count together.
    ///
    /// # Errors
    /// No value, or one that is not finite.
    pub fn new(values: impl IntoIterator<Item = f64>) -> Result<DirichletMean, OutOfRange> {
        let mut sorted: Vec<f64> = values.into_iter().collect();
        for &value in &sorted {
            check(value.is_finite(), "value", value, "a finite number")?;
        }
        check(!sorted.is_empty(), "number of values", 0.0, "at least 1")?;
        sorted.sort_by(f64::total_cmp);
        let mut values: Vec<(f64, f64)> = Vec::new();
        for value in sorted {
            match values.last_mut() {
                Some((last, count)) if *last == value => *count += 1.0,
                _ => values.push((value, 1.0)),
            }
        }
        Ok(DirichletMean { values })
    }

    /// Probability of a mean above t.
    pub fn sf(&self, t: f64) -> f64 {
        let terms: Vec<(f64, f64)> =
            self.values.iter().map(|&(value, count)| (value - t, count)).filter(|(weight, _)| *weight != 0.0).collect();
        above_zero(&terms)
    }

    /// Probability of a mean below t.
    pub fn cdf(&self, t: f64) -> f64 {
        let terms: Vec<(f64, f64)> =
            self.values.iter().map(|&(value, count)| (t - value, count)).filter(|(weight, _)| *weight != 0.0).collect();
        above_zero(&terms)
    }

    /// The point with probability p above it.
    ///
    /// # Errors
    /// A probability that is 0, 1 or none.
    pub fn upper_quantile(&self, p: f64) -> Result<f64, OutOfRange> {
        let wanted = normal::upper_quantile(open_probability(p)?)?;
        let (Some(&(mut low, _)), Some(&(mut high, _))) = (self.values.first(), self.values.last()) else {
            return Ok(0.0);
        };
        let tolerance = 1e-15 * low.abs().max(high.abs());
        let (mean, deviation) = self.moments();
        // Expressed as a normal deviate the tail is nearly a line, so a secant through the last two points is soon there.
        let (mut t, mut slope) = (mean + wanted * deviation, 1.0 / deviation);
        let mut last: Option<(f64, f64)> = None;
        for step in 0..200 {
            if !(t > low && t < high) || step > 20 {
                t = low + (high - low) / 2.0;
            }
            let gap = wanted - self.deviate(t)?;
            if gap.abs() < CLOSE || high - low <= tolerance {
                break;
            }
            if gap > 0.0 {
                low = t;
            } else {
                high = t;
            }
            slope = last.map_or(slope, |(other, before)| (before - gap) / (t - other));
            last = Some((t, gap));
            t += gap / slope;
        }
        Ok(t)
    }

    /// The probability above t as a normal deviate.
    fn deviate(&self, t: f64) -> Result<f64, OutOfRange> {
        let above = self.sf(t);
        let tail = if above <= 0.5 { above } else { self.cdf(t) };
        let size = normal::upper_quantile(tail.max(f64::MIN_POSITIVE))?;
        Ok(if above <= 0.5 { size } else { -size })
    }

    /// Mean and standard deviation: with shapes a of sum N, Σ aᵢ(xᵢ − mean)² / (N (N + 1)) is the variance.
    fn moments(&self) -> (f64, f64) {
        let sum = |of: &dyn Fn(f64) -> f64| self.values.iter().map(|&(value, count)| count * of(value)).sum::<f64>();
        let count = sum(&|_| 1.0);
        let mean = sum(&|value| value) / count;
        (mean, (sum(&|value| (value - mean) * (value - mean)) / (count * (count + 1.0))).sqrt())
    }
}

/// P(Σ wⱼ Gⱼ > 0) for weights other than 0 and gamma variables Gⱼ of these shapes.
fn above_zero(terms: &[(f64, f64)]) -> f64 {
    if terms.iter().all(|term| term.0 <= 0.0) {
        return 0.0;
    }
    if terms.iter().all(|term| term.0 > 0.0) {
        return 1.0;
    }
    // The tail beyond the mean is the smaller one, or nearly.
    if terms.iter().map(|(weight, shape)| weight * shape).sum::<f64>() <= 0.0 {
        return small_tail(terms);
    }
    let turned: Vec<(f64, f64)> = terms.iter().map(|&(weight, shape)| (-weight, shape)).collect();
    1.0 - small_tail(&turned)
}

/// The same for weights of both signs: (1/2πi) ∫ e^{K(s)}/s ds, K(s) = −Σ shape ln(1 − weight s), on a hyperbola through the saddle point that
/// bends as the path of steepest descent does, so that the integrand falls off without turning.
fn small_tail(terms: &[(f64, f64)]) -> f64 {
    let largest = terms.iter().fold(0.0f64, |most, term| most.max(term.0));
    // In units of the largest weight; the sign of the sum does not depend on the unit.
    let terms: Vec<(f64, f64)> = terms.iter().map(|&(weight, shape)| (weight / largest, shape)).collect();
    let saddle = saddle(&terms);
    let factors: Vec<(f64, f64)> = terms.iter().map(|&(w, shape)| (w / (1.0 - w * saddle), shape)).collect();
    let derivative = |order: i32| factors.iter().map(|(y, shape)| shape * y.powi(order)).sum::<f64>();
    let (second, third) = (derivative(2) + saddle.powi(-2), 2.0 * derivative(3) - 2.0 * saddle.powi(-3));
    let scale = 1.0 / second.sqrt();
    let (sine, cosine) = bend(third * scale.powi(3));
    let mut sum = cosine / 2.0;
    for step in 1..2000 {
        let x = STEP * f64::from(step);
        let (sinh, cosh) = (libm::sinh(x), libm::cosh(x));
        // s − saddle = scale (sin θ + i sinh(x + iθ)), and its derivative by x over i.
        let away = (scale * (sine - cosh * sine), scale * sinh * cosine);
        let (real, size) = relative(&factors, saddle, away, (cosh * cosine, sinh * sine));
        sum += real;
        if size < NEGLIGIBLE {
            break;
        }
    }
    let log_height: f64 = terms.iter().map(|&(weight, shape)| -shape * libm::log1p(-weight * saddle)).sum();
    (sum * STEP * scale * libm::exp(log_height) / saddle / std::f64::consts::PI).clamp(0.0, 1.0)
}

/// Sine and cosine of the hyperbola's angle, from the skewness of the exponent at the saddle: near it the path of steepest descent is
/// s − saddle ≈ iu + skewness/6 · u²/scale.
fn bend(skewness: f64) -> (f64, f64) {
    // The hyperbola has −sin θ/(2 cos² θ) in place of skewness/6. Not beyond 45 degrees, where the path would run along the poles.
    let sine = (-skewness / 3.0).clamp(-0.7, 0.7);
    (sine, (1.0 - sine * sine).sqrt())
}

/// Real part and size of the integrand relative to its value at the saddle, times the direction of the path: direction / ((1 + z/saddle) Π (1 − yz)^shape).
fn relative(factors: &[(f64, f64)], saddle: f64, away: (f64, f64), direction: (f64, f64)) -> (f64, f64) {
    let (mut real, mut imaginary) = (1.0 + away.0 / saddle, away.1 / saddle);
    for &(y, shape) in factors {
        let (re, im) = power((1.0 - y * away.0, -y * away.1), shape);
        (real, imaginary) = (real * re - imaginary * im, real * im + imaginary * re);
        // Long before this the integrand is negligible.
        if real.abs() + imaginary.abs() > 1e100 {
            return (0.0, 0.0);
        }
    }
    let square = real * real + imaginary * imaginary;
    let size = (direction.0 * direction.0 + direction.1 * direction.1).sqrt() / square.sqrt();
    ((direction.0 * real + direction.1 * imaginary) / square, size)
}

/// A power by repeated squaring, for a whole exponent; beyond 1e100 in size it stays there.
fn power(mut base: (f64, f64), exponent: f64) -> (f64, f64) {
    let mut result = (1.0f64, 0.0f64);
    let times = |a: (f64, f64), b: (f64, f64)| (a.0 * b.0 - a.1 * b.1, a.0 * b.1 + a.1 * b.0);
    let mut left = exponent as u64;
    while left > 0 {
        if left & 1 == 1 {
            result = times(result, base);
        }
        left >>= 1;
        if left > 0 {
            base = times(base, base);
        }
        if result.0.abs() + result.1.abs() > 1e100 || base.0.abs() + base.1.abs() > 1e100 {
            return (1e101, 0.0);
        }
    }
    result
}

/// Where K(s) − ln s is least for s between 0 and 1, the pole of the largest weight: K(s) = −Σ shape ln(1 − weight s).
fn saddle(terms: &[(f64, f64)]) -> f64 {
    let slope =
        |s: f64| terms.iter().map(|&(weight, shape)| shape * weight / (1.0 - weight * s)).sum::<f64>() - 1.0 / s;
    let (mut low, mut high) = (0.0, 1.0);
    // Four digits are enough: any line in the strip gives the integral, this one gives it soonest.
    for _ in 0..200 {
        let middle = low + (high - low) / 2.0;
        if slope(middle) > 0.0 {
            high = middle;
        } else {
            low = middle;
        }
        if high - low <= 1e-4 * low.min(1.0 - high) {
            break;
        }
    }
    low + (high - low) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dist::beta;

    fn mean(values: &[f64]) -> DirichletMean {
        DirichletMean::new(values.iter().copied()).unwrap()
    }

    #[test]
    fn two_values_are_a_beta() {
        // The weight of the ones is Beta(ones, zeros).
        for (ones, zeros) in [(1usize, 1usize), (1, 10), (3, 8), (50, 1), (200, 300), (7000, 3)] {
            let values: Vec<f64> = [vec![1.0; ones], vec![0.0; zeros]].concat();
            let found = mean(&values);
            for t in [1e-6, 0.01, 0.2, 0.5, 0.9, 0.999] {
                let (above, below) =
                    (beta::sf(t, ones as f64, zeros as f64).unwrap(), beta::cdf(t, ones as f64, zeros as f64).unwrap());
                assert!(
                    (found.sf(t) - above).abs() <= 1e-11 * above + 1e-300,
                    "{ones} {zeros} {t}: {} {above}",
                    found.sf(t)
                );
                assert!(
                    (found.cdf(t) - below).abs() <= 1e-11 * below + 1e-300,
                    "{ones} {zeros} {t}: {} {below}",
                    found.cdf(t)
                );
            }
            for p in [1e-6, 0.025, 0.5, 0.975] {
                let expected = beta::upper_quantile(p, ones as f64, zeros as f64).unwrap();
                assert!((found.upper_quantile(p).unwrap() - expected).abs() < 1e-12, "{ones} {zeros} {p}");
            }
        }
    }

    #[test]
    fn distinct_values_have_a_closed_form() {
        // P(Σ Wᵢxᵢ > t) = Σ over xᵢ > t of Π over j ≠ i of (xᵢ − t)/(xᵢ − xⱼ). For 0, ½, 1 at t = ½: (½/1)(½/½) = ½, by symmetry.
        assert!((mean(&[0.0, 0.5, 1.0]).sf(0.5) - 0.5).abs() < 1e-14);
        let values: [f64; 6] = [0.0, 0.1, 0.35, 0.4, 0.8, 1.0];
        for t in [0.05, 0.2, 0.37, 0.45, 0.7, 0.95] {
            let term = |i: usize| -> f64 {
                let others = (0..values.len()).filter(|&j| j != i);
                others.map(|j| (values[i] - t) / (values[i] - values[j])).product()
            };
            // One factor fewer than there are values: the product over the other five, each (xᵢ − t)/(xᵢ − xⱼ).
            let expected: f64 = (0..values.len()).filter(|&i| values[i] > t).map(term).sum();
            assert!((mean(&values).sf(t) - expected).abs() < 1e-12, "{t}: {} {expected}", mean(&values).sf(t));
        }
    }

    #[test]
    fn units_do_not_matter_and_quantiles_invert() {
        let values = [0.31, 0.02, 0.44, 0.44, 0.9, 0.11, 0.0, 1.0];
        let moved = values.map(|value| 4.0 * value - 3.0);
        for p in [0.001, 0.025, 0.3, 0.975] {
            let (found, other) = (mean(&values).upper_quantile(p).unwrap(), mean(&moved).upper_quantile(p).unwrap());
            assert!((4.0 * found - 3.0 - other).abs() < 1e-12);
            assert!((mean(&values).sf(found) - p).abs() < 1e-11 * p.max(0.01));
            assert!((mean(&values).sf(found) + mean(&values).cdf(found) - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn edges_and_refusals() {
        assert_eq!((mean(&[0.4; 3]).sf(0.3), mean(&[0.4; 3]).sf(0.4), mean(&[0.4; 3]).sf(0.5)), (1.0, 0.0, 0.0));
        assert!((mean(&[0.4; 3]).upper_quantile(0.1).unwrap() - 0.4).abs() < 1e-15);
        assert!(DirichletMean::new([]).is_err() && DirichletMean::new([1.0, f64::NAN]).is_err());
        assert!(mean(&[1.0, 2.0]).upper_quantile(0.0).is_err());
    }
}
