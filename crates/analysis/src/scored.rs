//! The score of one topic, or why there is none.

use karat_measures::{Score, Undefined};

/// What a topic's score came to.
pub type Scored = Result<Score, Undefined>;

/// A value that left the range of floats (huge grades, huge gains) is no value.
pub fn finite(scored: Scored) -> Scored {
    scored.and_then(|score| if score.value.is_finite() { Ok(score) } else { Err(Undefined::TOO_LARGE) })
}
