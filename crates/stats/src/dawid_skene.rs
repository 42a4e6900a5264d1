//! Merging labels of judges without gold: the model of Dawid and Skene (1979).
//!
//! Every item has a true category, every judge a matrix of error rates; both are found by expectation maximisation. The one
//! decision: the expectation of one round and the maximisation of the next go through the labels once, in the order of the items,
//! and logarithms are taken per judge and category, not per label. One order of additions, so one answer.
//!
//! Without smoothing and from the majority's shares the rounds are those of crowd-kit 1.4. What the paper leaves open is said in
//! [`Options`]. Known labels can be clamped; several starts guard against a poor optimum.

use std::fmt;

use crate::agreement::Labels;
use crate::matrix::Matrix;
use crate::seed::Seed;

/// Sums of probabilities and priors below this are taken as this, so that logarithms exist.
const LEAST: f64 = 1e-10;

/// How it is fitted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Dirichlet smoothing: so many labels are added to every cell of every judge's matrix. 0 is maximum likelihood.
    pub smoothing: f64,
    /// Starts: the first from the share of each label among an item's, the others from that share mixed with random numbers.
    pub starts: u32,
    /// Rounds at most.
    pub rounds: u32,
    /// Stop when the log likelihood for each label rises by less.
    pub tolerance: f64,
    /// Of the random starts.
    pub seed: Seed,
}

impl Default for Options {
    fn default() -> Options {
        Options { smoothing: 0.01, starts: 5, rounds: 500, tolerance: 1e-9, seed: Seed(1) }
    }
}

/// What was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Fitted {
    categories: usize,
    /// Item by item, the probability of each category.
    probabilities: Vec<f64>,
    /// Share of each category.
    pub priors: Vec<f64>,
    /// By judge: the probability of each label (column) given the true category (row).
    pub errors: Vec<Matrix>,
    /// Logarithm of the probability of all labels.
    pub log_likelihood: f64,
    /// The log likelihood of every start.
    pub starts: Vec<f64>,
    /// Rounds of the best start.
    pub rounds: u32,
    /// Whether it stopped by itself.
    pub converged: bool,
}

impl Fitted {
    /// The probability of each category for an item.
    pub fn probabilities(&self, item: usize) -> &[f64] {
        &self.probabilities[item * self.categories..(item + 1) * self.categories]
    }

    /// The most probable category of an item (the lowest of equals) and its probability: how sure the label is.
    pub fn label(&self, item: usize) -> (usize, f64) {
        let best = |best: (usize, f64), (at, &p): (usize, &f64)| if p > best.1 { (at, p) } else { best };
        self.probabilities(item).iter().enumerate().fold((0, 0.0), best)
    }
}

/// Why nothing was fitted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NoFit {
    /// No label at all.
    NoLabels,
    /// Fewer than two judges.
    OneJudge,
    /// Fewer than two categories.
    OneCategory,
    /// Smoothing is negative or not finite, or there are no starts or rounds.
    Options,
    /// A known label is not a category, or there are more of them than items.
    Gold,
}

impl fmt::Display for NoFit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NoFit::NoLabels => "there are no labels to merge",
            NoFit::OneJudge => "there is only one judge; at least two are needed to estimate errors",
            NoFit::OneCategory => "the scale has one grade only, so there is nothing to find out",
            NoFit::Options => "expected smoothing from 0, and at least one start and one round",
            NoFit::Gold => "a known label is not of the scale, or of no item",
        })
    }
}

impl std::error::Error for NoFit {}

/// Fits the model. `gold` holds known categories by item, and may be shorter than the items.
///
/// # Errors
/// There is nothing to fit, or the options make no sense.
pub fn fit(labels: &Labels, gold: &[Option<u16>], options: &Options) -> Result<Fitted, NoFit> {
    let k = labels.scale().len();
    if k < 2 {
        return Err(NoFit::OneCategory);
    }
    if !(options.smoothing.is_finite() && options.smoothing >= 0.0) || options.starts == 0 || options.rounds == 0 {
        return Err(NoFit::Options);
    }
    if gold.len() > labels.items() || gold.iter().flatten().any(|&category| usize::from(category) >= k) {
        return Err(NoFit::Gold);
    }
    let total: usize = (0..labels.items()).map(|item| labels.of(item).len()).sum();
    if total == 0 {
        return Err(NoFit::NoLabels);
    }
    if labels.judges() < 2 {
        return Err(NoFit::OneJudge);
    }
    let work = Work::new(labels, gold, options, total);
    let mut all = Vec::with_capacity(options.starts as usize);
    let mut best: Option<Fitted> = None;
    for start in 0..options.starts {
        let fitted = work.climb(start);
        all.push(fitted.log_likelihood);
        // Strictly better, so that the plain start wins ties.
        let slack = 1e-9 * fitted.log_likelihood.abs();
        if best.as_ref().is_none_or(|best| fitted.log_likelihood > best.log_likelihood + slack) {
            best = Some(fitted);
        }
    }
    best.map(|best| Fitted { starts: all, ..best }).ok_or(NoFit::Options)
}

