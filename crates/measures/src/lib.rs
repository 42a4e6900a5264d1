//! One file per measure, one table of measures, and the text form of a measure.
//!
//! A measure turns what is known of a ranking ([`karat_data::TopicView`]) into a [`Score`]. Its definition carries its
//! own page ([`MeasureInfo`]): the command line's `explain`, the generated docs, the parser of measure names and the
//! tests over the whole table all read the same row of [`registry::MEASURES`].

pub mod aggregate;
mod bounds;
pub mod citations;
pub mod curve;
pub mod discount;
pub mod example;
pub mod gains;
pub mod info;
pub mod linear;
pub mod measure;
pub mod registry;
pub mod score;
pub mod spec;
pub mod tally;

pub mod accuracy;
pub mod average_precision;
pub mod bpref;
pub mod counts;
pub mod cumulated_gain;
pub mod expected_reciprocal_rank;
pub mod f_measure;
pub mod geometric;
pub mod inferred_ap;
pub mod interpolated;
pub mod judged;
pub mod judgement_groups;
pub mod ndcg;
pub mod ndcg_variants;
pub mod normalized_gain;
pub mod precision;
pub mod preferences;
pub mod r_precision;
pub mod rbp;
pub mod recall;
pub mod reciprocal_rank;
pub mod relative_precision;
pub mod roc_area;
pub mod sets;
pub mod success;
pub mod utility;
pub mod yaap;

pub use aggregate::Aggregate;
pub use info::{Behaviour, BoundsKind, Citation, Example, MeasureInfo, Parameter, WhenEmpty};
pub use measure::Measure;
pub use score::{Score, Undefined};
pub use spec::{MeasureSpec, SpecError};
