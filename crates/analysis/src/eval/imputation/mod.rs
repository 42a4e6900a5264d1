//! Measures that are not linear in gain, as gold judges would have given them: labels drawn by Bayes, any measure computed on the draws.
//!
//! The chance of each gold grade given bronze's comes from [`karat_stats::judge_error::posterior`]. A draw gives every judged document of a topic
//! one label, so that its rank, the count of relevant documents and the ideal list see the same. The one decision: each part of the error has draws
//! of its own. Variance over topics: topics drawn again, and what is fitted to them fitted again. Variance from the judges: the calibration drawn
//! again, and the fit with it. Both use the random numbers of the plain draws, so that a difference is the model's and not chance's. What our own draws
//! are off is the source `monte_carlo`.

pub mod simulated;

use karat_data::{CollectionFacts, Details, Grade, Judgement, TopicFacts, TopicView};
use karat_measures::{Measure, Score, Undefined};
use karat_runtime::jobs;
use karat_stats::judge_error::posterior::{Labels, Prevalence};
use karat_stats::judge_error::{Calibration, Redraw, worth};
use karat_stats::resample::multiplicities;
use karat_stats::seed::{Seed, Stream, Streams};

use crate::labels::LabelledList;
use crate::scored::{Scored, finite};
use crate::streams;

/// How the draws are made.
#[derive(Debug, Clone, Copy)]
pub struct Drawing {
    /// Draws of the labels.
    pub draws: u32,
    /// Whether bounds are wanted.
    pub bounds: bool,
    /// Of everything random.
    pub seed: Seed,
    /// Threads to use; the answer does not depend on it.
    pub threads: usize,
}

/// A measure of a run by drawn labels.
#[derive(Debug, Clone)]
pub struct Imputed {
    /// The expected score of each topic.
    pub scores: Vec<Scored>,
    /// Variance of the mean because these topics were asked.
    pub topics: f64,
    /// Because the error rates are estimated.
    pub judges: f64,
    /// Because of the finite number of draws.
    pub monte_carlo: f64,
    /// Calibrations drawn again that told nothing, of how many.
    pub lost: (u32, u32),
}

/// Draws with bounds; they are dear, and their distance from the value hardly varies.
const WITH_BOUNDS: usize = 20;

/// Ranks that share their chances: each of the first ten by itself, then six bands in every factor of ten. The last is of what was not retrieved.
fn band(rank: usize) -> usize {
    if rank <= 10 { rank - 1 } else { 9 + libm::ceil(6.0 * libm::log10(rank as f64 / 10.0) - 1e-9) as usize }
}

/// The rank that stands for a band.
fn rank_of(band: usize) -> f64 {
    if band < 10 { band as f64 + 1.0 } else { 10.0 * libm::pow(10.0, (band as f64 - 9.5) / 6.0) }
}

/// A topic's labels, made ready for drawing: for each rank the band and bronze's grade by place, then those not retrieved.
struct Topic<'a> {
    list: &'a LabelledList,
    retrieved: Vec<Option<(usize, usize)>>,
    /// By bronze's grade.
    missed: Vec<u32>,
    bands: usize,
}

