//! Orders of preference: within a judgement group, which documents are preferred to which.
//!
//! A group is one person's opinion at one time, given in subgroups. A subgroup orders its documents by their values; what
//! follows from several subgroups together (a before b in one, b before c in another) holds in the group too. The one
//! decision behind the module: the order is never written out as a table of pairs. What stands below a document is
//! walked to, so a group costs as much memory as its rows.

use crate::marks::{Mark, Marks};
use crate::problem::{Problem, ProblemKind, quote};
use crate::qrels::{Qrels, TopicIndex};

/// One judgement group of a topic. Documents are named by their place in [`Group::documents`].
#[derive(Debug, Clone)]
pub struct Group {
    documents: Vec<u32>,
    relevant: Vec<bool>,
    /// The documents of the subgroups one after the other, those preferred first.
    order: Vec<u32>,
    /// Where each subgroup ends in `order`.
    ends: Vec<u32>,
    /// Where each document stands: the subgroup, and where in `order` the documents below it begin.
    places: Vec<Vec<(u32, u32)>>,
    name: u32,
    mixed: Option<u32>,
}

/// Why the rows of a group are no order of preference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Contradiction {
    /// Each of two documents is preferred to the other, directly or through others.
    Circle(u32, u32),
    /// A document has value 0 (not relevant) in one subgroup and a larger one in another.
    ZeroAndMore(u32),
}

/// The groups of a topic's marks.
pub fn groups(marks: &[Mark]) -> Vec<Group> {
    let mut sorted: Vec<&Mark> = marks.iter().collect();
    sorted.sort_by(|a, b| {
        (a.group, a.subgroup)
            .cmp(&(b.group, b.subgroup))
            .then(b.value.total_cmp(&a.value))
            .then(a.document.cmp(&b.document))
    });
    sorted.chunk_by(|a, b| a.group == b.group).map(Group::of).collect()
}

impl Group {
    /// From the rows of a group, by subgroup and then falling value.
    fn of(rows: &[&Mark]) -> Group {
        let mut documents: Vec<u32> = rows.iter().map(|mark| mark.document).collect();
        documents.sort_unstable();
        documents.dedup();
        let local = |mark: &Mark| documents.binary_search(&mark.document).unwrap_or_default();
        let mut relevant: Vec<Option<bool>> = vec![None; documents.len()];
        let mut places = vec![Vec::new(); documents.len()];
        let (mut order, mut ends, mut mixed) = (Vec::with_capacity(rows.len()), Vec::new(), None);
        for (subgroup, rows) in (0u32..).zip(rows.chunk_by(|a, b| a.subgroup == b.subgroup)) {
            for tied in rows.chunk_by(|a, b| a.value == b.value) {
                let below = (order.len() + tied.len()) as u32;
                for mark in tied {
                    let document = local(mark);
                    order.push(document as u32);
                    places[document].push((subgroup, below));
                    let is_relevant = mark.value > 0.0;
                    if relevant[document].is_some_and(|known| known != is_relevant) {
                        mixed = mixed.or(Some(document as u32));
                    }
                    relevant[document] = Some(is_relevant || relevant[document] == Some(true));
                }
            }
            ends.push(order.len() as u32);
        }
        let relevant = relevant.into_iter().map(|known| known == Some(true)).collect();
        Group { documents, relevant, order, ends, places, name: rows.first().map_or(0, |mark| mark.group), mixed }
    }

    /// The documents, each by its place among those of the topic, ascending.
    pub fn documents(&self) -> &[u32] {
        &self.documents
    }

    /// Whether a document has a value above 0.
    pub fn is_relevant(&self, document: u32) -> bool {
        self.relevant[document as usize]
    }

    /// Whether it was given as one order, in one subgroup.
    pub fn is_one_order(&self) -> bool {
        self.ends.len() == 1
    }

