//! Bernardi, Digital Libraries: Ranked Evaluation (slides): classical measures, kappa, and the effect of disagreement between judges.

mod judges;

use karat_data::CollectionFacts;
use karat_measures::curve::{Points, eleven_points, precision_recall};
use karat_measures::example::Owned;
use karat_measures::interpolated::Rounding;
use karat_report::{Axis, Figure, Mark, NumberStyle, Panel, Table};
use karat_stats::agreement::{self, Counted, Labels};
use karat_stats::association::{kendall_tau, pearson};
use karat_stats::{Sample, anova, two_way::TwoWay};

use crate::answer::ApVariance;
use crate::collection::{LEVEL, means, measure};
use crate::{Claim, Desk, Outcome, Paper, Work};

/// The row.
pub const PAPER: Paper = Paper {
    name: "ranked-evaluation",
    title: "Bernardi, Digital Libraries: Ranked Evaluation (lecture slides)",
    recipe: "worked examples are computed by the measures and coefficients that users call. Claims about systems are checked on the collection, with its judges (--labels) or, without any, with simulated judges who disagree with gold about as often as those of the slides",
    reproduce,
};

fn reproduce(work: &Work<'_>, _: &mut dyn Desk) -> Outcome {
    let mut outcome = Outcome::default();
    outcome.claims.extend(precision_and_recall());
    outcome.claims.extend(interpolated());
    outcome.claims.extend(kappa());
    systems(work, &mut outcome);
    outcome.figures.push(figure());
    judges::judges(work, &mut outcome);
    outcome
}

/// Section 4.1: six relevant documents, five of them found.
const FOUND: (&str, &str) = ("1 1 0 1 0 1 0 0 0 0 0 0 1 0", "1");
/// Sections 4.5 and 4.10: nine relevant documents, four of them found.
const NINE: (&str, &str) = ("0 1 0 0 1 0 0 1 0 1 0 0", "1 1 1 1 1");

fn topic((ranking, missed): (&str, &str)) -> Option<Owned> {
    Owned::parse(ranking, missed, CollectionFacts::default()).ok()
}

fn precision_and_recall() -> Vec<Claim> {
    let Some(owned) = topic(FOUND) else { return Vec::new() };
    let points = precision_recall(&owned.view(), LEVEL, Points::Relevant).unwrap_or_default();
    let printed = [("0.167", "1"), ("0.333", "1"), ("0.5", "0.75"), ("0.667", "0.667"), ("0.833", "0.38")];
    let mut claims = Vec::new();
    for (at, (recall, precision)) in printed.into_iter().enumerate() {
        let point = points.get(at);
        let rank = point.map_or(0, |point| point.rank);
        let found = |of: fn(&karat_measures::curve::PrecisionRecall) -> f64| point.map(of);
        // The slides have the fractions too (1/1, 3/6): what is printed with few digits is exact.
        let claim = |what: &str, printed: &str, value: Option<f64>| {
            let what = format!("{what} at rank {rank}");
            match printed {
                "1" | "0.5" => Claim::near("4.1", what, printed.parse().ok(), 1e-12, value),
                _ => Claim::printed("4.1", what, printed, value),
            }
        };
        claims.push(claim("recall", recall, found(|point| point.recall)));
        claims.push(claim("precision", precision, found(|point| point.precision)));
    }
    claims
}

fn interpolated() -> Vec<Claim> {
    let mut claims = Vec::new();
    if let Some(owned) = topic(NINE) {
        let found = eleven_points(&owned.view(), LEVEL, Rounding::Definition);
        let printed = ["0.5", "0.5", "0.4", "0.4", "0.4", "0", "0", "0", "0", "0", "0"];
        for (at, (printed, found)) in printed.into_iter().zip(found).enumerate() {
            claims.push(Claim::near(
                "4.5",
                format!("interpolated precision at recall {}%", at * 10),
                printed.parse().ok(),
                1e-12,
                found,
            ));
        }
        let ap = measure("AP").and_then(|ap| ap.value(&owned.view()).ok());
        claims.push(Claim::printed("4.10", "average precision, 9 relevant, found at 2, 5, 8, 10", "0.1861", ap));
    }
    let levels = [1.00, 0.67, 0.63, 0.55, 0.45, 0.41, 0.36, 0.29, 0.13, 0.10, 0.08];
    let mean = Sample::new(&levels).ok().map(|sample| sample.mean());
    claims.push(Claim::printed("4.7", "11-point average", "0.425", mean));
    claims.push(Claim::printed(
        "4.7",
        "the same in per cent, to all digits",
        "42.454545454545",
        mean.map(|mean| mean * 100.0),
    ));
    claims
}

