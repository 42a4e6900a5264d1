//! Worlds in which a run leads on most topics and loses much on few, so that the mean difference is 0: every verdict is false.

use std::error::Error;

use karat_runtime::jobs;
use karat_stats::dist::normal;
use karat_stats::rare_losses::{largest_loss, rare_losses};
use karat_stats::seed::Stream;
use karat_stats::test::{self, Alternative, Settings};
use karat_stats::{Sample, Seed, interval};

/// Draws of the deciding test: with 999, p = 49/1000 is below .05.
pub const DRAWS: u32 = 999;

/// Scores of two runs on a topic.
pub type Scores = (f64, f64);

/// What is said of two runs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Said {
    /// The randomisation test and the t interval decide.
    pub decided: bool,
    /// A note warns of rare large losses.
    pub warned: bool,
    /// The bounded test decides.
    pub bounded: bool,
}

/// What karat says of scores from 0 to 1. Equal differences have no interval and so no verdict.
pub fn say(scores: &[Scores], seed: Seed) -> Said {
    let differences: Vec<f64> = scores.iter().map(|(a, b)| a - b).collect();
    let Ok(sample) = Sample::new(&differences) else { return Said::default() };
    let settings = Settings { permutations: DRAWS, seed, ..Settings::default() };
    let p = |name: &str| {
        let found = test::find(name).and_then(|row| row.run(&sample, Alternative::TwoSided, &settings).ok());
        found.map_or(1.0, |found| found.p)
    };
    if interval::is_constant(&sample) {
        return Said { bounded: p("bounded") < 0.05, ..Said::default() };
    }
    let excludes = interval::t(&sample, 0.95).is_ok_and(|found| !found.contains(0.0));
    let decided = excludes && p("randomization") < 0.05;
    let trailing = |of: fn(&Scores) -> f64| scores.iter().map(of).sum::<f64>() / scores.len() as f64;
    let other = trailing(|scores| scores.0).min(trailing(|scores| scores.1));
    let warned = decided && rare_losses(&sample, largest_loss(other, 1.0)).is_some();
    Said { decided, warned, bounded: p("bounded") < 0.05 }
}

/// A world: a share of topics on which the leader loses so much, what it gains on the others, and how much that varies.
struct World {
    share: f64,
    gain: f64,
    loss: f64,
    noise: f64,
}

const WORLDS: [World; 9] = [
    World { share: 0.1, gain: 0.1, loss: 0.9, noise: 0.0 },
    World { share: 0.1, gain: 0.1, loss: 0.9, noise: 0.02 },
    World { share: 0.1, gain: 0.1, loss: 0.9, noise: 0.05 },
    World { share: 0.1, gain: 0.1, loss: 0.9, noise: 0.1 },
    World { share: 0.1, gain: 0.1, loss: 0.9, noise: 0.2 },
    World { share: 0.05, gain: 0.05, loss: 0.95, noise: 0.03 },
    World { share: 0.2, gain: 0.15, loss: 0.6, noise: 0.05 },
    World { share: 0.2, gain: 0.15, loss: 0.6, noise: 0.1 },
    World { share: 0.1, gain: 0.05, loss: 0.45, noise: 0.03 },
];

impl World {
    /// The other run scores anything up to what it may lose to the leader; on the rare topics it scores the loss, and the leader nothing.
    fn draw(&self, stream: &mut Stream) -> Scores {
        if stream.unit() < self.share {
            return (0.0, self.loss);
        }
        let other = (1.0 - self.gain) * stream.unit();
        let deviate = normal::quantile(stream.unit() + 1e-17).unwrap_or(0.0);
        // Not cut at 0 and 1, so that the mean is exactly what the world says; the range of differences is kept.
        (other + self.gain + self.noise * deviate.clamp(-4.0, 4.0), other)
    }
}

/// The table.
pub fn of_worlds(samples: usize, threads: usize) -> Result<(), Box<dyn Error>> {
    println!(
        "| rare topics | there | elsewhere | topics | false verdicts % | without a warning % | bounded test % |\n|---|---|---|---|---|---|---|"
    );
    for (place, world) in WORLDS.iter().enumerate() {
        for n in [10, 15, 25, 50] {
            let found = jobs::in_order(samples, threads, |index| {
                let seed = Seed(3).child("losses", (place * 100 + n) as u64);
                let mut stream = seed.stream("topics", index as u64);
                let scores: Vec<Scores> = (0..n).map(|_| world.draw(&mut stream)).collect();
                say(&scores, seed.child("test", index as u64))
            });
            let share = |of: &dyn Fn(&Said) -> bool| {
                100.0 * found.iter().filter(|said| of(said)).count() as f64 / samples as f64
            };
            println!(
                "| {:.0}% | −{} | +{} ± {} | {n} | {:.1} | {:.1} | {:.1} |",
                100.0 * world.share,
                world.loss,
                world.gain,
                world.noise,
                share(&|said| said.decided),
                share(&|said| said.decided && !said.warned),
                share(&|said| said.bounded)
            );
        }
    }
    Ok(())
}
