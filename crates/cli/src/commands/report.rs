//! `karat report QRELS RUN... -o report.html`

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use clap::Args;
use karat_analysis::compare::sampled::SampledPair;
use karat_analysis::compare::verdict::Unjudged;
use karat_analysis::eval::PREFERENCE_MEASURES;
use karat_analysis::judges::{AgreeOptions, agree};
use karat_analysis::published::answer::{CompareOptions, compare, fans};
use karat_analysis::scores::Setting;
use karat_data::RunSource;
use karat_data::names::text as name;
use karat_formats::Input;
use karat_formats::texts::{self, Texts};
use karat_present::Context;
use karat_present::judges::problems;
use karat_present::page::{PageOptions, page};
use karat_report::page::{Page, TopicEvidence};
use karat_report::{Block, Provenance, Report};
use karat_stats::Seed;

use super::settle::options_of;
use super::{VERSION, published};
use crate::command::ScoringInputs;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::figure::FiguresOptions;
use crate::labels::LabelOptions;
use crate::options::{self, Color, Draws, EvaluationOptions, Prepared, check_level, note_choices};
use crate::outputs::Outputs;
use crate::samples::Samples;

/// Measures without -m.
pub(super) const DEFAULT_MEASURES: &[&str] = &["AP", "nDCG@10", "P@10", "RBP(p=0.8)"];

/// Characters of a document's text that the page carries.
const LONGEST_TEXT: usize = 280;

/// Write one HTML page with scores, comparisons and figures
///
/// The page has the verdict, the scores with intervals and bounds, all pairs, all topics with their rankings, curves, the uncertainty budget,
/// and the definitions of the measures. It is self-contained: it needs no network.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Judgements file, or `-` for standard input. Format and compression are detected
    qrels: String,
    /// One or more runs
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<String>,
    #[command(flatten)]
    evaluation: EvaluationOptions,
    /// File to write the page to
    #[arg(short, long, value_name = "FILE", default_value = "report.html")]
    output: PathBuf,
    /// Name of the run that the others are compared with [default: the first run]
    #[arg(long, value_name = "NAME")]
    baseline: Option<String>,
    /// Confidence level
    #[arg(long, value_name = "LEVEL", default_value_t = 0.95)]
    level: f64,
    /// Number of ranks per ranking that the page includes [default: 100, fewer with more than 10,000 rankings]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    rankings_depth: Option<u32>,
    /// Texts of the topics: TREC SGML (`<top>`), lines of name, tab and text, CSV or TSV with a header, or JSON objects
    #[arg(long, value_name = "FILE")]
    queries: Option<String>,
    /// Texts of the documents: JSON objects, CSV or TSV with a name (docno, _id, id, ...) and title, text or contents
    #[arg(long, value_name = "FILE", alias = "docs")]
    corpus: Option<String>,
    /// Correct measures for the judges' errors; FILE is written by karat judges calibrate -o
    #[arg(long, value_name = "FILE")]
    calibration: Option<String>,
    /// Labels of several judges, to show their agreement (repeatable)
    #[arg(long, value_name = "FILE")]
    labels: Vec<String>,
    #[command(flatten)]
    reading: LabelOptions,
    /// Published RBP scores (system, p, score, residual), to convert to other values of p
    #[arg(long, value_name = "FILE")]
    published: Option<String>,
    /// Judged form of a sample that karat settle drew (repeatable, one per batch): verdicts on its runs and measures rest on it
    #[arg(long, value_name = "FORM", conflicts_with = "calibration")]
    sample: Vec<String>,
    /// Allow rows of --sample without a label: the interval allows for every label they may have
    #[arg(long, requires = "sample")]
    partial: bool,
    /// Maximum number of simulated judgement sets; stops early once the estimate is precise enough
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(20..=100_000))]
    draws: u32,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    figures: FiguresOptions,
}

/// First sentence of a page with a calibration.
const CORRECTED: &str = "Scores are corrected for the judges' errors (--calibration) where the measure allows it. Curves, rankings and RBP with another p use the uncorrected labels.";

