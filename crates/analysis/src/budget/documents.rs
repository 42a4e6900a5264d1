//! What the documents of a topic do to its score, or to the difference of two runs: in closed form where a measure is linear in gain.

use karat_measures::linear::Form;

use crate::document_effects::Retrieved;
use crate::document_effects::chances::{Chances, Ranks};
use crate::lists::Lists;
use crate::unjudged::RelevanceModel;
use crate::unjudged::expected::{expected, spread};
use crate::unjudged::grades::GainMoments;

/// Documents whose weight is this much smaller than that of the first rank count, but are not worth a judgement.
const NEGLIGIBLE: f64 = 1e-9;

/// An unjudged document.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Open {
    /// The weight of its gain; the effect itself where the measure has no weights.
    pub weight: f64,
    /// Its ranks.
    pub ranks: Ranks,
}

/// The unjudged documents of a topic, as small as can be: there may be millions.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct OpenDocuments {
    weights: Box<[f64]>,
    ranks: RankPairs,
}

/// Ranks in 16 bits where that is enough.
#[derive(Debug, Clone, PartialEq)]
enum RankPairs {
    Short(Box<[[u16; 2]]>),
    Long(Box<[Ranks]>),
}

impl Default for OpenDocuments {
    fn default() -> OpenDocuments {
        OpenDocuments { weights: Box::default(), ranks: RankPairs::Short(Box::default()) }
    }
}

impl FromIterator<Open> for OpenDocuments {
    fn from_iter<I: IntoIterator<Item = Open>>(documents: I) -> OpenDocuments {
        let (weights, ranks): (Vec<f64>, Vec<Ranks>) =
            documents.into_iter().map(|Open { weight, ranks }| (weight, ranks)).unzip();
        let short = |[a, b]: &Ranks| Some([u16::try_from(*a).ok()?, u16::try_from(*b).ok()?]);
        let pairs: Option<Box<[[u16; 2]]>> = ranks.iter().map(short).collect();
        let ranks = pairs.map_or_else(|| RankPairs::Long(ranks.into()), RankPairs::Short);
        OpenDocuments { weights: weights.into(), ranks }
    }
}

impl OpenDocuments {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.weights.len()
    }

    /// The document at this place.
    #[inline]
    pub fn get(&self, place: usize) -> Open {
        let ranks = match &self.ranks {
            RankPairs::Short(pairs) => pairs[place].map(u32::from),
            RankPairs::Long(pairs) => pairs[place],
        };
        Open { weight: self.weights[place], ranks }
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = Open> + '_ {
        (0..self.len()).map(|place| self.get(place))
    }
}

/// What relevance does to gains: the same for all documents.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Worth {
    /// The gain of a relevant document, and of another one.
    pub gains: (GainMoments, GainMoments),
    /// The same as gold judges would have them, where scores are corrected.
    pub shown: (GainMoments, GainMoments),
}

impl Worth {
    /// The effect of relevance itself.
    pub const EFFECT: Worth = {
        let (yes, no) = (GainMoments { mean: 1.0, variance: 0.0 }, GainMoments { mean: 0.0, variance: 0.0 });
        Worth { gains: (yes, no), shown: (yes, no) }
    };

    /// Of a measure linear in gain. `gold` is what gold judges would say of a grade, where scores are corrected.
    pub fn new(form: &Form<'_>, relevance_model: &RelevanceModel, gold: Option<&dyn Fn(f64) -> f64>) -> Worth {
        let gains = relevance_model.grades().gains(&|grade| form.gain.of(grade));
        Worth { gains, shown: gold.map_or(gains, |gold| relevance_model.grades().gains(gold)) }
    }

    /// What relevance adds to the topic's score, with this weight.
    pub fn effect(&self, weight: f64) -> f64 {
        weight * (self.gains.0.mean - self.gains.1.mean)
    }

    /// Variance of the topic's score because a document of this weight and chance is not known.
    pub fn variance(&self, weight: f64, chance: f64) -> f64 {
        weight * weight * spread(chance, self.gains.0, self.gains.1)
    }

    /// The standard deviation of what its judgement will show, with the sign of the weight.
    pub fn will_show(&self, weight: f64, chance: f64) -> f64 {
        let (unsure, more) = showing(chance);
        more * self.showed(weight, unsure)
    }

    /// The same of a document that was judged.
    pub fn showed(&self, weight: f64, chance: f64) -> f64 {
        weight * spread(chance, self.shown.0, self.shown.1).max(0.0).sqrt()
    }
}

/// One topic.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Documents {
    /// What unjudged documents add to the score on average, where that is known beside the score.
    pub added: f64,
    /// The expected score itself, where it is not.
    pub expected: Option<f64>,
    /// Variance because of all that is not known.
    pub variance: f64,
    /// Of the expected score because it is a mean over draws.
    pub monte_carlo: f64,
    /// What the refits of the model say beyond the documents listed: of ranks below the ends of lists.
    pub below: Box<[f64]>,
    /// The documents that can be judged.
    pub open: OpenDocuments,
    /// What they are together, over what they are one by one.
    pub together: f64,
    /// Sum of the standard deviations of what the judged ones showed, with the signs of their effects.
    pub judged: f64,
    /// How alike judged documents of the topic are: products of their surprises, and of the standard deviations of those.
    pub alike: (f64, f64),
}

