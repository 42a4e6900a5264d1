//! Bounds of nERR, ERR over that of the ideal order.
//!
//! ERR is linear in the chance S of each document, the ideal the greatest of such sums over all orders and so convex in it: the
//! quotient is least where every unjudged document has the least or the greatest chance, and for a given number of the
//! latter where they stand at the lowest ranks. That end is exact. The greatest need not lie at such a corner; for each number
//! of newly relevant documents it is taken from their greatest chance in the run and their least in the ideal, which is
//! exact where the two are one. Where grades may be fractions their least is as small as one likes, and the ideal with it;
//! what then holds is [`place`].

use karat_data::TopicView;

use super::Open;
use crate::tally;

/// Below this chance of looking at a document nothing changes any more.
const NOBODY: f64 = 1e-18;

/// Least and greatest nERR; `satisfied` is the chance of a grade.
pub(crate) fn bounds(view: &TopicView<'_>, cutoff: Option<usize>, satisfied: impl Fn(f64) -> f64) -> (f64, f64) {
    let open = Open::all(view);
    let ranks = tally::first(view, cutoff);
    let max_grade = view.collection.max_grade;
    let greatest = satisfied(max_grade);
    let least = if view.collection.whole_grades { satisfied(max_grade.min(1.0)) } else { 0.0 };
    let known: Vec<Option<f64>> = ranks.iter().map(|judgement| judgement.grade().map(&satisfied)).collect();
    let unjudged: Vec<usize> = (0..known.len()).filter(|index| known[*index].is_none()).collect();
    let outside = open.retrieved - unjudged.len() + open.missed;
    let judged: Vec<(f64, usize)> =
        view.facts.grades.iter().rev().map(|(grade, count)| (satisfied(grade.value()), *count as usize)).collect();
    let cutoff = cutoff.unwrap_or(usize::MAX);
    let ratio = |run: f64, more: usize, chance: f64| {
        let ideal = ideal(&judged, (chance, more), cutoff);
        match (run > 0.0, ideal > 0.0) {
            (false, _) => 0.0,
            (true, true) => (run / ideal).min(1.0),
            // The ideal of chances that may be as small as one likes: the quotient has no such limit.
            (true, false) => 1.0,
        }
    };
    let (above, below) = (Above::of(&known, 0.0), below(&known, greatest));
    let mut low = ratio(above.sum[known.len()], outside, greatest);
    for (count, &index) in (1..).zip(unjudged.iter().rev()) {
        low = low.min(ratio(above.sum[index] + above.unsatisfied[index] * below[index], outside + count, greatest));
    }
    let (above, below) = (Above::of(&known, greatest), self::below(&known, 0.0));
    let mut high = ratio(below[0], 0, 0.0);
    for (count, &index) in (1..).zip(&unjudged) {
        let run = above.sum[index + 1] + above.unsatisfied[index + 1] * below[index + 1];
        high = high.max(ratio(run, count, least));
    }
    (low, high.min(place(&known)))
}

/// No less than nERR, whatever the chances: with r_i the rank of the i-th relevant document the ideal is at least the ERR
/// of the same documents in the same order at ranks 1, 2, ..., of which the run has i/r_i of the i-th term. The unjudged
/// are relevant here, as each that is raises the i of those below.
fn place(known: &[Option<f64>]) -> f64 {
    let open = known.iter().enumerate().filter(|(_, chance)| chance.is_none_or(|chance| chance > 0.0));
    open.zip(1..).map(|((index, _), relevant)| f64::from(relevant) / (index + 1) as f64).fold(0.0, f64::max)
}

/// By rank: ERR of the ranks above, and the chance to come past them, with one chance for what is unjudged.
struct Above {
    sum: Vec<f64>,
    unsatisfied: Vec<f64>,
}

impl Above {
    fn of(known: &[Option<f64>], unjudged: f64) -> Above {
        let mut above = Above { sum: vec![0.0], unsatisfied: vec![1.0] };
        let (mut sum, mut unsatisfied) = (0.0, 1.0);
        for (index, chance) in known.iter().enumerate() {
            let chance = chance.unwrap_or(unjudged);
            sum += unsatisfied * chance / (index + 1) as f64;
            unsatisfied *= 1.0 - chance;
            above.sum.push(sum);
            above.unsatisfied.push(unsatisfied);
        }
        above
    }
}

/// By rank: ERR of this rank and those below for a user who has come there.
fn below(known: &[Option<f64>], unjudged: f64) -> Vec<f64> {
    let mut below = vec![0.0; known.len() + 1];
    for (index, chance) in known.iter().enumerate().rev() {
        let chance = chance.unwrap_or(unjudged);
        below[index] = chance / (index + 1) as f64 + (1.0 - chance) * below[index + 1];
    }
    below
}

/// ERR of the judged documents and some more, by falling chance.
fn ideal(judged: &[(f64, usize)], more: (f64, usize), cutoff: usize) -> f64 {
    let place = judged.partition_point(|(chance, _)| *chance > more.0);
    let groups = judged[..place].iter().chain(std::iter::once(&more)).chain(&judged[place..]);
    let (mut sum, mut unsatisfied, mut rank) = (0.0, 1.0, 0);
    for &(chance, count) in groups {
        for _ in 0..count {
            if rank == cutoff || chance <= 0.0 || unsatisfied < NOBODY {
                return sum;
            }
            rank += 1;
            sum += unsatisfied * chance / rank as f64;
            unsatisfied *= 1.0 - chance;
        }
    }
    sum
}
