//! Pages of coefficients of agreement, significance tests, corrections and intervals.

use karat_report::{Block, Columns, NumberStyle, Report};
use karat_stats::agreement::{Coefficient, Of};
use karat_stats::correction::Correction;
use karat_stats::interval::pages::IntervalInfo;
use karat_stats::test::TestInfo;
use karat_stats::{max_t, tukey};
use schemars::JsonSchema;
use serde::Serialize;

use super::ExplainAnswer;
use crate::Context;

/// The page of a coefficient of agreement, a significance test, a correction or an interval.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct MethodPage {
    /// Its name on the command line.
    pub name: &'static str,
    /// Its name in words.
    pub title: &'static str,
    /// What the statistic is, of a test.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub statistic: Option<&'static str>,
    /// Its formula.
    pub formula: &'static str,
    /// How to read it.
    pub reading: &'static str,
    /// When it misleads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub misleads: Option<&'static str>,
    /// How many judges it takes, of a coefficient.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub judges: Option<&'static str>,
    /// Usual labels of its values, of a coefficient.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bands: Option<&'static str>,
    /// Where it comes from.
    pub source: &'static str,
    /// A worked example.
    pub example: String,
    /// The value of the example.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
}

/// The page of a coefficient of agreement.
pub fn coefficient_report(row: &Coefficient, context: Context) -> Report {
    let judges = match row.of {
        Of::TwoJudges(_) => "two; over more, the mean of all pairs",
        Of::AnyJudges(_) => "any number; labels may be missing",
    };
    let bands = if row.beyond_chance { "from .8 good, from .67 fair, below dubious" } else { "none" };
    let table: Vec<String> = row.example.table.iter().map(|counts| format!("{counts:?}")).collect();
    let page = MethodPage {
        name: row.name,
        title: row.title,
        formula: row.formula,
        reading: row.reading,
        judges: Some(judges),
        bands: Some(bands),
        source: row.citation,
        example: format!("{}: {}", table.join(" "), row.example.derivation),
        value: Some(row.example.value),
        ..MethodPage::default()
    };
    report(page, "coefficient", context)
}

/// The page of a significance test.
pub fn test_report(row: &TestInfo, context: Context) -> Report {
    let (first, second) = (numbers(row.example.differences), numbers(row.example.second));
    let data = if second.is_empty() { first } else { format!("{first} and {second}") };
    let page = MethodPage {
        name: row.name,
        title: row.title,
        statistic: Some(row.statistic),
        formula: row.formula,
        reading: row.reading,
        misleads: Some(row.misleads),
        source: row.citation,
        example: format!("{data}: {}", row.example.derivation),
        value: Some(row.example.p),
        ..MethodPage::default()
    };
    report(page, "test", context)
}

/// The page of a correction for several tests.
pub fn correction_report(row: &Correction, context: Context) -> Report {
    let page = MethodPage {
        name: row.name,
        title: row.title,
        formula: row.formula,
        reading: row.reading,
        misleads: Some(row.misleads),
        source: row.citation,
        example: format!("{} become {}: {}", numbers(row.example), numbers(row.adjusted), row.derivation),
        ..MethodPage::default()
    };
    report(page, "correction", context)
}

/// The page of a test of all pairs together of that name, if it is one.
pub fn family_report(name: &str, context: Context) -> Option<Report> {
    let row = [max_t::PAGE, tukey::PAGE].into_iter().find(|row| row.name == name)?;
    let page = MethodPage {
        name: row.name,
        title: row.title,
        formula: row.formula,
        reading: row.reading,
        misleads: Some(row.misleads),
        source: row.citation,
        example: row.example.into(),
        ..MethodPage::default()
    };
    Some(report(page, "test", context))
}

/// The page of an interval of a mean, or of the rule that chooses one.
pub fn interval_report(row: &IntervalInfo, context: Context) -> Report {
    let (low, high) = row.example.interval;
    let shown = |end: f64| NumberStyle::Score.show(end);
    let example =
        format!("{}: {}; {} to {}", numbers(row.example.values), row.example.derivation, shown(low), shown(high));
    let page = MethodPage {
        name: row.name,
        title: row.title,
        formula: row.formula,
        reading: row.reading,
        misleads: Some(row.misleads),
        source: row.citation,
        example,
        ..MethodPage::default()
    };
    report(page, "interval", context)
}

fn numbers(numbers: &[f64]) -> String {
    numbers.iter().map(f64::to_string).collect::<Vec<_>>().join(", ")
}

fn report(page: MethodPage, id: &'static str, context: Context) -> Report {
    let table = Columns::new()
        .column("name", "name", |page: &MethodPage| page.name.into())
        .column("title", "in words", |page| page.title.into())
        .when(page.statistic.is_some(), |all| all.column("statistic", "statistic", |page| page.statistic.into()))
        .column("formula", "formula", |page| page.formula.into())
        .column("reading", "how to read it", |page| page.reading.into())
        .when(page.misleads.is_some(), |all| all.column("misleads", "when it misleads", |page| page.misleads.into()))
        .when(page.judges.is_some(), |all| {
            all.column("judges", "judges", |page| page.judges.into()).column("bands", "bands", |page| page.bands.into())
        })
        .column("source", "source", |page| page.source.into())
        .column("example", "worked example", |page| page.example.as_str().into())
        .when(page.value.is_some(), |all| all.column("value", "its value", |page| page.value.into()))
        .table(id, "", [&page]);
    context.report(page.title, "explain").block(Block::Record(table)).answering(ExplainAnswer::Method(page))
}
