use super::*;

fn cells(topics: &[&[(usize, f64, f64)]]) -> Cells {
    let topic = |(at, bands): (usize, &&[(usize, f64, f64)])| {
        let mut cells = [Cell::default(); BANDS];
        bands.iter().for_each(|&(band, count, gain)| cells[band] = Cell { count, gain });
        (at as u32, cells)
    };
    topics.iter().enumerate().map(topic).collect()
}

fn weights(bands: &[(usize, f64)]) -> [f64; BANDS] {
    let mut weights = [0.0; BANDS];
    bands.iter().for_each(|&(band, weight)| weights[band] = weight);
    weights
}

#[test]
fn bands_of_ranks() {
    assert_eq!([1, 2, 3, 4, 5, 6, 10, 11, 1000, 1001].map(band), [0, 1, 2, 3, 3, 4, 4, 5, 10, 11]);
}

#[test]
fn rates_are_weighted_as_the_unjudged_documents_are() {
    // Band 3: 8 of 20 relevant, band 4: 2 of 20. With weights 1 and 3: (.4 + 3 * .1) / 4 = .175.
    let cells = cells(&[&[(3, 10.0, 4.0), (4, 10.0, 0.0)], &[(3, 10.0, 4.0), (4, 10.0, 2.0)]]);
    let (found, upper) = rate(&cells, &weights(&[(3, 1.0), (4, 3.0)])).unwrap();
    assert!((found - 0.175).abs() < 1e-15);
    assert!(upper > found && upper < 1.0);
}

#[test]
fn too_few_documents_are_helped_out_from_above_then_from_below() {
    // Band 4 has 8 documents, band 3 has 16: together 24, of which 12 are relevant.
    let near = cells(&[&[(3, 16.0, 12.0), (4, 8.0, 0.0)], &[(5, 36.0, 0.0)]]);
    assert!((rate(&near, &weights(&[(4, 1.0)])).unwrap().0 - 0.5).abs() < 1e-15);
    // Too few above: band 5 helps out, 4 of 20.
    let below = cells(&[&[(4, 4.0, 4.0)], &[(5, 16.0, 0.0)]]);
    assert!((rate(&below, &weights(&[(4, 1.0)])).unwrap().0 - 0.2).abs() < 1e-15);
    // Five in all are few, and all of them count: 1 of 5.
    let few = cells(&[&[(2, 1.0, 1.0)], &[(7, 4.0, 0.0)]]);
    assert!((rate(&few, &weights(&[(4, 1.0)])).unwrap().0 - 0.2).abs() < 1e-15);
    // Four documents in all are too few.
    assert!(rate(&cells(&[&[(4, 4.0, 1.0)]]), &weights(&[(4, 1.0)])).is_none());
}

#[test]
fn upper_limits_by_hand() {
    // None of 10 documents, one on each of 10 topics: 1 − .05^(1/10) = .2589 (Clopper and Pearson with no success).
    let topic: &[(usize, f64, f64)] = &[(4, 1.0, 0.0)];
    let (found, upper) = rate(&cells(&[topic; 10]), &weights(&[(4, 1.0)])).unwrap();
    assert_eq!(found, 0.0);
    assert!((upper - (1.0 - 0.05f64.powf(0.1))).abs() < 1e-9, "{upper}");
    // One topic says nothing of others.
    assert_eq!(rate(&cells(&[&[(4, 10.0, 2.0)]]), &weights(&[(4, 1.0)])).unwrap().1, 1.0);
}

#[test]
fn equal_rates_where_judged_documents_allow_them() {
    // Band 4, two documents on each of four topics: 5 of 8 of the first run are relevant, 2 of 8 of the second.
    let of =
        |relevant: [f64; 4]| cells(&relevant.map(|relevant| vec![(4, 2.0, relevant)]).each_ref().map(|rows| &rows[..]));
    let rates = JudgedRates {
        own: vec![of([1.0, 1.0, 1.0, 2.0]), of([0.0, 1.0, 0.0, 1.0]), Cells::new()],
        unique: Cells::new(),
        pooled: vec![true; 3],
    };
    let weights = weights(&[(4, 1.0)]);
    assert!(rates.allow_equal((0, 1), &weights) && rates.allow_equal((0, 0), &weights));
    // The run that trails has more, or nothing is judged.
    assert!(!rates.allow_equal((1, 0), &weights) && !rates.allow_equal((0, 2), &weights));
}
