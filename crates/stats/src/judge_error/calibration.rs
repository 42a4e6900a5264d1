//! How wrong are the judges? Counts of pairs judged by gold and by bronze, and what follows from them.
//!
//! The one decision: the counts are kept, not the rates, so that every rate has its interval and its covariance. Pairs of one topic are not
//! independent: where topics are known, each gold grade has a design effect ([`Clustering`]), by which variances grow.

use std::fmt;

use crate::dist::{OutOfRange, binomial, normal, student_t};
use crate::estimate::{Interval, Method};
use crate::matrix::Matrix;

/// Pairs judged by both: how often bronze gave each grade when gold gave each grade.
#[derive(Clone, Debug, PartialEq)]
pub struct Calibration {
    grades: Vec<f64>,
    /// Gold's grade by row, bronze's by column.
    counts: Vec<Vec<u64>>,
    /// By gold grade, where topics are known.
    clustering: Option<Vec<Clustering>>,
}

/// How far the pairs of a gold grade fall short of independent ones, because errors within a topic are alike.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clustering {
    /// Topics with such pairs.
    pub topics: u64,
    /// The variance of the rates over what it would be were pairs independent; not below 1.
    pub effect: f64,
}

impl Clustering {
    /// From each topic's counts of one gold grade, by bronze grade. With r_b = x_b/n over all T topics the variance of r_b is
    /// T/(T − 1) Σ_t (x_tb − r_b n_t)² / n², and the effect Σ_b of that over Σ_b r_b (1 − r_b)/n (Rao and Scott's mean effect).
    pub fn of(by_topic: &[&[u64]]) -> Clustering {
        let topics: Vec<(&[u64], f64)> =
            by_topic.iter().map(|row| (*row, row.iter().sum::<u64>() as f64)).filter(|(_, n)| *n > 0.0).collect();
        let (count, n) = (topics.len() as f64, topics.iter().map(|(_, n)| n).sum::<f64>());
        let grades = by_topic.first().map_or(0, |row| row.len());
        let (mut clustered, mut independent) = (0.0, 0.0);
        for grade in 0..grades {
            let rate = topics.iter().map(|(row, _)| row[grade] as f64).sum::<f64>() / n;
            let squares: f64 = topics.iter().map(|(row, own)| (row[grade] as f64 - rate * own).powi(2)).sum();
            clustered += count / (count - 1.0) * squares / (n * n);
            independent += rate * (1.0 - rate) / n;
        }
        let effect = clustered / independent;
        // One topic, or bronze always says the same: nothing can be told.
        Clustering { topics: topics.len() as u64, effect: if effect.is_finite() { effect.max(1.0) } else { 1.0 } }
    }

    /// Independent pairs that so many are worth: n / effect · (t(n − 1) / t(T − 1))², the last because an effect from few topics is itself unsure
    /// (Korn and Graubard 1998).
    ///
    /// # Errors
    /// The level is no level.
    pub fn worth(&self, pairs: u64, level: f64) -> Result<f64, OutOfRange> {
        let n = pairs as f64;
        if self.effect <= 1.0 || self.topics < 2 {
            return Ok(n);
        }
        let side = crate::dist::each_side(level)?;
        let quantile = |df: f64| student_t::upper_quantile(side, df.max(1.0));
        let unsure = quantile(n - 1.0)? / quantile(self.topics as f64 - 1.0)?;
        Ok((n / self.effect * unsure * unsure).min(n))
    }

    fn legal(&self) -> bool {
        self.topics > 0 && self.effect >= 1.0 && self.effect.is_finite()
    }
}

/// Counts that calibrate nothing.
#[derive(Clone, Debug, PartialEq)]
pub enum CalibrationError {
    /// More agreements than pairs.
    Exceeds {
        /// Which rate: "relevant" or "non-relevant".
        what: &'static str,
        /// Agreements given.
        agreed: u64,
        /// Pairs given.
        pairs: u64,
    },
    /// Grades not ascending, fewer than two, or more than 100.
    Grades(Vec<f64>),
    /// The table is not as wide and as high as there are grades.
    Shape {
        /// Grades, so many rows and columns are wanted.
        grades: usize,
        /// Rows given.
        rows: usize,
        /// Length of the first row that is wrong, or of the first.
        columns: usize,
    },
    /// No pair has this gold grade.
    NoPairs {
        /// The grade.
        grade: f64,
    },
    /// Counts add up to more than 1e10.
    TooMany,
    /// Not one design effect from 1 and one number of topics for each grade.
    Clustering,
}

