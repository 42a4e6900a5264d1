//! A stratified sample of a topic's pool: how large each stratum is, what was judged of it, and where its documents stand
//! in a list.

use karat_data::{Judgement, JudgementKind, TopicView};

use crate::score::Undefined;

/// Why there is no value.
pub(crate) const NO_STRATA: Undefined = Undefined { reason: "the judgements are not a stratified sample" };
/// As above.
pub(crate) const NO_STRATUM: Undefined = Undefined { reason: "a document of the pool is in no stratum" };
/// As above.
pub(crate) const NOTHING_SAMPLED: Undefined =
    Undefined { reason: "nothing was judged of a stratum, so nothing can be inferred about it" };

/// Keeps the share of relevant documents among none judged from being 0/0; sample_eval.pl's and trec_eval's value.
pub(crate) const EPSILON: f64 = 0.00001;

/// A stratum of the pool.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Stratum {
    /// Its documents.
    pub size: f64,
    /// Those that were judged.
    pub judged: f64,
}

impl Stratum {
    /// How many documents of the stratum a judged one stands for.
    pub fn weight(self) -> f64 {
        if self.judged > 0.0 { self.size / self.judged } else { 0.0 }
    }
}

/// A document of the pool that stands in the list.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Listed {
    /// From 1.
    pub rank: usize,
    /// Its stratum.
    pub stratum: usize,
    /// Its grade, if it was judged.
    pub grade: Option<f64>,
}

/// The judged documents of a stratum with one grade, wherever they stand.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Graded {
    /// The grade.
    pub grade: f64,
    /// The stratum.
    pub stratum: usize,
    /// How many there are.
    pub count: f64,
    /// How many of them the list lacks.
    missed: f64,
}

/// The sample, and the list that is evaluated with it.
#[derive(Debug, Clone)]
pub(crate) struct Sample {
    pub strata: Vec<Stratum>,
    /// In the order of ranks.
    pub listed: Vec<Listed>,
    /// By descending grade.
    pub graded: Vec<Graded>,
}

impl Sample {
    /// Of a topic whose judgements name the strata, with the list down to a depth.
    ///
    /// # Errors
    /// The judgements are of another kind, or leave a stratum open.
    pub fn stratified(view: &TopicView<'_>, depth: usize) -> Result<Sample, Undefined> {
        let details = view.details;
        if details.kind != JudgementKind::Strata {
            return Err(NO_STRATA);
        }
        let mut names: Vec<u32> = details.marks.iter().map(|mark| mark.group).collect();
        names.sort_unstable();
        names.dedup();
        let mut sample = Sample::empty(names.len());
        // By document, as the marks are.
        let mut stratum_of: Vec<Option<usize>> = vec![None; details.judgements.len()];
        for mark in details.marks {
            if let (Ok(stratum), Some(place)) =
                (names.binary_search(&mark.group), stratum_of.get_mut(mark.document as usize))
            {
                *place = Some(stratum);
            }
        }
        for (judgement, stratum) in details.judgements.iter().zip(&stratum_of) {
            sample.add(stratum.ok_or(NO_STRATUM)?, judgement.grade(), 1.0);
        }
        if sample.strata.iter().any(|stratum| stratum.judged == 0.0) {
            return Err(NOTHING_SAMPLED);
        }
        for (index, &document) in details.documents.iter().take(depth).enumerate() {
            if let Some(&stratum) = stratum_of.get(document as usize) {
                sample.list(index + 1, stratum.ok_or(NO_STRATUM)?, view.ranks[index].grade());
            }
        }
        Ok(sample)
    }

    /// Of a topic whose judged documents are a sample of the whole pool, which is then the one stratum.
    pub fn of_pool(view: &TopicView<'_>) -> Sample {
        let mut sample = Sample::empty(1);
        for &(grade, count) in view.facts.grades {
            sample.add(0, Some(grade.value()), f64::from(count));
        }
        sample.add(0, None, f64::from(view.facts.pooled_unjudged));
        for (index, judgement) in view.ranks.iter().enumerate() {
            if *judgement != Judgement::Unpooled {
                sample.list(index + 1, 0, judgement.grade());
            }
        }
        sample
    }

    fn empty(strata: usize) -> Sample {
        Sample { strata: vec![Stratum::default(); strata], listed: Vec::new(), graded: Vec::new() }
    }

    /// So many documents of the pool.
    fn add(&mut self, stratum: usize, grade: Option<f64>, count: f64) {
        self.strata[stratum].size += count;
        let Some(grade) = grade else { return };
        self.strata[stratum].judged += count;
        match self.place(stratum, grade) {
            Ok(at) => {
                self.graded[at].count += count;
                self.graded[at].missed += count;
            }
            Err(at) => self.graded.insert(at, Graded { grade, stratum, count, missed: count }),
        }
    }

    fn list(&mut self, rank: usize, stratum: usize, grade: Option<f64>) {
        self.listed.push(Listed { rank, stratum, grade });
        if let Some(at) = grade.and_then(|grade| self.place(stratum, grade).ok()) {
            self.graded[at].missed -= 1.0;
        }
    }

    fn place(&self, stratum: usize, grade: f64) -> Result<usize, usize> {
        self.graded.binary_search_by(|other| grade.total_cmp(&other.grade).then(other.stratum.cmp(&stratum)))
    }

