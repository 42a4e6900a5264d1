//! Options of the questions. Defaults are those of the command line; what several questions share is set on the experiment.

use karat_analysis::budget::Prices;
use karat_analysis::summary::IntervalMethod;

/// Options of [`Experiment::eval`](crate::Experiment::eval).
#[derive(Debug, Clone, Default)]
pub struct EvalOptions {
    /// Whether the answer lists every topic.
    pub by_query: bool,
    /// How intervals over topics are made.
    pub interval: IntervalMethod,
}

/// Options of [`Experiment::compare`](crate::Experiment::compare).
#[derive(Debug, Clone)]
pub struct CompareOptions {
    /// Name of the run that the others are compared with; the first run when not given.
    pub baseline: Option<String>,
    /// Compare every pair, not only each run with the baseline.
    pub all_pairs: bool,
    /// Names of the tests (see `karat explain`). The randomisation test is always included: verdicts use it.
    pub tests: Vec<String>,
    /// Random permutations or resamples per test.
    pub permutations: u32,
    /// How intervals are made.
    pub interval: IntervalMethod,
    /// Power for the smallest detectable difference and the number of topics needed.
    pub power: f64,
    /// Name a better run only if it leads however the unjudged documents are judged.
    pub strict: bool,
    /// A difference that does not matter: the answer then says what is not worse, or equivalent, within it.
    pub margin: Option<f64>,
    /// Whether the answer lists every topic.
    pub by_query: bool,
    /// Repeat the comparison with other values of p, cut-off, gains, relevance threshold, ties and missing topics, one at a time.
    pub sensitivity: bool,
}

impl Default for CompareOptions {
    fn default() -> Self {
        CompareOptions {
            baseline: None,
            all_pairs: false,
            tests: vec!["t".into(), "randomization".into()],
            permutations: 100_000,
            interval: IntervalMethod::default(),
            power: 0.8,
            strict: false,
            margin: None,
            by_query: false,
            sensitivity: false,
        }
    }
}

/// Options of [`Experiment::budget`](crate::Experiment::budget).
#[derive(Debug, Clone, Default)]
pub struct BudgetOptions {
    /// The width that the interval should have, from end to end: the answer then has advice on the cheapest way to reach it.
    pub target_width: Option<f64>,
    /// What a topic, a judgement and a gold label cost.
    pub prices: Prices,
    /// Random draws of unjudged relevance per topic, for measures without a closed form; `None`: 200, fewer for more than a million
    /// documents.
    pub draws: Option<u32>,
}
