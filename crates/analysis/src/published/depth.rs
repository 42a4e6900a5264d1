//! How many ranks can be seen in a score printed with so many digits? (Table 1 of the paper.)

/// con(i) = (1 − p) pⁱ⁻¹: what a relevant document at rank i ≥ 1 adds.
pub fn contribution(persistence: f64, rank: usize) -> f64 {
    (1.0 - persistence) * persistence.powf(rank as f64 - 1.0)
}

/// The number of significant ranks: the least d for which all ranks below d together round to nothing, pᵈ < precision / 2.
/// Both arguments are checked: 0 < p < 1, 0 < precision ≤ 1.
pub fn significant_ranks(persistence: f64, precision: f64) -> usize {
    let half = precision / 2.0;
    // By logarithms, then to the rank by the definition: a logarithm may be off by one unit.
    let near = (half.ln() / persistence.ln()).floor().max(1.0);
    let mut depth = near as usize - usize::from(near > 1.0);
    while persistence.powf(depth as f64) >= half {
        depth += 1;
    }
    depth
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_1() {
        let table = [
            (0.5, [8, 15, 28]),
            (0.7, [15, 28, 54]),
            (0.8, [24, 45, 86]),
            (0.9, [51, 94, 182]),
            (0.95, [104, 194, 373]),
            // The paper prints 1,001 in the last cell, because it cut its vectors at 1,000 ranks: 0.99^1901 is 5.03e-9,
            // 0.99^1902 is 4.98e-9 and the first below 5e-9.
            (0.99, [528, 986, 1902]),
        ];
        for (p, depths) in table {
            let found = [1e-2, 1e-4, 1e-8].map(|precision| significant_ranks(p, precision));
            assert_eq!(found, depths, "p = {p}");
        }
    }

    #[test]
    fn the_papers_example_of_depth() {
        // Section 2: at p = 0.5 all ranks from 12 on add 0.5^11 = 4.88e-4, which is nothing at 0.001.
        assert_eq!(significant_ranks(0.5, 1e-3), 11);
        // One digit before the point, and a p that forgets at once.
        assert_eq!((significant_ranks(0.5, 1.0), significant_ranks(1e-9, 0.1)), (2, 1));
        assert!((contribution(0.8, 5) - 0.2 * 0.4096).abs() < 1e-15);
    }
}
