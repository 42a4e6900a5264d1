//! The report, and what is to be said beside the numbers.

use karat_measures::Measure;
use karat_report::{Block, NumberStyle, Report};
use karat_stats::judge_error::{Calibration, RateInterval};

use super::difference::With;
use super::{Compared, Comparison, Correcting, Question, many, tables};
use crate::eval::percent;
use crate::judges;
use crate::scores::{RunScores, Setting};
use crate::unjudged::{Belief, NoBelief};

/// The first so many verdicts are put into sentences for people; programs have all of them.
const SENTENCES: usize = 20;

pub(super) fn report(
    setting: &Setting<'_>,
    scored: &[RunScores],
    mut question: Question<'_>,
    compared: &Compared,
    belief: Option<Result<Belief, NoBelief>>,
) -> Report {
    let mut provenance = std::mem::take(&mut question.provenance);
    for run in scored {
        let facts = &run.topics.facts;
        provenance = provenance.input_in(facts.format, &facts.file, facts.bytes, facts.rows);
    }
    let mut notes = std::mem::take(&mut question.notes);
    let mut report = Report::new("Comparison", "compare", question.version)
        .table(tables::people(setting.measures, &question, compared))
        .block(Block::Text(sentences(setting, compared)))
        .table(tables::tests(setting.measures, compared, SENTENCES))
        .table(tables::comparisons(setting.measures, &question, compared));
    if scored.len() > 2 {
        let (systems, more) = many::systems(setting.measures, scored, &question, compared);
        report = report.table(systems);
        notes.extend(more);
    }
    report = report.table(many::decomposition(setting.measures, scored));
    if question.by_query {
        report = report.table(tables::by_query(setting.qrels, setting.measures, compared));
    }
    notes.extend(topic_notes(setting, compared));
    notes.extend(test_notes(compared));
    notes.push(planning(setting.measures, &question, compared));
    notes.extend(moved(setting, &question, compared));
    if compared.comparisons.len() > setting.measures.len() {
        notes.push(format!(
            "p adjusted for {} pairs a measure: {}",
            compared.comparisons.len() / setting.measures.len().max(1),
            question.correction.title()
        ));
    }
    match &belief {
        Some(Ok(belief)) if compared.comparisons.iter().any(|comparison| comparison.difference.unjudged.is_some()) => {
            let reach = if question.expected {
                "around what is expected (as often relevant as judged ones of the same rank; fitted to all runs given)"
            } else {
                "from the least to the greatest of what is observed (unjudged documents not relevant) and what is expected (as often relevant as judged ones of the same rank; fitted to all runs given)"
            };
            notes.push(format!(
                "intervals hold chance over topics and what unjudged documents probably are ({}), a document counting once however many runs have it: {reach}",
                model(belief)
            ));
        }
        Some(Err(why)) => notes.push(format!("nothing is known of what unjudged documents probably are: {why}")),
        _ => {}
    }
    if let Some(calibration) = setting.calibration {
        notes.extend(judge_notes(setting, calibration, &question, compared));
    }
    if question.expected || setting.calibration.is_some() {
        notes
            .push("ranks and where scores differ are by the scores as they are: neither expected nor corrected".into());
    }
    if let Some(why) = question.no_bounds {
        notes.push(format!("no bounds: {why}"));
    }
    if question.figures {
        let (drawn, note) = crate::figures::of_compare(setting, scored, &question, compared);
        report.blocks.extend(drawn.into_iter().map(Block::Figure));
        notes.extend(note);
    }
    report.provenance = provenance;
    report.notes = notes;
    report
}

/// What is said where the judges' errors are known.
fn judge_notes(
    setting: &Setting<'_>,
    calibration: &Calibration,
    question: &Question<'_>,
    compared: &Compared,
) -> Vec<String> {
    let mut notes = match calibration.discrimination(question.inference.level, RateInterval::ClopperPearson) {
        Ok(d) => judges::warnings(calibration, &d),
        Err(_) => Vec::new(),
    };
    let mut left: Vec<String> = Vec::new();
    for comparison in compared.comparisons.iter().filter(|comparison| comparison.difference.uncorrected) {
        let name = setting.measures[comparison.measure].spec().to_string();
        if !left.contains(&name) {
            left.push(name);
        }
    }
    if left.len() < setting.measures.len() {
        notes.push(
            "one calibration serves both runs, so its error is shared and partly cancels in the difference; value_a and value_b are by the labels as they are"
                .into(),
        );
        let outside = compared.comparisons.iter().any(|comparison| {
            let (least, most) = setting.measures[comparison.measure].info().range;
            let whole = comparison.difference.for_verdict(&question.inference, With::ALL);
            let furthest = whole.map_or(0.0, |(low, high)| low.abs().max(high.abs()));
            comparison.difference.observed.abs().max(furthest) > most - least
        });
        if outside {
            notes.push(
                "warning: a corrected difference, or its interval, is larger than scores can differ: scores and error rates do not fit together. karat eval --calibration \
                 shows each run's corrected score"
                    .into(),
            );
        }
    }
    if setting.bounds && compared.comparisons.iter().any(|comparison| comparison.difference.unjudged.is_some()) {
        notes.push(
            "unjudged documents are taken for what these judges would say of them, errors included: only judged documents are corrected".into(),
        );
    }
    if !left.is_empty() {
        notes.push(format!(
            "not linear in gain, so differences are not corrected (means are, by draws of the labels), and no verdict is given on them: {}",
            left.join(", ")
        ));
    }
    notes.push(judges::ASSUMPTION.into());
    notes
}

