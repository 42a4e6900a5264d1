//! `plan topics`: how many topics would show a difference, or make an interval so narrow, and what can so many topics do?
//!
//! The one decision: a plan is only as sure as the standard deviation it is made from. That of a pilot comes with its own interval (chi-square),
//! and so does every number of topics. Of several pilot runs one standard deviation of differences is made: √(2 × the mean square of runs by
//! topics), what the pairs have on average; the pairs are listed beside it, because they need not be alike.

use karat_data::{Problem, Problems, RunSource};
use karat_measures::{Aggregate, Measure};
use karat_report::{Audience, Cell, Column, NumberStyle, Provenance, Report, Table};
use karat_stats::dist::OutOfRange;
use karat_stats::planning::{bonferroni_level, pairs, sd_interval, tukey_level};
use karat_stats::two_way::TwoWay;
use karat_stats::{Sample, power};

use crate::compare::two_way;
use crate::eval::percent;
use crate::scores::{RunScores, Setting, score};

/// What must come out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Wanted {
    /// A true difference of this size is found with the power asked for.
    Difference(f64),
    /// The interval is at most so wide to either side.
    HalfWidth(f64),
    /// There are so many topics: what can they do?
    Topics(u64),
}

/// What the planned interval or test is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Of {
    /// The difference of two systems on the same topics.
    Difference,
    /// One system's mean score.
    Score,
}

/// How the level is divided among several comparisons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Correcting {
    /// Tukey's, of all pairs.
    Tukey,
    /// Bonferroni's, for so many comparisons.
    Bonferroni(u32),
    /// Each at the whole level.
    None,
}

/// What is asked.
pub struct Question {
    /// What must come out.
    pub wanted: Wanted,
    /// What of.
    pub of: Of,
    /// Power of the test.
    pub power: f64,
    /// Confidence level of all comparisons together.
    pub level: f64,
    /// Systems in the experiment that is planned.
    pub systems: u32,
    /// How the level is divided.
    pub correcting: Correcting,
    /// Whether each system is compared with the first only.
    pub baseline: bool,
    /// Where the numbers come from; pilot runs are added here.
    pub provenance: Provenance,
    /// The program's version.
    pub version: &'static str,
    /// Notes of the caller's.
    pub notes: Vec<String>,
}

impl Question {
    /// The share of errors allowed to each comparison.
    fn alpha(&self) -> Result<f64, OutOfRange> {
        let alpha = 1.0 - self.level;
        match self.correcting {
            Correcting::Tukey => tukey_level(alpha, self.systems),
            Correcting::Bonferroni(comparisons) => bonferroni_level(alpha, f64::from(comparisons)),
            Correcting::None => bonferroni_level(alpha, 1.0),
        }
    }
}

/// A standard deviation over topics, and how well it is known.
#[derive(Clone, Debug, PartialEq)]
struct Spread {
    measure: String,
    /// The run, or the two runs, where it is of these only.
    runs: Vec<String>,
    sd: f64,
    /// Degrees of freedom; `None` where it is taken for known.
    df: Option<f64>,
}

/// What a plan comes to.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Plan {
    topics: Option<u64>,
    topics_interval: Option<(f64, f64)>,
    difference: Option<f64>,
    difference_interval: Option<(f64, f64)>,
    half_width: Option<f64>,
    half_width_interval: Option<(f64, f64)>,
    sd_interval: Option<(f64, f64)>,
}

