//! An A/B test over users.

use karat_analysis::ab::{SequenceLook, TestUsed, UsersAnswer, UsersArm, UsersComparison, UsersOptions, UsersPower};
use karat_report::{Column, Columns, NumberStyle, Report, Table};
use karat_stats::ab::RESAMPLED_BELOW;

use super::notes;
use super::parts::{Arms, because, sample_ratio, verdict};
use crate::Context;
use crate::words::percent;

/// Looks that people see per comparison; programs get all.
const SHOWN: usize = 14;

/// The report of an A/B test over users.
pub fn report(mut answer: UsersAnswer, options: &UsersOptions, context: Context) -> Report {
    let corrected = answer.comparisons.len() > 1;
    for row in &mut answer.comparisons {
        let mut test = test_name(row.test).to_owned();
        if corrected {
            test.push_str(" with Holm's correction");
        }
        let arms = Arms { control: &row.control, arm: &row.arm, units: &answer.unit.many };
        row.because = because(row.reason, &test, arms, row.level);
    }
    let layout = Layout::new(&answer, options);
    let mut report = context
        .report(layout.title(&answer), "ab")
        .block(sample_ratio(&answer.sample_ratio))
        .table(layout.arms(&answer.arms, &answer.unit.many))
        .table(layout.comparisons(&answer.comparisons))
        .table(layout.tests(&answer.comparisons))
        .table(layout.power(&answer.power, &answer.unit.many));
    if let Some(looks) = &answer.sequence {
        report = report.table(layout.looks(looks));
    }
    report.notes.extend(answer.notes.iter().map(|note| notes::text(note, &answer.unit)));
    report.answering(answer)
}

fn test_name(test: Option<TestUsed>) -> &'static str {
    match test {
        Some(TestUsed::Resampling) => "resampling",
        Some(TestUsed::T) | None => "Welch's t",
        Some(TestUsed::Sequence) => "the confidence sequence",
    }
}

fn test_column(test: TestUsed) -> &'static str {
    match test {
        TestUsed::Resampling => "resampling",
        TestUsed::T => "t",
        TestUsed::Sequence => "sequence",
    }
}

/// What every table needs to know.
struct Layout<'o> {
    options: &'o UsersOptions,
    /// The control's name.
    control: String,
    /// The metrics; a table names them only when there are several.
    metrics: Vec<String>,
    /// The only arm besides the control, where there is one.
    only_arm: Option<String>,
    /// The heading of intervals.
    interval: String,
    percent: String,
}

impl<'o> Layout<'o> {
    fn new(answer: &UsersAnswer, options: &'o UsersOptions) -> Self {
        let of_control = answer.arms.iter().filter(|arm| arm.control);
        let arms = &answer.sample_ratio.arms;
        let percent = percent(options.level);
        // With looks, every interval that is shown is valid at all of them.
        let interval = match options.peek {
            Some(_) => format!("{percent} (any look)"),
            None => format!("{percent} interval"),
        };
        Layout {
            options,
            interval,
            control: arms.first().map(|arm| arm.arm.clone()).unwrap_or_default(),
            metrics: of_control.map(|arm| arm.metric.clone()).collect(),
            only_arm: arms.get(1).filter(|_| arms.len() == 2).map(|arm| arm.arm.clone()),
            percent,
        }
    }

    fn title(&self, answer: &UsersAnswer) -> String {
        let others: Vec<&str> = answer.sample_ratio.arms.iter().skip(1).map(|arm| arm.arm.as_str()).collect();
        format!("{}: {} compared with {}", self.metrics.join(", "), others.join(", "), self.control)
    }

    /// Columns that start with the metric, where there are several.
    fn by_metric<T: 'static>(&self, metric: fn(&T) -> &str) -> Columns<'static, T> {
        Columns::new().when(self.metrics.len() > 1, |columns| {
            columns.column("metric", "metric", move |row: &T| metric(row).into())
        })
    }

    fn arms(&self, rows: &[UsersArm], units: &str) -> Table {
        let few = rows.iter().any(|row| row.effective_units < RESAMPLED_BELOW);
        let given = |key, heading: &str| Column::new(key, heading).style(NumberStyle::Given);
        self.by_metric(|row: &UsersArm| &row.metric)
            .column("arm", "arm", |row| row.arm.as_str().into())
            .column("units", units, |row| row.units.into())
            .when(few, |columns| {
                columns.with(Column::new("effective_units", "effective").style(NumberStyle::Decimals(1)), |row| {
                    row.effective_units.into()
                })
            })
            .with(given("numerator", "numer."), |row| row.numerator.into())
            .with(given("denominator", "denom."), |row| row.denominator.into())
            .column("value", "value", |row| row.value.into())
            .column("std_error", "std. error", |row| row.std_error.into())
            .column("interval", self.interval.clone(), |row| row.interval.into())
            .table("arms", "Arms", rows)
    }

