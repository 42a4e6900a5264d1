//! The record of looks at test topics: one line of JSON for each, only ever added to.
//!
//! The one decision: a look is recorded before its answer is shown, and without a record there is no answer. The file is locked while it is
//! read and added to, so that two commands at once count each other; a line that could not be written whole is taken back.

use std::collections::HashSet;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::PathBuf;

use karat_analysis::tune::EarlierLooks;
use karat_data::names::{shown, text};
use karat_formats::Input;
use serde_json::{Value, json};

use crate::commands::VERSION;
use crate::failure::Failure;

/// What the file is called.
pub const NAME: &str = "karat-tune.log";

/// The key that says what a line is.
const KIND: &str = "karat_tune";

/// The file.
pub struct Log {
    path: PathBuf,
}

/// One look at test topics.
pub struct Entry<'a> {
    /// The measure chosen by.
    pub measure: String,
    /// The judgements.
    pub qrels: &'a Input,
    /// All runs.
    pub runs: &'a [Input],
    /// Development topics.
    pub dev: &'a HashSet<Vec<u8>>,
    /// Test topics.
    pub test: &'a HashSet<Vec<u8>>,
    /// The chosen run.
    pub chosen: &'a str,
    /// The baseline.
    pub baseline: &'a str,
}

/// FNV-1a of 64 bits: tells files apart that differ by accident, and needs no library.
struct Fnv(u64);

impl Fnv {
    fn new() -> Fnv {
        Fnv(0xcbf2_9ce4_8422_2325)
    }

    fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    fn text(&self) -> String {
        format!("fnv1a64:{:016x}", self.0)
    }
}

fn of_input(input: &Input) -> Result<Value, Failure> {
    let failed = |error: io::Error| Failure::Output(format!("cannot read {} again: {error}", shown(input.name())));
    let (mut hash, mut buffer) = (Fnv::new(), vec![0; 1 << 16]);
    let mut bytes = input.open().map_err(failed)?;
    loop {
        let read = bytes.read(&mut buffer).map_err(failed)?;
        if read == 0 {
            break;
        }
        hash.add(&buffer[..read]);
    }
    Ok(json!({ "file": input.name(), "hash": hash.text() }))
}

fn names(topics: &HashSet<Vec<u8>>) -> Vec<String> {
    let mut names: Vec<String> = topics.iter().map(|name| text(name)).collect();
    names.sort();
    names
}

fn of_topics(names: &[String]) -> String {
    let mut hash = Fnv::new();
    names.iter().for_each(|name| {
        hash.add(name.as_bytes());
        hash.add(b"\n");
    });
    hash.text()
}

impl Entry<'_> {
    fn line(&self) -> Result<Value, Failure> {
        let runs = self.runs.iter().map(of_input).collect::<Result<Vec<Value>, Failure>>()?;
        let (dev, test) = (names(self.dev), names(self.test));
        Ok(json!({
            KIND: VERSION,
            "measure": self.measure,
            "chosen": self.chosen,
            "baseline": self.baseline,
            "qrels": of_input(self.qrels)?,
            "test_topics": { "count": test.len(), "hash": of_topics(&test), "names": test },
            "dev_topics": { "count": dev.len(), "hash": of_topics(&dev) },
            "runs": runs,
        }))
    }
}

impl Log {
    /// The record at this path.
    pub fn new(path: PathBuf) -> Log {
        Log { path }
    }

