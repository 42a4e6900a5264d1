//! `karat ab` for people.
