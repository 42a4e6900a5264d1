//! `published compare`: verdicts for each pair, and the order of many.

use karat_report::{Block, Cell, Column, Figure, NumberStyle, Panel, Provenance, Report, Table};

use super::super::PublishedScore;
use super::super::compare::{Order, Verdict, difference, verdict};
use super::super::range::{self as ranges, THOROUGH};
use super::{GRADED, p_column};

/// A published score and whose it is.
#[derive(Debug, Clone)]
pub struct System {
    /// The system's name.
    pub name: String,
    /// What was published of it.
    pub published: PublishedScore,
}

/// What is asked.
#[derive(Debug)]
pub struct Comparison {
    /// Two systems or more.
    pub systems: Vec<System>,
    /// The p to compare at; the lower one of each pair when empty. Checked.
    pub at: Vec<f64>,
    /// Whether the scores are of one topic with binary relevance; then each must be possible for one.
    pub single_topic: bool,
    /// Whether the order is wanted as a figure.
    pub figure: bool,
    /// Where the numbers come from.
    pub provenance: Provenance,
    /// The version of karat.
    pub version: &'static str,
}

impl Comparison {
    /// Beginnings of rankings looked at for each range: many ranges share what one would get, and are sound all the same.
    fn effort(&self) -> usize {
        let systems = self.systems.len();
        let asked = systems * systems.saturating_sub(1) * self.at.len().max(1);
        (8 * THOROUGH / asked.max(1)).clamp(4, THOROUGH)
    }
}

/// Both kinds of range at one p.
#[derive(Clone, Copy)]
struct Both {
    graded: (f64, f64),
    /// `None` where no single ranking has such a score.
    binary: Option<(f64, f64)>,
}

impl Both {
    /// `effort` as in [`ranges::range`].
    fn of(system: &System, at: f64, effort: usize) -> Both {
        let binary = || {
            let (low, high) = ranges::binary(&system.published, at, effort);
            (low.value, high.value)
        };
        let possible = system.published.check_binary().is_ok();
        Both { graded: ranges::graded(&system.published, at), binary: possible.then(binary) }
    }

    /// What two single rankings would say, where there can be two.
    fn binary_verdict(&self, other: &Both) -> Option<Verdict> {
        Some(verdict(self.binary?, other.binary?))
    }

    fn chosen(&self, single_topic: bool) -> (f64, f64) {
        self.binary.filter(|_| single_topic).unwrap_or(self.graded)
    }
}

/// Whose score is higher?
pub fn compare(question: Comparison) -> Report {
    let systems = &question.systems;
    let mut table = pairs_table();
    let mut only_if_one_topic = 0;
    let effort = question.effort();
    for (first, a) in systems.iter().enumerate() {
        for b in &systems[first + 1..] {
            let lower = a.published.persistence().min(b.published.persistence());
            let ats = if question.at.is_empty() { &[lower][..] } else { &question.at[..] };
            for &at in ats {
                let (of_a, of_b) = (Both::of(a, at, effort), Both::of(b, at, effort));
                let decided = verdict(of_a.graded, of_b.graded);
                only_if_one_topic += u64::from(of_a.binary_verdict(&of_b).is_some_and(|binary| binary != decided));
                table.push(pair(&question, (a, of_a), (b, of_b), at));
            }
        }
    }
    let one = table.rows.len() == 1;
    let mut report = Report::new("Published scores compared", "published compare", question.version);
    report = report.block(if one { Block::Record(table) } else { Block::Table(table) });
    if systems.len() > 2 {
        report = order(report, &question);
    } else if question.figure {
        let (at, ranges) = order_of(&question);
        report = report.block(Block::Figure(graph(&question, &ranges, at)));
    }
    report = report.note(GRADED);
    report = report.note(match question.single_topic {
        true => {
            "the verdict is for one topic with binary relevance, as --single-topic says: it does not hold for means"
        }
        false => "the verdict is from the graded ranges, so it holds for means and for single topics",
    });
    if only_if_one_topic > 0 && !question.single_topic {
        let plural = if only_if_one_topic == 1 { " is" } else { "s are" };
        report = report.note(format!(
            "{only_if_one_topic} pair{plural} decided if the scores are of a single topic with binary relevance (--single-topic)"
        ));
    }
    report = report.note("undecided is not equal: rankings that print so exist on both sides, or may exist");
    report = report.note(
        "the verdict is arithmetic on the printed numbers: it says nothing about chance over topics, and takes all scores to be over the same \
         topics and judgements",
    );
    let without: Vec<&str> =
        systems.iter().filter(|system| system.published.residual().is_none()).map(|system| &*system.name).collect();
    if !without.is_empty() {
        report = report.note(format!(
            "no residual was given for {}: it is taken as 0, unjudged documents as not relevant",
            without.join(", ")
        ));
    }
    report.provenance = question.provenance;
    report
}

