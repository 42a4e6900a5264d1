//! Which documents to judge next, and how many until little enough is open.
//!
//! The list is made as if its documents were judged one after the other: a document on it takes its weight out of what is
//! open, and counts with the gain it probably has, so that the second is chosen knowing the first.

use std::collections::HashSet;

use karat_data::names::text;
use karat_data::{CollectionFacts, Policy, Problem, Problems, Qrels, RankedDocuments, RunSource};
use karat_measures::Measure;
use karat_measures::linear::Form;
use karat_report::{Cell, Column, NumberStyle, Provenance, Report, Table};

use super::priority::{Picker, weight_of};
use super::world::{Doc, Scope, World};
use super::{About, Answer, FormRow, GainModel, Strategy, in_common, with_runs};
use crate::scores::names;

/// What is asked.
pub struct Question<'a> {
    /// The judgements so far.
    pub qrels: &'a Qrels,
    /// The collection.
    pub collection: CollectionFacts,
    /// The measure, linear in gain.
    pub measure: &'a dyn Measure,
    /// How lists are ordered and cut.
    pub policy: Policy,
    /// How documents are put in order.
    pub strategy: Strategy,
    /// Whose uncertainty is to shrink.
    pub about: About,
    /// What unjudged documents probably gain.
    pub model: GainModel,
    /// At most so many documents.
    pub count: Option<usize>,
    /// Until no more than this is open.
    pub target: Option<f64>,
    /// Threads to use.
    pub threads: usize,
    /// Where the judgements come from, and the options.
    pub provenance: Provenance,
    /// The version of karat.
    pub version: &'static str,
}

/// The documents to judge next.
///
/// # Errors
/// Everything wrong with the runs; a measure that is not linear; a target that cannot be reached.
pub fn next(runs: &dyn RunSource, question: Question<'_>) -> Result<Answer, Problems> {
    let form = linear(question.measure, &question.collection)?;
    let documents = RankedDocuments::read(runs, &question.policy, question.threads)?;
    in_common(question.qrels, &documents)?;
    let names = names(&documents.runs.iter().collect::<Vec<_>>())?;
    let mut world = World::new(question.qrels, &documents, &form, &question.collection, question.model, Scope::All);
    if question.about != About::Scores && names.len() < 2 {
        return Err(
            Problem::of_file("--about", "at least two runs for a difference", "one", "give a second run").into()
        );
    }
    let mut picker = Picker::new(&world, question.strategy, question.about);
    let mut open = Open::new(&world, question.about, picker.pair);
    if let Some(target) = question.target.filter(|&target| target < open.floor(&world)) {
        return Err(Problem::of_file(
            "--target",
            format!(
                "a number from {} on: so much stays open below the ends of the lists (and for topics a run does not have)",
                open.floor(&world)
            ),
            target.to_string(),
            "choose a larger one, give longer lists, or a measure that stops at a rank (RBP@k)",
        )
        .into());
    }
    let before: Vec<f64> = (0..names.len()).map(|run| world.residual(run)).collect();
    let open_before = open.now(&world);
    let mut chosen = Table::new("next", "Judge next")
        .with(Column::new("place", "").style(NumberStyle::Decimals(0)))
        .column("topic", "topic")
        .column("document", "document")
        .with(Column::new("weight", "weight").style(NumberStyle::Significant(3)))
        .column("open_after", "open after")
        .column("why", "why");
    let mut form_rows = Vec::new();
    let most = question.count.unwrap_or(usize::MAX);
    let reached = |open: f64| question.target.is_some_and(|target| open <= target);
    let mut ran_out = false;
    while form_rows.len() < most && !reached(open.now(&world)) {
        let Some((document, weight)) = picker.pick(&world) else {
            ran_out = true;
            break;
        };
        let why = why(&world, document, &names, (question.about == About::Top).then_some(picker.pair));
        let (gain, _) = world.gains.of(world.topics[document.topic].bands[document.place]);
        open.close(&world, document);
        world.close(document, gain);
        picker.judged(&world, document, false);
        let (topic, docno) = name(&world, question.qrels, document);
        chosen.push([
            (form_rows.len() + 1).into(),
            text(topic).into(),
            text(docno).into(),
            weight.into(),
            open.now(&world).into(),
            why.into(),
        ]);
        form_rows.push(FormRow {
            topic: topic.to_vec(),
            docno: docno.to_vec(),
            grade: None,
            stratum: 1,
            probability: 1.0,
        });
    }
    let mut residuals = Table::new("runs", "Runs")
        .column("run", "run")
        .column("value", "value")
        .column("residual", "residual")
        .column("residual_after", "after these")
        .column("residual_least", "of it below the lists");
    let fresh = World::new(question.qrels, &documents, &form, &question.collection, question.model, Scope::All);
    for (run, name) in names.iter().enumerate() {
        residuals.push([
            name.as_str().into(),
            fresh.value(run).into(),
            before[run].into(),
            world.residual(run).into(),
            world.tail(run).into(),
        ]);
    }
    let mut report = Report::new("What to judge next", "next", question.version).table(chosen).table(residuals);
    report.provenance = with_runs(question.provenance, &documents);
    if ran_out {
        report = report.note(match form_rows.len() {
            0 => "nothing left to judge: no unjudged document could change what is asked about".to_owned(),
            count => format!("nothing left to judge after these {count}"),
        });
    }
    if let Some(target) = question.target {
        report = report.note(if open_before <= target {
            format!("the target {target} is met already")
        } else if reached(open.now(&world)) {
            format!("{} judgements reach the target {target}, whatever they say", form_rows.len())
        } else {
            format!("the target {target} is not reached by these")
        });
    }
    report = report
        .note(format!("weight ({}): {}", question.strategy.name(), question.strategy.formula()))
        .note(open.meaning(question.measure, &names));
    Ok(Answer { report, form: form_rows })
}

