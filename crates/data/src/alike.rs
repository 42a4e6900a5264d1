//! Topics that look alike: short lists with the same judgements at the same ranks and the same counts of grades.
//!
//! The decision behind it: no measure sees more of a topic of plain grades than that, so what was answered for one holds
//! for all that look like it, and is computed and kept once. Where topics are many and lists short (five documents, ten),
//! most look like an earlier one; long lists hardly ever do, and are not looked at.

use crate::align::Ranking;
use crate::hash;
use crate::judgement::Judgement;
use crate::view::TopicFacts;

/// Ranks of a list that is looked at.
const SHORT: usize = 16;

/// Whole grades below this can be told apart; counts of each up to 255.
const GRADES: usize = 8;

/// Different looks that a thread remembers, so that the table stays in its core's cache.
const REMEMBERED: usize = 1 << 14;

/// All that a measure sees of a topic: four bits a rank, eight bits a grade for its count, the unjudged documents
/// elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Look([u64; 3]);

impl Look {
    /// The look of a topic of plain grades; `None` where it is not worth it, or documents are tied, of which there is more
    /// to say.
    #[inline]
    pub(crate) fn of(ranking: &Ranking<'_>, facts: TopicFacts<'_>) -> Option<Look> {
        if ranking.ranks.len() > SHORT || !ranking.ties.is_empty() {
            return None;
        }
        let (mut ranks, mut grades) = (0, 0);
        for judgement in ranking.ranks {
            // Not 0, so that the length shows too.
            let code = match judgement {
                Judgement::Grade(grade) => 1 + small(grade.value())?,
                Judgement::PooledUnjudged => 1 + GRADES as u64,
                Judgement::Unpooled => 2 + GRADES as u64,
            };
            ranks = ranks << 4 | code;
        }
        for (grade, count) in facts.grades {
            grades |= u64::from(u8::try_from(*count).ok()?) << (8 * small(grade.value())?);
        }
        Some(Look([ranks, grades, u64::from(facts.pooled_unjudged) << 32 | u64::from(ranking.below)]))
    }
}

/// A small whole grade.
#[inline]
fn small(grade: f64) -> Option<u64> {
    let whole = grade as u8;
    (f64::from(whole) == grade && usize::from(whole) < GRADES).then_some(u64::from(whole))
}

/// The looks that a thread has met, and the number of the answers each got.
#[derive(Debug, Default)]
pub(crate) struct Looks {
    slots: Vec<u32>,
    met: Vec<(Look, u32)>,
}

impl Looks {
    /// The number of the answers that a topic of this look got.
    #[inline]
    pub(crate) fn find(&self, look: Look) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        self.probe(look).ok().map(|place| self.met[place].1)
    }

    /// Remembers what a topic of this look got, while there is room.
    pub(crate) fn remember(&mut self, look: Look, answers: u32) {
        if self.slots.is_empty() {
            self.slots = vec![0; hash::slots_for(REMEMBERED)];
        }
        if self.met.len() < REMEMBERED
            && let Err(free) = self.probe(look)
        {
            self.met.push((look, answers));
            self.slots[free] = self.met.len() as u32;
        }
    }

    fn probe(&self, look: Look) -> Result<usize, usize> {
        hash::probe(&self.slots, hash::of_words(look.0), |place| self.met[place].0 == look)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judgement::Grade;

    fn judgements(text: &str) -> Vec<Judgement> {
        let one = |word: &str| match word {
            "-" => Judgement::Unpooled,
            number => Judgement::from_number(number.parse().unwrap()).unwrap(),
        };
        text.split_whitespace().map(one).collect()
    }

    fn look(ranks: &str, grades: &[(f64, u32)], pooled_unjudged: u32, below: u32) -> Option<Look> {
        let grades: Vec<_> = grades.iter().map(|&(grade, count)| (Grade::new(grade).unwrap(), count)).collect();
        let ranking = Ranking { ranks: &judgements(ranks), below, ..Ranking::default() };
        Look::of(&ranking, TopicFacts { grades: &grades, pooled_unjudged })
    }

    #[test]
    fn whatever_a_measure_could_see_makes_another_look() {
        let facts: &[(f64, u32)] = &[(0.0, 1), (2.0, 3)];
        let looks = [
            look("", facts, 0, 0),
            look("0", facts, 0, 0),
            look("0 0", facts, 0, 0),
            look("0 -", facts, 0, 0),
            look("- 0", facts, 0, 0),
            look("0 -1", facts, 0, 0),
            look("0 7", facts, 0, 0),
            look("0 -", &[(0.0, 1), (1.0, 3)], 0, 0),
            look("0 -", &[(0.0, 1), (2.0, 4)], 0, 0),
            look("0 -", &[(2.0, 3)], 0, 0),
            look("0 -", facts, 1, 0),
            look("0 -", facts, 0, 1),
        ];
        for (place, one) in looks.iter().enumerate() {
            assert!(one.is_some() && !looks[..place].contains(one), "{place}");
        }
        assert_eq!(look("0 -", facts, 1, 2), look("0 -", facts, 1, 2));
    }

    #[test]
    fn what_does_not_fit_has_no_look() {
        let facts: &[(f64, u32)] = &[(1.0, 255)];
        assert!(look(&"1 ".repeat(16), facts, 0, 0).is_some());
        assert_eq!(look(&"1 ".repeat(17), facts, 0, 0), None);
        assert_eq!(look("0.5", facts, 0, 0), None);
        assert_eq!(look("8", facts, 0, 0), None);
        assert_eq!(look("1", &[(1.0, 256)], 0, 0), None);
        assert_eq!(look("1", &[(1.0, 1), (1e300, 1)], 0, 0), None);
    }

    #[test]
    fn looks_are_remembered_while_there_is_room() {
        let mut looks = Looks::default();
        let number = |number: u32| Look([u64::from(number), 0, 0]);
        assert_eq!(looks.find(number(7)), None);
        for met in 0..REMEMBERED as u32 + 10 {
            looks.remember(number(met), met + 100);
        }
        for met in 0..REMEMBERED as u32 {
            assert_eq!(looks.find(number(met)), Some(met + 100));
        }
        assert_eq!(looks.find(number(REMEMBERED as u32)), None);
    }
}
