//! Judges with known error rates: observed and corrected scores (noisy judgements, algorithm 2).
//!
//! The one decision: a query's P@k is drawn as one number. Given the truth at a rank, bronze calls it relevant with probability
//! g m_R + (1 − g)(1 − m_N) whatever the other ranks are, so the count of a query is a sum of k independent trials, whose exact
//! distribution is tabled once. [`literal`](JudgesWorld::literal) draws gold labels and errors one by one as the algorithm is
//! printed; a test holds the two to one distribution.

use std::fmt;

use karat_stats::Seed;
use karat_stats::dist::{OutOfRange, discrete::Discrete, normal};
use karat_stats::judge_error::{Calibration, Corrected, Observed, Summary, by_counts, compare};
use karat_stats::seed::Stream;

use karat_runtime::jobs::in_order;

/// Runs in a batch, which has a stream of its own.
const BATCH: u32 = 256;

/// A world with a known truth.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgesWorld {
    /// The chance that the document at each rank is relevant.
    pub truth: Vec<f64>,
    /// m_R: the chance that bronze sees a relevant document as such.
    pub relevant: f64,
    /// m_N: the same for one that is not relevant.
    pub nonrelevant: f64,
    /// n_R and n_N: pairs with which the rates are estimated.
    pub pairs: (u64, u64),
    /// Queries of a run.
    pub queries: u32,
}

/// Numbers that make no world.
#[derive(Clone, Debug, PartialEq)]
pub enum JudgesError {
    /// A number outside its range.
    OutOfRange {
        /// What it is.
        what: &'static str,
        /// What was given.
        found: f64,
        /// What is expected.
        expected: &'static str,
    },
}

impl fmt::Display for JudgesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let JudgesError::OutOfRange { what, found, expected } = self;
        write!(f, "{what} is {found}; expected {expected}")
    }
}

impl std::error::Error for JudgesError {}

impl From<OutOfRange> for JudgesError {
    fn from(error: OutOfRange) -> Self {
        JudgesError::OutOfRange { what: error.argument, found: error.found, expected: error.legal }
    }
}

/// What came out over all runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Simulated {
    /// Runs.
    pub runs: u32,
    /// Mean and standard deviation of what bronze judges gave.
    pub naive: (f64, f64),
    /// The same of the corrected scores, over runs that have one.
    pub corrected: (f64, f64),
    /// Mean of the standard errors told (equation 7).
    pub std_error: f64,
    /// Runs whose naive interval holds the truth.
    pub naive_covered: u32,
    /// Runs whose corrected interval holds it.
    pub corrected_covered: u32,
    /// Runs without a corrected score, because D was not above 0.
    pub without: u32,
    /// Runs whose corrected score lies outside 0 to 1.
    pub impossible: u32,
}

/// One run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Run {
    /// Mean P@k over queries by bronze labels.
    pub score: f64,
    /// Standard deviation of P@k over queries.
    pub sd: f64,
    /// The corrected score, where there is one.
    pub corrected: Option<Corrected>,
}

impl JudgesWorld {
    /// The paper's section 5: ranks .49, .47, ..., .31 (P@10 = .4), m_R = .9, m_N = .8, 250 pairs each, 50 queries.
    pub fn paper() -> JudgesWorld {
        let truth = (0..10).map(|rank| f64::from(49 - 2 * rank) / 100.0).collect();
        JudgesWorld { truth, relevant: 0.9, nonrelevant: 0.8, pairs: (250, 250), queries: 50 }
    }

    /// The true P@k.
    pub fn true_score(&self) -> f64 {
        self.truth.iter().sum::<f64>() / self.truth.len() as f64
    }

    /// What bronze labels give in the long run (equation 3).
    pub fn naive_score(&self) -> f64 {
        let true_score = self.true_score();
        true_score * self.relevant + (1.0 - true_score) * (1.0 - self.nonrelevant)
    }

