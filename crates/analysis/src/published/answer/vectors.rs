//! `published vectors`: R_G, R_L, and on request all rankings that print so.

use karat_report::{Audience, Block, Cell, Column, NumberStyle, Provenance, Report, Table};

use super::super::count::{Count, count};
use super::super::paper;
use super::super::vectors::{DEEPEST, Extremes, Rank, Search, SearchEnd, score, written};
use super::super::{Printed, PublishedScore, ROUNDING};

/// What is asked.
#[derive(Debug)]
pub struct Vectors {
    /// The published score.
    pub published: PublishedScore,
    /// How many of all rankings to list; 0 for none.
    pub list: usize,
    /// Where the numbers come from.
    pub provenance: Provenance,
    /// The version of karat.
    pub version: &'static str,
}

/// Which rankings print so?
///
/// # Errors
/// No ranking does, or it could not be found out; says which.
pub fn vectors(question: Vectors) -> Result<Report, String> {
    let published = &question.published;
    let p = published.persistence();
    if published.depth() > DEEPEST {
        return Err(format!(
            "p={p} and a precision of {} mean {} ranks; expected at most {DEEPEST}; give a coarser --precision",
            published.precision(),
            published.depth()
        ));
    }
    published.check_binary()?;
    let found = Extremes::of(published).map_err(|end| refusal(published, end))?;
    let by_rules = paper::vectors(published);
    let with = published.residual().is_some();
    let mut record = Table::new("vectors_found", "")
        .column("depth", "significant ranks")
        .with(Column::new("score_interval", "score, as printed").range().style(NumberStyle::Decimals(8)))
        .column("greatest", "greatest (R_G)")
        .with(fine("score_greatest", "its score"))
        .column("least", "least (R_L)")
        .with(fine("score_least", "its score"));
    let mut row: Vec<Cell> = vec![
        published.depth().into(),
        ends(published.score()).into(),
        written(&found.greatest).into(),
        score(&found.greatest, 0.0, p).into(),
        written(&found.least).into(),
        score(&found.least, 0.0, p).into(),
    ];
    if let Some(residual) = published.residual() {
        record = record
            .with(Column::new("residual_interval", "residual, as printed").range().style(NumberStyle::Decimals(8)))
            .with(fine("score_greatest_unjudged_relevant", "greatest, if all ? are relevant"))
            .with(fine("score_least_unjudged_relevant", "least, if all ? are relevant"));
        row.extend([ends(residual).into(), score(&found.greatest, 1.0, p).into(), score(&found.least, 1.0, p).into()]);
    }
    record = record.column("greatest_paper", "by the paper's rules: R_G").column("least_paper", "R_L");
    row.extend([written(&by_rules.greatest).into(), written(&by_rules.least).into()]);
    record.push(row);
    let mut report = Report::new("Rankings behind a printed score", "published vectors", question.version)
        .block(Block::Record(record));
    report = report.note(
        "greatest and least, with 0 < ? < 1, of all rankings of these ranks whose score (and residual) is in the printed interval; exact: every \
         beginning that could lead to one was tried in order",
    );
    report = report.note(
        "the paper's rules take the printed score for the score itself and decide rank by rank; theirs need not be the extremes",
    );
    if found.depth() > published.depth() {
        report = report.note(format!(
            "no ranking of the {} significant ranks prints so, because such short ones leave gaps between their scores; these are of {} ranks",
            published.depth(),
            found.depth()
        ));
    }
    for (name, ranks) in [("R_G", &by_rules.greatest), ("R_L", &by_rules.least)].into_iter().filter(|_| with) {
        if !fits(published, ranks) {
            report = report.note(format!("the paper's rules miss the score or the residual with their {name}"));
        }
    }
    if question.list > 0 {
        report = list(report, published, found.depth(), question.list);
    }
    report.provenance = question.provenance;
    Ok(report)
}

fn fine(key: &'static str, heading: &str) -> Column {
    Column::new(key, heading).style(NumberStyle::Decimals(8))
}

fn ends(printed: Printed) -> (f64, f64) {
    (printed.low(), printed.high())
}

/// Whether a ranking prints so.
fn fits(published: &PublishedScore, ranks: &[Rank]) -> bool {
    let within = |value: f64, printed: Printed| value >= printed.low() - ROUNDING && value <= printed.high() + ROUNDING;
    let own = score(ranks, 0.0, published.persistence());
    let open = score(ranks, 1.0, published.persistence()) - own;
    within(own, published.score()) && published.residual().is_none_or(|residual| within(open, residual))
}

fn refusal(published: &PublishedScore, end: SearchEnd) -> String {
    let what = format!(
        "RBP {} at p={}{}, as printed",
        published.score().value,
        published.persistence(),
        published.residual().map_or(String::new(), |residual| format!(" with a residual of {}", residual.value))
    );
    match end {
        SearchEnd::Exhausted => format!(
            "no ranking has {what}: every beginning was tried, and more ranks than the {} significant ones; check p, the score and the \
             residual, or give a coarser --precision if they were rounded further",
            published.depth()
        ),
        SearchEnd::GaveUp => format!(
            "whether a ranking has {what} could not be found out in reasonable time; nothing is claimed; a coarser \
             --precision may help"
        ),
    }
}

/// The first of all rankings, and how many there are.
fn list(report: Report, published: &PublishedScore, depth: usize, most: usize) -> Report {
    let (how_many, exact, least, greatest) = match count(published, depth) {
        Count::Exactly(count) => (format!("{count}"), Cell::from(count), Cell::Missing, Cell::Missing),
        Count::Between(least, greatest) => {
            let shown = |log10: f64| NumberStyle::Decimals(1).show(log10);
            let from = if least.is_finite() { format!("10^{}", shown(least)) } else { "0".into() };
            let words = format!("from {from} to 10^{}", shown(greatest));
            (words, Cell::Missing, Cell::Number(least), Cell::Number(greatest))
        }
    };
    let counts = Table::new("count", "")
        .audience(Audience::Data)
        .column("count", "")
        .column("log10_count_at_least", "")
        .column("log10_count_at_most", "")
        .row([exact, least, greatest]);
    let mut table =
        Table::new("vectors", "All, from the greatest down").column("vector", "ranking").with(fine("score", "score"));
    if published.residual().is_some() {
        table = table.with(fine("score_unjudged_relevant", "if all ? are relevant"));
    }
    let p = published.persistence();
    let mut search = Search::descending(published, depth);
    let mut end = None;
    while table.rows.len() < most && end.is_none() {
        match search.next_ranking() {
            Ok(ranks) => {
                let mut row = vec![Cell::from(written(&ranks)), score(&ranks, 0.0, p).into()];
                row.extend(published.residual().map(|_| Cell::from(score(&ranks, 1.0, p))));
                table.push(row);
            }
            Err(why) => end = Some(why),
        }
    }
    let listed = table.rows.len();
    let note = match end {
        Some(SearchEnd::Exhausted) if listed == 1 => "1 ranking prints so, and is listed".to_owned(),
        Some(SearchEnd::Exhausted) => format!("{listed} rankings print so, and all are listed"),
        _ => format!("the first {listed} are listed; there are {how_many} rankings that print so (--limit lists more)"),
    };
    report.block(Block::Record(counts)).table(table).note(note)
}
