//! The table of measures. A new measure is one file and one row here.

use crate::info::MeasureInfo;
use crate::{average_precision, precision, rbp};

/// Every measure, in the order people meet them in `karat measures`.
pub static MEASURES: &[&MeasureInfo] = &[&precision::INFO, &average_precision::INFO, &rbp::INFO];

/// The measure of that name or alias. Names are looked up as written first, then whatever their case.
pub fn find(name: &str) -> Option<&'static MeasureInfo> {
    let by = |same: &dyn Fn(&str) -> bool| {
        MEASURES.iter().copied().find(|info| same(info.name) || info.aliases.iter().any(|alias| same(alias)))
    };
    by(&|candidate| candidate == name).or_else(|| by(&|candidate| candidate.eq_ignore_ascii_case(name)))
}
