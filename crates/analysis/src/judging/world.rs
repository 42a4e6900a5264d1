//! Runs and judgements as the strategies see them: for every document the weight each run gives it, and for every run what is
//! judged and what is still open.
//!
//! The one decision: everything a strategy asks is kept up to date by [`World::judge`], so that thousands of judgements in a
//! row cost what changes and not what there is.

use karat_data::{CollectionFacts, Judgement, Qrels, RankedDocuments, TopicDocuments, TopicIndex, hash};
use karat_measures::linear::Form;

use super::gain_model::{BANDS, GainModel, Gains, band};

/// A document by its topic's place and its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Doc {
    pub topic: usize,
    pub place: usize,
}

/// A run's rank for a document, and what it is worth there.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub run: u32,
    pub rank: u32,
    pub weight: f64,
}

/// One topic.
#[derive(Clone)]
pub(super) struct Topic<'a> {
    pub index: TopicIndex,
    pub documents: Option<&'a TopicDocuments>,
    places: Vec<Place>,
    /// Where each document's places end.
    ends: Vec<usize>,
    pub bands: Vec<u8>,
    /// What was judged: the gain.
    pub gains: Vec<Option<f64>>,
    /// For each run, what judged documents add to its score, the weight of its unjudged ones, and that below its list.
    pub base: Vec<f64>,
    pub open: Vec<f64>,
    pub tail: Vec<f64>,
}

impl Topic<'_> {
    /// The runs that rank a document.
    pub fn places(&self, document: usize) -> &[Place] {
        let start = document.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.places[start..self.ends[document]]
    }

    /// The unjudged documents to which any run gives weight.
    pub fn candidates(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.gains.len()).filter(|&document| self.gains[document].is_none() && !self.places(document).is_empty())
    }
}

/// What counts as retrieved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// Everything, and what could stand below the end of a list.
    All,
    /// Documents with a grade only, all of them forgotten: the others are taken for judged and not relevant, and lists for
    /// complete. For replays.
    Judged,
}

/// All topics.
#[derive(Clone)]
pub(super) struct World<'a> {
    pub runs: usize,
    pub topics: Vec<Topic<'a>>,
    pub least: f64,
    pub greatest: f64,
    pub gains: Gains,
    /// For each run and band the weight of its unjudged documents.
    by_band: Vec<[f64; BANDS]>,
}

