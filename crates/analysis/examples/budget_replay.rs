//! The tables of docs/guide/budget.md: what following the advice of `karat budget` does, in worlds where the rest is known and held out.
//!
//! `cargo run --release -p karat-analysis --example budget_replay [REPLAYS [CASE]]`
//!
//! A world of many topics is drawn, judged as the demo is, by judges who err where there is a calibration. Some topics are at hand. The
//! budget is asked for the cheapest way to a share of the present width; the topics, judgements and gold labels it names are added from what was
//! held out, and the width is computed anew. The same is done for each kind of effort alone.
#![allow(clippy::print_stdout, reason = "an example prints")]

use std::collections::{HashMap, HashSet};

use karat_analysis::budget::{Advice, BudgetOptions, Effort, NextDocument, Prices, Strategy, budget};
use karat_analysis::scores::Setting;
use karat_analysis::unjudged::{Treatment, fit_model};
use karat_data::{CollectionFacts, Policy};
use karat_formats::{Dialect, Input, RunFiles, detect, read_qrels};
use karat_measures::{Measure, spec};
use karat_sim::collection::{Design, System};
use karat_stats::Seed;
use karat_stats::judge_error::Calibration;

const LEVEL: f64 = 0.95;
/// Judges: of relevant documents they see so many, of others they leave out so many.
const RATES: (f64, f64) = (0.85, 0.92);

struct Case {
    name: &'static str,
    measure: &'static str,
    /// Places among the systems.
    systems: &'static [usize],
    topics: usize,
    /// Gold labels at hand; none: judges do not err.
    gold: Option<usize>,
    prices: Prices,
    /// The width wanted, as a share of the present one.
    share: f64,
    /// Topics drawn in all.
    world: usize,
}

fn cases() -> Vec<Case> {
    let prices = |topic: f64, gold: f64| Prices { topic: Some(Some(topic)), judgement: Some(1.0), gold: Some(gold) };
    let case = |name, measure, systems, topics, gold, prices, share| Case {
        name,
        measure,
        systems,
        topics,
        gold,
        prices,
        share,
        world: if gold.is_some() { 400 } else { 150 },
    };
    vec![
        case("score of a run that was not pooled", "RBP(p=0.8)", &[2][..], 40, None, prices(25.0, 1.0), 0.8),
        case("difference of two pooled runs", "RBP(p=0.8)", &[0, 1], 40, None, prices(25.0, 1.0), 0.8),
        case("difference from a run that was not pooled", "RBP(p=0.8)", &[0, 2], 40, None, prices(25.0, 1.0), 0.8),
        case("the same, dear topics", "RBP(p=0.8)", &[0, 2], 40, None, prices(100.0, 1.0), 0.9),
        case("score, judges who err", "P@10", &[0], 50, Some(100), prices(25.0, 2.0), 0.7),
        case(
            "score of a run that was not pooled, judges who err",
            "RBP(p=0.8)",
            &[2],
            40,
            Some(100),
            prices(25.0, 2.0),
            0.7,
        ),
        case(
            "difference from a run that was not pooled, judges who err",
            "RBP(p=0.8)",
            &[0, 2],
            40,
            Some(100),
            prices(25.0, 2.0),
            0.8,
        ),
        Case { world: 100, ..case("difference, no closed form", "AP", &[0, 2], 30, None, prices(25.0, 1.0), 0.8) },
    ]
}

/// What is known of one world.
struct World {
    /// Topic, document, grade as these judges see it, of all documents.
    seen: HashMap<(String, String), u8>,
    /// By topic the documents judged from the start.
    judged: Vec<(String, Vec<String>)>,
    runs: Vec<HashMap<String, Vec<u8>>>,
    names: Vec<&'static str>,
    /// Pairs that gold judged, in the order in which they would be asked: gold's grade and bronze's.
    gold: Vec<(u8, u8)>,
}

