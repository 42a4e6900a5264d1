//! The sections of the page, from top to bottom.

use karat_report::page::{Piece, Section};
use karat_report::{Block, Figure, Report, Table};

use super::budget::Found;
use super::evaluation::Tables;
use super::figures::{Drawn, MATRIX};
use super::verdict_text::show;
use super::{PageOptions, Summary};
use karat_analysis::scores::{RunScores, Setting};

/// All there is to draw from.
pub(super) struct Given<'a, 'q> {
    pub setting: &'a Setting<'a>,
    pub page_options: &'a PageOptions<'q>,
    /// Ranks that the page carries.
    pub depth: usize,
    pub scored: &'a [RunScores],
    pub summary: &'a Summary,
}

/// Figures that the script chooses among, by name, one for each measure.
pub(super) type Figures = Vec<(String, Vec<Figure>)>;

/// Anchor, heading and lead of every section, in reading order.
const SECTIONS: &[(&str, &str, &str)] = &[
    (
        "leaderboard",
        "Leaderboard",
        "Score of each run with its interval (topics) and its bounds (all judgements of the unjudged documents). Runs that share a letter are undecided.",
    ),
    (
        "pairs",
        "Pairwise comparisons",
        "A run is better if p, adjusted for the number of pairs, is below 1 − level (0.05 by default), the interval of the difference excludes 0, and the verdict has a basis: it is certain, it is estimated from a judged sample (sampled), or it holds at the rates of relevance seen among judged documents (assumed).",
    ),
    (
        "differences",
        "Topic by topic",
        "Difference between two runs on every topic, sorted. Read the topics at both ends; choose one to see both rankings.",
    ),
    (
        "scatter",
        "Two runs, topic by topic",
        "Score of each topic in one run against the other. Above the line, the run of the vertical axis is better.",
    ),
    ("curves", "Precision and recall", "Mean precision at eleven levels of recall."),
    (
        "roc",
        "ROC",
        "Share of relevant documents found against share of non-relevant documents ; judged documents only.",
    ),
    ("distribution", "Scores over topics", "Distribution of the scores over topics."),
    ("judged", "Judged share by rank", "Share of the documents down to each rank that are judged."),
    (
        "residuals",
        "RBP residual by rank",
        "Width of the bounds of RBP down to each rank: unjudged documents, and ranks below it.",
    ),
    (
        "persistence",
        "RBP with another p",
        "Set p and the treatment of unjudged documents. Scores and bounds are computed in the page.",
    ),
    ("budget", "Uncertainty budget", "Where the width of the interval comes from, and the cheapest way to reduce it."),
    ("topics", "Every topic", "Sort by a heading, filter by a word, or choose a topic to see its rankings."),
];

fn section(id: &'static str, content: Result<Vec<Piece>, String>) -> Section {
    let (_, title, lead) = SECTIONS.iter().find(|(other, ..)| *other == id).copied().unwrap_or((id, id, ""));
    Section { id, title: title.into(), lead: lead.into(), content }
}

/// The sections where nothing can be said, and what was given beside the runs.
pub(super) fn nothing(why: &str, page_options: &mut PageOptions<'_>) -> Vec<Section> {
    let all = SECTIONS.iter().map(|(id, ..)| section(id, Err(why.to_owned())));
    all.chain(given(page_options)).collect()
}

/// All sections about runs, and the figures that the script chooses among.
pub(super) fn all(
    given: &Given<'_, '_>,
    drawn: Drawn,
    tables: Tables,
    budget: Result<Found, String>,
) -> (Vec<Section>, Figures) {
    let summary = given.summary;
    let first = summary.first();
    let figure = |name: &str| drawn.first(name, first).map(|figure| Piece::Figure(Box::new(figure)));
    let alone = || summary.no_comparison.clone().map_or(Ok(()), Err);
    let graded = || {
        let kind = given.setting.qrels.kind();
        if kind.has_grades() { Ok(()) } else { Err(format!("it needs grades, and the judgements are {kind}")) }
    };
    let drawing = |name: &str| figure(name).into_iter().collect::<Vec<_>>();
    let mut all = vec![section("leaderboard", {
        let mut pieces: Vec<Piece> = about_values(summary).into_iter().map(Piece::Text).collect();
        pieces.extend(drawing("leaderboard"));
        pieces.extend(tables.scores.map(|table| Piece::Behind(titled(table, "Every measure (karat eval)"))));
        Ok(pieces)
    })];
    let pairs = [
        tables.verdicts,
        tables.systems,
        tables.decomposition.map(|table| titled(table, "Variance of scores between runs and between topics")),
    ];
    let about_pairs = about_pairs(summary).map(Piece::Text);
    all.push(section(
        "pairs",
        alone().map(|()| {
            let mut pieces: Vec<Piece> = about_pairs.into_iter().collect();
            pieces.extend(pair_pieces(summary.runs.len(), drawing("pairwise"), pairs));
            pieces
        }),
    ));
    all.push(section(
        "differences",
        alone().map(|()| {
            let mut pieces = drawing("topic_differences");
            pieces.extend(worth_reading(given));
            pieces
        }),
    ));
    all.push(section("scatter", alone().map(|()| drawing("scatter"))));
    all.push(section("curves", graded().map(|()| drawing("precision_recall"))));
    all.push(section("roc", graded().map(|()| drawing("roc"))));
    all.push(section("distribution", Ok(drawing("distribution"))));
    all.push(section("judged", graded().map(|()| drawing("judged_share"))));
    all.push(section("residuals", graded().map(|()| drawing("rbp_residual"))));
    all.push(persistence(given));
    all.push(section("budget", budget.map(|found| budget_pieces(&found))));
    all.push(topics(given));
    let figures = drawn.0.into_iter().map(|(name, figures)| (name.to_owned(), figures)).collect();
    (all, figures)
}

