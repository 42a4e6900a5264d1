//! Gates with a margin at their boundary: a run that is worse by exactly the margin, so that every pass is false; and the same run without a
//! difference, so that every pass is right.

use std::error::Error;

use karat_analysis::compare::margin::show;
use karat_runtime::jobs;
use karat_stats::Seed;
use karat_stats::dist::normal;
use karat_stats::seed::Stream;
use karat_stats::test::Settings;

/// Draws of the deciding test: with 999, p = 49/1000 is below .05.
const DRAWS: u32 = 999;

/// A world: a share of topics on which the run loses so much, how much the others vary, and the margin.
struct World {
    share: f64,
    loss: f64,
    noise: f64,
    margin: f64,
}

const WORLDS: [World; 10] = [
    World { share: 0.0, loss: 0.0, noise: 0.1, margin: 0.05 },
    World { share: 0.0, loss: 0.0, noise: 0.2, margin: 0.05 },
    World { share: 0.0625, loss: 0.8, noise: 0.08, margin: 0.05 },
    World { share: 0.1, loss: 0.5, noise: 0.08, margin: 0.05 },
    World { share: 0.05, loss: 1.0, noise: 0.0, margin: 0.05 },
    World { share: 0.1, loss: 0.5, noise: 0.0, margin: 0.05 },
    World { share: 0.2, loss: 0.5, noise: 0.1, margin: 0.05 },
    World { share: 0.02, loss: 1.0, noise: 0.0, margin: 0.02 },
    World { share: 0.05, loss: 0.8, noise: 0.07, margin: 0.04 },
    World { share: 0.03, loss: 0.8, noise: 0.06, margin: 0.024 },
];

impl World {
    /// A lead, where the mean lead is to be this much: rare losses, and on the other topics what makes up for them, with noise cut at two standard
    /// deviations.
    fn draw(&self, mean: f64, stream: &mut Stream) -> f64 {
        let rare = stream.unit() < self.share;
        let deviate = normal::quantile(stream.unit() + 1e-17).unwrap_or(0.0).clamp(-2.0, 2.0);
        let others = (mean + self.share * self.loss) / (1.0 - self.share);
        if rare { 0.0 - self.loss } else { others + self.noise * deviate }
    }

    /// Whether a gate passes, and whether without a warning. Scores are from 0 to 1.
    fn pass(&self, mean: f64, n: usize, seed: Seed) -> (bool, bool) {
        let mut stream = seed.stream("topics", 0);
        let leads: Vec<f64> = (0..n).map(|_| self.draw(mean, &mut stream)).collect();
        let settings = Settings { permutations: DRAWS, seed, threads: 1, ..Settings::default() };
        let shown = show(&leads, self.margin, (1.0, 0.0), (0.05, &settings));
        (shown.significant, shown.significant && !shown.warned)
    }

    fn name(&self) -> String {
        let rare = if self.share > 0.0 {
            format!("{}% | −{}", (10_000.0 * self.share).round() / 100.0, self.loss)
        } else {
            "none | ".into()
        };
        format!("{rare} | ± {} | {}", self.noise, self.margin)
    }
}

/// The table.
pub fn of_worlds(samples: usize, threads: usize) -> Result<(), Box<dyn Error>> {
    println!(
        "| rare | loss | elsewhere | margin | topics | false | silent | right |\n|---|---|---|---|---|---|---|---|"
    );
    for (place, world) in WORLDS.iter().enumerate() {
        for n in [10, 24, 25, 50, 100, 200] {
            let seed = Seed(7).child("gates", (place * 1000 + n) as u64);
            let passes = |mean: f64, part: &str| {
                let found =
                    jobs::in_order(samples, threads, |index| world.pass(mean, n, seed.child(part, index as u64)));
                let share = |of: fn(&(bool, bool)) -> bool| {
                    100.0 * found.iter().filter(|found| of(found)).count() as f64 / samples as f64
                };
                (share(|found| found.0), share(|found| found.1))
            };
            let ((wrong, silent), (right, _)) = (passes(0.0 - world.margin, "boundary"), passes(0.0, "equal"));
            println!("| {} | {n} | {wrong:.1} | {silent:.1} | {right:.1} |", world.name());
        }
    }
    Ok(())
}