/// Refuses a name that says that something else is in the file.
fn is_page(path: &Path) -> Result<(), Failure> {
    let page = |ending: &std::ffi::OsStr| ["html", "htm", "xhtml"].iter().any(|own| ending.eq_ignore_ascii_case(own));
    if path.as_os_str() == "-" || path.extension().is_none_or(page) {
        return Ok(());
    }
    let why =
        "a report is a page for a browser; end its name with .html (karat eval and karat compare write other formats)";
    Err(Failure::usage(format!("-o {}: {why}", path.display())))
}

impl Arguments {
    fn inputs(&self) -> ScoringInputs<'_> {
        ScoringInputs {
            qrels: &self.qrels,
            runs: &self.runs,
            evaluation: &self.evaluation,
            calibration: self.calibration.as_ref(),
        }
    }

    /// Refuses options that cannot be followed, before anything is read.
    fn check(&self) -> Result<(), Failure> {
        check_level(self.level)?;
        self.figures.check()?;
        self.evaluation.chances()?;
        let given = [&self.queries, &self.corpus, &self.published].into_iter().flatten();
        let inputs = self.inputs().files(given.chain(&self.labels).chain(&self.sample));
        Outputs::default().and("-o", Some(&self.output)).check(&inputs)?;
        is_page(&self.output)
    }

    /// The judged sample, where one is given.
    fn samples(&self, environment: &Environment) -> Result<Option<Samples>, Failure> {
        if !self.sample.is_empty() && self.evaluation.treatment() == Unjudged::Modelled {
            return Err(Failure::usage("--sample says what unjudged documents are; leave --unjudged and -J out"));
        }
        let given = (!self.sample.is_empty()).then(|| Samples::read(environment, &self.sample, self.partial));
        given.transpose()
    }

    /// Reads the judgements, without those of a sample, and opens the runs.
    fn read(&self, environment: &Environment, samples: Option<&Samples>) -> Result<(Prepared, Vec<Input>), Failure> {
        let options = &self.evaluation;
        let (qrels, runs) = options::open(environment, &self.qrels, &self.runs)?;
        let judgements = options.qrels(environment, &qrels)?;
        let defaults = if judgements.qrels.kind().has_grades() { DEFAULT_MEASURES } else { PREFERENCE_MEASURES };
        // The page opens with the measure of the sample.
        let mut own = samples.map_or_else(Vec::new, Samples::measures);
        own.extend(defaults.iter().filter(|name| !own.contains(name)).copied().collect::<Vec<_>>());
        let measures = options.measures(&own)?;
        let mut prepared = Prepared::of(options, environment, judgements, measures, self.calibration.as_deref())?;
        if let Some(samples) = samples {
            samples.take_out(&mut prepared, options)?;
        }
        Ok((prepared, runs))
    }

    /// What a judged sample says, with notes on it.
    fn sampled(
        &self,
        samples: Option<&Samples>,
        (setting, runs): (&Setting<'_>, &dyn RunSource),
        prepared: &Prepared,
    ) -> Result<(Vec<SampledPair>, Vec<String>), Failure> {
        let Some(samples) = samples else { return Ok(Default::default()) };
        let file = prepared.judgements.facts.file.as_str();
        samples.of_page(
            setting,
            runs,
            (options_of(&self.evaluation), file, self.evaluation.relevance_level),
            self.level,
        )
    }

    fn provenance(&self, environment: &Environment, prepared: &Prepared, samples: Option<&Samples>) -> Provenance {
        let provenance = self.inputs().provenance(environment, prepared, |options| {
            let provenance = options
                .option("baseline", self.baseline.as_deref().unwrap_or("first"))
                .option("level", self.level)
                .option("draws", self.draws)
                .seed(self.seed);
            match self.rankings_depth {
                Some(depth) => provenance.option("rankings_depth", depth),
                None => provenance,
            }
        });
        samples.iter().fold(provenance, |provenance, samples| samples.provenance(provenance))
    }

    /// What the reader should know before the verdict.
    fn cautions(&self, environment: &Environment) -> Vec<String> {
        let corrected = self.calibration.iter().map(|_| CORRECTED.into());
        corrected.chain(self.inputs().cautions(environment)).collect()
    }
}

