//! `judges agree`: every coefficient over all judges and for every pair, by query, by grade, and what it means for the systems.

use std::collections::BTreeMap;

use karat_data::names::text;
use karat_data::{JudgeLabels, Problem, Problems, State};
use karat_report::{Audience, Block, Cell, Column, Figure, NumberStyle, Provenance, Report, Table};
use karat_stats::Seed;
use karat_stats::agreement::{COEFFICIENTS, Coefficient, Counted, Labels, NoAgreementInterval, band, by_group};

use super::effect::{Effect, effect};
use super::scale::{Scale, ScaleChoice};
use crate::figures::{self, agreement::AgreementRow};

/// Beyond so many judges, pairs are not listed.
const MOST_LISTED: usize = 20;

/// Of a scale with more grades, those that two judges gave are listed, not every two.
const MOST_GRADES: usize = 20;

/// What the figure of pairs shows.
const PAIRS: &str = "pairs of judges, Cohen's kappa";

/// What is asked.
pub struct AgreeQuestion<'a> {
    /// The labels.
    pub labels: &'a JudgeLabels,
    /// The scale.
    pub scale: ScaleChoice,
    /// Level of intervals.
    pub level: f64,
    /// Resamples of the queries.
    pub resamples: u32,
    /// Of the resamples.
    pub seed: Seed,
    /// Whether people see every query.
    pub by_query: bool,
    /// Runs that are scored by each judge's labels.
    pub effect: Option<Effect<'a>>,
    /// Where the numbers come from.
    pub provenance: Provenance,
    /// The program's version.
    pub version: &'static str,
}

/// Labels that can be counted: items with at least one grade, and the query of each.
struct Counting {
    labels: Labels,
    queries: Vec<usize>,
    names: Vec<String>,
}

/// Do the judges agree?
///
/// # Errors
/// One judge only, a grade that is not on the scale, or something wrong with the runs.
pub fn agree(question: AgreeQuestion<'_>) -> Result<Report, Problems> {
    let judges: Vec<String> = question.labels.judges().into_iter().map(text).collect();
    if let [judge] = &judges[..] {
        let found = format!("labels of one only ({judge})");
        let remedy = "give the files of several judges, or a file whose column judge says who gave each label";
        let file = question.labels.labels().first().map_or("", |label| question.labels.place(label).0);
        return Err(Problem::of_file(file, "labels of two judges or more", found, remedy).into());
    }
    let scale = Scale::of(&question.scale, &[question.labels])?;
    let counting = count(question.labels, &scale, judges.len())?;
    let counted = Counted::by_group(&counting.labels, &counting.queries);
    let mut report = Report::new("Do the judges agree?", "judges agree", question.version);
    let mut silent: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    let (table, coefficients) = overall(&question, &counted, judges.len(), &mut silent);
    report = report.table(table);
    let mut drawn = vec![figures::agreement::agreement("all judges", question.level, &coefficients)];
    if judges.len() > 2 && judges.len() <= MOST_LISTED {
        let (people, data, cohen) = pairs(&question, &counting, &judges);
        report = report.table(people).table(data);
        drawn.push(figures::agreement::agreement(PAIRS, question.level, &cohen).of("pairs"));
    }
    report = report.table(confusion(&counted, &scale, &judges)).table(by_topic(&counting, question.by_query));
    drawn.extend((scale.grades.len() <= MOST_GRADES).then(|| confusion_figure(&counted, &scale, &judges)));
    report.blocks.extend(drawn.into_iter().map(Block::Figure));
    let mut runs = Vec::new();
    if let Some(of) = &question.effect {
        let found = effect(of, question.labels, &scale, question.level)?;
        report = found.tables.into_iter().fold(report, Report::table);
        report.notes.extend(found.notes);
        runs = found.runs;
    }
    report.notes.extend(notes(&question, &scale, &counted, &counting, judges.len(), silent));
    report.provenance = runs.iter().fold(question.provenance, |provenance, facts| {
        provenance.input_in(facts.format, &facts.file, facts.bytes, facts.rows)
    });
    Ok(report)
}

fn count(labels: &JudgeLabels, scale: &Scale, judges: usize) -> Result<Counting, Problems> {
    let refused = |error: karat_stats::agreement::LabelError| -> Problems {
        let remedy = "see karat judges agree --help";
        Problem::of_file("labels", "labels that can be counted", error.to_string(), remedy).into()
    };
    let mut counting = Counting {
        labels: Labels::new(&scale.grades, judges).map_err(refused)?,
        queries: Vec::new(),
        names: Vec::new(),
    };
    for item in labels.items() {
        let grades: Vec<(usize, f64)> =
            item.grades().map(|(judge, grade)| (judge as usize, scale.counted(grade))).collect();
        if grades.is_empty() {
            continue;
        }
        // Items come in the order of queries.
        let name = text(labels.topic(item.topic));
        if counting.names.last() != Some(&name) {
            counting.names.push(name);
        }
        counting.queries.push(counting.names.len() - 1);
        counting.labels.push(grades).map_err(refused)?;
    }
    Ok(counting)
}

