//! Pictures: the same bytes every time, from nothing but the program.

#![cfg(feature = "png")]
#![allow(clippy::expect_used)]

use karat_report::figure::png;
use karat_report::{Axis, Figure, Mark, Panel};

fn picture(figure: &Figure) -> Vec<u8> {
    let mut out = Vec::new();
    png::write(figure, &mut out).expect("a picture");
    out
}

fn size(png: &[u8]) -> (u32, u32) {
    let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().expect("four bytes"));
    assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
    (number(16), number(20))
}

fn figure(title: &str) -> Figure {
    let panel = Panel::new("p", Axis::new("x", 0.0, 1.0), Axis::rows("", vec!["<a> & \u{5d0}文".into()]))
        .mark(Mark::bar(0, (0.1, 0.6), (-0.3, 0.3)).labelled("bar"))
        .mark(Mark::span(1, 4.0, (0.2, 0.0), (0.9, 0.0)));
    Figure::new("f", title, 1).panel(panel)
}

#[test]
fn a_picture_is_the_same_again_and_twice_the_size_of_the_page() {
    let one = picture(&figure("title"));
    assert_eq!(one, picture(&figure("title")));
    assert_ne!(one, picture(&figure("other words")), "words are part of the picture");
    assert_eq!(size(&one).0, 1440);
}

#[test]
fn what_would_be_too_large_is_drawn_smaller() {
    let panel =
        Panel::new("", Axis::new("", 0.0, 1.0), Axis::new("", 0.0, 1.0)).sized(30_000.0, 30_000.0).dot(0, (0.5, 0.5));
    let (width, height) = size(&picture(&Figure::new("f", "t", 1).panel(panel)));
    assert!(u64::from(width) * u64::from(height) <= 24_100_000, "{width} x {height}");
}

#[test]
fn nothing_to_draw_is_a_picture_too() {
    size(&picture(&Figure::nothing("f", "t", "no values")));
}
