//! What was found, and what to do about it, in words.

use karat_analysis::check::{
    AcrossFinding, Field, Finding, FindingKind, LabelsFinding, OddOrder, QrelsFinding, RunFinding, Unit,
};
use karat_data::JudgementKind;
use karat_data::names::text;
use karat_data::problem::{Place, quote};

use crate::words::{count, list_names, plain_grades};

/// Names that a list shows before it says how many more there are.
const SHOWN_GROUPS: usize = 5;
const SHOWN_GRADES: usize = 12;

/// What was found.
pub(super) fn what(finding: &Finding) -> String {
    let unit = |number: u64| count(number as usize, unit_name(finding.unit));
    match &finding.kind {
        FindingKind::Problem(problem) => {
            let keys = match &problem.place {
                Some(keys @ Place::Keys { .. }) => format!("{keys}: "),
                _ => String::new(),
            };
            format!("{keys}expected {}, found {}", problem.expected, problem.found_text())
        }
        FindingKind::MoreErrors(more) => format!("{} more not listed", count(*more as usize, "error")),
        FindingKind::EmptyFolder => "no rows in any file of the folder".into(),
        FindingKind::CarriageReturns(lines) => format!("{} with a carriage return before the line feed", unit(*lines)),
        FindingKind::NotUtf8(lines) => format!("{} with a docno that is not UTF-8", unit(*lines)),
        FindingKind::Qrels(QrelsFinding::NegativeGrades(rows)) => format!("{} with a negative grade", unit(*rows)),
        FindingKind::Qrels(found) => qrels_what(found),
        FindingKind::Run(RunFinding::OddRanks(rows)) => {
            format!("{} with a rank that is not a whole number", unit(*rows))
        }
        FindingKind::Run(RunFinding::Order { order, topics, all_topics, .. }) => {
            let odd = order_what(*order, unit_name(finding.unit));
            format!("{odd} in {} of {all_topics}", list(topics))
        }
        FindingKind::Run(found) => run_what(found),
        FindingKind::Across(found) => across_what(found),
        FindingKind::Labels(found) => labels_what(found),
    }
}

/// A field as people call it.
pub(super) fn field_name(field: Field) -> &'static str {
    match field {
        Field::Topic => "topic (field 1)",
        Field::Rank => "rank (field 4)",
        Field::Score => "score (field 5)",
        Field::Tag => "tag (field 6)",
        Field::Named(name) => name,
    }
}

fn unit_name(unit: Unit) -> &'static str {
    match unit {
        Unit::Line => "line",
        Unit::Row | Unit::TableRow => "row",
    }
}

fn list(topics: &[Vec<u8>]) -> String {
    list_names(topics.iter().map(Vec::as_slice), topics.len())
}

fn qrels_what(found: &QrelsFinding) -> String {
    match found {
        QrelsFinding::Repeated { docno, first, grades, .. } => {
            let grades = match grades {
                Some((there, here)) => format!("grade {there} there, {here} here"),
                None => "the same grade".into(),
            };
            format!("{} is judged again for its topic; {first} ({grades})", quote(docno))
        }
        QrelsFinding::Kind { kind, groups, drawn } => kind_what(*kind, groups, *drawn),
        QrelsFinding::NoRelevant(topics) => format!("no relevant document for {}", list(topics)),
        QrelsFinding::NegativeGrades(rows) => count(*rows as usize, "negative grade"),
        QrelsFinding::Fractions(grades) => format!("{} with a fraction", count(*grades as usize, "grade")),
    }
}

fn kind_what(kind: JudgementKind, groups: &[Vec<u8>], drawn: Option<(u64, u64)>) -> String {
    let noun = match kind {
        JudgementKind::Subtopics => "subtopics",
        JudgementKind::Strata => "strata",
        JudgementKind::Probabilities => "methods",
        JudgementKind::Grades | JudgementKind::Groups | JudgementKind::Preferences => "groups",
    };
    let mut shown: Vec<String> = groups.iter().take(SHOWN_GROUPS).map(|name| quote(name)).collect();
    if groups.len() > shown.len() {
        shown.push(format!("and {} more", groups.len() - shown.len()));
    }
    let drawn = drawn
        .map(|(drawn, all)| format!("; {drawn} of {} drawn and judged", count(all as usize, "document")))
        .unwrap_or_default();
    format!("{kind}, {noun} {}{drawn}", shown.join(", "))
}

