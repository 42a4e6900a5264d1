//! `karat eval` for people.
