//! `published depth`: table 1, and figure 1.

use karat_report::{Axis, Block, Column, Figure, NumberStyle, Panel, Provenance, Report, Table};

use super::super::depth::{contribution, significant_ranks};
use super::p_column;

/// What is asked; persistences and precisions are checked.
#[derive(Debug)]
pub struct Depths {
    /// Each p.
    pub persistences: Vec<f64>,
    /// Each precision.
    pub precisions: Vec<f64>,
    /// Whether the contributions by rank are wanted, with their figure.
    pub contributions: bool,
    /// Where the numbers come from.
    pub provenance: Provenance,
    /// The version of karat.
    pub version: &'static str,
}

/// Ranks of figure 1.
const SHOWN: usize = 20;

/// How many ranks count?
pub fn depth(question: Depths) -> Report {
    let mut depths = Table::new("depths", "")
        .with(p_column("p", "p"))
        .with(Column::new("precision", "precision").style(NumberStyle::Given))
        .column("depth", "significant ranks")
        .with(Column::new("below", "weight of all ranks below").style(NumberStyle::Significant(3)));
    for &p in &question.persistences {
        for &precision in &question.precisions {
            let depth = significant_ranks(p, precision);
            depths.push([p.into(), precision.into(), depth.into(), p.powf(depth as f64).into()]);
        }
    }
    let one = depths.rows.len() == 1;
    let mut report = Report::new("Significant ranks", "published depth", question.version);
    report = report.block(if one { Block::Record(depths) } else { Block::Table(depths) });
    if question.contributions {
        let mut table = Table::new("contributions", "What a relevant document adds, by rank")
            .column("rank", "rank")
            .with(p_column("p", "p"))
            .column("contribution", "adds");
        let ranks = || 1..=SHOWN;
        let mut panel =
            Panel::new("", Axis::new("rank", 1.0, SHOWN as f64), Axis::new("contribution", 0.0, highest(&question)));
        for (series, &p) in question.persistences.iter().enumerate() {
            ranks().for_each(|rank| table.push([rank.into(), p.into(), contribution(p, rank).into()]));
            let points = ranks().map(|rank| (rank as f64, contribution(p, rank))).collect();
            panel = panel.line(series, format!("p = {p}"), false, points);
        }
        let figure = Figure::new("contributions", "Contribution of each rank to RBP", 1).panel(panel);
        report = report.table(table).block(Block::Figure(figure));
    }
    report.provenance = question.provenance;
    report.note("a rank is significant while the ranks below it could together still change the last printed digit: p^depth < precision / 2")
}

fn highest(question: &Depths) -> f64 {
    question.persistences.iter().map(|p| 1.0 - p).fold(0.0, f64::max)
}
