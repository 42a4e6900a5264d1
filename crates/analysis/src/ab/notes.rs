//! What A/B tests rest on, said beside every result.

/// That more clicks are not always better.
pub(super) const CLICKS: &str = "more clicks are not always better: an answer in the snippet needs none, and a poor result is clicked \
                          and left again; look at abandoned and reformulated searches too";

/// What the naive test does to users who repeat.
pub(super) const NAIVE: &str = "warning: NAIVE: counts say nothing of users who search more than once. The test takes every search for a new user; when \
                         users repeat, it finds a difference between equal arms in 12% to 36% of tests and more, not in 5%. Give rows with the \
                         user of each (karat ab FILE --unit user)";

/// When a fixed test may be read.
pub(super) const FIXED: &str = "p and interval hold for one look at the planned end. Who looks before it and stops at the first small p finds \
                         differences that are not there; --time COLUMN --peek gives intervals that hold at every look";

/// What is counted is what is in the rows.
pub(super) const ROWS: &str =
    "searches without results and robots count if they are in the rows; karat does not know them";

/// Below so many units in an arm, the delta method is said to be off.
pub(super) const FEW: u64 = 100;
