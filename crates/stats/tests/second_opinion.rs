//! The distributions against an independent library (statrs) at random arguments between the table's rows.
//!
//! statrs is right to about 1e-9 in the middle of these distributions and not in their far tails, so only the middle
//! is asked, and only to 1e-8.

use karat_stats::dist::{beta, chi_squared, f, student_t};
use proptest::prelude::*;
use statrs::distribution::{Beta, ChiSquared, ContinuousCDF, FisherSnedecor, StudentsT};

fn close(ours: f64, theirs: f64) -> bool {
    (ours - theirs).abs() <= 1e-8 * theirs.abs()
}

proptest! {
    #[test]
    fn tails_agree(t in 0.01..6.0f64, ratio in 0.2..3.0f64, share in 0.05..0.95f64, one in 0.5..300.0f64, two in 0.5..300.0f64) {
        prop_assert!(close(student_t::sf(t, one).unwrap(), StudentsT::new(0.0, 1.0, one).unwrap().sf(t)));
        let (chi, x) = (ChiSquared::new(one).unwrap(), one * ratio);
        prop_assert!(chi.sf(x) < 1e-8 || close(chi_squared::sf(x, one).unwrap(), chi.sf(x)));
        let fisher = FisherSnedecor::new(one, two).unwrap();
        prop_assert!(fisher.sf(ratio) < 1e-8 || close(f::sf(ratio, one, two).unwrap(), fisher.sf(ratio)));
        let shape = Beta::new(one, two).unwrap();
        prop_assert!(shape.cdf(share) < 1e-8 || close(beta::cdf(share, one, two).unwrap(), shape.cdf(share)));
    }

    #[test]
    fn quantiles_undo_tails(log_p in -28.0..-0.7f64, log_one in -1.0..4.6f64, log_two in -1.0..4.6f64) {
        // Shapes from 0.1 to 40 000, probabilities from 1e-12 to ½; no library needed: the tail at the quantile is p.
        let (p, one, two) = (log_p.exp(), 10f64.powf(log_one), 10f64.powf(log_two));
        prop_assert!(close(student_t::cdf(student_t::quantile(p, one).unwrap(), one).unwrap(), p));
        prop_assert!(close(chi_squared::cdf(chi_squared::quantile(p, one).unwrap(), one).unwrap(), p));
        prop_assert!(close(f::cdf(f::quantile(p, one, two).unwrap(), one, two).unwrap(), p));
        prop_assert!(close(beta::cdf(beta::quantile(p, one, two).unwrap(), one, two).unwrap(), p));
        let upper = beta::upper_quantile(p, one, two).unwrap();
        // Near 1 a share has too few digits below it to undo.
        prop_assert!(upper > 0.99 || close(beta::sf(upper, one, two).unwrap(), p));
    }
}
