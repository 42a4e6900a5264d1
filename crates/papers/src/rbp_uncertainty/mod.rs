//! Park (2016), Uncertainty in Rank-Biased Precision: what unjudged documents add to Mean RBP.

mod figures;
mod hidden;

use karat_sim::{Experiment, Moments, RankingModel, Relevant, Urn};
use karat_stats::Sample;
use karat_stats::dist::bernoulli_sum::{self, BernoulliSum};
use karat_stats::dist::normal;
use karat_stats::interval::BernoulliMean;

use crate::answer::{Experiments, GridRow, LinearFit};
use crate::drawing::{Fit, fit};
use crate::{Claim, Desk, Outcome, Paper, Value, Work};

/// The row.
pub const PAPER: Paper = Paper {
    name: "rbp-uncertainty",
    title: "Park (2016), Uncertainty in Rank-Biased Precision, ADCS",
    recipe: "closed forms are compared with the exact moments of the urn (dynamic programming) and with simulation: 100 documents, p = 0.8, the first ten judged, 50 queries, 10,000 replications. Then judgements of the collection's runs below rank 10 are hidden, and each relevance model's expectation is compared with the hidden judgements",
    reproduce,
};

/// The q of figures 1 and 2.
pub(super) const SHARES: [f64; 4] = [0.05, 0.2, 0.35, 0.5];
/// The grid of section 3.2.
pub(super) const GRID_SHARES: [f64; 5] = [0.05, 0.1, 0.2, 0.3, 0.5];
pub(super) const GRID_WEIGHTS: [f64; 6] = [0.05, 0.1, 0.2, 0.5, 0.7, 1.0];
pub(super) const P: f64 = 0.8;
pub(super) const QUERIES: u32 = 50;

/// Rankings of 100 documents, the first ten judged.
pub(super) fn model(share: f64, weight: f64) -> Option<RankingModel> {
    RankingModel::new(100, Relevant::Share(share), weight, P, 10).ok()
}

/// One cell of the grid.
pub(super) struct GridCell {
    pub share: f64,
    pub weight: f64,
    /// Of v, exactly.
    pub exact: Moments,
    /// Mean and standard deviation of the simulated Υ, and how many standard errors the mean is from the exact one.
    pub simulated: (f64, f64),
    z: f64,
}

impl GridCell {
    /// Standard deviation of Υ, exactly.
    pub fn std_dev(&self) -> f64 {
        (self.exact.variance / f64::from(QUERIES)).sqrt()
    }

    fn row(&self) -> GridRow {
        GridRow {
            q: self.share,
            w: self.weight,
            mean: self.simulated.0,
            mean_exact: self.exact.mean,
            std_dev: self.simulated.1,
            std_dev_exact: self.std_dev(),
        }
    }
}

fn reproduce(work: &Work<'_>, desk: &mut dyn Desk) -> Outcome {
    let grid = grid(work, desk);
    let mut outcome = Outcome::default();
    outcome.claims.extend(closed_forms());
    outcome.claims.extend(distribution(work));
    outcome.claims.extend(urn());
    outcome.claims.extend(check_grid(&grid, &mut outcome.experiments));
    outcome.figures = figures::figures(work, &grid);
    hidden::hidden(work, desk, &mut outcome);
    outcome
}

/// Equations 4 to 7 as they stand, ranks 11 to 100: E[v], sd(v), and sd of the mean over 50 queries.
fn equations(q: f64) -> (f64, f64, f64) {
    let powers = |exponent: i32| (11..=100).map(|rank| P.powi(exponent * (rank - 1))).sum::<f64>();
    let mean = (1.0 - P) * q * powers(1);
    let variance = (1.0 - P).powi(2) * q * (1.0 - q) * powers(2);
    (mean, variance.sqrt(), (variance / f64::from(QUERIES)).sqrt())
}

