//! What the labels of unjudged documents do to the difference of two runs, or to a run's score, on one topic: its expected value, and what one label
//! changes.
//!
//! The one decision: a measure linear in gain is a sum, so both are exact. Of any other measure the expected difference under guesses is a mean over
//! draws, and a label counts by how far it moves that mean from where the guess of this label has it. Added up over labels this is the difference to
//! first order. What labels do together is left to the draws, in which the labels of one topic go together as far as guesses say.

use std::cmp::Ordering;

use karat_data::{Grade, Judgement, TopicFacts, TopicView};
use karat_measures::Measure;
use karat_measures::linear::Form;
use karat_stats::seed::Streams;

use super::guess::TopicGuess;
use super::question::Target;
use super::ratio::{Ndcg, Ratio, State};
use crate::lists::Lists;

/// Grades of relevant documents with their shares, which add up to 1.
pub type GradeShares = Vec<(f64, f64)>;

/// The grade of a relevant document; `None`: not relevant.
pub type Label = Option<f64>;

/// An unjudged document of two runs that can count.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OpenUnit {
    /// Its place among the topic's unjudged documents.
    pub open: u32,
    /// Its rank in the first run.
    pub a: Option<usize>,
    /// Its rank in the second run; of a score there is none.
    pub b: Option<usize>,
}

impl OpenUnit {
    /// 1 where the first run ranks it higher, -1 where the second does, 0 where both rank it alike.
    pub fn side(&self) -> i8 {
        let rank = |rank: Option<usize>| rank.unwrap_or(usize::MAX);
        match rank(self.a).cmp(&rank(self.b)) {
            Ordering::Less => 1,
            Ordering::Equal => 0,
            Ordering::Greater => -1,
        }
    }
}

/// The lists of a topic: of two runs, or of one whose score is estimated.
#[derive(Clone, Copy)]
pub struct Views<'t> {
    /// The run's.
    pub run: TopicView<'t>,
    /// That of the run whose score is subtracted.
    pub less: Option<TopicView<'t>>,
}

/// The unjudged documents of one run or two, down to the last rank that counts.
pub fn units(lists: &Lists<'_>, target: Target, last: usize) -> Vec<OpenUnit> {
    let shown = |rank: Option<u32>| rank.map(|rank| rank as usize).filter(|rank| *rank <= last);
    let unit = |(open, a, b): (u32, Option<u32>, Option<u32>)| OpenUnit { open, a: shown(a), b: shown(b) };
    let counts = |unit: &OpenUnit| unit.a.is_some() || unit.b.is_some();
    match target.less {
        Some(less) => lists.open_of_pair(target.run, less).map(unit).filter(counts).collect(),
        None => {
            let own = lists.open_of(target.run).iter();
            own.map(|&(open, rank)| unit((open, Some(rank), None))).filter(counts).collect()
        }
    }
}

/// The difference of two runs on one topic as a function of labels, around guesses.
pub struct Effects<'t> {
    /// By document: the probability that it is relevant.
    guesses: Vec<f64>,
    grades: &'t GradeShares,
    form: Kind<'t>,
}

enum Kind<'t> {
    /// A sum over documents.
    Linear(Linear<'t>),
    /// nDCG, by draws.
    Ratio(Box<DrawnRatio>),
    /// Any measure, by draws.
    Drawn(Box<Drawn<'t>>),
}

/// A sum over documents.
struct Linear<'t> {
    /// What judged documents add up to.
    known: f64,
    /// By document: its weight in the first run less that in the second.
    weights: Vec<f64>,
    form: Form<'t>,
    /// The mean gain of relevant documents.
    mean_gain: f64,
}

/// Draws of labels, of nDCG.
struct DrawnRatio {
    ndcg: Ndcg,
    ratio: Ratio,
    /// The gains of all documents in each draw.
    draws: Vec<Vec<f64>>,
    /// What they add up to.
    states: Vec<State>,
    /// The difference in each draw.
    values: Vec<f64>,
}

/// Draws of labels.
struct Drawn<'t> {
    measure: &'t dyn Measure,
    views: Views<'t>,
    units: &'t [OpenUnit],
    /// The label of each document in each draw.
    draws: Vec<Vec<Label>>,
    /// The difference in each draw.
    values: Vec<f64>,
}

/// How a topic is looked at.
pub struct Look<'t> {
    /// The measure.
    pub measure: &'t dyn Measure,
    /// The lists.
    pub views: Views<'t>,
    /// Its unjudged documents.
    pub units: &'t [OpenUnit],
    /// Grades of relevant documents.
    pub grades: &'t GradeShares,
    /// Labels that are known already, by document: from earlier batches.
    pub known: &'t [Option<Label>],
}

