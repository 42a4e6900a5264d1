//! Scores as gold judges would have given them, with their standard errors (delta method).

use std::fmt;

use super::Calibration;
use crate::matrix::Matrix;
use crate::sample::Sample;

/// A measure's mean over queries as bronze judges gave it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// The mean.
    pub score: f64,
    /// Standard deviation over queries; `None` for P@1, where it follows from the score.
    pub sd: Option<f64>,
    /// Queries.
    pub n: u64,
    /// W: what the weights of the judged ranks add up to; 1 for P@k, below 1 for RBP of a finite list.
    pub weight: f64,
}

/// A corrected score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Corrected {
    /// What bronze judges gave.
    pub naive: f64,
    /// What gold judges would have given; may lie outside what is possible, see [`Corrected::nearest`].
    pub value: f64,
    /// Variance because these queries were asked.
    pub topics: f64,
    /// Variance because the error rates are estimated.
    pub judges: f64,
    /// Variance of what bronze judges gave, because these queries were asked.
    pub naive_topics: f64,
    /// Variance of how far the correction moved the score.
    pub shift: f64,
    /// The least and the greatest possible value.
    pub possible: (f64, f64),
}

/// Expected squared errors, where correcting makes a score worse.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Harm {
    /// Of the corrected score: its variance.
    pub corrected: f64,
    /// Of the score as it is: its variance and its squared bias.
    pub naive: f64,
}

impl Corrected {
    /// Root of both variances.
    pub fn std_error(&self) -> f64 {
        (self.topics + self.judges).sqrt()
    }

    /// Whether correcting does harm: the corrected score's variance exceeds what it mends.
    ///
    /// The bias that it mends is naive − value, of which only the part beyond its own variance is bias: E[(naive − value)²] = bias² + Var.
    pub fn harm(&self) -> Option<Harm> {
        let bias = ((self.naive - self.value).powi(2) - self.shift).max(0.0);
        let harm = Harm { corrected: self.topics + self.judges, naive: self.naive_topics + bias };
        (harm.corrected > harm.naive * (1.0 + 1e-9)).then_some(harm)
    }

    /// The nearest possible value, where the estimate is not one.
    pub fn nearest(&self) -> Option<f64> {
        let slack = 1e-12 * self.possible.0.abs().max(self.possible.1.abs());
        let inside = self.value >= self.possible.0 - slack && self.value <= self.possible.1 + slack;
        (!inside).then(|| self.value.clamp(self.possible.0, self.possible.1))
    }
}

/// Why a score cannot be corrected.
#[derive(Clone, Debug, PartialEq)]
pub enum CorrectionError {
    /// D is 0 or below: bronze is no better than a coin, or says the opposite.
    NoInformation {
        /// D.
        d: f64,
    },
    /// 𝒥 has no inverse: some mixture of gold grades looks like another.
    Singular,
    /// A number is out of its range.
    OutOfRange {
        /// What it is.
        what: &'static str,
        /// What was given.
        found: f64,
        /// What is expected.
        expected: &'static str,
    },
    /// The scale of the labels and that of the calibration differ.
    Scale {
        /// Grades of the calibration.
        calibration: usize,
        /// Grades given.
        found: usize,
    },
}

impl fmt::Display for CorrectionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CorrectionError::NoInformation { d } => write!(
                f,
                "D = m_R + m_N - 1 is {d:.4}; expected a number above 0. These judges tell relevant from non-relevant documents no \
                 better than a coin, so nothing can be corrected; check that agreements, not disagreements, were counted"
            ),
            CorrectionError::Singular => f.write_str(
                "the matrix of error rates has no inverse: two gold grades (or mixtures of them) look alike to these judges; merge \
                 grades, or let gold judge more pairs",
            ),
            CorrectionError::OutOfRange { what, found, expected } => write!(f, "{what} is {found}; expected {expected}"),
            CorrectionError::Scale { calibration, found } => {
                write!(f, "{found} grades; expected the {calibration} of the calibration")
            }
        }
    }
}

impl std::error::Error for CorrectionError {}

