//! How often 95 % intervals of a mean cover it, for skewed data: the property the intervals are for.

use karat_stats::{
    Sample, Seed,
    interval::{Bootstrap, t},
};

#[test]
fn t_and_bca_cover_an_exponential_mean_about_as_often_as_they_say() {
    // 2000 samples of 30 from Exp(1), mean 1. Known: at n = 30 both fall short of 95 % because the data are skewed
    // (t about 92–93 %, BCa about 92–94 %). Binomial sd at 93 % is √(0.93·0.07/2000) = 0.6 %, so the band 90.5–95.5 % is
    // ± 4 sd around 93 %: a wrong quantile, divisor or tail leaves it, luck does not.
    let (mut by_t, mut by_bca) = (0, 0);
    for index in 0..2000 {
        let mut stream = Seed(20_261_115).stream("exponential", index);
        let values: Vec<f64> = (0..30).map(|_| -(1.0 - stream.unit()).ln()).collect();
        let sample = Sample::new(&values).unwrap();
        by_t += usize::from(t(&sample, 0.95).unwrap().contains(1.0));
        let bootstrap = Bootstrap::new(&sample, 1000, Seed(index)).unwrap();
        by_bca += usize::from(bootstrap.bca(0.95).unwrap().contains(1.0));
    }
    println!("t {by_t}, bca {by_bca} of 2000");
    for covered in [by_t, by_bca] {
        assert!((1810..=1910).contains(&covered), "{covered} of 2000");
    }
}
