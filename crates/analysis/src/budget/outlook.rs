//! How wide the interval will be after so much effort.
//!
//! The one decision: the forecast is of the width that will be computed, so that its errors are those of a forecast. The spread of new topics is
//! not known but estimated from the present ones: a plan made from a sample that happened to vary little asks for too few of them, and
//! that does not cancel with the plans that ask for too many. The spread of new topics is therefore taken as s times the mean of σ/s over
//! samples, so that plans reach their target on average. The same is done for new gold labels, whose error rates are known only from the present
//! ones.

use karat_stats::dist::{normal, student_t};
use karat_stats::power;

/// So much more of each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Effort {
    /// New topics, judged as deep as the present ones.
    pub topics: u64,
    /// Judgements on the present topics, those that say most first.
    pub judgements: usize,
    /// Gold labels on pairs that bronze judges labelled.
    pub gold: u64,
}

/// What the present judgements and the first k that are advised leave, in sums over topics.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Step {
    /// Variance of what is still open.
    pub open: f64,
    /// Spread between topics that these judgements showed.
    pub shown: f64,
    /// Error of what the model says of that.
    pub fit: Fit,
    /// The variance of the mean from the calibration.
    pub judges: f64,
}

impl Step {
    /// Between this step and another: so much of the way.
    fn towards(&self, other: &Step, share: f64) -> Step {
        let between = |from: f64, to: f64| from + share * (to - from);
        Step {
            open: between(self.open, other.open),
            shown: between(self.shown, other.shown),
            fit: Fit { own: between(self.fit.own, other.fit.own), whole: between(self.fit.whole, other.fit.whole) },
            judges: between(self.judges, other.judges),
        }
    }
}

/// The jackknife's variance of what a model says of documents that are left, and its covariance with what it says of all.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Fit {
    pub own: f64,
    pub whole: f64,
}

impl Fit {
    /// From what each refit says of those that are left, and of all.
    pub fn new(left: &[f64], all: &[f64]) -> Fit {
        Fit { own: jackknife(left, left), whole: jackknife(left, all) }
    }
}

/// The steps, all of them while they are few; later ones are kept now and then, and others taken to lie on the line between two that are.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Steps {
    kept: Vec<Step>,
    last: usize,
}

impl Steps {
    /// So many steps from the first on are all kept.
    const DENSE: usize = 1 << 16;
    /// After them every so-many-th.
    const EVERY: usize = 64;

    /// So many judgements can be made, one after the other.
    pub fn new(judgements: usize) -> Steps {
        Steps { kept: Vec::new(), last: judgements }
    }

    /// Whether the step after this many judgements is kept.
    pub fn keeps(&self, judgements: usize) -> bool {
        judgements <= Steps::DENSE || judgements.is_multiple_of(Steps::EVERY) || judgements == self.last
    }

    /// The next step that is kept.
    pub fn push(&mut self, step: Step) {
        self.kept.push(step);
    }

    fn at(&self, judgements: usize) -> Step {
        let judgements = judgements.min(self.last);
        let place =
            |at: usize| if at <= Steps::DENSE { at } else { Steps::DENSE + (at - Steps::DENSE).div_ceil(Steps::EVERY) };
        let step = |at: usize| self.kept.get(place(at)).copied().unwrap_or_default();
        if self.keeps(judgements) {
            return step(judgements);
        }
        let from = judgements - judgements % Steps::EVERY;
        let to = (from + Steps::EVERY).min(self.last);
        step(from).towards(&step(to), (judgements - from) as f64 / (to - from) as f64)
    }
}

/// The variance of a mean, part by part.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Variances {
    /// Over topics.
    pub topics: f64,
    /// Chance of unjudged documents.
    pub chance: f64,
    /// The model's error.
    pub fit: f64,
    /// Calibration.
    pub judges: f64,
    /// Our own draws.
    pub monte_carlo: f64,
}

impl Variances {
    /// Both of the model's error and the topics': the most it can be (Cauchy and Schwarz).
    pub fn interaction(&self) -> f64 {
        2.0 * (self.topics * self.fit).sqrt()
    }

    /// Root of the sum.
    pub fn std_error(&self) -> f64 {
        (self.topics + self.chance + self.fit + self.interaction() + self.judges + self.monte_carlo).sqrt()
    }
}

/// What effort does to one interval.
#[derive(Debug, Clone, PartialEq)]
pub struct Outlook {
    pub(super) level: f64,
    pub(super) quantiles: Quantiles,
    /// Topics, and the variance of their expected scores.
    pub(super) count: u64,
    pub(super) spread: f64,
    pub(super) monte_carlo: f64,
    /// After 0, 1, 2, ... of the judgements advised.
    pub(super) steps: Steps,
    /// Gold labels behind the calibration; 0 without one.
    pub(super) gold: u64,
    /// The variance that new gold labels are planned with, over the one that was estimated.
    pub(super) gold_unsure: f64,
}

