//! The difference of two runs, or the score of one, from a judged sample: unbiased whatever the unjudged documents are.
//!
//! The one decision: the design alone carries the estimate. Guesses of relevance come from other topics' labels; they narrow the interval if they are
//! good and widen it if they are bad.

use std::collections::HashMap;

use karat_runtime::jobs::in_order;
use karat_stats::Seed;
use karat_stats::interval::NoInterval;
use karat_stats::sampled_mean::{self, Share, TopicEstimate};

use super::effects::{Effects, Label, OpenUnit};
use super::guess::{self, Guesses, TopicGuess};
use super::question::{Contrast, Design, OpenTopic, Question, Target};
use crate::lists::Lists;

/// Fewer sampled topics give no interval: a few topics would carry it.
pub const FEWEST_TOPICS: usize = 10;

/// What a judge said of a document.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Said {
    /// A grade.
    Grade(f64),
    /// Nothing that can be used: both possibilities are allowed for.
    Open,
}

/// A document of a sample, judged.
#[derive(Debug, Clone, PartialEq)]
pub struct Judged {
    /// The topic's place.
    pub topic: usize,
    /// The document.
    pub docno: Vec<u8>,
    /// The probability that it was drawn with.
    pub probability: f64,
    /// Its batch, from 0.
    pub batch: usize,
    /// The label.
    pub said: Said,
}

/// A judged sample.
pub struct JudgedSample {
    /// What was sampled.
    pub design: Design,
    /// The documents.
    pub rows: Vec<Judged>,
    /// Documents of each batch.
    pub sizes: Vec<usize>,
}

/// How a sample was drawn, and how often it is looked at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SampleFacts {
    /// Documents that were drawn.
    pub drawn: usize,
    /// Those with a label.
    pub judged: usize,
    /// The seed of the draws.
    pub seed: u64,
    /// What p must be below at this look; intervals have the level 1 less this.
    pub alpha: f64,
    /// The number of this look, from 1, and how many were planned; `None` for one look.
    pub look: Option<(u32, Option<u32>)>,
}

/// What a sample says of one measure of a pair, or of one run, at one level.
#[derive(Debug, Clone, PartialEq)]
pub struct SampledDifference {
    /// First run less second; of one run its score.
    pub difference: f64,
    /// Its interval over topics and sample.
    pub interval: Result<(f64, f64), NoSample>,
    /// The p-value that goes with the interval, two-sided.
    pub p: Option<f64>,
    /// Variance of the mean over topics, without what the sample adds.
    pub topics: f64,
    /// Variance that the sample adds.
    pub sampling: f64,
    /// Whether labels of one kind are few, so that exact limits were used.
    pub few: bool,
}

/// Why there is no interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum NoSample {
    /// Topics or their spread do not allow one.
    Interval(NoInterval),
    /// Documents have no label that can be used, and the measure is no sum: which labels are the extremes is not known.
    OpenLabels {
        /// Without a label.
        open: usize,
    },
    /// Too few topics were sampled.
    FewTopics {
        /// Sampled.
        have: usize,
    },
}

impl JudgedSample {
    /// Documents without a label that can be used.
    pub fn open(&self) -> usize {
        self.rows.iter().filter(|row| row.said == Said::Open).count()
    }
}

/// Labels that could not be given, for the first run, or for the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Favour {
    A,
    B,
}

/// What a sample says of one contrast, at any level.
#[derive(Debug, Clone)]
pub struct Estimated {
    /// The topics' estimates; where labels are open two: with all of them for the first run, and with all for the second.
    ends: Vec<SampledTopics>,
}

/// Estimates of all topics, labels given.
#[derive(Debug, Clone)]
struct SampledTopics {
    topics: Vec<TopicEstimate>,
    shares: [Share; 2],
    /// Why they carry no interval.
    refused: Option<NoSample>,
}

/// A one-sided limit of a lead, and the p-value that it is above minus a margin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OneSided {
    /// The lower limit.
    pub limit: f64,
    /// The p-value.
    pub p: f64,
}

/// What a sample says of a contrast at a level.
pub fn estimate(
    question: &Question<'_>,
    (measure, target): (usize, impl Into<Target>),
    sample: &JudgedSample,
    level: f64,
    seed: Seed,
) -> SampledDifference {
    Estimated::new(question, (measure, target.into()), sample, seed).at(level)
}

