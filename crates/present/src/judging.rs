//! `karat pool`, `sample` and `next` for people.
