//! Arms compared with users as units.

use karat_data::Problems;
use karat_report::{Column, NumberStyle, Provenance, Report, Table};
use karat_stats::ab::{
    Difference, Lift, NoAnswer, Planned, Proportion, Ratio, detectable, difference, lift, naive, units_needed,
};
use karat_stats::correction::HOLM;
use karat_stats::dist::student_t;

use super::check::{Split, check};
use super::looks::{Looks, looks};
use super::rows::{Denominator, Observations, Several};
use super::{listed, notes, noun, plural, refuse, verdict};

/// What is asked.
pub struct UsersQuestion {
    /// What was observed.
    pub observations: Observations,
    /// The name of the unit's column.
    pub unit: String,
    /// The arm that others are compared with; the first in the order of bytes when not given.
    pub control: Option<String>,
    /// How units were to be split.
    pub split: Option<Split>,
    /// What several clicks on one search counted.
    pub several: Several,
    /// Level of intervals.
    pub level: f64,
    /// The chance to find what is there.
    pub power: f64,
    /// A relative lift that is to be found.
    pub lift: Option<f64>,
    /// New units a day, all arms together.
    pub per_day: Option<f64>,
    /// Looks at every time, tuned for so many units.
    pub peek: Option<u64>,
    /// The file.
    pub file: String,
    /// Where the numbers come from.
    pub provenance: Provenance,
    /// The program's version.
    pub version: &'static str,
}

/// One metric of one arm against the control.
struct Compared {
    metric: usize,
    arm: usize,
    test: Result<Difference, NoAnswer>,
    lift: Result<Lift, NoAnswer>,
    naive: Option<(f64, f64)>,
    looks: Option<Looks>,
}

impl Compared {
    /// The p that decides.
    fn p(&self, peek: bool) -> Option<f64> {
        match &self.looks {
            Some(looks) if peek => looks.last.map(|look| look.p),
            _ => self.test.as_ref().ok().map(|test| test.p),
        }
    }
}

/// Did clicks change?
///
/// # Errors
/// One arm only, a control or split that does not fit, or nothing to divide by.
pub fn users(question: UsersQuestion) -> Result<Report, Problems> {
    let (observed, file) = (&question.observations, question.file.as_str());
    let order = arms_in_order(&question)?;
    let names: Vec<String> = order.iter().map(|&arm| observed.arms[arm].clone()).collect();
    let mut place = vec![0; order.len()];
    order.iter().enumerate().for_each(|(to, &from)| place[from] = to);
    let mut units = vec![0u64; names.len()];
    observed.arm.iter().for_each(|&arm| units[place[arm]] += 1);
    let shares = question.split.clone().unwrap_or(Split::Equal).shares(&names, file)?;
    let checked = check(&names, &units, &shares, &plural(noun(&question.unit)), question.split.is_some(), file)?;
    let ratios = ratios(&question, &place, &names)?;
    let mut compared = Vec::new();
    for (metric, own) in ratios.iter().enumerate() {
        for arm in 1..names.len() {
            compared.push(compare(&question, own, metric, arm, &place));
        }
    }
    let peek = question.peek.is_some();
    let p: Vec<Option<f64>> = compared.iter().map(|found| found.p(peek)).collect();
    // Tests give numbers from 0 to 1.
    let adjusted = HOLM.adjust_known(&p).unwrap_or(p);
    let mut report = Report::new(title(&question, &names), "ab", question.version).block(checked.block.clone());
    report.notes.extend(checked.note.clone());
    report = report
        .table(arms_table(&question, &ratios, &names, &place))
        .table(comparisons(&question, &ratios, &names, &compared, &adjusted, checked.ratio.holds()))
        .table(power(&question, &ratios, &names, &shares, &compared));
    if peek {
        for table in super::looks::tables(&question.observations, &names, &named_looks(&compared), question.level) {
            report = report.table(table);
        }
    }
    let more = notes_of(&question, &ratios, &names, &compared);
    report.notes.extend(more);
    report.provenance = question.provenance;
    Ok(report)
}

fn named_looks(compared: &[Compared]) -> Vec<(usize, usize, &Looks)> {
    compared.iter().filter_map(|found| found.looks.as_ref().map(|looks| (found.metric, found.arm, looks))).collect()
}

fn title(question: &UsersQuestion, names: &[String]) -> String {
    let metrics: Vec<&str> = question.observations.metrics.iter().map(|metric| metric.name.as_str()).collect();
    format!("Did {} change? {} against {}", metrics.join(", "), names[1..].join(", "), names[0])
}

