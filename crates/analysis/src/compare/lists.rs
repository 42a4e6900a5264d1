//! All runs' lists of a topic, with one number per document: what two runs have in common can be seen.

use karat_data::{
    CollectionFacts, Judgement, Qrels, RankedDocuments, Ranking, TopicDocuments, TopicIndex, TopicView, hash,
};
use karat_measures::difference::{OpenDocument, Pair};

/// One topic.
pub struct Lists<'a> {
    /// The topic.
    pub index: TopicIndex,
    qrels: &'a Qrels,
    collection: CollectionFacts,
    documents: Option<&'a TopicDocuments>,
    depth: usize,
    /// What is known of every document.
    known: Vec<Judgement>,
    /// What stands at the ranks of every run.
    ranks: Vec<Vec<Judgement>>,
    /// Documents below the depth that are not in the judgements, by run.
    below: Vec<u32>,
    /// For every unjudged document its number, and its rank in each run (0: not there).
    open: Vec<(u32, Box<[u32]>)>,
    /// The same by run: number and rank, in the order of numbers. Two runs have far fewer than all of them together.
    open_of: Vec<Vec<(u32, u32)>>,
}

impl<'a> Lists<'a> {
    /// From documents that were read to any depth.
    pub fn new(
        qrels: &'a Qrels,
        collection: CollectionFacts,
        depth: Option<usize>,
        read: &'a RankedDocuments,
        index: TopicIndex,
    ) -> Lists<'a> {
        let (runs, depth) = (read.runs.len(), depth.unwrap_or(usize::MAX));
        let documents = read.find(qrels.name(index));
        let judgement = |docno: &[u8]| qrels.judgement(index, docno, hash::of(docno));
        let count = documents.map_or(0, TopicDocuments::len);
        let known: Vec<Judgement> =
            documents.map_or_else(Vec::new, |topic| (0..count as u32).map(|at| judgement(topic.docno(at))).collect());
        let (mut ranks, mut below) = (Vec::with_capacity(runs), Vec::with_capacity(runs));
        let mut places: Vec<Option<Box<[u32]>>> = vec![None; count];
        for run in 0..runs {
            let list = documents.map_or(&[][..], |topic| topic.list(run));
            let (shown, rest) = list.split_at(list.len().min(depth));
            ranks.push(shown.iter().map(|&document| known[document as usize]).collect());
            below.push(rest.iter().filter(|&&document| known[document as usize] == Judgement::Unpooled).count() as u32);
            for (rank, &document) in (1..).zip(shown) {
                if !known[document as usize].is_judged() {
                    places[document as usize].get_or_insert_with(|| vec![0; runs].into())[run] = rank;
                }
            }
        }
        let open: Vec<(u32, Box<[u32]>)> =
            (0..).zip(places).filter_map(|(document, places)| Some((document, places?))).collect();
        let mut open_of = vec![Vec::new(); runs];
        for (document, places) in &open {
            for (own, &rank) in open_of.iter_mut().zip(places).filter(|(_, rank)| **rank > 0) {
                own.push((*document, rank));
            }
        }
        Lists { index, qrels, collection, documents, depth, known, ranks, below, open, open_of }
    }

    /// What a measure sees of a run.
    pub fn view(&self, run: usize) -> TopicView<'_> {
        let ranking = Ranking { ranks: &self.ranks[run], below: self.below[run], ..Ranking::default() };
        self.qrels.view(self.index, ranking, self.collection)
    }

    /// Two runs side by side.
    pub fn pair(&self, a: usize, b: usize) -> Pair<'_> {
        let (mut of_a, mut of_b) = (self.open_of[a].iter().peekable(), self.open_of[b].iter().peekable());
        let mut open = Vec::with_capacity(of_a.len() + of_b.len());
        loop {
            let next = match (of_a.peek(), of_b.peek()) {
                (Some((one, _)), Some((other, _))) => (*one).min(*other),
                (Some((document, _)), None) | (None, Some((document, _))) => *document,
                (None, None) => break,
            };
            let rank = |own: Option<&(u32, u32)>| own.map(|(_, rank)| *rank as usize);
            open.push(OpenDocument {
                a: rank(of_a.next_if(|(document, _)| *document == next)),
                b: rank(of_b.next_if(|(document, _)| *document == next)),
            });
        }
        Pair::new(self.view(a), self.view(b), open)
    }

    /// The unjudged documents of all runs, each with its rank in every run (0: not there).
    pub fn open(&self) -> &[(u32, Box<[u32]>)] {
        &self.open
    }

    /// The documents of a run down to the depth, by number.
    pub fn list(&self, run: usize) -> &[u32] {
        let list = self.documents.map_or(&[][..], |topic| topic.list(run));
        &list[..list.len().min(self.depth)]
    }

    /// What is known of a document.
    pub fn known(&self, document: u32) -> Judgement {
        self.known[document as usize]
    }

    /// Documents without a grade that nobody retrieved: in the judgement file, or below a depth.
    pub fn unseen(&self) -> usize {
        let pooled =
            self.open.iter().filter(|(document, _)| self.known(*document) == Judgement::PooledUnjudged).count();
        let missed = (self.qrels.facts(self.index).pooled_unjudged as usize).saturating_sub(pooled);
        missed + self.below.iter().sum::<u32>() as usize
    }
}
