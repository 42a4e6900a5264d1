//! Arms compared by counts alone: the z test of two proportions, called naive because users may repeat.

use karat_stats::ab::{Lift, Naive, NoAnswer, Proportion, Ratio, design_effect_limit, lift, naive};
use karat_stats::correction::HOLM;
use karat_stats::dist::normal;
use schemars::JsonSchema;
use serde::Serialize;

use super::error::AbError;
use super::note::{AbNote, ComparisonName};
use super::power::{self, CountsPower};
use super::sample_ratio::{SampleRatioCheck, Split};
use super::verdict::{Grounds, Verdict, VerdictReason, decide};

/// One arm's counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counts {
    /// Its name.
    pub name: String,
    /// Clicks.
    pub successes: u64,
    /// Searches.
    pub trials: u64,
    /// Users behind them, where that is known.
    pub users: Option<u64>,
}

/// How counts are compared.
#[derive(Debug, Clone, PartialEq)]
pub struct CountsOptions {
    /// What is counted: successes and trials, such as clicks and searches.
    pub counted: (String, String),
    /// How units were to be split.
    pub split: Option<Split>,
    /// Confidence level.
    pub level: f64,
    /// Power for which numbers of units are planned.
    pub power: f64,
    /// A relative lift to plan for.
    pub lift: Option<f64>,
}

/// An A/B test by counts.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct CountsAnswer {
    /// Did each arm get the units that it should have?
    pub sample_ratio: SampleRatioCheck,
    /// The arms, the control first.
    pub arms: Vec<CountsArm>,
    /// Each arm against the control.
    pub comparisons: Vec<CountsComparison>,
    /// What the test can detect.
    pub power: Vec<CountsPower>,
    /// Warnings and assumptions.
    #[serde(skip)]
    pub notes: Vec<AbNote>,
}

/// The rate of one arm.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct CountsArm {
    /// The arm.
    pub arm: String,
    /// Whether it is the control.
    pub control: bool,
    /// Users, where they are known.
    pub users: Option<u64>,
    /// Successes, such as clicks.
    pub numerator: u64,
    /// Trials, such as searches.
    pub denominator: u64,
    /// Numerator over denominator.
    pub value: f64,
    /// Wilson's interval of the value.
    pub interval: Option<(f64, f64)>,
    /// Confidence level.
    pub level: f64,
}

/// One arm against the control, by the naive z test.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct CountsComparison {
    /// The metric.
    pub metric: String,
    /// The control.
    pub control: String,
    /// The arm compared with it.
    pub arm: String,
    /// Rate of the control.
    pub control_value: f64,
    /// Rate of the arm.
    pub arm_value: f64,
    /// Rate of the arm minus rate of the control.
    pub difference: f64,
    /// Standard error of the difference.
    pub std_error: Option<f64>,
    /// Newcombe's interval of the difference.
    pub interval: Option<(f64, f64)>,
    /// Difference relative to the control.
    pub lift: Option<f64>,
    /// Fieller's interval of the lift.
    pub lift_interval: Option<(f64, f64)>,
    /// Interval of the lift by the delta method.
    pub lift_interval_delta: Option<(f64, f64)>,
    /// Statistic of the z test.
    pub z: Option<f64>,
    /// p-value of the z test, valid only if no user repeats.
    pub p_naive: Option<f64>,
    /// The p-value after Holm's correction.
    pub p_adjusted: Option<f64>,
    /// Design effect above which the difference is no longer significant.
    pub design_effect_limit: Option<f64>,
    /// How the arm compares with the control.
    pub verdict: Verdict,
    /// Why, in one sentence.
    // Worded where the answer is presented; empty until then.
    pub because: String,
    /// Confidence level.
    pub level: f64,
    /// What the verdict rests on.
    #[serde(skip)]
    pub reason: VerdictReason,
}

