//! Reports and the formats they are written in.
//!
//! A [`Report`] has a typed [`Answer`] for programs and tables, text and notes for people; a [`Renderer`] writes it. The one
//! decision behind the crate: each renderer is either for programs (JSON, JSON lines, CSV, TSV: the answer at full precision)
//! or for people (terminal, Markdown, LaTeX, HTML: headings, and numbers rounded by [`number`], the only place in karat that
//! rounds).
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
//! scores.push(["bm25".into(), 0.25.into(), None::<f64>.into()]);
//! let report = Report::new("One run", "eval", "0.1.0").table(scores).note("p needs a second run");
//!
//! let mut out = Vec::new();
//! let markdown = renderer("markdown").expect("a row of RENDERERS");
//! (markdown.make)(RenderOptions::default()).render(&report, &mut out)?;
//! assert!(String::from_utf8_lossy(&out).contains("| bm25 | 0.2500 | — |"));
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
pub use table::{Column, Plot, Table};
pub use text::wrap;
