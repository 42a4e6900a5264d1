//! The relevance models, one row each: name, and how it is fitted to the judged documents.

use karat_sim::urn::fit::{self, FitError};
use karat_stats::regression::{Cell, falling, logistic};

use super::model::Model;
use super::observed::{DEEPEST, Observed, Topic};

/// A row of the table.
#[derive(Debug)]
pub struct Kind {
    /// Its name.
    pub name: &'static str,
    fit: fn(&Fitting<'_>) -> Result<Model, FitError>,
}

/// What a model is fitted to.
struct Fitting<'a> {
    topics: Vec<&'a Topic>,
    longest: usize,
}

/// Every judged document alike.
pub static FLAT: Kind = Kind { name: "flat", fit: |data| Ok(Model::Curve(vec![data.all().share()])) };

/// By bands of depth.
pub static BAND: Kind = Kind {
    name: "band",
    fit: |data| {
        let mut curve = vec![data.all().share(); DEEPEST];
        let cells = data.cells();
        let mut start = 0;
        for &end in BANDS {
            let band = cells[start..end].iter().copied().fold(Cell::default(), Cell::plus);
            // A band nobody judged is as the one above it.
            let share = if band.count > 0.0 || start == 0 { band_share(band, data) } else { curve[start - 1] };
            curve[start..end].fill(share);
            start = end;
        }
        Ok(Model::Curve(curve))
    },
};

/// Never rising with the rank.
pub static ISOTONIC: Kind = Kind { name: "isotonic", fit: |data| Ok(Model::Curve(falling(&data.cells()))) };

/// A line in the logarithm of the rank.
pub static LOGISTIC: Kind = Kind {
    name: "logistic",
    fit: |data| {
        let cells = data.cells();
        let observed = cells.iter().enumerate().map(|(index, cell)| (libm::log(index as f64 + 1.0), *cell));
        let line = logistic(observed.filter(|(_, cell)| cell.count > 0.0));
        let at = |rank: usize| line.map_or(0.5, |line| line.at(libm::log(rank as f64)));
        Ok(Model::Curve((1..=DEEPEST).map(at).collect()))
    },
};

/// The urn.
pub static URN: Kind = Kind {
    name: "urn",
    fit: |data| {
        let documents = data.longest.clamp(FEWEST_DOCUMENTS, MOST_DOCUMENTS) as u32;
        let prefixes: Vec<&Vec<bool>> = data.topics.iter().flat_map(|topic| &topic.prefixes).collect();
        let (share, weight) = fit::most_likely(documents, &prefixes)?;
        Ok(Model::Urn { documents, share, weight })
    },
};

/// The models that are compared.
pub static CURVES: [&Kind; 4] = [&FLAT, &BAND, &ISOTONIC, &LOGISTIC];

/// And the urn, which takes longer.
pub static EVERY: [&Kind; 5] = [&FLAT, &BAND, &ISOTONIC, &LOGISTIC, &URN];

/// The last ranks of the depth bands.
const BANDS: &[usize] = &[1, 2, 3, 5, 10, 15, 20, 30, 50, 100, 200, 500, DEEPEST];

/// Documents in the urn: the longest list's, but not fewer (a list may have been cut) and not more (time) than these.
const FEWEST_DOCUMENTS: usize = 100;
const MOST_DOCUMENTS: usize = 200;

/// The first band may have nothing judged; then it is as all ranks together.
fn band_share(band: Cell, data: &Fitting<'_>) -> f64 {
    if band.count > 0.0 { band.share() } else { data.all().share() }
}

impl Kind {
    /// Fits it to these topics but those that `leave_out` says.
    ///
    /// # Errors
    /// Judgements the urn cannot be told from.
    pub fn fit(&self, observed: &Observed, leave_out: impl Fn(usize) -> bool) -> Result<Model, FitError> {
        let kept = observed.topics.iter().enumerate().filter(|(place, _)| !leave_out(*place));
        (self.fit)(&Fitting { topics: kept.map(|(_, topic)| topic).collect(), longest: observed.longest })
    }
}

impl Fitting<'_> {
    /// Judged and relevant by rank, all topics together.
    fn cells(&self) -> Vec<Cell> {
        let mut cells = vec![Cell::default(); DEEPEST];
        for topic in &self.topics {
            topic.cells.iter().zip(&mut cells).for_each(|(cell, sum)| *sum = sum.plus(*cell));
        }
        cells
    }

    /// All ranks together.
    fn all(&self) -> Cell {
        self.cells().into_iter().fold(Cell::default(), Cell::plus)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ten topics of one list each: rank 1 relevant in nine, rank 2 in five, rank 3 in one.
    fn observed() -> Observed {
        let mut observed = Observed::default();
        for topic in 0..10 {
            let list = [Some(topic < 9), Some(topic < 5), Some(topic < 1)];
            observed.add_topic([(&list[..], 100)].into_iter());
        }
        observed
    }

    fn chances(kind: &Kind) -> [f64; 4] {
        let model = kind.fit(&observed(), |_| false).unwrap();
        let on = model.on(&[], 1.0, false);
        [1, 2, 3, 900].map(|rank| on.at(rank))
    }

    #[test]
    fn by_hand() {
        // 15 of 30 with the half: 15.5/31. Bands and pools of one rank each: 9.5/11, 5.5/11, 1.5/11; deeper as the last.
        assert_eq!(chances(&FLAT), [0.5; 4]);
        assert_eq!(chances(&BAND), [9.5 / 11.0, 0.5, 1.5 / 11.0, 1.5 / 11.0]);
        assert_eq!(chances(&ISOTONIC), [9.5 / 11.0, 0.5, 1.5 / 11.0, 1.5 / 11.0]);
        let line = chances(&LOGISTIC);
        assert!(line[0] > 0.85 && line[1] < 0.55 && line[2] < 0.3 && line[3] < 0.001, "{line:?}");
        // The urn is asked about an unseen list here; it falls too, and to what is left of q.
        let urn = chances(&URN);
        assert!(urn.windows(2).all(|pair| pair[0] >= pair[1]), "{urn:?}");
    }
}