    /// A walk over what stands below documents, with its buffers.
    pub fn walk(&self) -> Walk<'_> {
        Walk {
            group: self,
            seen: vec![0; self.documents.len()],
            from: vec![(0, 0); self.ends.len()],
            turn: 0,
            found: Vec::new(),
        }
    }

    /// What makes the rows no order, if anything does.
    pub fn contradiction(&self) -> Option<Contradiction> {
        if let Some(document) = self.mixed {
            return Some(Contradiction::ZeroAndMore(document));
        }
        let mut walk = self.walk();
        let first = self.unordered().into_iter().find(|&document| walk.below(document).contains(&document))?;
        let below = walk.below(first).to_vec();
        let second = below.into_iter().find(|&other| other != first && walk.below(other).contains(&first))?;
        Some(Contradiction::Circle(first, second))
    }

    /// The documents on circles of preference or below one: those left when documents that nothing stands above are
    /// taken away again and again. Time grows with the rows, not with the pairs.
    fn unordered(&self) -> Vec<u32> {
        if self.is_one_order() {
            return Vec::new();
        }
        // Between two neighbouring classes of a subgroup stands a gate, open when the upper class is taken away. It is
        // numbered by the place where the lower class begins.
        let mut upper = vec![0u32; self.order.len() + 1];
        for places in &self.places {
            places.iter().for_each(|&(_, below)| upper[below as usize] += 1);
        }
        let mut lower = vec![0..0; self.order.len() + 1];
        let mut above = vec![0u32; self.documents.len()];
        let mut start = 0;
        for &end in &self.ends {
            let end = end as usize;
            let mut class = start;
            for at in (start + 1..=end).filter(|&at| upper[at] > 0) {
                if class > start {
                    lower[class] = class..at;
                    self.order[class..at].iter().for_each(|&document| above[document as usize] += 1);
                }
                class = at;
            }
            start = end;
        }
        let mut free: Vec<u32> = (0..self.documents.len() as u32).filter(|&d| above[d as usize] == 0).collect();
        while let Some(document) = free.pop() {
            for &(_, gate) in &self.places[document as usize] {
                upper[gate as usize] -= 1;
                if upper[gate as usize] == 0 {
                    for &document in &self.order[lower[gate as usize].clone()] {
                        above[document as usize] -= 1;
                        if above[document as usize] == 0 {
                            free.push(document);
                        }
                    }
                }
            }
        }
        (0..self.documents.len() as u32).filter(|&document| above[document as usize] > 0).collect()
    }
}

/// Walks from documents to all that stand below them.
#[derive(Debug)]
pub struct Walk<'a> {
    group: &'a Group,
    /// The turn in which a document was last found.
    seen: Vec<u32>,
    /// By subgroup: a turn, and from where on its documents were found in it.
    from: Vec<(u32, u32)>,
    turn: u32,
    found: Vec<u32>,
}

impl Walk<'_> {
    /// The documents to which `document` is preferred, directly or through others, in no order; each once. It is among
    /// them itself only where the rows contradict each other.
    pub fn below(&mut self, document: u32) -> &[u32] {
        self.turn += 1;
        self.found.clear();
        self.step(document);
        let mut at = 0;
        while at < self.found.len() {
            self.step(self.found[at]);
            at += 1;
        }
        &self.found
    }

    fn step(&mut self, document: u32) {
        for &(subgroup, below) in &self.group.places[document as usize] {
            let from = &mut self.from[subgroup as usize];
            let end = if from.0 == self.turn { from.1 } else { self.group.ends[subgroup as usize] };
            *from = (self.turn, end.min(below));
            for &lower in self.group.order.get(below as usize..end as usize).unwrap_or_default() {
                if self.seen[lower as usize] != self.turn {
                    self.seen[lower as usize] = self.turn;
                    self.found.push(lower);
                }
            }
        }
    }
}

