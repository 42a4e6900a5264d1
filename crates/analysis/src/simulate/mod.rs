//! Worlds with a known truth, one file each.

pub mod judges;
pub mod ranking;
