//! What the inferred measures have in common: the sample of the pool that was judged, and how far another sample might
//! have led.
//!
//! The one decision behind it: an estimate is a function of the sample ([`strata::Sample`]), so that its sampling
//! variance can be had by asking the same function about the sample with one document less.

pub(crate) mod chosen;
pub(crate) mod strata;
