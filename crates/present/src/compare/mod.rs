//! Comparisons as people read them: verdicts first, then tests, ranks and notes.

mod figures;
mod notes;
mod tables;
pub mod verdict_text;

use karat_analysis::compare::{CompareOptions, Compared, Comparison, decomposition, systems};
use karat_analysis::scores::Setting;
use karat_report::{Block, Report};

use crate::Context;

/// The first so many verdicts are put into sentences for people; programs have all of them.
const SENTENCES: usize = 20;

/// How a comparison is shown.
#[derive(Debug, Clone, Copy, Default)]
pub struct View {
    /// Why there are no bounds, where the treatment of unjudged documents leaves none.
    pub no_bounds: Option<&'static str>,
    /// Whether figures are drawn.
    pub figures: bool,
}

/// The verdict of a comparison in words.
pub fn because(compared: &Compared, comparison: &Comparison) -> String {
    let (a, b) = comparison.pair;
    verdict_text::because(&comparison.verdict, (&compared.names[a], &compared.names[b]))
}

/// The report of a comparison.
pub fn report(
    setting: &Setting<'_>,
    options: &CompareOptions<'_>,
    compared: &Compared,
    view: View,
    mut context: Context,
) -> Report {
    for run in &compared.scored {
        let facts = &run.topics.facts;
        context.provenance = context.provenance.input_in(facts.format, &facts.file, facts.bytes, facts.rows);
    }
    let mut report = context
        .report("Comparison", "compare")
        .table(tables::people(setting.measures, options, compared, view))
        .block(Block::Text(sentences(setting, compared)))
        .table(tables::tests(setting.measures, compared, SENTENCES))
        .table(tables::comparisons(setting.measures, options, compared));
    if compared.scored.len() > 2 {
        let (systems, more) = systems(setting.measures, options, compared);
        report = report.table(systems);
        report.notes.extend(more);
    }
    report = report.table(decomposition(setting.measures, &compared.scored));
    if options.by_query {
        report = report.table(tables::by_query(setting.qrels, setting.measures, compared));
    }
    report.notes.extend(notes::notes(setting, options, compared));
    report.notes.extend(view.no_bounds.map(|why| format!("no bounds: {why}")));
    if view.figures {
        let (drawn, note) = figures::figures(setting, options, compared, view);
        report.blocks.extend(drawn.into_iter().map(Block::Figure));
        report.notes.extend(note);
    }
    report.blocks.extend(compared.further.0.iter().cloned());
    report.notes.extend(compared.further.1.iter().cloned());
    report
}

fn sentences(setting: &Setting<'_>, compared: &Compared) -> String {
    let one = |comparison: &Comparison| {
        let who = if comparison.verdict.winner.is_some() {
            String::new()
        } else {
            let (a, b) = comparison.pair;
            format!("{} or {}: undecided. ", compared.names[a], compared.names[b])
        };
        format!("{}: {who}{}.", setting.measures[comparison.measure].spec(), because(compared, comparison))
    };
    let mut lines: Vec<String> = compared.comparisons.iter().take(SENTENCES).map(one).collect();
    if let Some(more) = compared.comparisons.len().checked_sub(SENTENCES).filter(|more| *more > 0) {
        lines.push(format!("and {more} more (all: -f json)"));
    }
    lines.join("\n")
}
