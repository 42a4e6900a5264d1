//! The standard error by resampling, next to the delta method.
//!
//! The one decision: the calibration sample is redrawn with the number of pairs of each gold grade held, as equation 8 holds
//! n_R and n_N. A replicate whose judges say nothing (D ≤ 0, 𝒥 singular) has no corrected score; it is counted, not forged.

use super::correct::{inverse, mean_variance};
use super::{Calibration, CorrectionError, Shares, Summary, graded, proportion};
use crate::dist::{discrete::Discrete, normal};
use crate::resample::{Replicates, multiplicities};
use crate::seed::{Seed, Stream};

/// Algorithm 1: j*, m_R* and m_N* drawn from their distributions. Of P@1 j* is binomial; of a mean with a standard deviation it is
/// Normal, as means of many queries are.
///
/// # Errors
/// What keeps the score from being corrected.
pub fn parametric(
    summary: Summary,
    calibration: &Calibration,
    resamples: u32,
    seed: Seed,
) -> Result<Replicates, CorrectionError> {
    proportion(summary, calibration)?;
    let deviation = mean_variance(&summary)?.sqrt();
    let rows = Redraw::new(calibration)?;
    // Tabled only where it is drawn from.
    let (n, p) = if summary.sd.is_none() { (summary.n, summary.score.clamp(0.0, 1.0)) } else { (0, 0.0) };
    let counted = Discrete::binomial(n, p).map_err(out_of_range)?;
    let replicates = Replicates::draw(resamples, seed, "parametric", |stream| {
        let score = match summary.sd {
            None => counted.draw(stream) as f64 / summary.n as f64,
            Some(_) => summary.score + deviation * standard_normal(stream)?,
        };
        let drawn = rows.draw(stream)?;
        let (relevant, other) = drawn.accuracies()?;
        let d = relevant + other - 1.0;
        (d > 1e-12).then(|| (score - (1.0 - other) * summary.weight) / d)
    });
    Ok(replicates)
}

/// Queries and calibration pairs drawn anew from those there are; queries as in [`super::linear`].
///
/// # Errors
/// What keeps the score from being corrected.
pub fn non_parametric(
    queries: &[Vec<f64>],
    gains: &[f64],
    calibration: &Calibration,
    resamples: u32,
    seed: Seed,
) -> Result<Replicates, CorrectionError> {
    super::linear(queries, gains, calibration)?;
    let rows = Redraw::new(calibration)?;
    let mut times = Vec::new();
    let n = queries.len() as f64;
    Ok(Replicates::draw(resamples, seed, "non-parametric", |stream| {
        multiplicities(queries.len(), stream, &mut times);
        let worth = inverse(&rows.draw(stream)?).ok()?.times(gains);
        let of = |weights: &Vec<f64>| weights.iter().zip(&worth).map(|(x, u)| x * u).sum::<f64>();
        let sum: f64 = queries.iter().zip(&times).map(|(weights, &times)| f64::from(times) * of(weights)).sum();
        Some(sum / n)
    }))
}

/// Algorithm 1 for shares by rank: at each rank shares as n queries might have given them (Normal, with the multinomial's covariances), and the
/// calibration drawn again.
///
/// # Errors
/// What keeps the score from being corrected.
pub fn from_shares(
    shares: &Shares,
    calibration: &Calibration,
    resamples: u32,
    seed: Seed,
) -> Result<Replicates, CorrectionError> {
    graded(shares, calibration)?;
    let rows = Redraw::new(calibration)?;
    Ok(Replicates::draw(resamples, seed, "shares", |stream| {
        let worth = inverse(&rows.draw(stream)?).ok()?.times(&shares.gains);
        let mut sum = 0.0;
        for (row, weight) in shares.ranks.iter().zip(&shares.weights) {
            // √p_b z_b − p_b Σ_c √p_c z_c has covariances diag(p) − p pᵀ.
            let drawn: Vec<f64> =
                row.iter().map(|share| Some(share.sqrt() * standard_normal(stream)?)).collect::<Option<_>>()?;
            let all: f64 = drawn.iter().sum();
            let at = |(share, z): (&f64, &f64)| share + (z - share * all) / (shares.n as f64).sqrt();
            sum += weight * row.iter().zip(&drawn).map(at).zip(&worth).map(|(share, worth)| share * worth).sum::<f64>();
        }
        Some(sum)
    }))
}

/// A calibration sample to draw again: each gold grade keeps its number of pairs, or of the independent ones that they are worth where errors
/// within topics are alike.
pub struct Redraw<'a> {
    calibration: &'a Calibration,
    pairs: Vec<u64>,
    rows: Vec<Discrete>,
}

