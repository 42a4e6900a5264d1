//! `karat judges calibrate` for people.

use std::collections::BTreeMap;

use crate::figures::confusion::confusion;
use karat_analysis::judges::{
    CalibrateAnswer, CalibrateNote, CalibrationCaution, ErrorRate, FactorTest, FactorValue, PairsNote, Sampling,
    TestedFactors,
};
use karat_report::{Block, Column, Columns, Figure, NumberStyle, Report, Table};

use super::rate_warning;
use crate::Context;
use crate::words::{count, percent};

/// Of a factor with more values, the values are not shown to people.
const MOST_SHOWN: usize = 20;

/// Error rates as a report.
pub fn report(answer: CalibrateAnswer, context: Context) -> Report {
    let mut report = context
        .report("How accurate are the judges?", "judges calibrate")
        .table(rates(&answer.rates, answer.level))
        .block(Block::Record(discrimination(&answer)));
    report.notes.extend(answer.notes.iter().map(note));
    if let Some(tested) = &answer.tested {
        report = report.table(tests(&tested.tests)).table(factor_values(tested));
        report.notes.extend(hidden_values(tested));
    }
    report = report.block(Block::Figure(figure(&answer)));
    report.answering(answer)
}

fn rates(rows: &[ErrorRate], level: f64) -> Table {
    let grade = |key, heading: &str| Column::new(key, heading).style(NumberStyle::Significant(1));
    let interval = Column::new("interval", format!("{} interval", percent(level)));
    Columns::new()
        .with(grade("gold", "gold"), |row: &ErrorRate| row.gold.into())
        .with(grade("bronze", "bronze"), |row| row.bronze.into())
        .column("count", "pairs", |row| row.count.into())
        .column("of", "of", |row| row.of.into())
        .column("rate", "rate", |row| row.rate.into())
        .with(interval, |row| row.interval.into())
        .table("rates", "Bronze grades of documents with each gold grade", rows)
}

fn discrimination(answer: &CalibrateAnswer) -> Table {
    let d = if answer.grades.len() == 2 { "D = m_R + m_N - 1" } else { "D = determinant of the rates" };
    let condition = Column::new("condition", "condition number").style(NumberStyle::Decimals(2));
    Columns::new()
        .column("d", d, |answer: &CalibrateAnswer| answer.d.into())
        .column("d_std_error", "standard error of D", |answer| answer.d_std_error.into())
        .with(Column::new("d_interval", "interval of D"), |answer| answer.d_interval.into())
        .with(condition, |answer| answer.condition.into())
        .table("calibration", "", [answer])
}

fn tests(rows: &[FactorTest]) -> Table {
    let column = |key, heading: &str, style| Column::new(key, heading).style(style);
    Columns::new()
        .column("factor", "factor", |row: &FactorTest| row.factor.as_str().into())
        .with(column("statistic", "chi-squared", NumberStyle::Decimals(2)), |row| row.statistic.into())
        .with(column("df", "df", NumberStyle::Decimals(0)), |row| row.df.into())
        .with(column("p", "p", NumberStyle::P), |row| row.p.into())
        .with(column("p_adjusted", "p (Holm)", NumberStyle::P), |row| row.p_adjusted.into())
        .column("method", "method", |row| row.method.into())
        .table("tests", "Does the error rate depend on a factor?", rows)
}

/// How many values each factor has.
fn values_by_factor(tested: &TestedFactors) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    for value in &tested.factors {
        *counts.entry(value.factor.as_str()).or_default() += 1;
    }
    counts
}

fn factor_values(tested: &TestedFactors) -> Table {
    let counts = values_by_factor(tested);
    let shown = |value: &&FactorValue| counts.get(value.factor.as_str()).is_some_and(|&values| values <= MOST_SHOWN);
    Columns::new()
        .column("factor", "factor", |row: &FactorValue| row.factor.as_str().into())
        .column("value", "value", |row| row.value.as_str().into())
        .column("agreed", "agreed", |row| row.agreed.into())
        .column("pairs", "pairs", |row| row.pairs.into())
        .column("rate", "rate", |row| row.rate.into())
        .table("factors", "Agreement by factor", tested.factors.iter().filter(shown))
}