fn pairs_table() -> Table {
    Table::new("comparisons", "")
        .column("a", "a")
        .column("b", "b")
        .with(p_column("at", "at p"))
        .column("verdict", "higher")
        .with(Column::new("of", "range of"))
        .column("low", "low")
        .column("high", "high")
        .with(Column::new("range_a", "a is").range())
        .with(Column::new("range_b", "b is").range())
        .with(Column::new("difference", "a - b").range())
        .column("verdict_graded", "mean or graded")
        .column("verdict_binary", "one topic, binary")
        .with(Column::new("because", "because").data_only())
}

fn pair(question: &Comparison, (a, of_a): (&System, Both), (b, of_b): (&System, Both), at: f64) -> Vec<Cell> {
    let (range_a, range_b) = (of_a.chosen(question.single_topic), of_b.chosen(question.single_topic));
    let found = verdict(range_a, range_b);
    // `low` and `high` are of the score that had to be carried to the other p: the one farther away.
    let far = |system: &System| (system.published.persistence() - at).abs();
    let (carried, range) = if far(a) > far(b) { ("a", range_a) } else { ("b", range_b) };
    let because = match found {
        Verdict::A => format!("at p={at} every ranking that prints as a scores above every one that prints as b"),
        Verdict::B => format!("at p={at} every ranking that prints as b scores above every one that prints as a"),
        Verdict::Undecided => format!("at p={at} the possible scores overlap"),
    };
    vec![
        a.name.as_str().into(),
        b.name.as_str().into(),
        at.into(),
        found.name().into(),
        carried.into(),
        range.0.into(),
        range.1.into(),
        range_a.into(),
        range_b.into(),
        difference(range_a, range_b).into(),
        verdict(of_a.graded, of_b.graded).name().into(),
        of_a.binary_verdict(&of_b).map(Verdict::name).into(),
        because.into(),
    ]
}

/// The order of all systems at one p: the first that was asked for, or the lowest that was published.
fn order_of(question: &Comparison) -> (f64, Vec<(f64, f64)>) {
    let lowest = question.systems.iter().map(|system| system.published.persistence()).fold(1.0, f64::min);
    let at = question.at.first().copied().unwrap_or(lowest);
    let ranges = question
        .systems
        .iter()
        .map(|system| Both::of(system, at, question.effort()).chosen(question.single_topic))
        .collect();
    (at, ranges)
}

fn order(report: Report, question: &Comparison) -> Report {
    let (at, ranges) = order_of(question);
    let order = Order::of(&ranges);
    let names = |places: &[usize]| -> Cell {
        Cell::List(places.iter().map(|&place| question.systems[place].name.as_str().into()).collect())
    };
    let mut table = Table::new("order", format!("Order at p = {at}"))
        .column("system", "system")
        .column("level", "level")
        .column("low", "low")
        .column("high", "high")
        .with(Column::new("above", "certainly above"))
        .with(Column::new("next", "").data_only());
    let mut places: Vec<usize> = (0..ranges.len()).collect();
    places.sort_by(|&a, &b| {
        (order.level[a], ranges[b].0).partial_cmp(&(order.level[b], ranges[a].0)).unwrap_or(std::cmp::Ordering::Equal)
    });
    for place in places {
        table.push([
            question.systems[place].name.as_str().into(),
            (order.level[place] + 1).into(),
            ranges[place].0.into(),
            ranges[place].1.into(),
            names(&order.above[place]),
            names(&order.next[place]),
        ]);
    }
    let mut report = report.table(table);
    if question.figure {
        report = report.block(Block::Figure(graph(question, &ranges, at)));
    }
    report.note(format!(
        "the order is a partial one, at p={at} for all: only what is certainly above stands above; level 1 has nothing certainly above it"
    ))
}

/// The order as a graph: whoever stands higher and is joined by lines is certainly above.
fn graph(question: &Comparison, ranges: &[(f64, f64)], at: f64) -> Figure {
    let order = Order::of(ranges);
    let levels = order.level.iter().max().map_or(1, |most| most + 1);
    let place = |system: usize| {
        let level = order.level[system];
        let beside: Vec<usize> = (0..ranges.len()).filter(|&other| order.level[other] == level).collect();
        let position = beside.iter().position(|&other| other == system).unwrap_or(0);
        ((position as f64 + 0.5) / beside.len() as f64, 1.0 - (level as f64 + 0.5) / levels as f64)
    };
    // Scales without ticks of their own: the place of a name is the order, not a number.
    let height = 75.0 * levels as f64;
    let title = match levels {
        1 => format!("nothing is certain at p = {at}: all ranges meet"),
        _ => format!("higher up and joined: certainly above, at p = {at}"),
    };
    let mut panel = Panel { title, height, ..Panel::default() };
    let room = 9.0 / height;
    for (system, lower) in order.next.iter().enumerate() {
        for &other in lower {
            let (from, to) = (place(system), place(other));
            panel = panel.line(0, "", false, vec![(from.0, from.1 - room), (to.0, to.1 + room)]);
        }
    }
    let shown = |score: f64| NumberStyle::Decimals(3).show(score);
    for (at, (system, &(low, high))) in question.systems.iter().zip(ranges).enumerate() {
        let text = format!("{} {}–{}", system.name, shown(low), shown(high));
        panel = panel.words(place(at), text);
    }
    Figure::new("order", "Published scores in order", 1).panel(panel)
}
