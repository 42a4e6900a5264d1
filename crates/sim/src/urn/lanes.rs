//! Sixteen rankings drawn in lockstep.
//!
//! The one decision: arrays of lanes and no branch in a draw, so that the compiler makes it vector instructions; a lane is
//! one ranking with a generator of its own. A draw compares u (M − c_b + w (N − M − c_w)) with M − c_b instead of dividing.
//! Counts, chances and v are 32-bit floats: counts are exact, chances are right to 2⁻²⁴, v to about 10⁻⁶ of itself, all far
//! below what any affordable number of draws shows.

use karat_stats::seed::Stream;

/// Rankings drawn together.
pub(super) const LANES: usize = 16;

/// One number per ranking.
pub(super) type Lanes<T> = [T; LANES];

/// A xoshiro128+ generator per lane (Blackman and Vigna 2018); only its upper bits are used, the lower ones are weaker.
#[derive(Clone, Debug)]
pub(super) struct Generators {
    state: [Lanes<u32>; 4],
}

impl Generators {
    /// Generators that start where the stream says.
    pub fn from_stream(stream: &mut Stream) -> Generators {
        Generators { state: std::array::from_fn(|_| std::array::from_fn(|_| (stream.next_u64() >> 32) as u32)) }
    }
}

/// What an urn's rankings share: documents, w, and what each rank adds if it is relevant.
#[derive(Clone, Debug)]
pub(super) struct Kernel {
    documents: f32,
    weight: f32,
    rank_weights: Vec<f32>,
}

impl Kernel {
    pub fn new(documents: u32, weight: f64, rank_weights: &[f64]) -> Kernel {
        let rank_weights = rank_weights.iter().map(|&weight| weight as f32).collect();
        Kernel { documents: documents as f32, weight: weight as f32, rank_weights }
    }

    /// Draws a ranking in each lane from urns of `relevant` documents, and returns what they add up to.
    pub fn draw(&self, relevant: &Lanes<f32>, generators: &mut Generators) -> Lanes<f32> {
        let [mut a, mut b, mut c, mut d] = generators.state;
        let mut relevant_left = *relevant;
        let mut sum = [0.0f32; LANES];
        let mut left = self.documents;
        for &rank_weight in &self.rank_weights {
            for lane in 0..LANES {
                let word = a[lane].wrapping_add(d[lane]);
                let shifted = b[lane] << 9;
                c[lane] ^= a[lane];
                d[lane] ^= b[lane];
                b[lane] ^= c[lane];
                a[lane] ^= d[lane];
                c[lane] ^= shifted;
                d[lane] = d[lane].rotate_left(11);
                // A signed conversion is one instruction; 24 bits fit either way.
                let unit = (word >> 8) as i32 as f32 * (1.0 / (1u32 << 24) as f32);
                let others_left = left - relevant_left[lane];
                let all_left = relevant_left[lane] + self.weight * others_left;
                // All ones where relevant: a mask, because a branch would end the lockstep.
                let hit = u32::from(unit * all_left < relevant_left[lane]).wrapping_neg();
                relevant_left[lane] -= f32::from_bits(hit & 1.0f32.to_bits());
                sum[lane] += f32::from_bits(hit & rank_weight.to_bits());
            }
            left -= 1.0;
        }
        generators.state = [a, b, c, d];
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::urn::Urn;
    use karat_stats::Seed;

    #[test]
    fn the_generator_is_xoshiro128_plus() {
        // From state 1, 2, 3, 4 by hand: c = 3^1 = 2, d = 4^2 = 6, b = 2^2 = 0, a = 1^6 = 7, then c = 2 ^ (2<<9) = 1026 and
        // d = 6<<11 = 12288.
        let mut generators = Generators { state: [[1; LANES], [2; LANES], [3; LANES], [4; LANES]] };
        let kernel = Kernel::new(2, 1.0, &[1.0]);
        kernel.draw(&[1.0; LANES], &mut generators);
        assert_eq!(generators.state.map(|lanes| lanes[0]), [7, 0, 1026, 12288]);
    }

    #[test]
    fn every_relevant_document_is_drawn_and_no_other() {
        // With weight 1 for each rank, a whole ranking adds up to M exactly, whatever w is.
        let mut generators = Generators::from_stream(&mut Seed(1).stream("lanes", 0));
        let relevant: Lanes<f32> = std::array::from_fn(|lane| lane as f32 * 3.0);
        for weight in [1e-6, 0.05, 1.0, 1000.0] {
            let kernel = Kernel::new(50, weight, &[1.0; 50]);
            for _ in 0..200 {
                assert_eq!(kernel.draw(&relevant, &mut generators), relevant);
            }
        }
    }

    #[test]
    fn each_rank_is_relevant_as_often_as_it_should_be() {
        // Rank by rank against the exact chances: 16 · 5 000 rankings, five standard errors.
        let urn = Urn::new(30, 8, 0.2).unwrap();
        let mut generators = Generators::from_stream(&mut Seed(2).stream("lanes", 0));
        for (rank, chance) in urn.relevance_by_rank(30).into_iter().enumerate() {
            let mut only_here = vec![0.0; rank];
            only_here.push(1.0);
            let kernel = Kernel::new(30, 0.2, &only_here);
            let hits: f32 = (0..5_000).flat_map(|_| kernel.draw(&[8.0; LANES], &mut generators)).sum();
            let share = f64::from(hits) / 80_000.0;
            assert!(
                (share - chance).abs() < 5.0 * (chance * (1.0 - chance) / 80_000.0).sqrt(),
                "{rank} {share} {chance}"
            );
        }
    }
}
