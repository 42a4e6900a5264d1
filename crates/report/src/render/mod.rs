//! One file per renderer, one row per renderer in [`RENDERERS`].
//!
//! Each renderer checks the report, then writes it once from top to bottom through its own buffer: the caller may hand
//! over a bare file or pipe.

mod bars;
mod csv;
mod delimited;
mod flat;
pub(crate) mod html;
mod json;
mod jsonl;
mod latex;
mod markdown;
pub(crate) mod people;
mod terminal;
mod tsv;

pub(crate) use json::SCHEMA;

use crate::report::Report;
use std::io;
use std::path::Path;

/// Writes a report in one format.
pub trait Renderer {
    /// Writes the whole report. `InvalidInput` means the report itself is wrong; nothing was written then.
    fn render(&self, report: &Report, out: &mut dyn io::Write) -> io::Result<()>;
}

/// What the caller knows of the place the report goes to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RenderOptions {
    /// Whether ANSI styling is wanted (terminal only).
    pub color: bool,
    /// The width of the terminal; prose is wrapped to it, tables never are, and get bars where there is room. `None` when it is not a terminal.
    pub width: Option<u16>,
}

/// A row of [`RENDERERS`].
#[derive(Clone, Copy, Debug)]
pub struct RendererInfo {
    /// The value of `--format`.
    pub name: &'static str,
    /// File name endings that mean this format, without the dot.
    pub extensions: &'static [&'static str],
    /// The media type.
    pub media_type: &'static str,
    /// One line for the help.
    pub description: &'static str,
    /// Makes the renderer.
    pub make: fn(RenderOptions) -> Box<dyn Renderer>,
}

/// Every format, in the order of the help; the first is the default.
pub static RENDERERS: &[RendererInfo] =
    &[terminal::INFO, json::INFO, jsonl::INFO, csv::INFO, tsv::INFO, markdown::INFO, latex::INFO, html::INFO];

/// The row with this name.
pub fn renderer(name: &str) -> Option<&'static RendererInfo> {
    RENDERERS.iter().find(|info| info.name == name)
}

/// The row whose extension the file has: what `-o report.html` means without `-f`.
pub fn renderer_for_path(path: &Path) -> Option<&'static RendererInfo> {
    let extension = path.extension()?.to_str()?.to_ascii_lowercase();
    RENDERERS.iter().find(|info| info.extensions.contains(&extension.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_extensions_are_unique() {
        let mut names: Vec<_> = RENDERERS.iter().flat_map(|info| info.extensions.iter().copied()).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
        for info in RENDERERS {
            assert_eq!(renderer(info.name).expect("found").media_type, info.media_type);
            assert!(!info.description.is_empty());
        }
        let contract = ["terminal", "json", "jsonl", "csv", "tsv", "markdown", "latex", "html"];
        assert_eq!(RENDERERS.iter().map(|info| info.name).collect::<Vec<_>>(), contract);
    }

    #[test]
    fn a_path_names_its_format() {
        let name = |path| renderer_for_path(Path::new(path)).map(|info| info.name);
        assert_eq!(name("out/report.HTML"), Some("html"));
        assert_eq!(name("a.tex"), Some("latex"));
        assert_eq!(name("a.run"), None);
    }
}
