//! Bronze and gold judges: precision corrected for judges' errors.

mod real;

use karat_report::{Axis, Figure, NumberStyle, Panel, Table};
use karat_sim::JudgesWorld;
use karat_stats::dist::normal;
use karat_stats::judge_error::{
    Calibration, Comparison, Observed, Shares, Summary, by_counts, compare, graded, parametric, proportion,
};

use crate::answer::TrecRun;
use crate::drawing::{bars, counts, top};
use crate::{Claim, Desk, Outcome, Paper, Work};

/// The row.
pub const PAPER: Paper = Paper {
    name: "noisy-judgements",
    title: "Bronze and gold judges: search metrics corrected for annotation error",
    recipe: "`karat judges correct` and `karat judges compare` on the paper's counts; algorithm 2 by `karat simulate judges`; then the collection's judges, calibrated on one half of the gold labels and corrected on the other",
    reproduce,
};

fn reproduce(work: &Work<'_>, _: &mut dyn Desk) -> Outcome {
    let mut outcome = Outcome::default();
    outcome.claims.extend(equations(work));
    outcome.claims.extend(worked_example());
    simulation(work, &mut outcome);
    outcome.claims.extend(search_engine());
    trec(&mut outcome);
    real::real(work, &mut outcome);
    outcome
}

/// Section 3: what the equations say of themselves.
fn equations(work: &Work<'_>) -> Vec<Claim> {
    let p_at_1 = Summary { score: 0.55, sd: None, n: 200, weight: 1.0 };
    let faultless = by_counts(p_at_1, (100, 100), (100, 100)).ok().map(|found| found.value);
    let coin = by_counts(p_at_1, (50, 100), (50, 100));
    let (relevant, other) = ((90, 100), (120, 150));
    let found = by_counts(p_at_1, relevant, other).ok();
    // Equation 6, term by term.
    let (m_r, m_n, j) = (0.9, 0.8, p_at_1.score);
    let (v_j, v_r, v_n) = (j * (1.0 - j) / 200.0, m_r * (1.0 - m_r) / 100.0, m_n * (1.0 - m_n) / 150.0);
    let (a, b): (f64, f64) = (j - 1.0 + m_n, m_r + m_n - 1.0);
    let sixth = (v_j + v_n) / b.powi(2) + (v_r + v_n) * a.powi(2) / b.powi(4) - 2.0 * a * v_n / b.powi(3);
    let calibration = Calibration::binary(relevant, other).ok();
    let drawn = calibration.and_then(|calibration| {
        let replicates = parametric(p_at_1, &calibration, work.effort(10_000, 2_000), work.seed).ok()?;
        replicates.std_error().ok()
    });
    let std_error = found.map(|found| found.std_error());
    vec![
        Claim::near("3.1", "a faultless bronze judge changes nothing: j = 0.55 corrected", 0.55, 1e-12, faultless),
        Claim::words(
            "3.1",
            "m_R = m_N = 0.5 is a coin toss, and nothing can be derived",
            "no information",
            if coin.is_err() { "refused" } else { "a number" },
            coin.is_err(),
        ),
        Claim::near(
            "appendix",
            "equation 7 is equation 6: variance at j = 0.55, n = 200, 90/100, 120/150",
            sixth,
            1e-12,
            std_error.map(|e| e * e),
        )
        .note("compares equation 6, term by term, with equation 7, which karat uses"),
        Claim::near(
            "algorithm 1",
            "the bootstrap's standard error is equation 7's (there)",
            std_error,
            0.05 * std_error.unwrap_or(0.0),
            drawn,
        )
        .note("tolerance 5%: equation 7 is a first-order approximation, and the bootstrap is random"),
    ]
}

/// Section 4.2, figure 1: two queries, two ranks, labels highly, partly, not.
fn worked_example() -> Vec<Claim> {
    // Grades ascending: not 0, partly 1, highly 2. Bronze taken as faultless, so that equation 18 is DCG itself.
    let shares = Shares {
        ranks: vec![vec![0.5, 0.5, 0.0], vec![0.5, 0.0, 0.5]],
        weights: vec![1.0, 1.0 / libm::log2(3.0)],
        gains: vec![0.0, 0.5, 1.0],
        n: 2,
    };
    let faultless = Calibration::new(&[0.0, 1.0, 2.0], vec![vec![1, 0, 0], vec![0, 1, 0], vec![0, 0, 1]]).ok();
    let found = faultless.and_then(|calibration| graded(&shares, &calibration).ok()).map(|found| found.value);
    vec![
        Claim::near(
            "4.2, figure 1",
            "equation 18 of the worked example with a faultless judge",
            0.25 + 0.5 / libm::log2(3.0),
            1e-12,
            found,
        )
        .note("the paper gives no matrix and no number. By hand: 0.5 · 0.5 at rank 1, 0.5 · 1 / log2 3 at rank 2"),
    ]
}

