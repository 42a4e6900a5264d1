//! What holds for every figure of the table, whatever its names.

// Helpers outside #[test] functions are not covered by clippy.toml's allow-*-in-tests.
#![allow(clippy::expect_used)]

use karat_present::figures::FIGURES;
use karat_report::figure::{json, svg};
use karat_report::{Block, Figure, RenderOptions, Report, renderer};

fn hostile() -> Vec<String> {
    [
        "<script>alert(1)</script>",
        "a & \"b\" 'c'",
        "]]>--><!--",
        "\u{202e}abc\u{5d0}\u{627}",
        "\0\u{1b}[31m\u{fffe}\r\n",
        "文字",
        "",
    ]
    .into_iter()
    .map(str::to_owned)
    .chain([["x"; 10_000].concat(), ["<&>"; 3_000].concat()])
    .collect()
}

/// Names for nothing, one thing, a few, hostile ones, and many.
fn sets() -> Vec<Vec<String>> {
    let named = |count: usize| (0..count).map(|at| format!("run{at}")).collect();
    vec![named(0), named(1), named(2), named(3), named(12), hostile(), named(40)]
}

fn drawn(figure: &Figure) -> String {
    let mut out = Vec::new();
    svg::write(figure, &mut out).expect("a string takes all");
    String::from_utf8(out).expect("UTF-8")
}

#[test]
fn names_are_unique_and_every_row_says_what_it_shows() {
    for (at, row) in FIGURES.iter().enumerate() {
        assert!(FIGURES[..at].iter().all(|other| other.name != row.name), "{}", row.name);
        assert!(row.shows.ends_with('.') && row.reading.ends_with('.') && !row.title.is_empty(), "{}", row.name);
        assert_eq!((row.example)(&["a".into(), "b".into()]).id, row.name);
    }
}

#[test]
fn every_figure_is_valid_xml_and_nothing_in_it_is_markup_from_a_file() {
    for row in FIGURES {
        for names in sets() {
            let figure = (row.example)(&names);
            let text = drawn(&figure);
            let tree = roxmltree::Document::parse(&text).unwrap_or_else(|error| panic!("{}: {error}", row.name));
            let tags = ["svg", "title", "desc", "rect", "text", "path", "circle"];
            for node in tree.descendants().filter(roxmltree::Node::is_element) {
                assert!(tags.contains(&node.tag_name().name()), "{}: <{}>", row.name, node.tag_name().name());
                for attribute in node.attributes() {
                    assert!(!attribute.name().starts_with("on"), "{}: {}", row.name, attribute.name());
                    let words = !matches!(attribute.name(), "aria-label" | "font-family");
                    let value = attribute.value();
                    assert!(!words || !value.contains("NaN") && !value.contains("inf"), "{}: {value}", row.name);
                }
            }
            let root = tree.root_element();
            assert_eq!(root.attribute("role"), Some("img"));
            let about =
                |tag: &str| root.children().any(|child| child.tag_name().name() == tag && child.text().is_some());
            assert!(about("title") && about("desc"), "{}", row.name);
        }
    }
}

#[test]
fn every_figure_is_the_same_again_and_its_numbers_are_numbers() {
    for row in FIGURES {
        for names in sets() {
            let (one, other) = ((row.example)(&names), (row.example)(&names));
            assert_eq!(drawn(&one), drawn(&other), "{}", row.name);
            // serde_json makes null of what is not finite; only what may be missing is null.
            let value = json::value(&one);
            for panel in value["panels"].as_array().expect("an array") {
                let marks = panel["marks"].to_string();
                assert!(!marks.contains("null"), "{}: {marks}", row.name);
            }
        }
    }
}

#[test]
fn every_figure_with_something_to_draw_has_the_rows_it_draws() {
    for row in FIGURES {
        for names in sets() {
            let figure = (row.example)(&names);
            let text = drawn(&figure);
            match figure.why_empty() {
                Some(why) => {
                    assert!(text.contains("nothing to draw: ") && !why.is_empty(), "{}", row.name);
                    assert!(names.len() < 2, "{}: nothing drawn of {} things: {why}", row.name, names.len());
                }
                None => {
                    let table = figure.table.as_ref().unwrap_or_else(|| panic!("{}: no rows", row.name));
                    assert!(!table.rows.is_empty(), "{}", row.name);
                    let report = Report::new("t", "eval", "0").block(Block::Figure(figure.clone()));
                    let info = renderer("html").expect("a format");
                    let mut page = Vec::new();
                    (info.make)(RenderOptions::default()).render(&report, &mut page).expect("rows fit their columns");
                    let page = String::from_utf8(page).expect("UTF-8");
                    assert!(!page.contains("<script"), "{}", row.name);
                }
            }
        }
    }
}

#[test]
fn two_hundred_runs_have_a_line_each() {
    let names: Vec<String> = (0..200).map(|at| format!("run{at}")).collect();
    let text = drawn(&(FIGURES[0].example)(&names));
    let tree = roxmltree::Document::parse(&text).expect("XML");
    let height =
        |tree: &roxmltree::Document<'_>| tree.root_element().attribute("height").and_then(|h| h.parse::<f64>().ok());
    assert!(height(&tree).expect("a number") > 200.0 * 12.0);
    let labels: Vec<&str> =
        tree.descendants().filter(|node| node.tag_name().name() == "text").filter_map(|node| node.text()).collect();
    assert!(names.iter().all(|name| labels.contains(&name.as_str())));
    for row in FIGURES {
        assert!((row.example)(&names).why_empty().is_none(), "{}", row.name);
    }
}
