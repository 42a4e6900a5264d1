//! `published study` for people.

use karat_analysis::published::study::{StudyAnswer, StudyCell, Unit};
use karat_report::{Axis, Block, Column, Columns, Figure, NumberStyle, Panel, Report, Table};

use super::given;
use crate::Context;

/// The report.
pub fn report(answer: StudyAnswer, context: Context) -> Report {
    let mut report = context
        .report("Verdicts from printed scores, checked on real runs", "published study")
        .table(table(&answer.cells))
        .block(Block::Figure(figure(&answer.cells)));
    report.notes.extend(notes(&answer.cells));
    report.answering(answer)
}

fn name(unit: Unit) -> &'static str {
    match unit {
        Unit::Topic => "topic",
        Unit::Mean => "mean",
    }
}

fn table(cells: &[StudyCell]) -> Table {
    Columns::new()
        .column("unit", "unit", |cell: &StudyCell| name(cell.unit).into())
        .column("residuals", "residual", |cell| cell.residuals.into())
        .with(given("p_low", "p"), |cell| cell.p_low.into())
        .with(given("p_high", "and p"), |cell| cell.p_high.into())
        .column("digits", "digits", |cell| u32::from(cell.digits).into())
        .column("pairs", "pairs", |cell| cell.pairs.into())
        .with(Column::new("share", "decided").style(NumberStyle::Decimals(3)), |cell| cell.share.into())
        .column("wrong", "wrong", |cell| cell.wrong.into())
        .column("decided_paper", "paper", |cell| cell.decided_paper.into())
        .column("wrong_paper", "paper wrong", |cell| cell.wrong_paper.into())
        .table("cells", "", cells)
}

fn notes(cells: &[StudyCell]) -> Vec<String> {
    let total = |count: fn(&StudyCell) -> u64| cells.iter().map(count).sum::<u64>();
    vec![
        format!("{} verdicts from printed scores alone; {} are wrong.", total(|cell| cell.decided), total(|cell| cell.wrong)),
        "Each pair is one run published with the lower p and another with the higher, compared at the lower p. A verdict is \
         wrong if the true scores there are equal or in the other order."
            .into(),
        "Topics are compared by the binary range, means by the graded range.".into(),
        "paper: verdicts by the paper's range, which is meant for single topics and exactly known scores.".into(),
        "Unjudged documents count as not relevant; with residuals the verdict holds however they are judged.".into(),
    ]
}

/// Share of pairs decided by digits, without residuals: topics solid, means dashed.
fn figure(cells: &[StudyCell]) -> Figure {
    let digits = || cells.iter().map(|cell| cell.digits);
    let (first, last) = (digits().min().unwrap_or(0), digits().max().unwrap_or(0));
    let axis = Axis::new("digits printed", f64::from(first), f64::from(last.max(first.saturating_add(1))));
    let mut panel = Panel::new("", axis, Axis::new("share of pairs decided", 0.0, 1.0));
    let without: Vec<&StudyCell> = cells.iter().filter(|cell| !cell.residuals).collect();
    let same = |a: &&StudyCell, b: &&StudyCell| (a.unit, a.p_low, a.p_high) == (b.unit, b.p_low, b.p_high);
    let lines: Vec<&[&StudyCell]> = without.chunk_by(same).collect();
    let each = lines.len().div_ceil(2).max(1);
    for (place, line) in lines.iter().enumerate() {
        let label = format!("{}, p = {} and {}", name(line[0].unit), line[0].p_low, line[0].p_high);
        let points = line.iter().map(|cell| (f64::from(cell.digits), cell.share.unwrap_or(f64::NAN))).collect();
        panel = panel.line(place % each, label, place >= each, points);
    }
    Figure::new("study", "How often printed scores decide", 1).panel(panel)
}