impl fmt::Display for CalibrationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CalibrationError::Exceeds { what, agreed, pairs } => write!(
                f,
                "{agreed} of {pairs} {what} pairs; expected agreements first and no more of them than pairs, such as 43/59"
            ),
            CalibrationError::Grades(grades) => {
                write!(f, "grades {grades:?}; expected 2 to 100 finite grades in ascending order, each once")
            }
            CalibrationError::Shape { grades, rows, columns } => write!(
                f,
                "a table of {rows} rows with {columns} columns for {grades} grades; expected a row for each gold grade and in it a \
                 count for each bronze grade"
            ),
            CalibrationError::NoPairs { grade } => write!(
                f,
                "no pair has gold grade {grade}, so what bronze says of such documents is unknown; let gold judge until there are \
                 some, or merge the grade with its neighbour"
            ),
            CalibrationError::TooMany => f.write_str("counts add up to more than 1e10"),
            CalibrationError::Clustering => {
                f.write_str("design effects that do not fit; expected for each gold grade a number from 1, and the topics it comes from")
            }
        }
    }
}

impl std::error::Error for CalibrationError {}

/// D = det 𝒥, for two grades m_R + m_N − 1: how well bronze tells grades apart. 1 is perfect, 0 a coin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Discrimination {
    /// D.
    pub value: f64,
    /// By the delta method; for two grades the root of `V[J_R]` + `V[J_N]`.
    pub std_error: f64,
    /// Its interval: from those of the two rates for two grades, else Normal.
    pub interval: Interval,
}

impl Discrimination {
    /// Whether a judge who says nothing at all is within the error.
    pub fn may_be_zero(&self) -> bool {
        self.interval.contains(0.0)
    }
}

/// How the interval of a rate is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RateInterval {
    /// Covers at least the level, whatever the rate.
    ClopperPearson,
    /// Shorter; covers the level in the mean.
    Jeffreys,
}

impl Calibration {
    /// From a table: row the gold grade, column the bronze grade, both in the order of `grades` (ascending).
    ///
    /// # Errors
    /// The table has another shape, or a gold grade has no pair.
    pub fn new(grades: &[f64], counts: Vec<Vec<u64>>) -> Result<Calibration, CalibrationError> {
        let ascending = grades.windows(2).all(|pair| pair[0] < pair[1]) && grades.iter().all(|grade| grade.is_finite());
        if !(2..=100).contains(&grades.len()) || !ascending {
            return Err(CalibrationError::Grades(grades.to_vec()));
        }
        let wrong = counts.iter().map(Vec::len).find(|&columns| columns != grades.len());
        if counts.len() != grades.len() || wrong.is_some() {
            let columns = wrong.or_else(|| counts.first().map(Vec::len)).unwrap_or(0);
            return Err(CalibrationError::Shape { grades: grades.len(), rows: counts.len(), columns });
        }
        let total = counts.iter().flatten().try_fold(0u64, |sum, &count| sum.checked_add(count));
        if total.is_none_or(|total| total > 10_000_000_000) {
            return Err(CalibrationError::TooMany);
        }
        match counts.iter().position(|row| row.iter().all(|&count| count == 0)) {
            Some(row) => Err(CalibrationError::NoPairs { grade: grades[row] }),
            None => Ok(Calibration { grades: grades.to_vec(), counts, clustering: None }),
        }
    }

    /// From a table for each topic, whose errors may be alike.
    ///
    /// # Errors
    /// As [`Calibration::new`].
    pub fn by_topic(grades: &[f64], tables: &[Vec<Vec<u64>>]) -> Result<Calibration, CalibrationError> {
        let k = grades.len();
        if let Some(table) = tables.iter().find(|table| table.len() != k || table.iter().any(|row| row.len() != k)) {
            return Calibration::new(grades, table.clone());
        }
        let sum = |gold: usize, bronze: usize| tables.iter().map(|table| table[gold][bronze]).sum();
        let counts = (0..k).map(|gold| (0..k).map(|bronze| sum(gold, bronze)).collect()).collect();
        let rows = |gold: usize| tables.iter().map(|table| table[gold].as_slice()).collect::<Vec<_>>();
        let clustering = (0..k).map(|gold| Clustering::of(&rows(gold))).collect();
        Calibration::new(grades, counts)?.clustered(clustering)
    }

