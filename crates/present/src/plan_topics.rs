//! `karat plan topics` for people.

use karat_analysis::plan_topics::{
    Goal, LevelCorrection, PilotError, PlanNote, PlanTopicsAnswer, PlanTopicsOptions, Quantity, TopicPlan,
};
use karat_data::{Problem, Problems};
use karat_report::{Column, Columns, NumberStyle, Report, Table};
use karat_stats::planning::pairs;

use crate::Context;
use crate::words::percent;

/// The pairs that are shown to people.
const PAIRS: usize = 15;

/// The report.
pub fn report(answer: PlanTopicsAnswer, options: &PlanTopicsOptions, context: Context) -> Report {
    let title = match options.goal {
        Goal::Topics(topics) => format!("What {topics} topics can show"),
        _ => "Topics needed".into(),
    };
    let mut report = context.report(title, "plan topics").table(table("plans", "", &answer.plans, options));
    if let Some(pairs) = answer.pairs.as_ref().filter(|pairs| pairs.len() <= PAIRS) {
        report = report.table(table("pairs", "By pair", pairs, options));
    }
    report.notes.extend(answer.notes.iter().map(|note| note_text(note, options)));
    report.answering(answer)
}

fn table(id: &'static str, title: &str, plans: &[TopicPlan], options: &PlanTopicsOptions) -> Table {
    let whole = |key, heading: &str| Column::new(key, heading).style(NumberStyle::Decimals(0));
    let interval = format!("{} interval", percent(options.level));
    let has = |name: fn(&TopicPlan) -> &Option<String>| plans.iter().any(|plan| name(plan).is_some());
    let given = matches!(options.goal, Goal::Topics(_));
    let detects = options.quantity == Quantity::Difference && !matches!(options.goal, Goal::Difference(_));
    Columns::new()
        .column("measure", "measure", |plan: &TopicPlan| plan.measure.as_str().into())
        .when(has(|plan| &plan.run), |columns| columns.column("run", "run", |plan| plan.run.clone().into()))
        .when(has(|plan| &plan.a), |columns| {
            columns.column("a", "a", |plan| plan.a.clone().into()).column("b", "b", |plan| plan.b.clone().into())
        })
        .column("sd", "sd", |plan| plan.sd.into())
        .when(!given, |columns| {
            columns
                .column("sd_interval", interval.as_str(), |plan| plan.sd_interval.into())
                .with(whole("topics", "topics"), |plan| plan.topics.into())
                .with(whole("topics_interval", &interval), |plan| plan.topics_interval.into())
        })
        .when(detects, |columns| columns.column("difference", "detects", |plan| plan.difference.into()))
        .when(detects && given, |columns| {
            columns.column("difference_interval", interval.as_str(), |plan| plan.difference_interval.into())
        })
        .when(!has(|plan| &plan.a), |columns| columns.column("half_width", "half width", |plan| plan.half_width.into()))
        .when(given && !has(|plan| &plan.a), |columns| {
            columns.column("half_width_interval", interval.as_str(), |plan| plan.half_width_interval.into())
        })
        .table(id, title, plans)
}

fn note_text(note: &PlanNote, options: &PlanTopicsOptions) -> String {
    let two_digits = |value: f64| NumberStyle::Significant(2).show(value);
    match note {
        PlanNote::TooManyTopics { measure, most } => format!("{measure}: more than {most} topics would be needed."),
        PlanNote::WidestPair { measure, pair, sd, topics } => {
            let pair = pair.join(" and ");
            match topics {
                _ if matches!(options.goal, Goal::Topics(_)) => format!(
                    "{measure}: differences between {pair} vary more than average (sd {}).",
                    NumberStyle::Score.show(*sd)
                ),
                Some((needed, average)) => {
                    format!("{measure}: {pair} need {needed} topics, the average pair needs {average}.")
                }
                None => format!("{measure}: {pair} need more topics than can be planned."),
            }
        }
        PlanNote::Level { least, most, of_pilot } => level_text(options, (*least, *most), *of_pilot),
        PlanNote::Power => {
            format!("Power {} of the two-sided paired t test. Half widths are expected values.", percent(options.power))
        }
        PlanNote::ExpectedHalfWidths => {
            "Half widths are expected values; a sample's own interval varies a little.".into()
        }
        PlanNote::TooFewForExactTests { alpha, least } => format!(
            "Use at least {least} topics: randomisation and sign tests cannot reach p < {} with fewer.",
            two_digits(*alpha)
        ),
        PlanNote::EstimatedSd => {
            "Intervals assume that future topics resemble these, and that differences are about normal.".into()
        }
        PlanNote::GivenSd => "The standard deviation is treated as known; --sd-topics N adds its uncertainty.".into(),
    }
}

fn level_text(options: &PlanTopicsOptions, (least, most): (f64, f64), of_pilot: bool) -> String {
    let two_digits = |value: f64| NumberStyle::Significant(2).show(value);
    let (each, all) = (two_digits(least), two_digits(1.0 - options.level));
    match options.correction {
        LevelCorrection::MaxT => format!(
            "Each pair is tested at p < {}: max-T correction for all {} pairs of {} systems at {all}, {}.",
            if two_digits(most) == each { each } else { format!("{each} to {} (by measure)", two_digits(most)) },
            pairs(options.systems),
            options.systems,
            if of_pilot { "as the pilot runs vary" } else { "if all systems vary alike" }
        ),
        LevelCorrection::Tukey => format!(
            "Each pair is tested at p < {each}: Tukey's correction for all {} pairs of {} systems at {all}.",
            pairs(options.systems),
            options.systems
        ),
        _ if options.quantity == Quantity::Score => format!("Each interval has level {}.", percent(1.0 - least)),
        LevelCorrection::Bonferroni(1) | LevelCorrection::None => format!("Each comparison is tested at p < {each}."),
        LevelCorrection::Bonferroni(comparisons) => format!(
            "Each comparison is tested at p < {each}: Bonferroni's correction for {comparisons} comparisons at {all}."
        ),
    }
}

/// What is wrong with a pilot.
pub fn problems(errors: &[PilotError]) -> Problems {
    let mut problems = Problems::default();
    errors.iter().for_each(|error| problems.push(problem(error)));
    problems
}

fn problem(error: &PilotError) -> Problem {
    const NO_SPREAD: &str = "use another measure, or give the expected standard deviation with --sd";
    match error {
        PilotError::NotAveraged { measure } => {
            Problem::of_file("-m", "a measure that is averaged over topics", measure.as_str(), "leave it out")
        }
        PilotError::TooFewTopics { file, measure, topics } => {
            let found = format!("{topics} with a value of {measure}");
            Problem::of_file(file, "at least 2 topics", found, "give a pilot with more topics, or --sd")
        }
        PilotError::SameScore { file, measure, score, topics } => {
            let found = format!("{measure} = {score} on all {topics} topics");
            Problem::of_file(file, "scores that differ between topics", found, NO_SPREAD)
        }
        PilotError::NoSharedTopics(why) => {
            let remedy = "give runs of the same topics, or --sd";
            Problem::of_file("--runs", "pilot runs that share topics", why.to_string(), remedy)
        }
        PilotError::SameDifference { measure, topics } => {
            let found = format!("the same difference of {measure} on all {topics} topics");
            Problem::of_file("--runs", "differences that vary between topics", found, NO_SPREAD)
        }
    }
}
