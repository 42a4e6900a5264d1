//! Evaluations as people read them: scores, relevance models, topics, score bands, figures and notes.

pub(crate) mod figures;
mod judge_notes;
pub(crate) mod notes;
mod problems;
mod score_bands;
pub(crate) mod tables;
pub(crate) mod tie_notes;

use karat_analysis::curves::Curves;
use karat_analysis::eval::Evaluation;
use karat_analysis::scores::Setting;
use karat_report::{Block, Report};

use crate::Context;

pub use notes::notes;
pub use problems::problems;

/// How an evaluation is shown.
#[derive(Debug, Clone, Copy, Default)]
pub struct View<'a> {
    /// Why there are no bounds, where the treatment of unjudged documents leaves none.
    pub no_bounds: Option<&'static str>,
    /// Whether figures are drawn.
    pub figures: bool,
    /// Curves to draw, where judgements have grades.
    pub curves: Option<&'a Curves>,
}

/// The report of an evaluation.
pub fn report(setting: &Setting<'_>, evaluation: Evaluation, view: View<'_>, mut context: Context) -> Report {
    for run in &evaluation.scored {
        let facts = &run.topics.facts;
        context.provenance = context.provenance.input_in(facts.format, &facts.file, facts.bytes, facts.rows);
    }
    let mut report = context.report("Evaluation", "eval").table(tables::scores(&evaluation.answer.scores));
    if view.figures {
        report.blocks.extend(figures::figures(setting, &evaluation, view.curves).into_iter().map(Block::Figure));
    }
    report.notes.extend(notes::notes(setting, &evaluation, view.no_bounds));
    report.notes.extend(tables::not_shown(&evaluation.answer.scores));
    let answer = evaluation.answer;
    let more = [answer.models.as_deref().map(tables::models), answer.by_query.as_deref().map(tables::by_query)];
    let bands = answer.score_bands.iter().flat_map(|found| score_bands::tables(found, &answer.scores));
    report.blocks.extend(more.into_iter().flatten().chain(bands).map(Block::Table));
    report.answering(answer)
}
