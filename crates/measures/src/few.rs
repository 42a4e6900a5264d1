//! A list that is nearly always short: on the stack while it is, so that a topic costs no allocation.

use std::ops::{Deref, DerefMut};

/// Up to `N` things in place, more on the heap.
#[derive(Debug, Clone)]
pub(crate) struct Few<T, const N: usize> {
    short: [T; N],
    len: usize,
    /// All of them, once they are more than `N`.
    long: Vec<T>,
}

impl<T: Copy + Default, const N: usize> Few<T, N> {
    /// None.
    #[inline]
    pub(crate) fn new() -> Self {
        Few { short: [T::default(); N], len: 0, long: Vec::new() }
    }

    /// One more.
    #[inline]
    pub(crate) fn push(&mut self, item: T) {
        if self.len < N {
            self.short[self.len] = item;
            self.len += 1;
        } else {
            if self.long.is_empty() {
                self.long.extend_from_slice(&self.short);
            }
            self.long.push(item);
        }
    }
}

impl<T, const N: usize> Deref for Few<T, N> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        if self.long.is_empty() { &self.short[..self.len] } else { &self.long }
    }
}

impl<T, const N: usize> DerefMut for Few<T, N> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        if self.long.is_empty() { &mut self.short[..self.len] } else { &mut self.long }
    }
}

#[cfg(test)]
mod tests {
    use super::Few;

    #[test]
    fn short_and_long_ones_hold_what_was_pushed() {
        let mut few = Few::<usize, 3>::new();
        assert!(few.is_empty() && few.last_mut().is_none());
        for count in 0..9 {
            few.push(count);
            assert_eq!(*few, *(0..=count).collect::<Vec<_>>());
            *few.last_mut().unwrap() += 1;
            *few.last_mut().unwrap() -= 1;
        }
    }
}
