//! `karat judges` for people.
