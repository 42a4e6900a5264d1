use super::*;

type Pairs = Vec<(f64, f64)>;

/// Users with denominators of their own, 3 to 3 · many, so that the order of units does not depend on numerators.
fn arms(control: usize, treatment: usize) -> (Pairs, Pairs) {
    let mut stream = Seed(3).stream("users", control as u64);
    let mut pairs: Pairs = (1..=control + treatment)
        .map(|place| {
            let searches = 3.0 * place as f64;
            let rate = 0.2 + 0.4 * stream.unit();
            ((rate * searches).round(), searches)
        })
        .collect();
    stream.shuffle(&mut pairs);
    let treated = pairs.split_off(control);
    (pairs, treated)
}

fn numerators(pairs: &Pairs, of: impl Fn(&(f64, f64)) -> f64) -> Pairs {
    pairs.iter().map(|unit| (of(unit), unit.1)).collect()
}

#[test]
fn six_users_by_hand() {
    // Means of 0, 0, 0, 1 against 1, 1. The difference is ¾, its variance (¼)/4 + 0: t² = 9.
    let (control, treatment) = ([(0.0, 1.0), (0.0, 1.0), (0.0, 1.0), (1.0, 1.0)], [(1.0, 1.0), (1.0, 1.0)]);
    let found = Resampled::new(&control, &treatment, 9999, Seed(1)).unwrap();
    let (permutation, signs) = found.both();
    // Deals of two users, by their ones: two in 3 of 15, one in 9, none in 3. With two t² is 9; with one the difference is 0; with none
    // it is −¾ with the same variance, a tie. So 6 of 15 are ties, which count by half: .2.
    assert!((permutation - 0.2).abs() < 0.015, "{permutation}");
    // Signs: the common mean is ½, so all deviations are ±½. Their means are m/2 (of four: m = −1, −½, 0, ½, 1 in 1:4:6:4:1 ways) and k/2
    // (of two: −1, 0, 1 in 1:2:1), the variances ¼(1 − m²)/3 and ¼(1 − k²).
    let mut extreme = 0.0;
    for (m, ways) in [(-1.0, 1.0), (-0.5, 4.0), (0.0, 6.0), (0.5, 4.0), (1.0, 1.0)] {
        for (k, more) in [(-1.0, 1.0), (0.0, 2.0), (1.0, 1.0)] {
            let (difference, variance): (f64, f64) = (k - m, (1.0 - m * m) / 3.0 + (1.0 - k * k));
            if difference * difference >= 9.0 * variance - 1e-9 && difference != 0.0 {
                extreme += ways * more / 64.0;
            }
        }
    }
    assert!((signs - extreme).abs() < 0.015, "{signs} {extreme}");
    assert_eq!(found.p(), permutation.max(signs));
}

#[test]
fn a_shift_is_what_it_is_to_the_data() {
    let (control, treatment) = arms(14, 9);
    let found = Resampled::new(&control, &treatment, 500, Seed(1)).unwrap();
    for shift in [-0.3, 0.05, 0.2] {
        // The treatment with all numerators lowered by shift · y has a difference of 0 where the data has one of `shift`.
        let lowered = numerators(&treatment, |unit| unit.0 - shift * unit.1);
        let direct = Resampled::new(&control, &lowered, 500, Seed(1)).unwrap();
        assert_eq!(found.difference.both(shift), direct.both(), "{shift}");
        // And with numerators times 1 + λ.
        let scaled = numerators(&treatment, |unit| unit.0 * (1.0 + shift));
        let direct = Resampled::new(&control, &scaled, 500, Seed(1)).unwrap();
        assert_eq!(found.lift.both(shift), direct.both(), "{shift}");
    }
}

#[test]
fn neither_the_order_of_rows_nor_which_arm_is_the_control_matters() {
    let (control, treatment) = arms(12, 20);
    let found = Resampled::new(&control, &treatment, 999, Seed(1)).unwrap();
    let turned = Resampled::new(&treatment, &control, 999, Seed(1)).unwrap();
    assert_eq!(found.both(), turned.both());
    let ((low, high), (turned_low, turned_high)) =
        (found.interval(0.95).unwrap().unwrap(), turned.interval(0.95).unwrap().unwrap());
    assert!((low + turned_high).abs() < 1e-8 && (high + turned_low).abs() < 1e-8);
    let reversed: Pairs = control.iter().rev().copied().collect();
    assert_eq!(Resampled::new(&reversed, &treatment, 999, Seed(1)).unwrap().both(), found.both());
}

