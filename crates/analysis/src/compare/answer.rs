//! The answer of `karat compare` as programs read it.

use karat_data::names::text;
use karat_measures::BoundsKind;
use karat_stats::test::Posterior;
use schemars::JsonSchema;
use serde::Serialize;

use super::margin::NotWorse;
use super::sampled::SampledComparison;
use super::tipping::Tipping;
use super::tipping::rates::Rate;
use super::verdict::{Assumption, Basis, Side};
use super::{CompareOptions, Compared, Comparison, MarginOutcome, Tested};
use crate::scores::Setting;
use crate::summary::{VarianceSources, serialize_bounds_kind};

/// Every comparison, and what was found beyond them.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Comparisons {
    /// One row per measure and pair of runs.
    pub comparisons: Vec<ComparisonRow>,
    /// Where each run stands, best first; with three runs or more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub systems: Option<Vec<SystemRow>>,
    /// How much of the variance of scores is between runs, between topics, and neither.
    pub decomposition: Vec<DecompositionRow>,
    /// One row per measure, pair and topic; with `-q`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by_query: Option<Vec<QueryRow>>,
    /// Whether measures, or other judgements, order the runs alike.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub orders: Option<Vec<OrderRow>>,
    /// How hard each topic is for the runs together; with `-q`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub topics: Option<Vec<DifficultyRow>>,
    /// The comparison with other settings; with `--sensitivity`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sensitivity: Option<Vec<SensitivityRow>>,
}

/// One measure of one pair of runs.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ComparisonRow {
    /// The measure.
    pub measure: String,
    /// The first run.
    pub a: String,
    /// The second run.
    pub b: String,
    /// Topics that both have a score for.
    pub topics: usize,
    /// Mean of the first run over these topics, expected and corrected where the difference is.
    pub value_a: f64,
    /// Mean of the second run over these topics, expected and corrected where the difference is.
    pub value_b: f64,
    /// Mean difference, `a - b`.
    pub difference: f64,
    /// Least difference over all judgements of the unjudged documents.
    pub low: Option<f64>,
    /// Greatest difference over all judgements of the unjudged documents.
    pub high: Option<f64>,
    /// Confidence interval with all sources of error.
    pub interval: Option<(f64, f64)>,
    /// Confidence level.
    pub level: f64,
    /// How the interval was made.
    pub method: Option<&'static str>,
    /// Standard error with all sources.
    pub std_error: Option<f64>,
    /// Variances by source, those that apply.
    pub sources: VarianceSources,
    /// Mean difference under the relevance model of unjudged documents.
    pub expected_difference: Option<f64>,
    /// Confidence interval over topics alone.
    pub interval_topics: Option<(f64, f64)>,
    /// Mean difference over the standard deviation of the differences.
    pub effect_size: Option<f64>,
    /// Topics on which `a` scores higher.
    pub wins: u64,
    /// Topics with equal scores.
    pub ties: u64,
    /// Topics on which `b` scores higher.
    pub losses: u64,
    /// What each test found.
    pub tests: Vec<TestRow>,
    /// The better run: `a`, `b` or `undecided`.
    pub verdict: &'static str,
    /// Whether the verdict holds however the unjudged documents are judged: interval and test decide with every topic at its worst case.
    pub certain: bool,
    /// What the verdict rests on: `certain`, `sampled` or `assumed`; null where it is undecided.
    pub basis: Option<&'static str>,
    /// What an assumed verdict assumes: `unjudged_not_relevant` or `sparse_judgements`.
    pub assumption: Option<&'static str>,
    /// What unjudged documents could change.
    #[serde(flatten)]
    pub unjudged: UnjudgedRow,
    /// What holds within a margin.
    #[serde(flatten)]
    pub within: MarginRow,
    /// What a sample of the unjudged documents says, or would need.
    #[serde(flatten)]
    pub settling: SettlingRow,
    /// The reason, in words.
    pub because: String,
    /// What blocks a decision: `queries`, `unjudged`, `judges`, `bounds`.
    pub blocked_by: Vec<&'static str>,
    /// The smallest difference that these topics detect with the power set.
    pub detectable_difference: Option<f64>,
    /// Topics needed to detect the observed difference with that power.
    pub topics_needed: Option<u64>,
}