/// What the page shows beside judgements and runs, and where all of it comes from.
struct Beside {
    queries: Texts,
    judges: Option<Report>,
    published: Option<Report>,
    provenance: Provenance,
}

impl Beside {
    fn read(arguments: &Arguments, environment: &Environment, provenance: Provenance) -> Result<Beside, Failure> {
        let (queries, provenance) = topic_texts(arguments, environment, provenance)?;
        let (judges, provenance) = judges(arguments, environment, provenance)?;
        let (published, provenance) = published_scores(arguments, environment, provenance)?;
        Ok(Beside { queries, judges, published, provenance })
    }
}

/// Runs the command.
///
/// # Errors
/// Whatever keeps it from answering.
pub fn run(arguments: &Arguments, environment: &Environment) -> Result<(), Failure> {
    arguments.check()?;
    let page = build(arguments, environment)?;
    write(arguments, environment, &page)?;
    // A page without evidence says so itself; a script must see it too.
    match page.evidence {
        Some(_) => Ok(()),
        None => Err(Failure::usage(
            "no run shares a topic with the judgements; the page has no results\n\
             help: check that runs and judgements belong together and write topics alike (leading zeros, prefixes)",
        )),
    }
}

/// Makes the page. The runs are let go at the end: writing the page takes memory of its own.
fn build(arguments: &Arguments, environment: &Environment) -> Result<Page, Failure> {
    let options = &arguments.evaluation;
    let samples = arguments.samples(environment)?;
    let (prepared, inputs) = arguments.read(environment, samples.as_ref())?;
    let setting = prepared.setting(options);
    let runs = options.align(&setting, inputs.clone())?;
    let choose = |places: &[usize]| {
        let files = options.runs(places.iter().map(|&place| inputs[place].clone()).collect());
        runs.some(places, files)
    };
    let draws = Draws { count: arguments.draws, seed: arguments.seed };
    let relevance_model = options.requested_model(&setting, &runs, draws)?;
    let setting = Setting { relevance_model: relevance_model.as_ref(), ..setting };
    let (sampled, sample_notes) = arguments.sampled(samples.as_ref(), (&setting, &runs), &prepared)?;
    let provenance = arguments.provenance(environment, &prepared, samples.as_ref());
    let Beside { queries, judges, published, provenance } = Beside::read(arguments, environment, provenance)?;
    let page_options = PageOptions {
        runs: &runs,
        choose: &choose,
        baseline: arguments.baseline.as_deref(),
        level: arguments.level,
        seed: arguments.seed,
        draws: arguments.draws,
        relevance_level: options.relevance_level,
        depth: arguments.rankings_depth.map(|depth| depth as usize),
        chances: options.chances()?,
        unjudged: options.treatment(),
        no_bounds: options.why_no_bounds(),
        provenance,
        version: VERSION,
        notes: note_choices(&options.choices()).into_iter().chain(sample_notes).collect(),
        sampled,
        cautions: arguments.cautions(environment),
        judges,
        published,
        queries: &|topic| queries.get(topic).cloned(),
        title: format!("Report on {}", named(&arguments.runs)),
    };
    complete(arguments, environment, &queries, page(&setting, page_options)?)
}

/// Adds the documents' texts, and a note on texts that belong to no topic.
fn complete(
    arguments: &Arguments,
    environment: &Environment,
    queries: &Texts,
    mut page: Page,
) -> Result<Page, Failure> {
    document_texts(arguments, environment, &mut page)?;
    note_unknown_topics(arguments, queries, &mut page);
    Ok(page)
}

/// Says that the file of texts knows none of the topics.
fn note_unknown_topics(arguments: &Arguments, queries: &Texts, page: &mut Page) {
    let unknown = |topic: &String| !queries.contains_key(topic.as_bytes());
    if let (Some(file), Some(evidence)) = (&arguments.queries, &page.evidence)
        && evidence.topics.iter().all(unknown)
    {
        page.notes.push(format!("{file} has the text of none of the topics; check that it names them alike"));
    }
}

