//! What is wrong with the data of an A/B test, in words.

use karat_analysis::ab::rows::Several;
use karat_analysis::ab::{AbError, CrossedUnit, RowError, TimeError, TimeKind};
use karat_data::problem::quote;
use karat_data::{LineProblem, Problem, Problems};

use super::parts::no_answer;

/// An error of the analysis as problems of the file.
pub fn problems(error: &AbError, file: &str) -> Problems {
    let (expected, found, remedy) = match error {
        AbError::UnitsInTwoArms { unit, units, arms, crossed } => {
            return units_in_two_arms(file, unit, *units, arms, crossed);
        }
        AbError::SuccessesBeyondTrials { arm, counted: (successes, trials) } => (
            format!("at most as many {successes} as {trials}"),
            format!("{} {successes} of {} {trials} in {}", arm.successes, arm.trials, arm.name),
            format!("count a search with several clicks once; {trials} must be at least 1"),
        ),
        AbError::UsersBeyondTrials { arm, trials } => (
            format!("at most as many users as {trials}, and at least one"),
            format!("{} users with {} {trials} in {}", arm.users.unwrap_or(0), arm.trials, arm.name),
            "count only users with searches".into(),
        ),
        AbError::SplitLength { weights, arms } => (
            SPLIT.into(),
            format!("{weights} weights for {} arms ({})", arms.len(), arms.join(", ")),
            "give the control's weight first, then the others'".into(),
        ),
        AbError::SplitNames { named, arms } => (
            SPLIT.into(),
            format!("weights for {}; the arms are {}", named.join(", "), arms.join(", ")),
            "name each arm once, as it is in the file".into(),
        ),
        AbError::NoSampleRatio(why) => {
            ("units in two or more arms".into(), no_answer(why), "give the rows of all arms".into())
        }
        AbError::OneArm { arm } => (
            "two or more arms".into(),
            arm.as_ref().map_or("none (every unit is in two arms)".into(), |arm| format!("only one ({arm})")),
            "add the rows of the control; --arm names the column of the arm".into(),
        ),
        AbError::UnknownControl { control, arms } => (
            format!("an arm {control} (--control)"),
            format!("the arms {}", list_arms(arms)),
            "name one of them".into(),
        ),
        AbError::TooFewUnits(found) => (
            format!("two or more {} with {} in the arm {}", found.unit.many, found.over, found.arm),
            format!("{} (the arms are {})", no_answer(&found.why), list_arms(&found.arms)),
            "collect more data, remove the arm, or write the arms alike".into(),
        ),
        AbError::NoSearches => {
            ("at least one search".into(), "rows that count none".into(), "check that the file is complete".into())
        }
    };
    Problem::of_file(file, expected, found, remedy).into()
}

const SPLIT: &str = "a --split with one weight per arm";

/// Names of arms: all, or the first of very many.
fn list_arms(arms: &[String]) -> String {
    const SHOWN: usize = 12;
    let first: Vec<&str> = arms.iter().take(SHOWN).map(String::as_str).collect();
    let more = arms.len().saturating_sub(SHOWN);
    if more > 0 { format!("{} and {more} more", first.join(", ")) } else { first.join(", ") }
}

fn units_in_two_arms(file: &str, unit: &str, units: usize, arms: &[String], crossed: &[CrossedUnit]) -> Problems {
    let remedy = format!(
        "{} of {units} are in two arms; the arms are {}. Check --unit, assignments that changed, and arms written in two ways; \
         --both-arms drop leaves them out",
        crossed.len(),
        list_arms(arms)
    );
    let mut problems = Problems::default();
    for own in crossed {
        let (other, first) = (quote(&own.other_arm), quote(&own.first_arm));
        let found = format!("{} in {other} and in {first} (line {})", quote(&own.name), own.first_line);
        let line = u32::try_from(own.other_line.saturating_sub(1)).unwrap_or(u32::MAX);
        let problem = LineProblem::new("column", format!("each {unit} in one arm"), found, &remedy);
        problems.push(Problem::of_line(file, 0, LineProblem { line, ..problem }));
    }
    problems
}

/// An error of a row as a problem of its line.
pub fn row_problem(error: &RowError) -> LineProblem {
    match error {
        RowError::NumeratorBeyondDenominator { numerator, denominator, values: (x, y), several } => {
            let remedy = match several {
                Several::Once => "--several once needs rows of single searches",
                _ => {
                    "choose how several clicks on one search count: --several once (rows of single searches) or --several all (the \
                      metric is then a mean)"
                }
            };
            let quoted = |name: &str| quote(name.as_bytes());
            let expected = format!("at most as many {} as {}", quoted(numerator), quoted(denominator));
            LineProblem::new("column", expected, format!("{x} of {y}"), remedy).in_column(numerator)
        }
        RowError::Time { column, found, error } => {
            let quoted = quote(column.as_bytes());
            let (expected, remedy) = match error {
                TimeError::NotATime => (
                    format!("a date, a time or a number in {quoted}"),
                    "write dates as 2026-03-01, times as 2026-03-01T10:00, or give numbers",
                ),
                TimeError::OtherKind { first, line } => (
                    format!("{} in {quoted}, as in line {line}", kind_example(*first)),
                    "write all times of a file in one way, such as dates as 2026-03-01",
                ),
            };
            LineProblem::new("column", expected, quote(found), remedy).in_column(column)
        }
    }
}

fn kind_example(kind: TimeKind) -> &'static str {
    match kind {
        TimeKind::Date => "a date as 2026-03-01",
        TimeKind::Local => "a time as 2026-03-01T10:00",
        TimeKind::Utc => "a time as 2026-03-01T10:00Z",
        TimeKind::Number => "a number",
    }
}
