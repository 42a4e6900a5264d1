//! Measures that add a term at every rank by the documents above it, as a set: every order of a group is a path through
//! the counts of each kind of document placed so far, and one walk over all counts gives least, greatest and mean.

use crate::score::Undefined;

/// Counts of the kinds that are walked over: time and memory grow with them.
const MOST_STATES: usize = 1_000_000;

const TOO_MANY: Undefined = Undefined { reason: "too many tied documents with too many different gains" };

/// What a group comes to over all its orders.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Walk {
    /// The least sum of terms.
    pub low: f64,
    /// The greatest sum of terms.
    pub high: f64,
    /// Their mean.
    pub expected: f64,
}

/// Walks a group of which `shown` documents are placed. `kinds` are gains and how many documents have them; `term(place,
/// above, gain)` is what a document adds at a place of the group, from 0, below documents of so much gain in the group.
/// O(product of the counts), which is polynomial for a fixed number of kinds.
///
/// # Errors
/// The product is too large.
pub fn lattice(kinds: &[(f64, usize)], shown: usize, term: impl Fn(usize, f64, f64) -> f64) -> Result<Walk, Undefined> {
    let (steps, states) = radix(kinds);
    if states > MOST_STATES {
        return Err(TOO_MANY);
    }
    let documents: usize = kinds.iter().map(|(_, count)| count).sum();
    let mut low = vec![f64::INFINITY; states];
    let mut high = vec![f64::NEG_INFINITY; states];
    let mut chance = vec![0.0; states];
    (low[0], high[0], chance[0]) = (0.0, 0.0, 1.0);
    let mut walk = Walk { low: f64::INFINITY, high: f64::NEG_INFINITY, expected: 0.0 };
    for state in 0..states {
        let placed = |kind: usize| state / steps[kind] % (kinds[kind].1 + 1);
        let place: usize = (0..kinds.len()).map(placed).sum();
        if place == shown {
            walk.low = walk.low.min(low[state]);
            walk.high = walk.high.max(high[state]);
        }
        if place >= shown {
            continue;
        }
        let above: f64 = kinds.iter().enumerate().map(|(kind, (gain, _))| placed(kind) as f64 * gain).sum();
        for (kind, &(gain, count)) in kinds.iter().enumerate() {
            let left = count - placed(kind);
            if left == 0 {
                continue;
            }
            let (next, added) = (state + steps[kind], term(place, above, gain));
            let share = chance[state] * left as f64 / (documents - place) as f64;
            walk.expected += share * added;
            chance[next] += share;
            low[next] = low[next].min(low[state] + added);
            high[next] = high[next].max(high[state] + added);
        }
    }
    Ok(walk)
}

/// A state is a number in mixed radix, one digit for each kind; one document more is one step in its digit, so states in
/// ascending order come after those they are reached from. The step of each kind, and the number of states.
fn radix(kinds: &[(f64, usize)]) -> (Vec<usize>, usize) {
    let mut states = 1usize;
    let mut steps = Vec::with_capacity(kinds.len());
    for &(_, count) in kinds {
        steps.push(states);
        states = states.saturating_mul(count + 1);
    }
    (steps, states)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_walk_by_hand() {
        // Gains 1, 1 and 0; a document adds its gain over its place: orders 110, 101, 011 are worth 3/2, 4/3, 5/6.
        let walk = lattice(&[(1.0, 2), (0.0, 1)], 3, |place, _, gain| gain / (place + 1) as f64).unwrap();
        assert!((walk.low - 5.0 / 6.0).abs() < 1e-15 && (walk.high - 1.5).abs() < 1e-15);
        assert!((walk.expected - 11.0 / 9.0).abs() < 1e-15);
        assert!(lattice(&[(1.0, 2000), (0.0, 2000)], 4000, |_, _, gain| gain).is_err());
    }
}
