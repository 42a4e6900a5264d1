//! From two files of labels to a calibration: the documents that gold and bronze both judged, and whether bronze's errors depend on
//! topic, system or rank.
//!
//! Every bronze label is a pair, so that a judge with more labels counts more, as in the scores that are corrected. Factors are counted
//! within one gold grade: otherwise a system that finds more relevant documents would seem to cause judge errors.

use std::collections::{BTreeMap, BTreeSet};

use karat_data::names::text;
use karat_data::{JudgeLabels, RankedDocuments};
use karat_stats::Seed;
use karat_stats::contingency;
use karat_stats::judge_error::Calibration;

use super::calibrate::Factor;
use super::error::{JudgesError, first_file};
use super::scale::{Scale, ScaleChoice};
use crate::streams;
use crate::values::{GOLD, RANK_BAND, RANK_BANDS, SEVERAL_ALIKE};

/// Documents that both judged, counted.
#[derive(Debug)]
pub struct Pairs {
    /// Gold's grade by row, bronze's by column.
    pub calibration: Calibration,
    /// Agreement by topic, and by system and rank band if there are runs.
    pub factors: Vec<Factor>,
    /// The scale.
    pub scale: Scale,
    /// What a reader should know about the pairs.
    pub notes: Vec<PairsNote>,
    /// Pairs in all.
    pub count: u64,
}

/// What a reader should know about pairs.
#[derive(Debug, Clone, PartialEq)]
pub enum PairsNote {
    /// Where they come from.
    Counts {
        /// Pairs.
        pairs: usize,
        /// Bronze judges.
        judges: usize,
        /// Documents.
        documents: usize,
    },
    /// Bronze labels not counted because the judge labelled the document twice.
    Repeated(u64),
    /// Whether bronze grades are distributed among the pairs as among the other labels.
    Sampled {
        /// Other labels.
        others: u64,
        /// p-value of the test.
        p: f64,
        /// Whether they differ significantly.
        differs: bool,
    },
    /// How documents are assigned to systems and rank bands.
    BestRank,
}

/// One pair: topic and document, gold's and bronze's place in the scale.
struct Pair<'a> {
    topic: &'a [u8],
    document: &'a [u8],
    gold: usize,
    bronze: usize,
}

/// Gold's place in the scale, by topic and document.
type GoldPlaces<'a> = BTreeMap<(&'a [u8], &'a [u8]), usize>;

/// Pairs up labels.
///
/// # Errors
/// No document in common, several gold labels that differ, a grade off the scale, or a gold grade without pairs.
pub fn pairs(
    bronze: &JudgeLabels,
    gold: &JudgeLabels,
    choice: &ScaleChoice,
    runs: Option<&RankedDocuments>,
    seed: Seed,
) -> Result<Pairs, JudgesError> {
    let scale = Scale::new(choice, &[bronze, gold])?;
    let (paired, rest) = pair_up(bronze, &gold_places(gold, &scale)?, &scale);
    if paired.is_empty() {
        return Err(JudgesError::NothingInCommon { file: first_file(bronze), gold: first_file(gold) });
    }
    let calibration = Calibration::by_topic(&scale.grades, &tables(&paired, scale.grades.len()))
        .map_err(|error| JudgesError::Calibration { file: first_file(gold), error })?;
    let documents: BTreeSet<_> = paired.iter().map(|pair| (pair.topic, pair.document)).collect();
    let counts = PairsNote::Counts { pairs: paired.len(), judges: bronze.judges().len(), documents: documents.len() };
    let mut notes = vec![counts];
    let repeated = bronze.repeated();
    notes.extend((repeated > 0).then_some(PairsNote::Repeated(repeated)));
    notes.extend(sampled(&paired, &rest, seed));
    notes.extend(runs.is_some().then_some(PairsNote::BestRank));
    let by_topic = factors(&scale, &paired, "topic", |pair| Some((0, text(pair.topic))));
    let mut factors: Vec<Factor> = by_topic.into_iter().map(|(_, factor)| factor).collect();
    if let Some(runs) = runs {
        factors.extend(run_factors(&scale, &paired, runs, &calibration));
    }
    let count = paired.len() as u64;
    Ok(Pairs { calibration, factors, scale, notes, count })
}

fn gold_places<'a>(gold: &'a JudgeLabels, scale: &Scale) -> Result<GoldPlaces<'a>, JudgesError> {
    let mut places = GoldPlaces::new();
    for item in gold.items() {
        for (label, grade) in item.labels.iter().filter_map(|label| Some((label, label.grade?))) {
            let Some(place) = scale.place(grade) else { continue };
            let (topic, document) = (gold.topic(item.topic), gold.document(item.document));
            if *places.entry((topic, document)).or_insert(place) != place {
                let (file, line) = gold.place(label);
                let (topic, document) = (text(topic), text(document));
                return Err(JudgesError::GoldDiffers { file: file.to_owned(), line, topic, document });
            }
        }
    }
    Ok(places)
}