fn hidden_values(tested: &TestedFactors) -> Vec<String> {
    let hidden = values_by_factor(tested).into_iter().filter(|(_, values)| *values > MOST_SHOWN);
    hidden
        .map(|(name, values)| format!("Agreement by {name} has {values} values; use -f json or csv to list them."))
        .collect()
}

fn figure(answer: &CalibrateAnswer) -> Figure {
    let grades: Vec<String> = answer.grades.iter().map(|grade| NumberStyle::Given.show(*grade)).collect();
    let counts: Vec<Vec<f64>> =
        answer.counts.iter().map(|row| row.iter().map(|&count| count as f64).collect()).collect();
    confusion("bronze against gold", ("gold", "bronze"), &grades, &counts)
}

fn note(note: &CalibrateNote) -> String {
    let show = |p: f64| NumberStyle::P.show(p);
    match note {
        CalibrateNote::Rates(warning) => rate_warning(warning),
        CalibrateNote::Sampling(sampling) => sampling_note(*sampling).into(),
        CalibrateNote::OneTopic => {
            "warning: all pairs of some gold grade come from one topic, so the intervals do not hold for other \
                                    topics. Collect gold labels for more topics."
                .into()
        }
        CalibrateNote::DesignEffects(effects) => {
            let effect = |&(grade, effect, topics): &(f64, f64, u64)| {
                format!("{} for gold {grade} ({topics} topics)", NumberStyle::Decimals(1).show(effect))
            };
            let effects: Vec<String> = effects.iter().map(effect).collect();
            format!(
                "Errors within a topic are similar, so variances are larger than for independent pairs (factor {}). Intervals and \
                 corrected scores allow for this.",
                effects.join(", ")
            )
        }
        CalibrateNote::DependsOn(factor, p) => format!(
            "warning: the error rate depends on {factor} (p = {}), so one correction for all is biased. Correct with gold labels of \
             whole queries instead (karat eval --gold).",
            show(*p)
        ),
        CalibrateNote::NoEvidence(factor, p) => {
            format!(
                "No evidence that the error rate depends on {factor} (p = {}); this does not prove independence.",
                show(*p)
            )
        }
        CalibrateNote::NotTested(factors, reason) => format!("Not tested: {} ({reason}).", factors.join(", ")),
    }
}

fn sampling_note(sampling: Option<Sampling>) -> &'static str {
    match sampling {
        Some(Sampling::Random) => "The pairs are a random sample of the bronze labels (--sampling random).",
        Some(Sampling::Gold) => "The pairs were chosen by the gold label (--sampling gold); the rates are unbiased.",
        Some(Sampling::Bronze) => {
            "warning: the pairs were chosen by the bronze label, so the rates are biased. Weight the counts by how often bronze gives each \
             label, or draw pairs at random."
        }
        None => {
            "How the pairs were chosen is unknown (--sampling random, gold or bronze). The rates are biased if they were chosen by the \
             bronze label."
        }
    }
}

/// What a reader should know about pairs from files.
pub fn pairs_note(note: &PairsNote) -> String {
    match note {
        PairsNote::Counts { pairs, judges, documents } => {
            let judges = count(*judges, "bronze judge");
            format!("{pairs} pairs: labels of {judges} on {documents} documents that gold judged.")
        }
        PairsNote::Repeated(labels) => super::problems::repeated_note(*labels),
        PairsNote::Sampled { others, p, differs: true } => format!(
            "warning: bronze grades among the pairs differ from the other {others} bronze labels (p = {}), so the pairs are not a random \
             sample. If they were chosen by the bronze label, the rates are biased.",
            NumberStyle::P.show(*p)
        ),
        PairsNote::Sampled { others, p, .. } => format!(
            "Bronze grades among the pairs are distributed as among the other {others} bronze labels (p = {}).",
            NumberStyle::P.show(*p)
        ),
        PairsNote::BestRank => {
            "A document counts for the system that ranks it highest, and for the band of that rank; documents that no \
                                run retrieved are left out."
                .into()
        }
    }
}

/// A caution that goes with the rates of a calibration file.
pub fn caution(caution: &CalibrationCaution) -> String {
    match caution {
        CalibrationCaution::ChosenByBronze => sampling_note(Some(Sampling::Bronze)).into(),
        CalibrationCaution::DependedOn(factors) => format!(
            "warning: in the calibration the error rate depends on {}. One correction for all is biased, and standard errors do not show \
             it.",
            factors.join(", ")
        ),
    }
}
