//! `karat judges agree` for people.

use std::collections::BTreeMap;

use crate::figures::agreement::{AgreementRow, agreement};
use crate::figures::confusion::confusion;
use karat_analysis::judges::{
    AgreeAnswer, AgreeBackground, AgreeNote, Agreement, GradePair, JudgeScore, JudgeVerdict, OrderAgreement,
    PairAgreement, QueryAgreement, SystemsByJudge, SystemsNote,
};
use karat_report::{Block, Cell, Column, Columns, Figure, NumberStyle, Report, Table};

use super::problems::{repeated_note, scale_note};
use crate::Context;
use crate::words::percent;

/// Agreement as a report; `by_query` lists every query.
pub fn report(answer: AgreeAnswer, by_query: bool, context: Context) -> Report {
    let background = &answer.background;
    let mut report =
        context.report("Do the judges agree?", "judges agree").table(coefficients(&answer.agreement, background));
    if let Some(pairs) = &answer.pairs {
        report = report.table(pairs_table(pairs));
    }
    report = report.table(grades(&answer.confusion, &background.judges));
    if by_query {
        report = report.table(queries(&answer.by_query));
    }
    report.blocks.extend(figures(&answer).into_iter().map(Block::Figure));
    if let Some(systems) = &answer.systems {
        report = system_tables(systems, background.level).into_iter().fold(report, Report::table);
    }
    report.notes.extend(missing_notes(&answer.agreement));
    report.notes.extend(background.notes.iter().map(note));
    report.notes.extend(scale_note(&background.scale));
    report
        .notes
        .push("Bands: good from 0.8, fair from 0.67, else dubious (Manning, Raghavan and Schütze 2008).".into());
    report.answering(answer)
}

fn coefficients(rows: &[Agreement], background: &AgreeBackground) -> Table {
    let interval = Column::new("interval", format!("{} interval", percent(background.level)));
    let title = if background.judges.len() > 2 { "All judges" } else { "" };
    Columns::new()
        .column("title", "coefficient", |row: &Agreement| row.title.into())
        .column("value", "value", |row| row.value.into())
        .with(interval, |row| row.interval.into())
        .column("band", "band", |row| row.band.into())
        .column("items", "documents", |row| row.items.into())
        .table("agreement", title, rows)
}

/// One row per pair of judges: some of the coefficients.
fn pairs_table(rows: &[PairAgreement]) -> Table {
    let pairs: Vec<&[PairAgreement]> = rows.chunk_by(|one, next| (&one.a, &one.b) == (&next.a, &next.b)).collect();
    let find = |pair: &[PairAgreement], name: &str| pair.iter().find(|row| row.coefficient == name).cloned();
    let value = move |pair: &[PairAgreement], name: &str| -> Cell { find(pair, name).and_then(|row| row.value).into() };
    Columns::new()
        .column("a", "judge", |pair: &&[PairAgreement]| pair[0].a.as_str().into())
        .column("b", "and", |pair| pair[0].b.as_str().into())
        .column("items", "documents", |pair| pair[0].items.into())
        .column("observed", "observed", move |pair| value(pair, "observed"))
        .column("cohen", "Cohen", move |pair| value(pair, "cohen"))
        .column("cohen_quadratic", "quadratic", move |pair| value(pair, "cohen_quadratic"))
        .column("krippendorff_ordinal", "alpha (ordinal)", move |pair| value(pair, "krippendorff_ordinal"))
        .column("band", "band", move |pair| find(pair, "cohen").and_then(|row| row.band).into())
        .table("pairs", "Pairs of judges", &pairs)
}

fn grades(rows: &[GradePair], judges: &[String]) -> Table {
    let (headings, count, title) = match judges {
        [a, b] => ((a.as_str(), b.as_str()), "documents", "Grades of the two judges"),
        _ => (("one judge", "another"), "pairs of labels", "Grades of every two judges"),
    };
    let grade = |key, heading: &str| Column::new(key, heading).style(NumberStyle::Significant(1));
    Columns::new()
        .with(grade("grade_a", headings.0), |row: &GradePair| row.grade_a.into())
        .with(grade("grade_b", headings.1), |row| row.grade_b.into())
        .column("pairs", count, |row| row.pairs.into())
        .column("share", "share", |row| row.share.into())
        .table("confusion", title, rows)
}

fn queries(rows: &[QueryAgreement]) -> Table {
    Columns::new()
        .column("topic", "query", |row: &QueryAgreement| row.topic.as_str().into())
        .column("judged", "judged by several", |row| row.judged.into())
        .column("disagreements", "disagreements", |row| row.disagreements.into())
        .table("by_query", "Queries", rows)
}

fn figures(answer: &AgreeAnswer) -> Vec<Figure> {
    let background = &answer.background;
    let rows: Vec<AgreementRow> = answer
        .agreement
        .iter()
        .map(|row| AgreementRow { name: row.title.to_owned(), value: row.value, interval: row.interval })
        .collect();
    let mut figures = vec![agreement("all judges", background.level, &rows)];
    if let Some(pairs) = &answer.pairs {
        let cohen = pairs.iter().filter(|row| row.coefficient == "cohen");
        let rows: Vec<AgreementRow> = cohen
            .map(|row| AgreementRow {
                name: format!("{} and {}", row.a, row.b),
                value: row.value,
                interval: row.interval,
            })
            .collect();
        figures.push(agreement("pairs of judges, Cohen's kappa", background.level, &rows).of("pairs"));
    }
    figures.extend(background.matrix.as_ref().map(|matrix| confusion_figure(matrix, background)));
    figures
}

