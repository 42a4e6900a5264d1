//! The draws: random signs of topics, and the largest u over pairs under each.
//!
//! The one decision: a signed sum is made once per system, and kept as a 32-bit number, of which twice as many pass through the processor at
//! once. A pair that differs by much less than its systems vary would lose digits so; it gets a sum of its own differences.

use karat_runtime::jobs;

use crate::seed::Seed;
use crate::test::sign_flip::drawn_sums;

/// Draws that share a stream: the unit of work of a thread.
const PIECE: u32 = 4096;

/// Draws of all systems that a core's own cache holds: 128 systems take 128 KiB.
const AT_ONCE: usize = 256;

type Block = [f32; AT_ONCE];

/// Pairs that pass together, so that the largest so far is read and written once for all of them.
const TOGETHER: usize = 4;

/// From so many times smaller than its systems' scores on, a pair's differences get a sum of their own.
const NARROW: f64 = 100.0;

/// What u may be off by for numbers as large as the differences: four times the rounding of a 32-bit number.
pub(super) const ROUNDING: f64 = 2.4e-7;

/// A pair of systems, with what was seen of it.
pub(super) struct Member {
    pub pair: (usize, usize),
    /// Σ (e_a − e_b)².
    pub squares: f64,
    /// |t| on the scale of the draws.
    pub u: f64,
}

/// A pair, as the draws need it.
#[derive(Clone, Copy)]
struct Step {
    /// The places of two sums.
    sums: (usize, usize),
    weight: f32,
    /// From here on the largest u counts against the pair.
    above: f32,
}

/// A step that raises nothing and counts nothing.
const NO_STEP: Step = Step { sums: (0, 0), weight: 0.0, above: f32::INFINITY };

/// Systems and pairs, ready for the draws.
pub(super) struct Family {
    /// What is summed up: systems, a system of zeros, and the differences of narrow pairs.
    summed: Vec<Vec<f64>>,
    steps: Vec<[Step; TOGETHER]>,
}

impl Family {
    /// Systems around their means, and pairs from the smallest u to the largest.
    pub fn new(systems: &[Vec<f64>], members: &[Member]) -> Family {
        let largest = systems.iter().flatten().fold(f64::MIN_POSITIVE, |most, e| most.max(e.abs()));
        let n = systems.first().map_or(0, Vec::len) as f64;
        let roots: Vec<f64> = systems.iter().map(|system| squares(system).sqrt()).collect();
        // A sum is at most n then, however large the scores are.
        let mut summed: Vec<Vec<f64>> =
            systems.iter().map(|system| system.iter().map(|e| e / largest).collect()).collect();
        let zeros = summed.len();
        summed.push(vec![0.0; n as usize]);
        let step = |&Member { pair: (a, b), squares, u }: &Member| {
            let root = squares.sqrt();
            let ratio = (roots[a] + roots[b]) / root;
            if ratio <= NARROW {
                let weight = (largest / (n.sqrt() * root)) as f32;
                return Step { sums: (a, b), weight, above: (u - ROUNDING * (1.0 + ratio)) as f32 };
            }
            summed.push(systems[a].iter().zip(&systems[b]).map(|(a, b)| (a - b) / root).collect());
            let weight = (1.0 / n.sqrt()) as f32;
            Step { sums: (summed.len() - 1, zeros), weight, above: (u - 2.0 * ROUNDING) as f32 }
        };
        let steps: Vec<Step> = members.iter().map(step).collect();
        let steps = steps
            .chunks(TOGETHER)
            .map(|some| std::array::from_fn(|at| some.get(at).copied().unwrap_or(NO_STEP)))
            .collect();
        Family { summed, steps }
    }

    /// How often the largest u among each pair and those before it counts against it, in the order of the pairs, and the largest of all draw by
    /// draw. The same for any number of threads.
    pub fn draw(&self, draws: u32, seed: Seed, threads: usize) -> (Vec<u32>, Vec<f64>) {
        let pieces = jobs::pieces(draws, PIECE);
        let streams = seed.streams("max_t");
        let by_piece = jobs::in_order(pieces.len(), threads, |piece| {
            let sums = |values: &Vec<f64>| blocks(&drawn_sums(values, pieces[piece], streams.at(piece as u64)));
            let sums: Vec<Vec<Block>> = self.summed.iter().map(sums).collect();
            let mut counts = vec![[0u32; TOGETHER]; self.steps.len()];
            let mut maxima = Vec::with_capacity(pieces[piece] as usize);
            // A few draws at a time, so that the sums of all systems stay in the cache while the pairs pass.
            let of_block = |(a, b): (usize, usize), block: usize| (&sums[a][block], &sums[b][block]);
            for block in 0..(pieces[piece] as usize).div_ceil(AT_ONCE) {
                let mut most = [0.0; AT_ONCE];
                for (counts, steps) in counts.iter_mut().zip(&self.steps) {
                    let found = pass(steps, steps.map(|step| of_block(step.sums, block)), &mut most);
                    counts.iter_mut().zip(found).for_each(|(count, more)| *count += more);
                }
                maxima.extend(most.map(f64::from));
            }
            maxima.truncate(pieces[piece] as usize);
            (counts, maxima)
        });
        let (mut counts, mut maxima) = (vec![0u32; TOGETHER * self.steps.len()], Vec::with_capacity(draws as usize));
        for (some, most) in by_piece {
            counts.iter_mut().zip(some.as_flattened()).for_each(|(all, count)| *all += count);
            maxima.extend(most);
        }
        // What fills up the last block of a piece is 0 everywhere, and counts where nothing was seen.
        counts.iter_mut().for_each(|count| *count = (*count).min(draws));
        (counts, maxima)
    }
}

/// Raises the largest u so far to those of some pairs, one after the other, draw by draw; how many then count against each.
fn pass(steps: &[Step; TOGETHER], sums: [(&Block, &Block); TOGETHER], most: &mut Block) -> [u32; TOGETHER] {
    let mut counts = [0u32; TOGETHER];
    for (at, most) in most.iter_mut().enumerate() {
        let mut so_far = *most;
        for ((step, (a, b)), count) in steps.iter().zip(sums).zip(&mut counts) {
            let u = (a[at] - b[at]).abs() * step.weight;
            so_far = if u > so_far { u } else { so_far };
            *count += u32::from(so_far >= step.above);
        }
        *most = so_far;
    }
    counts
}

fn squares(values: &[f64]) -> f64 {
    values.iter().map(|value| value * value).sum()
}

/// In blocks of one size, the last filled up with zeros.
fn blocks(sums: &[f64]) -> Vec<Block> {
    let block = |some: &[f64]| {
        let mut block = [0.0; AT_ONCE];
        block.iter_mut().zip(some).for_each(|(narrow, sum)| *narrow = *sum as f32);
        block
    };
    sums.chunks(AT_ONCE).map(block).collect()
}
