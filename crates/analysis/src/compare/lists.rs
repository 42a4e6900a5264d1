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
    /// The unjudged documents of all runs, by number.
    open: Vec<u32>,
    /// Run and rank of every place of an unjudged document; those of document i are `places[starts[i]..starts[i + 1]]`.
    places: Vec<(u32, u32)>,
    starts: Vec<u32>,
    /// The unjudged documents of each run: place in `open`, and rank. Two runs have far fewer than all of them together.
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
        let shown = |run: usize| {
            let list = documents.map_or(&[][..], |topic| topic.list(run));
            list.split_at(list.len().min(depth))
        };
        let mut is_open = vec![false; count];
        for run in 0..runs {
            let (shown, rest) = shown(run);
            ranks.push(shown.iter().map(|&document| known[document as usize]).collect());
            below.push(rest.iter().filter(|&&document| known[document as usize] == Judgement::Unpooled).count() as u32);
            for &document in shown {
                is_open[document as usize] |= !known[document as usize].is_judged();
            }
        }
        let open: Vec<u32> = (0..count as u32).filter(|&document| is_open[document as usize]).collect();
        let mut place_in_open = vec![0u32; count];
        (0..).zip(&open).for_each(|(place, &document)| place_in_open[document as usize] = place);
        let mut open_of = Vec::with_capacity(runs);
        for run in 0..runs {
            let own = (1..).zip(shown(run).0).filter(|(_, document)| is_open[**document as usize]);
            let mut own: Vec<(u32, u32)> =
                own.map(|(rank, &document)| (place_in_open[document as usize], rank)).collect();
            own.sort_unstable();
            open_of.push(own);
        }
        let (starts, places) = by_document(open.len(), &open_of);
        Lists { index, qrels, collection, documents, depth, known, ranks, below, open, places, starts, open_of }
    }

    /// What a measure sees of a run.
    pub fn view(&self, run: usize) -> TopicView<'_> {
        let ranking = Ranking { ranks: &self.ranks[run], below: self.below[run], ..Ranking::default() };
        self.qrels.view(self.index, ranking, self.collection)
    }

    /// Two runs side by side.
    pub fn pair(&self, a: usize, b: usize) -> Pair<'_> {
        let place = |rank: Option<u32>| rank.map(|rank| rank as usize);
        let both = self.open_of_pair(a, b);
        let open = both.map(|(_, first, second)| OpenDocument { a: place(first), b: place(second) }).collect();
        Pair::new(self.view(a), self.view(b), open)
    }

    /// How many documents are unjudged in some run.
    pub fn open(&self) -> usize {
        self.open.len()
    }

    /// Run and rank of every place of an unjudged document.
    pub fn places(&self, open: usize) -> &[(u32, u32)] {
        &self.places[self.starts[open] as usize..self.starts[open + 1] as usize]
    }

    /// The unjudged documents of a run: which, and at what rank.
    pub fn open_of(&self, run: usize) -> &[(u32, u32)] {
        &self.open_of[run]
    }

    /// The unjudged documents of two runs: which, and its rank in each where it is there.
    pub fn open_of_pair(&self, a: usize, b: usize) -> impl Iterator<Item = (u32, Option<u32>, Option<u32>)> + '_ {
        let (mut of_a, mut of_b) = (self.open_of[a].iter().peekable(), self.open_of[b].iter().peekable());
        std::iter::from_fn(move || {
            let next = match (of_a.peek(), of_b.peek()) {
                (Some((one, _)), Some((other, _))) => (*one).min(*other),
                (Some((document, _)), None) | (None, Some((document, _))) => *document,
                (None, None) => return None,
            };
            let rank = |own: Option<&(u32, u32)>| own.map(|(_, rank)| *rank);
            let first = rank(of_a.next_if(|(document, _)| *document == next));
            Some((next, first, rank(of_b.next_if(|(document, _)| *document == next))))
        })
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
        let pooled = self.open.iter().filter(|&&document| self.known(document) == Judgement::PooledUnjudged).count();
        let missed = (self.qrels.facts(self.index).pooled_unjudged as usize).saturating_sub(pooled);
        missed + self.below.iter().sum::<u32>() as usize
    }
}

/// The places of every document, one document after the other, and where each begins.
fn by_document(documents: usize, open_of: &[Vec<(u32, u32)>]) -> (Vec<u32>, Vec<(u32, u32)>) {
    let mut starts = vec![0u32; documents + 1];
    for (document, _) in open_of.iter().flatten() {
        starts[*document as usize + 1] += 1;
    }
    for document in 0..documents {
        starts[document + 1] += starts[document];
    }
    let mut next = starts.clone();
    let mut places = vec![(0, 0); starts[documents] as usize];
    for (run, own) in (0u32..).zip(open_of) {
        for &(document, rank) in own {
            places[next[document as usize] as usize] = (run, rank);
            next[document as usize] += 1;
        }
    }
    (starts, places)
}