    /// Checks the numbers and tables the distributions.
    ///
    /// # Errors
    /// A number outside its range.
    pub fn prepare(&self) -> Result<Prepared, JudgesError> {
        let wrong = |what, found, expected| Err(JudgesError::OutOfRange { what, found, expected });
        let chance = |value: f64| (0.0..=1.0).contains(&value);
        if let Some(&bad) = self.truth.iter().find(|truth| !chance(**truth)) {
            return wrong("the chance that a rank is relevant", bad, "a number from 0 to 1");
        }
        if self.truth.is_empty() || self.truth.len() > 1000 {
            return wrong("number of ranks", self.truth.len() as f64, "1 to 1000");
        }
        for (what, value) in [("m_R", self.relevant), ("m_N", self.nonrelevant)] {
            if !chance(value) {
                return wrong(what, value, "a number from 0 to 1");
            }
        }
        if self.relevant + self.nonrelevant <= 1.0 {
            let expected = "more than 1: judges below that are no better than a coin, and nothing can be corrected";
            return wrong("m_R + m_N", self.relevant + self.nonrelevant, expected);
        }
        for (what, pairs) in [("relevant pairs", self.pairs.0), ("non-relevant pairs", self.pairs.1)] {
            if !(1..=10_000_000).contains(&pairs) {
                return wrong(what, pairs as f64, "1 to 10 million");
            }
        }
        if self.queries < 2 {
            return wrong("number of queries", f64::from(self.queries), "at least 2");
        }
        let seen = |truth: &f64| truth * self.relevant + (1.0 - truth) * (1.0 - self.nonrelevant);
        let seen: Vec<f64> = self.truth.iter().map(seen).collect();
        Ok(Prepared {
            hits: Discrete::successes(&seen)?,
            relevant: Discrete::binomial(self.pairs.0, self.relevant)?,
            nonrelevant: Discrete::binomial(self.pairs.1, self.nonrelevant)?,
            world: self.clone(),
        })
    }

    /// Simulates so many runs; intervals have this level. `threads` only changes how long it takes.
    ///
    /// # Errors
    /// A number outside its range.
    pub fn simulate(&self, runs: u32, level: f64, seed: Seed, threads: usize) -> Result<Simulated, JudgesError> {
        let prepared = self.prepare()?;
        let z = normal::quantile(0.5 + level / 2.0)?;
        let truth = self.true_score();
        let streams = seed.streams("judges");
        let batches = runs.div_ceil(BATCH) as usize;
        let sums = in_order(batches, threads, |batch| {
            let mut stream = streams.at(batch as u64);
            let size = BATCH.min(runs - batch as u32 * BATCH);
            let mut sums = Sums::default();
            (0..size).for_each(|_| sums.add(&prepared.run(&mut stream), truth, z, self.queries));
            sums
        });
        Ok(sums.into_iter().fold(Sums::default(), Sums::plus).told(runs, truth))
    }

    /// Algorithm 2 as printed, for one run: gold labels, errors one by one, the calibration.
    pub fn literal(&self, stream: &mut Stream) -> Run {
        let k = self.truth.len();
        let mut hits = Vec::with_capacity(self.queries as usize);
        for _ in 0..self.queries {
            let mut count = 0;
            for truth in &self.truth {
                let gold = stream.unit() < *truth;
                let right = stream.unit() < if gold { self.relevant } else { self.nonrelevant };
                count += u64::from(gold == right);
            }
            hits.push(count);
        }
        let mut agreed = |pairs: u64, rate: f64| (0..pairs).filter(|_| stream.unit() < rate).count() as u64;
        let (relevant, nonrelevant) = (agreed(self.pairs.0, self.relevant), agreed(self.pairs.1, self.nonrelevant));
        let (sum, squares) = hits.iter().fold((0, 0), |(sum, squares), hit| (sum + hit, squares + hit * hit));
        finish(sum, squares, u64::from(self.queries), k as f64, (relevant, self.pairs.0), (nonrelevant, self.pairs.1))
    }
}

/// A world with its distributions tabled.
#[derive(Clone, Debug)]
pub struct Prepared {
    world: JudgesWorld,
    hits: Discrete,
    relevant: Discrete,
    nonrelevant: Discrete,
}

impl Prepared {
    /// One run.
    pub fn run(&self, stream: &mut Stream) -> Run {
        let (sum, squares) = self.observe(stream);
        let (relevant, nonrelevant) = self.calibrate(stream);
        let k = self.world.truth.len() as f64;
        finish(sum, squares, u64::from(self.world.queries), k, relevant, nonrelevant)
    }

    /// Mean and standard deviation over queries of P@k by bronze labels, as a summary.
    pub fn summary(&self, stream: &mut Stream) -> Summary {
        let (sum, squares) = self.observe(stream);
        summary(sum, squares, u64::from(self.world.queries), self.world.truth.len() as f64)
    }

    /// A calibration sample: agreements and pairs among the relevant, and among the others.
    pub fn calibrate(&self, stream: &mut Stream) -> ((u64, u64), (u64, u64)) {
        let (of_relevant, of_other) = self.world.pairs;
        ((self.relevant.draw(stream), of_relevant), (self.nonrelevant.draw(stream), of_other))
    }

    /// Sum and sum of squares of the queries' counts.
    fn observe(&self, stream: &mut Stream) -> (u64, u64) {
        let (mut sum, mut squares) = (0, 0);
        for _ in 0..self.world.queries / 2 {
            let (a, b) = self.hits.draw_pair(stream);
            sum += a + b;
            squares += a * a + b * b;
        }
        if self.world.queries % 2 == 1 {
            let (a, _) = self.hits.draw_pair(stream);
            sum += a;
            squares += a * a;
        }
        (sum, squares)
    }
}

