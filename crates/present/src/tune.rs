//! `karat tune` for people.

use karat_analysis::tune::{EarlierLooks, FoldResult, TestComparison, TuneAnswer, TuneError, TuneNote, TunedRun};
use karat_data::{Problem, Problems};
use karat_report::{Block, Column, Columns, NumberStyle, Report, Table};
use karat_stats::selection::NoFolds;

use crate::Context;
use crate::compare::unknown_baseline;
use crate::score_error;
use crate::words::{list_names, percent};

/// The report; `because` is the reason for the verdict on test topics.
pub fn report(mut answer: TuneAnswer, because: Option<String>, list_folds: bool, context: Context) -> Report {
    for row in answer.comparison.iter_mut().flatten() {
        row.because = because.clone().unwrap_or_default();
    }
    let mut report = context
        .report("Tuning", "tune")
        .block(Block::Text(summary(&answer)))
        .block(Block::Record(record(&answer)))
        .table(runs(&answer));
    if let Some(comparison) = &answer.comparison {
        report = report.table(comparison_table(comparison, answer.level));
    }
    if list_folds {
        report = report.table(folds(&answer.folds));
    }
    report.notes.extend(answer.notes.iter().map(note_text));
    report.answering(answer)
}

fn show(value: f64) -> String {
    NumberStyle::Score.show(value)
}

/// A mean with its interval.
fn mean_text(value: f64, interval: Option<(f64, f64)>, level: f64) -> String {
    let interval = interval.map_or_else(String::new, |(low, high)| {
        format!(" ({} interval {} to {})", percent(level), show(low), show(high))
    });
    format!("{}{interval}", show(value))
}

fn summary(answer: &TuneAnswer) -> String {
    let TuneAnswer { chosen, baseline, measure, level, .. } = answer;
    let mut lines = vec![format!(
        "{chosen} is chosen from {} runs by {measure}: {} on {} development topics.",
        answer.candidates,
        mean_text(answer.dev_value, answer.dev_interval, *level),
        answer.dev_topics
    )];
    let error =
        answer.optimism_std_error.map_or_else(String::new, |error| format!(" (standard error {})", show(error)));
    lines.push(format!(
        "Estimated optimism of this score: {}{error}. Expected on new topics: {}.",
        show(answer.optimism),
        show(answer.fresh_value)
    ));
    if let (Some(value), Some(topics)) = (answer.test_value, answer.test_topics) {
        lines.push(format!("On {topics} test topics: {}.", mean_text(value, answer.test_interval, *level)));
        lines.push(match answer.comparison.iter().flatten().next() {
            Some(row) => {
                let undecided = if row.verdict == "undecided" { "undecided; " } else { "" };
                format!("Compared with {baseline} on test topics: {undecided}{}.", row.because)
            }
            None => "The chosen run is the baseline, so there is no comparison on test topics.".into(),
        });
    }
    lines.join("\n")
}

fn record(answer: &TuneAnswer) -> Table {
    let interval = || format!("{} interval", percent(answer.level));
    Columns::new()
        .column("measure", "measure", |row: &TuneAnswer| row.measure.as_str().into())
        .column("chosen", "chosen run", |row| row.chosen.as_str().into())
        .column("baseline", "baseline", |row| row.baseline.as_str().into())
        .column("candidates", "candidate runs", |row| row.candidates.into())
        .column("dev_topics", "development topics", |row| row.dev_topics.into())
        .column("dev_value", "score on development topics", |row| row.dev_value.into())
        .column("dev_interval", interval(), |row| row.dev_interval.into())
        .column("fresh_value", "expected score on new topics", |row| row.fresh_value.into())
        .column("fresh_interval", "approximate interval", |row| row.fresh_interval.into())
        .column("optimism", "optimism", |row| row.optimism.into())
        .column("optimism_std_error", "standard error", |row| row.optimism_std_error.into())
        .with(decimals_2("stability", "share of folds that choose this run"), |row| row.stability.into())
        .when(answer.test_topics.is_some(), |columns| {
            columns
                .column("test_topics", "test topics", |row| row.test_topics.into())
                .column("test_value", "score on test topics", |row| row.test_value.into())
                .column("test_interval", interval(), |row| row.test_interval.into())
                .column("fall", "drop from development to test", |row| row.fall.into())
                .column("fall_std_error", "standard error", |row| row.fall_std_error.into())
                .column("lead_fall", "drop of the lead over the baseline", |row| row.lead_fall.into())
                .column("lead_fall_std_error", "standard error", |row| row.lead_fall_std_error.into())
        })
        .table("tune", "", [answer])
}

fn decimals_2(key: &'static str, heading: &str) -> Column {
    Column::new(key, heading).style(NumberStyle::Decimals(2))
}

