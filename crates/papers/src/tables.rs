//! The experiments' tables for people. Programs get every field of the answer; people get those that fit a terminal.

use karat_report::{Column, Columns, NumberStyle, Table};

use crate::answer::{
    ApVariance, BronzeGold, Experiments, GridRow, HiddenJudgements, JudgeOrder, LinearFit, SamplingRate,
    SeparablePairs, TrecRun,
};

/// A table for each experiment that was run.
pub(crate) fn tables(experiments: &Experiments) -> Vec<Table> {
    let Experiments { grid, linear_fit, hidden, ap_variance, judges_order, separable, trec_runs, bronze_gold, rates } =
        experiments;
    [
        grid.as_deref().map(grid_table),
        linear_fit.as_deref().map(linear_fit_table),
        hidden.as_deref().map(hidden_table),
        ap_variance.as_deref().map(variance_table),
        judges_order.as_deref().map(judges_table),
        separable.as_deref().map(separable_table),
        trec_runs.as_deref().map(trec_table),
        bronze_gold.as_deref().map(bronze_table),
        rates.as_deref().map(rates_table),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn decimals(key: &'static str, heading: &str, count: u8) -> Column {
    Column::new(key, heading).style(NumberStyle::Decimals(count))
}

fn given(key: &'static str, heading: &str) -> Column {
    Column::new(key, heading).style(NumberStyle::Given)
}

fn grid_table(rows: &[GridRow]) -> Table {
    Columns::new()
        .with(given("q", "q"), |row: &GridRow| row.q.into())
        .with(given("w", "w"), |row| row.w.into())
        .with(decimals("mean", "mean", 6), |row| row.mean.into())
        .with(decimals("mean_exact", "exact", 6), |row| row.mean_exact.into())
        .with(decimals("std_dev", "std. dev.", 6), |row| row.std_dev.into())
        .with(decimals("std_dev_exact", "exact", 6), |row| row.std_dev_exact.into())
        .table("grid", "The grid of figure 3: Mean RBP uncertainty over 50 queries", rows)
}

fn linear_fit_table(rows: &[LinearFit]) -> Table {
    Columns::new()
        .column("of", "moment", |row: &LinearFit| row.of.into())
        .with(given("q", "q"), |row| row.q.into())
        .with(decimals("at_w_1", "w = 1", 5), |row| row.at_w_1.into())
        .with(decimals("at_least_w", "w = 0.05", 5), |row| row.at_least_w.into())
        .with(decimals("slope", "slope", 5), |row| row.slope.into())
        .with(decimals("r_squared", "R squared", 3), |row| row.r_squared.into())
        .with(decimals("worst", "worst error", 3), |row| row.worst.into())
        .table("linear_fit", "Lines in w fitted to the grid (3.2; worst error as a share of the mean over w)", rows)
}

fn hidden_table(rows: &[HiddenJudgements]) -> Table {
    Columns::new()
        .column("model", "model", |row: &HiddenJudgements| row.model.into())
        .column("runs", "runs", |row| row.runs.into())
        .column("actual", "actual", |row| row.actual.into())
        .column("expected", "expected", |row| row.expected.into())
        .column("error", "error", |row| row.error.into())
        .column("rms", "RMS error", |row| row.rms.into())
        .column("bound", "bound", |row| row.bound.into())
        .with(decimals("held", "coverage", 2), |row| row.held.into())
        .table("hidden", "Judgements hidden below rank 10: Mean RBP(p=0.8), actual and expected", rows)
}

fn variance_table(rows: &[ApVariance]) -> Table {
    Columns::new()
        .column("of", "AP of", |row: &ApVariance| row.of.into())
        .with(Column::new("mean_variance", "mean variance").style(NumberStyle::Significant(3)), |row| {
            row.mean_variance.into()
        })
        .table("ap_variance", "Variance of AP", rows)
}

fn judges_table(rows: &[JudgeOrder]) -> Table {
    Columns::new()
        .with(decimals("disagree", "disagree", 3), |row: &JudgeOrder| row.disagree.into())
        .with(decimals("change", "MAP ±", 3), |row| row.change.into())
        .with(decimals("tau", "tau", 3), |row| row.tau.into())
        .with(decimals("tau_range", "95%", 3), |row| row.tau_range.into())
        .with(decimals("exchanged", "swapped", 3), |row| row.exchanged.into())
        .column("judge", "judge", |row| row.judge.as_str().into())
        .table("judges_order", "The systems under other judges, compared with gold on the same documents", rows)
}

pub(crate) fn separable_table(rows: &[SeparablePairs]) -> Table {
    Columns::new()
        .with(given("p_low", "p"), |row: &SeparablePairs| row.p_low.into())
        .with(given("p_high", "and p"), |row| row.p_high.into())
        .column("digits", "digits", |row| u32::from(row.digits).into())
        .column("pairs", "pairs", |row| row.pairs.into())
        .with(decimals("decided", "decided", 3), |row| row.decided.into())
        .column("wrong", "wrong", |row| row.wrong.into())
        .table("separable", "How often printed means decide which run is better (section 7)", rows)
}

fn trec_table(rows: &[TrecRun]) -> Table {
    Columns::new()
        .column("run", "run", |row: &TrecRun| row.run.into())
        .column("naive", "P@20", |row| row.naive.into())
        .column("d", "D", |row| row.d.into())
        .column("corrected", "corrected", |row| row.corrected.into())
        .with(Column::new("topics_variance", "V[J] / D² per query").style(NumberStyle::Significant(4)), |row| {
            row.topics_variance.into()
        })
        .table("trec_runs", "Table 2: corrected scores above 1", rows)
}

fn bronze_table(rows: &[BronzeGold]) -> Table {
    Columns::new()
        .column("calibrated_on", "calibrated on", |row: &BronzeGold| row.calibrated_on.into())
        .column("measure", "measure", |row| row.measure.into())
        .column("naive_error", "error", |row| row.naive_error.into())
        .column("corrected_error", "corrected", |row| row.corrected_error.into())
        .with(decimals("nearer", "improved", 3), |row| row.nearer.into())
        .with(decimals("d", "D", 3), |row| row.d.into())
        .table("bronze_gold", "Mean error of scores under bronze judges, compared with gold", rows)
}

pub(crate) fn rates_table(rows: &[SamplingRate]) -> Table {
    let range = |key| decimals(key, "95%", 3);
    Columns::new()
        .column("rate", "%", |row: &SamplingRate| row.rate.into())
        .column("estimate", "estimate", |row| row.estimate.into())
        .with(decimals("tau", "tau", 3), |row| row.tau.into())
        .with(range("tau_interval"), |row| row.tau_interval.into())
        .with(decimals("correlation", "corr.", 3), |row| row.correlation.into())
        .with(range("correlation_interval"), |row| row.correlation_interval.into())
        .with(decimals("rms", "RMS error", 3), |row| row.rms.into())
        .with(range("rms_interval"), |row| row.rms_interval.into())
        .table("rates", "Estimates from some % of the judgements, compared with MAP from all of them", rows)
}