impl World {
    fn draw(case: &Case, seed: Seed) -> Result<World, Box<dyn std::error::Error>> {
        let system = |name, weight, pooled| System { name, weight, pooled, missing: None };
        let design = Design {
            topics: case.world as u32,
            documents: 120,
            relevant: (5, 40),
            barren: None,
            depth: 40,
            pool_depth: 10,
            systems: vec![system("one", 0.20, true), system("two", 0.13, true), system("new", 0.09, false)],
        };
        let drawn = design.simulate(seed)?;
        let mut stream = seed.stream("bronze", 0);
        let mut seen = HashMap::new();
        let mut pairs = Vec::new();
        for line in std::str::from_utf8(&drawn.complete_qrels)?.lines() {
            let fields: Vec<&str> = line.split(' ').collect();
            let gold = u8::from(fields[3] != "0");
            let right = stream.unit() < if gold == 1 { RATES.0 } else { RATES.1 };
            let bronze = if right || case.gold.is_none() { gold } else { 1 - gold };
            seen.insert((fields[0].to_owned(), fields[2].to_owned()), bronze);
            pairs.push(((fields[0].to_owned(), fields[2].to_owned()), gold));
        }
        let mut judged: Vec<(String, Vec<String>)> = Vec::new();
        for line in std::str::from_utf8(&drawn.qrels)?.lines() {
            let fields: Vec<&str> = line.split(' ').collect();
            if judged.last().is_none_or(|(topic, _)| topic != fields[0]) {
                judged.push((fields[0].to_owned(), Vec::new()));
            }
            if let Some((_, documents)) = judged.last_mut().filter(|_| fields[3] != "-1") {
                documents.push(fields[2].to_owned());
            }
        }
        let mut runs = Vec::new();
        for run in &drawn.runs {
            let mut by_topic: HashMap<String, Vec<u8>> = HashMap::new();
            for line in std::str::from_utf8(&run.bytes)?.lines() {
                let topic = line.split(' ').next().unwrap_or_default();
                by_topic.entry(topic.to_owned()).or_default().extend_from_slice(format!("{line}\n").as_bytes());
            }
            runs.push(by_topic);
        }
        // Gold labels are of documents that were pooled, at random.
        let pooled: HashSet<(&String, &String)> =
            judged.iter().flat_map(|(topic, all)| all.iter().map(move |document| (topic, document))).collect();
        let mut gold: Vec<(u8, u8)> = pairs
            .iter()
            .filter(|((topic, document), _)| pooled.contains(&(topic, document)))
            .map(|(pair, gold)| (*gold, seen[pair]))
            .collect();
        seed.stream("gold", 0).shuffle(&mut gold);
        let names = drawn.runs.iter().map(|run| run.name).collect();
        Ok(World { seen, judged, runs, names, gold })
    }

    /// The budget with the first topics, these judgements beside, and so many gold labels. `None` where there is none (a calibration without a
    /// pair of some grade).
    fn budget(
        &self,
        case: &Case,
        measure: &[Box<dyn Measure>],
        topics: usize,
        more: &[(String, String)],
        gold: usize,
    ) -> Option<Planned> {
        let mut lines = String::new();
        let mut line = |topic: &str, document: &str| {
            let grade = self.seen[&(topic.to_owned(), document.to_owned())];
            lines.push_str(&format!("{topic} 0 {document} {grade}\n"));
        };
        for (topic, documents) in &self.judged[..topics] {
            documents.iter().for_each(|document| line(topic, document));
            more.iter().filter(|(of, _)| of == topic).for_each(|(topic, document)| line(topic, document));
        }
        let (qrels, _) =
            read_qrels(&Input::bytes("qrels", lines.into_bytes()), detect::QRELS, Dialect::Strict, 1).ok()?;
        let run = |&place: &usize| {
            let all: Vec<u8> = self.judged[..topics]
                .iter()
                .filter_map(|(topic, _)| self.runs[place].get(topic))
                .flatten()
                .copied()
                .collect();
            Input::bytes(self.names[place], all)
        };
        let runs = RunFiles::new(case.systems.iter().map(run).collect(), detect::RUN, Dialect::Strict);
        let calibration = match case.gold {
            None => None,
            Some(_) => {
                let mut counts = vec![vec![0u64; 2]; 2];
                self.gold[..gold]
                    .iter()
                    .for_each(|&(gold, bronze)| counts[usize::from(gold)][usize::from(bronze)] += 1);
                Some(Calibration::new(&[0.0, 1.0], counts).ok()?)
            }
        };
        let setting = Setting {
            qrels: &qrels,
            uncut: None,
            collection: CollectionFacts { max_grade: 1.0, whole_grades: true, documents: None },
            policy: Policy::default(),
            measures: measure,
            bounds: false,
            detect_sparse: false,
            relevance_model: None,
            calibration: calibration.as_ref(),
            threads: 1,
        };
        let model = Some(fit_model(&setting.model_data(), &runs, Treatment::Fit, 1.0, 100, Seed(1)));
        let found = budget(
            &setting,
            &runs,
            &BudgetOptions { level: LEVEL, prices: case.prices, model, draws: None, seed: Seed(1) },
        )
        .ok()?;
        let width = 2.0 * found.outlook().half_width(Effort::default());
        let advice = found.advise(case.share * width);
        let judgements = advice.iter().filter_map(|advice| advice.effort).map(|effort| effort.judgements).max();
        Some(Planned { width, next: found.next(judgements.unwrap_or(0)), advice })
    }
}

