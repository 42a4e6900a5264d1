//! `published vectors` for people.

use karat_analysis::published::answer::VectorsAnswer;
use karat_analysis::published::answer::vectors::{ListedRanking, Listing};
use karat_report::{Block, Cell, Column, Columns, NumberStyle, Report, Table};

use crate::Context;
use crate::words::count;

/// The report.
pub fn report(answer: VectorsAnswer, context: Context) -> Report {
    let mut report =
        context.report("Rankings behind a printed score", "published vectors").block(Block::Record(record(&answer)));
    if let Some(listing) = &answer.listing {
        report = report.table(rankings(listing, answer.residual.is_some()));
    }
    report.notes.extend(notes(&answer));
    report.answering(answer)
}

fn fine(key: &'static str, heading: &str) -> Column {
    Column::new(key, heading).style(NumberStyle::Decimals(8))
}

fn record(answer: &VectorsAnswer) -> Table {
    let residual = |cell: fn(&karat_analysis::published::answer::vectors::ResidualScores) -> Cell| {
        move |row: &VectorsAnswer| row.residual.as_ref().map_or(Cell::Missing, cell)
    };
    Columns::new()
        .column("depth", "significant ranks", |row: &VectorsAnswer| row.depth.into())
        .with(fine("score_interval", "score, as printed"), |row| row.score_interval.into())
        .column("greatest", "greatest (R_G)", |row| row.greatest.as_str().into())
        .with(fine("score_greatest", "its score"), |row| row.score_greatest.into())
        .column("least", "least (R_L)", |row| row.least.as_str().into())
        .with(fine("score_least", "its score"), |row| row.score_least.into())
        .when(answer.residual.is_some(), |columns| {
            columns
                .with(fine("residual_interval", "residual, as printed"), residual(|row| row.residual_interval.into()))
                .with(
                    fine("score_greatest_unjudged_relevant", "greatest, if all ? are relevant"),
                    residual(|row| row.score_greatest_unjudged_relevant.into()),
                )
                .with(
                    fine("score_least_unjudged_relevant", "least, if all ? are relevant"),
                    residual(|row| row.score_least_unjudged_relevant.into()),
                )
        })
        .column("greatest_paper", "R_G by the paper's rules", |row| row.greatest_paper.as_str().into())
        .column("least_paper", "R_L by the paper's rules", |row| row.least_paper.as_str().into())
        .table("vectors_found", "", [answer])
}

fn rankings(listing: &Listing, residual: bool) -> Table {
    Columns::new()
        .column("vector", "ranking", |row: &ListedRanking| row.vector.as_str().into())
        .with(fine("score", "score"), |row| row.score.into())
        .when(residual, |columns| {
            columns.with(fine("score_unjudged_relevant", "if all ? are relevant"), |row| {
                row.score_unjudged_relevant.into()
            })
        })
        .table("vectors", "All rankings, from the greatest down", &listing.vectors)
}

fn notes(answer: &VectorsAnswer) -> Vec<String> {
    let mut notes = vec![
        "R_G and R_L are the lexicographically greatest and least (0 < ? < 1) of all rankings with this printed score \
         and residual. The search is exact."
            .to_owned(),
        "The paper's rules decide rank by rank and ignore rounding; their R_G and R_L need not be the extremes.".into(),
    ];
    if answer.searched_depth > answer.depth {
        notes.push(format!(
            "No ranking of the {} significant ranks has this printed score; these rankings have {} ranks.",
            answer.depth, answer.searched_depth
        ));
    }
    for (name, missed) in [("R_G", answer.paper_misses.0), ("R_L", answer.paper_misses.1)] {
        if missed {
            notes.push(format!("The paper's {name} does not have the printed score and residual."));
        }
    }
    notes.extend(answer.listing.as_ref().map(listed));
    notes
}

/// How many rankings there are, and how many of them are listed.
fn listed(listing: &Listing) -> String {
    let rankings = count(listing.vectors.len(), "ranking");
    if listing.complete {
        let verb = if listing.vectors.len() == 1 { "has" } else { "have" };
        return format!("{rankings} {verb} this printed score; all are listed.");
    }
    let power = |log10: f64| format!("10^{}", NumberStyle::Decimals(1).show(log10));
    let total = match (listing.count, listing.log10_count_at_most) {
        (Some(count), _) => count.to_string(),
        (None, most) => {
            let least = listing.log10_count_at_least.map_or("0".into(), power);
            format!("{least} to {}", most.map_or("any number".into(), power))
        }
    };
    format!("The first {rankings} are listed, of {total} with this printed score (--limit lists more).")
}
