//! Parquet, as data frames and Spark write it. Built in with the cargo feature `parquet`, which is on unless somebody turns it off.
//!
//! Columns are read with Parquet's own types, not Arrow's: dictionary, large and view strings are all the same byte
//! arrays here, and the build is a fraction of what it takes with Arrow. Only the columns that are needed are read, a few
//! thousand rows at a time.

/// The bytes that a file begins and ends with.
pub const MAGIC: &[u8] = b"PAR1";

#[cfg(feature = "parquet")]
mod plain;
#[cfg(feature = "parquet")]
mod with;

#[cfg(feature = "parquet")]
pub use plain::plain_run;
#[cfg(feature = "parquet")]
pub use with::{read, rows, schema};
#[cfg(not(feature = "parquet"))]
pub use without::{plain_run, read, rows, schema};

#[cfg(not(feature = "parquet"))]
mod without {
    use crate::records::cell::Cell;
    use crate::records::named::Choose;
    use crate::records::{Data, Refusal, Table};
    use crate::sink::RunRows;

    /// Says that this karat does not read Parquet.
    ///
    /// # Errors
    /// Always.
    pub fn read(_: &[u8], _: Data) -> Result<Table, Refusal> {
        Err(refusal())
    }

    /// Says so too.
    ///
    /// # Errors
    /// Always.
    pub fn rows(_: &[u8], _: &mut Choose<'_>, _: &mut dyn FnMut(u64, &[Cell<'_>])) -> Result<(), Refusal> {
        Err(refusal())
    }

    fn refusal() -> Refusal {
        Refusal::whole(
            "a format that this karat reads",
            "a Parquet file, and this karat was built without Parquet",
            "build it in with `cargo install --path crates/cli`, without `--no-default-features`, or write the frame as CSV",
        )
    }

    /// No file is one that could be read so.
    pub fn plain_run(_: &[u8], _: &mut dyn RunRows) -> bool {
        false
    }

    /// Nothing is known of the columns.
    pub fn schema(_: &[u8]) -> Option<Vec<Vec<u8>>> {
        None
    }
}
