//! The figures of a comparison.

use karat_data::names::text;
use karat_report::Figure;

use super::View;
use crate::figures::differences::{DifferenceRow, differences};
use crate::figures::leaderboard::{LeaderboardRow, leaderboard};
use crate::figures::pairwise::{PairVerdict, pairwise};
use crate::figures::scatter::scatter;
use crate::figures::topic_differences::{TopicRow, topic_differences};
use crate::figures::{best_first, noted_basis};
use karat_analysis::compare::difference::With;
use karat_analysis::compare::verdict::Side;
use karat_analysis::compare::{CompareOptions, Compared, Comparison, letters, value};
use karat_analysis::scores::{RunScores, Setting};
use karat_analysis::summary::{SourceIntervals, summarise};

/// Pairs of a measure that have figures of their own.
const PAIRS: usize = 3;

/// All figures of a comparison, and a note where some pairs have none of their own.
pub(crate) fn figures(
    setting: &Setting<'_>,
    options: &CompareOptions<'_>,
    compared: &Compared,
    view: View,
) -> (Vec<Figure>, Option<String>) {
    let scored = &compared.scored;
    let mut figures = Vec::new();
    let mut left_out = 0;
    for (index, measure) in setting.measures.iter().enumerate() {
        let name = measure.spec().to_string();
        let of_measure: Vec<&Comparison> =
            compared.comparisons.iter().filter(|comparison| comparison.measure == index).collect();
        let rows: Vec<DifferenceRow> = of_measure.iter().map(|comparison| row(comparison, options, compared)).collect();
        figures.push(differences(&name, options.inference.level, &rows));
        figures.push(leaderboard(
            &name,
            options.inference.level,
            &standings(setting, (options, view), index, compared),
        ));
        if scored.len() > 2 && options.all_pairs {
            figures.push(matrix(&name, scored, index, compared, &of_measure));
        }
        figures.extend(of_measure.iter().take(PAIRS).flat_map(|pair| pair_figures(setting, &name, compared, pair)));
        left_out = left_out.max(of_measure.len().saturating_sub(PAIRS));
    }
    let note = (left_out > 0).then(|| {
        format!("figures of single pairs are of the first {PAIRS} pairs of each measure, {left_out} have none; compare two runs to see theirs")
    });
    (figures, note)
}

/// The figures of one pair: differences by topic, and scores against each other.
fn pair_figures(setting: &Setting<'_>, measure: &str, compared: &Compared, comparison: &Comparison) -> [Figure; 2] {
    let (a, b) = comparison.pair;
    let names = (compared.names[a].as_str(), compared.names[b].as_str());
    let topics = &comparison.difference.topics;
    let topic = |place: usize| text(setting.qrels.name(topics[place].topic));
    let bars: Vec<TopicRow> = (0..topics.len())
        .map(|at| TopicRow { topic: topic(at), difference: topics[at].observed, bounds: topics[at].bounds })
        .collect();
    let points: Vec<(String, f64, f64)> = (0..topics.len())
        .filter_map(|at| {
            let score = |run: usize| value(&compared.scored[run], comparison.measure, topics[at].topic);
            Some((topic(at), score(a)?, score(b)?))
        })
        .collect();
    let sampled = comparison.sampled.as_ref().map(|_| comparison.difference.observed);
    [topic_differences(measure, names, &bars, sampled), scatter(measure, names, &points, sampled.is_some())]
}

fn row(comparison: &Comparison, options: &CompareOptions<'_>, compared: &Compared) -> DifferenceRow {
    let difference = &comparison.difference;
    let interval = |with: With| difference.interval(&options.inference, with).ok().map(|found| (found.low, found.high));
    let name = |run: usize| compared.names[run].clone();
    let verdict = match comparison.verdict.better() {
        Some(Side::A) => name(comparison.pair.0),
        Some(Side::B) => name(comparison.pair.1),
        None => "undecided".into(),
    };
    let basis = noted_basis(&comparison.verdict).map_or_else(String::new, |basis| format!(", {basis}"));
    let sampled = comparison.sampled.is_some();
    let whole = comparison.interval.map(|found| (found.low, found.high));
    DifferenceRow {
        a: name(comparison.pair.0),
        b: name(comparison.pair.1),
        difference: difference.observed,
        intervals: SourceIntervals {
            topics: interval(With::TOPICS).filter(|_| !sampled),
            unjudged: interval(With { unjudged: true, judges: false }).filter(|_| difference.unjudged.is_some()),
            judges: interval(With::ALL).filter(|_| difference.judges.is_some()),
            bounds: difference.bounds.filter(|(low, high)| high - low > 1e-12),
        },
        sampled: whole.filter(|_| sampled),
        verdict: format!("{verdict}{basis}"),
    }
}

/// Where each run stands by itself, with the letters of its groups where all pairs were compared.
fn standings(
    setting: &Setting<'_>,
    (options, view): (&CompareOptions<'_>, View),
    measure: usize,
    compared: &Compared,
) -> Vec<LeaderboardRow> {
    let scored = &compared.scored;
    let of_run = |run: &RunScores| {
        let scores: Vec<_> = run.of(measure).filter_map(|(_, score)| score.as_ref().ok().copied()).collect();
        let (estimate, _) = summarise(setting.measures[measure].info(), &scores, &options.inference)?;
        let bounds = estimate.bounds.filter(|_| view.no_bounds.is_none()).map(|bounds| (bounds.low(), bounds.high()));
        let intervals = SourceIntervals {
            topics: estimate.interval.map(|interval| (interval.low, interval.high)),
            bounds: bounds.filter(|(low, high)| high - low > 1e-12),
            ..SourceIntervals::default()
        };
        Some(LeaderboardRow {
            run: run.name.clone(),
            value: estimate.point,
            topics: scores.len(),
            intervals,
            letters: None,
        })
    };
    let mut found: Vec<(usize, LeaderboardRow)> =
        scored.iter().enumerate().filter_map(|(place, run)| Some((place, of_run(run)?))).collect();
    if options.all_pairs && found.len() == scored.len() {
        let order = best_first(&found.iter().map(|(_, standing)| standing.value).collect::<Vec<_>>());
        let names = letters(measure, &order, &compared.comparisons);
        for (at, place) in order.iter().enumerate() {
            found[*place].1.letters = names.as_ref().map(|names| names[at].clone());
        }
    }
    found.into_iter().map(|(_, standing)| standing).collect()
}

fn matrix(name: &str, scored: &[RunScores], measure: usize, compared: &Compared, of_measure: &[&Comparison]) -> Figure {
    let mean = |run: &RunScores| {
        let values: Vec<f64> = run.of(measure).filter_map(|(_, score)| Some(score.as_ref().ok()?.value)).collect();
        values.iter().sum::<f64>() / values.len().max(1) as f64
    };
    let order = best_first(&scored.iter().map(mean).collect::<Vec<_>>());
    let mut place = vec![0; order.len()];
    order.iter().enumerate().for_each(|(at, &run)| place[run] = at);
    let names: Vec<String> = order.iter().map(|&run| compared.names[run].clone()).collect();
    let verdict = |comparison: &&Comparison| {
        let places = (place[comparison.pair.0], place[comparison.pair.1]);
        PairVerdict::new(comparison, places)
    };
    pairwise(name, &names, &of_measure.iter().map(verdict).collect::<Vec<_>>())
}