/// What unjudged documents could change.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct UnjudgedRow {
    /// The smallest share of relevant documents, among unjudged ones that the other run ranks higher, at which the conclusion fails; with a margin,
    /// the conclusion that the candidate is not worse. Documents count by their weight in the measure. Null where no share does, and where topics do not
    /// decide.
    pub tipping_point: Option<f64>,
    /// Whether the verdict assumes that the unjudged documents of both runs, which were both pooled, are relevant equally often; null without a verdict.
    pub assumes_equal_rates: Option<bool>,
    /// How often judged documents are relevant at the ranks of those unjudged ones, weighted as those.
    pub judged_rate: Option<RatesRow>,
    /// Upper 95% limits of these rates; 1 with fewer than five documents.
    pub judged_rate_upper: Option<RatesRow>,
    /// Whether these rates are of documents that one pooled run alone brought into the pool, all pooled runs together; else they are of the run's own
    /// judged documents.
    pub judged_rate_unique: Option<bool>,
    /// Interval of the mean difference that full judgements of many such topics would show: the ends allow for every judgement of the unjudged documents.
    /// Null where differences have no spread, and for measures for which relevant documents that no run retrieved may take a difference further than
    /// any bound.
    pub interval_all: Option<(f64, f64)>,
    /// Whether `low` and `high` hold whatever is judged (`complete`), or assume that every relevant document was retrieved or pooled (`retrieved`).
    #[serde(serialize_with = "serialize_bounds_kind")]
    #[schemars(with = "Option<String>")]
    pub bounds_kind: Option<BoundsKind>,
}

/// What holds within a margin.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct MarginRow {
    /// The margin given.
    pub margin: Option<f64>,
    /// Whether the run that is not the baseline is shown to be worse by no more than the margin; with a margin.
    pub not_worse: Option<bool>,
    /// Whether the difference is shown to be within the margin; with a margin.
    pub equivalent: Option<bool>,
    /// The limit, the p and the warning behind both, by run; with a margin.
    pub margin_evidence: Option<MarginEvidenceRow>,
}

impl UnjudgedRow {
    fn new(comparison: &Comparison) -> UnjudgedRow {
        let tipping = comparison.shown_tipping();
        UnjudgedRow {
            tipping_point: tipping.and_then(|found| found.point),
            assumes_equal_rates: tipping
                .zip(comparison.verdict.winner)
                .map(|(found, (winner, _))| found.needs_equal_rates(winner)),
            judged_rate_unique: tipping.map(|found| found.a.unique || found.b.unique),
            judged_rate: tipping.map(|found| RatesRow::of(found, |rate| rate.rate)),
            judged_rate_upper: tipping.map(|found| RatesRow::of(found, |rate| Some(rate.upper))),
            interval_all: comparison.interval_all,
            bounds_kind: comparison.difference.bounds.map(|_| comparison.bounds_kind),
        }
    }
}

impl MarginRow {
    fn new(margin: Option<&MarginOutcome>) -> MarginRow {
        MarginRow {
            margin: margin.map(|found| found.margin),
            not_worse: margin.map(|found| found.not_worse.basis.is_some()),
            equivalent: margin.map(MarginOutcome::equivalent),
            margin_evidence: margin.map(MarginEvidenceRow::new),
        }
    }
}

/// What speaks for each run's not being worse by more than the margin.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
pub struct MarginEvidenceRow {
    /// For the first run.
    pub a: NotWorseRow,
    /// For the second run.
    pub b: NotWorseRow,
}

impl MarginEvidenceRow {
    fn new(found: &MarginOutcome) -> MarginEvidenceRow {
        let (candidate, other) = (NotWorseRow::new(&found.not_worse), NotWorseRow::new(&found.other_not_worse));
        match found.candidate {
            Side::A => MarginEvidenceRow { a: candidate, b: other },
            Side::B => MarginEvidenceRow { a: other, b: candidate },
        }
    }
}

/// What speaks for one run's not being worse by more than the margin. Leads are positive where this run is ahead.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
pub struct NotWorseRow {
    /// Whether it is shown.
    pub not_worse: bool,
    /// The lower limit of the run's mean lead, one-sided at the confidence level; null with too few topics.
    pub limit: Option<f64>,
    /// The p-value of the one-sided randomisation test that the lead is above minus the margin; null where there is none.
    pub p: Option<f64>,
    /// The share of topics, unlike all that were seen, that a sample of so many misses with a probability of 5%.
    pub missed_share: f64,
    /// The run's mean lead if so many topics had the largest possible loss, and the others the lead seen; null where losses have no limit.
    pub lead_with_missed: Option<f64>,
    /// Whether that exceeds the margin: with fewer than 25 topics nothing is shown then, with more it is shown with this warning.
    pub warning: bool,
}

