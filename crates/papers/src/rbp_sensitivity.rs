//! Zhang, Park, Moffat (2008), Parameter Sensitivity in Rank-Biased Precision: what printed scores say at another p.

use karat_report::{Axis, Figure, Panel, Table};
use karat_stats::Seed;

use crate::{Claim, Desk, Outcome, Paper, Work};
use karat_analysis::published::depth::contribution;
use karat_analysis::published::vectors::{Extremes, score, written};
use karat_analysis::published::{Printed, PublishedScore, paper, range, rbp, significant_ranks};

mod real;

/// The row.
pub const PAPER: Paper = Paper {
    name: "rbp-parameter-sensitivity",
    title: "Zhang, Park, Moffat (2008), Parameter Sensitivity in Rank-Biased Precision, ADCS",
    recipe: "the paper's rules, as `karat published` implements them, are compared with its exact search and sound ranges. For the question of the conclusion the collection's runs are scored with p = 0.5, 0.8 and 0.95, rounded as in papers, and compared from the printed numbers alone",
    reproduce,
};

fn reproduce(work: &Work<'_>, desk: &mut dyn Desk) -> Outcome {
    let mut outcome = Outcome::default();
    outcome.claims.extend(examples());
    outcome.claims.extend(table_1());
    outcome.claims.extend(vectors());
    outcome.claims.extend(figure_3_claims());
    outcome.claims.extend(ranges());
    outcome.claims.extend(residuals(work));
    outcome.figures = vec![
        figure_1(),
        fan("rbp-parameter-sensitivity-figure-2", "Figure 2: RBP of R_G and R_L over p'", &[(0.8, 0.4)], 1),
        figure_3(),
        figure_4(),
    ];
    real::real(work, desk, &mut outcome);
    outcome
}

fn published(p: f64, value: f64, residual: Option<f64>, unit: f64) -> Option<PublishedScore> {
    let printed = |value| Printed::new(value, unit).ok();
    let residual = match residual {
        Some(residual) => Some(printed(residual)?),
        None => None,
    };
    PublishedScore::new(p, printed(value)?, residual).ok()
}

fn bits(text: &str) -> impl Iterator<Item = f64> + '_ {
    text.chars().map(|symbol| f64::from(u8::from(symbol == '1')))
}

fn examples() -> Vec<Claim> {
    let so_far = rbp(bits("10001"), 0.8);
    let rest = contribution(0.8, 7) + contribution(0.8, 8);
    let forced = so_far + rest < 0.4 && so_far + contribution(0.8, 6) <= 0.4;
    vec![
        Claim::printed("2", "RBP(11010001, 0.5)", "0.816", rbp(bits("11010001"), 0.5)),
        Claim::near("2", "what ranks from 12 on add at p = 0.5", 4.88e-4, 5e-7, 0.5f64.powi(11)),
        Claim::near(
            "2",
            "ranks to judge at p = 0.5 for three decimals",
            11.0,
            0.0,
            significant_ranks(0.5, 1e-3) as f64,
        ),
        Claim::printed("3", "RBP(10001, 0.8)", "0.2812", so_far)
            .or_else("0.2 + 0.2 · 0.8⁴ = 0.28192: a digit is missing"),
        Claim::near("3", "what ranks 7 and 8 can add at p = 0.8", 0.0943, 1e-4, rest)
            .note("0.09437, truncated instead of rounded"),
        Claim::words(
            "3",
            "so rank 6 of 10001??? is relevant for S = 0.4",
            "r_6 = 1",
            if forced { "r_6 = 1" } else { "free" },
            forced,
        ),
    ]
}

fn table_1() -> Vec<Claim> {
    let printed: [(f64, [&str; 3]); 6] = [
        (0.5, ["8", "15", "28"]),
        (0.7, ["15", "28", "54"]),
        (0.8, ["24", "45", "86"]),
        (0.9, ["51", "94", "182"]),
        (0.95, ["104", "194", "373"]),
        (0.99, ["528", "986", "1,001"]),
    ];
    let mut claims = Vec::new();
    for (p, depths) in printed {
        for (precision, depth) in [1e-2, 1e-4, 1e-8].into_iter().zip(depths) {
            let found = significant_ranks(p, precision) as f64;
            claims.push(
                Claim::near("table 1", format!("significant ranks, p = {p}, precision {precision:e}"), depth.replace(',', "").parse().ok(), 0.0, found)
                    .or_else("the paper's vectors end at 1,000 ranks. 0.99^1901 is 5.03e-9, and 0.99^1902 is the first power below half of 1e-8"),
            );
        }
    }
    claims
}