impl Outlook {
    /// Topics there are.
    pub fn topics(&self) -> u64 {
        self.count
    }

    /// Documents that can be judged.
    pub fn documents(&self) -> usize {
        self.steps.last
    }

    /// Gold labels there are; `None` where nothing is corrected.
    pub fn gold(&self) -> Option<u64> {
        (self.gold > 0).then_some(self.gold)
    }

    /// The quantile of the Normal.
    pub(super) fn z(&self) -> f64 {
        self.quantiles.z
    }

    /// The parts after that.
    pub fn after(&self, effort: Effort) -> Variances {
        let (step, start) = (self.steps.at(effort.judgements), self.steps.at(0));
        let (now, new) = (self.count as f64, effort.topics as f64);
        let all = now + new;
        let mean = |of: f64, from: f64| (of + new * from / now) / all;
        // The variance of what refits say of the present topics and, for each new one, of a present one on average.
        let each = new / now;
        let fit = step.fit.own + 2.0 * each * step.fit.whole + each * each * start.fit.own;
        let unsure = self.quantiles.unsure;
        Variances {
            topics: (now * self.spread + step.shown + new * unsure * unsure * self.spread) / (all * all),
            chance: mean(step.open, start.open) / all,
            fit: fit.max(0.0) / (all * all) * now / all,
            judges: step.judges * self.judges_left(effort.gold as f64),
            monte_carlo: self.monte_carlo * now / all,
        }
    }

    /// What so many new labels leave of the variance from the calibration: N(N + ug)/(N + g)².
    fn judges_left(&self, new: f64) -> f64 {
        let have = self.gold as f64;
        if have == 0.0 { 1.0 } else { have * (have + self.gold_unsure * new) / ((have + new) * (have + new)) }
    }

    /// New labels that bring the variance from the calibration from `now` down to `room`, before rounding: the larger root of
    /// room x² − now N u x + now N² (u − 1) = 0 in x = N + g.
    pub(super) fn labels(&self, now: f64, room: f64) -> f64 {
        let (have, unsure) = (self.gold as f64, self.gold_unsure);
        let middle = now * have * unsure;
        let under = (middle * middle - 4.0 * room * now * have * have * (unsure - 1.0)).max(0.0);
        (middle + under.sqrt()) / (2.0 * room) - have
    }

    /// Half the interval after that: Student's t for the topics, with the model's error added, then the rest as roots of sums of squares.
    pub fn half_width(&self, effort: Effort) -> f64 {
        self.without_gold(effort).hypot(self.z() * self.after(effort).judges.sqrt())
    }

    /// The same but for the calibration.
    pub(super) fn without_gold(&self, effort: Effort) -> f64 {
        let (z, parts) = (self.z(), self.after(effort));
        let factor = if effort.topics == 0 {
            self.quantiles.t
        } else {
            factor(self.count + effort.topics, self.level) / self.quantiles.expected
        };
        let topics = factor * parts.topics.sqrt();
        (topics + z * parts.fit.sqrt()).hypot(z * (parts.chance + parts.monte_carlo).sqrt())
    }
}

/// What depends on the level and the number of present topics alone.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Quantiles {
    /// Of the Normal.
    z: f64,
    /// Of Student's t.
    t: f64,
    /// What a sample's standard deviation is on average (c₄).
    expected: f64,
    /// The mean of σ/s.
    unsure: f64,
}

impl Quantiles {
    pub(super) fn new(level: f64, topics: u64) -> Quantiles {
        let tail = (1.0 - level) / 2.0;
        let t = student_t::upper_quantile(tail, topics as f64 - 1.0).unwrap_or(0.0);
        Quantiles {
            z: normal::upper_quantile(tail).unwrap_or(0.0),
            t,
            expected: factor(topics, level) / t,
            unsure: inverse_spread(topics as f64 - 1.0),
        }
    }
}

/// Student's quantile times what a sample's standard deviation is on average.
fn factor(topics: u64, level: f64) -> f64 {
    let topics = topics.min(power::MOST_TOPICS);
    power::half_width(topics, 1.0, level).unwrap_or(0.0) * (topics as f64).sqrt()
}

/// The mean of σ/s over normal samples: √(df/2) Γ((df − 1)/2) / Γ(df/2). With one degree of freedom it has none; then as with two.
fn inverse_spread(df: f64) -> f64 {
    let df = df.max(2.0);
    (df / 2.0).sqrt() * libm::exp(libm::lgamma((df - 1.0) / 2.0) - libm::lgamma(df / 2.0))
}