impl<'a> Topic<'a> {
    fn new(list: &'a LabelledList, scale: &[f64]) -> Option<Topic<'a>> {
        let place = |grade: f64| scale.iter().position(|&known| known == grade);
        let mut missed = vec![0u32; scale.len()];
        for (grade, count) in &list.grades {
            missed[place(grade.value())?] += count;
        }
        let mut retrieved = Vec::with_capacity(list.ranks.len());
        let mut bands = 0;
        for (rank, judgement) in (1..).zip(&list.ranks) {
            let label = judgement.grade().map(place);
            let label = match label {
                Some(label) => Some((band(rank), label?)),
                None => None,
            };
            if let Some((band, label)) = label {
                missed[label] = missed[label].saturating_sub(1);
                bands = band + 1;
            }
            retrieved.push(label);
        }
        Some(Topic { list, retrieved, missed, bands })
    }

    /// Its labels as the fit takes them.
    fn labels(&self, topic: usize) -> Vec<Labels> {
        let grades = self.missed.len();
        let mut counts = vec![0.0; self.bands * grades];
        self.retrieved.iter().flatten().for_each(|(band, label)| counts[band * grades + label] += 1.0);
        let of = |(place, &count): (usize, &f64)| Labels {
            topic,
            rank: Some(rank_of(place / grades)),
            bronze: place % grades,
            count,
        };
        let missed = self.missed.iter().enumerate().map(|(bronze, &count)| Labels {
            topic,
            rank: None,
            bronze,
            count: f64::from(count),
        });
        counts.iter().enumerate().map(of).chain(missed).filter(|labels| labels.count > 0.0).collect()
    }

    /// Chances that the gold grade is at most each place, by band (the last: not retrieved) and bronze's grade.
    fn chances(&self, model: &Prevalence, topic: usize) -> Vec<Vec<f64>> {
        let grades = self.missed.len();
        let ranks = (0..self.bands).map(|band| Some(rank_of(band))).chain([None]);
        let of = |rank: Option<f64>, bronze: usize| {
            let mut sum = 0.0;
            let add = |chance: f64| {
                sum += chance;
                sum
            };
            model.given(topic, rank, bronze).into_iter().map(add).collect::<Vec<f64>>()
        };
        ranks
            .flat_map(|rank| (0..grades).map(move |bronze| (rank, bronze)))
            .map(|(rank, bronze)| of(rank, bronze))
            .collect()
    }
}

/// Labels drawn for a topic.
#[derive(Default)]
struct Drawn {
    ranks: Vec<Judgement>,
    grades: Vec<(Grade, u32)>,
    counts: Vec<u32>,
}

impl Drawn {
    fn fill(&mut self, topic: &Topic<'_>, chances: &[Vec<f64>], scale: &[Grade], stream: &mut Stream) {
        let grades = scale.len();
        let draw = |cell: usize, stream: &mut Stream| {
            let unit = stream.unit();
            chances[cell].iter().position(|&most| unit < most).unwrap_or(grades - 1)
        };
        self.ranks.clear();
        self.counts.clear();
        self.counts.resize(grades, 0);
        for (judgement, label) in topic.list.ranks.iter().zip(&topic.retrieved) {
            self.ranks.push(match label {
                Some((band, bronze)) => {
                    let place = draw(band * grades + bronze, stream);
                    self.counts[place] += 1;
                    Judgement::Grade(scale[place])
                }
                None => *judgement,
            });
        }
        for (bronze, &count) in topic.missed.iter().enumerate() {
            for _ in 0..count {
                self.counts[draw(topic.bands * grades + bronze, stream)] += 1;
            }
        }
        self.grades.clear();
        self.grades.extend(scale.iter().copied().zip(self.counts.iter().copied()).filter(|(_, count)| *count > 0));
    }

    fn view<'a>(&'a self, list: &LabelledList, collection: CollectionFacts) -> TopicView<'a> {
        TopicView {
            ranks: &self.ranks,
            below: list.below,
            facts: TopicFacts { grades: &self.grades, pooled_unjudged: list.pooled_unjudged },
            collection,
            details: Details::default(),
        }
    }
}

/// The models: as fitted, with the calibration drawn again, with the topics drawn again (and how often each).
struct Models {
    plain: Prevalence,
    judges: Vec<Prevalence>,
    topics: Vec<(Vec<u32>, Prevalence)>,
    lost: (u32, u32),
}

