//! The simulated collection that experiments run on where none is given: many systems of known quality, a pool as deep as
//! TREC's is to its runs, everything in the pool judged.

use karat_sim::{Design, System};

/// Names of systems: a run needs one that lives as long as the program.
const NAMES: [&str; 40] = [
    "s01", "s02", "s03", "s04", "s05", "s06", "s07", "s08", "s09", "s10", "s11", "s12", "s13", "s14", "s15", "s16",
    "s17", "s18", "s19", "s20", "s21", "s22", "s23", "s24", "s25", "s26", "s27", "s28", "s29", "s30", "s31", "s32",
    "s33", "s34", "s35", "s36", "s37", "s38", "s39", "s40",
];

/// The best system's w, and by how much each next one's is larger: 0.03 to 0.54 in forty steps.
const BEST: f64 = 0.03;
const STEP: f64 = 1.077;

/// What the collection is drawn from.
pub fn design(quick: bool) -> Design {
    let (systems, topics, depth, pool_depth) = if quick { (16, 25, 100, 30) } else { (40, 50, 200, 50) };
    let each = NAMES.len() / systems;
    // The same range of quality with fewer systems.
    let weight = |place: usize| BEST * STEP.powi((place * each) as i32);
    let system =
        |place: usize| System { name: NAMES[place * each], weight: weight(place), pooled: true, missing: None };
    Design {
        topics,
        documents: if quick { 300 } else { 600 },
        relevant: (5, 60),
        barren: None,
        depth,
        pool_depth,
        systems: (0..systems).map(system).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn systems_differ_and_the_design_can_be_drawn() {
        for quick in [true, false] {
            let design = design(quick);
            let mut names: Vec<&str> = design.systems.iter().map(|system| system.name).collect();
            names.dedup();
            assert_eq!(names.len(), if quick { 16 } else { 40 });
            assert!(design.systems.windows(2).all(|pair| pair[0].weight < pair[1].weight));
        }
        // .03 · 1.077^39 = .5417.
        assert!((design(false).systems[39].weight - 0.5417).abs() < 5e-4);
    }
}
