//! A call of a command: the arguments that the command line would get, and inputs in memory by name.
//!
//! The one decision: the work is done on a thread of its own without the interpreter lock, while the caller's thread waits
//! and looks after signals. So Ctrl-C is answered at once, and other Python threads go on. The work is told to stop, and ends
//! between two of its pieces, within a moment: a call that raised leaves nothing behind that goes on.

use std::collections::HashMap;
use std::ffi::OsString;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use karat_cli::{Environment, Failure, Stop};
use karat_formats::Input;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::answer::Answer;
use crate::failure::exception;
use crate::parts::Run;
use crate::table::Table;

/// How often signals are looked after.
const WAIT: Duration = Duration::from_millis(50);

/// How long a call that was interrupted waits for its work to end. Nearly all does within a few milliseconds; what is in the middle of
/// a long piece (a sort of many million rows, a disk that does not answer) ends later by itself.
const GRACE: Duration = Duration::from_millis(500);

/// As much as the main thread of a program has.
const STACK: usize = 8 << 20;

/// Runs a command. `inputs` are tables, bytes or joined runs by the name they have among the arguments; `names` are runs' own names.
#[pyfunction]
pub fn call(
    py: Python<'_>,
    arguments: Vec<OsString>,
    inputs: &Bound<'_, PyDict>,
    names: HashMap<String, String>,
    figures: bool,
) -> PyResult<Answer> {
    let stop = Stop::default();
    let opened = opened(inputs)?;
    let flag = stop.clone();
    let work = move || {
        let environment = Environment::caller(opened).stopped_by(flag).with_names(names);
        let environment = if figures { environment.with_figures() } else { environment };
        karat_cli::call(arguments, environment)
    };
    let (send, receive) = channel();
    let thread = std::thread::Builder::new().name("karat".into()).stack_size(STACK);
    thread.spawn(move || {
        // Nobody listens any more after an interruption.
        let _ = send.send(catch_unwind(AssertUnwindSafe(work)));
    })?;
    match wait(py, receive, &stop)? {
        Ok((answer, Ok(()))) => Ok(answer.into()),
        Ok((answer, Err(failure))) => Err(exception(py, failure, answer.into())),
        Err(_) => {
            let failure = Failure::Output("internal error; please report it".into());
            Err(exception(py, failure, karat_cli::Answer::default().into()))
        }
    }
}

/// Waits for the work, and tells it to stop when a signal comes.
fn wait<T: Send>(py: Python<'_>, mut receive: Receiver<T>, stop: &Stop) -> PyResult<T> {
    loop {
        let waiting = &mut receive;
        match py.detach(move || waiting.recv_timeout(WAIT)) {
            Ok(done) => return Ok(done),
            Err(RecvTimeoutError::Timeout) => {
                if let Err(interrupted) = py.check_signals() {
                    stop.ask();
                    let waiting = &mut receive;
                    // Whatever comes now, nobody asks for it any more.
                    let _ = py.detach(move || waiting.recv_timeout(GRACE));
                    return Err(interrupted);
                }
            }
            Err(RecvTimeoutError::Disconnected) => {
                return Err(PyRuntimeError::new_err("the work ended without an answer"));
            }
        }
    }
}

/// Inputs by name.
pub fn opened(inputs: &Bound<'_, PyDict>) -> PyResult<HashMap<String, Input>> {
    let mut opened = HashMap::with_capacity(inputs.len());
    for (name, input) in inputs.iter() {
        let name: String = name.extract()?;
        let input = if let Ok(bytes) = input.cast::<PyBytes>() {
            Input::bytes(name.clone(), bytes.as_bytes())
        } else if let Ok(run) = input.cast::<Run>() {
            run.get().0.clone()
        } else {
            Input::table(name.clone(), input.cast::<Table>()?.get().take()?)
        };
        opened.insert(name, input);
    }
    Ok(opened)
}