/// Equations 5 and 14 with a weight: (j − (1 − m_N) W) / D, and equation 7 for its variance.
///
/// # Errors
/// D is not above 0, or a number makes no sense.
pub fn proportion(summary: Summary, calibration: &Calibration) -> Result<Corrected, CorrectionError> {
    match calibration.counts() {
        [other, relevant] => {
            let rate = |grade: usize, agreed| {
                let (rate, variance) = rate(agreed, calibration.pairs(grade));
                (rate, variance * calibration.design_effect(grade))
            };
            // Of m_R and m_N.
            let together = calibration.between().first().map_or(0.0, |block| block[1]);
            by_rates(summary, rate(1, relevant[1]), rate(0, other[0]), together)
        }
        more => Err(CorrectionError::Scale { calibration: more.len(), found: 2 }),
    }
}

/// The same from agreements and pairs (at least one), without a [`Calibration`]: for simulations, which do it by the million.
///
/// # Errors
/// As [`proportion`].
pub fn by_counts(
    summary: Summary,
    relevant: (u64, u64),
    nonrelevant: (u64, u64),
) -> Result<Corrected, CorrectionError> {
    by_rates(summary, rate(relevant.0, relevant.1), rate(nonrelevant.0, nonrelevant.1), 0.0)
}

/// A rate, and its variance by equation 8.
fn rate(agreed: u64, pairs: u64) -> (f64, f64) {
    let (rate, pairs) = (agreed as f64 / pairs as f64, pairs as f64);
    (rate, rate * (1.0 - rate) / pairs)
}

fn by_rates(
    summary: Summary,
    (relevant, of_relevant): (f64, f64),
    (other, of_other): (f64, f64),
    together: f64,
) -> Result<Corrected, CorrectionError> {
    let d = relevant + other - 1.0;
    if !matches!(d, d if d > 1e-12) {
        return Err(CorrectionError::NoInformation { d });
    }
    let Summary { score, weight, .. } = summary;
    let topics = mean_variance(&summary)?;
    let value = (score - (1.0 - other) * weight) / d;
    // Equation 7: g is (j − 1 + m_N)/D and 1 − g is (m_R − j)/D, with W in place of 1.
    // Where the rates are tied together, slopes −g and W − g make the last term.
    let rest = weight - value;
    let judges = (value * value * of_relevant + rest * rest * of_other - 2.0 * value * rest * together) / (d * d);
    let judges = judges.max(0.0);
    // naive − value has slope 1 − 1/D in the score.
    let shift = topics * (1.0 - 1.0 / d).powi(2) + judges;
    let possible = (0.0, weight);
    Ok(Corrected { naive: score, value, topics: topics / (d * d), judges, naive_topics: topics, shift, possible })
}

/// `V[J]`: the variance of the mean over queries; j (1 − j)/n for P@1, the sample's else.
pub(super) fn mean_variance(summary: &Summary) -> Result<f64, CorrectionError> {
    let wrong = |what, found, expected| Err(CorrectionError::OutOfRange { what, found, expected });
    let Summary { score, sd, n, weight } = *summary;
    if !(weight > 0.0 && weight <= 1.0) {
        return wrong("the weight of the judged ranks", weight, "a number above 0 and up to 1");
    }
    if !(score >= 0.0 && score <= weight + 1e-12) {
        return wrong("score", score, "a number from 0 to the weight of the judged ranks (1 unless given)");
    }
    match sd {
        Some(sd) if !(0.0..=1.0).contains(&sd) => wrong("standard deviation over queries", sd, "a number from 0 to 1"),
        Some(_) if n < 2 => wrong("number of queries", n as f64, "at least 2"),
        None if n < 1 => wrong("number of queries", n as f64, "at least 1"),
        Some(sd) => Ok(sd * sd / n as f64),
        None => Ok(score * (1.0 - score) / n as f64),
    }
}

