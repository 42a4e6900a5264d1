use super::*;
use crate::Arrival;
use karat_stats::Seed;

fn world(name: &str) -> &'static HeavyWorld {
    HEAVY_WORLDS.iter().find(|world| world.name == name).unwrap()
}

#[test]
fn both_arms_of_every_world_have_the_same_true_ratio() {
    // 200,000 users whose searches are cut at 50, so that the law of large numbers holds where variances are infinite: rates do not depend
    // on searches where the arms differ, so the ratio stays. The share of 5% has the largest relative error: √(1.8 · 20/200,000) = 1.3%.
    for world in HEAVY_WORLDS.into_iter().chain(OTHER_WORLDS) {
        let ratio = |users: &HeavyUsers| {
            let mut stream = Seed(6).stream(world.name, 0);
            let (mut clicks, mut below) = (0.0, 0.0);
            for _ in 0..200_000 {
                let (searches, rate) = users.user(&mut stream);
                let searches = searches.min(50) as f64;
                clicks += rate * searches;
                below += if world.per_user { 1.0 } else { searches };
            }
            clicks / below
        };
        let (a, b) = (ratio(&world.control), ratio(&world.treatment));
        assert!((a / b - 1.0).abs() < 0.04, "{}: {a} {b}", world.name);
    }
}

#[test]
fn a_slice_of_the_table_holds() {
    // 600 trials: the standard error of 5% is .9%, so 2.3% to 8.2% is three and a half of them to either side. The table has 5000.
    for (name, users) in
        [("Pareto 1.5", (30, 30)), ("lognormal 1.5", (50, 50)), ("Pareto 1.5, half never click / alike", (30, 90))]
    {
        let level = world(name).level(users, 600, 199, Seed(8), 2);
        assert!(level.delta > 0.07, "{name}: {level:?}");
        assert!((0.02..0.082).contains(&level.both) && level.verdict <= level.both, "{name}: {level:?}");
        assert!(level.both <= level.permutation.min(level.signs), "{name}: {level:?}");
    }
}

#[test]
fn intervals_by_resampling_hold_the_truth_where_those_of_the_delta_method_do_not() {
    // True difference .25 · .4 = .1. 300 trials: the standard error of 95% is 1.3%.
    let found = world("lognormal 1.5").coverage((40, 40), (0.25, 0.4), (300, 199), Seed(9), 2);
    assert!(found.resampling > 0.92 && found.lift > 0.92 && found.delta < 0.93, "{found:?}");
    assert!(found.width > found.delta_width, "{found:?}");
}

#[test]
fn daily_looks_at_heavy_tailed_users() {
    // 400 experiments: the standard error of 5% is 1.1%.
    let looks = Looks { users: (300, 300), arrival: Arrival::ComeBack, days: 14 };
    let [found] = world("lognormal 1.5").peek(looks, [400], 400, Seed(10), 2).unwrap();
    assert!(found.fixed > 0.08 && found.sequence <= 0.05 && found.looked > 0.3, "{found:?}");
    assert!(found.holds >= 0.95, "{found:?}");
}

#[test]
fn daily_looks_at_unequal_arms() {
    // Welch's error and the normal score were wrong in 8.5%, 6.6% and, of 2,000 experiments, 31%. 400: the standard error of 5% is 1.1%.
    for (name, users) in
        [("5% convert", (100, 900)), ("clicks per user, lognormal 1.5", (900, 100)), ("2% convert", (100, 900))]
    {
        let world = HEAVY_WORLDS.iter().chain(&OTHER_WORLDS).find(|world| world.name == name).unwrap();
        let looks = Looks { users, arrival: Arrival::OneByOne, days: 14 };
        let found = world.peek(looks, [200, 1000], 400, Seed(11), 2).unwrap();
        assert!(found.iter().all(|found| found.sequence <= 0.02 && found.looked > 0.2), "{name}: {found:?}");
        assert!(found.iter().all(|found| found.arm.is_some_and(|arm| arm <= 0.05)), "{name}: {found:?}");
    }
}

#[test]
fn one_seed_one_answer() {
    let world = world("Pareto 2");
    assert_eq!(world.level((12, 12), 20, 99, Seed(1), 1), world.level((12, 12), 20, 99, Seed(1), 2));
}
