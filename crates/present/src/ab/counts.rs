//! An A/B test by counts.

use karat_analysis::ab::{CountsAnswer, CountsArm, CountsComparison, CountsOptions, CountsPower, UnitName, Verdict};
use karat_report::{Column, Columns, NumberStyle, Report, Table};

use super::notes;
use super::parts::{Arms, because, sample_ratio, verdict};
use crate::Context;
use crate::words::percent;

/// The report of an A/B test by counts.
pub fn report(mut answer: CountsAnswer, options: &CountsOptions, context: Context) -> Report {
    let corrected = answer.comparisons.len() > 1;
    let test = if corrected { "the naive z test with Holm's correction" } else { "the naive z test" };
    for row in &mut answer.comparisons {
        let arms = Arms { control: &row.control, arm: &row.arm, units: "users" };
        row.because = because(row.reason, test, arms, row.level);
        if row.verdict != Verdict::Undecided {
            row.because.push_str("; it assumes that no user repeats");
        }
    }
    let (successes, trials) = &options.counted;
    let names: Vec<&str> = answer.arms.iter().map(|arm| arm.arm.as_str()).collect();
    let title = format!("{successes}/{trials}: {} compared with {}", names[1..].join(", "), names[0]);
    let mut report = context
        .report(title, "ab")
        .block(sample_ratio(&answer.sample_ratio))
        .table(arms(&answer.arms, options))
        .table(comparisons(&answer.comparisons, options))
        .table(tests(&answer.comparisons))
        .table(power(&answer.power, options));
    let unit = UnitName::from_column("user");
    report.notes.extend(answer.notes.iter().map(|note| notes::text(note, &unit)));
    report.answering(answer)
}

fn arms(rows: &[CountsArm], options: &CountsOptions) -> Table {
    let users = rows.iter().any(|arm| arm.users.is_some());
    Columns::new()
        .column("arm", "arm", |row: &CountsArm| row.arm.as_str().into())
        .when(users, |columns| columns.column("users", "users", |row| row.users.into()))
        .column("numerator", options.counted.0.clone(), |row| row.numerator.into())
        .column("denominator", options.counted.1.clone(), |row| row.denominator.into())
        .column("value", "value", |row| row.value.into())
        .column("interval", format!("{} interval (Wilson)", percent(options.level)), |row| row.interval.into())
        .table("arms", "Arms", rows)
}

fn comparisons(rows: &[CountsComparison], options: &CountsOptions) -> Table {
    let control = rows.first().map_or("", |row| row.control.as_str());
    Columns::new()
        .column("arm", "arm", |row: &CountsComparison| row.arm.as_str().into())
        .column("difference", "diff.", |row| row.difference.into())
        .column("interval", format!("{} interval", percent(options.level)), |row| row.interval.into())
        .column("lift", "lift", |row| row.lift.into())
        .column("lift_interval", "lift interval", |row| row.lift_interval.into())
        .column("verdict", "verdict", |row| verdict(row.verdict).into())
        .table("comparisons", format!("Difference from {control}"), rows)
}

fn tests(rows: &[CountsComparison]) -> Table {
    let p = |key, heading: &str| Column::new(key, heading).style(NumberStyle::P);
    Columns::new()
        .column("arm", "arm", |row: &CountsComparison| row.arm.as_str().into())
        .with(Column::new("z", "z").style(NumberStyle::Decimals(3)), |row| row.z.into())
        .with(p("p_naive", "naive p"), |row| row.p_naive.into())
        .when(rows.len() > 1, |columns| columns.with(p("p_adjusted", "p (Holm)"), |row| row.p_adjusted.into()))
        .with(Column::new("design_effect_limit", "design effect limit").style(NumberStyle::Decimals(2)), |row| {
            row.design_effect_limit.into()
        })
        .table("tests", "Naive z test", rows)
}

fn power(rows: &[CountsPower], options: &CountsOptions) -> Table {
    let trials = &options.counted.1;
    let (heading, style) = match options.lift {
        Some(_) => ("target lift", NumberStyle::Given),
        None => ("observed lift", NumberStyle::Score),
    };
    let title = format!("Power {}, if no user repeats", NumberStyle::Given.show(options.power));
    Columns::new()
        .column("arm", "arm", |row: &CountsPower| row.arm.as_str().into())
        .column("detectable_difference", "detectable diff.", |row| row.detectable_difference.into())
        .column("detectable_lift", "as lift", |row| row.detectable_lift.into())
        .with(Column::new("lift", heading).style(style), |row| row.lift.into())
        .with(Column::new("units_needed", format!("{trials} needed")).style(NumberStyle::Decimals(0)), |row| {
            row.units_needed.into()
        })
        .table("power", title, rows)
}
