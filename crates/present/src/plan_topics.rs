//! `karat plan topics` for people.
