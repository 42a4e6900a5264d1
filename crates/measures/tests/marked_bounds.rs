//! Bounds of measures of subtopics, judgement groups and preferences against every way of judging the unjudged documents.
#![allow(clippy::unwrap_used, clippy::panic)]

use karat_data::{CollectionFacts, Grade, Judgement, JudgementKind, Mark};
use karat_measures::example::{Document, Owned};
use karat_measures::registry::MEASURES;
use karat_measures::{Measure, Tightness, spec};
use proptest::prelude::*;

const SLACK: f64 = 1e-12;

type Lists = (Vec<Document>, Vec<Document>);

fn measures(kind: JudgementKind) -> Vec<(&'static str, Box<dyn Measure>)> {
    let rows = MEASURES.iter().filter(|info| info.needs == kind);
    let texts = rows.flat_map(|info| info.examples).map(|example| example.measure);
    texts.map(|text| (text, spec::parse(text, 1.0).and_then(|spec| spec.build()).unwrap())).collect()
}

fn mark(group: u32, value: f64) -> Mark {
    Mark { document: 0, group, subgroup: 0, value }
}

/// A document with some of these marks (0, 1 or none for each group), or without a judgement.
fn document(groups: u32) -> impl Strategy<Value = Document> {
    let values = prop::collection::vec(0u32..3, groups as usize);
    let judged = values.prop_map(|values| {
        let given = (0u32..).zip(values).filter(|(_, value)| *value < 2);
        let marks: Vec<Mark> = given.map(|(group, value)| mark(group, f64::from(value))).collect();
        let best = if marks.iter().any(|mark| mark.value > 0.0) { 1.0 } else { 0.0 };
        (Judgement::Grade(Grade::new(best).unwrap()), marks)
    });
    let pooled = (0..groups).prop_map(|group| (Judgement::PooledUnjudged, vec![mark(group, -1.0)]));
    prop_oneof![4 => judged, 1 => pooled, 2 => Just((Judgement::Unpooled, Vec::new()))]
}

fn lists(groups: u32, depth: usize) -> impl Strategy<Value = Lists> {
    let missed = prop::collection::vec(document(groups), 0..3).prop_map(|mut missed| {
        missed.retain(|(judgement, _)| *judgement != Judgement::Unpooled);
        missed
    });
    (prop::collection::vec(document(groups), 0..=depth), missed)
}

fn owned(kind: JudgementKind, (ranks, missed): &Lists) -> Owned {
    Owned::marked(kind, ranks.clone(), missed.clone(), CollectionFacts::default())
}

/// The marks that are open: a list's place and a group. Of subtopics, all groups that are named, for every document
/// without a judgement; of judgement groups, those a document has no grade from, unless nobody has it.
fn open(kind: JudgementKind, lists: &Lists) -> Vec<(bool, usize, u32)> {
    let documents = || lists.0.iter().chain(&lists.1);
    let mut named: Vec<u32> = documents().flat_map(|(_, marks)| marks).map(|mark| mark.group).collect();
    named.sort_unstable();
    named.dedup();
    let mut open = Vec::new();
    for (retrieved, list) in [(true, &lists.0), (false, &lists.1)] {
        for (place, (judgement, marks)) in list.iter().enumerate() {
            for &group in &named {
                let graded = marks.iter().any(|mark| mark.group == group && mark.value >= 0.0);
                // A missed document without a mark stands nowhere in the judgements.
                let known = retrieved || !marks.is_empty();
                if if kind == JudgementKind::Groups { !graded && known } else { !judgement.is_judged() } {
                    open.push((retrieved, place, group));
                }
            }
        }
    }
    open
}

/// Every way of filling them with 0 and 1.
fn completions(kind: JudgementKind, lists: &Lists, mut each: impl FnMut(&Lists)) {
    let open = open(kind, lists);
    for code in 0u32..1 << open.len() {
        let mut complete = lists.clone();
        for (bit, &(retrieved, place, group)) in open.iter().enumerate() {
            let (judgement, marks) = if retrieved { &mut complete.0[place] } else { &mut complete.1[place] };
            let value = f64::from(code >> bit & 1);
            marks.retain(|mark| mark.group != group);
            marks.push(mark(group, value));
            let best = judgement.grade().unwrap_or(0.0).max(value);
            *judgement = Judgement::Grade(Grade::new(best).unwrap());
        }
        // Without a named group there is nothing to fill, but the documents are judged.
        for (judgement, _) in complete.0.iter_mut().chain(&mut complete.1) {
            if !judgement.is_judged() {
                *judgement = Judgement::Grade(Grade::ZERO);
            }
        }
        each(&complete);
    }
}

/// The list going on for a user who reads on: with documents about every subtopic named, about every one that has a
/// relevant document, or with nothing until far down.
fn continued(complete: &Lists) -> [Lists; 3] {
    let documents = || complete.0.iter().chain(&complete.1).flat_map(|(_, marks)| marks);
    let about = |least: f64| -> Document {
        let groups = (0..3).filter(|group| documents().any(|mark| mark.group == *group && mark.value >= least));
        (Judgement::Grade(Grade::ONE), groups.map(|group| mark(group, 1.0)).collect())
    };
    let nothing = (Judgement::Grade(Grade::ZERO), Vec::new());
    let with = |first: Document, last: Document| {
        let mut longer = complete.clone();
        longer.0.extend(std::iter::repeat_n(first, 150));
        longer.0.push(last);
        longer
    };
    let (all, found) = (about(f64::NEG_INFINITY), about(1.0));
    [with(all.clone(), all.clone()), with(found.clone(), found), with(nothing, all)]
}