impl Spread {
    fn plan(&self, question: &Question) -> Result<Plan, OutOfRange> {
        let alpha = question.alpha()?;
        let sds = self.df.map(|df| sd_interval(self.sd, df, question.level)).transpose()?;
        let needed = |sd: f64| match question.wanted {
            // Without spread two topics show anything; a test of fewer there is not.
            Wanted::Difference(_) if sd == 0.0 => Ok(Some(2)),
            Wanted::Difference(size) => power::topics_for_power(size / sd, alpha, question.power),
            Wanted::HalfWidth(width) => power::topics_for_half_width(sd, width, 1.0 - alpha),
            Wanted::Topics(topics) => Ok(Some(topics)),
        };
        let detectable = |topics: u64, sd: f64| -> Result<f64, OutOfRange> {
            Ok(sd * power::detectable(topics, alpha, question.power)?)
        };
        let half_width = |topics: u64, sd: f64| power::half_width(topics, sd, 1.0 - alpha);
        let ends = |of: &dyn Fn(f64) -> Result<Option<f64>, OutOfRange>| -> Result<Option<(f64, f64)>, OutOfRange> {
            let Some((low, high)) = sds else { return Ok(None) };
            // Too many to tell is beyond any number.
            Ok(Some((of(low)?.unwrap_or(f64::INFINITY), of(high)?.unwrap_or(f64::INFINITY))))
        };
        let topics = needed(self.sd)?;
        let given = matches!(question.wanted, Wanted::Topics(_));
        let of_difference = question.of == Of::Difference;
        Ok(Plan {
            topics,
            topics_interval: if given { None } else { ends(&|sd| Ok(needed(sd)?.map(|topics| topics as f64)))? },
            difference: match (question.wanted, topics) {
                (Wanted::Difference(size), _) => Some(size),
                (_, Some(topics)) if of_difference => Some(detectable(topics, self.sd)?),
                _ => None,
            },
            difference_interval: match topics.filter(|_| given && of_difference) {
                Some(topics) => ends(&|sd| Ok(Some(detectable(topics, sd)?)))?,
                None => None,
            },
            half_width: topics.map(|topics| half_width(topics, self.sd)).transpose()?,
            half_width_interval: match topics.filter(|_| given) {
                Some(topics) => ends(&|sd| Ok(Some(half_width(topics, sd)?)))?,
                None => None,
            },
            sd_interval: sds,
        })
    }
}

/// From a standard deviation that is given, of differences or scores over topics; `topics` are those it was estimated from, where that is known.
///
/// # Errors
/// A number that makes no sense.
pub fn from_sd(sd: f64, topics: Option<u64>, question: Question) -> Result<Report, OutOfRange> {
    let df = topics.map(|topics| topics as f64 - 1.0);
    report(vec![Spread { measure: "as given".into(), runs: Vec::new(), sd, df }], Vec::new(), question)
}

/// From pilot runs.
///
/// # Errors
/// Everything wrong with the runs; too few of them or of topics; no spread.
pub fn from_pilot(
    setting: &Setting<'_>,
    runs: &dyn RunSource,
    mut question: Question,
) -> Result<Result<Report, OutOfRange>, Problems> {
    let scored = score(setting, runs)?;
    let mut problems = Problems::default();
    let (mut spreads, mut by_pair) = (Vec::new(), Vec::new());
    for (place, measure) in setting.measures.iter().enumerate() {
        let found = match question.of {
            Of::Score => scored.iter().map(|run| of_run(run, place, measure.as_ref())).collect(),
            Of::Difference => of_runs(&scored, place, measure.as_ref(), question.baseline).map(|(pooled, pairs)| {
                by_pair.extend(pairs);
                vec![pooled]
            }),
        };
        match found {
            Ok(found) => spreads.extend(found),
            Err(found) => problems.extend(found),
        }
    }
    problems.into_result()?;
    for run in &scored {
        let facts = &run.topics.facts;
        let provenance = std::mem::take(&mut question.provenance);
        question.provenance = provenance.input_in(facts.format, &facts.file, facts.bytes, facts.rows);
    }
    Ok(report(spreads, by_pair, question))
}

fn refuse(file: &str, expected: &str, found: String, remedy: &str) -> Problems {
    Problem::of_file(file, expected, found, remedy).into()
}

const SAME_EVERYWHERE: &str = "take another measure, or say what spread to expect with --sd";

