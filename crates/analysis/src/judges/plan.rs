//! `plan judges`: how many queries, bronze and gold labels would show a difference, or make an interval so narrow?
//!
//! The variance of a corrected score is A/n + G/N: n queries, N gold labels on pairs drawn at random (equation 7, with n_R = π N and
//! n_N = (1 − π) N, π the share of relevant documents). The one decision: of all mixes that reach the wanted variance T the cheapest has
//! a closed form by Lagrange, n = (A + √(A G c_g / c_q)) / T and N = (G + √(A G c_q / c_g)) / T for prices c_q of a query and c_g of a
//! gold label.

use karat_report::{Block, Column, NumberStyle, Provenance, Report, Table};
use karat_stats::dist::{OutOfRange, normal};
use karat_stats::judge_error::{Calibration, CalibrationErrors, CorrectionError, RateInterval, Summary, proportion};

use super::{ASSUMPTION, clipped, warnings};

/// What must come out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Wanted {
    /// A difference of this size between two systems, as gold sees it, is found with the given power.
    Difference {
        /// The difference.
        size: f64,
        /// The probability with which it is found.
        power: f64,
        /// How the calibration enters it.
        errors: CalibrationErrors,
        /// Standard deviation of the difference over queries, where both systems get the same ones.
        paired_sd: Option<f64>,
    },
    /// The interval of one corrected score is so wide.
    Width(f64),
}

/// What is asked.
pub struct PlanQuestion {
    /// What the score is like now (its n does not matter).
    pub summary: Summary,
    /// What the judges are like now.
    pub calibration: Calibration,
    /// What must come out.
    pub wanted: Wanted,
    /// Confidence level of the test or interval.
    pub level: f64,
    /// Bronze labels a query needs for one system: k of P@k.
    pub labels_per_query: f64,
    /// Price of a bronze label and of a gold one.
    pub prices: (f64, f64),
    /// Where the numbers come from.
    pub provenance: Provenance,
    /// The program's version.
    pub version: &'static str,
}

/// A/n + G/N ≤ T.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Variance {
    queries: f64,
    gold: f64,
    target: f64,
}

impl Variance {
    /// Queries and gold labels of the cheapest mix.
    fn cheapest(&self, query: f64, gold: f64) -> (f64, f64) {
        let common = (self.queries * self.gold).sqrt();
        let ratio = (gold / query).sqrt();
        ((self.queries + common * ratio) / self.target, (self.gold + common / ratio) / self.target)
    }

    /// The same in whole numbers: the cheapest within reach of rounding.
    fn cheapest_whole(&self, query: f64, gold: f64) -> (f64, f64) {
        let (queries, labels) = self.cheapest(query, gold);
        let mut best = (queries.ceil(), labels.ceil());
        let cost = |(queries, labels): (f64, f64)| queries * query + labels * gold;
        for step in -200..=200 {
            let labels = labels.ceil() + f64::from(step);
            let left = self.target - self.gold / labels.max(1.0);
            if labels < 1.0 || left <= 0.0 {
                continue;
            }
            let mix = ((self.queries / left).ceil().max(1.0), labels);
            if cost(mix) < cost(best) {
                best = mix;
            }
        }
        best
    }

