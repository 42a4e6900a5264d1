//! `karat simulate` for people.
