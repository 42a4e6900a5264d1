//! Tests of all pairs of many systems, and rank sets, on worlds with a known truth. One cell per call, one line of JSON; `tools/many_runs` asks
//! for all of them and writes docs/many-runs-measured.md.
//!
//! ```text
//! level KIND SYSTEMS TOPICS WORLDS        share of worlds with any false finding, by method
//! forms KIND SYSTEMS TOPICS WORLDS        the same for two ways of studentising
//! power KIND SYSTEMS TOPICS WORLDS        share of true differences found, and of worlds with a finding the wrong way round
//! baseline KIND SYSTEMS TOPICS WORLDS     level and power where each system is compared with the first only
//! weak WORLDS                             what five weak, noisy systems do to the adjusted p of the others
//! ranks KIND SYSTEMS TOPICS WORLDS STEP   how often rank sets hold, systems STEP apart
//! mixed KIND SYSTEMS TOPICS WORLDS STEP   the same where skews differ, and how often max-T finds a pair the wrong way round
//! ```
#![allow(clippy::print_stdout, reason = "an example prints")]

mod methods;
mod ranks;
mod worlds;

use std::error::Error;

use karat_runtime::jobs;
use methods::{LEVEL, METHODS, adjusted, rejected_by_form, t};
use worlds::{Kind, NULL_LEAD, World, all_pairs, scores};

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let line = match words[..] {
        ["level", kind, systems, topics, worlds] => {
            let (world, worlds) = (World::new(kind, systems, topics)?, worlds.parse()?);
            json(&METHODS.into_iter().zip(level(&world, &all_pairs(world.systems), worlds)).collect::<Vec<_>>())
        }
        ["baseline", kind, systems, topics, worlds] => baseline(&World::new(kind, systems, topics)?, worlds.parse()?),
        ["forms", kind, systems, topics, worlds] => forms(&World::new(kind, systems, topics)?, worlds.parse()?),
        ["power", kind, systems, topics, worlds] => {
            let (world, worlds) = (World::new(kind, systems, topics)?, worlds.parse()?);
            let shares = power(&world, &all_pairs(world.systems), worlds);
            json(&METHODS.into_iter().chain(["max_t, wrong way"]).zip(shares).collect::<Vec<_>>())
        }
        ["weak", worlds] => weak(worlds.parse()?),
        ["ranks", kind, systems, topics, worlds, step] => {
            ranks::coverage(&World::new(kind, systems, topics)?, worlds.parse()?, step.parse()?)
        }
        ["mixed", kind, systems, topics, worlds, step] => {
            ranks::mixed(&World::new(kind, systems, topics)?, worlds.parse()?, step.parse()?)
        }
        _ => return Err("say level, forms, power, weak, ranks or mixed, and its numbers".into()),
    };
    println!("{line}");
    Ok(())
}

/// Numbers by name, as JSON.
pub fn json(numbers: &[(&str, f64)]) -> String {
    let fields: Vec<String> = numbers.iter().map(|(name, number)| format!("\"{name}\": {number}")).collect();
    format!("{{{}}}", fields.join(", "))
}

/// The mean over worlds of so many numbers each.
fn mean_over<const N: usize>(worlds: usize, one: impl Fn(u64) -> [f64; N] + Sync) -> [f64; N] {
    let found = jobs::in_order(worlds, 1, |world| one(world as u64));
    let mut sums = [0.0; N];
    found.iter().for_each(|one| sums.iter_mut().zip(one).for_each(|(sum, number)| *sum += number));
    sums.map(|sum| sum / worlds as f64)
}

/// Any finding among pairs that are equal.
fn level(world: &World, pairs: &[(usize, usize)], worlds: usize) -> [f64; 5] {
    let lead = if matches!(world.kind, Kind::Half) { NULL_LEAD } else { 0.0 };
    let mean = |system: usize| if system.is_multiple_of(2) { lead } else { 0.0 };
    mean_over(worlds, |index| {
        let systems = world.draw("level", index, mean);
        adjusted(&systems, pairs, index).map(|p| {
            let mut equal = pairs.iter().zip(&p).filter(|((a, b), _)| mean(*a) == mean(*b));
            f64::from(u8::from(equal.any(|(_, p)| *p <= LEVEL)))
        })
    })
}

/// The level of the two forms of the largest t.
fn forms(world: &World, worlds: usize) -> String {
    let shares = mean_over(worlds, |index| {
        let systems = world.draw("forms", index, |_| 0.0);
        rejected_by_form(&systems, &all_pairs(world.systems), index).map(|any| f64::from(u8::from(any)))
    });
    json(&[("error made anew", shares[0]), ("error as observed", shares[1])])
}

