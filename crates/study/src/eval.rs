//! How good is each run, and how sure is that?

mod belief_notes;
mod sampling_notes;
mod tie_notes;

use karat_data::{JudgementKind, Problems, Qrels, RunSource, Ties, TopicFacts, TopicIndex};
use karat_measures::info::BoundsKind;
use karat_measures::{Aggregate, Measure};
use karat_report::{Audience, Cell, Column, NumberStyle, Provenance, Report, Table};
use karat_stats::Source;
use karat_stats::interval::NoInterval;

use crate::scores::{RunScores, Setting, grades_of, list_names, list_topics, score};
use crate::summary::{Inference, Tally};
use crate::ties::{TieSummary, TieTally};
use crate::unjudged::spread::{UnjudgedSpread, spread};

/// What is asked beyond the scores themselves.
pub struct Question<'a> {
    /// How chance over the topics is judged.
    pub inference: Inference,
    /// Whether every topic is listed.
    pub by_query: bool,
    /// Why there are no bounds to give, where the treatment of unjudged documents leaves none: "unjudged documents
    /// are believed not relevant".
    pub no_bounds: Option<&'static str>,
    /// Where the numbers come from; the runs are added here.
    pub provenance: Provenance,
    /// The program's version.
    pub version: &'static str,
    /// Notes of the caller's, before the study's own.
    pub notes: Vec<String>,
    /// The report's title.
    pub title: &'a str,
}

/// Scores all runs and reports on them.
///
/// # Errors
/// Everything wrong with the runs.
pub fn eval(setting: &Setting<'_>, runs: &dyn RunSource, mut question: Question<'_>) -> Result<Report, Problems> {
    let scored = score(setting, runs)?;
    let mut provenance = std::mem::take(&mut question.provenance);
    for run in &scored {
        let facts = &run.topics.facts;
        provenance = provenance.input_in(facts.format, &facts.file, facts.bytes, facts.rows);
    }
    let mut notes = std::mem::take(&mut question.notes);
    let mut silent: Vec<(String, String)> = Vec::new();
    let shown = Shown {
        bounds: question.no_bounds.is_none(),
        ties: setting.policy.ties == Ties::Range,
        sampling: scored.iter().any(|run| !run.sampling.is_empty()),
        probable: setting.belief.is_some(),
    };
    let mut scores = scores_table(shown);
    let mut people = people_table(question.inference.level, shown);
    let rows: Vec<Vec<Row>> = scored.iter().map(|run| Row::all(run, setting.measures, &question)).collect();
    for (index, measure) in setting.measures.iter().enumerate() {
        let name = measure.spec().to_string();
        for (place, run) in scored.iter().enumerate() {
            let row = &rows[place][index];
            row.note(&name, &run.name, &mut notes);
            if let Some(reason) = row.why_no_interval()
                && !silent.contains(&(reason.clone(), name.clone()))
            {
                silent.push((reason, name.clone()));
            }
            people.push(row.for_people(if place == 0 { &name } else { "" }, &run.name, shown));
            scores.push(row.for_data(&name, &run.name, &question.inference, shown));
        }
    }
    notes.extend(kind_note(setting));
    notes.extend(no_interval_notes(silent));
    notes.extend(bounds_notes(setting, &rows, question.no_bounds));
    notes.extend(sampling_notes::notes(setting.measures, &rows));
    notes.extend(range_notes(setting.measures, &rows));
    notes.extend(belief_notes::notes(setting));
    notes.extend(tie_notes::notes(setting, &scored, &rows));
    notes.extend(topic_notes(setting, &scored));
    let mut report = Report::new(question.title, "eval", question.version).table(people).table(scores);
    if let Some(belief) = setting.belief.filter(|belief| !belief.compared.is_empty()) {
        report = report.table(belief_notes::table(belief));
    }
    if question.by_query {
        let table = by_query(setting.qrels, setting.measures, &scored, shown);
        report = report.table(table);
    }
    report.provenance = provenance;
    report.notes = notes;
    Ok(report)
}

/// Which columns there are beyond those that are always there.
#[derive(Clone, Copy)]
struct Shown {
    bounds: bool,
    ties: bool,
    sampling: bool,
    probable: bool,
}

/// What measures of grades make of judgements that are not plain grades, where there are such measures.
fn kind_note(setting: &Setting<'_>) -> Option<String> {
    let kind = setting.qrels.kind();
    let of_grades = setting.measures.iter().any(|measure| measure.info().needs == JudgementKind::Grades);
    grades_of(kind).filter(|_| of_grades).map(|made| format!("{kind}: {made}"))
}

