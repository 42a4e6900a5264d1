//! `karat ab` for people: A/B tests by counts, A/B tests over users, and interleaving.

mod counts;
mod errors;
mod interleaving;
mod notes;
mod parts;
mod users;

pub use counts::report as counts_report;
pub use errors::{problems, row_problem};
pub use interleaving::report as interleaving_report;
pub use users::report as users_report;
