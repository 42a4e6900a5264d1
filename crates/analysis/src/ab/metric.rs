//! Metrics: a column over another, over rows, or over units.

/// A rate or mean: a column over another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Metric {
    /// As it was given: `clicks/searches`.
    pub name: String,
    /// The column above.
    pub numerator: String,
    /// What is below.
    pub denominator: Denominator,
}

/// What a metric is over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Denominator {
    /// A column.
    Column(String),
    /// The number of rows.
    Rows,
    /// The number of units.
    Units,
}

impl Metric {
    /// From `clicks/searches`, `clicks` (over rows) or `clicks/user` (over units, where `user` is the unit's column); `None` when a
    /// name is missing.
    pub fn parse(given: &str, unit: &str) -> Option<Metric> {
        let (above, below) = given.split_once('/').map_or((given, None), |(above, below)| (above, Some(below)));
        let (above, below) = (above.trim(), below.map(str::trim));
        if above.is_empty() || below.is_some_and(|below| below.is_empty() || below.contains('/')) {
            return None;
        }
        let denominator = match below {
            None => Denominator::Rows,
            Some(below) if below == unit => Denominator::Units,
            Some(below) => Denominator::Column(below.to_owned()),
        };
        Some(Metric { name: given.trim().to_owned(), numerator: above.to_owned(), denominator })
    }

    /// What it is over: a column, rows, or the unit.
    pub fn over<'m>(&'m self, unit: &'m str) -> &'m str {
        match &self.denominator {
            Denominator::Column(name) => name,
            Denominator::Rows => "rows",
            Denominator::Units => unit,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metrics_by_their_text() {
        let parse = |text| Metric::parse(text, "user").unwrap();
        assert_eq!(parse("clicks/searches").denominator, Denominator::Column("searches".into()));
        assert_eq!(
            (parse("clicks").denominator, parse("clicks / user").denominator),
            (Denominator::Rows, Denominator::Units)
        );
        for wrong in ["", "/", "a/", "/b", "a/b/c"] {
            assert_eq!(Metric::parse(wrong, "user"), None, "{wrong}");
        }
    }
}
