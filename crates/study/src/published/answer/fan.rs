//! The fan of possible scores over p' (figures 2 and 4), and many of them as a grid (figure 3).

use karat_report::{Axis, Figure, Panel};

use super::super::vectors::{Extremes, Rank, score};
use super::super::{PublishedScore, paper};
use super::range::At;

/// A fan, or why there is none.
pub(super) type Fan = Result<(PublishedScore, Vec<At>), (f64, f64)>;

/// One panel for each published score; `rows` by `columns` of them.
pub(super) fn figure(fans: &[Fan], columns: usize) -> Figure {
    let figure = Figure::new("fan", "RBP at another p, from what was printed", columns);
    fans.iter().fold(figure, |figure, fan| figure.panel(panel(fan)))
}

fn panel(fan: &Fan) -> Panel {
    let axes = |title: String| Panel::new(title, Axis::new("p'", 0.0, 1.0), Axis::new("RBP", 0.0, 1.0));
    let (published, ranges) = match fan {
        Ok(found) => found,
        Err((p, score)) => {
            return axes(format!("p = {p}, score {score}")).words((0.5, 0.5), "no ranking has this score");
        }
    };
    let (p, printed) = (published.persistence(), published.score().value);
    let graded = ranges.iter().map(|at| (at.at, at.graded.0, at.graded.1)).collect();
    let binary: Vec<_> =
        ranges.iter().filter_map(|at| at.single.map(|range| (at.at, range.low.value, range.high.value))).collect();
    let residual = published.residual().map_or(String::new(), |residual| format!(", residual {}", residual.value));
    let mut panel = axes(format!("p = {p}, score {printed}{residual}")).band(5, "gains from 0 to 1, or a mean", graded);
    if !binary.is_empty() {
        let Extremes { greatest, least } = paper::vectors(published);
        let curve =
            |ranks: &[Rank], unjudged: f64| ranges.iter().map(|at| (at.at, score(ranks, unjudged, at.at))).collect();
        panel = panel
            .band(0, "binary relevance, one topic", binary)
            .line(1, "the paper's R_G", false, curve(&greatest, 0.0))
            .line(2, "the paper's R_L", false, curve(&least, 0.0));
        if published.residual().is_some() {
            panel = panel.line(1, "R'_G, unjudged ranks relevant", true, curve(&greatest, 1.0)).line(
                2,
                "R'_L, unjudged ranks relevant",
                true,
                curve(&least, 1.0),
            );
        }
    }
    panel.dot(3, (p, printed))
}
