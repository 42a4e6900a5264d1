//! Files made of records with named columns: CSV, TSV, JSON, JSON Lines and Parquet.
//!
//! The one decision behind the room: every such file becomes a [`Table`] of known [`Column`]s before anybody asks what
//! the rows mean. So the usual names of columns are known in one place ([`mod@column`]), a number is read by one rule
//! ([`cell`]), and a new container is one file that hands over its cells.

pub mod cell;
pub mod column;
pub mod delimited;
pub mod formats;
pub mod json;
pub mod label;
pub mod lines;
pub mod named;
pub mod parquet;
pub mod refusal;
pub mod shapes;
pub mod source;
mod spreadsheet;
pub mod table;

pub use column::{Column, Data};
pub use refusal::Refusal;
pub use table::{Builder, Table, Values};
