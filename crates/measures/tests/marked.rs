//! What holds for every measure of judgement groups and preferences on any topic, and fast forms against literal ones.
#![allow(clippy::unwrap_used, clippy::panic)]

use karat_data::{CollectionFacts, Judgement, JudgementKind, Mark, NO_DOCUMENT};
use karat_measures::example::{Document, Owned};
use karat_measures::registry::MEASURES;
use karat_measures::{Measure, Score, spec};
use proptest::prelude::*;

const GROUPS: u32 = 3;
const SUBGROUPS: u32 = 2;

fn measures(kind: JudgementKind) -> Vec<(&'static str, Box<dyn Measure>)> {
    let rows = MEASURES.iter().filter(|info| info.needs == kind);
    let texts = rows.flat_map(|info| info.examples).map(|example| example.measure);
    texts.map(|text| (text, build(text))).collect()
}

fn build(text: &str) -> Box<dyn Measure> {
    spec::parse(text, 1.0).and_then(|spec| spec.build()).unwrap()
}

/// What a person thinks of a document in each group (0 to 5), and which of the group's subgroups it stands in. Values are
/// these thoughts, made coarser from subgroup to subgroup, so that no group contradicts itself.
fn document() -> impl Strategy<Value = Document> {
    let opinion = (0u32..6, prop::collection::vec(prop::bool::weighted(0.6), SUBGROUPS as usize));
    prop::collection::vec(opinion, GROUPS as usize).prop_map(|opinions| {
        let mut marks = Vec::new();
        for (group, (thought, stands)) in (0u32..).zip(opinions) {
            for (subgroup, _) in (0u32..).zip(stands).filter(|(_, stands)| *stands) {
                let value = if thought == 0 { 0 } else { 1 + (thought - 1) / (subgroup + 1) };
                marks.push(Mark { document: NO_DOCUMENT, group, subgroup, value: f64::from(value) });
            }
        }
        let judgement = if marks.is_empty() { Judgement::Unpooled } else { Judgement::from_number(1.0).unwrap() };
        (judgement, marks)
    })
}

type Lists = (Vec<Document>, Vec<Document>);

fn lists() -> impl Strategy<Value = Lists> {
    (prop::collection::vec(document(), 0..9), prop::collection::vec(document(), 0..5))
}

