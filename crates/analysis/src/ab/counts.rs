//! Arms compared by counts alone: the naive z test, under that name.

use karat_data::Problems;
use karat_report::{Column, NumberStyle, Provenance, Report, Table};
use karat_stats::ab::{
    NoAnswer, Planned, Proportion, Ratio, design_effect_limit, detectable, lift, naive, units_needed,
};
use karat_stats::correction::HOLM;

use super::check::{Split, check};
use super::{notes, refuse, verdict};

/// One arm's counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counts {
    /// Its name.
    pub name: String,
    /// Clicks.
    pub successes: u64,
    /// Searches.
    pub trials: u64,
    /// Users behind them, where that is known.
    pub users: Option<u64>,
}

/// What is asked.
pub struct CountsQuestion {
    /// The arms; the first is the control.
    pub arms: Vec<Counts>,
    /// What is counted above and below: clicks and searches.
    pub names: (String, String),
    /// How units were to be split.
    pub split: Option<Split>,
    /// Level of intervals.
    pub level: f64,
    /// The chance to find what is there.
    pub power: f64,
    /// A relative lift that is to be found.
    pub lift: Option<f64>,
    /// Where the numbers come from.
    pub provenance: Provenance,
    /// The program's version.
    pub version: &'static str,
}

const FILE: &str = "counts";

/// Did the rate change, as far as counts can say?
///
/// # Errors
/// Counts that are none, or a split that does not fit.
pub fn counts(question: CountsQuestion) -> Result<Report, Problems> {
    let (above, below) = (&question.names.0, &question.names.1);
    let mut shares = Vec::new();
    for arm in &question.arms {
        shares.push(Proportion::new(arm.successes, arm.trials).map_err(|_| {
            let found = format!("{} {above} of {} {below} in {}", arm.successes, arm.trials, arm.name);
            let remedy = format!("count a search with several clicks once, and give at least one of {below}");
            refuse(FILE, format!("at most as many {above} as {below}"), found, remedy)
        })?);
        if arm.users.is_some_and(|users| users > arm.trials || users == 0) {
            let found = format!("{} users with {} {below} in {}", arm.users.unwrap_or(0), arm.trials, arm.name);
            return Err(refuse(
                FILE,
                format!("at most as many users as {below}, and at least one"),
                found,
                "count users who were seen",
            ));
        }
    }
    let names: Vec<String> = question.arms.iter().map(|arm| arm.name.clone()).collect();
    let users: Option<Vec<u64>> = question.arms.iter().map(|arm| arm.users).collect();
    let units = users.clone().unwrap_or_else(|| shares.iter().map(|share| share.trials()).collect());
    let unit = if users.is_some() { "users" } else { below };
    let planned = question.split.clone().unwrap_or(Split::Equal).shares(&names, FILE)?;
    let checked = check(&names, &units, &planned, unit, question.split.is_some(), FILE)?;
    let title = format!("Did {above}/{below} change? {} against {}", names[1..].join(", "), names[0]);
    let mut report = Report::new(title, "ab", question.version).block(checked.block.clone());
    report.notes.extend(checked.note.clone());
    report.notes.push(repeats(&question, users.is_some()));
    let (table, silent) = comparisons(&question, &shares, &names, checked.ratio.holds());
    report = report.table(arms(&question, &shares)).table(table).table(power(&question, &shares, &names, &planned));
    report.notes.extend(silent);
    if users.is_none() {
        report.notes.push(format!(
            "the sample ratio is of {below}, which vary more than chance when users repeat; give users=... to check that of users"
        ));
    }
    report.notes.push(
        "interval of the difference: Newcombe's; lift: Fieller's. The limit of the design effect says by how much users who repeat may raise the \
         variance before the finding is none"
            .into(),
    );
    if names.len() > 2 {
        report.notes.push(format!(
            "{} comparisons: verdicts are by Holm's correction; intervals are not corrected",
            names.len() - 1
        ));
    }
    report.notes.push(
        "p and interval hold for one look at the planned end, not for who looks before it and stops at a small p"
            .into(),
    );
    report.notes.push(notes::CLICKS.into());
    report.provenance = question.provenance;
    Ok(report)
}

