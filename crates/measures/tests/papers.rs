//! Numbers printed in "ranked-evaluation" (Bernardi), recomputed.
#![allow(clippy::unwrap_used, clippy::panic)]

use karat_data::CollectionFacts;
use karat_measures::curve::{Interpolated, Points, eleven_points, mean_curve, precision_recall};
use karat_measures::example::Owned;
use karat_measures::interpolated::Rounding;
use karat_measures::{Aggregate, spec};

fn topic(ranking: &str, missed: &str) -> Owned {
    Owned::parse(ranking, missed, CollectionFacts::default()).unwrap()
}

fn value(measure: &str, topic: &Owned) -> f64 {
    spec::parse(measure, 1.0).unwrap().build().unwrap().score(&topic.view()).unwrap().value
}

/// Section 4.1: 6 relevant documents, found at ranks 1, 2, 4, 6 and 13 of 14.
#[test]
fn precision_and_recall_at_the_relevant_documents() {
    let topic = topic("1 1 0 1 0 1 0 0 0 0 0 0 1 0", "1");
    let points = precision_recall(&topic.view(), 1.0, Points::Relevant).unwrap();
    let printed = [
        (1, 0.167, 1.0, 0.0005),
        (2, 0.333, 1.0, 0.0005),
        (4, 0.5, 0.75, 0.0005),
        (6, 0.667, 0.667, 0.0005),
        (13, 0.833, 0.38, 0.005),
    ];
    assert_eq!(points.len(), printed.len());
    for (point, (rank, recall, precision, rounding)) in points.iter().zip(printed) {
        assert_eq!(point.rank, rank);
        // Printed to three digits, the last precision to two: 5/13 = .3846.
        assert!((point.recall - recall).abs() < 0.0005 && (point.precision - precision).abs() < rounding, "{point:?}");
        assert_eq!(value(&format!("P@{rank}"), &topic), point.precision);
        assert_eq!(value(&format!("R@{rank}"), &topic), point.recall);
    }
    let every = precision_recall(&topic.view(), 1.0, Points::EveryRank).unwrap();
    assert_eq!(every.len(), 14);
    let some = precision_recall(&topic.view(), 1.0, Points::At(&[2, 13, 20])).unwrap();
    assert_eq!(some, [every[1], every[12]]);
}

/// Sections 4.5 and 4.10: 9 relevant documents, found at ranks 2, 5, 8 and 10.
#[test]
fn eleven_points_and_average_precision() {
    let topic = topic("0 1 0 0 1 0 0 1 0 1", "1 1 1 1 1");
    let row = [0.5, 0.5, 0.4, 0.4, 0.4, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    assert_eq!(eleven_points(&topic.view(), 1.0, Rounding::Definition), row);
    let function = Interpolated::of(&topic.view(), 1.0).unwrap();
    for (index, expected) in row.into_iter().enumerate() {
        let recall = index as f64 / 10.0;
        assert_eq!(function.at(recall), expected, "{recall}");
        assert_eq!(value(&format!("IPrec@{recall}"), &topic), expected, "{recall}");
    }
    let corners: Vec<_> = function.corners().collect();
    assert_eq!(corners, [(1.0 / 9.0, 0.5), (2.0 / 9.0, 0.4), (3.0 / 9.0, 0.4), (4.0 / 9.0, 0.4)]);
    // (.5 + .4 + .375 + .4)/9 = .18611, printed .1861
    assert!((value("AP", &topic) - 0.1861).abs() < 0.00005);
    assert_eq!(value("11pt_avg", &topic), row.iter().rev().sum::<f64>() / 11.0);
}

/// Section 4.7: the eleven values printed there average to .4245 (4.67/11 = .424545).
#[test]
fn the_average_of_eleven_points() {
    let printed = [1.0, 0.67, 0.63, 0.55, 0.45, 0.41, 0.36, 0.29, 0.13, 0.10, 0.08];
    assert!((Aggregate::Mean.of(printed).unwrap() - 0.4245).abs() < 0.00005);
}

#[test]
fn curves_average_point_by_point() {
    // (0.5 + 1)/2, (0.25 + 0)/2
    assert_eq!(mean_curve(&[[0.5, 0.25], [1.0, 0.0]]), Some([0.75, 0.125]));
    assert_eq!(mean_curve::<11>(&[]), None);
}
