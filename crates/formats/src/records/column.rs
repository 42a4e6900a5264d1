//! The columns that files of runs and judgements have, and the names people give them.
//!
//! Names are compared without case, blanks and punctuation (`query-id`, `Query ID` and `queryId` are one). Each column
//! has its names in tiers: `qid` says more surely than `query` which column holds the topic, so a file with both is not
//! ambiguous. Two names of one tier are, and the reader asks instead of guessing.

use std::fmt;

use karat_data::JudgementKind;
use karat_data::problem::quote;

/// What a file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Data {
    /// Retrieved documents.
    Run,
    /// Judgements.
    Judgements,
    /// Labels of several judges: who said what of which document.
    Labels,
}

impl Data {
    /// In a sentence: "this file holds a run".
    pub fn name(self) -> &'static str {
        match self {
            Data::Run => "a run",
            Data::Judgements => "judgements",
            Data::Labels => "labels of judges",
        }
    }
}

/// A column with a meaning. Their order here is the order in which they are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Column {
    /// The topic.
    Topic,
    /// The subtopic of a judgement.
    Subtopic,
    /// The judgement group.
    Group,
    /// The judgement subgroup.
    Subgroup,
    /// Field 2 of TREC's qrels.
    Iteration,
    /// The document.
    Document,
    /// Who judged.
    Judge,
    /// The stratum a document was sampled from.
    Stratum,
    /// The grade; negative where nobody judged.
    Grade,
    /// What a judge said in place of a grade: cannot, later.
    State,
    /// When a judge said so.
    Time,
    /// How long it took.
    Seconds,
    /// Why.
    Reason,
    /// Human, a model, clicks.
    Source,
    /// A grade that is written as a word, until it is known which grade it is.
    Word,
    /// The place in an order of preference.
    Preference,
    /// How a document was chosen to be judged.
    Method,
    /// With what probability.
    Probability,
    /// The rank.
    Rank,
    /// The score.
    Score,
    /// The run's name.
    Tag,
}

use Column::{
    Document, Grade, Group, Iteration, Judge, Method, Preference, Probability, Rank, Reason, Score, Seconds, Source,
    State, Stratum, Subgroup, Subtopic, Tag, Time, Topic, Word,
};

/// A column, its name where karat writes it, and its names in tiers, the surest first.
type Named = (Column, &'static str, &'static [&'static [&'static str]]);

/// Documents and topics go by these names everywhere.
const SHARED: &[Named] = &[
    (
        Topic,
        "query_id",
        &[
            &["queryid", "qid", "topicid", "topicno", "topicnumber", "querynumber", "qno"],
            &["query", "topic", "q", "querytext", "userquery"],
        ],
    ),
    (
        Document,
        "doc_id",
        &[
            // PyTerrier's frames have both: docno is the document's name, docid a number of the index.
            &["docno", "corpusid", "documentid", "documentno", "documentnumber", "passageid", "productid", "itemid"],
            &["docid", "pid", "did"],
            &["document", "doc", "passage", "item"],
            &["id"],
        ],
    ),
];

const OF_RUNS: &[Named] = &[
    (Rank, "rank", &[&["rank"], &["position", "pos", "docposition"]]),
    (Score, "score", &[&["score"], &["sim", "similarity", "relevancescore", "retrievalscore", "docscore", "scores"]]),
    (Tag, "tag", &[&["tag", "runid", "runtag", "runname", "system", "systemid"], &["run"]]),
];

const OF_JUDGEMENTS: &[Named] = &[
    (Subtopic, "subtopic", &[&["subtopic", "subtopicid", "subtopicno", "intent", "aspect"]]),
    (Group, "group", &[&["group", "judgmentgroup", "judgementgroup", "ujg"]]),
    (Subgroup, "subgroup", &[&["subgroup", "ujsubg"]]),
    (Iteration, "iteration", &[&["iteration", "iter"], &["q0"]]),
    (Stratum, "stratum", &[&["stratum", "strata"]]),
    (
        Grade,
        "grade",
        &[
            &["grade", "relevance", "rel", "relevancegrade", "rating", "judgment", "judgement", "relevancelabel"],
            &["label", "gain", "qrel"],
            // BEIR calls the grade a score.
            &["score"],
        ],
    ),
    (Preference, "preference", &[&["preference", "rellevel"]]),
    (Method, "method", &[&["method", "algorithm", "alg"]]),
    (Probability, "probability", &[&["probability", "prob", "inclusionprobability"]]),
    JUDGE,
];

