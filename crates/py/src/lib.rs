//! karat for Python: what the interpreter hands over becomes karat's own types, and answers become Python objects.
//!
//! The decision behind it: Python is thin. Nothing is computed here and no option is given a meaning here; the studies
//! and the command line's own checks do both, so that a number asked for in a notebook is the number the command prints.

mod answer;
mod arrow;
mod call;
mod compat;
mod definition;
mod failure;
mod objects;
mod parts;
mod table;

#[pyo3::pymodule]
mod _karat {
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::answer::Answer;
    #[pymodule_export]
    use crate::call::call;
    #[pymodule_export]
    use crate::compat::compat;
    #[pymodule_export]
    use crate::definition::definition;
    #[pymodule_export]
    use crate::parts::{Run, check_parts, columns, condense, join_parts};
    #[pymodule_export]
    use crate::table::Table;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        karat_cli::hush_libraries();
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
