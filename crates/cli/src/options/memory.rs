//! `--memory`: how much of a run that is not grouped by topic is held before the disk takes the rest.

use std::sync::Arc;

use clap::Args;
use karat_formats::gather::Budget;

/// How much memory rows may take.
#[derive(Debug, Args)]
pub struct MemoryOptions {
    /// Memory for runs that are not grouped by topic (500M, 2G); beyond it, temporary files in TMPDIR are used
    /// [default: no limit]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    memory: Option<u64>,
}

impl MemoryOptions {
    /// The budget, where there is one.
    pub fn budget(&self) -> Option<Budget> {
        self.memory.map(|bytes| Budget { bytes, open: Arc::new(tempfile::tempfile) })
    }
}

/// Units of a size, by powers of 1024 as memory is counted.
const UNITS: [(&str, u32); 4] = [("K", 10), ("M", 20), ("G", 30), ("T", 40)];

/// 500M, 1.5G, 200000.
fn size(text: &str) -> Result<u64, String> {
    let wrong = || format!("'{text}' is not a size; write at least 64K, such as 500M or 2G");
    let upper = text.trim().to_ascii_uppercase();
    let plain = upper.strip_suffix("IB").or(upper.strip_suffix('B')).unwrap_or(&upper);
    let found = UNITS.iter().find_map(|(unit, power)| plain.strip_suffix(unit).map(|number| (number, *power)));
    let (number, power) = found.unwrap_or((plain, 0));
    let value: f64 = number.trim().parse().map_err(|_| wrong())?;
    let bytes = value * 2f64.powi(power as i32);
    // Below the least no file would hold more than a few rows; above the most there is no such memory.
    if (65536.0..1e15).contains(&bytes) { Ok(bytes as u64) } else { Err(wrong()) }
}

#[cfg(test)]
mod tests {
    use super::size;

    #[test]
    fn sizes_are_read_as_people_write_them() {
        // 1024 squared is 1048576.
        assert_eq!(size("1M"), Ok(1_048_576));
        assert_eq!(size("1.5GiB"), Ok(1_610_612_736));
        assert_eq!((size("200000"), size("500mb")), (Ok(200_000), Ok(524_288_000)));
        for wrong in ["", "M", "-1G", "NaN", "1e30", "10", "inf", "5X"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }
}
