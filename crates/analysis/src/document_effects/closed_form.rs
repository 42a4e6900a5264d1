//! Effects of all documents of a list in one pass, for the usual measures.
//!
//! Turning a document changes its own term, the terms below it, and what they are divided by. Sums from the top and from the end of the list say each
//! of these for all documents at once, so that a truth costs as much as scoring it once. [`super::literal::Literal`] is the definition; a test equates both.

use karat_data::{Grade, TopicFacts};
use karat_measures::discount::Discounts;
use karat_measures::gains::Gains;
use karat_measures::linear::Gain;
use karat_measures::{Measure, average_precision, expected_reciprocal_rank, ndcg, recall, reciprocal_rank, success};

use super::{Effects, Truth, Turned, Turning, count};

/// A measure whose effects have a closed form.
#[derive(Debug, Clone)]
pub(super) struct ClosedForm {
    kind: Kind,
    /// The last rank that counts.
    last: usize,
}

#[derive(Debug, Clone)]
enum Kind {
    /// Precision at relevant ranks, over the number of relevant documents.
    AveragePrecision(f64),
    /// Relevant documents found, over their number.
    Recall(f64),
    /// A weight of the first relevant rank.
    First(f64, fn(usize) -> f64),
    /// Discounted gains, over the ideal.
    Ndcg(Gains),
    /// Reciprocal ranks where a search that every document may end does end; whether that is linear in grades.
    Cascade(bool),
}

impl ClosedForm {
    /// That of a measure.
    pub fn new(measure: &dyn Measure) -> Option<ClosedForm> {
        let is = |info| std::ptr::eq(measure.info(), info);
        let level = || measure.level().unwrap_or(1.0);
        let kind = if is(&average_precision::INFO) {
            Kind::AveragePrecision(level())
        } else if is(&recall::INFO) {
            Kind::Recall(level())
        } else if is(&reciprocal_rank::INFO) {
            Kind::First(level(), |rank| 1.0 / rank as f64)
        } else if is(&success::INFO) {
            Kind::First(level(), |_| 1.0)
        } else if is(&ndcg::INFO) {
            Kind::Ndcg(Gains::of_spec(&measure.spec(), true).ok()?)
        } else if is(&expected_reciprocal_rank::INFO) {
            Kind::Cascade(measure.spec().word("gain").ok()?.is_some_and(|word| word == "linear"))
        } else {
            return None;
        };
        Some(ClosedForm { kind, last: measure.cutoff().unwrap_or(usize::MAX) })
    }

    /// Adds the effect of every document on a run; `None` where the measure has no value.
    pub fn turn(&self, turning: &Turning<'_>, truth: &Truth, run: usize, effects: &mut Effects) -> Option<()> {
        let places = &turning.places[run];
        let list = List { truth, places: &places[..places.len().min(self.last)] };
        let rank = |place: usize| {
            Some(turning.retrieved.ranks(place)[run] as usize).filter(|rank| (1..=self.last).contains(rank))
        };
        match &self.kind {
            Kind::AveragePrecision(level) => {
                let sums = list.precisions(*level);
                list.shares(
                    *level,
                    sums.total,
                    |place| rank(place).map_or(0.0, |rank| sums.adds[rank - 1]),
                    run,
                    effects,
                );
            }
            Kind::Recall(level) => {
                let found = list.relevant(*level).filter(|relevant| *relevant).count() as f64;
                list.shares(*level, found, |place| f64::from(u8::from(rank(place).is_some())), run, effects);
            }
            Kind::First(level, weight) => list.first((*level, *weight), rank, run, effects),
            Kind::Ndcg(gains) => list.ratio((gains, self.last), rank, run, effects)?,
            Kind::Cascade(linear) => {
                let max_grade = turning.lists.view(run).collection.max_grade;
                list.cascade(expected_reciprocal_rank::satisfied(*linear, max_grade), rank, run, effects);
            }
        }
        Some(())
    }
}

/// The ranks of a run that count, under a truth.
struct List<'a> {
    truth: &'a Truth,
    places: &'a [u32],
}

/// The sum of precisions at relevant ranks, and what a relevant document at each rank has in it, were the others as they are.
struct Precisions {
    total: f64,
    adds: Vec<f64>,
}

