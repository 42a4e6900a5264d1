//! How many documents are relevant: each number with its chance, and drawing one.
//!
//! The one decision: binomial chances come from the ratio of neighbours, started at the most likely one and made to add
//! up to 1, so that plain arithmetic suffices and every machine has the same bits.

use karat_stats::seed::Stream;

use super::Relevant;

/// Numbers less likely than this share of the most likely one are left out: beyond the precision of any sum of them.
const LEAST: f64 = 1.0 / (1u128 << 80) as f64;
/// Entries of the guide, from which a search starts within a step or two of its end.
const GUIDE: usize = 256;

/// The chances of M = first, first + 1, …
#[derive(Clone, Debug)]
pub(super) struct Counts {
    first: u32,
    chances: Vec<f64>,
    /// Running sums of the chances.
    below: Vec<f64>,
    /// For each 1/256 of the unit interval, where in `below` a search for it starts.
    guide: [u32; GUIDE],
}

impl Counts {
    pub fn new(documents: u32, relevant: Relevant) -> Counts {
        match relevant {
            Relevant::Exactly(relevant) => Counts::of(relevant, vec![1.0]),
            Relevant::Share(share) if share <= 0.0 => Counts::of(0, vec![1.0]),
            Relevant::Share(share) if share >= 1.0 => Counts::of(documents, vec![1.0]),
            Relevant::Share(share) => {
                let (first, chances) = binomial(documents, share);
                Counts::of(first, chances)
            }
        }
    }

    fn of(first: u32, chances: Vec<f64>) -> Counts {
        let mut sum = 0.0;
        let mut below: Vec<f64> = Vec::with_capacity(chances.len());
        for chance in &chances {
            sum += chance;
            below.push(sum);
        }
        let start = |entry: usize| below.partition_point(|&sum| sum <= entry as f64 / GUIDE as f64) as u32;
        let guide = std::array::from_fn(start);
        Counts { first, chances, below, guide }
    }

    /// Each M with its chance.
    pub fn iter(&self) -> impl Iterator<Item = (u32, f64)> + '_ {
        (self.first..).zip(self.chances.iter().copied())
    }

    /// Draws an M: the first whose running sum exceeds a random number.
    pub fn draw(&self, stream: &mut Stream) -> u32 {
        let unit = stream.unit();
        let mut at = self.guide[(unit * GUIDE as f64) as usize] as usize;
        while at + 1 < self.below.len() && self.below[at] <= unit {
            at += 1;
        }
        // The guide may point past the end where the sums end a hair below 1.
        self.first + at.min(self.below.len() - 1) as u32
    }
}

/// Binomial(n, q) for 0 < q < 1: the first number kept, and the chances from it on.
fn binomial(n: u32, q: f64) -> (u32, Vec<f64>) {
    let odds = q / (1.0 - q);
    let mode = ((f64::from(n) + 1.0) * q).min(f64::from(n)) as u32;
    // P(k − 1) / P(k) = k / ((n − k + 1) odds), and upwards its inverse.
    let mut downwards = Vec::new();
    let (mut chance, mut k) = (1.0, mode);
    while k > 0 {
        chance *= f64::from(k) / (f64::from(n - k + 1) * odds);
        if chance < LEAST {
            break;
        }
        downwards.push(chance);
        k -= 1;
    }
    let first = mode - downwards.len() as u32;
    let mut chances: Vec<f64> = downwards.into_iter().rev().collect();
    chances.push(1.0);
    (chance, k) = (1.0, mode);
    while k < n {
        chance *= f64::from(n - k) * odds / f64::from(k + 1);
        if chance < LEAST {
            break;
        }
        chances.push(chance);
        k += 1;
    }
    let total = karat_stats::summation::compensated_sum(chances.iter().copied());
    chances.iter_mut().for_each(|chance| *chance /= total);
    (first, chances)
}

#[cfg(test)]
mod tests {
    use super::*;
    use karat_stats::Seed;
    use karat_stats::dist::binomial;

    #[test]
    fn chances_are_the_binomial_ones() {
        // Three documents with q = 1/4: 27, 27, 9 and 1 of 64.
        let small: Vec<_> = Counts::new(3, Relevant::Share(0.25)).iter().collect();
        let expected = [27.0, 27.0, 9.0, 1.0].map(|part| part / 64.0);
        assert!(small.iter().zip(expected).all(|(&(_, found), part)| (found - part).abs() < 1e-16), "{small:?}");
        // Against the distribution function, which is computed in another way.
        for (n, q) in [(100, 0.05), (100, 0.5), (1000, 0.3), (7, 0.999)] {
            let mut sum = 0.0;
            for (k, chance) in Counts::new(n, Relevant::Share(q)).iter() {
                sum += chance;
                assert!((sum - binomial::cdf(k.into(), n.into(), q).unwrap()).abs() < 1e-12, "{n} {q} {k}");
            }
        }
    }

    #[test]
    fn draws_follow_the_chances() {
        let counts = Counts::new(20, Relevant::Share(0.3));
        let mut stream = Seed(3).stream("counts", 0);
        let mut found = [0u32; 21];
        (0..200_000).for_each(|_| found[counts.draw(&mut stream) as usize] += 1);
        for (k, chance) in counts.iter() {
            // Within five standard deviations of a binomial count, and a count for the least likely.
            let sd = (200_000.0 * chance * (1.0 - chance)).sqrt();
            let expected = 200_000.0 * chance;
            assert!((f64::from(found[k as usize]) - expected).abs() < 5.0 * sd + 1.0, "{k}");
        }
    }

    #[test]
    fn certain_counts() {
        let mut stream = Seed(3).stream("counts", 1);
        for (relevant, expected) in [(Relevant::Exactly(4), 4), (Relevant::Share(0.0), 0), (Relevant::Share(1.0), 9)] {
            let counts = Counts::new(9, relevant);
            assert_eq!(counts.iter().collect::<Vec<_>>(), [(expected, 1.0)]);
            assert_eq!(counts.draw(&mut stream), expected);
        }
    }
}
