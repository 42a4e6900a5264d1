//! Three simulated judges of the demo, with known error rates.

use karat_stats::seed::Seed;

/// A judge's name, m_R and m_N, and the share of documents that the judge could not open.
const JUDGES: [(&str, f64, f64, f64); 3] =
    [("ann", 0.95, 0.97, 0.0), ("bob", 0.85, 0.92, 0.02), ("model", 0.9, 0.7, 0.0)];

/// Labels in karat's long form, relevant or not, of every document that has a grade.
pub fn of(qrels: &[u8], seed: Seed) -> Vec<u8> {
    let mut out = String::from("query_id,doc_id,judge,grade,state\n");
    let text = String::from_utf8_lossy(qrels);
    for (place, (name, relevant, other, unable)) in JUDGES.iter().enumerate() {
        let mut stream = seed.stream("demo judges", place as u64);
        for line in text.lines() {
            let fields: Vec<&str> = line.split_ascii_whitespace().collect();
            let [topic, _, document, grade] = fields[..] else { continue };
            if grade.starts_with('-') {
                continue;
            }
            // Two numbers for every document, so that one judge's rates do not move another's labels.
            let (chance, opens) = (stream.unit(), stream.unit() >= *unable);
            let truth = grade != "0";
            let said = truth == (chance < if truth { *relevant } else { *other });
            let (grade, state) = if opens { (if said { "1" } else { "0" }, "judged") } else { ("", "cannot") };
            out.push_str(&format!("{topic},{document},{name},{grade},{state}\n"));
        }
    }
    out.into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn judges_err_as_often_as_they_should() {
        let lines =
            |grade: u8| (0..2000).map(move |document| format!("1 0 d{grade}{document} {grade}\n")).collect::<String>();
        let labels = String::from_utf8(of(format!("{}{}", lines(0), lines(1)).as_bytes(), Seed(3))).unwrap();
        for (name, relevant, other, _) in JUDGES {
            for (grade, rate) in [("1", relevant), ("0", other)] {
                let own = labels
                    .lines()
                    .filter(|line| line.starts_with(&format!("1,d{grade}")) && line.contains(&format!(",{name},")));
                let judged: Vec<&str> = own.filter(|line| line.ends_with(",judged")).collect();
                let right = judged.iter().filter(|line| line.contains(&format!(",{name},{grade},"))).count();
                // Four standard errors of a share of 2000: at most 4 · .5/√2000 = .045.
                assert!((right as f64 / judged.len() as f64 - rate).abs() < 0.045, "{name} {grade}: {right}");
            }
        }
    }
}