/// A coefficient's value and interval; what has none is told in `silent`, by reason.
fn value(
    question: &AgreeQuestion<'_>,
    counted: &Counted,
    row: &Coefficient,
) -> (Option<f64>, Option<(f64, f64)>, Option<String>) {
    let found = counted.value(row);
    let interval = by_group(counted, row, question.resamples, question.level, question.seed);
    let reason = match (&found, &interval) {
        (Err(reason), _) => Some(reason.to_string()),
        (_, Err(reason @ (NoAgreementInterval::Resample(_) | NoAgreementInterval::ManyPairs))) => {
            Some(format!("no interval: {reason}"))
        }
        _ => None,
    };
    (found.ok(), interval.ok().map(|found| (found.low, found.high)), reason)
}

fn overall(
    question: &AgreeQuestion<'_>,
    counted: &Counted,
    judges: usize,
    silent: &mut BTreeMap<String, Vec<&str>>,
) -> (Table, Vec<AgreementRow>) {
    let percent = crate::eval::percent(question.level);
    let mut table = Table::new("agreement", if judges > 2 { "Over all judges" } else { "" })
        .with(Column::new("coefficient", "").data_only())
        .with(Column::new("title", "coefficient").people_only())
        .column("value", "value")
        .with(Column::new("interval", format!("{percent} interval")).range())
        .column("band", "in words")
        .with(Column::new("judges", "").data_only())
        .column("items", "items")
        .with(Column::new("queries", "").data_only())
        .with(Column::new("level", "").data_only())
        .with(Column::new("reason", "").data_only());
    let mut drawn = Vec::new();
    for row in COEFFICIENTS {
        let (found, interval, reason) = value(question, counted, row);
        drawn.push(AgreementRow { name: row.title.to_owned(), value: found, interval });
        if let Some(reason) = &reason {
            silent.entry(reason.clone()).or_default().push(row.title);
        }
        let words = found.filter(|_| row.beyond_chance).map(band);
        table.push([
            row.name.into(),
            row.title.into(),
            found.into(),
            interval.into(),
            words.into(),
            judges.into(),
            counted.items().into(),
            counted.groups().into(),
            question.level.into(),
            reason.into(),
        ]);
    }
    (table, drawn)
}

/// Every pair of judges: a short table for people, every coefficient for programs.
fn pairs(question: &AgreeQuestion<'_>, counting: &Counting, judges: &[String]) -> (Table, Table, Vec<AgreementRow>) {
    let mut drawn = Vec::new();
    const SHOWN: [(&str, &str); 4] = [
        ("observed", "observed"),
        ("cohen", "Cohen"),
        ("cohen_quadratic", "quadratic"),
        ("krippendorff_ordinal", "alpha, ordinal"),
    ];
    let mut people = Table::new("pairs_shown", "Pairs of judges")
        .audience(Audience::People)
        .column("a", "judge")
        .column("b", "and")
        .column("items", "items");
    for (key, heading) in SHOWN {
        people = people.column(key, heading);
    }
    people = people.column("band", "Cohen in words");
    let mut data = Table::new("pairs", "").audience(Audience::Data);
    for key in ["a", "b", "coefficient", "value", "band", "items", "queries", "reason"] {
        data = data.column(key, key);
    }
    data = data.with(Column::new("interval", "").range());
    for (first, a) in judges.iter().enumerate() {
        for (second, b) in judges.iter().enumerate().skip(first + 1) {
            let counted = Counted::by_group(&counting.labels.pair(first, second), &counting.queries);
            if counted.items() == 0 {
                continue;
            }
            let mut shown: Vec<Cell> = vec![a.as_str().into(), b.as_str().into(), counted.items().into()];
            let mut cohen = None;
            for row in COEFFICIENTS {
                let (found, interval, reason) = value(question, &counted, row);
                let words = found.filter(|_| row.beyond_chance).map(band);
                if SHOWN.iter().any(|(name, _)| *name == row.name) {
                    shown.push(found.into());
                }
                if row.name == "cohen" {
                    drawn.push(AgreementRow { name: format!("{a} and {b}"), value: found, interval });
                    cohen = words;
                }
                let cells: [Cell; 8] = [
                    a.as_str().into(),
                    b.as_str().into(),
                    row.name.into(),
                    found.into(),
                    words.into(),
                    counted.items().into(),
                    counted.groups().into(),
                    reason.into(),
                ];
                data.push(cells.into_iter().chain([interval.into()]).collect::<Vec<Cell>>());
            }
            shown.push(cohen.into());
            people.push(shown);
        }
    }
    (people, data, drawn)
}