/// Section 6, and what it says of p = 0.5 and below.
fn vectors() -> Vec<Claim> {
    let found = |p, value| published(p, value, None, 1e-4).map(|published| paper::vectors(&published));
    let two = found(0.5, 0.5);
    let written_two = two
        .as_ref()
        .map_or(String::new(), |found| format!("{}, {}", &written(&found.greatest)[..4], &written(&found.least)[..4]));
    let third = found(0.5, 0.3);
    let one = third.as_ref().is_some_and(|found| found.greatest == found.least);
    let refused = published(0.2, 0.5, None, 1e-4).map(|published| published.check_binary().is_err());
    let unique = [0.2, 0.8, 0.96, 0.16]
        .into_iter()
        .filter(|&value| found(0.2, value).is_some_and(|found| found.greatest == found.least))
        .count();
    vec![
        Claim::words("6", "p = 0.5, S = 0.5: one vector ends in 0s, one in 1s", "1000…, 0111…", written_two.clone(), written_two == "1000, 0111"),
        Claim::words("6", "p = 0.5: there are always exactly two vectors, for all scores (S = 0.3)", "two", if one { "one" } else { "two" }, !one).or_else(
            "only a finite sum of powers of 1/2 has two binary expansions; 0.3 has one, so R_G and R_L are the same vector",
        ),
        Claim::words("6", "p = 0.2: no vector scores 0.5", "impossible", if refused == Some(true) { "impossible" } else { "possible" }, refused == Some(true)),
        Claim::near("6", "p = 0.2: of S = 0.16, 0.2, 0.8, 0.96, how many have a single vector", 4.0, 0.0, unique as f64),
    ]
}

/// The panels of figure 3.
const PANELS: [(f64, f64); 9] =
    [(0.2, 0.8), (0.5, 0.8), (0.8, 0.8), (0.2, 0.5), (0.5, 0.5), (0.8, 0.5), (0.2, 0.2), (0.5, 0.2), (0.8, 0.2)];

fn figure_3_claims() -> Vec<Claim> {
    let feasible: Vec<PublishedScore> = PANELS
        .iter()
        .filter_map(|&(p, value)| published(p, value, None, 1e-4))
        .filter(|published| published.check_binary().is_ok())
        .collect();
    // As p' falls to 0 only rank 1 counts.
    let first = |ranks: &[karat_analysis::published::Rank]| score(&ranks[..1], 0.0, 0.0);
    let (mut told, mut right) = (0, 0);
    for published in &feasible {
        let (p, value) = (published.persistence(), published.score().value);
        let Extremes { greatest, least } = paper::vectors(published);
        let says: Vec<f64> = [(value >= p - 1e-9, 1.0), (value <= 1.0 - p + 1e-9, 0.0)]
            .iter()
            .filter(|(says, _)| *says)
            .map(|(_, end)| *end)
            .collect();
        told += usize::from(!says.is_empty());
        right +=
            usize::from(!says.is_empty() && says.iter().all(|&end| first(&greatest) == end && first(&least) == end));
    }
    vec![
        Claim::near("figure 3", "panels of p, S in 0.2, 0.5, 0.8 that can be drawn", 8.0, 0.0, feasible.len() as f64),
        Claim::words(
            "4.1, figure 3",
            "as p' falls to 0 both vectors go to 1 if S ≥ p, to 0 if S ≤ 1 − p (panels of which it says so)",
            format!("{told} of {told}"),
            format!("{right} of {told}"),
            right == told,
        )
        .or_else(
            "true with < and >, false at equality (five panels). For p = 0.5, S = 0.5 and for p = 0.2 both rules apply at once (at p = 0.2 rank 1 is 0 for S = 0.2 and 1 for S = 0.8). For p = 0.8, S = 0.2 and 0.8, rank 1 is free, so the curves separate",
        ),
    ]
}