fn runs(answer: &TuneAnswer) -> Table {
    let interval = || format!("{} interval", percent(answer.level));
    let parameters = |row: &TunedRun| {
        let pairs: Vec<String> =
            row.parameters.iter().flatten().map(|one| format!("{}={}", one.name, one.value)).collect();
        pairs.join(" ").into()
    };
    Columns::new()
        .column("run", "run", |row: &TunedRun| row.run.as_str().into())
        .when(answer.runs.iter().any(|row| row.parameters.is_some()), |columns| {
            columns.column("parameters", "parameters", parameters)
        })
        .column("dev_value", "dev", |row| row.dev_value.into())
        .column("dev_interval", interval(), |row| row.dev_interval.into())
        .with(decimals_2("chosen_share", "folds"), |row| row.chosen_share.into())
        .when(answer.runs.iter().any(|row| row.test_value.is_some()), |columns| {
            columns.column("test_value", "test", |row| row.test_value.into()).column(
                "test_interval",
                interval(),
                |row| row.test_interval.into(),
            )
        })
        .table("runs", "Runs, best on development topics first (folds: share that choose the run)", &answer.runs)
}

fn comparison_table(rows: &[TestComparison], level: f64) -> Table {
    Columns::new()
        .column("a", "a", |row: &TestComparison| row.a.as_str().into())
        .column("b", "b", |row| row.b.as_str().into())
        .column("difference", "a − b", |row| row.difference.into())
        .column("interval", format!("{} interval", percent(level)), |row| row.interval.into())
        .column("bounds", "bounds", |row| row.bounds.into())
        .with(Column::new("p", "p").style(NumberStyle::P), |row| row.p.into())
        .column("wins", "win/tie/loss", |row| {
            let (won, tied, lost) = row.wins;
            format!("{won}/{tied}/{lost}").into()
        })
        .table("comparison", "On test topics", rows)
}

fn folds(rows: &[FoldResult]) -> Table {
    Columns::new()
        .column("fold", "fold", |row: &FoldResult| row.fold.into())
        .column("topics", "topics", |row| row.topics.into())
        .column("chosen", "chosen", |row| row.chosen.as_str().into())
        .column("elsewhere", "on the others", |row| row.elsewhere.into())
        .column("here", "on the fold", |row| row.here.into())
        .column("baseline", "baseline on the fold", |row| row.baseline.into())
        .table("folds", "Folds: run chosen on the other folds, scored on the fold", rows)
}

fn note_text(note: &TuneNote) -> String {
    match note {
        TuneNote::OpenedBefore(before) => opened_before(before),
        TuneNote::Ties(runs) => {
            format!("Equally good on development topics: {}. The first run given is chosen.", runs.join(", "))
        }
        TuneNote::LeftOut(topics) => {
            let names = list_names(topics.iter().map(Vec::as_slice), topics.len());
            format!("Not used for choosing, because some run has no score: {names}.")
        }
        TuneNote::FewTopics(topics) => {
            format!("warning: {topics} development topics are too few to estimate the optimism and its standard error.")
        }
        TuneNote::CrossValidation { folds, repeats, seed } => format!(
            "Optimism by cross-validation: {folds} folds, {repeats} splits, seed {seed}. Each choice uses fewer topics, so the estimate is \
             slightly too large."
        ),
        TuneNote::NoTestTopics => "No test topics: report the chosen run on other topics (--test).".into(),
        TuneNote::AllRevealed => {
            "Test scores of all runs are shown (--reveal). Choosing by them makes the test scores optimistic.".into()
        }
        TuneNote::Falls => {
            "The drop from development to test mixes optimism and topic difficulty. The drop of the lead excludes \
                            difficulty that both runs share."
                .into()
        }
    }
}

/// That test topics are no longer new.
fn opened_before(before: &EarlierLooks) -> String {
    let EarlierLooks { same, some, unreadable, chosen, log } = before;
    let lost =
        format!("{unreadable} lines of {log} cannot be read, so there may have been more looks at these test topics");
    if *same + *some == 0 {
        return format!("warning: {lost}.");
    }
    let times = |count: u64| if count == 1 { "once".to_owned() } else { format!("{count} times") };
    let mut parts = Vec::new();
    if *same > 0 {
        parts.push(format!("these test topics were opened {} before", times(*same)));
    }
    if *some > 0 {
        parts.push(format!("some of them with others {}", times(*some)));
    }
    if *unreadable > 0 {
        parts.push(lost);
    }
    format!(
        "warning: {} ({log}; chosen then: {}). Choosing again after seeing test scores makes them optimistic.",
        parts.join(", "),
        chosen.join(", ")
    )
}

/// Why nothing can be chosen.
pub fn problems(error: TuneError) -> Problems {
    let (place, expected, found, remedy) = match error {
        TuneError::Runs(error) => return score_error::problems(error),
        TuneError::Baseline(error) => return unknown_baseline(&error).into(),
        TuneError::TooFew(why) => (
            "RUN",
            "at least two runs, with scores on at least two development topics",
            why.to_string(),
            "give more runs or topics",
        ),
        TuneError::Folds(why) => {
            let remedy = match why {
                NoFolds::Empty { .. } => "use fewer folds, or give more development topics",
                _ => "use at least 2 folds and 1 repeat",
            };
            ("--folds", "folds that all have topics", why.to_string(), remedy)
        }
        TuneError::NotAveraged { measure } => {
            ("-m", "a measure that is averaged over topics", measure, "use the measure it summarises (AP for GMAP)")
        }
        TuneError::MeasureCount(count) => (
            "-m",
            "one measure to choose by",
            count.to_string(),
            "choose by one measure; karat eval computes the others for the chosen run",
        ),
    };
    Problem::of_file(place, expected, found, remedy).into()
}