fn closed_forms() -> Vec<Claim> {
    let mut claims = Vec::new();
    for q in SHARES {
        let Some(model) = model(q, 1.0) else { continue };
        let exact = model.moments();
        let mean = BernoulliMean::new(&vec![model.independent_ranks(); QUERIES as usize]);
        let (expected, deviation, of_mean) = equations(q);
        let no_number =
            "the paper prints the equation and a plot, no number. Ours: exact moments of the urn with w = 1";
        claims.push(
            Claim::near(
                "2.1",
                format!("E[v], q = {q}, ranks 11 to 100 unjudged"),
                expected,
                1e-9,
                exact.map(|m| m.mean),
            )
            .by("by the equation")
            .note(no_number),
        );
        let of_urn = exact.map(|moments| moments.variance.sqrt());
        claims.push(
            Claim::near("2.1", format!("sd(v), q = {q}"), deviation, 1e-9, of_urn)
                .by("by the equation")
                .note(no_number),
        );
        let found = mean.map(|mean| mean.variance().sqrt());
        claims.push(
            Claim::near(
                "2.2, equation 7",
                format!("sd of Mean RBP uncertainty over 50 queries, q = {q}"),
                of_mean,
                1e-9,
                found,
            )
            .by("by the equation")
            .note("the paper prints no number. Ours: what `karat eval` computes from each query's own ranks"),
        );
    }
    claims.push(Claim::printed("footnote 1", "z for 95%", "1.96", normal::quantile(0.975).ok()));
    claims.push(own_ranks());
    claims
}

/// Equations 7 and 8 print one U for all queries.
fn own_ranks() -> Claim {
    let terms = |judged| {
        RankingModel::new(100, Relevant::Share(0.2), 1.0, P, judged)
            .map_or_else(|_| Vec::new(), |model| model.independent_ranks())
    };
    let (few, many) = (terms(10), terms(5));
    // Half of the queries are judged to rank 10, half to rank 5.
    let queries: Vec<_> = (0..QUERIES).map(|query| if query % 2 == 0 { &few } else { &many }).collect();
    let ours = BernoulliMean::new(&queries).map(|mean| mean.variance().sqrt());
    let theirs = (bernoulli_sum::variance(&few) / f64::from(QUERIES)).sqrt();
    Claim::near("equations 7 and 8", "sd of the mean, q = 0.2, 25 queries judged to rank 10 and 25 to rank 5, by one U", theirs, 5e-5, ours).by("by the equation").or_else(
        "the equations use one set U of unjudged ranks for all queries, but each query has its own. Ours adds the queries' variances. Using the first query's U for all loses more than half of the standard deviation",
    )
}

/// Figures 1 and 2: what the distributions look like.
fn distribution(work: &Work<'_>) -> Vec<Claim> {
    let mut claims = Vec::new();
    let sums = |q: f64| model(q, 1.0).map(|model| (BernoulliSum::new(&model.independent_ranks()), model.greatest()));
    if let (Some((low, greatest)), Some((high, _))) = (sums(0.2), sums(0.8)) {
        let off = |step: i32| {
            let x = greatest * (f64::from(step) + 0.5) / 40.0;
            let reflected = 1.0 - high.cdf(greatest - x).map_or(f64::NAN, |found| found.value);
            (low.cdf(x).map_or(f64::NAN, |found| found.value) - reflected).abs()
        };
        let worst = (0..40).map(off).fold(0.0, f64::max);
        claims.push(Claim::near(
            "figure 1",
            "q = 0.8 is q = 0.2 reflected: greatest difference of the distribution functions",
            0.0,
            1e-4,
            worst,
        ));
    }
    for q in [0.05, 0.5] {
        let experiment = Experiment { queries: 30, replications: work.effort(10_000, 1_000), bins: 0 };
        let Some(model) = model(q, 1.0) else { continue };
        let means = model.simulate(experiment, work.seed, work.threads).means;
        let (mean, deviation, _) = equations(q);
        let reach = 1.96 * deviation / 30f64.sqrt();
        let held =
            means.iter().filter(|value| (*value - mean).abs() <= reach).count() as f64 / means.len().max(1) as f64;
        // Four standard errors of a share of .95, and a hundredth for "approximately".
        let tolerance = 0.01 + 4.0 * (0.95 * 0.05 / means.len().max(1) as f64).sqrt();
        claims.push(
            Claim::near(
                "2.2",
                format!("over 30 queries Mean RBP uncertainty is about Normal: share within 1.96 sd, q = {q}"),
                0.95,
                tolerance,
                held,
            )
            .note("simulated; \"about\" is read as within 0.01 plus simulation error. This counts both tails together; for small q the upper tail is heavier (3.3% against 1.4% at q = 0.05)"),
        );
    }
    claims
}