impl Estimated {
    /// Of one contrast.
    pub fn new(question: &Question<'_>, contrast: Contrast, sample: &JudgedSample, seed: Seed) -> Estimated {
        let end = |favour: Favour| Estimator::new(question, contrast, sample, favour, seed).topics();
        let open = sample.open();
        let mut ends = vec![end(Favour::A)];
        let setting = question.setting;
        if open > 0 && setting.measures[contrast.0].linear(&setting.collection).is_none() {
            ends[0].refused = Some(NoSample::OpenLabels { open });
        } else if open > 0 {
            // What cannot be judged may be anything: intervals hold both ends.
            ends.push(end(Favour::B));
        }
        Estimated { ends }
    }

    /// Estimate, interval and p-value.
    pub fn at(&self, level: f64) -> SampledDifference {
        let found: Vec<SampledDifference> = self.ends.iter().map(|end| end.at(level)).collect();
        let join = |first: SampledDifference, second: SampledDifference| {
            let interval = match (first.interval, second.interval) {
                (Ok(first), Ok(second)) => Ok((first.0.min(second.0), first.1.max(second.1))),
                (Err(why), _) | (_, Err(why)) => Err(why),
            };
            let one_sign = first.difference * second.difference > 0.0;
            SampledDifference {
                difference: f64::midpoint(first.difference, second.difference),
                interval,
                p: first.p.zip(second.p).map(|(a, b)| if one_sign { a.max(b) } else { 1.0 }),
                topics: first.topics.max(second.topics),
                sampling: first.sampling.max(second.sampling),
                few: first.few || second.few,
            }
        };
        found.into_iter().reduce(join).unwrap_or(SampledDifference::NONE)
    }

    /// The topics' leads of the first run, or where `turned` of the second.
    pub fn leads(&self, turned: bool) -> Vec<f64> {
        let sign = if turned { -1.0 } else { 1.0 };
        self.ends.first().map_or_else(Vec::new, |end| end.topics.iter().map(|topic| sign * topic.estimate).collect())
    }

    /// The one-sided limit, at this level of error, of the first run's lead, or where `turned` of the second's, and the p-value that it is above minus the
    /// margin. `None` without an interval.
    pub fn one_sided(&self, turned: bool, margin: f64, alpha: f64) -> Option<OneSided> {
        let found = self.ends.iter().map(|end| end.one_sided(turned, margin, alpha));
        found.reduce(|one, other| {
            let (one, other) = (one?, other?);
            Some(OneSided { limit: one.limit.min(other.limit), p: one.p.max(other.p) })
        })?
    }
}

impl SampledDifference {
    /// Of no topics.
    const NONE: SampledDifference = SampledDifference {
        difference: 0.0,
        interval: Err(NoSample::Interval(NoInterval::TooFew { have: 0, need: karat_stats::interval::HANDFUL })),
        p: None,
        topics: 0.0,
        sampling: 0.0,
        few: false,
    };
}

impl SampledTopics {
    fn at(&self, level: f64) -> SampledDifference {
        let SampledTopics { topics, shares, refused } = self;
        let count = topics.len().max(1) as f64;
        let mean = topics.iter().map(|topic| topic.estimate).sum::<f64>() / count;
        let spread =
            topics.iter().map(|topic| (topic.estimate - mean).powi(2)).sum::<f64>() / (count - 1.0).max(1.0) / count;
        let sampling = topics.iter().map(|topic| topic.variance).sum::<f64>() / (count * count);
        let interval = match refused {
            Some(why) => Err(*why),
            None => sampled_mean::interval(topics, shares, level).map_err(NoSample::Interval),
        };
        SampledDifference {
            difference: mean,
            p: interval.is_ok().then(|| sampled_mean::p_value(topics, shares).ok()).flatten(),
            interval: interval.map(|found| (found.low, found.high)),
            topics: (spread - sampling).max(0.0),
            sampling,
            few: sampled_mean::are_few(shares),
        }
    }

    /// The end of the two-sided interval with twice the error, and half its p-value.
    fn one_sided(&self, turned: bool, margin: f64, alpha: f64) -> Option<OneSided> {
        if self.refused.is_some() {
            return None;
        }
        let sign = if turned { -1.0 } else { 1.0 };
        let lead = |value: f64| sign * value + margin;
        let moved: Vec<TopicEstimate> = self
            .topics
            .iter()
            .map(|topic| TopicEstimate {
                estimate: lead(topic.estimate),
                expected: lead(topic.expected),
                variance: topic.variance,
            })
            .collect();
        let shares = self.shares.map(|share| Share { weight: sign * share.weight, ..share });
        let limit = sampled_mean::interval(&moved, &shares, 1.0 - 2.0 * alpha).ok()?.low;
        let both = sampled_mean::p_value(&moved, &shares).ok()?;
        let above = moved.iter().map(|topic| topic.estimate).sum::<f64>() > 0.0;
        Some(OneSided { limit: limit - margin, p: if above { 0.5 * both } else { 1.0 - 0.5 * both } })
    }
}

