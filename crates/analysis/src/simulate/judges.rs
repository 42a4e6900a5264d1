//! What judges' errors do to P@k, and whether the correction repairs it: algorithm 2 of the paper.

use karat_sim::{JudgesError, JudgesWorld};
use karat_stats::Seed;
use schemars::JsonSchema;
use serde::Serialize;

/// What is simulated, and how much of it.
#[derive(Debug, Clone)]
pub struct SimulatedJudgesOptions {
    /// The world.
    pub world: JudgesWorld,
    /// Runs.
    pub runs: u32,
    /// Level of the intervals whose coverage is counted.
    pub level: f64,
    /// Seed.
    pub seed: Seed,
    /// Threads; they do not change the answer.
    pub threads: usize,
}

/// Scores by bronze judges and corrected scores, over many simulated runs.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct SimulatedJudges {
    /// The true P@k.
    pub truth: f64,
    /// Expected P@k by bronze judges (equation 3).
    pub naive_expected: f64,
    /// Mean P@k by bronze judges.
    pub naive_mean: f64,
    /// Its standard deviation over runs.
    pub naive_std_dev: f64,
    /// Mean corrected P@k.
    pub corrected_mean: f64,
    /// Its standard deviation over runs.
    pub corrected_std_dev: f64,
    /// Mean standard error that the correction reports (equation 7).
    pub std_error_told: f64,
    /// Share of runs whose uncorrected interval holds the truth.
    pub naive_coverage: f64,
    /// Standard error of that share.
    pub naive_coverage_std_error: f64,
    /// Share of runs whose corrected interval holds the truth.
    pub corrected_coverage: f64,
    /// Standard error of that share.
    pub corrected_coverage_std_error: f64,
    /// Level of the intervals.
    pub level: f64,
    /// Simulated runs.
    pub runs: f64,
    /// Runs without a corrected score; they count as not covered.
    pub without: f64,
    /// Corrected scores outside 0 to 1.
    pub impossible: f64,
}

/// Simulates the world.
///
/// # Errors
/// A number outside its range.
pub fn judges(options: &SimulatedJudgesOptions) -> Result<SimulatedJudges, JudgesError> {
    let world = &options.world;
    let found = world.simulate(options.runs, options.level, options.seed, options.threads)?;
    let runs = f64::from(options.runs.max(1));
    let share = |covered: u32| f64::from(covered) / runs;
    let std_error = |share: f64| (share * (1.0 - share) / runs).sqrt();
    let (naive, corrected) = (share(found.naive_covered), share(found.corrected_covered));
    Ok(SimulatedJudges {
        truth: world.true_score(),
        naive_expected: world.naive_score(),
        naive_mean: found.naive.0,
        naive_std_dev: found.naive.1,
        corrected_mean: found.corrected.0,
        corrected_std_dev: found.corrected.1,
        std_error_told: found.std_error,
        naive_coverage: naive,
        naive_coverage_std_error: std_error(naive),
        corrected_coverage: corrected,
        corrected_coverage_std_error: std_error(corrected),
        level: options.level,
        runs,
        without: f64::from(found.without),
        impossible: f64::from(found.impossible),
    })
}
