// The page's numbers are written as Rust writes them: the cases of crates/report/src/number.rs. No browser is needed.
const { test } = require("node:test");
const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const vm = require("node:vm");

const source = fs.readFileSync(path.join(__dirname, "../crates/report/assets/number.js"), "utf8");
const { decimals, probability, range, three } = vm.runInNewContext(`${source}; ({ decimals, probability, range, three })`);

test("scores have four decimals of the exact expansion, true ties go to even", () => {
  // The float nearest 0.30125 lies above the tie, that nearest 2.675 below; 1/32 and 3/32 are ties.
  assert.deepEqual([0.30125, 1, -0.5, -0, 1 / 32, 3 / 32].map((value) => decimals(value, 4)), ["0.3013", "1.0000", "-0.5000", "0.0000", "0.0312", "0.0938"]);
  assert.deepEqual([2.675, 0.125, 0.375].map((value) => decimals(value, 2)), ["2.67", "0.12", "0.38"]);
  assert.equal(decimals(2.5, 0), "2");
  assert.equal(decimals(-0.125, 2), "-0.12");
});

test("what is not 0 does not read as 0, and what is not a number is a dash", () => {
  assert.deepEqual([0.000049, -1e-9, NaN, null, Infinity].map((value) => decimals(value, 4)), ["<0.0001", ">-0.0001", "—", "—", "—"]);
  assert.equal(decimals(1.23456e15, 4), "1.2346e15");
  assert.equal(range([-0.1, 0.05]), "-0.1000 to 0.0500");
});

test("tiny numbers of figures have one significant digit", () => {
  assert.deepEqual([0.00043, -0.00006, 3e-7, 0.0005, 0].map(three), ["0.0004", "-0.00006", "3e-7", "0.001", "0.000"]);
});

test("p-values have two significant digits", () => {
  assert.deepEqual([1, 0.5, 0.0342, 0.00123, 0.0001, 0.000099, 0].map(probability), ["1.0", "0.50", "0.034", "0.0012", "0.00010", "<0.0001", "<0.0001"]);
});