impl Default for Documents {
    fn default() -> Documents {
        Documents {
            added: 0.0,
            expected: None,
            variance: 0.0,
            monte_carlo: 0.0,
            below: Box::new([]),
            open: OpenDocuments::default(),
            together: 1.0,
            judged: 0.0,
            alike: (0.0, 0.0),
        }
    }
}

/// The judged documents' part, whatever the measure.
#[derive(Default)]
pub(super) struct Judged {
    sd: f64,
    surprise: (f64, f64),
    scale: (f64, f64),
}

impl Judged {
    /// A judged document: how likely it was relevant, whether it is, what it may do to either run, and what its judgement showed.
    pub fn add(&mut self, chance: f64, relevant: bool, attention: f64, shown: f64) {
        let surprise = attention * (f64::from(u8::from(relevant)) - chance);
        let scale = attention * (chance * (1.0 - chance)).max(0.0).sqrt();
        self.sd += shown;
        self.surprise = (self.surprise.0 + surprise, self.surprise.1 + surprise * surprise);
        self.scale = (self.scale.0 + scale, self.scale.1 + scale * scale);
    }

    /// Into the topic. Products of two different documents: the square of the sum less the sum of squares.
    pub fn finish(self, topic: &mut Documents) {
        topic.judged = self.sd;
        let products = |(sum, squares): (f64, f64)| sum * sum - squares;
        topic.alike = (products(self.surprise), products(self.scale));
    }
}

/// What a judgement shows of a document that has this chance under the model, as a chance to take the standard deviation at and a factor on that.
///
/// Models are fitted to documents that were judged because some system had them high; one that was left out is at most as likely relevant as they
/// say. Where the model is right a judgement moves the expected score by c(1 − c) in the mean square. Where the true chance may be anything from 0
/// to c it moves it by E[r(1 − r) + (c − r)²] = c/2. The greater of the two is planned for.
fn showing(chance: f64) -> (f64, f64) {
    if chance <= 0.5 { (chance, 1.0) } else { (0.5, (2.0 * chance).sqrt()) }
}

/// A measure linear in gain.
pub(super) fn linear(
    form: &Form<'_>,
    lists: &Lists<'_>,
    runs: usize,
    (relevance_model, chances): (&RelevanceModel, &Chances),
    worth: &Worth,
) -> Documents {
    let weight = |rank: u32| if rank == 0 { 0.0 } else { form.weight(rank as usize) };
    let (yes, no) = worth.gains;
    let light = NEGLIGIBLE * form.weight(1).abs();
    let mut topic = Documents { below: vec![0.0; chances.groups()].into(), ..Documents::default() };
    let (mut judged, mut open) = (Judged::default(), Vec::new());
    for (judgement, ranks) in Retrieved::new(lists, runs.min(2)).pairs() {
        let weights = ranks.map(weight);
        let (attention, apart) = (weights[0].max(weights[1]).max(0.0), weights[0] - weights[1]);
        if attention == 0.0 {
            continue;
        }
        let chance = chances.chance(ranks);
        if let Some(grade) = judgement.grade() {
            judged.add(chance, grade >= relevance_model.level(), attention, worth.showed(apart, chance));
            continue;
        }
        topic.added += apart * (no.mean + chance * (yes.mean - no.mean));
        topic.variance += worth.variance(apart, chance);
        if apart.abs() > light {
            open.push(Open { weight: apart, ranks });
        } else if apart != 0.0 {
            // At the same rank in both runs it cancels.
            let effect = worth.effect(apart);
            chances.each_refit(ranks, |group, refit| topic.below[group] += effect * refit);
        }
    }
    judged.finish(&mut topic);
    topic.open = open.into_iter().collect();
    if runs == 1 {
        below(form, lists, (relevance_model, chances), worth, &mut topic);
    }
    topic
}

/// Ranks below the end of a single run's list, as `eval --unjudged` has them: what it says less what the documents say.
fn below(
    form: &Form<'_>,
    lists: &Lists<'_>,
    (relevance_model, chances): (&RelevanceModel, &Chances),
    worth: &Worth,
    topic: &mut Documents,
) {
    let view = lists.view(0);
    let whole = expected(form, &view, relevance_model, false);
    // What is the same under every refit does not count.
    topic.below = whole.refits;
    for open in topic.open.iter() {
        let effect = worth.effect(open.weight);
        chances.each_refit(open.ranks, |group, refit| topic.below[group] -= effect * refit);
    }
    topic.added = whole.mean - whole.judged;
    topic.variance = whole.variance;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_kept_in_16_bits_or_in_32() {
        for deepest in [65_535, 65_536] {
            let given = [[1, 0], [0, 7], [deepest, 3]].map(|ranks| Open { weight: 0.5, ranks });
            let kept: OpenDocuments = given.into_iter().collect();
            assert_eq!(kept.iter().collect::<Vec<_>>(), given);
            assert_eq!(matches!(kept.ranks, RankPairs::Short(_)), deepest == 65_535);
        }
    }
}
