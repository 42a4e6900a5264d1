//! Reproduces papers and reports what came out.

use karat_present::Context;
use karat_report::{Block, Column, Columns, Figure, NumberStyle, Report, Table};

use crate::answer::{FigureEntry, PaperClaim, PaperSummary, ReproduceAnswer};
use crate::tables::tables;
use crate::{Claim, Desk, Outcome, Paper, QUICK, Work};

/// How much room a table of claims has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// A terminal: everything about a claim in one column, which wraps.
    Narrow,
    /// A page: one column per field.
    Wide,
}

/// Reproduces these papers.
pub fn report(
    papers: &[&'static Paper],
    work: &Work<'_>,
    desk: &mut dyn Desk,
    layout: Layout,
    context: Context,
) -> Report {
    let outcomes: Vec<(&Paper, Outcome)> = papers.iter().map(|paper| (*paper, (paper.reproduce)(work, desk))).collect();
    let summaries: Vec<PaperSummary> =
        outcomes.iter().map(|(paper, outcome)| summary(paper, &outcome.claims)).collect();
    let mut report = context.report("Reproductions: the papers' numbers, ours next to theirs", "reproduce");
    report = report.table(summary_table(&summaries));
    report.notes.push(format!("Experiments on systems: {}", work.collection.description()));
    report.notes.extend(work.quick.then(|| QUICK.into()));
    let mut answer = ReproduceAnswer { papers: summaries, ..ReproduceAnswer::default() };
    for (paper, outcome) in outcomes {
        report.blocks.extend(section(paper, &outcome, layout));
        // Papers that share an experiment's data say the same of it.
        let new: Vec<String> = outcome.notes.into_iter().filter(|note| !report.notes.contains(note)).collect();
        report.notes.extend(new);
        answer.claims.extend(outcome.claims.into_iter().map(|claim| PaperClaim { paper: paper.name, claim }));
        answer.figures.extend(outcome.figures.iter().map(|figure| entry(paper, figure)));
        answer.experiments.add(outcome.experiments);
    }
    report.answering(answer)
}

fn summary(paper: &Paper, claims: &[Claim]) -> PaperSummary {
    let count = |holds: Option<bool>| claims.iter().filter(|claim| claim.holds == holds).count();
    PaperSummary {
        paper: paper.name,
        claims: claims.len(),
        hold: count(Some(true)),
        do_not_hold: count(Some(false)),
        unchecked: count(None),
    }
}

fn entry(paper: &Paper, figure: &Figure) -> FigureEntry {
    FigureEntry { paper: paper.name, figure: figure.id, title: figure.title.clone(), reading: figure.reading.clone() }
}

/// A paper's claims, how they were checked, its experiments and figures.
fn section(paper: &Paper, outcome: &Outcome, layout: Layout) -> Vec<Block> {
    let columns = match layout {
        Layout::Narrow => narrow_columns(),
        Layout::Wide => wide_columns(),
    };
    let claims = columns.table(paper.name, paper.name, &outcome.claims);
    let mut blocks =
        vec![Block::Table(claims), Block::Text(format!("Paper: {}.\nMethod: {}.", paper.title, paper.recipe))];
    blocks.extend(tables(&outcome.experiments).into_iter().map(Block::Table));
    blocks.extend(outcome.figures.iter().cloned().map(Block::Figure));
    blocks
}

fn summary_table(rows: &[PaperSummary]) -> Table {
    Columns::new()
        .column("paper", "paper", |row: &PaperSummary| row.paper.into())
        .column("claims", "claims", |row| row.claims.into())
        .column("hold", "hold", |row| row.hold.into())
        .column("do_not_hold", "do not hold", |row| row.do_not_hold.into())
        .column("unchecked", "cannot be checked", |row| row.unchecked.into())
        .table("papers", "", rows)
}

fn wide_columns() -> Columns<'static, Claim> {
    Columns::new()
        .column("place", "place", |claim: &Claim| claim.place.as_str().into())
        .column("claim", "claim", |claim| claim.claim.as_str().into())
        .with(Column::new("printed", "printed").style(NumberStyle::Given), |claim| claim.printed.clone().into())
        .with(Column::new("computed", "ours").style(COMPUTED), |claim| claim.computed.clone().into())
        .column("verdict", "", |claim| claim.verdict().into())
        .column("note", "note", |claim| claim.note.as_deref().into())
}

/// How people see our numbers next to printed ones.
const COMPUTED: NumberStyle = NumberStyle::Significant(6);

fn narrow_columns() -> Columns<'static, Claim> {
    Columns::new()
        .column("place", "place", |claim: &Claim| claim.place.as_str().into())
        .column("verdict", "verdict", |claim| claim.verdict().into())
        .column("claim", "claim", |claim| in_one_line(claim).into())
}

/// "CLAIM. Paper: 0.816. Ours: 0.816406. Note: NOTE"
fn in_one_line(claim: &Claim) -> String {
    let parts = [
        ("Paper", claim.printed.show(NumberStyle::Given)),
        ("Ours", claim.computed.show(COMPUTED)),
        ("Note", claim.note.clone()),
    ];
    let known = parts.into_iter().filter_map(|(name, text)| Some((name, text?)));
    known.fold(claim.claim.clone(), |line, (name, text)| format!("{line}. {name}: {text}"))
}