/// Equation 18 for any linear measure: each query gives the weight its ranks put on each bronze grade, `gains` what a grade is worth.
///
/// With u = 𝒥⁻¹ v and y = 𝒥⁻ᵀ x̄, the value is x̄·u, and since d(𝒥⁻¹) = −𝒥⁻¹ d𝒥 𝒥⁻¹ its variance is that of x·u over queries
/// plus Σ_a y_a² Var(Σ_b u_b J_ab).
///
/// # Errors
/// 𝒥 is singular, the scales differ, or there are fewer than two queries.
pub fn linear(queries: &[Vec<f64>], gains: &[f64], calibration: &Calibration) -> Result<Corrected, CorrectionError> {
    let k = calibration.grades().len();
    let odd = queries.iter().map(Vec::len).chain([gains.len()]).find(|&length| length != k);
    if let Some(found) = odd {
        return Err(CorrectionError::Scale { calibration: k, found });
    }
    let inverse = inverse(calibration)?;
    let worth = inverse.times(gains);
    let scores: Vec<f64> = queries.iter().map(|weights| dot(weights, &worth)).collect();
    let too_few = CorrectionError::OutOfRange {
        what: "number of queries",
        found: queries.len() as f64,
        expected: "at least 2, with finite weights",
    };
    let sample = Sample::new(&scores).map_err(|_| too_few.clone())?;
    let topics = sample.std_error().map_err(|_| too_few)?.powi(2);
    let n = queries.len() as f64;
    let mean: Vec<f64> = (0..k).map(|grade| queries.iter().map(|weights| weights[grade]).sum::<f64>() / n).collect();
    let gold = inverse.left_times(&mean);
    let slopes: Vec<Vec<f64>> = gold.iter().map(|y| worth.iter().map(|u| y * u).collect()).collect();
    let judges = calibration.variance_of(&slopes);
    let all: f64 = mean.iter().sum();
    // As many as the scores, and finite where they are.
    let of_mean = |worth: &dyn Fn(&Vec<f64>) -> f64| {
        let scores: Vec<f64> = queries.iter().map(worth).collect();
        Sample::new(&scores).ok().and_then(|sample| sample.std_error().ok()).map_or(0.0, |error| error.powi(2))
    };
    let naive_topics = of_mean(&|weights| dot(weights, gains));
    let shift = of_mean(&|weights| dot(weights, gains) - dot(weights, &worth)) + judges;
    Ok(Corrected {
        naive: dot(&mean, gains),
        value: dot(&mean, &worth),
        topics,
        judges,
        naive_topics,
        shift,
        possible: possible(gains, all),
    })
}

/// The least and the greatest a score can be when the weights add up to `all`, which is below 0 for the difference of a run from one with more judged.
fn possible(gains: &[f64], all: f64) -> (f64, f64) {
    let (least, most) = gains.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, m), &g| (l.min(g), m.max(g)));
    ((least * all).min(most * all), (least * all).max(most * all))
}

/// How often bronze gave each grade at each rank, and what ranks and grades are worth: what equation 18 needs where no query is at hand.
#[derive(Clone, Debug, PartialEq)]
pub struct Shares {
    /// For each rank the share of each bronze grade over queries, E\[J^(s)\].
    pub ranks: Vec<Vec<f64>>,
    /// The weight of each rank: 1/log2(s + 1) for DCG, 1 for CG.
    pub weights: Vec<f64>,
    /// What each grade is worth.
    pub gains: Vec<f64>,
    /// Queries.
    pub n: u64,
}