/// How the model is called.
fn model(belief: &Belief) -> String {
    belief
        .compared
        .iter()
        .find(|model| model.used)
        .map_or_else(|| "with the probability given".into(), |model| format!("model: {}", model.name))
}

fn sentences(setting: &Setting<'_>, compared: &Compared) -> String {
    let one = |comparison: &Comparison| {
        let who = if comparison.verdict.winner.is_some() {
            String::new()
        } else {
            let (a, b) = comparison.pair;
            format!("{} or {}: undecided; ", compared.names[a], compared.names[b])
        };
        format!("{}: {who}{}", setting.measures[comparison.measure].spec(), comparison.verdict.because)
    };
    let mut lines: Vec<String> = compared.comparisons.iter().take(SENTENCES).map(one).collect();
    if let Some(more) = compared.comparisons.len().checked_sub(SENTENCES).filter(|more| *more > 0) {
        lines.push(format!("and {more} more (-f json has all sentences)"));
    }
    lines.join("\n")
}

fn topic_notes(setting: &Setting<'_>, compared: &Compared) -> Vec<String> {
    let judged = setting.qrels.len();
    let mut seen: Vec<String> = Vec::new();
    for comparison in &compared.comparisons {
        let topics = comparison.difference.topics.len();
        if topics < judged {
            let note = format!(
                "{} against {} on {}: {topics} of {judged} judged topics have a score in both",
                compared.names[comparison.pair.0],
                compared.names[comparison.pair.1],
                setting.measures[comparison.measure].spec()
            );
            if !seen.contains(&note) && seen.len() < SENTENCES {
                seen.push(note);
            }
        }
    }
    seen
}

fn test_notes(compared: &Compared) -> Vec<String> {
    let mut notes: Vec<String> = Vec::new();
    let mut add = |note: String| {
        if !notes.contains(&note) {
            notes.push(note);
        }
    };
    for (test, found) in compared.comparisons.iter().flat_map(|comparison| &comparison.tests) {
        match found {
            Err(why) => add(format!("no {}: {why}", test.title)),
            Ok((evidence, _)) => {
                if let Some(smallest) = evidence.smallest_p.filter(|smallest| evidence.p <= 2.0 * smallest) {
                    add(format!(
                        "{}: its smallest possible p is {} here",
                        test.title,
                        NumberStyle::Significant(2).show(smallest)
                    ));
                }
            }
        }
    }
    notes
}

/// Where the model of unjudged documents moves differences further than chance over topics does.
fn moved(setting: &Setting<'_>, question: &Question<'_>, compared: &Compared) -> Option<String> {
    let far = |comparison: &&Comparison| {
        let difference = &comparison.difference;
        let interval = difference.interval(&question.inference, With::TOPICS);
        difference.unjudged.is_some() && interval.is_ok_and(|found| !found.contains(difference.expected))
    };
    let mut measures: Vec<String> = Vec::new();
    for comparison in compared.comparisons.iter().filter(far) {
        let name = setting.measures[comparison.measure].spec().to_string();
        if !measures.contains(&name) {
            measures.push(name);
        }
    }
    (!measures.is_empty()).then(|| {
        format!(
            "{}: what unjudged documents are taken for moves a difference further than chance over topics does. The model takes them for like the judged documents at the same ranks; \
             documents deep in a list were judged because other systems had them high, so it may take too many for relevant, also where only the number of relevant documents counts (AP@10); \
             --unjudged q=... says otherwise",
            measures.join(", ")
        )
    })
}

/// What so many topics can show.
fn planning(measures: &[Box<dyn Measure>], question: &Question<'_>, compared: &Compared) -> String {
    let show = |value: f64| NumberStyle::Score.show(value);
    let one = |(place, measure): (usize, &dyn Measure)| -> Option<String> {
        let of = compared.comparisons.iter().filter(|comparison| comparison.measure == place);
        let shown = of.filter_map(|comparison| comparison.detectable);
        let (least, most) = shown.fold((f64::INFINITY, 0.0f64), |(least, most), one| (least.min(one), most.max(one)));
        let range = if show(least) == show(most) { show(least) } else { format!("{} to {}", show(least), show(most)) };
        (most > 0.0).then(|| format!("{} {range}", measure.spec()))
    };
    let known: Vec<String> = measures.iter().map(AsRef::as_ref).enumerate().filter_map(one).collect();
    let topics = compared.comparisons.iter().map(|comparison| comparison.difference.topics.len()).max().unwrap_or(0);
    if known.is_empty() {
        return format!("what {topics} topics could show is not known: the differences have no spread");
    }
    format!(
        "smallest difference that {topics} topics would show with a power of {} ({}): {}",
        percent(question.power),
        if matches!(question.correction, Correcting::Tukey) {
            "as large as the randomised Tukey test asks of the best of all pairs, and chance beside"
        } else {
            "paired t, corrected for the number of pairs"
        },
        known.join("; ")
    )
}
