//! How uncertain is mean RBP when documents are unjudged? The experiment of Park (2016), section 3.2.
//!
//! The one decision: three answers side by side, simulated, exact, and under the paper's assumption that every unjudged
//! rank is relevant with the same probability.

mod answer;
mod histogram;
mod notes;
mod outcome;

use karat_sim::{Experiment, RankingModel};
use karat_stats::Seed;

pub use answer::{BinsOf, HistogramBin, RankingCell, SimulatedRankings};
pub use notes::{Course, RankingNote};
use outcome::{ConstantShare, Outcome};

/// What is simulated, and how much of it.
#[derive(Debug)]
pub struct SimulatedRankingsOptions {
    /// One for each cell, in the order they are reported.
    pub models: Vec<RankingModel>,
    /// Queries and replications of each; bins of the histograms, 0 for none.
    pub experiment: Experiment,
    /// Level of the interval whose coverage is checked, above 0 and below 1.
    pub level: f64,
    /// Seed of all rankings.
    pub seed: Seed,
    /// Threads; they do not change the answer.
    pub threads: usize,
}

/// Simulates every cell. `progress` gets how many of how many are done.
pub fn ranking(options: &SimulatedRankingsOptions, progress: &mut dyn FnMut(usize, usize)) -> SimulatedRankings {
    let mut outcomes = Vec::with_capacity(options.models.len());
    let mut bins = Vec::new();
    // It does not depend on w, so that cells of one q share it.
    let mut constant: Option<ConstantShare> = None;
    for (done, model) in options.models.iter().enumerate() {
        progress(done, options.models.len());
        let simulated = model.simulate(options.experiment, options.seed, options.threads);
        let terms = model.independent_ranks();
        let kept = constant.take().filter(|kept| kept.terms == terms);
        let shared = constant.insert(kept.unwrap_or_else(|| ConstantShare::new(terms, options)));
        let outcome = Outcome::new(model, &simulated, shared, options);
        if options.experiment.bins > 0 {
            bins.extend(histogram::lists(model, &simulated, shared));
            bins.extend(histogram::means(model, &simulated, shared, options.experiment.bins));
        }
        outcomes.push(outcome);
    }
    progress(options.models.len(), options.models.len());
    SimulatedRankings {
        cells: outcomes.iter().map(|outcome| outcome.cell(options.level)).collect(),
        histogram: (options.experiment.bins > 0).then_some(bins),
        notes: notes::notes(options, &outcomes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use karat_sim::Relevant;

    fn options(relevant: Relevant, weights: &[f64], queries: u32, bins: usize) -> SimulatedRankingsOptions {
        let model = |&weight: &f64| RankingModel::new(100, relevant, weight, 0.8, 10).unwrap();
        SimulatedRankingsOptions {
            models: weights.iter().map(model).collect(),
            experiment: Experiment { queries, replications: 500, bins },
            level: 0.95,
            seed: Seed(3),
            threads: 1,
        }
    }

    #[test]
    fn the_papers_claim_is_compared_with_the_outcome() {
        let claim = |weights: &[f64]| {
            let answer = ranking(&options(Relevant::Share(0.5), weights, 50, 0), &mut |_, _| {});
            answer.notes.into_iter().find_map(|note| match note {
                RankingNote::PaperClaim { means, std_devs, .. } => Some((means, std_devs)),
                _ => None,
            })
        };
        let (means, std_devs) = claim(&[0.05, 1.0]).unwrap();
        assert_eq!((means, std_devs), (vec![(0.5, Course::Rises)], vec![(0.5, Course::Falls)]));
        // One w shows no course.
        assert!(claim(&[1.0]).is_none());
    }

    #[test]
    fn histograms_hold_everything_once() {
        let mut calls = Vec::new();
        let options = options(Relevant::Exactly(20), &[0.3, 1.0], 4, 6);
        let answer = ranking(&options, &mut |done, all| calls.push((done, all)));
        assert_eq!(calls, [(0, 2), (1, 2), (2, 2)]);
        // Two kinds, two cells, six bins; 500 means and 2000 lists in each cell; probabilities add up to 1 over what is possible.
        let bins = answer.histogram.unwrap();
        assert_eq!(bins.len(), 24);
        let sum = |of: BinsOf, weight: f64, value: fn(&HistogramBin) -> f64| -> f64 {
            bins.iter().filter(|bin| bin.of == of && bin.w == weight).map(value).sum()
        };
        for weight in [0.3, 1.0] {
            let count = |of| sum(of, weight, |bin| bin.count as f64);
            assert_eq!((count(BinsOf::List), count(BinsOf::Mean)), (2000.0, 500.0));
            assert!((sum(BinsOf::List, weight, |bin| bin.share_closed_form.unwrap()) - 1.0).abs() < 1e-8);
            assert!((sum(BinsOf::List, weight, |bin| bin.share) - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn nothing_relevant_is_zero_without_doubt() {
        let answer = ranking(&options(Relevant::Share(0.0), &[0.5], 3, 4), &mut |_, _| {});
        let cell = &answer.cells[0];
        assert_eq!((cell.mean, cell.mean_exact, cell.mean_closed_form), (0.0, Some(0.0), 0.0));
        assert_eq!((cell.std_dev, cell.std_dev_exact, cell.std_dev_closed_form), (Some(0.0), Some(0.0), 0.0));
        assert_eq!(cell.coverage_closed_form, Some(1.0));
    }
}
