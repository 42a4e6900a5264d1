//! The figures of an evaluation.

use karat_data::names::text;
use karat_data::{Problems, RunSource};
use karat_measures::Aggregate;
use karat_report::Figure;

use super::curves::curves;
use super::distribution::{Spread, distribution};
use super::judged_share::judged_share;
use super::leaderboard::{Standing, leaderboard};
use super::precision_recall::precision_recall;
use super::rbp_residual::rbp_residual;
use super::roc::roc;
use super::{Doubt, Wanted};
use crate::scores::{RunScores, Setting};

/// p of RBP where no measure says another.
pub const PERSISTENCE: f64 = 0.8;

/// By measure, then by run: a score and how unsure it is; `None` where there is none.
pub type Standings = Vec<Vec<Option<(f64, usize, Doubt)>>>;

/// All figures of an evaluation.
///
/// # Errors
/// Everything wrong with the runs, which are read once more for curves.
pub(crate) fn figures(
    setting: &Setting<'_>,
    runs: &dyn RunSource,
    scored: &[RunScores],
    standings: &Standings,
    level: f64,
    wanted: Wanted,
) -> Result<Vec<Figure>, Problems> {
    let mut figures = Vec::new();
    for (index, measure) in setting.measures.iter().enumerate() {
        let name = measure.spec().to_string();
        let standing = |(run, found): (&RunScores, &Option<(f64, usize, Doubt)>)| {
            found.map(|(value, topics, doubt)| Standing { run: run.name.clone(), value, topics, doubt, letters: None })
        };
        let ranked: Vec<Standing> = scored.iter().zip(&standings[index]).filter_map(standing).collect();
        figures.push(leaderboard(&name, level, &ranked));
        if measure.info().aggregate != Aggregate::Sum {
            figures.push(distribution(&name, &spreads(setting, scored, index)));
        }
    }
    if setting.qrels.kind().has_grades() {
        let of_measures = setting.measures.iter().map(|measure| measure.spec().to_string());
        let persistence = of_measures.filter_map(|name| persistence(&name)).next().unwrap_or(PERSISTENCE);
        let found = curves(setting, runs, wanted.relevance_level, persistence)?;
        figures.push(precision_recall(wanted.relevance_level, &found));
        figures.push(roc(&found));
        figures.push(judged_share(&found));
        figures.push(rbp_residual(persistence, &found));
    }
    Ok(figures)
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

/// The p of `RBP(p=0.8)`.
pub fn persistence(name: &str) -> Option<f64> {
    let inside = name.strip_prefix("RBP(")?.split(')').next()?;
    let p: f64 = inside.split(',').find_map(|part| part.strip_prefix("p="))?.parse().ok()?;
    (p > 0.0 && p < 1.0).then_some(p)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_persistence_of_a_measure() {
        assert_eq!(persistence("RBP(p=0.95)@100"), Some(0.95));
        assert_eq!(persistence("RBP(gain=linear,p=0.5)"), Some(0.5));
        assert_eq!((persistence("AP"), persistence("RBP(p=1)")), (None, None));
    }
}
