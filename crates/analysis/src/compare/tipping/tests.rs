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

/// A tally of topics whose leads fall by q times a slope, with one adverse document each; without the randomisation test.
fn tally(claim: &Claim<'_>, slopes: &[f64]) -> Tally {
    let grid = grid();
    let mut tally = Tally { few: None, ..Tally::new(grid.len(), claim) };
    add(&mut tally, claim, slopes);
    tally
}

fn add(tally: &mut Tally, claim: &Claim<'_>, slopes: &[f64]) {
    for (topic, slope) in claim.topics.iter().zip(slopes) {
        let changes = Some(grid().iter().map(|q| -q * slope).collect());
        let lead = claim.leader.lead(topic.observed) - claim.mean();
        tally.add((lead, claim.mean()), &Curve { changes, spread: slope * slope, documents: vec![(1, *slope)] });
    }
}

#[test]
fn the_grid_goes_to_1() {
    let grid = grid();
    assert_eq!((grid[0], grid[19], grid[20], grid.len()), (0.01, 0.2, 0.22, 45));
    assert_eq!(grid.last(), Some(&1.0));
}

fn claim(leader: Side, margin: f64, topics: &[TopicDifference]) -> Claim<'_> {
    Claim { measure: 0, pair: (0, 1), leader, margin, alpha: 0.025, judges: 0.0, topics }
}

#[test]
fn the_tipping_point_by_hand() {
    // Leads .3, .5, .7 and .9, less 1 on a topic whose document is relevant: at rate q the mean is .6 − q, and the variance over topics .2 / 3 + q(1 − q). The
    // t quantile at .025 with 3 degrees of freedom is 3.182446. It fails where (.6 − q)² = 3.182446² (.066667 + q − q²) / 4, that is
    // 3.53199 q² − 3.73199 q + .19120 = 0: q = .0540.
    let topics = topics(&[0.3, 0.5, 0.7, 0.9]);
    let better = claim(Side::A, 0.0, &topics);
    let (found, lead) = better.point(&tally(&better, &[1.0; 4]), &grid()).unwrap();
    assert!((found - 0.0540).abs() < 1e-3, "{found}");
    assert!((lead - 0.5460).abs() < 1e-3, "{lead}");
    // With a margin of .1: 3.53199 q² − 3.93199 q + .32120 = 0, q = .0888.
    let not_worse = claim(Side::A, 0.1, &topics);
    let (found, _) = not_worse.point(&tally(&not_worse, &[1.0; 4]), &grid()).unwrap();
    assert!((found - 0.0888).abs() < 1e-3, "{found}");
    // The other run does not lead at all.
    let wrong = claim(Side::B, 0.0, &topics);
    assert_eq!(wrong.point(&tally(&wrong, &[1.0; 4]), &grid()).map(|(point, _)| point), Some(0.0));
    // Where documents take little, no rate reverses it.
    assert_eq!(better.point(&tally(&better, &[0.1; 4]), &grid()), None);
}

#[test]
fn with_few_topics_the_randomisation_test_decides_too() {
    // Six leads above 0 give a one-sided p of 1/64. Above q = .6/1.3 = .4615 the last one is below 0: then its two signs both reach the sum, 2/64 = .031,
    // while Student's t still decides. The last rate of the grid below is .46.
    let topics = topics(&[0.5, 0.5, 0.5, 0.5, 0.5, 0.6]);
    let better = claim(Side::A, 0.0, &topics);
    let slopes = [0.0, 0.0, 0.0, 0.0, 0.0, 1.3];
    let mut with_test = Tally::new(grid().len(), &better);
    add(&mut with_test, &better, &slopes);
    let found = better.point(&with_test, &grid()).unwrap();
    assert!((found.0 - 0.46).abs() < 1e-12, "{found:?}");
    assert!(better.point(&tally(&better, &slopes), &grid()).is_none_or(|(point, _)| point > 0.48));
}
