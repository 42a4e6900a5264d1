//! Something that can be opened and read, perhaps more than once.

use std::io::{self, Cursor, Read};
use std::sync::Arc;

use karat_data::Condensed;

use crate::memory::Memory;

/// A stream of bytes.
pub type Stream = Box<dyn Read + Send>;

/// An input: its name as the user knows it, and a way to open it. It may be opened twice (a run that turns out not to
/// be grouped by topic is read again), so a pipe is handed over as [`Input::bytes`].
#[derive(Clone)]
pub struct Input {
    name: String,
    open: Arc<dyn Fn() -> io::Result<Stream> + Send + Sync>,
    tag: Option<Arc<str>>,
    memory: Option<Arc<Memory>>,
    parts: Arc<[Input]>,
    condensed: Option<Arc<Condensed>>,
}

impl Input {
    /// An input that `open` opens.
    pub fn new(name: impl Into<String>, open: impl Fn() -> io::Result<Stream> + Send + Sync + 'static) -> Input {
        Input { name: name.into(), open: Arc::new(open), tag: None, memory: None, parts: Arc::new([]), condensed: None }
    }

    /// An input in memory.
    pub fn bytes(name: impl Into<String>, bytes: impl Into<Arc<[u8]>>) -> Input {
        let bytes: Arc<[u8]> = bytes.into();
        Input::new(name, move || Ok(Box::new(Cursor::new(bytes.clone()))))
    }

    /// A table in memory. Whoever opens it gets it as text.
    pub fn table(name: impl Into<String>, table: Memory) -> Input {
        let table = Arc::new(table);
        let text = table.clone();
        let open = move || -> io::Result<Stream> { Ok(Box::new(Cursor::new(text.text().into_bytes()))) };
        Input { memory: Some(table), ..Input::new(name, open) }
    }

    /// The table in memory that it is, where it is one.
    pub fn memory(&self) -> Option<&Memory> {
        self.memory.as_deref()
    }

    /// A folder of files that are one thing together, as Spark writes them.
    pub fn folder(name: impl Into<String>, parts: Vec<Input>) -> Input {
        let name = name.into();
        let refuse = || Err(io::Error::new(io::ErrorKind::IsADirectory, "a folder, where one file is expected"));
        Input { parts: parts.into(), ..Input::new(name, refuse) }
    }

    /// One of the runs whose rows are elsewhere; inputs of all of them, in their order, are the source.
    pub fn condensed(name: impl Into<String>, runs: Arc<Condensed>) -> Input {
        let refuse = || Err(io::Error::new(io::ErrorKind::Unsupported, "a run whose rows are elsewhere"));
        Input { condensed: Some(runs), ..Input::new(name, refuse) }
    }

    /// The runs whose rows are elsewhere that it is one of.
    pub(crate) fn elsewhere(&self) -> Option<&Arc<Condensed>> {
        self.condensed.as_ref()
    }

    /// The files of a folder; nothing for a file.
    pub fn parts(&self) -> &[Input] {
        &self.parts
    }

    /// The files that are read: those of a folder, or the one that it is.
    pub fn files(&self) -> &[Input] {
        if self.parts.is_empty() { std::slice::from_ref(self) } else { &self.parts }
    }

    /// The same, with a name for the run in it that goes before its own.
    pub fn tagged(self, tag: &str) -> Input {
        Input { tag: Some(tag.into()), ..self }
    }

    /// The name that the run in it was given, where it was given one.
    pub fn tag(&self) -> Option<&str> {
        self.tag.as_deref()
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Opens it.
    ///
    /// # Errors
    /// It cannot be opened.
    pub fn open(&self) -> io::Result<Stream> {
        (self.open)()
    }
}

impl std::fmt::Debug for Input {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Input({})", self.name)
    }
}