/// What the values of the leaderboard are next to verdicts on a judged sample.
fn about_values(summary: &Summary) -> Option<String> {
    summary.sampled().next().map(|_| {
        "The values treat unjudged documents as not relevant; verdicts on a judged sample do not, and may order two runs otherwise.".to_owned()
    })
}

/// Which pairs a judged sample covers, and what their numbers are.
fn about_pairs(summary: &Summary) -> Option<String> {
    let covered: Vec<String> = summary
        .sampled()
        .map(|(measure, comparison)| {
            let (a, b) = comparison.pair;
            format!("{} and {} by {}", summary.runs[a], summary.runs[b], summary.measures[measure])
        })
        .collect();
    (!covered.is_empty()).then(|| {
        format!(
            "A judged sample covers {}: difference, interval and p are estimated from it, and p is adjusted among the sampled pairs only. Means, ranks and all other pairs treat unjudged documents as not relevant.",
            super::verdict_text::names(&covered.iter().map(String::as_str).collect::<Vec<_>>())
        )
    })
}

/// The choice of two runs, the matrix of all pairs, and the tables behind them.
fn pair_pieces(runs: usize, matrix: Vec<Piece>, tables: [Option<Table>; 3]) -> Vec<Piece> {
    let mut pieces = vec![Piece::Widget { name: "pair", otherwise: String::new(), table: None }];
    pieces.extend(matrix);
    if runs > MATRIX {
        pieces.push(Piece::Text(format!(
            "The matrix shows the best {MATRIX} of {runs} runs; the choice above compares any two."
        )));
    }
    pieces.extend(tables.into_iter().flatten().map(Piece::Behind));
    pieces
}

/// What topics are next to a judged sample.
const AS_JUDGED: &str =
    "Topics are as judged, with unjudged documents as not relevant; the sample estimates the mean over topics only.";

/// Topics named as worth reading on either side.
const NAMED: usize = 3;

/// The topics at either end of the differences of the best two runs, and those that unjudged documents leave most open.
fn worth_reading(given: &Given<'_, '_>) -> Option<Piece> {
    let summary = given.summary;
    let (a, b) = summary.pair();
    let comparison = summary.comparison(summary.first(), a, b)?;
    let sign = if comparison.pair == (a, b) { 1.0 } else { -1.0 };
    let name = |topic| karat_data::names::text(given.setting.qrels.name(topic));
    let mut rows: Vec<(f64, f64, String)> = comparison
        .difference
        .topics
        .iter()
        .map(|found| {
            let open = found.bounds.map_or(0.0, |(low, high)| high - low);
            (sign * found.observed, open, name(found.topic))
        })
        .collect();
    let listed = |rows: &[(f64, f64, String)], value: fn(&(f64, f64, String)) -> f64| {
        let shown: Vec<String> = rows
            .iter()
            .filter(|row| value(row).abs() > 0.0)
            .take(NAMED)
            .map(|row| format!("{} ({})", row.2, show(value(row))))
            .collect();
        shown.join(", ")
    };
    let mut said: Vec<String> = comparison.sampled.iter().map(|_| AS_JUDGED.to_owned()).collect();
    rows.sort_by(|one, other| other.0.total_cmp(&one.0));
    let mut say = |words: String, list: String| {
        if !list.is_empty() {
            said.push(format!("{words}: {list}"));
        }
    };
    let better: Vec<_> = rows.iter().filter(|row| row.0 > 0.0).cloned().collect();
    let worse: Vec<_> = rows.iter().rev().filter(|row| row.0 < 0.0).cloned().collect();
    say(format!("Largest leads of {} over {}", summary.runs[a], summary.runs[b]), listed(&better, |row| row.0));
    say(format!("Largest leads of {} over {}", summary.runs[b], summary.runs[a]), listed(&worse, |row| 0.0 - row.0));
    rows.sort_by(|one, other| other.1.total_cmp(&one.1));
    say("Where the bounds of the difference are widest".into(), listed(&rows, |row| row.1));
    (!said.is_empty()).then_some(Piece::List(said))
}

