//! An answer with its notes.

use std::ops::Deref;

use serde::Serialize;

/// An answer: its fields are those of `T`, beside the notes. It serialises to the fields of the command line's JSON.
#[derive(Debug, Clone, Serialize)]
pub struct Answer<T> {
    /// The answer.
    #[serde(flatten)]
    pub answer: T,
    /// Warnings and assumptions, in words.
    pub notes: Vec<String>,
}

impl<T> Deref for Answer<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.answer
    }
}