/// One row as a topic sees it.
#[derive(Debug, Clone, Copy)]
struct Row {
    probability: f64,
    batch: usize,
    said: Said,
}

struct Estimator<'q, 'a> {
    question: &'q Question<'a>,
    contrast: Contrast,
    sample: &'q JudgedSample,
    favour: Favour,
    seed: Seed,
    /// The largest grade that a document may have: of the judgements, or of the sample.
    largest: f64,
    by_topic: Vec<HashMap<&'q [u8], Row>>,
}

/// A topic's contribution.
#[derive(Debug, Clone, Default)]
struct Part {
    estimate: f64,
    expected: f64,
    variance: f64,
    /// Span over probability and relevance of drawn documents that were not certain, with their batch's weight.
    spans: Vec<(f64, f64)>,
}

impl<'q, 'a> Estimator<'q, 'a> {
    fn new(
        question: &'q Question<'a>,
        contrast: Contrast,
        sample: &'q JudgedSample,
        favour: Favour,
        seed: Seed,
    ) -> Self {
        let mut by_topic: Vec<HashMap<&[u8], Row>> = vec![HashMap::new(); question.topics.len()];
        for Judged { topic, docno, probability, batch, said } in &sample.rows {
            by_topic[*topic].insert(docno, Row { probability: *probability, batch: *batch, said: *said });
        }
        let grades =
            sample.rows.iter().filter_map(|row| if let Said::Grade(grade) = row.said { Some(grade) } else { None });
        let largest = grades.fold(question.setting.collection.max_grade, f64::max);
        Estimator { question, contrast, sample, favour, seed, largest, by_topic }
    }

    /// The rows of a topic's documents.
    fn rows(&self, topic: usize, lists: &Lists<'_>, units: &[OpenUnit]) -> Vec<Option<Row>> {
        units.iter().map(|unit| self.by_topic[topic].get(lists.docno(unit.open)).copied()).collect()
    }

    /// The label that counts.
    fn label(&self, unit: &OpenUnit, said: Said) -> Label {
        let measure = self.contrast.0;
        match said {
            Said::Grade(grade) => self.question.is_relevant(measure, grade).then_some(grade),
            Said::Open => {
                let helps = if unit.side() >= 0 { Favour::A } else { Favour::B };
                (helps == self.favour).then_some(self.largest)
            }
        }
    }

