use super::*;
use crate::Seed;
use crate::dist::{binomial, normal};

fn terms(pairs: &[(f64, f64)]) -> Vec<Term> {
    pairs.iter().map(|&(weight, probability)| Term::new(weight, probability).unwrap()).collect()
}

/// What unjudged ranks add to RBP: (1 − p) pⁱ⁻¹ with probability q.
fn rbp(persistence: f64, ranks: std::ops::RangeInclusive<i32>, probability: f64) -> Vec<Term> {
    ranks.map(|rank| Term::new((1.0 - persistence) * persistence.powi(rank - 1), probability).unwrap()).collect()
}

/// P(sum ≤ x) by going through all 2ⁿ answers.
fn brute_force(terms: &[Term], x: f64) -> f64 {
    let mut found = 0.0;
    for answers in 0u32..1 << terms.len() {
        let (mut sum, mut chance) = (0.0, 1.0);
        for (place, term) in terms.iter().enumerate() {
            let yes = answers >> place & 1 == 1;
            sum += if yes { term.weight } else { 0.0 };
            chance *= if yes { term.probability } else { 1.0 - term.probability };
        }
        found += if sum <= x { chance } else { 0.0 };
    }
    found
}

#[test]
fn three_terms_by_hand() {
    // Weights 1, 2, 4 with 1/2, 1/4, 1/2: mean .5 + .5 + 2 = 3, variance 1/4 + 4·3/16 + 16/4 = 5. The sums are 0 to 7 with
    // .1875 .1875 .0625 .0625 (without the 4) and the same again from 4 on.
    let sum = BernoulliSum::new(&terms(&[(1.0, 0.5), (2.0, 0.25), (4.0, 0.5)]));
    assert_eq!((sum.mean(), sum.variance(), sum.least(), sum.greatest()), (3.0, 5.0, 0.0, 7.0));
    assert!(sum.is_enumerated());
    let below = [0.1875, 0.375, 0.4375, 0.5, 0.6875, 0.875, 0.9375, 1.0];
    for (x, expected) in below.into_iter().enumerate() {
        let found = sum.cdf(x as f64).unwrap();
        assert_eq!(found.value, expected);
        assert!(found.low <= expected && expected <= found.high);
        assert_eq!(sum.cdf(x as f64 + 0.5).unwrap().value, expected);
        // The least x with that much below it is x itself.
        assert_eq!(sum.quantile(expected.min(0.99)).unwrap().value, x as f64);
    }
    assert_eq!(sum.cdf(-0.5).unwrap(), Enclosed { value: 0.0, low: 0.0, high: 0.0 });
    assert_eq!(sum.cdf(8.0).unwrap().low, 1.0);
}

#[test]
fn certain_and_impossible_terms_only_move_it() {
    // 5 surely, 3 never, 1 in half the cases.
    let sum = BernoulliSum::new(&terms(&[(5.0, 1.0), (3.0, 0.0), (1.0, 0.5)]));
    assert_eq!((sum.least(), sum.greatest(), sum.mean(), sum.variance()), (5.0, 6.0, 5.5, 0.25));
    assert_eq!((sum.cdf(4.9).unwrap().high, sum.cdf(5.0).unwrap().value), (0.0, 0.5));
    let nothing = BernoulliSum::new(&[]);
    assert_eq!((nothing.cdf(0.0).unwrap().low, nothing.quantile(0.3).unwrap().value), (1.0, 0.0));
}

#[test]
fn equal_weights_are_binomial() {
    // Forty yes-or-no's of weight .1 with .3: the binomial distribution, although 2⁴⁰ answers could not be gone through.
    let sum = BernoulliSum::new(&terms(&[(0.1, 0.3); 40]));
    assert!(sum.is_enumerated());
    for successes in 0..=40u32 {
        let expected = binomial::cdf(successes.into(), 40, 0.3).unwrap();
        assert!((sum.cdf(f64::from(successes) * 0.1).unwrap().value - expected).abs() < 1e-13);
    }
}

