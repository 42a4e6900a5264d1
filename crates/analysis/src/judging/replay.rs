//! How many judgements would have been enough? Strategies replayed on judgements that are known.
//!
//! The judgements are taken away and given back one by one, in the order a strategy asks for them. Documents nobody ever judged
//! are taken for not relevant and lists for complete, so that the end of every replay is the same, and is the truth. A
//! thing is settled when it is right and stays so to the end: that is known in hindsight only. It is certain when no outcome of
//! the judgements still missing could undo it.

use karat_data::names::text;
use karat_data::{Problem, Problems, RankedDocuments, RunSource, hash};
use karat_report::{Axis, Block, Cell, Column, Figure, NumberStyle, Panel, Report, Table};
use karat_stats::Seed;
use karat_stats::association::{kendall_tau, tau_ap};

use super::next::{Question, count, linear};
use super::priority::{Picker, weight_of};
use super::world::{Doc, Scope, World};
use super::{About, Strategy, in_common, with_runs};
use crate::scores::names;

/// Points of a curve after the first.
const POINTS: usize = 50;

/// Lines of the figure that have a colour of their own; further ones are dashed.
const SOLID_LINES: usize = 6;

/// Differences of scores below this are rounding.
const GRAIN: f64 = 1e12;

/// tau and tau_AP; the second has none where runs are tied.
type Point = (Option<f64>, Option<f64>);

/// What came of one replay: how many judgements until each thing.
#[derive(Debug, Clone, Default)]
struct Course {
    top_two: Option<usize>,
    certain: Option<usize>,
    tau: Option<usize>,
    curve: Vec<Point>,
}

