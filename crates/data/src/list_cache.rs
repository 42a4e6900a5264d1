//! Topics that look alike: short lists with the same judgements at the same ranks and the same counts of grades.
//!
//! The decision behind it: no measure sees more of a topic of plain grades than that, so what was answered for one holds
//! for all that look like it, and is computed and kept once. Where topics are many and lists short (five documents, ten),
//! most look like an earlier one; long lists hardly ever do, and are not looked at.

use crate::align::Ranking;
use crate::hash;
use crate::judgement::{Grade, Judgement};
use crate::view::TopicFacts;

/// Ranks of a list that is looked at.
const SHORT: usize = 16;

/// Different grades that can be told apart; counts of each up to 255.
const GRADES: usize = 13;

/// Different looks that a thread remembers, so that the table stays in its core's cache.
const REMEMBERED: usize = 1 << 14;

/// All that a measure sees of a topic: four bits a rank, eight bits a grade for its count, the unjudged documents
/// elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Look([u64; 4]);

/// The looks that a thread has met, and the number of the answers each got.
#[derive(Debug, Default)]
pub(crate) struct Looks {
    /// The grades met, which go by their places here.
    grades: Vec<Grade>,
    slots: Vec<u32>,
    met: Vec<(Look, u32)>,
}

impl Looks {
    /// The look of a topic of plain grades; `None` where it is not worth it, or documents are tied, of which there is more
    /// to say.
    #[inline]
    pub(crate) fn of(&mut self, ranking: &Ranking<'_>, facts: TopicFacts<'_>) -> Option<Look> {
        if ranking.ranks.len() > SHORT || !ranking.ties.is_empty() {
            return None;
        }
        let (mut ranks, mut counts) = (0, 0u128);
        for judgement in ranking.ranks {
            // Not 0, so that the length shows too.
            let code = match judgement {
                Judgement::Unpooled => 1,
                Judgement::PooledUnjudged => 2,
                Judgement::Grade(grade) => 3 + self.place_of(*grade)?,
            };
            ranks = ranks << 4 | code as u64;
        }
        for (grade, count) in facts.grades {
            counts |= u128::from(u8::try_from(*count).ok()?) << (8 * self.place_of(*grade)?);
        }
        let elsewhere = u64::from(facts.pooled_unjudged) << 32 | u64::from(ranking.below);
        Some(Look([ranks, counts as u64, (counts >> 64) as u64, elsewhere]))
    }

    /// The place of a grade among those met, while there is room.
    #[inline]
    fn place_of(&mut self, grade: Grade) -> Option<usize> {
        let found = self.grades.iter().position(|other| *other == grade);
        found.or_else(|| {
            (self.grades.len() < GRADES).then(|| {
                self.grades.push(grade);
                self.grades.len() - 1
            })
        })
    }

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

    fn judgements(text: &str) -> Vec<Judgement> {
        let one = |word: &str| match word {
            "-" => Judgement::Unpooled,
            number => Judgement::from_number(number.parse().unwrap()).unwrap(),
        };
        text.split_whitespace().map(one).collect()
    }

    fn look(looks: &mut Looks, ranks: &str, grades: &[(f64, u32)], pooled_unjudged: u32, below: u32) -> Option<Look> {
        let grades: Vec<_> = grades.iter().map(|&(grade, count)| (Grade::new(grade).unwrap(), count)).collect();
        let ranking = Ranking { ranks: &judgements(ranks), below, ..Ranking::default() };
        looks.of(&ranking, TopicFacts { grades: &grades, pooled_unjudged })
    }

    #[test]
    fn whatever_a_measure_could_see_makes_another_look() {
        let facts: &[(f64, u32)] = &[(0.0, 1), (2.0, 3)];
        let mut met = Looks::default();
        let mut look = |ranks, facts, pooled, below| look(&mut met, ranks, facts, pooled, below);
        let looks = [
            look("", facts, 0, 0),
            look("0", facts, 0, 0),
            look("0 0", facts, 0, 0),
            look("0 -", facts, 0, 0),
            look("- 0", facts, 0, 0),
            look("0 -1", facts, 0, 0),
            look("0 7.5", facts, 0, 0),
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
        let mut looks = Looks::default();
        assert!(look(&mut looks, &"1 ".repeat(16), &[(1.0, 255)], 0, 0).is_some());
        assert_eq!(look(&mut looks, &"1 ".repeat(17), &[(1.0, 255)], 0, 0), None);
        assert_eq!(look(&mut looks, "1", &[(1.0, 256)], 0, 0), None);
        // Thirteen grades in the order they are met: the last one fills a rank's four bits.
        let grades: Vec<(f64, u32)> = (1..=13).map(|grade| (f64::from(grade), 1)).collect();
        assert!(look(&mut looks, "", &grades, 0, 0).is_some());
        assert_eq!(look(&mut looks, "13", &grades, 0, 0), Some(Look([15, 0x0101_0101_0101_0101, 0x01_0101_0101, 0])));
        assert_eq!(look(&mut looks, "14", &[], 0, 0), None);
        assert_eq!(look(&mut looks, "", &[(14.0, 1)], 0, 0), None);
    }

    #[test]
    fn looks_are_remembered_while_there_is_room() {
        let mut looks = Looks::default();
        let number = |number: u32| Look([u64::from(number), 0, 0, 0]);
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
