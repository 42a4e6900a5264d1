//! The pool: the first documents of every run, and which runs contributed them.

use karat_data::names::text;
use karat_data::{FormGrade, FormRow, Judgement, Policy, Qrels, RankedDocuments, RunSource, TopicDocuments, hash};
use schemars::JsonSchema;
use serde::Serialize;

use super::next::completed;
use super::{JudgingError, Selection, check_some_common_topic};
use crate::scores::names;

/// Options of `pool`.
pub struct PoolOptions<'a> {
    /// Ranks of each run that are pooled, from the first.
    pub depth: usize,
    /// Judgements made already.
    pub qrels: Option<&'a Qrels>,
    /// How lists are ordered; its depth is not used.
    pub policy: Policy,
    /// Threads to use.
    pub threads: usize,
}

/// The pooled documents, and what each run contributed.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct PoolAnswer {
    /// The pooled documents, by topic and best rank.
    pub pool: Vec<PooledDocument>,
    /// What each run contributed.
    pub contributions: Vec<Contribution>,
    /// Number of topics.
    #[serde(skip)]
    pub topics: usize,
    /// Ranks of each run that are pooled.
    #[serde(skip)]
    pub depth: usize,
    /// Pooled documents without a judgement, where judgements are known.
    #[serde(skip)]
    pub unjudged: Option<usize>,
}

/// One pooled document.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct PooledDocument {
    /// Its topic.
    pub topic: String,
    /// The document.
    pub document: String,
    /// The best rank that a run gives it.
    pub rank: u32,
    /// Number of runs that contribute it.
    pub runs: usize,
    /// Names of these runs.
    pub by: Vec<String>,
    /// Whether it is judged, with `--qrels`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub judged: Option<bool>,
}

/// What a run contributed.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Contribution {
    /// The run.
    pub run: String,
    /// Pooled documents that it has.
    pub documents: usize,
    /// Those that no other run has.
    pub alone: usize,
    /// Those without a judgement, with `--qrels`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unjudged: Option<usize>,
}

/// A document of a topic's pool.
#[derive(Debug, Clone)]
pub(super) struct Pooled {
    /// Its place among the topic's documents.
    pub document: u32,
    /// The best rank any run has it at.
    pub rank: u32,
    /// The runs that have it, with their ranks.
    pub runs: Vec<(usize, u32)>,
}

/// The pool of a topic, by best rank, then docno.
pub(super) fn pool_of_topic(topic: &TopicDocuments, runs: usize) -> Vec<Pooled> {
    let mut found: Vec<Pooled> =
        (0..topic.len() as u32).map(|document| Pooled { document, rank: u32::MAX, runs: Vec::new() }).collect();
    for run in 0..runs {
        for (rank, &document) in (1u32..).zip(topic.list(run)) {
            let pooled = &mut found[document as usize];
            pooled.rank = pooled.rank.min(rank);
            pooled.runs.push((run, rank));
        }
    }
    found.sort_by_key(|pooled| (pooled.rank, pooled.document));
    found
}

/// What is known of a document.
pub(super) fn known(qrels: Option<&Qrels>, topic: &[u8], docno: &[u8]) -> Judgement {
    let found = qrels.and_then(|qrels| Some((qrels, qrels.find(topic)?)));
    found.map_or(Judgement::Unpooled, |(qrels, topic)| qrels.judgement(topic, docno, hash::of(docno)))
}

/// The pool.
///
/// # Errors
/// Everything wrong with the runs; judgements of other topics only.
pub fn pool(runs: &dyn RunSource, options: &PoolOptions<'_>) -> Result<Selection<PoolAnswer>, JudgingError> {
    let policy = Policy { depth: Some(options.depth), ..options.policy };
    let documents = RankedDocuments::read(runs, &policy, options.threads)?;
    let names = names(&documents.runs.iter().collect::<Vec<_>>())?;
    check_some_common_topic(options.qrels, &documents)?;
    let with_qrels = options.qrels.is_some();
    let mut contributions: Vec<Contribution> = names.iter().map(|name| Contribution::new(name, with_qrels)).collect();
    let (mut pool, mut form) = (Vec::new(), Vec::new());
    for topic in documents.topics.iter() {
        for found in pool_of_topic(topic, names.len()) {
            let docno = topic.docno(found.document);
            let judgement = known(options.qrels, &topic.name, docno);
            for &(run, _) in &found.runs {
                contributions[run].add(found.runs.len() == 1, judgement.is_judged());
            }
            pool.push(PooledDocument {
                topic: text(&topic.name),
                document: text(docno),
                rank: found.rank,
                runs: found.runs.len(),
                by: found.runs.iter().map(|&(run, _)| names[run].clone()).collect(),
                judged: with_qrels.then(|| judgement.is_judged()),
            });
            let grade = judgement.grade().map_or(FormGrade::Asked, FormGrade::Grade);
            form.push(FormRow::new(&topic.name, docno, grade));
        }
    }
    let unjudged = with_qrels.then(|| pool.iter().filter(|row| row.judged == Some(false)).count());
    let answer = PoolAnswer { pool, contributions, topics: documents.topics.len(), depth: options.depth, unjudged };
    // A form without them would lose judgements that were made.
    let form = if let Some(qrels) = options.qrels { completed(qrels, form) } else { form };
    Ok(Selection { answer, form, runs: documents.runs })
}

impl Contribution {
    fn new(run: &str, with_qrels: bool) -> Contribution {
        Contribution { run: run.to_owned(), documents: 0, alone: 0, unjudged: with_qrels.then_some(0) }
    }

    fn add(&mut self, alone: bool, judged: bool) {
        self.documents += 1;
        self.alone += usize::from(alone);
        if let Some(unjudged) = &mut self.unjudged {
            *unjudged += usize::from(!judged);
        }
    }
}