fn order_what(order: OddOrder, unit: &str) -> String {
    match order {
        OddOrder::RanksContradictScores => "ranks contradict scores".into(),
        OddOrder::ScoresRise => format!("scores rise from one {unit} to the next"),
        OddOrder::RanksFromZero => "ranks begin at 0".into(),
        OddOrder::RanksHaveGaps => "ranks have gaps".into(),
        OddOrder::RankTwice => "a rank occurs twice".into(),
        OddOrder::Unsorted => format!("{unit}s are not in the order of ranks"),
    }
}

fn run_what(found: &RunFinding) -> String {
    match found {
        RunFinding::RepeatedDocument { docno, topic, first } => {
            format!("{} again for topic {}; {first}", quote(docno), quote(topic))
        }
        RunFinding::RepeatedRank { rank, topic, first } => {
            format!("rank {rank} again for topic {}; {first}", quote(topic))
        }
        RunFinding::TagChanges { times, last } => {
            format!("the tag changes {}; the last is {}", count(*times as usize, "time"), quote(last))
        }
        RunFinding::ScatteredTopics(times) => {
            format!("rows of a topic are not consecutive: {}", count(*times as usize, "interruption"))
        }
        RunFinding::Ties { tied, documents } => format!(
            "{tied} of {} ({}) have the same score as another document of the topic",
            count(*documents as usize, "document"),
            share(*tied, *documents)
        ),
        RunFinding::OddRanks(_) | RunFinding::Order { .. } => String::new(),
    }
}

fn share(part: u64, whole: u64) -> String {
    let percent = 100.0 * part as f64 / whole.max(1) as f64;
    if percent > 0.0 && percent < 1.0 { "less than 1%".into() } else { format!("{percent:.0}%") }
}

fn across_what(found: &AcrossFinding) -> String {
    match found {
        AcrossFinding::NoCommonTopic { qrels, here, there } => {
            format!("no topic in common with {qrels}: {} here, {} there", list(here), list(there))
        }
        AcrossFinding::MissingTopics { qrels, topics } => format!("no row for {} judged in {qrels}", list(topics)),
        AcrossFinding::UnjudgedTopics { qrels, topics } => format!("rows for {} not judged in {qrels}", list(topics)),
        AcrossFinding::WrittenDifferently { qrels, here, there } => {
            format!("topics may be written differently: {} here, {} in {qrels}", quote(here), quote(there))
        }
        AcrossFinding::TopicsOfOther { other, topics } => format!("no row for {} of {other}", list(topics)),
        AcrossFinding::TopicsNotInOther { other, topics } => {
            format!("rows for {} that {other} does not have", list(topics))
        }
        AcrossFinding::SameTag { other, tag } => format!("{other} has the same tag, {}", quote(tag)),
    }
}

fn labels_what(found: &LabelsFinding) -> String {
    match found {
        LabelsFinding::Summary { judges, several, documents } => format!(
            "labels of {}; {several} of {} have grades by several judges",
            count(*judges as usize, "judge"),
            count(*documents as usize, "document")
        ),
        LabelsFinding::NoOverlap => "no document has grades by two judges, so agreement cannot be measured".into(),
        LabelsFinding::NotGrades(states) => {
            let states: Vec<String> = states.iter().map(|(state, count)| format!("{count} {}", state.name())).collect();
            format!("labels without a grade: {}", states.join(", "))
        }
        LabelsFinding::Fractions => "grades that are not whole numbers".into(),
        LabelsFinding::Grades(grades) => {
            let shown: Vec<String> =
                grades.iter().take(SHOWN_GRADES).map(|(grade, count)| format!("{grade} ({count})")).collect();
            let more = grades.len() - shown.len();
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            format!("grades: {}{more}", shown.join(", "))
        }
        LabelsFinding::ConstantJudge { judge, grade, documents } => {
            format!("judge {} gave the same grade ({grade}) to all {documents} documents", text(judge))
        }
    }
}

/// What to do about it.
pub(super) fn remedy(kind: &FindingKind) -> &str {
    match kind {
        FindingKind::Problem(problem) => &problem.remedy,
        FindingKind::MoreErrors(_) => "raise --limit to see them all",
        FindingKind::EmptyFolder => "check that the files were written completely",
        FindingKind::CarriageReturns(_) => "nothing to do here; older tools may read it as part of the last field",
        FindingKind::NotUtf8(_) => {
            "nothing to do here, docnos are compared as bytes; JSON and other output shows them changed"
        }
        FindingKind::Qrels(found) => qrels_remedy(found),
        FindingKind::Run(found) => run_remedy(found),
        FindingKind::Across(found) => across_remedy(found),
        FindingKind::Labels(found) => labels_remedy(found),
    }
}

