//! What the documents of a topic do to its score, or to the difference of two runs: in closed form where a measure is linear in gain.

use karat_data::Judgement;
use karat_measures::linear::Form;

use crate::compare::lists::Lists;
use crate::unjudged::Belief;
use crate::unjudged::expected::{expected, spread};
use crate::unjudged::grades::GainMoments;

/// A document nobody judged.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Open {
    /// Its number in the topic's lists.
    pub document: u32,
    /// The weight of its gain; the effect itself where the measure has no weights.
    pub weight: f64,
    /// What relevance adds to the topic's score.
    pub effect: f64,
    /// How likely it is relevant.
    pub chance: f64,
    /// The same under each refit of the model.
    pub refits: Box<[f64]>,
    /// Variance of the topic's score because it is not known.
    pub variance: f64,
    /// The standard deviation of what its judgement will show, with the sign of the effect.
    pub shown: f64,
}

/// One topic.
#[derive(Debug, Clone, PartialEq, Default)]
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
    pub open: Vec<Open>,
    /// Sum of the standard deviations of what the judged ones showed, with the signs of their effects.
    pub judged: f64,
    /// How alike judged documents of the topic are: products of their surprises, and of the standard deviations of those.
    pub alike: (f64, f64),
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

/// The chance of a document: the mean over the ranks it has, as truths are drawn.
pub(super) fn chance(belief: &Belief, places: &[u32]) -> (f64, Box<[f64]>) {
    let mut ranks = places.iter().filter(|rank| **rank > 0).map(|rank| belief.chances(*rank as usize));
    let Some((mut sum, mut refits)) = ranks.next() else { return (0.0, Box::new([])) };
    let mut count = 1.0;
    for (other, others) in ranks {
        sum += other;
        refits.iter_mut().zip(&others).for_each(|(refit, other)| *refit += other);
        count += 1.0;
    }
    refits.iter_mut().for_each(|refit| *refit /= count);
    (sum / count, refits)
}

/// What a judgement shows of a document that has this chance under the model, as a chance to take the standard deviation at and a factor on that.
///
/// Models are fitted to documents that were judged because some system had them high; one that was left out is at most as likely relevant as they
/// say. Where the model is right a judgement moves the expected score by c(1 − c) in the mean square. Where the true chance may be anything from 0
/// to c it moves it by E[r(1 − r) + (c − r)²] = c/2. The greater of the two is planned for.
pub(super) fn showing(chance: f64) -> (f64, f64) {
    if chance <= 0.5 { (chance, 1.0) } else { (0.5, (2.0 * chance).sqrt()) }
}

/// The ranks of every document that a run has, unjudged ones apart: number, judgement, ranks (0: not there).
pub(super) fn retrieved(lists: &Lists<'_>, runs: usize) -> Vec<(u32, Judgement, Box<[u32]>)> {
    let mut all: Vec<(u32, Judgement, Box<[u32]>)> = Vec::new();
    let mut place = std::collections::HashMap::new();
    for run in 0..runs {
        for (rank, &document) in (1..).zip(lists.list(run)) {
            let at = *place.entry(document).or_insert_with(|| {
                all.push((document, lists.known(document), vec![0; runs].into()));
                all.len() - 1
            });
            all[at].2[run] = rank;
        }
    }
    all
}

/// A measure linear in gain. `worth` is what gold judges would say of a grade, where scores are corrected.
pub(super) fn linear(
    form: &Form<'_>,
    lists: &Lists<'_>,
    runs: usize,
    belief: &Belief,
    worth: Option<&dyn Fn(f64) -> f64>,
) -> Documents {
    let gains = belief.grades().gains(&|grade| form.gain.of(grade));
    let gains_shown = worth.map_or(gains, |worth| belief.grades().gains(worth));
    let sd = |chance: f64, (yes, no): (GainMoments, GainMoments)| spread(chance, yes, no).max(0.0).sqrt();
    let (yes, no) = gains;
    let weight = |rank: u32| if rank == 0 { 0.0 } else { form.weight(rank as usize) };
    let mut topic = Documents { below: vec![0.0; belief.chances(1).1.len()].into(), ..Documents::default() };
    let mut judged = Judged::default();
    for (document, judgement, places) in retrieved(lists, runs) {
        let weights: Vec<f64> = places.iter().map(|&rank| weight(rank)).collect();
        let attention = weights.iter().copied().fold(0.0, f64::max);
        if attention == 0.0 {
            continue;
        }
        let apart = weights[0] - weights.get(1).copied().unwrap_or(0.0);
        let (chance, refits) = chance(belief, &places);
        let (unsure, more) = if judgement.is_judged() { (chance, 1.0) } else { showing(chance) };
        let shown = apart * more * sd(unsure, gains_shown);
        if let Some(grade) = judgement.grade() {
            judged.add(chance, grade >= belief.level(), attention, shown);
            continue;
        }
        topic.added += apart * (no.mean + chance * (yes.mean - no.mean));
        // At the same rank in both runs it cancels.
        if apart != 0.0 {
            let variance = apart * apart * spread(chance, yes, no);
            topic.variance += variance;
            let effect = apart * (yes.mean - no.mean);
            topic.open.push(Open { document, weight: apart, effect, chance, refits, variance, shown });
        }
    }
    judged.finish(&mut topic);
    if runs == 1 {
        below(form, lists, belief, &mut topic);
    }
    topic
}

/// Ranks below the end of a single run's list, as `eval --unjudged` has them: what it says less what the documents say.
fn below(form: &Form<'_>, lists: &Lists<'_>, belief: &Belief, topic: &mut Documents) {
    let view = lists.view(0);
    let whole = expected(form, &view, belief, false);
    let listed = |group: usize| topic.open.iter().map(|open| open.effect * open.refits[group]).sum::<f64>();
    // What is the same under every refit does not count.
    topic.below = (0..topic.below.len()).map(|group| whole.refits[group] - listed(group)).collect();
    topic.added = whole.mean - whole.judged;
    topic.variance = whole.variance;
}