/// The pairs, and by grade the bronze labels of documents that gold did not judge.
fn pair_up<'a>(bronze: &'a JudgeLabels, truth: &GoldPlaces<'_>, scale: &Scale) -> (Vec<Pair<'a>>, Vec<u64>) {
    let (mut paired, mut rest) = (Vec::new(), vec![0u64; scale.grades.len()]);
    for item in bronze.items() {
        let (topic, document) = (bronze.topic(item.topic), bronze.document(item.document));
        for place in item.grades().filter_map(|(_, grade)| scale.place(grade)) {
            match truth.get(&(topic, document)) {
                Some(&gold) => paired.push(Pair { topic, document, gold, bronze: place }),
                None => rest[place] += 1,
            }
        }
    }
    (paired, rest)
}

/// Pairs by gold and bronze grade, one table per topic.
fn tables(paired: &[Pair<'_>], k: usize) -> Vec<Vec<Vec<u64>>> {
    let mut by_topic: BTreeMap<&[u8], Vec<Vec<u64>>> = BTreeMap::new();
    for pair in paired {
        by_topic.entry(pair.topic).or_insert_with(|| vec![vec![0; k]; k])[pair.gold][pair.bronze] += 1;
    }
    by_topic.into_values().collect()
}

/// Agreement by rank band and by system.
fn run_factors(scale: &Scale, paired: &[Pair<'_>], runs: &RankedDocuments, calibration: &Calibration) -> Vec<Factor> {
    let bands = factors(scale, paired, RANK_BAND, |pair| {
        let (rank, _) = best(runs, pair)?;
        let band = RANK_BANDS.iter().position(|(last, _)| rank <= *last)?;
        Some((band, RANK_BANDS[band].1.to_owned()))
    });
    let systems = factors(scale, paired, "system", |pair| {
        let (_, systems) = best(runs, pair)?;
        Some(match systems[..] {
            [one] => (one, name(runs, one)),
            _ => (usize::MAX, SEVERAL_ALIKE.to_owned()),
        })
    });
    // Pairs of a topic are similar, so that a test that treats them as independent is too sure. Topics themselves are tested for that.
    let clustered = |(gold, factor): (usize, Factor)| Factor { effect: calibration.design_effect(gold), ..factor };
    bands.into_iter().chain(systems).map(clustered).collect()
}

fn name(runs: &RankedDocuments, run: usize) -> String {
    runs.runs.get(run).map_or(String::new(), |facts| facts.tag.clone().unwrap_or_else(|| facts.file.clone()))
}

/// The best rank at which any run has the document, from 1, and the runs that have it there.
fn best(runs: &RankedDocuments, pair: &Pair<'_>) -> Option<(usize, Vec<usize>)> {
    let topic = runs.find(pair.topic)?;
    let mut best: Option<(usize, Vec<usize>)> = None;
    for run in (0..runs.runs.len()).filter(|&run| topic.has(run)) {
        let place = topic.list(run).iter().position(|&document| topic.docno(document) == pair.document);
        let Some(rank) = place.map(|place| place + 1) else { continue };
        match &mut best {
            Some((known, systems)) if *known == rank => systems.push(run),
            Some((known, _)) if *known < rank => {}
            _ => best = Some((rank, vec![run])),
        }
    }
    best
}

/// Agreements and pairs by a factor's value.
type Values = BTreeMap<(usize, String), (u64, u64)>;

/// Agreement by the value of a factor (its place in the order, its name), for every gold grade that has pairs of two values.
fn factors(
    scale: &Scale,
    pairs: &[Pair<'_>],
    name: &str,
    value: impl Fn(&Pair<'_>) -> Option<(usize, String)>,
) -> Vec<(usize, Factor)> {
    let mut by_grade: BTreeMap<usize, Values> = BTreeMap::new();
    for pair in pairs {
        let Some(value) = value(pair) else { continue };
        let counts = by_grade.entry(pair.gold).or_default().entry(value).or_default();
        counts.0 += u64::from(pair.gold == pair.bronze);
        counts.1 += 1;
    }
    let factor = |(gold, values): (usize, Values)| {
        let name = [name, GOLD, &scale.grades[gold].to_string(), ")"].concat();
        let values = values.into_iter().map(|((_, value), (agreed, pairs))| (value, agreed, pairs)).collect();
        (gold, Factor { name, values, effect: 1.0 })
    };
    by_grade.into_iter().filter(|(_, values)| values.len() > 1).map(factor).collect()
}

/// Tests whether bronze grades are distributed among the pairs as among the other labels: if not, the pairs are not a random sample.
fn sampled(pairs: &[Pair<'_>], rest: &[u64], seed: Seed) -> Option<PairsNote> {
    let mut here = vec![0u64; rest.len()];
    pairs.iter().for_each(|pair| here[pair.bronze] += 1);
    let found = contingency::independence(&[here, rest.to_vec()], seed.child(streams::SAMPLED_BY_BRONZE, 0)).ok()?;
    Some(PairsNote::Sampled { others: rest.iter().sum(), p: found.p, differs: found.p < 0.05 })
}
