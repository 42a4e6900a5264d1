//! `plan topics`: how many topics a difference or an interval needs, and what a given number of topics can show.
//!
//! The one decision: a plan is only as sure as the standard deviation it is made from. That of a pilot has its own interval (chi-square),
//! and so has every number of topics. Several pilot runs give one standard deviation of differences: √(2 × the mean square of runs by
//! topics), the average over pairs; each pair's own is reported too, because pairs can differ.

mod answer;
mod pilot;
mod spread;

use karat_data::{Problems, RunFacts, RunSource};
use karat_stats::dist::OutOfRange;
use karat_stats::planning::{bonferroni_level, tukey_level};
use karat_stats::power;
use karat_stats::two_way::NotTwoWay;

use crate::scores::{ScoreError, Setting};
use crate::values::GIVEN;
pub use answer::{PlanNote, PlanTopicsAnswer, TopicPlan};
use spread::Spread;

/// The goal of the plan.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Goal {
    /// A true difference of this size is found with the power of the options.
    Difference(f64),
    /// The interval has at most this half width.
    HalfWidth(f64),
    /// What this number of topics can show.
    Topics(u64),
}

/// What the planned interval or test is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// The difference of two systems on the same topics.
    Difference,
    /// One system's mean score.
    Score,
}

/// How the level is divided among several comparisons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LevelCorrection {
    /// Max-T, for all pairs. What it asks of a pair is known of pilot runs if these are the systems; else it is that of systems that vary alike,
    /// which is Tukey's.
    MaxT,
    /// Tukey's, for all pairs.
    Tukey,
    /// Bonferroni's, for this number of comparisons.
    Bonferroni(u32),
    /// None: each at the whole level.
    None,
}

/// Options of `plan topics`.
#[derive(Clone, Debug)]
pub struct PlanTopicsOptions {
    /// The goal.
    pub goal: Goal,
    /// What it is about.
    pub quantity: Quantity,
    /// Power of the test.
    pub power: f64,
    /// Confidence level of all comparisons together.
    pub level: f64,
    /// Systems in the planned experiment.
    pub systems: u32,
    /// How the level is divided.
    pub correction: LevelCorrection,
    /// Whether each system is compared with the first only.
    pub baseline: bool,
}

impl PlanTopicsOptions {
    /// The error rate allowed to each comparison, where pilot runs do not say more.
    fn alpha(&self) -> Result<f64, OutOfRange> {
        let alpha = 1.0 - self.level;
        match self.correction {
            LevelCorrection::MaxT | LevelCorrection::Tukey => tukey_level(alpha, self.systems),
            LevelCorrection::Bonferroni(comparisons) => bonferroni_level(alpha, f64::from(comparisons)),
            LevelCorrection::None => bonferroni_level(alpha, 1.0),
        }
    }
}

/// Why there is no plan.
#[derive(Debug)]
pub enum PlanTopicsError {
    /// The runs cannot be read.
    Runs(ScoreError),
    /// The pilot cannot be used.
    Pilot(Vec<PilotError>),
    /// A number outside its range.
    OutOfRange(OutOfRange),
}

impl From<Problems> for PlanTopicsError {
    fn from(problems: Problems) -> Self {
        PlanTopicsError::Runs(problems.into())
    }
}

impl From<ScoreError> for PlanTopicsError {
    fn from(error: ScoreError) -> Self {
        PlanTopicsError::Runs(error)
    }
}

impl From<OutOfRange> for PlanTopicsError {
    fn from(error: OutOfRange) -> Self {
        PlanTopicsError::OutOfRange(error)
    }
}

/// Why a pilot cannot be used for a measure.
#[derive(Debug, Clone, PartialEq)]
pub enum PilotError {
    /// The measure is not a mean over topics.
    NotAveraged {
        /// The measure.
        measure: String,
    },
    /// A run has fewer than two scores.
    TooFewTopics {
        /// The run's file.
        file: String,
        /// The measure.
        measure: String,
        /// Topics with a score.
        topics: usize,
    },
    /// A run has the same score on all topics.
    SameScore {
        /// The run's file.
        file: String,
        /// The measure.
        measure: String,
        /// That score.
        score: f64,
        /// Topics.
        topics: usize,
    },
    /// The runs share too few topics.
    NoSharedTopics(NotTwoWay),
    /// All pairs differ by the same on all topics.
    SameDifference {
        /// The measure.
        measure: String,
        /// Topics.
        topics: usize,
    },
}

