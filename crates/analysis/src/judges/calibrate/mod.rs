//! `judges calibrate`: error rates with their intervals, D, and whether the rates depend on anything.

mod answer;

use std::collections::BTreeMap;

use karat_stats::Seed;
use karat_stats::contingency;
use karat_stats::correction::HOLM;
use karat_stats::dist::OutOfRange;
use karat_stats::judge_error::{Calibration, RateInterval};

pub use answer::{
    CalibrateAnswer, CalibrateNote, CalibrationCaution, ErrorRate, FactorTest, FactorValue, RateCovariance, Sampling,
    TestedFactors, cautions,
};

use super::warnings::rate_warnings;

/// Agreements and disagreements by something on which they should not depend.
#[derive(Debug, Clone)]
pub struct Factor {
    /// What it is: system, rank band, topic.
    pub name: String,
    /// Its values, each with agreements and pairs.
    pub values: Vec<(String, u64, u64)>,
    /// How much larger the variance is than that of independent pairs, because errors within a topic are similar; 1 if not known.
    pub effect: f64,
}

/// The options of a calibration.
#[derive(Debug, Clone)]
pub struct CalibrateOptions {
    /// The counts.
    pub calibration: Calibration,
    /// Method of the intervals of rates.
    pub interval: RateInterval,
    /// Their confidence level.
    pub level: f64,
    /// How the pairs were chosen, if known.
    pub sampling: Option<Sampling>,
    /// Factors to test.
    pub factors: Vec<Factor>,
    /// Seed of tests that draw tables.
    pub seed: Seed,
}

/// Estimates error rates and D, and tests the factors.
///
/// # Errors
/// The level is not between 0 and 1.
pub fn calibrate(options: &CalibrateOptions) -> Result<CalibrateAnswer, OutOfRange> {
    let calibration = &options.calibration;
    let d = calibration.discrimination(options.level, options.interval)?;
    let matrix = calibration.rates();
    let accuracies = calibration.accuracies();
    let clustering = calibration.clustering();
    let tested = test_factors(options);
    let between = calibration.between();
    let mut notes: Vec<CalibrateNote> = rate_warnings(calibration, &d).into_iter().map(CalibrateNote::Rates).collect();
    notes.push(CalibrateNote::Sampling(options.sampling));
    notes.extend(clustering_note(calibration));
    notes.extend(tested.notes);
    Ok(CalibrateAnswer {
        rates: rates(options)?,
        grades: calibration.grades().to_vec(),
        counts: calibration.counts().to_vec(),
        rates_matrix: (0..matrix.size()).map(|row| matrix.row(row).to_vec()).collect(),
        m_relevant: accuracies.map(|rates| rates.0),
        m_nonrelevant: accuracies.map(|rates| rates.1),
        d: d.value,
        d_std_error: d.std_error,
        d_interval: (d.interval.low, d.interval.high),
        condition: calibration.condition(),
        design_effects: clustering.map(|all| all.iter().map(|own| own.effect).collect()),
        design_topics: clustering.map(|all| all.iter().map(|own| own.topics).collect()),
        between_grades: (!between.is_empty()).then(|| between.to_vec()),
        sampling: options.sampling,
        depends_on: tested.depends_on,
        level: options.level,
        covariances: covariances(calibration),
        tested: (!options.factors.is_empty())
            .then(|| TestedFactors { tests: tested.tests, factors: factor_values(&options.factors) }),
        notes,
    })
}

fn rates(options: &CalibrateOptions) -> Result<Vec<ErrorRate>, OutOfRange> {
    let calibration = &options.calibration;
    let matrix = calibration.rates();
    let mut rates = Vec::new();
    for (row, &gold) in calibration.grades().iter().enumerate() {
        for (column, &bronze) in calibration.grades().iter().enumerate() {
            let interval = calibration.interval(row, column, options.level, options.interval)?;
            rates.push(ErrorRate {
                gold,
                bronze,
                count: calibration.counts()[row][column],
                of: calibration.pairs(row),
                rate: matrix[(row, column)],
                interval: (interval.low, interval.high),
                method: interval.method.name(),
            });
        }
    }
    Ok(rates)
}

