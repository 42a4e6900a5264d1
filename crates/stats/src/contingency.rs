//! Does one factor depend on another? Tests on a table of counts.
//!
//! The one decision: the chi-squared distribution is trusted only where every expected count is at least 5 (Cochran's rule); else
//! the p-value comes from tables drawn with the same margins, (count + 1)/(B + 1), exact for 2 x 2 tables (Fisher).

use std::fmt;

use crate::dist::{OutOfRange, chi_squared};
use crate::seed::Seed;

/// Tables drawn where the chi-squared distribution is not trusted.
pub const TABLES: u32 = 9_999;

/// Fewer are drawn of large tables, so that no more than so many counts are dealt in all; but never fewer than 999 tables.
const DEALT: usize = 200_000_000;

/// The least expected count with which the chi-squared distribution is trusted.
const EXPECTED: f64 = 5.0;

/// How a p-value was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// Chi-squared distribution.
    ChiSquared,
    /// Fisher's exact test.
    Fisher,
    /// Tables drawn with the same margins.
    Drawn,
    /// Chi-squared over a design effect (Rao and Scott 1981).
    RaoScott,
}

impl How {
    /// The name in machine-readable output.
    pub fn name(self) -> &'static str {
        match self {
            How::ChiSquared => "chi_squared",
            How::Fisher => "fisher",
            How::Drawn => "drawn",
            How::RaoScott => "rao_scott",
        }
    }
}

/// The outcome.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Independence {
    /// Σ (observed − expected)² / expected.
    pub statistic: f64,
    /// (rows − 1)(columns − 1), of rows and columns that hold anything.
    pub df: f64,
    /// The probability of as much dependence by chance.
    pub p: f64,
    /// How p was found.
    pub how: How,
}

impl Independence {
    /// The same where counts come in clusters that make its variance so many times larger: chi-squared of the statistic over that.
    #[must_use]
    pub fn clustered(self, effect: f64) -> Independence {
        let statistic = self.statistic / effect;
        match chi_squared::sf(statistic, self.df) {
            // Never surer than without it.
            Ok(p) if effect > 1.0 => Independence { statistic, p: p.max(self.p), how: How::RaoScott, ..self },
            _ => self,
        }
    }
}

/// Why there is no test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NoTest {
    /// Rows are not equally long.
    Ragged,
    /// Fewer than two rows or columns hold anything.
    Flat,
    /// More than 1e10 counted (1e7 where tables would have to be drawn), or a probability could not be had.
    OutOfRange(OutOfRange),
}

