use super::*;

fn topics(differences: &[f64]) -> Vec<TopicDifference> {
    let one = |(at, &observed): (usize, &f64)| TopicDifference {
        topic: TopicIndex(at as u32),
        observed,
        expected: observed,
        bounds: None,
    };
    differences.iter().enumerate().map(one).collect()
}

/// A tally of topics whose leads fall by q times a slope, with one adverse document each.
fn tally(claim: &Claim<'_>, slopes: &[f64]) -> Tally {
    let grid = grid();
    let mut tally =
        Tally { changes: vec![(0.0, 0.0); grid.len()], weights: [0.0; BANDS], documents: 0, unknown: false };
    for (topic, slope) in claim.topics.iter().zip(slopes) {
        let changes = Some(grid.iter().map(|q| -q * slope).collect());
        let lead = claim.leader.lead(topic.observed) - claim.mean();
        tally.add(lead, &Curve { changes, documents: vec![(1, *slope)] });
    }
    tally
}

#[test]
fn the_grid_goes_to_1() {
    let grid = grid();
    assert_eq!((grid[0], grid[19], grid[20], grid.len()), (0.01, 0.2, 0.22, 45));
    assert_eq!(grid.last(), Some(&1.0));
}

#[test]
fn the_tipping_point_by_hand() {
    // Leads .3, .5, .7 and .9 less q on every topic: mean .6 − q, standard deviation sqrt(.2 / 3) = .2582 whatever q, t quantile at .025 with 3
    // degrees of freedom 3.1824. It fails at q = .6 − 3.1824 · .2582 / 2 = .18914.
    let topics = topics(&[0.3, 0.5, 0.7, 0.9]);
    let claim =
        |leader, margin, topics| Claim { measure: 0, pair: (0, 1), leader, margin, alpha: 0.025, judges: 0.0, topics };
    let better = claim(Side::A, 0.0, &topics);
    let (found, lead) = better.point(&tally(&better, &[1.0; 4]), &grid()).unwrap();
    assert!((found - 0.189_14).abs() < 1e-4, "{found}");
    assert!((lead - 0.410_86).abs() < 1e-4, "{lead}");
    // With a margin of .1 it holds up to a rate that is larger by .1.
    let not_worse = claim(Side::A, 0.1, &topics);
    let (found, _) = not_worse.point(&tally(&not_worse, &[1.0; 4]), &grid()).unwrap();
    assert!((found - 0.289_14).abs() < 1e-4, "{found}");
    // The other run does not lead at all.
    let wrong = claim(Side::B, 0.0, &topics);
    assert_eq!(wrong.point(&tally(&wrong, &[1.0; 4]), &grid()).map(|(point, _)| point), Some(0.0));
    // Where documents take little, no rate reverses it.
    assert_eq!(better.point(&tally(&better, &[0.1; 4]), &grid()), None);
}
