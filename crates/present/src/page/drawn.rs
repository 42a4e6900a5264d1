//! The page's figures, each drawn from what the studies found: the first view, and those that the script chooses among.

use karat_data::names::text;
use karat_data::{Problems, RunSource};
use karat_measures::Aggregate;
use karat_report::Figure;

use super::Seen;
use super::sections::Given;
use crate::eval::figures::{leaderboard_row, of_curves, spreads};
use crate::figures::distribution::distribution;
use crate::figures::leaderboard::leaderboard;
use crate::figures::pairwise::{PairVerdict, pairwise};
use crate::figures::scatter::scatter;
use crate::figures::topic_differences::{TopicRow, topic_differences};
use karat_analysis::compare::{Comparison, DECIDING, value};
use karat_analysis::curves::curves;
use karat_analysis::eval::{Evaluation, ScoreRow};

/// Runs that the matrix of pairs shows.
pub(super) const MATRIX: usize = 40;

/// By name: one for each measure, or one.
pub(super) struct Drawn(pub Vec<(&'static str, Vec<Figure>)>);

impl Drawn {
    /// The one that is seen first.
    pub fn first(&self, name: &str, measure: usize) -> Option<Figure> {
        let (_, figures) = self.0.iter().find(|(other, _)| *other == name)?;
        figures.get(measure).or(figures.first()).cloned()
    }
}

/// Draws them.
pub(super) fn all(given: &Given<'_, '_>, runs: &dyn RunSource, evaluation: &Evaluation) -> Result<Drawn, Problems> {
    let Given { setting, question, scored, seen, .. } = given;
    let measures = 0..setting.measures.len();
    let mut drawn = vec![
        (
            "leaderboard",
            measures.clone().map(|measure| board(given, measure, evaluation.of_measure(measure))).collect(),
        ),
        ("pairwise", measures.clone().map(|measure| matrix(seen, measure)).collect()),
        (
            "distribution",
            measures
                .map(|measure| {
                    let counts = setting.measures[measure].info().aggregate == Aggregate::Sum;
                    let spreads = if counts { Vec::new() } else { spreads(setting, scored, measure) };
                    distribution(&seen.measures[measure], &spreads)
                })
                .collect(),
        ),
    ];
    drawn.extend(pair(given));
    let found = curves(setting, runs, question.relevance_level).map_err(crate::score_error::problems)?;
    drawn.extend(found.iter().flat_map(of_curves).map(|(name, figure)| (name, vec![figure])));
    Ok(Drawn(drawn))
}

fn board(given: &Given<'_, '_>, measure: usize, rows: &[ScoreRow]) -> Figure {
    let seen = given.seen;
    let grouped = seen.runs.len() > 2 && seen.comparable.contains(&measure);
    let letters = |run: usize| grouped.then(|| seen.standings[measure][run].letters.clone());
    let standing = |(run, row): (usize, &ScoreRow)| leaderboard_row(row, letters(run));
    let ranked: Vec<_> = rows.iter().enumerate().filter_map(standing).collect();
    leaderboard(&seen.measures[measure], given.question.level, &ranked)
}

fn matrix(seen: &Seen, measure: usize) -> Figure {
    let order: Vec<usize> = seen.order(measure).into_iter().take(MATRIX).collect();
    let names: Vec<String> = order.iter().map(|&run| seen.runs[run].clone()).collect();
    let place = |run: usize| order.iter().position(|&other| other == run);
    let among = seen.comparable.iter().position(|&other| other == measure);
    let verdict = |comparison: &Comparison| {
        let (a, b) = comparison.pair;
        let deciding = comparison.tests.iter().find(|(test, _)| test.name == DECIDING);
        Some(PairVerdict {
            pair: (place(a)?, place(b)?),
            first_better: comparison.winner().map(|winner| winner == a),
            certain: comparison.verdict.certain,
            difference: comparison.difference.observed,
            p: deciding.and_then(|(_, found)| found.as_ref().ok()).map(|(_, adjusted)| *adjusted),
        })
    };
    let compared = seen.compared.iter().flat_map(|compared| &compared.comparisons);
    let verdicts: Vec<PairVerdict> =
        compared.filter(|comparison| Some(comparison.measure) == among).filter_map(verdict).collect();
    pairwise(&seen.measures[measure], &names, &verdicts)
}

/// Two runs: the best and the next.
fn pair(given: &Given<'_, '_>) -> Vec<(&'static str, Vec<Figure>)> {
    let Given { setting, scored, seen, .. } = given;
    let ((a, b), first) = (seen.pair(), seen.first());
    let Some(comparison) = seen.comparison(first, a, b) else { return Vec::new() };
    // The script takes away from 0, so that nothing is -0.
    let turned = comparison.pair != (a, b);
    let sign = |value: f64| if turned { 0.0 - value } else { value };
    let names = (seen.runs[a].as_str(), seen.runs[b].as_str());
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
    let measure = &seen.measures[first];
    vec![
        ("topic_differences", vec![topic_differences(measure, names, &rows)]),
        ("scatter", vec![scatter(measure, names, &points)]),
    ]
}