/// Equation 18 from shares by rank. The variance over queries takes the ranks of a query as independent, since shares do not tell how they go
/// together: Σ_s w_s² (Σ_b p_b u_b² − (Σ_b p_b u_b)²)/n.
///
/// # Errors
/// 𝒥 is singular, the scales differ, or shares are none.
pub fn graded(shares: &Shares, calibration: &Calibration) -> Result<Corrected, CorrectionError> {
    shares.check(calibration)?;
    let inverse = inverse(calibration)?;
    let worth = inverse.times(&shares.gains);
    let mean: Vec<f64> = (0..shares.gains.len())
        .map(|grade| shares.ranks.iter().zip(&shares.weights).map(|(row, weight)| weight * row[grade]).sum())
        .collect();
    let gold = inverse.left_times(&mean);
    let slopes: Vec<Vec<f64>> = gold.iter().map(|y| worth.iter().map(|u| y * u).collect()).collect();
    let judges = calibration.variance_of(&slopes);
    Ok(Corrected {
        naive: dot(&mean, &shares.gains),
        value: dot(&mean, &worth),
        topics: shares.over_queries(|grade| worth[grade]),
        judges,
        naive_topics: shares.over_queries(|grade| shares.gains[grade]),
        shift: shares.over_queries(|grade| worth[grade] - shares.gains[grade]) + judges,
        possible: possible(&shares.gains, shares.weights.iter().sum()),
    })
}

impl Shares {
    /// Refuses shares that are none, or of another scale.
    fn check(&self, calibration: &Calibration) -> Result<(), CorrectionError> {
        let k = calibration.grades().len();
        let odd = self.ranks.iter().map(Vec::len).chain([self.gains.len()]).find(|&length| length != k);
        if let Some(found) = odd {
            return Err(CorrectionError::Scale { calibration: k, found });
        }
        let wrong = |what, found, expected| Err(CorrectionError::OutOfRange { what, found, expected });
        for row in &self.ranks {
            let sum: f64 = row.iter().sum();
            if let Some(&share) = row.iter().find(|share| !(0.0..=1.0).contains(*share)) {
                return wrong("a share of a bronze grade", share, "a number from 0 to 1");
            }
            if (sum - 1.0).abs() > 1e-6 {
                return wrong("the sum of the shares at a rank", sum, "1");
            }
        }
        if let Some(&gain) = self.gains.iter().find(|gain| !gain.is_finite()) {
            return wrong("a gain", gain, "a finite number");
        }
        if self.ranks.is_empty() || self.n < 1 {
            return wrong("number of queries", self.n as f64, "at least 1, and shares of at least one rank");
        }
        Ok(())
    }

    /// The variance over queries of a score that gives each grade this much.
    fn over_queries(&self, of: impl Fn(usize) -> f64) -> f64 {
        let at = |(row, weight): (&Vec<f64>, &f64)| {
            let mean: f64 = row.iter().enumerate().map(|(grade, share)| share * of(grade)).sum();
            let squares: f64 = row.iter().enumerate().map(|(grade, share)| share * (of(grade) - mean).powi(2)).sum();
            weight * weight * squares
        };
        self.ranks.iter().zip(&self.weights).map(at).sum::<f64>() / self.n as f64
    }
}

/// u = 𝒥⁻¹ v: what a unit of weight on each bronze grade is worth in gold's gains v.
///
/// # Errors
/// 𝒥 is singular, or the scales differ.
pub fn worth(gains: &[f64], calibration: &Calibration) -> Result<Vec<f64>, CorrectionError> {
    let k = calibration.grades().len();
    if gains.len() != k {
        return Err(CorrectionError::Scale { calibration: k, found: gains.len() });
    }
    Ok(inverse(calibration)?.times(gains))
}