/// Shares of false positives: two worlds, compared again and again at the 5 % level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FalsePositives {
    /// Bronze taken at its word.
    pub naive: f64,
    /// The calibration's error added for each system (the paper's equation 10).
    pub independent: f64,
    /// The calibration's error shared; `None` where each system has a calibration of its own.
    pub shared: Option<f64>,
    /// Comparisons made.
    pub compared: u32,
}

/// Compares systems of two worlds, which should have the same truth, `runs` times: with one calibration for both, drawn from the
/// first world's judges, or with one for each.
///
/// # Errors
/// A number outside its range.
pub fn false_positives(
    first: &JudgesWorld,
    second: &JudgesWorld,
    one_calibration: bool,
    runs: u32,
    seed: Seed,
) -> Result<FalsePositives, JudgesError> {
    let (first, second) = (first.prepare()?, second.prepare()?);
    let streams = seed.streams("false positives");
    let (mut found, mut compared) = ([0u32; 3], 0);
    for run in 0..runs {
        let mut stream = streams.at(u64::from(run));
        let observed = Observed { a: first.summary(&mut stream), b: second.summary(&mut stream), paired_sd: None };
        let mut calibrate = |world: &Prepared| {
            let (relevant, nonrelevant) = world.calibrate(&mut stream);
            Calibration::binary(relevant, nonrelevant).ok()
        };
        let (calibration, own) = (calibrate(&first), calibrate(&second).filter(|_| !one_calibration));
        let answer = calibration.and_then(|calibration| compare(&observed, &calibration, own.as_ref()).ok());
        let Some(answer) = answer else { continue };
        compared += 1;
        let p_values = [answer.naive.p, answer.independent.p, answer.shared.map_or(1.0, |shared| shared.p)];
        found.iter_mut().zip(p_values).for_each(|(count, p)| *count += u32::from(p < 0.05));
    }
    let [naive, independent, shared] = found.map(|count| f64::from(count) / f64::from(compared.max(1)));
    Ok(FalsePositives { naive, independent, shared: one_calibration.then_some(shared), compared })
}

/// Whole numbers until the last step, so that the variance loses no digits.
fn summary(sum: u64, squares: u64, n: u64, k: f64) -> Summary {
    let deviations = (n * squares - sum * sum) as f64 / (n as f64 * (n - 1) as f64);
    Summary { score: sum as f64 / (n as f64 * k), sd: Some(deviations.sqrt() / k), n, weight: 1.0 }
}

fn finish(sum: u64, squares: u64, n: u64, k: f64, relevant: (u64, u64), nonrelevant: (u64, u64)) -> Run {
    let summary = summary(sum, squares, n, k);
    let corrected = by_counts(summary, relevant, nonrelevant).ok();
    Run { score: summary.score, sd: summary.sd.unwrap_or(0.0), corrected }
}

#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    naive: [f64; 2],
    corrected: [f64; 2],
    std_error: f64,
    naive_covered: u32,
    corrected_covered: u32,
    without: u32,
    impossible: u32,
}

impl Sums {
    fn add(&mut self, run: &Run, truth: f64, z: f64, queries: u32) {
        // About the truth, so that squares lose no digits.
        let off = run.score - truth;
        self.naive = [self.naive[0] + off, self.naive[1] + off * off];
        self.naive_covered += u32::from(off.abs() <= z * run.sd / f64::from(queries).sqrt());
        let Some(corrected) = run.corrected else {
            self.without += 1;
            return;
        };
        let off = corrected.value - truth;
        self.corrected = [self.corrected[0] + off, self.corrected[1] + off * off];
        let std_error = corrected.std_error();
        self.std_error += std_error;
        self.corrected_covered += u32::from(off.abs() <= z * std_error);
        self.impossible += u32::from(corrected.nearest().is_some());
    }

    fn plus(self, other: Sums) -> Sums {
        let pair = |a: [f64; 2], b: [f64; 2]| [a[0] + b[0], a[1] + b[1]];
        Sums {
            naive: pair(self.naive, other.naive),
            corrected: pair(self.corrected, other.corrected),
            std_error: self.std_error + other.std_error,
            naive_covered: self.naive_covered + other.naive_covered,
            corrected_covered: self.corrected_covered + other.corrected_covered,
            without: self.without + other.without,
            impossible: self.impossible + other.impossible,
        }
    }