/// Covariances of rates of one gold grade; those of different grades are in `between_grades`.
fn covariances(calibration: &Calibration) -> Vec<RateCovariance> {
    let grades = calibration.grades();
    let mut covariances = Vec::new();
    for (row, &gold) in grades.iter().enumerate() {
        for one in 0..grades.len() {
            for other in one..grades.len() {
                let covariance = calibration.covariance(row, one, other);
                covariances.push(RateCovariance { gold, bronze_a: grades[one], bronze_b: grades[other], covariance });
            }
        }
    }
    covariances
}

/// Whether errors within a topic are similar, and what that does to variances.
fn clustering_note(calibration: &Calibration) -> Option<CalibrateNote> {
    let clustering = calibration.clustering()?;
    if clustering.iter().any(|own| own.topics < 2) {
        return Some(CalibrateNote::OneTopic);
    }
    let grades = calibration.grades().iter().zip(clustering).filter(|(_, own)| own.effect > 1.0);
    let effects: Vec<_> = grades.map(|(&grade, own)| (grade, own.effect, own.topics)).collect();
    (!effects.is_empty()).then_some(CalibrateNote::DesignEffects(effects))
}

fn factor_values(factors: &[Factor]) -> Vec<FactorValue> {
    let values = |factor: &Factor| {
        let value = |(value, agreed, pairs): &(String, u64, u64)| FactorValue {
            factor: factor.name.clone(),
            value: value.clone(),
            agreed: *agreed,
            pairs: *pairs,
            rate: (*pairs > 0).then(|| *agreed as f64 / *pairs as f64),
        };
        factor.values.iter().map(value).collect::<Vec<_>>()
    };
    factors.iter().flat_map(values).collect()
}

/// Tests of all factors.
#[derive(Default)]
struct Tests {
    tests: Vec<FactorTest>,
    notes: Vec<CalibrateNote>,
    depends_on: Vec<String>,
}

/// Tests each factor; p-values are adjusted for their number (Holm).
fn test_factors(options: &CalibrateOptions) -> Tests {
    let test = |factor: &Factor| {
        let row = |(_, agreed, pairs): &(String, u64, u64)| vec![*agreed, pairs - agreed];
        let table: Vec<Vec<u64>> = factor.values.iter().map(row).collect();
        let found = contingency::independence(&table, options.seed.child(&factor.name, 0));
        found.map(|found| found.clustered(factor.effect))
    };
    let found: Vec<_> = options.factors.iter().map(test).collect();
    let p: Vec<Option<f64>> = found.iter().map(|found| found.as_ref().ok().map(|found| found.p)).collect();
    let adjusted = HOLM.adjust_known(&p).unwrap_or_else(|_| p.clone());
    let mut tests = Tests::default();
    let mut untested: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (factor, (found, p_adjusted)) in options.factors.iter().zip(found.into_iter().zip(adjusted)) {
        let name = factor.name.clone();
        let known = found.as_ref().ok();
        tests.tests.push(FactorTest {
            factor: name.clone(),
            statistic: known.map(|found| found.statistic),
            df: known.map(|found| found.df),
            p: known.map(|found| found.p),
            p_adjusted: known.and(p_adjusted),
            method: known.map(|found| found.how.name()),
        });
        match found {
            Ok(found) if p_adjusted.unwrap_or(found.p) < 1.0 - options.level => {
                tests.depends_on.push(name.clone());
                tests.notes.push(CalibrateNote::DependsOn(name, p_adjusted.unwrap_or(found.p)));
            }
            Ok(found) => tests.notes.push(CalibrateNote::NoEvidence(name, p_adjusted.unwrap_or(found.p))),
            Err(reason) => untested.entry(reason.to_string()).or_default().push(name),
        }
    }
    tests.notes.extend(untested.into_iter().map(|(reason, names)| CalibrateNote::NotTested(names, reason)));
    tests
}