const JUDGE: Named = (
    Judge,
    "judge",
    &[&[
        "judge",
        "judgeid",
        "rater",
        "raterid",
        "annotator",
        "annotatorid",
        "assessor",
        "assessorid",
        "worker",
        "workerid",
        "user",
        "username",
        "useremail",
    ]],
);

/// The long form of labels; crowd-kit calls a topic and document together a task.
const OF_LABELS: &[Named] = &[
    (Document, "doc_id", &[&["task", "taskid"]]),
    JUDGE,
    (
        Grade,
        "grade",
        &[
            &["grade", "relevance", "rel", "relevancegrade", "rating", "judgment", "judgement", "relevancelabel"],
            &["label", "gain", "qrel", "response"],
            &["score"],
        ],
    ),
    (State, "state", &[&["state"], &["unrateable"]]),
    (Time, "time", &[&["time", "timestamp", "createdat", "datetime"]]),
    (Seconds, "seconds", &[&["seconds", "leadtime", "timetojudge"]]),
    (Reason, "reason", &[&["reason", "explanation", "reasoning", "rationale"]]),
    (Source, "source", &[&["source"], &["model", "modelversion"]]),
    (Probability, "probability", &[&["probability", "prob", "inclusionprobability"]]),
    (Word, "grade", &[]),
];

fn named(data: Data) -> impl Iterator<Item = &'static Named> {
    let own = match data {
        Data::Run => OF_RUNS,
        Data::Judgements => OF_JUDGEMENTS,
        Data::Labels => OF_LABELS,
    };
    SHARED.iter().chain(own)
}

impl Column {
    /// The name under which karat writes it, and by which messages call it.
    pub fn name(self) -> &'static str {
        let all = SHARED.iter().chain(OF_RUNS).chain(OF_JUDGEMENTS).chain(OF_LABELS);
        all.into_iter().find(|(column, ..)| *column == self).map_or("", |(_, name, _)| name)
    }

    /// Whether it holds numbers.
    pub fn is_number(self) -> bool {
        matches!(self, Rank | Score | Grade | Preference | Probability | Seconds)
    }

    /// The columns that a kind of judgement has beside topic and document.
    pub fn of_kind(kind: JudgementKind) -> &'static [Column] {
        match kind {
            JudgementKind::Grades => &[Grade],
            JudgementKind::Subtopics => &[Subtopic, Grade],
            JudgementKind::Groups => &[Group, Grade],
            JudgementKind::Preferences => &[Group, Subgroup, Preference],
            JudgementKind::Strata => &[Stratum, Grade],
            JudgementKind::Probabilities => &[Grade, Method, Probability],
        }
    }
}

/// Which column of a file is which.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// What the rows are.
    pub data: Data,
    /// Which kind of judgement, where they are judgements.
    pub kind: JudgementKind,
    /// For each of the file's columns what it holds, where that is known and wanted.
    pub columns: Vec<Option<Column>>,
    /// The others, by name.
    pub unused: Vec<String>,
    /// The name of the column that says who judged.
    pub judge: Option<String>,
    /// Whether the column of states is Quepid's: true where the judge could not say.
    pub unrateable: bool,
}

/// Why the columns of a file cannot be told: expected, found, what to do.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanProblem {
    /// What was expected.
    pub expected: String,
    /// What was found.
    pub found: String,
    /// What to do.
    pub remedy: PlanRemedy,
}

/// What to do about columns that cannot be told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlanRemedy {
    /// Name the columns.
    Name,
    /// Rename or remove one of two.
    OneOfTwo,
    /// These are judgements, not a run.
    Judgements,
    /// This is a run, not judgements.
    Run,
}

impl fmt::Display for PlanRemedy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PlanRemedy::Name => {
                "name the columns in the first line (or in every object), for example query_id, doc_id and score or grade"
            }
            PlanRemedy::OneOfTwo => "rename or remove the other column",
            PlanRemedy::Judgements => "these look like judgements: give the judgements first, then the runs",
            PlanRemedy::Run => "these columns make a run: give the judgements first, then the runs",
        })
    }
}

