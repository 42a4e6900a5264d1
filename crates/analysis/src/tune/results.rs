//! From the choice and the test scores to the answer.

use karat_measures::{MeasureInfo, Score};
use karat_stats::{Sample, Seed, interval};

use super::answer::{FoldResult, TestComparison, TuneAnswer, TuneNote, TunedRun};
use super::{Development, TestResults, TuneOptions};
use crate::compare::difference::With;
use crate::compare::verdict::Side;
use crate::compare::{Comparison, DECIDING, scores_on, value};
use crate::scores::{RunScores, Setting};
use crate::summary::{Inference, IntervalMethod, summarise};

/// A mean over topics with its interval and standard error.
struct TopicMean {
    value: f64,
    interval: Option<(f64, f64)>,
    std_error: Option<f64>,
}

impl TopicMean {
    /// Of scores of a measure, with the interval that `karat eval` gives them.
    fn of_scores(values: &[f64], (measure, level): (&MeasureInfo, f64)) -> Option<TopicMean> {
        let scores: Vec<Score> = values.iter().copied().map(Score::exact).collect();
        let inference = Inference { method: IntervalMethod::default(), level, seed: Seed(1) };
        let interval = summarise(measure, &scores, &inference)?.0.interval.map(|found| (found.low, found.high));
        let sample = Sample::new(values).ok()?;
        Some(TopicMean { value: sample.mean(), interval, std_error: sample.std_error().ok() })
    }

    /// Of leads, without an interval.
    fn of_leads(values: &[f64]) -> Option<TopicMean> {
        let sample = Sample::new(values).ok()?;
        Some(TopicMean { value: sample.mean(), interval: None, std_error: sample.std_error().ok() })
    }
}

/// The difference of two independent means, and its standard error.
fn fall(before: Option<&TopicMean>, after: Option<&TopicMean>) -> (Option<f64>, Option<f64>) {
    let Some((before, after)) = before.zip(after) else { return (None, None) };
    let errors = before.std_error.zip(after.std_error);
    (Some(before.value - after.value), errors.map(|(a, b)| (a.powi(2) + b.powi(2)).sqrt()))
}

/// How far the lead over the baseline falls from the development topics to the test, with its standard error.
fn lead_fall(development: &Development, by_run: &[Vec<f64>], test: Option<&TestResults>) -> (Option<f64>, Option<f64>) {
    let (chosen, baseline) = (&by_run[development.cross.chosen], &by_run[development.baseline]);
    let lead: Vec<f64> = chosen.iter().zip(baseline).map(|(chosen, base)| chosen - base).collect();
    let comparison = test.and_then(|test| test.comparison.as_ref());
    let lead_test = comparison.and_then(|found| TopicMean::of_leads(&found.difference.values()));
    fall(TopicMean::of_leads(&lead).as_ref(), lead_test.as_ref())
}

/// All scores a run has.
fn scores(run: &RunScores) -> Vec<f64> {
    run.of(0).filter_map(|(_, score)| score.as_ref().ok()).map(|score| score.value).collect()
}

/// Puts the answer together; `setting` is that of the development topics. `because` of the comparison is left empty.
pub fn tune(
    setting: &Setting<'_>,
    development: &Development,
    test: Option<&TestResults>,
    options: &TuneOptions,
) -> TuneAnswer {
    let cross = &development.cross;
    let by_run = scores_on(&development.scored, 0, &development.topics);
    let of = (setting.measures[0].info(), options.level);
    let (dev, tested) = (TopicMean::of_scores(&by_run[cross.chosen], of), tested(development.chosen(), test, of));
    let (value_fall, fall_std_error) = fall(dev.as_ref(), tested.as_ref());
    let (lead_fall, lead_fall_std_error) = lead_fall(development, &by_run, test);
    TuneAnswer {
        measure: setting.measures[0].spec().to_string(),
        chosen: development.chosen().to_owned(),
        baseline: development.scored[development.baseline].name.clone(),
        candidates: development.scored.len(),
        dev_topics: development.topics.len(),
        dev_value: cross.value,
        dev_interval: dev.and_then(|dev| dev.interval),
        fresh_value: cross.fresh,
        fresh_interval: TopicMean::of_scores(&cross.held_out, of).and_then(|fresh| fresh.interval),
        optimism: cross.optimism,
        optimism_std_error: cross.std_error,
        stability: cross.shares[cross.chosen],
        test_topics: test.map(|test| test.topics),
        test_value: tested.as_ref().map(|tested| tested.value),
        test_interval: tested.as_ref().and_then(|tested| tested.interval),
        fall: value_fall,
        fall_std_error,
        lead_fall,
        lead_fall_std_error,
        opened_before: test.map(|test| test.before.same),
        runs: tuned_runs((development, of), test, &by_run, options),
        comparison: test_comparisons(test, development, options),
        folds: fold_results(setting, development),
        level: options.level,
        notes: notes(setting, development, test, (&by_run, options)),
    }
}

/// The comparison with the baseline on the test topics, where there is one.
fn test_comparisons(
    test: Option<&TestResults>,
    development: &Development,
    options: &TuneOptions,
) -> Option<Vec<TestComparison>> {
    Some(vec![test_comparison(test?.comparison.as_ref()?, development, options)])
}

fn tested(name: &str, test: Option<&TestResults>, of: (&MeasureInfo, f64)) -> Option<TopicMean> {
    test?.scored.iter().find(|run| run.name == name).and_then(|run| TopicMean::of_scores(&scores(run), of))
}