    /// The judged documents at a level or above.
    pub fn relevant(&self, level: f64) -> impl Iterator<Item = &Graded> + '_ {
        self.graded.iter().filter(move |graded| graded.grade >= level)
    }

    /// The variance of an estimate over the samples that might have been drawn, by the stratified jackknife: within each
    /// stratum every judged document is left unjudged in turn,
    ///
    /// > v = sum over strata of (1 - n/N) * ((n-1)/n) * sum over judged documents i of (estimate without i - their mean)^2
    ///
    /// (Wolter 2007, Introduction to Variance Estimation, section 4.5, with the finite population correction). For a
    /// mean it is the textbook (1 - n/N) s^2 / n; for other estimates it is the delta method with the derivatives taken
    /// by differences. `None` where it cannot be known: a single document was judged of a larger stratum.
    pub fn variance(&self, estimate: impl Fn(&Sample) -> f64) -> Option<f64> {
        let mut less = self.clone();
        let mut variance = 0.0;
        for (stratum, &Stratum { size, judged }) in self.strata.iter().enumerate() {
            if judged == size {
                continue;
            }
            if judged < 2.0 {
                return None;
            }
            // Estimates without a document, and for how many documents each.
            let mut without: Vec<(f64, f64)> = Vec::new();
            less.strata[stratum].judged -= 1.0;
            for (place, graded) in self.graded.iter().enumerate().filter(|(_, graded)| graded.stratum == stratum) {
                less.graded[place].count -= 1.0;
                if graded.missed > 0.0 {
                    without.push((estimate(&less), graded.missed));
                }
                for (at, listed) in self.listed.iter().enumerate() {
                    if listed.stratum == stratum && listed.grade == Some(graded.grade) {
                        less.listed[at].grade = None;
                        without.push((estimate(&less), 1.0));
                        less.listed[at].grade = listed.grade;
                    }
                }
                less.graded[place].count += 1.0;
            }
            less.strata[stratum].judged += 1.0;
            let mean = without.iter().map(|(value, times)| value * times).sum::<f64>() / judged;
            let squares: f64 = without.iter().map(|(value, times)| times * (value - mean) * (value - mean)).sum();
            variance += (1.0 - judged / size) * ((judged - 1.0) / judged) * squares;
        }
        variance.is_finite().then_some(variance)
    }
}

#[cfg(test)]
mod tests {
    use karat_data::CollectionFacts;

    use super::*;
    use crate::example::Owned;

    fn sample(ranking: &str, missed: &str) -> Result<Sample, Undefined> {
        let topic = Owned::parse_marked(JudgementKind::Strata, ranking, missed, CollectionFacts::default()).unwrap();
        Sample::stratified(&topic.view(), 1000)
    }

    #[test]
    fn strata_are_counted_over_the_whole_pool() {
        let sample = sample("a1 - b-1 b2", "a0 b0 b-1").unwrap();
        let sizes: Vec<_> = sample.strata.iter().map(|stratum| (stratum.size, stratum.judged)).collect();
        assert_eq!(sizes, [(2.0, 2.0), (4.0, 2.0)]);
        let listed: Vec<_> = sample.listed.iter().map(|listed| (listed.rank, listed.stratum, listed.grade)).collect();
        assert_eq!(listed, [(1, 0, Some(1.0)), (3, 1, None), (4, 1, Some(2.0))]);
        let graded: Vec<_> = sample.graded.iter().map(|g| (g.grade, g.stratum, g.count, g.missed)).collect();
        assert_eq!(graded, [(2.0, 1, 1.0, 0.0), (1.0, 0, 1.0, 0.0), (0.0, 0, 1.0, 1.0), (0.0, 1, 1.0, 1.0)]);
    }

    #[test]
    fn what_leaves_a_stratum_open() {
        assert_eq!(sample("a1 b-1", "b-1").unwrap_err(), NOTHING_SAMPLED);
        assert_eq!(sample("a1 1", "").unwrap_err(), NO_STRATUM);
        let plain = Owned::parse("1 0", "", CollectionFacts::default()).unwrap();
        assert_eq!(Sample::stratified(&plain.view(), 10).unwrap_err(), NO_STRATA);
    }

    /// The estimated number of relevant documents is N times a mean, so its variance is the textbook's.
    #[test]
    fn the_variance_of_a_total_is_the_textbooks() {
        // Stratum a: N = 6, n = 4, values 1 1 0 0: s^2 = (4 * 0.25)/3 = 1/3; N^2 (1 - 4/6) s^2/4 = 36 * 1/3 * 1/12 = 1.
        // Stratum b: N = 5, n = 2, values 1 0: s^2 = 1/2; 25 * 3/5 * 1/4 = 3.75. All of c was judged: 0.
        let sample = sample("a1 a-1 b1 c1 a0", "a1 a0 a-1 b0 b-1 b-1 b-1 c0").unwrap();
        let total = |sample: &Sample| -> f64 {
            sample.relevant(1.0).map(|graded| graded.count * sample.strata[graded.stratum].weight()).sum()
        };
        // a: 2 of 4, of 6: 3; b: 1 of 2, of 5: 2.5; c: 1.
        assert_eq!(total(&sample), 6.5);
        assert!((sample.variance(total).unwrap() - 4.75).abs() < 1e-12);
    }

    #[test]
    fn one_judged_document_tells_nothing_of_its_stratums_spread() {
        assert_eq!(sample("a1 a-1", "").unwrap().variance(|_| 1.0), None);
        assert_eq!(sample("a1", "").unwrap().variance(|_| 1.0), Some(0.0));
    }
}
