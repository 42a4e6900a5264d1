//! Where tests find real collections, which are not part of the project: in the folder `$KARAT_DATA`, else in
//! `../shared/data` beside the project (`KARAT_DATA`'s default). A test without them skips, and says so.

use std::io::Write;
use std::path::{Path, PathBuf};

/// The folder of one collection. `None`, with a loud line on standard error, when it is not there; `what` is then what
/// goes untested.
pub fn folder(collection: &str, what: &str) -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"); // the default of KARAT_DATA
    let root = std::env::var_os("KARAT_DATA").map_or(beside, PathBuf::from);
    let folder = root.join(collection);
    if folder.is_dir() {
        return Some(folder);
    }
    // Written directly, so that the test harness does not keep it for failing tests only.
    let _ = writeln!(std::io::stderr(), "SKIPPED: {what}: {} is not there; set KARAT_DATA", folder.display());
    None
}
