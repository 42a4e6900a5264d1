//! The only source of randomness: a number the caller chose, split into named, numbered streams.
//!
//! The one decision: replicate i of job "bootstrap" has a generator of its own, made from (seed, name, i) by arithmetic
//! written here. So the answer is the same for any number of threads, adding a job does not shift another's draws,
//! and no release of a library can change a published number.

use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Increment of SplitMix64 (Steele, Lea, Flood 2014): 2⁶⁴ over the golden ratio.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// What a random result is a function of; print it beside the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Seed(pub u64);

impl Seed {
    /// The streams of one job. Making this once and calling [`Streams::at`] saves hashing the name per replicate.
    pub fn streams(self, name: &str) -> Streams {
        Streams(mix(mix(self.0.wrapping_add(GOLDEN)) ^ fnv1a(name.as_bytes())))
    }

    /// Stream `index` of the job `name`.
    pub fn stream(self, name: &str, index: u64) -> Stream {
        self.streams(name).at(index)
    }

    /// A seed for a part of the work, as independent of the whole's streams as they are of each other.
    pub fn child(self, name: &str, index: u64) -> Seed {
        Seed(self.stream(name, index).next_u64())
    }
}

/// All streams of one named job under one seed.
#[derive(Clone, Copy, Debug)]
pub struct Streams(u64);

impl Streams {
    /// Stream number `index`. A replicate begins here, so here the work ends if it was stopped ([`karat_runtime`]): every loop over
    /// replicates can be stopped without knowing of it.
    pub fn at(self, index: u64) -> Stream {
        karat_runtime::check();
        let mut state = mix(self.0 ^ mix(index.wrapping_add(GOLDEN)));
        let mut bytes = [0; 32];
        for word in bytes.chunks_exact_mut(8) {
            state = state.wrapping_add(GOLDEN);
            word.copy_from_slice(&mix(state).to_le_bytes());
        }
        Stream(Xoshiro256PlusPlus::from_seed(bytes))
    }
}

/// A xoshiro256++ generator with the few draws karat needs, each defined here on its raw 64-bit words.
#[derive(Clone, Debug)]
pub struct Stream(Xoshiro256PlusPlus);

impl Stream {
    /// The next raw word.
    pub fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number from 0 to n − 1, each equally likely (Lemire 2019, with rejection). There is none below 0, so 0 gives 0.
    pub fn below(&mut self, n: u64) -> u64 {
        loop {
            let product = u128::from(self.next_u64()) * u128::from(n);
            let low = product as u64;
            // The exact threshold costs a division; `low ≥ n` already implies acceptance.
            if low >= n || low >= n.wrapping_neg().checked_rem(n).unwrap_or(0) {
                return (product >> 64) as u64;
            }
        }
    }

    /// Two independent numbers from 0 to n − 1 out of one raw word, for resampling; 0 gives zeros.
    /// The word is rejected whole if either half is, which keeps both even and the common path without a branch each.
    pub fn pair_below(&mut self, n: u32) -> (u32, u32) {
        loop {
            let word = self.next_u64();
            let first = u64::from(word as u32) * u64::from(n);
            let second = (word >> 32) * u64::from(n);
            let low = (first as u32).min(second as u32);
            if low >= n || low >= n.wrapping_neg().checked_rem(n).unwrap_or(0) {
                return ((first >> 32) as u32, (second >> 32) as u32);
            }
        }
    }

