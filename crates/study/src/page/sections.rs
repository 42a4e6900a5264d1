//! The sections of the page, from top to bottom.

use karat_data::{Problems, RunSource};
use karat_report::page::{Piece, Section};
use karat_report::{Block, Figure, Report, Table};

use super::asked::Tables;
use super::budgeted::Found;
use super::{Question, Seen};
use crate::scores::{RunScores, Setting};

/// All there is to draw from.
pub(super) struct Given<'a> {
    pub setting: &'a Setting<'a>,
    pub question: &'a Question<'a>,
    pub scored: &'a [RunScores],
    pub seen: &'a Seen,
    pub runs: &'a dyn RunSource,
}

/// Figures that the script chooses among, by name, one for each measure.
pub(super) type Figures = Vec<(String, Vec<Figure>)>;

/// Anchor, heading and lead of every section, in reading order.
const SECTIONS: &[(&str, &str, &str)] = &[
    ("leaderboard", "Leaderboard", "Each run's score with what makes it unsure: chance over the queries, and what the documents nobody judged could still do to it. Runs that share a letter cannot be told apart."),
    ("pairs", "Every pair", "Who is better than whom, once the number of pairs is taken into account."),
    ("differences", "Topic by topic", "The difference of two runs on every topic, sorted. The topics at either end are worth reading; choose one to see both rankings."),
    ("scatter", "Two runs, every topic", "Each topic's score in one run against the other: above the line the second run is better."),
    ("curves", "Precision and recall", "Mean precision at eleven levels of recall."),
    ("roc", "ROC", "Relevant documents found against non-relevant ones met, over judged documents."),
    ("distribution", "Scores over topics", "How a run's scores are spread over the topics."),
    ("judged", "Judged share by rank", "How many of the documents at each rank were ever judged."),
    ("residuals", "RBP residual by rank", "How much of RBP is left open by what is unjudged or not seen, down to each rank."),
    ("persistence", "RBP at your own p", "Move p and say what unjudged documents are taken for: scores and bounds are computed here, from the judgements at the ranks."),
    ("budget", "Uncertainty budget", "Where the width of the interval comes from, and the cheapest way to shrink it."),
    ("topics", "Every topic", "Sort by a heading, filter by a word, choose a topic to see its rankings."),
];

fn section(id: &'static str, content: Result<Vec<Piece>, String>) -> Section {
    let (_, title, lead) = SECTIONS.iter().find(|(other, ..)| *other == id).copied().unwrap_or((id, id, ""));
    Section { id, title: title.into(), lead: lead.into(), content }
}

/// The sections where nothing can be said, and what was given beside the runs.
pub(super) fn nothing(why: &str, question: &mut Question<'_>) -> Vec<Section> {
    let all = SECTIONS.iter().map(|(id, ..)| section(id, Err(why.to_owned())));
    all.chain(given(question)).collect()
}

/// All sections about runs.
pub(super) fn all(
    given: &Given<'_>,
    tables: Tables,
    budget: Result<Found, String>,
) -> Result<(Vec<Section>, Figures), Problems> {
    let seen = given.seen;
    let pairs = seen.no_comparison.clone().map_or(Ok(()), Err);
    let mut all = vec![
        section("leaderboard", Ok(tables.scores.map(Piece::Table).into_iter().collect())),
        section("pairs", pairs.map(|()| {
            let shown = tables.verdicts.map(Piece::Behind).into_iter();
            shown.chain(tables.systems.map(Piece::Behind)).chain(tables.decomposition.map(Piece::Behind)).collect()
        })),
    ];
    all.push(persistence(given));
    all.push(section("budget", budget.map(|found| budget_pieces(&found))));
    all.push(topics(given));
    Ok((all, Vec::new()))
}

fn persistence(given: &Given<'_>) -> Section {
    if !given.setting.qrels.kind().has_grades() {
        return section("persistence", Err(format!("RBP needs grades, and the judgements are {}", given.setting.qrels.kind())));
    }
    let widget = Piece::Widget {
        name: "persistence",
        otherwise: format!(
            "With scripts allowed, p and the treatment of unjudged documents can be changed here. Without: karat eval -m 'RBP(p=0.8)@{}'.",
            given.question.depth
        ),
        table: None,
    };
    section("persistence", Ok(vec![widget]))
}

/// Runs that the table without a script shows.
const SHOWN: usize = 8;

fn topics(given: &Given<'_>) -> Section {
    let (seen, first) = (given.seen, given.seen.first());
    let shown: Vec<usize> = seen.order(first).into_iter().take(SHOWN).collect();
    let mut table = Table::new("topics", format!("{} by topic", seen.measures.get(first).map_or("", String::as_str)));
    // Keys are for programs, and this table is for people.
    table = table.column("topic", "topic");
    for &run in &shown {
        table = table.column("value", seen.runs[run].clone());
    }
    for topic in given.setting.qrels.topics() {
        let name = karat_data::names::text(given.setting.qrels.name(topic));
        let value = |&run: &usize| {
            let scores = given.scored[run].topics.get(topic);
            scores.and_then(|scores| scores[first].as_ref().ok()).map(|score| score.value).into()
        };
        table.push(std::iter::once(name.into()).chain(shown.iter().map(value)).collect::<Vec<_>>());
    }
    let more = seen.runs.len().saturating_sub(shown.len());
    let otherwise = if more > 0 { format!("The best {} runs; {more} more with scripts allowed.", shown.len()) } else { String::new() };
    section("topics", Ok(vec![Piece::Widget { name: "topics", otherwise, table: Some(table) }]))
}

fn budget_pieces(found: &Found) -> Vec<Piece> {
    let of = match &found.runs[..] {
        [a, b] => format!("the difference of {a} and {b}"),
        one => one.join(", "),
    };
    let mut pieces = vec![Piece::Text(format!(
        "{} of {of}. The advice is for an interval {} wide: {}.",
        found.measure, found.target, found.aim
    ))];
    pieces.extend(pieces_of(&found.report));
    pieces.push(Piece::List(found.report.notes.clone()));
    pieces
}

/// What a report shows people.
fn pieces_of(report: &Report) -> Vec<Piece> {
    let piece = |block: &Block| match block {
        Block::Text(text) => Some(Piece::Text(text.clone())),
        Block::Table(table) | Block::Record(table) if table.audience.people() => Some(Piece::Table(table.clone())),
        Block::Figure(figure) => Some(Piece::Figure(Box::new(figure.clone()))),
        _ => None,
    };
    report.blocks.iter().filter_map(piece).collect()
}

/// What was given beside the runs: labels of judges, published scores.
pub(super) fn given(question: &mut Question<'_>) -> Vec<Section> {
    let of = |report: Option<Report>, why: &str| match report {
        Some(report) => {
            let mut pieces = pieces_of(&report);
            pieces.push(Piece::List(report.notes));
            Ok(pieces)
        }
        None => Err(why.to_owned()),
    };
    vec![
        Section {
            id: "judges",
            title: "Judges".into(),
            lead: "Whether the judges agree, by coefficient and by grade.".into(),
            content: of(question.judges.take(), "no labels of several judges were given (--labels FILE)"),
        },
        Section {
            id: "published",
            title: "Published scores".into(),
            lead: "What printed RBP scores say at another p.".into(),
            content: of(question.published.take(), "no published scores were given (--published FILE)"),
        },
    ]
}
