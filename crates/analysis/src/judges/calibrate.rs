//! `judges calibrate`: error rates with their intervals, D, and whether the rates depend on anything.

use std::collections::BTreeMap;

use karat_report::{Block, Cell, Column, Figure, NumberStyle, Provenance, Report, Table};
use karat_stats::Seed;
use karat_stats::contingency;
use karat_stats::correction::HOLM;
use karat_stats::dist::OutOfRange;
use karat_stats::judge_error::{Calibration, Clustering, RateInterval};

use super::warnings;
use crate::figures::confusion::confusion;

/// Beyond so many values of a factor, people are not shown each.
const MOST_SHOWN: usize = 20;

/// Agreements and disagreements by something on which they should not depend.
#[derive(Debug)]
pub struct Factor {
    /// What it is: system, rank band, topic.
    pub name: String,
    /// Its values, each with agreements and pairs.
    pub values: Vec<(String, u64, u64)>,
    /// By how much the variance is larger than of independent pairs, because errors within a topic are alike; 1 where that is not known.
    pub effect: f64,
}

/// What is asked.
pub struct CalibrateQuestion {
    /// The counts.
    pub calibration: Calibration,
    /// How intervals of rates are made.
    pub how: RateInterval,
    /// Their level.
    pub level: f64,
    /// How the pairs were chosen, in the user's words: "random", "by gold", "by bronze".
    pub sampling: Option<String>,
    /// Factors to test.
    pub factors: Vec<Factor>,
    /// What is to be known of the pairs, where they come from files.
    pub notes: Vec<String>,
    /// Of tests that draw.
    pub seed: Seed,
    /// Where the numbers come from.
    pub provenance: Provenance,
    /// The program's version.
    pub version: &'static str,
}

/// Rates, D, and tests.
///
/// # Errors
/// The level is no level.
pub fn calibrate(question: CalibrateQuestion) -> Result<Report, OutOfRange> {
    let calibration = &question.calibration;
    let d = calibration.discrimination(question.level, question.how)?;
    let mut report = Report::new("How wrong are the judges?", "judges calibrate", question.version);
    report.notes = warnings(calibration, &d);
    report.notes.extend(question.notes.iter().cloned());
    report.notes.push(sampling_note(question.sampling.as_deref()));
    let rates = rates_table(&question)?;
    let grades = calibration.grades();
    let list = |values: &[f64]| Cell::List(values.iter().map(|&value| value.into()).collect());
    let counts = calibration.counts().iter().map(|row| Cell::List(row.iter().map(|&count| count.into()).collect()));
    let accuracies = calibration.accuracies();
    report.notes.extend(clustering_note(calibration));
    let by_grade = |of: &dyn Fn(&Clustering) -> Cell| match calibration.clustering() {
        Some(all) => Cell::List(all.iter().map(of).collect()),
        None => Cell::Missing,
    };
    let tested = factors(&question);
    let matrix = calibration.rates();
    let record = Table::new("calibration", "")
        .with(Column::new("grades", "").data_only())
        .with(Column::new("counts", "").data_only())
        .with(Column::new("rates_matrix", "").data_only())
        .with(Column::new("m_relevant", "").data_only())
        .with(Column::new("m_nonrelevant", "").data_only())
        .column("d", if grades.len() == 2 { "D = m_R + m_N - 1" } else { "D = determinant of the rates" })
        .column("d_std_error", "its standard error")
        .with(Column::new("d_interval", "its interval").range())
        .with(Column::new("condition", "condition number").style(NumberStyle::Decimals(2)))
        .with(Column::new("design_effects", "").data_only())
        .with(Column::new("design_topics", "").data_only())
        .with(Column::new("between_grades", "").data_only())
        .with(Column::new("sampling", "").data_only())
        .with(Column::new("depends_on", "").data_only())
        .with(Column::new("level", "").data_only())
        .row([
            list(grades),
            Cell::List(counts.collect()),
            Cell::List((0..matrix.size()).map(|row| list(matrix.row(row))).collect()),
            accuracies.map(|rates| rates.0).into(),
            accuracies.map(|rates| rates.1).into(),
            d.value.into(),
            d.std_error.into(),
            (d.interval.low, d.interval.high).into(),
            calibration.condition().into(),
            by_grade(&|own| own.effect.into()),
            by_grade(&|own| own.topics.into()),
            match calibration.between() {
                [] => Cell::Missing,
                blocks => Cell::List(blocks.iter().map(|block| list(block)).collect()),
            },
            question.sampling.clone().into(),
            Cell::List(tested.depends_on.iter().map(|name| name.as_str().into()).collect()),
            question.level.into(),
        ]);
    report = report.table(rates).block(Block::Record(record)).table(covariances(calibration));
    if !question.factors.is_empty() {
        report = report.table(tested.tests).table(tested.shares).table(tested.shown);
        report.notes.extend(tested.notes);
    }
    report = report.block(Block::Figure(confusions(calibration)));
    report.provenance = question.provenance;
    Ok(report)
}

