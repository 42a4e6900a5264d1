//! Section 5.8: the same systems under other judges.
//!
//! Each judge is compared with gold, over the documents and topics that the judge labelled; then mixtures, in which every topic takes one of its judges at random
//! (Voorhees 2000), so that all topics count and no single judge does. The one decision: "virtually no impact on the ranking" is a mean tau of at
//! least 0.9 over mixtures, from which on Voorhees (2001) takes two orders as equivalent.

use std::collections::BTreeMap;

use karat_report::{Axis, Column, Figure, Mark, NumberStyle, Panel as Plot, Table};
use karat_runtime::jobs::in_order;
use karat_stats::association::{root_mean_square, tau_ap};
use karat_stats::dist::{normal, student_t};

use crate::answer::JudgeOrder;
use crate::collection::measure;
use crate::panel::Panel;
use crate::{Claim, Outcome, Value, Work};
use karat_analysis::judges::{Judged, order};

/// Two orders with at least this tau count as the same.
const SAME: f64 = 0.9;
/// A change of MAP of at least this counts as large.
const LARGE: f64 = 0.02;

/// AP by run and topic, of one judge and of gold over the same documents.
type Scores = [Vec<Vec<Option<f64>>>; 2];

/// The systems under other judges, compared with gold.
#[derive(Clone, Debug, Default)]
struct Standing {
    topics: usize,
    tau: Option<f64>,
    tau_ap: Option<f64>,
    /// Root mean square change of MAP.
    change: Option<f64>,
    /// The best two, in order, by gold and by the others.
    best: [Vec<usize>; 2],
    /// Pairs of systems, those that change places, those that gold decides, and those of them that change places.
    pairs: [usize; 4],
    /// MAP of the systems by the others and by gold.
    means: [Vec<f64>; 2],
}

/// Adds claims, table and figure.
pub(super) fn judges(work: &Work<'_>, outcome: &mut Outcome) {
    let (Some(ap), panel) = (measure("AP"), work.panel) else { return };
    let runs = work.collection.runs.len();
    let topics = panel.judges_of_topics();
    let scores: Vec<Scores> = in_order(panel.judges(), work.threads, |judge| {
        let alone: Vec<Option<usize>> = (0..work.collection.topics.len())
            .map(|topic| topics.get(&topic).is_some_and(|own| own.contains(&judge)).then_some(judge))
            .collect();
        panel
            .known(&alone)
            .map(|known| work.collection.of_views(&known, runs, panel.facts(), |view| ap.value(view).ok()))
    });
    let names = &work.collection.runs;
    let each: Vec<Option<Standing>> = (0..panel.judges())
        .map(|judge| {
            let own: BTreeMap<usize, usize> = panel.topics(judge).into_iter().map(|topic| (topic, judge)).collect();
            standing(&scores, names, &own)
        })
        .collect();
    let mixtures: usize = work.effort(1000, 100);
    let streams = work.seed.child("ranked-evaluation", 0).streams("mixture");
    let mixed: Vec<Standing> = in_order(mixtures, work.threads, |at| {
        let mut stream = streams.at(at as u64);
        let pick = |(&topic, own): (&usize, &Vec<usize>)| (topic, own[stream.below(own.len() as u64) as usize]);
        standing(&scores, names, &topics.iter().map(pick).collect())
    })
    .into_iter()
    .flatten()
    .collect();
    if mixed.is_empty() {
        let why = "needs two runs, and topics with a relevant document by the judge and by gold";
        outcome.claims.push(Claim::open("5.8", "the systems under other judges", Value::None, Value::None, why));
        return;
    }
    let halves = halves(work, &scores, &topics, mixtures);
    outcome.claims.extend(claims(panel, &each, &mixed, &halves, runs));
    outcome.experiments.judges_order = Some(rows(work, panel, &each, &mixed, &halves));
    outcome.figures.push(figure(work, &mixed));
    outcome.notes.extend(panel.notes.iter().cloned());
}

