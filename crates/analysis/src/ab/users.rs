//! Arms compared with users as units: resampling or Welch's t, or a confidence sequence for those who look earlier.

use karat_stats::Seed;
use karat_stats::ab::{Comparison, Difference, NoAnswer, Proportion, Ratio, Settings, difference, naive};
use karat_stats::correction::HOLM;
use karat_stats::dist::student_t;

use super::error::{AbError, TooFewUnits};
use super::looks::{Looks, SequenceLook, arm_intervals, looks};
use super::metric::Denominator;
use super::note::{AbNote, ComparisonName};
use super::power;
use super::rows::{Observations, Several};
use super::sample_ratio::{SampleRatioCheck, Split};
use super::unit_name::UnitName;
use super::users_answer::{UsersAnswer, UsersArm};
use super::users_comparison::comparison;
use super::users_notes::notes;

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
    /// Seed of the resampling.
    pub seed: Seed,
}

/// One metric of one arm against the control: numbers before correction.
pub(super) struct Pair {
    pub(super) metric: usize,
    pub(super) arm: usize,
    pub(super) control: Ratio,
    pub(super) own: Ratio,
    pub(super) evidence: Evidence,
    /// p-value of the naive test, and the design effect.
    pub(super) naive: Option<(f64, f64)>,
}

/// What a comparison rests on.
pub(super) enum Evidence {
    /// One look at the planned end.
    OneLook(Result<Comparison, NoAnswer>),
    /// All looks, and the test as if the last were the only one.
    AllLooks(Looks, Result<Difference, NoAnswer>),
}

impl Pair {
    /// The p-value that decides.
    fn p(&self) -> Option<f64> {
        match &self.evidence {
            Evidence::OneLook(found) => found.as_ref().ok().map(|found| found.p),
            Evidence::AllLooks(looks, _) => looks.last.map(|look| look.p),
        }
    }

    /// The lift, where there is one.
    pub(super) fn observed_lift(&self) -> Option<f64> {
        let known = match &self.evidence {
            Evidence::OneLook(found) => found.as_ref().is_ok_and(|found| found.lift.is_ok()),
            Evidence::AllLooks(looks, _) => looks.lift.is_some(),
        };
        known.then(|| self.own.value / self.control.value - 1.0)
    }