fn persistence(given: &Given<'_, '_>) -> Section {
    if !given.setting.qrels.kind().has_grades() {
        return section(
            "persistence",
            Err(format!("RBP needs grades, and the judgements are {}", given.setting.qrels.kind())),
        );
    }
    let widget = Piece::Widget {
        name: "persistence",
        otherwise: format!(
            "With scripts allowed, p and the treatment of unjudged documents can be changed here. Without: karat eval -m 'RBP(p=0.8)@{}'.",
            given.depth
        ),
        table: None,
    };
    section("persistence", Ok(vec![widget]))
}

/// Runs that the table without a script shows.
const SHOWN: usize = 8;

fn topics(given: &Given<'_, '_>) -> Section {
    let (summary, first) = (given.summary, given.summary.first());
    let shown: Vec<usize> = summary.order(first).into_iter().take(SHOWN).collect();
    let mut table =
        Table::new("topics", format!("{} by topic", summary.measures.get(first).map_or("", String::as_str)));
    // Keys are for programs, and this table is for people.
    table = table.column("topic", "topic");
    for &run in &shown {
        table = table.column("value", summary.runs[run].clone());
    }
    for topic in given.setting.qrels.topics() {
        let name = karat_data::names::text(given.setting.qrels.name(topic));
        let value = |&run: &usize| {
            let scores = given.scored[run].topics.get(topic);
            scores.and_then(|scores| scores[first].as_ref().ok()).map(|score| score.value).into()
        };
        table.push(std::iter::once(name.into()).chain(shown.iter().map(value)).collect::<Vec<_>>());
    }
    let more = summary.runs.len().saturating_sub(shown.len());
    let otherwise = if more > 0 {
        format!("The best {} runs; {more} more with scripts allowed.", shown.len())
    } else {
        String::new()
    };
    section("topics", Ok(vec![Piece::Widget { name: "topics", otherwise, table: Some(table) }]))
}

fn budget_pieces(found: &Found) -> Vec<Piece> {
    let of = match &found.runs[..] {
        [a, b] => format!("The difference in {} between {a} and {b}", found.measure),
        one => format!("{} of {}", found.measure, one.join(", ")),
    };
    let mut pieces = vec![Piece::Text(format!(
        "{of}, regardless of the runs chosen above. The advice is for an interval of width {}: {}.{}",
        found.target, found.aim, found.compared
    ))];
    pieces.extend(pieces_of(&found.report, OPEN));
    pieces.push(Piece::List(found.report.notes.clone()));
    pieces
}

/// What a report shows people: pictures and words first, then tables, of which those with more than `open` rows are folded away.
fn pieces_of(report: &Report, open: usize) -> Vec<Piece> {
    let drawn = report.blocks.iter().filter_map(|block| match block {
        Block::Figure(figure) => Some(Piece::Figure(Box::new(figure.clone()))),
        Block::Text(text) => Some(Piece::Text(text.clone())),
        _ => None,
    });
    let tables = report.blocks.iter().filter_map(|block| match block {
        Block::Table(table) if table.rows.len() <= open => Some(Piece::Table(table.clone())),
        Block::Table(table) => Some(Piece::Behind(table.clone())),
        Block::Record(table) => Some(Piece::Behind(titled(table.clone(), "Summary"))),
        _ => None,
    });
    drawn.chain(tables).collect()
}

/// A table under another title.
fn titled(table: Table, title: &str) -> Table {
    Table { title: title.to_owned(), ..table }
}

/// Rows of a table that is shown as it is.
const OPEN: usize = 12;

/// What was given beside the runs: labels of judges, published scores.
pub(super) fn given(page_options: &mut PageOptions<'_>) -> Vec<Section> {
    let of = |report: Option<Report>, why: &str| match report {
        Some(report) => {
            let mut pieces = pieces_of(&report, 0);
            pieces.push(Piece::List(report.notes));
            Ok(pieces)
        }
        None => Err(why.to_owned()),
    };
    vec![
        Section {
            id: "judges",
            title: "Judges".into(),
            lead: "Agreement of the judges, by coefficient and by grade.".into(),
            content: of(page_options.judges.take(), "no labels of several judges were given (--labels FILE)"),
        },
        Section {
            id: "published",
            title: "Published scores".into(),
            lead: "Published RBP scores converted to another p.".into(),
            content: of(page_options.published.take(), "no published scores were given (--published FILE)"),
        },
    ]
}
