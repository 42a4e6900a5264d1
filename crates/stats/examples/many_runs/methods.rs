//! The ways of testing all pairs, next to each other.

use karat_stats::correction::HOLM;
use karat_stats::max_t::MaxT;
use karat_stats::test::{self, Alternative, Settings, sign_flip};
use karat_stats::tukey::RandomisedTukey;
use karat_stats::two_way::TwoWay;
use karat_stats::{Sample, Seed};

pub const LEVEL: f64 = 0.05;
/// As `karat compare` does max-T, step by step and never below a pair's own p; in one step; Holm's rule on t and on sign flips; randomised Tukey.
pub const METHODS: [&str; 5] = ["max_t", "max_t, single step", "Holm, t", "Holm, sign flips", "Tukey"];

/// Draws of max-T and of sign flips: so many that Holm's rule on 435 pairs can reach 5%.
pub const DRAWS: u32 = 9_999;
/// Draws of Tukey's test.
const SHUFFLES: u32 = 499;

/// Adjusted p of every pair by every method; in one step only whether it is below the level (0) or not (1). A pair without a test has p = 1.
pub fn adjusted(systems: &[Vec<f64>], pairs: &[(usize, usize)], seed: u64) -> [Vec<f64>; 5] {
    let seed = Seed(seed);
    let nothing = || vec![1.0; pairs.len()];
    let Ok(table) = TwoWay::new(systems) else { return [(); 5].map(|()| nothing()) };
    let flips = flips(systems, pairs, seed);
    let max_t = MaxT::new(&table, pairs, DRAWS, seed, 1);
    let steps = (0..pairs.len()).map(|place| max_t.as_ref().ok()?.p(place).ok());
    let steps: Vec<f64> = steps.zip(&flips).map(|(p, own)| p.map_or(1.0, |p| p.max(*own))).collect();
    let intervals = max_t.as_ref().ok().and_then(|test| test.intervals(LEVEL));
    let excludes = |interval: Option<(f64, f64)>| interval.is_some_and(|(low, high)| low > 0.0 || high < 0.0);
    let single = intervals.map(|all| all.into_iter().map(|one| f64::from(u8::from(!excludes(one)))).collect());
    let tukey = RandomisedTukey::new(&table, SHUFFLES, seed, 1);
    let tukey = tukey.map(|test| pairs.iter().map(|&(a, b)| test.p(a, b)).collect());
    let holm = |p: &[f64]| HOLM.adjust(p).unwrap_or_else(|_| nothing());
    let t = holm(&t(systems, pairs));
    [steps, single.unwrap_or_else(nothing), t, holm(&flips), tukey.unwrap_or_else(|_| nothing())]
}

/// p of the sign-flip test, pair by pair; drawn where all signs could be counted too, which takes longer here.
fn flips(systems: &[Vec<f64>], pairs: &[(usize, usize)], seed: Seed) -> Vec<f64> {
    if systems[0].len() <= sign_flip::EXACT_TO {
        let p = |&(a, b): &(usize, usize)| {
            let values: Vec<f64> = systems[a].iter().zip(&systems[b]).map(|(a, b)| a - b).collect();
            let extreme = sign_flip::drawn(&values, values.iter().sum(), Alternative::TwoSided, DRAWS, seed, 1);
            f64::from(extreme + 1) / f64::from(DRAWS + 1)
        };
        return pairs.iter().map(p).collect();
    }
    let settings = Settings { permutations: DRAWS, seed, ..Settings::default() };
    let found = test::find("randomization").and_then(|row| row.run_pairs(systems, pairs, &settings));
    found.unwrap_or_default().into_iter().map(|found| found.map_or(1.0, |found| found.p)).collect()
}

/// p of the paired t test, pair by pair.
pub fn t(systems: &[Vec<f64>], pairs: &[(usize, usize)]) -> Vec<f64> {
    let Some(row) = test::find("t") else { return Vec::new() };
    let p = |&(a, b): &(usize, usize)| {
        let values: Vec<f64> = systems[a].iter().zip(&systems[b]).map(|(a, b)| a - b).collect();
        let found =
            Sample::new(&values).ok().map(|sample| row.run(&sample, Alternative::TwoSided, &Settings::default()));
        found.and_then(Result::ok).map_or(1.0, |found| found.p)
    };
    pairs.iter().map(p).collect()
}

/// Whether any pair of equal systems is found by max-T in one step, with the standard error made anew under every choice of signs, and with the one that was observed.
/// Both from one set of draws, literally: nothing shared with the library.
pub fn rejected_by_form(systems: &[Vec<f64>], pairs: &[(usize, usize)], seed: u64) -> [bool; 2] {
    const DRAWS: usize = 499;
    let n = systems[0].len();
    let differences: Vec<Vec<f64>> =
        pairs.iter().map(|&(a, b)| systems[a].iter().zip(&systems[b]).map(|(a, b)| a - b).collect()).collect();
    let moments: Vec<(f64, f64)> = differences.iter().map(|values| moments(values)).collect();
    let t = |(mean, variance): &(f64, f64)| mean.abs() / (variance / n as f64).sqrt();
    let largest = moments.iter().map(t).fold(0.0f64, f64::max);
    let mut stream = Seed(seed).stream("forms", 0);
    let mut reached = [0usize; 2];
    for _ in 0..DRAWS {
        let signs: Vec<f64> = (0..n).map(|_| if stream.below(2) == 0 { 1.0 } else { -1.0 }).collect();
        let mut most = [0.0f64; 2];
        for (values, (mean, variance)) in differences.iter().zip(&moments) {
            let turned: Vec<f64> = values.iter().zip(&signs).map(|(value, sign)| sign * (value - mean)).collect();
            let anew = self::moments(&turned);
            most[0] = most[0].max(t(&anew));
            most[1] = most[1].max(t(&(anew.0, *variance)));
        }
        reached.iter_mut().zip(most).for_each(|(count, most)| *count += usize::from(most >= largest));
    }
    reached.map(|count| (count + 1) as f64 / (DRAWS + 1) as f64 <= LEVEL)
}

fn moments(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    (mean, values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / (n - 1.0))
}
