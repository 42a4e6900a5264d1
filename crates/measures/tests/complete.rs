//! Which bounds hold whatever is judged: every measure of the table with every completion of short lists and further documents that
//! nobody retrieved or pooled; and nDCG@k by hand.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::BTreeMap;

use karat_data::{CollectionFacts, JudgementKind};
use karat_measures::difference::{OpenDocument, Pair, bounds};
use karat_measures::example::Owned;
use karat_measures::registry::MEASURES;
use karat_measures::{BoundsKind, Measure, spec};

const SLACK: f64 = 1e-12;
const LOG2_3: f64 = 1.584_962_500_721_156;
/// The longest cut-off of a worked example of nDCG@k is 3: so many documents elsewhere fill its ideal.
const ELSEWHERE: usize = 3;

fn measure(text: &str) -> Box<dyn Measure> {
    spec::parse(text, 1.0).and_then(|spec| spec.build()).unwrap()
}

fn collection() -> CollectionFacts {
    CollectionFacts { max_grade: 2.0, documents: Some(1000), whole_grades: true }
}

/// Numbers that are dealt, the same every time.
struct Deal(u64);

impl Deal {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % limit
    }
}

/// The ways in which a document can be judged, and those of a document elsewhere.
fn signs(kind: JudgementKind) -> (&'static [&'static str], &'static [&'static str]) {
    match kind {
        JudgementKind::Grades => (&["0", "1", "2"], &["0", "1", "2"]),
        // Somewhere else there may be a document about a subtopic that nobody has named.
        JudgementKind::Subtopics => (&["0", "a", "ab", "a0b2"], &["0", "a", "b2", "c2"]),
        JudgementKind::Groups => (&["a0b0", "a1b0", "a0b1", "a1b1"], &["a0b0", "a1b1"]),
        JudgementKind::Preferences => (&["a1b1", "a2b1", "a1b2", "a0"], &["a0", "a1b2", "a2b2"]),
        JudgementKind::Strata => (&["a0", "a1", "b0", "b2"], &["a0", "b1", "b2"]),
        JudgementKind::Probabilities => (&["0a", "1a", "2a"], &["0a", "1a", "2a"]),
    }
}

/// What stands for a document that nobody judged: outside the pool, or in it where there can be such documents elsewhere.
fn open_sign(kind: JudgementKind, retrieved: bool) -> &'static str {
    if kind == JudgementKind::Grades && !retrieved { "?" } else { "-" }
}

/// A topic as text: the ranking, and what was not retrieved.
#[derive(Clone)]
struct Lists {
    ranks: Vec<&'static str>,
    missed: Vec<&'static str>,
}

impl Lists {
    fn dealt(kind: JudgementKind, deal: &mut Deal) -> Lists {
        let (judged, _) = signs(kind);
        let mut open = 3;
        let mut list = |most: usize, retrieved: bool| {
            let mut sign = |deal: &mut Deal| {
                if open > 0 && (retrieved || kind == JudgementKind::Grades) && deal.below(3) == 0 {
                    open -= 1;
                    return open_sign(kind, retrieved);
                }
                judged[deal.below(judged.len())]
            };
            (0..deal.below(most + 1)).map(|_| sign(deal)).collect::<Vec<_>>()
        };
        Lists { ranks: list(4, true), missed: list(2, false) }
    }

    fn owned(&self, kind: JudgementKind, elsewhere: &[&str]) -> Owned {
        let missed = [&self.missed, elsewhere].concat();
        Owned::parse_marked(kind, &self.ranks.join(" "), &missed.join(" "), collection()).unwrap()
    }

    /// Every way of judging what is not.
    fn completions(&self, kind: JudgementKind, each: &mut dyn FnMut(&Lists)) {
        let mut complete = self.clone();
        let mut all = complete.ranks.iter_mut().chain(&mut complete.missed);
        let Some(open) = all.position(|sign| ["-", "?"].contains(sign)) else {
            each(self);
            return;
        };
        for sign in signs(kind).0 {
            let mut complete = self.clone();
            *complete.ranks.iter_mut().chain(&mut complete.missed).nth(open).unwrap() = sign;
            complete.completions(kind, each);
        }
    }
}

