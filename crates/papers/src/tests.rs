//! Over the whole table: every claim that should hold does, and each that does not is explained.

use karat_formats::{Dialect, Input, QREL_FORMATS, RUN_FORMATS, RunFiles, read_qrels};
use karat_present::Context;
use karat_report::{Block, Report};
use karat_stats::Seed;

use super::*;

/// The simulated collection, read as users' files are.
fn collection() -> Collection {
    let world = embedded::design(true).simulate(Seed(1)).unwrap();
    let (qrels, _) =
        read_qrels(&Input::bytes("qrels", world.qrels.as_slice()), QREL_FORMATS[0], Dialect::Strict, 1).unwrap();
    let inputs = world.runs.iter().map(|run| Input::bytes(run.name, run.bytes.as_slice())).collect();
    let runs = RunFiles::new(inputs, RUN_FORMATS[0], Dialect::Strict);
    Collection::read("simulated".into(), &qrels, &runs, 1).unwrap().simulated_systems()
}

/// One run of everything, for all that only look at it.
fn once() -> &'static Report {
    static ONCE: std::sync::OnceLock<Report> = std::sync::OnceLock::new();
    ONCE.get_or_init(|| all(&collection(), 2, &mut Bare))
}

fn all(collection: &Collection, threads: usize, desk: &mut dyn Desk) -> Report {
    let panel = Panel::draw(collection, Seed(1));
    let work = Work { collection, panel: &panel, seed: Seed(1), threads, quick: true };
    let papers: Vec<&Paper> = PAPERS.iter().collect();
    report(&papers, &work, desk, Layout::Wide, Context::default())
}

/// Claims that do not hold: paper, place, and words of the claim. Everything else must hold or say why it cannot be checked.
const WRONG: &[(&str, &str, &str)] = &[
    ("rbp-uncertainty", "equations 7 and 8", "by one U"),
    ("rbp-uncertainty", "3.2", "the mean falls"),
    ("rbp-uncertainty", "3.2", "the standard deviation falls"),
    ("rbp-uncertainty", "3.2", "almost linear"),
    ("ranked-evaluation", "5.6", "P(relevant), pooled"),
    ("rbp-parameter-sensitivity", "3", "RBP(10001, 0.8)"),
    ("rbp-parameter-sensitivity", "table 1", "p = 0.99, precision 1e-8"),
    ("rbp-parameter-sensitivity", "6", "for all scores"),
    ("rbp-parameter-sensitivity", "4.1, figure 3", "as p' falls to 0"),
    ("rbp-parameter-sensitivity", "4.1", "no vector that prints so"),
    ("rbp-parameter-sensitivity", "4.1, 4.2 step 3", "R_G followed by 1s"),
    ("rbp-parameter-sensitivity", "5.1, 5.2", "R_G as the rules"),
    ("rbp-parameter-sensitivity", "5.1, 5.2", "R_L as the rules"),
    ("noisy-judgements", "6", "naive p-value"),
    ("noisy-judgements", "6", "corrected p-value"),
    ("noisy-judgements", "6", "no longer significant"),
    ("noisy-judgements", "7", "DocRun02: its P@20"),
    ("noisy-judgements", "7", "YORK07ED4: its P@20"),
];

/// What depends on the draws: these may come out either way in a quick run.
const EITHER: &[(&str, &str, &str)] = &[
    ("noisy-judgements", "5", "in every run"),
    ("ranked-evaluation", "4.13", "varies more over queries"),
    ("ranked-evaluation", "5.8", "ranking of systems"),
    ("ranked-evaluation", "5.8", "gets a reliable answer"),
    ("inferred-ap", "2, figure 3", "almost everywhere"),
];

#[test]
fn every_claim_holds_or_is_explained() {
    let claims = claims(once());
    assert!(claims.len() > 100, "{}", claims.len());
    let mut seen = vec![false; WRONG.len()];
    let mut failed = Vec::new();
    for row in &claims {
        let text = |field: &str| row[field].as_str().unwrap_or_default();
        let (paper, place, claim) = (text("paper"), text("place"), text("claim"));
        let is = |(own, at, words): &(&str, &str, &str)| paper == *own && place == *at && claim.contains(words);
        let wrong = WRONG.iter().position(is);
        if let Some(at) = wrong {
            seen[at] = true;
        }
        let explained = !row["note"].is_null();
        let fine = match row["holds"].as_bool() {
            Some(true) => wrong.is_none(),
            Some(false) => (wrong.is_some() || EITHER.iter().any(is)) && explained,
            None => explained,
        };
        if !fine {
            failed.push(row.to_string());
        }
    }
    let unseen: Vec<_> = WRONG.iter().zip(&seen).filter(|(_, seen)| !**seen).map(|(wrong, _)| wrong).collect();
    assert!(failed.is_empty() && unseen.is_empty(), "{}\nnot seen: {unseen:?}", failed.join("\n"));
}

fn claims(report: &Report) -> Vec<serde_json::Value> {
    let answer = report.answer.as_ref().unwrap().value().unwrap();
    answer["claims"].as_array().unwrap().clone()
}

/// A desk that forgets everything after some cells, as an interruption does.
#[derive(Default)]
struct Drawer {
    kept: std::collections::BTreeMap<String, String>,
    found: usize,
}

impl Desk for Drawer {
    fn progress(&mut self, _: usize, _: usize) {}

    fn find(&mut self, cell: &str) -> Option<String> {
        let found = self.kept.get(cell).cloned();
        self.found += usize::from(found.is_some());
        found
    }

    fn keep(&mut self, cell: &str, text: &str) {
        self.kept.insert(cell.into(), text.into());
    }
}

#[test]
fn threads_and_interruptions_change_nothing() {
    let collection = collection();
    let mut drawer = Drawer::default();
    let alone = all(&collection, 1, &mut drawer);
    assert_eq!(format!("{alone:?}"), format!("{:?}", once()));
    // Ten cells, five of each experiment that keeps some; two of each are lost, one is damaged.
    assert_eq!(drawer.kept.len(), 10);
    for experiment in ["hidden-", "inferred-ap-"] {
        let names: Vec<String> = drawer.kept.keys().filter(|name| name.starts_with(experiment)).cloned().collect();
        names[..2].iter().for_each(|name| drop(drawer.kept.remove(name)));
        drawer.kept.insert(names[2].clone(), "0.5 0.5\n".into());
    }
    let again = all(&collection, 2, &mut drawer);
    assert_eq!(drawer.found, 6);
    assert_eq!(format!("{alone:?}"), format!("{again:?}"));
}

#[test]
fn papers_have_names_of_their_own_and_figures_that_can_be_drawn() {
    let mut names: Vec<&str> = PAPERS.iter().map(|paper| paper.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), 5);
    let report = once();
    let mut figures = Vec::new();
    for block in &report.blocks {
        let Block::Figure(figure) = block else { continue };
        let mut drawn = Vec::new();
        karat_report::figure::svg::write(figure, &mut drawn).unwrap();
        let text = String::from_utf8(drawn).unwrap();
        assert!(!text.contains("NaN") && figure.why_empty().is_none(), "{}", figure.id);
        assert!(!figure.reading.is_empty() && figure.table.is_some(), "{}", figure.id);
        figures.push(figure.id);
    }
    let count = figures.len();
    figures.sort_unstable();
    figures.dedup();
    assert_eq!((figures.len(), count), (count, count));
    assert!(count >= 14, "{figures:?}");
}
