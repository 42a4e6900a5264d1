//! Draws from the distributions that users are made of.

use karat_stats::seed::Stream;

/// A standard normal number (Box and Muller 1958).
pub(super) fn normal(stream: &mut Stream) -> f64 {
    let radius = (-2.0 * libm::log(1.0 - stream.unit())).sqrt();
    radius * libm::cos(2.0 * std::f64::consts::PI * stream.unit())
}

/// Gamma with shape a (Marsaglia and Tsang 2000; below 1 by the boost of their section 6).
fn gamma(a: f64, stream: &mut Stream) -> f64 {
    if a < 1.0 {
        return gamma(a + 1.0, stream) * libm::pow(1.0 - stream.unit(), 1.0 / a);
    }
    let d = a - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let z = normal(stream);
        let v = (1.0 + c * z).powi(3);
        if v > 0.0 && libm::log(1.0 - stream.unit()) < 0.5 * z * z + d - d * v + d * libm::log(v) {
            return d * v;
        }
    }
}

/// Beta(a, b).
pub(super) fn beta(a: f64, b: f64, stream: &mut Stream) -> f64 {
    let (x, y) = (gamma(a, stream), gamma(b, stream));
    if x + y > 0.0 { x / (x + y) } else { 0.0 }
}

/// Successes of n trials. Many trials are halved at their median order statistic, which is beta distributed (Relles 1972).
pub(super) fn binomial(mut n: u64, mut p: f64, stream: &mut Stream) -> u64 {
    let mut successes = 0;
    while n > 64 {
        let middle = n.div_ceil(2);
        let value = beta(middle as f64, (n + 1 - middle) as f64, stream);
        if value <= p {
            successes += middle;
            n -= middle;
            p = ((p - value) / (1.0 - value)).clamp(0.0, 1.0);
        } else {
            n = middle - 1;
            p = (p / value).min(1.0);
        }
    }
    successes + (0..n).filter(|_| stream.unit() < p).count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use karat_stats::Seed;

    /// Mean and variance of 40,000 draws.
    fn moments(name: &str, mut draw: impl FnMut(&mut Stream) -> f64) -> (f64, f64) {
        let mut stream = Seed(4).stream(name, 0);
        let draws: Vec<f64> = (0..40_000).map(|_| draw(&mut stream)).collect();
        let mean = draws.iter().sum::<f64>() / 4e4;
        (mean, draws.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / 4e4)
    }

    #[test]
    fn means_and_variances_are_those_of_the_books() {
        // Five standard errors of a mean are 5 σ/200; variances of draws are within 5%.
        let normal = moments("normal", normal);
        assert!(normal.0.abs() < 0.025 && (normal.1 - 1.0).abs() < 0.05, "{normal:?}");
        for (a, b) in [(2.0, 6.0), (0.5, 9.5), (20.0, 60.0)] {
            let (mean, variance) = (a / (a + b), a * b / ((a + b) * (a + b) * (a + b + 1.0)));
            let found = moments("beta", |stream| beta(a, b, stream));
            assert!((found.0 - mean).abs() < 0.025 * variance.sqrt(), "{found:?}");
            assert!((found.1 / variance - 1.0).abs() < 0.05, "{found:?}");
        }
        for (n, p) in [(10, 0.3), (1000, 0.3), (100_000, 0.001)] {
            let (mean, variance) = (n as f64 * p, n as f64 * p * (1.0 - p));
            let found = moments("binomial", |stream| binomial(n, p, stream) as f64);
            assert!((found.0 - mean).abs() < 0.025 * variance.sqrt(), "{n} {p} {found:?}");
            assert!((found.1 / variance - 1.0).abs() < 0.05, "{n} {p} {found:?}");
        }
        assert_eq!(binomial(1000, 0.0, &mut Seed(1).stream("none", 0)), 0);
        assert_eq!(binomial(1000, 1.0, &mut Seed(1).stream("all", 0)), 1000);
    }
}