impl fmt::Display for NoTest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoTest::Ragged => f.write_str("rows of different lengths; expected a count for each column in each row"),
            NoTest::Flat => {
                f.write_str("fewer than two rows or two columns hold anything, so nothing can depend on anything")
            }
            NoTest::OutOfRange(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for NoTest {}

/// Tests whether the columns' shares differ between rows.
///
/// # Errors
/// The table holds too little, or is no table.
pub fn independence(table: &[Vec<u64>], seed: Seed) -> Result<Independence, NoTest> {
    let columns = table.first().map_or(0, Vec::len);
    if table.iter().any(|row| row.len() != columns) {
        return Err(NoTest::Ragged);
    }
    let total: f64 = table.iter().flatten().map(|&count| count as f64).sum();
    if total > 1e10 {
        return Err(NoTest::OutOfRange(OutOfRange { argument: "counts in all", found: total, legal: "at most 1e10" }));
    }
    let rows: Vec<Vec<u64>> = table.iter().filter(|row| row.iter().any(|&count| count > 0)).cloned().collect();
    let used: Vec<usize> = (0..columns).filter(|&column| rows.iter().any(|row| row[column] > 0)).collect();
    let rows: Vec<Vec<u64>> = rows.iter().map(|row| used.iter().map(|&column| row[column]).collect()).collect();
    if rows.len() < 2 || used.len() < 2 {
        return Err(NoTest::Flat);
    }
    let margins = Margins::of(&rows);
    let statistic = margins.statistic(&rows.concat());
    let df = ((rows.len() - 1) * (used.len() - 1)) as f64;
    let (p, how) = if margins.least_expected() >= EXPECTED {
        (chi_squared::sf(statistic, df).map_err(NoTest::OutOfRange)?, How::ChiSquared)
    } else if rows.len() == 2 && used.len() == 2 {
        (fisher(&rows), How::Fisher)
    } else if margins.total > 1e7 {
        let (argument, legal) = ("counts in all", "at most 1e7 where some expected count is below 5");
        return Err(NoTest::OutOfRange(OutOfRange { argument, found: margins.total, legal }));
    } else {
        (drawn(&rows, &margins, statistic, seed), How::Drawn)
    };
    Ok(Independence { statistic, df, p, how })
}

struct Margins {
    rows: Vec<f64>,
    columns: Vec<f64>,
    total: f64,
}

impl Margins {
    fn of(table: &[Vec<u64>]) -> Margins {
        let rows: Vec<f64> = table.iter().map(|row| row.iter().sum::<u64>() as f64).collect();
        let columns =
            (0..table[0].len()).map(|column| table.iter().map(|row| row[column]).sum::<u64>() as f64).collect();
        let total = rows.iter().sum();
        Margins { rows, columns, total }
    }

    fn least_expected(&self) -> f64 {
        let least = |values: &[f64]| values.iter().copied().fold(f64::INFINITY, f64::min);
        least(&self.rows) * least(&self.columns) / self.total
    }

    /// Of counts row by row.
    fn statistic(&self, counts: &[u64]) -> f64 {
        let mut sum = 0.0;
        for (row, of_row) in counts.chunks_exact(self.columns.len()).zip(&self.rows) {
            for (&count, of_column) in row.iter().zip(&self.columns) {
                let expected = of_row * of_column / self.total;
                sum += (count as f64 - expected).powi(2) / expected;
            }
        }
        sum
    }
}

/// The share of tables with the same margins that are no more likely than this one (two-sided Fisher).
fn fisher(table: &[Vec<u64>]) -> f64 {
    let (a, b, c, d) = (table[0][0], table[0][1], table[1][0], table[1][1]);
    let least = (a + c).saturating_sub(c + d);
    let most = (a + b).min(a + c);
    // Chances relative to the table seen, by the ratio of neighbours.
    let up = |x: u64| ((a + b - x) as f64 * (a + c - x) as f64) / ((x + 1) as f64 * (d + x + 1 - a) as f64);
    let (mut extreme, mut all) = (1.0, 1.0);
    let mut add = |chance: f64| {
        all += chance;
        // Equal but for rounding counts as equal.
        if chance <= 1.0 + 1e-7 {
            extreme += chance;
        }
    };
    let mut chance = 1.0;
    for x in a..most {
        chance *= up(x);
        add(chance);
    }
    chance = 1.0;
    for x in (least..a).rev() {
        chance /= up(x);
        add(chance);
    }
    extreme / all
}

/// (tables at least as far from independence + 1) / (tables + 1), columns dealt to rows at random.
fn drawn(table: &[Vec<u64>], margins: &Margins, statistic: f64, seed: Seed) -> f64 {
    let mut columns: Vec<u32> = Vec::new();
    let mut rows: Vec<u32> = Vec::new();
    for (number, row) in table.iter().enumerate() {
        for (column, &count) in row.iter().enumerate() {
            columns.extend(std::iter::repeat_n(column as u32, count as usize));
            rows.extend(std::iter::repeat_n(number as u32, count as usize));
        }
    }
    let streams = seed.streams("independence");
    let tables = (DEALT / columns.len().max(1)).clamp(999, TABLES as usize) as u32;
    let width = margins.columns.len();
    let mut dealt = vec![0u64; margins.rows.len() * width];
    let mut extreme = 0u32;
    for index in 0..tables {
        let mut stream = streams.at(u64::from(index));
        for at in (1..columns.len()).rev() {
            columns.swap(at, stream.below(at as u64 + 1) as usize);
        }
        dealt.fill(0);
        rows.iter().zip(&columns).for_each(|(&row, &column)| dealt[row as usize * width + column as usize] += 1);
        extreme += u32::from(margins.statistic(&dealt) >= statistic * (1.0 - 1e-9));
    }
    f64::from(extreme + 1) / f64::from(tables + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chi_squared_by_hand() {
        // [[30, 10], [20, 20]]: expected 25, 15, 25, 15; statistic 1 + 25/15 + 1 + 25/15 = 16/3; P(χ²₁ > 16/3) = .02092.
        let found = independence(&[vec![30, 10], vec![20, 20]], Seed(1)).unwrap();
        assert!((found.statistic - 16.0 / 3.0).abs() < 1e-12 && (found.df, found.how) == (1.0, How::ChiSquared));
        assert!((found.p - 0.020921).abs() < 1e-6, "{}", found.p);
    }

    #[test]
    fn fisher_and_the_lady_who_tastes_tea() {
        // Fisher: 3 of 4 right, [[3, 1], [1, 3]]: tables 0..4 have chances 1, 16, 36, 16, 1 of 70; as unlikely: 34/70.
        let found = independence(&[vec![3, 1], vec![1, 3]], Seed(1)).unwrap();
        assert!((found.p - 34.0 / 70.0).abs() < 1e-12 && found.how == How::Fisher);
        let all = independence(&[vec![4, 0], vec![0, 4]], Seed(1)).unwrap();
        assert!((all.p - 2.0 / 70.0).abs() < 1e-12);
    }

    #[test]
    fn drawn_tables_agree_with_an_exact_count() {
        // [[2, 0, 0], [0, 1, 1]]: columns hold 2, 1, 1; of the 6 ways to choose the first row's two, the pair of column 0 is one and
        // its opposite (the other two) another with the same statistic: 2/6.
        let found = independence(&[vec![2, 0, 0], vec![0, 1, 1]], Seed(1)).unwrap();
        assert_eq!(found.how, How::Drawn);
        // Five standard errors: 5 √(.333 · .667 / 10000) = .0236.
        assert!((found.p - 1.0 / 3.0).abs() < 0.0236, "{}", found.p);
    }

    #[test]
    fn refusals() {
        assert_eq!(independence(&[vec![1, 2], vec![3]], Seed(1)), Err(NoTest::Ragged));
        assert_eq!(independence(&[vec![1, 2], vec![0, 0]], Seed(1)), Err(NoTest::Flat));
        assert_eq!(independence(&[vec![1, 0], vec![2, 0]], Seed(1)), Err(NoTest::Flat));
        assert_eq!(independence(&[], Seed(1)), Err(NoTest::Flat));
        assert!(matches!(independence(&[vec![u64::MAX, 1], vec![u64::MAX, 1]], Seed(1)), Err(NoTest::OutOfRange(_))));
    }
}