impl<'a> World<'a> {
    pub fn new(
        qrels: &Qrels,
        documents: &'a RankedDocuments,
        form: &Form<'_>,
        collection: &CollectionFacts,
        model: GainModel,
        scope: Scope,
    ) -> World<'a> {
        let (least, greatest) = (form.gain.least(collection), form.gain.greatest(collection));
        let runs = documents.runs.len();
        let longest = documents.topics.iter().flat_map(|topic| (0..runs).map(|run| topic.list(run).len())).max();
        let weights: Vec<f64> = (1..=longest.unwrap_or(0)).map(|rank| form.weight(rank)).collect();
        let mut world = World {
            runs,
            topics: Vec::with_capacity(qrels.len()),
            least,
            greatest,
            gains: Gains::new(model, least, greatest),
            by_band: vec![[0.0; BANDS]; runs],
        };
        let most = runs as f64 * weights.first().copied().unwrap_or(1.0);
        for index in qrels.topics() {
            let found = documents.find(qrels.name(index));
            let known = |docno: &[u8]| qrels.judgement(index, docno, hash::of(docno));
            let topic = Topic::new(index, found, runs, &weights, most, |docno| {
                matches!((scope, known(docno)), (Scope::All, _) | (Scope::Judged, Judgement::Grade(_)))
            });
            world.topics.push(topic);
            world.open_up(form, scope, |docno| known(docno).grade().filter(|_| scope == Scope::All));
        }
        world
    }

    /// Sums up the topic added last.
    fn open_up(&mut self, form: &Form<'_>, scope: Scope, grade: impl Fn(&[u8]) -> Option<f64>) {
        let Some(topic) = self.topics.last_mut() else { return };
        let Some(documents) = topic.documents else {
            if scope == Scope::All {
                topic.tail.fill(form.tail(0));
            }
            return;
        };
        for run in 0..self.runs {
            topic.tail[run] = if scope == Scope::All { form.tail(documents.list(run).len()) } else { 0.0 };
        }
        for document in 0..topic.gains.len() {
            let band = topic.bands[document];
            for place in topic.places(document).to_vec() {
                topic.open[place.run as usize] += place.weight;
                self.by_band[place.run as usize][band as usize] += place.weight;
            }
        }
        let at = self.topics.len() - 1;
        let judged: Vec<(usize, f64)> = (0..documents.len())
            .filter_map(|place| Some((place, form.gain.of(grade(documents.docno(place as u32))?))))
            .collect();
        for (place, gain) in judged {
            self.judge(Doc { topic: at, place }, gain);
        }
    }

    /// A document is judged.
    pub fn judge(&mut self, document: Doc, gain: f64) {
        let topic = &self.topics[document.topic];
        if topic.gains[document.place].is_none() {
            self.gains.add(topic.bands[document.place], gain);
        }
        self.close(document, gain);
    }

    /// A document is sure to be judged, and its gain not known yet: it counts with this one, and nothing is learnt from it.
    pub fn close(&mut self, document: Doc, gain: f64) {
        let topic = &mut self.topics[document.topic];
        if topic.gains[document.place].replace(gain).is_some() {
            return;
        }
        let band = topic.bands[document.place] as usize;
        let start = document.place.checked_sub(1).map_or(0, |before| topic.ends[before]);
        for place in &topic.places[start..topic.ends[document.place]] {
            let run = place.run as usize;
            topic.base[run] += place.weight * gain;
            topic.open[run] = (topic.open[run] - place.weight).max(0.0);
            self.by_band[run][band] = (self.by_band[run][band] - place.weight).max(0.0);
        }
    }

    fn mean(&self, of: impl Fn(&Topic<'a>) -> f64) -> f64 {
        self.topics.iter().map(of).sum::<f64>() / self.topics.len().max(1) as f64
    }

    /// The mean score of a run, unjudged documents counting nothing.
    pub fn value(&self, run: usize) -> f64 {
        self.mean(|topic| topic.base[run])
    }

    /// What unjudged documents can do to it: the width of its bounds.
    pub fn residual(&self, run: usize) -> f64 {
        (self.greatest - self.least) * self.mean(|topic| topic.open[run] + topic.tail[run])
    }

    /// What of that no judgement of a retrieved document takes away.
    pub fn tail(&self, run: usize) -> f64 {
        (self.greatest - self.least) * self.mean(|topic| topic.tail[run])
    }

    /// The mean score of a run, unjudged documents counting what they probably gain; the tail counts nothing.
    pub fn expected(&self, run: usize) -> f64 {
        let open = &self.by_band[run];
        let unjudged: f64 = (0..BANDS as u8).map(|band| open[band as usize] * self.gains.of(band).0).sum();
        self.value(run) + unjudged / self.topics.len().max(1) as f64
    }
}

impl<'a> Topic<'a> {
    fn new(
        index: TopicIndex,
        documents: Option<&'a TopicDocuments>,
        runs: usize,
        weights: &[f64],
        most: f64,
        counts: impl Fn(&[u8]) -> bool,
    ) -> Topic<'a> {
        let count = documents.map_or(0, TopicDocuments::len);
        let mut by_document: Vec<Vec<Place>> = vec![Vec::new(); count];
        if let Some(documents) = documents {
            let in_scope: Vec<bool> = (0..count).map(|place| counts(documents.docno(place as u32))).collect();
            for run in 0..runs {
                for (at, &document) in documents.list(run).iter().enumerate() {
                    if weights[at] > 0.0 && in_scope[document as usize] {
                        let place = Place { run: run as u32, rank: at as u32 + 1, weight: weights[at] };
                        by_document[document as usize].push(place);
                    }
                }
            }
        }
        let mut topic = Topic {
            index,
            documents,
            places: Vec::new(),
            ends: Vec::with_capacity(count),
            bands: Vec::with_capacity(count),
            gains: vec![None; count],
            base: vec![0.0; runs],
            open: vec![0.0; runs],
            tail: vec![0.0; runs],
        };
        for places in by_document {
            let weight: f64 = places.iter().map(|place| place.weight).sum();
            topic.bands.push(band(weight / most));
            topic.places.extend(places);
            topic.ends.push(topic.places.len());
        }
        topic
    }
}