struct Work<'a> {
    labels: &'a Labels,
    gold: &'a [Option<u16>],
    options: &'a Options,
    k: usize,
    total: f64,
    /// Items with a label.
    labelled: f64,
    /// Whether a judge ever gave a category: one who never did has no cell for it.
    given: Vec<bool>,
}

impl Work<'_> {
    fn new<'a>(labels: &'a Labels, gold: &'a [Option<u16>], options: &'a Options, total: usize) -> Work<'a> {
        let k = labels.scale().len();
        let mut given = vec![false; labels.judges() * k];
        let mut labelled = 0.0;
        for item in 0..labels.items() {
            labels
                .of(item)
                .iter()
                .for_each(|&(judge, category)| given[judge as usize * k + usize::from(category)] = true);
            labelled += f64::from(u8::from(!labels.of(item).is_empty()));
        }
        Work { labels, gold, options, k, total: total as f64, labelled, given }
    }

    /// Rounds from one start until nothing is gained.
    fn climb(&self, start: u32) -> Fitted {
        let k = self.k;
        let mut probabilities = self.begin(start);
        let mut sums = self.sums(&probabilities);
        let (mut last, mut rounds, mut converged) = (f64::NEG_INFINITY, 0, false);
        let (mut priors, mut errors) = self.maximise(&sums);
        let mut log_likelihood = last;
        while rounds < self.options.rounds && !converged {
            karat_runtime::check();
            (log_likelihood, sums) = self.round(&priors, &errors, &mut probabilities);
            (priors, errors) = self.maximise(&sums);
            rounds += 1;
            converged = (log_likelihood - last) / self.total < self.options.tolerance;
            last = log_likelihood;
        }
        let judge = |judge: usize| Matrix::from_fn(k, |truth, label| errors[(judge * k + label) * k + truth]);
        Fitted {
            categories: k,
            probabilities,
            priors,
            errors: (0..self.labels.judges()).map(judge).collect(),
            log_likelihood,
            starts: Vec::new(),
            rounds,
            converged,
        }
    }

    /// Shares of the labels of each item; mixed half and half with random shares from the second start on.
    fn begin(&self, start: u32) -> Vec<f64> {
        let k = self.k;
        let mut stream = self.options.seed.stream("dawid-skene", u64::from(start));
        let mut probabilities = vec![0.0; self.labels.items() * k];
        for (item, chances) in probabilities.chunks_exact_mut(k).enumerate() {
            let given = self.labels.of(item);
            given.iter().for_each(|label| chances[usize::from(label.1)] += 1.0 / given.len() as f64);
            if start > 0 {
                let random: Vec<f64> = (0..k).map(|_| stream.unit() + LEAST).collect();
                let all: f64 = random.iter().sum();
                chances.iter_mut().zip(random).for_each(|(chance, random)| *chance = (*chance + random / all) / 2.0);
            }
            self.clamp(item, chances);
        }
        probabilities
    }

    fn clamp(&self, item: usize, chances: &mut [f64]) {
        if let Some(Some(known)) = self.gold.get(item) {
            chances.fill(0.0);
            chances[usize::from(*known)] = 1.0;
        }
    }

    /// Expected counts: by judge, label and true category; then by category.
    fn sums(&self, probabilities: &[f64]) -> Sums {
        let k = self.k;
        let mut sums = Sums { cells: vec![0.0; self.labels.judges() * k * k], categories: vec![0.0; k] };
        for (item, chances) in probabilities.chunks_exact(k).enumerate() {
            sums.add(self.labels.of(item), chances, k);
        }
        sums
    }

    /// Priors and error rates from expected counts.
    fn maximise(&self, sums: &Sums) -> (Vec<f64>, Vec<f64>) {
        let k = self.k;
        let priors = sums.categories.iter().map(|sum| (sum / self.labelled).max(LEAST)).collect();
        let mut errors = vec![0.0; sums.cells.len()];
        let smoothing = self.options.smoothing;
        for judge in 0..self.labels.judges() {
            for truth in 0..k {
                let mut total = 0.0;
                for label in 0..k {
                    let cell = (judge * k + label) * k + truth;
                    let known = smoothing > 0.0 || self.given[judge * k + label];
                    errors[cell] = if known { (sums.cells[cell] + smoothing).max(LEAST) } else { 0.0 };
                    total += errors[cell];
                }
                if total > 0.0 {
                    (0..k).for_each(|label| errors[(judge * k + label) * k + truth] /= total);
                }
            }
        }
        (priors, errors)
    }

    /// Expectation, and the expected counts it gives; also the log likelihood of the rates that went in.
    fn round(&self, priors: &[f64], errors: &[f64], probabilities: &mut [f64]) -> (f64, Sums) {
        let k = self.k;
        // A cell that was never given is never looked up; its logarithm need only exist.
        let logs: Vec<f64> = errors.iter().map(|&rate| libm::log(rate.max(f64::MIN_POSITIVE))).collect();
        let prior_logs: Vec<f64> = priors.iter().map(|&prior| libm::log(prior)).collect();
        let mut sums = Sums { cells: vec![0.0; errors.len()], categories: vec![0.0; k] };
        let mut log_likelihood = 0.0;
        for (item, chances) in probabilities.chunks_exact_mut(k).enumerate() {
            let given = self.labels.of(item);
            if given.is_empty() {
                continue;
            }
            chances.copy_from_slice(&prior_logs);
            for &(judge, label) in given {
                let at = (judge as usize * k + usize::from(label)) * k;
                chances.iter_mut().zip(&logs[at..at + k]).for_each(|(sum, log)| *sum += log);
            }
            if let Some(Some(known)) = self.gold.get(item) {
                log_likelihood += chances[usize::from(*known)];
                self.clamp(item, chances);
            } else {
                let most = chances.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                let mut all = 0.0;
                for chance in chances.iter_mut() {
                    *chance = libm::exp(*chance - most);
                    all += *chance;
                }
                chances.iter_mut().for_each(|chance| *chance /= all);
                log_likelihood += most + libm::log(all);
            }
            sums.add(given, chances, k);
        }
        (log_likelihood, sums)
    }
}

