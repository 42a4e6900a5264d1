//! Files compared: topics that only one has, and how much of a run is judged.

use std::collections::{BTreeMap, BTreeSet};

use karat_data::{Aligner, Policy};
use schemars::JsonSchema;
use serde::Serialize;

use super::finding::AcrossFinding;
use super::qrels::CheckedQrels;
use super::run::rows;
use super::{CheckedFile, Field, Finding, FindingKind};

/// Ranks that are looked at together.
const BANDS: [(&str, usize); 4] = [("1-10", 10), ("11-100", 100), ("101-1000", 1000), ("1001-", usize::MAX)];

/// What is kept of a run for the comparison with judgements; documents that occur twice are there once.
#[derive(Debug)]
pub struct CheckedRun {
    path: String,
    tag: Vec<u8>,
    docnos: Vec<u8>,
    topics: Vec<TopicOfRun>,
}

/// A topic's name and its rows: where the docno stands in the arena, and the score.
pub(super) type TopicOfRun = (Vec<u8>, Vec<((usize, usize), f64)>);

impl CheckedRun {
    pub(super) fn new(path: String, tag: Vec<u8>, docnos: Vec<u8>, topics: Vec<TopicOfRun>) -> CheckedRun {
        CheckedRun { path, tag, docnos, topics }
    }
}

/// How much of a run is judged in some ranks, over all common topics.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct JudgedByRank {
    /// The judgements' file.
    pub qrels: String,
    /// The run's file.
    pub run: String,
    /// The ranks, such as 11-100.
    pub ranks: &'static str,
    /// Documents at these ranks.
    pub documents: u64,
    /// Documents with a grade.
    pub judged: u64,
    /// Share of documents with a grade.
    pub share: f64,
}

/// Compares a run with judgements: findings are added to the run's. Where there are other judgements too (`only` is false),
/// a run need not have topics of all of them.
pub fn compare(qrels: &CheckedQrels, only: bool, run: &CheckedRun, file: &mut CheckedFile) -> Vec<JudgedByRank> {
    let judged: BTreeSet<&[u8]> = qrels.qrels.topics().map(|topic| qrels.qrels.name(topic)).collect();
    let own: BTreeSet<&[u8]> = run.topics.iter().map(|(name, _)| name.as_slice()).collect();
    if judged.is_empty() || own.is_empty() {
        return Vec::new();
    }
    let missing: Vec<&[u8]> = judged.difference(&own).copied().collect();
    let extra: Vec<&[u8]> = own.difference(&judged).copied().collect();
    let path = || qrels.path.clone();
    let mut push = |make: fn(&str, FindingKind) -> Finding, kind| {
        file.findings.push(make(&run.path, FindingKind::Across(kind)));
    };
    if extra.len() == own.len() {
        let make = if only { Finding::error } else { Finding::note };
        push(make, AcrossFinding::NoCommonTopic { qrels: path(), here: names(&extra), there: names(&missing) });
    } else {
        if !missing.is_empty() {
            push(Finding::warning, AcrossFinding::MissingTopics { qrels: path(), topics: names(&missing) });
        }
        if !extra.is_empty() {
            push(Finding::note, AcrossFinding::UnjudgedTopics { qrels: path(), topics: names(&extra) });
        }
    }
    if let Some((here, there)) = written_differently(&extra, &judged) {
        let (here, there) = (here.to_vec(), there.to_vec());
        let kind = FindingKind::Across(AcrossFinding::WrittenDifferently { qrels: path(), here, there });
        file.findings.push(Finding::warning(&run.path, kind).on_field(Field::Topic));
    }
    bands(qrels, run)
}

fn names(names: &[&[u8]]) -> Vec<Vec<u8>> {
    names.iter().map(|name| name.to_vec()).collect()
}

/// Compares the topics of two runs, where there are no judgements to compare them with.
pub fn compare_runs(first: &CheckedRun, run: &CheckedRun, file: &mut CheckedFile) {
    let topics = |run: &CheckedRun| run.topics.iter().map(|(name, _)| name.clone()).collect::<BTreeSet<_>>();
    let (there, here) = (topics(first), topics(run));
    let missing: Vec<Vec<u8>> = there.difference(&here).cloned().collect();
    let extra: Vec<Vec<u8>> = here.difference(&there).cloned().collect();
    let mut push = |kind| file.findings.push(Finding::warning(&run.path, FindingKind::Across(kind)));
    if !missing.is_empty() {
        push(AcrossFinding::TopicsOfOther { other: first.path.clone(), topics: missing });
    }
    if !extra.is_empty() {
        push(AcrossFinding::TopicsNotInOther { other: first.path.clone(), topics: extra });
    }
}

/// Warns where an earlier run has the tag of this one.
pub fn compare_tags(earlier: &[CheckedRun], run: &CheckedRun, file: &mut CheckedFile) {
    if let Some(other) = earlier.iter().find(|other| !run.tag.is_empty() && other.tag == run.tag) {
        let kind = AcrossFinding::SameTag { other: other.path.clone(), tag: run.tag.clone() };
        file.findings.push(Finding::warning(&file.path, FindingKind::Across(kind)));
    }
}

/// Two names that are the same number once letters before it and leading zeros are gone.
fn written_differently<'n>(extra: &[&'n [u8]], judged: &BTreeSet<&'n [u8]>) -> Option<(&'n [u8], &'n [u8])> {
    let by_number: BTreeMap<&[u8], &[u8]> = judged.iter().filter_map(|name| Some((bare(name)?, *name))).collect();
    extra.iter().find_map(|name| Some((*name, *by_number.get(bare(name)?)?)))
}

/// The number at the end of a name like `001`, `q7` or `CV-12`.
fn bare(name: &[u8]) -> Option<&[u8]> {
    let digits = name.iter().rposition(|byte| !byte.is_ascii_digit()).map_or(0, |last| last + 1);
    let prefix = name[..digits].iter().all(|byte| byte.is_ascii_alphabetic() || b"-_.:".contains(byte));
    let zeros = name[digits..].iter().take_while(|byte| **byte == b'0').count();
    Some(&name[digits + zeros..]).filter(|number| prefix && digits <= 12 && !number.is_empty())
}

fn bands(qrels: &CheckedQrels, run: &CheckedRun) -> Vec<JudgedByRank> {
    let mut counts = [(0u64, 0u64); BANDS.len()];
    let mut aligner = Aligner::new();
    for (name, own) in &run.topics {
        let Some(topic) = qrels.qrels.find(name) else { continue };
        let rows = rows(&run.docnos, own);
        let Ok(ranking) = aligner.align(&qrels.qrels, topic, &rows, &Policy::default()) else { continue };
        for (rank, judgement) in (1..).zip(ranking.ranks) {
            let Some(band) = BANDS.iter().position(|&(_, last)| rank <= last) else { continue };
            counts[band].0 += 1;
            counts[band].1 += u64::from(judgement.is_judged());
        }
    }
    let counted = BANDS.iter().zip(counts).filter(|(_, (documents, _))| *documents > 0);
    counted
        .map(|((ranks, _), (documents, judged))| JudgedByRank {
            qrels: qrels.path.clone(),
            run: run.path.clone(),
            ranks,
            documents,
            judged,
            share: judged as f64 / documents as f64,
        })
        .collect()
}