/// Section 5: algorithm 2.
fn simulation(work: &Work<'_>, outcome: &mut Outcome) {
    let world = JudgesWorld::paper();
    let runs: u32 = work.effort(10_000, 1_000);
    let (Ok(found), Ok(prepared)) = (world.simulate(runs, 0.95, work.seed, work.threads), world.prepare()) else {
        return;
    };
    let share = |count: u32| f64::from(count) / f64::from(runs);
    let error = |share: f64| 4.0 * (share * (1.0 - share) / f64::from(runs)).sqrt();
    let streams = work.seed.child("noisy-judgements", 0).streams("figure 2");
    let drawn: Vec<(f64, Option<f64>)> = (0..runs)
        .map(|run| prepared.run(&mut streams.at(run.into())))
        .map(|run| (run.score, run.corrected.map(|corrected| corrected.value)))
        .collect();
    let above = drawn.iter().filter(|(naive, _)| *naive > 0.4).count();
    let within = |mean: (f64, f64)| 4.0 * mean.1 / f64::from(runs).sqrt();
    outcome.claims.extend([
        Claim::near("5", "naive P@10 in the mean (equation 3: 0.4 · 0.9 + 0.6 · 0.2)", world.naive_score(), within(found.naive), found.naive.0)
            .note("the paper shows it in figure 2 and prints no number"),
        Claim::near("5", "corrected P@10 in the mean is the true 0.4", 0.4, within(found.corrected) + 0.001, found.corrected.0)
            .note("tolerance: four standard errors plus 0.001, the size of the bias of a ratio estimate"),
        Claim::near("5", "share of naive 95% intervals that hold the truth", 0.05, 0.005 + error(0.05), share(found.naive_covered))
            .note("tolerance: half a unit of the printed 5% plus four standard errors of the simulation. The paper divides the standard deviation \"of the 10 numbers j[t]\" by √10, but there are 50 j[t], one per query; only √50 gives its 5% (√10 would give about 75%)"),
        Claim::near("5", "share of corrected 95% intervals that hold the truth", 0.95, 0.005 + error(0.05), share(found.corrected_covered))
            .note("tolerance: half a unit of the printed 95% plus four standard errors of the simulation"),
        Claim::words(
            "5",
            "in every run the naive P@10 is above the true 0.4",
            format!("{runs} of {runs}"),
            format!("{above} of {runs}"),
            above == drawn.len(),
        )
        .or_else("true of almost every run: the naive mean is 0.48 with a standard deviation of about 0.022, so about two of 10,000 runs are at 0.4 or below"),
    ]);
    // A naive score is a multiple of 1/500: bins of three of them, their edges between two, are alike.
    let (low, high, bins) = (0.249, 0.603, 59);
    let naive = counts(drawn.iter().map(|(naive, _)| *naive), (low, high), bins);
    let corrected = counts(drawn.iter().filter_map(|(_, corrected)| *corrected), (low, high), bins);
    let mut rows =
        Table::new("figure_2", "").column("from", "from").column("naive", "naive").column("corrected", "corrected");
    for bin in 0..bins {
        rows.push([(low + (high - low) * bin as f64 / bins as f64).into(), naive[bin].into(), corrected[bin].into()]);
    }
    let highest = top(&naive).max(top(&corrected));
    let panel = |title: &str, series: usize, heights: &[f64]| {
        let panel = Panel::new(title, Axis::new("P@10", low, high), Axis::new("runs", 0.0, highest));
        bars(panel, series, "", (low, high), heights).line(
            karat_report::figure::INK,
            "the truth",
            true,
            vec![(0.4, 0.0), (0.4, highest)],
        )
    };
    outcome.figures.push(
        Figure::new("noisy-judgements-figure-2", "Figure 2: P@10 under bronze judges, naive and corrected", 1)
            .subtitle("the true value is 0.4; 50 queries, m_R = 0.9, m_N = 0.8, 250 pairs each")
            .reading("Counts of simulated runs. Naive scores are centred at 0.48, nearly all above the true value; corrected scores are centred at the true value and vary more.")
            .panel(panel("naive", 1, &naive))
            .panel(panel("corrected", 0, &corrected))
            .rows(rows),
    );
}

