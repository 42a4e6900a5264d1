//! The answer of `karat reproduce` as programs read it: claims, figures, and what the experiments gave.

use schemars::JsonSchema;
use serde::Serialize;

use crate::Claim;

/// Everything `karat reproduce` found.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct ReproduceAnswer {
    /// One row per paper.
    pub papers: Vec<PaperSummary>,
    /// Every claim of every paper.
    pub claims: Vec<PaperClaim>,
    /// The figures drawn.
    pub figures: Vec<FigureEntry>,
    /// What the experiments gave.
    #[serde(flatten)]
    pub experiments: Experiments,
}

/// How many claims of a paper hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PaperSummary {
    /// The paper's name on the command line.
    pub paper: &'static str,
    /// All its claims.
    pub claims: usize,
    /// Those that hold.
    pub hold: usize,
    /// Those that do not.
    pub do_not_hold: usize,
    /// Those that cannot be checked.
    pub unchecked: usize,
}

/// A claim and the paper it is from.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct PaperClaim {
    /// The paper's name on the command line.
    pub paper: &'static str,
    /// The claim.
    #[serde(flatten)]
    pub claim: Claim,
}

/// A figure, in words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FigureEntry {
    /// The paper's name on the command line.
    pub paper: &'static str,
    /// The figure's name; with `-o` its file is called so.
    pub figure: &'static str,
    /// Its title.
    pub title: String,
    /// What it shows.
    pub reading: String,
}

/// What the experiments of the papers gave. An array is missing where its experiment was not run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct Experiments {
    /// rbp-uncertainty, section 3.2: Mean RBP uncertainty over 50 queries.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grid: Option<Vec<GridRow>>,
    /// rbp-uncertainty, section 3.2: lines fitted to the grid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub linear_fit: Option<Vec<LinearFit>>,
    /// rbp-uncertainty: judgements hidden below rank 10, and what each relevance model expects of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hidden: Option<Vec<HiddenJudgements>>,
    /// ranked-evaluation, section 4.13: variance of AP over topics and over systems.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ap_variance: Option<Vec<ApVariance>>,
    /// ranked-evaluation, section 5.8: the systems under other judges, next to gold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub judges_order: Option<Vec<JudgeOrder>>,
    /// rbp-parameter-sensitivity, section 7: how often printed means decide which run is better.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub separable: Option<Vec<SeparablePairs>>,
    /// noisy-judgements, table 2: corrected scores outside 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trec_runs: Option<Vec<TrecRun>>,
    /// noisy-judgements, section 8: scores by bronze judges, uncorrected and corrected, next to gold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bronze_gold: Option<Vec<BronzeGold>>,
    /// inferred-ap: estimates from a share of the judgements, compared with MAP from all of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rates: Option<Vec<SamplingRate>>,
}

impl Experiments {
    /// Adds the experiments of another paper.
    pub fn add(&mut self, other: Experiments) {
        fn fill<T>(own: &mut Option<T>, other: Option<T>) {
            if other.is_some() {
                *own = other;
            }
        }
        let Experiments {
            grid,
            linear_fit,
            hidden,
            ap_variance,
            judges_order,
            separable,
            trec_runs,
            bronze_gold,
            rates,
        } = other;
        fill(&mut self.grid, grid);
        fill(&mut self.linear_fit, linear_fit);
        fill(&mut self.hidden, hidden);
        fill(&mut self.ap_variance, ap_variance);
        fill(&mut self.judges_order, judges_order);
        fill(&mut self.separable, separable);
        fill(&mut self.trec_runs, trec_runs);
        fill(&mut self.bronze_gold, bronze_gold);
        fill(&mut self.rates, rates);
    }
}

/// Mean RBP uncertainty over 50 queries, for one q and w.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct GridRow {
    /// Expected share of relevant documents.
    pub q: f64,
    /// Relevance ratio: the smaller, the better the ranking.
    pub w: f64,
    /// Simulated mean.
    pub mean: f64,
    /// Exact mean.
    pub mean_exact: f64,
    /// Simulated standard deviation.
    pub std_dev: f64,
    /// Exact standard deviation.
    pub std_dev_exact: f64,
}

/// A line in w fitted to one moment at one q.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct LinearFit {
    /// The moment: "mean" or "standard deviation".
    pub of: &'static str,
    /// Expected share of relevant documents.
    pub q: f64,
    /// The moment at w = 1.
    pub at_w_1: Option<f64>,
    /// The moment at the smallest w.
    pub at_least_w: Option<f64>,
    /// Slope of the line.
    pub slope: f64,
    /// R squared of the line.
    pub r_squared: f64,
    /// Largest distance of a point from the line, as a share of the mean over w.
    pub worst: f64,
}

