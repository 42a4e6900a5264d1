//! From a standard deviation to a plan.

use karat_stats::dist::OutOfRange;
use karat_stats::planning::sd_interval;
use karat_stats::power;

use super::answer::TopicPlan;
use super::{Goal, PlanTopicsOptions, Quantity};

/// A standard deviation over topics, and how well it is known.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Spread {
    pub measure: String,
    /// The run, or the two runs, where it is of these only.
    pub runs: Vec<String>,
    pub sd: f64,
    /// Degrees of freedom; `None` where it is treated as known.
    pub df: Option<f64>,
    /// The error rate allowed to each comparison, where pilot runs say it.
    pub alpha: Option<f64>,
}

/// A number that depends on the standard deviation; `None` where it is beyond any limit.
type Number<'a> = &'a dyn Fn(f64) -> Result<Option<f64>, OutOfRange>;

impl Spread {
    /// The error rate allowed to each comparison.
    pub fn alpha(&self, options: &PlanTopicsOptions) -> Result<f64, OutOfRange> {
        self.alpha.map_or_else(|| options.alpha(), Ok)
    }

    /// The plan of these options.
    pub fn plan(&self, options: &PlanTopicsOptions) -> Result<TopicPlan, OutOfRange> {
        let alpha = self.alpha(options)?;
        let sds = self.df.map(|df| sd_interval(self.sd, df, options.level)).transpose()?;
        let needed = |sd: f64| topics_needed(sd, alpha, options);
        let topics = needed(self.sd)?;
        let given = matches!(options.goal, Goal::Topics(_));
        let of_difference = options.quantity == Quantity::Difference;
        let detectable = |sd: f64| {
            let found = topics.map(|topics| power::detectable(topics, alpha, options.power)).transpose()?;
            Ok(found.map(|found| sd * found))
        };
        let half_width = |sd: f64| topics.map(|topics| power::half_width(topics, sd, 1.0 - alpha)).transpose();
        let when = |wanted: bool, number: Number<'_>| if wanted { interval(sds, number) } else { Ok(None) };
        let pair = self.runs.len() == 2;
        Ok(TopicPlan {
            measure: self.measure.clone(),
            run: self.runs.first().filter(|_| !pair).cloned(),
            a: self.runs.first().filter(|_| pair).cloned(),
            b: self.runs.get(1).cloned(),
            sd: self.sd,
            sd_interval: sds,
            topics,
            topics_interval: when(!given, &|sd| Ok(needed(sd)?.map(|topics| topics as f64)))?,
            difference: match options.goal {
                Goal::Difference(size) => Some(size),
                _ if of_difference => detectable(self.sd)?,
                _ => None,
            },
            difference_interval: when(given && of_difference, &detectable)?,
            half_width: half_width(self.sd)?,
            half_width_interval: when(given, &half_width)?,
            power: of_difference.then_some(options.power),
            level: options.level,
            level_per_pair: 1.0 - alpha,
        })
    }
}

/// Topics that the goal needs with this standard deviation; `None` where they are more than any limit.
fn topics_needed(sd: f64, alpha: f64, options: &PlanTopicsOptions) -> Result<Option<u64>, OutOfRange> {
    match options.goal {
        // Without spread two topics show anything; a test of fewer there is not.
        Goal::Difference(_) if sd == 0.0 => Ok(Some(2)),
        Goal::Difference(size) => power::topics_for_power(size / sd, alpha, options.power),
        Goal::HalfWidth(width) => power::topics_for_half_width(sd, width, 1.0 - alpha),
        Goal::Topics(topics) => Ok(Some(topics)),
    }
}

/// A number at the ends of the interval of the standard deviation; an end beyond any limit is infinite.
fn interval(sds: Option<(f64, f64)>, number: Number<'_>) -> Result<Option<(f64, f64)>, OutOfRange> {
    let Some((low, high)) = sds else { return Ok(None) };
    let ends = (number(low)?.unwrap_or(f64::INFINITY), number(high)?.unwrap_or(f64::INFINITY));
    Ok(Some(ends).filter(|(low, high)| low.is_finite() || high.is_finite()))
}
