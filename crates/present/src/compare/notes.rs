//! Notes of a comparison.

use karat_analysis::compare::difference::With;
use karat_analysis::compare::{CompareOptions, Compared, Comparison, Correcting};
use karat_analysis::judges;
use karat_analysis::scores::Setting;
use karat_analysis::unjudged::Belief;
use karat_measures::Measure;
use karat_report::NumberStyle;
use karat_stats::judge_error::{Calibration, RateInterval};

use super::SENTENCES;
use crate::words::percent;

/// All notes but those of further analyses.
pub(super) fn notes(setting: &Setting<'_>, options: &CompareOptions<'_>, compared: &Compared) -> Vec<String> {
    let mut notes = topic_notes(setting, compared);
    notes.extend(test_notes(compared));
    notes.push(planning(setting.measures, options, compared));
    notes.extend(moved(setting, options, compared));
    if compared.comparisons.len() > setting.measures.len() {
        notes.push(format!(
            "p adjusted for {} pairs per measure: {}",
            compared.comparisons.len() / setting.measures.len().max(1),
            options.correction.title()
        ));
    }
    match &options.belief {
        Some(Ok(belief)) if compared.comparisons.iter().any(|comparison| comparison.difference.unjudged.is_some()) => {
            notes.push(combined(belief, options.expected));
        }
        Some(Err(why)) => notes.push(format!("no relevance model for unjudged documents: {why}")),
        _ => {}
    }
    if let Some(calibration) = setting.calibration {
        notes.extend(judge_notes(setting, calibration, options, compared));
    }
    if options.expected || setting.calibration.is_some() {
        notes.push("ranks and variance shares use the scores as they are, neither expected nor corrected".into());
    }
    notes
}

/// What intervals with unjudged documents hold.
fn combined(belief: &Belief, expected: bool) -> String {
    let covers = if expected {
        "are around the model estimate"
    } else {
        "cover both treatments: not relevant, and model estimate"
    };
    format!(
        "intervals combine topic sampling error and the relevance model of unjudged documents ({}); they {covers}",
        model(belief)
    )
}

/// What is said where the judges' errors are known.
fn judge_notes(
    setting: &Setting<'_>,
    calibration: &Calibration,
    options: &CompareOptions<'_>,
    compared: &Compared,
) -> Vec<String> {
    let mut notes = match calibration.discrimination(options.inference.level, RateInterval::ClopperPearson) {
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
            let whole = comparison.difference.for_verdict(&options.inference, With::ALL);
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
fn moved(setting: &Setting<'_>, options: &CompareOptions<'_>, compared: &Compared) -> Option<String> {
    let far = |comparison: &&Comparison| {
        let difference = &comparison.difference;
        let interval = difference.interval(&options.inference, With::TOPICS);
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
fn planning(measures: &[Box<dyn Measure>], options: &CompareOptions<'_>, compared: &Compared) -> String {
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
        percent(options.power),
        if matches!(options.correction, Correcting::Tukey) {
            "as large as the randomised Tukey test asks of the best of all pairs, and chance beside"
        } else {
            "paired t, corrected for the number of pairs"
        },
        known.join("; ")
    )
}
