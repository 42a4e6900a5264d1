//! Arms compared with users as units: the delta method and Welch's t.

use karat_stats::ab::{Difference, Lift, NoAnswer, Proportion, Ratio, difference, lift, naive};
use karat_stats::correction::HOLM;
use karat_stats::dist::student_t;

use super::error::{AbError, TooFewUnits};
use super::looks::{Looks, looks};
use super::metric::Denominator;
use super::note::ComparisonName;
use super::power;
use super::rows::{Observations, Several};
use super::sample_ratio::{SampleRatioCheck, Split};
use super::unit_name::UnitName;
use super::users_answer::{UsersAnswer, UsersArm, UsersComparison};
use super::users_notes::notes;
use super::verdict::decide;

/// How arms are compared.
#[derive(Debug, Clone, PartialEq)]
pub struct UsersOptions {
    /// The unit that was assigned to an arm, by its column.
    pub unit: String,
    /// The arm that others are compared with; the first in the order of bytes when not given.
    pub control: Option<String>,
    /// How units were to be split.
    pub split: Option<Split>,
    /// How several clicks on one search were counted.
    pub several: Several,
    /// Confidence level.
    pub level: f64,
    /// Power for which numbers of units are planned.
    pub power: f64,
    /// A relative lift to plan for.
    pub lift: Option<f64>,
    /// New units per day, all arms together.
    pub per_day: Option<f64>,
    /// Looks at every time, tuned for so many units.
    pub peek: Option<u64>,
}

/// One metric of one arm against the control: numbers before correction.
pub(super) struct Pair {
    pub(super) metric: usize,
    pub(super) arm: usize,
    pub(super) control: Ratio,
    pub(super) own: Ratio,
    pub(super) test: Result<Difference, NoAnswer>,
    pub(super) lift: Result<Lift, NoAnswer>,
    /// p-value of the naive test, and the design effect.
    naive: Option<(f64, f64)>,
    pub(super) looks: Option<Looks>,
}

impl Pair {
    /// The p-value that decides.
    fn p(&self) -> Option<f64> {
        match &self.looks {
            Some(looks) => looks.last_p,
            None => self.test.as_ref().ok().map(|test| test.p),
        }
    }
}

/// Arms in the order in which they are shown, the control first.
pub(super) struct Arms {
    pub(super) names: Vec<String>,
    /// The place of each arm of the observations.
    place: Vec<usize>,
    units: Vec<u64>,
}

/// Did a metric change?
///
/// # Errors
/// One arm only, a control or split that does not fit, or nothing to divide by.
pub fn users(observed: &Observations, options: &UsersOptions) -> Result<UsersAnswer, AbError> {
    let unit = UnitName::from_column(&options.unit);
    let arms = Arms::new(observed, options.control.as_deref())?;
    let sample_ratio = SampleRatioCheck::new(&arms.names, &arms.units, options.split.as_ref(), &unit.many)?;
    let ratios = ratios(observed, &arms, &unit, options)?;
    let mut pairs = Vec::new();
    for (metric, own) in ratios.iter().enumerate() {
        pairs.extend((1..arms.names.len()).map(|arm| compare(observed, &arms, own, (metric, arm), options)));
    }
    let p: Vec<Option<f64>> = pairs.iter().map(Pair::p).collect();
    // Tests give numbers from 0 to 1.
    let adjusted = HOLM.adjust_known(&p).unwrap_or(p);
    let per_day = per_day(observed, options);
    let metric = |pair: &Pair| observed.metrics[pair.metric].name.as_str();
    Ok(UsersAnswer {
        arms: arm_values(observed, &ratios, &arms, options.level),
        comparisons: pairs
            .iter()
            .zip(adjusted)
            .map(|(pair, p)| comparison(pair, metric(pair), &arms.names, p, sample_ratio.holds, options.level))
            .collect(),
        power: pairs.iter().map(|pair| power::of_users(pair, metric(pair), &sample_ratio, per_day, options)).collect(),
        notes: sample_ratio.note().into_iter().chain(notes(observed, &arms, &pairs, per_day, options)).collect(),
        sequence: options
            .peek
            .map(|_| pairs.into_iter().filter_map(|pair| pair.looks).flat_map(|looks| looks.rows).collect()),
        sample_ratio,
        unit,
    })
}

impl Arms {
    fn new(observed: &Observations, control: Option<&str>) -> Result<Arms, AbError> {
        let arms = &observed.arms;
        if arms.len() < 2 {
            return Err(AbError::OneArm { arm: arms.first().cloned() });
        }
        let control = match control {
            None => 0,
            Some(name) => arms
                .iter()
                .position(|arm| arm == name)
                .ok_or_else(|| AbError::UnknownControl { control: name.to_owned(), arms: arms.clone() })?,
        };
        let order = std::iter::once(control).chain((0..arms.len()).filter(|&arm| arm != control));
        let (mut names, mut place) = (Vec::new(), vec![0; arms.len()]);
        for from in order {
            place[from] = names.len();
            names.push(arms[from].clone());
        }
        let mut units = vec![0; names.len()];
        observed.arm.iter().for_each(|&arm| units[place[arm]] += 1);
        Ok(Arms { names, place, units })
    }
}

