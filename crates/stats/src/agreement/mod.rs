//! Do judges agree, and by more than chance?
//!
//! The one decision: "kappa" is not one number. Every coefficient is a row of [`COEFFICIENTS`] with its own formula for the
//! agreement expected by chance, and is never printed without its name. All of them are functions of counts that add up over
//! groups of items ([`Counted`]), so a coefficient and its bootstrap over queries are one code.

mod cohen;
mod counts;
mod fleiss;
mod gwet;
mod interval;
mod krippendorff;
mod labels;
mod observed;
mod overlap;
mod pooled;
mod randolph;

pub use counts::{Confusion, Counted, Tally};
pub use interval::{NoAgreementInterval, by_group};
pub use labels::{LabelError, Labels};

use std::fmt;

/// Every coefficient, in the order they are reported.
pub const COEFFICIENTS: &[Coefficient] = &[
    observed::ROW,
    overlap::ROW,
    cohen::ROW,
    cohen::LINEAR,
    cohen::QUADRATIC,
    pooled::ROW,
    fleiss::ROW,
    krippendorff::NOMINAL,
    krippendorff::ORDINAL,
    krippendorff::INTERVAL,
    gwet::ROW,
    randolph::ROW,
];

/// The row of a coefficient by its name.
pub fn find(name: &str) -> Option<&'static Coefficient> {
    COEFFICIENTS.iter().find(|row| row.name == name)
}

/// A coefficient's row: its definition and its page.
#[derive(Clone, Copy, Debug)]
pub struct Coefficient {
    /// Its name in machine-readable output.
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// The formula in plain text.
    pub formula: &'static str,
    /// How to read it, and when it misleads.
    pub reading: &'static str,
    /// Where it comes from.
    pub citation: &'static str,
    /// Whether the slides' bands ([`band`]) are meant for it: it is 0 for chance and 1 for full agreement.
    pub beyond_chance: bool,
    /// What it is computed from.
    pub of: Of,
    /// A case worked by hand.
    pub example: Example,
}

/// What a coefficient is computed from.
#[derive(Clone, Copy, Debug)]
pub enum Of {
    /// The labels of two judges; over more judges it is the mean of all pairs that have one.
    TwoJudges(fn(&Confusion) -> Result<f64, Undefined>),
    /// The labels of any number of judges, some of which may be missing.
    AnyJudges(fn(&Tally) -> Result<f64, Undefined>),
}

/// Two judges' labels as a table, and what the coefficient is for them.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// Items by first judge's category (row) and second's (column), categories 0, 1, ... in this order.
    pub table: &'static [&'static [u64]],
    /// The coefficient.
    pub value: f64,
    /// How it comes about.
    pub derivation: &'static str,
}

/// Why a coefficient has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undefined {
    /// No item has labels of two judges.
    NoOverlap,
    /// Chance alone makes the judges agree, as when every label is the same: the coefficient is 0 / 0.
    OneCategoryUsed,
    /// The scale has one category only.
    OneCategoryDeclared,
    /// Neither judge found anything relevant.
    NothingRelevant,
}

impl fmt::Display for Undefined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Undefined::NoOverlap => "no item was labelled by two judges, so agreement cannot be seen",
            Undefined::OneCategoryUsed => {
                "every label is the same, so agreement by chance is certain and nothing is left to compare it with (0 / 0)"
            }
            Undefined::OneCategoryDeclared => "the scale has one grade only, so judges cannot disagree",
            Undefined::NothingRelevant => "neither judge found anything relevant",
        })
    }
}

impl std::error::Error for Undefined {}

/// A kappa in the words of the slides (Bernardi, section 5.5; the same bands in Manning, Raghavan and Schütze 2008).
pub fn band(kappa: f64) -> &'static str {
    if kappa >= 0.8 {
        "good"
    } else if kappa >= 0.67 {
        "fair"
    } else {
        "dubious"
    }
}