    /// With design effects that are known, one for each gold grade.
    ///
    /// # Errors
    /// They do not fit.
    pub fn clustered(self, clustering: Vec<Clustering>) -> Result<Calibration, CalibrationError> {
        if clustering.len() != self.grades.len() || !clustering.iter().all(Clustering::legal) {
            return Err(CalibrationError::Clustering);
        }
        Ok(Calibration { clustering: Some(clustering), ..self })
    }

    /// How pairs are clustered, by gold grade, where topics are known.
    pub fn clustering(&self) -> Option<&[Clustering]> {
        self.clustering.as_deref()
    }

    /// By how much the variance of this gold grade's rates is larger than of independent pairs.
    pub fn design_effect(&self, gold: usize) -> f64 {
        self.clustering.as_ref().map_or(1.0, |all| all[gold].effect)
    }

    /// Degrees of freedom of that variance: topics less one where they are known and more than one, else pairs less one.
    pub fn degrees(&self, gold: usize) -> f64 {
        let units = self.clustering.as_ref().map(|all| all[gold].topics).filter(|topics| *topics > 1);
        units.unwrap_or(self.pairs(gold)) as f64 - 1.0
    }

    /// Two grades, 0 and 1: agreements and pairs among gold's relevant documents, and among the others.
    ///
    /// # Errors
    /// More agreements than pairs, or no pairs.
    pub fn binary(relevant: (u64, u64), nonrelevant: (u64, u64)) -> Result<Calibration, CalibrationError> {
        let missed = |what, (agreed, pairs): (u64, u64)| {
            pairs.checked_sub(agreed).ok_or(CalibrationError::Exceeds { what, agreed, pairs })
        };
        let (missed_relevant, missed_other) = (missed("relevant", relevant)?, missed("non-relevant", nonrelevant)?);
        Calibration::new(&[0.0, 1.0], vec![vec![nonrelevant.0, missed_other], vec![missed_relevant, relevant.0]])
    }

    /// The scale.
    pub fn grades(&self) -> &[f64] {
        &self.grades
    }

    /// The counts, gold's grade by row.
    pub fn counts(&self) -> &[Vec<u64>] {
        &self.counts
    }

    /// Pairs with this gold grade (by place in the scale); at least 1.
    pub fn pairs(&self, gold: usize) -> u64 {
        self.counts[gold].iter().sum()
    }

    /// 𝒥: the share of each bronze grade among the pairs of each gold grade.
    pub fn rates(&self) -> Matrix {
        Matrix::from_fn(self.grades.len(), |gold, bronze| self.counts[gold][bronze] as f64 / self.pairs(gold) as f64)
    }

    /// m_R and m_N of two grades.
    pub fn accuracies(&self) -> Option<(f64, f64)> {
        let rates = self.rates();
        (self.grades.len() == 2).then(|| (rates[(1, 1)], rates[(0, 0)]))
    }

    /// The interval of one rate.
    ///
    /// # Errors
    /// The level is no level.
    pub fn interval(&self, gold: usize, bronze: usize, level: f64, how: RateInterval) -> Result<Interval, OutOfRange> {
        let of = match how {
            RateInterval::ClopperPearson => binomial::clopper_pearson_worth,
            RateInterval::Jeffreys => binomial::jeffreys_worth,
        };
        of(self.counts[gold][bronze], self.pairs(gold), self.worth(gold, level)?, level)
    }

    /// Independent pairs that those of this gold grade are worth.
    fn worth(&self, gold: usize, level: f64) -> Result<f64, OutOfRange> {
        let pairs = self.pairs(gold);
        self.clustering.as_ref().map_or(Ok(pairs as f64), |all| all[gold].worth(pairs, level))
    }

    /// Covariance of two rates of one gold grade: multinomial, J_ab (δ_bc − J_ac) / n_a, times the design effect. Rates of different gold grades have none.
    pub fn covariance(&self, gold: usize, one: usize, other: usize) -> f64 {
        let share = |bronze: usize| self.counts[gold][bronze] as f64 / self.pairs(gold) as f64;
        let same = f64::from(u8::from(one == other));
        self.design_effect(gold) * share(one) * (same - share(other)) / self.pairs(gold) as f64
    }

    /// The variance of Σ_b c_b J_ab for one gold grade.
    pub fn row_variance(&self, gold: usize, coefficients: &[f64]) -> f64 {
        let rates = self.rates();
        let mean: f64 = rates.row(gold).iter().zip(coefficients).map(|(rate, c)| rate * c).sum();
        let squares: f64 =
            rates.row(gold).iter().zip(coefficients).map(|(rate, c)| rate * (c - mean) * (c - mean)).sum();
        self.design_effect(gold) * squares / self.pairs(gold) as f64
    }

