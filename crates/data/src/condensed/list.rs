//! A ranking in bytes: the unjudged documents between two judged ones are one number, whatever their names were.

use super::wire::{Reader, Writer};
use crate::align::Ranking;
use crate::judgement::{Grade, Judgement};
use crate::ties::{TieBuffer, TieGroups};

/// Unpooled, pooled, a grade with a fraction; from then on whole grades.
const UNPOOLED: u64 = 0;
const POOLED: u64 = 1;
const FRACTION: u64 = 2;
const WHOLE: u64 = 3;

/// Grades in files are not larger ([`Judgement`] knows no limit, and has a fraction's code beyond it).
const LARGEST_WHOLE: f64 = 1e9;

/// Writes a ranking by plain grades.
pub fn write(ranking: &Ranking<'_>) -> Box<[u8]> {
    let mut out = Writer::default();
    out.count(ranking.ranks.len());
    out.count(ranking.ranks.iter().filter(|&&judgement| judgement != Judgement::Unpooled).count());
    let mut open = 0u64;
    for &judgement in ranking.ranks {
        if judgement == Judgement::Unpooled {
            open += 1;
        } else {
            out.whole(open);
            write_judgement(&mut out, judgement);
            open = 0;
        }
    }
    out.whole(u64::from(ranking.below));
    out.count(ranking.ties.iter().len());
    out.whole(u64::from(ranking.ties.is_unclear()));
    for group in ranking.ties.iter() {
        out.count(group.start);
        out.count(group.shown());
        out.count(group.members.len());
        group.members.iter().for_each(|&member| write_judgement(&mut out, member));
    }
    out.finish().into()
}

/// A ranking that was read; it keeps its room for the next one.
#[derive(Debug, Default)]
pub struct List {
    ranks: Vec<Judgement>,
    below: u32,
    ties: TieBuffer,
}

impl List {
    /// Reads a ranking; `None` where the bytes are no ranking.
    pub fn read(&mut self, bytes: &[u8]) -> Option<()> {
        let mut from = Reader::new(bytes);
        let length = from.count().filter(|&length| length <= u32::MAX as usize)?;
        let judged = from.count()?;
        self.ranks.clear();
        for _ in 0..judged {
            let open = from.count().filter(|open| open + self.ranks.len() < length)?;
            self.ranks.resize(self.ranks.len() + open, Judgement::Unpooled);
            self.ranks.push(judgement(&mut from)?);
        }
        self.ranks.resize(length, Judgement::Unpooled);
        self.below = u32::try_from(from.whole()?).ok()?;
        self.ties.clear();
        let groups = from.count()?;
        if from.whole()? == 1 {
            self.ties.set_unclear();
        }
        let mut members = Vec::new();
        for _ in 0..groups {
            let (start, shown, count) = (from.count()?, from.count()?, from.things()?);
            members.clear();
            for _ in 0..count {
                members.push(judgement(&mut from)?);
            }
            if start.checked_add(shown)? > length || shown > count {
                return None;
            }
            self.ties.push(start, shown, members.iter().copied(), std::iter::empty());
        }
        from.is_done().then_some(())
    }

    /// The ranking, with its ties where they are wanted.
    pub fn ranking(&self, with_ties: bool) -> Ranking<'_> {
        let ties = if with_ties { self.ties.groups() } else { TieGroups::default() };
        Ranking { ranks: &self.ranks, below: self.below, documents: &[], ties }
    }
}

fn write_judgement(out: &mut Writer, judgement: Judgement) {
    match judgement {
        Judgement::Unpooled => out.whole(UNPOOLED),
        Judgement::PooledUnjudged => out.whole(POOLED),
        Judgement::Grade(grade) if grade.value().fract() == 0.0 && grade.value() <= LARGEST_WHOLE => {
            out.whole(WHOLE + grade.value() as u64);
        }
        Judgement::Grade(grade) => {
            out.whole(FRACTION);
            out.float(grade.value());
        }
    }
}

fn judgement(from: &mut Reader<'_>) -> Option<Judgement> {
    Some(match from.whole()? {
        UNPOOLED => Judgement::Unpooled,
        POOLED => Judgement::PooledUnjudged,
        FRACTION => Judgement::Grade(Grade::new(from.float()?)?),
        whole => Judgement::Grade(Grade::new((whole - WHOLE) as f64)?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grade(value: f64) -> Judgement {
        Judgement::Grade(Grade::new(value).unwrap())
    }

    #[test]
    fn a_ranking_comes_back() {
        let (open, pooled) = (Judgement::Unpooled, Judgement::PooledUnjudged);
        let ranks = [open, open, grade(2.0), pooled, grade(0.0), open, grade(1.5), open, open];
        let mut ties = TieBuffer::default();
        ties.push(1, 3, [open, grade(2.0), pooled].into_iter(), std::iter::empty());
        // Cut by the depth: four documents of one score, two of them shown.
        ties.push(7, 2, [open, open, grade(1.0), open].into_iter(), std::iter::empty());
        ties.set_unclear();
        let given = Ranking { ranks: &ranks, below: 7, documents: &[], ties: ties.groups() };
        let bytes = write(&given);
        let mut list = List::default();
        // Whatever was read before is forgotten.
        list.read(&write(&Ranking { ranks: &[open; 30], ..Ranking::default() })).unwrap();
        list.read(&bytes).unwrap();
        let read = list.ranking(true);
        assert_eq!((read.ranks, read.below, read.ties.is_unclear()), (&ranks[..], 7, true));
        assert_eq!(read.ties.iter().collect::<Vec<_>>(), given.ties.iter().collect::<Vec<_>>());
        assert!(list.ranking(false).ties.is_empty());
        for cut in 0..bytes.len() {
            assert!(List::default().read(&bytes[..cut]).is_none(), "{cut}");
        }
    }

    #[test]
    fn a_thousand_unjudged_documents_are_six_bytes() {
        let ranks = [Judgement::Unpooled; 1000];
        // Length 2 bytes; 0 judged, 0 below, 0 groups, not unclear: 1 each.
        assert_eq!(write(&Ranking { ranks: &ranks, ..Ranking::default() }).len(), 6);
    }
}