    fn looks(self) -> Vec<SequenceLook> {
        match self.evidence {
            Evidence::OneLook(_) => Vec::new(),
            Evidence::AllLooks(looks, _) => looks.rows,
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
    let (mut values, mut pairs) = (Vec::new(), Vec::new());
    for metric in 0..observed.metrics.len() {
        let units = units_by_arm(observed, &arms, metric);
        let ratios = ratios(observed, &arms, metric, &units, &unit, options)?;
        values.extend(arm_values(observed, &arms, metric, &units, &ratios, options));
        pairs.extend((1..units.len()).map(|arm| compare(observed, &arms, &units, &ratios, (metric, arm), options)));
    }
    let p: Vec<Option<f64>> = pairs.iter().map(Pair::p).collect();
    // Tests give numbers from 0 to 1.
    let adjusted = HOLM.adjust_known(&p).unwrap_or(p);
    let per_day = per_day(observed, options);
    let metric = |pair: &Pair| observed.metrics[pair.metric].name.as_str();
    Ok(UsersAnswer {
        comparisons: pairs
            .iter()
            .zip(adjusted)
            .map(|(pair, p)| comparison(pair, metric(pair), &arms.names, p, sample_ratio.holds, options.level))
            .collect(),
        power: pairs.iter().map(|pair| power::of_users(pair, metric(pair), &sample_ratio, per_day, options)).collect(),
        notes: {
            let own = notes(observed, &arms, &pairs, per_day, options);
            sample_ratio.note().into_iter().chain(no_intervals(&values, options)).chain(own).collect()
        },
        sequence: options.peek.map(|_| pairs.into_iter().flat_map(Pair::looks).collect()),
        arms: values,
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

/// The units of each arm: numerator and denominator of one metric.
type UnitsByArm = Vec<Vec<(f64, f64)>>;

fn units_by_arm(observed: &Observations, arms: &Arms, metric: usize) -> UnitsByArm {
    let mut units: UnitsByArm = vec![Vec::new(); arms.names.len()];
    for (unit, &arm) in observed.arm.iter().enumerate() {
        units[arms.place[arm]].push(observed.sums[unit * observed.metrics.len() + metric]);
    }
    units
}

/// The ratio of each arm.
fn ratios(
    observed: &Observations,
    arms: &Arms,
    metric: usize,
    units: &UnitsByArm,
    unit: &UnitName,
    options: &UsersOptions,
) -> Result<Vec<Ratio>, AbError> {
    let ratio = |(own, name): (&Vec<(f64, f64)>, &String)| {
        Ratio::of(own).map_err(|why| {
            AbError::TooFewUnits(Box::new(TooFewUnits {
                unit: unit.clone(),
                over: observed.metrics[metric].over(&options.unit).to_owned(),
                arm: name.clone(),
                arms: arms.names.clone(),
                why,
            }))
        })
    };
    units.iter().zip(&arms.names).map(ratio).collect()
}

fn compare(
    observed: &Observations,
    arms: &Arms,
    units: &UnitsByArm,
    ratios: &[Ratio],
    (metric, arm): (usize, usize),
    options: &UsersOptions,
) -> Pair {
    let (control, own) = (ratios[0], ratios[arm]);
    let naive = proportions(observed, metric, [&units[0], &units[arm]], options.several).and_then(|(a, b)| {
        let found = naive(a, b, options.level).ok()?;
        let effect = (control.variance() + own.variance()) / (found.std_error * found.std_error);
        Some((found.p, effect)).filter(|found| found.1.is_finite())
    });
    let name = || ComparisonName { metric: observed.metrics[metric].name.clone(), arm: arms.names[arm].clone() };
    let all_looks = options
        .peek
        .and_then(|tuning| looks(observed, metric, (arm, &name()), &arms.place, options.level, tuning).ok());
    let evidence = match all_looks {
        Some(looks) => {
            let last = looks.last.map(|look| look.fixed);
            Evidence::AllLooks(looks, last.map_or_else(|| difference(&control, &own, options.level), Ok))
        }
        None => {
            let settings = Settings { level: options.level, seed: options.seed };
            Evidence::OneLook(karat_stats::ab::compare(&units[0], &units[arm], &settings))
        }
    };
    Pair { metric, arm, control, own, evidence, naive }
}

/// Clicks and searches of control and arm, where they are whole numbers and no unit has more clicks than searches.
fn proportions(
    observed: &Observations,
    metric: usize,
    arms: [&Vec<(f64, f64)>; 2],
    several: Several,
) -> Option<(Proportion, Proportion)> {
    if several == Several::All || observed.metrics[metric].denominator == Denominator::Units {
        return None;
    }
    let count = |units: &Vec<(f64, f64)>| {
        if units.iter().any(|(x, y)| x.fract() != 0.0 || y.fract() != 0.0 || x > y) {
            return None;
        }
        let (x, y) = sums(units);
        Proportion::new(x as u64, y as u64).ok()
    };
    Some((count(arms[0])?, count(arms[1])?))
}

fn sums(units: &[(f64, f64)]) -> (f64, f64) {
    units.iter().fold((0.0, 0.0), |sum, unit| (sum.0 + unit.0, sum.1 + unit.1))
}

/// The arms' values of one metric.
fn arm_values(
    observed: &Observations,
    arms: &Arms,
    metric: usize,
    units: &UnitsByArm,
    ratios: &[Ratio],
    options: &UsersOptions,
) -> Vec<UsersArm> {
    let sequences =
        options.peek.and_then(|tuning| arm_intervals(observed, metric, &arms.place, options.level, tuning).ok());
    let row = |(arm, ratio): (usize, &Ratio)| {
        let (numerator, denominator) = sums(&units[arm]);
        let quantile = student_t::quantile(0.5 + options.level / 2.0, (ratio.units - 1) as f64);
        let reach = quantile.ok().map(|quantile| quantile * ratio.std_error()).filter(|reach| *reach > 0.0);
        UsersArm {
            metric: observed.metrics[metric].name.clone(),
            arm: arms.names[arm].clone(),
            control: arm == 0,
            units: ratio.units,
            effective_units: ratio.effective_units,
            numerator,
            denominator,
            value: ratio.value,
            std_error: Some(ratio.std_error()).filter(|error| *error > 0.0),
            interval: match &sequences {
                Some(intervals) => intervals[arm],
                None => reach.map(|reach| (ratio.value - reach, ratio.value + reach)),
            },
            level: options.level,
        }
    };
    ratios.iter().enumerate().map(row).collect()
}

/// The arms whose values have no interval under peeking, though they vary.
fn no_intervals(values: &[UsersArm], options: &UsersOptions) -> Vec<AbNote> {
    let without =
        values.iter().filter(|row| row.interval.is_none() && row.std_error.is_some() && options.peek.is_some());
    without.map(|row| AbNote::NoArmInterval { metric: row.metric.clone(), arm: row.arm.clone() }).collect()
}

/// New units per day: as given, or else the mean of the days in the rows.
fn per_day(observed: &Observations, options: &UsersOptions) -> Option<f64> {
    options.per_day.or_else(|| observed.days.then(|| observed.arm.len() as f64 / observed.times.len() as f64))
}