    fn of(question: &PlanQuestion) -> Result<Variance, CorrectionError> {
        let corrected = proportion(question.summary, &question.calibration)?;
        let (relevant, other) = question.calibration.accuracies().unwrap_or((1.0, 1.0));
        let d = relevant + other - 1.0;
        let one = corrected.topics * question.summary.n as f64;
        let share = corrected.value.clamp(0.01, 0.99);
        // What one pair in N tells of each rate, N drawn at random; pairs of new labels are as alike within topics as the present ones.
        let (alike_relevant, alike_other) =
            (question.calibration.design_effect(1), question.calibration.design_effect(0));
        let of_rates = |on_relevant: f64, on_other: f64| {
            let a = alike_relevant * relevant * (1.0 - relevant) / share;
            let b = alike_other * other * (1.0 - other) / (1.0 - share);
            (on_relevant * on_relevant * a + on_other * on_other * b) / (d * d)
        };
        let z = |p: f64| normal::quantile(p).map_err(out);
        let both_sides = z(0.5 + question.level / 2.0)?;
        let weight = question.summary.weight;
        let gold_of_one = of_rates(corrected.value, weight - corrected.value);
        Ok(match question.wanted {
            Wanted::Width(width) => {
                Variance { queries: one, gold: gold_of_one, target: (width / 2.0 / both_sides).powi(2) }
            }
            Wanted::Difference { size, power, errors, paired_sd } => {
                let queries = paired_sd.map_or(2.0 * one, |sd| sd * sd / (d * d));
                let gold = match errors {
                    CalibrationErrors::Shared => of_rates(size, -size),
                    CalibrationErrors::Independent => 2.0 * gold_of_one,
                };
                Variance { queries, gold, target: (size / (both_sides + z(power)?)).powi(2) }
            }
        })
    }
}

/// The plan.
///
/// # Errors
/// The score cannot be corrected, or a number makes no sense.
pub fn plan(question: PlanQuestion) -> Result<Report, CorrectionError> {
    check(&question)?;
    let variance = Variance::of(&question)?;
    let corrected = proportion(question.summary, &question.calibration)?;
    let (bronze, gold) = question.prices;
    let systems = if matches!(question.wanted, Wanted::Difference { .. }) { 2.0 } else { 1.0 };
    let query = systems * question.labels_per_query * bronze;
    let (queries, labels) = variance.cheapest_whole(query, gold);
    let whole = |key, heading: &str| Column::new(key, heading).style(NumberStyle::Decimals(0));
    let record = Table::new("plan", "")
        .with(whole("queries", "queries"))
        .with(whole("bronze_labels", "bronze labels"))
        .with(whole("gold_labels", "gold labels"))
        .with(Column::new("cost", "cost").style(NumberStyle::Decimals(2)))
        .with(whole("queries_at_least", "queries if the rates were known"))
        .with(whole("gold_labels_at_least", "gold labels if queries were free"))
        .row([
            queries.into(),
            (queries * systems * question.labels_per_query).into(),
            labels.into(),
            (queries * query + labels * gold).into(),
            (variance.queries / variance.target).ceil().into(),
            (variance.gold / variance.target).ceil().into(),
        ]);
    let mut mixes = Table::new("mixes", "Other mixes that reach it")
        .with(whole("queries", "queries"))
        .with(whole("gold_labels", "gold labels"))
        .with(Column::new("cost", "cost").style(NumberStyle::Decimals(2)));
    for factor in [1.1, 1.25, 1.5, 2.0, 4.0, 8.0] {
        let queries = (factor * variance.queries / variance.target).ceil();
        let left = variance.target - variance.queries / queries;
        if left > 0.0 {
            let labels = (variance.gold / left).ceil();
            mixes.push([queries.into(), labels.into(), (queries * query + labels * gold).into()]);
        }
    }
    let mut report =
        Report::new("What would decide it", "plan judges", question.version).block(Block::Record(record)).table(mixes);
    let d = question.calibration.discrimination(question.level, RateInterval::ClopperPearson).map_err(out)?;
    report.notes = warnings(&question.calibration, &d);
    report.notes.extend(clipped("", &corrected));
    report.notes.push(told(&question));
    report.notes.push(format!("prices: a bronze label {bronze}, a gold label {gold} (--bronze-price, --gold-price)"));
    report.notes.push(
        "the variance is A / queries + G / gold labels (equation 7, gold labels on pairs drawn at random); the cheapest mix is where another \
         unit of money lowers both parts alike"
            .into(),
    );
    report.notes.push(ASSUMPTION.into());
    report.provenance = question.provenance;
    Ok(report)
}