    /// Puts items into an order of which each is equally likely (Fisher and Yates, from the end), several draws out of one word (Lemire's
    /// multiplication, carried on with what is left of the word: Brackett-Rozinsky and Lemire 2024).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        let mut left = items.len();
        while left > 1 {
            // So many that their product stays far below 2⁶⁴ and a word is hardly ever rejected.
            let draws = match left {
                0..=0x100 => 6,
                0x101..=0x1000 => 4,
                0x1001..=0x100_0000 => 2,
                _ => 1,
            };
            let draws = draws.min(left - 1);
            let places = self.places(left as u64, draws);
            for place in &places[..draws] {
                left -= 1;
                items.swap(left, *place as usize);
            }
        }
    }

    /// Numbers below n, n − 1, ..., as many as `draws` says, at most six; all combinations are equally likely.
    #[inline]
    fn places(&mut self, n: u64, draws: usize) -> [u64; 6] {
        loop {
            let (mut places, mut rest, mut product) = ([0; 6], self.next_u64(), 1u64);
            for (place, bound) in places[..draws].iter_mut().zip((1..=n).rev()) {
                let wide = u128::from(rest) * u128::from(bound);
                (*place, rest) = ((wide >> 64) as u64, wide as u64);
                product = product.wrapping_mul(bound);
            }
            // As in `below`: the exact threshold costs a division.
            if rest >= product || rest >= product.wrapping_neg().checked_rem(product).unwrap_or(0) {
                return places;
            }
        }
    }

    /// 64 fair signs as bits, for sign-flip tests: bit i set means flip observation i.
    pub fn signs(&mut self) -> u64 {
        self.next_u64()
    }

    /// A number from 0 up to but excluding 1, a multiple of 2⁻⁵³.
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// SplitMix64's finalizer: a bijection of 64-bit words in which each input bit flips about half the output bits.
fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The 64-bit FNV-1a hash.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mixing_matches_published_values() {
        // SplitMix64 from state 0: first outputs e220a8397b1dcdaf, 6e789e6aa1b965f4 (Vigna's splitmix64.c).
        assert_eq!(mix(GOLDEN), 0xe220_a839_7b1d_cdaf);
        assert_eq!(mix(GOLDEN.wrapping_mul(2)), 0x6e78_9e6a_a1b9_65f4);
        // FNV-1a test vector: "a" hashes to af63dc4c8601ec8c (draft-eastlake-fnv, appendix C).
        assert_eq!(fnv1a(b"a"), 0xaf63_dc4c_8601_ec8c);
    }

    #[test]
    fn pinned_for_stability() {
        // Not derived: these are what this code gave when it was written. If one changes, every published random result does.
        let mut stream = Seed(42).stream("bootstrap", 0);
        assert_eq!([stream.next_u64(), stream.next_u64()], [3_943_484_937_540_263_531, 12_703_777_763_110_592_832]);
        assert_eq!([stream.below(1000), stream.below(10)], [438, 9]);
        assert_eq!([stream.pair_below(50), stream.pair_below(1000)], [(49, 45), (270, 173)]);
        assert_eq!(Seed(42).stream("bootstrap", 1).signs(), 7_467_893_855_957_411_109);
        assert_eq!(Seed(42).child("study", 3), Seed(5_840_106_745_737_561_071));
    }

    #[test]
    fn streams_differ_by_seed_name_and_index() {
        let first = |seed, name, index| Seed(seed).stream(name, index).next_u64();
        let draws = [
            first(1, "a", 0),
            first(2, "a", 0),
            first(1, "b", 0),
            first(1, "a", 1),
            Seed(1).child("a", 0).stream("a", 0).next_u64(),
        ];
        for (i, a) in draws.iter().enumerate() {
            assert!(draws[i + 1..].iter().all(|b| a != b));
        }
    }

    #[test]
    fn below_is_even_and_in_range() {
        // 60 000 draws of 6: each expected 10 000, sd √(60000·5/36) ≈ 91; 5 sd = 456.
        let mut counts = [[0; 6]; 2];
        let mut stream = Seed(7).stream("dice", 0);
        (0..60_000).for_each(|_| counts[0][stream.below(6) as usize] += 1);
        for _ in 0..30_000 {
            let (first, second) = stream.pair_below(6);
            counts[1][first as usize] += 1;
            counts[1][second as usize] += 1;
        }
        assert!(counts.iter().flatten().all(|&count: &i32| (count - 10_000).abs() < 456), "{counts:?}");
        assert_eq!(stream.below(1), 0);
        assert_eq!((stream.below(0), stream.pair_below(0)), (0, (0, 0)));
    }

    #[test]
    fn a_shuffle_gives_every_order_alike() {
        // 24 000 shuffles of four: each of 24 orders expected 1000 times, sd √(24000·23/576) ≈ 31; 5 sd = 155.
        let mut counts = std::collections::BTreeMap::new();
        let mut stream = Seed(7).stream("shuffle", 0);
        for _ in 0..24_000 {
            let mut items = [0, 1, 2, 3];
            stream.shuffle(&mut items);
            *counts.entry(items).or_insert(0i32) += 1;
        }
        assert!(counts.len() == 24 && counts.values().all(|count| (count - 1000).abs() < 155), "{counts:?}");
        // Every place of a long list is reached by every item alike, through each number of draws a word: the mean place of item 0
        // of n is (n − 1)/2, its sd n/√12/√shuffles.
        for (n, shuffles) in [(100, 4000), (300, 4000), (5000, 400)] {
            let mut places = 0;
            for _ in 0..shuffles {
                let mut items: Vec<usize> = (0..n).collect();
                stream.shuffle(&mut items);
                places += items.iter().position(|item| *item == 0).unwrap();
                items.sort_unstable();
                assert!(items.into_iter().eq(0..n));
            }
            let (mean, sd) = (places as f64 / f64::from(shuffles), n as f64 / (12.0 * f64::from(shuffles)).sqrt());
            assert!((mean - (n as f64 - 1.0) / 2.0).abs() < 5.0 * sd, "{n}: {mean}");
        }
        let mut none: [u8; 0] = [];
        stream.shuffle(&mut none);
    }

    #[test]
    fn a_large_range_rejects_instead_of_favouring() {
        // n = 3·2⁶² rejects a quarter of words; without rejection, values ≡ 0 mod 3 would come twice as often.
        let mut stream = Seed(7).stream("large", 0);
        let n = 3 << 62;
        let thirds = (0..30_000).filter(|_| stream.below(n).is_multiple_of(3)).count();
        // Expected 10 000, sd √(30000·2/9) ≈ 82; 5 sd = 408.
        assert!(thirds.abs_diff(10_000) < 408, "{thirds}");
        // The same for halves of a word, n = 3·2³⁰: of 15 000 pairs.
        let pairs = (0..15_000).map(|_| stream.pair_below(3 << 30));
        let thirds: usize =
            pairs.map(|(a, b)| usize::from(a.is_multiple_of(3)) + usize::from(b.is_multiple_of(3))).sum();
        assert!(thirds.abs_diff(10_000) < 408, "{thirds}");
    }

    #[test]
    fn unit_stays_below_one() {
        let mut stream = Seed(3).stream("unit", 0);
        let draws: Vec<f64> = (0..10_000).map(|_| stream.unit()).collect();
        assert!(draws.iter().all(|u| (0.0..1.0).contains(u)));
        // Mean ½, sd of the mean √(1/12/10000) ≈ 0.0029.
        assert!((draws.iter().sum::<f64>() / 10_000.0 - 0.5).abs() < 0.0145);
    }
}
