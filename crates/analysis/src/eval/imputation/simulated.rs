//! Worlds with a known truth, in which measures are corrected by drawn labels: how far off, and how often an interval holds the truth.

use karat_data::{CollectionFacts, Grade, Judgement};
use karat_measures::{Measure, SpecError, spec};
use karat_stats::Seed;
use karat_stats::dist::{normal, student_t};
use karat_stats::judge_error::Calibration;
use karat_stats::sample::Sample;
use karat_stats::seed::Stream;

use super::{Drawing, Imputed, impute};
use crate::labels::LabelledList;

/// A world: topics with documents retrieved and missed, relevant with a chance that falls with the rank.
#[derive(Debug, Clone, Copy)]
pub struct World {
    /// m_R and m_N.
    pub accuracy: (f64, f64),
    /// How far the log odds of relevance fall with the logarithm of the rank.
    pub slope: f64,
    /// Standard deviation over topics of the log odds.
    pub spread: f64,
    /// Whether relevance falls by steps (after ranks 3 and 12) instead.
    pub steps: bool,
    /// Standard deviation over topics of both accuracies.
    pub by_topic: f64,
    /// Topics.
    pub topics: usize,
    /// Documents retrieved, and judged ones that were not.
    pub documents: (usize, usize),
    /// Pairs that calibrate: relevant, others.
    pub pairs: (u64, u64),
}

impl Default for World {
    fn default() -> World {
        World {
            accuracy: (0.8, 0.9),
            slope: 0.5,
            spread: 1.0,
            steps: false,
            by_topic: 0.0,
            topics: 50,
            documents: (60, 40),
            pairs: (200, 300),
        }
    }
}

/// What came out, for a measure.
#[derive(Debug, Clone, PartialEq)]
pub struct Trials {
    /// The measure.
    pub measure: String,
    /// The mean over all topics of the world.
    pub truth: f64,
    /// Root mean squared error of the score by bronze labels.
    pub naive_error: f64,
    /// Of the corrected one.
    pub error: f64,
    /// How often the corrected one is nearer to the truth.
    pub nearer: f64,
    /// How often the 95% interval over topics of the score by bronze labels holds the truth.
    pub naive_coverage: f64,
    /// That of the corrected one.
    pub coverage: f64,
}

fn gauss(stream: &mut Stream) -> f64 {
    normal::quantile(stream.unit().clamp(1e-12, 1.0 - 1e-12)).unwrap_or(0.0)
}

impl World {
    /// A topic as gold and as bronze judge it.
    fn topic(&self, stream: &mut Stream) -> [LabelledList; 2] {
        let easy = 0.5 + self.spread * gauss(stream);
        let (m_r, m_n) = self.accuracy;
        let moved = |rate: f64, stream: &mut Stream| (rate + self.by_topic * gauss(stream)).clamp(0.5, 0.999);
        let (m_r, m_n) = (moved(m_r, stream), moved(m_n, stream));
        let (mut gold, mut bronze) = (Vec::new(), Vec::new());
        for place in 1..=self.documents.0 + self.documents.1 {
            let odds = if place > self.documents.0 {
                easy - 3.0
            } else if self.steps {
                easy - if place <= 3 {
                    0.0
                } else if place <= 12 {
                    1.0
                } else {
                    2.5
                }
            } else {
                easy - self.slope * libm::log(place as f64)
            };
            let relevant = stream.unit() < 1.0 / (1.0 + libm::exp(-odds));
            let agrees = stream.unit() < if relevant { m_r } else { m_n };
            gold.push(relevant);
            bronze.push(relevant == agrees);
        }
        [self.list(&gold), self.list(&bronze)]
    }

    fn list(&self, labels: &[bool]) -> LabelledList {
        let one = Grade::new(1.0).unwrap_or(Grade::ZERO);
        let grade = |relevant: &bool| Judgement::Grade(if *relevant { one } else { Grade::ZERO });
        let relevant = labels.iter().filter(|relevant| **relevant).count() as u32;
        let counts = [(Grade::ZERO, labels.len() as u32 - relevant), (one, relevant)];
        LabelledList {
            ranks: labels[..self.documents.0].iter().map(grade).collect(),
            grades: counts.into_iter().filter(|(_, count)| *count > 0).collect(),
            pooled_unjudged: 0,
            below: 0,
        }
    }

    fn calibration(&self, stream: &mut Stream) -> Option<Calibration> {
        let agreed =
            |pairs: u64, rate: f64, stream: &mut Stream| (0..pairs).filter(|_| stream.unit() < rate).count() as u64;
        let (relevant, other) = self.pairs;
        let (on_relevant, on_other) =
            (agreed(relevant, self.accuracy.0, stream), agreed(other, self.accuracy.1, stream));
        Calibration::binary((on_relevant, relevant), (on_other, other)).ok()
    }
}