/// The measure taken apart.
pub(super) fn linear<'m>(measure: &'m dyn Measure, collection: &CollectionFacts) -> Result<Form<'m>, Problems> {
    measure.linear(collection).ok_or_else(|| {
        Problem::of_file(
            "-m",
            "a measure linear in gain, so that a document's weight does not depend on other judgements",
            measure.spec().to_string(),
            "choose RBP, P@k, DCG, CG, SDCG or INSQ",
        )
        .into()
    })
}

fn name<'w>(world: &'w World<'_>, qrels: &'w Qrels, document: Doc) -> (&'w [u8], &'w [u8]) {
    let topic = &world.topics[document.topic];
    (qrels.name(topic.index), topic.documents.map_or(&[], |documents| documents.docno(document.place as u32)))
}

/// Which runs rank it, those that give it most weight first.
fn why(world: &World<'_>, document: Doc, names: &[String], pair: Option<(usize, usize)>) -> String {
    const SHOWN: usize = 3;
    let mut places = world.topics[document.topic].places(document.place).to_vec();
    if let Some((a, b)) = pair {
        let rank = |run: usize| {
            let place = places.iter().find(|place| place.run as usize == run);
            place.map_or_else(|| format!("none in {}", names[run]), |place| format!("{} in {}", place.rank, names[run]))
        };
        return format!("rank {}, {}", rank(a), rank(b));
    }
    places.sort_by_key(|place| (place.rank, place.run));
    let shown: Vec<String> =
        places.iter().take(SHOWN).map(|place| format!("{} in {}", place.rank, names[place.run as usize])).collect();
    let more = match places.len().saturating_sub(SHOWN) {
        0 => String::new(),
        1 => " and 1 more run".into(),
        more => format!(" and {more} more runs"),
    };
    format!("rank {}{more}", shown.join(", "))
}