impl List<'_> {
    fn relevant(&self, level: f64) -> impl DoubleEndedIterator<Item = bool> + ExactSizeIterator {
        self.places.iter().map(move |&place| self.truth.documents[place as usize].is >= level)
    }

    /// A relevant document at rank i has (those above + 1)/i, and 1/j more at every relevant rank j below.
    fn precisions(&self, level: f64) -> Precisions {
        let (mut above, mut total) = (0.0, 0.0);
        let mut adds = Vec::with_capacity(self.places.len());
        for (rank, relevant) in (1u32..).map(f64::from).zip(self.relevant(level)) {
            adds.push((above + 1.0) / rank);
            if relevant {
                above += 1.0;
                total += above / rank;
            }
        }
        let mut below = 0.0;
        for ((index, add), relevant) in adds.iter_mut().enumerate().rev().zip(self.relevant(level).rev()) {
            *add += below;
            if relevant {
                below += 1.0 / (index + 1) as f64;
            }
        }
        Precisions { total, adds }
    }

    /// A sum over relevant documents divided by their number. `adds`: what a document has in it where it is relevant.
    fn shares(&self, level: f64, sum: f64, adds: impl Fn(usize) -> f64, run: usize, effects: &mut Effects) {
        let counts = &self.truth.counts;
        let all: u32 = counts.iter().filter(|(grade, _)| grade.value() >= level).map(|(_, count)| count).sum();
        for (place, turned) in self.truth.documents.iter().enumerate() {
            let sign = sign(turned, level);
            if sign == 0.0 {
                continue;
            }
            let own = adds(place);
            let (without, others) =
                if turned.is >= level { (sum - own, f64::from(all) - 1.0) } else { (sum, f64::from(all)) };
            let other = if others > 0.0 { without / others } else { 0.0 };
            effects.add(place, run, sign * ((without + own) / (others + 1.0) - other));
        }
    }

    /// The weight of the first relevant rank: what stands above a document decides whether it counts, what stands below what it would hide.
    fn first(
        &self,
        (level, weight): (f64, fn(usize) -> f64),
        rank: impl Fn(usize) -> Option<usize>,
        run: usize,
        effects: &mut Effects,
    ) {
        let mut relevant = (1..).zip(self.relevant(level)).filter(|(_, relevant)| *relevant).map(|(rank, _)| rank);
        let (first, second) = (relevant.next(), relevant.next());
        for (place, turned) in self.truth.documents.iter().enumerate() {
            let Some(own) = rank(place) else { continue };
            let others = if first == Some(own) { second } else { first };
            if others.is_none_or(|others| own < others) {
                let hidden = others.map_or(0.0, weight);
                effects.add(place, run, sign(turned, level) * (weight(own) - hidden));
            }
        }
    }

    /// A document at rank r ends the search there with its chance, and keeps as many from what is below.
    fn cascade(
        &self,
        satisfied: impl Fn(f64) -> f64,
        rank: impl Fn(usize) -> Option<usize>,
        run: usize,
        effects: &mut Effects,
    ) {
        let stops = |place: u32| satisfied(self.truth.documents[place as usize].is).max(0.0);
        // What is expected of the ranks below each, for those who get there.
        let mut below = vec![0.0; self.places.len()];
        let mut rest = 0.0;
        for (index, &place) in self.places.iter().enumerate().rev() {
            below[index] = rest;
            let stop = stops(place);
            rest = stop / (index + 1) as f64 + (1.0 - stop) * rest;
        }
        let (mut reach, mut reached) = (1.0, Vec::with_capacity(self.places.len()));
        for &place in self.places {
            reached.push(reach);
            reach *= 1.0 - stops(place);
        }
        for (place, turned) in self.truth.documents.iter().enumerate() {
            let Some(own) = rank(place) else { continue };
            let change = satisfied(turned.relevant).max(0.0) - satisfied(turned.other).max(0.0);
            effects.add(place, run, reached[own - 1] * change * (1.0 / own as f64 - below[own - 1]));
        }
    }

    /// Discounted gains over those of the ideal ranking, which depends on a document by its grade alone.
    fn ratio(
        &self,
        (gains, last): (&Gains, usize),
        rank: impl Fn(usize) -> Option<usize>,
        run: usize,
        effects: &mut Effects,
    ) -> Option<()> {
        let discounts = Discounts::get();
        let gain = |place: u32| gains.of(self.truth.documents[place as usize].is);
        let sum: f64 = (1..).zip(self.places).map(|(rank, &place)| gain(place) / discounts.at(rank)).sum();
        let mut ideals: Vec<(f64, f64, f64)> = Vec::new();
        for (place, turned) in self.truth.documents.iter().enumerate() {
            let discount = rank(place).map(|rank| discounts.at(rank));
            let mut value = |grade: f64| {
                let known =
                    ideals.iter().find(|(is, to, _)| *is == turned.is && *to == grade).map(|(.., ideal)| *ideal);
                let ideal = known.unwrap_or_else(|| {
                    let ideal = ideal(gains, &self.truth.counts, (turned.is, grade), last);
                    ideals.push((turned.is, grade, ideal));
                    ideal
                });
                let change = discount.map_or(0.0, |discount| (gains.of(grade) - gains.of(turned.is)) / discount);
                let found = if ideal > 0.0 { (sum + change) / ideal } else { 0.0 };
                (found.is_finite() && ideal.is_finite()).then_some(found)
            };
            effects.add(place, run, value(turned.relevant)? - value(turned.other)?);
        }
        Some(())
    }
}

