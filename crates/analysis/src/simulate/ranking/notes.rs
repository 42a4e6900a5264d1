//! What the reader must know next to the table, found in its numbers.

use karat_sim::{Experiment, Relevant};

use super::SimulatedRankingsOptions;
use super::outcome::{Centre, Outcome};

/// An assumption or a finding of the simulation.
#[derive(Debug, Clone, PartialEq)]
pub enum RankingNote {
    /// How much was simulated.
    Size {
        /// Queries in a mean.
        queries: u32,
        /// Means per cell.
        replications: u32,
    },
    /// Exact moments would take too long.
    NoExactMoments {
        /// Cells without them.
        missing: usize,
        /// All cells.
        cells: usize,
    },
    /// How far simulation and exact mean are apart.
    Agreement {
        /// The largest distance, in standard errors.
        furthest: f64,
        /// Cells compared.
        cells: usize,
    },
    /// What a constant q assumes.
    ConstantShare {
        /// Every ranking has the same number of relevant documents.
        fixed: bool,
    },
    /// How often its interval covers a simulated mean.
    Coverage {
        /// Level of the interval.
        level: f64,
        /// The least coverage of a cell.
        least: f64,
        /// The greatest.
        most: f64,
        /// Methods of the intervals.
        methods: Vec<&'static str>,
    },
    /// The paper says that both fall as w falls; what they do, for each q.
    PaperClaim {
        /// All cells have exact moments.
        exact: bool,
        /// The mean.
        means: Vec<(f64, Course)>,
        /// The standard deviation.
        std_devs: Vec<(f64, Course)>,
    },
    /// One replication shows no standard deviation.
    OneReplication,
    /// What the histograms count.
    Histograms,
}

/// What numbers do from the first to the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Course {
    /// All are equal.
    Stays,
    /// They rise.
    Rises,
    /// They fall.
    Falls,
    /// They rise, then fall.
    RisesThenFalls,
    /// They fall, then rise.
    FallsThenRises,
    /// They turn more than once.
    Varies,
}

impl Course {
    fn new(values: &[f64]) -> Course {
        let mut turns: Vec<bool> = Vec::new();
        for pair in values.windows(2).filter(|pair| pair[0] != pair[1]) {
            let rises = pair[1] > pair[0];
            if turns.last() != Some(&rises) {
                turns.push(rises);
            }
        }
        match turns[..] {
            [] => Course::Stays,
            [true] => Course::Rises,
            [false] => Course::Falls,
            [true, false] => Course::RisesThenFalls,
            [false, true] => Course::FallsThenRises,
            _ => Course::Varies,
        }
    }
}

/// All notes.
pub(super) fn notes(options: &SimulatedRankingsOptions, outcomes: &[Outcome]) -> Vec<RankingNote> {
    let Experiment { queries, replications, bins } = options.experiment;
    let fixed = options.models.iter().any(|model| matches!(model.relevant(), Relevant::Exactly(_)));
    let mut notes = vec![RankingNote::Size { queries, replications }];
    notes.extend(agreement(outcomes));
    notes.push(RankingNote::ConstantShare { fixed });
    notes.extend(coverage(options.level, outcomes));
    notes.extend(claim(outcomes));
    if replications == 1 {
        notes.push(RankingNote::OneReplication);
    }
    if bins > 0 {
        notes.push(RankingNote::Histograms);
    }
    notes
}

/// How far the simulation is from what is exact.
fn agreement(outcomes: &[Outcome]) -> Vec<RankingNote> {
    let mut notes = Vec::new();
    let missing = outcomes.iter().filter(|outcome| outcome.exact.is_none()).count();
    if missing > 0 {
        notes.push(RankingNote::NoExactMoments { missing, cells: outcomes.len() });
    }
    let furthest = outcomes.iter().filter_map(Outcome::z).map(f64::abs).reduce(f64::max);
    if let Some(furthest) = furthest {
        notes.push(RankingNote::Agreement { furthest, cells: outcomes.iter().filter_map(Outcome::z).count() });
    }
    notes
}

fn coverage(level: f64, outcomes: &[Outcome]) -> Option<RankingNote> {
    let covered = || outcomes.iter().filter_map(|outcome| outcome.coverage);
    let (least, most) = (covered().reduce(f64::min)?, covered().reduce(f64::max)?);
    let mut methods: Vec<&str> =
        outcomes.iter().filter_map(|outcome| outcome.interval).map(|interval| interval.method.name()).collect();
    methods.sort_unstable();
    methods.dedup();
    Some(RankingNote::Coverage { level, least, most, methods })
}

/// What mean and standard deviation do as w falls, for each q that has several w.
fn claim(outcomes: &[Outcome]) -> Option<RankingNote> {
    let mut shares: Vec<f64> = outcomes.iter().map(|outcome| outcome.share).collect();
    shares.sort_by(f64::total_cmp);
    shares.dedup();
    let (mut means, mut std_devs) = (Vec::new(), Vec::new());
    let mut exact = true;
    for share in shares {
        let mut column: Vec<&Outcome> = outcomes.iter().filter(|outcome| outcome.share == share).collect();
        column.sort_by(|a, b| b.weight.total_cmp(&a.weight));
        if column.len() < 2 || share <= 0.0 || share >= 1.0 {
            continue;
        }
        exact &= column.iter().all(|outcome| outcome.exact.is_some());
        let course =
            |value: fn(Centre) -> f64| Course::new(&column.iter().map(|o| value(o.best())).collect::<Vec<_>>());
        means.push((share, course(|centre| centre.mean)));
        std_devs.push((share, course(|centre| centre.std_dev)));
    }
    (!means.is_empty()).then_some(RankingNote::PaperClaim { exact, means, std_devs })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_course_of_numbers() {
        assert_eq!(Course::new(&[1.0, 2.0, 2.0, 3.0]), Course::Rises);
        assert_eq!(Course::new(&[3.0, 1.0]), Course::Falls);
        assert_eq!(Course::new(&[1.0, 2.0, 1.0]), Course::RisesThenFalls);
        assert_eq!(Course::new(&[2.0, 1.0, 2.0]), Course::FallsThenRises);
        assert_eq!(Course::new(&[1.0, 2.0, 1.0, 2.0]), Course::Varies);
        assert_eq!(Course::new(&[1.0, 1.0]), Course::Stays);
    }
}