/// True differences found by each method, and how often max-T finds one the wrong way round. Systems are .1 apart (ten of them), or .1 times 10 / systems.
fn power(world: &World, pairs: &[(usize, usize)], worlds: usize) -> [f64; 6] {
    let mean = |system: usize| system as f64 / world.systems as f64;
    mean_over(worlds, |index| {
        let systems = world.draw("power", index, mean);
        let means: Vec<f64> = systems.iter().map(|scores| scores.iter().sum::<f64>()).collect();
        let [max_t, single, holm_t, flips, tukey] = adjusted(&systems, pairs, index);
        let count = |p: &[f64], right: bool| {
            // The second of a pair is truly better.
            let found = pairs.iter().zip(p).filter(|((a, b), p)| **p <= LEVEL && (means[*b] > means[*a]) == right);
            found.count()
        };
        let share = |p: &[f64]| count(p, true) as f64 / pairs.len() as f64;
        let wrong = f64::from(u8::from(count(&max_t, false) > 0));
        [share(&max_t), share(&single), share(&holm_t), share(&flips), share(&tukey), wrong]
    })
}

/// Each system against the first: false findings where all are equal, and true differences found.
fn baseline(world: &World, worlds: usize) -> String {
    let pairs: Vec<(usize, usize)> = (1..world.systems).map(|other| (0, other)).collect();
    let [wrong, _, _, wrong_by_holm, _] = level(world, &pairs, worlds);
    let [found, _, _, found_by_holm, ..] = power(world, &pairs, worlds);
    json(&[("max_t, false", wrong), ("Holm, false", wrong_by_holm), ("max_t", found), ("Holm", found_by_holm)])
}

/// A pair's p by max-T, by Tukey's test and by itself, and the pairs that Holm's rule multiplies its own p by, before and after.
struct Weakened {
    max_t: (f64, f64),
    tukey: (f64, f64),
    holm: f64,
}

/// Ten systems .1 apart, then five more, 2 below them and four times as noisy: by how much the adjusted p of the ten's pairs grow. Pairs whose max-T p was
/// from .001 to .5 before. Holm's factor is taken before p is cut at 1: the p that are not smaller than the pair's own (by t), after over before.
fn weak(worlds: usize) -> String {
    let found = jobs::in_order(worlds, 1, |world| weaken(world as u64));
    let found: Vec<Weakened> = found.into_iter().flatten().collect();
    let ratio = |of: &dyn Fn(&Weakened) -> f64, share: f64| {
        let mut ratios: Vec<f64> = found.iter().map(of).collect();
        ratios.sort_unstable_by(f64::total_cmp);
        ratios[(share * (ratios.len() - 1) as f64) as usize]
    };
    let max_t = |one: &Weakened| one.max_t.1 / one.max_t.0;
    let tukey = |one: &Weakened| one.tukey.1 / one.tukey.0;
    let over_holm = |one: &Weakened| max_t(one) / one.holm;
    let share = |limit: f64| found.iter().filter(|one| over_holm(one) > limit).count() as f64 / found.len() as f64;
    json(&[
        ("pairs", found.len() as f64),
        ("max_t, median", ratio(&max_t, 0.5)),
        ("max_t, 95%", ratio(&max_t, 0.95)),
        ("Holm, median", ratio(&|one| one.holm, 0.5)),
        ("Holm, 95%", ratio(&|one| one.holm, 0.95)),
        ("Tukey, median", ratio(&tukey, 0.5)),
        ("Tukey, 95%", ratio(&tukey, 0.95)),
        ("max_t over Holm, median", ratio(&over_holm, 0.5)),
        ("max_t over Holm, 95%", ratio(&over_holm, 0.95)),
        ("max_t over Holm, largest", ratio(&over_holm, 1.0)),
        ("max_t above Holm", share(1.0)),
        ("max_t 10% above Holm", share(1.1)),
    ])
}

fn weaken(world: u64) -> Vec<Weakened> {
    let mut stream = karat_stats::Seed(5).stream("weak", world);
    let systems = scores(Kind::Equal, 10, 50, &mut stream, |system| system as f64 * 0.1);
    let noisy = scores(Kind::Equal, 5, 50, &mut stream, |_| -0.5);
    let more = noisy.into_iter().map(|scores| scores.into_iter().map(|score| 4.0 * score).collect());
    let all: Vec<Vec<f64>> = systems.iter().cloned().chain(more).collect();
    let (few, many) = (all_pairs(10), all_pairs(15));
    let (before, after) = (adjusted(&systems, &few, world), adjusted(&all, &many, world));
    let (own, own_of_all) = (t(&systems, &few), t(&all, &many));
    let not_smaller = |p: &[f64], than: f64| p.iter().filter(|p| **p >= than).count() as f64;
    let one = |(at, pair): (usize, &(usize, usize))| {
        let there = many.iter().position(|other| other == pair)?;
        let of = |method: usize| (before[method][at], after[method][there]);
        let holm = not_smaller(&own_of_all, own_of_all[there]) / not_smaller(&own, own[at]);
        (0.001..=0.5).contains(&before[0][at]).then(|| Weakened { max_t: of(0), tukey: of(4), holm })
    };
    few.iter().enumerate().filter_map(one).collect()
}
