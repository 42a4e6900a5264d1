//! How often the intervals hold what they should, in worlds where that is known.
//!
//! Rankings are drawn from the urn of Park (2016), their first ranks are judged, the rest is hidden, and the interval is made as
//! `karat eval` makes it. Two truths are asked for: Mean RBP of these queries, were everything judged (the paper's interval,
//! over unjudged documents alone), and Mean RBP of all such queries (the interval with the topics' chance in it).

use karat_data::{CollectionFacts, Judgement, Qrels, TopicFacts, TopicView};
use karat_measures::linear::Form;
use karat_measures::{Aggregate, Measure, Score};
use karat_sim::{RankingModel, Relevant, Urn};
use karat_stats::Seed;
use karat_stats::seed::Stream;

use super::expected::expected;
use super::grades::Grades;
use super::kind::Kind;
use super::model::Model;
use super::observed::Observed;
use super::spread::spread;
use super::{Fitted, Probable, RelevanceModel};
use crate::summary::{Inference, IntervalMethod, summarise};

/// A world: N documents, q, w, and how many ranks are judged.
#[derive(Debug, Clone, Copy)]
pub struct World {
    /// N.
    pub documents: u32,
    /// q: M is binomial with it.
    pub share: f64,
    /// w.
    pub weight: f64,
    /// The first so many ranks are judged.
    pub judged: u32,
    /// RBP's p.
    pub persistence: f64,
}

/// Where the chances come from.
#[derive(Debug, Clone)]
pub enum Approach {
    /// They are known.
    Known(Model),
    /// They are fitted.
    Fitted(&'static Kind),
}

/// What came out.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Coverage {
    /// Share of intervals over unjudged documents that hold Mean RBP of these queries.
    pub these: f64,
    /// Share of intervals over everything that hold Mean RBP of all such queries.
    pub all: f64,
    /// Mean of (expected - true) Mean RBP of these queries.
    pub bias: f64,
    /// Mean width of the interval over unjudged documents.
    pub width: f64,
    /// Replications that had a model (a fit may be refused).
    pub replications: u32,
}

/// Replications of an evaluation with this many queries. `None` for numbers that make no world.
pub fn coverage(
    world: World,
    queries: usize,
    approach: &Approach,
    measure: &dyn Measure,
    replications: u32,
    seed: Seed,
) -> Option<Coverage> {
    let model =
        RankingModel::new(world.documents, Relevant::Share(world.share), world.weight, world.persistence, 0).ok()?;
    let everything = model.moments()?.mean;
    let streams = seed.streams("coverage");
    let mut sums = Coverage { these: 0.0, all: 0.0, bias: 0.0, width: 0.0, replications: 0 };
    for replication in 0..replications {
        let mut stream = streams.at(u64::from(replication));
        let lists: Vec<Vec<bool>> = (0..queries).map(|_| world.draw(&mut stream)).collect::<Option<_>>()?;
        let Some(found) = replay(&lists, world.judged as usize, approach, measure) else { continue };
        let truth = found.truth;
        sums.replications += 1;
        sums.these += f64::from(u8::from(found.alone.0 <= truth && truth <= found.alone.1));
        sums.all += f64::from(u8::from(found.whole.0 <= everything && everything <= found.whole.1));
        sums.bias += found.point - truth;
        sums.width += found.alone.1 - found.alone.0;
    }
    let count = f64::from(sums.replications);
    (sums.replications > 0).then_some(Coverage {
        these: sums.these / count,
        all: sums.all / count,
        bias: sums.bias / count,
        width: sums.width / count,
        ..sums
    })
}

impl World {
    fn draw(&self, stream: &mut Stream) -> Option<Vec<bool>> {
        let relevant = (0..self.documents).filter(|_| stream.unit() < self.share).count() as u32;
        let urn = Urn::new(self.documents, relevant, self.weight).ok()?;
        Some(urn.draw(self.documents, stream))
    }
}

/// One evaluation with judgements hidden.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Replayed {
    /// Mean of what the judged ranks have.
    pub judged: f64,
    /// The expected mean.
    pub point: f64,
    /// The mean with everything judged.
    pub truth: f64,
    /// The interval over unjudged documents.
    pub alone: (f64, f64),
    /// The interval with the topics' chance in it.
    pub whole: (f64, f64),
}

/// What is known of a list when its first ranks are judged.
fn known(list: &[bool], judged: usize) -> Vec<Option<bool>> {
    list.iter().enumerate().map(|(index, &relevant)| (index < judged).then_some(relevant)).collect()
}

impl Approach {
    /// The model of lists whose first ranks are judged; `None` where it cannot be fitted.
    fn fit(&self, lists: &[Vec<bool>], judged: usize) -> Option<Fitted> {
        match self {
            Approach::Known(model) => Some(Fitted { model: model.clone(), refits: Vec::new(), compared: Vec::new() }),
            Approach::Fitted(kind) => {
                let mut observed = Observed::default();
                for list in lists {
                    let known = known(&list[..judged.min(list.len())], judged);
                    observed.add_topic(std::iter::once((known.as_slice(), list.len())));
                }
                Fitted::of_kind(&observed, kind).ok()
            }
        }
    }
}

/// Hides what is below the first `judged` ranks of these lists, one for each query, and evaluates. `None` where the model
/// cannot be fitted, or the measure is not linear, or there is no interval.
pub fn replay(lists: &[Vec<bool>], judged: usize, approach: &Approach, measure: &dyn Measure) -> Option<Replayed> {
    let fitted = approach.fit(lists, judged)?;
    let relevance_model = RelevanceModel::new(fitted, Grades::of(&Qrels::default(), 1.0), 1.0, 0, Seed(0));
    let (mut truth, mut above, mut scores, mut parts) = (0.0, 0.0, Vec::new(), Vec::new());
    for list in lists {
        let grade = |relevant: bool| Judgement::from_number(f64::from(u8::from(relevant)));
        let judgement = |relevant: Option<bool>| relevant.and_then(grade).unwrap_or(Judgement::Unpooled);
        let ranks: Vec<Judgement> = known(list, judged).into_iter().map(judgement).collect();
        let view = TopicView {
            ranks: &ranks,
            below: 0,
            facts: TopicFacts::default(),
            collection: CollectionFacts::default(),
            details: karat_data::Details::default(),
        };
        let form: Form<'_> = measure.linear(&view.collection)?;
        truth += (1..).zip(list).filter(|(_, relevant)| **relevant).map(|(rank, _)| form.weight(rank)).sum::<f64>();
        let found = expected(&form, &view, &relevance_model, lists.len() < super::MANY_TOPICS);
        above += found.judged;
        scores.push(Score::without_bounds(found.mean));
        parts.push(Probable::Expected(found));
    }
    let unjudged = spread(Aggregate::Mean, &parts.iter().collect::<Vec<_>>(), 0.95)?;
    let inference = Inference { method: IntervalMethod::StudentT, level: 0.95, seed: Seed(0) };
    let (estimate, _) = summarise(measure.info(), &scores, &inference)?;
    let whole = unjudged.widen(estimate.point, estimate.interval?);
    Some(Replayed {
        judged: above / lists.len() as f64,
        point: estimate.point,
        truth: truth / lists.len() as f64,
        alone: unjudged.alone(estimate.point),
        whole: (whole.low, whole.high),
    })
}