/// How one run's scores spread.
fn of_run(run: &RunScores, place: usize, measure: &dyn Measure) -> Result<Spread, Problems> {
    let name = measure.spec().to_string();
    if measure.info().aggregate != Aggregate::Mean {
        return Err(refuse("-m", "a measure that is averaged over topics", name, "leave it out"));
    }
    let values: Vec<f64> =
        run.of(place).filter_map(|(_, score)| score.as_ref().ok()).map(|score| score.value).collect();
    let sample = Sample::new(&values).ok().filter(|_| values.len() > 1).ok_or_else(|| {
        let found = format!("{} with a value of {name}", values.len());
        refuse(&run.topics.facts.file, "at least 2 topics", found, "give a pilot of more topics, or --sd")
    })?;
    if sample.is_constant() {
        let found = format!("{name} = {} on all {} topics", sample.mean(), values.len());
        return Err(refuse(&run.topics.facts.file, "scores that differ between topics", found, SAME_EVERYWHERE));
    }
    let sd = sample.sd().unwrap_or(0.0);
    Ok(Spread { measure: name, runs: vec![run.name.clone()], sd, df: Some(values.len() as f64 - 1.0) })
}

/// How differences between runs spread: one figure for all that will be compared, and each pair's own.
fn of_runs(
    scored: &[RunScores],
    place: usize,
    measure: &dyn Measure,
    baseline: bool,
) -> Result<(Spread, Vec<Spread>), Problems> {
    let name = measure.spec().to_string();
    if measure.info().aggregate != Aggregate::Mean {
        return Err(refuse("-m", "a measure that is averaged over topics", name, "leave it out"));
    }
    let table = two_way(scored, place).map_err(|why| {
        refuse("--runs", "pilot runs that share topics", why.to_string(), "give runs of the same topics, or --sd")
    })?;
    let systems: Vec<Vec<f64>> =
        (0..table.systems()).map(|run| table.by_topic().map(|row| row[run]).collect()).collect();
    let df = table.topics() as f64 - 1.0;
    let mut pairs = Vec::new();
    for (a, first) in systems.iter().enumerate().take(if baseline { 1 } else { systems.len() }) {
        for (b, second) in systems.iter().enumerate().skip(a + 1) {
            let apart: Vec<f64> = first.iter().zip(second).map(|(first, second)| first - second).collect();
            let sd = Sample::new(&apart).and_then(|sample| sample.sd()).unwrap_or(0.0);
            let runs = vec![scored[a].name.clone(), scored[b].name.clone()];
            pairs.push(Spread { measure: name.clone(), runs, sd, df: Some(df) });
        }
    }
    // The mean variance of a difference; over all pairs that is twice the mean square of what systems and topics leave.
    let variance = pairs.iter().map(|pair| pair.sd * pair.sd).sum::<f64>() / pairs.len().max(1) as f64;
    // Differences that are the same but for rounding have no spread.
    let largest = systems.iter().flatten().fold(0.0f64, |most, score| most.max(score.abs()));
    let sd = variance.sqrt();
    if sd <= largest * karat_stats::test::SAME {
        let found = format!("the same difference of {name} on all {} topics", table.topics());
        return Err(refuse("--runs", "differences that vary between topics", found, SAME_EVERYWHERE));
    }
    // Differences from one baseline share its scores: they are worth hardly more than one of them.
    let df = if baseline { df } else { df * dimensions(&table) };
    Ok((Spread { measure: name, runs: Vec::new(), sd, df: Some(df) }, pairs))
}

