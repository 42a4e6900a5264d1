//! What became of the papers, as a report.

use karat_report::{Audience, Block, Cell, Column, NumberStyle, Provenance, Report, Table};

use crate::{Desk, Outcome, Paper, QUICK, Work};

/// Reproduces these papers.
pub fn report(
    papers: &[&'static Paper],
    work: &Work<'_>,
    desk: &mut dyn Desk,
    provenance: Provenance,
    version: &'static str,
) -> Report {
    let mut data = claims_table("claims", Audience::Data);
    let mut summary = Table::new("papers", "")
        .column("paper", "paper")
        .column("claims", "claims")
        .column("hold", "hold")
        .column("do_not_hold", "do not hold")
        .column("unchecked", "cannot be checked");
    let mut drawn = Table::new("figures", "Figures")
        .audience(Audience::Data)
        .column("paper", "paper")
        .column("figure", "figure")
        .column("title", "title")
        .column("reading", "reading");
    let mut blocks = Vec::new();
    let mut notes = Vec::new();
    for paper in papers {
        let Outcome { claims, tables, figures, notes: own } = (paper.reproduce)(work, desk);
        let count = |holds: Option<bool>| claims.iter().filter(|claim| claim.holds == holds).count();
        summary.push([
            paper.name.into(),
            claims.len().into(),
            count(Some(true)).into(),
            count(Some(false)).into(),
            count(None).into(),
        ]);
        let mut people = claims_table("", Audience::People);
        people.title = format!("{}: {}", paper.name, paper.title);
        for claim in claims {
            let row: Vec<Cell> = vec![
                paper.name.into(),
                claim.place.as_str().into(),
                claim.claim.as_str().into(),
                claim.printed.clone().into(),
                claim.computed.clone().into(),
                claim.tolerance.into(),
                claim.holds.into(),
                claim.verdict().into(),
                if claim.note.is_empty() { Cell::Missing } else { claim.note.as_str().into() },
            ];
            data.push(row.clone());
            people.push(row);
        }
        blocks.push(Block::Table(people));
        blocks.push(Block::Text(format!("How: {}", paper.recipe)));
        blocks.extend(tables.into_iter().map(Block::Table));
        for figure in &figures {
            let words = [paper.name, figure.id, &figure.title, &figure.reading];
            drawn.push(words.map(Cell::from));
        }
        blocks.extend(figures.into_iter().map(Block::Figure));
        notes.extend(own);
    }
    let title = "Reproductions: the papers' numbers, ours beside theirs";
    let mut report = Report::new(title, "reproduce", version).table(summary).table(data).table(drawn);
    report.blocks.extend(blocks);
    report.notes.push(format!("experiments on systems: {}", work.collection.told()));
    if work.quick {
        report.notes.push(QUICK.into());
    }
    // Papers that share an experiment's data say the same of it.
    for note in notes {
        if !report.notes.contains(&note) {
            report.notes.push(note);
        }
    }
    report.provenance = provenance;
    report
}

/// The fields of a claim; people are told the verdict in words and need no name of the paper beside each.
fn claims_table(id: &'static str, audience: Audience) -> Table {
    let given = |key, heading: &str| Column::new(key, heading).style(NumberStyle::Significant(6));
    Table::new(id, "")
        .audience(audience)
        .with(Column::new("paper", "").data_only())
        .column("place", "place")
        .column("claim", "claim")
        .with(Column::new("printed", "printed").style(NumberStyle::Given))
        .with(given("computed", "ours"))
        .with(Column::new("tolerance", "tolerance").data_only())
        .with(Column::new("holds", "").data_only())
        .with(Column::new("verdict", "").people_only())
        .column("note", "note")
}