fn confusion_figure(matrix: &[Vec<f64>], background: &AgreeBackground) -> Figure {
    let grades: Vec<String> = background.scale.grades.iter().map(|grade| NumberStyle::Given.show(*grade)).collect();
    match &background.judges[..] {
        [a, b] => confusion(&format!("{a} and {b}"), (a, b), &grades, matrix),
        _ => confusion(
            "every two judges",
            ("one judge", "other judge (each pair counted in both orders)"),
            &grades,
            matrix,
        ),
    }
}

fn system_tables(systems: &SystemsByJudge, level: f64) -> [Table; 3] {
    let scores = Columns::new()
        .column("measure", "measure", |row: &JudgeScore| row.measure.as_str().into())
        .column("judge", "judge", |row| row.judge.as_str().into())
        .column("run", "run", |row| row.run.as_str().into())
        .column("value", "value", |row| row.value.into())
        .column("rank", "rank", |row| row.rank.into())
        .column("topics", "topics", |row| row.topics.into())
        .table("scores", "Systems under each judge", &systems.scores);
    let tau = Column::new("tau", "tau").style(NumberStyle::Decimals(3));
    let orders = Columns::new()
        .column("measure", "measure", |row: &OrderAgreement| row.measure.as_str().into())
        .column("a", "judge", |row| row.a.as_str().into())
        .column("b", "and", |row| row.b.as_str().into())
        .with(tau, |row| row.tau.into())
        .column("topics", "topics", |row| row.topics.into())
        .column("best_a", "best by first", |row| row.best_a.clone().into())
        .column("best_b", "best by second", |row| row.best_b.clone().into())
        .table("orders", "Order of systems under two judges (Kendall's tau)", &systems.orders);
    let interval = Column::new("interval", format!("{} interval", percent(level)));
    let verdicts = Columns::new()
        .column("measure", "measure", |row: &JudgeVerdict| row.measure.as_str().into())
        .column("judge", "judge", |row| row.judge.as_str().into())
        .column("a", "a", |row| row.a.as_str().into())
        .column("b", "b", |row| row.b.as_str().into())
        .column("difference", "a - b", |row| row.difference.into())
        .with(interval, |row| row.interval.into())
        .column("verdict", "better", |row| row.verdict.as_str().into())
        .table("verdicts", "The best two systems under each judge", &systems.verdicts);
    [scores, orders, verdicts]
}

/// Which coefficients have no value or interval, by reason.
fn missing_notes(rows: &[Agreement]) -> Vec<String> {
    let mut by_reason: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for row in rows {
        if let Some(reason) = &row.reason {
            by_reason.entry(reason).or_default().push(row.title);
        }
    }
    let note = |(reason, titles): (&str, Vec<&str>)| {
        let all = titles.len() == rows.len();
        format!("{}: {reason}.", if all { "All coefficients".to_owned() } else { titles.join(", ") })
    };
    by_reason.into_iter().map(note).collect()
}

fn note(note: &AgreeNote) -> String {
    match note {
        AgreeNote::Systems(note) => systems_note(note),
        AgreeNote::Repeated(labels) => repeated_note(*labels),
        AgreeNote::NotGrades(states) => {
            let states = states.iter().map(|(state, count)| format!("{count} with state \"{}\"", state.name()));
            format!("Labels without a grade are skipped: {}.", states.collect::<Vec<_>>().join(", "))
        }
        AgreeNote::JudgedOnce { once, documents } => format!(
            "{once} of {documents} documents have the grade of one judge only and do not count for agreement (Fleiss' kappa and Gwet's AC1 \
             use them to estimate chance)."
        ),
        AgreeNote::MeansOverPairs => {
            "With more than two judges, Cohen's kappas, the pooled kappa and overlap are means over pairs of judges."
                .into()
        }
        AgreeNote::ManyJudges { judges, most } => {
            format!("Pairs are not listed: there are {judges} judges, and pairs are listed for at most {most}.")
        }
        AgreeNote::Resamples(resamples) => format!(
            "Intervals: {resamples} resamples of whole queries, because the labels of a query are not independent."
        ),
    }
}

fn systems_note(note: &SystemsNote) -> String {
    match note {
        SystemsNote::NoVerdict { measure } => format!("{measure}: no verdict, because fewer than two systems have a score."),
        SystemsNote::Verdicts { measure, systems: (a, b), ahead, better, judges } => {
            let stable = match *better {
                (0, 0) => "significant under no judge".to_owned(),
                (all, 0) if all == *judges => format!("significant under every judge: {a} is better"),
                (0, all) if all == *judges => format!("significant under every judge: {b} is better"),
                (for_a, for_b) => format!(
                    "the verdict depends on the judge: {a} is significantly better under {for_a}, {b} under {for_b}"
                ),
            };
            format!("{measure}: {a} leads {b} under {} of {judges} judges and trails under {}; {stable}.", ahead.0, ahead.1)
        }
        SystemsNote::Ties => "No tau is given if all systems tie under a judge, and no best system if several tie.".into(),
        SystemsNote::OwnLabels => {
            "Each judge's own labels and topics count; documents that the judge did not label are treated as not relevant.".into()
        }
    }
}
