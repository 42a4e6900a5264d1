//! LaTeX: booktabs tables that go straight into a paper.
//!
//! Every string is text: the ten specials, the characters old font encodings draw as others, ligatures, and the `[` and
//! `*` that would be read as arguments of `\\` are all written so that the page shows what the file held.

use super::people::{self, Shown, View};
use super::{RenderOptions, Renderer, RendererInfo};
use crate::check::check;
use crate::report::Report;
use crate::text::{lines, visible};
use std::io::{self, BufWriter, Write};

pub(super) const INFO: RendererInfo = RendererInfo {
    name: "latex",
    extensions: &["tex"],
    media_type: "application/x-latex",
    description: "booktabs tables to \\input into a paper",
    make,
};

struct Latex;

fn make(_: RenderOptions) -> Box<dyn Renderer> {
    Box::new(Latex)
}

impl Renderer for Latex {
    fn render(&self, report: &Report, out: &mut dyn Write) -> io::Result<()> {
        check(report)?;
        let mut out = BufWriter::new(out);
        // Made visible, a string has no line end, so it cannot leave its comment.
        writeln!(out, "% {}", visible(&report.title))?;
        for (name, value) in people::provenance(report) {
            writeln!(out, "% {}: {}", visible(&name), visible(&value))?;
        }
        out.write_all(b"% Needs \\usepackage{booktabs} in the preamble. To compile this file alone, put it between\n")?;
        out.write_all(b"% \\documentclass{article}\\usepackage{booktabs}\\begin{document} and \\end{document}.\n")?;
        for block in people::shown(report).filter(Shown::is_words) {
            out.write_all(b"\n")?;
            match block {
                Shown::Text(text) => prose(&mut out, text)?,
                Shown::Table(view) => table(&mut out, &view)?,
                Shown::Figure(_) => {}
            }
        }
        for note in &report.notes {
            out.write_all(b"\n\\noindent\\emph{Note:} ")?;
            prose(&mut out, note)?;
        }
        out.flush()
    }
}

fn prose(out: &mut impl Write, text: &str) -> io::Result<()> {
    for line in lines(text) {
        writeln!(out, "{}", escape(&line))?;
    }
    Ok(())
}

fn table(out: &mut impl Write, view: &View<'_>) -> io::Result<()> {
    if view.columns.is_empty() {
        return Ok(());
    }
    if !view.table.title.is_empty() {
        writeln!(out, "% {}", visible(&view.table.title))?;
    }
    let sides: String = view.right.iter().map(|right| if *right { 'r' } else { 'l' }).collect();
    writeln!(out, "\\begin{{tabular}}{{{sides}}}\n\\toprule")?;
    if view.header {
        for at in 0..view.columns.len() {
            let between = if at > 0 { " & " } else { "" };
            write!(out, "{between}{}", escape(&view.heading(at)))?;
        }
        out.write_all(b" \\\\\n\\midrule\n")?;
    }
    let mut cell = String::new();
    for row in &view.table.rows {
        for at in 0..view.columns.len() {
            view.cell(row, at, &mut cell);
            let between = if at > 0 { " & " } else { "" };
            write!(out, "{between}{}", if view.right[at] { numbers(&cell) } else { escape(&cell) })?;
        }
        out.write_all(b" \\\\\n")?;
    }
    out.write_all(b"\\bottomrule\n\\end{tabular}\n")
}

/// A cell of numbers: its hyphens are minus signs.
fn numbers(text: &str) -> String {
    escape(text).replace('-', "$-$").replace("$-$$-$$-$", "---").replace("$-$$-$", "--")
}

/// Symbols of ours and of measures' names, as commands that every LaTeX has.
const SYMBOLS: [(char, &str); 20] = [
    ('−', "$-$"),
    ('±', "$\\pm$"),
    ('×', "$\\times$"),
    ('≤', "$\\leq$"),
    ('≥', "$\\geq$"),
    ('≈', "$\\approx$"),
    ('→', "$\\rightarrow$"),
    ('√', "$\\surd$"),
    ('α', "$\\alpha$"),
    ('β', "$\\beta$"),
    ('κ', "$\\kappa$"),
    ('λ', "$\\lambda$"),
    ('π', "$\\pi$"),
    ('ρ', "$\\rho$"),
    ('σ', "$\\sigma$"),
    ('τ', "$\\tau$"),
    ('Δ', "$\\Delta$"),
    ('Σ', "$\\Sigma$"),
    ('…', "\\ldots{}"),
    ('·', "$\\cdot$"),
];

/// Characters that pdfLaTeX sets without further packages: ASCII, and letters of Latin-1 and Latin Extended-A that its usual encoding has.
/// Any other would stop it, so it is written as its number.
fn known(c: char) -> bool {
    c.is_ascii()
        || matches!(c, 'À'..='Ö' | 'Ø'..='ö' | 'ø'..='ÿ') && !matches!(c, 'Ð' | 'ð' | 'Þ' | 'þ')
        || "ŁłŒœŠšŽžĆćČčĚěŃńŇňŘřŚśŮůŹźŻżŐőŰű".contains(c)
}

/// Text that LaTeX sets as it is.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut before = ' ';
    for c in text.chars() {
        match c {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => out.extend(['\\', c]),
            '\\' => out.push_str("\\textbackslash{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '<' => out.push_str("\\textless{}"),
            '>' => out.push_str("\\textgreater{}"),
            '|' => out.push_str("\\textbar{}"),
            '"' => {
                // One that follows a word closes; any other opens.
                let closes =
                    !(before.is_whitespace() || matches!(before, '(' | '[' | '{' | '-' | '–' | '—' | '/' | '='));
                out.push_str(if closes { "''" } else { "``" });
            }
            '`' => out.push_str("\\textasciigrave{}"),
            '\'' => out.push_str("\\textquotesingle{}"),
            '[' | ']' | '*' => out.extend(['{', c, '}']),
            '-' if before == '-' => out.push_str("{}-"),
            '–' => out.push_str("--"),
            '—' => out.push_str("---"),
            '\u{2400}'..='\u{2421}' | '\u{fffd}' => out.push('?'),
            c if known(c) => out.push(c),
            c => match SYMBOLS.iter().find(|(symbol, _)| *symbol == c) {
                Some((_, command)) => out.push_str(command),
                None => out.push_str(&format!("{{[}}U+{:04X}{{]}}", u32::from(c))),
            },
        }
        before = c;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_special_is_text() {
        assert_eq!(escape(r"a_b%c&d#e{f}g$h"), r"a\_b\%c\&d\#e\{f\}g\$h");
        assert_eq!(escape(r"\~^"), r"\textbackslash{}\textasciitilde{}\textasciicircum{}");
        assert_eq!(escape("<|>"), r"\textless{}\textbar{}\textgreater{}");
        assert_eq!(escape(r#"("117", "x y") a="b""#), "(``117'', ``x y'') a=``b''");
        assert_eq!(escape("[x]*a--b"), "{[}x{]}{*}a-{}-b");
        assert_eq!(escape("a − b, Zürich, 文"), "a $-$ b, Zürich, {[}U+6587{]}");
    }

    #[test]
    fn minus_signs_and_dashes() {
        assert_eq!(numbers("-0.1000 to 0.0500"), "$-$0.1000 to 0.0500");
        assert_eq!(numbers("0.1–0.2"), "0.1--0.2");
        assert_eq!(numbers("—"), "---");
        assert_eq!(numbers(">-0.0001"), r"\textgreater{}$-$0.0001");
    }
}