/// The systems where each topic has one judge; `None` where there is no order of them.
fn standing(scores: &[Scores], names: &[String], judge_of: &BTreeMap<usize, usize>) -> Option<Standing> {
    let of = |side: usize| {
        let run = |(run, name): (usize, &String)| {
            let value = |(&topic, &judge): (&usize, &usize)| {
                // A topic without a relevant document by one of the two has no AP by it, and says nothing of the other either.
                let both = [scores[judge][0][run][topic]?, scores[judge][1][run][topic]?];
                Some(((topic as u32).to_be_bytes().to_vec(), both[side]))
            };
            (name.clone(), judge_of.iter().filter_map(value).collect())
        };
        Judged { name: String::new(), runs: names.iter().enumerate().map(run).collect() }
    };
    let (others, gold) = (of(0), of(1));
    let found = order(&others, &gold)?;
    let (by_others, by_gold) = &found.values;
    if by_gold.len() < 2 {
        return None;
    }
    Some(Standing {
        topics: found.topics,
        tau: found.tau,
        tau_ap: tau_ap(by_others, by_gold),
        change: root_mean_square(by_others, by_gold),
        best: [best_two(by_gold), best_two(by_others)],
        pairs: exchanged(&gold, by_gold, by_others),
        means: [by_others.clone(), by_gold.clone()],
    })
}

/// The best two, the better first; equal ones in the order of the runs.
fn best_two(means: &[f64]) -> Vec<usize> {
    let mut places: Vec<usize> = (0..means.len()).collect();
    places.sort_by(|&a, &b| means[b].total_cmp(&means[a]).then(a.cmp(&b)));
    places.truncate(2);
    places
}

/// Pairs of systems; those in another order; those that gold decides (the 95% t interval of the paired difference is off 0); those of them in another order.
fn exchanged(gold: &Judged, by_gold: &[f64], by_others: &[f64]) -> [usize; 4] {
    let own: Vec<Vec<f64>> = gold.runs.iter().map(|(_, topics)| topics.values().copied().collect()).collect();
    let n = own.first().map_or(0, Vec::len);
    let critical = student_t::quantile(0.975, n.saturating_sub(1).max(1) as f64).unwrap_or(f64::INFINITY);
    let mut pairs = [0; 4];
    for a in 0..by_gold.len() {
        for b in 0..a {
            let (d, other) = (by_gold[a] - by_gold[b], by_others[a] - by_others[b]);
            let exchanged = d * other < 0.0;
            let squares: f64 = own[a].iter().zip(&own[b]).map(|(a, b)| (a - b - d).powi(2)).sum();
            let reach = critical * (squares / (n.saturating_sub(1).max(1) * n.max(1)) as f64).sqrt();
            let decided = n > 1 && d.abs() > reach;
            for (count, yes) in pairs.iter_mut().zip([true, exchanged, decided, decided && exchanged]) {
                *count += usize::from(yes);
            }
        }
    }
    pairs
}

/// What other topics do where other judges do not: tau between gold on one half of the topics and on the other.
fn halves(work: &Work<'_>, scores: &[Scores], topics: &BTreeMap<usize, Vec<usize>>, draws: usize) -> Vec<f64> {
    let streams = work.seed.child("ranked-evaluation", 0).streams("halves");
    let tau = |at: usize| {
        let mut own: Vec<(usize, usize)> = topics.iter().map(|(&topic, judges)| (topic, judges[0])).collect();
        streams.at(at as u64).shuffle(&mut own);
        let (one, other) = own.split_at(own.len() / 2);
        let means = |half: &[(usize, usize)]| -> Option<Vec<f64>> {
            let run = |run: usize| {
                let of = |&(topic, judge): &(usize, usize)| scores[judge][1][run][topic];
                karat_stats::summation::mean(&half.iter().filter_map(of).collect::<Vec<f64>>())
            };
            (0..work.collection.runs.len()).map(run).collect()
        };
        karat_stats::association::kendall_tau(&means(one)?, &means(other)?)
    };
    in_order(draws, work.threads, tau).into_iter().flatten().collect()
}

/// Mean, and what 95 of 100 lie between.
fn spread(values: impl Iterator<Item = f64>) -> (Option<f64>, Option<(f64, f64)>) {
    let mut all: Vec<f64> = values.collect();
    all.sort_unstable_by(f64::total_cmp);
    let at = |share: f64| all[((all.len() - 1) as f64 * share).round() as usize];
    (karat_stats::summation::mean(&all), (all.len() > 1).then(|| (at(0.025), at(0.975))))
}

/// Between which taus 95 of 100 pairs of unrelated orders of so many systems lie (Kendall 1938: variance 2(2n + 5)/(9n(n − 1))).
fn by_chance(systems: usize) -> f64 {
    let n = systems as f64;
    normal::quantile(0.975).unwrap_or(1.96) * (2.0 * (2.0 * n + 5.0) / (9.0 * n * (n - 1.0))).sqrt()
}

fn share(count: usize, all: usize) -> String {
    format!("{} %", NumberStyle::Decimals(0).show(100.0 * count as f64 / all.max(1) as f64))
}

