//! Systems with known means.

use std::error::Error;

use karat_stats::Seed;
use karat_stats::dist::normal;
use karat_stats::seed::Stream;

/// How scores vary. A topic is easy or hard for all systems alike; what follows is the rest, of standard deviation 1.
#[derive(Clone, Copy)]
pub enum Kind {
    /// Normal.
    Equal,
    /// Normal; every fifth system varies four times as much.
    Spread,
    /// Exponential, to the right.
    Skewed,
    /// Exponential, to the right and to the left by turns: differences are skewed too.
    BothWays,
    /// Rare topics at which a system is much worse, or by turns much better, than elsewhere: a tenth of them.
    Rare,
    /// Normal, in groups of five that share nine tenths of their variance.
    Groups,
    /// Reciprocal ranks: 0, .2, .5 and 1, correlated .7 (normal copula).
    Reciprocal,
    /// Normal; every second system is better than the others.
    Half,
}

/// How much better, in standard deviations.
pub const NULL_LEAD: f64 = 1.0;

/// Many systems on many topics.
pub struct World {
    pub kind: Kind,
    pub systems: usize,
    pub topics: usize,
    name: String,
}

impl World {
    pub fn new(kind: &str, systems: &str, topics: &str) -> Result<World, Box<dyn Error>> {
        let name = format!("{kind} {systems} {topics}");
        let kind = match kind {
            "equal" => Kind::Equal,
            "spread" => Kind::Spread,
            "skewed" => Kind::Skewed,
            "both_ways" => Kind::BothWays,
            "groups" => Kind::Groups,
            "reciprocal" => Kind::Reciprocal,
            "half" => Kind::Half,
            "rare" => Kind::Rare,
            _ => return Err("no such kind of world".into()),
        };
        Ok(World { kind, systems: systems.parse()?, topics: topics.parse()?, name })
    }

    /// World number `index` of a part; each system has its mean.
    pub fn draw(&self, part: &str, index: u64, mean: impl Fn(usize) -> f64) -> Vec<Vec<f64>> {
        let mut stream = Seed(19).stream(&format!("{part} {}", self.name), index);
        scores(self.kind, self.systems, self.topics, &mut stream, mean)
    }
}

/// Every pair once.
pub fn all_pairs(systems: usize) -> Vec<(usize, usize)> {
    (0..systems).flat_map(|a| (a + 1..systems).map(move |b| (a, b))).collect()
}

fn deviate(stream: &mut Stream) -> f64 {
    normal::quantile(stream.unit() + 1e-17).unwrap_or(0.0)
}

/// Scores by system.
pub fn scores(
    kind: Kind,
    systems: usize,
    topics: usize,
    stream: &mut Stream,
    mean: impl Fn(usize) -> f64,
) -> Vec<Vec<f64>> {
    let mut scores = vec![Vec::with_capacity(topics); systems];
    for _ in 0..topics {
        let topic = deviate(stream);
        let groups: Vec<f64> = (0..systems.div_ceil(5)).map(|_| deviate(stream)).collect();
        for (system, scores) in scores.iter_mut().enumerate() {
            let rest = match kind {
                Kind::Equal | Kind::Half => deviate(stream),
                Kind::Spread if system.is_multiple_of(5) => 4.0 * deviate(stream),
                Kind::Spread => deviate(stream),
                Kind::Skewed => exponential(stream),
                Kind::BothWays if system.is_multiple_of(2) => exponential(stream),
                Kind::BothWays => -exponential(stream),
                Kind::Rare if system.is_multiple_of(2) => rare_loss(stream),
                Kind::Rare => -rare_loss(stream),
                Kind::Groups => 0.9f64.sqrt() * groups[system / 5] + 0.1f64.sqrt() * deviate(stream),
                Kind::Reciprocal => {
                    let p = normal::cdf(0.7f64.sqrt() * topic + 0.3f64.sqrt() * deviate(stream)).unwrap_or(0.5);
                    // Shares .2, .2, .2 and .4.
                    let value = [0.0, 0.2, 0.5, 1.0, 1.0][((p * 5.0) as usize).min(4)];
                    scores.push(value + mean(system));
                    continue;
                }
            };
            scores.push(topic + rest + mean(system));
        }
    }
    scores
}

/// Mean 0, standard deviation 1, skewed to the right.
fn exponential(stream: &mut Stream) -> f64 {
    -libm::log(1.0 - stream.unit()) - 1.0
}

/// Mean 0, standard deviation 1: a tenth of the time far below, else a little above, with a normal rest of standard deviation .3.
fn rare_loss(stream: &mut Stream) -> f64 {
    let (rare, rest) = (stream.unit() < 0.1, 0.3 * deviate(stream));
    // .1 · 9x = .9 · x; variance .1 · 81 x² + .9 x² = 9x², which with .3² makes 1.
    let often = (0.91f64 / 9.0).sqrt();
    if rare { rest - 9.0 * often } else { rest + often }
}
