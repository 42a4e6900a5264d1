//! The verdict in words: who is best, what is undecided, why, what would settle it.
//!
//! Everything is read off the comparisons; nothing is decided here.

use karat_report::NumberStyle;
use karat_report::page::Verdict;

use super::Summary;
use karat_analysis::compare::Comparison;
use karat_analysis::compare::verdict::Block;

/// Names listed before the rest is counted.
const NAMED: usize = 4;
/// Undecided pairs that are explained.
const EXPLAINED: usize = 3;

pub(super) fn show(value: f64) -> String {
    NumberStyle::Score.show(value)
}

/// "a, b and 3 more".
pub(super) fn names(all: &[&str]) -> String {
    match all {
        [] => String::new(),
        [one] => (*one).to_owned(),
        _ if all.len() <= NAMED => {
            let (last, first) = all.split_last().map_or(("", &[][..]), |(last, first)| (*last, first));
            format!("{} and {last}", first.join(", "))
        }
        _ => format!("{} and {} more", all[..NAMED - 1].join(", "), all.len() + 1 - NAMED),
    }
}

/// How the best run by a measure stands to the others.
pub(super) struct Place<'a> {
    pub measure: &'a str,
    /// Runs: the best, then the others by their value.
    pub order: Vec<usize>,
    /// Those the best one is better than.
    pub beaten: Vec<usize>,
    /// Those it cannot be told from, with the comparison.
    pub rivals: Vec<(usize, &'a Comparison)>,
}

/// The first run of this order, unless a verdict says that another one is better, as one on a judged sample can.
fn best_of(order: &[usize], comparisons: &[&Comparison]) -> Option<usize> {
    let mut best = *order.first()?;
    let mut passed = vec![best];
    let better = |best: usize, passed: &[usize]| {
        let beats = |run: &usize| {
            let of_both = |one: &&&Comparison| one.pair == (best, *run) || one.pair == (*run, best);
            comparisons.iter().find(of_both).is_some_and(|one| one.winner() == Some(*run))
        };
        order.iter().copied().find(|run| !passed.contains(run) && beats(run))
    };
    while let Some(run) = better(best, &passed) {
        best = run;
        passed.push(run);
    }
    Some(best)
}

