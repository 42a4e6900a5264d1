//! `karat simulate ranking` for people.

use karat_analysis::simulate::ranking::{BinsOf, Course, HistogramBin, RankingCell, RankingNote, SimulatedRankings};
use karat_report::{Column, Columns, NumberStyle, Report, Table};

use crate::Context;
use crate::words::{count, percent};

/// The report of simulated rankings.
pub fn ranking_report(answer: SimulatedRankings, context: Context) -> Report {
    let mut report = context.report("Simulated rankings", "simulate ranking").table(cells(&answer.cells));
    if let Some(bins) = &answer.histogram {
        report = report.table(histogram(bins));
    }
    report.notes.extend(answer.notes.iter().map(note_text));
    report.answering(answer)
}

fn cells(rows: &[RankingCell]) -> Table {
    let coverage = Column::new("coverage_closed_form", "coverage");
    Columns::new()
        .with(plain("q"), |row: &RankingCell| row.q.into())
        .with(plain("w"), |row| row.w.into())
        .with(fine("mean", "mean"), |row| row.mean.into())
        .with(fine("mean_exact", "exact"), |row| row.mean_exact.into())
        .with(fine("mean_closed_form", "constant q"), |row| row.mean_closed_form.into())
        .with(fine("std_dev", "std. dev."), |row| row.std_dev.into())
        .with(fine("std_dev_exact", "exact"), |row| row.std_dev_exact.into())
        .with(fine("std_dev_closed_form", "constant q"), |row| row.std_dev_closed_form.into())
        .with(coverage.style(NumberStyle::Decimals(3)), |row| row.coverage_closed_form.into())
        .table("cells", "", rows)
}

fn histogram(rows: &[HistogramBin]) -> Table {
    let of = |row: &HistogramBin| match row.of {
        BinsOf::List => "list".into(),
        BinsOf::Mean => "mean".into(),
    };
    Columns::new()
        .column("of", "of", of)
        .with(plain("q"), |row| row.q.into())
        .with(plain("w"), |row| row.w.into())
        .with(fine("low", "from"), |row| row.low.into())
        .with(fine("high", "to"), |row| row.high.into())
        .column("count", "count", |row| row.count.into())
        .column("share", "share", |row| row.share.into())
        .column("share_closed_form", "share, constant q", |row| row.share_closed_form.into())
        .table("histogram", "Histograms", rows)
}

fn fine(key: &'static str, heading: &str) -> Column {
    Column::new(key, heading).style(NumberStyle::Decimals(6))
}

fn plain(key: &'static str) -> Column {
    Column::new(key, key).style(NumberStyle::Significant(1))
}

fn note_text(note: &RankingNote) -> String {
    match note {
        RankingNote::Size { queries, replications } => format!(
            "Mean and std. dev. of what the unjudged ranks would add to mean RBP over {queries} queries; {replications} replications."
        ),
        RankingNote::NoExactMoments { missing, cells } => {
            format!("No exact moments for {missing} of {cells} cells: too many ranks to compute them in reasonable time.")
        }
        RankingNote::Agreement { furthest, cells } => format!(
            "The simulated mean is within {} standard errors of the exact mean in {}.",
            NumberStyle::Decimals(1).show(*furthest),
            count(*cells, "cell")
        ),
        RankingNote::ConstantShare { fixed } => {
            let holds = if *fixed { "nearly true at w = 1 (the number of relevant documents is fixed)" } else { "true at w = 1" };
            format!("\"constant q\" assumes that unjudged ranks are relevant independently, each with probability q (Park 2016, section 2): {holds}.")
        }
        RankingNote::Coverage { level, least, most, methods } => coverage(*level, (*least, *most), methods),
        RankingNote::PaperClaim { exact, means, std_devs } => format!(
            "Park (2016) says that mean and standard deviation fall as w falls. {}, the mean {}; the standard deviation {}.",
            if *exact { "Computed exactly" } else { "In the simulation" },
            courses(means),
            courses(std_devs)
        ),
        RankingNote::OneReplication => {
            "No standard deviation: it needs at least two replications (--replications).".into()
        }
        RankingNote::Histograms => {
            "Histograms: \"list\" counts single rankings over the possible range, \"mean\" counts means over the observed range."
                .into()
        }
    }
}

fn coverage(level: f64, (least, most): (f64, f64), methods: &[&str]) -> String {
    let show = |share: f64| NumberStyle::Decimals(1).show(100.0 * share);
    let (least, most) = (show(least), show(most));
    let held = if least == most { least } else { format!("{least} to {most}") };
    format!("Its {} interval ({}) covers {held}% of the simulated means.", percent(level), methods.join(", "))
}

fn course_text(course: Course) -> &'static str {
    match course {
        Course::Stays => "is constant",
        Course::Rises => "rises",
        Course::Falls => "falls",
        Course::RisesThenFalls => "rises, then falls",
        Course::FallsThenRises => "falls, then rises",
        Course::Varies => "goes up and down",
    }
}

/// `rises at q=0.1, 0.2 and falls at q=0.5`.
fn courses(rows: &[(f64, Course)]) -> String {
    let mut kinds: Vec<(Course, Vec<String>)> = Vec::new();
    for (share, course) in rows {
        match kinds.iter_mut().find(|(kind, _)| kind == course) {
            Some((_, shares)) => shares.push(share.to_string()),
            None => kinds.push((*course, vec![share.to_string()])),
        }
    }
    let one = |(kind, shares): &(Course, Vec<String>)| format!("{} at q={}", course_text(*kind), shares.join(", "));
    kinds.iter().map(one).collect::<Vec<_>>().join(" and ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_q_with_the_same_course_share_a_phrase() {
        let rows = [(0.1, Course::Rises), (0.2, Course::Falls), (0.3, Course::Rises)];
        assert_eq!(courses(&rows), "rises at q=0.1, 0.3 and falls at q=0.2");
    }
}
