//! All runs' lists of a topic, with one number per document: what two runs have in common can be seen.

use karat_data::{
    CollectionFacts, Judgement, Qrels, RankedDocuments, Ranking, TopicDocuments, TopicIndex, TopicView, hash,
};
use karat_measures::difference::{OpenCounts, OpenDocument, Pair};

/// The places of two runs.
pub type RunPair = (usize, usize);

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
    /// Run and rank of every place of an unjudged document, also below the depth; those of document i are `places[starts[i]..starts[i + 1]]`.
    places: Vec<(u32, u32)>,
    starts: Vec<u32>,
    /// The unjudged documents of each run: place in `open`, and rank. Two runs have far fewer than all of them together.
    open_of: Vec<Vec<(u32, u32)>>,
}

/// Lists cut below the last rank that a measure looks at: what is further down only counts.
pub struct CutLists<'a> {
    lists: &'a Lists<'a>,
    depth: usize,
    /// The unjudged documents of each run above the cut: place among all, and rank.
    open_of: Vec<Vec<(u32, u32)>>,
    /// By run, the unjudged documents that are not pooled, and those that are.
    unpooled: Vec<Documents>,
    pooled: Vec<Documents>,
    /// Documents below the cut that are neither judged nor pooled, by run.
    cut: Vec<u32>,
}

/// A set of documents.
struct Documents {
    bits: Vec<u64>,
    count: u32,
}

impl Documents {
    fn new(all: usize, documents: impl Iterator<Item = u32>) -> Documents {
        let mut bits = vec![0u64; all.div_ceil(64)];
        documents.for_each(|document| bits[document as usize / 64] |= 1 << (document % 64));
        let count = bits.iter().map(|word| word.count_ones()).sum();
        Documents { bits, count }
    }

    /// How many are in both.
    fn shared(&self, other: &Documents) -> u32 {
        if self.count == 0 || other.count == 0 {
            return 0;
        }
        self.bits.iter().zip(&other.bits).map(|(a, b)| (a & b).count_ones()).sum()
    }
}

impl<'a> CutLists<'a> {
    /// Cuts all lists below a rank.
    pub fn new(lists: &'a Lists<'a>, depth: usize) -> CutLists<'a> {
        let is_pooled = |open: u32| lists.known(lists.open[open as usize]) == Judgement::PooledUnjudged;
        let set = |own: &Vec<(u32, u32)>, pooled: bool| {
            let chosen = own.iter().map(|&(open, _)| open).filter(|&open| is_pooled(open) == pooled);
            Documents::new(lists.open(), chosen)
        };
        let is_shown = |&&(_, rank): &&(u32, u32)| rank as usize <= depth;
        let shown = |own: &Vec<(u32, u32)>| own.iter().filter(is_shown).copied().collect();
        let cut = |own: &Vec<(u32, u32)>| {
            let deeper = own.iter().filter(|place| !is_shown(place));
            deeper.filter(|&&(open, _)| !is_pooled(open)).count() as u32
        };
        CutLists {
            lists,
            depth,
            open_of: lists.open_of.iter().map(shown).collect(),
            unpooled: lists.open_of.iter().map(|own| set(own, false)).collect(),
            pooled: lists.open_of.iter().map(|own| set(own, true)).collect(),
            cut: lists.open_of.iter().map(cut).collect(),
        }
    }

    /// Two runs side by side.
    pub fn pair(&self, a: usize, b: usize) -> Pair<'_> {
        let view = |run: usize| {
            let view = self.lists.view(run);
            TopicView { ranks: &view.ranks[..view.ranks.len().min(self.depth)], ..view }
        };
        let unpooled = self.unpooled[a].shared(&self.unpooled[b]);
        let pooled = self.pooled[a].count + self.pooled[b].count - self.pooled[a].shared(&self.pooled[b]);
        let counts = OpenCounts {
            all: (self.unpooled[a].count + self.unpooled[b].count - unpooled + pooled) as usize,
            pooled: pooled as usize,
            missed: (self.unpooled[b].count - unpooled, self.unpooled[a].count - unpooled),
            cut: (self.cut[a], self.cut[b]),
        };
        Pair::counted(view(a), view(b), side_by_side(&self.open_of[a], &self.open_of[b]), counts)
    }
}

/// The unjudged documents of two runs with their ranks.
fn side_by_side(a: &[(u32, u32)], b: &[(u32, u32)]) -> Vec<OpenDocument> {
    let mut documents = Vec::with_capacity(a.len() + b.len());
    documents.extend(merged(a, b).map(|(_, first, second)| OpenDocument::new(first, second)));
    documents
}

/// Two lists in the order of documents, side by side.
fn merged<'l>(
    mut a: &'l [(u32, u32)],
    mut b: &'l [(u32, u32)],
) -> impl Iterator<Item = (u32, Option<u32>, Option<u32>)> + use<'l> {
    std::iter::from_fn(move || {
        let document = match (a.first(), b.first()) {
            (Some(one), Some(other)) => one.0.min(other.0),
            (Some(only), None) | (None, Some(only)) => only.0,
            (None, None) => return None,
        };
        Some((document, take(&mut a, document), take(&mut b, document)))
    })
}

/// The rank of the first document of a list, if it is this one; the list then goes on behind it.
fn take(list: &mut &[(u32, u32)], document: u32) -> Option<u32> {
    let (&(first, rank), rest) = list.split_first()?;
    (first == document).then(|| {
        *list = rest;
        rank
    })
}

