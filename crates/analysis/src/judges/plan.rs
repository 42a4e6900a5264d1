//! `plan judges`: how many queries, bronze and gold labels are needed to find a difference, or for an interval of a given width?
//!
//! The variance of a corrected score is A/n + G/N: n queries, N gold labels on pairs drawn at random (equation 7, with n_R = π N and
//! n_N = (1 − π) N, π the share of relevant documents). The cheapest of all mixes that reach the target variance T has
//! a closed form by Lagrange, n = (A + √(A G c_g / c_q)) / T and N = (G + √(A G c_q / c_g)) / T for prices c_q of a query and c_g of a
//! gold label.

use karat_stats::dist::normal;
use karat_stats::judge_error::{
    Calibration, CalibrationErrors, Corrected, CorrectionError, RateInterval, Summary, proportion,
};
use schemars::JsonSchema;
use serde::Serialize;

use super::warnings::{RateWarning, ScoreWarning, out_of_range, rate_warnings, score_warnings};

/// What the plan must reach.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PlanTarget {
    /// A difference of this size between the gold scores of two systems is found with the given power.
    Difference {
        /// The difference.
        size: f64,
        /// The probability of finding it.
        power: f64,
        /// Whether both systems share the calibration.
        errors: CalibrationErrors,
        /// Standard deviation of the difference over queries, if both systems get the same ones.
        paired_sd: Option<f64>,
    },
    /// The interval of one corrected score has this width.
    Width(f64),
}

impl PlanTarget {
    fn systems(self) -> f64 {
        if matches!(self, PlanTarget::Difference { .. }) { 2.0 } else { 1.0 }
    }
}

/// The options of a plan.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanOptions {
    /// The score now (its n does not matter).
    pub summary: Summary,
    /// The judges' error rates now.
    pub calibration: Calibration,
    /// What the plan must reach.
    pub target: PlanTarget,
    /// Confidence level of the test or interval.
    pub level: f64,
    /// Bronze labels per query and system: k for P@k.
    pub labels_per_query: f64,
    /// Price of a bronze label.
    pub bronze_price: f64,
    /// Price of a gold label.
    pub gold_price: f64,
}

/// The cheapest mix of queries and gold labels that reaches the target, and others.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PlanAnswer {
    /// Queries of the cheapest mix, per system.
    pub queries: f64,
    /// Bronze labels for these queries, over all systems.
    pub bronze_labels: f64,
    /// Gold labels of the cheapest mix.
    pub gold_labels: f64,
    /// Cost of the cheapest mix.
    pub cost: f64,
    /// Queries that would be needed if the error rates were known.
    pub queries_at_least: f64,
    /// Gold labels that would be needed if queries were free.
    pub gold_labels_at_least: f64,
    /// Other mixes that reach the target.
    pub mixes: Vec<PlanMix>,
    /// What a reader should know about it.
    #[serde(skip)]
    pub notes: Vec<PlanNote>,
}

/// A mix of queries and gold labels that reaches the target.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct PlanMix {
    /// Queries per system.
    pub queries: f64,
    /// Gold labels.
    pub gold_labels: f64,
    /// What bronze and gold labels cost.
    pub cost: f64,
}

/// What a reader of a plan should know.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PlanNote {
    /// About the error rates.
    Rates(RateWarning),
    /// About the corrected score.
    Score(ScoreWarning),
    /// What the plan reaches, at which confidence level.
    Target(PlanTarget, f64),
    /// Prices of a bronze and of a gold label.
    Prices(f64, f64),
    /// How the cheapest mix is found.
    Method,
    /// The correction assumes the same error rates everywhere.
    SameRates,
}

/// Why there is no plan.
#[derive(Clone, Debug, PartialEq)]
pub enum PlanError {
    /// The score cannot be corrected.
    Correction(CorrectionError),
    /// A number that must be from 1e-6 to 1e9.
    OutOfRange(PlanNumber, f64),
    /// The power must be from 0.5 and below 1.
    Power(f64),
}

impl From<CorrectionError> for PlanError {
    fn from(error: CorrectionError) -> Self {
        PlanError::Correction(error)
    }
}

/// A number of the options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanNumber {
    /// Price of a bronze label.
    BronzePrice,
    /// Price of a gold label.
    GoldPrice,
    /// Bronze labels per query.
    LabelsPerQuery,
    /// Width of the interval.
    Width,
    /// Size of the difference.
    Difference,
}