/// Section 4: what R_G and R_L bound.
fn ranges() -> Vec<Claim> {
    let mut claims = Vec::new();
    // 1011 scores .1 · (1 + .81 + .729) = .2539 at p = .9, printed 0.25.
    if let Some(published) = published(0.9, 0.25, None, 1e-2) {
        let (witness, at) = (rbp(bits("1011"), 0.9), rbp(bits("1011"), 0.85));
        let prints_so = published.score().low() <= witness && witness < published.score().high();
        let (_, high) = paper::range(&published, 0.85);
        let sound = range(&published, 0.85, 200);
        claims.push(
            Claim::words("4.1", "p = 0.9, S = 0.25: no vector that prints so scores above RBP(R_G, 0.85)", high, at, !(prints_so && at > high)).or_else(
                "1011 scores 0.2539 at p = 0.9, which prints as 0.25, and 0.3505 at p' = 0.85. R_G and R_L are extremes for one exact score, but a printed score is an interval. karat's range covers the whole interval",
            ),
        );
        claims.push(
            Claim::words(
                "4.1",
                "the sound range holds that vector (ours)",
                "holds it",
                sound.high.value,
                sound.low.value <= at && at <= sound.high.value,
            )
            .note("the upper end of karat's range at p' = 0.85; not a claim of the paper"),
        );
    }
    if let Some(published) = published(0.8, 0.4, None, 1e-4) {
        let Extremes { greatest, least } = paper::vectors(&published);
        let tail = |ranks: usize| 0.95f64.powf(ranks as f64);
        let (theirs, ours) =
            (score(&greatest, 0.0, 0.95) + tail(greatest.len()), score(&least, 0.0, 0.95) + tail(least.len()));
        claims.push(
            Claim::words("4.1, 4.2 step 3", "p = 0.8, S = 0.4: R_G followed by 1s is the greatest score at p' = 0.95", theirs, ours, theirs >= ours).or_else(
                "above p, R_L scores higher; ranks below the depth are free in both. For an exact S the upper end is R_L followed by 1s (shown), the lower end R_G followed by 0s. For a printed S, which is an interval, the sound range is slightly wider",
            ),
        );
    }
    claims
}

/// Section 5: do the local rules meet S and S + ε?
fn residuals(work: &Work<'_>) -> Vec<Claim> {
    let draws = work.effort(4_000, 1_000);
    let (missed, all) = missed(draws, work.seed);
    let place = "5.1, 5.2";
    let share = |missed: u32| f64::from(missed) / f64::from(all.max(1));
    let note = "the rules decide rank by rank and never backtrack; in about half of these cases marking other zeros would work. karat searches until both numbers match, and reports when no vector exists. Tested on random rankings at p = 0.6 (a rank is relevant with probability 0.4, unjudged with 0.2), S and ε rounded to 4 digits, so a vector exists";
    vec![
        Claim::words(
            place,
            "R_G as the rules of 5.2 mark it reaches S + ε (share of scores where it does not)",
            0.0,
            share(missed.0),
            missed.0 == 0,
        )
        .or_else(note),
        Claim::words(
            place,
            "R_L as the rules of 5.2 mark it reaches S + ε (share of scores where it does not)",
            0.0,
            share(missed.1),
            missed.1 == 0,
        )
        .or_else(note),
        Claim::open(
            "5.2",
            "NA if acc(i) + rem'(i) < ε",
            "acc(i)",
            "the NA weight so far",
            "acc(i) was defined as the weight of relevant ranks; with that meaning, relevant ranks would also count as unjudged. karat reads it as the unjudged weight so far",
        ),
    ]
}

/// How many vectors by the rules miss the printed residual by more than its last digit, greatest and least; of how many.
fn missed(draws: u32, seed: Seed) -> ((u32, u32), u32) {
    const P: f64 = 0.6;
    let streams = seed.child("rbp-parameter-sensitivity", 0).streams("residuals");
    let (mut missed, mut all) = ((0, 0), 0);
    for draw in 0..draws {
        let mut stream = streams.at(draw.into());
        let (mut ones, mut open) = (0.0, 0.0);
        for rank in 1..=25 {
            let kind = stream.unit();
            let weight = contribution(P, rank);
            ones += if kind < 0.4 { weight } else { 0.0 };
            open += if (0.4..0.6).contains(&kind) { weight } else { 0.0 };
        }
        let Ok(published) = PublishedScore::new(P, Printed::rounded(ones, 4), Some(Printed::rounded(open, 4))) else {
            continue;
        };
        let Extremes { greatest, least } = paper::vectors(&published);
        let residual = published.residual().map_or(0.0, |residual| residual.value);
        let misses = |ranks: &[karat_analysis::published::Rank]| {
            ((score(ranks, 1.0, P) - score(ranks, 0.0, P)) - residual).abs() > 1e-4
        };
        missed.0 += u32::from(misses(&greatest));
        missed.1 += u32::from(misses(&least));
        all += 1;
    }
    (missed, all)
}