/// A name without what people spell differently.
fn plain(name: &[u8]) -> String {
    let text = String::from_utf8_lossy(name);
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Which of these names is a topic's.
pub fn topic_of(names: &[Vec<u8>]) -> Option<usize> {
    place_of(Topic, names)
}

/// Which of these names is a document's.
pub fn document_of(names: &[Vec<u8>]) -> Option<usize> {
    place_of(Document, names)
}

/// Which of these names is that of a column of judgements.
pub fn place_of(wanted: Column, names: &[Vec<u8>]) -> Option<usize> {
    let plain: Vec<String> = names.iter().map(|name| plain(name)).collect();
    let known = named(Data::Judgements).find(|(column, ..)| *column == wanted);
    known.and_then(|(_, _, tiers)| find(tiers, &plain).ok().flatten())
}

/// Which of these names is this one, without what people spell differently.
pub fn place_of_name(wanted: &str, names: &[Vec<u8>]) -> Option<usize> {
    names.iter().position(|name| plain(name) == plain(wanted.as_bytes()))
}

/// Whether a list of names looks like the header of a run or of judgements: it has a topic and a document.
pub fn is_header(names: &[Vec<u8>]) -> bool {
    let has = |wanted: Column| {
        SHARED
            .iter()
            .filter(|(column, ..)| *column == wanted)
            .any(|(_, _, tiers)| names.iter().any(|name| tiers.iter().any(|tier| tier.contains(&plain(name).as_str()))))
    };
    has(Topic) && has(Document)
}

/// Whether a list of names looks like a header at all: it has a topic and a document, or one of them by a sure name.
pub fn is_perhaps_header(names: &[Vec<u8>]) -> bool {
    let sure = |(_, _, tiers): &Named| {
        names.iter().any(|name| tiers.first().is_some_and(|tier| tier.contains(&plain(name).as_str())))
    };
    names.len() > 1 && (is_header(names) || SHARED.iter().any(sure))
}

/// Whether these columns are a run's, and not judgements', or the other way round: they say how documents were ranked or
/// how they were judged. A score says neither: BEIR's is a grade.
pub fn guess(names: &[Vec<u8>]) -> Option<Data> {
    let names: Vec<String> = names.iter().map(|name| plain(name)).collect();
    let any = |wanted: &[&str]| names.iter().any(|name| wanted.contains(&name.as_str()));
    let graded = ["grade", "relevance", "rel", "relevancegrade", "rating", "judgment", "judgement", "relevancelabel"];
    if any(&graded) || any(&["label", "preference", "probability"]) {
        return Some(Data::Judgements);
    }
    let ranked = ["sim", "similarity", "relevancescore", "rank", "position", "tag", "runid", "runtag", "runname"];
    any(&ranked).then_some(Data::Run)
}

/// Whether these columns may be a run's and judgements' alike, because all they have is a score.
pub fn is_open(names: &[Vec<u8>]) -> bool {
    guess(names).is_none() && plan(names, Data::Run).is_ok() && plan(names, Data::Judgements).is_ok()
}

/// Whether this column holds the number that is a score or a grade.
pub fn is_score(name: &[u8]) -> bool {
    plain(name) == "score"
}

fn list(names: &[Vec<u8>]) -> String {
    const SHOWN: usize = 12;
    let mut text: Vec<String> = names.iter().take(SHOWN).map(|name| quote(name)).collect();
    if names.len() > SHOWN {
        text.push(format!("{} more", names.len() - SHOWN));
    }
    match text.len() {
        0 => "no column".into(),
        1 => format!("one column: {}", text[0]),
        _ => format!("columns {}", text.join(", ")),
    }
}

/// Finds the column of a file that holds `wanted`.
fn find(tiers: &[&[&str]], plain: &[String]) -> Result<Option<usize>, Vec<usize>> {
    for tier in tiers {
        let found: Vec<usize> = (0..plain.len()).filter(|&at| tier.contains(&plain[at].as_str())).collect();
        match found[..] {
            [] => {}
            [one] => return Ok(Some(one)),
            _ => return Err(found),
        }
    }
    Ok(None)
}

/// Which column is which.
///
/// # Errors
/// A column that is needed is not there, or two could be it.
pub fn plan(names: &[Vec<u8>], data: Data) -> Result<Plan, PlanProblem> {
    let plain: Vec<String> = names.iter().map(|name| plain(name)).collect();
    let mut columns = known_columns(names, &plain, data)?;
    let kind = check_needed(names, &columns, data)?;
    let mut unused = Vec::new();
    for (at, column) in columns.iter_mut().enumerate() {
        if !column.is_some_and(|own| is_used(own, data, kind)) {
            *column = None;
            // A frame's index has no name, or one that says what it is.
            if !matches!(plain[at].as_str(), "" | "unnamed0" | "index") {
                unused.push(String::from_utf8_lossy(&names[at]).into_owned());
            }
        }
    }
    let judge = columns.iter().position(|&column| column == Some(Judge));
    let judge = judge.map(|at| String::from_utf8_lossy(&names[at]).into_owned());
    let state = columns.iter().position(|&column| column == Some(State));
    let unrateable = state.is_some_and(|at| plain[at] == "unrateable");
    Ok(Plan { data, kind, columns, unused, judge, unrateable })
}

/// Which column is which, where judgements may have columns of which all cells are empty: a form has a place for a probability, and without
/// one it holds plain grades.
///
/// # Errors
/// A column that is needed is not there, or two could be it.
pub fn plan_filled(names: &[Vec<u8>], data: Data, is_empty: impl Fn(usize) -> bool) -> Result<Plan, PlanProblem> {
    let mut names = names.to_vec();
    loop {
        let plan = plan(&names, data)?;
        if data != Data::Judgements {
            return Ok(plan);
        }
        let optional = |column: &Option<Column>| matches!(column, Some(Probability | Method | Stratum));
        let empty = |(at, column): (usize, &Option<Column>)| optional(column) && is_empty(at);
        match plan.columns.iter().enumerate().position(empty) {
            Some(at) => names[at].clear(),
            None => return Ok(plan),
        }
    }
}

/// What each column holds, as far as its name is known.
fn known_columns(names: &[Vec<u8>], plain: &[String], data: Data) -> Result<Vec<Option<Column>>, PlanProblem> {
    let mut columns: Vec<Option<Column>> = vec![None; names.len()];
    for &(column, own, tiers) in named(data) {
        match find(tiers, plain) {
            Ok(Some(at)) if columns[at].is_none() && !columns.contains(&Some(column)) => columns[at] = Some(column),
            Ok(_) => {}
            Err(several) => {
                let several: Vec<Vec<u8>> = several.iter().map(|&at| names[at].clone()).collect();
                return Err(PlanProblem {
                    expected: format!("one column for the {}", word(column, own)),
                    found: list(&several),
                    remedy: PlanRemedy::OneOfTwo,
                });
            }
        }
    }
    Ok(columns)
}

/// The kind of judgement, once every column that is needed is there.
fn check_needed(names: &[Vec<u8>], columns: &[Option<Column>], data: Data) -> Result<JudgementKind, PlanProblem> {
    let has = |wanted: Column| columns.contains(&Some(wanted));
    let missing = |what: &str, usual: &str, remedy| {
        Err(PlanProblem { expected: format!("a column for the {what} ({usual}, ...)"), found: list(names), remedy })
    };
    let rename = PlanRemedy::Name;
    // A label's task may be topic and document in one.
    if !has(Topic) && data != Data::Labels {
        return missing("topic", "query_id, query-id, qid, topic", rename);
    }
    if !has(Document) {
        return missing("document", "doc_id, docid, docno, corpus-id", rename);
    }
    let kind = match data {
        Data::Run if !has(Score) && !has(Rank) => {
            let graded = guess(names) == Some(Data::Judgements);
            let remedy = if graded { PlanRemedy::Judgements } else { rename };
            return missing("score or rank", "score, sim, rank", remedy);
        }
        Data::Run | Data::Labels => JudgementKind::Grades,
        Data::Judgements => kind_of(&has),
    };
    let lacks = |column: &&Column| !has(**column) && **column != Method;
    match Column::of_kind(kind).iter().find(lacks).filter(|_| data != Data::Run) {
        Some(Grade) => {
            let remedy = if guess(names) == Some(Data::Run) { PlanRemedy::Run } else { rename };
            missing("grade", "grade, rel, relevance, rating, label; BEIR's score", remedy)
        }
        Some(other) => missing(other.name(), other.name(), rename),
        None => Ok(kind),
    }
}

/// Whether data of this kind has a use for the column.
fn is_used(column: Column, data: Data, kind: JudgementKind) -> bool {
    let optional: &[Column] = match (data, kind) {
        (Data::Run, _) => return true,
        (Data::Labels, _) => &[Judge, State, Time, Seconds, Reason, Source, Probability],
        // Several grades for a document are several only with what tells them apart.
        (Data::Judgements, JudgementKind::Grades | JudgementKind::Strata) => &[Iteration, Judge],
        (Data::Judgements, _) => &[Judge],
    };
    [Topic, Document].contains(&column) || Column::of_kind(kind).contains(&column) || optional.contains(&column)
}

fn word(column: Column, own: &'static str) -> &'static str {
    match column {
        Topic => "topic",
        Document => "document",
        _ => own,
    }
}

/// Which kind of judgement these columns make.
fn kind_of(has: &impl Fn(Column) -> bool) -> JudgementKind {
    if has(Preference) {
        JudgementKind::Preferences
    } else if has(Subtopic) {
        JudgementKind::Subtopics
    } else if has(Probability) {
        JudgementKind::Probabilities
    } else if has(Stratum) {
        JudgementKind::Strata
    } else if has(Group) {
        JudgementKind::Groups
    } else {
        JudgementKind::Grades
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<Vec<u8>> {
        text.split(',').map(|name| name.as_bytes().to_vec()).collect()
    }

    #[test]
    fn the_usual_headers_are_understood() {
        let columns = |header: &str, data| plan(&names(header), data).unwrap().columns;
        let run = [Some(Topic), Some(Document), Some(Score)];
        for header in ["query_id,doc_id,score", "qid,docno,sim", "Query ID,Doc-Id,Score", "topic,document,similarity"] {
            assert_eq!(columns(header, Data::Run), run, "{header}");
        }
        let judged = [Some(Topic), Some(Document), Some(Grade)];
        for header in ["query-id,corpus-id,score", "query,docid,rating", "qid,docno,label", "topicno,docid,rel"] {
            assert_eq!(columns(header, Data::Judgements), judged, "{header}");
        }
    }

    #[test]
    fn the_surer_name_wins_and_two_equally_sure_ones_are_refused() {
        // PyTerrier's frame of results.
        let found = plan(&names("qid,docid,docno,rank,score,query"), Data::Run).unwrap();
        assert_eq!(found.columns, [Some(Topic), None, Some(Document), Some(Rank), Some(Score), None]);
        assert_eq!(found.unused, ["docid", "query"]);
        let refused = plan(&names("qid,topic_id,docno,score"), Data::Run).unwrap_err();
        assert_eq!(refused.expected, "one column for the topic");
        assert_eq!(refused.found, "columns \"qid\", \"topic_id\"");
    }

    #[test]
    fn what_a_judgement_says_follows_from_its_columns() {
        let kind = |header: &str| plan(&names(header), Data::Judgements).unwrap().kind;
        assert_eq!(kind("qid,docno,rel"), JudgementKind::Grades);
        assert_eq!(kind("qid,subtopic,docno,rel"), JudgementKind::Subtopics);
        assert_eq!(kind("qid,docno,stratum,rel"), JudgementKind::Strata);
        assert_eq!(kind("qid,docno,rel,alg,prob"), JudgementKind::Probabilities);
        assert_eq!(kind("qid,group,docno,rel"), JudgementKind::Groups);
        assert_eq!(kind("qid,group,subgroup,docno,preference"), JudgementKind::Preferences);
    }

    #[test]
    fn a_missing_column_is_named() {
        let missing = |header: &str, data| plan(&names(header), data).unwrap_err();
        assert!(missing("docno,score", Data::Run).expected.contains("for the topic"));
        assert!(missing("qid,score", Data::Run).expected.contains("for the document"));
        assert_eq!(missing("qid,docno,grade", Data::Run).remedy, PlanRemedy::Judgements);
        assert_eq!(missing("qid,docno,rank", Data::Judgements).remedy, PlanRemedy::Run);
    }

    #[test]
    fn every_name_is_in_its_plain_form_and_belongs_to_one_column_of_its_data() {
        for data in [Data::Run, Data::Judgements] {
            let mut seen = std::collections::HashSet::new();
            for (column, own, tiers) in named(data) {
                assert_eq!(column.name(), *own);
                assert!(tiers.concat().contains(&plain(own.as_bytes()).as_str()), "{own}");
                for name in tiers.concat() {
                    assert_eq!(plain(name.as_bytes()), name);
                    assert!(seen.insert(name), "{name} twice");
                }
            }
        }
    }
}