/// The counts as a figure.
fn confusions(calibration: &Calibration) -> Figure {
    let grades: Vec<String> = calibration.grades().iter().map(|grade| NumberStyle::Given.show(*grade)).collect();
    let counts: Vec<Vec<f64>> =
        calibration.counts().iter().map(|row| row.iter().map(|&count| count as f64).collect()).collect();
    confusion("bronze against gold", ("gold", "bronze"), &grades, &counts)
}

/// What goes with rates wherever they are used: that the sample was chosen by the bronze label, that errors depend on something.
pub fn cautions(sampling: Option<&str>, depends_on: &[String]) -> Vec<String> {
    let chosen = (sampling == Some("bronze")).then(|| sampling_note(sampling));
    let varies = (!depends_on.is_empty()).then(|| {
        format!(
            "warning: when these judges were calibrated their error rate depended on {}; one correction for all is not right, and no standard error here shows it",
            depends_on.join(", ")
        )
    });
    chosen.into_iter().chain(varies).collect()
}

/// Says that errors within a topic are alike, and what that does.
fn clustering_note(calibration: &Calibration) -> Option<String> {
    let clustering = calibration.clustering()?;
    if clustering.iter().any(|own| own.topics < 2) {
        return Some(
            "warning: pairs of some gold grade come from one topic: their intervals say nothing of other topics; let gold judge documents of more topics".into(),
        );
    }
    let effects: Vec<String> = calibration
        .grades()
        .iter()
        .zip(clustering)
        .filter(|(_, own)| own.effect > 1.0)
        .map(|(grade, own)| {
            format!("{} for gold {grade} ({} topics)", NumberStyle::Decimals(1).show(own.effect), own.topics)
        })
        .collect();
    (!effects.is_empty()).then(|| {
        format!(
            "errors within a topic are alike: variances are larger than of independent pairs by the factor {}, and intervals and corrected scores allow for it",
            effects.join(", ")
        )
    })
}

fn sampling_note(sampling: Option<&str>) -> String {
    match sampling {
        Some("random") => "the pairs are a random sample of what bronze judged, as --sampling says".into(),
        Some("gold") => "the pairs were chosen by gold's label, as --sampling says: rates given gold's label are then right".into(),
        Some("bronze") => "warning: the pairs were chosen by the bronze label. Rates given gold's label are then biased: of a grade that \
                           bronze gives often, too few are in the sample. Weight the counts by how often bronze gives each label, or \
                           draw pairs at random"
            .into(),
        _ => "how the pairs were chosen is not known (--sampling random, gold or bronze): rates are right only if they were not chosen by \
              the bronze label"
            .into(),
    }
}

fn rates_table(question: &CalibrateQuestion) -> Result<Table, OutOfRange> {
    let calibration = &question.calibration;
    let grade = |key, heading: &str| Column::new(key, heading).style(NumberStyle::Significant(1));
    let mut table = Table::new("rates", "What bronze says of a document that gold gave a grade")
        .with(grade("gold", "gold"))
        .with(grade("bronze", "bronze"))
        .column("count", "pairs")
        .column("of", "of")
        .column("rate", "rate")
        .with(Column::new("interval", format!("{} interval", crate::eval::percent(question.level))).range())
        .with(Column::new("method", "").data_only());
    let rates = calibration.rates();
    for (gold, gold_grade) in calibration.grades().iter().enumerate() {
        for (bronze, bronze_grade) in calibration.grades().iter().enumerate() {
            let interval = calibration.interval(gold, bronze, question.level, question.how)?;
            table.push([
                (*gold_grade).into(),
                (*bronze_grade).into(),
                calibration.counts()[gold][bronze].into(),
                calibration.pairs(gold).into(),
                rates[(gold, bronze)].into(),
                (interval.low, interval.high).into(),
                interval.method.name().into(),
            ]);
        }
    }
    Ok(table)
}

