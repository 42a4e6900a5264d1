//! The tables of a comparison, for people.

use karat_analysis::compare::DECIDING;
use karat_analysis::compare::answer::{
    Choice, ComparisonRow, DecompositionRow, DifficultyRow, OrderRow, QueryRow, SensitivityRow, SystemRow, TestRow,
    VarianceSource,
};
use karat_report::{Column, Columns, NumberStyle, Plot, Table};

use crate::words::{SAMPLED_SOURCES, error_sources, percent};

fn styled(key: &'static str, heading: impl Into<String>, style: NumberStyle) -> Column {
    Column::new(key, heading).style(style)
}

/// The adjusted p that decides: of the judged sample where there is one, else of the test.
fn deciding_p(row: &ComparisonRow) -> Option<f64> {
    if let Some(sampled) = &row.settling.sampled {
        return sampled.p_adjusted;
    }
    row.tests.iter().find(|test| test.test == DECIDING).and_then(|test| test.p_adjusted)
}

fn p_heading(several: bool) -> &'static str {
    if several { "adj. p" } else { "p" }
}

/// The sources of error that the intervals of these rows include.
fn sources(rows: &[ComparisonRow]) -> &'static str {
    let sampled = |row: &ComparisonRow| row.settling.sampled.is_some();
    if rows.iter().all(sampled) {
        return SAMPLED_SOURCES;
    }
    if rows.iter().any(sampled) {
        return "topics (and sampled judgements)";
    }
    let any = |source: fn(&ComparisonRow) -> Option<f64>| rows.iter().any(|row| source(row).is_some());
    error_sources(any(|row| row.sources.unjudged), any(|row| row.sources.judges))
}

type Compared<'a> = Columns<'a, ComparisonRow>;

fn pair_columns<'a>() -> Compared<'a> {
    Columns::new()
        .column("measure", "measure", |row: &ComparisonRow| row.measure.as_str().into())
        .column("a", "a", |row| row.a.as_str().into())
        .column("b", "b", |row| row.b.as_str().into())
}

fn difference_columns<'a>(columns: Compared<'a>, level: f64) -> Compared<'a> {
    columns
        .column("value_a", "mean a", |row| row.value_a.into())
        .column("value_b", "mean b", |row| row.value_b.into())
        .column("difference", "a − b", |row| row.difference.into())
        .column("interval", format!("{} interval", percent(level)), |row| row.interval.into())
}

/// Both means and their difference, one row per comparison.
pub(super) fn differences(rows: &[ComparisonRow], level: f64) -> Table {
    difference_columns(pair_columns(), level)
        .table("differences", format!("Differences, with {} intervals over {}", percent(level), sources(rows)), rows)
        .plotted(Plot { value: "difference", interval: "interval", bounds: "bounds", zero: true })
}

/// The better run, one row per comparison.
pub(super) fn verdicts(rows: &[ComparisonRow], several: bool, bounds: bool) -> Table {
    pair_columns()
        .when(bounds, |columns| columns.column("bounds", "bounds of a − b", |row| row.low.zip(row.high).into()))
        .with(styled("p", p_heading(several), NumberStyle::P), |row| deciding_p(row).into())
        .column("verdict", "better", |row| better(row).into())
        .when(bounds, |columns| columns.column("basis", "basis", |row| row.basis.unwrap_or("").into()))
        .table("verdicts", "Verdicts", rows)
}

/// Differences and verdicts in one table, for the page.
pub(crate) fn verdicts_of_page(rows: &[ComparisonRow], level: f64, several: bool) -> Table {
    difference_columns(pair_columns(), level)
        .with(styled("p", p_heading(several), NumberStyle::P), |row| deciding_p(row).into())
        .column("verdict", "better", |row| better(row).into())
        .column("basis", "basis", |row| row.basis.unwrap_or("").into())
        .table(
            "verdicts",
            format!("Every pair by every measure, with {} intervals over {}", percent(level), sources(rows)),
            rows,
        )
        .plotted(Plot { value: "difference", interval: "interval", bounds: "bounds", zero: true })
}

