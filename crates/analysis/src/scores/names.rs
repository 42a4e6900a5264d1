//! The names that runs go by.

use karat_data::RunFacts;

use super::error::{SameName, ScoreError};

/// A run goes by its tag if no other has it, else by the stem of its file's name.
///
/// # Errors
/// Two runs have the same name.
pub fn names(runs: &[&RunFacts]) -> Result<Vec<String>, ScoreError> {
    let unique = |names: &[String], name: &str| names.iter().filter(|other| *other == name).count() == 1;
    let stems: Vec<String> = runs.iter().map(|run| stem(&run.file).to_owned()).collect();
    let tags: Vec<String> =
        runs.iter().zip(&stems).map(|(run, stem)| run.tag.clone().unwrap_or_else(|| stem.clone())).collect();
    let names: Vec<String> = tags
        .iter()
        .zip(&stems)
        .map(|(tag, stem)| if unique(&tags, tag) { tag.clone() } else { stem.clone() })
        .collect();
    let same_name = |place: usize| {
        let earlier = names[..place].iter().position(|other| *other == names[place])?;
        Some(SameName {
            name: names[place].clone(),
            file: runs[place].file.clone(),
            earlier: runs[earlier].file.clone(),
            format: runs[place].format,
            has_tag: runs[place].tag.is_some(),
        })
    };
    let same: Vec<SameName> = (0..names.len()).filter_map(same_name).collect();
    if same.is_empty() { Ok(names) } else { Err(ScoreError::SameName(same)) }
}

/// The file's name without folders and without the endings of compression and format.
fn stem(file: &str) -> &str {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    let mut stem = name;
    for ending in [
        ".gz", ".zst", ".bz2", ".xz", ".csv", ".tsv", ".json", ".jsonl", ".ndjson", ".parquet", ".qrels", ".run",
        ".trec", ".txt",
    ] {
        stem = stem.strip_suffix(ending).filter(|rest| !rest.is_empty()).unwrap_or(stem);
    }
    stem
}

#[cfg(test)]
mod tests {
    use super::stem;

    #[test]
    fn stems() {
        assert_eq!(stem("runs/a.run.gz"), "a");
        for ending in ["csv", "tsv", "json", "jsonl", "ndjson", "parquet", "qrels", "csv.gz", "jsonl.zst", "run.csv"] {
            assert_eq!(stem(&format!("runs/bm25.{ending}")), "bm25", "{ending}");
        }
        assert_eq!(stem("bm25.b0.9.txt"), "bm25.b0.9");
        assert_eq!(stem(".run"), ".run");
        assert_eq!(stem("-"), "-");
    }
}