/// Section 5.6: Judge 1 by Judge 2; non-relevant first, as the scale is ascending.
const TABLE: [&[u64]; 2] = [&[70, 10], &[20, 300]];

fn kappa() -> Vec<Claim> {
    let Ok(labels) = Labels::from_table(&TABLE) else { return Vec::new() };
    let counted = Counted::new(&labels);
    let value = |name: &str| agreement::find(name).and_then(|row| counted.value(row).ok());
    let shares = counted.confusion((0, 1)).and_then(|confusion| confusion.shares());
    let pooled = |grade: usize| shares.as_ref().map(|(first, second)| (first[grade] + second[grade]) / 2.0);
    let chance = pooled(0).zip(pooled(1)).map(|(other, relevant)| other * other + relevant * relevant);
    let mut claims = vec![
        Claim::printed("5.6", "P(A), how often the judges agree", "0.925", value("observed")),
        Claim::printed("5.6", "P(nonrelevant), pooled", "0.2125", pooled(0)),
        Claim::printed("5.6", "P(relevant), pooled", "0.7878", pooled(1))
            .or_else("630/800 is 0.7875: a typing error; P(E) is computed from the correct value"),
        Claim::printed("5.6", "P(E), agreement by chance", "0.665", chance),
        Claim::printed("5.6", "kappa with pooled shares", "0.776", value("pooled")).note(
            "this is Scott's pi (0.77591); Cohen's kappa, with each judge's own shares, is 0.77612 and also rounds to 0.776",
        ),
        Claim::near("5.6", "Cohen's kappa of the same table (not in the slides)", 0.776, 0.0005, value("cohen"))
            .note("shown because most programs mean this one by kappa"),
        Claim::words("5.5", "the band of 0.776", "fair agreement", agreement::band(value("pooled").unwrap_or(0.0)), {
            agreement::band(value("pooled").unwrap_or(0.0)).contains("fair")
        }),
    ];
    let judged = [(51, 211.0, 6.0), (62, 400.0, 157.0), (67, 400.0, 68.0), (95, 400.0, 110.0), (127, 400.0, 106.0)];
    let (all, differ) = judged.iter().fold((0.0, 0.0), |(all, differ), row| (all + row.1, differ + row.2));
    claims.push(Claim::open(
        "5.7",
        "share of judgements on which two judges differ, five topics",
        "6/211, 157/400, 68/400, 110/400, 106/400",
        differ / all,
        "the slides print only counts, and kappa needs the full tables; the share is over all five topics",
    ));
    claims
}

/// What the slides say of systems, on the collection.
fn systems(work: &Work<'_>, outcome: &mut Outcome) {
    let (Some(ap), Some(r_precision)) = (measure("AP"), measure("Rprec")) else { return };
    let complete = work.collection.complete();
    let all = work.collection.runs.len();
    let scores = work.collection.scores(ap.as_ref(), &complete, all);
    let (map, r) = (means(&scores), means(&work.collection.scores(r_precision.as_ref(), &complete, all)));
    outcome.claims.push(
        Claim::words(
            "4.12",
            "R-precision is highly correlated with MAP",
            "highly",
            pearson(&map, &r),
            pearson(&map, &r).is_some_and(|r| r >= 0.9),
        )
        .note(format!(
            "no number is printed; read as a correlation of at least 0.9 over systems (Kendall's tau here: {})",
            shown(kendall_tau(&map, &r))
        )),
    );
    let place = "4.13";
    let claim =
        "one system varies more over queries than systems do on one query (ratio of the mean variances of AP, above 1)";
    let Ok(table) = TwoWay::new(&scores) else {
        outcome.claims.push(Claim::open(
            place,
            claim,
            "much greater",
            crate::Value::None,
            "needs two runs and two topics",
        ));
        return;
    };
    let variance = |values: &[f64]| Sample::new(values).ok().and_then(|sample| sample.variance().ok()).unwrap_or(0.0);
    let over_topics = scores.iter().map(|own| variance(own)).sum::<f64>() / scores.len() as f64;
    let over_systems = table.by_topic().map(variance).sum::<f64>() / table.topics() as f64;
    let parts = anova::decompose(&table);
    outcome.claims.push(
        Claim::words(place, claim, "much greater", over_topics / over_systems, over_topics > over_systems).note(format!(
            "mean squares of AP: topics {}, systems {}, residual {}; the ratio depends on how different the systems are",
            shown(Some(parts.topics.mean_square())),
            shown(Some(parts.systems.mean_square())),
            shown(Some(parts.rest.mean_square()))
        )),
    );
    outcome.experiments.ap_variance = Some(vec![
        ApVariance { of: "one system over topics", mean_variance: over_topics },
        ApVariance { of: "one topic over systems", mean_variance: over_systems },
    ]);
}

