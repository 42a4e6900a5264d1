//! Groups of systems that do not differ, as letters: two systems share a letter exactly if they do not differ.
//!
//! The one decision: insert and absorb (Piepho 2004). One group of all is split by each pair that differs, and a group within another is
//! dropped; what is left are the largest groups without a pair that differs.

use std::fmt;

/// Most groups; a matrix that needs more is no matrix to print.
const MOST: usize = 10_000;

/// The groups of each thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Groups {
    /// Members of each group, ascending; groups in the order of their first members.
    members: Vec<Vec<usize>>,
    things: usize,
}

/// More groups than can be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyGroups;

impl fmt::Display for TooManyGroups {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the pairs that differ need more than {MOST} groups; read the table of pairs instead")
    }
}

impl std::error::Error for TooManyGroups {}

impl Groups {
    /// Groups of things 0 to n − 1, of which `differs` says whether two differ. Give them best first: letters follow that order.
    ///
    /// # Errors
    /// More than ten thousand groups are needed.
    pub fn new(things: usize, differs: impl Fn(usize, usize) -> bool) -> Result<Groups, TooManyGroups> {
        let mut groups = vec![Set::all(things)];
        for b in 1..things {
            for a in (0..b).filter(|&a| differs(a, b)) {
                split(&mut groups, a, b);
                if groups.len() > MOST {
                    return Err(TooManyGroups);
                }
            }
        }
        let mut members: Vec<Vec<usize>> =
            groups.iter().map(|group| (0..things).filter(|&thing| group.has(thing)).collect()).collect();
        members.sort_unstable();
        members.retain(|group| !group.is_empty());
        Ok(Groups { members, things })
    }

    /// Members of each group.
    pub fn members(&self) -> &[Vec<usize>] {
        &self.members
    }

    /// The letters of each thing. Up to 26 groups they stand side by side; beyond, where one name may take two letters, they are
    /// separated by blanks.
    pub fn letters(&self) -> Vec<String> {
        let mut letters = vec![String::new(); self.things];
        for (group, members) in self.members.iter().enumerate() {
            for &member in members {
                let of = &mut letters[member];
                if self.members.len() > 26 && !of.is_empty() {
                    of.push(' ');
                }
                of.push_str(&name(group));
            }
        }
        letters
    }
}

/// a to z, aa to az, ba ...: the columns of a spreadsheet.
pub fn name(group: usize) -> String {
    let (before, last) = (group / 26, (b'a' + (group % 26) as u8) as char);
    if before == 0 { last.to_string() } else { name(before - 1) + &last.to_string() }
}

/// Every group with both a and b becomes one without a and one without b.
fn split(groups: &mut Vec<Set>, a: usize, b: usize) {
    let (with, mut rest): (Vec<Set>, Vec<Set>) = groups.drain(..).partition(|group| group.has(a) && group.has(b));
    let halves = |gone: usize| with.iter().map(move |group| group.without(gone));
    let new: Vec<Set> = halves(a).chain(halves(b)).collect();
    // Groups that were not split are within none of each other, and no new one contains one of them (it would have contained it before).
    for (place, group) in new.iter().enumerate() {
        let within = |other: &Set| group.within(other);
        let absorbed = rest.iter().any(within)
            || new.iter().enumerate().any(|(at, other)| at != place && within(other) && (group != other || at < place));
        if !absorbed {
            rest.push(group.clone());
        }
    }
    *groups = rest;
}

/// A set of small numbers, one bit each.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Set(Vec<u64>);

impl Set {
    fn all(things: usize) -> Set {
        let mut set = Set(vec![0; things.div_ceil(64)]);
        (0..things).for_each(|thing| set.0[thing / 64] |= 1 << (thing % 64));
        set
    }

    fn has(&self, thing: usize) -> bool {
        self.0[thing / 64] >> (thing % 64) & 1 == 1
    }

    fn without(&self, thing: usize) -> Set {
        let mut set = self.clone();
        set.0[thing / 64] &= !(1 << (thing % 64));
        set
    }

    fn within(&self, other: &Set) -> bool {
        self.0.iter().zip(&other.0).all(|(mine, theirs)| mine & !theirs == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_chain_by_hand() {
        // 1, 2, 3, 4 where only neighbours are alike: 12, 23, 34, so a, ab, bc, c.
        let groups = Groups::new(4, |a, b| a.abs_diff(b) > 1).unwrap();
        assert_eq!(groups.members(), [vec![0, 1], vec![1, 2], vec![2, 3]]);
        assert_eq!(groups.letters(), ["a", "ab", "bc", "c"]);
        assert_eq!(Groups::new(3, |_, _| false).unwrap().letters(), ["a", "a", "a"]);
        assert_eq!(Groups::new(3, |_, _| true).unwrap().letters(), ["a", "b", "c"]);
        assert!(Groups::new(0, |_, _| true).unwrap().letters().is_empty());
    }

    #[test]
    fn beyond_twenty_six() {
        assert_eq!([0, 25, 26, 27, 51, 52, 701, 702].map(name), ["a", "z", "aa", "ab", "az", "ba", "zz", "aaa"]);
        let letters = Groups::new(28, |a, b| a.abs_diff(b) > 1).unwrap().letters();
        assert_eq!((&letters[0][..], &letters[26][..], &letters[27][..]), ("a", "z aa", "aa"));
    }

    #[test]
    fn a_matrix_that_needs_too_many_groups_is_refused() {
        // Fifteen pairs of rivals: one of each, 2^15 groups.
        assert_eq!(Groups::new(30, |a, b| a / 2 == b / 2), Err(TooManyGroups));
    }

    proptest! {
        #[test]
        fn sharing_a_letter_is_not_differing(n in 1usize..12, bits in any::<u128>()) {
            let differs = |a: usize, b: usize| {
                let (low, high) = (a.min(b), a.max(b));
                bits >> (high * (high - 1) / 2 + low) & 1 == 1
            };
            let groups = Groups::new(n, differs).unwrap();
            for b in 1..n {
                for a in 0..b {
                    let share = groups.members().iter().any(|group| group.contains(&a) && group.contains(&b));
                    prop_assert_eq!(share, !differs(a, b));
                }
            }
            // Everyone has a letter, and no group is within another.
            prop_assert!((0..n).all(|thing| groups.members().iter().any(|group| group.contains(&thing))));
            for (place, group) in groups.members().iter().enumerate() {
                for (other_place, other) in groups.members().iter().enumerate() {
                    prop_assert!(place == other_place || !group.iter().all(|thing| other.contains(thing)));
                }
            }
        }
    }
}