/// Writes the page and its figures, and says what it concludes.
fn write(arguments: &Arguments, environment: &Environment, page: &Page) -> Result<(), Failure> {
    arguments.figures.save_page(page)?;
    environment.write_page(page, &arguments.output)?;
    let mut headline = String::new();
    let width = crate::output::render_options(Color::Never, environment.is_terminal()).width;
    karat_report::wrap(&page.verdict.headline, width, 0, &mut headline);
    if arguments.output != Path::new("-") {
        environment.say(format!("{headline}\nWritten to {}\n", arguments.output.display()).as_bytes())
    } else if environment.keeps() {
        environment.say(format!("{headline}\n").as_bytes())
    } else {
        Ok(())
    }
}

/// "3 runs", or the name of the one there is.
fn named(runs: &[String]) -> String {
    match runs {
        [one] => one.clone(),
        all => format!("{} runs", all.len()),
    }
}

fn topic_texts(
    arguments: &Arguments,
    environment: &Environment,
    provenance: Provenance,
) -> Result<(Texts, Provenance), Failure> {
    let Some(file) = &arguments.queries else { return Ok((Texts::new(), provenance)) };
    let input = environment.inputs(std::slice::from_ref(file))?.remove(0);
    let (found, bytes, rows) = texts::topics(&input)?;
    Ok((found, provenance.input(file.as_str(), bytes, rows)))
}

/// Adds the texts of documents that the page shows.
fn document_texts(arguments: &Arguments, environment: &Environment, page: &mut Page) -> Result<(), Failure> {
    let (Some(file), Some(evidence)) = (&arguments.corpus, &mut page.evidence) else { return Ok(()) };
    let shown: HashSet<&str> = evidence.rankings.iter().flat_map(documents).collect();
    let input = environment.inputs(std::slice::from_ref(file))?.remove(0);
    let wanted = |docno: &[u8]| shown.contains(name(docno).as_str());
    let found = texts::corpus::documents(&input, &wanted)?;
    if found.documents.is_empty() {
        page.notes.push(format!(
            "{file} has the text of none of the documents in the rankings; check that it names them alike"
        ));
    }
    let mut texts: Vec<(String, String)> =
        found.documents.iter().map(|(docno, text)| (name(docno), text.line(LONGEST_TEXT))).collect();
    texts.sort();
    evidence.texts = texts;
    let provenance = std::mem::take(&mut page.provenance);
    page.provenance = provenance.input(file.as_str(), found.bytes, found.rows);
    Ok(())
}

fn documents(topic: &TopicEvidence) -> impl Iterator<Item = &str> {
    topic.documents.iter().map(String::as_str)
}

/// What several judges' labels say of their agreement.
fn judges(
    arguments: &Arguments,
    environment: &Environment,
    provenance: Provenance,
) -> Result<(Option<Report>, Provenance), Failure> {
    if arguments.labels.is_empty() {
        return Ok((None, provenance));
    }
    let given = arguments.reading.read(environment, &arguments.labels)?;
    let options = AgreeOptions {
        labels: &given.labels,
        scale: arguments.reading.scale()?,
        level: arguments.level,
        resamples: 1000,
        seed: Seed(arguments.seed),
        runs: None,
    };
    let context = Context { version: VERSION, ..Context::default() };
    let report = karat_present::judges::agree::report(agree(&options).map_err(problems)?, false, context);
    Ok((Some(report), arguments.reading.provenance(given.provenance(provenance))))
}

/// What published scores say at another p.
fn published_scores(
    arguments: &Arguments,
    environment: &Environment,
    provenance: Provenance,
) -> Result<(Option<Report>, Provenance), Failure> {
    let Some(file) = &arguments.published else { return Ok((None, provenance)) };
    let (systems, bytes) = published::compare::from_file(environment, file, None, false)?;
    let (rows, drawn) = (systems.len() as u64, karat_present::published::fan::systems_figure(&fans(&systems)));
    let answer = compare(&CompareOptions { systems, at: Vec::new(), single_topic: false });
    let context = karat_present::Context { version: VERSION, ..Default::default() };
    let mut report = karat_present::published::compare::report(answer, true, context);
    report.blocks.insert(0, Block::Figure(drawn));
    Ok((Some(report), provenance.input(file.as_str(), bytes, rows)))
}