/// Interpolated precision as a line: at each recall the greatest precision there or further right, and 0 beyond the last.
fn staircase(saw: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let greatest = |from: usize| saw[from..].iter().map(|point| point.1).fold(0.0, f64::max);
    let mut stairs = vec![(0.0, greatest(0))];
    for (at, &(recall, _)) in saw.iter().enumerate() {
        let before = if at == 0 { 0.0 } else { saw[at - 1].0 };
        if recall > before {
            stairs.extend([(before, greatest(at)), (recall, greatest(at))]);
        }
    }
    let last = saw.last().map_or(0.0, |point| point.0);
    stairs.extend([(last, 0.0), (1.0, 0.0)]);
    stairs.dedup();
    stairs
}

/// Sections 4.3 to 4.6: the saw-tooth and its interpolation.
fn figure() -> Figure {
    let mut figure =
        Figure::new("ranked-evaluation-precision-recall", "Precision and recall at position (4.1, 4.5)", 2)
            .reading("The precision-recall points of the two worked examples, each with its interpolated staircase.");
    let mut rows = Table::new("points", "")
        .column("example", "example")
        .column("recall", "recall")
        .column("precision", "precision");
    for (title, text) in [("4.1: six relevant", FOUND), ("4.5: nine relevant", NINE)] {
        let Some(owned) = topic(text) else { continue };
        let points = precision_recall(&owned.view(), LEVEL, Points::EveryRank).unwrap_or_default();
        let saw: Vec<(f64, f64)> = points.iter().map(|point| (point.recall, point.precision)).collect();
        for (recall, precision) in &saw {
            rows.push([title.into(), (*recall).into(), (*precision).into()]);
        }
        let eleven = eleven_points(&owned.view(), LEVEL, Rounding::Definition);
        let levels: Vec<(f64, f64)> = eleven.iter().enumerate().map(|(at, &y)| (at as f64 / 10.0, y)).collect();
        let stairs = staircase(&saw);
        let mut panel = Panel::new(title, Axis::new("recall", 0.0, 1.0), Axis::new("precision", 0.0, 1.05))
            .line(0, "at each rank", false, saw)
            .line(1, "interpolated, with the 11 points", true, stairs);
        for point in levels {
            panel = panel.mark(Mark::point(1, point));
        }
        figure = figure.panel(panel);
    }
    figure.rows(rows)
}

fn shown(value: Option<f64>) -> String {
    NumberStyle::Decimals(3).show(value.unwrap_or(f64::NAN))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_staircase_by_hand() {
        // Ranks 0 1 0 1 of two relevant documents: (0, 0), (.5, .5), (.5, .333), (1, .5): .5 all the way.
        let saw = [(0.0, 0.0), (0.5, 0.5), (0.5, 1.0 / 3.0), (1.0, 0.5)];
        assert_eq!(staircase(&saw), [(0.0, 0.5), (0.5, 0.5), (1.0, 0.5), (1.0, 0.0)]);
        // 1 0 of two: 1 up to half of the recall, then nothing.
        assert_eq!(staircase(&[(0.5, 1.0), (0.5, 0.5)]), [(0.0, 1.0), (0.5, 1.0), (0.5, 0.0), (1.0, 0.0)]);
    }
}