impl NotWorseRow {
    fn new(found: &NotWorse) -> NotWorseRow {
        NotWorseRow {
            not_worse: found.basis.is_some(),
            limit: found.limit,
            p: found.p,
            missed_share: found.unseen.share,
            lead_with_missed: Some(found.unseen.lead).filter(|lead| lead.is_finite()),
            warning: found.warned,
        }
    }
}

/// What a sample of the unjudged documents says, or would need.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
pub struct SettlingRow {
    /// Sampled judgements that `karat settle` would plan for, of a pair that is undecided while documents are unjudged; null where no number is enough, or
    /// more than 20 comparisons are made.
    pub to_settle: Option<usize>,
    /// The judged sample that difference, interval and verdict rest on; null without one.
    pub sampled: Option<SampledRow>,
}

impl SettlingRow {
    fn new(comparison: &Comparison) -> SettlingRow {
        let sampled = comparison.sampled.as_ref().map(SampledRow::new);
        SettlingRow { to_settle: comparison.to_settle.map(|found| found.judgements), sampled }
    }
}

/// A judged sample of the unjudged documents.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
pub struct SampledRow {
    /// Documents that were drawn.
    pub drawn: usize,
    /// Those with a label.
    pub judged: usize,
    /// Seed of the draws.
    pub seed: u64,
    /// The p-value of the difference, over topics and the sample.
    pub p: Option<f64>,
    /// The same adjusted for the number of pairs.
    pub p_adjusted: Option<f64>,
    /// What it must be below at this look.
    pub alpha: f64,
    /// The number of this look, where several are planned or allowed.
    pub look: Option<u32>,
}

impl SampledRow {
    fn new(sampled: &SampledComparison) -> SampledRow {
        let SampledComparison { facts, found, p_adjusted } = sampled;
        SampledRow {
            drawn: facts.drawn,
            judged: facts.judged,
            seed: facts.seed,
            p: found.p,
            p_adjusted: *p_adjusted,
            alpha: facts.alpha,
            look: facts.look.map(|(look, _)| look),
        }
    }
}

/// A rate by run.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
pub struct RatesRow {
    /// Of the first run.
    pub a: Option<f64>,
    /// Of the second run.
    pub b: Option<f64>,
    /// Of the run with the highest rate.
    pub best: Option<f64>,
}

impl RatesRow {
    fn of(found: &Tipping, of: impl Fn(&Rate) -> Option<f64>) -> RatesRow {
        RatesRow { a: of(&found.a), b: of(&found.b), best: of(&found.best) }
    }
}

/// Variances by source of a comparison.
fn variance_sources(comparison: &Comparison) -> VarianceSources {
    let difference = &comparison.difference;
    if let Some(SampledComparison { found, .. }) = &comparison.sampled {
        let (topics, sample) = (Some(found.topics), Some(found.sampling));
        return VarianceSources { topics, judgement_sampling: sample, ..VarianceSources::default() };
    }
    let topics = difference.over_topics();
    VarianceSources {
        topics,
        unjudged: difference.unjudged.map(|unjudged| unjudged.beside(topics.unwrap_or(0.0))),
        judges: difference.judges,
        monte_carlo: difference.unjudged.and_then(|unjudged| unjudged.monte_carlo),
        ..VarianceSources::default()
    }
}

/// The standard error of all sources together; `None` without that of topics.
fn std_error(sources: &VarianceSources) -> Option<f64> {
    sources.topics?;
    let all = [sources.topics, sources.unjudged, sources.judges, sources.judgement_sampling, sources.monte_carlo];
    Some(all.into_iter().flatten().sum::<f64>().sqrt())
}

/// One test.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct TestRow {
    /// The test.
    pub test: &'static str,
    /// Its statistic.
    pub statistic: Option<f64>,
    /// Its p-value.
    pub p: Option<f64>,
    /// The p-value adjusted for the number of pairs.
    pub p_adjusted: Option<f64>,
    /// The smallest p-value possible on these topics.
    pub smallest_p: Option<f64>,
    /// How it was calculated.
    pub calculation: Option<&'static str>,
    /// Of the Bayesian test: the region of practical equivalence.
    #[serde(flatten)]
    pub posterior: Option<PosteriorRow>,
    /// Why there is no result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// Probabilities that the true difference is above, within or below the region of practical equivalence.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
pub struct PosteriorRow {
    /// Half the width of the region.
    pub rope: f64,
    /// Above it.
    pub above_rope: f64,
    /// Within it.
    pub within_rope: f64,
    /// Below it.
    pub below_rope: f64,
}