/// Whether relevance as the model has it is relevance to the measure: 1 where it is, 0 where turning changes nothing.
fn sign(turned: &Turned, level: f64) -> f64 {
    f64::from(u8::from(turned.relevant >= level)) - f64::from(u8::from(turned.other >= level))
}

/// The discounted gains of the best ranking when one document goes from a grade to another.
fn ideal(gains: &Gains, counts: &[(Grade, u32)], (from, to): (f64, f64), last: usize) -> f64 {
    let mut counts = counts.to_vec();
    count(&mut counts, from, -1);
    count(&mut counts, to, 1);
    let discounts = Discounts::get();
    let groups = gains.ideal(TopicFacts { grades: &counts, pooled_unjudged: 0 });
    let ranked = groups.flat_map(|group| std::iter::repeat_n(group.gain, group.count));
    (1..).zip(ranked.take(last)).map(|(rank, gain)| gain / discounts.at(rank)).sum()
}

#[cfg(test)]
mod tests {
    use karat_data::{CollectionFacts, Policy, Qrels, RankedDocuments};
    use karat_formats::{Dialect, Input, RunFiles, detect, read_qrels};
    use karat_measures::spec;
    use karat_stats::seed::Seed;

    use super::super::Retrieved;
    use super::super::chances::Chances;
    use super::super::literal::Literal;
    use super::*;
    use crate::lists::Lists;
    use crate::unjudged::grades::Grades;
    use crate::unjudged::{Fitted, RelevanceModel};

    /// Two random runs of nine documents each, out of twelve; a third of the documents judged, from 0 to 3.
    fn random(seed: u64) -> (Qrels, RankedDocuments) {
        let mut stream = Seed(seed).stream("lists", 0);
        let mut qrels = String::from("1 0 missed 2\n");
        let mut runs = [String::new(), String::new()];
        for document in 0..12 {
            if stream.unit() < 0.35 {
                qrels.push_str(&format!("1 0 d{document} {}\n", stream.below(4)));
            }
            for run in &mut runs {
                if stream.unit() < 0.75 {
                    run.push_str(&format!("1 Q0 d{document} 0 {} run\n", stream.unit()));
                }
            }
        }
        let qrels = read_qrels(&Input::bytes("qrels", qrels.into_bytes()), detect::QRELS, Dialect::Strict, 1).unwrap();
        let runs = runs.into_iter().map(|run| Input::bytes("run", run.into_bytes())).collect();
        let runs = RunFiles::new(runs, detect::RUN, Dialect::Strict);
        (qrels.0, RankedDocuments::read(&runs, &Policy::default(), 1).unwrap())
    }

    #[test]
    fn as_the_literal_form() {
        let names = [
            "AP",
            "AP@4",
            "AP(rel=2)",
            "R@5",
            "R(rel=3)@3",
            "RR",
            "RR@3",
            "RR(rel=2)",
            "Success@1",
            "Success@4",
            "nDCG",
            "nDCG@3",
            "nDCG(dcg=exp-log2)@5",
            "nDCG(gains={0:1,1:0,2:5})",
            "nDCG(gains={1:-1,3:2})@4",
            "ERR",
            "ERR@3",
            "ERR(gain=linear)@4",
        ];
        for seed in 0..40 {
            let (qrels, read) = random(seed);
            let collection = CollectionFacts { max_grade: 3.0, ..CollectionFacts::default() };
            let relevance_model =
                RelevanceModel::new(Fitted::given(0.4).unwrap(), Grades::of(&qrels, 1.0), 1.0, 20, Seed(seed));
            let chances = Chances::new(&relevance_model, 12);
            let topic = qrels.topics().next().unwrap();
            for depth in [None, Some(4)] {
                let lists = Lists::new(&qrels, collection, depth, &read, topic);
                let found = Retrieved::new(&lists, 2);
                let turning = Turning::new(&lists, (&relevance_model, &chances), &found);
                for name in names {
                    let measure = spec::parse(name, 1.0).unwrap().build().unwrap();
                    let form = ClosedForm::new(measure.as_ref()).unwrap();
                    let literal = Literal::new(&turning, measure.as_ref());
                    let one = turning.mean(3, b"1", |truth, run, all| form.turn(&turning, truth, run, all)).unwrap();
                    let other = turning.mean(3, b"1", |truth, run, all| literal.turn(truth, run, all)).unwrap();
                    assert_eq!(one.values.len(), other.values.len());
                    for (one, other) in one.values.iter().zip(&other.values) {
                        assert!((one - other).abs() < 1e-12, "{name} {seed}: {one} {other}");
                    }
                }
            }
        }
    }
}
