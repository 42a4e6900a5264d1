//! How unsure is Mean RBP when documents are unjudged? The experiment of Park (2016), section 3.2.
//!
//! The one decision: three answers side by side, simulated, exact, and under the paper's assumption that every unjudged
//! rank is relevant with the same probability. What the paper says of the outcome is a note beside what came out.

mod notes;
mod outcome;

use karat_report::{Column, NumberStyle, Provenance, Report, Table};
use karat_sim::{Experiment, RankingModel};
use karat_stats::Seed;

use crate::eval::percent;
use outcome::{ConstantShare, Outcome};

/// What is simulated, and how much of it.
pub struct Question {
    /// One for each cell, in the order they are reported.
    pub models: Vec<RankingModel>,
    /// Queries and replications of each; bins of the histograms, 0 for none.
    pub experiment: Experiment,
    /// Level of the interval whose coverage is checked, above 0 and below 1.
    pub level: f64,
    /// Seed of all rankings.
    pub seed: Seed,
    /// Threads; they do not change the answer.
    pub threads: usize,
    /// Where the numbers come from.
    pub provenance: Provenance,
    /// The program's version.
    pub version: &'static str,
}

/// Simulates every cell. `progress` is told how many of how many are done.
pub fn ranking(question: Question, progress: &mut dyn FnMut(usize, usize)) -> Report {
    let mut outcomes = Vec::with_capacity(question.models.len());
    let mut cells = cells_table(question.level);
    let mut histogram = histogram_table();
    // It does not depend on w, so that cells of one q share it.
    let mut constant: Option<ConstantShare> = None;
    for (done, model) in question.models.iter().enumerate() {
        progress(done, question.models.len());
        let simulated = model.simulate(question.experiment, question.seed, question.threads);
        let terms = model.independent_ranks();
        let kept = constant.take().filter(|kept| kept.terms == terms);
        let shared = constant.insert(kept.unwrap_or_else(|| ConstantShare::new(terms, &question)));
        let outcome = Outcome::new(model, &simulated, shared, &question);
        cells.push(outcome.row(question.level));
        if question.experiment.bins > 0 {
            outcome.histogram_of_lists(model, &simulated, shared, &mut histogram);
            outcome.histogram_of_means(&simulated, shared, question.experiment.bins, &mut histogram);
        }
        outcomes.push(outcome);
    }
    progress(question.models.len(), question.models.len());
    let mut report = Report::new("Simulated rankings", "simulate ranking", question.version).table(cells);
    if question.experiment.bins > 0 {
        report = report.table(histogram);
    }
    report.notes = notes::notes(&question, &outcomes);
    report.provenance = question.provenance;
    report
}

fn cells_table(level: f64) -> Table {
    let fine = |key, heading: &str| Column::new(key, heading).style(NumberStyle::Decimals(6));
    let plain = |key| Column::new(key, key).style(NumberStyle::Significant(1));
    Table::new("cells", "")
        .with(plain("q"))
        .with(plain("w"))
        .with(fine("mean", "mean"))
        .with(fine("mean_exact", "exactly"))
        .with(fine("mean_closed_form", "if q is constant"))
        .with(fine("std_dev", "std. dev."))
        .with(fine("std_dev_exact", "exactly"))
        .with(fine("std_dev_closed_form", "if q is constant"))
        .with(Column::new("mean_std_error", "").data_only())
        .with(Column::new("std_dev_std_error", "").data_only())
        .with(Column::new("interval_closed_form", "").range().data_only())
        .with(Column::new("interval_method", "").data_only())
        .with(Column::new("level", "").data_only())
        .with(
            Column::new("coverage_closed_form", format!("in its {} interval", percent(level)))
                .style(NumberStyle::Decimals(3)),
        )
        .with(Column::new("list_std_dev", "").data_only())
        .with(Column::new("list_std_dev_exact", "").data_only())
        .with(Column::new("list_std_dev_closed_form", "").data_only())
}

fn histogram_table() -> Table {
    let fine = |key, heading: &str| Column::new(key, heading).style(NumberStyle::Decimals(6));
    let plain = |key| Column::new(key, key).style(NumberStyle::Significant(1));
    Table::new("histogram", "Histograms")
        .column("of", "of")
        .with(plain("q"))
        .with(plain("w"))
        .with(fine("low", "from"))
        .with(fine("high", "to"))
        .column("count", "count")
        .column("share", "share")
        .column("share_closed_form", "share if q is constant")
}

#[cfg(test)]
mod tests {
    use super::*;
    use karat_report::Cell;
    use karat_sim::Relevant;

    fn question(relevant: Relevant, weights: &[f64], queries: u32, bins: usize) -> Question {
        let model = |&weight: &f64| RankingModel::new(100, relevant, weight, 0.8, 10).unwrap();
        Question {
            models: weights.iter().map(model).collect(),
            experiment: Experiment { queries, replications: 500, bins },
            level: 0.95,
            seed: Seed(3),
            threads: 1,
            provenance: Provenance::default(),
            version: "0",
        }
    }

    #[test]
    fn what_the_paper_says_stands_beside_what_came_out() {
        let report = ranking(question(Relevant::Share(0.5), &[0.05, 1.0], 50, 0), &mut |_, _| {});
        let note = report.notes.iter().find(|note| note.contains("Park (2016) says")).unwrap();
        assert!(note.contains("the mean rises at q=0.5; the standard deviation falls at q=0.5"), "{note}");
        // One w shows no course.
        let report = ranking(question(Relevant::Share(0.5), &[1.0], 50, 0), &mut |_, _| {});
        assert!(!report.notes.iter().any(|note| note.contains("Park (2016) says")));
    }

    #[test]
    fn histograms_hold_everything_once() {
        let mut told = Vec::new();
        let report =
            ranking(question(Relevant::Exactly(20), &[0.3, 1.0], 4, 6), &mut |done, all| told.push((done, all)));
        assert_eq!(told, [(0, 2), (1, 2), (2, 2)]);
        let karat_report::Block::Table(histogram) = &report.blocks[1] else { panic!("no histogram") };
        // Two kinds, two cells, six bins; 500 means and 2000 lists in each cell; chances add up to 1 over what is possible.
        assert_eq!(histogram.rows.len(), 24);
        let sum = |of: &str, weight: f64, column: usize| -> f64 {
            let rows = histogram.rows.iter().filter(|row| row[0] == of.into() && row[2] == weight.into());
            rows.map(|row| match row[column] {
                Cell::Count(count) => count as f64,
                Cell::Number(number) => number,
                _ => panic!("no number"),
            })
            .sum()
        };
        for weight in [0.3, 1.0] {
            assert_eq!((sum("list", weight, 5), sum("mean", weight, 5)), (2000.0, 500.0));
            assert!((sum("list", weight, 7) - 1.0).abs() < 1e-8 && (sum("list", weight, 6) - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn nothing_relevant_is_zero_without_doubt() {
        let report = ranking(question(Relevant::Share(0.0), &[0.5], 3, 4), &mut |_, _| {});
        let karat_report::Block::Table(cells) = &report.blocks[0] else { panic!("no cells") };
        assert_eq!(cells.rows[0][2..8], vec![Cell::Number(0.0); 6]);
        assert_eq!(cells.rows[0][13], Cell::Number(1.0));
    }
}
