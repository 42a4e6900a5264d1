//! `published range`: the possible scores at another p, or at many.

use karat_report::{Audience, Block, Cell, Column, Provenance, Report, Table};

use super::super::range::{self as ranges, Bound, Range};
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
    /// Whether the scores are means over topics, for which there is no binary range.
    pub mean: bool,
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
/// Score and residual exceed 1, or none of the scores is possible for a single ranking; says what is nearest.
pub fn range(question: Ranges) -> Result<Report, String> {
    let (mut table, mut drawn) = (table("ranges"), table("fan").audience(Audience::Data));
    let mut fans: Vec<fan::Fan> = Vec::new();
    let mut refused = Vec::new();
    let effort = if question.at.len() <= FEW { ranges::THOROUGH } else { SHORT };
    // Scores from the top down, p from left to right: the paper's figure 3.
    let scores = question.scores.iter().rev();
    for (score, &p) in scores.flat_map(|score| question.persistences.iter().map(move |p| (score, p))) {
        let published = PublishedScore::new(p, *score, question.residual)?;
        let possible = if question.mean { Ok(()) } else { published.check_binary() };
        if let Err(refusal) = possible {
            refused.push(refusal);
            fans.push(Err((p, score.value)));
            continue;
        }
        let at = |at: f64, effort: usize| At::of(&published, at, (!question.mean).then_some(effort));
        question.at.iter().for_each(|&p| table.push(at(p, effort).row(&published)));
        if question.figure {
            let sweep: Vec<At> = (1..100).map(|hundredth| at(f64::from(hundredth) / 100.0, SHORT)).collect();
            sweep.iter().for_each(|at| drawn.push(at.row(&published)));
            fans.push(Ok((published, sweep)));
        }
    }
    if fans.iter().all(Result::is_err) && table.rows.is_empty() {
        let hint = "; a mean over topics may have such a score: --mean";
        return Err(refused.into_iter().next().unwrap_or_default() + hint);
    }
    let any_sound = table.rows.iter().any(|row| row[5..7].contains(&"sound".into()));
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

/// The ranges at one p: the graded one always, those of a single topic where they are asked for.
pub(super) struct At {
    pub at: f64,
    pub graded: (f64, f64),
    pub single: Option<Range>,
}

impl At {
    fn of(published: &PublishedScore, at: f64, effort: Option<usize>) -> At {
        let single = effort.map(|effort| ranges::range(published, at, effort));
        At { at, graded: ranges::graded(published, at), single }
    }

    fn row(&self, published: &PublishedScore) -> Vec<Cell> {
        let is = |bound: Bound| if bound.exact { "exact" } else { "sound" };
        vec![
            published.persistence().into(),
            published.score().value.into(),
            self.at.into(),
            self.single.map(|range| range.low.value).into(),
            self.single.map(|range| range.high.value).into(),
            self.single.map(|range| is(range.low)).into(),
            self.single.map(|range| is(range.high)).into(),
            self.graded.0.into(),
            self.graded.1.into(),
            "exact".into(),
            self.single.map(|range| range.paper.0).into(),
            self.single.map(|range| range.paper.1).into(),
        ]
    }
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

fn notes(question: &Ranges, any_sound: bool) -> Vec<String> {
    let mut notes = vec![GRADED.to_owned()];
    if question.mean {
        notes.push(
            "for a mean there is no binary range, and the paper's method does not apply: both are of one ranking"
                .into(),
        );
        return notes;
    }
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
