//! The answer of `judges calibrate`.

use schemars::JsonSchema;
use serde::Serialize;

use crate::judges::warnings::RateWarning;

/// Error rates of judges. As a file, this is what `--calibration` reads.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct CalibrateAnswer {
    /// How often bronze gives each grade when gold gives a grade.
    pub rates: Vec<ErrorRate>,
    /// The grades, ascending.
    pub grades: Vec<f64>,
    /// Pairs by gold grade (row) and bronze grade (column).
    pub counts: Vec<Vec<u64>>,
    /// Rates by gold grade (row) and bronze grade (column).
    pub rates_matrix: Vec<Vec<f64>>,
    /// Of two grades: the rate at which bronze finds relevant documents relevant.
    pub m_relevant: Option<f64>,
    /// Of two grades: the rate at which bronze finds non-relevant documents not relevant.
    pub m_nonrelevant: Option<f64>,
    /// How well bronze tells grades apart: determinant of the matrix of rates, m_R + m_N - 1 for two grades.
    pub d: f64,
    /// Its standard error.
    pub d_std_error: f64,
    /// Its interval.
    pub d_interval: (f64, f64),
    /// Condition number of the matrix of rates.
    pub condition: Option<f64>,
    /// Per gold grade: how much larger the variance is than that of independent pairs. Null if topics are not known.
    pub design_effects: Option<Vec<f64>>,
    /// Per gold grade: topics of its pairs.
    pub design_topics: Option<Vec<u64>>,
    /// Covariances of rates of different gold grades.
    pub between_grades: Option<Vec<Vec<f64>>>,
    /// How the pairs were chosen, if known.
    pub sampling: Option<Sampling>,
    /// Factors on which the error rate depends significantly.
    pub depends_on: Vec<String>,
    /// Confidence level of intervals and tests.
    pub level: f64,
    /// Covariances of the rates of one gold grade.
    pub covariances: Vec<RateCovariance>,
    /// Tests of factors, if there are any.
    #[serde(flatten)]
    pub tested: Option<TestedFactors>,
    /// What a reader should know.
    #[serde(skip)]
    pub notes: Vec<CalibrateNote>,
}

/// How often bronze gives a grade when gold gives a grade.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ErrorRate {
    /// Gold's grade.
    pub gold: f64,
    /// Bronze's grade.
    pub bronze: f64,
    /// Pairs with both.
    pub count: u64,
    /// Pairs with this gold grade.
    pub of: u64,
    /// Their share.
    pub rate: f64,
    /// Its interval.
    pub interval: (f64, f64),
    /// Method of the interval.
    pub method: &'static str,
}

/// Covariance of two rates of one gold grade.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct RateCovariance {
    /// Gold's grade.
    pub gold: f64,
    /// Bronze's grade of one rate.
    pub bronze_a: f64,
    /// Bronze's grade of the other.
    pub bronze_b: f64,
    /// The covariance.
    pub covariance: f64,
}

/// How pairs were chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Sampling {
    /// At random from what bronze judged.
    Random,
    /// By the gold label.
    Gold,
    /// By the bronze label: rates are biased.
    Bronze,
}

impl Sampling {
    /// Its name in options and output.
    pub fn name(self) -> &'static str {
        match self {
            Sampling::Random => "random",
            Sampling::Gold => "gold",
            Sampling::Bronze => "bronze",
        }
    }

    /// The one of this name.
    pub fn from_name(name: &str) -> Option<Sampling> {
        [Sampling::Random, Sampling::Gold, Sampling::Bronze].into_iter().find(|sampling| sampling.name() == name)
    }
}

/// Whether the error rate depends on something.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct TestedFactors {
    /// One test per factor.
    pub tests: Vec<FactorTest>,
    /// Agreement by value of each factor.
    pub factors: Vec<FactorValue>,
}

/// A test whether the error rate depends on a factor.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct FactorTest {
    /// The factor.
    pub factor: String,
    /// Chi-squared; null if the factor could not be tested.
    pub statistic: Option<f64>,
    /// Degrees of freedom.
    pub df: Option<f64>,
    /// p-value.
    pub p: Option<f64>,
    /// p-value adjusted for the number of factors (Holm).
    pub p_adjusted: Option<f64>,
    /// The test.
    pub method: Option<&'static str>,
}

/// Agreement at one value of a factor.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct FactorValue {
    /// The factor.
    pub factor: String,
    /// Its value.
    pub value: String,
    /// Pairs with the same grade.
    pub agreed: u64,
    /// All pairs.
    pub pairs: u64,
    /// Share that agrees.
    pub rate: Option<f64>,
}

/// What a reader should know about error rates.
#[derive(Debug, Clone, PartialEq)]
pub enum CalibrateNote {
    /// About the rates themselves.
    Rates(RateWarning),
    /// How the pairs were chosen.
    Sampling(Option<Sampling>),
    /// All pairs of some gold grade come from one topic.
    OneTopic,
    /// Errors within a topic are similar: gold grade, design effect and topics.
    DesignEffects(Vec<(f64, f64, u64)>),
    /// The error rate depends on this factor, by this p-value.
    DependsOn(String, f64),
    /// No evidence that the error rate depends on this factor.
    NoEvidence(String, f64),
    /// Factors that could not be tested, and why.
    NotTested(Vec<String>, String),
}

/// What a reader of scores corrected by a calibration file should know.
#[derive(Debug, Clone, PartialEq)]
pub enum CalibrationCaution {
    /// The pairs were chosen by the bronze label.
    ChosenByBronze,
    /// The error rate depended on these factors.
    DependedOn(Vec<String>),
}

/// The cautions that go with the rates of a calibration file.
pub fn cautions(sampling: Option<Sampling>, depends_on: Vec<String>) -> Vec<CalibrationCaution> {
    let chosen = (sampling == Some(Sampling::Bronze)).then_some(CalibrationCaution::ChosenByBronze);
    let depended = (!depends_on.is_empty()).then_some(CalibrationCaution::DependedOn(depends_on));
    chosen.into_iter().chain(depended).collect()
}
