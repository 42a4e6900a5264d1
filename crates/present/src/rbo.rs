//! `karat rbo` for people.
