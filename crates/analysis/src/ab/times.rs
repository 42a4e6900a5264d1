//! The time of a row: a date, a time of a day, or a number.
//!
//! The order of looks must be the order of time, so only what has one order is accepted. 02/03/2026 is a day in March in some
//! countries and in February in others, and as text it sorts before 28/02/2026; it is refused rather than put in some order.

use super::error::{RowError, TimeError};

/// A time at which the data is looked at.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Time {
    pub(super) kind: TimeKind,
    /// What orders it: the day as 20260301, or the number.
    pub(super) order: f64,
    /// As it is shown: the day, or the number.
    pub(super) shown: String,
}

/// How times are written; the same in all rows of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeKind {
    /// 2026-03-01
    Date,
    /// 2026-03-01T10:00, in whatever time zone the file uses.
    Local,
    /// 2026-03-01T10:00Z
    Utc,
    /// Any number.
    Number,
}

/// The time in a cell; all must be of the same kind as the first one of the file (its kind and line, once known).
///
/// # Errors
/// It is no time, or of another kind.
pub(super) fn time(found: &[u8], column: &str, first: Option<(TimeKind, u64)>) -> Result<Time, RowError> {
    let wrong = |error| RowError::Time { column: column.to_owned(), found: found.to_vec(), error };
    let time = parse(found).ok_or_else(|| wrong(TimeError::NotATime))?;
    match first {
        Some((first, line)) if first != time.kind => Err(wrong(TimeError::OtherKind { first, line })),
        _ => Ok(time),
    }
}

fn parse(found: &[u8]) -> Option<Time> {
    let text = std::str::from_utf8(found).ok()?.trim();
    if let Some(order) = date(text.get(..10).unwrap_or_default()) {
        let kind = match text[10..].strip_prefix(['T', ' ']) {
            Some(clock) => clock_kind(clock)?,
            None if text.len() == 10 => TimeKind::Date,
            None => return None,
        };
        return Some(Time { kind, order, shown: text[..10].to_owned() });
    }
    // The parser accepts words such as inf and nan.
    let number = text.parse::<f64>().ok().filter(|number| number.is_finite())?;
    // 1 and 1.0 are one time, and so are 0 and -0.
    let order = number + 0.0;
    Some(Time { kind: TimeKind::Number, order, shown: order.to_string() })
}

/// 20260301 for 2026-03-01, when there is such a day.
fn date(text: &str) -> Option<f64> {
    let bytes = text.as_bytes();
    if bytes.len() != 10 || bytes[4] != b'-' || bytes[7] != b'-' {
        return None;
    }
    let (year, month, day) = (digits(&text[..4])?, digits(&text[5..7])?, digits(&text[8..])?);
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    (1..=days).contains(&day).then(|| f64::from(year * 10_000 + month * 100 + day))
}

/// Of 10:00, 10:00:00 or 10:00:00.5, with or without Z.
fn clock_kind(text: &str) -> Option<TimeKind> {
    let (clock, kind) = text.strip_suffix('Z').map_or((text, TimeKind::Local), |clock| (clock, TimeKind::Utc));
    let (clock, fraction) = clock.split_once('.').map_or((clock, None), |(clock, part)| (clock, Some(part)));
    let parts: Vec<&str> = clock.split(':').collect();
    let within = |part: &str, below: u32| part.len() == 2 && digits(part).is_some_and(|part| part < below);
    let legal = match parts[..] {
        [hour, minute] => fraction.is_none() && within(hour, 24) && within(minute, 60),
        // A leap second is the 61st.
        [hour, minute, second] => {
            let part = fraction.is_none_or(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()));
            part && within(hour, 24) && within(minute, 60) && within(second, 61)
        }
        _ => false,
    };
    legal.then_some(kind)
}

fn digits(text: &str) -> Option<u32> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_a_time() {
        for (text, kind, shown) in [
            ("2026-03-01", TimeKind::Date, "2026-03-01"),
            ("2024-02-29", TimeKind::Date, "2024-02-29"),
            ("2026-03-01T10:00", TimeKind::Local, "2026-03-01"),
            ("2026-03-01 10:00:59.25", TimeKind::Local, "2026-03-01"),
            ("2026-03-01T10:00:00Z", TimeKind::Utc, "2026-03-01"),
            ("7", TimeKind::Number, "7"),
            ("7.0", TimeKind::Number, "7"),
            ("-1.5", TimeKind::Number, "-1.5"),
        ] {
            let found = parse(text.as_bytes()).unwrap_or_else(|| panic!("{text}"));
            assert_eq!((found.kind, found.shown.as_str()), (kind, shown), "{text}");
        }
        for text in [
            "",
            "not-a-date",
            "2026-13-45",
            "2026-02-29",
            "1900-02-29",
            "2026-03-00",
            "01/03/2026",
            "01.03.2026",
            "2026-3-1",
            "2026-03-01T25:00",
            "2026-03-01T10",
            "2026-03-01T10:00.5",
            "2026-03-01T",
            "2026-03-01x",
            "2026-03-01T10:00+02:00",
            "inf",
            "NaN",
            "1e999",
            "+202-03-01",
            "2026-03-0é",
        ] {
            assert_eq!(parse(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn one_kind_in_a_file() {
        let first = Some((TimeKind::Date, 2));
        assert!(time(b"2026-03-02", "day", first).is_ok());
        let error = |found: &[u8], first| match time(found, "day", first) {
            Err(RowError::Time { error, .. }) => Some(error),
            _ => None,
        };
        assert_eq!(error(b"3", first), Some(TimeError::OtherKind { first: TimeKind::Date, line: 2 }));
        assert_eq!(error(b"01/03/2026", None), Some(TimeError::NotATime));
    }
}