impl<'t> Look<'t> {
    /// The difference with these labels; `None` where the measure has no value.
    pub fn difference(&self, labels: &[Label]) -> Option<f64> {
        difference(self.measure, &self.views, self.units, labels)
    }

    /// The effects under these guesses of relevance; draws are made for measures that are not linear. `None` where the measure has no value.
    pub fn effects(&self, guess: &TopicGuess<'_>, draws: (u64, Streams)) -> Option<Effects<'t>> {
        let Look { measure, views, units, grades, known } = *self;
        let guesses = units.iter().map(|unit| guess.mean(unit.side())).collect();
        if let Some(form) = measure.linear(&views.run.collection) {
            return Some(Effects { guesses, grades, form: Kind::Linear(self.linear(form)?) });
        }
        let drawn = self.draws(guess, draws);
        let form = if let Some(ndcg) = Ndcg::new(measure) {
            let known = known.iter().filter_map(|label| label.flatten());
            let ratio = ndcg.on(&views, units, grades.iter().map(|(grade, _)| *grade).chain(known));
            let gains = |labels: &Vec<Label>| labels.iter().map(|label| ndcg.gain(*label)).collect::<Vec<f64>>();
            let draws: Vec<Vec<f64>> = drawn.iter().map(gains).collect();
            let states: Vec<State> = draws.iter().map(|gains| ratio.state(gains.iter().copied())).collect();
            let values = states.iter().map(|state| ratio.value(state)).collect();
            Kind::Ratio(Box::new(DrawnRatio { ndcg, ratio, draws, states, values }))
        } else {
            let values = drawn.iter().map(|labels| self.difference(labels)).collect::<Option<Vec<f64>>>()?;
            Kind::Drawn(Box::new(Drawn { measure, views, units, draws: drawn, values }))
        };
        Some(Effects { guesses, grades, form })
    }

    fn linear(&self, form: Form<'t>) -> Option<Linear<'t>> {
        let surely: Vec<Label> = self.known.iter().map(|label| label.flatten()).collect();
        let known = self.difference(&surely)?;
        let weight = |rank: Option<usize>| rank.map_or(0.0, |rank| form.weight(rank));
        let open = |(unit, known): (&OpenUnit, &Option<Label>)| match known {
            Some(_) => 0.0,
            None => weight(unit.a) - weight(unit.b),
        };
        let weights = self.units.iter().zip(self.known).map(open).collect();
        let mean_gain = self.grades.iter().map(|(grade, share)| share * form.gain.of(*grade)).sum();
        Some(Linear { known, weights, form, mean_gain })
    }

    /// Labels of all documents, drawn: first how likely the topic's documents are relevant, spread evenly over its distribution, then each label.
    fn draws(&self, guess: &TopicGuess<'_>, (draws, streams): (u64, Streams)) -> Vec<Vec<Label>> {
        let count = draws.max(1);
        let one = |draw: u64| {
            let mut stream = streams.at(draw);
            let point = guess.point((draw as f64 + stream.unit()) / count as f64);
            let mut label = |(unit, known): (&OpenUnit, &Option<Label>)| {
                let drawn = (stream.unit() < guess.rate(unit.side(), point)).then(|| grade(self.grades, stream.unit()));
                known.unwrap_or(drawn)
            };
            self.units.iter().zip(self.known).map(&mut label).collect()
        };
        (0..count).map(one).collect()
    }
}

/// The grade at this point of the distribution.
fn grade(shares: &GradeShares, point: f64) -> f64 {
    let mut before = 0.0;
    let found = shares.iter().find(|(_, share)| {
        before += share;
        point < before
    });
    found.or(shares.last()).map_or(1.0, |(grade, _)| *grade)
}

impl Effects<'_> {
    /// Whether the difference is a sum over documents.
    pub fn is_linear(&self) -> bool {
        matches!(self.form, Kind::Linear(_))
    }

    /// The expected difference.
    pub fn expected(&self) -> f64 {
        match &self.form {
            Kind::Linear(Linear { known, weights, mean_gain, .. }) => {
                known + weights.iter().zip(&self.guesses).map(|(weight, guess)| weight * guess * mean_gain).sum::<f64>()
            }
            Kind::Ratio(drawn) => mean(&drawn.values),
            Kind::Drawn(drawn) => mean(&drawn.values),
        }
    }

    /// The variance of the difference under the guesses.
    pub fn variance(&self, units: &[OpenUnit], guess: &TopicGuess<'_>) -> f64 {
        match &self.form {
            Kind::Linear(Linear { weights, mean_gain, .. }) => {
                let spans = || units.iter().zip(weights).map(|(unit, weight)| (unit.side(), weight * mean_gain));
                let apart = |((_, span), guess): ((i8, f64), &f64)| span * span * guess * (1.0 - guess);
                spans().zip(&self.guesses).map(apart).sum::<f64>() + guess.covariance(spans())
            }
            Kind::Ratio(drawn) => variance(&drawn.values),
            Kind::Drawn(drawn) => variance(&drawn.values),
        }
    }

    /// What one label changes: the mean with it, less the mean under the guess of it.
    pub fn of_label(&self, unit: usize, label: Label) -> Option<f64> {
        if let Kind::Linear(Linear { weights, form, mean_gain, .. }) = &self.form {
            let gain = label.map_or(0.0, |grade| form.gain.of(grade));
            return Some(weights[unit] * (gain - self.guesses[unit] * mean_gain));
        }
        let (relevant, other) = self.ends(unit)?;
        let guess = self.guesses[unit];
        Some(self.mean_with(unit, label)? - guess * relevant - (1.0 - guess) * other)
    }

    /// The expected difference with the document relevant, less that with it not relevant.
    pub fn span(&self, unit: usize) -> Option<f64> {
        if let Kind::Linear(Linear { weights, mean_gain, .. }) = &self.form {
            return Some(weights[unit] * mean_gain);
        }
        self.ends(unit).map(|(relevant, other)| relevant - other)
    }

    /// The means with the document relevant and with it not relevant.
    fn ends(&self, unit: usize) -> Option<(f64, f64)> {
        let of = |(grade, share): &(f64, f64)| Some(share * self.mean_with(unit, Some(*grade))?);
        let relevant = self.grades.iter().map(of).sum::<Option<f64>>()?;
        Some((relevant, self.mean_with(unit, None)?))
    }

    /// The mean over draws with one document's label given.
    fn mean_with(&self, unit: usize, label: Label) -> Option<f64> {
        match &self.form {
            Kind::Linear(_) => None,
            Kind::Ratio(drawn) => Some(drawn.mean_with(unit, label)),
            Kind::Drawn(drawn) => drawn.mean_with(unit, label),
        }
    }
}

impl DrawnRatio {
    fn mean_with(&self, unit: usize, label: Label) -> f64 {
        let after = self.ndcg.gain(label);
        let turned = |((gains, state), value): ((&Vec<f64>, &State), &f64)| {
            let before = gains[unit];
            if before == after { *value } else { self.ratio.turned(state, unit, before, after) }
        };
        self.draws.iter().zip(&self.states).zip(&self.values).map(turned).sum::<f64>() / self.draws.len() as f64
    }
}

impl Drawn<'_> {
    fn mean_with(&self, unit: usize, label: Label) -> Option<f64> {
        let mut sum = 0.0;
        for (labels, value) in self.draws.iter().zip(&self.values) {
            if labels[unit] == label {
                sum += value;
                continue;
            }
            let mut changed = labels.clone();
            changed[unit] = label;
            sum += difference(self.measure, &self.views, self.units, &changed)?;
        }
        Some(sum / self.draws.len() as f64)
    }
}