fn tuned_runs(
    (development, of): (&Development, (&MeasureInfo, f64)),
    test: Option<&TestResults>,
    by_run: &[Vec<f64>],
    options: &TuneOptions,
) -> Vec<TunedRun> {
    let named = options.parameters.iter().any(|own| !own.is_empty());
    let dev: Vec<Option<TopicMean>> = by_run.iter().map(|values| TopicMean::of_scores(values, of)).collect();
    let mean = |run: usize| dev[run].as_ref().map_or(f64::NEG_INFINITY, |mean| mean.value);
    let mut order: Vec<usize> = (0..development.scored.len()).collect();
    order.sort_by(|&a, &b| mean(b).total_cmp(&mean(a)).then(a.cmp(&b)));
    let row = |run: usize| {
        let name = &development.scored[run].name;
        let (dev, tested) = (dev[run].as_ref(), tested(name, test, of));
        TunedRun {
            run: name.clone(),
            parameters: named.then(|| options.parameters.get(run).cloned().unwrap_or_default()),
            dev_value: dev.map(|mean| mean.value),
            dev_interval: dev.and_then(|mean| mean.interval),
            chosen_share: development.cross.shares[run],
            test_value: tested.as_ref().map(|mean| mean.value),
            test_interval: tested.and_then(|mean| mean.interval),
            chosen: run == development.cross.chosen,
            baseline: run == development.baseline,
        }
    };
    order.into_iter().map(row).collect()
}

fn test_comparison(comparison: &Comparison, development: &Development, options: &TuneOptions) -> TestComparison {
    let difference = &comparison.difference;
    let inference = Inference { method: IntervalMethod::Auto, level: options.level, seed: options.folds.seed };
    let p = |test: &str| {
        let found = comparison.tests.iter().find(|(info, _)| info.name == test);
        found.and_then(|(_, found)| found.as_ref().ok()).map(|(evidence, _)| evidence.p)
    };
    let (a, b) = (development.chosen().to_owned(), development.scored[development.baseline].name.clone());
    let (verdict, better) = match comparison.verdict.better() {
        Some(Side::A) => ("a", a.clone()),
        Some(Side::B) => ("b", b.clone()),
        None => ("undecided", "undecided".to_owned()),
    };
    TestComparison {
        a,
        b,
        topics: difference.topics.len(),
        difference: difference.observed,
        interval: difference.interval(&inference, With::ALL).ok().map(|found| (found.low, found.high)),
        bounds: difference.bounds,
        p: p(DECIDING),
        p_t: p("t"),
        wins: comparison.wins(),
        better,
        verdict,
        because: String::new(),
    }
}

fn fold_results(setting: &Setting<'_>, development: &Development) -> Vec<FoldResult> {
    let run = &development.scored[development.baseline];
    let folds = (1u64..).zip(&development.cross.folds);
    folds
        .map(|(number, fold)| {
            let topics = || fold.topics.iter().map(|&topic| development.topics[topic]);
            let baseline: f64 = topics().filter_map(|topic| value(run, 0, topic)).sum();
            FoldResult {
                fold: number,
                topics: fold.topics.len(),
                chosen: development.scored[fold.chosen].name.clone(),
                elsewhere: fold.elsewhere,
                here: fold.here,
                baseline: baseline / fold.topics.len() as f64,
                names: topics().map(|topic| karat_data::names::text(setting.qrels.name(topic))).collect(),
            }
        })
        .collect()
}

fn notes(
    setting: &Setting<'_>,
    development: &Development,
    test: Option<&TestResults>,
    (by_run, options): (&[Vec<f64>], &TuneOptions),
) -> Vec<TuneNote> {
    let mut notes = Vec::new();
    if let Some(before) =
        test.map(|test| &test.before).filter(|before| before.same + before.some + before.unreadable > 0)
    {
        notes.push(TuneNote::OpenedBefore(before.clone()));
    }
    let ties = ties(development, by_run);
    if !ties.is_empty() {
        notes.push(TuneNote::Ties(ties));
    }
    if development.left_out > 0 {
        let without = setting.qrels.topics().filter(|topic| !development.topics.contains(topic));
        notes.push(TuneNote::LeftOut(without.map(|topic| setting.qrels.name(topic).to_vec()).collect()));
    }
    if development.topics.len() < 2 * interval::HANDFUL {
        notes.push(TuneNote::FewTopics(development.topics.len()));
    }
    notes.push(TuneNote::CrossValidation {
        folds: development.cross.folds.len(),
        repeats: options.folds.repeats,
        seed: options.folds.seed.0,
    });
    match test {
        None => notes.push(TuneNote::NoTestTopics),
        Some(test) => {
            notes.extend((test.scored.len() > 2).then_some(TuneNote::AllRevealed));
            notes.push(TuneNote::Falls);
        }
    }
    notes
}

/// The other runs with the mean of the chosen one.
fn ties(development: &Development, by_run: &[Vec<f64>]) -> Vec<String> {
    let cross = &development.cross;
    let same = |run: &usize| {
        let mean = by_run[*run].iter().sum::<f64>() / by_run[*run].len() as f64;
        *run != cross.chosen && (mean - cross.value).abs() <= karat_stats::test::SAME * cross.value.abs()
    };
    (0..by_run.len()).filter(same).map(|run| development.scored[run].name.clone()).collect()
}