impl TestRow {
    fn new((test, found): &Tested) -> TestRow {
        let evidence = found.as_ref().ok();
        let posterior = evidence.and_then(|(found, _)| found.posterior);
        TestRow {
            test: test.name,
            statistic: evidence.map(|(found, _)| found.statistic),
            p: evidence.map(|(found, _)| found.p),
            p_adjusted: evidence.map(|(_, adjusted)| *adjusted),
            smallest_p: evidence.and_then(|(found, _)| found.smallest_p),
            calculation: evidence.map(|(found, _)| found.calculation.name()),
            posterior: posterior.map(|Posterior { rope, above, within, below, .. }| PosteriorRow {
                rope,
                above_rope: above,
                within_rope: within,
                below_rope: below,
            }),
            reason: found.as_ref().err().map(ToString::to_string),
        }
    }
}

/// Where a run stands by a measure.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct SystemRow {
    /// The measure.
    pub measure: String,
    /// The run.
    pub run: String,
    /// Its mean.
    pub value: f64,
    /// Its rank, 1 for the best.
    pub rank: Option<f64>,
    /// Best and worst rank that it may have, unjudged documents treated as not relevant. The intervals of all runs hold together.
    pub rank_interval: Option<(f64, f64)>,
    /// The same whatever the unjudged documents are, within the bounds; where all pairs were compared and have bounds.
    pub rank_interval_all: Option<(f64, f64)>,
    /// Its groups, where all pairs were compared.
    #[serde(flatten)]
    pub grouping: Option<Grouping>,
}

/// The groups of a run.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Grouping {
    /// Letters: no verdict separates runs that share one.
    pub groups: Option<String>,
}

/// One source of the variance of scores.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct DecompositionRow {
    /// The measure.
    pub measure: String,
    /// The source.
    pub source: VarianceSource,
    /// Sum of squares.
    pub sum_of_squares: f64,
    /// Degrees of freedom.
    pub df: f64,
    /// Share of the total sum of squares.
    pub share: f64,
    /// Variance component.
    pub variance: f64,
    /// F statistic.
    pub f: Option<f64>,
    /// Its p-value.
    pub p: Option<f64>,
}

/// Where scores differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub enum VarianceSource {
    /// Between runs.
    #[serde(rename = "runs")]
    Runs,
    /// Between topics.
    #[serde(rename = "topics")]
    Topics,
    /// Neither.
    #[serde(rename = "runs x topics, with error")]
    Rest,
}

/// One topic of a comparison.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct QueryRow {
    /// The measure.
    pub measure: String,
    /// The first run.
    pub a: String,
    /// The second run.
    pub b: String,
    /// The topic.
    pub topic: String,
    /// The difference, `a - b`.
    pub difference: f64,
    /// Least difference over all judgements of the unjudged documents.
    pub low: Option<f64>,
    /// Greatest difference over all judgements of the unjudged documents.
    pub high: Option<f64>,
}

/// Two orders of the runs.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct OrderRow {
    /// The measure of the first order.
    pub measure_a: String,
    /// The measure of the second order.
    pub measure_b: String,
    /// The judgements of the second order.
    pub judgements_b: String,
    /// Topics that both orders rest on.
    pub topics: usize,
    /// Kendall's tau_a.
    pub tau_a: Option<f64>,
    /// Kendall's tau_b.
    pub tau_b: Option<f64>,
    /// Confidence interval of tau_b over topics.
    pub tau_b_interval: Option<(f64, f64)>,
    /// tau_AP, with the second order as the truth.
    pub tau_ap: Option<f64>,
    /// Spearman's correlation.
    pub spearman: Option<f64>,
    /// Pearson's correlation.
    pub pearson: Option<f64>,
    /// Root mean square difference of the means.
    pub rms: Option<f64>,
    /// Rank-biased overlap.
    pub rbo: f64,
}

/// How hard a topic is.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct DifficultyRow {
    /// The measure.
    pub measure: String,
    /// The topic.
    pub topic: String,
    /// Mean over the runs.
    pub mean: f64,
    /// Standard deviation over the runs.
    pub sd: Option<f64>,
    /// The run with the best score.
    pub best_run: String,
    /// That score.
    pub best: f64,
}