fn urn() -> Vec<Claim> {
    // Equation 12 with M = 20 of N = 100 and w = 1/2: 20 / (20 + 80/2) = 1/3; after one of each 19 / (19 + 79/2).
    let urn = Urn::new(100, 20, 0.5).ok();
    let first = urn.as_ref().map(|urn| urn.next_is_relevant(0, 0));
    let third = urn.as_ref().map(|urn| urn.next_is_relevant(1, 1));
    vec![
        Claim::near(
            "equation 12",
            "first document relevant: N = 100, M = 20, w = 0.5",
            20.0 / (20.0 + 0.5 * 80.0),
            1e-12,
            first,
        )
        .by("by the equation"),
        Claim::near(
            "equation 12",
            "the third, after one relevant and one not",
            19.0 / (19.0 + 0.5 * 79.0),
            1e-12,
            third,
        )
        .by("by the equation"),
    ]
}

fn grid(work: &Work<'_>, desk: &mut dyn Desk) -> Vec<GridCell> {
    let experiment = Experiment { queries: QUERIES, replications: work.effort(10_000, 1_000), bins: 0 };
    let mut cells = Vec::new();
    let all = GRID_SHARES.len() * GRID_WEIGHTS.len();
    for share in GRID_SHARES {
        for weight in GRID_WEIGHTS {
            desk.progress(cells.len(), all);
            let Some(model) = model(share, weight) else { continue };
            let Some(exact) = model.moments() else { continue };
            let means = model.simulate(experiment, work.seed, work.threads).means;
            let Ok(sample) = Sample::new(&means) else { continue };
            let z = sample.std_error().map_or(0.0, |error| (sample.mean() - exact.mean) / error);
            let simulated = (sample.mean(), sample.sd().unwrap_or(0.0));
            cells.push(GridCell { share, weight, exact, simulated, z });
        }
    }
    desk.progress(all, all);
    cells
}

/// What section 3.2 says of the grid.
fn check_grid(grid: &[GridCell], experiments: &mut Experiments) -> Vec<Claim> {
    let mut claims = simulation_is_exact(grid);
    let mut fits = Vec::new();
    for moment in [Moment::MEAN, Moment::STD_DEV] {
        claims.push(moment.falls(grid));
        let own = moment.fits(grid);
        claims.push(moment.is_linear(&own));
        fits.extend(own);
    }
    experiments.grid = Some(grid.iter().map(GridCell::row).collect());
    experiments.linear_fit = Some(fits);
    claims.push(Claim::open(
        "4",
        "q and w in practice",
        "more work is needed",
        Value::None,
        "the paper leaves this open; the table hidden measures our ways of choosing them",
    ));
    claims
}

/// The simulation against the exact moments, and those against the closed form.
fn simulation_is_exact(grid: &[GridCell]) -> Vec<Claim> {
    let furthest = grid.iter().map(|cell| cell.z.abs()).fold(0.0, f64::max);
    let at_one = |cell: &&GridCell| cell.weight == 1.0;
    let off =
        grid.iter().filter(at_one).map(|cell| (cell.exact.mean - equations(cell.share).0).abs()).fold(0.0, f64::max);
    vec![
        Claim::near(
            "3.2",
            "simulated means are the exact ones: most standard errors apart in 30 cells",
            0.0,
            4.5,
            furthest,
        )
        .note("compares two computations of ours: the paper's simulation and the exact moments"),
        Claim::near(
            "3.2",
            "for w = 1 the urn's mean is section 2.2's: greatest difference over five q",
            0.0,
            1e-9,
            off,
        )
        .note("compares two computations of ours: the exact moments and the equation"),
    ]
}

