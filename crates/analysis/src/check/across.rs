//! Files beside each other: topics that only one has, and how much of a run is judged.

use std::collections::{BTreeMap, BTreeSet};

use karat_data::problem::quote;
use karat_data::{Aligner, Policy};

use super::qrels::CheckedQrels;
use super::run::rows;
use super::{CheckedFile, Finding};
use crate::scores::list_names;

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

    /// Its file.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Its tag, on its last line.
    pub fn tag(&self) -> &[u8] {
        &self.tag
    }
}

/// How much of a run is judged in some ranks, over all topics in common.
#[derive(Debug, Clone, PartialEq)]
pub struct Band {
    /// The judgements.
    pub qrels: String,
    /// The run's file.
    pub run: String,
    /// The ranks, "11-100".
    pub ranks: &'static str,
    /// Documents there.
    pub documents: u64,
    /// Those that a judge gave a grade.
    pub judged: u64,
}

/// Compares a run with judgements: what is found is added to the run's findings. Where other judgements are there too
/// (`only` is false), a run need not have topics of all of them.
pub fn compare(qrels: &CheckedQrels, only: bool, run: &CheckedRun, file: &mut CheckedFile) -> Vec<Band> {
    let judged: BTreeSet<&[u8]> = qrels.qrels.topics().map(|topic| qrels.qrels.name(topic)).collect();
    let own: BTreeSet<&[u8]> = run.topics.iter().map(|(name, _)| name.as_slice()).collect();
    if judged.is_empty() || own.is_empty() {
        return Vec::new();
    }
    let missing: Vec<&[u8]> = judged.difference(&own).copied().collect();
    let extra: Vec<&[u8]> = own.difference(&judged).copied().collect();
    let list = |names: &[&[u8]]| list_names(names.iter().copied(), names.len());
    let path = &qrels.path;
    if extra.len() == own.len() {
        let what = format!("no topic in common with {path}: {} here, {} there", list(&extra), list(&missing));
        let remedy = "check that run and judgements belong together and write topics alike (leading zeros, prefixes)";
        let make = if only { Finding::error } else { Finding::note };
        file.findings.push(make(&run.path, what, remedy));
    } else {
        if !missing.is_empty() {
            let what = format!("no row for {} judged in {path}", list(&missing));
            let remedy = "the run counts as having retrieved nothing there; see --missing-topics";
            file.findings.push(Finding::warning(&run.path, what, remedy));
        }
        if !extra.is_empty() {
            let what = format!("rows for {} not judged in {path}", list(&extra));
            file.findings.push(Finding::note(&run.path, what, "none needed: they are ignored"));
        }
    }
    if let Some((here, there)) = written_differently(&extra, &judged) {
        let what = format!("topics may be written differently: {} here, {} in {path}", quote(here), quote(there));
        let remedy = "write topics alike in both files, byte for byte";
        file.findings.push(Finding::warning(&run.path, what, remedy).on_field("topic (field 1)"));
    }
    bands(qrels, run)
}

/// Compares the topics of two runs, where there are no judgements to compare them with.
pub fn compare_runs(first: &CheckedRun, run: &CheckedRun, file: &mut CheckedFile) {
    let names = |run: &CheckedRun| run.topics.iter().map(|(name, _)| name.clone()).collect::<BTreeSet<_>>();
    let (there, here) = (names(first), names(run));
    let list = |names: Vec<&Vec<u8>>| list_names(names.iter().map(|name| name.as_slice()), names.len());
    let missing: Vec<&Vec<u8>> = there.difference(&here).collect();
    let extra: Vec<&Vec<u8>> = here.difference(&there).collect();
    let remedy = "check that the runs are for the same topics";
    if !missing.is_empty() {
        let what = format!("no row for {} that {} has", list(missing), first.path);
        file.findings.push(Finding::warning(&run.path, what, remedy));
    }
    if !extra.is_empty() {
        let what = format!("rows for {} that {} has not", list(extra), first.path);
        file.findings.push(Finding::warning(&run.path, what, remedy));
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

fn bands(qrels: &CheckedQrels, run: &CheckedRun) -> Vec<Band> {
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
        .map(|((ranks, _), (documents, judged))| Band {
            qrels: qrels.path.clone(),
            run: run.path.clone(),
            ranks,
            documents,
            judged,
        })
        .collect()
}