    /// D with its error and interval.
    ///
    /// # Errors
    /// The level is no level.
    pub fn discrimination(&self, level: f64, how: RateInterval) -> Result<Discrimination, OutOfRange> {
        let rates = self.rates();
        let k = self.grades.len();
        let value =
            if let Some((relevant, other)) = self.accuracies() { relevant + other - 1.0 } else { rates.determinant() };
        let slopes = |gold: usize| (0..k).map(|bronze| rates.cofactor(gold, bronze)).collect::<Vec<f64>>();
        let std_error = (0..k).map(|gold| self.row_variance(gold, &slopes(gold))).sum::<f64>().sqrt();
        let interval = if k == 2 {
            let (relevant, other) = (self.interval(1, 1, level, how)?, self.interval(0, 0, level, how)?);
            let below = (rates[(1, 1)] - relevant.low).hypot(rates[(0, 0)] - other.low);
            let above = (relevant.high - rates[(1, 1)]).hypot(other.high - rates[(0, 0)]);
            Interval { low: value - below, high: value + above, level, method: Method::Mover }
        } else {
            let half = normal::upper_quantile(crate::dist::each_side(level)?)? * std_error;
            Interval { low: value - half, high: value + half, level, method: Method::Normal }
        };
        Ok(Discrimination { value, std_error, interval })
    }

