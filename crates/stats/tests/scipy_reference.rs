//! Every distribution function against the committed table of SciPy and mpmath values, to 1e-9 relative.

use karat_stats::dist::{
    beta, binomial, chi_squared, f, noncentral_t, normal, student_t, two_sided_normal, two_sided_t,
};
use std::collections::BTreeMap;

/// Agreement promised for every row, however small its value.
const AGREEMENT: f64 = 1e-9;

fn ours(function: &str, a: &[f64]) -> Result<f64, String> {
    let value = match function {
        "normal_cdf" => normal::cdf(a[0]),
        "normal_sf" => normal::sf(a[0]),
        "normal_two_sided" => two_sided_normal(a[0]),
        "normal_quantile" => normal::quantile(a[0]),
        "t_cdf" => student_t::cdf(a[0], a[1]),
        "t_sf" => student_t::sf(a[0], a[1]),
        "t_two_sided" => two_sided_t(a[0], a[1]),
        "t_quantile" => student_t::quantile(a[0], a[1]),
        "chi_squared_cdf" => chi_squared::cdf(a[0], a[1]),
        "chi_squared_sf" => chi_squared::sf(a[0], a[1]),
        "chi_squared_quantile" => chi_squared::quantile(a[0], a[1]),
        "f_cdf" => f::cdf(a[0], a[1], a[2]),
        "f_sf" => f::sf(a[0], a[1], a[2]),
        "f_quantile" => f::quantile(a[0], a[1], a[2]),
        "beta_cdf" => beta::cdf(a[0], a[1], a[2]),
        "beta_sf" => beta::sf(a[0], a[1], a[2]),
        "beta_quantile" => beta::quantile(a[0], a[1], a[2]),
        "noncentral_t_cdf" => noncentral_t::cdf(a[0], a[1], a[2]),
        "noncentral_t_sf" => noncentral_t::sf(a[0], a[1], a[2]),
        "binomial_cdf" => binomial::cdf(a[0] as u64, a[1] as u64, a[2]),
        "binomial_sf" => binomial::sf(a[0] as u64, a[1] as u64, a[2]),
        "binomial_quantile" => binomial::quantile(a[0], a[1] as u64, a[2]).map(|k| k as f64),
        other => return Err(format!("row of unknown function {other}")),
    };
    value.map_err(|error| format!("{function} {a:?}: {error}"))
}

#[test]
fn agrees_with_the_table() {
    // `include_str!`, so that a missing table does not even compile.
    let table = include_str!("scipy_reference.tsv");
    let mut worst: BTreeMap<&str, (f64, String, usize)> = BTreeMap::new();
    for line in table.lines().filter(|line| !line.starts_with('#')).skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let arguments: Vec<f64> = fields[1..4].iter().filter(|a| !a.is_empty()).map(|a| a.parse().unwrap()).collect();
        let expected: f64 = fields[4].parse().unwrap();
        let got = ours(fields[0], &arguments).unwrap();
        assert!(got.is_finite(), "{line}: {got}");
        let entry = worst.entry(fields[0]).or_insert((0.0, String::new(), 0));
        entry.2 += 1;
        let error = ((got - expected) / expected).abs();
        if error > entry.0 {
            (entry.0, entry.1) = (error, format!("{line}, karat {got:e}"));
        }
    }
    for (function, (error, line, rows)) in &worst {
        println!("{function}: {rows} rows, worst relative error {error:.1e} at {line}");
    }
    assert!(worst.len() == 22 && worst.values().map(|w| w.2).sum::<usize>() > 900, "the table is cut short");
    for (function, (error, line, _)) in &worst {
        assert!(*error <= AGREEMENT, "{function} off by {error:.1e}: {line}");
    }
}
