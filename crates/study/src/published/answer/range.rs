//! `published range`: the possible scores at another p, or at many.

use karat_report::{Audience, Block, Cell, Column, Provenance, Report, Table};

use super::super::possible::{Possible, possible};
use super::super::range::{self as ranges, Range};
use super::super::{Printed, PublishedScore};
use super::{GRADED, fan, p_column};

/// What is asked. Every p with every score: one of each, or a grid.
#[derive(Debug)]
pub struct Ranges {
    /// Each p; checked.
    pub persistences: Vec<f64>,
    /// Each score.
    pub scores: Vec<Printed>,
    /// The residual of all, if one was printed.
    pub residual: Option<Printed>,
    /// The other p, one or many; checked.
    pub at: Vec<f64>,
    /// Whether the figure is wanted, with its table.
    pub figure: bool,
    /// Where the numbers come from.
    pub provenance: Provenance,
    /// The version of karat.
    pub version: &'static str,
}

/// Beyond so many p a search at each is kept short.
const FEW: usize = 20;
const SHORT: usize = 500;

/// What might the scores be at another p?
///
/// # Errors
/// None of the scores is possible; says what is nearest.
pub fn range(question: Ranges) -> Result<Report, String> {
    let mut table = table("ranges");
    let mut fans: Vec<fan::Fan> = Vec::new();
    let mut drawn = table_of_fan();
    let (mut refused, mut first_refusal) = (Vec::new(), None);
    let effort = if question.at.len() <= FEW { ranges::THOROUGH } else { SHORT };
    // Scores from the top down, p from left to right: the paper's figure 3.
    let scores = question.scores.iter().rev();
    for (score, &p) in scores.flat_map(|score| question.persistences.iter().map(move |p| (score, p))) {
        match PublishedScore::new(p, *score, question.residual) {
            Ok(published) => {
                for &at in &question.at {
                    table.push(row(&published, &ranges::range(&published, at, effort)));
                }
                if question.figure {
                    let sweep: Vec<Range> =
                        (1..100).map(|at| ranges::range(&published, f64::from(at) / 100.0, SHORT)).collect();
                    sweep.iter().for_each(|range| drawn.push(row(&published, range)));
                    fans.push(Ok((published, sweep)));
                }
            }
            Err(refusal) => {
                refused.push(match possible(p, score.low(), score.high()) {
                    Possible::No { below, above } => {
                        format!(
                            "no ranking has RBP {} at p={p}; the nearest possible are {below} and {above}",
                            score.value
                        )
                    }
                    Possible::Yes => refusal.clone(),
                });
                first_refusal.get_or_insert(refusal);
                fans.push(Err((p, score.value)));
            }
        }
    }
    if let (true, Some(refusal)) = (table.rows.is_empty() && drawn.rows.is_empty(), first_refusal) {
        return Err(refusal);
    }
    let any_sound = table.rows.iter().any(|row| row[5] == Cell::from("sound") || row[6] == Cell::from("sound"));
    let one = table.rows.len() == 1 && refused.is_empty();
    let mut report = Report::new("RBP at another p", "published range", question.version);
    if !question.at.is_empty() {
        report = report.block(if one { Block::Record(table) } else { Block::Table(table) });
    }
    if question.figure {
        let columns = question.persistences.len();
        report = report.table(drawn).block(Block::Figure(fan::figure(&fans, columns)));
    }
    report.notes = notes(&question, any_sound);
    report.notes.extend(refused);
    report.provenance = question.provenance;
    Ok(report)
}

fn table(id: &'static str) -> Table {
    Table::new(id, "")
        .with(p_column("p", "p"))
        .with(p_column("score", "score"))
        .with(p_column("at", "at p'"))
        .column("low", "low (binary)")
        .column("high", "high (binary)")
        .column("low_is", "low is")
        .column("high_is", "high is")
        .column("low_graded", "low (graded)")
        .column("high_graded", "high (graded)")
        .with(Column::new("graded_is", "").data_only())
        .column("low_paper", "low (paper)")
        .column("high_paper", "high (paper)")
}

fn table_of_fan() -> Table {
    table("fan").audience(Audience::Data)
}

fn row(published: &PublishedScore, range: &Range) -> Vec<Cell> {
    let is = |exact: bool| if exact { "exact" } else { "sound" };
    vec![
        published.persistence().into(),
        published.score().value.into(),
        range.at.into(),
        range.low.value.into(),
        range.high.value.into(),
        is(range.low.exact).into(),
        is(range.high.exact).into(),
        range.low_graded.into(),
        range.high_graded.into(),
        "exact".into(),
        range.paper.0.into(),
        range.paper.1.into(),
    ]
}

fn notes(question: &Ranges, any_sound: bool) -> Vec<String> {
    let mut notes = vec![GRADED.to_owned()];
    notes.push(
        "both hold for every score that is printed so, and for lists of any length; exact: a ranking that prints so comes within 1e-9 of it"
            .into(),
    );
    if any_sound {
        notes.push(if question.residual.is_some() {
            "sound: nothing lies beyond, but with a residual a ranking of the right total need not split into judged and unjudged documents \
             of the printed weights"
                .into()
        } else {
            "sound: nothing lies beyond, but the search for a ranking that comes so far stopped early".into()
        });
    }
    notes.push("the paper's range comes from the printed score alone and is not sound: scores that are printed so can lie outside it".into());
    notes
}