    fn guesses(&self) -> Guesses<'q> {
        let question = self.question;
        let of_topic = |topic: usize| {
            if self.by_topic[topic].is_empty() {
                return Vec::new();
            }
            let lists = question.lists(topic);
            let open = question.open(&lists, self.contrast, self.seed);
            let rows = self.rows(topic, &lists, &open.units);
            let label = |(unit, row): (&OpenUnit, &Option<Row>)| {
                let relevant = f64::from(u8::from(self.label(unit, (*row)?.said).is_some()));
                Some(guess::Label { topic, side: unit.side(), relevant })
            };
            open.units.iter().zip(&rows).filter_map(label).collect::<Vec<guess::Label>>()
        };
        let labels = in_order(question.topics.len(), question.setting.threads, of_topic);
        Guesses::fit(question.priors(self.contrast.0), &labels.concat())
    }

    /// The estimates of all topics.
    fn topics(&self) -> SampledTopics {
        let question = self.question;
        let guesses = self.guesses();
        let parts = in_order(question.topics.len(), question.setting.threads, |topic| self.part(topic, &guesses));
        let parts: Vec<Part> = parts.into_iter().flatten().collect();
        let topics = parts.iter().map(|part| TopicEstimate {
            estimate: part.estimate,
            expected: part.expected,
            variance: part.variance,
        });
        let sampled = self.sampled_topics();
        let few = self.sample.design == Design::Topics && sampled < FEWEST_TOPICS && sampled > 0;
        SampledTopics {
            topics: topics.collect(),
            shares: shares(&parts, parts.len().max(1) as f64),
            refused: few.then_some(NoSample::FewTopics { have: sampled }),
        }
    }

    /// Topics that were drawn, and not certain to be.
    fn sampled_topics(&self) -> usize {
        self.by_topic.iter().filter(|rows| rows.values().any(|row| row.probability < 1.0)).count()
    }

    /// A topic's part; `None` where the measure has no value.
    fn part(&self, topic: usize, guesses: &Guesses<'_>) -> Option<Part> {
        let lists = self.question.lists(topic);
        let open = self.question.open(&lists, self.contrast, self.seed);
        let rows = self.rows(topic, &lists, &open.units);
        let guess = guesses.of(topic);
        match self.sample.design {
            Design::Documents => self.by_documents(&open, &rows, &guess),
            Design::Topics => self.by_topic(&open, &rows, &guess),
        }
    }

    fn by_documents(&self, open: &OpenTopic<'_>, rows: &[Option<Row>], guess: &TopicGuess<'_>) -> Option<Part> {
        let all: usize = self.sample.sizes.iter().sum();
        let mut part = Part::default();
        for (batch, &size) in self.sample.sizes.iter().enumerate() {
            let share = size as f64 / all.max(1) as f64;
            // Labels of earlier batches, and of documents that were certain to be drawn, are like judgements.
            let is_known = |row: &Row| row.batch < batch || (row.batch == batch && row.probability >= 1.0);
            let known =
                |(unit, row): (&OpenUnit, &Option<Row>)| row.filter(is_known).map(|row| self.label(unit, row.said));
            let known: Vec<Option<Label>> = open.units.iter().zip(rows).map(known).collect();
            let effects = open.effects(guess, &known)?;
            self.add_batch(&mut part, (&effects, share), open, (rows, batch))?;
        }
        Some(part)
    }

    fn add_batch(
        &self,
        part: &mut Part,
        (effects, share): (&Effects<'_>, f64),
        open: &OpenTopic<'_>,
        (rows, batch): (&[Option<Row>], usize),
    ) -> Option<()> {
        let expected = effects.expected();
        part.estimate += share * expected;
        part.expected += share * expected;
        for (at, (unit, row)) in open.units.iter().zip(rows).enumerate() {
            let Some(row) = row.filter(|row| row.batch == batch && row.probability < 1.0) else { continue };
            let label = self.label(unit, row.said);
            let change = effects.of_label(at, label)?;
            part.estimate += share * change / row.probability;
            part.variance += (share * change).powi(2) * (1.0 - row.probability) / (row.probability * row.probability);
            let span = effects.span(at)?;
            part.spans.push((share * span / row.probability, f64::from(u8::from(label.is_some()))));
        }
        Some(())
    }

    fn by_topic(&self, open: &OpenTopic<'_>, rows: &[Option<Row>], guess: &TopicGuess<'_>) -> Option<Part> {
        let unknown = vec![None; open.units.len()];
        let expected = open.effects(guess, &unknown)?.expected();
        let labels: Option<Vec<Label>> =
            open.units.iter().zip(rows).map(|(unit, row)| row.map(|row| self.label(unit, row.said))).collect();
        let probability = rows.iter().flatten().map(|row| row.probability).next();
        let mut part = Part { estimate: expected, expected, ..Part::default() };
        match (labels, probability) {
            (Some(labels), Some(probability)) => {
                let change = open.difference(&labels)? - expected;
                part.estimate += change / probability;
                part.expected += if probability >= 1.0 { change } else { 0.0 };
                part.variance = change * change * (1.0 - probability) / (probability * probability);
                Some(part)
            }
            _ => Some(part),
        }
    }
}

/// Shares of relevant documents among those whose labels speak for the first run, and among those that speak for the second.
fn shares(parts: &[Part], count: f64) -> [Share; 2] {
    let mut found = [Share::default(); 2];
    for (span, relevant) in parts.iter().flat_map(|part| &part.spans) {
        let share = &mut found[usize::from(*span < 0.0)];
        share.weight += span / count;
        share.labels += 1.0;
        share.sum += relevant;
    }
    found
}

#[cfg(test)]
mod tests {
    use karat_data::{CollectionFacts, Policy, RankedDocuments};
    use karat_formats::{Dialect, Input, RunFiles, detect, read_qrels};
    use karat_measures::{Measure, spec};

    use super::*;
    use crate::scores::Setting;

    impl Estimated {
        /// Of these topics, as if all documents were judged.
        pub(crate) fn of_topics(estimates: &[f64]) -> Estimated {
            let topic = |&estimate: &f64| TopicEstimate { estimate, expected: estimate, variance: 0.0 };
            let topics = estimates.iter().map(topic).collect();
            Estimated { ends: vec![SampledTopics { topics, shares: Default::default(), refused: None }] }
        }
    }