/// The same as a figure; of more than two judges every two labels of a document, both ways.
fn confusion_figure(counted: &Counted, scale: &Scale, judges: &[String]) -> Figure {
    let k = scale.grades.len();
    let mut cells = vec![vec![0.0; k]; k];
    for ((a, b), items) in counted.places_together() {
        cells[a][b] += items;
        if judges.len() != 2 {
            cells[b][a] += items;
        }
    }
    let grades: Vec<String> = scale.grades.iter().map(|grade| NumberStyle::Given.show(*grade)).collect();
    match judges {
        [a, b] => figures::confusion::confusion(&format!("{a} and {b}"), (a, b), &grades, &cells),
        _ => figures::confusion::confusion(
            "every two judges",
            ("one judge", "another, each pair both ways"),
            &grades,
            &cells,
        ),
    }
}

/// How often one judge gives a grade and another a grade: of two judges in their order, of more the lower grade first.
fn confusion(counted: &Counted, scale: &Scale, judges: &[String]) -> Table {
    let k = scale.grades.len();
    let two = judges.len() == 2;
    let mut cells = vec![0.0; k * k];
    for ((a, b), items) in counted.places_together() {
        let (row, column) = if two { (a, b) } else { (a.min(b), a.max(b)) };
        cells[row * k + column] += items;
    }
    let total: f64 = cells.iter().sum();
    let grade = |key, heading: String| Column::new(key, heading).style(NumberStyle::Significant(1));
    let heading = |place: usize, other: &str| if two { judges[place].clone() } else { other.to_owned() };
    let title = if two { "Which grades they give" } else { "Which grades two judges give to a document" };
    let mut table = Table::new("confusion", title)
        .with(grade("grade_a", heading(0, "one")))
        .with(grade("grade_b", heading(1, "another")))
        .column("pairs", if two { "items" } else { "pairs of labels" })
        .column("share", "share");
    for a in 0..k {
        for b in 0..k {
            let here = cells[a * k + b];
            if !two && b < a || k > MOST_GRADES && here == 0.0 {
                continue;
            }
            let share = (total > 0.0).then(|| here / total);
            table.push([scale.grades[a].into(), scale.grades[b].into(), (here as u64).into(), share.into()]);
        }
    }
    table
}

/// The interjudge table: by query, documents judged by two or more, and how many of them they disagree on.
fn by_topic(counting: &Counting, shown: bool) -> Table {
    let mut counts = vec![(0u64, 0u64); counting.names.len()];
    for (item, &query) in counting.queries.iter().enumerate() {
        let given = counting.labels.of(item);
        if given.len() > 1 {
            counts[query].0 += 1;
            counts[query].1 += u64::from(given.iter().any(|label| label.1 != given[0].1));
        }
    }
    let mut table = Table::new("by_query", "By query")
        .audience(if shown { Audience::Both } else { Audience::Data })
        .column("topic", "topic")
        .column("judged", "judged by several")
        .column("disagreements", "disagreements");
    for (name, (judged, disagreements)) in counting.names.iter().zip(counts) {
        table.push([name.as_str().into(), judged.into(), disagreements.into()]);
    }
    table
}

fn notes(
    question: &AgreeQuestion<'_>,
    scale: &Scale,
    counted: &Counted,
    counting: &Counting,
    judges: usize,
    silent: BTreeMap<String, Vec<&str>>,
) -> Vec<String> {
    let mut notes: Vec<String> = Vec::new();
    for (reason, titles) in silent {
        let all = titles.len() == COEFFICIENTS.len();
        let which = if all { "every coefficient".to_owned() } else { titles.join(", ") };
        notes.push(format!("{which}: {reason}"));
    }
    notes.extend(super::repeated(question.labels));
    let states = question.labels.states();
    let other = states.iter().filter(|(state, count)| *state != State::Judged && *count > 0);
    let other: Vec<String> = other.map(|(state, count)| format!("{count} {}", state.name())).collect();
    if !other.is_empty() {
        notes.push(format!("labels that are no grade are left out: {}", other.join(", ")));
    }
    let alone = counting.labels.items() as u64 - counted.items();
    if alone > 0 {
        notes.push(format!(
            "{alone} of {} items have one judge's grade only: they say nothing about agreement (Fleiss' kappa and Gwet's AC1 count them for chance)",
            counting.labels.items()
        ));
    }
    if judges > 2 {
        notes.push(
            "Cohen's kappas, the pooled kappa and overlap over more than two judges are means over pairs; the others are made for several".into(),
        );
    }
    if judges > MOST_LISTED {
        notes.push(format!("{judges} judges: pairs are listed for at most {MOST_LISTED}"));
    }
    notes.extend((!scale.note.is_empty()).then(|| scale.note.clone()));
    notes.push(format!(
        "intervals: {} resamples of whole queries, not of pairs, because the labels of a query stand or fall together",
        question.resamples
    ));
    notes.push("in words: good from 0.8, fair from 0.67, else dubious (Manning, Raghavan and Schütze 2008)".into());
    notes
}