#[test]
fn intervals_and_p_are_one_test() {
    for (own, other) in [(12, 12), (10, 25), (30, 30)] {
        let (control, treatment) = arms(own, other);
        for raise in [0.0, 0.06, 0.12, 0.3] {
            let raised = numerators(&treatment, |unit| unit.0 + raise * unit.1);
            let found = Resampled::new(&control, &raised, 999, Seed(2)).unwrap();
            let (low, high) = found.interval(0.9).unwrap().unwrap();
            let lift = found.lift_interval(0.9).unwrap();
            let rejects = found.p() < 0.1;
            assert_eq!(rejects, low > 0.0 || high < 0.0, "{own} {raise}: {low} {high}");
            assert_eq!(rejects, lift.0 > 0.0 || lift.1 < 0.0, "{own} {raise}: {lift:?}");
            let [a, b] = found.ratios.map(|ratio| ratio.value);
            assert!(low < b - a && b - a < high && lift.0 < b / a - 1.0 && b / a - 1.0 < lift.1);
            // At an end p crosses 1 − level.
            assert!(found.difference.p(high) >= 0.1 && found.difference.p(high + 1e-6) <= 0.1 + 0.02);
        }
    }
}

#[test]
fn with_many_light_users_it_is_t() {
    let (control, treatment) = arms(300, 300);
    let raised = numerators(&treatment, |unit| unit.0 + 0.02 * unit.1);
    let found = Resampled::new(&control, &raised, 9999, Seed(1)).unwrap();
    let [a, b] = found.ratios;
    let t = super::super::difference(&a, &b, 0.95).unwrap();
    assert!((found.p() - t.p).abs() < 0.015, "{} {}", found.p(), t.p);
    let (low, high) = found.interval(0.95).unwrap().unwrap();
    for (ours, theirs) in [(low, t.interval.low), (high, t.interval.high)] {
        assert!((ours - theirs).abs() < 0.06 * (t.interval.high - t.interval.low), "{ours} {theirs}");
    }
}

#[test]
fn one_user_with_half_of_all_searches_decides_nothing() {
    // 30 users a side; one of the treatment has as many searches as all others, and clicks on all of them.
    let control: Pairs = (0..30).map(|at| (f64::from(at % 3), 4.0)).collect();
    let mut treatment = control.clone();
    treatment[0] = (120.0, 120.0);
    let found = Resampled::new(&control, &treatment, 9999, Seed(1)).unwrap();
    let delta = {
        // The delta method: residuals over the sum of all searches.
        let variance = |pairs: &Pairs| {
            let (x, y) = (pairs.iter().map(|p| p.0).sum::<f64>(), pairs.iter().map(|p| p.1).sum::<f64>());
            pairs.iter().map(|p| (p.0 - x / y * p.1).powi(2)).sum::<f64>() / (y * y)
        };
        (variance(&control) + variance(&treatment)).sqrt()
    };
    let [a, b] = found.ratios.map(|ratio| ratio.value);
    assert!((b - a) / delta > 1.96, "{}", (b - a) / delta);
    assert!(found.p() > 0.2, "{}", found.p());
}

#[test]
fn what_has_no_answer() {
    let flat = vec![(1.0, 2.0); 6];
    assert_eq!(Resampled::new(&flat, &flat, 99, Seed(1)).unwrap_err(), NoAnswer::Constant);
    // Two users a side: of 6 deals at least one is as extreme, by half 1/12, so no difference is ever rejected.
    let (few, more) = (vec![(1.0, 2.0), (0.0, 3.0)], vec![(1.0, 4.0), (1.0, 2.0)]);
    let found = Resampled::new(&few, &more, 999, Seed(1)).unwrap();
    assert_eq!(found.interval(0.95).unwrap(), None);
    assert!(matches!(found.lift_interval(0.95), Err(NoAnswer::DenominatorMayBeZero { .. })));
    let none = vec![(0.0, 2.0); 3];
    assert_eq!(Resampled::new(&none, &more, 99, Seed(1)).unwrap().lift_interval(0.95), Err(NoAnswer::Constant));
}