/// A moment of Mean RBP uncertainty, over the grid.
struct Moment {
    name: &'static str,
    get: fn(&GridCell) -> f64,
    /// Why it does not fall with w.
    why_not: &'static str,
}

impl Moment {
    const MEAN: Moment = Moment {
        name: "mean",
        get: |cell| cell.exact.mean,
        why_not: "it rises in most of the grid (q = 0.5: from 0.054 at w = 1 to 0.100 at w = 0.05), because a better ranking has more relevant documents just below rank 10. It falls only if the first ten ranks hold nearly all relevant documents. Exact, not simulated",
    };
    const STD_DEV: Moment = Moment {
        name: "standard deviation",
        get: GridCell::std_dev,
        why_not: "it rises for small q, where a better ranking puts relevant documents at ranks that had none, and falls for large q, where those ranks become almost certainly relevant. Exact, not simulated",
    };

    /// Does it fall with w?
    fn falls(&self, grid: &[GridCell]) -> Claim {
        let (mut fell, mut steps) = (0, 0);
        for share in GRID_SHARES {
            let column: Vec<&GridCell> = grid.iter().filter(|cell| cell.share == share).collect();
            for pair in column.windows(2) {
                // From the larger w to the smaller.
                fell += usize::from((self.get)(pair[0]) < (self.get)(pair[1]));
                steps += 1;
            }
        }
        Claim::words(
            "3.2",
            format!("as w falls, the {} falls (steps of the grid)", self.name),
            format!("{steps} of {steps}"),
            format!("{fell} of {steps}"),
            fell == steps,
        )
        .or_else(self.why_not)
    }

    /// A line in w for each q.
    fn fits(&self, grid: &[GridCell]) -> Vec<LinearFit> {
        let of_share = |&q: &f64| {
            let cells = grid.iter().filter(|cell| cell.share == q);
            let points: Vec<(f64, f64)> = cells.map(|cell| (cell.weight, (self.get)(cell))).collect();
            let Fit { slope, r_squared, worst, .. } = fit(&points)?;
            let level = points.iter().map(|point| point.1).sum::<f64>() / points.len() as f64;
            Some(LinearFit {
                of: self.name,
                q,
                at_w_1: points.last().map(|point| point.1),
                at_least_w: points.first().map(|point| point.1),
                slope,
                r_squared,
                worst: worst / level,
            })
        };
        GRID_SHARES.iter().filter_map(of_share).collect()
    }

    /// Do the lines fit?
    fn is_linear(&self, fits: &[LinearFit]) -> Claim {
        let worst = fits.iter().map(|fit| fit.r_squared).reduce(f64::min);
        let claim = format!("\"in an almost linear fashion\": the {} against w, least R squared over q", self.name);
        Claim::words("3.2", claim, "almost linear", worst, worst.is_some_and(|r| r >= 0.95))
            .or_else("read as R squared of at least 0.95 for each q; see the table linear_fit. Some curves are not even monotonic, so no scaled closed form can replace them")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_equations_by_hand() {
        // (1 − p) Σ pⁱ⁻¹ over ranks 11 to 100 is p¹⁰ − p¹⁰⁰ = .1073741824 − 2.04e-10; times q = .5: .0536871. Var: (1 − p)² p²⁰ /(1 − p²) · q(1 − q) =
        // .04 · .0115292 / .36 · .25 = .000320256, root .0178957, over √50 .00253084.
        let (mean, deviation, of_mean) = equations(0.5);
        assert!((mean - 0.053_687).abs() < 5e-7 && (deviation - 0.017_896).abs() < 5e-7);
        assert!((of_mean - 0.002_531).abs() < 5e-7);
        let (mean, deviation, of_mean) = equations(0.05);
        assert!(
            (mean - 0.005_369).abs() < 5e-7
                && (deviation - 0.007_801).abs() < 5e-7
                && (of_mean - 0.001_103).abs() < 5e-7
        );
    }
}
