//! The figures of an evaluation.

use karat_analysis::curves::Curves;
use karat_analysis::eval::{Evaluation, ScoreRow};
use karat_analysis::scores::{RunScores, Setting};
use karat_data::names::text;
use karat_measures::Aggregate;
use karat_report::Figure;

use crate::figures::distribution::{Spread, distribution};
use crate::figures::judged_share::judged_share;
use crate::figures::leaderboard::{LeaderboardRow, leaderboard};
use crate::figures::precision_recall::precision_recall;
use crate::figures::rbp_residual::rbp_residual;
use crate::figures::roc::roc;

/// All figures of an evaluation: two per measure, and the curves where there are some.
pub(super) fn figures(setting: &Setting<'_>, evaluation: &Evaluation, curves: Option<&Curves>) -> Vec<Figure> {
    let mut figures = Vec::new();
    for (index, measure) in setting.measures.iter().enumerate() {
        let (name, rows) = (measure.spec().to_string(), evaluation.of_measure(index));
        let level = rows.first().map_or(0.0, |row| row.level);
        let standings: Vec<LeaderboardRow> = rows.iter().filter_map(|row| leaderboard_row(row, None)).collect();
        figures.push(leaderboard(&name, level, &standings));
        if measure.info().aggregate != Aggregate::Sum {
            figures.push(distribution(&name, &spreads(setting, &evaluation.scored, index)));
        }
    }
    figures.extend(curves.into_iter().flat_map(of_curves).map(|(_, figure)| figure));
    figures
}

/// A score as the leaderboard shows it; `None` where there is no value.
pub(crate) fn leaderboard_row(row: &ScoreRow, letters: Option<String>) -> Option<LeaderboardRow> {
    Some(LeaderboardRow {
        run: row.run.clone(),
        value: row.value?.number(),
        topics: row.topics as usize,
        intervals: row.intervals,
        letters,
    })
}

/// The figures of curves, by name.
pub(crate) fn of_curves(curves: &Curves) -> [(&'static str, Figure); 4] {
    let Curves { relevance_level, persistence, runs } = curves;
    [
        ("precision_recall", precision_recall(*relevance_level, runs)),
        ("roc", roc(runs)),
        ("judged_share", judged_share(runs)),
        ("rbp_residual", rbp_residual(*persistence, runs)),
    ]
}

/// Every run's scores by topic.
pub(crate) fn spreads(setting: &Setting<'_>, scored: &[RunScores], measure: usize) -> Vec<Spread> {
    let of_run = |run: &RunScores| {
        let topics = run.of(measure).filter_map(|(topic, score)| {
            let score = score.as_ref().ok()?;
            Some((text(setting.qrels.name(topic)), score.value))
        });
        Spread { run: run.name.clone(), topics: topics.collect() }
    };
    scored.iter().map(of_run).collect()
}