fn claims(panel: &Panel, each: &[Option<Standing>], mixed: &[Standing], halves: &[f64], runs: usize) -> Vec<Claim> {
    let show = |value: Option<f64>| NumberStyle::Decimals(3).show(value.unwrap_or(f64::NAN));
    let whose = if panel.drawn { "drawn" } else { "real" };
    let (change, _) = spread(mixed.iter().filter_map(|mixture| mixture.change));
    let (tau, range) = spread(mixed.iter().filter_map(|mixture| mixture.tau));
    let range = range.map_or_else(String::new, |(low, high)| format!(" ({} to {})", show(Some(low)), show(Some(high))));
    let total = |which: usize| mixed.iter().map(|mixture| mixture.pairs[which]).sum::<usize>();
    let kept = |places: usize| {
        let same = |mixture: &&Standing| mixture.best[0][..places] == mixture.best[1][..places];
        mixed.iter().filter(same).count()
    };
    let own: Vec<f64> = each.iter().flatten().filter_map(|standing| standing.tau).collect();
    let ends =
        (own.iter().copied().fold(f64::INFINITY, f64::min), own.iter().copied().fold(f64::NEG_INFINITY, f64::max));
    let differ = (0..panel.judges()).map(|judge| panel.disagreements(judge));
    let (labels, differ) = differ.fold((0, 0), |sum, own| (sum.0 + own.0, sum.1 + own.1));
    let told = format!(
        "read as a mean tau of at least {SAME} (Voorhees 2001) over mixtures, in which each topic takes one of its judges at random. The {whose} judges differ from gold on {} of {labels} labels. Mixtures: {}. Tau of single judges: {} to {}; of unrelated orders of {runs} systems: 0 ± {}; of gold on one half of the topics with gold on the other: {}. The best system stays the best in {} of the mixtures, the best two in {}. {} of all pairs of systems swap, and {} of those significantly different under gold (95% t interval)",
        share(differ, labels),
        mixed.len(),
        show(Some(ends.0)),
        show(Some(ends.1)),
        show(Some(by_chance(runs))),
        show(spread(halves.iter().copied()).0),
        share(kept(1), mixed.len()),
        share(kept(2), mixed.len()),
        share(total(1), total(0)),
        share(total(3), total(2)),
    );
    let decided = total(3) as f64 / total(2).max(1) as f64;
    vec![
        Claim::words(
            "5.8",
            format!("judges' disagreement ({whose} judges) has a large impact on absolute numbers (root mean square change of MAP)"),
            "large",
            change,
            change.is_some_and(|change| change >= LARGE),
        )
        .note(format!("read as at least {LARGE}; mean over {} mixtures of the judges", mixed.len())),
        Claim::words(
            "5.8",
            format!("it has virtually no impact on the ranking of systems ({whose} judges, Kendall's tau, 95% of mixtures)"),
            "virtually no impact",
            format!("{}{range}", show(tau)),
            tau.is_some_and(|tau| tau >= SAME),
        )
        .note(told),
        Claim::words(
            "5.8",
            format!("whether algorithm A is better than B gets a reliable answer ({whose} judges): pairs that gold decides and the others turn round"),
            "reliable",
            decided,
            decided <= 0.05,
        )
        .note("read as at most 5% of the pairs that are significantly different under gold (95% t interval)"),
    ]
}

fn rows(
    work: &Work<'_>,
    panel: &Panel,
    each: &[Option<Standing>],
    mixed: &[Standing],
    halves: &[f64],
) -> Vec<JudgeOrder> {
    let chance = by_chance(work.collection.runs.len());
    let alone = each.iter().enumerate().filter_map(|(judge, found)| Some((judge, found.as_ref()?)));
    let mut rows: Vec<JudgeOrder> = alone.map(|(judge, found)| of_judge(work, panel, judge, found)).collect();
    rows.push(of_mixtures(mixed, chance));
    let (tau, tau_range) = spread(halves.iter().copied());
    let judge = "gold, half of the topics against the other half".into();
    rows.push(JudgeOrder { judge, tau, tau_range, chance, ..JudgeOrder::default() });
    rows
}

fn ratio(count: usize, all: usize) -> Option<f64> {
    (all > 0).then(|| count as f64 / all as f64)
}