/// The variance of a sample; 0 of one value.
fn variance(values: &[f64]) -> f64 {
    let mean = mean(values);
    values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (values.len() as f64 - 1.0).max(1.0)
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// The difference of two lists, or the score of one, with labels in the place of unjudged documents.
fn difference(measure: &dyn Measure, views: &Views<'_>, units: &[OpenUnit], labels: &[Label]) -> Option<f64> {
    let mut grades: Vec<(Grade, u32)> = views.run.facts.grades.to_vec();
    // A document that is not relevant is judged all the same: some measures look at judged documents only.
    let judged = |label: &Label| Grade::new(label.unwrap_or(0.0));
    for grade in labels.iter().filter_map(judged) {
        match grades.iter_mut().find(|(known, _)| *known == grade) {
            Some((_, count)) => *count += 1,
            None => grades.push((grade, 1)),
        }
    }
    grades.sort_by(|first, second| first.0.value().total_cmp(&second.0.value()));
    let value = |view: &TopicView<'_>, rank: fn(&OpenUnit) -> Option<usize>| {
        let mut ranks = view.ranks.to_vec();
        for (unit, label) in units.iter().zip(labels) {
            let judgement = judged(label).map(Judgement::Grade);
            if let Some((place, judgement)) = rank(unit).and_then(|rank| ranks.get_mut(rank - 1)).zip(judgement) {
                *place = judgement;
            }
        }
        let facts = TopicFacts { grades: &grades, ..view.facts };
        measure.value(&TopicView { ranks: &ranks, facts, ..*view }).ok().filter(|value| value.is_finite())
    };
    let less = views.less.as_ref().map_or(Some(0.0), |view| value(view, |unit| unit.b))?;
    Some(value(&views.run, |unit| unit.a)? - less)
}

#[cfg(test)]
mod tests {
    use karat_data::{CollectionFacts, RankedDocuments};
    use karat_formats::{Dialect, Input, RunFiles, detect, read_qrels};
    use karat_measures::{Measure, spec};
    use karat_stats::Seed;