/// (observed − chance) / (1 − chance).
fn beyond_chance(observed: f64, chance: f64) -> Result<f64, Undefined> {
    // Shares that add up to 1 may miss it by rounding.
    if 1.0 - chance < 1e-12 { Err(Undefined::OneCategoryUsed) } else { Ok((observed - chance) / (1.0 - chance)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_its_page_and_recomputes_its_example() {
        for (place, row) in COEFFICIENTS.iter().enumerate() {
            assert!(COEFFICIENTS[place + 1..].iter().all(|other| other.name != row.name && other.title != row.title));
            assert!(
                row.name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_'),
                "{}",
                row.name
            );
            for text in [row.formula, row.reading, row.citation, row.example.derivation] {
                assert!(text.len() > 10, "{}", row.name);
            }
            let labels = Labels::from_table(row.example.table).unwrap();
            let found = Counted::new(&labels).value(row).unwrap();
            assert!((found - row.example.value).abs() < 1e-12, "{}: {found}", row.name);
            assert_eq!(find(row.name).map(|found| found.title), Some(row.title));
        }
        assert!(find("kappa").is_none());
    }

    fn all(table: &[&[u64]]) -> Vec<(&'static str, f64)> {
        let counted = Counted::new(&Labels::from_table(table).unwrap());
        COEFFICIENTS.iter().map(|row| (row.name, counted.value(row).unwrap())).collect()
    }

    fn value(table: &[(&'static str, f64)], name: &str) -> f64 {
        table.iter().find(|row| row.0 == name).unwrap().1
    }

    #[test]
    fn the_kappa_example_of_the_slides() {
        // 300 both relevant, 20 and 10 of one judge only, 70 neither. P(A) = .925. Pooled: relevant 630/800 = .7875, so
        // P(E) = .7875² + .2125² = .6653125 and κ = .2596875 / .3346875 = .7759104. Cohen: .8·.775 + .2·.225 = .665,
        // .26/.335 = .7761194. Alpha: π + (1 − π) / 2N with N = 400: .7761905.
        let found = all(&[&[70, 10], &[20, 300]]);
        for (name, expected) in [
            ("observed", 0.925),
            ("pooled", 0.77591),
            ("cohen", 0.77612),
            ("fleiss", 0.77591),
            ("krippendorff", 0.77619),
        ] {
            assert!((value(&found, name) - expected).abs() < 5e-6, "{name} {found:?}");
        }
        assert_eq!(band(value(&found, "pooled")), "fair");
        // On two grades, weights change nothing and the three metrics of alpha are one.
        assert!((value(&found, "cohen_quadratic") - value(&found, "cohen")).abs() < 1e-12);
        assert!((value(&found, "krippendorff_interval") - value(&found, "krippendorff")).abs() < 1e-12);
    }

    #[test]
    fn the_table_on_which_the_choice_matters() {
        // [[20, 40], [0, 40]] with relevant first: P(A) = .6. Cohen: .6·.2 + .4·.8 = .44, .16/.56 = .2857.
        // Pooled: .4² + .6² = .52, .08/.48 = .1667. AC1: 2·.4·.6 = .48, .12/.52 = .2308. Overlap 20/60.
        let found = all(&[&[40, 0], &[40, 20]]);
        for (name, expected) in [("cohen", 0.286), ("pooled", 0.167), ("gwet_ac1", 0.231), ("overlap", 0.333)] {
            assert!((value(&found, name) - expected).abs() < 5e-4, "{name} {found:?}");
        }
        assert_eq!(band(value(&found, "cohen")), "dubious");
    }

    #[test]
    fn undefined_has_a_reason() {
        let same = Counted::new(&Labels::from_table(&[&[0, 0], &[0, 5]]).unwrap());
        for row in COEFFICIENTS {
            match row.name {
                "observed" | "overlap" => assert_eq!(same.value(row), Ok(1.0)),
                // Chance is not read off the labels: AC1 and Randolph have a value.
                "gwet_ac1" | "randolph" => assert_eq!(same.value(row), Ok(1.0)),
                _ => assert_eq!(same.value(row), Err(Undefined::OneCategoryUsed), "{}", row.name),
            }
        }
        let none = Counted::new(&Labels::from_table(&[&[0, 0], &[0, 0]]).unwrap());
        assert!(COEFFICIENTS.iter().all(|row| none.value(row) == Err(Undefined::NoOverlap)));
        let one = Counted::new(&Labels::from_table(&[&[3]]).unwrap());
        assert_eq!(one.value(&randolph::ROW), Err(Undefined::OneCategoryDeclared));
        assert_eq!(one.value(&gwet::ROW), Err(Undefined::OneCategoryDeclared));
        assert_eq!((band(0.8), band(0.67), band(0.669)), ("good", "fair", "dubious"));
    }
}
