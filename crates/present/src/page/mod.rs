//! The report page: every page_options that the inputs can answer, on one page.
//!
//! The analyses run one after the other (rankings, scores, comparison, budget, judges, published scores) and what they found becomes
//! sections. The one decision: what cannot be answered leaves a section that says why, so that partial inputs give a page that explains
//! itself; only files that cannot be read, or are broken, stop it.

mod budget;
mod evaluation;
mod figures;
mod rankings;
mod sections;
mod summary;
mod verdict_text;

use karat_data::rankings::{TopicCounts, count_topics};
use karat_data::{AlignedRuns, Problems, RunSource, TopicIndex};
use karat_measures::{Measure, gaps};
use karat_report::page::{Definition, Evidence, Page};
use karat_report::{Provenance, Report};
use karat_stats::dist::{normal, student_t};
use karat_stats::seed::Seed;

use karat_analysis::compare::sampled::SampledPair;
use karat_analysis::compare::verdict::Unjudged;
use karat_analysis::scores::{RunScores, Setting};
use karat_analysis::unjudged::Treatment;

use crate::words::percent;
use rankings::Rankings;
use summary::Summary;

/// The options of a page, and its inputs.
pub struct PageOptions<'a> {
    /// All runs.
    pub runs: &'a dyn RunSource,
    /// Some of them, by their places: nobody reads a hundred files to look at two.
    pub choose: &'a dyn Fn(&[usize]) -> AlignedRuns<'a>,
    /// The baseline's name; the first run when not given.
    pub baseline: Option<&'a str>,
    /// Confidence level.
    pub level: f64,
    /// Seed of everything random.
    pub seed: u64,
    /// Draws of the unjudged documents' judgements.
    pub draws: u32,
    /// The least grade that is relevant.
    pub relevance_level: f64,
    /// How many ranks of each list the page carries; as many as a page of a few megabytes has room for where it is not given.
    pub depth: Option<usize>,
    /// The relevance model of unjudged documents, where one is requested.
    pub chances: Option<Treatment>,
    /// How unjudged documents are treated in comparisons.
    pub unjudged: Unjudged,
    /// Why there are no bounds, where the treatment of unjudged documents leaves none.
    pub no_bounds: Option<&'static str>,
    /// Where the numbers come from; the runs are added here.
    pub provenance: Provenance,
    /// The program's version.
    pub version: &'static str,
    /// Notes of the caller's.
    pub notes: Vec<String>,
    /// What the reader should know before the verdict is believed, such as that a correction does harm.
    pub cautions: Vec<String>,
    /// What a judged sample says, by the places of measures and runs; nothing without one.
    pub sampled: Vec<SampledPair>,
    /// What the judges' labels say, where they were given.
    pub judges: Option<Report>,
    /// What published scores say, where they were given.
    pub published: Option<Report>,
    /// The topics' texts.
    pub queries: &'a dyn Fn(&[u8]) -> Option<String>,
    /// The page's title.
    pub title: String,
}

/// Everything the inputs can say.
///
/// # Errors
/// Runs that cannot be read or are broken; a baseline that is none of them.
pub fn page(setting: &Setting<'_>, mut page_options: PageOptions<'_>) -> Result<Page, Problems> {
    let counted = count_topics(setting.qrels, page_options.runs, &setting.policy, setting.threads)?;
    let places: Vec<usize> = (0..counted.len()).filter(|&run| counted[run].judged > 0).collect();
    let mut notes = std::mem::take(&mut page_options.notes);
    notes.extend(without_judgements(&counted));
    let mut provenance = std::mem::take(&mut page_options.provenance);
    for TopicCounts { facts, .. } in &counted {
        provenance = provenance.input_in(facts.format, &facts.file, facts.bytes, facts.rows);
    }
    let mut page = Page {
        title: page_options.title.clone(),
        version: page_options.version,
        definitions: setting.measures.iter().map(|measure| definition(measure.as_ref())).collect(),
        provenance,
        ..Page::default()
    };
    if places.is_empty() {
        page.notes = notes;
        return Ok(without_topics(page, &mut page_options));
    }
    let runs = choose(&places, &mut page_options);
    let answers = evaluation::find_answers(setting, &runs, &page_options)?;
    notes.extend(answers.notes.iter().cloned());
    let (mut summary, evaluation) = (answers.summary, answers.evaluation);
    let scored = &evaluation.scored;
    let budget = budget::find_budget(setting, &page_options, &places, &mut summary)?;
    let depth = page_options.depth.unwrap_or_else(|| carried_depth(setting.qrels.len() * places.len()));
    let rankings = Rankings::read(setting.qrels, &runs, &setting.policy, depth, setting.threads)?;
    let evidence = evidence(setting, &page_options, depth, scored, &summary, rankings.evidence(setting.qrels));
    page.verdict = verdict_text::verdict(&summary);
    add_cautions(&mut page, &mut page_options);
    let given = sections::Given { setting, page_options: &page_options, depth, scored, summary: &summary };
    let drawn = figures::draw_all(&given, &runs, &evaluation)?;
    let (sections, figures) = sections::all(&given, drawn, answers.tables, budget);
    page.sections = sections;
    page.sections.extend(sections::given(&mut page_options));
    page.evidence = Some(Evidence { figures, ..evidence });
    page.notes = notes;
    Ok(page)
}