/// 𝒥⁻¹; for two grades D must be above 0.
pub(super) fn inverse(calibration: &Calibration) -> Result<Matrix, CorrectionError> {
    if let Some((relevant, other)) =
        calibration.accuracies().filter(|(relevant, other)| relevant + other - 1.0 <= 1e-12)
    {
        return Err(CorrectionError::NoInformation { d: relevant + other - 1.0 });
    }
    calibration.rates().inverse().ok_or(CorrectionError::Singular)
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn papers() -> Calibration {
        Calibration::binary((43, 59), (67, 84)).unwrap()
    }

    #[test]
    fn the_search_engine_example() {
        // Section 6: corrected b .828 (a .805), standard errors .0903 and .0923.
        let of = |score, sd, n| proportion(Summary { score, sd: Some(sd), n, weight: 1.0 }, &papers()).unwrap();
        let (a, b) = (of(0.6260, 0.414, 10_278), of(0.6385, 0.402, 20_604));
        assert!((b.value - 0.828).abs() < 5e-4 && (a.value - 0.805).abs() < 5e-4, "{a:?} {b:?}");
        assert!((a.std_error() - 0.0903).abs() < 5e-5 && (b.std_error() - 0.0923).abs() < 5e-5);
        assert_eq!(a.nearest(), None);
        // Equation 7, letter by letter.
        let (m_r, m_n) = (43.0 / 59.0, 67.0 / 84.0);
        let (j, d): (f64, f64) = (0.6260, m_r + m_n - 1.0);
        let literal = 0.414f64.powi(2) / 10_278.0 / d.powi(2)
            + m_r * (1.0 - m_r) / 59.0 * (j - 1.0 + m_n).powi(2) / d.powi(4)
            + m_n * (1.0 - m_n) / 84.0 * (m_r - j).powi(2) / d.powi(4);
        assert!((a.std_error().powi(2) - literal).abs() < 1e-15);
    }

    #[test]
    fn faultless_judges_change_nothing_and_hopeless_ones_are_refused() {
        let perfect = Calibration::binary((50, 50), (50, 50)).unwrap();
        let summary = Summary { score: 0.4, sd: None, n: 100, weight: 1.0 };
        let same = proportion(summary, &perfect).unwrap();
        // Equation 2: √(.4 · .6 / 100).
        assert!((same.value - 0.4).abs() < 1e-15 && (same.std_error() - 0.0024f64.sqrt()).abs() < 1e-15);
        for coin in [Calibration::binary((5, 10), (5, 10)).unwrap(), Calibration::binary((2, 10), (3, 10)).unwrap()] {
            assert!(matches!(proportion(summary, &coin), Err(CorrectionError::NoInformation { .. })));
            assert!(matches!(
                linear(&[vec![0.5, 0.5]], &[0.0, 1.0], &coin),
                Err(CorrectionError::NoInformation { .. })
            ));
        }
        // Table 2 of the paper: 1.29 and 3.68 are no probabilities, and are told as what they are.
        let trec = |score, relevant, other| {
            let calibration = Calibration::binary(relevant, other).unwrap();
            proportion(Summary { score, sd: None, n: 50, weight: 1.0 }, &calibration).unwrap()
        };
        let (first, second) = (trec(0.527, (17, 38), (216, 262)), trec(0.513, (14, 50), (230, 285)));
        assert!((first.value - 1.29).abs() < 5e-3 && (second.value - 3.68).abs() < 5e-3, "{first:?} {second:?}");
        assert_eq!((first.nearest(), second.nearest()), (Some(1.0), Some(1.0)));
    }

    #[test]
    fn two_grades_are_the_binary_formulas() {
        // Per-query P@4 as weights of the two grades; the matrix form must give equation 14 and equation 7.
        let hits = [0.25, 0.5, 1.0, 0.75, 0.5, 0.0];
        let queries: Vec<Vec<f64>> = hits.iter().map(|hit| vec![1.0 - hit, *hit]).collect();
        let graded = linear(&queries, &[0.0, 1.0], &papers()).unwrap();
        let sample = Sample::new(&hits).unwrap();
        let summary = Summary { score: sample.mean(), sd: Some(sample.sd().unwrap()), n: 6, weight: 1.0 };
        let binary = proportion(summary, &papers()).unwrap();
        assert!((graded.value - binary.value).abs() < 1e-13 && (graded.naive - 0.5).abs() < 1e-15);
        assert!((graded.topics - binary.topics).abs() < 1e-13 && (graded.judges - binary.judges).abs() < 1e-13);
        // RBP with p = .5 on two judged ranks: W = .75, corrected = (observed − (1 − m_N) W)/D.
        let rbp = proportion(Summary { score: 0.5, sd: Some(0.2), n: 9, weight: 0.75 }, &papers()).unwrap();
        let by_grade: Vec<Vec<f64>> = [0.3, 0.7].iter().map(|s| vec![0.75 - s, *s]).collect();
        let matrix = linear(&by_grade, &[0.0, 1.0], &papers()).unwrap();
        assert!((rbp.value - (0.5 - 17.0 / 84.0 * 0.75) / (43.0 / 59.0 + 67.0 / 84.0 - 1.0)).abs() < 1e-14);
        assert!((rbp.value - matrix.value).abs() < 1e-13 && (rbp.judges - matrix.judges).abs() < 1e-13);
    }

    #[test]
    fn figure_one_by_hand() {
        // Figure 1: rank 1 not and partly, rank 2 highly and not; discounts 1 and 1/log2(3) = .63093. Grades ascending: not 0, partly
        // 1, highly 2 with gains 0, .5, 1. Query 1 puts 1 on "not" and .63093 on "highly"; query 2 1 on "partly" and .63093 on "not".
        let discount = 1.0 / 3f64.log2();
        let queries = vec![vec![1.0, 0.0, discount], vec![discount, 1.0, 0.0]];
        // With faultless judges it is the plain mean DCG: (.63093 + .5)/2.
        let perfect = Calibration::new(&[0.0, 1.0, 2.0], vec![vec![9, 0, 0], vec![0, 9, 0], vec![0, 0, 9]]).unwrap();
        let same = linear(&queries, &[0.0, 0.5, 1.0], &perfect).unwrap();
        assert!((same.value - (discount + 0.5) / 2.0).abs() < 1e-14 && same.judges == 0.0);
        // Judges who call a tenth of the partly relevant "not" and a fifth of the highly relevant "partly":
        // u = 𝒥⁻¹ v solves u_0 = 0, .1 u_0 + .9 u_1 = .5, .2 u_1 + .8 u_2 = 1, so u_1 = 5/9, u_2 = (1 − 1/9)/.8 = 10/9. Mean weights:
        // (1 + d)/2, 1/2, d/2, so the value is 5/18 + (10/9) d/2.
        let table = vec![vec![10, 0, 0], vec![1, 9, 0], vec![0, 2, 8]];
        let calibration = Calibration::new(&[0.0, 1.0, 2.0], table).unwrap();
        let found = linear(&queries, &[0.0, 0.5, 1.0], &calibration).unwrap();
        assert!((found.value - (5.0 / 18.0 + 5.0 / 9.0 * discount)).abs() < 1e-13, "{found:?}");
        assert!((found.naive - same.value).abs() < 1e-14);
    }

    #[test]
    fn shares_by_rank_are_the_mean_over_queries() {
        // Figure 1 again, from its shares: rank 1 (.5, .5, 0), rank 2 (.5, 0, .5); the value is that of the queries, 5/18 + (5/9) d.
        let discount = 1.0 / 3f64.log2();
        let table = vec![vec![10, 0, 0], vec![1, 9, 0], vec![0, 2, 8]];
        let calibration = Calibration::new(&[0.0, 1.0, 2.0], table).unwrap();
        let shares = Shares {
            ranks: vec![vec![0.5, 0.5, 0.0], vec![0.5, 0.0, 0.5]],
            weights: vec![1.0, discount],
            gains: vec![0.0, 0.5, 1.0],
            n: 2,
        };
        let found = graded(&shares, &calibration).unwrap();
        assert!((found.value - (5.0 / 18.0 + 5.0 / 9.0 * discount)).abs() < 1e-13);
        // u = (0, 5/9, 10/9): at rank 1 0 or 5/9, variance (5/18)²; at rank 2 0 or 10/9, (5/9)²; over 2 queries.
        let expected = ((5.0f64 / 18.0).powi(2) + (5.0f64 / 9.0 * discount).powi(2)) / 2.0;
        assert!((found.topics - expected).abs() < 1e-14);
        let queries = vec![vec![1.0, 0.0, discount], vec![discount, 1.0, 0.0]];
        let by_query = linear(&queries, &[0.0, 0.5, 1.0], &calibration).unwrap();
        assert!((found.judges - by_query.judges).abs() < 1e-14 && (found.naive - by_query.naive).abs() < 1e-14);
        // Two grades, one rank: equation 5 and P@1's variance, j (1 − j)/n/D².
        let binary = Shares { ranks: vec![vec![0.4, 0.6]], weights: vec![1.0], gains: vec![0.0, 1.0], n: 90 };
        let one = proportion(Summary { score: 0.6, sd: None, n: 90, weight: 1.0 }, &papers()).unwrap();
        let other = graded(&binary, &papers()).unwrap();
        for (a, b) in [
            (one.value, other.value),
            (one.topics, other.topics),
            (one.judges, other.judges),
            (one.naive_topics, other.naive_topics),
            (one.shift, other.shift),
        ] {
            assert!((a - b).abs() < 1e-13, "{one:?} {other:?}");
        }
        for (ranks, says) in
            [(vec![vec![0.5, 0.6]], "the sum"), (vec![vec![1.5, -0.5]], "a share"), (vec![], "number of queries")]
        {
            let refused = graded(&Shares { ranks, ..binary.clone() }, &papers()).unwrap_err().to_string();
            assert!(refused.starts_with(says), "{refused}");
        }
    }

    #[test]
    fn harm_is_variance_beyond_the_bias_mended() {
        // P@1 of .5 by judges with m_R = m_N = .6: D = .2, and .5 is corrected to .5. Nothing is mended; the variance of .25/100 grows 25 times.
        let poor = Calibration::binary((60, 100), (60, 100)).unwrap();
        let found = proportion(Summary { score: 0.5, sd: None, n: 100, weight: 1.0 }, &poor).unwrap();
        let harm = found.harm().unwrap();
        // judges: (.25 + .25) .24/100 / .04.
        assert!(
            (harm.corrected - (0.0025 * 25.0 + 0.5 * 0.0024 / 0.04)).abs() < 1e-12
                && (harm.naive - 0.0025).abs() < 1e-15
        );
        // The paper's example mends far more than it costs.
        let summary = Summary { score: 0.6385, sd: Some(0.402), n: 20_604, weight: 1.0 };
        assert_eq!(proportion(summary, &papers()).unwrap().harm(), None);
    }

    #[test]
    fn the_judges_part_is_the_slope_squared() {
        // Numerically: the variance from 𝒥 is Σ over rows of slopes' covariance. Move each rate against the row's last one by a hair.
        let table = vec![vec![40, 7, 3], vec![5, 30, 5], vec![2, 8, 50]];
        let calibration = Calibration::new(&[0.0, 1.0, 2.0], table).unwrap();
        let queries = vec![vec![0.6, 0.3, 0.1], vec![0.2, 0.3, 0.5], vec![0.3, 0.3, 0.4]];
        let gains = [0.0, 1.0, 3.0];
        let found = linear(&queries, &gains, &calibration).unwrap();
        let mean = [1.1 / 3.0, 0.3, 1.0 / 3.0];
        let value = |row: usize, column: usize, hair: f64| {
            let rates = calibration.rates();
            let moved = Matrix::from_fn(3, |r, c| rates[(r, c)] + if (r, c) == (row, column) { hair } else { 0.0 });
            dot(&mean, &moved.inverse().unwrap().times(&gains))
        };
        let slope = |row, column| (value(row, column, 1e-6) - value(row, column, -1e-6)) / 2e-6;
        let mut expected = 0.0;
        for gold in 0..3 {
            for one in 0..3 {
                for other in 0..3 {
                    expected += slope(gold, one) * slope(gold, other) * calibration.covariance(gold, one, other);
                }
            }
        }
        assert!((found.judges / expected - 1.0).abs() < 1e-6, "{} {expected}", found.judges);
        let singular = Calibration::new(&[0.0, 1.0, 2.0], vec![vec![1, 1, 0], vec![1, 1, 0], vec![0, 0, 1]]).unwrap();
        assert_eq!(linear(&queries, &gains, &singular), Err(CorrectionError::Singular));
        assert!(matches!(
            linear(&queries, &[1.0], &calibration),
            Err(CorrectionError::Scale { calibration: 3, found: 1 })
        ));
    }
}
