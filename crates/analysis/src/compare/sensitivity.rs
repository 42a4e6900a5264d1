//! Does the winner depend on choices that nobody argued for?
//!
//! The one decision: the whole comparison is made anew for each other value of a choice, one choice at a time, and its verdict is set beside the one
//! given, so "undecided" counts too. What unjudged documents probably are is taken from the model already fitted.

use karat_data::{MissingTopics, Policy, Problems, RunSource, Ties};
use karat_measures::Measure;
use karat_measures::spec::{CUTOFF, MeasureSpec, Value};
use karat_report::{Column, NumberStyle, Table};

use super::{CompareOptions, Comparison, DECIDING, Side, find};
use crate::scores::{RunScores, Setting};
use crate::unjudged::Belief;

/// Persistences that are tried.
const PERSISTENCES: [f64; 3] = [0.5, 0.8, 0.95];
/// Cut-offs that are tried.
const CUTOFFS: [usize; 4] = [5, 10, 20, 100];
/// More grades than this are no levels.
const MOST_GRADES: usize = 20;
/// The first so many findings are put into sentences.
const SENTENCES: usize = 20;

/// Another value of a choice, and what comes out.
struct Variant {
    choice: &'static str,
    setting: String,
    comparison: Comparison,
    /// The measure's place among those given.
    of: usize,
}

/// Another form of a measure.
struct Other {
    of: usize,
    choice: &'static str,
    setting: String,
    measure: Box<dyn Measure>,
}

/// The other forms of a measure: each parameter that people choose by habit, one at a time.
fn others(of: usize, given: &dyn Measure, grades: &[f64]) -> Vec<Other> {
    let spec = given.spec();
    let mut found: Vec<Other> = Vec::new();
    let mut add = |choice: &'static str, setting: String, changed: MeasureSpec| {
        // A form that cannot be built is no choice; one that prints the same is the one given.
        let Ok(measure) = changed.build() else { return };
        if measure.spec().to_string() != spec.to_string() {
            found.push(Other { of, choice, setting, measure });
        }
    };
    for parameter in given.info().parameters {
        match parameter.name {
            "p" => PERSISTENCES.iter().for_each(|&p| add("p", p.to_string(), spec.changed("p", Value::Number(p)))),
            "cutoff" if parameter.legal.starts_with(CUTOFF.legal) => {
                CUTOFFS.iter().for_each(|&k| add("cut-off", k.to_string(), spec.clone().cutoff(k)));
                add("cut-off", "none".into(), spec.clone().without_cutoff());
            }
            "dcg" | "gain" | "gains" => {
                // The words of "log2 or exp-log2", "binary, linear or topic"; maps are not words.
                let words = parameter.legal.split([',', ' ']).filter(|word| !word.is_empty() && *word != "or");
                for word in words.filter(|_| !parameter.legal.contains('{')) {
                    add("gains", word.to_owned(), spec.changed(parameter.name, Value::Word(word.to_owned())));
                }
            }
            "rel" => {
                for &grade in grades {
                    let setting = format!("from grade {grade}");
                    add("relevance threshold", setting, spec.changed("rel", Value::Number(grade)));
                }
            }
            _ => {}
        }
    }
    found
}

/// Grades above 0 that were given.
fn grades(setting: &Setting<'_>) -> Vec<f64> {
    let judged = setting.uncut.unwrap_or(setting.qrels);
    let mut grades: Vec<f64> = judged
        .all_facts()
        .flat_map(|facts| facts.grades)
        .map(|(grade, _)| grade.value())
        .filter(|&grade| grade > 0.0)
        .collect();
    grades.sort_by(f64::total_cmp);
    grades.dedup();
    if grades.len() > MOST_GRADES { Vec::new() } else { grades }
}

/// Other ways for runs to meet judgements.
fn policies(given: Policy, scored: &[RunScores]) -> Vec<(&'static str, &'static str, Policy)> {
    let ties = [("docno", Ties::Docno), ("docno rising", Ties::DocnoRising), ("file", Ties::File)];
    // The range is around the order by docno.
    let now = if given.ties == Ties::Range { Ties::Docno } else { given.ties };
    let other_ties = ties.into_iter().filter(|(_, ties)| *ties != now);
    let mut all: Vec<_> = other_ties.map(|(name, ties)| ("ties", name, Policy { ties, ..given })).collect();
    if scored.iter().any(|run| !run.missing.is_empty()) {
        let missing = [("zero", MissingTopics::Zero), ("skip", MissingTopics::Skip)];
        let other = missing.into_iter().filter(|(_, missing)| *missing != given.missing_topics);
        all.extend(other.map(|(name, missing_topics)| ("missing topics", name, Policy { missing_topics, ..given })));
    }
    all
}

