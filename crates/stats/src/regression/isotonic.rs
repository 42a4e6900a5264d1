//! Shares that never rise: pool adjacent violators.

use super::Cell;

/// For each cell in order, the most likely share under which shares never rise; each pool of cells has [`Cell::share`], so
/// that no pool is certain. Cells without observations go with those before them.
pub fn falling(cells: &[Cell]) -> Vec<f64> {
    // A pool, and how many cells it covers.
    let mut pools: Vec<(Cell, usize)> = Vec::new();
    for &cell in cells {
        if cell.count == 0.0
            && let Some((_, covered)) = pools.last_mut()
        {
            *covered += 1;
            continue;
        }
        let mut pool = (cell, 1);
        while let Some(&(before, covered)) = pools.last() {
            // Rises (compared as products: nothing is divided by zero), or there is nothing before to compare with.
            let rises = pool.0.yes * before.count > before.yes * pool.0.count;
            if !rises && before.count > 0.0 {
                break;
            }
            pool = (pool.0.plus(before), pool.1 + covered);
            pools.pop();
        }
        pools.push(pool);
    }
    let mut shares = Vec::with_capacity(cells.len());
    let mut least = 1.0_f64;
    for (pool, covered) in pools {
        // The half observation could lift a small pool above the one before.
        least = least.min(pool.share());
        shares.extend(std::iter::repeat_n(least, covered));
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(pairs: &[(f64, f64)]) -> Vec<Cell> {
        pairs.iter().map(|&(yes, count)| Cell { count, yes }).collect()
    }

    #[test]
    fn pools_by_hand() {
        // Shares 3/4, 1/4, 2/4, 0/4: the second and third violate and pool to 3/8. With the half: 3.5/5, 3.5/9, .5/5.
        let found = falling(&cells(&[(3.0, 4.0), (1.0, 4.0), (2.0, 4.0), (0.0, 4.0)]));
        assert_eq!(found, [3.5 / 5.0, 3.5 / 9.0, 3.5 / 9.0, 0.5 / 5.0]);
        // A rise at the end pools all the way up: 0/2, 1/2, 2/2 is 3/6, so 3.5/7.
        assert_eq!(falling(&cells(&[(0.0, 2.0), (1.0, 2.0), (2.0, 2.0)])), [0.5; 3]);
    }

    #[test]
    fn cells_without_observations_go_with_their_neighbours() {
        // Before any observation: with the first that has some. After: as the last.
        let found = falling(&cells(&[(0.0, 0.0), (1.0, 1.0), (0.0, 0.0), (0.0, 3.0), (0.0, 0.0)]));
        assert_eq!(found, [0.75, 0.75, 0.75, 0.125, 0.125]);
        assert_eq!(falling(&cells(&[(0.0, 0.0); 2])), [0.5; 2]);
        assert!(falling(&[]).is_empty());
    }

    #[test]
    fn never_rises_and_never_certain() {
        let mut stream = crate::Seed(3).stream("isotonic", 0);
        for _ in 0..200 {
            let cells: Vec<Cell> = (0..20)
                .map(|_| {
                    let count = stream.below(4);
                    Cell { count: count as f64, yes: stream.below(count + 1) as f64 }
                })
                .collect();
            let found = falling(&cells);
            assert_eq!(found.len(), cells.len());
            assert!(found.windows(2).all(|pair| pair[0] >= pair[1]));
            assert!(found.iter().all(|&share| share > 0.0 && share < 1.0));
        }
    }
}