    fn told(self, runs: u32, truth: f64) -> Simulated {
        let moments = |[sum, squares]: [f64; 2], n: u32| {
            let n = f64::from(n.max(1));
            let mean = sum / n;
            (truth + mean, ((squares - n * mean * mean) / (n - 1.0).max(1.0)).max(0.0).sqrt())
        };
        let with = runs - self.without;
        Simulated {
            runs,
            naive: moments(self.naive, runs),
            corrected: moments(self.corrected, with),
            std_error: self.std_error / f64::from(with.max(1)),
            naive_covered: self.naive_covered,
            corrected_covered: self.corrected_covered,
            without: self.without,
            impossible: self.impossible,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_papers_experiment() {
        let world = JudgesWorld::paper();
        // .4 · .9 + .6 · .2 = .48.
        assert!((world.true_score() - 0.4).abs() < 1e-12 && (world.naive_score() - 0.48).abs() < 1e-12);
        let found = world.simulate(10_000, 0.95, Seed(5), 1).unwrap();
        // sd of the naive mean: √(.48 · .52 / 500) at most .0224, so the mean of 10 000 is right to 5 · .00022.
        assert!((found.naive.0 - 0.480).abs() < 0.0012 && (found.corrected.0 - 0.400).abs() < 0.003, "{found:?}");
        let share = |covered: u32| f64::from(covered) / 10_000.0;
        assert!((0.03..0.07).contains(&share(found.naive_covered)), "{found:?}");
        assert!((0.94..0.96).contains(&share(found.corrected_covered)), "{found:?}");
        // The standard errors told are those seen.
        assert!((found.std_error / found.corrected.1 - 1.0).abs() < 0.03, "{found:?}");
        assert_eq!(found, world.simulate(10_000, 0.95, Seed(5), 3).unwrap());
    }

    #[test]
    fn the_tabled_world_is_the_literal_one() {
        // Mean and variance of score, sd and corrected over 4000 runs each way; five standard errors of the difference.
        let world = JudgesWorld { queries: 7, pairs: (40, 30), ..JudgesWorld::paper() };
        let prepared = world.prepare().unwrap();
        let streams = Seed(9).streams("literal");
        let runs = |literal: bool| -> Vec<Run> {
            let one = |index: u64| {
                let mut stream = streams.at(2 * index + u64::from(literal));
                if literal { world.literal(&mut stream) } else { prepared.run(&mut stream) }
            };
            (0..4000).map(one).collect()
        };
        let (fast, slow) = (runs(false), runs(true));
        let quantities: [fn(&Run) -> f64; 4] =
            [|run| run.score, |run| run.score * run.score, |run| run.sd, |run| run.corrected.map_or(0.0, |c| c.value)];
        for of in quantities {
            let moments = |runs: &[Run]| {
                let values: Vec<f64> = runs.iter().map(of).collect();
                let sample = karat_stats::Sample::new(&values).unwrap();
                (sample.mean(), sample.std_error().unwrap())
            };
            let ((a, error_a), (b, error_b)) = (moments(&fast), moments(&slow));
            assert!((a - b).abs() < 5.0 * error_a.hypot(error_b), "{a} {b}");
        }
    }

    #[test]
    fn one_calibration_for_two_systems_is_shared() {
        // 4000 comparisons: the standard error of a share of .05 is .0034, five of them .017.
        let world = JudgesWorld { queries: 200, ..JudgesWorld::paper() };
        let one = false_positives(&world, &world, true, 4000, Seed(2)).unwrap();
        assert!((one.shared.unwrap() - 0.05).abs() < 0.017 && (one.naive - 0.05).abs() < 0.017, "{one:?}");
        assert!(one.independent < 0.02 && one.compared == 4000, "{one:?}");
        // A calibration each, judges who err differently: bronze's difference is not the truth's.
        let other = JudgesWorld { relevant: 0.8, nonrelevant: 0.9, ..world.clone() };
        let two = false_positives(&world, &other, false, 4000, Seed(2)).unwrap();
        assert!((two.independent - 0.05).abs() < 0.017 && two.naive > 0.95 && two.shared.is_none(), "{two:?}");
    }

    #[test]
    fn refusals() {
        let world = JudgesWorld::paper;
        for (bad, says) in [
            (JudgesWorld { truth: vec![1.2], ..world() }, "is 1.2; expected a number from 0 to 1"),
            (JudgesWorld { truth: vec![], ..world() }, "number of ranks is 0"),
            (JudgesWorld { relevant: f64::NAN, ..world() }, "m_R is NaN"),
            (JudgesWorld { relevant: 0.2, nonrelevant: 0.8, ..world() }, "m_R + m_N is 1; expected more than 1"),
            (JudgesWorld { pairs: (0, 9), ..world() }, "relevant pairs is 0"),
            (JudgesWorld { queries: 1, ..world() }, "number of queries is 1; expected at least 2"),
        ] {
            let said = bad.simulate(10, 0.95, Seed(1), 1).unwrap_err().to_string();
            assert!(said.contains(says), "{said}");
        }
        assert!(world().simulate(10, 1.0, Seed(1), 1).is_err());
    }
}