struct Sums {
    cells: Vec<f64>,
    categories: Vec<f64>,
}

impl Sums {
    #[inline]
    fn add(&mut self, given: &[(u32, u16)], chances: &[f64], k: usize) {
        if given.is_empty() {
            return;
        }
        self.categories.iter_mut().zip(chances).for_each(|(sum, chance)| *sum += chance);
        for &(judge, label) in given {
            let at = (judge as usize * k + usize::from(label)) * k;
            self.cells[at..at + k].iter_mut().zip(chances).for_each(|(sum, chance)| *sum += chance);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(rounds: u32) -> Options {
        Options { smoothing: 0.0, starts: 1, rounds, tolerance: f64::NEG_INFINITY, seed: Seed(1) }
    }

    #[test]
    fn one_round_by_hand() {
        // Two judges, items 11, 00, 01. Start: item 3 is half and half. Priors (1.5, 1.5)/3. Judge 0 gave 1, 0, 0; truth 0 weighs
        // 0, 1, ½: P(0 | 0) = 1.5/1.5 = 1, P(1 | 0) ≈ 0 (1e-10/1.5); truth 1 weighs 1, 0, ½: P(1 | 1) = 2/3, P(0 | 1) = 1/3. Judge 1
        // gave 1, 0, 1: mirrored, P(0 | 0) = 2/3, P(1 | 0) = 1/3, P(1 | 1) = 1. Item 3: truth 0: 1 · 1/3, truth 1: 1/3 · 1. Still half.
        // Item 1: truth 1: 2/3 · 1, truth 0 nearly nothing.
        let mut labels = Labels::new(&[0.0, 1.0], 2).unwrap();
        for [a, b] in [[1.0, 1.0], [0.0, 0.0], [0.0, 1.0]] {
            labels.push([(0, a), (1, b)]).unwrap();
        }
        let found = fit(&labels, &[], &plain(1)).unwrap();
        assert!((found.probabilities(2)[0] - 0.5).abs() < 1e-12 && found.probabilities(0)[1] > 1.0 - 1e-9);
        // log likelihood: ½ · 2/3 twice, and ½ · 1/3 + ½ · 1/3.
        assert!((found.log_likelihood - 3.0 * (1.0f64 / 3.0).ln()).abs() < 1e-8, "{}", found.log_likelihood);
        // Known to be 0: then judge 1 was wrong about it, by half of what he says of 0.
        let known = fit(&labels, &[None, None, Some(0)], &plain(50)).unwrap();
        assert_eq!(known.probabilities(2), [1.0, 0.0]);
        assert!((known.errors[1][(0, 1)] - 0.5).abs() < 1e-6 && (known.errors[0][(0, 0)] - 1.0).abs() < 1e-6);
    }

    /// Judges of known quality, so that what is found can be checked.
    fn world(accuracies: &[f64], items: usize) -> (Labels, Vec<usize>) {
        let mut stream = Seed(4).stream("world", 0);
        let mut labels = Labels::new(&[0.0, 1.0, 2.0], accuracies.len()).unwrap();
        let mut truths = Vec::new();
        for _ in 0..items {
            let truth = stream.below(3);
            truths.push(truth as usize);
            let mut given = Vec::new();
            for (judge, &accuracy) in accuracies.iter().enumerate() {
                if stream.unit() < 0.8 {
                    let right = stream.unit() < accuracy;
                    given.push((judge, if right { truth } else { (truth + 1 + stream.below(2)) % 3 } as f64));
                }
            }
            labels.push(given).unwrap();
        }
        (labels, truths)
    }

    #[test]
    fn good_judges_are_told_from_bad_ones() {
        let accuracies = [0.9, 0.85, 0.5, 0.4, 0.45];
        let (labels, truths) = world(&accuracies, 3000);
        let found = fit(&labels, &[], &Options::default()).unwrap();
        assert!(found.converged && found.starts.len() == 5);
        for (judge, accuracy) in accuracies.iter().enumerate() {
            let mean = (0..3).map(|category| found.errors[judge][(category, category)]).sum::<f64>() / 3.0;
            assert!((mean - accuracy).abs() < 0.04, "{judge}: {mean}");
        }
        let right = |label: &dyn Fn(usize) -> Option<f64>| {
            truths.iter().enumerate().filter(|(item, truth)| label(*item) == Some(**truth as f64)).count()
        };
        let vote = |item: usize| {
            let mut grades: Vec<f64> = labels.of(item).iter().map(|label| f64::from(label.1)).collect();
            (crate::merge::rule("majority_low").unwrap().merge)(&mut grades).ok()
        };
        let (by_model, by_vote) = (right(&|item| Some(found.label(item).0 as f64)), right(&vote));
        assert!(by_model > by_vote + 100, "{by_model} {by_vote}");
        // Confidence is honest: of labels with a mean confidence c, a share c is right.
        let confidence: f64 = (0..3000).map(|item| found.label(item).1).sum::<f64>() / 3000.0;
        assert!((confidence - by_model as f64 / 3000.0).abs() < 0.03, "{confidence} {by_model}");
    }

    #[test]
    fn the_log_likelihood_never_falls() {
        let (labels, _) = world(&[0.8, 0.6, 0.5], 200);
        let at = |rounds| fit(&labels, &[], &plain(rounds)).unwrap().log_likelihood;
        let course: Vec<f64> = (1..30).map(at).collect();
        assert!(course.windows(2).all(|pair| pair[1] >= pair[0] - 1e-9), "{course:?}");
    }

    #[test]
    fn refusals() {
        let empty = Labels::new(&[0.0, 1.0], 2).unwrap();
        assert_eq!(fit(&empty, &[], &Options::default()), Err(NoFit::NoLabels));
        let mut one = Labels::new(&[0.0], 2).unwrap();
        one.push([(0, 0.0)]).unwrap();
        assert_eq!(fit(&one, &[], &Options::default()), Err(NoFit::OneCategory));
        let (labels, _) = world(&[0.8], 3);
        assert_eq!(fit(&labels, &[], &Options::default()), Err(NoFit::OneJudge));
        assert_eq!(fit(&labels, &[Some(3)], &Options::default()), Err(NoFit::Gold));
        assert_eq!(fit(&labels, &[None; 4], &Options::default()), Err(NoFit::Gold));
        assert_eq!(fit(&labels, &[], &Options { smoothing: -1.0, ..Options::default() }), Err(NoFit::Options));
        assert_eq!(fit(&labels, &[], &Options { starts: 0, ..Options::default() }), Err(NoFit::Options));
    }
}
