//! `karat budget` for people.
