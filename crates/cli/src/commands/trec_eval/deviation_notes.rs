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
    let answers = evaluated.found.iter().map(|(topic, answers)| (topic, &answers[0])).collect();
    let met = Met { qrels, facts, selection, evaluated, asked, answers };
    notes.extend(met.by_files());
    notes.extend(met.by_missing_topics());
    notes.extend(met.by_grade_counts());
    notes.extend(met.by_empty_topics());
    notes.extend(met.by_rbp());
    notes.extend(met.by_zscores());
    notes.extend(met.by_measures());
    notes
}

/// A run and its answers, to find deviations in.
struct Met<'a> {
    qrels: &'a Qrels,
    facts: &'a QrelsFacts,
    selection: &'a Selection,
    evaluated: &'a Evaluated,
    asked: &'a Arguments,
    answers: Vec<(TopicIndex, &'a Answer)>,
}

impl Met<'_> {
    fn asks(&self, wanted: impl Fn(&Quantity) -> bool) -> bool {
        self.selection.lines.iter().any(|line| wanted(&line.quantity))
    }

    /// The topics whose answer is of this kind.
    fn topics(&self, wanted: impl Fn(TopicIndex, &Answer) -> bool) -> Vec<TopicIndex> {
        self.answers.iter().filter(|(topic, answer)| wanted(*topic, answer)).map(|(topic, _)| *topic).collect()
    }

    fn by_files(&self) -> Vec<String> {
        let (facts, mut notes) = (self.facts, Vec::new());
        if facts.blank_lines > 0 {
            let what = format!("{} passed over in {}", plural(facts.blank_lines, "blank line"), facts.file);
            notes.push(note("qrels-blank-line", &what));
        }
        if facts.comments > 0 && self.asked.profile == Profile::Nine {
            let what = format!("{} passed over in {}", plural(facts.comments, "comment"), facts.file);
            notes.push(note("comments-in-9", &what));
        }
        if facts.bytes.max(self.evaluated.found.facts.bytes) >= TWO_GIBIBYTES {
            notes.push(note("two-gibibytes", "trec_eval could not read a file of this size"));
        }
        notes
    }

    fn by_missing_topics(&self) -> Option<String> {
        let missing: Vec<TopicIndex> = self.evaluated.found.missing().collect();
        if missing.is_empty() || self.asked.profile != Profile::Ten {
            return None;
        }
        let which = list_topics(self.qrels, &missing);
        if !self.asked.complete {
            let what = format!("the run has no row for {which}: left out of the means (-c counts them)");
            return Some(note("missing-topics-abort", &what));
        }
        let left_over = self.selection.lines.iter().any(|line| match &line.quantity {
            Quantity::Measure(measure) => measure.info().name == "Utility" && line.label != "utility",
            Quantity::Residual(_) => line.label != "rbp_resid",
            Quantity::RelString(_) => line.label != "relstring",
            _ => false,
        });
        left_over.then(|| note("missing-topic-leftovers", &format!("{which} scored on an empty list")))
    }

    fn by_grade_counts(&self) -> Option<String> {
        let (qrels, asked) = (self.qrels, self.asked);
        if !(asked.complete && asked.profile == Profile::Nine && self.asks(|quantity| is(quantity, "NumRel"))) {
            return None;
        }
        let count = |level: f64| qrels.topics().map(|topic| u64::from(qrels.facts(topic).relevant(level))).sum::<u64>();
        let what = || format!("num_rel counts grades from {} on, as -l says", asked.level);
        (count(asked.level) != count(1.0)).then(|| note("complete-num-rel", &what()))
    }

    fn by_empty_topics(&self) -> Vec<String> {
        let (qrels, mut notes) = (self.qrels, Vec::new());
        let barren = self.topics(|topic, _| qrels.facts(topic).judged() == 0);
        if !barren.is_empty() {
            let what = format!("{} with negative grades only: scored 0", list_topics(qrels, &barren));
            notes.push(note("nothing-judged", &what));
        }
        let empty = self.topics(|_, answer| answer.ranked == 0);
        if !empty.is_empty() && self.asks(Quantity::interpolates) {
            let what = format!("interpolated precision of {} is 0", list_topics(qrels, &empty));
            notes.push(note("empty-list-nan", &what));
        }
        notes
    }

    fn by_rbp(&self) -> Vec<String> {
        let (qrels, mut notes) = (self.qrels, Vec::new());
        let graded = qrels.max_grade().is_some_and(|grade| grade > 1.0);
        if graded && self.asks(|quantity| matches!(quantity, Quantity::Rbp(_))) {
            notes.push(note("rbp-scaling", "rbp divides a grade by the largest grade of its topic"));
        }
        for (place, line) in self.selection.lines.iter().enumerate() {
            if !matches!(line.quantity, Quantity::Residual(_)) || self.asked.zscores.is_some() {
                continue;
            }
            // Below half of the last digit nobody can see it.
            let seen =
                self.topics(|_, answer| answer.ranked > 0 && answer.all_judged && answer.values[place] >= 0.00005);
            if !seen.is_empty() {
                let which = list_topics(qrels, &seen);
                let what = format!("{} of {which} is p^n; all documents are judged", line.label);
                notes.push(note("rbp-residual-tail", &what));
            }
        }
        notes
    }

    fn by_zscores(&self) -> Option<String> {
        let file = self.asked.zscores.as_ref()?;
        let lacks = |place: usize| self.answers.iter().any(|(_, answer)| answer.values[place] == MISSING);
        let lines = self.selection.lines.iter().enumerate().filter(|(place, _)| lacks(*place));
        let names: Vec<&str> = lines.map(|(_, line)| line.label.as_str()).collect();
        let what = || format!("{file} does not say what to expect of {}: -1000000 for some topics", names.join(", "));
        (!names.is_empty()).then(|| note("missing-zscores", &what()))
    }

    fn by_measures(&self) -> Vec<String> {
        let (selection, mut notes) = (self.selection, Vec::new());
        if self.asks(|quantity| is(quantity, "PrefGroupsR")) {
            let what = "prefs_avgjg_Rnonrel counts as trec_eval does; PrefGroupsR of `karat eval` as described";
            notes.push(note("nonrelevant-pairs", what));
        }
        if selection.gains.iter().any(|given| has_close_gains(self.qrels, given)) {
            notes.push(note("close-gains", "gains that differ by less than 1 are ordered by value"));
        }
        if selection.needs_collection && self.asked.documents.is_none() {
            let what = "a price of utility needs the size of the collection (-N); it is taken as 0";
            notes.push(note("collection-size", what));
        }
        notes
    }
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
