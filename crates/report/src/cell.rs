//! One value of a table.
//!
//! A cell keeps the number in full; how it is shown is the renderer's business. Absence is [`Cell::Missing`], and a
//! number that is not finite is treated as missing everywhere, so that no output can hold a NaN.

/// One value of a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// A string; never interpreted.
    Text(String),
    /// A whole number of things.
    Count(u64),
    /// A real number; one that is not finite is shown as missing.
    Number(f64),
    /// The two ends of an interval; an end that is not finite is shown as missing.
    Range(f64, f64),
    /// Several values, shown as a comma-separated list.
    List(Vec<Cell>),
    /// Yes or no.
    Flag(bool),
    /// No value, shown as "—". A note says why.
    Missing,
}

impl Cell {
    /// A string cell from anything that prints.
    pub fn text(value: impl ToString) -> Self {
        Self::Text(value.to_string())
    }

    /// The same cell, with numbers that are not finite made [`Cell::Missing`]; a range only when both ends are.
    pub(crate) fn finite(&self) -> &Self {
        match self {
            Self::Number(value) if !value.is_finite() => &Self::Missing,
            Self::Range(low, high) if !low.is_finite() && !high.is_finite() => &Self::Missing,
            other => other,
        }
    }
}

impl From<&str> for Cell {
    fn from(value: &str) -> Self {
        Self::Text(value.to_owned())
    }
}

impl From<String> for Cell {
    fn from(value: String) -> Self {
        Self::Text(value)
    }
}

impl From<u64> for Cell {
    fn from(value: u64) -> Self {
        Self::Count(value)
    }
}

impl From<u32> for Cell {
    fn from(value: u32) -> Self {
        Self::Count(value.into())
    }
}

impl From<usize> for Cell {
    fn from(value: usize) -> Self {
        Self::Count(value as u64)
    }
}

impl From<f64> for Cell {
    fn from(value: f64) -> Self {
        Self::Number(value)
    }
}

impl From<(f64, f64)> for Cell {
    fn from((low, high): (f64, f64)) -> Self {
        Self::Range(low, high)
    }
}

impl From<bool> for Cell {
    fn from(value: bool) -> Self {
        Self::Flag(value)
    }
}

impl<T: Into<Cell>> From<Option<T>> for Cell {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Missing, Into::into)
    }
}