impl Models {
    fn fit(topics: &[Topic<'_>], calibration: &Calibration, drawing: &Drawing) -> Option<Models> {
        let labels: Vec<Labels> = topics.iter().enumerate().flat_map(|(place, topic)| topic.labels(place)).collect();
        let count = topics.len();
        let plain = Prevalence::fit(&labels, count, &[], calibration, None);
        let redraw = Redraw::new(calibration).ok()?;
        let replicates = (drawing.draws / 2).clamp(20, 200) as usize;
        let informative = |drawn: &Calibration| worth(drawn.grades(), drawn).is_ok();
        let streams = drawing.seed.streams(streams::CALIBRATION_AGAIN);
        let judges = jobs::in_order(replicates, drawing.threads, |replicate| {
            let drawn = redraw.draw(&mut streams.at(replicate as u64)).filter(informative)?;
            Some(Prevalence::fit(&labels, count, &[], &drawn, Some(&plain)))
        });
        let lost = judges.iter().filter(|model| model.is_none()).count() as u32;
        let streams = drawing.seed.streams(streams::TOPICS_AGAIN);
        let again = jobs::in_order(replicates, drawing.threads, |replicate| {
            let mut times = Vec::new();
            multiplicities(count, &mut streams.at(replicate as u64), &mut times);
            let model = Prevalence::fit(&labels, count, &times, calibration, Some(&plain));
            (times, model)
        });
        Some(Models {
            plain,
            judges: judges.into_iter().flatten().collect(),
            topics: again,
            lost: (lost, replicates as u32),
        })
    }
}

/// One topic under one measure.
struct Values {
    /// The expected score.
    score: Score,
    /// The value on every plain draw.
    plain: Vec<f64>,
    /// How much more it is, on the same random numbers, with each calibration drawn again.
    judges: Vec<f64>,
    /// What the topic adds to the sum over topics in each drawing of topics.
    topics: Vec<f64>,
}

/// A topic with all that its draws need.
struct Drawer<'a> {
    topic: &'a Topic<'a>,
    place: usize,
    streams: Streams,
    scale: &'a [Grade],
    collection: CollectionFacts,
    measures: &'a [&'a dyn Measure],
}

impl Drawer<'_> {
    /// The measures on one draw.
    fn draw(&self, drawn: &mut Drawn, chances: &[Vec<f64>], draw: usize, bounds: bool) -> Vec<Scored> {
        drawn.fill(self.topic, chances, self.scale, &mut self.streams.at(draw as u64));
        let view = drawn.view(self.topic.list, self.collection);
        let score = |measure: &&dyn Measure| {
            let scored = if bounds { measure.score(&view) } else { measure.value(&view).map(Score::without_bounds) };
            finite(scored)
        };
        self.measures.iter().map(score).collect()
    }

    fn values(&self, models: &Models, drawing: &Drawing) -> Vec<Result<Values, Undefined>> {
        let mut drawn = Drawn::default();
        let plain = self.topic.chances(&models.plain, self.place);
        let draws: Vec<Vec<Scored>> = (0..drawing.draws as usize)
            .map(|draw| self.draw(&mut drawn, &plain, draw, drawing.bounds && draw < WITH_BOUNDS))
            .collect();
        let judges: Vec<Vec<Scored>> = (models.judges.iter().enumerate())
            .map(|(draw, model)| self.draw(&mut drawn, &self.topic.chances(model, self.place), draw, false))
            .collect();
        let topics: Vec<(u32, Vec<Scored>)> = (models.topics.iter().enumerate())
            .map(|(draw, (times, model))| match times[self.place] {
                // Not drawn: it has no part in that mean.
                0 => (0, draws[draw].clone()),
                times => (times, self.draw(&mut drawn, &self.topic.chances(model, self.place), draw, false)),
            })
            .collect();
        let of = |measure: usize| -> Result<Values, Undefined> {
            let value = |scores: &Vec<Scored>| scores[measure].map(|score| score.value);
            let plain: Vec<f64> = draws.iter().map(value).collect::<Result<_, _>>()?;
            let mean = plain.iter().sum::<f64>() / plain.len() as f64;
            let off = |scores: &Vec<Scored>, draw: usize| Ok(value(scores)? - plain[draw]);
            let judges = judges.iter().enumerate().map(|(draw, scores)| off(scores, draw)).collect::<Result<_, _>>()?;
            let again = |(draw, (times, scores)): (usize, &(u32, Vec<Scored>))| {
                Ok(f64::from(*times) * (mean + off(scores, draw)?))
            };
            let topics = topics.iter().enumerate().map(again).collect::<Result<_, _>>()?;
            let bounded: Vec<Score> =
                draws.iter().take(WITH_BOUNDS).filter_map(|scores| scores[measure].ok()).collect();
            let distance = |of: &dyn Fn(&Score) -> f64| bounded.iter().map(of).sum::<f64>() / bounded.len() as f64;
            let score = if drawing.bounds {
                let (below, above) =
                    (distance(&|score| score.value - score.low), distance(&|score| score.high - score.value));
                Score::within(mean, mean - below, mean + above)
            } else {
                Score::without_bounds(mean)
            };
            Ok(Values { score, plain, judges, topics })
        };
        (0..self.measures.len()).map(of).collect()
    }
}

