//! From two files of labels to a calibration: the documents that gold and bronze both judged, and whether bronze's errors depend on
//! topic, system or rank.
//!
//! The one decision: every label of bronze is a pair, so that one who judged more counts more, as in the scores that are corrected.
//! Factors are counted within one gold grade: a system that finds more relevant documents would else look as if judges erred there.

use std::collections::BTreeMap;

use karat_data::names::text;
use karat_data::{JudgeLabels, Problem, Problems, RankedDocuments};
use karat_stats::Seed;
use karat_stats::contingency;
use karat_stats::judge_error::{Calibration, CalibrationError};

use super::Factor;
use super::scale::{Scale, ScaleChoice};

/// Bands of the best rank at which any run has a document.
const BANDS: [(usize, &str); 6] = [
    (5, "ranks 1-5"),
    (10, "ranks 6-10"),
    (20, "ranks 11-20"),
    (50, "ranks 21-50"),
    (100, "ranks 51-100"),
    (usize::MAX, "ranks beyond 100"),
];

/// Documents that both judged, counted.
#[derive(Debug)]
pub struct Pairs {
    /// Gold's grade by row, bronze's by column.
    pub calibration: Calibration,
    /// Agreement by topic, and by system and rank band where there are runs.
    pub factors: Vec<Factor>,
    /// What is to be known of the pairs.
    pub notes: Vec<String>,
    /// Pairs in all.
    pub count: u64,
}

