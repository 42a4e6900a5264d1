//! Bounds of compatibility, the overlap of the ranking with the ideal one.
//!
//! A document joins the overlap at the later of its rank and its place in the ideal, and adds the weights of the depths from
//! there on. With one grade the ideal is nearest when relevant documents stand in it as they do in the ranking, and
//! the rank decides alone: then for each number of newly relevant documents, retrieved and missed, the best and worst
//! places are the first and the last, and the bounds are exact. With several grades a place is only known
//! within limits, and they are sound.

use karat_data::TopicView;

use super::Open;

/// A judged relevant document: where it joins the overlap (from 0), and whether others can still push it down the ideal.
pub(crate) struct Joined {
    pub rank: usize,
    pub place: usize,
    pub can_be_pushed: bool,
}

/// The sums over depths: of weight, and of weight divided by depth.
struct Depths {
    weights: Vec<f64>,
    shares: Vec<f64>,
}

impl Depths {
    /// Depths whose weight no longer changes a sum are left out.
    fn of(persistence: f64, deepest: usize) -> Depths {
        let matter = (libm::log(1e-18) / libm::log(persistence)).ceil() as usize + 1;
        let mut depths = Depths { weights: vec![0.0], shares: vec![0.0] };
        let (mut weight, mut all, mut share) = (1.0, 0.0, 0.0);
        for depth in 1..=deepest.min(matter) {
            all += weight;
            share += weight / depth as f64;
            weight *= persistence;
            depths.weights.push(all);
            depths.shares.push(share);
        }
        depths
    }

    fn last(&self) -> usize {
        self.weights.len() - 1
    }

    fn weight(&self, depth: usize) -> f64 {
        self.weights[depth.min(self.last())]
    }

    fn share(&self, depth: usize) -> f64 {
        self.shares[depth.min(self.last())]
    }

    /// The overlap of an ideal of so many documents with itself.
    fn ideal(&self, relevant: usize, depth: usize) -> f64 {
        self.weight(relevant) + relevant as f64 * (self.share(depth) - self.share(relevant))
    }
}

/// Least and greatest compatibility; `one_grade` where all relevant documents have, and can have, the same grade.
pub(crate) fn bounds(
    view: &TopicView<'_>,
    persistence: f64,
    normalize: bool,
    joined: &[Joined],
    relevant: usize,
    one_grade: bool,
) -> (f64, f64) {
    let open = Open::all(view);
    let depths = Depths::of(persistence, view.ranks.len().max(relevant + open.retrieved + open.missed));
    let overlap = Overlap { view, depths, normalize, relevant, open };
    (overlap.least(joined, one_grade), overlap.greatest(joined))
}

/// A ranking and an ideal that overlap.
struct Overlap<'a> {
    view: &'a TopicView<'a>,
    depths: Depths,
    normalize: bool,
    relevant: usize,
    open: Open,
}

impl Overlap<'_> {
    fn length(&self) -> usize {
        self.view.ranks.len()
    }

    /// The unjudged ranks, from 0.
    fn unjudged(&self) -> impl DoubleEndedIterator<Item = usize> {
        self.view.ranks.iter().enumerate().filter(|(_, judgement)| !judgement.is_judged()).map(|(rank, _)| rank)
    }

    /// What `count` documents whose shares above where they join add up to `above` have, among so many relevant ones.
    fn ratio(&self, count: usize, above: f64, relevant: usize) -> f64 {
        let depth = relevant.max(self.length());
        let overlap = (count as f64 * self.depths.share(depth) - above).max(0.0);
        let best = if self.normalize { self.depths.ideal(relevant, depth) } else { self.depths.weight(depth) };
        if relevant > 0 { (overlap / best).min(1.0) } else { 0.0 }
    }

    /// Numbers of missed documents to try. A missed relevant document makes the ideal longer. As long as it is not longer than
    /// the ranking that only lowers the value; beyond, both sums grow, and every number is tried that can matter.
    fn missed(&self, newly: usize) -> impl Iterator<Item = usize> {
        let to_length = self.length().saturating_sub(self.relevant + newly).min(self.open.missed);
        let most = self.depths.last().saturating_sub(self.relevant + newly).clamp(to_length, self.open.missed);
        std::iter::once(0).chain(to_length..=most)
    }

    fn greatest(&self, joined: &[Joined]) -> f64 {
        let mut above: f64 = joined.iter().map(|document| self.depths.share(document.rank.max(document.place))).sum();
        let mut high = f64::NEG_INFINITY;
        let mut looked = |newly: usize, above: f64| {
            for more in self.missed(newly) {
                high = high.max(self.ratio(joined.len() + newly, above, self.relevant + newly + more));
            }
        };
        looked(0, above);
        for (newly, rank) in (1..).zip(self.unjudged()) {
            above += self.depths.share(rank);
            looked(newly, above);
        }
        high
    }

    fn least(&self, joined: &[Joined], one_grade: bool) -> f64 {
        let (total, last) = (self.open.retrieved + self.open.missed, self.length().max(self.relevant));
        // A document that could be pushed below the ranking counts for nothing.
        let pushed = |document: &Joined| {
            if document.can_be_pushed && !one_grade { document.place + total } else { document.place }
                .max(document.rank)
        };
        let kept: Vec<usize> = joined.iter().map(pushed).filter(|at| *at < last).collect();
        let (mut count, mut above) = (kept.len(), kept.iter().map(|at| self.depths.share(*at)).sum::<f64>());
        let mut low = f64::INFINITY;
        let mut looked = |newly: usize, count: usize, above: f64| {
            for more in self.missed(newly).chain([self.open.missed]) {
                low = low.min(self.ratio(count, above, self.relevant + newly + more));
            }
        };
        looked(0, count, above);
        for (newly, rank) in (1..).zip(self.unjudged().rev()) {
            let at = if one_grade { rank } else { rank.max(self.relevant + total - 1) };
            if at < last {
                count += 1;
                above += self.depths.share(at);
            }
            looked(newly, count, above);
        }
        low
    }
}