/// Plans from a given standard deviation, of differences or scores over topics; `topics` are those it was estimated from, if known.
///
/// # Errors
/// A number outside its range.
pub fn plan_from_sd(
    sd: f64,
    topics: Option<u64>,
    options: &PlanTopicsOptions,
) -> Result<PlanTopicsAnswer, PlanTopicsError> {
    let df = topics.map(|topics| topics as f64 - 1.0);
    let spread = Spread { measure: GIVEN.into(), runs: Vec::new(), sd, df, alpha: None };
    Ok(plan(&[spread], &[], options)?)
}

/// Plans from pilot runs; also returns what is known of them.
///
/// # Errors
/// Everything wrong with the runs; too few of them or of topics; no spread.
pub fn plan_from_pilot(
    setting: &Setting<'_>,
    runs: &dyn RunSource,
    options: &PlanTopicsOptions,
) -> Result<(PlanTopicsAnswer, Vec<RunFacts>), PlanTopicsError> {
    let pilot = pilot::read(setting, runs, options)?;
    Ok((plan(&pilot.spreads, &pilot.by_pair, options)?, pilot.facts))
}

fn plan(spreads: &[Spread], by_pair: &[Spread], options: &PlanTopicsOptions) -> Result<PlanTopicsAnswer, OutOfRange> {
    let plans = |spreads: &[Spread]| spreads.iter().map(|spread| spread.plan(options)).collect::<Result<Vec<_>, _>>();
    let all = plans(spreads)?;
    let pairs = if spreads.len() < by_pair.len() { Some(plans(by_pair)?) } else { None };
    let notes = notes(spreads, by_pair, &all, options)?;
    Ok(PlanTopicsAnswer { plans: all, pairs, notes })
}

fn notes(
    spreads: &[Spread],
    by_pair: &[Spread],
    plans: &[TopicPlan],
    options: &PlanTopicsOptions,
) -> Result<Vec<PlanNote>, OutOfRange> {
    let alphas: Vec<f64> = spreads.iter().map(|spread| spread.alpha(options)).collect::<Result<_, _>>()?;
    let least = alphas.iter().copied().fold(f64::INFINITY, f64::min);
    let too_many = |plan: &&TopicPlan| plan.topics.is_none();
    let mut notes: Vec<PlanNote> = plans
        .iter()
        .filter(too_many)
        .map(|plan| PlanNote::TooManyTopics { measure: plan.measure.clone(), most: power::MOST_TOPICS })
        .collect();
    for (pooled, plan) in spreads.iter().zip(plans) {
        notes.extend(widest_pair(pooled, plan, by_pair, options)?);
    }
    let largest = alphas.iter().copied().fold(0.0, f64::max);
    notes.push(PlanNote::Level { least, most: largest, of_pilot: spreads.iter().any(|spread| spread.alpha.is_some()) });
    notes.push(match (options.goal, options.quantity) {
        (Goal::Difference(_), _) | (Goal::Topics(_), Quantity::Difference) => PlanNote::Power,
        _ => PlanNote::ExpectedHalfWidths,
    });
    let most = plans.iter().filter_map(|plan| plan.topics).max();
    // By max-T a pair's own p must be below the level of all; by other corrections it is divided.
    let alpha = if options.correction == LevelCorrection::MaxT { 1.0 - options.level } else { least };
    if options.quantity == Quantity::Difference
        && let (Some(topics), Ok(least)) = (most, power::fewest_that_can_reach(alpha))
        && topics < u64::from(least)
    {
        notes.push(PlanNote::TooFewForExactTests { alpha, least });
    }
    let estimated = spreads.iter().any(|spread| spread.df.is_some());
    notes.push(if estimated { PlanNote::EstimatedSd } else { PlanNote::GivenSd });
    Ok(notes)
}

/// Where one pair varies more than the pooled standard deviation says.
fn widest_pair(
    pooled: &Spread,
    plan: &TopicPlan,
    by_pair: &[Spread],
    options: &PlanTopicsOptions,
) -> Result<Option<PlanNote>, OutOfRange> {
    let own = by_pair.iter().filter(|pair| pair.measure == pooled.measure);
    let Some(widest) = own.max_by(|a, b| a.sd.total_cmp(&b.sd)).filter(|widest| widest.sd > pooled.sd * 1.05) else {
        return Ok(None);
    };
    let needed = widest.plan(options)?.topics;
    Ok(Some(PlanNote::WidestPair {
        measure: pooled.measure.clone(),
        pair: widest.runs.clone(),
        sd: widest.sd,
        topics: needed.zip(plan.topics),
    }))
}