/// One pair: topic and document, gold's and bronze's place in the scale.
struct Pair<'a> {
    topic: &'a [u8],
    document: &'a [u8],
    gold: usize,
    bronze: usize,
}

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
) -> Result<Pairs, Problems> {
    let scale = Scale::of(choice, &[bronze, gold])?;
    let file =
        |labels: &JudgeLabels| labels.labels().first().map_or(String::new(), |label| labels.place(label).0.into());
    let mut truth: BTreeMap<(&[u8], &[u8]), usize> = BTreeMap::new();
    let gold_items = gold.items();
    for item in &gold_items {
        for (label, grade) in item.labels.iter().filter_map(|label| Some((label, label.grade?))) {
            let Some(place) = scale.place(grade) else { continue };
            let key = (gold.topic(item.topic), gold.document(item.document));
            if *truth.entry(key).or_insert(place) != place {
                let (file, line) = gold.place(label);
                let found = format!("another for {} of topic {}", text(key.1), text(key.0));
                let remedy = "gold has one answer: merge its judges first with karat judges merge";
                let mut problem = Problem::of_file(file, "one gold grade for each document", found, remedy);
                problem.line = Some(line);
                return Err(problem.into());
            }
        }
    }
    let bronze_items = bronze.items();
    let k = scale.grades.len();
    let mut by_topic: BTreeMap<&[u8], Vec<Vec<u64>>> = BTreeMap::new();
    let (mut paired, mut rest) = (Vec::new(), vec![0u64; k]);
    for item in &bronze_items {
        let key = (bronze.topic(item.topic), bronze.document(item.document));
        for place in item.grades().filter_map(|(_, grade)| scale.place(grade)) {
            match truth.get(&key) {
                Some(&gold) => {
                    by_topic.entry(key.0).or_insert_with(|| vec![vec![0; k]; k])[gold][place] += 1;
                    paired.push(Pair { topic: key.0, document: key.1, gold, bronze: place });
                }
                None => rest[place] += 1,
            }
        }
    }
    if paired.is_empty() {
        let remedy = "check that both files name queries and documents alike";
        let expected = format!("documents that {} judged too", file(gold));
        return Err(Problem::of_file(&file(bronze), expected, "none", remedy).into());
    }
    let tables: Vec<Vec<Vec<u64>>> = by_topic.into_values().collect();
    let calibration = Calibration::by_topic(&scale.grades, &tables).map_err(|error| {
        let remedy = match error {
            CalibrationError::NoPairs { .. } => "give more gold labels, or count fewer grades with --binary LEVEL",
            _ => "declare the scale with --scale",
        };
        Problems::from(Problem::of_file(&file(gold), "pairs of every gold grade", error.to_string(), remedy))
    })?;
    let mut notes = Vec::new();
    let documents: std::collections::BTreeSet<_> = paired.iter().map(|pair| (pair.topic, pair.document)).collect();
    notes.push(format!(
        "{} pairs: labels of {} bronze judge{} on {} documents that gold judged",
        paired.len(),
        bronze.judges().len(),
        if bronze.judges().len() == 1 { "" } else { "s" },
        documents.len()
    ));
    notes.extend((!scale.note.is_empty()).then(|| scale.note.clone()));
    notes.extend(super::repeated(bronze));
    notes.extend(sampled_by_bronze(&paired, &rest, k, seed));
    let mut factors = factors(&scale, &paired, "topic", |pair| Some((0, text(pair.topic))));
    let by_topic = factors.len();
    if let Some(runs) = runs {
        factors.extend(self::factors(&scale, &paired, "rank band", |pair| {
            let (rank, _) = best(runs, pair)?;
            let band = BANDS.iter().position(|(last, _)| rank <= *last)?;
            Some((band, BANDS[band].1.to_owned()))
        }));
        factors.extend(self::factors(&scale, &paired, "system", |pair| {
            let (_, systems) = best(runs, pair)?;
            Some(if let [one] = systems[..] {
                (one, name(runs, one))
            } else {
                (usize::MAX, "several alike".to_owned())
            })
        }));
        notes.push("a document counts for the system that ranks it highest, and in the band of that rank; those no run retrieved are left out".into());
    }
    // Topics are tested for the very thing that makes the others' tests look surer than they are.
    for factor in &mut factors[by_topic..] {
        factor.effect = calibration.design_effect(factor.gold);
    }
    let factors = factors.into_iter().map(|found| found.factor()).collect();
    let count = paired.len() as u64;
    Ok(Pairs { calibration, factors, notes, count })
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

/// A factor within one gold grade.
struct Found {
    name: String,
    values: Vec<(String, u64, u64)>,
    gold: usize,
    effect: f64,
}

impl Found {
    fn factor(self) -> Factor {
        Factor { name: self.name, values: self.values, effect: self.effect }
    }
}

/// Agreements and pairs by a factor's value.
type Values = BTreeMap<(usize, String), (u64, u64)>;

/// Agreement by the value of a factor (its place in the order, its name), for every gold grade that has pairs of two values.
fn factors(
    scale: &Scale,
    pairs: &[Pair<'_>],
    name: &str,
    value: impl Fn(&Pair<'_>) -> Option<(usize, String)>,
) -> Vec<Found> {
    let mut by_grade: BTreeMap<usize, Values> = BTreeMap::new();
    for pair in pairs {
        let Some(value) = value(pair) else { continue };
        let counts = by_grade.entry(pair.gold).or_default().entry(value).or_default();
        counts.0 += u64::from(pair.gold == pair.bronze);
        counts.1 += 1;
    }
    let factor = |(gold, values): (usize, Values)| Found {
        name: format!("{name} (gold {})", scale.grades[gold]),
        values: values.into_iter().map(|((_, value), (agreed, pairs))| (value, agreed, pairs)).collect(),
        gold,
        effect: 1.0,
    };
    by_grade.into_iter().filter(|(_, values)| values.len() > 1).map(factor).collect()
}

/// Whether the pairs look as if they had been chosen by bronze's label: its grades among them are not as among the rest.
fn sampled_by_bronze(pairs: &[Pair<'_>], rest: &[u64], k: usize, seed: Seed) -> Option<String> {
    let mut here = vec![0u64; k];
    pairs.iter().for_each(|pair| here[pair.bronze] += 1);
    let found = contingency::independence(&[here, rest.to_vec()], seed.child("sampled by bronze", 0)).ok()?;
    let p = karat_report::NumberStyle::P.show(found.p);
    Some(if found.p < 0.05 {
        format!(
            "warning: bronze's grades among the pairs are not as among its other {} labels (p = {p}): the pairs were not drawn at random from \
             what bronze judged. If they were chosen by the bronze label, the rates are biased",
            rest.iter().sum::<u64>()
        )
    } else {
        format!("bronze's grades among the pairs are as among its other {} labels (p = {p})", rest.iter().sum::<u64>())
    })
}
