//! The karat command line.
#![allow(clippy::print_stdout)]
use karat_data::*;
use karat_formats::*;
fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let file = |name: &String| {
        let path = name.clone();
        Input::new(name.clone(), move || Ok(Box::new(std::fs::File::open(&path)?)))
    };
    let (qrels, _) = read_qrels(&file(&args[0]), QREL_FORMATS[0], Dialect::Strict).unwrap();
    let runs = RunFiles::new(args[1..].iter().map(file).collect(), RUN_FORMATS[0], Dialect::Strict);
    let measures: Vec<_> =
        ["AP", "P@10"].iter().map(|t| karat_measures::spec::parse(t, 1.0).unwrap().build().unwrap()).collect();
    let setting = karat_study::scores::Setting {
        qrels: &qrels,
        qrels_file: "",
        collection: CollectionFacts::default(),
        policy: Policy::default(),
        measures: &measures,
        threads: 2,
    };
    let scored = karat_study::scores::score(&setting, &runs);
    match scored {
        Err(p) => println!("{p}"),
        Ok(s) => {
            for r in s {
                for m in 0..2 {
                    let v: Vec<f64> = r.of(m).map(|(_, s)| s.as_ref().unwrap().value).collect();
                    println!("{} {} {}", r.name, m, v.iter().sum::<f64>() / v.len() as f64);
                }
            }
        }
    }
}
