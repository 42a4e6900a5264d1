//! Krippendorff's alpha.

use super::{Coefficient, Example, Of, Tally, Undefined};

const CITATION: &str = "Krippendorff (2011), Computing Krippendorff's alpha-reliability, University of Pennsylvania";
const DERIVATION: &str =
    "Scott's pi + (1 - pi) / 2N for two full judges: .77591 + .22409 / 800; one distance, so any metric";
const TABLE: &[&[u64]] = &[&[70, 10], &[20, 300]];
const VALUE: f64 = 0.2596875 / 0.3346875 + (1.0 - 0.2596875 / 0.3346875) / 800.0;

pub(super) const NOMINAL: Coefficient = Coefficient {
    name: "krippendorff",
    title: "Krippendorff's alpha, nominal",
    formula: "1 - Do / De over pairs of labels of an item, each label weighing 1; De from pairs drawn without replacement",
    reading: "Any number of judges; labels may be missing; items with one label are excluded. All disagreements count \
              the same.",
    citation: CITATION,
    beyond_chance: true,
    of: Of::AnyJudges(|tally| alpha(tally, |_, a, b| if a == b { 0.0 } else { 1.0 })),
    example: Example { table: TABLE, value: VALUE, derivation: DERIVATION },
};

pub(super) const ORDINAL: Coefficient = Coefficient {
    name: "krippendorff_ordinal",
    title: "Krippendorff's alpha, ordinal",
    formula: "1 - Do / De with distance (labels from grade a to b, the two ends half)^2",
    reading: "For ordinal grades: the distance of two grades is the number of labels between them.",
    citation: CITATION,
    beyond_chance: true,
    of: Of::AnyJudges(|tally| {
        alpha(tally, |totals, a, b| {
            let (low, high) = (a.min(b), a.max(b));
            let between: f64 = totals[low..=high].iter().sum();
            (between - (totals[low] + totals[high]) / 2.0).powi(2)
        })
    }),
    example: Example { table: TABLE, value: VALUE, derivation: DERIVATION },
};

pub(super) const INTERVAL: Coefficient = Coefficient {
    name: "krippendorff_interval",
    title: "Krippendorff's alpha, interval",
    formula: "1 - Do / De with distance (value of a - value of b)^2",
    reading: "For grades with meaningful differences, such as gains. Depends on the values of the grades.",
    citation: CITATION,
    beyond_chance: true,
    of: Of::AnyJudges(|tally| {
        let scale = tally.scale.clone();
        alpha(tally, move |_, a, b| (scale[a] - scale[b]).powi(2))
    }),
    example: Example { table: TABLE, value: VALUE, derivation: DERIVATION },
};

/// 1 − (n − 1) Σ o_ab δ_ab / Σ n_a n_b δ_ab over coincidences o with totals n_a and n.
fn alpha(tally: &Tally, distance: impl Fn(&[f64], usize, usize) -> f64) -> Result<f64, Undefined> {
    let k = tally.scale.len();
    if tally.shared == 0.0 {
        return Err(Undefined::NoOverlap);
    }
    let totals: Vec<f64> = (0..k).map(|a| tally.coincidences[a * k..(a + 1) * k].iter().sum()).collect();
    let all: f64 = totals.iter().sum();
    let (mut observed, mut expected) = (0.0, 0.0);
    for a in 0..k {
        for b in 0..k {
            let apart = if a == b { 0.0 } else { distance(&totals, a, b) };
            observed += tally.coincidences[a * k + b] * apart;
            expected += totals[a] * totals[b] * apart;
        }
    }
    if expected > 0.0 { Ok(1.0 - (all - 1.0) * observed / expected) } else { Err(Undefined::OneCategoryUsed) }
}

#[cfg(test)]
mod tests {
    use super::super::{Counted, Labels};
    use super::*;

    #[test]
    fn krippendorffs_own_example() {
        // Krippendorff (2011), section C: four observers, twelve units, labels missing. Printed there: nominal .743,
        // ordinal .815, interval .849. Nominal by hand: n = 40, sum of n_a² = 9² + 13² + 10² + 5² + 3² = 384, and the
        // agreeing coincidences are 7 + 10 + 8 + 4 + 3 = 32: 1 - 39 (40 - 32) / (1600 - 384) = .74342.
        let observers: [[u8; 12]; 4] = [
            [1, 2, 3, 3, 2, 1, 4, 1, 2, 0, 0, 0],
            [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, 0, 3],
            [0, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, 0],
            [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, 0],
        ];
        let mut labels = Labels::new(&[1.0, 2.0, 3.0, 4.0, 5.0], 4).unwrap();
        for unit in 0..12 {
            let given = observers.iter().map(|row| row[unit]).enumerate().filter(|(_, grade)| *grade > 0);
            labels.push(given.map(|(judge, grade)| (judge, f64::from(grade)))).unwrap();
        }
        let counted = Counted::new(&labels);
        assert!((counted.value(&NOMINAL).unwrap() - (1.0 - 39.0 * 8.0 / 1216.0)).abs() < 1e-12);
        assert!((counted.value(&ORDINAL).unwrap() - 0.815).abs() < 5e-4);
        assert!((counted.value(&INTERVAL).unwrap() - 0.849).abs() < 5e-4);
    }
}
