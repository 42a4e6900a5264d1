//! How often each test rejects where there is nothing to find, and how often intervals hold the truth.

use karat_runtime::jobs::in_order;
use karat_stats::Seed;
use karat_stats::ab::{EFFECTIVE_UNITS, Ratio, Resampled, difference};
use karat_stats::dist::student_t;

use super::HeavyWorld;

const ALPHA: f64 = 0.05;

/// Shares of trials, with two arms of equal truth.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Level {
    /// Rejected by Welch's t on the delta method's error, as karat did before.
    pub delta: f64,
    /// By Welch's t on the jackknife's error.
    pub t: f64,
    /// By the permutation test.
    pub permutation: f64,
    /// By random signs.
    pub signs: f64,
    /// By both of these.
    pub both: f64,
    /// By both, where a verdict is given: a false verdict.
    pub verdict: f64,
    /// No verdict, because an arm has too few effective users.
    pub refused: f64,
}

impl Level {
    /// False verdicts among verdicts that could be given.
    pub fn among_given(&self) -> f64 {
        self.verdict / (1.0 - self.refused)
    }
}

/// Intervals where every click of the control is lost with some chance, so that the treatment has more.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Coverage {
    /// Share of the delta method's intervals that hold the true difference.
    pub delta: f64,
    /// Of the intervals by resampling.
    pub resampling: f64,
    /// Of the lift's intervals by resampling, among those there are.
    pub lift: f64,
    /// Median width of the delta method's.
    pub delta_width: f64,
    /// Of those by resampling.
    pub width: f64,
    /// Share of trials in which resampling finds the difference.
    pub power: f64,
}

/// How far resampling and t are apart, where t takes over.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Agreement {
    /// Rejected by t.
    pub t: f64,
    /// By resampling.
    pub resampling: f64,
    /// By one of the two.
    pub differ: f64,
    /// Mean distance of their p.
    pub p: f64,
    /// Mean share by which the jackknife's error exceeds the delta method's.
    pub error: f64,
}

/// Every trial has permutations of its own: with the same ones for all, their luck would be in all trials.
fn own_seed(seed: Seed, trial: usize) -> Seed {
    seed.child("resampling", trial as u64)
}

/// The p of Welch's t on the delta method's error, which karat used before; that error, and the degrees of freedom.
fn delta(control: &[(f64, f64)], treatment: &[(f64, f64)]) -> Option<(f64, f64, f64)> {
    let part = |units: &[(f64, f64)]| {
        let n = units.len() as f64;
        let (x, y) = units.iter().fold((0.0, 0.0), |sum, unit| (sum.0 + unit.0, sum.1 + unit.1));
        let squares: f64 = units.iter().map(|unit| (unit.0 - x / y * unit.1).powi(2)).sum();
        (x / y, squares * n / (n - 1.0) / (y * y), n - 1.0)
    };
    let (a, b) = (part(control), part(treatment));
    let variance = a.1 + b.1;
    let df = variance * variance / (a.1 * a.1 / a.2 + b.1 * b.1 / b.2);
    let p = student_t::two_sided(((b.0 - a.0) / variance.sqrt()).clamp(-1e9, 1e9), df).ok()?;
    Some((p, variance.sqrt(), df))
}

/// What one trial says of the difference.
struct Trial {
    point: f64,
    /// Half the width of the interval by the delta method.
    reach: f64,
    interval: (f64, f64),
    lift: Option<(f64, f64)>,
    p: f64,
}

impl HeavyWorld {
    fn arms(&self, (control, treatment): (usize, usize), lost: f64, seed: Seed, trial: usize) -> [Vec<(f64, f64)>; 2] {
        let mut stream = seed.child(self.name, (control * 100_000 + treatment) as u64).stream("users", trial as u64);
        [
            self.control.draw(control, lost, self.per_user, &mut stream),
            self.treatment.draw(treatment, 0.0, self.per_user, &mut stream),
        ]
    }

