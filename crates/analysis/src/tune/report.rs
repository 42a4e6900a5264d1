//! What was chosen, how it did, and what to make of it.

use karat_report::{Audience, Block, Cell, Column, NumberStyle, Report, Table};
use karat_stats::Sample;
use karat_stats::interval;

use super::{Before, Development, Opened, Question};
use crate::compare::difference::{Inference, With};
use crate::compare::{Comparison, DECIDING, scores_on, value};
use crate::eval::percent;
use crate::scores::{RunScores, Setting, list_names};

/// A mean over topics with its interval and standard error.
struct Mean {
    value: f64,
    interval: Option<(f64, f64)>,
    std_error: Option<f64>,
}

impl Mean {
    fn of(values: &[f64], level: f64) -> Option<Mean> {
        let sample = Sample::new(values).ok()?;
        let interval = interval::t(&sample, level).ok().map(|found| (found.low, found.high));
        Some(Mean { value: sample.mean(), interval, std_error: sample.std_error().ok() })
    }

    fn told(&self, level: f64) -> String {
        let interval = self.interval.map_or_else(String::new, |(low, high)| {
            format!(" ({} interval {} to {})", percent(level), show(low), show(high))
        });
        format!("{}{interval}", show(self.value))
    }
}

fn show(value: f64) -> String {
    NumberStyle::Score.show(value)
}

/// All scores a run has.
fn own(run: &RunScores) -> Vec<f64> {
    run.of(0).filter_map(|(_, score)| score.as_ref().ok()).map(|score| score.value).collect()
}

/// Puts it together. `setting` is that of the development topics.
pub fn report(
    setting: &Setting<'_>,
    development: &Development,
    opened: Option<&Opened>,
    mut question: Question,
) -> Report {
    let level = question.level;
    let cross = &development.cross;
    let measure = setting.measures[0].spec().to_string();
    let by_run = scores_on(&development.scored, 0, &development.topics);
    let on_dev: Vec<Option<Mean>> = by_run.iter().map(|values| Mean::of(values, level)).collect();
    let tested = |name: &str| {
        opened
            .and_then(|opened| opened.scored.iter().find(|run| run.name == name))
            .and_then(|run| Mean::of(&own(run), level))
    };
    let (chosen, baseline) = (development.chosen(), development.scored[development.baseline].name.as_str());
    let (dev, test) = (on_dev[cross.chosen].as_ref(), tested(chosen));
    let fresh = Mean::of(&cross.held_out, level);
    let apart = |a: Option<f64>, b: Option<f64>| Some((a?.powi(2) + b?.powi(2)).sqrt());
    let fall = dev.zip(test.as_ref()).map(|(dev, test)| dev.value - test.value);
    let fall_error = dev.zip(test.as_ref()).and_then(|(dev, test)| apart(dev.std_error, test.std_error));
    let lead_dev: Vec<f64> = by_run[cross.chosen]
        .iter()
        .zip(&by_run[development.baseline])
        .map(|(chosen, baseline)| chosen - baseline)
        .collect();
    let lead_dev = Mean::of(&lead_dev, level);
    let lead_test = opened
        .and_then(|opened| opened.comparison.as_ref())
        .and_then(|found| Mean::of(&found.difference.values(), level));
    let leads = lead_dev.as_ref().zip(lead_test.as_ref());
    let answer = Table::new("tune", "")
        .column("measure", "measure")
        .column("chosen", "chosen")
        .column("baseline", "baseline")
        .column("candidates", "runs to choose from")
        .column("dev_topics", "development topics")
        .column("dev_value", "score on development topics")
        .with(Column::new("dev_interval", format!("{} interval", percent(level))).range())
        .column("fresh_value", "such a choice on fresh topics, estimated")
        .with(Column::new("fresh_interval", "its interval, roughly").range())
        .column("optimism", "so the choice looks better by")
        .column("optimism_std_error", "standard error of that")
        .with(Column::new("stability", "share of folds that choose it").style(NumberStyle::Decimals(2)))
        .column("test_topics", "test topics")
        .column("test_value", "score on test topics")
        .with(Column::new("test_interval", format!("{} interval", percent(level))).range())
        .column("fall", "fall from development to test")
        .column("fall_std_error", "standard error of that")
        .column("lead_fall", "fall of the lead over the baseline")
        .column("lead_fall_std_error", "standard error of that")
        .with(Column::new("opened_before", "times the test topics were opened before").data_only())
        .row([
            measure.as_str().into(),
            chosen.into(),
            baseline.into(),
            development.scored.len().into(),
            development.topics.len().into(),
            cross.value.into(),
            dev.and_then(|dev| dev.interval).into(),
            cross.fresh.into(),
            fresh.as_ref().and_then(|fresh| fresh.interval).into(),
            cross.optimism.into(),
            cross.std_error.into(),
            cross.shares[cross.chosen].into(),
            opened.map(|opened| opened.topics).into(),
            test.as_ref().map(|test| test.value).into(),
            test.as_ref().and_then(|test| test.interval).into(),
            fall.into(),
            fall_error.into(),
            leads.map(|(dev, test)| dev.value - test.value).into(),
            leads.and_then(|(dev, test)| apart(dev.std_error, test.std_error)).into(),
            opened.map(|opened| opened.before.same).into(),
        ]);
    let sentence = sentence(development, &measure, dev, test.as_ref(), opened, level);
    let mut report = Report::new("Tuning", "tune", question.version)
        .block(Block::Text(sentence))
        .block(Block::Record(answer))
        .table(runs_table(development, &question, &on_dev, &tested));
    if let Some((comparison, because)) = opened.and_then(|opened| Some((opened.comparison.as_ref()?, &opened.because)))
    {
        report = report.table(comparison_table((comparison, because), chosen, baseline, &question));
    }
    report = report.table(folds_table(setting, development, question.list_folds));
    let mut provenance = std::mem::take(&mut question.provenance);
    for run in &development.scored {
        let facts = &run.topics.facts;
        provenance = provenance.input_in(facts.format, &facts.file, facts.bytes, facts.rows);
    }
    let mut notes = std::mem::take(&mut question.notes);
    notes.extend(opened.and_then(warning));
    notes.extend(remarks(setting, development, &question, opened));
    report.provenance = provenance;
    report.notes = notes;
    report
}