fn told(question: &PlanQuestion) -> String {
    let level = crate::eval::percent(question.level);
    match question.wanted {
        Wanted::Width(width) => format!("wanted: a {level} interval of the corrected score no wider than {width}"),
        Wanted::Difference { size, power, errors, .. } => format!(
            "wanted: a true difference of {size} is found with probability {power} by a two-sided test at the {level} level; each of \
             the two systems gets so many queries, and documents that both retrieve are counted twice; calibration errors {}",
            match errors {
                CalibrationErrors::Shared => "shared: one calibration serves both systems",
                CalibrationErrors::Independent => "independent: each system has such a calibration of its own",
            }
        ),
    }
}

fn check(question: &PlanQuestion) -> Result<(), CorrectionError> {
    // Beyond these a number of labels no longer fits a float.
    let positive = |what, found: f64| {
        let ok = (1e-6..=1e9).contains(&found);
        let expected = "a number above 0 (1e-6 to 1e9)";
        if ok { Ok(()) } else { Err(CorrectionError::OutOfRange { what, found, expected }) }
    };
    positive("price of a bronze label", question.prices.0)?;
    positive("price of a gold label", question.prices.1)?;
    positive("labels of a query", question.labels_per_query)?;
    match question.wanted {
        Wanted::Width(width) => positive("wanted width", width),
        Wanted::Difference { size, power, .. } => {
            positive("wanted difference", size)?;
            let ok = (0.5..1.0).contains(&power);
            let (what, expected) = ("power", "a number from 0.5 and below 1");
            if ok { Ok(()) } else { Err(CorrectionError::OutOfRange { what, found: power, expected }) }
        }
    }
}

