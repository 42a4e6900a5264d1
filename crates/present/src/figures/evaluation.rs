//! The figures of an evaluation.

use karat_analysis::curves::Curves;
use karat_analysis::eval::{Evaluated, RunStanding};
use karat_analysis::scores::{RunScores, Setting};
use karat_data::names::text;
use karat_measures::Aggregate;
use karat_report::Figure;

use super::distribution::{Spread, distribution};
use super::judged_share::judged_share;
use super::leaderboard::{Standing, leaderboard};
use super::precision_recall::precision_recall;
use super::rbp_residual::rbp_residual;
use super::roc::roc;

/// All figures of an evaluation: two per measure, and the curves where there are some.
pub fn figures(
    setting: &Setting<'_>,
    Evaluated { standings, scored, .. }: &Evaluated,
    curves: Option<&Curves>,
    level: f64,
) -> Vec<Figure> {
    let mut figures = Vec::new();
    for (index, measure) in setting.measures.iter().enumerate() {
        let name = measure.spec().to_string();
        let standing = |(run, found): (&RunScores, &Option<RunStanding>)| {
            let RunStanding { value, topics, intervals } = (*found)?;
            Some(Standing { run: run.name.clone(), value, topics, intervals, letters: None })
        };
        let ranked: Vec<Standing> = scored.iter().zip(&standings[index]).filter_map(standing).collect();
        figures.push(leaderboard(&name, level, &ranked));
        if measure.info().aggregate != Aggregate::Sum {
            figures.push(distribution(&name, &spreads(setting, scored, index)));
        }
    }
    figures.extend(curves.into_iter().flat_map(of_curves).map(|(_, figure)| figure));
    figures
}

/// The figures of curves, by name.
pub fn of_curves(curves: &Curves) -> [(&'static str, Figure); 4] {
    let Curves { relevance_level, persistence, runs } = curves;
    [
        ("precision_recall", precision_recall(*relevance_level, runs)),
        ("roc", roc(runs)),
        ("judged_share", judged_share(runs)),
        ("rbp_residual", rbp_residual(*persistence, runs)),
    ]
}

/// Every run's scores by topic.
pub fn spreads(setting: &Setting<'_>, scored: &[RunScores], measure: usize) -> Vec<Spread> {
    let of_run = |run: &RunScores| {
        let topics = run.of(measure).filter_map(|(topic, score)| {
            let score = score.as_ref().ok()?;
            Some((text(setting.qrels.name(topic)), score.value))
        });
        Spread { run: run.name.clone(), topics: topics.collect() }
    };
    scored.iter().map(of_run).collect()
}
