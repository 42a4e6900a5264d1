//! Comparisons as people read them: verdicts first, then tests, ranks and notes.

mod figures;
mod margin_text;
mod notes;
mod problems;
mod sensitivity_text;
pub(crate) mod tables;
pub mod verdict_text;

use karat_analysis::compare::answer::{ComparisonRow, Comparisons};
use karat_analysis::compare::notes::CompareNote;
use karat_analysis::compare::verdict::{UNDECIDED, Unjudged};
use karat_analysis::compare::{CompareOptions, Compared, Comparison};
use karat_analysis::scores::Setting;
use karat_report::{Block, NumberStyle, Report, Table};

use crate::Context;
use crate::words::percent;
pub use margin_text::Said;
pub use problems::problems;
pub(crate) use problems::unknown_baseline;
use verdict_text::Wording;

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

/// The verdict of a comparison in words; `power` is that of the number of topics needed.
pub fn because(compared: &Compared, comparison: &Comparison, power: f64) -> String {
    let (a, b) = comparison.pair;
    // Sampled pairs are corrected among themselves.
    let same = |other: &&Comparison| {
        other.measure == comparison.measure && (comparison.sampled.is_none() || other.sampled.is_some())
    };
    let pairs = compared.comparisons.iter().filter(same).count();
    let names = (compared.names[a].as_str(), compared.names[b].as_str());
    verdict_text::because(&comparison.verdict, names, Wording::new(comparison, &compared.names, pairs, power))
}

/// What holds within a margin, in words; `None` without one.
pub fn margin_words(compared: &Compared, comparison: &Comparison, said: Said) -> Option<String> {
    let names = (compared.names[comparison.pair.0].as_str(), compared.names[comparison.pair.1].as_str());
    comparison.margin.as_ref().map(|found| margin_text::sentence(found, names, said))
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
    let answer = answer(setting, options, compared);
    let several = compared.comparisons.len() > setting.measures.len();
    let level = options.inference.level;
    let mut report = context
        .report("Comparison", "compare")
        .table(tables::differences(&answer.comparisons, level))
        .table(tables::verdicts(&answer.comparisons, several, view.no_bounds.is_none()))
        .block(Block::Text(rule(options, several, (view.no_bounds.is_none(), is_sampled(&answer.comparisons)))))
        .block(Block::Text(sentences(&answer.comparisons)));
    report.blocks.extend(margins(setting, compared).map(Block::Text));
    report.blocks.extend(tables_after_verdicts(&answer, level, several).map(Block::Table));
    report.notes.extend(notes(setting, compared, view.no_bounds));
    if view.figures {
        let (drawn, note) = figures::figures(setting, options, compared, view);
        report.blocks.extend(drawn.into_iter().map(Block::Figure));
        report.notes.extend(note);
    }
    let further = [
        answer.orders.as_deref().map(|rows| tables::orders(rows, level)),
        answer.topics.as_deref().map(tables::topics),
    ];
    report.blocks.extend(further.into_iter().flatten().map(Block::Table));
    if let Some(rows) = &answer.sensitivity {
        report = report.table(tables::sensitivity(rows)).block(Block::Text(sensitivity_text::sentences(rows)));
    }
    report.answering(answer)
}

/// What holds within the margin, one line per comparison; `None` without a margin.
fn margins(setting: &Setting<'_>, compared: &Compared) -> Option<String> {
    let lines = compared.comparisons.iter().take(SENTENCES).filter_map(|comparison| {
        let measure = &setting.measures[comparison.measure];
        Some(format!("{}: {}.", measure.spec(), margin_words(compared, comparison, Said::Both)?))
    });
    let lines: Vec<String> = lines.collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// How a verdict is reached, in words.
fn rule(options: &CompareOptions<'_>, several: bool, (bounds, sampled): (bool, bool)) -> String {
    if sampled {
        return rule_of_sample(options, several);
    }
    let level = options.inference.level;
    let p = if several { "adjusted p" } else { "p" };
    let alpha = NumberStyle::Given.show(((1.0 - level) * 1e9).round() / 1e9);
    let both = format!("{p} < {alpha} and the {} interval excludes 0", percent(level));
    if options.unjudged == Unjudged::Modelled {
        return "Differences under a relevance model, or without the unjudged documents, have no verdict.".into();
    }
    match (bounds, options.strict) {
        (false, false) => format!("A run is better if {both}; otherwise the pair is undecided."),
        (_, true) => format!(
            "With --strict a run is better if {both}, and both hold however the unjudged documents are judged; otherwise the pair is undecided."
        ),
        (true, false) => format!(
            "A run is better if {both}, and if that holds at the rates of relevance seen among judged documents (assumed) or however the unjudged documents are judged (certain)."
        ),
    }
}

/// Whether a judged sample decides.
fn is_sampled(rows: &[ComparisonRow]) -> bool {
    rows.iter().any(|row| row.settling.sampled.is_some())
}

/// How a verdict on a judged sample is reached, in words.
fn rule_of_sample(options: &CompareOptions<'_>, several: bool) -> String {
    let p = if several { "adjusted p" } else { "p" };
    format!(
        "a − b, interval and p are estimated from the sample; the means treat unjudged documents as not relevant. A run is better if {p} is below its limit and the {} interval excludes 0.",
        percent(options.inference.level)
    )
}

/// Tests, where runs stand and where scores differ.
fn tables_after_verdicts(answer: &Comparisons, level: f64, several: bool) -> impl Iterator<Item = Table> {
    let first = &answer.comparisons[..answer.comparisons.len().min(SENTENCES)];
    let tables = [
        (!is_sampled(&answer.comparisons)).then(|| tables::tests(first, several)),
        tables::posteriors(first),
        answer.systems.as_deref().map(|rows| tables::systems(rows, level)),
        // What scores say as they are is no part of an estimate from a sample.
        (!is_sampled(&answer.comparisons)).then(|| tables::decomposition(&answer.decomposition)),
        answer.by_query.as_deref().map(tables::by_query),
    ];
    tables.into_iter().flatten()
}

/// The answer that programs read, with the verdicts in words.
pub fn answer(setting: &Setting<'_>, options: &CompareOptions<'_>, compared: &Compared) -> Comparisons {
    Comparisons::new(setting, options, compared, |comparison| because(compared, comparison, options.power))
}

/// The notes in words.
pub fn notes(setting: &Setting<'_>, compared: &Compared, no_bounds: Option<&str>) -> Vec<String> {
    let applies = |note: &&CompareNote| !matches!(note, CompareNote::Topics(note) if !crate::eval::notes::topic_note_applies(setting, note));
    let found = compared.notes.iter().filter(applies).flat_map(notes::note);
    let found = found.chain(crate::eval::tie_notes::notes(setting.policy.ties, &compared.tied));
    found.chain(no_bounds.map(|why| format!("no bounds: {why}"))).collect()
}

fn sentences(rows: &[ComparisonRow]) -> String {
    let one = |row: &ComparisonRow| {
        let undecided = row.verdict == UNDECIDED;
        let who = if undecided { format!("{} and {}: undecided. ", row.a, row.b) } else { String::new() };
        format!("{}: {who}{}.", row.measure, row.because)
    };
    let mut lines: Vec<String> = rows.iter().take(SENTENCES).map(one).collect();
    if let Some(more) = rows.len().checked_sub(SENTENCES).filter(|more| *more > 0) {
        lines.push(format!("and {more} more (all: -f json)"));
    }
    lines.join("\n")
}