/// The table, one sentence a comparison, and notes.
pub(super) fn sensitivity(
    setting: &Setting<'_>,
    runs: &dyn RunSource,
    options: &CompareOptions<'_>,
    belief: Option<&Belief>,
    (scored, given): (&[RunScores], &[Comparison]),
) -> Result<(Table, String, Vec<String>), Problems> {
    let grades = grades(setting);
    let others: Vec<Other> =
        setting.measures.iter().enumerate().flat_map(|(of, measure)| others(of, measure.as_ref(), &grades)).collect();
    let mut variants = Vec::new();
    let (forms, labels): (Vec<Box<dyn Measure>>, Vec<_>) =
        others.into_iter().map(|other| (other.measure, (other.of, other.choice, other.setting))).unzip();
    if !forms.is_empty() {
        let found = find(&Setting { measures: &forms, ..*setting }, runs, options, belief)?;
        variants.extend(found.comparisons.into_iter().map(|comparison| {
            let (of, choice, setting) = labels[comparison.measure].clone();
            Variant { choice, setting, comparison, of }
        }));
    }
    let mut notes = Vec::new();
    for (choice, name, policy) in policies(setting.policy, scored) {
        match find(&Setting { policy, ..*setting }, runs, options, belief) {
            Ok(found) => variants.extend(found.comparisons.into_iter().map(|comparison| Variant {
                choice,
                setting: name.to_owned(),
                of: comparison.measure,
                comparison,
            })),
            Err(_) => {
                notes.push(format!("sensitivity: no comparison with {choice} {name}, which leaves no topic in common"))
            }
        }
    }
    if scored.iter().all(|run| run.missing.is_empty()) {
        notes.push(
            "sensitivity: no run lacks a judged topic, so it does not matter what is done with missing topics".into(),
        );
    }
    let names: Vec<&str> = scored.iter().map(|run| run.name.as_str()).collect();
    let mut table = Table::new("sensitivity", "Sensitivity")
        .column("measure", "measure")
        .column("a", "a")
        .column("b", "b")
        .column("choice", "choice")
        .column("setting", "setting")
        .column("difference", "a − b")
        .with(Column::new("p", "p").style(NumberStyle::P))
        .column("winner", "better")
        .column("same", "same");
    let mut sentences = Vec::new();
    for base in given {
        let measure = setting.measures[base.measure].spec().to_string();
        let own: Vec<&Variant> =
            variants.iter().filter(|other| other.of == base.measure && other.comparison.pair == base.pair).collect();
        let (a, b) = (names[base.pair.0], names[base.pair.1]);
        let mut push = |choice: &str, value: &str, comparison: &Comparison| {
            let p = comparison.tests.iter().find(|(test, _)| test.name == DECIDING);
            table.push([
                measure.as_str().into(),
                a.into(),
                b.into(),
                choice.into(),
                value.into(),
                comparison.difference.observed.into(),
                p.and_then(|(_, found)| found.as_ref().ok()).map(|(_, adjusted)| *adjusted).into(),
                winner(comparison, a, b).into(),
                (comparison.verdict.winner == base.verdict.winner).into(),
            ]);
        };
        push("as given", "", base);
        own.iter().for_each(|other| push(other.choice, &other.setting, &other.comparison));
        sentences.push(sentence(&measure, (a, b), base, &own));
    }
    if let Some(more) = sentences.len().checked_sub(SENTENCES).filter(|more| *more > 0) {
        sentences.truncate(SENTENCES);
        sentences.push(format!("and {more} more (-f json has all)"));
    }
    Ok((table, sentences.join("\n"), notes))
}

fn winner<'n>(comparison: &Comparison, a: &'n str, b: &'n str) -> &'n str {
    match comparison.verdict.winner {
        Some(Side::A) => a,
        Some(Side::B) => b,
        None => "undecided",
    }
}

/// "nDCG@10, x against y: the winner, y, does not depend on gains, ties; it changes with cut-off (5: undecided)".
fn sentence(measure: &str, (a, b): (&str, &str), base: &Comparison, own: &[&Variant]) -> String {
    let mut steady: Vec<&str> = Vec::new();
    let mut moving: Vec<(&str, Vec<String>)> = Vec::new();
    for other in own {
        if other.comparison.verdict.winner == base.verdict.winner {
            if !steady.contains(&other.choice) {
                steady.push(other.choice);
            }
            continue;
        }
        let told = format!("{}: {}", other.setting, winner(&other.comparison, a, b));
        match moving.iter_mut().find(|(choice, _)| *choice == other.choice) {
            Some((_, settings)) => settings.push(told),
            None => moving.push((other.choice, vec![told])),
        }
    }
    steady.retain(|choice| moving.iter().all(|(moved, _)| moved != choice));
    let changes: Vec<String> =
        moving.iter().map(|(choice, settings)| format!("{choice} ({})", settings.join(", "))).collect();
    let mut parts = Vec::new();
    match base.verdict.winner {
        Some(_) if !steady.is_empty() => {
            parts.push(format!("the winner, {}, does not depend on {}", winner(base, a, b), steady.join(", ")));
        }
        Some(_) => parts.push(format!("the winner is {}", winner(base, a, b))),
        None if !steady.is_empty() => parts.push(format!("undecided, which does not depend on {}", steady.join(", "))),
        None => parts.push("undecided".into()),
    }
    parts.push(match (changes.is_empty(), own.is_empty()) {
        (false, _) => format!("it changes with {}", changes.join(", ")),
        (true, true) => "there is no other choice to try".into(),
        (true, false) => "nothing that was tried changes it".into(),
    });
    let said = parts.join("; ");
    format!("{measure}, {a} against {b}: {said}")
}
