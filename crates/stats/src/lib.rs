//! Numbers only: estimates, intervals, distributions, resampling. No document, topic or file.
//!
//! The one decision: a number never travels alone. It comes with bounds, spread and interval, or with the reason why it
//! has none; what is undefined is a typed reason, never NaN.

pub mod ab;
pub mod agreement;
pub mod anova;
pub mod association;
pub mod contingency;
pub mod correction;
pub mod dawid_skene;
pub mod dist;
pub mod effect;
pub mod estimate;
pub mod groups;
pub mod interval;
pub mod judge_error;
pub mod matrix;
pub mod max_t;
pub mod merge;
pub mod planning;
pub mod power;
pub mod ranks;
pub mod rare_losses;
pub mod regression;
pub mod resample;
pub mod sample;
pub mod sampled_mean;
pub mod seed;
pub mod selection;
pub mod summation;
pub mod test;
pub mod tukey;
pub mod two_way;

pub use estimate::{Bounds, Estimate, Interval, Method, Source, Spread};
pub use sample::Sample;
pub use seed::Seed;
