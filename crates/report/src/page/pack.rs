//! The evidence as the page carries it: small things as JSON, large ones compressed (raw deflate) in base64.
//!
//! Numbers that come by the hundred thousand are bytes, grouped by their place in the number, because signs and exponents then lie
//! beside their like and compress. Scores are 64-bit floats in small reports and 32-bit ones in large reports: seven digits, where four
//! are shown.

use std::io::{self, BufWriter, Write};

use base64::Engine;
use base64::prelude::BASE64_STANDARD as BASE64;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use serde_json::{Value, json};

use super::evidence::{Evidence, Judged, Pair, Standing, TopicEvidence};
use super::html::ROWS;
use crate::figure::{self, Figure};
use crate::text::visible;

/// From so many numbers on, scores are 32-bit.
const MANY: usize = 150_000;

/// The JSON text, with nothing in it that could end or open an element of HTML.
///
/// `still` are the figures that the script does not choose among, as they come in the page: it draws them for the screen's width.
pub(super) fn json(evidence: &Evidence, still: &[&Figure]) -> String {
    let names = |all: &[String]| all.iter().map(|name| visible(name)).collect::<Value>();
    let queries: Value = evidence.queries.iter().map(|text| text.as_deref().map(visible)).collect();
    let cells = evidence.measures.len() * evidence.runs.len() * evidence.topics.len() * 3;
    let width = if cells > MANY { 4 } else { 8 };
    let grades = grades(evidence);
    let value = json!({
        "measures": names(&evidence.measures),
        "runs": names(&evidence.runs),
        "topics": names(&evidence.topics),
        "queries": if evidence.queries.iter().any(Option::is_some) { queries } else { Value::Null },
        "first": evidence.first,
        "pair": [evidence.pair.0, evidence.pair.1],
        "level": evidence.level,
        "relevance_level": evidence.relevance_level,
        "greatest_gain": evidence.greatest_gain,
        "depth": evidence.depth,
        "missing_is_zero": evidence.missing_is_zero,
        "quantiles": evidence.quantiles,
        "normal_quantile": evidence.normal_quantile,
        "grades": grades,
        "standings": evidence.standings.iter().map(|runs| runs.iter().map(standing).collect::<Value>()).collect::<Value>(),
        "score_bytes": width,
        "scores": packed(&scores(evidence, width)),
        "pairs": packed_json(&pairs(&evidence.pairs)),
        "figures": packed_json(&evidence.figures.iter().map(|(name, figures)| json!([name, figures.iter().map(drawn).collect::<Value>()])).collect()),
        "still": packed_json(&still.iter().map(|figure| drawn(figure)).collect()),
        "rankings": rankings(&evidence.rankings, evidence.runs.len(), &grades),
        "texts": if evidence.texts.is_empty() { Value::Null } else { packed_json(&texts(&evidence.texts)) },
    });
    // In JSON these occur within strings only, where an escape is the same character.
    value.to_string().replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}

/// The grades that were given, ascending.
fn grades(evidence: &Evidence) -> Vec<f64> {
    let mut grades: Vec<f64> = Vec::new();
    let all = evidence.rankings.iter().flat_map(|topic| &topic.judged);
    for grade in all.filter_map(|judged| if let Judged::Grade(grade) = judged { Some(*grade) } else { None }) {
        if !grades.contains(&grade) {
            grades.push(grade);
        }
    }
    grades.sort_by(f64::total_cmp);
    grades
}

/// A figure, with as many rows of its table as the page shows.
fn drawn(of: &Figure) -> Value {
    let mut value = figure::json::value(of);
    if let Some(Value::Array(rows)) = value.pointer_mut("/table/rows") {
        rows.truncate(ROWS);
    }
    value
}

fn ends(ends: Option<(f64, f64)>) -> Value {
    ends.map_or(Value::Null, |(low, high)| json!([low, high]))
}

fn standing(of: &Standing) -> Value {
    json!([of.value, ends(of.bounds), ends(of.interval), of.topics, of.letters])
}

/// By measure: arrays, since objects would repeat every name thousands of times.
fn pairs(all: &[Vec<Pair>]) -> Value {
    let one = |pair: &Pair| {
        let winner = pair.winner.map_or(-1, |run| if run == pair.runs.0 { 0 } else { 1 });
        json!([
            pair.runs.0,
            pair.runs.1,
            pair.difference,
            ends(pair.interval),
            ends(pair.bounds),
            pair.p,
            winner,
            visible(&pair.because),
            if pair.topics.is_empty() { Value::Null } else { pair.topics.iter().map(topic).collect() },
            pair.basis,
            pair.sample.as_ref().map(|of| json!([of.judged, of.drawn, of.topics, of.sampling, of.as_judged])),
        ])
    };
    all.iter().map(|pairs| pairs.iter().map(one).collect::<Value>()).collect()
}