    /// Adds a look, and says what looks there were before it.
    ///
    /// # Errors
    /// The file is something else, or cannot be written.
    pub fn append(&self, entry: &Entry<'_>) -> Result<EarlierLooks, Failure> {
        let shown_path = shown(&self.path.to_string_lossy());
        let failed = |error: io::Error| {
            Failure::Output(format!(
                "cannot record the look at test topics in {shown_path}: {error}; the answer is not shown without it (--log names another file)"
            ))
        };
        let line = entry.line()?;
        if std::fs::metadata(&self.path).is_ok_and(|found| !found.is_file()) {
            return Err(Failure::usage(format!("--log {shown_path} is not a regular file; name another file")));
        }
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(&self.path).map_err(failed)?;
        file.lock().map_err(failed)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(failed)?;
        let old = String::from_utf8_lossy(&bytes);
        let parsed = |line: &str| serde_json::from_str::<Value>(line).ok().filter(|value| value.get(KIND).is_some());
        let lines: Vec<&str> = old.lines().filter(|line| !line.trim().is_empty()).collect();
        if lines.first().is_some_and(|first| parsed(first).is_none()) {
            return Err(Failure::usage(format!(
                "{shown_path} is not a record of karat tune and is left as it is; name another file with --log"
            )));
        }
        let mut before = EarlierLooks { log: shown_path.clone(), ..EarlierLooks::default() };
        for earlier in lines.iter().map(|line| parsed(line)) {
            match earlier.filter(|earlier| earlier.pointer("/test_topics/names").is_some_and(Value::is_array)) {
                Some(earlier) => count(&earlier, &line, &mut before),
                None => before.unreadable += 1,
            }
        }
        add(&mut file, &bytes, &line).map_err(failed)?;
        Ok(before)
    }
}

/// Adds a line, or leaves the file as it was.
fn add(file: &mut File, old: &[u8], line: &Value) -> io::Result<()> {
    // A line that somebody left unfinished stays by itself.
    let start = if old.last().is_some_and(|last| *last != b'\n') { "\n" } else { "" };
    let written = file.write_all(format!("{start}{line}\n").as_bytes()).and_then(|()| file.sync_data());
    if written.is_err() {
        // Nothing more can be done when this fails too.
        let _ = file.set_len(old.len() as u64);
    }
    written
}

/// Whether an earlier look was at these topics, or some of them. Names of topics are the same in many collections, so the judgements must be
/// the same too: in content, or, where they have grown since, in name.
fn count(earlier: &Value, now: &Value, before: &mut EarlierLooks) {
    let same_text = |path: &str| earlier.pointer(path).is_some_and(|value| now.pointer(path) == Some(value));
    if !same_text("/qrels/hash") && !same_text("/qrels/file") {
        return;
    }
    let names = |value: &Value| -> HashSet<String> {
        let list = value.pointer("/test_topics/names").and_then(Value::as_array);
        list.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
    };
    let (then, these) = (names(earlier), names(now));
    // The names may have been taken out; their hash tells as well.
    if then == these || same_text("/test_topics/hash") {
        before.same += 1;
    } else if then.intersection(&these).next().is_some() {
        before.some += 1;
    } else {
        return;
    }
    let chosen = earlier.get("chosen").and_then(Value::as_str).unwrap_or("unknown").to_owned();
    if !before.chosen.contains(&chosen) {
        before.chosen.push(chosen);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_fnv1a() {
        // The published test vectors of FNV-1a, 64 bits: "" and "a" and "foobar".
        let of = |text: &str| {
            let mut hash = Fnv::new();
            hash.add(text.as_bytes());
            hash.0
        };
        assert_eq!([of(""), of("a"), of("foobar")], [0xcbf29ce484222325, 0xaf63dc4c8601ec8c, 0x85944171f73967e8]);
    }

    #[test]
    fn looks_are_counted_by_topics_and_judgements() {
        let line = |file: &str, hash: &str, topics: &[&str]| json!({ KIND: "0", "chosen": "x", "qrels": { "file": file, "hash": hash }, "test_topics": { "names": topics } });
        let now = line("q", "1", &["1", "2"]);
        let mut before = EarlierLooks::default();
        let earlier = [
            line("q", "1", &["1", "2"]),
            line("q", "2", &["2", "1"]),
            line("copy", "1", &["2", "3"]),
            line("other", "3", &["1", "2"]),
            line("q", "1", &["7"]),
        ];
        earlier.iter().for_each(|earlier| count(earlier, &now, &mut before));
        assert_eq!((before.same, before.some, before.chosen), (2, 1, vec!["x".to_owned()]));
    }
}
