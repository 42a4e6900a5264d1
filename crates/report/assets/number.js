// Numbers as Rust writes them: the only rounding of the page.

/**
 * Fixed decimals of the exact value, ties to even, as Rust's and C's formatting have it.
 * @param {number} value
 * @param {number} digits
 */
function fixed(value, digits) {
  const whole = value + 0;
  // A tie exists only where the value is a multiple of a power of two; elsewhere toFixed is exact.
  const scaled = whole * 2 ** (digits + 1);
  if (Number.isInteger(scaled) && Math.abs(whole) < 1e9) {
    const shifted = whole * 10 ** digits;
    const floor = Math.floor(shifted);
    if (shifted - floor === 0.5) {
      const even = floor % 2 === 0 ? floor : floor + 1;
      return (even / 10 ** digits).toFixed(digits);
    }
  }
  return whole.toFixed(digits);
}

/**
 * A number for people: what is not 0 never reads as 0.
 * @param {number | null | undefined} value
 * @param {number} digits
 */
function decimals(value, digits) {
  if (value === null || value === undefined || !Number.isFinite(value)) return "—";
  if (Math.abs(value) >= 1e15) return value.toExponential(digits).replace("e+", "e");
  const text = fixed(value, digits);
  if (value === 0) return fixed(0, digits);
  if (/[1-9]/.test(text)) return text;
  const unit = (10 ** -digits).toFixed(digits);
  return value < 0 ? `>-${unit}` : `<${unit}`;
}

/** @param {number | null | undefined} value */
function score(value) {
  return decimals(value, 4);
}

/**
 * Significant digits; digits before the point are never dropped.
 * @param {number} value
 * @param {number} digits
 */
function significant(value, digits) {
  if (value === 0) return "0";
  const rounded = value.toExponential(digits - 1).replace("e+", "e");
  const exponent = Number(rounded.split("e")[1]);
  return exponent < -5 || exponent >= 15 ? rounded : fixed(value, Math.max(0, digits - 1 - exponent));
}

/**
 * A number as figures write it.
 * @param {number | null | undefined} value
 */
function three(value) {
  const tiny = value !== null && value !== undefined && value !== 0 && Math.abs(value) < 0.0005;
  return tiny ? significant(value, 1) : decimals(value, 3);
}

/** @param {Ends} ends */
function range(ends) {
  if (!ends) return "—";
  return `${score(ends[0])} to ${score(ends[1])}`;
}

/**
 * A p-value: two significant digits, no less than 0.0001.
 * @param {number | null} value
 */
function probability(value) {
  if (value === null || !Number.isFinite(value)) return "—";
  if (value < 0.0001) return "<0.0001";
  const exponent = Number(value.toExponential(1).split("e")[1]);
  return fixed(value, Math.max(0, 1 - exponent));
}

/**
 * "1 topic", "2 topics".
 * @param {number} many
 * @param {string} thing
 */
function count(many, thing) {
  return `${many} ${thing}${many === 1 ? "" : "s"}`;
}