fn of_judge(work: &Work<'_>, panel: &Panel, judge: usize, found: &Standing) -> JudgeOrder {
    let names =
        |places: &[usize]| places.iter().map(|&run| work.collection.runs[run].as_str()).collect::<Vec<_>>().join(", ");
    let (labels, differ) = panel.disagreements(judge);
    JudgeOrder {
        judge: panel.names[judge].clone(),
        topics: Some(found.topics),
        labels: Some(labels),
        disagree: ratio(differ, labels),
        change: found.change,
        tau: found.tau,
        tau_range: None,
        tau_ap: found.tau_ap,
        chance: by_chance(work.collection.runs.len()),
        best_two_gold: Some(names(&found.best[0])),
        best_two: Some(names(&found.best[1])),
        exchanged: ratio(found.pairs[1], found.pairs[0]),
        exchanged_decided: ratio(found.pairs[3], found.pairs[2]),
    }
}

fn of_mixtures(mixed: &[Standing], chance: f64) -> JudgeOrder {
    let total = |which: usize| mixed.iter().map(|mixture| mixture.pairs[which]).sum::<usize>();
    let (tau, tau_range) = spread(mixed.iter().filter_map(|mixture| mixture.tau));
    JudgeOrder {
        judge: format!("{} mixtures", mixed.len()),
        topics: mixed.first().map(|mixture| mixture.topics),
        change: spread(mixed.iter().filter_map(|mixture| mixture.change)).0,
        tau,
        tau_range,
        tau_ap: spread(mixed.iter().filter_map(|mixture| mixture.tau_ap)).0,
        chance,
        exchanged: ratio(total(1), total(0)),
        exchanged_decided: ratio(total(3), total(2)),
        ..JudgeOrder::default()
    }
}

/// MAP by gold and by the others.
fn figure(work: &Work<'_>, mixed: &[Standing]) -> Figure {
    let mut rows = Table::new("points", "")
        .column("run", "run")
        .column("gold", "by gold")
        .column("others", "by other judges")
        .with(Column::new("range", "95% of mixtures"));
    let of = |side: usize, run: usize| mixed.iter().filter_map(move |mixture| mixture.means[side].get(run).copied());
    let points: Vec<(f64, f64, (f64, f64))> = (0..work.collection.runs.len())
        .filter_map(|run| {
            let (value, range) = spread(of(0, run));
            Some((spread(of(1, run)).0?, value?, range?))
        })
        .collect();
    let most = points.iter().map(|(gold, _, (_, high))| gold.max(*high)).fold(0.05, f64::max) * 1.05;
    let mut plot = Plot::new("", Axis::new("MAP by gold", 0.0, most), Axis::new("MAP by other judges", 0.0, most))
        .line(karat_report::figure::GREY, "no change", true, vec![(0.0, 0.0), (most, most)]);
    for (name, (gold, value, range)) in work.collection.runs.iter().zip(points) {
        plot = plot.line(0, "", false, vec![(gold, range.0), (gold, range.1)]);
        plot = plot.mark(Mark::point(0, (gold, value)).named(name.clone()));
        rows.push([name.as_str().into(), gold.into(), value.into(), range.into()]);
    }
    Figure::new("ranked-evaluation-judges", "The systems by gold, and by other judges (5.8)", 1)
        .subtitle("one point per system; the line covers 95% of the mixtures of judges")
        .reading(
            "Horizontal: MAP under gold. Vertical: MAP under other judges, on the same documents. Distance from the diagonal is the change of absolute scores; points that do not rise from left to right are changes of the ranking.",
        )
        .panel(plot)
        .rows(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chance_by_hand() {
        // n = 10: 2 · 25 / (9 · 90) = .0617284, its root .248452, times 1.959964: .486957.
        assert!((by_chance(10) - 0.486957).abs() < 1e-6);
    }

    #[test]
    fn exchanges_by_hand() {
        // Differences of a and b over three topics: .2 each, so that a is surely better; c is b and a bit of noise.
        let of = |values: [f64; 3]| (String::new(), (0..3).map(|at| (vec![at as u8], values[at])).collect());
        let gold =
            Judged { name: String::new(), runs: vec![of([0.5, 0.6, 0.7]), of([0.3, 0.4, 0.5]), of([0.2, 0.45, 0.52])] };
        // Means .6, .4, .39. b − c: .1, −.05, −.02, mean .01: not decided. a − c: .3, .15, .18, mean .21, sd .0794, t = 4.58 with 4.303 critical.
        let found = exchanged(&gold, &[0.6, 0.4, 0.39], &[0.3, 0.35, 0.36]);
        // The others turn all three round.
        assert_eq!(found, [3, 3, 2, 2]);
        assert_eq!(exchanged(&gold, &[0.6, 0.4, 0.39], &[0.6, 0.35, 0.36]), [3, 1, 2, 0]);
        assert_eq!(best_two(&[0.1, 0.3, 0.3]), [1, 2]);
    }
}
