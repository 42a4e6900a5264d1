//! Two runs' scores topic by topic, one against the other.

use karat_report::figure::{GREY, INK};
use karat_report::{Anchor, Axis, Figure, Mark, Panel, Shape, Table};

use super::{FigureInfo, count, example_score, number};

/// Its row.
pub static INFO: FigureInfo = FigureInfo {
    name: "scatter",
    title: "Two runs, topic by topic",
    shows: "The score of each topic in one run against its score in the other.",
    reading: "Above the diagonal, the run of the vertical axis is better. Points along the diagonal mean that both runs find the same topics hard, so that pairing by topic \
              makes the test more powerful.",
    example: |names| {
        let topic = |(at, name): (usize, &String)| {
            (name.clone(), example_score(at), if at == 1 { f64::NAN } else { example_score(2 * at + 1) })
        };
        scatter("AP", ("a", "b"), &names.iter().enumerate().map(topic).collect::<Vec<_>>(), false)
    },
};

/// Topics named.
const NAMED: usize = 6;

/// Topics with their scores by the two runs; `sampled`: a judged sample says more than these scores.
pub fn scatter(measure: &str, (a, b): (&str, &str), topics: &[(String, f64, f64)], sampled: bool) -> Figure {
    let title = format!("{measure}: {a} against {b}, topic by topic");
    let of = format!("{measure}-{a}-{b}");
    let known: Vec<&(String, f64, f64)> = topics.iter().filter(|(_, x, y)| x.is_finite() && y.is_finite()).collect();
    if known.is_empty() {
        return INFO.nothing(title, "no topic has a score of both runs").of(of);
    }
    let both = || known.iter().flat_map(|(_, first, second)| [*first, *second]);
    let (low, high) = (both().fold(0.0, f64::min), both().fold(0.0, f64::max));
    let high = if high <= 1.0 && high > 0.5 {
        1.0
    } else if high > low {
        high * 1.05
    } else {
        1.0
    };
    let axis = |run: &str| Axis::new(format!("{measure} of {run}"), low, high);
    let mut panel = Panel::new("", axis(b), axis(a)).sized(420.0, 420.0);
    panel = panel.mark(Mark::Line {
        series: GREY,
        label: String::new(),
        name: "equal".into(),
        dash: 1,
        points: vec![(low, low), (high, high)],
    });
    let mut table = Table::new("scatter", "").column("topic", "topic").column("a", a).column("b", b);
    for (topic, first, second) in &known {
        panel = panel.mark(point((a, b), topic, *first, *second));
        table.push([topic.as_str().into(), (*first).into(), (*second).into()]);
    }
    panel = names(&known, low, high).into_iter().fold(panel, Panel::mark);
    INFO.empty(title, 1).of(of).subtitle(subtitle(known.len(), sampled)).panel(panel).rows(table)
}

fn subtitle(topics: usize, sampled: bool) -> String {
    let judged = if sampled { " as judged" } else { "" };
    format!("{}{judged}; names: topics with the largest differences", count(topics, "topic"))
}

/// A topic, coloured by the run that is better.
fn point((a, b): (&str, &str), topic: &str, first: f64, second: f64) -> Mark {
    let (series, label) = match first.total_cmp(&second) {
        std::cmp::Ordering::Greater => (0, format!("{a} better")),
        std::cmp::Ordering::Less => (1, format!("{b} better")),
        std::cmp::Ordering::Equal => (INK, "equal".into()),
    };
    Mark::Point {
        series,
        label,
        name: format!("topic {topic}: {a} {}, {b} {}", number(first), number(second)),
        shape: Shape::of(series),
        size: 3.5,
        at: (second, first),
    }
}

/// The names of the topics with the largest differences; `low` and `high` are the ends of both axes.
fn names(known: &[&(String, f64, f64)], low: f64, high: f64) -> Vec<Mark> {
    let apart = |at: usize| (known[at].1 - known[at].2).abs();
    let mut by_size: Vec<usize> = (0..known.len()).collect();
    by_size.sort_by(|&one, &other| apart(other).total_cmp(&apart(one)).then(one.cmp(&other)));
    let (mut marks, mut taken) = (Vec::new(), Vec::<(f64, f64)>::new());
    for &at in by_size.iter().take(NAMED).filter(|&&at| apart(at) > 0.0) {
        let (topic, first, second) = known[at];
        // A name that would stand on another is left out; the point has it as its title.
        let (across, down) = ((high - low) * 0.2, (high - low) * 0.035);
        if taken.iter().any(|(x, y)| (x - second).abs() < across && (y - first).abs() < down) {
            continue;
        }
        taken.push((*second, *first));
        let right = *second > low + 0.75 * (high - low);
        let (anchor, shift) = if right { (Anchor::End, -7.0) } else { (Anchor::Start, 7.0) };
        marks.push(Mark::Words {
            at: (*second, *first),
            text: topic.chars().take(24).collect(),
            anchor,
            shift: (shift, if *first < low + 0.03 * (high - low) { -9.0 } else { 0.0 }),
            on_colour: false,
        });
    }
    marks
}