    /// One topic: the run has the judged and relevant r, then the unjudged x. What a sample of one document, x or one of
    /// another topic, says of its P@2, and the guess for x.
    fn score(rows: &[(f64, Said)]) -> (SampledDifference, f64) {
        let bytes = |name: &str, text: &str| Input::bytes(name, text.as_bytes().to_vec());
        let (qrels, _) = read_qrels(&bytes("q", "1 0 r 1\n1 0 n 0\n"), detect::QRELS, Dialect::Strict, 1).unwrap();
        let run = vec![bytes("a", "1 Q0 r 1 2 a\n1 Q0 x 2 1 a\n")];
        let files = RunFiles::new(run, detect::RUN, Dialect::Strict);
        let read = RankedDocuments::read(&files, &Policy::default(), 1).unwrap();
        let measures: Vec<Box<dyn Measure>> = vec![spec::parse("P@2", 1.0).unwrap().build().unwrap()];
        let setting = Setting {
            qrels: &qrels,
            uncut: None,
            collection: CollectionFacts::default(),
            policy: Policy::default(),
            measures: &measures,
            bounds: true,
            detect_sparse: true,
            relevance_model: None,
            calibration: None,
            threads: 1,
        };
        let question = Question::new(&setting, &read, vec![Target::score(0)]);
        let row =
            |&(probability, said): &(f64, Said)| Judged { topic: 0, docno: b"x".to_vec(), probability, batch: 0, said };
        let sample = JudgedSample { design: Design::Documents, rows: rows.iter().map(row).collect(), sizes: vec![1] };
        let guess = Guesses::fit(question.priors(0), &[]).of(0).mean(1);
        (estimate(&question, (0, Target::score(0)), &sample, 0.95, Seed(1)), guess)
    }

    #[test]
    fn the_score_of_one_run_by_hand() {
        // P@2 is (1 + x)/2. With the guess g the expected value is (1 + g)/2; drawn with probability 1/2 and relevant, x adds (1 − g)/2 : 1/2 = 1 − g, and
        // not relevant −g/2 : 1/2 = −g.
        let (none, g) = score(&[]);
        let (relevant, _) = score(&[(0.5, Said::Grade(1.0))]);
        let (other, _) = score(&[(0.5, Said::Grade(0.0))]);
        let expected = 0.5 * (1.0 + g);
        assert!((none.difference - expected).abs() < 1e-12 && none.sampling == 0.0, "{none:?}");
        assert!((relevant.difference - (expected + 1.0 - g)).abs() < 1e-12, "{relevant:?}");
        assert!((other.difference - (expected - g)).abs() < 1e-12, "{other:?}");
        // Drawn or not, each in half of the samples: the mean is the truth, 1 or 1/2, whatever g is.
        assert!((f64::midpoint(none.difference, relevant.difference) - 1.0).abs() < 1e-12);
        assert!((f64::midpoint(none.difference, other.difference) - 0.5).abs() < 1e-12);
        // Variance of the draw: ((1 − g)/2)² (1 − 1/2) / (1/2)² = (1 − g)²/2.
        assert!((relevant.sampling - 0.5 * (1.0 - g).powi(2)).abs() < 1e-12);
        // Certain to be drawn: the score itself.
        let (certain, _) = score(&[(1.0, Said::Grade(1.0))]);
        assert!((certain.difference - 1.0).abs() < 1e-12 && certain.sampling == 0.0);
        // Without a usable label both extremes count; the estimate lies midway.
        let (open, _) = score(&[(0.5, Said::Open)]);
        assert!((open.difference - f64::midpoint(relevant.difference, other.difference)).abs() < 1e-12);
    }

    #[test]
    fn one_sided_limits_by_hand() {
        // 1 to 5: mean 3, standard error sqrt(.5), t(.95, 4) = 2.1318468.
        let found = Estimated::of_topics(&[1.0, 2.0, 3.0, 4.0, 5.0]);
        let reach = 2.131_846_786 * 0.5f64.sqrt();
        let first = found.one_sided(false, 0.0, 0.05).unwrap();
        // t = 3/sqrt(.5): with 4 degrees of freedom P(|T| < t) = sin a (1 + cos² a / 2), tan a = t/2: half of 1 − .986764.
        assert!((first.limit - (3.0 - reach)).abs() < 1e-6 && (first.p - 0.006_618).abs() < 1e-5, "{first:?}");
        // The second run's lead is −3. Plus a margin of 5: t = 2/sqrt(.5), by the same formula half of 1 − .952579.
        let second = found.one_sided(true, 5.0, 0.05).unwrap();
        assert!((second.limit - (-3.0 - reach)).abs() < 1e-6 && (second.p - 0.023_710).abs() < 1e-5, "{second:?}");
        // With a margin of 1 it lies on the other side: the p-value is that of t = −2/sqrt(.5).
        let worse = found.one_sided(true, 1.0, 0.05).unwrap();
        assert!((worse.p - (1.0 - 0.023_710)).abs() < 1e-5, "{worse:?}");
    }
}