fn check(kind: JudgementKind, lists: &Lists) {
    let measures = measures(kind);
    let topic = owned(kind, lists);
    let bounds: Vec<_> = measures
        .iter()
        .map(|(text, measure)| {
            let score = measure.score(&topic.view()).unwrap();
            let (low, high) = score.bounds().unwrap_or_else(|| panic!("{text}: no bounds"));
            assert!(low - SLACK <= score.value && score.value <= high + SLACK, "{text}: {score:?}");
            (low, high)
        })
        .collect();
    let mut reached = vec![(f64::INFINITY, f64::NEG_INFINITY); measures.len()];
    completions(kind, lists, |complete| {
        let longer = continued(complete).map(|lists| owned(kind, &lists));
        let complete = owned(kind, complete);
        for ((_, measure), (least, most)) in measures.iter().zip(&mut reached) {
            let value = measure.value(&complete.view()).unwrap();
            *least = least.min(value);
            *most = most.max(value);
            if measure.info().name == "NRBP" {
                for value in longer.iter().map(|topic| measure.value(&topic.view()).unwrap()) {
                    *least = least.min(value);
                    *most = most.max(value);
                }
            }
        }
    });
    for (((text, measure), (low, high)), (least, most)) in measures.iter().zip(bounds).zip(reached) {
        assert!(low - SLACK <= least && most <= high + SLACK, "{text}: {least}..{most} in {low}..{high}");
        // What is left out because nobody judged it is no longer once somebody has.
        if measure.info().bounds == Tightness::Exact && !text.contains("judged_only") {
            assert!(
                (least - low).abs() < SLACK && (most - high).abs() < SLACK,
                "{text}: {least}..{most} reaches {low}..{high}"
            );
        }
    }
}

/// One group keeps the ways few: 2^12 for twelve unjudged documents, among judged ones.
#[test]
fn twelve_unjudged_documents() {
    let judged = |value: f64| (Judgement::Grade(Grade::new(value).unwrap()), vec![mark(0, value)]);
    let mut ranks = vec![(Judgement::Unpooled, Vec::new()); 12];
    ranks.insert(1, judged(1.0));
    ranks.insert(5, judged(0.0));
    ranks.insert(9, judged(1.0));
    let lists = (ranks, vec![judged(1.0)]);
    for kind in [JudgementKind::Subtopics, JudgementKind::Groups] {
        assert_eq!(open(kind, &lists).len(), 12);
        check(kind, &lists);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn subtopics(lists in lists(3, 6).prop_filter("few open", |lists| open(JudgementKind::Subtopics, lists).len() <= 6)) {
        check(JudgementKind::Subtopics, &lists);
    }

    #[test]
    fn judgement_groups(lists in lists(2, 5).prop_filter("few open", |lists| open(JudgementKind::Groups, lists).len() <= 9)) {
        // Where nobody judged anything, the first group is still to come.
        prop_assume!(lists.0.iter().chain(&lists.1).any(|(_, marks)| !marks.is_empty()));
        check(JudgementKind::Groups, &lists);
    }

    /// All is judged, then some is hidden: what was true lies within what the rest says.
    #[test]
    fn preferences(
        thoughts in prop::collection::vec((prop::collection::vec(0u32..6, 2), prop::bool::weighted(0.3)), 1..9),
        missed in prop::collection::vec(prop::collection::vec(0u32..6, 2), 0..3),
    ) {
        let judged = |thoughts: &[u32]| -> Document {
            let marks = (0u32..).zip(thoughts).map(|(group, value)| mark(group, f64::from(*value)));
            (Judgement::Grade(Grade::ONE), marks.collect())
        };
        let missed: Vec<Document> = missed.iter().map(|thoughts| judged(thoughts)).collect();
        let truth: Vec<Document> = thoughts.iter().map(|(thoughts, _)| judged(thoughts)).collect();
        let unjudged = (Judgement::Unpooled, Vec::new());
        let shown = truth.iter().zip(&thoughts);
        let shown: Vec<Document> = shown.map(|(document, (_, hide))| if *hide { unjudged.clone() } else { document.clone() }).collect();
        prop_assume!(!missed.is_empty() || shown.iter().any(|(judgement, _)| judgement.is_judged()));
        let kind = JudgementKind::Preferences;
        let (truth, shown) = (owned(kind, &(truth, missed.clone())), owned(kind, &(shown, missed)));
        for (text, measure) in measures(kind) {
            let (low, high) = measure.score(&shown.view()).unwrap().bounds().unwrap();
            let value = measure.value(&truth.view()).unwrap();
            prop_assert!(low - SLACK <= value && value <= high + SLACK, "{text}: {value} in {low}..{high}");
        }
    }
}