fn sentence(
    development: &Development,
    measure: &str,
    dev: Option<&Mean>,
    test: Option<&Mean>,
    opened: Option<&Opened>,
    level: f64,
) -> String {
    let cross = &development.cross;
    let mut lines = vec![format!(
        "{} is chosen among {} runs by {measure}: {} on {} development topics.",
        development.chosen(),
        development.scored.len(),
        dev.map_or_else(String::new, |dev| dev.told(level)),
        development.topics.len()
    )];
    let error = cross.std_error.map_or_else(String::new, |error| format!(" (standard error {})", show(error)));
    lines.push(format!(
        "Such a choice looks better than it is by about {}{error}: on fresh topics about {}.",
        show(cross.optimism),
        show(cross.fresh)
    ));
    if let (Some(test), Some(opened)) = (test, opened) {
        lines.push(format!("On {} test topics: {}.", opened.topics, test.told(level)));
        if let Some(comparison) = &opened.comparison {
            let verdict = &comparison.verdict;
            let undecided = if verdict.winner.is_none() { "undecided; " } else { "" };
            let baseline = &development.scored[development.baseline].name;
            lines.push(format!("Against {baseline} on test topics: {undecided}{}.", opened.because));
        } else {
            lines.push("It is the baseline, so there is nothing to compare on test topics.".into());
        }
    }
    lines.join("\n")
}

