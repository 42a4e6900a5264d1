//! `karat compare` for people.
