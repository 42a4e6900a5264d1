//! Yilmaz and Aslam (2006), Inferred AP: average precision from a sample of the judgements.

pub mod experiment;

use karat_data::CollectionFacts;
use karat_measures::example::Owned;
use karat_report::{Axis, Figure, Mark, NumberStyle, Panel, Table};
use karat_stats::{Sample, interval};

use crate::answer::SamplingRate;
use crate::collection::measure;
use crate::tables::rates_table;
use crate::{Claim, Desk, Outcome, Paper, Value, Work};
use experiment::{Cell, ESTIMATES, Found, Likeness, experiment};

/// The estimates, as the paper calls them.
const DRAWN: [&str; 3] = ["infAP", "bpref-10", "xinfAP"];

/// A number with its interval.
type Ranged = (f64, Option<(f64, f64)>);

/// The row.
pub const PAPER: Paper = Paper {
    name: "inferred-ap",
    title: "Yilmaz and Aslam (2006), Inferred AP: Estimating Average Precision with Incomplete Judgments",
    recipe: "a share of each topic's judged documents is sampled (again, until one is relevant), 10 times at each of 17 rates. infAP and bpref-10 use the same samples; xinfAP uses as many documents, half of them from the top ten of any run. Each is compared with MAP from all judgements by Kendall's tau, linear correlation and root mean square error, with t intervals over the samples",
    reproduce,
};

fn reproduce(work: &Work<'_>, desk: &mut dyn Desk) -> Outcome {
    let mut outcome = Outcome { claims: formula(), ..Outcome::default() };
    let Some(found) = experiment(work, desk) else {
        let why = "needs two runs, and a topic with a relevant document";
        outcome.claims.push(Claim::open("2", "the experiment of figures 1 to 3", Value::None, Value::None, why));
        return outcome;
    };
    let rows = summaries(&found);
    outcome.claims.extend(claims(&found, &rows, work.collection.simulated));
    outcome.figures = vec![course(&rows), scatter(work, &found, 1), scatter(work, &found, 0)];
    outcome.experiments.rates = Some(rows);
    if found.left_out > 0 {
        outcome.notes.push(format!(
            "inferred-ap: {} topics have no relevant document and are excluded, also from MAP",
            found.left_out
        ));
    }
    outcome
}

/// Section 2's formula on a list by hand.
fn formula() -> Vec<Claim> {
    // Ranks: relevant, pooled but unjudged, outside the pool, non-relevant, relevant; one more of the pool was not retrieved.
    let owned = Owned::parse("1 ? - 0 1", "?", CollectionFacts::default()).ok();
    let found = owned.zip(measure("infAP")).and_then(|(owned, infap)| infap.value(&owned.view()).ok());
    let second = 1.0 / 5.0 + 4.0 / 5.0 * (3.0 / 4.0) * (1.0 / 2.0);
    vec![
        Claim::near("2", "expected precision by the formula, list 1 ? - 0 1", (1.0 + second) / 2.0, 1e-4, found).note(
            "the paper prints no example. Rank 1: 1; rank 5: 1/5 + 4/5 · 3/4 · 1/2; smoothing adds less than 1e-4",
        ),
    ]
}

fn summaries(found: &Found) -> Vec<SamplingRate> {
    let mut rows = Vec::new();
    for cell in &found.cells {
        for (estimate, name) in ESTIMATES.iter().enumerate() {
            let alike = found.likeness(cell, estimate);
            let of = |pick: fn(&Likeness) -> f64| -> Ranged {
                let values: Vec<f64> = alike.iter().map(pick).collect();
                let sample = Sample::new(&values).ok();
                let mean = sample.as_ref().map_or(f64::NAN, Sample::mean);
                (mean, sample.and_then(|sample| interval::t(&sample, 0.95).ok()).map(|found| (found.low, found.high)))
            };
            let (tau, tau_interval) = of(|alike| alike.tau);
            let (correlation, correlation_interval) = of(|alike| alike.correlation);
            let (rms, rms_interval) = of(|alike| alike.rms);
            rows.push(SamplingRate {
                rate: cell.rate,
                estimate: name,
                samples: alike.len(),
                tau,
                tau_interval,
                correlation,
                correlation_interval,
                rms,
                rms_interval,
            });
        }
    }
    rows
}