/// For judgement groups there are no subgroups: the first mark of each group is its grade.
fn of_kind(kind: JudgementKind, (ranks, missed): &Lists) -> Owned {
    let plain = |(judgement, marks): &Document| {
        let mut marks = marks.clone();
        if kind == JudgementKind::Groups {
            marks.dedup_by_key(|mark| mark.group);
            marks.iter_mut().for_each(|mark| mark.subgroup = 0);
        }
        (*judgement, marks)
    };
    let all = |documents: &[Document]| documents.iter().map(plain).collect();
    Owned::marked(kind, all(ranks), all(missed), CollectionFacts { max_grade: 5.0, ..CollectionFacts::default() })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn scores_are_finite_and_within_range(lists in lists()) {
        for kind in [JudgementKind::Groups, JudgementKind::Preferences] {
            let topic = of_kind(kind, &lists);
            for (text, measure) in measures(kind) {
                let Score { value, low, high } = measure.score(&topic.view()).unwrap();
                let (least, greatest) = measure.info().range;
                prop_assert!(value.is_finite() && least <= value && value <= greatest, "{text}: {value}");
                prop_assert!(low <= value && value <= high, "{text}: {value} in [{low}, {high}]");
            }
        }
    }

    /// Other numbers for documents (another order of the file) and other numbers for groups and subgroups. Of documents
    /// that were not retrieved PrefGroupsR leaves some out, by the order of the file, where a group has subgroups.
    #[test]
    fn renaming_changes_nothing(lists in lists()) {
        for kind in [JudgementKind::Groups, JudgementKind::Preferences] {
            let mut other = lists.clone();
            other.1.reverse();
            for mark in other.0.iter_mut().chain(&mut other.1).flat_map(|(_, marks)| marks) {
                mark.group = GROUPS - 1 - mark.group;
                if kind == JudgementKind::Preferences {
                    mark.subgroup = SUBGROUPS - 1 - mark.subgroup;
                }
            }
            let (topic, renamed) = (of_kind(kind, &lists), of_kind(kind, &other));
            for (text, measure) in measures(kind) {
                if measure.info().name == "PrefGroupsR" && !lists.1.is_empty() {
                    continue;
                }
                let (a, b) = (measure.score(&topic.view()).unwrap(), measure.score(&renamed.view()).unwrap());
                prop_assert!((a.value - b.value).abs() < 1e-12, "{text}: {} and {}", a.value, b.value);
            }
        }
    }

    #[test]
    fn preferences_equal_the_literal_count(lists in lists()) {
        let topic = of_kind(JudgementKind::Preferences, &lists);
        let tables = tables(&lists);
        for (scope, least) in [("all", 0), ("implied", 1), ("retrieved", 2)] {
            let value = |name: &str| build(&format!("{name}(scope={scope})")).score(&topic.view()).unwrap().value;
            let near = |a: f64, b: f64| (a - b).abs() < 1e-12;
            let retrieved = lists.0.len();
            let counts = |a: usize, b: usize| usize::from(a < retrieved) + usize::from(b < retrieved) >= least;
            let fulfilled = |a: usize, b: usize| a < retrieved && a < b;
            let share = |ful: f64, poss: f64| if poss > 0.0 { ful / poss } else { 0.0 };

            let (mut all, mut means) = ((0.0, 0.0), 0.0);
            for table in &tables {
                let (mut ful, mut poss) = (0.0, 0.0);
                each_pair(table.len(), |a, b| {
                    if table[a][b] && counts(a, b) {
                        poss += 1.0;
                        ful += f64::from(u8::from(fulfilled(a, b)));
                    }
                });
                all = (all.0 + ful, all.1 + poss);
                means += share(ful, poss);
            }
            prop_assert!(near(value("PrefRatio"), share(all.0, all.1)));
            prop_assert!(near(value("PrefGroups"), share(means, tables.len() as f64)));

            let (mut sum, mut pairs) = (0.0, 0.0);
            each_pair(lists.0.len() + lists.1.len(), |a, b| {
                if a >= b || !counts(a, b) {
                    return;
                }
                let (for_a, for_b) = (count(&tables, a, b), count(&tables, b, a));
                if for_a + for_b > 0.0 {
                    pairs += 1.0;
                    sum += if a < retrieved { for_a / (for_a + for_b) } else { 0.0 };
                }
            });
            prop_assert!(near(value("PrefPairs"), share(sum, pairs)));
            if least == 0 {
                let number = build("NumPrefs").score(&topic.view()).unwrap().value;
                prop_assert_eq!(number, all.1);
            }
            if least != 1 {
                prop_assert_eq!(value("NumPrefsFulfilled"), all.0);
            }
        }
    }
}

fn each_pair(documents: usize, mut see: impl FnMut(usize, usize)) {
    (0..documents).for_each(|a| (0..documents).for_each(|b| see(a, b)));
}

fn count(tables: &[Vec<Vec<bool>>], a: usize, b: usize) -> f64 {
    tables.iter().filter(|table| table[a][b]).count() as f64
}

/// For each group that judged something: whether it prefers document a to document b, with what follows, as a table.
fn tables(lists: &Lists) -> Vec<Vec<Vec<bool>>> {
    let documents: Vec<&Document> = lists.0.iter().chain(&lists.1).collect();
    let table = |group: u32| {
        let value = |document: usize, subgroup: u32| {
            let marks = &documents[document].1;
            marks.iter().find(|mark| (mark.group, mark.subgroup) == (group, subgroup)).map(|mark| mark.value)
        };
        let above = |a: usize, b: usize| {
            (0..SUBGROUPS)
                .any(|subgroup| matches!((value(a, subgroup), value(b, subgroup)), (Some(a), Some(b)) if a > b))
        };
        let size = documents.len();
        let mut table: Vec<Vec<bool>> = (0..size).map(|a| (0..size).map(|b| above(a, b)).collect()).collect();
        for through in 0..size {
            each_pair(size, |a, b| {
                let follows = table[a][through] && table[through][b];
                table[a][b] |= follows;
            });
        }
        table
    };
    let judged = |group: &u32| documents.iter().any(|(_, marks)| marks.iter().any(|mark| mark.group == *group));
    (0..GROUPS).filter(judged).map(table).collect()
}