impl Redraw<'_> {
    /// Of this sample.
    ///
    /// # Errors
    /// Counts too large to draw.
    pub fn new(calibration: &Calibration) -> Result<Redraw<'_>, CorrectionError> {
        let two = calibration.grades().len() == 2;
        let worth = |gold| (calibration.pairs(gold) as f64 / calibration.design_effect(gold)).round().max(1.0) as u64;
        let pairs: Vec<u64> = (0..calibration.grades().len()).map(worth).collect();
        let rows = (0..calibration.grades().len()).map(|gold| {
            if two {
                // Of two grades the count of one is all there is to draw.
                let rate = calibration.counts()[gold][gold] as f64 / calibration.pairs(gold) as f64;
                Discrete::binomial(pairs[gold], rate)
            } else {
                let shares: Vec<f64> = calibration.counts()[gold].iter().map(|&count| count as f64).collect();
                Discrete::new(0, &shares)
            }
        });
        let rows = rows.collect::<Result<_, _>>().map_err(out_of_range)?;
        Ok(Redraw { calibration, pairs, rows })
    }

    /// Another sample as it might have been; `None` where it calibrates nothing.
    pub fn draw(&self, stream: &mut Stream) -> Option<Calibration> {
        let grades = self.calibration.grades();
        let mut counts = vec![vec![0; grades.len()]; grades.len()];
        for (gold, row) in self.rows.iter().enumerate() {
            let pairs = self.pairs[gold];
            if grades.len() == 2 {
                let agreed = row.draw(stream).min(pairs);
                counts[gold][gold] = agreed;
                counts[gold][1 - gold] = pairs - agreed;
            } else {
                (0..pairs).for_each(|_| counts[gold][row.draw(stream) as usize] += 1);
            }
        }
        Calibration::new(grades, counts).ok()
    }
}

fn standard_normal(stream: &mut Stream) -> Option<f64> {
    // Half a step up, so that neither 0 nor 1 is drawn.
    normal::quantile(stream.unit() + 0.5 / (1u64 << 53) as f64).ok()
}

fn out_of_range(error: crate::dist::OutOfRange) -> CorrectionError {
    CorrectionError::OutOfRange { what: error.argument, found: error.found, expected: error.legal }
}

#[cfg(test)]
mod tests {
    use super::super::{Corrected, linear};
    use super::*;

    /// Near: the bootstrap's sd has a relative error of 1/√(2B), and the delta method is right to a few per cent at these sizes.
    fn near(found: &Replicates, delta: &Corrected, share: f64) {
        let (found, delta) = (found.std_error().unwrap(), delta.std_error());
        assert!((found / delta - 1.0).abs() < share, "{found} {delta}");
    }

    #[test]
    fn delta_parametric_and_non_parametric_agree_on_p_at_k() {
        // 400 queries whose P@10 runs through 0, .1, ..., 1; a calibration of 600 and 700 pairs.
        let calibration = Calibration::binary((510, 600), (560, 700)).unwrap();
        let hits: Vec<f64> = (0..400).map(|query| f64::from(query % 11) / 10.0).collect();
        let queries: Vec<Vec<f64>> = hits.iter().map(|hit| vec![1.0 - hit, *hit]).collect();
        let delta = linear(&queries, &[0.0, 1.0], &calibration).unwrap();
        let sample = crate::Sample::new(&hits).unwrap();
        let summary = Summary { score: sample.mean(), sd: Some(sample.sd().unwrap()), n: 400, weight: 1.0 };
        // 1/√20000 = .7 %, four times that and 1 % for the delta method.
        near(&parametric(summary, &calibration, 10_000, Seed(1)).unwrap(), &delta, 0.04);
        near(&non_parametric(&queries, &[0.0, 1.0], &calibration, 4000, Seed(2)).unwrap(), &delta, 0.055);
        // P@1: j* is binomial.
        let one = Summary { score: 0.4, sd: None, n: 400, weight: 1.0 };
        near(&parametric(one, &calibration, 10_000, Seed(3)).unwrap(), &proportion(one, &calibration).unwrap(), 0.04);
    }

    #[test]
    fn delta_and_non_parametric_agree_on_dcg() {
        let table = vec![vec![420, 60, 20], vec![50, 400, 50], vec![10, 90, 400]];
        let calibration = Calibration::new(&[0.0, 1.0, 2.0], table).unwrap();
        let discounts: Vec<f64> = (1..=5).map(|rank| 1.0 / f64::from(rank + 1).log2()).collect();
        let queries: Vec<Vec<f64>> = (0..300usize)
            .map(|query| {
                let mut weights = vec![0.0; 3];
                for (rank, discount) in discounts.iter().enumerate() {
                    weights[(query * (rank + 3) + query / 7 + rank) % 3] += discount;
                }
                weights
            })
            .collect();
        let gains = [0.0, 1.0, 3.0];
        let delta = linear(&queries, &gains, &calibration).unwrap();
        assert!(delta.judges > 0.0 && delta.topics > 0.0);
        near(&non_parametric(&queries, &gains, &calibration, 2000, Seed(1)).unwrap(), &delta, 0.07);
        // From shares alone, its own delta form.
        let shares = Shares {
            ranks: vec![vec![0.5, 0.3, 0.2], vec![0.6, 0.3, 0.1]],
            weights: discounts[..2].to_vec(),
            gains: gains.to_vec(),
            n: 300,
        };
        near(
            &from_shares(&shares, &calibration, 4000, Seed(4)).unwrap(),
            &graded(&shares, &calibration).unwrap(),
            0.06,
        );
    }

    #[test]
    fn replicates_without_information_are_counted() {
        // D = .087 of the TREC table: often 0 or below when drawn again.
        let york = Calibration::binary((14, 50), (230, 285)).unwrap();
        let summary = Summary { score: 0.513, sd: None, n: 50, weight: 1.0 };
        let drawn = parametric(summary, &york, 2000, Seed(1)).unwrap();
        assert!(drawn.without() > 100 && drawn.std_error().is_err(), "{}", drawn.without());
    }
}