fn claims(found: &Found, rows: &[SamplingRate], simulated: bool) -> Vec<Claim> {
    let at =
        |rate: u32, estimate: usize| rows.iter().find(|row| row.rate == rate && row.estimate == ESTIMATES[estimate]);
    let rates: Vec<u32> = found.cells.iter().map(|cell| cell.rate).collect();
    let not = |better: &dyn Fn(&SamplingRate, &SamplingRate) -> bool| -> Vec<String> {
        let worse = |&&rate: &&u32| !at(rate, 0).zip(at(rate, 1)).is_some_and(|(own, other)| better(own, other));
        rates.iter().filter(worse).map(|rate| format!("{rate}%")).collect()
    };
    let by_rms = not(&|own, other| own.rms < other.rms);
    let by_tau = not(&|own, other| own.tau >= other.tau);
    let correlations =
        rates.iter().filter(|&&rate| rate >= 5).filter_map(|&rate| at(rate, 0)).map(|row| row.correlation);
    let least = correlations.fold(f64::NAN, f64::min);
    let all = rates.len();
    let count = |missing: &[String]| format!("{} of {all} rates", all - missing.len());
    let whole = found.cells.iter().find(|cell| cell.rate == 100).and_then(|cell| cell.samples.first());
    let off =
        whole.map(|sample| sample[0].iter().zip(&found.map).map(|(own, map)| (own - map).abs()).fold(0.0, f64::max));
    let almost = |missing: &[String]| missing.len() * 8 <= all;
    let told = |missing: &[String]| format!("not at {}", missing.join(", "));
    // Measured here, claimed of TREC-8: a reader must know which is which.
    let exceptions = |missing: &[String]| match (missing.is_empty(), simulated) {
        (true, _) => String::new(),
        (false, false) => format!("; {} on this collection (the paper uses TREC-8)", told(missing)),
        (false, true) => format!(
            "; {} on simulated systems (the paper uses TREC-8). A likely reason, not tested: the simulated systems differ only in how often a relevant document precedes another, which is what bpref counts. For real systems see docs/reproductions.md",
            told(missing)
        ),
    };
    let mut claims = vec![
        Claim::near(
            "3",
            "with all judgements infAP is AP: greatest difference of the mean over systems",
            0.0,
            1e-4,
            off,
        )
        .note("exact except for the smoothing of section 2, 0.00001"),
        Claim::words(
            "2, figure 3",
            "by RMS error infAP is nearer to MAP than bpref-10 at every rate",
            format!("{all} of {all} rates"),
            count(&by_rms),
            by_rms.is_empty(),
        )
        .or_else(told(&by_rms)),
        Claim::words(
            "2, figure 3",
            "infAP orders systems better than bpref-10 (tau) almost everywhere",
            "almost",
            count(&by_tau),
            almost(&by_tau),
        )
        .note(format!("\"almost\" is read as all but one rate in eight{}", exceptions(&by_tau))),
        Claim::words(
            "2, figure 3",
            "infAP is highly correlated with MAP: least linear correlation from 5% of the judgements on",
            "highly correlated",
            least,
            least >= 0.9,
        )
        .note("\"highly\" is read as a mean over the samples of at least 0.9"),
    ];
    for rate in [30, 10, 5] {
        let rms = |estimate| at(rate, estimate).map_or(String::new(), |row| shown((row.rms, row.rms_interval)));
        let tau = |estimate| at(rate, estimate).map_or(String::new(), |row| shown((row.tau, row.tau_interval)));
        claims.push(Claim::open(
            "figures 1 and 2",
            format!("{rate}% judged: RMS error and tau of infAP"),
            Value::None,
            format!("RMS {}, tau {}; bpref-10: RMS {}, tau {}", rms(0), tau(0), rms(1), tau(1)),
            "the paper shows its numbers only in plots of TREC-8, whose runs we do not have; 95% intervals over the samples in brackets",
        ));
    }
    claims
}

fn shown((mean, interval): Ranged) -> String {
    let show = |number| NumberStyle::Decimals(3).show(number);
    interval.map_or_else(|| show(mean), |(low, high)| format!("{} [{}, {}]", show(mean), show(low), show(high)))
}