/// The arms, the control first.
fn arms_in_order(question: &UsersQuestion) -> Result<Vec<usize>, Problems> {
    let (arms, file) = (&question.observations.arms, question.file.as_str());
    if arms.len() < 2 {
        let found = match arms.first() {
            Some(arm) => format!("one only ({arm})"),
            None => "none (every unit is in two arms)".into(),
        };
        return Err(refuse(
            file,
            "two arms or more",
            found,
            "give the rows of the control too; --arm names the column that says which arm a row is of",
        ));
    }
    let control = match &question.control {
        None => 0,
        Some(name) => arms.iter().position(|arm| arm == name).ok_or_else(|| {
            refuse(file, format!("an arm {name} (--control)"), format!("the arms {}", listed(arms)), "name one of them")
        })?,
    };
    Ok(std::iter::once(control).chain((0..arms.len()).filter(|&arm| arm != control)).collect())
}

/// For each metric the ratio of each arm.
fn ratios(question: &UsersQuestion, place: &[usize], names: &[String]) -> Result<Vec<Vec<Ratio>>, Problems> {
    let (observed, mut all) = (&question.observations, Vec::new());
    for (at, metric) in observed.metrics.iter().enumerate() {
        let mut pairs: Vec<Vec<(f64, f64)>> = vec![Vec::new(); names.len()];
        for (unit, &arm) in observed.arm.iter().enumerate() {
            pairs[place[arm]].push(observed.sums[unit * observed.metrics.len() + at]);
        }
        let mut own = Vec::new();
        for (pairs, name) in pairs.iter().zip(names) {
            own.push(Ratio::of(pairs).map_err(|why| {
                let expected = format!(
                    "two {} or more with {} in the arm {name}",
                    plural(noun(&question.unit)),
                    metric.over(&question.unit)
                );
                let remedy = "chance can only be judged over several units: wait for more, take the arm out, or write the arms alike";
                refuse(&question.file, expected, format!("{why} (the arms are {})", listed(names)), remedy)
            })?);
        }
        all.push(own);
    }
    Ok(all)
}

fn compare(question: &UsersQuestion, own: &[Ratio], metric: usize, arm: usize, place: &[usize]) -> Compared {
    let (a, b) = (&own[0], &own[arm]);
    let test = difference(a, b, question.level);
    let df = test.as_ref().map_or(1e10, |test| test.df);
    let lift = lift(a, b, df, question.level);
    let naive = by_counts(question, metric, arm, place).and_then(|(control, treatment)| {
        let found = naive(control, treatment, question.level).ok()?;
        let effect = (a.variance() + b.variance()) / (found.std_error * found.std_error);
        Some((found.p, effect)).filter(|found| found.1.is_finite())
    });
    let looks =
        question.peek.and_then(|tuning| looks(&question.observations, metric, arm, place, question.level, tuning).ok());
    Compared { metric, arm, test, lift, naive, looks }
}

/// Clicks and searches of control and arm, where they are whole numbers and no click is beyond its search.
fn by_counts(question: &UsersQuestion, metric: usize, arm: usize, place: &[usize]) -> Option<(Proportion, Proportion)> {
    let observed = &question.observations;
    if question.several == Several::All || observed.metrics[metric].denominator == Denominator::Units {
        return None;
    }
    let mut counts = [(0.0, 0.0); 2];
    for (unit, &own) in observed.arm.iter().enumerate() {
        let side = match place[own] {
            0 => 0,
            own if own == arm => 1,
            _ => continue,
        };
        let (x, y) = observed.sums[unit * observed.metrics.len() + metric];
        if x.fract() != 0.0 || y.fract() != 0.0 || x > y {
            return None;
        }
        counts[side] = (counts[side].0 + x, counts[side].1 + y);
    }
    let [a, b] = counts.map(|(x, y)| Proportion::new(x as u64, y as u64).ok());
    Some((a?, b?))
}

fn arms_table(question: &UsersQuestion, ratios: &[Vec<Ratio>], names: &[String], place: &[usize]) -> Table {
    let observed = &question.observations;
    let percent = crate::eval::percent(question.level);
    let mut table = Table::new("arms", "Arms")
        .column("metric", "metric")
        .column("arm", "arm")
        .with(Column::new("control", "").data_only())
        .column("units", plural(noun(&question.unit)))
        .with(Column::new("numerator", "above").style(NumberStyle::Given))
        .with(Column::new("denominator", "below").style(NumberStyle::Given))
        .column("value", "value")
        .column("std_error", "std. error")
        .with(Column::new("interval", format!("{percent} interval")).range())
        .with(Column::new("level", "").data_only());
    for (at, own) in ratios.iter().enumerate() {
        let mut sums = vec![(0.0, 0.0); names.len()];
        for (unit, &arm) in observed.arm.iter().enumerate() {
            let (x, y) = observed.sums[unit * observed.metrics.len() + at];
            let sum: &mut (f64, f64) = &mut sums[place[arm]];
            *sum = (sum.0 + x, sum.1 + y);
        }
        for (arm, ratio) in own.iter().enumerate() {
            let quantile = student_t::quantile(0.5 + question.level / 2.0, (ratio.units - 1) as f64);
            let reach = quantile.ok().map(|quantile| quantile * ratio.std_error());
            let interval = reach.filter(|reach| *reach > 0.0).map(|reach| (ratio.value - reach, ratio.value + reach));
            table.push([
                observed.metrics[at].name.as_str().into(),
                names[arm].as_str().into(),
                (arm == 0).into(),
                ratio.units.into(),
                sums[arm].0.into(),
                sums[arm].1.into(),
                ratio.value.into(),
                Some(ratio.std_error()).filter(|error| *error > 0.0).into(),
                interval.into(),
                question.level.into(),
            ]);
        }
    }
    table
}

