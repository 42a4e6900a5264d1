//! Names kept once each: a file repeats its topics, tags and often its documents on every row.

use crate::hash;

/// Names and their numbers.
#[derive(Debug, Clone, Default)]
pub struct Names {
    /// All names, one after another.
    bytes: Vec<u8>,
    /// Where each ends.
    ends: Vec<usize>,
    /// Numbers by the hash of their name ([`hash::probe`]).
    slots: Vec<u32>,
}

impl Names {
    /// The number of a name, which is kept if it is new.
    pub fn number(&mut self, name: &[u8]) -> u32 {
        if 2 * (self.len() + 1) > self.slots.len() {
            self.grow();
        }
        match hash::probe(&self.slots, hash::of(name), |at| self.at(at) == name) {
            Ok(known) => known as u32,
            Err(free) => {
                self.bytes.extend_from_slice(name);
                self.ends.push(self.bytes.len());
                self.slots[free] = self.ends.len() as u32;
                self.ends.len() as u32 - 1
            }
        }
    }

    /// Gives back what only finding names needs; it is made again when a name is looked for.
    pub fn rest(&mut self) {
        self.slots = Vec::new();
        self.bytes.shrink_to_fit();
        self.ends.shrink_to_fit();
    }

    /// Twice the slots.
    fn grow(&mut self) {
        let mut slots = vec![0; hash::slots_for(self.len() + 1) * 2];
        for at in 0..self.len() {
            // No name is there twice, so that none is the one looked for.
            if let Err(free) = hash::probe(&slots, hash::of(self.at(at)), |_| false) {
                slots[free] = at as u32 + 1;
            }
        }
        self.slots = slots;
    }

    fn at(&self, number: usize) -> &[u8] {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.bytes[start..self.ends[number]]
    }

    /// The name with this number.
    pub fn name(&self, number: u32) -> &[u8] {
        if (number as usize) < self.len() { self.at(number as usize) } else { &[] }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_keeps_its_number() {
        let mut names = Names::default();
        let text = |number: u32| format!("name {}", number * 7);
        for number in 0..5000 {
            assert_eq!(names.number(text(number).as_bytes()), number);
        }
        names.rest();
        assert_eq!((names.number(b""), names.number(b""), names.len()), (5000, 5000, 5001));
        for number in 0..5000 {
            assert_eq!((names.number(text(number).as_bytes()), names.name(number)), (number, text(number).as_bytes()));
        }
        assert_eq!((names.name(5000), names.name(5001)), (&b""[..], &b""[..]));
    }
}
