//! What verdicts say in a world, beside what is true there.

use std::error::Error;

use karat_analysis::compare::verdict::{Assumption, Basis, Side, Unjudged};
use karat_analysis::compare::{CompareOptions, Comparison, Correcting, More, RunPair, comparisons, select_tests};
use karat_analysis::scores::Setting;
use karat_analysis::sparse::is_sparse;
use karat_analysis::summary::{Inference, IntervalMethod};
use karat_data::{AlignedRuns, CollectionFacts, Policy, Qrels};
use karat_formats::{Dialect, Input, RunFiles, detect, read_qrels};
use karat_measures::{Measure, spec};
use karat_stats::Seed;
use karat_stats::correction::NONE;
use karat_stats::test::Settings;

use crate::worlds::{Drawn, POOLED, World};

/// The measures.
pub const MEASURES: [&str; 4] = ["AP", "nDCG@10", "P@10", "RBP(p=0.8)"];

/// The pairs that are looked at: a pooled system with the newcomer, and two pooled systems.
pub const PAIRS: [(&str, (usize, usize)); 2] = [("newcomer", (0, POOLED)), ("pooled", (0, 1))];

/// Verdicts for the run that is better, for the other one, and none.
#[derive(Debug, Clone, Copy, Default)]
pub struct Count {
    pub right: u32,
    pub wrong: u32,
}

/// What was counted for a measure and a pair.
#[derive(Debug, Clone, Copy, Default)]
pub struct Tally {
    pub worlds: u32,
    /// With every document judged.
    pub full: Count,
    /// A test over topics that treats unjudged documents as not relevant, whatever they are.
    pub plain: Count,
    pub certain: Count,
    pub assumed: Count,
    /// Assumed verdicts that are wrong although fewer unjudged documents are relevant than the tipping point.
    pub wrong_below_tipping: u32,
    /// Assumed verdicts where more are: what the verdict says it cannot stand.
    pub above_tipping: u32,
    /// `interval_all` holds the true difference.
    pub covered: u32,
    pub intervals: u32,
}

/// The measures, built.
pub fn measures() -> Result<Vec<Box<dyn Measure>>, Box<dyn Error>> {
    Ok(MEASURES.iter().map(|name| spec::parse(name, 1.0)?.build()).collect::<Result<_, _>>()?)
}

fn qrels(text: &str) -> Result<Qrels, Box<dyn Error>> {
    let input = Input::bytes("qrels", text.as_bytes().to_vec());
    Ok(read_qrels(&input, detect::QRELS, Dialect::Strict, 1).map_err(|problems| problems.to_string())?.0)
}

fn run_files(drawn: &Drawn, runs: &[usize]) -> RunFiles {
    let input = |&run: &usize| Input::bytes(format!("r{run}"), drawn.runs[run].as_bytes().to_vec());
    RunFiles::new(runs.iter().map(input).collect(), detect::RUN, Dialect::Strict)
}

/// Compares the pairs by some judgements. Complete ones need no other runs than theirs.
fn compared(
    drawn: &Drawn,
    judgements: &str,
    measures: &[Box<dyn Measure>],
    (unjudged, permutations): (Option<Unjudged>, u32),
    seed: Seed,
) -> Result<Vec<Comparison>, Box<dyn Error>> {
    let qrels = qrels(judgements)?;
    let collection = CollectionFacts::new(&qrels, None, None).map_err(|_| "grades")?;
    let sparse = measures.iter().all(|measure| is_sparse(&qrels, measure.as_ref(), &collection));
    let detect_sparse = unjudged.is_none();
    let unjudged = unjudged.unwrap_or(if sparse { Unjudged::Sparse } else { Unjudged::Tested });
    let setting = Setting {
        qrels: &qrels,
        uncut: None,
        collection,
        policy: Policy::default(),
        measures,
        bounds: unjudged == Unjudged::Tested,
        detect_sparse,
        relevance_model: None,
        calibration: None,
        threads: 1,
    };
    let shared = unjudged == Unjudged::Tested;
    // Where nothing is unjudged, only the runs compared are read, the newcomer last of them.
    let (read, pairs): (Vec<usize>, [RunPair; PAIRS.len()]) = match shared {
        true => ((0..=POOLED).collect(), PAIRS.map(|(_, pair)| pair)),
        false => (vec![0, 1, POOLED], [(0, 2), (0, 1)]),
    };
    let files = run_files(drawn, &read);
    let runs =
        AlignedRuns::read(&qrels, &files, &setting.policy, shared, 1).map_err(|problems| problems.to_string())?;
    let options = CompareOptions {
        all_pairs: false,
        baseline: None,
        tests: select_tests([]),
        correction: Correcting::Rule(NONE),
        settings: Settings { permutations, seed, threads: 1, ..Settings::default() },
        inference: Inference { method: IntervalMethod::default(), level: 0.95, seed },
        power: 0.8,
        strict: false,
        by_query: false,
        margin: None,
        unjudged,
        relevance_model: None,
        more: More::default(),
    };
    let mut found =
        comparisons(&setting, &runs, &options, &pairs).map_err(|error| Box::<dyn Error>::from(format!("{error:?}")))?;
    for one in &mut found {
        one.pair = (read[one.pair.0], read[one.pair.1]);
    }
    Ok(found)
}

