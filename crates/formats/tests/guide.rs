//! The guide's tables of formats are the tables of the code. `KARAT_DOCS=write cargo test -p karat-formats --test all guide` writes
//! them anew.
#![allow(clippy::unwrap_used, clippy::panic)] // a test may stop

use std::fmt::Write;
use std::path::Path;

use karat_formats::labels::LABEL_FORMATS;
use karat_formats::{QREL_FORMATS, RUN_FORMATS};

fn runs() -> String {
    let mut table = String::from("| name | fields | about |\n|---|---|---|\n");
    for format in RUN_FORMATS {
        writeln!(table, "| `{}` | `{}` | {} |", format.name, format.layout, format.about).unwrap();
    }
    table
}

fn judgements() -> String {
    let mut table = String::from("| name | fields | kind | about |\n|---|---|---|---|\n");
    for format in QREL_FORMATS {
        writeln!(table, "| `{}` | `{}` | {} | {} |", format.name, format.layout, format.kind, format.about).unwrap();
    }
    table
}

fn labels() -> String {
    let mut table = String::from("| name | fields | about |\n|---|---|---|\n");
    for format in LABEL_FORMATS {
        writeln!(table, "| `{}` | `{}` | {} |", format.name, format.layout, format.about).unwrap();
    }
    table
}

/// The page with the table between `<!-- name -->` and the next `<!-- end -->`.
fn with_table(page: &str, name: &str, table: &str) -> String {
    let (before, rest) = page.split_once(&format!("<!-- {name} -->\n")).unwrap();
    let (_, after) = rest.split_once("<!-- end -->").unwrap();
    format!("{before}<!-- {name} -->\n{table}<!-- end -->{after}")
}

#[test]
fn the_guide_lists_every_format() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guide/formats.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let renewed = with_table(&with_table(&page, "runs", &runs()), "judgements", &judgements());
    let renewed = with_table(&renewed, "labels", &labels());
    if std::env::var("KARAT_DOCS").is_ok_and(|value| value == "write") {
        std::fs::write(&path, &renewed).unwrap();
    } else {
        assert!(page == renewed, "run `KARAT_DOCS=write cargo test -p karat-formats --test all guide`");
    }
}
