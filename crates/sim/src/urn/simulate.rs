//! Many rankings drawn: what their unjudged ranks add to RBP, one by one and in the mean over queries.
//!
//! The one decision: work is cut into batches whose size depends on the experiment alone, each with a stream of its own
//! named after the urn. So the answer is the same for any number of threads, and a cell of a grid is the same alone.

use karat_stats::Seed;
use karat_stats::seed::Streams;

use karat_runtime::jobs::in_order;

use super::lanes::{Generators, Kernel, LANES};
use super::{RankingModel, Relevant};

/// About so many rankings make a batch: enough to forget its start, few enough to share among threads.
const BATCH: u32 = 4_096;

/// Ranks that together weigh less than this share of all that is unjudged are not drawn.
const REST: f64 = 1.0 / (1 << 24) as f64;

/// How much is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Experiment {
    /// Rankings in a mean.
    pub queries: u32,
    /// Means.
    pub replications: u32,
    /// Bins of the histogram of v, over 0 to the greatest v there is; 0 for none.
    pub bins: usize,
}

/// What was drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Simulated {
    /// Υ of each replication: the mean of v over its queries.
    pub means: Vec<f64>,
    /// v of all rankings.
    pub lists: ListStatistics,
    /// How many v fell into each bin.
    pub histogram: Vec<u64>,
}

/// v over all rankings drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ListStatistics {
    /// Rankings.
    pub count: u64,
    /// Mean.
    pub mean: f64,
    /// Variance, divisor n − 1; 0 for one ranking.
    pub variance: f64,
}

impl RankingModel {
    /// Draws the experiment. `threads` only changes how long it takes.
    pub fn simulate(&self, experiment: Experiment, seed: Seed, threads: usize) -> Simulated {
        let replications = (BATCH / experiment.queries.max(1)).max(1);
        let mut rank_weights = self.rank_weights();
        // What the last ranks add together is beyond the precision of the lanes' sums.
        let (all, mut rest) = (self.greatest(), 0.0);
        while let Some(last) = rank_weights.pop_if(|last| rest + *last < all * REST) {
            rest += last;
        }
        // 32-bit floats end at 1e-45, and deep ranks weigh less: the lanes count in units of the first unjudged rank.
        let unit = rank_weights.iter().copied().fold(0.0, f64::max);
        let unit = if unit > 0.0 { unit } else { 1.0 };
        rank_weights.iter_mut().for_each(|weight| *weight /= unit);
        let work = Work {
            kernel: Kernel::new(self.documents(), self.weight(), &rank_weights),
            unit,
            counts: self.counts(),
            streams: seed.streams(&self.stream_name()),
            queries: experiment.queries.max(1) as usize,
            bins_per_unit: experiment.bins as f64 / self.greatest(),
            bins: experiment.bins,
            pivot: self.share() * self.greatest(),
        };
        let sizes: Vec<u32> = (0..experiment.replications)
            .step_by(replications as usize)
            .map(|start| replications.min(experiment.replications - start))
            .collect();
        let mut all = Batch::empty(experiment.bins);
        for batch in in_order(sizes.len(), threads, |index| work.batch(index as u64, sizes[index])) {
            all.append(batch);
        }
        let count = all.means.len() as u64 * u64::from(experiment.queries.max(1));
        let n = count.max(1) as f64;
        let off = all.sum / n;
        let variance = if count > 1 { ((all.squares - n * off * off) / (n - 1.0)).max(0.0) } else { 0.0 };
        let lists = ListStatistics { count, mean: work.pivot + off, variance };
        Simulated { means: all.means, lists, histogram: all.histogram }
    }

    /// The urn by name: the same urn draws the same rankings wherever it is asked for.
    fn stream_name(&self) -> String {
        let relevant = match self.relevant() {
            Relevant::Exactly(relevant) => format!("M={relevant}"),
            Relevant::Share(share) => format!("q={share}"),
        };
        format!("urn N={} {relevant} w={}", self.documents(), self.weight())
    }
}

/// What all batches share.
struct Work {
    kernel: Kernel,
    /// What a sum of the kernel's is counted in.
    unit: f64,
    counts: super::counts::Counts,
    streams: Streams,
    queries: usize,
    bins: usize,
    bins_per_unit: f64,
    /// Near the mean of v, so that sums of squares about it lose no digits.
    pivot: f64,
}

impl Work {
    /// Draws so many replications.
    fn batch(&self, index: u64, replications: u32) -> Batch {
        let mut stream = self.streams.at(index);
        let mut generators = Generators::from_stream(&mut stream);
        let lists = replications as usize * self.queries;
        let mut values = Vec::with_capacity(lists.next_multiple_of(LANES));
        while values.len() < lists {
            let relevant = std::array::from_fn(|_| self.counts.draw(&mut stream) as f32);
            values.extend_from_slice(&self.kernel.draw(&relevant, &mut generators));
        }
        values.truncate(lists);
        let values: Vec<f64> = values.into_iter().map(|value| f64::from(value) * self.unit).collect();
        let mut batch = Batch::empty(self.bins);
        for queries in values.chunks_exact(self.queries) {
            let mut sum = 0.0;
            for &value in queries {
                let off = value - self.pivot;
                sum += off;
                batch.squares += off * off;
            }
            batch.sum += sum;
            // About a pivot, a mean of nothing but zeros may come out a little below.
            batch.means.push((self.pivot + sum / self.queries as f64).max(0.0));
        }
        if self.bins > 0 {
            for value in values {
                // The greatest v belongs to the last bin.
                // A value on an edge belongs to the bin above, whatever 32 bits made of it.
                let bin = (value * self.bins_per_unit * (1.0 + 1e-6)) as usize;
                batch.histogram[bin.min(self.bins - 1)] += 1;
            }
        }
        batch
    }
}