fn comparisons(
    question: &UsersQuestion,
    ratios: &[Vec<Ratio>],
    names: &[String],
    compared: &[Compared],
    adjusted: &[Option<f64>],
    holds: bool,
) -> Table {
    let percent = crate::eval::percent(question.level);
    let several = compared.len() > 1;
    let peek = question.peek.is_some();
    let p = |key, heading: &str| Column::new(key, heading).style(NumberStyle::P);
    let data = |key| Column::new(key, "").data_only();
    let when = |shown: bool, column: Column| if shown { column } else { column.data_only() };
    let mut table = Table::new("comparisons", format!("Against {}", names[0]))
        .column("metric", "metric")
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
        .with(data("t"))
        .with(data("df"))
        .with(p("p", if peek { "p at one look" } else { "p" }))
        .with(when(peek, p("p_sequence", "p at any look")))
        .with(when(several, p("p_adjusted", "p, Holm")))
        .with(p("p_naive", "naive p"))
        .with(Column::new("design_effect", "design effect").style(NumberStyle::Decimals(2)))
        .column("verdict", "verdict")
        .with(data("because"))
        .with(data("level"));
    let test_name = match (peek, several) {
        (false, false) => "the delta method",
        (false, true) => "the delta method, corrected by Holm,",
        (true, false) => "the confidence sequence",
        (true, true) => "the confidence sequence, corrected by Holm,",
    };
    for (found, adjusted) in compared.iter().zip(adjusted) {
        let own = &ratios[found.metric];
        let (a, b) = (&own[0], &own[found.arm]);
        let test = found.test.as_ref().ok();
        let lift = found.lift.as_ref().ok();
        let sequence = found.looks.as_ref().and_then(|looks| looks.last).map(|look| look.p);
        let said = verdict(holds, b.value - a.value, *adjusted, question.level, test_name);
        table.push([
            question.observations.metrics[found.metric].name.as_str().into(),
            names[0].as_str().into(),
            names[found.arm].as_str().into(),
            a.value.into(),
            b.value.into(),
            (b.value - a.value).into(),
            test.map(|test| test.std_error).into(),
            test.map(|test| (test.interval.low, test.interval.high)).into(),
            lift.map(|lift| lift.value).into(),
            lift.map(|lift| lift.fieller).into(),
            lift.map(|lift| lift.delta).into(),
            test.map(|test| test.t).into(),
            test.map(|test| test.df).into(),
            test.map(|test| test.p).into(),
            sequence.into(),
            (*adjusted).into(),
            found.naive.map(|naive| naive.0).into(),
            found.naive.map(|naive| naive.1).into(),
            said.verdict.into(),
            said.because.into(),
            question.level.into(),
        ]);
    }
    table
}

/// New units a day: as given, or as the days of the rows have them.
fn per_day(question: &UsersQuestion) -> Option<f64> {
    let observed = &question.observations;
    question.per_day.or_else(|| observed.days.then(|| observed.arm.len() as f64 / observed.times.len() as f64))
}