/// The true differences by measure and pair, over so many topics with every document judged.
pub fn truth(world: &World, topics: usize, seed: Seed) -> Result<Vec<[f64; PAIRS.len()]>, Box<dyn Error>> {
    let measures = measures()?;
    let drawn = world.draw(topics, 10, seed.child("truth", 0));
    let found = compared(&drawn, &drawn.complete, &measures, (Some(Unjudged::NotRelevant), 200), seed)?;
    let difference = |measure: usize, pair| of(&found, measure, pair).map_or(0.0, |one| one.difference.observed);
    Ok((0..measures.len()).map(|measure| PAIRS.map(|(_, pair)| difference(measure, pair))).collect())
}

fn of(found: &[Comparison], measure: usize, pair: (usize, usize)) -> Option<&Comparison> {
    found.iter().find(|one| one.measure == measure && one.pair == pair)
}

/// What topics alone decide.
fn by_topics(found: &Comparison) -> Option<Side> {
    let interval = found.interval_topics.filter(|_| found.adjusted_p().is_some_and(|p| p < 0.05))?;
    if interval.low > 0.0 { Some(Side::A) } else { (interval.high < 0.0).then_some(Side::B) }
}

/// Draws one world and adds it to the tallies, which are by measure and pair. Differences that are smaller than `equal` count as none: any verdict is wrong.
pub fn add(
    world: &World,
    (topics, pool_depth): (usize, usize),
    truth: &[[f64; PAIRS.len()]],
    (permutations, seed): (u32, Seed),
    tallies: &mut [[Tally; PAIRS.len()]],
) -> Result<(), Box<dyn Error>> {
    let measures = measures()?;
    let drawn = world.draw(topics, pool_depth, seed);
    let judged = compared(&drawn, &drawn.judged, &measures, (None, permutations), seed)?;
    let not_relevant = (Some(Unjudged::NotRelevant), permutations);
    let full = compared(&drawn, &drawn.complete, &measures, not_relevant, seed)?;
    for (measure, tallies) in tallies.iter_mut().enumerate() {
        for ((_, pair), (tally, &truth)) in PAIRS.iter().zip(tallies.iter_mut().zip(&truth[measure])) {
            let found = [&judged, &full].map(|found| of(found, measure, *pair));
            let [Some(judged), Some(full)] = found else { continue };
            tally.worlds += 1;
            tally.plain.add(by_topics(judged), truth);
            tally.full.add(full.verdict.better(), truth);
            tally.add_judged(judged, truth, &full.difference);
        }
    }
    Ok(())
}

impl Count {
    fn add(&mut self, better: Option<Side>, truth: f64) {
        let Some(side) = better else { return };
        let right = if side == Side::A { truth > 0.0 } else { truth < 0.0 };
        if right { self.right += 1 } else { self.wrong += 1 }
    }
}

impl Tally {
    fn add_judged(&mut self, found: &Comparison, truth: f64, full: &karat_analysis::compare::difference::Difference) {
        if let Some((low, high)) = found.interval_all {
            self.intervals += 1;
            self.covered += u32::from(low <= truth && truth <= high);
        }
        let Some((side, basis)) = found.verdict.winner else { return };
        match basis {
            Basis::Certain => self.certain.add(Some(side), truth),
            // No sample is drawn here.
            Basis::Sampled => {}
            Basis::Assumed(assumption) => {
                let before = self.assumed.wrong;
                self.assumed.add(Some(side), truth);
                let wrong = self.assumed.wrong > before;
                // With full judgements the lead is what the tipping point is about: below it the lead is still significant.
                let above = assumption == Assumption::UnjudgedNotRelevant && is_beyond(found, side, full.observed);
                self.above_tipping += u32::from(above);
                self.wrong_below_tipping += u32::from(wrong && !above);
            }
        }
    }
}

/// Whether full judgements took more from the lead than the tipping point allows: as much as from the observed lead to the one at that point.
fn is_beyond(found: &Comparison, side: Side, full: f64) -> bool {
    let Some(tipping) = &found.tipping else { return false };
    let Some(at_point) = tipping.lead_at_point else { return false };
    let lead = if side == Side::A { full } else { -full };
    lead < at_point
}