/// A comparison with another setting.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct SensitivityRow {
    /// The measure as given.
    pub measure: String,
    /// The first run.
    pub a: String,
    /// The second run.
    pub b: String,
    /// What is changed.
    pub choice: Choice,
    /// To what.
    pub setting: String,
    /// Mean difference, `a - b`.
    pub difference: f64,
    /// The adjusted p of the randomisation test.
    pub p: Option<f64>,
    /// The better run, or `undecided`.
    pub winner: String,
    /// Whether the verdict is the one with the settings as given.
    pub same: bool,
}

/// What a sensitivity analysis changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub enum Choice {
    /// Nothing.
    #[serde(rename = "as given")]
    AsGiven,
    /// The persistence of RBP.
    #[serde(rename = "p")]
    Persistence,
    /// The cut-off.
    #[serde(rename = "cut-off")]
    Cutoff,
    /// The gains.
    #[serde(rename = "gains")]
    Gains,
    /// The least relevant grade.
    #[serde(rename = "relevance threshold")]
    Threshold,
    /// The order of tied documents.
    #[serde(rename = "ties")]
    Ties,
    /// Topics that a run lacks.
    #[serde(rename = "missing topics")]
    MissingTopics,
}

impl Comparisons {
    /// The answer, with the verdict in words from `because`.
    pub fn new(
        setting: &Setting<'_>,
        options: &CompareOptions<'_>,
        compared: &Compared,
        because: impl Fn(&Comparison) -> String,
    ) -> Comparisons {
        let named = |comparison: &Comparison| Named {
            measure: setting.measures[comparison.measure].spec().to_string(),
            a: compared.names[comparison.pair.0].clone(),
            b: compared.names[comparison.pair.1].clone(),
        };
        let row =
            |comparison| comparison_row(options.inference.level, comparison, named(comparison), because(comparison));
        let by_query = || compared.comparisons.iter().flat_map(|one| query_rows(setting, one, named(one))).collect();
        Comparisons {
            comparisons: compared.comparisons.iter().map(row).collect(),
            systems: compared.systems.clone(),
            decomposition: compared.decomposition.clone(),
            by_query: options.by_query.then(by_query),
            orders: compared.orders.clone(),
            topics: compared.difficulty.clone(),
            sensitivity: compared.sensitivity.clone(),
        }
    }
}

/// What a comparison is of.
#[derive(Clone)]
struct Named {
    measure: String,
    a: String,
    b: String,
}

fn comparison_row(level: f64, comparison: &Comparison, named: Named, because: String) -> ComparisonRow {
    let Named { measure, a, b } = named;
    let difference = &comparison.difference;
    let sources = variance_sources(comparison);
    let (wins, ties, losses) = comparison.wins();
    ComparisonRow {
        measure,
        a,
        b,
        topics: difference.topics.len(),
        value_a: difference.means.0,
        value_b: difference.means.1,
        difference: difference.observed,
        low: difference.bounds.map(|bounds| bounds.0),
        high: difference.bounds.map(|bounds| bounds.1),
        interval: comparison.interval.map(|found| (found.low, found.high)),
        level,
        method: comparison.interval.map(|found| found.method.name()),
        std_error: std_error(&sources),
        sources,
        expected_difference: difference.unjudged.map(|_| difference.expected),
        interval_topics: comparison.interval_topics.map(|found| (found.low, found.high)),
        effect_size: comparison.effect_size,
        wins,
        ties,
        losses,
        tests: comparison.tests.iter().map(TestRow::new).collect(),
        verdict: comparison.verdict.name(),
        certain: comparison.verdict.is_certain(),
        basis: comparison.verdict.basis().map(Basis::name),
        assumption: comparison.verdict.assumption().map(Assumption::name),
        unjudged: UnjudgedRow::new(comparison),
        within: MarginRow::new(comparison.margin.as_ref()),
        settling: SettlingRow::new(comparison),
        because,
        blocked_by: comparison.verdict.blocked.iter().map(|block| block.name()).collect(),
        detectable_difference: comparison.detectable,
        topics_needed: comparison.topics_needed,
    }
}

fn query_rows(setting: &Setting<'_>, comparison: &Comparison, named: Named) -> Vec<QueryRow> {
    let row = |topic: &super::difference::TopicDifference| {
        let Named { measure, a, b } = named.clone();
        QueryRow {
            measure,
            a,
            b,
            topic: text(setting.qrels.name(topic.topic)),
            difference: topic.observed,
            low: topic.bounds.map(|bounds| bounds.0),
            high: topic.bounds.map(|bounds| bounds.1),
        }
    };
    comparison.difference.topics.iter().map(row).collect()
}