    fn comparisons(&self, rows: &[UsersComparison]) -> Table {
        self.by_metric(|row: &UsersComparison| &row.metric)
            .column("arm", "arm", |row| row.arm.as_str().into())
            .column("difference", "diff.", |row| row.difference.into())
            .column("interval", self.interval.clone(), |row| row.interval.into())
            .column("lift", "lift", |row| row.lift.into())
            .column("lift_interval", "lift interval", |row| row.lift_interval.into())
            .column("verdict", "verdict", |row| verdict(row.verdict).into())
            .table("comparisons", format!("Difference from {}", self.control), rows)
    }

    fn tests(&self, rows: &[UsersComparison]) -> Table {
        let p = |key, heading: &str| Column::new(key, heading).style(NumberStyle::P);
        let peek = self.options.peek.is_some();
        self.by_metric(|row: &UsersComparison| &row.metric)
            .column("arm", "arm", |row| row.arm.as_str().into())
            .column("test", "test", |row| row.test.map(test_column).into())
            .with(p("p", if peek { "p (any look)" } else { "p" }), |row| row.p.into())
            .when(peek, |columns| columns.with(p("p_fixed", "p (one look)"), |row| row.p_fixed.into()))
            .when(rows.len() > 1, |columns| columns.with(p("p_adjusted", "p (Holm)"), |row| row.p_adjusted.into()))
            .with(p("p_naive", "naive p"), |row| row.p_naive.into())
            .with(Column::new("design_effect", "design effect").style(NumberStyle::Decimals(2)), |row| {
                row.design_effect.into()
            })
            .table("tests", "Tests", rows)
    }

    fn power(&self, rows: &[UsersPower], units: &str) -> Table {
        let (heading, style) = match self.options.lift {
            Some(_) => ("target lift", NumberStyle::Given),
            None => ("observed lift", NumberStyle::Score),
        };
        let whole = |key, heading: String| Column::new(key, heading).style(NumberStyle::Decimals(0));
        let days = rows.iter().any(|row| row.days_needed.is_some());
        self.by_metric(|row: &UsersPower| &row.metric)
            .column("arm", "arm", |row| row.arm.as_str().into())
            .column("detectable_difference", "detectable diff.", |row| row.detectable_difference.into())
            .column("detectable_lift", "as lift", |row| row.detectable_lift.into())
            .with(Column::new("lift", heading).style(style), |row| row.lift.into())
            .with(whole("units_needed", format!("{units} needed")), |row| row.units_needed.into())
            .when(days, |columns| columns.with(whole("days_needed", "days".into()), |row| row.days_needed.into()))
            .table("power", format!("Power {}", NumberStyle::Given.show(self.options.power)), rows)
    }

    fn looks(&self, rows: &[SequenceLook]) -> Table {
        let p = |key, heading: &str| Column::new(key, heading).style(NumberStyle::P);
        let comparisons = rows.chunk_by(|a, b| (&a.metric, &a.arm) == (&b.metric, &b.arm));
        let all = comparisons.clone().map(<[_]>::len).max().unwrap_or(0);
        let shown = comparisons.flat_map(|looks| &looks[looks.len().saturating_sub(SHOWN)..]);
        let title = if all > SHOWN { format!("Looks (last {SHOWN} of {all})") } else { "Looks".to_owned() };
        let arm_heading = self.only_arm.clone().unwrap_or_else(|| "arm units".into());
        self.by_metric(|row: &SequenceLook| &row.metric)
            .when(self.only_arm.is_none(), |columns| columns.column("arm", "arm", |row| row.arm.as_str().into()))
            .column("time", "up to", |row| row.time.as_str().into())
            .column("control_units", self.control.clone(), |row| row.control_units.into())
            .column("arm_units", arm_heading, |row| row.arm_units.into())
            .column("difference", "diff.", |row| row.difference.into())
            .column("interval", format!("{} (any look)", self.percent), |row| row.interval.into())
            .with(p("p", "p (any look)"), |row| row.p.into())
            .with(p("p_fixed", "p (one look)"), |row| row.p_fixed.into())
            .table("sequence", title, shown)
    }
}