/// For each metric the ratio of each arm.
fn ratios(
    observed: &Observations,
    arms: &Arms,
    unit: &UnitName,
    options: &UsersOptions,
) -> Result<Vec<Vec<Ratio>>, AbError> {
    let mut all = Vec::new();
    for (at, metric) in observed.metrics.iter().enumerate() {
        let mut pairs: Vec<Vec<(f64, f64)>> = vec![Vec::new(); arms.names.len()];
        for (unit, &arm) in observed.arm.iter().enumerate() {
            pairs[arms.place[arm]].push(observed.sums[unit * observed.metrics.len() + at]);
        }
        let ratio = |(pairs, name): (&Vec<(f64, f64)>, &String)| {
            Ratio::of(pairs).map_err(|why| {
                AbError::TooFewUnits(Box::new(TooFewUnits {
                    unit: unit.clone(),
                    over: metric.over(&options.unit).to_owned(),
                    arm: name.clone(),
                    arms: arms.names.clone(),
                    why,
                }))
            })
        };
        all.push(pairs.iter().zip(&arms.names).map(ratio).collect::<Result<_, _>>()?);
    }
    Ok(all)
}

fn compare(
    observed: &Observations,
    arms: &Arms,
    ratios: &[Ratio],
    (metric, arm): (usize, usize),
    options: &UsersOptions,
) -> Pair {
    let (control, own) = (ratios[0], ratios[arm]);
    let test = difference(&control, &own, options.level);
    let df = test.as_ref().map_or(1e10, |test| test.df);
    let naive = proportions(observed, metric, arm, &arms.place, options.several).and_then(|(a, b)| {
        let found = naive(a, b, options.level).ok()?;
        let effect = (control.variance() + own.variance()) / (found.std_error * found.std_error);
        Some((found.p, effect)).filter(|found| found.1.is_finite())
    });
    let name = ComparisonName { metric: observed.metrics[metric].name.clone(), arm: arms.names[arm].clone() };
    let looks =
        options.peek.and_then(|tuning| looks(observed, metric, (arm, &name), &arms.place, options.level, tuning).ok());
    Pair { metric, arm, control, own, lift: lift(&control, &own, df, options.level), test, naive, looks }
}

/// Clicks and searches of control and arm, where they are whole numbers and no row has more clicks than searches.
fn proportions(
    observed: &Observations,
    metric: usize,
    arm: usize,
    place: &[usize],
    several: Several,
) -> Option<(Proportion, Proportion)> {
    if several == Several::All || observed.metrics[metric].denominator == Denominator::Units {
        return None;
    }
    let mut counts = [(0.0, 0.0); 2];
    for (unit, &own) in observed.arm.iter().enumerate() {
        let side = match place[own] {
            0 => 0,
            own if own == arm => 1,
            _ => continue,
        };
        let (x, y) = observed.sums[unit * observed.metrics.len() + metric];
        if x.fract() != 0.0 || y.fract() != 0.0 || x > y {
            return None;
        }
        counts[side] = (counts[side].0 + x, counts[side].1 + y);
    }
    let [a, b] = counts.map(|(x, y)| Proportion::new(x as u64, y as u64).ok());
    Some((a?, b?))
}

fn arm_values(observed: &Observations, ratios: &[Vec<Ratio>], arms: &Arms, level: f64) -> Vec<UsersArm> {
    let mut rows = Vec::new();
    for (at, own) in ratios.iter().enumerate() {
        let mut sums = vec![(0.0, 0.0); arms.names.len()];
        for (unit, &arm) in observed.arm.iter().enumerate() {
            let (x, y) = observed.sums[unit * observed.metrics.len() + at];
            let sum: &mut (f64, f64) = &mut sums[arms.place[arm]];
            *sum = (sum.0 + x, sum.1 + y);
        }
        for (arm, ratio) in own.iter().enumerate() {
            let quantile = student_t::quantile(0.5 + level / 2.0, (ratio.units - 1) as f64);
            let reach = quantile.ok().map(|quantile| quantile * ratio.std_error());
            rows.push(UsersArm {
                metric: observed.metrics[at].name.clone(),
                arm: arms.names[arm].clone(),
                control: arm == 0,
                units: ratio.units,
                numerator: sums[arm].0,
                denominator: sums[arm].1,
                value: ratio.value,
                std_error: Some(ratio.std_error()).filter(|error| *error > 0.0),
                interval: reach.filter(|reach| *reach > 0.0).map(|reach| (ratio.value - reach, ratio.value + reach)),
                level,
            });
        }
    }
    rows
}

fn comparison(
    pair: &Pair,
    metric: &str,
    names: &[String],
    adjusted: Option<f64>,
    holds: bool,
    level: f64,
) -> UsersComparison {
    let difference = pair.own.value - pair.control.value;
    let (test, lift) = (pair.test.as_ref().ok(), pair.lift.as_ref().ok());
    let (verdict, reason) = decide(holds, difference, adjusted, level);
    UsersComparison {
        metric: metric.to_owned(),
        control: names[0].clone(),
        arm: names[pair.arm].clone(),
        control_value: pair.control.value,
        arm_value: pair.own.value,
        difference,
        std_error: test.map(|test| test.std_error),
        interval: test.map(|test| (test.interval.low, test.interval.high)),
        lift: lift.map(|lift| lift.value),
        lift_interval: lift.map(|lift| lift.fieller),
        lift_interval_delta: lift.map(|lift| lift.delta),
        t: test.map(|test| test.t),
        df: test.map(|test| test.df),
        p: test.map(|test| test.p),
        p_sequence: pair.looks.as_ref().and_then(|looks| looks.last_p),
        p_adjusted: adjusted,
        p_naive: pair.naive.map(|naive| naive.0),
        design_effect: pair.naive.map(|naive| naive.1),
        verdict,
        because: String::new(),
        level,
        reason,
    }
}

/// New units per day: as given, or else the mean of the days in the rows.
fn per_day(observed: &Observations, options: &UsersOptions) -> Option<f64> {
    options.per_day.or_else(|| observed.days.then(|| observed.arm.len() as f64 / observed.times.len() as f64))
}
