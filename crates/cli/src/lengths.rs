//! `--lengths`: a document and its length on each line, with a tab, a comma or blanks between.

use std::collections::HashMap;
use std::io::Read;

use karat_data::{LineProblem, Problem, Problems};
use karat_formats::Input;
use karat_formats::decompress::decompress;

use crate::failure::Failure;

/// Reads lengths; a first line whose second field is a word is a header.
///
/// # Errors
/// Everything wrong with the file.
pub fn read(input: &Input) -> Result<HashMap<Vec<u8>, f64>, Failure> {
    let mut bytes = Vec::new();
    input.open().and_then(decompress).and_then(|mut stream| stream.read_to_end(&mut bytes)).map_err(|error| {
        let expected = "documents and their lengths";
        Failure::from(Problem::unreadable(input.name(), expected, &error, "check the file name given to --lengths"))
    })?;
    let bytes = bytes.strip_prefix(&[0xef, 0xbb, 0xbf]).unwrap_or(&bytes);
    let mut lengths = HashMap::new();
    let mut problems = Problems::default();
    for (number, line) in bytes.split(|&byte| byte == b'\n').enumerate() {
        let fields: Vec<&[u8]> = fields(line.trim_ascii());
        let mut wrong = |field, expected: &str, found: String| {
            let remedy = "write a document and its length on each line, such as doc1 120";
            problems.push(Problem::of_line(
                input.name(),
                number as u64,
                LineProblem::new(field, expected, found, remedy),
            ));
        };
        match fields[..] {
            [] => {}
            [docno, length] => {
                let value = std::str::from_utf8(length).ok().and_then(|text| text.parse::<f64>().ok());
                match value.filter(|value| value.is_finite() && *value >= 0.0) {
                    Some(value) => {
                        if lengths.insert(docno.to_vec(), value).is_some_and(|before| before != value) {
                            wrong(
                                "document",
                                "one length for each document",
                                format!("another for {}", String::from_utf8_lossy(docno)),
                            );
                        }
                    }
                    None if number == 0 && length.iter().all(|byte| byte.is_ascii_alphabetic() || *byte == b'_') => {}
                    None => wrong("length", "a number from 0", String::from_utf8_lossy(length).into_owned()),
                }
            }
            _ => wrong("line", "two fields", format!("{}", fields.len())),
        }
    }
    problems.into_result()?;
    if lengths.is_empty() {
        return Err(Problem::of_file(
            input.name(),
            "documents and their lengths",
            "none",
            "write doc1 120 on each line",
        )
        .into());
    }
    Ok(lengths)
}

fn fields(line: &[u8]) -> Vec<&[u8]> {
    let separator = [b'\t', b','].into_iter().find(|separator| line.contains(separator));
    match separator {
        Some(separator) => line.split(|&byte| byte == separator).map(<[u8]>::trim_ascii).collect(),
        None => line.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty()).collect(),
    }
}
