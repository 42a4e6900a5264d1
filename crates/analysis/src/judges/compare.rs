//! `judges compare`: is one system better than another, given the judges' errors?

use karat_stats::dist::student_t;
use karat_stats::judge_error::{
    Calibration, CalibrationErrors, Comparison, Corrected, CorrectionError, Observed, RateInterval, TwoTailed,
    compare as compare_numbers,
};
use schemars::JsonSchema;
use serde::Serialize;

use super::warnings::{RateWarning, ScoreWarning, System, out_of_range, rate_warnings, score_warnings};

/// The options of a comparison.
#[derive(Debug, Clone, PartialEq)]
pub struct CompareOptions {
    /// The two systems.
    pub observed: Observed,
    /// The judges' error rates.
    pub calibration: Calibration,
    /// The second system's own, if it has one.
    pub calibration_b: Option<Calibration>,
    /// Which test decides; `None` lets the number of calibrations decide.
    pub errors: Option<CalibrationErrors>,
    /// Level of the interval.
    pub level: f64,
}

/// The comparison, by the test that decides and by the others.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct CompareAnswer {
    /// Corrected score of a minus that of b.
    pub difference: f64,
    /// Its standard error.
    pub std_error: f64,
    /// Its interval.
    pub interval: (f64, f64),
    /// Two-tailed p-value.
    pub p: f64,
    /// Which test that is: `shared` (one calibration for both systems) or `independent` (one for each).
    pub calibration_errors: TestName,
    /// p-value of the uncorrected scores.
    pub p_naive: f64,
    /// p-value if each system had its own calibration.
    pub p_independent: f64,
    /// p-value if both systems share the calibration; null if they have one each.
    pub p_shared: Option<f64>,
    /// Confidence level of the interval.
    pub level: f64,
    /// All tests.
    pub tests: Vec<ComparisonTest>,
    /// The two scores.
    pub scores: [ComparedScore; 2],
    /// What a reader should know about it.
    #[serde(skip)]
    pub notes: Vec<CompareNote>,
}

/// How a test treats the judges' errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum TestName {
    /// Ignores them.
    Naive,
    /// Adds the error of the calibration once for each system.
    Independent,
    /// Both systems share the calibration and its error.
    Shared,
}

/// One test of the difference.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ComparisonTest {
    /// How it treats the judges' errors.
    pub errors: TestName,
    /// Score of a minus that of b.
    pub difference: f64,
    /// Its standard error.
    pub std_error: f64,
    /// Test statistic.
    pub t: f64,
    /// Degrees of freedom.
    pub df: f64,
    /// Two-tailed p-value by Student's t.
    pub p: f64,
    /// Two-tailed p-value by the Normal distribution.
    pub p_normal: f64,
    /// What the standard error holds.
    pub because: ErrorSources,
}

/// What the standard error of a test contains; a sentence in JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub enum ErrorSources {
    /// Queries only; the systems had different ones.
    #[serde(rename = "bronze taken at its word; Welch, queries of each its own")]
    Queries,
    /// Queries only; both systems had the same.
    #[serde(rename = "bronze taken at its word; paired over queries")]
    PairedQueries,
    /// Queries, and the error of the calibration once for each system.
    #[serde(rename = "the calibration's error added once for each system")]
    TwoCalibrations,
    /// Queries, and the error of the one calibration, which only scales the difference.
    #[serde(rename = "one calibration: its error only stretches the difference")]
    OneCalibration,
}

/// One system's score.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ComparedScore {
    /// The system.
    pub run: System,
    /// The score by bronze labels.
    pub naive: f64,
    /// The corrected score; not truncated to the valid range.
    pub value: f64,
    /// Its standard error.
    pub std_error: f64,
    /// The nearest possible score, if `value` is not a possible one.
    pub nearest: Option<f64>,
}

/// What a reader of a comparison should know.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum CompareNote {
    /// About the error rates.
    Rates(RateWarning),
    /// About a corrected score.
    Score(System, ScoreWarning),
    /// One calibration serves both systems, so its error partly cancels.
    Shared,
    /// Each system has its own calibration.
    TwoCalibrations,
    /// The user chose `independent`, though one calibration serves both systems: p is too large.
    ChosenIndependent,
    /// The correction assumes the same error rates everywhere.
    SameRates,
}

/// Compares two systems by all tests.
///
/// # Errors
/// A score cannot be corrected, or the systems cannot be compared.
pub fn compare(options: &CompareOptions) -> Result<CompareAnswer, CorrectionError> {
    let CompareOptions { observed, calibration, calibration_b, errors, level } = options;
    let found = compare_numbers(observed, calibration, calibration_b.as_ref())?;
    let (chosen, name) = match (errors, found.shared) {
        (Some(CalibrationErrors::Independent), _) | (_, None) => (found.independent, TestName::Independent),
        (_, Some(shared)) => (shared, TestName::Shared),
    };
    let half = student_t::quantile(0.5 + level / 2.0, chosen.df).map_err(out_of_range)? * chosen.std_error;
    Ok(CompareAnswer {
        difference: chosen.difference,
        std_error: chosen.std_error,
        interval: (chosen.difference - half, chosen.difference + half),
        p: chosen.p,
        calibration_errors: name,
        p_naive: found.naive.p,
        p_independent: found.independent.p,
        p_shared: found.shared.map(|shared| shared.p),
        level: *level,
        tests: tests(&found, observed.paired_sd.is_some()),
        scores: [score(System::A, &found.a), score(System::B, &found.b)],
        notes: notes(options, &found, name)?,
    })
}

fn tests(found: &Comparison, paired: bool) -> Vec<ComparisonTest> {
    let test = |errors, test: &TwoTailed, because| ComparisonTest {
        errors,
        difference: test.difference,
        std_error: test.std_error,
        t: test.difference / test.std_error,
        df: test.df,
        p: test.p,
        p_normal: test.p_normal,
        because,
    };
    let queries = if paired { ErrorSources::PairedQueries } else { ErrorSources::Queries };
    let mut tests = vec![
        test(TestName::Naive, &found.naive, queries),
        test(TestName::Independent, &found.independent, ErrorSources::TwoCalibrations),
    ];
    tests.extend(found.shared.as_ref().map(|shared| test(TestName::Shared, shared, ErrorSources::OneCalibration)));
    tests
}

fn score(run: System, corrected: &Corrected) -> ComparedScore {
    ComparedScore {
        run,
        naive: corrected.naive,
        value: corrected.value,
        std_error: corrected.std_error(),
        nearest: corrected.nearest(),
    }
}

fn notes(options: &CompareOptions, found: &Comparison, name: TestName) -> Result<Vec<CompareNote>, CorrectionError> {
    let mut notes = Vec::new();
    for calibration in [Some(&options.calibration), options.calibration_b.as_ref()].into_iter().flatten() {
        let d = calibration.discrimination(options.level, RateInterval::ClopperPearson).map_err(out_of_range)?;
        notes.extend(rate_warnings(calibration, &d).into_iter().map(CompareNote::Rates));
    }
    for (system, corrected) in [(System::A, &found.a), (System::B, &found.b)] {
        notes.extend(score_warnings(corrected).into_iter().map(|warning| CompareNote::Score(system, warning)));
    }
    notes.push(match (name, options.calibration_b.is_some()) {
        (TestName::Shared, _) => CompareNote::Shared,
        (_, true) => CompareNote::TwoCalibrations,
        _ => CompareNote::ChosenIndependent,
    });
    notes.push(CompareNote::SameRates);
    Ok(notes)
}