/// Replays every strategy, `repetitions` times for the random one. Of the question, strategy, target and count are not
/// used.
///
/// # Errors
/// Everything wrong with the runs; fewer than three; nothing judged.
pub fn replay(
    runs: &dyn RunSource,
    question: Question<'_>,
    seed: Seed,
    repetitions: u32,
    threshold: f64,
) -> Result<Report, Problems> {
    let form = linear(question.measure, &question.collection)?;
    let documents = RankedDocuments::read(runs, &question.policy, question.threads)?;
    in_common(question.qrels, &documents)?;
    let names = names(&documents.runs.iter().collect::<Vec<_>>())?;
    if names.len() < 3 {
        return Err(
            Problem::of_file("--replay", "at least three runs", names.len().to_string(), "give more runs").into()
        );
    }
    let world = World::new(question.qrels, &documents, &form, &question.collection, question.model, Scope::Judged);
    let gain = |document: Doc| {
        let topic = &world.topics[document.topic];
        let docno = topic.documents.map_or(&[][..], |documents| documents.docno(document.place as u32));
        let grade = question.qrels.judgement(topic.index, docno, hash::of(docno)).grade();
        form.gain.of(grade.unwrap_or(0.0))
    };
    let all: Vec<Doc> = world
        .topics
        .iter()
        .enumerate()
        .flat_map(|(topic, found)| found.candidates().map(move |place| Doc { topic, place }))
        .collect();
    if all.is_empty() {
        let remedy = "give the judgements that were made, and runs that retrieve what was judged";
        return Err(Problem::of_file("--replay", "judged documents among those retrieved", "none", remedy).into());
    }
    let truth = Truth::new(&world, &all, &gain);
    let replayer = Replayer { world: &world, truth: &truth, total: all.len(), threshold };

    let mut rows: Vec<(String, Cell, Vec<Course>)> = Vec::new();
    let random = |repetition: u64| {
        let mut order = all.clone();
        let mut stream = seed.stream("replay random", repetition);
        for at in (1..order.len()).rev() {
            order.swap(at, stream.below(at as u64 + 1) as usize);
        }
        replayer.in_order(&order, &gain)
    };
    rows.push(("random".into(), Cell::Missing, (0..u64::from(repetitions)).map(random).collect()));
    let mut by_depth = all.clone();
    let best_rank =
        |document: &Doc| world.topics[document.topic].places(document.place).iter().map(|place| place.rank).min();
    by_depth.sort_by_key(|document| (best_rank(document), *document));
    rows.push(("depth".into(), Cell::Missing, vec![replayer.in_order(&by_depth, &gain)]));
    for strategy in [Strategy::A, Strategy::B, Strategy::C] {
        let course = replayer.picked(strategy, About::Scores, &gain);
        rows.push((strategy.name().into(), About::Scores.name().into(), vec![course]));
    }
    for about in [About::Scores, About::Differences, About::Top] {
        let course = replayer.picked(Strategy::Variance, about, &gain);
        rows.push((Strategy::Variance.name().into(), about.name().into(), vec![course]));
    }

    let mut summary = Table::new("replay", "Judgements needed")
        .column("strategy", "strategy")
        .column("about", "about")
        .column("top_two", "top two settled")
        .with(Column::new("top_two_range", "of the repetitions").style(NumberStyle::Decimals(0)).range())
        .column("tau", format!("tau {threshold} settled"))
        .with(Column::new("tau_range", "of the repetitions").style(NumberStyle::Decimals(0)).range())
        .column("certain", "first before second certain")
        .with(Column::new("judgements", "of").data_only());
    let mut curve = Table::new("curve", "On the way")
        .column("strategy", "strategy")
        .column("about", "about")
        .column("judgements", "judgements")
        .column("tau", "tau")
        .column("tau_ap", "tau_AP");
    let mut panel = Panel::new(
        "",
        Axis::new("judgements", 0.0, all.len() as f64),
        Axis::new("Kendall's tau with the order by all judgements", 0.0, 1.0),
    );
    for (row, (strategy, about, courses)) in rows.iter().enumerate() {
        let mut line = Vec::with_capacity(POINTS + 1);
        let of = |pick: &dyn Fn(&Course) -> Option<usize>| middle(courses.iter().map(pick).collect());
        let ((top, top_range), (tau, tau_range)) = (of(&|course| course.top_two), of(&|course| course.tau));
        summary.push([
            strategy.as_str().into(),
            about.clone(),
            count(top),
            top_range,
            count(tau),
            tau_range,
            count(of(&|course| course.certain).0),
            all.len().into(),
        ]);
        for point in 0..=POINTS {
            let mean = |pick: &dyn Fn(&Point) -> Option<f64>| {
                let values: Option<Vec<f64>> = courses.iter().map(|course| pick(course.curve.get(point)?)).collect();
                values.map(|values| values.iter().sum::<f64>() / values.len() as f64)
            };
            let tau = mean(&|found| found.0);
            line.extend(tau.map(|tau| (replayer.at(point) as f64, tau.max(0.0))));
            curve.push([
                strategy.as_str().into(),
                about.clone(),
                replayer.at(point).into(),
                tau.into(),
                mean(&|found| found.1).into(),
            ]);
        }
        let label = match about {
            Cell::Text(about) if strategy == Strategy::Variance.name() => format!("{strategy}, {about}"),
            _ => strategy.clone(),
        };
        panel = panel.line(row, label, row >= SOLID_LINES, line);
    }
    let figure = Figure::new("replay", "How soon the order of the runs is right", 1).panel(panel);
    let (first, second) = truth.best;
    let topics = world.topics.len();
    let mut report = Report::new("Judging replayed", "next", question.version)
        .table(summary)
        .table(curve.audience(karat_report::Audience::Data))
        .block(Block::Figure(figure));
    report.provenance = with_runs(question.provenance, &documents).seed(seed.0);
    let shown = |name: &str| text(name.as_bytes());
    report = report
        .note(format!(
            "{} judged documents that some run gives weight, {topics} topics, {} runs; by {}, the best two are {} ({}) and {} ({})",
            all.len(),
            names.len(),
            question.measure.spec(),
            shown(&names[first]),
            NumberStyle::Score.show(truth.scores[first]),
            shown(&names[second]),
            NumberStyle::Score.show(truth.scores[second]),
        ))
        .note("settled: from that judgement to the end the first two runs (or Kendall's tau with the full order) are as with all judgements; known in hindsight only")
        .note("certain: no outcome of the judgements still missing could put the second before the first")
        .note(format!("random: the median of {repetitions} repetitions, and their range; other strategies are not random"))
        .note("documents nobody judged are taken for not relevant, and lists for complete");
    if !truth.is_clear() {
        report = report.note("with all judgements the best two or the second and third have equal scores: their order has no truth, and is never settled");
    }
    Ok(report)
}

/// What all judgements say.
struct Truth {
    scores: Vec<f64>,
    best: (usize, usize),
}

/// Scores as they are compared.
fn grained(scores: &[f64]) -> Vec<f64> {
    scores.iter().map(|score| (score * GRAIN).round()).collect()
}

impl Truth {
    fn new(world: &World<'_>, all: &[Doc], gain: &impl Fn(Doc) -> f64) -> Truth {
        let mut scores = vec![0.0; world.runs];
        for &document in all {
            add(world, &mut scores, document, gain(document));
        }
        let mut order: Vec<usize> = (0..world.runs).collect();
        order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]));
        Truth { best: (order[0], order[1]), scores }
    }

    /// Whether the first two runs of `scores` are the true ones, in order.
    fn has_top(&self, scores: &[f64]) -> bool {
        let (first, second) = self.best;
        let below = |run: usize| run == first || run == second || scores[run] < scores[second];
        scores[first] > scores[second] && (0..scores.len()).all(below)
    }

    fn is_clear(&self) -> bool {
        self.has_top(&grained(&self.scores))
    }
}

