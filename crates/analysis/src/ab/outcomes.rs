//! What interleaved searches came to, added up by user.

use std::cmp::Ordering;
use std::collections::BTreeMap;

/// What came of one search, or of several that were counted together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Outcome {
    /// Searches won by a.
    pub wins_a: u64,
    /// Searches won by b.
    pub wins_b: u64,
    /// Searches with as many clicks on both.
    pub ties: u64,
    /// Searches without any click; they are not ties.
    pub without: u64,
}

impl Outcome {
    /// By the clicks on each ranking's documents.
    pub fn from_clicks(a: f64, b: f64) -> Outcome {
        let none = Outcome::default();
        match a.total_cmp(&b) {
            _ if a == 0.0 && b == 0.0 => Outcome { without: 1, ..none },
            Ordering::Greater => Outcome { wins_a: 1, ..none },
            Ordering::Less => Outcome { wins_b: 1, ..none },
            Ordering::Equal => Outcome { ties: 1, ..none },
        }
    }

    /// Sums stop at the end of the type; [`Outcomes::searches`] lets the reader refuse long before.
    fn add(&mut self, other: &Outcome) {
        self.wins_a = self.wins_a.saturating_add(other.wins_a);
        self.wins_b = self.wins_b.saturating_add(other.wins_b);
        self.ties = self.ties.saturating_add(other.ties);
        self.without = self.without.saturating_add(other.without);
    }

    pub(super) fn searches(&self) -> u64 {
        self.wins_a.saturating_add(self.wins_b).saturating_add(self.ties).saturating_add(self.without)
    }

    /// Whether two accounts of one search name different winners. A search without clicks may be called a tie.
    fn contradicts(&self, other: &Outcome) -> bool {
        self != other && !(self.ties > 0 && other.without > 0)
    }

    /// Wins of b minus wins of a.
    pub(super) fn margin(&self) -> f64 {
        self.wins_b as f64 - self.wins_a as f64
    }
}

/// All searches, and those of each user.
#[derive(Debug, Clone, Default)]
pub struct Outcomes {
    pub(super) all: Outcome,
    pub(super) equal_lengths: Outcome,
    /// Searches in which one ranking was longer.
    pub(super) unequal: u64,
    /// Whether lengths are known.
    pub(super) lengths: bool,
    /// Rows whose winner is not the ranking with more clicks, and the line of the first.
    pub(super) contradicted: Option<(u64, u64)>,
    /// Of each user all searches, and those with lists of equal length.
    pub(super) users: BTreeMap<Vec<u8>, (Outcome, Outcome)>,
}

impl Outcomes {
    /// Searches so far.
    pub fn searches(&self) -> u64 {
        self.all.searches()
    }

    /// Counts a row whose named winner is not the ranking with more clicks.
    pub fn compare(&mut self, line: u64, named: &Outcome, clicked: &Outcome) {
        if named.contradicts(clicked) {
            self.contradicted.get_or_insert((0, line)).0 += 1;
        }
    }

    /// One row: its user, and whether both rankings were as long, where these are known.
    pub fn add(&mut self, outcome: Outcome, user: Option<&[u8]>, equal: Option<bool>) {
        self.all.add(&outcome);
        self.lengths |= equal.is_some();
        let equal = equal.unwrap_or(true);
        self.unequal = self.unequal.saturating_add(if equal { 0 } else { outcome.searches() });
        if equal {
            self.equal_lengths.add(&outcome);
        }
        if let Some(user) = user {
            let own = match self.users.get_mut(user) {
                Some(own) => own,
                None => self.users.entry(user.to_vec()).or_default(),
            };
            own.0.add(&outcome);
            if equal {
                own.1.add(&outcome);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_clicks_win_and_no_click_is_no_tie() {
        assert_eq!(Outcome::from_clicks(2.0, 1.0), Outcome { wins_a: 1, ..Outcome::default() });
        assert_eq!(Outcome::from_clicks(0.0, 1.0), Outcome { wins_b: 1, ..Outcome::default() });
        assert_eq!(Outcome::from_clicks(1.0, 1.0), Outcome { ties: 1, ..Outcome::default() });
        assert_eq!(Outcome::from_clicks(0.0, 0.0), Outcome { without: 1, ..Outcome::default() });
    }
}