/// The present width, and the ways to a share of it.
struct Planned {
    width: f64,
    advice: Vec<Advice>,
    next: Vec<NextDocument>,
}

/// Sums over replays.
#[derive(Default, Clone, Copy)]
struct Followed {
    replays: f64,
    /// Width reached over width wanted, and its square.
    ratio: (f64, f64),
    cost: f64,
    effort: (f64, f64, f64),
    /// Replays where the strategy does not claim to reach the target, or asks for more than the world has.
    not: f64,
}

fn strategy_name(strategy: Strategy) -> &'static str {
    match strategy {
        Strategy::Cheapest => "cheapest",
        Strategy::Topics => "topics",
        Strategy::Judgements => "judgements",
        Strategy::Gold => "gold",
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let replays: u64 = std::env::args().nth(1).map_or(Ok(200), |text| text.parse())?;
    println!("| | strategy | topics | judgements | gold labels | cost | width then / wanted | could not |");
    println!("|---|---|--:|--:|--:|--:|--:|--:|");
    let only: Option<usize> = std::env::args().nth(2).map(|text| text.parse()).transpose()?;
    let chosen = cases().into_iter().enumerate().filter(|(place, _)| only.is_none_or(|only| only == place + 1));
    for (_, case) in chosen {
        let measure = [spec::parse(case.measure, 1.0)?.build()?];
        let mut all: Vec<(Strategy, Followed)> = Vec::new();
        for replay in 0..replays {
            let world = World::draw(&case, Seed(9).child(case.name, replay))?;
            let gold = case.gold.unwrap_or(0);
            let Some(planned) = world.budget(&case, &measure, case.topics, &[], gold) else { continue };
            let target = case.share * planned.width;
            for advice in &planned.advice {
                let place = all.iter().position(|(name, _)| *name == advice.strategy).unwrap_or_else(|| {
                    all.push((advice.strategy, Followed::default()));
                    all.len() - 1
                });
                let sums = &mut all[place].1;
                let fits = |effort: &Effort| {
                    case.topics + effort.topics as usize <= case.world
                        && gold + effort.gold as usize <= world.gold.len()
                };
                let reached = advice.effort.filter(fits).and_then(|effort| {
                    let more: Vec<(String, String)> = planned.next[..effort.judgements]
                        .iter()
                        .map(|next| (next.topic.clone(), next.document.clone()))
                        .collect();
                    let topics = case.topics + effort.topics as usize;
                    let then = world.budget(&case, &measure, topics, &more, gold + effort.gold as usize)?;
                    Some((effort, then.width / target))
                });
                match reached {
                    Some((effort, ratio)) => {
                        sums.replays += 1.0;
                        sums.ratio = (sums.ratio.0 + ratio, sums.ratio.1 + ratio * ratio);
                        sums.cost += advice.cost.unwrap_or(0.0);
                        sums.effort.0 += effort.topics as f64;
                        sums.effort.1 += effort.judgements as f64;
                        sums.effort.2 += effort.gold as f64;
                    }
                    None => sums.not += 1.0,
                }
            }
        }
        for (place, (strategy, sums)) in all.iter().enumerate() {
            let n = sums.replays.max(1.0);
            let ratio = sums.ratio.0 / n;
            let error = ((sums.ratio.1 / n - ratio * ratio).max(0.0) / n).sqrt();
            let of = if place == 0 { format!("{}, {}", case.name, case.measure) } else { String::new() };
            let numbers = if sums.replays > 0.0 {
                format!(
                    "{:.1} | {:.1} | {:.1} | {:.0} | {ratio:.3} ± {error:.3}",
                    sums.effort.0 / n,
                    sums.effort.1 / n,
                    sums.effort.2 / n,
                    sums.cost / n
                )
            } else {
                "— | — | — | — | —".into()
            };
            println!(
                "| {of} | {} | {numbers} | {:.0}% |",
                strategy_name(*strategy),
                100.0 * sums.not / (sums.not + sums.replays).max(1.0)
            );
        }
    }
    Ok(())
}