/// Figure 3: three panels over the rate.
fn course(rows: &[SamplingRate]) -> Figure {
    type Pick = fn(&SamplingRate) -> Ranged;
    let panels: [(&str, Pick); 3] = [
        ("Kendall's tau", |row| (row.tau, row.tau_interval)),
        ("linear correlation", |row| (row.correlation, row.correlation_interval)),
        ("RMS error", |row| (row.rms, row.rms_interval)),
    ];
    let mut figure = Figure::new("inferred-ap-figure-3", "Figure 3: tau, correlation and RMS error as judgements are removed", 3)
        .subtitle("mean over the samples, with its 95% interval")
        .reading("Horizontal: per cent of the pool judged. As more is judged, infAP's tau and correlation rise to 1 and its error falls to 0; bpref-10 keeps an error, because it is a different measure.");
    for (title, pick) in panels {
        let values = || rows.iter().map(|row| pick(row).0).filter(|value| value.is_finite());
        let (low, high) = (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max));
        let (low, high) = if title == "RMS error" { (0.0, high * 1.1) } else { ((low - 0.05).max(-1.0), 1.0) };
        let (low, high) = if low.is_finite() && high > low { (low, high) } else { (0.0, 1.0) };
        let mut panel = Panel::new(title, Axis::new("% judged", 0.0, 100.0), Axis::new(title, low, high));
        for (estimate, name) in DRAWN.iter().enumerate() {
            let own = || rows.iter().filter(move |row| row.estimate == ESTIMATES[estimate]);
            let band = own()
                .filter_map(|row| pick(row).1.map(|(from, to)| (f64::from(row.rate), from.max(low), to.min(high))))
                .collect();
            let line = own().map(|row| (f64::from(row.rate), pick(row).0)).collect();
            panel = panel.band(estimate, "", band).mark(Mark::curve(estimate, *name, line));
        }
        figure = figure.panel(panel);
    }
    figure.rows(rates_table(rows))
}

/// Figures 1 (bpref-10) and 2 (infAP): one sample at 30, 10 and 5%.
fn scatter(work: &Work<'_>, found: &Found, estimate: usize) -> Figure {
    let (id, title) = if estimate == 0 {
        ("inferred-ap-figure-2", "Figure 2: mean inferred AP against MAP")
    } else {
        ("inferred-ap-figure-1", "Figure 1: mean bpref-10 against MAP")
    };
    let mut figure = Figure::new(id, title, 3).subtitle("the first sample at 30, 10 and 5% judged; one point per run");
    let mut off = Vec::new();
    let mut rows = Table::new("points", "")
        .column("rate", "% judged")
        .column("run", "run")
        .column("map", "MAP")
        .column("estimate", "estimate");
    for cell in [30, 10, 5].into_iter().filter_map(|rate| found.cells.iter().find(|cell: &&Cell| cell.rate == rate)) {
        let Some(own) = cell.samples.first().and_then(|sample| sample.get(estimate)) else { continue };
        let most = own.iter().chain(&found.map).copied().fold(0.0, f64::max).max(0.01) * 1.05;
        let rms = karat_stats::association::root_mean_square(own, &found.map).unwrap_or(f64::NAN);
        let mut panel = Panel::new(
            format!("{}%: RMS {}", cell.rate, NumberStyle::Score.show(rms)),
            Axis::new("MAP", 0.0, most),
            Axis::new(format!("mean {}", DRAWN[estimate]), 0.0, most),
        )
        .line(karat_report::figure::GREY, "", true, vec![(0.0, 0.0), (most, most)]);
        for ((name, &map), &value) in work.collection.runs.iter().zip(&found.map).zip(own) {
            panel = panel.mark(Mark::point(estimate, (map, value)).named(name.clone()));
            rows.push([cell.rate.into(), name.as_str().into(), map.into(), value.into()]);
        }
        figure = figure.panel(panel);
        let mean = |values: &[f64]| karat_stats::summation::mean(values).unwrap_or(f64::NAN);
        off.push(format!("{} at {}%", NumberStyle::Decimals(3).show(mean(own) - mean(&found.map)), cell.rate));
    }
    figure.rows(rows).reading(format!(
        "Horizontal: MAP from all judgements. Vertical: mean {} from a share of them. Exact estimates are on the diagonal; the mean distance from it is {}.",
        DRAWN[estimate],
        off.join(", ")
    ))
}
