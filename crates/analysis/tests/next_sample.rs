//! A seeded slice of what the example next_worlds measures: a random share of `next` gives unbiased estimates.
#![allow(clippy::unwrap_used)]

#[path = "../examples/next_worlds/sample.rs"]
mod sample;
#[allow(dead_code, reason = "the example has more worlds")]
#[path = "../examples/verdict_worlds/worlds.rs"]
mod worlds;

use karat_stats::Seed;
use sample::{Choice, estimates};
use worlds::WORLDS;

/// Chosen documents count as certain: without the share at random, or with wrong probabilities, estimates of the hardest world are off by .1.
#[test]
fn estimates_from_a_random_share_are_unbiased() {
    let world = WORLDS.iter().find(|world| world.name == "hardest").unwrap();
    let choices = [Choice { count: 80, random: 40 }];
    let errors: Vec<f64> = (0..40)
        .map(|number| {
            let seed = Seed(7).child("world", number);
            estimates(&world.draw(50, 10, seed), "P@10", &choices, seed).unwrap()[0].error
        })
        .collect();
    let count = errors.len() as f64;
    let mean = errors.iter().sum::<f64>() / count;
    let std_error = (errors.iter().map(|error| (error - mean).powi(2)).sum::<f64>() / (count - 1.0) / count).sqrt();
    // Three standard errors: by chance once in 370 seeds.
    assert!(mean.abs() < 3.0 * std_error && std_error < 0.01, "{mean} ± {std_error}");
}
