//! Everything a command uses in addition to its arguments: named inputs, output, messages, progress.
//!
//! The one decision: it is a value that each command is handed, so that the program and a caller that has no terminal (the
//! Python package) run the same code. The program reads files and writes to standard output; a caller may have inputs of its
//! own under a name, and keeps the answer as a [`Report`].

use std::cell::RefCell;
use std::collections::HashMap;
use std::io::{self, IsTerminal, Read, Write};
use std::path::Path;

use karat_data::names::shown;
use karat_formats::{Input, files};
use karat_report::Report;
use karat_report::page::Page;
use karat_runtime::Stop;

use crate::failure::Failure;
use crate::inputs;
use crate::options::OutputOptions;
use crate::output;
use crate::progress::{Progress, Reading};

/// What a command touches.
#[derive(Default)]
pub struct Environment {
    inputs: HashMap<String, Input>,
    names: HashMap<String, String>,
    kept: Option<RefCell<Answer>>,
    figures: bool,
    stop: Stop,
    /// Whether somebody is told how far long work has come.
    telling: bool,
    reading: Option<Reading>,
}

/// What a caller keeps of an answer.
#[derive(Default)]
pub struct Answer {
    /// The answer, of commands that have one for programs.
    pub report: Option<Report>,
    /// The page, of `karat report`.
    pub page: Option<Vec<u8>>,
    /// What the program would have written to standard output that is not rendered from a report.
    pub said: Vec<u8>,
    /// What the program would have said on standard error.
    pub notes: Vec<String>,
}

impl Environment {
    /// The program's: files, standard input and output, the terminal, on which it says how far long work has come if that is wanted.
    pub fn program(telling: bool) -> Environment {
        let reading = if telling { Reading::new() } else { None };
        Environment { telling, reading, ..Environment::default() }
    }

    /// A caller's: inputs of its own by name, files for other names, and the answer is kept.
    pub fn caller(inputs: HashMap<String, Input>) -> Environment {
        Environment { inputs, kept: Some(RefCell::default()), ..Environment::default() }
    }

    /// The same, with names for runs by their inputs; they go before those that files have.
    pub fn with_names(self, names: HashMap<String, String>) -> Environment {
        Environment { names, ..self }
    }

    /// The same, with the figures of an answer drawn into its report.
    pub fn with_figures(self) -> Environment {
        Environment { figures: true, ..self }
    }

    /// The same, with the work given up once `stop` was asked for.
    pub fn stopped_by(self, stop: Stop) -> Environment {
        Environment { stop, ..self }
    }

    /// What the work is stopped by.
    pub fn stop(&self) -> Stop {
        self.stop.clone()
    }

    /// Whether figures belong to the answer even where no option names a place for them.
    pub fn wants_figures(&self) -> bool {
        self.figures
    }

    /// Whether the answer is kept for a caller.
    pub fn keeps(&self) -> bool {
        self.kept.is_some()
    }

    /// What was kept.
    pub fn into_answer(self) -> Answer {
        self.kept.map(RefCell::into_inner).unwrap_or_default()
    }

    /// Inputs of these names.
    ///
    /// # Errors
    /// `-` is named twice.
    pub fn inputs(&self, names: &[String]) -> Result<Vec<Input>, Failure> {
        let mut opened = inputs::inputs(names)?;
        for (name, input) in names.iter().zip(&mut opened) {
            if let Some(own) = self.inputs.get(name) {
                *input = own.clone();
            } else if let Some(reading) = &self.reading {
                *input = reading.of(input, files::size);
            }
            if let Some(tag) = self.names.get(name) {
                *input = input.clone().tagged(tag);
            }
        }
        Ok(opened)
    }

    /// Whether there is an input of that name.
    pub fn has(&self, name: &str) -> bool {
        self.inputs.contains_key(name) || Path::new(name).exists()
    }

