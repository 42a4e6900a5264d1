//! Names of topics and documents as bytes.

use std::borrow::Cow;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

/// The bytes of a string: its own UTF-8 where it has one. Lone surrogates, which files read with `surrogateescape` leave
/// in names, keep a code of their own, so that different names stay different.
pub fn bytes<'a>(name: &'a Bound<'_, PyString>) -> PyResult<Cow<'a, [u8]>> {
    if let Ok(text) = name.to_str() {
        return Ok(Cow::Borrowed(text.as_bytes()));
    }
    let encoded = name.call_method1("encode", ("utf-8", "surrogatepass"))?;
    Ok(Cow::Owned(encoded.cast_into::<PyBytes>()?.as_bytes().to_vec()))
}

/// Adds these bytes to others. Nearly every name is plain, and then nothing is made on the way.
#[inline]
pub fn append(name: &Bound<'_, PyString>, to: &mut Vec<u8>) -> PyResult<()> {
    match name.to_str() {
        Ok(text) => to.extend_from_slice(text.as_bytes()),
        Err(_) => to.extend_from_slice(&bytes(name)?),
    }
    Ok(())
}

/// A name read from a file, as Python writes names.
pub fn string<'py>(py: Python<'py>, name: &[u8]) -> PyResult<Bound<'py, PyAny>> {
    match std::str::from_utf8(name) {
        Ok(text) => Ok(PyString::new(py, text).into_any()),
        Err(_) => PyBytes::new(py, name).call_method1("decode", ("utf-8", "surrogateescape")),
    }
}

/// A value as the message of an exception shows it.
pub fn shown(value: &Bound<'_, PyAny>) -> String {
    let text = value.repr().map_or_else(|_| "a value".to_owned(), |text| text.to_string_lossy().into_owned());
    if text.chars().count() <= 60 { text } else { text.chars().take(60).chain("...".chars()).collect() }
}

/// The name of a value's type.
pub fn kind(value: &Bound<'_, PyAny>) -> String {
    value.get_type().name().map_or_else(|_| "unknown".to_owned(), |name| name.to_string_lossy().into_owned())
}