/// The better run.
fn better(row: &ComparisonRow) -> &str {
    match row.verdict {
        "a" => &row.a,
        "b" => &row.b,
        undecided => undecided,
    }
}

/// One test of one comparison.
struct Tested<'a> {
    row: &'a ComparisonRow,
    test: &'a TestRow,
}

fn tested(rows: &[ComparisonRow]) -> impl Iterator<Item = Tested<'_>> {
    rows.iter().flat_map(|row| row.tests.iter().map(move |test| Tested { row, test }))
}

/// Statistic and p of every test.
pub(super) fn tests(rows: &[ComparisonRow], several: bool) -> Table {
    let all: Vec<Tested<'_>> = tested(rows).collect();
    Columns::new()
        .column("measure", "measure", |one: &Tested<'_>| one.row.measure.as_str().into())
        .column("a", "a", |one| one.row.a.as_str().into())
        .column("b", "b", |one| one.row.b.as_str().into())
        .column("test", "test", |one| one.test.test.into())
        .with(styled("statistic", "statistic", NumberStyle::Significant(4)), |one| one.test.statistic.into())
        .with(styled("p", "p", NumberStyle::P), |one| one.test.p.into())
        .when(several, |columns| {
            columns.with(styled("p_adjusted", p_heading(several), NumberStyle::P), |one| one.test.p_adjusted.into())
        })
        .table("tests_for_people", "Tests", &all)
}

/// Posterior probabilities of the Bayesian test, if it was done.
pub(super) fn posteriors(rows: &[ComparisonRow]) -> Option<Table> {
    let all: Vec<Tested<'_>> = tested(rows).filter(|one| one.test.posterior.is_some()).collect();
    let probability = |key, heading: &str| styled(key, heading, NumberStyle::Decimals(3));
    let table = Columns::new()
        .column("measure", "measure", |one: &Tested<'_>| one.row.measure.as_str().into())
        .column("a", "a", |one| one.row.a.as_str().into())
        .column("b", "b", |one| one.row.b.as_str().into())
        .with(probability("below_rope", "P(below)"), |one| one.test.posterior.map(|found| found.below_rope).into())
        .with(probability("within_rope", "P(within)"), |one| one.test.posterior.map(|found| found.within_rope).into())
        .with(probability("above_rope", "P(above)"), |one| one.test.posterior.map(|found| found.above_rope).into())
        .table("posteriors_for_people", "Bayesian test: a − b and the region of practical equivalence", &all);
    (!all.is_empty()).then_some(table)
}

/// Where each run stands.
pub(crate) fn systems(rows: &[SystemRow], level: f64) -> Table {
    let grouped = rows.iter().any(|row| row.grouping.is_some());
    let bounded = rows.iter().any(|row| row.rank_interval_all.is_some());
    let title = if bounded {
        "Ranks, with simultaneous intervals (with bounds: over all judgements)"
    } else {
        "Ranks, with simultaneous intervals"
    };
    let groups = |row: &SystemRow| row.grouping.as_ref().and_then(|found| found.groups.clone());
    Columns::new()
        .column("measure", "measure", |row: &SystemRow| row.measure.as_str().into())
        .column("run", "run", |row| row.run.as_str().into())
        .column("value", "value", |row| row.value.into())
        .with(styled("rank", "rank", NumberStyle::Given), |row| row.rank.into())
        .with(styled("rank_interval", format!("{} interval", percent(level)), NumberStyle::Given), |row| {
            row.rank_interval.into()
        })
        .when(bounded, |columns| {
            columns.with(styled("rank_interval_all", "with bounds", NumberStyle::Given), |row| {
                row.rank_interval_all.into()
            })
        })
        .when(grouped, |columns| columns.column("groups", "groups", move |row| groups(row).into()))
        .table("systems", title, rows)
}

/// Where scores differ.
pub(crate) fn decomposition(rows: &[DecompositionRow]) -> Table {
    let source = |row: &DecompositionRow| match row.source {
        VarianceSource::Runs => "runs",
        VarianceSource::Topics => "topics",
        VarianceSource::Rest => "residual",
    };
    Columns::new()
        .column("measure", "measure", |row: &DecompositionRow| row.measure.as_str().into())
        .column("source", "source", move |row| source(row).into())
        .with(styled("sum_of_squares", "SS", NumberStyle::Score), |row| row.sum_of_squares.into())
        .with(styled("df", "df", NumberStyle::Given), |row| row.df.into())
        .with(styled("share", "share", NumberStyle::Decimals(3)), |row| row.share.into())
        .with(styled("variance", "variance", NumberStyle::Significant(3)), |row| row.variance.into())
        .with(styled("f", "F", NumberStyle::Decimals(2)), |row| row.f.into())
        .with(styled("p", "p", NumberStyle::P), |row| row.p.into())
        .table("decomposition", "Variance of scores", rows)
}

/// Every topic of every comparison.
pub(super) fn by_query(rows: &[QueryRow]) -> Table {
    Columns::new()
        .column("measure", "measure", |row: &QueryRow| row.measure.as_str().into())
        .column("a", "a", |row| row.a.as_str().into())
        .column("b", "b", |row| row.b.as_str().into())
        .column("topic", "topic", |row| row.topic.as_str().into())
        .column("difference", "a − b", |row| row.difference.into())
        .column("low", "at least", |row| row.low.into())
        .column("high", "at most", |row| row.high.into())
        .table("by_query", "Differences by topic", rows)
}

/// How alike measures or judgements order the runs.
pub(super) fn orders(rows: &[OrderRow], level: f64) -> Table {
    let decimals = NumberStyle::Decimals(3);
    Columns::new()
        .column("measure_a", "order by", |row: &OrderRow| row.measure_a.as_str().into())
        .column("measure_b", "and by", |row| row.measure_b.as_str().into())
        .column("judgements_b", "qrels", |row| row.judgements_b.as_str().into())
        .with(styled("tau_b", "tau_b", decimals), |row| row.tau_b.into())
        .with(styled("tau_b_interval", format!("{} interval", percent(level)), decimals), |row| {
            row.tau_b_interval.into()
        })
        .with(styled("tau_ap", "tau_AP", decimals), |row| row.tau_ap.into())
        .with(styled("rbo", "rbo", decimals), |row| row.rbo.into())
        .table("orders", "Agreement of run orders", rows)
}

/// How hard each topic is.
pub(super) fn topics(rows: &[DifficultyRow]) -> Table {
    Columns::new()
        .column("measure", "measure", |row: &DifficultyRow| row.measure.as_str().into())
        .column("topic", "topic", |row| row.topic.as_str().into())
        .column("mean", "mean over runs", |row| row.mean.into())
        .column("sd", "sd over runs", |row| row.sd.into())
        .column("best_run", "best run", |row| row.best_run.as_str().into())
        .column("best", "its score", |row| row.best.into())
        .table("topics", "Topics, hardest first", rows)
}

/// How the name of a choice reads.
pub(super) fn choice_name(choice: Choice) -> &'static str {
    match choice {
        Choice::AsGiven => "as given",
        Choice::Persistence => "p",
        Choice::Cutoff => "cut-off",
        Choice::Gains => "gains",
        Choice::Threshold => "relevance threshold",
        Choice::Ties => "ties",
        Choice::MissingTopics => "missing topics",
    }
}

/// The comparison with other settings.
pub(super) fn sensitivity(rows: &[SensitivityRow]) -> Table {
    let setting = |row: &SensitivityRow| match row.choice {
        Choice::AsGiven => choice_name(row.choice).to_owned(),
        Choice::Threshold => format!("relevant {}", row.setting),
        choice => format!("{} {}", choice_name(choice), row.setting),
    };
    let winner = |row: &SensitivityRow| format!("{}{}", row.winner, if row.same { "" } else { " *" });
    Columns::new()
        .column("measure", "measure", |row: &SensitivityRow| row.measure.as_str().into())
        .column("a", "a", |row| row.a.as_str().into())
        .column("b", "b", |row| row.b.as_str().into())
        .column("setting", "setting", move |row| setting(row).into())
        .column("difference", "a − b", |row| row.difference.into())
        .column("winner", "better", move |row| winner(row).into())
        .table("sensitivity", "Sensitivity (*: the verdict changes)", rows)
}
