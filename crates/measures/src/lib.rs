//! One file per measure, one table of measures, and the text form of a measure.
//!
//! A measure turns what is known of a ranking ([`karat_data::TopicView`]) into a [`Score`]. Its definition carries its
//! own page ([`MeasureInfo`]): the command line's `explain`, the generated docs, the parser of measure names and the
//! tests over the whole table all read the same row of [`registry::MEASURES`].

pub mod aggregate;
pub mod info;
pub mod linear;
pub mod measure;
pub mod registry;
pub mod score;
pub mod spec;

pub mod average_precision;
pub mod precision;
pub mod rbp;

pub use aggregate::Aggregate;
pub use info::{Behaviour, Citation, Example, MeasureInfo, Parameter, WhenEmpty};
pub use measure::Measure;
pub use score::{Score, Undefined};
pub use spec::{MeasureSpec, SpecError};