/// The measures on drawn labels, over topics with their names (which name their random streams). `None` where nothing can be fitted.
pub fn impute(
    measures: &[&dyn Measure],
    lists: &[(String, &LabelledList)],
    collection: CollectionFacts,
    calibration: &Calibration,
    drawing: &Drawing,
) -> Option<Vec<Imputed>> {
    let scale: Vec<Grade> = calibration.grades().iter().map(|&grade| Grade::new(grade)).collect::<Option<_>>()?;
    let topics: Vec<Topic<'_>> =
        lists.iter().map(|(_, list)| Topic::new(list, calibration.grades())).collect::<Option<_>>()?;
    if topics.is_empty() {
        return None;
    }
    let models = Models::fit(&topics, calibration, drawing)?;
    let by_topic = jobs::in_order(topics.len(), drawing.threads, |place| {
        let streams = drawing.seed.streams(&[streams::LABELS_OF, &lists[place].0].concat());
        let drawer = Drawer { topic: &topics[place], place, streams, scale: &scale, collection, measures };
        drawer.values(&models, drawing)
    });
    let of = |measure: usize| {
        let defined: Vec<&Values> = by_topic.iter().filter_map(|topic| topic[measure].as_ref().ok()).collect();
        let count = defined.len().max(1) as f64;
        let mean = |of: &dyn Fn(&Values) -> f64| defined.iter().map(|values| of(values)).sum::<f64>() / count;
        let over = |replicates: usize, of: &dyn Fn(&Values, usize) -> f64| {
            variance(&(0..replicates).map(|place| mean(&|values| of(values, place))).collect::<Vec<f64>>())
        };
        let draws = drawing.draws as usize;
        Imputed {
            scores: by_topic
                .iter()
                .map(|topic| topic[measure].as_ref().map(|values| values.score).map_err(|e| *e))
                .collect(),
            // The bootstrap's variance is (n − 1)/n of the variance of a mean.
            topics: over(models.topics.len(), &|values, place| values.topics[place]) * count / (count - 1.0).max(1.0),
            judges: over(models.judges.len(), &|values, place| values.judges[place]),
            monte_carlo: over(draws, &|values, place| values.plain[place]) / draws as f64,
            lost: models.lost,
        }
    };
    Some((0..measures.len()).map(of).collect())
}

/// With n − 1 in the denominator; 0 of fewer than two.
fn variance(values: &[f64]) -> f64 {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count.max(1.0);
    values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / (count - 1.0).max(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use karat_measures::spec;

    #[test]
    fn bands_cover_ranks_in_order() {
        assert_eq!([1, 2, 10, 11, 14, 15, 100, 1000].map(band), [0, 1, 9, 10, 10, 11, 15, 21]);
        for rank in 1..5000usize {
            // The rank that stands for a band is within a quarter of those in it.
            let ratio = rank_of(band(rank)) / rank as f64;
            assert!((0.78..1.3).contains(&ratio), "{rank} {ratio}");
        }
    }

    #[test]
    fn faultless_judges_change_nothing() {
        let calibration = Calibration::binary((1_000_000, 1_000_000), (1_000_000, 1_000_000)).unwrap();
        let grade = |value: f64| Judgement::Grade(Grade::new(value).unwrap());
        let list = LabelledList {
            ranks: [grade(1.0), Judgement::Unpooled, grade(0.0), grade(1.0)].into(),
            grades: [(Grade::new(0.0).unwrap(), 2), (Grade::new(1.0).unwrap(), 3)].into(),
            pooled_unjudged: 0,
            below: 0,
        };
        let lists: Vec<(String, &LabelledList)> = (0..6).map(|topic| (topic.to_string(), &list)).collect();
        let measure = spec::parse("AP", 1.0).unwrap().build().unwrap();
        let drawing = Drawing { draws: 40, bounds: true, seed: Seed(1), threads: 2 };
        let found = impute(&[measure.as_ref()], &lists, CollectionFacts::default(), &calibration, &drawing).unwrap();
        // Relevant at ranks 1 and 4 of three: (1 + 2/4)/3.
        for scored in &found[0].scores {
            assert!((scored.unwrap().value - 0.5).abs() < 1e-9);
        }
        assert!(found[0].judges < 1e-12 && found[0].monte_carlo < 1e-12);
    }
}