    /// How often tests of arms with so many users reject.
    pub fn level(&self, users: (usize, usize), trials: usize, draws: u32, seed: Seed, threads: usize) -> Level {
        let found = in_order(trials, threads, |trial| {
            let [a, b] = self.arms(users, 0.0, seed, trial);
            let refused = [&a, &b].iter().any(|arm| Ratio::of(arm).is_ok_and(|r| r.effective_units < EFFECTIVE_UNITS));
            let refused = f64::from(u8::from(refused));
            let below = |p: Option<f64>| f64::from(u8::from(p.is_some_and(|p| p < ALPHA)));
            // Without any variance there is no test, and nothing is rejected.
            let Ok(resampled) = Resampled::new(&a, &b, draws, own_seed(seed, trial)) else {
                return Level { refused, ..Level::default() };
            };
            let (permutation, signs) = resampled.both();
            let both = below(Some(permutation.max(signs)));
            let t = Ratio::of(&a).and_then(|a| difference(&a, &Ratio::of(&b)?, 1.0 - ALPHA)).ok();
            Level {
                delta: below(delta(&a, &b).map(|found| found.0)),
                t: below(t.map(|t| t.p)),
                permutation: below(Some(permutation)),
                signs: below(Some(signs)),
                both,
                verdict: both * (1.0 - refused),
                refused,
            }
        });
        let mean = |of: fn(&Level) -> f64| mean(&found, of);
        Level {
            delta: mean(|l| l.delta),
            t: mean(|l| l.t),
            permutation: mean(|l| l.permutation),
            signs: mean(|l| l.signs),
            both: mean(|l| l.both),
            verdict: mean(|l| l.verdict),
            refused: mean(|l| l.refused),
        }
    }

    /// How often intervals hold the truth, where the control loses this share of its clicks. `rate` is the true ratio of the treatment.
    pub fn coverage(
        &self,
        users: (usize, usize),
        (rate, lost): (f64, f64),
        (trials, draws): (usize, u32),
        seed: Seed,
        threads: usize,
    ) -> Coverage {
        let truth = rate * lost;
        let found = in_order(trials, threads, |trial| {
            let [a, b] = self.arms(users, lost, seed, trial);
            let resampled = Resampled::new(&a, &b, draws, own_seed(seed, trial)).ok()?;
            let (_, error, df) = delta(&a, &b)?;
            let point = Ratio::of(&b).ok()?.value - Ratio::of(&a).ok()?.value;
            let reach = student_t::upper_quantile(0.5 * ALPHA, df).ok()? * error;
            let interval = resampled.interval(1.0 - ALPHA).ok()??;
            let lift = resampled.lift_interval(1.0 - ALPHA).ok();
            Some(Trial { point, reach, interval, lift, p: resampled.p() })
        });
        let found: Vec<Trial> = found.into_iter().flatten().collect();
        let share =
            |of: &dyn Fn(&Trial) -> bool| found.iter().filter(|trial| of(trial)).count() as f64 / found.len() as f64;
        let within = |interval: (f64, f64), truth: f64| interval.0 <= truth && truth <= interval.1;
        let lifts: Vec<(f64, f64)> = found.iter().filter_map(|trial| trial.lift).collect();
        let lift = lost / (1.0 - lost);
        Coverage {
            delta: share(&|trial| (trial.point - truth).abs() <= trial.reach),
            resampling: share(&|trial| within(trial.interval, truth)),
            lift: lifts.iter().filter(|interval| within(**interval, lift)).count() as f64 / lifts.len() as f64,
            delta_width: median(found.iter().map(|trial| 2.0 * trial.reach)),
            width: median(found.iter().map(|trial| trial.interval.1 - trial.interval.0)),
            power: share(&|trial| trial.p < ALPHA),
        }
    }

    /// How far resampling and t are apart. Only trials in which both arms have this many effective users count.
    pub fn agreement(
        &self,
        users: (usize, usize),
        effective: f64,
        (trials, draws): (usize, u32),
        seed: Seed,
        threads: usize,
    ) -> (usize, Agreement) {
        let found = in_order(trials, threads, |trial| {
            let [a, b] = self.arms(users, 0.0, seed, trial);
            let (ratio_a, ratio_b) = (Ratio::of(&a).ok()?, Ratio::of(&b).ok()?);
            if ratio_a.effective_units.min(ratio_b.effective_units) < effective {
                return None;
            }
            let t = difference(&ratio_a, &ratio_b, 1.0 - ALPHA).ok()?;
            let p = Resampled::new(&a, &b, draws, own_seed(seed, trial)).ok()?.p();
            let flag = |p: f64| f64::from(u8::from(p < ALPHA));
            Some(Agreement {
                t: flag(t.p),
                resampling: flag(p),
                differ: (flag(t.p) - flag(p)).abs(),
                p: (t.p - p).abs(),
                error: t.std_error / delta(&a, &b)?.1 - 1.0,
            })
        });
        let found: Vec<Agreement> = found.into_iter().flatten().collect();
        let mean = |of: fn(&Agreement) -> f64| mean(&found, of);
        let all = Agreement {
            t: mean(|a| a.t),
            resampling: mean(|a| a.resampling),
            differ: mean(|a| a.differ),
            p: mean(|a| a.p),
            error: mean(|a| a.error),
        };
        (found.len(), all)
    }
}

fn mean<T>(found: &[T], of: fn(&T) -> f64) -> f64 {
    found.iter().map(of).sum::<f64>() / found.len().max(1) as f64
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