fn out(error: OutOfRange) -> CorrectionError {
    CorrectionError::OutOfRange { what: error.argument, found: error.found, expected: error.legal }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(wanted: Wanted, sd: Option<f64>) -> PlanQuestion {
        PlanQuestion {
            summary: Summary { score: 0.6385, sd, n: 20_604, weight: 1.0 },
            calibration: Calibration::binary((43, 59), (67, 84)).unwrap(),
            wanted,
            level: 0.95,
            labels_per_query: 3.0,
            prices: (0.05, 1.0),
            provenance: Provenance::default(),
            version: "0",
        }
    }

    #[test]
    fn the_plan_reaches_what_was_wanted_and_is_the_cheapest() {
        let question = question(Wanted::Width(0.05), Some(0.402));
        let variance = Variance::of(&question).unwrap();
        let (queries, labels) = variance.cheapest(0.15, 1.0);
        assert!((variance.queries / queries + variance.gold / labels - variance.target).abs() < 1e-12);
        // A: .402² / D² with D = .52643; .5832.
        assert!((variance.queries - 0.402f64.powi(2) / (43.0f64 / 59.0 + 67.0 / 84.0 - 1.0).powi(2)).abs() < 1e-12);
        let cost = |queries: f64| 0.15 * queries + variance.gold / (variance.target - variance.queries / queries);
        assert!(cost(queries) < cost(queries * 1.02) && cost(queries) < cost(queries * 0.98));
        let (whole_queries, whole_labels) = variance.cheapest_whole(0.15, 1.0);
        assert!(variance.queries / whole_queries + variance.gold / whole_labels <= variance.target * (1.0 + 1e-12));
        assert!(0.15 * whole_queries + whole_labels <= 0.15 * queries.ceil() + labels.ceil());
        // Fed back into equation 7: that many queries and pairs give a half width of .025 at 1.96.
        let share = proportion(question.summary, &question.calibration).unwrap().value;
        let pairs = |part: f64| (labels * part).round() as u64;
        let (r, n) = (pairs(share), pairs(1.0 - share));
        let agreed = |pairs: u64, rate: f64| (pairs as f64 * rate).round() as u64;
        let calibration = Calibration::binary((agreed(r, 43.0 / 59.0), r), (agreed(n, 67.0 / 84.0), n)).unwrap();
        let reached = proportion(Summary { n: queries as u64, ..question.summary }, &calibration).unwrap();
        assert!((reached.std_error() * 1.96 - 0.025).abs() < 1e-3, "{}", reached.std_error());
    }

    #[test]
    fn a_shared_calibration_needs_far_less_gold() {
        let wanted = |errors| Wanted::Difference { size: 0.02, power: 0.8, errors, paired_sd: None };
        let shared = Variance::of(&question(wanted(CalibrationErrors::Shared), Some(0.402))).unwrap();
        let independent = Variance::of(&question(wanted(CalibrationErrors::Independent), Some(0.402))).unwrap();
        assert_eq!((shared.queries, shared.target), (independent.queries, independent.target));
        assert!(independent.gold > 300.0 * shared.gold, "{shared:?} {independent:?}");
        // (1.95996 + .84162) / .02 squared: 1 / T.
        assert!((1.0 / shared.target - ((1.959964 + 0.841621) / 0.02f64).powi(2)).abs() < 0.1);
    }

    #[test]
    fn the_papers_trec_example() {
        // Section 7 asks for the queries with which DocRun02 (.527, D = .27180) and YORK07ED4 (.513, D = .08702) differ at p = .05, and
        // prints 569,154 without derivation. Ours: (V[J_a]/D_a² + V[J_b]/D_b²) (1.96 / .014)² with V[J] = j (1 - j), the most it can be for
        // one document a query: (.24927 · 13.537 + .24983 · 132.06) · 19600 = 712,800. The paper's number follows from V[J] = .1995.
        let of = |relevant, other| {
            let (m_r, m_n) = Calibration::binary(relevant, other).unwrap().accuracies().unwrap();
            (m_r + m_n - 1.0f64).powi(-2)
        };
        let (a, b) = (of((17, 38), (216, 262)), of((14, 50), (230, 285)));
        let per_unit = (1.959964f64 / 0.014).powi(2);
        let ours = (0.527 * 0.473 * a + 0.513 * 0.487 * b) * per_unit;
        assert!((ours - 712_800.0).abs() < 2_000.0, "{ours}");
        assert!((569_154.0 / ((a + b) * per_unit) - 0.19944).abs() < 1e-5, "{}", 569_154.0 / ((a + b) * per_unit));
        // "Using Equation (8)" it prints 23,027,371 relevant gold assessments. m_R's part of the variance is (C_a + C_b)/n_R with C = m_R (1 − m_R) g²/D²
        // (g the corrected score): 5.595 and 360.09. If the whole variance (.014/1.96)² were m_R's, 7,167,159 would do, 14,334,318 for half of it; the
        // paper's number makes it .311 of it, and its own 569,154 queries have used up all of it already. No printed number gives that split.
        let part = |score, relevant, other| {
            let calibration = Calibration::binary(relevant, other).unwrap();
            let (m_r, m_n) = calibration.accuracies().unwrap();
            let g = proportion(Summary { score, sd: None, n: 50, weight: 1.0 }, &calibration).unwrap().value;
            m_r * (1.0 - m_r) * (g / (m_r + m_n - 1.0)).powi(2)
        };
        let of_m_r = part(0.527, (17, 38), (216, 262)) + part(0.513, (14, 50), (230, 285));
        assert!((of_m_r * per_unit - 7_167_159.0).abs() < 10.0, "{}", of_m_r * per_unit);
        assert!((of_m_r * per_unit / 23_027_371.0 - 0.3112).abs() < 1e-4);
    }

    #[test]
    fn refusals() {
        for (wanted, says) in [
            (Wanted::Width(0.0), "wanted width is 0; expected a number above 0 (1e-6 to 1e9)"),
            (Wanted::Width(f64::NAN), "wanted width is NaN"),
        ] {
            let said = plan(question(wanted, None)).unwrap_err().to_string();
            assert!(said.contains(says), "{said}");
        }
        let power = Wanted::Difference { size: 0.1, power: 1.0, errors: CalibrationErrors::Shared, paired_sd: None };
        assert!(plan(question(power, None)).unwrap_err().to_string().contains("power is 1"));
    }
}
