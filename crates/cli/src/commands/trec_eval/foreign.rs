//! Files that karat reads and trec_eval does not: what to do about them here.

use karat_data::{Problem, Problems};
use karat_formats::Input;
use karat_formats::block::{Block, Blocks, Cut};
use karat_formats::detect::Detected;
use karat_formats::records::{Data, source};
use karat_formats::sample::Sample;

use super::arguments::RelInfo;

/// What to say of a file that was not read, where it has a format that trec_eval does not know.
pub fn format(input: &Input, data: Data, judgements: RelInfo) -> Option<String> {
    let say = |found: String, remedy: String| {
        let expected = match data {
            Data::Run => "a run as trec_eval reads it (topic Q0 docno rank score tag)",
            Data::Judgements | Data::Labels => "judgements as trec_eval reads them (topic 0 docno grade)",
        };
        Some(Problems::from(Problem::of_file(input.name(), expected, found, remedy)).to_string())
    };
    if data == Data::Judgements && judgements == RelInfo::Qrels && has_five_fields(input) {
        let remedy =
            "for preferences (topic group subgroup docno level) say -R prefs; for samples and prels ask `karat eval`";
        return say("five fields".into(), remedy.into());
    }
    let (name, layout) = match source::tell(input, Some(data), None).ok()? {
        Detected::Run(format) => (format.name, format.layout),
        Detected::Qrels(format) => (format.name, format.layout),
    };
    // What other lines there are, trec_eval's own reader has words for.
    if !matches!(name, "csv" | "tsv" | "beir" | "json" | "jsonl" | "parquet" | "msmarco") {
        return None;
    }
    let kind = match data {
        Data::Run => "run",
        Data::Judgements | Data::Labels => "qrels",
    };
    let file = input.name();
    let remedy = format!(
        "write it anew with `karat convert {file} --kind {kind} --to trec`, or ask `karat eval`, which reads it"
    );
    say(format!("{name} ({layout})"), remedy)
}

fn has_five_fields(input: &Input) -> bool {
    let mut block = Block::default();
    let read = Blocks::open(input, Cut::Line).and_then(|mut blocks| blocks.next(&mut block));
    read.is_ok() && Sample::new(block.lines(), false).has_fields(5)
}