fn add(world: &World<'_>, scores: &mut [f64], document: Doc, gain: f64) {
    let topics = world.topics.len() as f64;
    for place in world.topics[document.topic].places(document.place) {
        scores[place.run as usize] += place.weight * gain / topics;
    }
}

struct Replayer<'w, 'a> {
    world: &'w World<'a>,
    truth: &'w Truth,
    total: usize,
    threshold: f64,
}

impl Replayer<'_, '_> {
    /// The judgements at a point of the curve.
    fn at(&self, point: usize) -> usize {
        (self.total * point).div_ceil(POINTS)
    }

    fn in_order(&self, order: &[Doc], gain: &impl Fn(Doc) -> f64) -> Course {
        let mut watch = Watch::new(self);
        for &document in order {
            watch.judged(document, gain(document));
        }
        watch.course
    }

    fn picked(&self, strategy: Strategy, about: About, gain: &impl Fn(Doc) -> f64) -> Course {
        let mut world = self.world.clone();
        let mut picker = Picker::new(&world, strategy, about);
        let mut watch = Watch::new(self);
        while let Some((document, _)) = picker.pick(&world) {
            let gain = gain(document);
            world.judge(document, gain);
            picker.judged(&world, document, true);
            watch.judged(document, gain);
        }
        // What could not matter to the strategy is judged last.
        let rest: Vec<Doc> = world
            .topics
            .iter()
            .enumerate()
            .flat_map(|(topic, found)| found.candidates().map(move |place| Doc { topic, place }))
            .collect();
        rest.into_iter().for_each(|document| watch.judged(document, gain(document)));
        watch.course
    }
}

/// Looks on.
struct Watch<'r, 'w, 'a> {
    replayer: &'r Replayer<'w, 'a>,
    scores: Vec<f64>,
    /// The least that the first run can still be ahead of the second.
    least_ahead: f64,
    judged: usize,
    course: Course,
}

impl<'r, 'w, 'a> Watch<'r, 'w, 'a> {
    fn new(replayer: &'r Replayer<'w, 'a>) -> Self {
        let world = replayer.world;
        let mut watch =
            Watch { replayer, scores: vec![0.0; world.runs], least_ahead: 0.0, judged: 0, course: Course::default() };
        for (topic, found) in world.topics.iter().enumerate() {
            for place in found.candidates() {
                watch.least_ahead += watch.least(Doc { topic, place });
            }
        }
        watch.look();
        watch
    }

    fn ahead(&self, document: Doc) -> f64 {
        let (first, second) = self.replayer.truth.best;
        let topic = &self.replayer.world.topics[document.topic];
        let weight = |run: usize| weight_of(topic, document.place, run);
        (weight(first) - weight(second)) / self.replayer.world.topics.len() as f64
    }

    fn least(&self, document: Doc) -> f64 {
        let (ahead, world) = (self.ahead(document), self.replayer.world);
        if ahead > 0.0 { ahead * world.least } else { ahead * world.greatest }
    }

    fn judged(&mut self, document: Doc, gain: f64) {
        add(self.replayer.world, &mut self.scores, document, gain);
        self.least_ahead += self.ahead(document) * gain - self.least(document);
        self.judged += 1;
        self.look();
    }

    fn look(&mut self) {
        let (replayer, judged) = (self.replayer, self.judged);
        let scores = grained(&self.scores);
        let truth = grained(&replayer.truth.scores);
        let tau = kendall_tau(&scores, &truth);
        let keep = |holds: bool, since: &mut Option<usize>| *since = if holds { since.or(Some(judged)) } else { None };
        keep(replayer.truth.has_top(&scores), &mut self.course.top_two);
        keep(tau.is_some_and(|tau| tau >= replayer.threshold), &mut self.course.tau);
        keep(self.least_ahead * GRAIN > 1.0, &mut self.course.certain);
        // Few judgements can make several points one.
        while self.course.curve.len() <= POINTS && replayer.at(self.course.curve.len()) == judged {
            self.course.curve.push((tau, tau_ap(&scores, &truth)));
        }
    }
}

/// The median and the range; nothing where one of them is nothing.
fn middle(values: Vec<Option<usize>>) -> (Option<usize>, Cell) {
    let Some(mut values) = values.into_iter().collect::<Option<Vec<usize>>>() else { return (None, Cell::Missing) };
    values.sort_unstable();
    let range = match (values.first(), values.last()) {
        (Some(&least), Some(&most)) if values.len() > 1 => Cell::Range(least as f64, most as f64),
        _ => Cell::Missing,
    };
    (values.get(values.len() / 2).copied(), range)
}