/// A/n + G/N ≤ T.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Variance {
    queries: f64,
    gold: f64,
    target: f64,
}

impl Variance {
    /// Queries and gold labels of the cheapest mix.
    fn cheapest(&self, query: f64, gold: f64) -> (f64, f64) {
        let common = (self.queries * self.gold).sqrt();
        let ratio = (gold / query).sqrt();
        ((self.queries + common * ratio) / self.target, (self.gold + common / ratio) / self.target)
    }

    /// The same in whole numbers: the cheapest within reach of rounding.
    fn cheapest_whole(&self, query: f64, gold: f64) -> (f64, f64) {
        let (queries, labels) = self.cheapest(query, gold);
        let mut best = (queries.ceil(), labels.ceil());
        let cost = |(queries, labels): (f64, f64)| queries * query + labels * gold;
        for step in -200..=200 {
            let labels = labels.ceil() + f64::from(step);
            let left = self.target - self.gold / labels.max(1.0);
            if labels < 1.0 || left <= 0.0 {
                continue;
            }
            let mix = ((self.queries / left).ceil().max(1.0), labels);
            if cost(mix) < cost(best) {
                best = mix;
            }
        }
        best
    }

    /// The variance that these options lead to, and the target.
    fn new(options: &PlanOptions, corrected: &Corrected) -> Result<Variance, CorrectionError> {
        let rates = RateVariance::new(&options.calibration, corrected.value);
        let one = corrected.topics * options.summary.n as f64;
        let z = |p: f64| normal::quantile(p).map_err(out_of_range);
        let both_sides = z(0.5 + options.level / 2.0)?;
        let gold_of_one = rates.with_slopes(corrected.value, options.summary.weight - corrected.value);
        Ok(match options.target {
            PlanTarget::Width(width) => {
                Variance { queries: one, gold: gold_of_one, target: (width / 2.0 / both_sides).powi(2) }
            }
            PlanTarget::Difference { size, power, errors, paired_sd } => {
                let queries = paired_sd.map_or(2.0 * one, |sd| sd * sd / (rates.d * rates.d));
                let gold = match errors {
                    CalibrationErrors::Shared => rates.with_slopes(size, -size),
                    CalibrationErrors::Independent => 2.0 * gold_of_one,
                };
                Variance { queries, gold, target: (size / (both_sides + z(power)?)).powi(2) }
            }
        })
    }
}

/// Variance of the two rates, of one gold label drawn at random. New labels are assumed to be as similar within topics as the present ones.
struct RateVariance {
    relevant: f64,
    other: f64,
    d: f64,
}

impl RateVariance {
    fn new(calibration: &Calibration, score: f64) -> RateVariance {
        let (relevant, other) = calibration.accuracies().unwrap_or((1.0, 1.0));
        let share = score.clamp(0.01, 0.99);
        RateVariance {
            relevant: calibration.design_effect(1) * relevant * (1.0 - relevant) / share,
            other: calibration.design_effect(0) * other * (1.0 - other) / (1.0 - share),
            d: relevant + other - 1.0,
        }
    }

    /// Variance of a corrected number that has these slopes (times D) in the two rates.
    fn with_slopes(&self, relevant: f64, other: f64) -> f64 {
        (relevant * relevant * self.relevant + other * other * self.other) / (self.d * self.d)
    }
}

/// Plans queries and gold labels.
///
/// # Errors
/// The score cannot be corrected, or a number is out of range.
pub fn plan(options: &PlanOptions) -> Result<PlanAnswer, PlanError> {
    check(options)?;
    let corrected = proportion(options.summary, &options.calibration)?;
    let variance = Variance::new(options, &corrected)?;
    let systems = options.target.systems();
    let query = systems * options.labels_per_query * options.bronze_price;
    let (queries, gold_labels) = variance.cheapest_whole(query, options.gold_price);
    let mix = |queries: f64, gold_labels: f64| {
        let cost = queries * query + gold_labels * options.gold_price;
        PlanMix { queries, gold_labels, cost }
    };
    let mut mixes = Vec::new();
    for factor in [1.1, 1.25, 1.5, 2.0, 4.0, 8.0] {
        let queries = (factor * variance.queries / variance.target).ceil();
        let left = variance.target - variance.queries / queries;
        if left > 0.0 {
            mixes.push(mix(queries, (variance.gold / left).ceil()));
        }
    }
    Ok(PlanAnswer {
        queries,
        bronze_labels: queries * systems * options.labels_per_query,
        gold_labels,
        cost: mix(queries, gold_labels).cost,
        queries_at_least: (variance.queries / variance.target).ceil(),
        gold_labels_at_least: (variance.gold / variance.target).ceil(),
        mixes,
        notes: notes(options, &corrected)?,
    })
}