/// How many independent differences the systems are worth: (Σλ)² / Σλ² over the eigenvalues λ of the covariance of systems within topics, k − 1 where
/// all pairs spread alike (Greenhouse and Geisser 1959).
fn dimensions(table: &TwoWay) -> f64 {
    let (systems, topics) = (table.systems(), table.topics() as f64);
    let mut rows: Vec<Vec<f64>> = table.by_topic().map(<[f64]>::to_vec).collect();
    for row in &mut rows {
        let mean = row.iter().sum::<f64>() / systems as f64;
        row.iter_mut().for_each(|score| *score -= mean);
    }
    let means: Vec<f64> = (0..systems).map(|system| rows.iter().map(|row| row[system]).sum::<f64>() / topics).collect();
    for row in &mut rows {
        row.iter_mut().zip(&means).for_each(|(score, mean)| *score -= mean);
    }
    let product = |a: usize, b: usize| rows.iter().map(|row| row[a] * row[b]).sum::<f64>();
    let trace: f64 = (0..systems).map(|system| product(system, system)).sum();
    let squares: f64 = (0..systems)
        .map(|a| product(a, a).powi(2) + 2.0 * (a + 1..systems).map(|b| product(a, b).powi(2)).sum::<f64>())
        .sum();
    let found = trace * trace / squares;
    if found.is_finite() { found.clamp(1.0, systems as f64 - 1.0) } else { 1.0 }
}

fn plans_table(id: &'static str, title: &str, question: &Question, of_runs: bool) -> Table {
    let whole = NumberStyle::Decimals(0);
    let level = percent(question.level);
    let sd = if question.of == Of::Score { "sd of scores" } else { "sd of differences" };
    let mut table = Table::new(id, title).column("measure", "measure");
    if of_runs && question.of == Of::Score {
        table = table.column("run", "run");
    } else if of_runs {
        table = table.column("a", "a").column("b", "b");
    }
    table = table.column("sd", sd).with(Column::new("sd_interval", format!("{level} interval of sd")).range());
    let given = matches!(question.wanted, Wanted::Topics(_));
    let topics = Column::new("topics", "topics").style(whole);
    let range = |column: Column, shown: bool| if shown { column } else { column.data_only() };
    let interval = Column::new("topics_interval", "given the interval of sd").style(whole).range();
    table = table.with(topics).with(range(interval, !given));
    let difference = Column::new("difference", if given { "shows a difference of" } else { "difference" });
    table = table
        .with(range(difference, question.of == Of::Difference))
        .with(range(
            Column::new("difference_interval", "given the interval of sd").range(),
            given && question.of == Of::Difference,
        ))
        .with(Column::new("half_width", "half width of the interval"))
        .with(range(Column::new("half_width_interval", "given the interval of sd").range(), given));
    table
        .with(Column::new("power", "power").style(NumberStyle::Given).data_only())
        .with(Column::new("level", "level").style(NumberStyle::Given).data_only())
        .with(Column::new("level_per_pair", "level of each").style(NumberStyle::Significant(6)).data_only())
}

fn row(spread: &Spread, plan: &Plan, question: &Question, alpha: f64) -> Vec<Cell> {
    let mut row: Vec<Cell> = vec![spread.measure.as_str().into()];
    row.extend(spread.runs.iter().map(|run| Cell::from(run.as_str())));
    row.extend([
        spread.sd.into(),
        plan.sd_interval.into(),
        plan.topics.into(),
        plan.topics_interval.into(),
        plan.difference.into(),
        plan.difference_interval.into(),
        plan.half_width.into(),
        plan.half_width_interval.into(),
        Some(question.power).filter(|_| question.of == Of::Difference).into(),
        question.level.into(),
        (1.0 - alpha).into(),
    ]);
    row
}

/// The pairs that are shown to people.
const PAIRS: usize = 15;