#[test]
fn both_ways_agree_with_all_answers() {
    // Fifteen weights of no pattern: enumerated exactly, and enclosed by the grid.
    let mut stream = Seed(11).stream("weights", 0);
    let some: Vec<Term> = (0..15).map(|_| Term::new(stream.unit(), stream.unit()).unwrap()).collect();
    let exact = BernoulliSum::new(&some);
    assert!(exact.is_enumerated());
    let mut ascending = some.clone();
    ascending.sort_by(|a, b| a.weight.total_cmp(&b.weight));
    let gridded = BernoulliSum { stand_in: grid::convolve(&ascending, grid::WORK), ..exact.clone() };
    assert!(!gridded.is_enumerated() && gridded.error_bound().0 < 1e-5 * exact.greatest());
    for part in 0..=10 {
        let x = exact.greatest() * f64::from(part) / 10.0 + 1e-4;
        let expected = brute_force(&some, x);
        assert!((exact.cdf(x).unwrap().value - expected).abs() < 1e-12);
        let found = gridded.cdf(x).unwrap();
        assert!(found.low <= expected + 1e-12 && expected - 1e-12 <= found.high, "{found:?} {expected}");
        assert!(found.high - found.low < 1e-2);
    }
    for p in [0.001, 0.025, 0.3, 0.5, 0.9, 0.975] {
        let (expected, found) = (exact.quantile(p).unwrap(), gridded.quantile(p).unwrap());
        assert!(expected.high - expected.low < 1e-12, "{expected:?}");
        assert!(found.low <= expected.value && expected.value <= found.high, "{found:?} {expected:?}");
        assert!(found.high - found.low < 1e-3);
    }
}

#[test]
fn park_2016_moments() {
    // p = .8, ranks 11 to 100: E[v] = q (p¹⁰ − p¹⁰⁰) and, Σ p^(2(i−1)) being geometric, Var(v) = (1−p)² q(1−q) (p²⁰ − p²⁰⁰)/(1 − p²).
    let printed =
        [(0.05, 0.005369, 0.007801), (0.2, 0.021475, 0.014317), (0.35, 0.037581, 0.017071), (0.5, 0.053687, 0.017896)];
    for (q, expected_mean, expected_sd) in printed {
        let v = rbp(0.8, 11..=100, q);
        assert!((mean(&v) - expected_mean).abs() < 5e-7 && (variance(&v).sqrt() - expected_sd).abs() < 5e-7);
        assert!((mean(&v) - q * (0.8f64.powi(10) - 0.8f64.powi(100))).abs() < 1e-16);
    }
}

#[test]
fn half_and_half_of_persistence_one_half_is_uniform() {
    // p = .5, q = .5: the ranks are binary digits, so v over ranks 1 to 40 is uniform on multiples of 2⁻⁴⁰. On a grid of
    // 2²¹ points most of that is noise below the step; the distribution must still be uniform within its bound.
    let sum = BernoulliSum::new(&rbp(0.5, 1..=40, 0.5));
    assert!(!sum.is_enumerated());
    assert!(sum.error_bound().0 < 2e-6 && sum.error_bound().1 < 2e-9, "{:?}", sum.error_bound());
    for x in [0.1, 0.25, 1.0 / 3.0, 0.5, 0.9] {
        let found = sum.cdf(x).unwrap();
        assert!(found.low <= x + 1e-12 && x <= found.high && found.high - found.low < 1e-5, "{x} {found:?}");
        let quantile = sum.quantile(x).unwrap();
        assert!(quantile.low <= x && x <= quantile.high + 1e-12, "{x} {quantile:?}");
    }
}

#[test]
fn thousands_of_terms_cost_no_more_and_none_is_lost() {
    // 20 000 ranks of p = .99: the grid holds the first thousands; the rest is in the mean and in the bound.
    let all = rbp(0.99, 1..=20_000, 0.3);
    let sum = BernoulliSum::new(&all);
    assert!((sum.mean() - 0.3 * (1.0 - 0.99f64.powi(20_000))).abs() < 1e-12);
    let sd = sum.variance().sqrt();
    assert!(sum.error_bound().0 < 0.01 * sd, "{:?} {sd}", sum.error_bound());
    // So many terms of like size are near Normal: at the mean ± 1.96 sd within a percent.
    for (z, p) in [(-1.959964, 0.025), (0.0, 0.5), (1.959964, 0.975)] {
        assert!((sum.cdf(sum.mean() + z * sd).unwrap().value - p).abs() < 0.01);
        assert!((sum.quantile(p).unwrap().value - (sum.mean() + normal::quantile(p).unwrap() * sd)).abs() < 0.05 * sd);
    }
}

#[test]
fn refusals() {
    for (weight, probability) in [(-1.0, 0.5), (f64::NAN, 0.5), (f64::INFINITY, 0.5), (1.0, 1.5), (1.0, f64::NAN)] {
        assert!(Term::new(weight, probability).is_err());
    }
    let sum = BernoulliSum::new(&terms(&[(1.0, 0.5)]));
    assert!(sum.cdf(f64::NAN).is_err() && sum.quantile(0.0).is_err() && sum.quantile(1.0).is_err());
}