fn runs_table(
    development: &Development,
    question: &Question,
    on_dev: &[Option<Mean>],
    tested: &dyn Fn(&str) -> Option<Mean>,
) -> Table {
    let level = percent(question.level);
    let named = question.parameters.iter().any(|own| !own.is_empty());
    let test: Vec<Option<Mean>> = development.scored.iter().map(|run| tested(&run.name)).collect();
    let shown = |column: Column, wanted: bool| if wanted { column } else { column.data_only() };
    let opened = test.iter().any(Option::is_some);
    let mut table = Table::new("runs", "Runs, best on development topics first").column("run", "run");
    if named {
        table = table
            .with(Column::new("settings", "parameters").people_only())
            .with(Column::new("parameters", "").data_only());
    }
    table = table
        .column("dev_value", "development")
        .with(Column::new("dev_interval", format!("{level} interval")).range())
        .with(Column::new("chosen_share", "share of folds that choose it").style(NumberStyle::Decimals(2)))
        .with(shown(Column::new("test_value", "test"), opened))
        .with(shown(Column::new("test_interval", format!("{level} interval")).range(), opened))
        .with(Column::new("chosen", "").data_only())
        .with(Column::new("baseline", "").data_only());
    let worth = |run: usize| on_dev[run].as_ref().map_or(f64::NEG_INFINITY, |mean| mean.value);
    let mut order: Vec<usize> = (0..development.scored.len()).collect();
    order.sort_by(|&a, &b| worth(b).total_cmp(&worth(a)).then(a.cmp(&b)));
    for run in order {
        let (dev, test) = (on_dev[run].as_ref(), test[run].as_ref());
        let mut row: Vec<Cell> = vec![development.scored[run].name.as_str().into()];
        if named {
            let own: &[(String, String)] = question.parameters.get(run).map_or(&[], Vec::as_slice);
            let pairs: Vec<String> = own.iter().map(|(name, value)| format!("{name}={value}")).collect();
            row.push(pairs.join(" ").into());
            let record = |(name, value): &(String, String)| {
                Cell::Record(vec![("name", name.as_str().into()), ("value", value.as_str().into())])
            };
            row.push(Cell::List(own.iter().map(record).collect()));
        }
        row.extend([
            dev.map(|mean| mean.value).into(),
            dev.and_then(|mean| mean.interval).into(),
            development.cross.shares[run].into(),
            test.map(|mean| mean.value).into(),
            test.and_then(|mean| mean.interval).into(),
            (run == development.cross.chosen).into(),
            (run == development.baseline).into(),
        ]);
        table.push(row);
    }
    table
}

fn comparison_table(
    (comparison, because): (&Comparison, &str),
    chosen: &str,
    baseline: &str,
    question: &Question,
) -> Table {
    let difference = &comparison.difference;
    let inference = Inference { level: question.level, bca: None, seed: question.folds.seed };
    let p = |test: &str| {
        let found = comparison.tests.iter().find(|(info, _)| info.name == test);
        found.and_then(|(_, found)| found.as_ref().ok()).map(|(evidence, _)| evidence.p)
    };
    let (won, tied, lost) = comparison.wins();
    let better = match comparison.verdict.name() {
        "a" => chosen,
        "b" => baseline,
        other => other,
    };
    Table::new("comparison", "On test topics")
        .column("a", "a")
        .column("b", "b")
        .column("topics", "topics")
        .column("difference", "a − b")
        .with(Column::new("interval", format!("{} interval", percent(question.level))).range())
        .with(Column::new("bounds", "could become").range())
        .with(Column::new("p", "p").style(NumberStyle::P))
        .with(Column::new("p_t", "p of t").style(NumberStyle::P))
        .column("wins", "a wins/ties/loses")
        .column("better", "better")
        .with(Column::new("verdict", "").data_only())
        .with(Column::new("because", "").data_only())
        .row([
            chosen.into(),
            baseline.into(),
            difference.topics.len().into(),
            difference.observed.into(),
            difference.interval(&inference, With::ALL).ok().map(|found| (found.low, found.high)).into(),
            difference.bounds.into(),
            p(DECIDING).into(),
            p("t").into(),
            format!("{won}/{tied}/{lost}").into(),
            better.into(),
            comparison.verdict.name().into(),
            because.into(),
        ])
}