/// How well a relevance model, fitted to the first ten ranks, predicts what is below.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct HiddenJudgements {
    /// The relevance model.
    pub model: &'static str,
    /// Runs it could be fitted to.
    pub runs: usize,
    /// Mean RBP(p=0.8) of the hidden judgements; null where the model fits no run.
    #[schemars(with = "Option<f64>")]
    pub actual: f64,
    /// What the model expects of them; null where the model fits no run.
    #[schemars(with = "Option<f64>")]
    pub expected: f64,
    /// Expected less actual; null where the model fits no run.
    #[schemars(with = "Option<f64>")]
    pub error: f64,
    /// Root mean square error over runs; null where the model fits no run.
    #[schemars(with = "Option<f64>")]
    pub rms: f64,
    /// The largest possible value.
    pub bound: f64,
    /// Share of runs whose 95% interval covers the actual value; null where the model fits no run.
    #[schemars(with = "Option<f64>")]
    pub held: f64,
}

/// A mean variance of AP.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ApVariance {
    /// Of what.
    pub of: &'static str,
    /// Mean of the variances.
    pub mean_variance: f64,
}

/// The systems under one judge, a mixture of judges, or gold on other topics, compared with gold.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct JudgeOrder {
    /// Who judged.
    pub judge: String,
    /// Topics compared.
    pub topics: Option<usize>,
    /// Labels given.
    pub labels: Option<usize>,
    /// Share of them that differ from gold.
    pub disagree: Option<f64>,
    /// Root mean square change of MAP over systems.
    pub change: Option<f64>,
    /// Kendall's tau with the order under gold.
    pub tau: Option<f64>,
    /// What 95% of the draws lie between.
    pub tau_range: Option<(f64, f64)>,
    /// tau_AP with the order under gold.
    pub tau_ap: Option<f64>,
    /// 95% of the taus of unrelated orders are within this of 0.
    pub chance: f64,
    /// The best two systems under gold.
    pub best_two_gold: Option<String>,
    /// The best two systems here.
    pub best_two: Option<String>,
    /// Share of pairs of systems in another order.
    pub exchanged: Option<f64>,
    /// The same of pairs that are significantly different under gold.
    pub exchanged_decided: Option<f64>,
}

/// How often two means, printed with different p, decide which run is better.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SeparablePairs {
    /// The lower p.
    pub p_low: f64,
    /// The higher p.
    pub p_high: f64,
    /// Digits printed.
    pub digits: u8,
    /// Pairs of runs.
    pub pairs: u64,
    /// Share of them decided.
    pub decided: f64,
    /// Pairs decided.
    #[serde(skip)]
    pub decided_pairs: u64,
    /// Pairs decided wrongly.
    pub wrong: u64,
}

/// A TREC run of table 2.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct TrecRun {
    /// The run.
    pub run: &'static str,
    /// P@20 under the bronze judges.
    pub naive: f64,
    /// m_R + m_N - 1.
    pub d: f64,
    /// The corrected score.
    pub corrected: f64,
    /// Variance of one query's score, divided by D squared.
    pub topics_variance: f64,
}

/// Scores under bronze judges, uncorrected and corrected, compared with gold; over random halves of the labels.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct BronzeGold {
    /// Which labels the error rates come from.
    pub calibrated_on: &'static str,
    /// The measure.
    pub measure: &'static str,
    /// Grades of the scale.
    pub grades: usize,
    /// Random halves.
    pub splits: usize,
    /// Systems.
    pub runs: usize,
    /// Mean absolute error over systems, uncorrected.
    pub naive_error: Option<f64>,
    /// What 95% of the splits lie between.
    pub naive_range: Option<(f64, f64)>,
    /// Mean absolute error over systems, corrected.
    pub corrected_error: Option<f64>,
    /// What 95% of the splits lie between.
    pub corrected_range: Option<(f64, f64)>,
    /// Mean error, uncorrected.
    pub naive_bias: Option<f64>,
    /// Mean error, corrected.
    pub corrected_bias: Option<f64>,
    /// Share of scores that the correction brings nearer to gold.
    pub nearer: Option<f64>,
    /// How well bronze tells grades apart.
    pub d: Option<f64>,
    /// Condition number of the error rates.
    pub condition: Option<f64>,
    /// Share of splits with a warning about the error rates.
    pub warned: Option<f64>,
    /// Share of splits in which error rates depend on the topic.
    pub depends_on_topic: Option<f64>,
    /// Share of splits in which error rates depend on the rank.
    pub depends_on_rank: Option<f64>,
    /// Share of scores for which karat warns that correcting does harm.
    pub harm: Option<f64>,
}

/// An estimate from a share of the judgements, compared with MAP from all of them.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SamplingRate {
    /// Per cent of the pool judged.
    pub rate: u32,
    /// The estimate.
    pub estimate: &'static str,
    /// Samples drawn.
    pub samples: usize,
    /// Mean Kendall's tau with MAP; null where it is not defined.
    #[schemars(with = "Option<f64>")]
    pub tau: f64,
    /// Its 95% interval.
    pub tau_interval: Option<(f64, f64)>,
    /// Mean linear correlation with MAP; null where it is not defined.
    #[schemars(with = "Option<f64>")]
    pub correlation: f64,
    /// Its 95% interval.
    pub correlation_interval: Option<(f64, f64)>,
    /// Mean root mean square error; null where it is not defined.
    #[schemars(with = "Option<f64>")]
    pub rms: f64,
    /// Its 95% interval.
    pub rms_interval: Option<(f64, f64)>,
}