fn topic((place, difference, bounds): &(usize, f64, Option<(f64, f64)>)) -> Value {
    json!([place, difference, bounds.map(|(low, _)| low), bounds.map(|(_, high)| high)])
}

fn texts(all: &[(String, String)]) -> Value {
    all.iter().map(|(name, text)| json!([visible(name), visible(text)])).collect()
}

/// Value, least, greatest, each by measure, run and topic; what there is not is NaN.
fn scores(evidence: &Evidence, width: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    for part in 0..3 {
        for score in evidence.scores.iter().flatten().flatten() {
            let number = score.map_or(f64::NAN, |score| score[part]);
            let number = if number.is_finite() { number } else { f64::NAN };
            if width == 8 {
                bytes.extend_from_slice(&number.to_le_bytes());
            } else {
                bytes.extend_from_slice(&(number as f32).to_le_bytes());
            }
        }
    }
    planes(&bytes, width)
}

/// The rankings: names of documents as JSON; codes of judgements (0 unpooled, 1 unjudged, then grades), lengths of lists (0 for none,
/// else one more), places of documents and marks of ties as numbers, topic by topic and run by run.
fn rankings(topics: &[TopicEvidence], runs: usize, grades: &[f64]) -> Value {
    let documents: Value =
        topics.iter().map(|topic| topic.documents.iter().map(|name| visible(name)).collect::<Value>()).collect();
    let wide = topics.iter().any(|topic| topic.documents.len() > usize::from(u16::MAX));
    let width = if wide { 4 } else { 2 };
    let (mut judged, mut lengths, mut places, mut ties) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let push = |bytes: &mut Vec<u8>, number: u32, width: usize| bytes.extend_from_slice(&number.to_le_bytes()[..width]);
    for topic in topics {
        for document in &topic.judged {
            let code = match document {
                Judged::Unpooled => 0,
                Judged::Unjudged => 1,
                Judged::Grade(grade) => 2 + grades.iter().position(|other| other == grade).unwrap_or(0),
            };
            push(&mut judged, code as u32, 2);
        }
        for run in 0..runs {
            let Some(list) = topic.lists.get(run).and_then(Option::as_ref) else {
                push(&mut lengths, 0, 2);
                continue;
            };
            push(&mut lengths, list.documents.len() as u32 + 1, 2);
            list.documents.iter().for_each(|&place| push(&mut places, place, width));
            ties.extend(list.tied.iter().map(|&tied| u8::from(tied)));
        }
    }
    json!({
        "documents": packed_json(&documents),
        "judged": packed(&planes(&judged, 2)),
        "lengths": packed(&planes(&lengths, 2)),
        "place_bytes": width,
        "places": packed(&planes(&places, width)),
        "ties": packed(&ties),
    })
}

/// All first bytes, then all second ones, and so on.
fn planes(bytes: &[u8], width: usize) -> Vec<u8> {
    (0..width).flat_map(|plane| bytes.iter().skip(plane).step_by(width)).copied().collect()
}

/// JSON goes to the encoder as it is made: its text may be larger than all else.
fn packed_json(value: &Value) -> Value {
    let mut encoder = BufWriter::new(DeflateEncoder::new(Vec::new(), Compression::best()));
    // Writing to memory cannot fail.
    let written = serde_json::to_writer(&mut encoder, value).map_err(io::Error::from);
    let done = written.and_then(|()| encoder.into_inner()?.finish());
    Value::String(BASE64.encode(done.unwrap_or_default()))
}

fn packed(bytes: &[u8]) -> Value {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    // Writing to memory cannot fail.
    let done = encoder.write_all(bytes).and_then(|()| encoder.finish());
    Value::String(BASE64.encode(done.unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::Ranked;

    #[test]
    fn nothing_in_it_can_end_an_element() {
        let evidence = Evidence {
            runs: vec!["</script><script>alert(1)</script><!-- & \u{202e}".into()],
            measures: vec!["AP".into()],
            topics: vec!["1".into()],
            scores: vec![vec![vec![Some([0.5, 0.25, f64::INFINITY])]]],
            rankings: vec![TopicEvidence {
                documents: vec!["<b>".into()],
                judged: vec![Judged::Grade(2.0)],
                lists: vec![Some(Ranked { documents: vec![0], tied: vec![false] })],
            }],
            ..Evidence::default()
        };
        let text = json(&evidence, &[]);
        assert!(!text.contains('<') && !text.contains('>') && !text.contains('&') && !text.contains('\u{202e}'));
        let back: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(back["runs"][0], "</script><script>alert(1)</script><!-- & \u{fffd}");
        assert_eq!(back["grades"], json!([2.0]));
    }

    #[test]
    fn bytes_are_grouped_by_their_place() {
        assert_eq!(planes(&[1, 2, 3, 4, 5, 6], 2), [1, 3, 5, 2, 4, 6]);
    }
}