fn repeats(question: &CountsQuestion, users: bool) -> String {
    let trials: u64 = question.arms.iter().map(|arm| arm.trials).sum();
    let all: u64 = question.arms.iter().filter_map(|arm| arm.users).sum();
    match all {
        all if users && all == trials => "every user is there once, so the test is right as far as that goes".into(),
        all if users => format!(
            "{} A user here has {} {} in the mean",
            notes::NAIVE.to_owned() + ".",
            NumberStyle::Decimals(2).show(trials as f64 / all as f64),
            question.names.1
        ),
        _ => notes::NAIVE.into(),
    }
}

/// A share as a ratio over trials.
fn ratio(share: &Proportion) -> Ratio {
    Ratio { value: share.value(), unit_variance: share.variance(), units: share.trials() }
}

fn arms(question: &CountsQuestion, shares: &[Proportion]) -> Table {
    let percent = crate::eval::percent(question.level);
    let users = question.arms.iter().any(|arm| arm.users.is_some());
    let column = Column::new("users", "users");
    let mut table = Table::new("arms", "Arms")
        .column("arm", "arm")
        .with(Column::new("control", "").data_only())
        .with(if users { column } else { column.data_only() })
        .column("numerator", question.names.0.clone())
        .column("denominator", question.names.1.clone())
        .column("value", "value")
        .with(Column::new("interval", format!("{percent} interval (Wilson)")).range())
        .with(Column::new("level", "").data_only());
    for (at, (arm, share)) in question.arms.iter().zip(shares).enumerate() {
        table.push([
            arm.name.as_str().into(),
            (at == 0).into(),
            arm.users.into(),
            arm.successes.into(),
            arm.trials.into(),
            share.value().into(),
            share.wilson(question.level).ok().into(),
            question.level.into(),
        ]);
    }
    table
}

