//! Style sheet and script of the page, from files of this crate.

/// The style sheet.
pub(super) const STYLE: &str = include_str!("../../assets/page.css");

/// The script: one file for each concern, in the order in which they are read.
const SCRIPTS: &[&str] = &[
    include_str!("../../assets/number.js"),
    include_str!("../../assets/figure.js"),
    include_str!("../../assets/select.js"),
    include_str!("../../assets/data.js"),
    include_str!("../../assets/pair.js"),
    include_str!("../../assets/rbp.js"),
    include_str!("../../assets/dom.js"),
    include_str!("../../assets/rankings.js"),
    include_str!("../../assets/topics.js"),
    include_str!("../../assets/persistence.js"),
    include_str!("../../assets/page.js"),
];

/// The whole script.
pub(super) fn script() -> String {
    format!("\"use strict\";\n(() => {{\n{}}})();\n", SCRIPTS.concat())
}
