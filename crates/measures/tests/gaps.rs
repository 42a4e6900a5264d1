//! The largest gaps between sound bounds and what completions reach, on topics that are the same every time.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::BTreeMap;

use karat_data::{CollectionFacts, Grade, Judgement, JudgementKind, Mark};
use karat_measures::example::{Document, Owned};
use karat_measures::registry::MEASURES;
use karat_measures::{Measure, Tightness, gaps, spec};

const TOPICS: u64 = 120;
const MAX_GRADE: u64 = 3;
const SUBTOPICS: u64 = 2;

/// Numbers that are dealt: a linear congruential generator, of which the upper bits are used.
struct Deal(u64);

impl Deal {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

fn grade(value: u64) -> Judgement {
    Judgement::Grade(Grade::new(value as f64).unwrap())
}

/// Up to eight documents retrieved and three missed, at most five of them unjudged, those in the pool.
fn deal(kind: JudgementKind, deal: &mut Deal) -> (Vec<Document>, Vec<Document>) {
    let mut open = 5;
    let mut list = |most: u64| {
        let length = deal.below(most + 1);
        let document = |deal: &mut Deal, open: &mut u64| {
            if *open > 0 && deal.below(2) == 0 {
                *open -= 1;
                return (Judgement::PooledUnjudged, Vec::new());
            }
            judged(kind, deal.below(ways(kind)))
        };
        (0..length).map(|_| document(deal, &mut open)).collect::<Vec<_>>()
    };
    (list(8), list(3))
}

/// In how many ways a document can be judged.
fn ways(kind: JudgementKind) -> u64 {
    if kind == JudgementKind::Subtopics { 1 << SUBTOPICS } else { MAX_GRADE + 1 }
}

/// The document judged in one of them.
fn judged(kind: JudgementKind, way: u64) -> Document {
    if kind != JudgementKind::Subtopics {
        return (grade(way), Vec::new());
    }
    let mark = |group: u64| Mark { document: 0, group: group as u32, subgroup: 0, value: (way >> group & 1) as f64 };
    (grade(u64::from(way > 0)), (0..SUBTOPICS).map(mark).collect())
}

/// Every way of judging what is not.
fn completions(kind: JudgementKind, documents: &mut [Document], each: &mut dyn FnMut(&[Document])) {
    let Some(at) = documents.iter().position(|(judgement, _)| !judgement.is_judged()) else {
        each(documents);
        return;
    };
    for way in 0..ways(kind) {
        documents[at] = judged(kind, way);
        completions(kind, documents, each);
    }
    documents[at] = (Judgement::PooledUnjudged, Vec::new());
}

/// The largest gap of each sound measure on so many topics, rounded up; those aside whose bounds are never more than the
/// range.
fn gaps(topics: u64, seed: u64) -> BTreeMap<&'static str, f64> {
    let mut found: BTreeMap<&str, f64> = BTreeMap::new();
    for kind in [JudgementKind::Grades, JudgementKind::Subtopics] {
        let rows = MEASURES.iter().filter(|info| info.needs == kind && info.bounds == Tightness::Sound);
        let rows = rows.filter(|info| !gaps::WHOLE_RANGE.contains(&info.name));
        let texts = rows.flat_map(|info| info.examples).map(|example| example.measure);
        let measures: Vec<Box<dyn Measure>> =
            texts.map(|text| spec::parse(text, 1.0).and_then(|spec| spec.build()).unwrap()).collect();
        let max_grade = if kind == JudgementKind::Grades { MAX_GRADE as f64 } else { 1.0 };
        let collection = CollectionFacts { max_grade, documents: Some(1000), ..CollectionFacts::default() };
        let mut dealer = Deal(seed);
        for _ in 0..topics {
            let (ranks, missed) = deal(kind, &mut dealer);
            let topic = Owned::marked(kind, ranks.clone(), missed.clone(), collection);
            let mut reached = vec![(f64::INFINITY, f64::NEG_INFINITY); measures.len()];
            let mut all = [ranks.clone(), missed].concat();
            completions(kind, &mut all, &mut |documents| {
                let (ranks, missed) = documents.split_at(ranks.len());
                let complete = Owned::marked(kind, ranks.to_vec(), missed.to_vec(), collection);
                for (measure, (least, most)) in measures.iter().zip(&mut reached) {
                    if let Ok(value) = measure.value(&complete.view()) {
                        (*least, *most) = (least.min(value), most.max(value));
                    }
                }
            });
            for (measure, (least, most)) in measures.iter().zip(reached) {
                let Some((low, high)) = measure.score(&topic.view()).ok().and_then(|score| score.bounds()) else {
                    continue;
                };
                if least.is_finite() {
                    let gap = found.entry(measure.info().name).or_default();
                    *gap = gap.max(least - low).max(high - most);
                }
            }
        }
    }
    found.into_iter().map(|(name, gap)| (name, (gap * 100.0 - 1e-9).max(0.0).ceil() / 100.0)).collect()
}

#[test]
fn the_gaps_are_those_that_are_published() {
    let published: BTreeMap<&str, f64> = gaps::GAPS.iter().map(|gap| (gap.name, gap.seen)).collect();
    assert_eq!(published, gaps(TOPICS, 7));
    assert!(gaps::GAPS.iter().all(|gap| gap.wider.is_none_or(|wider| wider > gap.seen)));
}

/// Five minutes, for whoever changes bounds: what it finds beyond the published numbers belongs there as `wider`.
#[test]
#[ignore = "five minutes; run it when bounds change"]
fn a_wider_search_finds_no_more_than_is_published() {
    let found = gaps(3000, 11);
    let more: Vec<_> = gaps::GAPS
        .iter()
        .filter(|gap| found[gap.name] > gap.wider.unwrap_or(gap.seen))
        .map(|gap| (gap.name, found[gap.name]))
        .collect();
    assert!(more.is_empty(), "{more:?}");
}

/// A row says "nothing beyond the range" if and only if that is all its bounds ever say while something is unjudged.
#[test]
fn bounds_that_say_nothing_are_those_that_are_said_to() {
    let mut narrower: BTreeMap<&str, bool> = BTreeMap::new();
    for info in MEASURES.iter().filter(|info| info.bounds == Tightness::Sound) {
        let measures: Vec<_> =
            info.examples.iter().map(|example| spec::parse(example.measure, 1.0).unwrap().build().unwrap()).collect();
        let mut dealer = Deal(3);
        for _ in 0..TOPICS {
            let (mut ranks, missed) = deal(info.needs, &mut dealer);
            ranks.push((Judgement::PooledUnjudged, Vec::new()));
            let collection = CollectionFacts { max_grade: MAX_GRADE as f64, documents: Some(1000), whole_grades: true };
            let topic = Owned::marked(info.needs, ranks, missed, collection);
            for measure in &measures {
                let bounds = measure.score(&topic.view()).ok().and_then(|score| score.bounds());
                *narrower.entry(info.name).or_default() |= bounds.is_some_and(|bounds| bounds != info.range);
            }
        }
    }
    let nothing: Vec<&str> = narrower.into_iter().filter(|(_, narrower)| !narrower).map(|(name, _)| name).collect();
    assert_eq!(nothing, gaps::WHOLE_RANGE);
}