fn notes(options: &PlanOptions, corrected: &Corrected) -> Result<Vec<PlanNote>, CorrectionError> {
    let calibration = &options.calibration;
    let d = calibration.discrimination(options.level, RateInterval::ClopperPearson).map_err(out_of_range)?;
    let mut notes: Vec<PlanNote> = rate_warnings(calibration, &d).into_iter().map(PlanNote::Rates).collect();
    // The score has two queries here, so only what does not depend on their number is said.
    let impossible = |warning: &ScoreWarning| matches!(warning, ScoreWarning::Impossible { .. });
    notes.extend(score_warnings(corrected).into_iter().filter(impossible).map(PlanNote::Score));
    notes.push(PlanNote::Target(options.target, options.level));
    notes.push(PlanNote::Prices(options.bronze_price, options.gold_price));
    notes.extend([PlanNote::Method, PlanNote::SameRates]);
    Ok(notes)
}

fn check(options: &PlanOptions) -> Result<(), PlanError> {
    // Beyond these a number of labels no longer fits a float.
    let positive = |number, found: f64| {
        let legal = (1e-6..=1e9).contains(&found);
        if legal { Ok(()) } else { Err(PlanError::OutOfRange(number, found)) }
    };
    positive(PlanNumber::BronzePrice, options.bronze_price)?;
    positive(PlanNumber::GoldPrice, options.gold_price)?;
    positive(PlanNumber::LabelsPerQuery, options.labels_per_query)?;
    match options.target {
        PlanTarget::Width(width) => positive(PlanNumber::Width, width),
        PlanTarget::Difference { size, power, .. } => {
            positive(PlanNumber::Difference, size)?;
            if (0.5..1.0).contains(&power) { Ok(()) } else { Err(PlanError::Power(power)) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(target: PlanTarget, sd: Option<f64>) -> PlanOptions {
        PlanOptions {
            summary: Summary { score: 0.6385, sd, n: 20_604, weight: 1.0 },
            calibration: Calibration::binary((43, 59), (67, 84)).unwrap(),
            target,
            level: 0.95,
            labels_per_query: 3.0,
            bronze_price: 0.05,
            gold_price: 1.0,
        }
    }

    fn variance(options: &PlanOptions) -> Variance {
        let corrected = proportion(options.summary, &options.calibration).unwrap();
        Variance::new(options, &corrected).unwrap()
    }

    #[test]
    fn the_plan_reaches_what_was_wanted_and_is_the_cheapest() {
        let options = options(PlanTarget::Width(0.05), Some(0.402));
        let variance = variance(&options);
        let (queries, labels) = variance.cheapest(0.15, 1.0);
        assert!((variance.queries / queries + variance.gold / labels - variance.target).abs() < 1e-12);
        // A: .402² / D² with D = .52643; .5832.
        assert!((variance.queries - 0.402f64.powi(2) / (43.0f64 / 59.0 + 67.0 / 84.0 - 1.0).powi(2)).abs() < 1e-12);
        let cost = |queries: f64| 0.15 * queries + variance.gold / (variance.target - variance.queries / queries);
        assert!(cost(queries) < cost(queries * 1.02) && cost(queries) < cost(queries * 0.98));
        let (whole_queries, whole_labels) = variance.cheapest_whole(0.15, 1.0);
        assert!(variance.queries / whole_queries + variance.gold / whole_labels <= variance.target * (1.0 + 1e-12));
        assert!(0.15 * whole_queries + whole_labels <= 0.15 * queries.ceil() + labels.ceil());
        // Fed back into equation 7: that many queries and pairs give a half width of .025 at 1.96.
        let share = proportion(options.summary, &options.calibration).unwrap().value;
        let pairs = |part: f64| (labels * part).round() as u64;
        let (r, n) = (pairs(share), pairs(1.0 - share));
        let agreed = |pairs: u64, rate: f64| (pairs as f64 * rate).round() as u64;
        let calibration = Calibration::binary((agreed(r, 43.0 / 59.0), r), (agreed(n, 67.0 / 84.0), n)).unwrap();
        let reached = proportion(Summary { n: queries as u64, ..options.summary }, &calibration).unwrap();
        assert!((reached.std_error() * 1.96 - 0.025).abs() < 1e-3, "{}", reached.std_error());
    }

    #[test]
    fn a_shared_calibration_needs_far_less_gold() {
        let target = |errors| PlanTarget::Difference { size: 0.02, power: 0.8, errors, paired_sd: None };
        let shared = variance(&options(target(CalibrationErrors::Shared), Some(0.402)));
        let independent = variance(&options(target(CalibrationErrors::Independent), Some(0.402)));
        assert_eq!((shared.queries, shared.target), (independent.queries, independent.target));
        assert!(independent.gold > 300.0 * shared.gold, "{shared:?} {independent:?}");
        // (1.95996 + .84162) / .02 squared: 1 / T.
        assert!((1.0 / shared.target - ((1.959964 + 0.841621) / 0.02f64).powi(2)).abs() < 0.1);
    }

    #[test]
    fn the_papers_trec_example() {
        // Section 7 asks for the queries with which DocRun02 (.527, D = .27180) and YORK07ED4 (.513, D = .08702) differ at p = .05, and
        // prints 569,154 without derivation. Ours: (V[J_a]/D_a² + V[J_b]/D_b²) (1.96 / .014)² with V[J] = j (1 - j), the most it can be for
        // one document a query: (.24927 · 13.537 + .24983 · 132.06) · 19600 = 712,800. The paper's number follows from V[J] = .1995.
        let of = |relevant, other| {
            let (m_r, m_n) = Calibration::binary(relevant, other).unwrap().accuracies().unwrap();
            (m_r + m_n - 1.0f64).powi(-2)
        };
        let (a, b) = (of((17, 38), (216, 262)), of((14, 50), (230, 285)));
        let per_unit = (1.959964f64 / 0.014).powi(2);
        let ours = (0.527 * 0.473 * a + 0.513 * 0.487 * b) * per_unit;
        assert!((ours - 712_800.0).abs() < 2_000.0, "{ours}");
        assert!((569_154.0 / ((a + b) * per_unit) - 0.19944).abs() < 1e-5, "{}", 569_154.0 / ((a + b) * per_unit));
        // "Using Equation (8)" it prints 23,027,371 relevant gold assessments. m_R's part of the variance is (C_a + C_b)/n_R with C = m_R (1 − m_R) g²/D²
        // (g the corrected score): 5.595 and 360.09. If the whole variance (.014/1.96)² were m_R's, 7,167,159 would do, 14,334,318 for half of it; the
        // paper's number makes it .311 of it, and its own 569,154 queries have used up all of it already. No printed number gives that split.
        let part = |score, relevant, other| {
            let calibration = Calibration::binary(relevant, other).unwrap();
            let (m_r, m_n) = calibration.accuracies().unwrap();
            let g = proportion(Summary { score, sd: None, n: 50, weight: 1.0 }, &calibration).unwrap().value;
            m_r * (1.0 - m_r) * (g / (m_r + m_n - 1.0)).powi(2)
        };
        let of_m_r = part(0.527, (17, 38), (216, 262)) + part(0.513, (14, 50), (230, 285));
        assert!((of_m_r * per_unit - 7_167_159.0).abs() < 10.0, "{}", of_m_r * per_unit);
        assert!((of_m_r * per_unit / 23_027_371.0 - 0.3112).abs() < 1e-4);
    }

    #[test]
    fn numbers_out_of_range_are_refused() {
        let refused = |target| plan(&options(target, None)).unwrap_err();
        assert_eq!(refused(PlanTarget::Width(0.0)), PlanError::OutOfRange(PlanNumber::Width, 0.0));
        assert!(matches!(refused(PlanTarget::Width(f64::NAN)), PlanError::OutOfRange(PlanNumber::Width, _)));
        let errors = CalibrationErrors::Shared;
        let power = PlanTarget::Difference { size: 0.1, power: 1.0, errors, paired_sd: None };
        assert_eq!(refused(power), PlanError::Power(1.0));
    }
}
