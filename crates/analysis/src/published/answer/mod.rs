//! Typed answers, one file for each question of `karat published`.

pub mod compare;
pub mod depth;
pub mod fan;
pub mod range;
pub mod vectors;

pub use compare::{CompareAnswer, CompareOptions, PublishedSystem, compare};
pub use depth::{DepthAnswer, DepthOptions, depth};
pub use fan::{SystemFan, fans};
pub use range::{RangeAnswer, RangeOptions, range};
pub use vectors::{VectorsAnswer, VectorsOptions, vectors};