/// Covariances of rates of one gold grade; those of different grades are 0 and not listed.
fn covariances(calibration: &Calibration) -> Table {
    let mut table = Table::new("covariances", "").audience(karat_report::Audience::Data);
    for key in ["gold", "bronze_a", "bronze_b", "covariance"] {
        table = table.column(key, key);
    }
    let grades = calibration.grades();
    for (gold, grade) in grades.iter().enumerate() {
        for one in 0..grades.len() {
            for other in one..grades.len() {
                let covariance = calibration.covariance(gold, one, other);
                table.push([(*grade).into(), grades[one].into(), grades[other].into(), covariance.into()]);
            }
        }
    }
    table
}

/// Tests of the factors.
struct Tested {
    tests: Table,
    /// Agreement by value, for programs and for people.
    shares: Table,
    shown: Table,
    notes: Vec<String>,
    depends_on: Vec<String>,
}

/// Each is tested, and p corrected for their number (Holm).
fn factors(question: &CalibrateQuestion) -> Tested {
    let found: Vec<_> = question
        .factors
        .iter()
        .map(|factor| {
            let table: Vec<Vec<u64>> =
                factor.values.iter().map(|(_, agreed, pairs)| vec![*agreed, pairs - agreed]).collect();
            let found = contingency::independence(&table, question.seed.child(&factor.name, 0));
            found.map(|found| found.clustered(factor.effect))
        })
        .collect();
    let p: Vec<Option<f64>> = found.iter().map(|found| found.as_ref().ok().map(|found| found.p)).collect();
    let adjusted = HOLM.adjust_known(&p).unwrap_or_else(|_| p.clone());
    let mut tests = Table::new("tests", "Does the error rate depend on it?")
        .column("factor", "factor")
        .with(Column::new("statistic", "chi-squared").style(NumberStyle::Decimals(2)))
        .with(Column::new("df", "df").style(NumberStyle::Decimals(0)))
        .with(Column::new("p", "p").style(NumberStyle::P))
        .with(Column::new("p_adjusted", "adjusted (Holm)").style(NumberStyle::P))
        .column("method", "method");
    let by_value = |id, audience| {
        Table::new(id, "Agreement by factor")
            .audience(audience)
            .column("factor", "factor")
            .column("value", "value")
            .column("agreed", "agreed")
            .column("pairs", "pairs")
            .column("rate", "rate")
    };
    let mut shares = by_value("factors", karat_report::Audience::Data);
    let mut shown = by_value("factors_shown", karat_report::Audience::People);
    let mut notes = Vec::new();
    let mut untested: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    let mut depends_on = Vec::new();
    for (factor, (found, adjusted)) in question.factors.iter().zip(found.into_iter().zip(adjusted)) {
        for (value, agreed, pairs) in &factor.values {
            let rate = (*pairs > 0).then(|| *agreed as f64 / *pairs as f64);
            let name = factor.name.as_str();
            let row: [Cell; 5] = [name.into(), value.as_str().into(), (*agreed).into(), (*pairs).into(), rate.into()];
            if factor.values.len() <= MOST_SHOWN {
                shown.push(row.clone());
            }
            shares.push(row);
        }
        if factor.values.len() > MOST_SHOWN {
            let (name, values) = (&factor.name, factor.values.len());
            notes.push(format!("agreement by {name} has {values} values: -f json and csv list them"));
        }
        match found {
            Ok(found) => {
                let row = [factor.name.as_str().into(), found.statistic.into(), found.df.into(), found.p.into()];
                tests.push(row.into_iter().chain([adjusted.into(), found.how.name().into()]).collect::<Vec<Cell>>());
                let p = adjusted.unwrap_or(found.p);
                notes.push(verdict(&factor.name, p, question.level));
                depends_on.extend((p < 1.0 - question.level).then(|| factor.name.clone()));
            }
            Err(reason) => {
                let name: Cell = factor.name.as_str().into();
                tests.push([vec![name], vec![Cell::Missing; 5]].concat());
                untested.entry(reason.to_string()).or_default().push(&factor.name);
            }
        }
    }
    for (reason, names) in untested {
        notes.push(format!("whether the error rate depends on {} could not be tested: {reason}", names.join(", ")));
    }
    Tested { tests, shares, shown, notes, depends_on }
}

fn verdict(name: &str, p: f64, level: f64) -> String {
    let p_shown = NumberStyle::P.show(p);
    if p < 1.0 - level {
        format!(
            "warning: the error rate depends on {name} (p = {p_shown}): one correction for all is not right. Gold's labels of some whole queries correct \
             without that assumption (karat eval --gold)"
        )
    } else {
        format!("no sign that the error rate depends on {name} (p = {p_shown}); that is not proof that it does not")
    }
}
