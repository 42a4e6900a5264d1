//! `karat published` for people.
