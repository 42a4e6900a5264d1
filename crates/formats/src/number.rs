//! Numbers at the start of a text.

/// Powers of ten that a float holds exactly.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
];

/// The number at the start of `bytes` and its length. Plain decimals of up to 15 digits, which scores nearly always are,
/// are one division of two exact floats and so correctly rounded (Clinger 1990); all others go to the library.
#[inline]
pub fn parse_prefix(bytes: &[u8]) -> Option<(f64, usize)> {
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
    let plain =
        digits > 0 && digits <= 15 && !matches!(bytes.get(at), Some(b'e' | b'E' | b'.' | b'i' | b'n' | b'I' | b'N'));
    if !plain {
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
                let own = parse_prefix(whole.as_bytes());
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
