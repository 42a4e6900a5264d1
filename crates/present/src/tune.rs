//! `karat tune` for people.
