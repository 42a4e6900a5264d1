//! Numbers at the start of a text.

use karat_data::ProblemKind;

/// What is wrong with a text that is no number to be used: it is NaN, or something else.
pub fn problem_kind(text: &[u8]) -> ProblemKind {
    match fast_float2::parse::<f64, _>(text) {
        Ok(number) if number.is_nan() => ProblemKind::NotANumber,
        _ => ProblemKind::WrongNumber,
    }
}

/// Powers of ten that a float holds exactly.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
];

/// Powers of ten that shift whole digits over the places of a fraction.
const SHIFTS: [u64; 8] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000];

/// The number at the start of `bytes` and its length. Plain decimals of up to 15 digits, which scores nearly always are,
/// are one division of two exact floats and so correctly rounded (Clinger 1990); all others go to the library.
#[inline(always)]
pub fn parse_prefix(bytes: &[u8]) -> Option<(f64, usize)> {
    match short(bytes) {
        None => any(bytes),
        found => found,
    }
}

/// A plain decimal with at most seven digits before and after the point, eight bytes at a time.
#[inline(always)]
fn short(bytes: &[u8]) -> Option<(f64, usize)> {
    let start = usize::from(bytes.first() == Some(&b'-'));
    let (whole, mut mantissa) = digits(bytes, start)?;
    let mut end = start + whole;
    let mut places = 0;
    if bytes.get(end) == Some(&b'.') {
        let fraction;
        (places, fraction) = digits(bytes, end + 1)?;
        mantissa = mantissa * SHIFTS[places] + fraction;
        end += 1 + places;
    }
    if whole + places == 0 || goes_on(bytes, end) {
        return None;
    }
    let value = mantissa as f64 / POWERS[places];
    Some((if start == 1 { -value } else { value }, end))
}

/// How many digits there are at `at`, and the number they make; `None` where they are eight or more, or the text ends.
#[inline(always)]
fn digits(bytes: &[u8], at: usize) -> Option<(usize, u64)> {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let eight = bytes.get(at..at + 8)?.first_chunk()?;
    // Digits become 0 to 9. Adding 0x76 takes what is beyond 9 to 0x80; a carry can only spoil bytes above the first hit.
    let word = u64::from_le_bytes(*eight) ^ (ONES * 0x30);
    let beyond = (word.wrapping_add(ONES * 0x76) | word) & (ONES * 0x80);
    let count = beyond.trailing_zeros() / 8;
    if count == 8 {
        return None;
    }
    // The digits at the end of eight, behind zeros; then tens and ones, hundreds, and all together.
    let word = word << 8 << (56 - 8 * count);
    let word = word.wrapping_mul(10).wrapping_add(word >> 8);
    let (even, odd) = (word & 0x0000_00ff_0000_00ff, word >> 16 & 0x0000_00ff_0000_00ff);
    let number = even.wrapping_mul(0x000f_4240_0000_0064).wrapping_add(odd.wrapping_mul(0x0000_2710_0000_0001)) >> 32;
    Some((count as usize, number))
}

/// Whether what follows belongs to the number, or makes it something that only the library understands.
#[inline(always)]
fn goes_on(bytes: &[u8], end: usize) -> bool {
    matches!(bytes.get(end), Some(b'e' | b'E' | b'.' | b'i' | b'n' | b'I' | b'N'))
}

/// Any number.
#[cold]
fn any(bytes: &[u8]) -> Option<(f64, usize)> {
    let negative = bytes.first() == Some(&b'-');
    let start = usize::from(negative);
    let (mut at, mut digits, mut mantissa) = (start, 0usize, 0u64);
    let mut point = None;
    while let Some(&byte) = bytes.get(at) {
        let digit = byte.wrapping_sub(b'0');
        if digit < 10 {
            mantissa = mantissa.wrapping_mul(10).wrapping_add(u64::from(digit));
            digits += 1;
        } else if byte == b'.' && point.is_none() {
            point = Some(digits);
        } else {
            break;
        }
        at += 1;
    }
    if digits == 0 || digits > 15 || goes_on(bytes, at) {
        return fast_float2::parse_partial(bytes).ok();
    }
    let places = point.map_or(0, |whole| digits - whole);
    let value = mantissa as f64 / POWERS[places];
    Some((if negative { -value } else { value }, at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_library_on_every_shape() {
        let texts = [
            "0",
            "-0",
            "1.5",
            "-1.5",
            ".5",
            "-.5",
            "5.",
            "22.82611",
            "0.1",
            "123456789012345",
            "1234567890.12345",
            "1234567890123456",
            "0.30000000000000004",
            "1e5",
            "1.5E-3",
            "-2.5e+10",
            "1e400",
            "inf",
            "-inf",
            "nan",
            "",
            "-",
            ".",
            "-.",
            "+1",
            "1.2.3",
            "12abc",
            "1e",
            "9007199254740993",
            "0.000000000000001",
            "1_0",
            "0x10",
            "1,5",
        ];
        for text in texts {
            for tail in ["", " tag", "\n", "\tx"] {
                let whole = format!("{text}{tail}");
                let library: Option<(f64, usize)> = fast_float2::parse_partial(whole.as_bytes()).ok();
                for own in [parse_prefix(whole.as_bytes()), any(whole.as_bytes())] {
                    match (library, own) {
                        (Some((a, used)), Some((b, own_used))) => {
                            assert_eq!(a.to_bits(), b.to_bits(), "{whole:?}");
                            assert_eq!(used, own_used, "{whole:?}");
                        }
                        (library, own) => assert_eq!(library.is_some(), own.is_some(), "{whole:?}"),
                    }
                }
            }
        }
    }

    #[test]
    fn eight_bytes_at_a_time_is_the_same_number_for_every_length_and_every_byte_after() {
        let mut taken = 0;
        for whole in 0..10 {
            for places in 0..10 {
                for stop in 0..=255u8 {
                    let mut text = b"-9081726354"[..1 + whole].to_vec();
                    text.push(b'.');
                    text.extend_from_slice(&b"5046372819"[..places]);
                    text.push(stop);
                    text.extend_from_slice(b" tag 12345");
                    for text in [&text[..], &text[1..]] {
                        let found = short(text);
                        taken += usize::from(found.is_some());
                        let same = |(value, used): (f64, usize)| {
                            any(text).map(|(v, u)| (v.to_bits(), u)) == Some((value.to_bits(), used))
                        };
                        assert!(found.is_none_or(same), "{text:?}");
                    }
                }
            }
        }
        // 8 lengths before the point and 8 after, but not none of both; the bytes that go on, and digits after seven.
        assert!(taken > 2 * 63 * 230, "{taken}");
    }
}