/// Section 6.
fn search_engine() -> Vec<Claim> {
    let observed = Observed {
        a: Summary { score: 0.6260, sd: Some(0.414), n: 10_278, weight: 1.0 },
        b: Summary { score: 0.6385, sd: Some(0.402), n: 20_604, weight: 1.0 },
        paired_sd: None,
    };
    let Ok(calibration) = Calibration::binary((43, 59), (67, 84)) else { return Vec::new() };
    let Ok(found) = compare(&observed, &calibration, None) else { return Vec::new() };
    let Comparison { a, b, naive, independent, shared } = found;
    let rates = calibration.accuracies();
    vec![
        Claim::printed("6", "m_R, 43 of 59", "0.729", rates.map(|rates| rates.0)),
        Claim::printed("6", "m_N, 67 of 84", "0.798", rates.map(|rates| rates.1)),
        Claim::printed("6", "naive p-value (equation 9)", "0.011", naive.p)
            .or_else("0.0116 rounds to 0.012: truncated instead of rounded, without consequences"),
        Claim::printed("6", "corrected P@3 of b", "0.828", b.value),
        Claim::open("6", "corrected P@3 of a", crate::Value::None, a.value, "the digits are illegible in our copy of the paper"),
        Claim::printed("6", "standard error of a (equation 7)", "0.0903", a.std_error()),
        Claim::printed("6", "standard error of b (equation 7)", "0.0923", b.std_error()),
        Claim::printed("6", "corrected p-value (equations 10 and 11)", "0.841", independent.p_normal)
            .or_else("the paper's own numbers and equation give 0.854; no rounding of the inputs gives 0.841"),
        Claim::words(
            "6",
            "after correction the difference between a and b is no longer significant",
            "p = 0.841",
            shared.map_or(crate::Value::None, |shared| format!("p = {}", NumberStyle::P.show(shared.p)).into()),
            shared.is_some_and(|shared| shared.p >= 0.05),
        )
        .or_else(
            "the difference stays significant. a and b are corrected with the same calibration sample and share its error; equation 10 adds it twice, as for two samples. The difference is (j_a − j_b)/D with variance (V[J_a] + V[J_b])/D² + (j_a − j_b)²(V[J_R] + V[J_N])/D⁴",
        ),
    ]
}

/// Section 7.
fn trec(outcome: &mut Outcome) {
    let runs = [
        ("DocRun02", (17, 38), (216, 262), 0.527, ("0.447", "0.824")),
        ("YORK07ED4", (14, 50), (230, 285), 0.513, ("0.280", "0.807")),
    ];
    let mut rows = Vec::new();
    // For both runs together: the variance of one query, and what m_R adds for one relevant pair.
    let (mut of_queries, mut of_rate) = (0.0, 0.0);
    for (name, relevant, other, score, (printed_r, printed_n)) in runs {
        let Ok(calibration) = Calibration::binary(relevant, other) else { continue };
        let Some((m_r, m_n)) = calibration.accuracies() else { continue };
        let Ok(found) = proportion(Summary { score, sd: None, n: 1, weight: 1.0 }, &calibration) else { continue };
        let d = m_r + m_n - 1.0;
        outcome.claims.push(Claim::printed("7, table 2", format!("{name}: m_R"), printed_r, m_r));
        outcome.claims.push(Claim::printed("7, table 2", format!("{name}: m_N"), printed_n, m_n));
        outcome.claims.push(
            Claim::words("7", format!("{name}: its P@20 can be corrected"), "a probability", found.value, found.nearest().is_none()).or_else(format!(
                "the corrected score is above 1. D = {} is close to 0, and bronze labels {} of the calibration pairs relevant but {} of the scored documents, more than m_R: the rates do not apply to those documents. karat warns about this",
                NumberStyle::Decimals(3).show(d),
                NumberStyle::Decimals(2).show((relevant.0 + other.1 - other.0) as f64 / (relevant.1 + other.1) as f64),
                NumberStyle::Decimals(2).show(score)
            )),
        );
        of_queries += found.topics;
        of_rate += m_r * (1.0 - m_r) * (found.value / d).powi(2);
        rows.push(TrecRun { run: name, naive: score, d, corrected: found.value, topics_variance: found.topics });
    }
    outcome.experiments.trec_runs = Some(rows);
    let per_unit = normal::quantile(0.975).map_or(f64::NAN, |z| (z / 0.014).powi(2));
    outcome.claims.push(Claim::open(
        "7",
        "queries needed for a difference of 0.014 at p = 0.05",
        569_154.0,
        (of_queries * per_unit).ceil(),
        "the paper gives no derivation. Ours: (V[J_a]/D_a² + V[J_b]/D_b²)(1.96/0.014)² with V[J] = j(1 − j), the largest possible for one document per query. The printed number follows from V[J] = 0.1994, which the paper does not mention",
    ));
    outcome.claims.push(Claim::open(
        "7",
        "relevant gold assessments needed",
        23_027_371.0,
        (of_rate * per_unit).ceil(),
        "the paper gives no derivation. Ours, if m_R may take all of the variance (0.014/1.96)²: Σ m_R(1 − m_R)(g/D)² (1.96/0.014)² with g the corrected score; twice as many for half of it. No split of the variance gives 23,027,371, and 569,154 queries leave none of it",
    ));
}