    /// Largest over smallest singular value of 𝒥; `None` if it is singular.
    pub fn condition(&self) -> Option<f64> {
        self.rates().condition()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seed::Seed;

    #[test]
    fn errors_alike_within_topics() {
        // Gold 1: 8 of 10 agree in one topic, 2 of 10 in the other: r = .5, Σ(x − rn)² = 9 + 9, variance 2/1 · 18/400 = .09 against .25/20 = .0125: 7.2
        // times. Gold 0: 5 of 10 in both, no spread at all: not below 1.
        let topic = |agreed: u64| vec![vec![5, 5], vec![10 - agreed, agreed]];
        let calibration = Calibration::by_topic(&[0.0, 1.0], &[topic(8), topic(2)]).unwrap();
        assert_eq!(calibration.counts(), [[10, 10], [10, 10]]);
        assert!((calibration.design_effect(1) - 7.2).abs() < 1e-12 && calibration.design_effect(0) == 1.0);
        assert!((calibration.covariance(1, 1, 1) - 0.09).abs() < 1e-15);
        assert!((calibration.row_variance(1, &[0.0, 1.0]) - 0.09).abs() < 1e-15);
        assert_eq!((calibration.degrees(0), calibration.degrees(1)), (1.0, 1.0));
        // One topic, or bronze that always agrees, tells nothing of it.
        let one = Calibration::by_topic(&[0.0, 1.0], &[topic(8)]).unwrap();
        assert!(one.design_effect(1) == 1.0 && one.degrees(1) == 9.0);
        assert!(Calibration::binary((1, 2), (1, 2)).unwrap().clustered(Vec::new()).is_err());
    }

    #[test]
    fn intervals_cover_though_errors_are_alike() {
        // Each topic has a rate of its own, .5 or .9 with a fair coin, and 1 to 40 pairs: the rate of all is .7. As if independent the interval holds
        // it in well under 90% of samples, with the design effect about as often as it says.
        let mut stream = Seed(5).stream("clustered", 0);
        let (mut naive, mut held) = (0, 0);
        for _ in 0..400 {
            let tables: Vec<Vec<Vec<u64>>> = (0..25)
                .map(|_| {
                    let rate = if stream.unit() < 0.5 { 0.5 } else { 0.9 };
                    let pairs = 1 + (stream.unit() * 40.0) as u64;
                    let agreed = (0..pairs).filter(|_| stream.unit() < rate).count() as u64;
                    vec![vec![1, 0], vec![pairs - agreed, agreed]]
                })
                .collect();
            let clustered = Calibration::by_topic(&[0.0, 1.0], &tables).unwrap();
            let alone = Calibration::new(&[0.0, 1.0], clustered.counts().to_vec()).unwrap();
            let holds = |of: &Calibration| of.interval(1, 1, 0.95, RateInterval::ClopperPearson).unwrap().contains(0.7);
            naive += u32::from(holds(&alone));
            held += u32::from(holds(&clustered));
        }
        assert!(naive < 300, "{naive} of 400");
        assert!((368..=396).contains(&held), "{held} of 400");
    }

    #[test]
    fn the_papers_counts() {
        let calibration = Calibration::binary((43, 59), (67, 84)).unwrap();
        let (relevant, other) = calibration.accuracies().unwrap();
        // Section 6: .729 and .798; D = 43/59 + 67/84 - 1 = .52643.
        assert!((relevant - 0.729).abs() < 5e-4 && (other - 0.798).abs() < 5e-4);
        let d = calibration.discrimination(0.95, RateInterval::ClopperPearson).unwrap();
        assert!((d.value - (43.0 / 59.0 + 67.0 / 84.0 - 1.0)).abs() < 1e-15);
        assert!((d.value - calibration.rates().determinant()).abs() < 1e-15);
        // Its variance is V[J_R] + V[J_N], equation 8.
        let variance = |k: f64, n: f64| k / n * (1.0 - k / n) / n;
        assert!((d.std_error.powi(2) - variance(43.0, 59.0) - variance(67.0, 84.0)).abs() < 1e-15);
        assert!(!d.may_be_zero() && d.interval.contains(d.value) && d.interval.high < 1.0);
        // Singular values s ≥ t of [[67, 17]/84, [16, 43]/59]: s t = D, s² + t² = the sum of squares F, so s/t + t/s = F/D.
        let squares =
            [67.0 / 84.0, 17.0 / 84.0, 16.0 / 59.0, 43.0 / 59.0f64].iter().map(|rate| rate * rate).sum::<f64>();
        let condition = calibration.condition().unwrap();
        assert!((condition + 1.0 / condition - squares / d.value).abs() < 1e-12);
        assert!((calibration.covariance(1, 0, 1) + calibration.covariance(1, 1, 1)).abs() < 1e-16);
        assert!((calibration.covariance(1, 1, 1) - variance(43.0, 59.0)).abs() < 1e-16);
    }

    #[test]
    fn the_trec_table_cannot_tell() {
        // Table 2: DocRun02 17/38, 216/262 has D = .2718, YORK07ED4 14/50, 230/285 D = .0870, within its error of 0.
        let of = |relevant, other| {
            Calibration::binary(relevant, other).unwrap().discrimination(0.95, RateInterval::ClopperPearson).unwrap()
        };
        let (first, second) = (of((17, 38), (216, 262)), of((14, 50), (230, 285)));
        assert!((first.value - 0.2718).abs() < 5e-5 && !first.may_be_zero());
        assert!((second.value - 0.0870).abs() < 5e-5 && second.may_be_zero());
    }

    #[test]
    fn the_delta_method_of_d_in_three_grades() {
        // Rows (8,1,1)/10, (1,8,1)/10, (1,1,8)/10: D = .7 · .7 · 1 = .49 (eigenvalues .7, .7, 1). Moving .01 from the diagonal
        // to a neighbour numerically gives the same slope as the cofactors: checked through the variance by hand.
        let table = vec![vec![8, 1, 1], vec![1, 8, 1], vec![1, 1, 8]];
        let calibration = Calibration::new(&[0.0, 1.0, 2.0], table).unwrap();
        let d = calibration.discrimination(0.95, RateInterval::Jeffreys).unwrap();
        assert!((d.value - 0.49).abs() < 1e-12);
        // Cofactors of row 1: .63, −(.08 − .01) = −.07, −.07; mean .8 · .63 − .014 = .49 (again D), variance
        // .8 (.14)² + .2 (.56)² = .0784, over 10 pairs .00784; three rows .02352.
        assert!((d.std_error.powi(2) - 0.02352).abs() < 1e-12, "{}", d.std_error.powi(2));
        assert_eq!(d.interval.method, Method::Normal);
    }

    #[test]
    fn refusals_teach() {
        let says = |error: CalibrationError| error.to_string();
        let exceeds = says(Calibration::binary((60, 59), (67, 84)).unwrap_err());
        assert!(exceeds.starts_with("60 of 59 relevant pairs; expected"), "{exceeds}");
        let none = says(Calibration::binary((0, 0), (67, 84)).unwrap_err());
        assert!(none.starts_with("no pair has gold grade 1, so"), "{none}");
        assert!(matches!(
            Calibration::new(&[0.0, 1.0], vec![vec![1, 2], vec![3]]),
            Err(CalibrationError::Shape { grades: 2, rows: 2, columns: 1 })
        ));
        assert!(matches!(Calibration::new(&[1.0, 0.0], vec![]), Err(CalibrationError::Grades(_))));
        assert_eq!(Calibration::binary((u64::MAX, u64::MAX), (1, 1)), Err(CalibrationError::TooMany));
    }
}
