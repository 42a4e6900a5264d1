//! One file per measure, one table of measures, and the text form of a measure.
//!
//! A measure turns what is known of a ranking ([`karat_data::TopicView`]) into a [`Score`]. Its definition carries its
//! own page ([`MeasureInfo`]): the command line's `explain`, the generated docs, the parser of measure names and the
//! tests over the whole table all read the same row of [`registry::MEASURES`].

pub mod aggregate;
mod bounds;
pub mod citations;
pub mod curve;
pub mod difference;
pub mod discount;
pub mod example;
mod few;
pub mod gains;
pub mod info;
pub mod linear;
pub mod measure;
pub mod measured;
pub mod registry;
mod sampled;
pub mod scale;
pub mod score;
pub mod spec;
pub mod subtopics;
pub mod tally;
pub mod ties;
pub mod trec_eval;
pub mod user_model;

pub mod accuracy;
pub mod alpha_ndcg;
pub mod average_precision;
pub mod bejeweled;
pub mod blended_ratio;
pub mod bpref;
pub mod compatibility;
pub mod counts;
pub mod cumulated_gain;
pub mod err_ia;
pub mod expected_reciprocal_rank;
pub mod f_measure;
pub mod gaps;
pub mod geometric;
pub mod horvitz_thompson;
pub mod inf_ndcg;
pub mod inf_precision;
pub mod inferred_ap;
pub mod inst;
pub mod intent_aware;
pub mod interpolated;
pub mod judged;
pub mod judgement_groups;
pub mod ndcg;
pub mod ndcg_original;
pub mod ndcg_variants;
pub mod nearly_err;
pub mod normalized_gain;
pub mod nrbp;
pub mod precision;
pub mod preferences;
pub mod r_precision;
pub mod rbp;
pub mod recall;
pub mod reciprocal_rank;
pub mod relative_precision;
pub mod roc_area;
pub mod scaled_dcg;
pub mod sets;
pub mod stat_ap;
pub mod success;
pub mod utility;
pub mod xinf_ap;
pub mod yaap;

pub use aggregate::Aggregate;
pub use info::{Behaviour, BoundsKind, Citation, Example, MeasureInfo, Parameter, Tightness, WhenEmpty};
pub use measure::Measure;
pub use score::{Score, Undefined};
pub use spec::{MeasureSpec, SpecError};