/// Did the rate change, as far as counts can tell? The first arm is the control.
///
/// # Errors
/// Impossible counts, or a split that does not fit.
pub fn counts(arms: &[Counts], options: &CountsOptions) -> Result<CountsAnswer, AbError> {
    let shares = arms.iter().map(|arm| proportion(arm, options)).collect::<Result<Vec<_>, _>>()?;
    let names: Vec<String> = arms.iter().map(|arm| arm.name.clone()).collect();
    let users: Option<Vec<u64>> = arms.iter().map(|arm| arm.users).collect();
    let trials = &options.counted.1;
    let unit = if users.is_some() { "users" } else { trials };
    let units = users.clone().unwrap_or_else(|| shares.iter().map(|share| share.trials()).collect());
    let sample_ratio = SampleRatioCheck::new(&names, &units, options.split.as_ref(), unit)?;
    let pairs = compare(&shares, options.level);
    let p: Vec<Option<f64>> = pairs.iter().map(|pair| pair.test.as_ref().ok().map(|test| test.p)).collect();
    // Tests give numbers from 0 to 1.
    let adjusted = HOLM.adjust_known(&p).unwrap_or(p);
    let comparisons = pairs
        .iter()
        .zip(adjusted)
        .map(|(pair, adjusted)| comparison(pair, &names, adjusted, sample_ratio.holds, options))
        .collect();
    let mut notes: Vec<AbNote> = sample_ratio.note().into_iter().collect();
    notes.push(repeat_note(arms, users.is_some(), trials));
    notes.extend(pairs.iter().flat_map(|pair| pair.notes(&shares, &names, options)));
    notes.extend(method_notes(users.is_none().then_some(trials), pairs.len()));
    let rates: Vec<Ratio> = shares.iter().map(ratio).collect();
    let power = power::of_counts(&rates, &sample_ratio, options);
    let arms = arms.iter().zip(&shares).enumerate().map(|(at, (arm, share))| arm_rate(at, arm, share, options.level));
    Ok(CountsAnswer { arms: arms.collect(), comparisons, power, sample_ratio, notes })
}

/// The rate of an arm, when its counts are possible.
fn proportion(arm: &Counts, options: &CountsOptions) -> Result<Proportion, AbError> {
    let (counted, trials) = (&options.counted, &options.counted.1);
    let share = Proportion::new(arm.successes, arm.trials)
        .map_err(|_| AbError::SuccessesBeyondTrials { arm: arm.clone(), counted: counted.clone() })?;
    if arm.users.is_some_and(|users| users > arm.trials || users == 0) {
        return Err(AbError::UsersBeyondTrials { arm: arm.clone(), trials: trials.clone() });
    }
    Ok(share)
}

/// A rate as a ratio over trials.
fn ratio(share: &Proportion) -> Ratio {
    Ratio::of_equal_units(share.value(), share.variance(), share.trials())
}

fn arm_rate(at: usize, arm: &Counts, share: &Proportion, level: f64) -> CountsArm {
    CountsArm {
        arm: arm.name.clone(),
        control: at == 0,
        users: arm.users,
        numerator: arm.successes,
        denominator: arm.trials,
        value: share.value(),
        interval: share.wilson(level).ok(),
        level,
    }
}

/// With fewer expected successes or failures the z test does not keep its level (Cochran's rule).
pub const FEWEST_EXPECTED: f64 = 5.0;

fn expected(control: &Proportion, arm: &Proportion) -> f64 {
    let trials = [control, arm].map(|share| share.trials() as f64);
    let rate = (control.value() * trials[0] + arm.value() * trials[1]) / (trials[0] + trials[1]);
    trials[0].min(trials[1]) * rate.min(1.0 - rate)
}

/// One arm against the control: numbers before correction.
struct Pair {
    arm: usize,
    rates: (f64, f64),
    test: Result<Naive, NoAnswer>,
    lift: Result<Lift, NoAnswer>,
    /// The smallest number of successes or failures that either arm would have if both had the rate of both together.
    expected: f64,
    /// An arm of which all or no trials succeeded: the formulas would treat its rate as known exactly.
    extreme: Option<usize>,
}