fn mean(measure: &dyn Measure, lists: &[LabelledList]) -> Vec<f64> {
    let value = |list: &LabelledList| {
        let view = karat_data::TopicView {
            ranks: &list.ranks,
            below: 0,
            facts: karat_data::TopicFacts { grades: &list.grades, pooled_unjudged: 0 },
            collection: CollectionFacts::default(),
            details: karat_data::Details::default(),
        };
        measure.value(&view).unwrap_or(0.0)
    };
    lists.iter().map(value).collect()
}

fn average(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// What one trial says of a measure: squared errors of bronze's mean and of the corrected one, whether the corrected one is nearer to the
/// truth, and whether the interval of each holds the truth.
fn outcome(truth: f64, naive: &[f64], imputed: &Imputed, topics: usize) -> [f64; 5] {
    let t = student_t::upper_quantile(0.025, topics as f64 - 1.0).unwrap_or(2.0);
    let z = normal::upper_quantile(0.025).unwrap_or(1.96);
    let error = Sample::new(naive).ok().and_then(|sample| sample.std_error().ok()).unwrap_or(0.0);
    let values: Vec<f64> = imputed.scores.iter().filter_map(|score| Some(score.ok()?.value)).collect();
    let off = [average(naive) - truth, average(&values) - truth];
    let reach = (t * imputed.topics.sqrt()).hypot(z * (imputed.judges + imputed.monte_carlo).sqrt());
    let yes = |holds: bool| f64::from(u8::from(holds));
    [
        off[0] * off[0],
        off[1] * off[1],
        yes(off[1].abs() < off[0].abs()),
        yes(off[0].abs() <= t * error),
        yes(off[1].abs() <= reach),
    ]
}

/// Corrects the measures in so many trials.
///
/// # Errors
/// A measure is none.
pub fn trials(world: &World, measures: &[&str], count: u32, draws: u32, seed: u64) -> Result<Vec<Trials>, SpecError> {
    let built: Vec<Box<dyn Measure>> =
        measures.iter().map(|name| spec::parse(name, 1.0)?.build()).collect::<Result<_, _>>()?;
    let seed = Seed(seed);
    let mut stream = seed.stream("truth", 0);
    let many: Vec<LabelledList> = (0..20_000).map(|_| world.topic(&mut stream)[0].clone()).collect();
    let truths: Vec<f64> = built.iter().map(|measure| average(&mean(measure.as_ref(), &many))).collect();
    let mut sums = vec![[0.0; 5]; built.len()];
    let references: Vec<&dyn Measure> = built.iter().map(AsRef::as_ref).collect();
    let mut done = 0.0;
    for trial in 0..count {
        let mut stream = seed.stream("trial", u64::from(trial));
        let bronze: Vec<LabelledList> = (0..world.topics).map(|_| world.topic(&mut stream)[1].clone()).collect();
        let Some(calibration) = world.calibration(&mut stream) else { continue };
        let lists: Vec<(String, &LabelledList)> =
            bronze.iter().enumerate().map(|(place, list)| (place.to_string(), list)).collect();
        let drawing = Drawing { draws, bounds: false, seed: seed.child("draws", u64::from(trial)), threads: 2 };
        let Some(found) = impute(&references, &lists, CollectionFacts::default(), &calibration, &drawing) else {
            continue;
        };
        done += 1.0;
        for (place, imputed) in found.iter().enumerate() {
            let naive = mean(built[place].as_ref(), &bronze);
            let outcome = outcome(truths[place], &naive, imputed, world.topics);
            sums[place].iter_mut().zip(outcome).for_each(|(sum, value)| *sum += value);
        }
    }
    let share = |sum: f64| sum / f64::max(done, 1.0);
    let of = |(place, sum): (usize, &[f64; 5])| Trials {
        measure: built[place].spec().to_string(),
        truth: truths[place],
        naive_error: share(sum[0]).sqrt(),
        error: share(sum[1]).sqrt(),
        nearer: share(sum[2]),
        naive_coverage: share(sum[3]),
        coverage: share(sum[4]),
    };
    Ok(sums.iter().enumerate().map(of).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corrected_is_nearer_to_the_truth_than_bronze() {
        // A small form of examples/imputed_labels.rs: errors fall to less than two thirds.
        let world = World { accuracy: (0.75, 0.85), topics: 40, documents: (30, 20), ..World::default() };
        for found in trials(&world, &["AP", "nDCG@10"], 12, 40, 5).unwrap() {
            assert!(found.error < 0.67 * found.naive_error && found.nearer > 0.6, "{found:?}");
            assert!(found.coverage > 0.7 && found.naive_coverage < 0.5, "{found:?}");
        }
    }
}
