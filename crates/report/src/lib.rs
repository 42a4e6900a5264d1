//! Reports and the formats they are written in.
//!
//! A study builds a [`Report`] (tables, text, notes and where the numbers come from); a [`Renderer`] writes it. The one
//! decision behind the crate: a report holds full numbers and one set of rows, and each renderer is either for
//! programs (JSON, JSON lines, CSV, TSV: full precision, stable keys) or for people (terminal, Markdown, LaTeX, HTML:
//! headings, and numbers rounded by [`number`], the only place in karat that rounds). [`Audience`] says which tables and
//! columns belong to whom.
//!
//! Rows are written one by one, so a table of a million rows costs no second copy of itself.
//!
//! ```
//! use karat_report::{Block, Column, NumberStyle, Report, RenderOptions, Table, renderer};
//!
//! let mut scores = Table::new("scores", "Scores")
//!     .column("run", "run")
//!     .column("value", "value")
//!     .with(Column::new("p", "p").style(NumberStyle::P));
//! scores.push(["bm25".into(), 0.30125.into(), None::<f64>.into()]);
//! let report = Report::new("One run", "eval", "0.1.0").table(scores).note("p needs a second run");
//!
//! let mut out = Vec::new();
//! let json = renderer("json").expect("a row of RENDERERS");
//! (json.make)(RenderOptions::default()).render(&report, &mut out)?;
//! assert!(String::from_utf8_lossy(&out).contains(r#"{"run": "bm25", "value": 0.30125, "p": null}"#));
//! # assert!(matches!(report.blocks[0], Block::Table(_)));
//! # Ok::<(), std::io::Error>(())
//! ```

pub mod answer;
pub mod cell;
mod check;
mod columns;
pub mod figure;
pub mod number;
pub mod page;
pub mod render;
pub mod report;
pub mod schema;
pub mod table;
mod text;

pub use answer::Answer;
pub use cell::Cell;
pub use columns::Columns;
pub use figure::{Anchor, Axis, Figure, Mark, Panel, Shape};
pub use number::NumberStyle;
pub use render::{RENDERERS, RenderOptions, Renderer, RendererInfo, renderer, renderer_for_path};
pub use report::{Block, Input, OptionValue, Provenance, Report};
pub use table::{Audience, Column, Plot, Split, Table};