/// Every choice of up to so many documents, whatever their order.
fn choices(signs: &[&'static str], most: usize) -> Vec<Vec<&'static str>> {
    let mut found = vec![Vec::new()];
    for (place, sign) in signs.iter().enumerate().filter(|_| most > 0) {
        let more = choices(&signs[place..], most - 1);
        found.extend(more.into_iter().map(|rest| [vec![*sign], rest].concat()));
    }
    found
}

/// Bounds that are complete hold with any documents elsewhere; no measure whose bounds are said to assume that there are none would
/// have complete ones.
#[test]
fn every_measure_has_the_kind_of_bounds_that_it_says() {
    let kinds = MEASURES.iter().fold(Vec::new(), |mut kinds, info| {
        if !kinds.contains(&info.needs) {
            kinds.push(info.needs);
        }
        kinds
    });
    for kind in kinds {
        let rows = MEASURES.iter().filter(|info| info.needs == kind);
        let texts = rows.flat_map(|info| info.examples).map(|example| example.measure);
        let measures: BTreeMap<&str, Box<dyn Measure>> = texts.map(|text| (text, measure(text))).collect();
        let mut left: BTreeMap<&str, bool> = BTreeMap::new();
        let elsewhere = choices(signs(kind).1, ELSEWHERE);
        let mut deal = Deal(11);
        for _ in 0..100 {
            let lists = Lists::dealt(kind, &mut deal);
            // Whose groups these are is not known before anything is judged.
            let by_groups = matches!(kind, JudgementKind::Groups | JudgementKind::Preferences);
            if by_groups && lists.ranks.iter().chain(&lists.missed).all(|sign| *sign == "-") {
                continue;
            }
            let topic = lists.owned(kind, &[]);
            let bounded = measures.iter().filter_map(|(text, measure)| {
                let bounds = measure.score(&topic.view()).ok()?.bounds()?;
                Some((*text, measure, bounds))
            });
            let bounded: Vec<_> = bounded.collect();
            lists.completions(kind, &mut |complete| {
                for more in &elsewhere {
                    let truth = complete.owned(kind, more);
                    for (text, measure, (low, high)) in &bounded {
                        let Ok(value) = measure.value(&truth.view()) else { continue };
                        let within = low - SLACK <= value && value <= high + SLACK;
                        if measure.bounds_kind(&collection()) == BoundsKind::Complete {
                            assert!(
                                within,
                                "{text}: {value} in {low}..{high}: {:?} {:?} {more:?}",
                                lists.ranks, lists.missed
                            );
                        }
                        *left.entry(text).or_default() |= !within;
                    }
                }
            });
        }
        let kept = left.iter().filter(|(_, left)| !**left).map(|(text, _)| *text);
        let kept: Vec<&str> =
            kept.filter(|text| measures[text].bounds_kind(&collection()) == BoundsKind::Retrieved).collect();
        assert!(kept.is_empty(), "{kind:?}: complete bounds that are not said to be: {kept:?}");
        assert_eq!(left.len(), measures.len(), "{kind:?}: a measure never had bounds");
    }
}

/// What is said of measures that are asked for most.
#[test]
fn kinds_by_name() {
    let complete = "P@10 CG@5 DCG DCG@10 nDCG@10 nDCG(dcg=exp-log2)@20 RBP(p=0.8) RR RR@10 Success@5 ERR@20 SetP INST INSQ SDCG@10 \
                    BPM(T=1)@10 NERR9@10 NumRelRet Judged@10 infP@10 htP@10 htRBP(p=0.8) htDCG@10 GroupP@5 RBP(p=0.8,gain=topic)";
    let retrieved = "nDCG AP AP@10 R@10 Rprec Bpref infAP xinfAP infNDCG statAP nERR@10 Q Compat(p=0.95) JKnDCG@10 SetR SetF F@10 \
                     IPrec@0.1 alpha_nDCG@10 ERR_IA@10 StRecall@10 P_IA@10 NumRel GMAP RBP(p=0.8,gain=topic)@10 nDCG@10000000";
    for (names, kind) in [(complete, BoundsKind::Complete), (retrieved, BoundsKind::Retrieved)] {
        for name in names.split_whitespace() {
            assert_eq!(measure(name).bounds_kind(&collection()), kind, "{name}");
        }
    }
}

fn check(text: &str, ranking: &str, missed: &str, expected: (f64, f64, f64)) {
    let topic = Owned::parse(ranking, missed, collection()).unwrap();
    let score = measure(text).score(&topic.view()).unwrap();
    let near = |a: f64, b: f64| (a - b).abs() < SLACK;
    let (low, value, high) = expected;
    assert!(
        near(score.low, low) && near(score.value, value) && near(score.high, high),
        "{text} of {ranking} | {missed}: {score:?}, expected {expected:?}"
    );
}

/// Grades go up to 2, so two documents elsewhere may make the ideal down to rank 2 2 + 2/log2(3).
#[test]
fn normalised_gain_by_hand() {
    let perfect = 2.0 + 2.0 / LOG2_3;
    // All judged: 1 of 1 now, and 1 of the perfect ideal.
    check("nDCG@2", "1 0", "", (1.0 / perfect, 1.0, 1.0));
    // Rank 2 unjudged. Not relevant and the ideal perfect: 1/perfect. Grade 1, nothing elsewhere: (1 + 1/log2(3)) of the same.
    check("nDCG@2", "1 -", "", (1.0 / perfect, 1.0, 1.0));
    // Rank 1 unjudged above grade 2. Now (2/log2(3))/2; rank 1 of grade 2 and nothing elsewhere: perfect.
    check("nDCG@2", "- 2", "", (2.0 / LOG2_3 / perfect, 1.0 / LOG2_3, 1.0));
    // A missed document of grade 2 is in every ideal: now 1 of 2 + 1/log2(3). Rank 2 of grade 2: (1 + 2/log2(3)) of the perfect ideal,
    // which is more than with grade 1: (1 + 1/log2(3)) of 2 + 1/log2(3).
    let best = (1.0 + 2.0 / LOG2_3) / perfect;
    assert!(best > (1.0 + 1.0 / LOG2_3) / (2.0 + 1.0 / LOG2_3));
    check("nDCG@2", "1 -", "2", (1.0 / perfect, 1.0 / (2.0 + 1.0 / LOG2_3), best));
    // 2^2 - 1 = 3 is the greatest gain, 1 that of grade 1.
    check("nDCG(dcg=exp-log2)@1", "1", "", (1.0 / 3.0, 1.0, 1.0));
    // Without a cut-off there is no perfect ideal: nothing elsewhere.
    check("nDCG", "1 0", "", (1.0, 1.0, 1.0));
}

#[test]
fn the_difference_by_hand() {
    let (a, b) = (Owned::parse("1 0", "", collection()).unwrap(), Owned::parse("- 1", "0", collection()).unwrap());
    let pair = Pair::new(a.view(), b.view(), vec![OpenDocument::new(None, Some(1))]);
    // a: grade 1, then 0. b: unjudged, then the same grade 1. Numerator of a - b: 1 - 1/log2(3) - x, x the gain of b's first rank.
    // Greatest: x = 0 and nothing elsewhere, ideal 1: 1 - 1/log2(3).
    // Least: x = 2 and nothing elsewhere, ideal 2 + 1/log2(3): more elsewhere would only bring it nearer to 0.
    let most = 1.0 - 1.0 / LOG2_3;
    let least = (1.0 - 1.0 / LOG2_3 - 2.0) / (2.0 + 1.0 / LOG2_3);
    let (low, high) = bounds(measure("nDCG@2").as_ref(), &pair).unwrap();
    assert!((low - least).abs() < SLACK && (high - most).abs() < SLACK, "{low} {high}");

    // All judged, and a is ahead by 1 - 1/log2(3): documents elsewhere can make that a share of 2 + 2/log2(3), and not reverse it.
    let (a, b) = (Owned::parse("1 0", "", collection()).unwrap(), Owned::parse("0 1", "", collection()).unwrap());
    let (low, high) = bounds(measure("nDCG@2").as_ref(), &Pair::new(a.view(), b.view(), Vec::new())).unwrap();
    assert!((low - most / (2.0 + 2.0 / LOG2_3)).abs() < SLACK && (high - most).abs() < SLACK, "{low} {high}");
}

/// A topic of some documents, and the two lists that hold some of them: judgements of all of them as each list sees them.
fn two_lists(deal: &mut Deal, more: &[&'static str]) -> [Owned; 2] {
    let documents: Vec<&str> = (0..6).map(|_| ["0", "1", "2"][deal.below(3)]).collect();
    [(); 2].map(|()| {
        let mut order: Vec<usize> = (0..documents.len()).collect();
        (1..order.len()).for_each(|at| order.swap(at, deal.below(at + 1)));
        let (listed, missed) = order.split_at(3 + deal.below(4));
        let signs = |places: &[usize]| places.iter().map(|&place| documents[place]).collect::<Vec<_>>();
        let missed = [signs(missed), more.to_vec()].concat();
        Owned::parse(&signs(listed).join(" "), &missed.join(" "), collection()).unwrap()
    })
}

/// Where it is said that relevant documents elsewhere bring differences nearer to 0, no document elsewhere takes one past 0, or further from it.
#[test]
fn documents_elsewhere_shrink_differences_where_that_is_said() {
    let rows = MEASURES.iter().filter(|info| info.needs == JudgementKind::Grades);
    let texts = rows.flat_map(|info| info.examples).map(|example| example.measure);
    let said = texts.map(|text| (text, measure(text))).filter(|(_, measure)| measure.missed_shrink_differences());
    let said: Vec<_> = said.collect();
    let elsewhere = choices(&["1", "2"], ELSEWHERE);
    for seed in 0..1000 {
        let difference = |measure: &dyn Measure, more: &[&'static str]| -> Option<f64> {
            let [a, b] = two_lists(&mut Deal(seed), more);
            Some(measure.value(&a.view()).ok()? - measure.value(&b.view()).ok()?)
        };
        for (text, measure) in &said {
            let Some(before) = difference(measure.as_ref(), &[]) else { continue };
            for more in &elsewhere {
                let Some(after) = difference(measure.as_ref(), more) else { continue };
                let (low, high) = (before.min(0.0) - SLACK, before.max(0.0) + SLACK);
                assert!(low <= after && after <= high, "{text}, seed {seed}, {more:?}: {before}, then {after}");
            }
        }
    }
}

#[test]
fn shrinking_by_name() {
    let shrink = "P@10 RR nDCG nDCG@10 nDCG(dcg=exp-log2) nDCG(gains={1:3})@10 JKnDCG@10 AP AP@10 R@10 RelativeP@5 F@10 nERR@10 BinG SetR SetAP \
                  RBP(p=0.8,gain=topic)@10";
    let others = "Rprec RprecMult@2 PRBEP Bpref Bpref10 PPlus nDCGrel Rndcg IPrec@0.1 IPrecAvg Compat(p=0.95) SetF SetRelativeP Q NCUgu G \
                  nDCG(gains={-1:1}) nDCG(gains={0:-1}) infAP infNDCG statAP ROCArea alpha_nDCG@10 nERR_IA@10 GMAP";
    for (names, expected) in [(shrink, true), (others, false)] {
        for name in names.split_whitespace() {
            assert_eq!(measure(name).missed_shrink_differences(), expected, "{name}");
        }
    }
    // a: relevant at ranks 1 and 4; b: the same two documents at ranks 2 and 3. R = 2: one of two each, difference 0. With a third relevant document
    // that neither has, R = 3: one of three against two, difference -1/3.
    let difference = |missed: &str| {
        let [a, b] = ["1 0 0 1", "0 1 1 0"].map(|ranking| Owned::parse(ranking, missed, collection()).unwrap());
        let rprec = measure("Rprec");
        rprec.value(&a.view()).unwrap() - rprec.value(&b.view()).unwrap()
    };
    assert!(difference("").abs() < SLACK && (difference("1") + 1.0 / 3.0).abs() < SLACK);
}