impl<'a> Place<'a> {
    /// Of a measure, by its place among all and among those that were compared.
    pub fn of(summary: &'a Summary, measure: usize) -> Option<Place<'a>> {
        let mut order = summary.order(measure);
        let compared = summary.compared.as_ref()?;
        let among = summary.comparable.iter().position(|&place| place == measure)?;
        let own = compared.comparisons.iter().filter(|comparison| comparison.measure == among);
        let best = best_of(&order, &own.clone().collect::<Vec<_>>())?;
        order.retain(|&run| run != best);
        order.insert(0, best);
        let (mut beaten, mut rivals) = (Vec::new(), Vec::new());
        for comparison in own {
            let (a, b) = comparison.pair;
            let other = if a == best {
                b
            } else if b == best {
                a
            } else {
                continue;
            };
            match comparison.winner() {
                Some(winner) if winner == best => beaten.push(other),
                _ => rivals.push((other, comparison)),
            }
        }
        let rank = |run: &usize| order.iter().position(|other| other == run);
        beaten.sort_by_key(rank);
        rivals.sort_by_key(|(run, _)| rank(run));
        Some(Place { measure: &summary.measures[measure], order, beaten, rivals })
    }

    fn best(&self) -> usize {
        self.order.first().copied().unwrap_or(0)
    }
}

/// The verdict.
pub(super) fn verdict(summary: &Summary) -> Verdict {
    match summary.runs.len() {
        0 => Verdict { headline: "No result: no run shares a topic with the judgements.".into(), points: Vec::new() },
        1 => alone(summary),
        _ => several(summary),
    }
}

/// One run: what it scores, and how sure that is.
fn alone(summary: &Summary) -> Verdict {
    let name = &summary.runs[0];
    let score = |measure: usize| {
        let standing = &summary.standings[measure][0];
        let value = standing.value.map_or_else(|| "no value".into(), show);
        let within = |what: &str, ends: Option<(f64, f64)>| {
            ends.map_or_else(String::new, |(low, high)| format!(", {what} {} to {}", show(low), show(high)))
        };
        format!(
            "{} {value}{}{}",
            summary.measures[measure],
            within(&format!("{} interval (topics)", summary.percent), standing.interval),
            within("bounds", standing.bounds)
        )
    };
    Verdict {
        headline: format!("One run, {name}, and no comparison. {}.", score(0)),
        points: vec![
            ("Every measure".into(), (0..summary.measures.len()).map(score).collect()),
            (
                "What would help".into(),
                vec!["A second run on the same topics: this page then says which is better.".into()],
            ),
        ],
    }
}

fn several(summary: &Summary) -> Verdict {
    let places: Vec<Place<'_>> =
        (0..summary.measures.len()).filter_map(|measure| Place::of(summary, measure)).collect();
    let Some(first) = places.first() else {
        let why = summary.no_comparison.as_deref().unwrap_or("no measure here is a mean over topics");
        return Verdict { headline: format!("No verdict: {why}."), points: Vec::new() };
    };
    let name = |run: usize| summary.runs[run].as_str();
    let best = first.best();
    // What a sample says is most of the headline's reason.
    let mut points: Vec<(String, Vec<String>)> = by_sample(summary).into_iter().collect();
    points.push(("By measure".to_owned(), places.iter().map(|place| by_measure(summary, place)).collect()));
    let undecided: Vec<String> = first
        .rivals
        .iter()
        .filter(|(_, comparison)| comparison.sampled.is_none())
        .take(EXPLAINED)
        .map(|(run, comparison)| format!("{} and {}: {}.", name(best), name(*run), summary.because(comparison)))
        .collect();
    if !undecided.is_empty() {
        points.push((format!("Why undecided by {}", first.measure), undecided));
        points.push(("What would settle it".to_owned(), settle(summary, first)));
    } else if let Some(comparison) = summary
        .comparison(summary.first(), best, first.order.get(1).copied().unwrap_or(best))
        .filter(|comparison| comparison.sampled.is_none())
    {
        points.push(("Why".to_owned(), vec![format!("{}.", summary.because(comparison))]));
    }
    Verdict { headline: headline(summary, first), points }
}

/// What a judged sample says, next to what the judgements say without it.
fn by_sample(summary: &Summary) -> Option<(String, Vec<String>)> {
    let said: Vec<String> = summary
        .sampled()
        .take(EXPLAINED)
        .map(|(measure, comparison)| {
            let (a, b) = comparison.pair;
            let as_judged = comparison.as_judged();
            let ahead = if as_judged < 0.0 { b } else { a };
            let without = match show(as_judged.abs()) {
                lead if lead == show(0.0) => "both are equal".to_owned(),
                lead => format!("{} leads by {lead}", summary.runs[ahead]),
            };
            format!(
                "{}, {} and {}: {}. As judged, with unjudged documents as not relevant, {without}.",
                summary.measures[measure],
                summary.runs[a],
                summary.runs[b],
                summary.because(comparison)
            )
        })
        .collect();
    (!said.is_empty()).then(|| ("By sampled judgements".to_owned(), said))
}

/// What the headline says where a judged sample has a part in it, and does not make one run better than all others.
fn sampled_headline(summary: &Summary, first: &Place<'_>) -> Option<String> {
    let best = first.best();
    let name = |run: usize| summary.runs[run].as_str();
    let of = |runs: &[usize]| names(&runs.iter().map(|&run| name(run)).collect::<Vec<_>>());
    if let Some((rival, sampled)) =
        first.rivals.iter().find_map(|(run, comparison)| Some((run, comparison.sampled.as_ref()?)))
    {
        let judged = sampled.facts.judged;
        return Some(format!(
            "No winner by {}: {judged} sampled judgements do not settle whether {} or {} is better.",
            first.measure,
            name(best),
            name(*rival)
        ));
    }
    let rivals: Vec<usize> = first.rivals.iter().map(|(run, _)| *run).collect();
    let sampled = |run: &&usize| {
        summary.comparison(summary.first(), best, **run).is_some_and(|comparison| comparison.sampled.is_some())
    };
    let beaten: Vec<usize> = first.beaten.iter().filter(sampled).copied().collect();
    (!beaten.is_empty()).then(|| {
        format!(
            "{} is better than {} by {} (sampled judgements), but undecided against {}.",
            name(best),
            of(&beaten),
            first.measure,
            of(&rivals)
        )
    })
}

/// Which run is best by the first measure, or that none is.
fn headline(summary: &Summary, first: &Place<'_>) -> String {
    let name = |run: usize| summary.runs[run].as_str();
    let rivals: Vec<&str> = first.rivals.iter().map(|(run, _)| name(*run)).collect();
    let best = first.best();
    if rivals.is_empty() {
        let others = if summary.runs.len() == 2 {
            name(first.order[1]).to_owned()
        } else {
            format!("all {} others", summary.runs.len() - 1)
        };
        format!("{} is best by {}: better than {others}.", name(best), first.measure)
    } else if let Some(words) = sampled_headline(summary, first).or_else(|| tied(summary, first)) {
        words
    } else {
        let may = if rivals.len() == 1 { "may be as good or better" } else { "may each be as good or better" };
        format!(
            "No winner by {}: {} is ahead{}, but {} {may}.",
            first.measure,
            name(best),
            summary.value(best).map_or_else(String::new, |value| format!(" with {}", show(value))),
            names(&rivals)
        )
    }
}

/// What to say where nobody is ahead: the best has 0, or no more than the one after it.
fn tied(summary: &Summary, place: &Place<'_>) -> Option<String> {
    let best = place.best();
    let value = summary.value(best)?;
    if value == 0.0 {
        return Some(format!(
            "No winner by {}: every run has 0; no retrieved document is judged relevant.",
            place.measure
        ));
    }
    let alike: Vec<&str> = (0..summary.runs.len())
        .filter(|&run| summary.value(run).is_some_and(|other| other >= value))
        .map(|run| summary.runs[run].as_str())
        .collect();
    (alike.len() > 1)
        .then(|| format!("No winner by {}: {} have the same value, {}.", place.measure, names(&alike), show(value)))
}

fn by_measure(summary: &Summary, place: &Place<'_>) -> String {
    let (best, measure) = (place.best(), summary.measures.iter().position(|name| name == place.measure));
    let is_sampled = |run: usize| {
        let found = measure.and_then(|measure| summary.comparison(measure, best, run));
        found.is_some_and(|comparison| comparison.sampled.is_some())
    };
    let name = |&run: &usize| format!("{}{}", summary.runs[run], if is_sampled(run) { " (sampled)" } else { "" });
    let of = |runs: &[usize]| {
        let all: Vec<String> = runs.iter().map(name).collect();
        names(&all.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let rivals: Vec<usize> = place.rivals.iter().map(|(run, _)| *run).collect();
    let leads = measure.is_some_and(|measure| summary.order(measure).first() == Some(&best));
    let mut text = format!("{}: {}", place.measure, summary.runs[best]);
    if leads {
        text += " is first";
    }
    if !place.beaten.is_empty() {
        text += &format!("{} better than {}", if leads { ";" } else { " is" }, of(&place.beaten));
    }
    if !rivals.is_empty() {
        text += &format!("; undecided against {}", of(&rivals));
    }
    text + "."
}

/// Topics below which a sign-flip test cannot reach 0.05: 2 to the sixth is 64, and both tails hold one each.
const FEWEST: u64 = 6;

/// Topics that somebody might judge; more is no advice.
const FEASIBLE: u64 = 5000;

/// Whether more topics would tell the best two apart; `topics` are those there are.
fn more_topics(needed: Option<u64>, topics: u64, best: &str, rival: &str) -> String {
    match needed {
        Some(needed) if needed > topics && needed <= FEASIBLE => format!(
            "More topics: about {needed} would be needed for a difference of this size between {best} and {rival}; there are {topics}."
        ),
        Some(needed) if needed <= topics => format!(
            "More topics may help: {topics} detect a difference of this size in most samples, but not in this one."
        ),
        Some(needed) => {
            format!("More topics hardly help: about {needed} would be needed to separate {best} and {rival}.")
        }
        None if topics < FEWEST => {
            format!("More topics: with {topics} no difference can be significant; at least {FEWEST} are needed.")
        }
        None => "More topics or judgements; the number needed cannot be estimated from this data.".into(),
    }
}

/// What effort would decide the best two, from what blocks the verdict on them.
fn settle(summary: &Summary, place: &Place<'_>) -> Vec<String> {
    // What a sample would need to settle, its own sentence says.
    let unsampled = |(_, comparison): &&(usize, &Comparison)| comparison.sampled.is_none();
    let Some((run, comparison)) = place.rivals.iter().find(unsampled) else { return Vec::new() };
    let (best, rival) = (&summary.runs[place.best()], &summary.runs[*run]);
    let blocked = &comparison.verdict.blocked;
    let has = |block: Block| blocked.contains(&block);
    let topics = comparison.difference.topics.len() as u64;
    let mut said = Vec::new();
    if has(Block::Queries) {
        said.push(more_topics(comparison.topics_needed, topics, best, rival));
        if let Some(detectable) = comparison.detectable {
            said.push(format!(
                "These {topics} topics detect a difference of {} or more with 80% power.",
                show(detectable)
            ));
        }
    }
    if let Some(count) = comparison.to_settle.map(|found| found.judgements) {
        said.push(format!(
            "About {count} sampled judgements (karat settle draws them; karat report --sample shows the verdict)."
        ));
    }
    if has(Block::Unjudged) || has(Block::Bounds) {
        let looked_at = [(place.best(), *run), (*run, place.best())].contains(&summary.pair());
        said.push(if summary.next.is_empty() || !looked_at {
            format!(
                "Judgements of unjudged documents of {best} and {rival} (karat next --about differences lists them)."
            )
        } else {
            let first: Vec<String> =
                summary.next.iter().take(3).map(|(topic, docno)| format!("{docno} (topic {topic})")).collect();
            format!("Judge these documents first: {}; more are listed under Uncertainty budget.", first.join(", "))
        });
    }
    if has(Block::Judges) {
        said.push("More gold labels for better estimates of the judge error rates (karat plan judges).".into());
    }
    said
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn many_names_are_counted() {
        assert_eq!(names(&["a"]), "a");
        assert_eq!(names(&["a", "b"]), "a and b");
        assert_eq!(names(&["a", "b", "c", "d"]), "a, b, c and d");
        // Three are named of six: three more.
        assert_eq!(names(&["a", "b", "c", "d", "e", "f"]), "a, b, c and 3 more");
    }
}