/// For each run the open documents that it shows: their places among all open documents, in order, and their ranks.
fn open_by_run<'l>(open: &[u32], count: usize, shown: impl Iterator<Item = &'l [u32]>) -> Vec<Vec<(u32, u32)>> {
    let mut place_in_open: Vec<Option<u32>> = vec![None; count];
    (0..).zip(open).for_each(|(place, &document)| place_in_open[document as usize] = Some(place));
    let mut rank_of = vec![0u32; open.len()];
    let one = |list: &[u32]| {
        let own = (1..).zip(list).filter_map(|(rank, &document)| Some((rank, place_in_open[document as usize]?)));
        own.for_each(|(rank, place)| rank_of[place as usize] = rank);
        let ranked = (0..).zip(&mut rank_of).map(|(place, rank)| (place, std::mem::take(rank)));
        ranked.filter(|&(_, rank)| rank > 0).collect()
    };
    shown.map(one).collect()
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
        let open_of = open_by_run(&open, count, (0..runs).map(|run| shown(run).0));
        // What a rank says of relevance does not end at the depth.
        let ranked = || (0..runs).map(|run| documents.map_or(&[][..], |topic| topic.list(run)));
        let is_cut = ranked().any(|list| list.len() > depth);
        let (starts, places) = if is_cut {
            by_document(open.len(), &open_by_run(&open, count, ranked()))
        } else {
            by_document(open.len(), &open_of)
        };
        Lists { index, qrels, collection, documents, depth, known, ranks, below, open, places, starts, open_of }
    }

    /// What a measure sees of a run.
    pub fn view(&self, run: usize) -> TopicView<'_> {
        let ranking = Ranking { ranks: &self.ranks[run], below: self.below[run], ..Ranking::default() };
        self.qrels.view(self.index, ranking, self.collection)
    }

    /// Two runs side by side.
    pub fn pair(&self, a: usize, b: usize) -> Pair<'_> {
        Pair::new(self.view(a), self.view(b), side_by_side(&self.open_of[a], &self.open_of[b]))
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
        merged(&self.open_of[a], &self.open_of[b])
    }

    /// The documents of a run down to the depth, by number.
    pub fn list(&self, run: usize) -> &[u32] {
        let list = self.documents.map_or(&[][..], |topic| topic.list(run));
        &list[..list.len().min(self.depth)]
    }

    /// How many documents any run retrieved.
    pub fn documents(&self) -> usize {
        self.known.len()
    }

    /// The name of an unjudged document.
    pub fn docno(&self, open: u32) -> &[u8] {
        self.documents.map_or(&[][..], |topic| topic.docno(self.open[open as usize]))
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

#[cfg(test)]
mod tests {
    use karat_data::Policy;
    use karat_formats::{Dialect, Input, RunFiles, detect, read_qrels};
    use karat_measures::{Measure, difference, registry, spec};
    use karat_stats::seed::Seed;

    use super::*;

    /// Two random runs of about nine documents out of twelve; two fifths of the documents in the judgements, some of those without a grade.
    fn random(seed: u64) -> (Qrels, RankedDocuments) {
        let mut stream = Seed(seed).stream("lists", 0);
        let mut qrels = String::from("1 0 missed 2\n1 0 unseen -1\n");
        let mut runs = [String::new(), String::new()];
        for document in 0..12 {
            if stream.unit() < 0.4 {
                qrels.push_str(&format!("1 0 d{document} {}\n", stream.below(5) as i64 - 1));
            }
            for run in &mut runs {
                if stream.unit() < 0.75 {
                    run.push_str(&format!("1 Q0 d{document} 0 {} run\n", stream.unit()));
                }
            }
        }
        let qrels = read_qrels(&Input::bytes("qrels", qrels.into_bytes()), detect::QRELS, Dialect::Strict, 1).unwrap();
        let runs = runs.into_iter().map(|run| Input::bytes("run", run.into_bytes())).collect();
        let runs = RunFiles::new(runs, detect::RUN, Dialect::Strict);
        (qrels.0, RankedDocuments::read(&runs, &Policy::default(), 1).unwrap())
    }

    #[test]
    fn measures_with_a_cutoff_need_no_rank_below_it() {
        let named = registry::MEASURES.iter().flat_map(|info| [2, 5].map(|cutoff| format!("{}@{cutoff}", info.name)));
        let built = named.filter_map(|name| spec::parse(&name, 1.0).ok()?.build().ok());
        let is_cut = |measure: &dyn Measure| {
            measure.info().needs == karat_data::JudgementKind::Grades && measure.cutoff().is_some()
        };
        let measures: Vec<_> = built.filter(|measure| is_cut(measure.as_ref())).collect();
        assert!(measures.len() > 30, "{}", measures.len());
        for seed in 0..60 {
            let (qrels, read) = random(seed);
            let collection = CollectionFacts { max_grade: 3.0, ..CollectionFacts::default() };
            let topic = qrels.topics().next().unwrap();
            for depth in [None, Some(7)] {
                let lists = Lists::new(&qrels, collection, depth, &read, topic);
                for measure in &measures {
                    let cutoff = measure.cutoff().unwrap();
                    let cut = difference::bounds(measure.as_ref(), &CutLists::new(&lists, cutoff).pair(0, 1));
                    let whole = difference::bounds(measure.as_ref(), &lists.pair(0, 1));
                    let (Some(cut), Some(whole)) = (cut, whole) else {
                        assert_eq!(cut, whole, "{} {seed}", measure.spec());
                        continue;
                    };
                    let near = |a: f64, b: f64| (a - b).abs() < 1e-12;
                    // The bounds of Q are wider than need be, and less so of a shorter list.
                    let narrower = measure.info().name == "Q" && cut.0 >= whole.0 && cut.1 <= whole.1;
                    let same = near(cut.0, whole.0) && near(cut.1, whole.1);
                    assert!(same || narrower, "{} {seed} {depth:?}: {cut:?} {whole:?}", measure.spec());
                }
            }
        }
    }
}
