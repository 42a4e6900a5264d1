//! The pairs of a measure tested together: by max-T, or by randomised Tukey.
//!
//! The one decision: pairs are tested together only where every run has a score for the same topics, as it is. Elsewhere p-values are adjusted
//! by Holm's rule, and a note says so: the p of a pair is then of the topics that its difference is of.

use karat_stats::correction::HOLM;
use karat_stats::max_t::MaxT;
use karat_stats::test::NoTest;
use karat_stats::tukey::RandomisedTukey;

use super::many::{everywhere, two_way};
use super::notes::CompareNote;
use super::{CompareOptions, Correcting, RunPair};
use crate::scores::{RunScores, Setting};

/// A test of all pairs together.
pub(super) enum Family {
    MaxT(MaxT),
    Tukey(RandomisedTukey),
}

/// Why pairs are not tested together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotTogether {
    /// Scores are expected or corrected ones.
    NotAsTheyAre,
    /// Some run lacks a score for a topic that others have one for.
    TopicsDiffer,
}

impl Family {
    /// The test of these pairs together, where that is asked for and can be done.
    pub fn new(
        setting: &Setting<'_>,
        scored: &[RunScores],
        measure: usize,
        pairs: &[RunPair],
        options: &CompareOptions<'_>,
    ) -> Option<Family> {
        let settings = options.settings;
        match options.correction {
            Correcting::Rule(_) => None,
            Correcting::Tukey => {
                let scores = two_way(scored, measure).ok()?;
                let test = RandomisedTukey::new(&scores, settings.permutations, settings.seed, settings.threads);
                test.ok().map(Family::Tukey)
            }
            Correcting::MaxT => {
                // One pair has nothing to correct for.
                if pairs.len() < 2 || obstacle(setting, scored, measure, options).is_some() {
                    return None;
                }
                max_t(scored, measure, pairs, options).map(Family::MaxT)
            }
        }
    }

    /// The p of a pair, adjusted for all pairs.
    pub fn p(&self, place: usize, (a, b): RunPair) -> Result<f64, NoTest> {
        match self {
            Family::MaxT(test) => test.p(place),
            Family::Tukey(test) => Ok(test.p(a, b)),
        }
    }

    /// The p that one pair must reach on its own, when nothing is known of the others.
    pub fn level_of_a_pair(&self, alpha: f64) -> Option<f64> {
        match self {
            Family::MaxT(test) => test.level_of_a_pair(alpha),
            Family::Tukey(_) => None,
        }
    }

    /// The least difference of means that is significant, where it is the same for all pairs.
    pub fn critical_difference(&self, alpha: f64) -> Option<f64> {
        match self {
            Family::MaxT(_) => None,
            Family::Tukey(test) => test.critical_difference(alpha),
        }
    }

    /// The p that a pair's own test must be able to give. Adjusted by max-T it is never below its own p; all pairs together have far more
    /// arrangements of scores than one has of signs, so Tukey's asks for nothing.
    pub fn own_level(&self, alpha: f64) -> f64 {
        match self {
            Family::MaxT(_) => alpha,
            Family::Tukey(_) => 1.0,
        }
    }
}

/// Max-T on the topics that every run has a score for.
pub(super) fn max_t(
    scored: &[RunScores],
    measure: usize,
    pairs: &[RunPair],
    options: &CompareOptions<'_>,
) -> Option<MaxT> {
    let settings = options.settings;
    MaxT::new(&two_way(scored, measure).ok()?, pairs, settings.permutations, settings.seed, settings.threads).ok()
}

/// What keeps max-T from being done.
fn obstacle(
    setting: &Setting<'_>,
    scored: &[RunScores],
    measure: usize,
    options: &CompareOptions<'_>,
) -> Option<NotTogether> {
    if options.relevance_model.is_some() || setting.calibration.is_some() {
        return Some(NotTogether::NotAsTheyAre);
    }
    let shared = everywhere(scored, measure).len();
    let known = |run: &RunScores| run.of(measure).filter(|(_, score)| score.is_ok()).count();
    scored.iter().any(|run| known(run) != shared).then_some(NotTogether::TopicsDiffer)
}

/// The correction that is done, and notes on what is done otherwise than asked for.
pub(super) fn correction_done(
    setting: &Setting<'_>,
    scored: &[RunScores],
    pairs: usize,
    options: &CompareOptions<'_>,
) -> (Correcting, Vec<CompareNote>) {
    if !matches!(options.correction, Correcting::MaxT) || pairs < 2 {
        return (options.correction, Vec::new());
    }
    let mut notes: Vec<(NotTogether, Vec<String>)> = Vec::new();
    for (place, measure) in setting.measures.iter().enumerate() {
        let Some(why) = obstacle(setting, scored, place, options) else { continue };
        let name = measure.spec().to_string();
        match notes.iter_mut().find(|(other, _)| *other == why) {
            Some((_, measures)) => measures.push(name),
            None => notes.push((why, vec![name])),
        }
    }
    let everywhere = notes.iter().map(|(_, measures)| measures.len()).sum::<usize>() == setting.measures.len();
    let done = if everywhere { Correcting::Rule(HOLM) } else { Correcting::MaxT };
    (done, notes.into_iter().map(|(why, measures)| CompareNote::NotTogether { why, measures }).collect())
}