/// Covariance of two things that were computed without each of G groups of topics.
fn jackknife(one: &[f64], other: &[f64]) -> f64 {
    let count = one.len() as f64;
    let mean = |of: &[f64]| of.iter().sum::<f64>() / count.max(1.0);
    let means = (mean(one), mean(other));
    let products: f64 = one.iter().zip(other).map(|(one, other)| (one - means.0) * (other - means.1)).sum();
    if one.is_empty() { 0.0 } else { (count - 1.0) / count * products }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Four topics with s² = .04; two documents of variance .02 and .01 that are all there is to judge; no model's error; J = .0009 of 100 labels.
    fn outlook() -> Outlook {
        let step = |open, shown| Step { open, shown, fit: Fit::default(), judges: 0.0009 };
        Outlook {
            level: 0.95,
            quantiles: Quantiles::new(0.95, 4),
            count: 4,
            spread: 0.04,
            monte_carlo: 0.0,
            steps: Steps { kept: vec![step(0.03, 0.0), step(0.01, 0.02), step(0.0, 0.03)], last: 2 },
            gold: 100,
            gold_unsure: 1.0,
        }
    }

    #[test]
    fn parts_by_hand() {
        let outlook = outlook();
        let now = outlook.after(Effort::default());
        // .04/4; .03/16.
        assert!((now.topics - 0.01).abs() < 1e-15 && (now.chance - 0.001875).abs() < 1e-15 && now.judges == 0.0009);
        // t(.975, 3) = 3.182446: hypot(.3182446, 1.959964 · √(.001875 + .0009)).
        let expected = 0.318_244_6f64.hypot(1.959_964 * (0.001_875f64 + 0.0009).sqrt());
        assert!((outlook.half_width(Effort::default()) - expected).abs() < 1e-6);
        // One judgement: .02/16 goes from one part to the other.
        let one = outlook.after(Effort { judgements: 1, ..Effort::default() });
        assert!((one.topics - 0.01125).abs() < 1e-15 && (one.chance - 0.000625).abs() < 1e-15);
        // A hundred gold labels halve J; more judgements than there are documents are all of them.
        let more = outlook.after(Effort { judgements: 9, gold: 100, ..Effort::default() });
        assert!((more.judges - 0.00045).abs() < 1e-15 && more.chance == 0.0);
        // Four new topics like these: v̄ = .0075 each, .06/64; s² of the new ones times E[σ/s]² with 3 degrees of freedom: √1.5 Γ(1)/Γ(1.5) =
        // 1.3819766, squared 6/π.
        let eight = outlook.after(Effort { topics: 4, ..Effort::default() });
        assert!((eight.chance - 0.06 / 64.0).abs() < 1e-15);
        let spread = 0.04 * (4.0 + 4.0 * 6.0 / std::f64::consts::PI) / 64.0;
        assert!((eight.topics - spread).abs() < 1e-12, "{} {spread}", eight.topics);
    }

    #[test]
    fn labels_planned_with_doubt() {
        // u = 1.2: 100 more leave 100(100 + 120)/200² = .55 of J, not a half; 100 are what brings .0009 to .55 · .0009.
        let outlook = Outlook { gold_unsure: 1.2, ..outlook() };
        assert!((outlook.judges_left(100.0) - 0.55).abs() < 1e-15 && outlook.judges_left(0.0) == 1.0);
        assert!((outlook.labels(0.0009, 0.55 * 0.0009) - 100.0).abs() < 1e-9);
    }

    #[test]
    fn the_models_error_goes_with_what_it_says() {
        // Refits say 1 and 3 of all open documents, 0 and 1 after one judgement: with G = 2 half of the sum of squares 2 is 1 over 4² topics; then
        // 1/2 · 1/2 = .25 over 16.
        let step = |refits: [f64; 2]| Step { fit: Fit::new(&refits, &[1.0, 3.0]), ..Step::default() };
        let outlook = Outlook { steps: Steps { kept: vec![step([1.0, 3.0]), step([0.0, 1.0])], last: 1 }, ..outlook() };
        let fit = |judgements| outlook.after(Effort { judgements, ..Effort::default() }).fit;
        assert!((fit(0) - 1.0 / 16.0).abs() < 1e-15 && (fit(1) - 0.25 / 16.0).abs() < 1e-15);
        // Twice the topics, each with the same said of it: the same error of the mean, from twice the data.
        assert!((outlook.after(Effort { topics: 4, ..Effort::default() }).fit - 1.0 / 32.0).abs() < 1e-15);
    }

    #[test]
    fn steps_that_are_not_kept_lie_between_those_that_are() {
        // The step after k judgements has k open: a line, so that what lies between is exact.
        let last = Steps::DENSE + 3 * Steps::EVERY + 7;
        let mut steps = Steps::new(last);
        for at in (0..=last).filter(|&at| Steps::new(last).keeps(at)) {
            steps.push(Step { open: at as f64, ..Step::default() });
        }
        for at in [0, 1, Steps::DENSE, Steps::DENSE + 1, Steps::DENSE + Steps::EVERY, last - 8, last - 1, last] {
            assert!((steps.at(at).open - at as f64).abs() < 1e-9, "{at} {:?}", steps.at(at));
        }
        assert_eq!(steps.at(last + 9).open, last as f64);
    }
}