/// The page where no run shares a topic with the judgements.
fn without_topics(mut page: Page, page_options: &mut PageOptions<'_>) -> Page {
    page.verdict = verdict_text::verdict(&Summary::default());
    let advice = [
        "Check that runs and judgements belong together and write topics alike (leading zeros, prefixes).",
        "karat check with the same files says more about each of them.",
    ];
    page.verdict.points = vec![("What to do".into(), advice.map(Into::into).into())];
    add_cautions(&mut page, page_options);
    page.sections = sections::nothing("no run shares a topic with the judgements", page_options);
    page
}

/// Puts the caller's cautions before everything else that the verdict says.
fn add_cautions(page: &mut Page, page_options: &mut PageOptions<'_>) {
    if !page_options.cautions.is_empty() {
        page.verdict.points.insert(0, ("Before you believe it".into(), std::mem::take(&mut page_options.cautions)));
    }
}

/// The number of ranks that a page carries of so many lists, where it is not given: all of them together a megabyte or ten.
fn carried_depth(lists: usize) -> usize {
    (MOST_RANKS / lists.max(1)).clamp(FEWEST_RANKS, USUAL_RANKS)
}

const MOST_RANKS: usize = 1_000_000;
const FEWEST_RANKS: usize = 20;
const USUAL_RANKS: usize = 100;

/// The runs at these places, and what a sample says by their places among them.
fn choose<'a>(places: &[usize], page_options: &mut PageOptions<'a>) -> AlignedRuns<'a> {
    let place = |run: usize| places.iter().position(|&other| other == run);
    let own = |one: SampledPair| Some(SampledPair { pair: (place(one.pair.0)?, place(one.pair.1)?), ..one });
    page_options.sampled = std::mem::take(&mut page_options.sampled).into_iter().filter_map(own).collect();
    (page_options.choose)(places)
}

/// Runs without a judged topic.
fn without_judgements(counted: &[TopicCounts]) -> Vec<String> {
    let words = |run: &TopicCounts| {
        format!(
            "{} shares no topic with the judgements and is left out; check that they belong together and write topics alike (leading zeros, prefixes)",
            run.facts.file
        )
    };
    counted.iter().filter(|run| run.judged == 0).map(words).collect()
}

/// What the table of measures says of one.
fn definition(measure: &dyn Measure) -> Definition {
    let info = measure.info();
    Definition {
        name: measure.spec().to_string(),
        summary: info.summary.into(),
        formula: info.formula.into(),
        reading: info.reading.into(),
        misleads: info.misleads.into(),
        bounds: gaps::sentence(info),
        citation: info.citation.text.into(),
        bibtex: info.citation.bibtex.into(),
    }
}

/// What the page's script works with.
fn evidence(
    setting: &Setting<'_>,
    page_options: &PageOptions<'_>,
    depth: usize,
    scored: &[RunScores],
    summary: &Summary,
    rankings: Vec<karat_report::page::TopicEvidence>,
) -> Evidence {
    let topics: Vec<TopicIndex> = setting.qrels.topics().collect();
    let score = |run: &RunScores, measure: usize, topic: TopicIndex| {
        let scored = run.topics.get(topic)?[measure].as_ref().ok()?;
        let (low, high) = scored.bounds().filter(|_| setting.bounds).unwrap_or((f64::NAN, f64::NAN));
        Some([scored.value, low, high])
    };
    let of_run =
        |run: &RunScores, measure: usize| topics.iter().map(|&topic| score(run, measure, topic)).collect::<Vec<_>>();
    let by_measure = |measure: usize| scored.iter().map(|run| of_run(run, measure)).collect::<Vec<_>>();
    let quantile = |run: &RunScores| {
        let count = run.topics.iter().count();
        let enough = count >= karat_stats::interval::HANDFUL;
        enough.then(|| student_t::upper_quantile((1.0 - page_options.level) / 2.0, count as f64 - 1.0).ok()).flatten()
    };
    let relevant = setting.collection.max_grade >= page_options.relevance_level;
    Evidence {
        measures: summary.measures.clone(),
        runs: summary.runs.clone(),
        topics: topics.iter().map(|&topic| karat_data::names::text(setting.qrels.name(topic))).collect(),
        queries: topics.iter().map(|&topic| (page_options.queries)(setting.qrels.name(topic))).collect(),
        first: summary.first(),
        pair: summary.pair(),
        level: page_options.level,
        relevance_level: page_options.relevance_level,
        greatest_gain: f64::from(u8::from(relevant)),
        depth,
        scores: (0..setting.measures.len()).map(by_measure).collect(),
        standings: summary.standings.clone(),
        pairs: summary.pairs(),
        rankings,
        texts: Vec::new(),
        missing_is_zero: setting.policy.missing_topics == karat_data::MissingTopics::Zero,
        quantiles: scored.iter().map(quantile).collect(),
        normal_quantile: normal::upper_quantile((1.0 - page_options.level) / 2.0).unwrap_or(0.0),
        figures: Vec::new(),
    }
}

/// A level as the page writes it.
pub(crate) fn level(page_options: &PageOptions<'_>) -> String {
    percent(page_options.level)
}

/// The seed as the studies take it.
pub(crate) fn seed(page_options: &PageOptions<'_>) -> Seed {
    Seed(page_options.seed)
}
