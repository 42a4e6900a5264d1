//! Which scores can there be? Below p = 0.5 the scores of all rankings leave gaps, and in each part gaps again.
//!
//! A ranking that begins with 0 scores from 0 to p, one that begins with 1 from 1 − p to 1; between them lies nothing.
//! Within each part it is the same at 1/p times the size, so that one walk down finds the gap or a score.

/// Whether some ranking has a score in an interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Possible {
    /// Some ranking has.
    Yes,
    /// None has.
    No {
        /// The greatest score of a ranking below the interval.
        below: f64,
        /// The least above it.
        above: f64,
    },
}

/// The part of the scale that is as small as a float's doubt.
const SMALLEST: f64 = 1e-15;

/// Whether a ranking (without end, binary) scores from `low` to `high` at p.
pub fn possible(persistence: f64, low: f64, high: f64) -> Possible {
    if persistence >= 0.5 {
        return Possible::Yes;
    }
    let first = 1.0 - persistence;
    let (mut low, mut high) = (low, high);
    let (mut so_far, mut scale) = (0.0, 1.0);
    while scale > SMALLEST {
        let slack = SMALLEST / scale;
        let holds = |point: f64| low <= point + slack && point <= high + slack;
        if [0.0, persistence, first, 1.0].into_iter().any(holds) {
            return Possible::Yes;
        }
        if high < persistence {
            (low, high) = (low / persistence, high / persistence);
        } else if low > first {
            (low, high) = ((low - first) / persistence, (high - first) / persistence);
            so_far += scale * first;
        } else {
            return Possible::No { below: so_far + scale * persistence, above: so_far + scale * first };
        }
        scale *= persistence;
    }
    Possible::Yes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_within_gaps() {
        // p = 0.2: ranks weigh 0.8, 0.16, 0.032. After a first 0 the next gap is from 0.04 (001111...) to 0.16 (0100...).
        let Possible::No { below, above } = possible(0.2, 0.09, 0.11) else { panic!("0.1 is in a gap") };
        assert!((below - 0.04).abs() < 1e-15 && (above - 0.16).abs() < 1e-15);
        // After a first 1 it is from 0.84 to 0.96.
        let Possible::No { below, above } = possible(0.2, 0.9, 0.9) else { panic!("0.9 is in a gap") };
        assert!((below - 0.84).abs() < 1e-15 && (above - 0.96).abs() < 1e-15);
        assert_eq!(possible(0.5, 0.123, 0.123), Possible::Yes);
    }

    #[test]
    fn every_ranking_is_possible() {
        // All rankings of 12 ranks, at the score itself.
        for p in [0.1, 0.3, 0.45] {
            for ranking in 0..1u32 << 12 {
                let score = super::super::rbp((0..12).map(|rank| f64::from(ranking >> rank & 1)), p);
                assert_eq!(possible(p, score, score), Possible::Yes, "{p} {ranking:b}");
            }
        }
    }
}
