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
    for (number, line) in (0..).zip(bytes.split(|&byte| byte == b'\n')) {
        if let Err((field, expected, found)) = read_line(number, line, &mut lengths) {
            let remedy = "write a document and its length on each line, such as doc1 120";
            let problem = LineProblem::new(field, expected, found, remedy);
            problems.push(Problem::of_line(input.name(), number, problem));
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

/// The field that is wrong, what was expected, and what was found.
type Wrong = (&'static str, &'static str, String);

fn read_line(number: u64, line: &[u8], lengths: &mut HashMap<Vec<u8>, f64>) -> Result<(), Wrong> {
    let (docno, length) = match fields(line.trim_ascii())[..] {
        [] => return Ok(()),
        [docno, length] => (docno, length),
        ref other => return Err(("line", "two fields", other.len().to_string())),
    };
    let value = std::str::from_utf8(length).ok().and_then(|text| text.parse::<f64>().ok());
    let header = number == 0 && length.iter().all(|byte| byte.is_ascii_alphabetic() || *byte == b'_');
    match value.filter(|value| value.is_finite() && *value >= 0.0) {
        Some(value) => match lengths.insert(docno.to_vec(), value) {
            Some(before) if before != value => {
                let found = format!("another for {}", String::from_utf8_lossy(docno));
                Err(("document", "one length for each document", found))
            }
            _ => Ok(()),
        },
        None if header => Ok(()),
        None => Err(("length", "a number from 0", String::from_utf8_lossy(length).into_owned())),
    }
}

fn fields(line: &[u8]) -> Vec<&[u8]> {
    let separator = [b'\t', b','].into_iter().find(|separator| line.contains(separator));
    match separator {
        Some(separator) => line.split(|&byte| byte == separator).map(<[u8]>::trim_ascii).collect(),
        None => line.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty()).collect(),
    }
}