fn figure_1() -> Figure {
    let mut panel = Panel::new("", Axis::new("rank", 1.0, 20.0), Axis::new("contribution", 0.0, 0.52));
    let mut rows =
        Table::new("figure_1", "").column("p", "p").column("rank", "rank").column("contribution", "contribution");
    for (series, p) in [0.5, 0.8, 0.95].into_iter().enumerate() {
        let points: Vec<(f64, f64)> = (1..=20).map(|rank| (rank as f64, contribution(p, rank))).collect();
        points.iter().for_each(|&(rank, weight)| rows.push([p.into(), rank.into(), weight.into()]));
        panel = panel.mark(karat_report::Mark::curve(series, format!("p = {p}"), points));
    }
    Figure::new("rbp-parameter-sensitivity-figure-1", "Figure 1: contribution of each rank to RBP", 1)
        .reading(
            "Contribution of each rank to RBP for three p. A larger p gives a flatter curve: deep ranks matter more.",
        )
        .panel(panel)
        .rows(rows)
}

fn figure_3() -> Figure {
    fan("rbp-parameter-sensitivity-figure-3", "Figure 3: convergence for p and S of 0.2, 0.5, 0.8", &PANELS, 3)
}

/// R_G and R_L over p', one panel per score.
fn fan(id: &'static str, title: &str, panels: &[(f64, f64)], columns: usize) -> Figure {
    let mut figure = Figure::new(id, title, columns).reading(
        "RBP of the paper's two vectors at other p'. They meet at the printed p and S (the point). To the right R_L, followed by 1s, rises and R_G falls. To the left they separate if rank 1 is free and meet if it is forced. A panel is empty if no ranking has that score.",
    );
    let mut rows = Table::new("fan", "")
        .column("p", "p")
        .column("s", "S")
        .column("at", "p'")
        .column("greatest", "R_G")
        .column("least", "R_L");
    for &(p, value) in panels {
        let mut panel =
            Panel::new(format!("p = {p}, S = {value}"), Axis::new("p'", 0.0, 1.0), Axis::new("RBP", 0.0, 1.0));
        match published(p, value, None, 1e-8).filter(|published| published.check_binary().is_ok()) {
            None => panel = panel.words((0.5, 0.5), "no ranking has this score"),
            Some(published) => {
                let Extremes { greatest, least } = paper::vectors(&published);
                let steps: Vec<f64> = (1..100).map(|step| f64::from(step) / 100.0).collect();
                // Above p the ranks below the vector are free; relevant ones make the sound upper end.
                let of = |ranks: &[karat_analysis::published::Rank], free: f64| {
                    let tail = |at: f64| if at > p { free * at.powf(ranks.len() as f64) } else { 0.0 };
                    steps.iter().map(|&at| (at, score(ranks, 0.0, at) + tail(at))).collect::<Vec<_>>()
                };
                let (high, low) = (of(&greatest, 0.0), of(&least, 1.0));
                for (high, low) in high.iter().zip(&low) {
                    rows.push([p.into(), value.into(), high.0.into(), high.1.into(), low.1.into()]);
                }
                panel = panel.line(0, "R_G", false, high).line(1, "R_L", true, low).dot(2, (p, value));
            }
        }
        figure = figure.panel(panel);
    }
    figure.rows(rows)
}

/// Figure 4: with a residual, four vectors.
fn figure_4() -> Figure {
    let mut panel = Panel::new("p = 0.8, S = 0.4, residual 0.1", Axis::new("p'", 0.0, 1.0), Axis::new("RBP", 0.0, 1.0));
    let mut rows = Table::new("figure_4", "").column("vector", "vector").column("at", "p'").column("rbp", "RBP");
    if let Some(Ok(Extremes { greatest, least })) =
        published(0.8, 0.4, Some(0.1), 1e-4).map(|published| Extremes::of(&published))
    {
        let four = [
            ("R_G", &greatest, 0.0),
            ("R'_G, unjudged relevant", &greatest, 1.0),
            ("R_L", &least, 0.0),
            ("R'_L, unjudged relevant", &least, 1.0),
        ];
        for (series, (name, ranks, unjudged)) in four.into_iter().enumerate() {
            let points: Vec<(f64, f64)> =
                (1..100).map(|step| f64::from(step) / 100.0).map(|at| (at, score(ranks, unjudged, at))).collect();
            points.iter().for_each(|&(at, value)| rows.push([name.into(), at.into(), value.into()]));
            panel = panel.mark(karat_report::Mark::curve(series, name, points));
        }
    }
    Figure::new("rbp-parameter-sensitivity-figure-4", "Figure 4: bounds with a residual", 1)
        .subtitle("the paper has a sketch; these vectors match S and S + residual exactly")
        .reading("RBP over p' of the greatest and the least vector with a residual, with unjudged ranks as not relevant and as relevant. At the printed p these differ by the residual. To the left R'_G is highest and R_L lowest; to the right R'_L is highest and R_G lowest.")
        .panel(panel)
        .rows(rows)
}