/// One measure's scores over the topics of a run.
struct Scores {
    defined: Tally,
    /// Where the run has ties that could be seen.
    ties: Option<TieTally>,
    undefined: Vec<(TopicIndex, &'static str)>,
    /// What unjudged documents do, where chances stand for their judgements.
    unjudged: Option<UnjudgedSpread>,
}

/// One measure of one run.
struct Row {
    topics: u64,
    value: Cell,
    bounds: Option<(f64, f64)>,
    std_error: Option<f64>,
    interval: Option<(f64, f64)>,
    /// The interval over unjudged documents alone, and how it was made.
    probable: Option<(f64, f64)>,
    probable_method: Option<&'static str>,
    method: Option<&'static str>,
    sources: Vec<(&'static str, f64)>,
    no_interval: Option<NoInterval>,
    /// Topics whose variance over samples of the judgements is known.
    sampled: u64,
    ties: TieSummary,
    undefined: Vec<(TopicIndex, &'static str)>,
}

impl Row {
    /// One row per measure. The topics of a run lie anywhere in memory, so they are visited once for all measures.
    fn all(run: &RunScores, measures: &[Box<dyn Measure>], question: &Question<'_>) -> Vec<Row> {
        let mut columns: Vec<Scores> = {
            let topics = run.topics.iter().size_hint().1.unwrap_or(0);
            let column = |measure: &dyn Measure| Scores {
                defined: Tally::new(measure.info().aggregate, topics),
                ties: (!run.ties.is_empty()).then(|| TieTally::new(measure.info().aggregate)),
                undefined: Vec::new(),
                unjudged: None,
            };
            measures.iter().map(|measure| column(measure.as_ref())).collect()
        };
        for (topic, scores) in run.topics.iter() {
            for (measure, (column, scored)) in columns.iter_mut().zip(scores).enumerate() {
                match scored {
                    Ok(score) => {
                        column.defined.push(*score);
                        run.sampling_of(topic, measure).into_iter().for_each(|v| column.defined.push_sampling(v));
                    }
                    Err(reason) => column.undefined.push((topic, reason.reason)),
                }
            }
        }
        for (measure, column) in columns.iter_mut().enumerate() {
            let Some(tally) = &mut column.ties else { continue };
            for (topic, scored) in run.of(measure) {
                if let Ok(score) = scored {
                    tally.push(*score, run.ties_of(topic).map(|ties| &ties[measure]));
                }
            }
        }
        for (measure, column) in columns.iter_mut().enumerate() {
            let aggregate = measures[measure].info().aggregate;
            column.unjudged = spread(aggregate, &run.probable_of(measure), question.inference.level);
        }
        let rows = measures.iter().zip(columns);
        rows.map(|(measure, column)| Row::of(measure.as_ref(), column, question)).collect()
    }

    fn of(measure: &dyn Measure, scores: Scores, question: &Question<'_>) -> Row {
        let Scores { defined, ties, undefined, unjudged } = scores;
        let believe = question.no_bounds.is_some();
        // A topic that has no estimate yet may have a value once more is judged, so nothing is known of the mean's bounds.
        let incomplete = measure.info().bounds == BoundsKind::Estimator && !undefined.is_empty();
        let aggregate = measure.info().aggregate;
        let (topics, sampled) = (defined.topics() as u64, defined.sampled() as u64);
        let Some((mut estimate, no_interval)) = defined.summarise(&question.inference) else {
            return Row {
                topics,
                value: Cell::Missing,
                bounds: None,
                std_error: None,
                interval: None,
                probable: None,
                probable_method: None,
                method: None,
                sources: Vec::new(),
                no_interval: None,
                sampled,
                ties: TieSummary::default(),
                undefined,
            };
        };
        if let Some(unjudged) = unjudged {
            let with = estimate.spread.with(Source::Unjudged, unjudged.variance);
            let with = with.and_then(|with| match unjudged.monte_carlo {
                Some(variance) => with.with(Source::MonteCarlo, variance),
                None => Ok(with),
            });
            estimate.spread = with.unwrap_or(estimate.spread);
            estimate.interval = estimate.interval.map(|interval| unjudged.widen(estimate.point, interval));
        }
        Row {
            topics,
            value: if aggregate == Aggregate::Sum && unjudged.is_none() {
                Cell::Count(estimate.point as u64)
            } else {
                Cell::Number(estimate.point)
            },
            bounds: estimate.bounds.filter(|_| !believe && !incomplete).map(|bounds| (bounds.low(), bounds.high())),
            std_error: estimate.spread.std_error(),
            interval: estimate.interval.map(|interval| (interval.low, interval.high)),
            probable: unjudged.map(|unjudged| unjudged.alone(estimate.point)),
            probable_method: unjudged.map(|unjudged| unjudged.method.name()),
            method: estimate.interval.map(|interval| interval.method.name()),
            sources: estimate.spread.known().map(|(source, variance)| (source.name(), variance)).collect(),
            no_interval,
            sampled,
            ties: ties.map_or_else(|| TieSummary::settled(estimate.point), |tally| tally.summarise()),
            undefined,
        }
    }

    /// The value as a number; `None` where there is none.
    fn number(&self) -> Option<f64> {
        match self.value {
            Cell::Number(value) => Some(value),
            Cell::Count(count) => Some(count as f64),
            _ => None,
        }
    }

    /// A range for people: of a count, counts.
    fn range(&self, ends: Option<(f64, f64)>) -> Cell {
        match (&self.value, ends) {
            (Cell::Count(_), Some((low, high))) => Cell::Text(format!("{low}–{high}")),
            (_, ends) => ends.into(),
        }
    }

    fn for_people(&self, measure: &str, run: &str, shown: Shown) -> Vec<Cell> {
        let mut cells = vec![measure.into(), run.into(), self.value.clone()];
        if shown.ties {
            cells.extend([self.range(self.ties.ends), self.ties.expected.into()]);
        }
        if shown.bounds {
            cells.push(self.range(self.bounds));
        }
        if shown.probable {
            cells.push(self.probable.into());
        }
        cells.extend([self.std_error.into(), self.interval.into(), self.topics.into()]);
        cells
    }

    fn for_data(&self, measure: &str, run: &str, inference: &Inference, shown: Shown) -> Vec<Cell> {
        let mut cells = vec![
            run.into(),
            measure.into(),
            self.topics.into(),
            self.value.clone(),
            self.bounds.map(|(low, _)| low).into(),
            self.bounds.map(|(_, high)| high).into(),
            self.std_error.into(),
            self.interval.into(),
            inference.level.into(),
            self.method.into(),
            Cell::Map(self.sources.clone()),
        ];
        if shown.ties {
            let (low, high) = self.ties.ends.unzip();
            cells.extend([low.into(), high.into(), self.ties.expected.into()]);
        }
        if shown.probable {
            cells.extend([self.probable.into(), self.probable_method.into()]);
        }
        cells
    }

    fn note(&self, measure: &str, run: &str, notes: &mut Vec<String>) {
        if let Some((_, reason)) = self.undefined.first() {
            let count = self.undefined.len();
            let plural = if count == 1 { "topic" } else { "topics" };
            notes.push(format!("{measure} of {run} leaves out {count} {plural} where it is undefined ({reason})"));
        }
    }

    fn why_no_interval(&self) -> Option<String> {
        self.no_interval.as_ref().map(|reason| match reason {
            NoInterval::TooFew { have, need } => {
                let topics = if *have == 1 { "topic is" } else { "topics are" };
                format!("{have} {topics} too few to judge chance by; an interval needs {need}")
            }
            NoInterval::Constant { .. } => "all topics score alike, so chance cannot be judged".into(),
            other => other.to_string(),
        })
    }
}

/// One note for each reason, naming the measures it holds for.
fn no_interval_notes(mut silent: Vec<(String, String)>) -> Vec<String> {
    silent.sort_by(|a, b| a.0.cmp(&b.0));
    silent
        .chunk_by(|a, b| a.0 == b.0)
        .map(|group| {
            let measures: Vec<&str> = group.iter().map(|(_, measure)| measure.as_str()).collect();
            format!("no interval for {}: {}", measures.join(", "), group[0].0)
        })
        .collect()
}

fn scores_table(shown: Shown) -> Table {
    let sources: &'static [&'static str] = if shown.sampling { &["topics", "judgement_sampling"] } else { &["topics"] };
    let table = Table::new("scores", "Scores")
        .audience(Audience::Data)
        .column("run", "run")
        .column("measure", "measure")
        .column("topics", "topics")
        .column("value", "value")
        .column("low", "low")
        .column("high", "high")
        .column("std_error", "std. error")
        .with(Column::new("interval", "interval").range())
        .column("level", "level")
        .column("method", "method")
        .with(Column::new("sources", "sources").names(sources).style(NumberStyle::Significant(3)));
    let table = if shown.ties { with_ties(table) } else { table };
    if shown.probable {
        table
            .with(Column::new("unjudged_interval", "over unjudged documents").range())
            .column("unjudged_method", "method")
    } else {
        table
    }
}

fn with_ties(table: Table) -> Table {
    table
        .column("ties_low", "ties, least")
        .column("ties_high", "ties, greatest")
        .column("ties_expected", "ties, expected")
}

fn people_table(level: f64, shown: Shown) -> Table {
    let mut table = Table::new("scores_by_measure", "")
        .audience(Audience::People)
        .column("measure", "measure")
        .column("run", "run")
        .column("value", "value");
    if shown.ties {
        table = table.with(Column::new("ties", "any order of ties").range()).column("ties_expected", "expected");
    }
    if shown.bounds {
        table = table.with(Column::new("bounds", "if unjudged are judged").range());
    }
    if shown.probable {
        table = table.with(Column::new("unjudged_interval", format!("probably ({})", percent(level))).range());
    }
    table
        .column("std_error", "std. error")
        .with(Column::new("interval", format!("{} interval", percent(level))).range())
        .column("topics", "topics")
}

/// A level as people write it: 95%.
pub fn percent(level: f64) -> String {
    let rounded = (level * 1e8).round() / 1e6;
    // 99.99999999% must not read as 100%.
    if rounded >= 100.0 || rounded <= 0.0 { format!("{level} ") } else { format!("{rounded}%") }
}

fn by_query(qrels: &Qrels, measures: &[Box<dyn Measure>], scored: &[RunScores], shown: Shown) -> Table {
    let mut table = Table::new("by_query", "By query")
        .column("run", "run")
        .column("measure", "measure")
        .column("topic", "topic")
        .column("value", "value")
        .column("low", "low")
        .column("high", "high");
    if shown.sampling {
        table = table.column("std_error", "std. error of the sample");
    }
    if shown.ties {
        table = with_ties(table);
    }
    for run in scored {
        for (index, measure) in measures.iter().enumerate() {
            let name = measure.spec().to_string();
            let counts = measure.info().aggregate == Aggregate::Sum;
            for (topic, scored) in run.of(index) {
                let ties = match (scored, run.ties_of(topic)) {
                    (Ok(score), None) => TieSummary::settled(score.value),
                    (Ok(_), Some(ties)) => TieSummary::of(&ties[index]),
                    (Err(_), _) => TieSummary::default(),
                };
                let std_error = run.sampling_of(topic, index).filter(|_| scored.is_ok()).map(f64::sqrt);
                let topic = karat_data::names::text(qrels.name(topic));
                let (value, bounds) = match scored {
                    Ok(score) if counts && !shown.probable => (Cell::Count(score.value as u64), score.bounds()),
                    Ok(score) => (Cell::Number(score.value), score.bounds()),
                    Err(_) => (Cell::Missing, None),
                };
                let bounds = bounds.filter(|_| shown.bounds);
                let mut cells = vec![
                    run.name.as_str().into(),
                    name.as_str().into(),
                    topic.into(),
                    value,
                    bounds.map(|(low, _)| low).into(),
                    bounds.map(|(_, high)| high).into(),
                ];
                if shown.sampling {
                    cells.push(std_error.into());
                }
                if shown.ties {
                    let (low, high) = ties.ends.unzip();
                    cells.extend([low.into(), high.into(), ties.expected.into()]);
                }
                table.push(cells);
            }
        }
    }
    table
}

/// What the reader must know about topics: missing, unjudged, without relevant documents. Runs that have the same to
/// say say it together.
fn topic_notes(setting: &Setting<'_>, scored: &[RunScores]) -> Vec<String> {
    use karat_data::MissingTopics;
    let mut notes = Vec::new();
    let missing =
        told_together(scored, |run| (!run.missing.is_empty()).then(|| list_topics(setting.qrels, &run.missing)));
    for (topics, runs) in missing {
        let what = match setting.policy.missing_topics {
            MissingTopics::Zero => "scored there as if nothing had been retrieved",
            MissingTopics::Skip | MissingTopics::Error => "left out of the means",
        };
        notes.push(format!("no row for {topics} in {runs}: {what} (--missing-topics)"));
    }
    let is_judged = |name: &[u8]| setting.uncut.is_some_and(|all| all.find(name).is_some());
    let unjudged = told_together(scored, |run| {
        let names = run.topics.unjudged_topics.iter().map(Vec::as_slice);
        let names: Vec<&[u8]> = names.filter(|name| !is_judged(name)).collect();
        (!names.is_empty()).then(|| list_names(names.iter().copied(), names.len()))
    });
    for (topics, runs) in unjudged {
        notes.push(format!("nobody judged {topics} in {runs}: ignored"));
    }
    notes.extend(barren_notes(setting));
    notes
}

/// What runs have to say, each text once with the runs it holds for: by name up to three, else by number.
fn told_together(scored: &[RunScores], say: impl Fn(&RunScores) -> Option<String>) -> Vec<(String, String)> {
    let mut said: Vec<(String, Vec<&str>)> = Vec::new();
    for run in scored {
        let Some(text) = say(run) else { continue };
        match said.iter_mut().find(|(other, _)| *other == text) {
            Some((_, runs)) => runs.push(&run.name),
            None => said.push((text, vec![&run.name])),
        }
    }
    let name = |runs: Vec<&str>| match runs.len() {
        1..=3 => runs.join(", "),
        count => format!("{count} of {} runs", scored.len()),
    };
    said.into_iter().map(|(text, runs)| (text, name(runs))).collect()
}

/// Topics without a relevant document, for each level that a measure asks for.
fn barren_notes(setting: &Setting<'_>) -> Vec<String> {
    let mut levels: Vec<f64> = setting.measures.iter().filter_map(|measure| measure.level()).collect();
    levels.sort_by(f64::total_cmp);
    levels.dedup();
    let mut notes = Vec::new();
    for level in levels {
        let qrels = setting.qrels;
        let is_barren = |facts: TopicFacts<'_>| facts.relevant(level) == 0;
        let count = qrels.all_facts().filter(|&facts| is_barren(facts)).count();
        if count == 0 {
            continue;
        }
        let barren = qrels.topics().filter(|&topic| is_barren(qrels.facts(topic)));
        let topics = list_names(barren.map(|topic| qrels.name(topic)), count);
        let at = if level == 1.0 { String::new() } else { format!(" at grade {level} or above") };
        notes.push(format!(
            "no document is judged relevant{at} for {topics}: measures that divide by the number of relevant documents \
             are 0 there, as in trec_eval"
        ));
        if setting.collection.max_grade < level {
            notes.push(format!(
                "no grade reaches {level}, so unjudged documents cannot turn out relevant either and bounds are closed; \
                 --max-grade says which grades are possible"
            ));
        }
    }
    notes
}

/// Why bounds are missing, told once for all measures of a kind.
fn bounds_notes(setting: &Setting<'_>, rows: &[Vec<Row>], none_at_all: Option<&str>) -> Vec<String> {
    if let Some(reason) = none_at_all {
        return vec![format!("no bounds: {reason}")];
    }
    let without = |kinds: &[BoundsKind]| -> Vec<String> {
        let measures = setting.measures.iter().enumerate();
        measures
            .filter(|(index, measure)| {
                kinds.contains(&measure.info().bounds) && rows.iter().any(|run| run[*index].bounds.is_none())
            })
            .map(|(_, measure)| measure.spec().to_string())
            .collect()
    };
    let mut notes = Vec::new();
    let estimators: Vec<String> = setting
        .measures
        .iter()
        .filter(|measure| measure.info().bounds == BoundsKind::Estimator)
        .map(|measure| measure.spec().to_string())
        .collect();
    if !estimators.is_empty() {
        notes.push(format!(
            "{}: estimates from the judged part; the bounds are what full judgement could give, and need not hold the \
             estimate",
            estimators.join(", ")
        ));
    }
    let others = without(&[BoundsKind::None, BoundsKind::Exact, BoundsKind::Sound, BoundsKind::Estimator]);
    if !others.is_empty() {
        notes.push(format!(
            "no bounds for {}: not computed yet, or too many unjudged documents to try all",
            others.join(", ")
        ));
    }
    notes
}

/// Intervals that go where no score can be.
fn range_notes(measures: &[Box<dyn Measure>], rows: &[Vec<Row>]) -> Vec<String> {
    let leaves = |index: usize, (least, greatest): (f64, f64)| {
        rows.iter().any(|run| run[index].interval.is_some_and(|(low, high)| low < least || high > greatest))
    };
    let outside: Vec<String> = measures
        .iter()
        .enumerate()
        .filter(|(index, measure)| leaves(*index, measure.info().range))
        .map(|(_, measure)| measure.spec().to_string())
        .collect();
    if outside.is_empty() {
        return Vec::new();
    }
    vec![format!(
        "an interval of {} goes beyond the values a score can have: the topics are too few or too much alike for \
         Student's t; --interval bca stays within",
        outside.join(", ")
    )]
}