fn power(
    question: &UsersQuestion,
    ratios: &[Vec<Ratio>],
    names: &[String],
    shares: &[f64],
    compared: &[Compared],
) -> Table {
    let days = per_day(question);
    let asked = question.lift.is_some();
    let whole = NumberStyle::Decimals(0);
    let power = NumberStyle::Given.show(question.power);
    let units = plural(noun(&question.unit));
    let when = |shown: bool, column: Column| if shown { column } else { column.data_only() };
    let mut table = Table::new("power", format!("What would be found with power {power}"))
        .column("metric", "metric")
        .column("arm", "arm")
        .column("detectable_difference", format!("difference with these {units}"))
        .column("detectable_lift", "as lift")
        .with(Column::new("lift", if asked { "lift asked for" } else { "lift seen" }).style(if asked {
            NumberStyle::Given
        } else {
            NumberStyle::Score
        }))
        .with(Column::new("units_needed", format!("{units} it takes, all arms")).style(whole))
        .with(when(days.is_some(), Column::new("days_needed", "days").style(whole)))
        .with(Column::new("power", "").data_only());
    for found in compared {
        let own = &ratios[found.metric];
        let (a, b) = (&own[0], &own[found.arm]);
        let plan =
            Planned { level: question.level, power: question.power, control: shares[0], treatment: shares[found.arm] };
        let smallest = detectable(a, b, &plan).ok();
        let lift = question.lift.or_else(|| found.lift.as_ref().ok().map(|lift| lift.value));
        let wanted = lift.map(|lift| lift * a.value);
        let needed = wanted.and_then(|wanted| units_needed(a, b, wanted, &plan).ok());
        table.push([
            question.observations.metrics[found.metric].name.as_str().into(),
            names[found.arm].as_str().into(),
            smallest.into(),
            smallest.filter(|_| a.value > 0.0 && found.lift.is_ok()).map(|smallest| smallest / a.value).into(),
            lift.into(),
            needed.into(),
            needed.zip(days).map(|(needed, days)| (needed / days).ceil()).into(),
            question.power.into(),
        ]);
    }
    table
}

fn notes_of(question: &UsersQuestion, ratios: &[Vec<Ratio>], names: &[String], compared: &[Compared]) -> Vec<String> {
    let (observed, unit, mut notes) = (&question.observations, noun(&question.unit), Vec::new());
    let units = plural(unit);
    for found in compared {
        let which = || format!("{} of {}", observed.metrics[found.metric].name, names[found.arm]);
        if let Err(why) = &found.test {
            notes.push(format!("{}: no test: {why}", which()));
        }
        match &found.lift {
            Err(NoAnswer::DenominatorMayBeZero { low, high, .. }) => notes.push(format!(
                "{}: no lift: the interval of {} is {} to {}, so a ratio to it may be anything",
                which(),
                names[0],
                NumberStyle::Score.show(*low),
                NumberStyle::Score.show(*high)
            )),
            Err(why) => notes.push(format!("{}: no lift: {why}", which())),
            Ok(_) => {}
        }
        if let Some(looks) = &found.looks {
            notes.extend(looks.note().map(|note| format!("{}: {note}", which())));
        }
    }
    for (at, name) in names.iter().enumerate() {
        if let Some(like) = names[..at].iter().find(|like| like.to_lowercase() == name.to_lowercase()) {
            notes.push(format!(
                "warning: the arms {like} and {name} differ only in capitals and are compared as two; if they are one, write them alike"
            ));
        }
    }
    if observed.dropped > 0 {
        notes.push(format!(
            "warning: {} {units} were in two arms and are left out of both (--both-arms drop); if the change made them switch, what is left is biased",
            observed.dropped
        ));
    }
    if observed.cut > 0 {
        notes.push(format!("several clicks on one search counted once in {} rows", observed.cut));
    } else if question.several == Several::All {
        notes.push("--several all: every click counts, so the metric is a mean and may exceed 1".into());
    }
    let fewest = ratios.iter().flatten().map(|ratio| ratio.units).min().unwrap_or(0);
    if fewest < notes::FEW {
        notes.push(format!(
            "warning: an arm has {fewest} {units}; below about {} the delta method finds a little more than it should (6.3% instead of 5% with \
             50 in each arm and searches very unequal)",
            notes::FEW
        ));
    }
    notes.push(format!(
        "the unit is the {unit} (--unit): every {unit} was assigned to an arm as a whole. p and intervals are by the delta method over {units}, with \
         Welch's t; the design effect is that variance over the naive one"
    ));
    if compared.len() > 1 {
        notes.push(format!(
            "{} comparisons: verdicts are by Holm's correction; intervals are not corrected",
            compared.len()
        ));
    }
    notes.push(match question.peek {
        Some(tuning) => format!(
            "peeking: asymptotic confidence sequence (Waudby-Smith and others 2021), tightest at {tuning} {units} of both arms (--tune), which must be \
             chosen before the data; looks count from {} {units} in each arm on",
            karat_stats::ab::MINIMUM_UNITS
        ),
        None => notes::FIXED.into(),
    });
    if question.control.is_none() {
        notes.push(format!("the control is {}, the first in the order of names (--control names another)", names[0]));
    }
    notes.push(format!(
        "{units} needed: from the variance seen, for one two-sided test at the planned split; corrections and looks before the end need more"
    ));
    if question.per_day.is_none()
        && let Some(days) = per_day(question)
    {
        notes.push(format!(
            "days: at {} new {units} a day, the mean of {} days; later days bring fewer new ones",
            NumberStyle::Decimals(1).show(days),
            observed.times.len()
        ));
    }
    notes.push(notes::CLICKS.into());
    notes.push(notes::ROWS.into());
    notes
}
