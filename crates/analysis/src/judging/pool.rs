//! The pool: what any run has among its first documents, and who brought it.

use karat_data::names::text;
use karat_data::{Judgement, Policy, Problems, Qrels, RankedDocuments, RunSource, TopicDocuments, hash};
use karat_report::{Cell, Column, Provenance, Report, Table};

use super::next::completed;
use super::{Answer, FormRow, with_runs};
use crate::scores::names;

/// What is asked.
pub struct Question<'a> {
    /// Ranks of each run that are pooled, from the first.
    pub depth: usize,
    /// Judgements made already.
    pub qrels: Option<&'a Qrels>,
    /// How lists are ordered; its depth is not used.
    pub policy: Policy,
    /// Threads to use.
    pub threads: usize,
    /// Where judgements come from, and the options.
    pub provenance: Provenance,
    /// The version of karat.
    pub version: &'static str,
}

/// A pooled document.
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
pub(super) fn of_topic(topic: &TopicDocuments, runs: usize) -> Vec<Pooled> {
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
/// Everything wrong with the runs.
pub fn pool(runs: &dyn RunSource, question: Question<'_>) -> Result<Answer, Problems> {
    let policy = Policy { depth: Some(question.depth), ..question.policy };
    let documents = RankedDocuments::read(runs, &policy, question.threads)?;
    let names = names(&documents.runs.iter().collect::<Vec<_>>())?;
    let mut pooled = Table::new("pool", "Pool")
        .column("topic", "topic")
        .column("document", "document")
        .column("rank", "best rank")
        .column("runs", "runs")
        .with(Column::new("by", "by").data_only());
    if question.qrels.is_some() {
        pooled = pooled.column("judged", "judged");
    }
    let mut shares = vec![Share::default(); names.len()];
    let mut form = Vec::new();
    let mut unjudged_count = 0;
    for topic in documents.topics.iter() {
        for found in of_topic(topic, names.len()) {
            let docno = topic.docno(found.document);
            let judgement = known(question.qrels, &topic.name, docno);
            unjudged_count += usize::from(!judgement.is_judged());
            for &(run, _) in &found.runs {
                shares[run].documents += 1;
                shares[run].alone += usize::from(found.runs.len() == 1);
                shares[run].unjudged += usize::from(!judgement.is_judged());
            }
            let by: Vec<Cell> = found.runs.iter().map(|&(run, _)| names[run].as_str().into()).collect();
            let mut row: Vec<Cell> = vec![
                text(&topic.name).into(),
                text(docno).into(),
                found.rank.into(),
                found.runs.len().into(),
                Cell::List(by),
            ];
            if question.qrels.is_some() {
                row.push(judgement.is_judged().into());
            }
            pooled.push(row);
            form.push(FormRow {
                topic: topic.name.clone(),
                docno: docno.to_vec(),
                grade: judgement.grade(),
                stratum: 1,
                probability: 1.0,
            });
        }
    }
    let mut contributions = Table::new("contributions", "Who contributed what")
        .column("run", "run")
        .column("documents", "documents")
        .column("alone", "no other run has");
    if question.qrels.is_some() {
        contributions = contributions.column("unjudged", "unjudged");
    }
    for (name, share) in names.iter().zip(&shares) {
        let mut row: Vec<Cell> = vec![name.as_str().into(), share.documents.into(), share.alone.into()];
        if question.qrels.is_some() {
            row.push(share.unjudged.into());
        }
        contributions.push(row);
    }
    let (topics, depth) = (documents.topics.len(), question.depth);
    let size = form.len();
    let mut report = Report::new("Pool", "pool", question.version).table(pooled).table(contributions);
    report.provenance = with_runs(question.provenance, &documents);
    report = report.note(format!(
        "{size} documents for {topics} topics: the first {depth} of each of {} runs, ties by docno as everywhere",
        names.len()
    ));
    if question.qrels.is_some() {
        report = report.note(match unjudged_count {
            0 => "nothing left to judge: every document of the pool is judged".to_owned(),
            count => format!("{count} of them are not judged yet"),
        });
    }
    // A form without them would lose judgements that were made.
    let form = if let Some(qrels) = question.qrels { completed(qrels, form) } else { form };
    Ok(Answer { report, form })
}

#[derive(Debug, Clone, Default)]
struct Share {
    documents: usize,
    alone: usize,
    unjudged: usize,
}
