//! The standard deviations of pilot runs.

use karat_data::{RunFacts, RunSource};
use karat_measures::{Aggregate, Measure};
use karat_stats::max_t::MaxT;
use karat_stats::two_way::TwoWay;
use karat_stats::{Sample, Seed};

use super::spread::Spread;
use super::{LevelCorrection, PilotError, PlanTopicsError, PlanTopicsOptions, Quantity};
use crate::compare::two_way;
use crate::scores::{RunScores, Setting, score};

/// Draws and seed of max-T: the defaults of `compare`, so that both say the same of the same runs.
const DRAWS: u32 = 100_000;
const SEED: Seed = Seed(1);

/// What pilot runs say.
pub(super) struct Pilot {
    /// What is planned from.
    pub spreads: Vec<Spread>,
    /// Each pair's own.
    pub by_pair: Vec<Spread>,
    /// The runs.
    pub facts: Vec<RunFacts>,
}

/// Reads and scores the runs.
pub(super) fn read(
    setting: &Setting<'_>,
    runs: &dyn RunSource,
    options: &PlanTopicsOptions,
) -> Result<Pilot, PlanTopicsError> {
    let scored = score(setting, runs)?;
    let mut errors = Vec::new();
    let (mut spreads, mut by_pair) = (Vec::new(), Vec::new());
    for (place, measure) in setting.measures.iter().enumerate() {
        let measure = measure.as_ref();
        let found = match options.quantity {
            Quantity::Score => scored.iter().map(|run| score_spread(run, place, measure)).collect(),
            Quantity::Difference => {
                difference_spreads(&scored, place, measure, (options, setting.threads)).map(|(pooled, pairs)| {
                    by_pair.extend(pairs);
                    vec![pooled]
                })
            }
        };
        match found {
            Ok(found) => spreads.extend(found),
            Err(error) => errors.push(error),
        }
    }
    if !errors.is_empty() {
        return Err(PlanTopicsError::Pilot(errors));
    }
    Ok(Pilot { spreads, by_pair, facts: scored.iter().map(|run| run.topics.facts.clone()).collect() })
}

fn averaged(measure: &dyn Measure) -> Result<String, PilotError> {
    let name = measure.spec().to_string();
    if measure.info().aggregate == Aggregate::Mean { Ok(name) } else { Err(PilotError::NotAveraged { measure: name }) }
}

/// How much one run's scores vary.
fn score_spread(run: &RunScores, place: usize, measure: &dyn Measure) -> Result<Spread, PilotError> {
    let measure = averaged(measure)?;
    let values: Vec<f64> =
        run.of(place).filter_map(|(_, score)| score.as_ref().ok()).map(|score| score.value).collect();
    let (file, topics) = (&run.topics.facts.file, values.len());
    let Some(sample) = Sample::new(&values).ok().filter(|_| topics > 1) else {
        return Err(PilotError::TooFewTopics { file: file.clone(), measure, topics });
    };
    if sample.is_constant() {
        return Err(PilotError::SameScore { file: file.clone(), measure, score: sample.mean(), topics });
    }
    let sd = sample.sd().unwrap_or(0.0);
    Ok(Spread { measure, runs: vec![run.name.clone()], sd, df: Some(topics as f64 - 1.0), alpha: None })
}

/// How much differences between runs vary: one standard deviation for all that will be compared, and each pair's own.
fn difference_spreads(
    scored: &[RunScores],
    place: usize,
    measure: &dyn Measure,
    (options, threads): (&PlanTopicsOptions, usize),
) -> Result<(Spread, Vec<Spread>), PilotError> {
    let (measure, baseline) = (averaged(measure)?, options.baseline);
    let table = two_way(scored, place).map_err(PilotError::NoSharedTopics)?;
    let alpha = level_of_a_pair(&table, options, threads);
    let systems: Vec<Vec<f64>> =
        (0..table.systems()).map(|run| table.by_topic().map(|row| row[run]).collect()).collect();
    let df = table.topics() as f64 - 1.0;
    let mut pairs = Vec::new();
    for (a, first) in systems.iter().enumerate().take(if baseline { 1 } else { systems.len() }) {
        for (b, second) in systems.iter().enumerate().skip(a + 1) {
            let differences: Vec<f64> = first.iter().zip(second).map(|(first, second)| first - second).collect();
            let sd = Sample::new(&differences).and_then(|sample| sample.sd()).unwrap_or(0.0);
            let runs = vec![scored[a].name.clone(), scored[b].name.clone()];
            pairs.push(Spread { measure: measure.clone(), runs, sd, df: Some(df), alpha });
        }
    }
    // The mean variance of a difference; over all pairs that is twice the mean square of what systems and topics leave.
    let variance = pairs.iter().map(|pair| pair.sd * pair.sd).sum::<f64>() / pairs.len().max(1) as f64;
    // Differences that are the same but for rounding have no spread.
    let largest = systems.iter().flatten().fold(0.0f64, |most, score| most.max(score.abs()));
    let sd = variance.sqrt();
    if sd <= largest * karat_stats::test::SAME {
        return Err(PilotError::SameDifference { measure, topics: table.topics() });
    }
    // Differences from one baseline share its scores: they are worth hardly more than one of them.
    let df = if baseline { df } else { df * dimensions(&table) };
    Ok((Spread { measure, runs: Vec::new(), sd, df: Some(df), alpha }, pairs))
}

/// What max-T asks of a pair of these systems, as `compare --all-pairs` does with its defaults.
fn level_of_a_pair(table: &TwoWay, options: &PlanTopicsOptions, threads: usize) -> Option<f64> {
    let systems = table.systems();
    if options.correction != LevelCorrection::MaxT || options.baseline || systems != options.systems as usize {
        return None;
    }
    let pairs: Vec<(usize, usize)> = (0..systems).flat_map(|a| (a + 1..systems).map(move |b| (a, b))).collect();
    MaxT::new(table, &pairs, DRAWS, SEED, threads).ok()?.level_of_a_pair(1.0 - options.level)
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