fn qrels_remedy(found: &QrelsFinding) -> &'static str {
    match found {
        QrelsFinding::Repeated { remedy, .. } => remedy,
        QrelsFinding::Kind { kind, .. } => plain_grades(*kind).unwrap_or_default(),
        QrelsFinding::NoRelevant(_) => {
            "most measures are 0 on these topics for every run; exclude them with --topics if that is not intended"
        }
        QrelsFinding::NegativeGrades(_) => {
            "these documents count as pooled but not judged; write 0 if they were judged not relevant"
        }
        QrelsFinding::Fractions(_) => {
            "nothing to do here; trec_eval and `karat trec_eval` truncate them to whole numbers"
        }
    }
}

fn run_remedy(found: &RunFinding) -> &'static str {
    match found {
        RunFinding::RepeatedDocument { .. } => "keep one of the two, for example the one with the higher score",
        RunFinding::RepeatedRank { .. } => "give each document of a topic its own rank: ranks order the documents",
        RunFinding::Order { order, by_rank: true, .. } => rank_remedy(*order),
        RunFinding::Order { order, by_rank: false, .. } => score_remedy(*order),
        RunFinding::OddRanks(_) => "nothing to do here, documents are ranked by score; other tools may refuse it",
        RunFinding::TagChanges { .. } => "use one tag on all lines, or split the file if it holds several runs",
        RunFinding::ScatteredTopics(_) => "nothing to do; a file sorted by topic is read faster",
        RunFinding::Ties { .. } => {
            "ties are broken by docno, which is arbitrary: write more digits, or break ties in the system"
        }
    }
}

/// Where scores order the documents.
fn score_remedy(order: OddOrder) -> &'static str {
    match order {
        OddOrder::RanksContradictScores => {
            "documents are ranked by score (as in trec_eval), not by the rank column: check that larger scores are better"
        }
        OddOrder::ScoresRise | OddOrder::Unsorted => {
            "nothing to do, documents are sorted by score; check that the order in the file was intended"
        }
        OddOrder::RanksFromZero => "nothing to do here, ranks are not used; TREC ranks begin at 1 (0 is common)",
        OddOrder::RanksHaveGaps => "nothing to do here, ranks are not used; check that no line of the run was lost",
        OddOrder::RankTwice => "nothing to do here, ranks are not used; check that the file does not join two lists",
    }
}

/// Where ranks order the documents.
fn rank_remedy(order: OddOrder) -> &'static str {
    match order {
        OddOrder::RanksFromZero => {
            "nothing to do here, only the order counts; the format's ranks begin at 1, and other tools may refuse 0"
        }
        OddOrder::RanksHaveGaps => "nothing to do here, only the order counts; check that no line of the run was lost",
        _ => "nothing to do, documents are sorted by rank; check that the order in the file was intended",
    }
}

fn across_remedy(found: &AcrossFinding) -> &'static str {
    match found {
        AcrossFinding::NoCommonTopic { .. } => {
            "check that run and judgements belong together and write topics alike (leading zeros, prefixes)"
        }
        AcrossFinding::MissingTopics { .. } => "the run scores as if it retrieved nothing there; see --missing-topics",
        AcrossFinding::UnjudgedTopics { .. } => "nothing to do: they are ignored",
        AcrossFinding::WrittenDifferently { .. } => "write topics alike in both files, byte for byte",
        AcrossFinding::TopicsOfOther { .. } | AcrossFinding::TopicsNotInOther { .. } => {
            "check that the runs are for the same topics"
        }
        AcrossFinding::SameTag { .. } => "the runs are named by their files; give each run its own tag",
    }
}

fn labels_remedy(found: &LabelsFinding) -> &'static str {
    match found {
        LabelsFinding::Summary { .. } => "karat judges agree, calibrate and merge read this file",
        LabelsFinding::NoOverlap => {
            "check that judges share documents, and that documents and topics have the same names for all judges"
        }
        LabelsFinding::NotGrades(_) => "nothing to do; they are skipped and counted, never treated as 0",
        LabelsFinding::Fractions => "declare the scale with --scale where labels are counted",
        LabelsFinding::Grades(_) => "nothing to do; declare grades that do not occur with --scale",
        LabelsFinding::ConstantJudge { .. } => {
            "such a judge adds no information; consider excluding the labels (--judge names those to keep)"
        }
    }
}