    use crate::scores::Setting;
    use crate::settle::Question;
    use crate::settle::guess::Guesses;

    /// One topic: a has the judged r, then x; b has y, then r. P@2: r cancels, x speaks for a and y for b. nDCG@2: with R relevant documents.
    fn with<T>(measure: &str, look: impl Fn(&Question<'_>) -> T) -> T {
        let bytes = |name: &str, text: &str| Input::bytes(name, text.as_bytes().to_vec());
        let (qrels, _) = read_qrels(&bytes("q", "1 0 r 1\n1 0 n 0\n"), detect::QRELS, Dialect::Strict, 1).unwrap();
        let runs = [("a", "1 Q0 r 1 2 a\n1 Q0 x 2 1 a\n"), ("b", "1 Q0 y 1 2 b\n1 Q0 r 2 1 b\n")];
        let files = RunFiles::new(runs.map(|(name, text)| bytes(name, text)).to_vec(), detect::RUN, Dialect::Strict);
        let read = RankedDocuments::read(&files, &karat_data::Policy::default(), 1).unwrap();
        let measures: Vec<Box<dyn Measure>> = vec![spec::parse(measure, 1.0).unwrap().build().unwrap()];
        let setting = Setting {
            qrels: &qrels,
            uncut: None,
            collection: CollectionFacts::default(),
            policy: karat_data::Policy::default(),
            measures: &measures,
            bounds: true,
            detect_sparse: false,
            relevance_model: None,
            calibration: None,
            threads: 1,
        };
        look(&Question::new(&setting, &read, vec![(0, 1)]))
    }

    #[test]
    fn a_sum_by_hand() {
        with("P@2", |question| {
            let lists = question.lists(0);
            let open = question.open(&lists, (0, (0, 1)), Seed(1));
            let sides: Vec<i8> = open.units.iter().map(super::OpenUnit::side).collect();
            assert_eq!(sides, [1, -1]);
            let known = [None, None];
            // P@2 of a is (1 + x)/2, of b (y + 1)/2: the difference is (x − y)/2. One guess g for both: 0 on average; x relevant adds (1 − g)/2, y not
            // relevant g/2.
            let guesses = Guesses::fit(question.priors(0), &[]);
            let guess = guesses.of(0);
            let effects = open.effects(&guess, &known).unwrap();
            assert!(effects.expected().abs() < 1e-12);
            assert!((effects.of_label(0, Some(1.0)).unwrap() - 0.5 * (1.0 - guess.mean(1))).abs() < 1e-12);
            assert!((effects.of_label(1, None).unwrap() - 0.5 * guess.mean(-1)).abs() < 1e-12);
            let spans: Vec<f64> = (0..2).map(|unit| effects.span(unit).unwrap()).collect();
            assert_eq!(spans, [0.5, -0.5]);
        });
    }

    #[test]
    fn a_ratio_by_hand() {
        with("nDCG@2", |question| {
            let lists = question.lists(0);
            let open = question.open(&lists, (0, (0, 1)), Seed(1));
            let second = 1.0 / 3f64.log2();
            // Nothing else is relevant: (1 − 1/log2 3)/1. x is too: a is 1, b has (1/log2 3)/(1 + 1/log2 3). Both: the ideal is 1 + 1/log2 3.
            let both = 1.0 + second;
            let rows = [
                ([None, None], 1.0 - second),
                ([Some(1.0), None], 1.0 - second / both),
                ([None, Some(1.0)], 1.0 / both - 1.0),
                ([Some(1.0), Some(1.0)], 0.0),
            ];
            for (labels, expected) in rows {
                assert!((open.difference(&labels).unwrap() - expected).abs() < 1e-12, "{labels:?}");
            }
            // Both labels known: the expected difference is that of the labels, whatever the guesses.
            let known = [Some(Some(1.0)), Some(None)];
            let guesses = Guesses::fit(question.priors(0), &[]);
            let effects = open.effects(&guesses.of(0), &known).unwrap();
            assert!((effects.expected() - (1.0 - second / both)).abs() < 1e-12);
            // The second alone open: with guess g the effect of its label is (1 - g) or -g times what it changes.
            let known = [Some(Some(1.0)), None];
            let effects = open.effects(&guesses.of(0), &known).unwrap();
            let (change, guess) = (0.0 - (1.0 - second / both), guesses.of(0).mean(-1));
            assert!((effects.span(1).unwrap() - change).abs() < 1e-12);
            assert!((effects.of_label(1, Some(1.0)).unwrap() - (1.0 - guess) * change).abs() < 1e-12);
            assert!((effects.of_label(1, None).unwrap() + guess * change).abs() < 1e-12);
        });
    }
}
