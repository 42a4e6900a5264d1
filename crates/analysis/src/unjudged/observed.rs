//! What the judged documents of the runs say about relevance by rank: the first reading of the runs.

use karat_data::rankings::each_topic;
use karat_data::{Judgement, Problems, RankedDocuments, Ranking, RunSource, TopicIndex, hash};
use karat_stats::regression::Cell;

use super::ModelData;

/// Ranks that are told apart; whatever stands deeper counts as if at this one.
pub const DEEPEST: usize = 1000;

/// Judged ranks from the first on that the urn looks at.
pub const LONGEST_PREFIX: usize = 30;

/// What the lists of one topic say, over all runs.
#[derive(Debug, Clone, Default)]
pub struct Topic {
    /// Judged and relevant documents by rank, from rank 1.
    pub cells: Vec<Cell>,
    /// The judged ranks of each list from the first on, to the first that is not: whether relevant.
    pub prefixes: Vec<Vec<bool>>,
}

/// What the lists of all topics say.
#[derive(Debug, Clone, Default)]
pub struct Observed {
    /// The topics that have a judged document in some list.
    pub topics: Vec<Topic>,
    /// Ranks of the longest list.
    pub longest: usize,
}

/// One list, down to its last judged rank.
struct List {
    judged: Vec<Option<bool>>,
    ranks: usize,
}

impl Topic {
    /// One more list.
    pub fn add(&mut self, judged: &[Option<bool>]) {
        for (index, relevant) in judged.iter().enumerate() {
            let Some(relevant) = relevant else { continue };
            let at = index.min(DEEPEST - 1);
            if self.cells.len() <= at {
                self.cells.resize(at + 1, Cell::default());
            }
            self.cells[at] = self.cells[at].plus(Cell { count: 1.0, yes: f64::from(u8::from(*relevant)) });
        }
        self.prefixes.push(prefix(judged.iter().copied()));
    }

    /// Judged documents.
    pub fn judged(&self) -> f64 {
        self.cells.iter().map(|cell| cell.count).sum()
    }
}

impl Observed {
    /// Reads the runs, all ranks of them: a depth (`-M`) says what measures look at, not what is known of relevance.
    ///
    /// # Errors
    /// Everything wrong with them.
    pub fn read(data: &ModelData<'_>, runs: &dyn RunSource, level: f64) -> Result<Observed, Problems> {
        if data.policy.depth.is_some() && !data.policy.judged_only {
            return Observed::read_below_depth(data, runs, level);
        }
        let ask = |_: TopicIndex, ranking: Ranking<'_>, lists: &mut Vec<List>| {
            let last = ranking.ranks.iter().rposition(|judgement| judgement.is_judged()).map_or(0, |last| last + 1);
            let judged = ranking.ranks[..last].iter().map(|&judgement| relevance(judgement, level)).collect();
            lists.push(List { judged, ranks: ranking.ranks.len() });
        };
        let read = each_topic(data.qrels, runs, &data.policy, data.threads, 1, ask)?;
        let mut observed = Observed::default();
        for topic in data.qrels.topics() {
            let lists = read.iter().filter_map(|run| run.get(topic)).flatten();
            observed.add_topic(lists.map(|list| (list.judged.as_slice(), list.ranks)));
        }
        Ok(observed)
    }

    /// The same from the documents of the lists, which are known below the depth too.
    fn read_below_depth(data: &ModelData<'_>, runs: &dyn RunSource, level: f64) -> Result<Observed, Problems> {
        let read = RankedDocuments::numbered(data.qrels, runs, &data.policy, data.threads)?;
        let mut observed = Observed::default();
        for topic in data.qrels.topics() {
            let Some(documents) = read.find(data.qrels.name(topic)) else { continue };
            let judged = |&document: &u32| {
                let docno = documents.docno(document);
                relevance(data.qrels.judgement(topic, docno, hash::of(docno)), level)
            };
            let lists = (0..read.runs.len()).map(|run| documents.list(run)).filter(|list| !list.is_empty());
            let lists: Vec<Vec<Option<bool>>> = lists.map(|list| list.iter().map(judged).collect()).collect();
            observed.add_topic(lists.iter().map(|list| (list.as_slice(), list.len())));
        }
        Ok(observed)
    }

    /// Whether no judged document is not relevant.
    pub fn only_relevant(&self) -> bool {
        self.topics.iter().flat_map(|topic| &topic.cells).all(|cell| cell.yes == cell.count)
    }

    /// One more topic with the lists that were made for it, and how long they are. It is left out where nothing in them
    /// is judged.
    pub fn add_topic<'l>(&mut self, lists: impl Iterator<Item = (&'l [Option<bool>], usize)>) {
        let mut topic = Topic::default();
        for (judged, ranks) in lists {
            topic.add(judged);
            self.longest = self.longest.max(ranks);
        }
        if !topic.cells.is_empty() {
            self.topics.push(topic);
        }
    }
}

/// Whether a judged document is relevant.
pub fn relevance(judgement: Judgement, level: f64) -> Option<bool> {
    judgement.grade().map(|grade| grade >= level)
}

/// The judged ranks from the first on.
pub fn prefix(judged: impl Iterator<Item = Option<bool>>) -> Vec<bool> {
    judged.take(LONGEST_PREFIX).map_while(|relevant| relevant).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_a_topic_are_added_up() {
        let (yes, no, open) = (Some(true), Some(false), None);
        let mut observed = Observed::default();
        observed.add_topic([(&[yes, no, open, yes][..], 9), (&[no][..], 4)].into_iter());
        observed.add_topic([(&[][..], 7)].into_iter());
        assert_eq!((observed.topics.len(), observed.longest), (1, 9));
        let topic = &observed.topics[0];
        let cells: Vec<(f64, f64)> = topic.cells.iter().map(|cell| (cell.yes, cell.count)).collect();
        assert_eq!(cells, [(1.0, 2.0), (0.0, 1.0), (0.0, 0.0), (1.0, 1.0)]);
        assert_eq!(topic.prefixes, [vec![true, false], vec![false]]);
        assert_eq!(topic.judged(), 4.0);
    }
}