fn folds_table(setting: &Setting<'_>, development: &Development, listed: bool) -> Table {
    let mut table = Table::new("folds", "Folds: chosen on the others, reported on the fold")
        .audience(if listed { Audience::Both } else { Audience::Data })
        .column("fold", "fold")
        .column("topics", "topics")
        .column("chosen", "chosen")
        .column("elsewhere", "on the others")
        .column("here", "on the fold")
        .column("baseline", "baseline on the fold")
        .with(Column::new("names", "").data_only());
    for (number, fold) in (1u64..).zip(&development.cross.folds) {
        let topics = || fold.topics.iter().map(|&topic| development.topics[topic]);
        let run = &development.scored[development.baseline];
        let baseline: f64 = topics().filter_map(|topic| value(run, 0, topic)).sum();
        table.push([
            number.into(),
            fold.topics.len().into(),
            development.scored[fold.chosen].name.as_str().into(),
            fold.elsewhere.into(),
            fold.here.into(),
            (baseline / fold.topics.len() as f64).into(),
            Cell::List(topics().map(|topic| karat_data::names::text(setting.qrels.name(topic)).into()).collect()),
        ]);
    }
    table
}

/// That test topics are no longer fresh.
fn warning(opened: &Opened) -> Option<String> {
    let Before { same, some, unreadable, chosen, log } = &opened.before;
    let lost =
        format!("{unreadable} lines of {log} cannot be read: there may have been more looks at these test topics");
    if *same + *some == 0 {
        return (*unreadable > 0).then(|| format!("warning: {lost}"));
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
    Some(format!(
        "warning: {} ({log}; chosen then: {}). Who looks again and chooses anew chooses on test topics, and their score is optimistic too",
        parts.join(", "),
        chosen.join(", ")
    ))
}

fn remarks(
    setting: &Setting<'_>,
    development: &Development,
    question: &Question,
    opened: Option<&Opened>,
) -> Vec<String> {
    let cross = &development.cross;
    let mut notes = Vec::new();
    let ties: Vec<&str> = development
        .scored
        .iter()
        .zip(scores_on(&development.scored, 0, &development.topics))
        .enumerate()
        .filter(|(run, (_, values))| {
            let mean = values.iter().sum::<f64>() / values.len() as f64;
            *run != cross.chosen && (mean - cross.value).abs() <= karat_stats::test::SAME * cross.value.abs()
        })
        .map(|(_, (run, _))| run.name.as_str())
        .collect();
    if !ties.is_empty() {
        notes.push(format!("as good on development topics: {}; the first given is chosen", ties.join(", ")));
    }
    if development.left_out > 0 {
        let without = setting.qrels.topics().filter(|topic| !development.topics.contains(topic));
        let names = list_names(without.map(|topic| setting.qrels.name(topic)), development.left_out);
        notes.push(format!("not chosen by, for some run has no score there: {names}"));
    }
    if development.topics.len() < 2 * karat_stats::interval::HANDFUL {
        notes.push(format!(
            "warning: {} development topics are too few to tell how much better the choice looks than it is: the estimate and its standard error are themselves guesses",
            development.topics.len()
        ));
    }
    notes.push(format!(
        "cross-validated with {} folds, {} splits, seed {}: in each the run is chosen on the other folds' topics, so on fewer than all, which makes the optimism rather too large than too small",
        cross.folds.len(),
        question.folds.repeats,
        question.folds.seed.0
    ));
    match opened {
        None => notes.push("no test topics: report what was chosen on topics that were not chosen by (--test)".into()),
        Some(opened) => {
            if opened.scored.len() > 2 {
                notes.push("--reveal shows test scores of all runs: choosing by them makes development topics of the test topics".into());
            }
            notes.push("the fall from development to test holds optimism and how hard either topics are; the fall of the lead leaves out what is hard for both runs".into());
        }
    }
    notes
}
