//! The one hash of names (topics, docnos) and the one open-addressing probe over it.
//!
//! The seed is drawn once per process, so that no file can be made whose names all fall into one slot. Nothing depends on
//! it: no one iterates over a table; it only answers "have I seen this name, and where".

use std::hash::{BuildHasher, Hasher};
use std::sync::LazyLock;

use foldhash::fast::FixedState;

static SEEDED: LazyLock<FixedState> =
    LazyLock::new(|| FixedState::with_seed(std::hash::RandomState::new().hash_one("names")));

/// Hash of a name.
#[inline]
pub fn of(bytes: &[u8]) -> u64 {
    Names::get().hash(bytes)
}

/// Hashes names, for those who have many: fetched once, not once a name.
#[derive(Clone, Copy)]
pub struct Names(&'static FixedState);

impl Names {
    /// With the process's seed.
    #[inline]
    pub fn get() -> Names {
        Names(&SEEDED)
    }

    /// As [`of`].
    #[inline]
    pub fn hash(self, bytes: &[u8]) -> u64 {
        let mut hasher = self.0.build_hasher();
        hasher.write(bytes);
        hasher.finish()
    }
}

/// Hash of some numbers that stand for something together.
#[inline]
pub fn of_words<const N: usize>(words: [u64; N]) -> u64 {
    let mut hasher = SEEDED.build_hasher();
    words.into_iter().for_each(|word| hasher.write_u64(word));
    hasher.finish()
}

/// Slots of a table for `len` names: a power of two with at least half of it free.
#[inline]
pub fn slots_for(len: usize) -> usize {
    (len * 2).next_power_of_two().max(2)
}

/// Looks for a name in `slots` (0 = free, otherwise index + 1). `same(index)` says whether the name at that index is
/// the one looked for. Returns the index found, or the free slot where the name belongs.
#[inline]
pub fn probe(slots: &[u32], hash: u64, mut same: impl FnMut(usize) -> bool) -> Result<usize, usize> {
    let mask = slots.len() - 1;
    let mut at = hash as usize & mask;
    loop {
        match slots[at] {
            0 => return Err(at),
            stored if same(stored as usize - 1) => return Ok(stored as usize - 1),
            _ => at = (at + 1) & mask,
        }
    }
}
