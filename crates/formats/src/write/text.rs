//! Numbers as text that reads back as the same number, bit for bit.

/// The shortest text that is this number and no other. Whole numbers of a usual size have no point.
pub(crate) fn number(value: f64) -> String {
    if value.fract() == 0.0 && value.abs() < 1e15 {
        // Of a float, so that minus zero keeps its sign.
        return format!("{value:.0}");
    }
    format!("{value:?}")
}

/// The same, with a point in every whole number of a usual size: a score that is whole stays recognisable as one.
pub(super) fn float(value: f64) -> String {
    format!("{value:?}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_bit_for_bit() {
        for value in [0.0, -0.0, 1.0, -1.0, 0.1, 1e15, 1e16, 1e300, -1e-300, 5e-324, f64::MAX, 1.0 / 3.0, 2f64.powi(53)]
        {
            for text in [number(value), float(value)] {
                assert_eq!(text.parse::<f64>().unwrap().to_bits(), value.to_bits(), "{text}");
            }
        }
        assert_eq!((number(3.0), float(3.0), number(1e300)), ("3".into(), "3.0".into(), "1e300".into()));
    }
}