/// What is wrong with preferences: groups whose rows contradict each other.
pub fn contradictions(qrels: &Qrels, marks: &Marks, file: &str) -> Vec<Problem> {
    let of_topic = |topic: TopicIndex| {
        let names: Vec<&[u8]> = qrels.documents(topic).map(|(docno, _)| docno).collect();
        let groups = groups(marks.topic(topic));
        let found = groups.iter().filter_map(|group| {
            let quoted = |document: u32| quote(names[group.documents[document as usize] as usize]);
            let within = format!("topic {}, group {}", quote(qrels.name(topic)), quote(marks.group_name(group.name)));
            let (found, remedy) = match group.contradiction()? {
                Contradiction::Circle(a, b) => (
                    format!("{} before {} and the reverse, directly or through others", quoted(a), quoted(b)),
                    "correct the levels; different opinions belong in different groups (field 2)",
                ),
                Contradiction::ZeroAndMore(document) => (
                    format!("{} with level 0 in one subgroup and a higher one in another", quoted(document)),
                    "0 means not relevant; write it in all subgroups of the group or in none",
                ),
            };
            let problem = Problem::of_file(file, format!("one order of preference in {within}"), found, remedy);
            Some(Problem { kind: ProblemKind::Contradictory, ..problem })
        });
        found.collect::<Vec<_>>()
    };
    qrels.topics().flat_map(of_topic).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows as (document, subgroup, value), all in one group.
    fn group(rows: &[(u32, u32, f64)]) -> Group {
        let marks: Vec<Mark> =
            rows.iter().map(|&(document, subgroup, value)| Mark { document, group: 7, subgroup, value }).collect();
        groups(&marks).remove(0)
    }

    fn below(group: &Group) -> Vec<Vec<u32>> {
        let mut walk = group.walk();
        let sorted = |found: &[u32]| {
            let mut found = found.to_vec();
            found.sort_unstable();
            found
        };
        (0..group.documents().len() as u32).map(|document| sorted(walk.below(document))).collect()
    }

    #[test]
    fn one_subgroup_orders_by_value_and_ties_say_nothing() {
        let group = group(&[(10, 0, 2.0), (20, 0, 0.0), (30, 0, 6.0), (40, 0, 2.0)]);
        assert!(group.is_one_order() && group.contradiction().is_none());
        assert_eq!(group.documents(), [10, 20, 30, 40]);
        assert_eq!(below(&group), [vec![1], vec![], vec![0, 1, 3], vec![1]]);
        assert_eq!((group.is_relevant(0), group.is_relevant(1)), (true, false));
    }

    #[test]
    fn what_follows_from_two_subgroups_holds() {
        // 0 > 1 > 2 and 1 > 3: 0 > 3 follows; of 2 and 3 nothing is said.
        let group = group(&[(0, 0, 3.0), (1, 0, 2.0), (2, 0, 1.0), (1, 1, 5.0), (3, 1, 4.0)]);
        assert_eq!(below(&group), [vec![1, 2, 3], vec![2, 3], vec![], vec![]]);
        assert!(!group.is_one_order() && group.contradiction().is_none());
    }

    #[test]
    fn circles_and_zeros_are_found() {
        // 0 > 1, 1 > 2, 2 > 0 in three subgroups; 3 stands below 2 only and on no circle.
        let circle = [(0, 0, 2.0), (1, 0, 1.0), (1, 1, 2.0), (2, 1, 1.0), (2, 2, 3.0), (0, 2, 2.0), (3, 2, 1.0)];
        assert_eq!(group(&circle).contradiction(), Some(Contradiction::Circle(0, 1)));
        let mixed = [(0, 0, 1.0), (1, 0, 0.0), (1, 1, 2.0), (2, 1, 1.0)];
        assert_eq!(group(&mixed).contradiction(), Some(Contradiction::ZeroAndMore(1)));
        // A document above itself through equals elsewhere is no circle: 0 = 1 here, 0 > 1 there.
        assert_eq!(group(&[(0, 0, 1.0), (1, 0, 1.0), (0, 1, 2.0), (1, 1, 1.0)]).contradiction(), None);
    }

    /// The fast search for circles against walking from every document, over all ways to give three documents values
    /// 1 to 3 in two or three subgroups.
    #[test]
    fn taking_away_the_top_finds_what_walking_finds() {
        let mut with_circle = 0;
        for code in 0..3u32.pow(9) {
            let value = |at: u32| f64::from(code / 3u32.pow(at) % 3) + 1.0;
            let rows: Vec<_> = (0..9).map(|at| (at % 3, at / 3, value(at))).collect();
            let group = group(&rows);
            let walked = below(&group).iter().zip(0u32..).any(|(below, document)| below.contains(&document));
            assert_eq!(group.contradiction().is_some(), walked, "{rows:?}");
            with_circle += u32::from(walked);
        }
        // Of 27^3 triples of weak orders most disagree somewhere; that some agree makes the test one of both sides.
        assert!(with_circle > 0 && with_circle < 19683);
    }
}