/// What is open: the width of the bounds of what is asked about, at its widest.
struct Open {
    about: About,
    /// Pairs of runs with the width of their difference's bounds; none where scores are asked about.
    pairs: Vec<((usize, usize), f64)>,
}

impl Open {
    fn new(world: &World<'_>, about: About, pair: (usize, usize)) -> Open {
        let pairs: Vec<(usize, usize)> = match about {
            About::Scores => Vec::new(),
            About::Top => vec![pair],
            About::Differences => (0..world.runs).flat_map(|b| (0..b).map(move |a| (a, b))).collect(),
        };
        let floor = |(a, b): (usize, usize)| ((a, b), world.tail(a) + world.tail(b));
        let mut open = Open { about, pairs: pairs.into_iter().map(floor).collect() };
        for (at, topic) in world.topics.iter().enumerate() {
            for place in topic.candidates() {
                open.add(world, Doc { topic: at, place }, 1.0);
            }
        }
        open
    }

    fn add(&mut self, world: &World<'_>, document: Doc, sign: f64) {
        let topic = &world.topics[document.topic];
        let share = sign * (world.greatest - world.least) / world.topics.len() as f64;
        for ((a, b), width) in &mut self.pairs {
            let weight = |run: usize| weight_of(topic, document.place, run);
            *width = (*width + share * (weight(*a) - weight(*b)).abs()).max(0.0);
        }
    }

    fn close(&mut self, world: &World<'_>, document: Doc) {
        self.add(world, document, -1.0);
    }

    fn now(&self, world: &World<'_>) -> f64 {
        let widths = self.pairs.iter().map(|(_, width)| *width);
        match self.about {
            About::Scores => (0..world.runs).map(|run| world.residual(run)).fold(0.0, f64::max),
            About::Top | About::Differences => widths.fold(0.0, f64::max),
        }
    }

    /// What stays open when everything retrieved is judged.
    fn floor(&self, world: &World<'_>) -> f64 {
        let both = |(a, b): (usize, usize)| world.tail(a) + world.tail(b);
        match self.about {
            About::Scores => (0..world.runs).map(|run| world.tail(run)).fold(0.0, f64::max),
            About::Top | About::Differences => self.pairs.iter().map(|(pair, _)| both(*pair)).fold(0.0, f64::max),
        }
    }

    fn meaning(&self, measure: &dyn Measure, names: &[String]) -> String {
        let measure = measure.spec();
        match (self.about, self.pairs.first()) {
            (About::Top, Some(((a, b), _))) => format!(
                "open: the width of the bounds of the difference in mean {measure} between {} and {}, probably the best two",
                names[*a], names[*b]
            ),
            (About::Differences, _) => {
                format!(
                    "open: the width of the bounds of the difference in mean {measure}, of the two runs where it is widest"
                )
            }
            _ => format!("open: the largest residual (width of the bounds of mean {measure}) of any run"),
        }
    }
}

/// Judgements so far, then what is to be judged.
pub fn completed(qrels: &Qrels, form: Vec<FormRow>) -> Vec<FormRow> {
    let mut rows: Vec<FormRow> = Vec::new();
    let asked: HashSet<(&[u8], &[u8])> = form.iter().map(|row| (row.topic.as_slice(), row.docno.as_slice())).collect();
    for topic in qrels.topics() {
        for (docno, judgement) in qrels.documents(topic) {
            if !asked.contains(&(qrels.name(topic), docno)) {
                rows.push(FormRow {
                    topic: qrels.name(topic).to_vec(),
                    docno: docno.to_vec(),
                    grade: Some(judgement.grade().unwrap_or(-1.0)),
                    stratum: 1,
                    probability: 1.0,
                });
            }
        }
    }
    rows.extend(form);
    rows
}

/// A number, or missing.
pub(super) fn count(value: Option<usize>) -> Cell {
    value.map_or(Cell::Missing, Cell::from)
}