fn compare(shares: &[Proportion], level: f64) -> Vec<Pair> {
    let control = ratio(&shares[0]);
    (1..shares.len())
        .map(|arm| {
            let own = ratio(&shares[arm]);
            Pair {
                arm,
                rates: (control.value, own.value),
                expected: expected(&shares[0], &shares[arm]),
                test: naive(shares[0], shares[arm], level),
                lift: normal::quantile(0.5 + 0.5 * level).map_err(NoAnswer::from).and_then(|z| lift(&control, &own, z)),
                extreme: [0, arm].into_iter().find(|&at| shares[at].variance() <= 0.0),
            }
        })
        .collect()
}

impl Pair {
    /// Why there is no test or no lift.
    fn notes(&self, shares: &[Proportion], names: &[String], options: &CountsOptions) -> Vec<AbNote> {
        let name = || ComparisonName { metric: metric(options), arm: names[self.arm].clone() };
        let mut notes = Vec::new();
        if let Err(why) = self.test {
            notes.push(AbNote::NoTest(name(), why));
        }
        match (self.lift, self.extreme) {
            (Err(why @ NoAnswer::DenominatorMayBeZero { .. }), _) | (Err(why), None) => {
                notes.push(AbNote::NoLift(name(), why));
            }
            (_, Some(at)) => notes.push(AbNote::NoLiftExtreme {
                comparison: name(),
                arm: names[at].clone(),
                all: shares[at].value() > 0.0,
            }),
            (Ok(_), None) => {}
        }
        notes
    }
}

fn comparison(
    pair: &Pair,
    names: &[String],
    adjusted: Option<f64>,
    holds: bool,
    options: &CountsOptions,
) -> CountsComparison {
    let (control_value, arm_value) = pair.rates;
    let difference = arm_value - control_value;
    let test = pair.test.as_ref().ok();
    let lift = pair.lift.ok().filter(|_| pair.extreme.is_none());
    let refusal = (pair.expected < FEWEST_EXPECTED).then_some(VerdictReason::FewCounts { least: pair.expected });
    let (verdict, reason) =
        decide(&Grounds { sample_ratio_holds: holds, difference, p: adjusted, level: options.level, refusal });
    CountsComparison {
        metric: metric(options),
        control: names[0].clone(),
        arm: names[pair.arm].clone(),
        control_value,
        arm_value,
        difference,
        std_error: test.map(|test| test.std_error).filter(|error| *error > 0.0),
        interval: test.map(|test| (test.interval.low, test.interval.high)),
        lift: lift.map(|lift| lift.value),
        lift_interval: lift.map(|lift| lift.interval),
        lift_interval_delta: lift.map(|lift| lift.delta),
        z: test.map(|test| test.z),
        p_naive: test.map(|test| test.p),
        p_adjusted: adjusted,
        design_effect_limit: test.and_then(|test| design_effect_limit(test.z, options.level).ok()),
        verdict,
        because: String::new(),
        level: options.level,
        reason,
    }
}

/// `clicks/searches`.
fn metric(options: &CountsOptions) -> String {
    [options.counted.0.as_str(), "/", &options.counted.1].concat()
}

fn repeat_note(arms: &[Counts], users_known: bool, trials: &str) -> AbNote {
    let all_trials: u64 = arms.iter().map(|arm| arm.trials).sum();
    let all_users: u64 = arms.iter().filter_map(|arm| arm.users).sum();
    match users_known {
        true if all_users == all_trials => AbNote::NoUserRepeats,
        true => AbNote::Naive { per_user: Some((all_trials as f64 / all_users as f64, trials.to_owned())) },
        false => AbNote::Naive { per_user: None },
    }
}

fn method_notes(trials_checked: Option<&String>, comparisons: usize) -> Vec<AbNote> {
    let mut notes = Vec::new();
    notes.extend(trials_checked.map(|trials| AbNote::SampleRatioOfTrials { trials: trials.clone() }));
    notes.push(AbNote::CountsMethods);
    if comparisons > 1 {
        notes.push(AbNote::Corrected { comparisons });
    }
    notes.extend([AbNote::OneLook { peek_possible: false }, AbNote::ClicksAreNotQuality]);
    notes
}