    /// All bytes of a small input.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn read(&self, name: &str) -> io::Result<Vec<u8>> {
        match self.inputs.get(name) {
            Some(own) => {
                let mut bytes = Vec::new();
                own.open()?.read_to_end(&mut bytes)?;
                Ok(bytes)
            }
            None => std::fs::read(name),
        }
    }

    /// The size of an input that was read; 0 where it cannot be told.
    pub fn size(&self, name: &str) -> u64 {
        match self.inputs.get(name) {
            Some(_) => self.read(name).map_or(0, |bytes| bytes.len() as u64),
            None => std::fs::metadata(name).map_or(0, |found| found.len()),
        }
    }

    /// Gives the answer: rendered to where the options say; kept for a caller, whatever they say.
    ///
    /// # Errors
    /// The format is unknown, or the answer cannot be written.
    pub fn write(&self, report: &Report, options: &OutputOptions) -> Result<(), Failure> {
        let chosen = output::chosen(options)?;
        let file = output::file(options);
        let terminal = self.kept.is_none() && file.is_none() && io::stdout().is_terminal();
        let renderer = (chosen.make)(output::render_options(options.color, terminal));
        match (file, &self.kept) {
            (Some(path), _) => output::to_file(path, |out| renderer.render(report, out))?,
            (None, None) => output::stream(|out| renderer.render(report, out))?,
            (None, Some(_)) => {}
        }
        match &self.kept {
            Some(kept) => kept.borrow_mut().report = Some(report.clone()),
            None => notes_aside(report, chosen.name),
        }
        Ok(())
    }

    /// Writes a page to its file; a caller keeps it too.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write_page(&self, page: &Page, path: &Path) -> Result<(), Failure> {
        let Some(kept) = &self.kept else {
            if path == Path::new("-") {
                return output::stream(|out| karat_report::page::write(page, out));
            }
            return output::to_file(path, |out| karat_report::page::write(page, out));
        };
        let mut bytes = Vec::new();
        karat_report::page::write(page, &mut bytes)
            .map_err(|error| Failure::Output(format!("cannot render the page: {error}")))?;
        // A caller without a file has the page in its hands.
        if path != Path::new("-") {
            output::bytes_to_file(path, &bytes)?;
        }
        kept.borrow_mut().page = Some(bytes);
        Ok(())
    }

    /// Words that are the answer, of commands whose answer is words.
    ///
    /// # Errors
    /// They cannot be written, other than to a closed pipe.
    pub fn say(&self, bytes: &[u8]) -> Result<(), Failure> {
        self.stream(|out| out.write_all(bytes).and_then(|()| out.flush()))
    }

    /// An answer that is bytes, as it is made.
    ///
    /// # Errors
    /// It cannot be written, other than to a closed pipe.
    pub fn stream(&self, render: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
        match &self.kept {
            None => output::stream(render),
            Some(kept) => render(&mut kept.borrow_mut().said)
                .map_err(|error| Failure::Output(format!("cannot render the result: {error}"))),
        }
    }

    /// Something the user should know that is no part of the answer.
    pub fn note(&self, text: &str) {
        match &self.kept {
            Some(kept) => kept.borrow_mut().notes.push(text.to_owned()),
            // Nothing more can be done when standard error is closed.
            None => drop(writeln!(io::stderr(), "note: {text}")),
        }
    }

    /// How far work in pieces of this kind has come; told on a terminal only.
    pub fn progress(&self, what: &'static str) -> Progress {
        Progress::new(what, self.telling)
    }

    /// Whether progress is told to anybody.
    pub fn tells(&self) -> bool {
        self.telling
    }

    /// Whether words are read at once, on a terminal.
    pub fn is_terminal(&self) -> bool {
        self.kept.is_none() && io::stdout().is_terminal()
    }
}

/// Rows for programs have no place for notes; whoever runs the program should see them all the same.
fn notes_aside(report: &Report, format: &str) {
    if matches!(format, "csv" | "tsv" | "jsonl") {
        for note in &report.notes {
            let _ = writeln!(io::stderr(), "note: {}", shown(note));
        }
    }
}
