//! Closed forms by hand, and against every subset of the adverse documents.

use karat_data::TopicView;
use karat_measures::spec;

use super::*;

const COLLECTION: CollectionFacts = CollectionFacts { max_grade: 2.0, whole_grades: true, documents: None };

fn judgements(ranks: &str) -> Vec<Judgement> {
    let one = |mark: &str| mark.parse().ok().and_then(Grade::new).map_or(Judgement::Unpooled, Judgement::Grade);
    ranks.split(' ').map(one).collect()
}

fn grades(counts: &[(f64, u32)]) -> Vec<(Grade, u32)> {
    counts.iter().map(|&(grade, count)| (Grade::new(grade).unwrap(), count)).collect()
}

fn on(measure: &str, leader: &str, other: &str, counts: &[(f64, u32)], adverse: &[Adverse]) -> (Expectation, Vec<f64>) {
    let measure = spec::parse(measure, 1.0).unwrap().build().unwrap();
    let form = ClosedForm::new(measure.as_ref(), &COLLECTION).unwrap();
    let (leader, other, grades) = (judgements(leader), judgements(other), grades(counts));
    let facts = TopicFacts { grades: &grades, pooled_unjudged: 0 };
    form.on(&Lists { leader: &leader, other: &other, facts, adverse })
}

#[test]
fn by_hand() {
    // P@2: the leader has 1 of 2; the other run's rank 1 is unjudged and not in the leader's list. At q it gains q/2.
    let (precision, taken) = on("P@2", "1 0", "- 0", &[(0.0, 1), (1.0, 1)], &[(Some(1), None)]);
    assert!((precision.change(0.5) + 0.25).abs() < 1e-15);
    assert_eq!(taken, [0.5]);
    // RR: the other run's first rank is unjudged, its second relevant: 1/2 becomes q + (1 − q)/2, that is 1/2 + q/2.
    let (first, taken) = on("RR", "1 0", "- 1", &[(1.0, 1)], &[(Some(1), None)]);
    assert!((first.change(0.4) + 0.2).abs() < 1e-15);
    assert_eq!(taken, [0.5]);
    // AP with one relevant document, at the leader's rank 1; the other run has it at rank 2, below an unjudged document X. If X is relevant, R is 2: the
    // leader falls from 1 to 1/2, the other run rises from 1/2 to (1 + 2/2)/2 = 1. The lead falls from 1/2 to -1/2: by q, expected.
    let (average, _) = on("AP", "1 0", "- 1", &[(1.0, 1)], &[(Some(1), None)]);
    assert!((average.change(0.3) + 0.3).abs() < 1e-15);
    // nDCG@1, largest grade 2, one document of grade 1, at the leader's rank 1; the other run's rank 1 is unjudged. With it the ideal is 2 and not 1:
    // the leader falls from 1 to 1/2, the other run rises from 0 to 1. The lead falls from 1 to -1/2: by 1.5 q.
    let (discounted, taken) = on("nDCG@1", "1", "-", &[(1.0, 1)], &[(Some(1), None)]);
    assert!((discounted.change(0.2) + 0.3).abs() < 1e-15);
    assert_eq!(taken, [1.0]);
}

/// The lead with these documents relevant.
fn lead(
    measure: &dyn Measure,
    lists: [&[Judgement]; 2],
    counts: &[(Grade, u32)],
    adverse: &[Adverse],
    chosen: u32,
) -> f64 {
    let relevant = largest(&COLLECTION).unwrap();
    let mut counts = counts.to_vec();
    let more = chosen.count_ones();
    match counts.iter_mut().find(|(grade, _)| grade.value() == COLLECTION.max_grade) {
        Some((_, count)) => *count += more,
        None => counts.push((Grade::new(COLLECTION.max_grade).unwrap(), more)),
    }
    let value = |list: &[Judgement], rank: &dyn Fn(&Adverse) -> Option<usize>| {
        let mut ranks = list.to_vec();
        for (_, document) in adverse.iter().enumerate().filter(|(place, _)| chosen & (1 << place) != 0) {
            if let Some(rank) = rank(document) {
                ranks[rank - 1] = relevant;
            }
        }
        let facts = TopicFacts { grades: &counts, pooled_unjudged: 0 };
        let view = TopicView { ranks: &ranks, below: 0, facts, collection: COLLECTION, details: Default::default() };
        measure.value(&view).unwrap()
    };
    value(lists[0], &|document| document.1) - value(lists[1], &|document| document.0)
}

#[test]
fn equal_to_the_mean_over_all_subsets() {
    let leader = judgements("2 0 - 1 - 0 1");
    let other = judgements("- 1 - 0 - 2 -");
    // The other run's ranks 1, 3 and 7 are unjudged; the leader has the second at rank 5, and another at rank 3.
    let adverse = [(Some(1), None), (Some(3), Some(5)), (Some(7), None), (None, Some(3))];
    let counts = grades(&[(0.0, 4), (1.0, 3), (2.0, 1)]);
    for name in [
        "AP",
        "AP@4",
        "nDCG@5",
        "nDCG",
        "nDCG(dcg='exp-log2')@3",
        "RR",
        "RR@2",
        "Success@3",
        "R@5",
        "P@5",
        "RBP(p=0.8)",
        "DCG@4",
    ] {
        let measure = spec::parse(name, 1.0).unwrap().build().unwrap();
        let last = measure.cutoff().unwrap_or(usize::MAX);
        let counted: Vec<Adverse> = adverse
            .iter()
            .copied()
            .filter(|(a, b)| [a, b].iter().any(|rank| rank.is_some_and(|rank| rank <= last)))
            .collect();
        let facts = TopicFacts { grades: &counts, pooled_unjudged: 0 };
        let form = ClosedForm::new(measure.as_ref(), &COLLECTION).unwrap();
        let (expectation, taken) = form.on(&Lists { leader: &leader, other: &other, facts, adverse: &counted });
        let now = lead(measure.as_ref(), [&leader, &other], &counts, &counted, 0);
        for q in [0.0, 0.15, 0.5, 1.0] {
            let expected: f64 = (0..1u32 << counted.len())
                .map(|chosen| {
                    let relevant = chosen.count_ones() as i32;
                    let probability = f64::powi(q, relevant) * f64::powi(1.0 - q, counted.len() as i32 - relevant);
                    probability * (lead(measure.as_ref(), [&leader, &other], &counts, &counted, chosen) - now)
                })
                .sum();
            assert!(
                (expectation.change(q) - expected).abs() < 1e-12,
                "{name} {q}: {} {expected}",
                expectation.change(q)
            );
        }
        assert_eq!(taken.len(), counted.len());
    }
}

#[test]
fn expected_reciprocals_of_many_documents() {
    // 1 / (1 + K) with K binomial: (1 − (1 − q)^(n + 1)) / ((n + 1) q), exactly.
    for (open, q) in [(3usize, 0.2f64), (40, 0.5), (2000, 0.01), (2000, 0.7), (1000, 0.999)] {
        let exact = (1.0 - (1.0 - q).powi(open as i32 + 1)) / ((open + 1) as f64 * q);
        let found = Denominator::Relevant(1).expected_reciprocal(0, open, q);
        assert!((found / exact - 1.0).abs() < 1e-11, "{open} {q}: {found} {exact}");
    }
}
