//! The typed answer of `plan topics`.

use schemars::JsonSchema;
use serde::Serialize;

/// How many topics are needed, or what they can show.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct PlanTopicsAnswer {
    /// One for each measure, or for each run and measure where the goal is about scores.
    pub plans: Vec<TopicPlan>,
    /// One for each pair of pilot runs, where there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pairs: Option<Vec<TopicPlan>>,
    /// What to know about the plan.
    #[serde(skip)]
    pub notes: Vec<PlanNote>,
}

/// One plan.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct TopicPlan {
    /// The measure; "as given" for a given standard deviation.
    pub measure: String,
    /// The pilot run whose scores these are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
    /// The first run of the pair.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub a: Option<String>,
    /// The second run of the pair.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub b: Option<String>,
    /// Standard deviation over topics of the differences, or of the scores.
    pub sd: f64,
    /// Its confidence interval; null where it is treated as known.
    pub sd_interval: Option<(f64, f64)>,
    /// Topics needed, or given; null where more would be needed than can be planned.
    pub topics: Option<u64>,
    /// Topics needed at the ends of `sd_interval`; an end is null where too many would be needed.
    pub topics_interval: Option<(f64, f64)>,
    /// The difference that is found with the power of the plan.
    pub difference: Option<f64>,
    /// The same at the ends of `sd_interval`.
    pub difference_interval: Option<(f64, f64)>,
    /// Expected half width of the confidence interval.
    pub half_width: Option<f64>,
    /// The same at the ends of `sd_interval`.
    pub half_width_interval: Option<(f64, f64)>,
    /// Power of the test; null for scores.
    pub power: Option<f64>,
    /// Confidence level of all comparisons together.
    pub level: f64,
    /// Confidence level of each comparison.
    pub level_per_pair: f64,
}

/// What to know about a plan.
#[derive(Debug, Clone, PartialEq)]
pub enum PlanNote {
    /// More topics would be needed than can be planned.
    TooManyTopics {
        /// The measure.
        measure: String,
        /// Topics that can be planned.
        most: u64,
    },
    /// The differences of one pair vary more than average.
    WidestPair {
        /// The measure.
        measure: String,
        /// The two runs.
        pair: Vec<String>,
        /// Standard deviation of their differences.
        sd: f64,
        /// Topics that this pair and the average pair need; none where that is too many.
        topics: Option<(u64, u64)>,
    },
    /// The level of each comparison.
    Level {
        /// The least error rate allowed to a comparison, over measures.
        least: f64,
        /// The largest.
        most: f64,
        /// Whether it is that of the pilot runs.
        of_pilot: bool,
    },
    /// The test that the power is for.
    Power,
    /// Half widths are expected values.
    ExpectedHalfWidths,
    /// Randomisation and sign tests cannot reach significance on so few topics.
    TooFewForExactTests {
        /// The error rate allowed to each comparison.
        alpha: f64,
        /// Topics they need.
        least: u32,
    },
    /// The standard deviation was estimated.
    EstimatedSd,
    /// The standard deviation was given without the topics it was estimated from.
    GivenSd,
}