fn comparisons(
    question: &CountsQuestion,
    shares: &[Proportion],
    names: &[String],
    holds: bool,
) -> (Table, Vec<String>) {
    let percent = crate::eval::percent(question.level);
    let several = names.len() > 2;
    let p = |key, heading: &str| Column::new(key, heading).style(NumberStyle::P);
    let data = |key| Column::new(key, "").data_only();
    let adjusted_column = p("p_adjusted", "p, Holm");
    let mut table = Table::new("comparisons", format!("Against {}, by the naive z test", names[0]))
        .with(data("metric"))
        .with(data("control"))
        .column("arm", "arm")
        .with(data("control_value"))
        .with(data("arm_value"))
        .column("difference", "difference")
        .with(data("std_error"))
        .with(Column::new("interval", format!("{percent} interval")).range())
        .column("lift", "lift")
        .with(Column::new("lift_interval", "Fieller interval").range())
        .with(Column::new("lift_interval_delta", "").range().data_only())
        .with(Column::new("z", "z").style(NumberStyle::Decimals(3)))
        .with(p("p_naive", "naive p"))
        .with(if several { adjusted_column } else { adjusted_column.data_only() })
        .with(Column::new("design_effect_limit", "limit of the design effect").style(NumberStyle::Decimals(2)))
        .column("verdict", "verdict")
        .with(data("because"))
        .with(data("level"));
    let found: Vec<_> = shares[1..].iter().map(|share| naive(shares[0], *share, question.level)).collect();
    let p: Vec<Option<f64>> = found.iter().map(|found| found.as_ref().ok().map(|found| found.p)).collect();
    // Tests give numbers from 0 to 1.
    let adjusted = HOLM.adjust_known(&p).unwrap_or(p);
    let mut silent = Vec::new();
    for (arm, (found, adjusted)) in (1..).zip(found.iter().zip(&adjusted)) {
        let (a, b) = (ratio(&shares[0]), ratio(&shares[arm]));
        let lifted = lift(&a, &b, 1e10, question.level);
        if let Err(why) = found {
            silent.push(format!(
                "{}: no test: {}",
                names[arm],
                if *why == NoAnswer::Constant {
                    "no search or every search was clicked".into()
                } else {
                    why.to_string()
                }
            ));
        }
        // All or none clicked: the formula would take that share for known exactly, however few the searches.
        let flat = [0, arm].into_iter().find(|&at| shares[at].variance() <= 0.0);
        let (above, below) = (&question.names.0, &question.names.1);
        match (&lifted, flat) {
            (Err(NoAnswer::DenominatorMayBeZero { .. }), _) | (Err(_), None) => {
                let why = lifted.as_ref().err().map(ToString::to_string).unwrap_or_default();
                silent.push(format!("{}: no lift: {why}", names[arm]));
            }
            (_, Some(flat)) => silent.push(format!(
                "{}: no lift: {} has {above} in {} of its {below}, so its error cannot be estimated and an interval would be too narrow",
                names[arm],
                names[flat],
                if shares[flat].value() > 0.0 { "all" } else { "none" }
            )),
            (Ok(_), None) => {}
        }
        let lifted = lifted.ok().filter(|_| flat.is_none());
        let found = found.as_ref().ok();
        let mut said = verdict(holds, b.value - a.value, *adjusted, question.level, "the naive test");
        if said.verdict != "undecided" {
            said.because.push_str("; that test takes every search for a new user");
        }
        table.push([
            format!("{}/{}", question.names.0, question.names.1).into(),
            names[0].as_str().into(),
            names[arm].as_str().into(),
            a.value.into(),
            b.value.into(),
            (b.value - a.value).into(),
            found.map(|found| found.std_error).filter(|error| *error > 0.0).into(),
            found.map(|found| (found.interval.low, found.interval.high)).into(),
            lifted.map(|lift| lift.value).into(),
            lifted.map(|lift| lift.fieller).into(),
            lifted.map(|lift| lift.delta).into(),
            found.map(|found| found.z).into(),
            found.map(|found| found.p).into(),
            (*adjusted).into(),
            found.and_then(|found| design_effect_limit(found.z, question.level).ok()).into(),
            said.verdict.into(),
            said.because.into(),
            question.level.into(),
        ]);
    }
    (table, silent)
}

fn power(question: &CountsQuestion, shares: &[Proportion], names: &[String], planned: &[f64]) -> Table {
    let below = &question.names.1;
    let asked = question.lift.is_some();
    let mut table = Table::new(
        "power",
        format!("What would be found with power {}, if no user repeated", NumberStyle::Given.show(question.power)),
    )
    .column("arm", "arm")
    .column("detectable_difference", format!("difference with these {below}"))
    .column("detectable_lift", "as lift")
    .with(Column::new("lift", if asked { "lift asked for" } else { "lift seen" }).style(if asked {
        NumberStyle::Given
    } else {
        NumberStyle::Score
    }))
    .with(Column::new("units_needed", format!("{below} it takes, all arms")).style(NumberStyle::Decimals(0)))
    .with(Column::new("power", "").data_only());
    for arm in 1..names.len() {
        let (a, b) = (ratio(&shares[0]), ratio(&shares[arm]));
        let plan =
            Planned { level: question.level, power: question.power, control: planned[0], treatment: planned[arm] };
        // A share of all or none has no variance to plan with.
        let varies = a.unit_variance > 0.0 && b.unit_variance > 0.0;
        let smallest = detectable(&a, &b, &plan).ok().filter(|_| varies);
        let lift = question.lift.or_else(|| (a.value > 0.0).then(|| b.value / a.value - 1.0));
        let needed = lift.filter(|_| varies).and_then(|lift| units_needed(&a, &b, lift * a.value, &plan).ok());
        table.push([
            names[arm].as_str().into(),
            smallest.into(),
            smallest.filter(|_| a.value > 0.0).map(|smallest| smallest / a.value).into(),
            lift.into(),
            needed.into(),
            question.power.into(),
        ]);
    }
    table
}
