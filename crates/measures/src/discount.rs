//! The logarithmic discount log2(rank + 1), from a table: a thousand ranks a topic make the logarithm a hot spot.

use std::borrow::Cow;
use std::sync::LazyLock;

/// log2(3), for worked examples: the discount of rank 2.
pub(crate) const LOG2_3: f64 = 1.584_962_500_721_156;

const TABLED: usize = 1024;

static TABLE: LazyLock<[f64; TABLED]> = LazyLock::new(|| std::array::from_fn(|rank| libm::log2((rank + 1) as f64)));

/// The sum of 1/log2(rank + 1) over the first so many ranks.
static SUMS: LazyLock<[f64; TABLED]> = LazyLock::new(|| {
    let mut sum = 0.0;
    std::array::from_fn(|ranks| {
        sum += if ranks == 0 { 0.0 } else { 1.0 / TABLE[ranks] };
        sum
    })
});

/// Discounts by rank.
#[derive(Debug, Clone, Copy)]
pub struct Discounts(&'static [f64; TABLED]);

impl Discounts {
    /// Fetched once per topic, not once per rank.
    #[inline]
    pub fn get() -> Discounts {
        Discounts(&TABLE)
    }

    /// log2(rank + 1) for ranks from 1.
    #[inline]
    pub fn at(self, rank: usize) -> f64 {
        if rank < TABLED { self.0[rank] } else { libm::log2((rank + 1) as f64) }
    }

    /// Sums of 1/discount over the first ranks, from none to at least so many; from the table where that is enough.
    pub fn sums(self, longest: usize) -> Cow<'static, [f64]> {
        if longest < TABLED {
            return Cow::Borrowed(&*SUMS);
        }
        let mut sum = 0.0;
        let sums = (0..=longest).map(|rank| {
            sum += if rank == 0 { 0.0 } else { 1.0 / self.at(rank) };
            sum
        });
        Cow::Owned(sums.collect())
    }
}
