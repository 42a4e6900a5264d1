//! A call of a command: the arguments that the command line would get, and inputs in memory by name.
//!
//! The one decision: the work is done on a thread of its own without the interpreter lock, while the caller's thread waits
//! and looks after signals. So Ctrl-C is answered at once, and other Python threads go on.

use std::collections::HashMap;
use std::ffi::OsString;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use karat::{Failure, Outside};
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
    let stop: Arc<AtomicBool> = Arc::default();
    let opened = opened(inputs, &stop)?;
    let flag = stop.clone();
    let work = move || {
        let outside = Outside::caller(opened).stopped_by(flag).with_names(names);
        let outside = if figures { outside.with_figures() } else { outside };
        karat::call(arguments, outside)
    };
    let (send, receive) = channel();
    let thread = std::thread::Builder::new().name("karat".into()).stack_size(STACK);
    thread.spawn(move || {
        // Nobody listens any more after an interruption.
        let _ = send.send(catch_unwind(AssertUnwindSafe(work)));
    })?;
    let mut receive = receive;
    let done = loop {
        let waiting = &mut receive;
        match py.detach(move || waiting.recv_timeout(WAIT)) {
            Ok(done) => break done,
            Err(RecvTimeoutError::Timeout) => {
                if let Err(interrupted) = py.check_signals() {
                    stop.store(true, Ordering::Relaxed);
                    return Err(interrupted);
                }
            }
            Err(RecvTimeoutError::Disconnected) => {
                return Err(PyRuntimeError::new_err("the work ended without an answer"));
            }
        }
    };
    match done {
        Ok((answer, Ok(()))) => Ok(answer.into()),
        Ok((answer, Err(failure))) => Err(exception(py, failure, answer.into())),
        Err(_) => {
            let failure = Failure::Output("karat stopped by a fault of its own; please report it".into());
            Err(exception(py, failure, karat::Answer::default().into()))
        }
    }
}

/// Inputs by name, given up once `stop` is set.
pub fn opened(inputs: &Bound<'_, PyDict>, stop: &Arc<AtomicBool>) -> PyResult<HashMap<String, Input>> {
    let mut opened = HashMap::with_capacity(inputs.len());
    for (name, input) in inputs.iter() {
        let name: String = name.extract()?;
        let input = if let Ok(bytes) = input.cast::<PyBytes>() {
            Input::bytes(name.clone(), bytes.as_bytes())
        } else if let Ok(run) = input.cast::<Run>() {
            run.get().0.clone()
        } else {
            Input::table(name.clone(), input.cast::<Table>()?.get().take()?.stopped_by(stop.clone()))
        };
        opened.insert(name, input);
    }
    Ok(opened)
}
