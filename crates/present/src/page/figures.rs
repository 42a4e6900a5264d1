//! The page's figures, each drawn from what the studies found: the first view, and those that the script chooses among.

use karat_data::names::text;
use karat_data::{Problems, RunSource};
use karat_measures::Aggregate;
use karat_report::Figure;

use super::Summary;
use super::sections::Given;
use crate::eval::figures::{leaderboard_row, of_curves, spreads};
use crate::figures::distribution::distribution;
use crate::figures::leaderboard::leaderboard;
use crate::figures::pairwise::{PairVerdict, pairwise};
use crate::figures::scatter::scatter;
use crate::figures::topic_differences::{TopicRow, topic_differences};
use karat_analysis::compare::{Comparison, value};
use karat_analysis::curves::curves;
use karat_analysis::eval::{Evaluation, ScoreRow};

/// Runs that the matrix of pairs shows.
pub(super) const MATRIX: usize = 40;

/// By name: one for each measure, or one.
pub(super) struct Drawn(pub Vec<(&'static str, Vec<Figure>)>);

impl Drawn {
    /// The one that is shown first.
    pub fn first(&self, name: &str, measure: usize) -> Option<Figure> {
        let (_, figures) = self.0.iter().find(|(other, _)| *other == name)?;
        figures.get(measure).or(figures.first()).cloned()
    }
}

/// Draws them.
pub(super) fn draw_all(
    given: &Given<'_, '_>,
    runs: &dyn RunSource,
    evaluation: &Evaluation,
) -> Result<Drawn, Problems> {
    let Given { setting, page_options, scored, summary, .. } = given;
    let measures = 0..setting.measures.len();
    let mut drawn = vec![
        (
            "leaderboard",
            measures.clone().map(|measure| board(given, measure, evaluation.of_measure(measure))).collect(),
        ),
        ("pairwise", measures.clone().map(|measure| matrix(summary, measure)).collect()),
        (
            "distribution",
            measures
                .map(|measure| {
                    let counts = setting.measures[measure].info().aggregate == Aggregate::Sum;
                    let spreads = if counts { Vec::new() } else { spreads(setting, scored, measure) };
                    distribution(&summary.measures[measure], &spreads)
                })
                .collect(),
        ),
    ];
    drawn.extend(pair(given));
    let found = curves(setting, runs, page_options.relevance_level).map_err(crate::score_error::problems)?;
    drawn.extend(found.iter().flat_map(of_curves).map(|(name, figure)| (name, vec![figure])));
    Ok(Drawn(drawn))
}

fn board(given: &Given<'_, '_>, measure: usize, rows: &[ScoreRow]) -> Figure {
    let summary = given.summary;
    let grouped = summary.runs.len() > 2 && summary.comparable.contains(&measure);
    let letters = |run: usize| grouped.then(|| summary.standings[measure][run].letters.clone());
    let standing = |(run, row): (usize, &ScoreRow)| leaderboard_row(row, letters(run));
    let ranked: Vec<_> = rows.iter().enumerate().filter_map(standing).collect();
    leaderboard(&summary.measures[measure], given.page_options.level, &ranked)
}

fn matrix(summary: &Summary, measure: usize) -> Figure {
    let order: Vec<usize> = summary.order(measure).into_iter().take(MATRIX).collect();
    let names: Vec<String> = order.iter().map(|&run| summary.runs[run].clone()).collect();
    let place = |run: usize| order.iter().position(|&other| other == run);
    let among = summary.comparable.iter().position(|&other| other == measure);
    let verdict = |comparison: &Comparison| {
        let (a, b) = comparison.pair;
        Some(PairVerdict::new(comparison, (place(a)?, place(b)?)))
    };
    let compared = summary.compared.iter().flat_map(|compared| &compared.comparisons);
    let verdicts: Vec<PairVerdict> =
        compared.filter(|comparison| Some(comparison.measure) == among).filter_map(verdict).collect();
    pairwise(&summary.measures[measure], &names, &verdicts)
}

/// Two runs: the best and the next.
fn pair(given: &Given<'_, '_>) -> Vec<(&'static str, Vec<Figure>)> {
    let Given { setting, scored, summary, .. } = given;
    let ((a, b), first) = (summary.pair(), summary.first());
    let Some(comparison) = summary.comparison(first, a, b) else { return Vec::new() };
    // The script takes away from 0, so that nothing is -0.
    let turned = comparison.pair != (a, b);
    let sign = |value: f64| if turned { 0.0 - value } else { value };
    let names = (summary.runs[a].as_str(), summary.runs[b].as_str());
    let topics = &comparison.difference.topics;
    let rows: Vec<TopicRow> = topics
        .iter()
        .map(|found| TopicRow {
            topic: text(setting.qrels.name(found.topic)),
            difference: sign(found.observed),
            bounds: found.bounds.map(|(low, high)| if turned { (0.0 - high, 0.0 - low) } else { (low, high) }),
        })
        .collect();
    let points: Vec<(String, f64, f64)> = topics
        .iter()
        .filter_map(|found| {
            let score = |run: usize| value(&scored[run], first, found.topic);
            Some((text(setting.qrels.name(found.topic)), score(a)?, score(b)?))
        })
        .collect();
    let measure = &summary.measures[first];
    let sampled = comparison.sampled.as_ref().map(|_| sign(comparison.difference.observed));
    vec![
        ("topic_differences", vec![topic_differences(measure, names, &rows, sampled)]),
        ("scatter", vec![scatter(measure, names, &points, sampled.is_some())]),
    ]
}