fn report(spreads: Vec<Spread>, by_pair: Vec<Spread>, mut question: Question) -> Result<Report, OutOfRange> {
    let alpha = question.alpha()?;
    let mut plans = plans_table("plans", "", &question, spreads.iter().any(|spread| !spread.runs.is_empty()));
    let mut notes = std::mem::take(&mut question.notes);
    let mut greatest: Option<u64> = None;
    for spread in &spreads {
        let plan = spread.plan(&question)?;
        if plan.topics.is_none() {
            notes.push(format!("{}: more than {} topics would be needed", spread.measure, power::MOST_TOPICS));
        }
        greatest = greatest.max(plan.topics);
        plans.push(row(spread, &plan, &question, alpha));
    }
    let several = spreads.len() < by_pair.len();
    let mut pairs_table = plans_table("pairs", "By pair", &question, true);
    if by_pair.len() > PAIRS {
        pairs_table = pairs_table.audience(Audience::Data);
    }
    for spread in by_pair.iter().filter(|_| several) {
        pairs_table.push(row(spread, &spread.plan(&question)?, &question, alpha));
    }
    notes.extend(more_than_average(&spreads, &by_pair, &question)?);
    notes.push(level_note(&question, alpha));
    notes.push(match (question.wanted, question.of) {
        (Wanted::Difference(_), _) | (Wanted::Topics(_), Of::Difference) => {
            format!(
                "power {} of the two-sided paired t test; the half width is what to expect",
                percent(question.power)
            )
        }
        _ => "half widths are what to expect: a sample's own interval is a little narrower or wider".into(),
    });
    if question.of == Of::Difference
        && let (Some(topics), Ok(least)) = (greatest, power::fewest_that_can_reach(alpha))
        && topics < u64::from(least)
    {
        notes.push(format!(
            "randomisation and sign tests cannot reach p < {} on fewer than {least} topics that differ; take at least so many",
            NumberStyle::Significant(2).show(alpha)
        ));
    }
    if spreads.iter().any(|spread| spread.df.is_some()) {
        notes.push(
            "the interval of sd takes the topics for a sample of those to come, and their differences for about normal"
                .into(),
        );
    } else {
        notes.push(
            "sd is taken as given; with --sd-topics, those it was estimated from, the answer says how unsure it is"
                .into(),
        );
    }
    let mut report = Report::new("Topics needed", "plan topics", question.version).table(plans);
    if matches!(question.wanted, Wanted::Topics(_)) {
        report.title = "What so many topics can show".into();
    }
    if several {
        report = report.table(pairs_table);
    }
    report.provenance = question.provenance;
    report.notes = notes;
    Ok(report)
}

/// Where a pair is worse off than the figure for all of them says.
fn more_than_average(spreads: &[Spread], by_pair: &[Spread], question: &Question) -> Result<Vec<String>, OutOfRange> {
    let mut notes = Vec::new();
    for pooled in spreads {
        let own = by_pair.iter().filter(|pair| pair.measure == pooled.measure);
        let Some(worst) = own.max_by(|a, b| a.sd.total_cmp(&b.sd)).filter(|worst| worst.sd > pooled.sd * 1.05) else {
            continue;
        };
        let (all, most) = (pooled.plan(question)?, worst.plan(question)?);
        let pair = worst.runs.join(" and ");
        notes.push(match (question.wanted, most.topics.zip(all.topics)) {
            (Wanted::Topics(_), _) => {
                format!(
                    "{}: differences of {pair} spread more than the average pair's (sd {})",
                    pooled.measure,
                    NumberStyle::Score.show(worst.sd)
                )
            }
            (_, Some((most, all))) => {
                format!(
                    "{}: the pair that spreads most, {pair}, needs {most} topics, the average pair {all}",
                    pooled.measure
                )
            }
            (_, None) => {
                format!("{}: the pair that spreads most, {pair}, needs more topics than any plan has", pooled.measure)
            }
        });
    }
    Ok(notes)
}

fn level_note(question: &Question, alpha: f64) -> String {
    let each = NumberStyle::Significant(2).show(alpha);
    let all = NumberStyle::Significant(2).show(1.0 - question.level);
    match question.correcting {
        Correcting::Tukey => format!(
            "{} systems, all {} pairs: Tukey's correction keeps {all} for all of them with p < {each} for each pair",
            question.systems,
            pairs(question.systems)
        ),
        _ if question.of == Of::Score => format!("each interval at a level of {}", percent(1.0 - alpha)),
        Correcting::Bonferroni(1) | Correcting::None => format!("each comparison at p < {each}"),
        Correcting::Bonferroni(comparisons) => {
            format!(
                "{comparisons} comparisons: Bonferroni's correction keeps {all} for all of them with p < {each} for each"
            )
        }
    }
}
