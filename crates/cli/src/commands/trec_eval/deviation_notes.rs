//! Which deviations a run met: one line each, for standard error.

use karat_data::{Qrels, TopicIndex};
use karat_formats::QrelsFacts;
use karat_measures::trec_eval::{Answer, Profile, Quantity, Selection};
use karat_present::words::list_topics;

use super::arguments::Arguments;
use super::deviations::note;
use super::evaluate::Evaluated;
use super::zscores::MISSING;

const TWO_GIBIBYTES: u64 = 1 << 31;

/// What there is to say about this run.
pub fn notes(
    qrels: &Qrels,
    facts: &QrelsFacts,
    selection: &Selection,
    evaluated: &Evaluated,
    asked: &Arguments,
) -> Vec<String> {
    let chosen = selection.notes.iter().map(|chosen| note(chosen.deviation, &chosen.what));
    let mut notes: Vec<String> = asked.notes.iter().cloned().chain(chosen).collect();
    let mut say = |id: &str, what: &str| notes.push(note(id, what));
    let asks = |wanted: &dyn Fn(&Quantity) -> bool| selection.lines.iter().any(|line| wanted(&line.quantity));
    let missing: Vec<TopicIndex> = evaluated.found.missing().collect();
    let answers: Vec<(TopicIndex, &Answer)> =
        evaluated.found.iter().map(|(topic, answers)| (topic, &answers[0])).collect();
    let topics = |wanted: &dyn Fn(TopicIndex, &Answer) -> bool| -> Vec<TopicIndex> {
        answers.iter().filter(|(topic, answer)| wanted(*topic, answer)).map(|(topic, _)| *topic).collect()
    };

    if facts.blank_lines > 0 {
        say("qrels-blank-line", &format!("{} passed over in {}", plural(facts.blank_lines, "blank line"), facts.file));
    }
    if facts.comments > 0 && asked.profile == Profile::Nine {
        say("comments-in-9", &format!("{} passed over in {}", plural(facts.comments, "comment"), facts.file));
    }
    if facts.bytes.max(evaluated.found.facts.bytes) >= TWO_GIBIBYTES {
        say("two-gibibytes", "trec_eval could not read a file of this size");
    }
    if !missing.is_empty() && !asked.complete && asked.profile == Profile::Ten {
        let which = list_topics(qrels, &missing);
        say("missing-topics-abort", &format!("the run has no row for {which}: left out of the means (-c counts them)"));
    }
    let left_over = selection.lines.iter().any(|line| match &line.quantity {
        Quantity::Measure(measure) => measure.info().name == "Utility" && line.label != "utility",
        Quantity::Residual(_) => line.label != "rbp_resid",
        Quantity::RelString(_) => line.label != "relstring",
        _ => false,
    });
    if left_over && !missing.is_empty() && asked.complete && asked.profile == Profile::Ten {
        say("missing-topic-leftovers", &format!("{} scored on an empty list", list_topics(qrels, &missing)));
    }
    if asked.complete && asked.profile == Profile::Nine && asks(&|quantity| is(quantity, "NumRel")) {
        let count = |level: f64| qrels.topics().map(|topic| u64::from(qrels.facts(topic).relevant(level))).sum::<u64>();
        if count(asked.level) != count(1.0) {
            say("complete-num-rel", &format!("num_rel counts grades from {} on, as -l says", asked.level));
        }
    }
    let barren = topics(&|topic, _| qrels.facts(topic).judged() == 0);
    if !barren.is_empty() {
        say("nothing-judged", &format!("{} with negative grades only: scored 0", list_topics(qrels, &barren)));
    }
    let empty = topics(&|_, answer| answer.ranked == 0);
    if !empty.is_empty() && asks(&Quantity::interpolates) {
        say("empty-list-nan", &format!("interpolated precision of {} is 0", list_topics(qrels, &empty)));
    }
    if asks(&|quantity| matches!(quantity, Quantity::Rbp(_))) && qrels.max_grade().is_some_and(|grade| grade > 1.0) {
        say("rbp-scaling", "rbp divides a grade by the largest grade of its topic");
    }
    for (place, line) in selection.lines.iter().enumerate() {
        if !matches!(line.quantity, Quantity::Residual(_)) || asked.zscores.is_some() {
            continue;
        }
        // Below half of the last digit nobody can see it.
        let seen = topics(&|_, answer| answer.ranked > 0 && answer.all_judged && answer.values[place] >= 0.00005);
        if !seen.is_empty() {
            let which = list_topics(qrels, &seen);
            say("rbp-residual-tail", &format!("{} of {which} is p^n; all documents are judged", line.label));
        }
    }
    if let Some(file) = &asked.zscores {
        let lacks = |place: usize| !topics(&|_, answer| answer.values[place] == MISSING).is_empty();
        let without: Vec<&str> = (0..)
            .zip(&selection.lines)
            .filter(|(place, _)| lacks(*place))
            .map(|(_, line)| line.label.as_str())
            .collect();
        if !without.is_empty() {
            let names = without.join(", ");
            say("missing-zscores", &format!("{file} does not say what to expect of {names}: -1000000 for some topics"));
        }
    }
    if asks(&|quantity| is(quantity, "PrefGroupsR")) {
        say(
            "nonrelevant-pairs",
            "prefs_avgjg_Rnonrel counts as trec_eval does; PrefGroupsR of `karat eval` as described",
        );
    }
    if selection.gains.iter().any(|given| has_close_gains(qrels, given)) {
        say("close-gains", "gains that differ by less than 1 are ordered by value");
    }
    if selection.needs_collection && asked.documents.is_none() {
        say("collection-size", "a price of utility needs the size of the collection (-N); it is taken as 0");
    }
    notes
}

fn is(quantity: &Quantity, name: &str) -> bool {
    matches!(quantity, Quantity::Measure(measure) if measure.info().name == name)
}

fn plural(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// Whether two gains of some topic differ by less than 1, gains of grades that keep their own among them.
fn has_close_gains(qrels: &Qrels, given: &[(f64, f64)]) -> bool {
    let largest = qrels.max_grade().unwrap_or(0.0) as u64;
    let own = (0..=largest).map(|grade| grade as f64).filter(|grade| !given.iter().any(|(other, _)| other == grade));
    let mut gains: Vec<f64> = given.iter().map(|(_, gain)| *gain).chain(own).collect();
    gains.sort_by(f64::total_cmp);
    gains.windows(2).any(|pair| pair[0] != pair[1] && pair[1] - pair[0] < 1.0)
}
