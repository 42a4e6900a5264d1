//! How a run's scores are spread over topics.

use karat_report::figure::{GREY, INK};
use karat_report::{Axis, Cell, Figure, Mark, Panel, Shape, Table};

use super::{FigureInfo, TOPICS, best_first, count, example_score, height_of, number, scale};

/// Its row.
pub static INFO: FigureInfo = FigureInfo {
    name: "distribution",
    title: "Scores by topic",
    shows: "Scores of each run by topic. Box: first to third quartile, with the median. Lines: minimum and maximum. Diamond: mean. Dot: one \
            topic.",
    reading: "Two runs with the same mean can differ in spread. Runs share topics, so overlapping boxes do not show which run is \
              better.",
    example: |names| {
        let spread = |(at, name): (usize, &String)| Spread {
            run: name.clone(),
            topics: (0..9).map(|topic| (format!("{name}{topic}"), example_score(at + 3 * topic))).collect(),
        };
        distribution("AP", &names.iter().enumerate().map(spread).collect::<Vec<_>>())
    },
};

/// Dots of all runs together at most; beyond, boxes alone.
const MOST_DOTS: usize = 4000;

/// A run's scores by topic.
#[derive(Debug, Clone, PartialEq)]
pub struct Spread {
    /// The run.
    pub run: String,
    /// Topics and scores.
    pub topics: Vec<(String, f64)>,
}

/// Least, quartiles and greatest of sorted values, interpolated (Hyndman and Fan's type 7).
fn five(sorted: &[f64]) -> [f64; 5] {
    [0.0, 0.25, 0.5, 0.75, 1.0].map(|share| {
        let place = share * (sorted.len().max(1) - 1) as f64;
        let (below, above) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
        below + (above - below) * place.fract()
    })
}

/// Scores by topic, the run with the best mean first.
pub fn distribution(measure: &str, runs: &[Spread]) -> Figure {
    let title = format!("{measure}: scores by topic");
    let finite = |spread: &Spread| -> Vec<(String, f64)> {
        spread.topics.iter().filter(|(_, score)| score.is_finite()).cloned().collect()
    };
    let known: Vec<(&str, Vec<(String, f64)>)> = runs
        .iter()
        .map(|spread| (spread.run.as_str(), finite(spread)))
        .filter(|(_, topics)| !topics.is_empty())
        .collect();
    if known.is_empty() {
        return INFO.nothing(title, "no topic has a score").of(measure);
    }
    let order = best_first(&known.iter().map(|(_, topics)| mean(topics)).collect::<Vec<_>>());
    let dotted = known.iter().map(|(_, topics)| topics.len()).sum::<usize>() <= MOST_DOTS;
    let mut table = empty_table();
    let rows = Axis::rows("", order.iter().map(|&at| known[at].0.to_owned()).collect());
    let values = known.iter().flat_map(|(_, topics)| topics.iter().map(|(_, score)| *score));
    let tall = if order.len() <= 30 { 1.5 * height_of(order.len()) } else { height_of(order.len()) };
    let mut panel = Panel::new("", scale(measure, values), rows).sized(0.0, tall);
    for (row, &place) in order.iter().enumerate() {
        let (run, topics) = &known[place];
        let mut sorted: Vec<f64> = topics.iter().map(|(_, score)| *score).collect();
        sorted.sort_by(f64::total_cmp);
        let five = five(&sorted);
        let dots = if dotted { &topics[..] } else { &[] };
        panel = run_marks(run, row as f64, five, mean(topics), dots).into_iter().fold(panel, Panel::mark);
        let numbers = five.into_iter().chain([mean(topics)]).map(Cell::from);
        table.push([Cell::from(*run), topics.len().into()].into_iter().chain(numbers).collect::<Vec<_>>());
    }
    INFO.empty(title, 1).of(measure).subtitle(count(order.len(), "run")).panel(panel).rows(table)
}

fn empty_table() -> Table {
    Table::new("distribution", "")
        .column("run", "run")
        .column("topics", "topics")
        .column("least", "min")
        .column("first_quartile", "1st quartile")
        .column("median", "median")
        .column("third_quartile", "3rd quartile")
        .column("greatest", "max")
        .column("mean", "mean")
}

fn mean(topics: &[(String, f64)]) -> f64 {
    topics.iter().map(|(_, score)| score).sum::<f64>() / topics.len() as f64
}

/// One run in its row: the box, the topics as dots, median and mean.
fn run_marks(run: &str, at: f64, five: [f64; 5], mean: f64, dots: &[(String, f64)]) -> Vec<Mark> {
    let [least, first, median, third, greatest] = five;
    let name = format!("{run}: median {}, quartiles {} and {}", number(median), number(first), number(third));
    let mut marks = vec![
        Mark::span(INK, 1.0, (least, at), (first, at)),
        Mark::span(INK, 1.0, (third, at), (greatest, at)),
        Mark::Bar {
            series: TOPICS,
            label: "first to third quartile".into(),
            name,
            shade: 0.3,
            x: (first, third),
            y: (at - 0.3, at + 0.3),
        },
    ];
    marks.extend(dots.iter().enumerate().map(|(index, (topic, score))| Mark::Point {
        series: GREY,
        label: "one topic".into(),
        name: format!("{run}, topic {topic}: {}", number(*score)),
        shape: Shape::Disc,
        size: 1.6,
        // Spread over the row by place in the list, so that equal scores are seen; the same in every picture.
        at: (*score, at + (example_score(index) - 0.5) * 0.5),
    }));
    let line = Mark::span(INK, 2.4, (median, at - 0.3), (median, at + 0.3));
    marks.push(line.labelled("median").named(format!("{run}: median {}", number(median))));
    marks.push(Mark::Point {
        series: 1,
        label: "mean".into(),
        name: format!("{run}: mean {}", number(mean)),
        shape: Shape::Diamond,
        size: 3.5,
        at: (mean, at),
    });
    marks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quartiles_by_hand() {
        // Of 1, 2, 3, 4 the first quartile is at place 0.75: 1.75; the median 2.5; the third at 2.25: 3.25.
        assert_eq!(five(&[1.0, 2.0, 3.0, 4.0]), [1.0, 1.75, 2.5, 3.25, 4.0]);
        assert_eq!(five(&[7.0]), [7.0; 5]);
    }
}