/// A batch's share of the answer; sums are about the pivot.
struct Batch {
    means: Vec<f64>,
    sum: f64,
    squares: f64,
    histogram: Vec<u64>,
}

impl Batch {
    fn empty(bins: usize) -> Batch {
        Batch { means: Vec::new(), sum: 0.0, squares: 0.0, histogram: vec![0; bins] }
    }

    fn append(&mut self, other: Batch) {
        self.means.extend(other.means);
        self.sum += other.sum;
        self.squares += other.squares;
        self.histogram.iter_mut().zip(other.histogram).for_each(|(sum, count)| *sum += count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use karat_stats::Sample;

    fn model(relevant: Relevant, weight: f64) -> RankingModel {
        RankingModel::new(100, relevant, weight, 0.8, 10).unwrap()
    }

    #[test]
    fn threads_do_not_change_the_answer() {
        let experiment = Experiment { queries: 7, replications: 3_001, bins: 12 };
        let model = model(Relevant::Share(0.2), 0.3);
        let alone = model.simulate(experiment, Seed(4), 1);
        assert_eq!(alone, model.simulate(experiment, Seed(4), 3));
        assert_ne!(alone.means, model.simulate(experiment, Seed(5), 1).means);
        assert_eq!((alone.means.len(), alone.lists.count), (3_001, 21_007));
        assert_eq!(alone.histogram.iter().sum::<u64>(), 21_007);
    }

    #[test]
    fn agrees_with_the_exact_moments_in_every_cell_of_the_grid() {
        let experiment = Experiment { queries: 50, replications: 1_000, bins: 0 };
        for weight in [0.05, 0.1, 0.2, 0.5, 0.7, 1.0] {
            for q in [0.05, 0.1, 0.2, 0.3, 0.5] {
                let model = model(Relevant::Share(q), weight);
                let exact = model.moments().unwrap();
                let found = model.simulate(experiment, Seed(3), 1);
                let n = found.lists.count as f64;
                let z = (found.lists.mean - exact.mean) / (exact.variance / n).sqrt();
                assert!(z.abs() < 5.0, "w {weight} q {q}: mean {} exactly {}, z {z}", found.lists.mean, exact.mean);
                // A variance of n values has standard error √((κ − 1)/n) of itself; no cell's kurtosis κ is above 10.
                let ratio = found.lists.variance / exact.variance;
                assert!((ratio - 1.0).abs() < 5.0 * (9.0 / n).sqrt(), "w {weight} q {q}: ratio of variances {ratio}");
                // Means of 50 are nearly Normal: κ = 3.
                let means = Sample::new(&found.means).unwrap();
                let ratio = means.variance().unwrap() * 50.0 / exact.variance;
                assert!((ratio - 1.0).abs() < 5.0 * (2.2f64 / 1_000.0).sqrt(), "w {weight} q {q}: {ratio}");
                assert!((means.mean() - found.lists.mean).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn deep_ranks_do_not_vanish() {
        // 500 judged ranks of p = .8 leave v near 1e-49, which no 32-bit float holds.
        let deep = RankingModel::new(1_000, Relevant::Share(0.3), 0.5, 0.8, 500).unwrap();
        let exact = deep.moments().unwrap();
        let found = deep.simulate(Experiment { queries: 10, replications: 1_000, bins: 0 }, Seed(1), 1);
        assert!(exact.mean > 1e-50 && exact.mean < 1e-48);
        let z = (found.lists.mean - exact.mean) / (exact.variance / 10_000.0).sqrt();
        assert!(z.abs() < 5.0, "{z}");
    }

    #[test]
    fn a_fixed_number_of_relevant_documents_and_none() {
        let experiment = Experiment { queries: 5, replications: 4_000, bins: 0 };
        let fixed = model(Relevant::Exactly(20), 0.5);
        let (exact, found) = (fixed.moments().unwrap(), fixed.simulate(experiment, Seed(1), 2));
        assert!((found.lists.mean - exact.mean).abs() < 5.0 * (exact.variance / 20_000.0).sqrt());
        let none = model(Relevant::Share(0.0), 0.5).simulate(experiment, Seed(1), 1);
        assert!(none.means.iter().all(|&mean| mean == 0.0) && none.lists.variance == 0.0);
        // Everything relevant: v is all there is, to the precision of its 32-bit sum.
        let all = model(Relevant::Share(1.0), 0.5).simulate(experiment, Seed(1), 1);
        assert!(all.means.iter().all(|mean| (mean - 0.8f64.powi(10)).abs() < 1e-6));
    }
}
