// A judged sample on the page: its numbers are those of karat compare --sample.
const { test, before, after } = require("node:test");
const assert = require("node:assert/strict");
const path = require("node:path");
const { karat, demoFolder, open, closed, RUNS } = require("./setting.cjs");

const PAIR = ["fusion.run", "newcomer.run"];
let at, found;
before(() => {
  at = demoFolder();
  karat(at, "report", "qrels.txt", ...RUNS, "--sample", "settle.csv", "-o", "sampled.html");
  found = JSON.parse(karat(at, "compare", "qrels.txt", ...PAIR, "--sample", "settle.csv", "-f", "json")).comparisons[0];
});
after(closed);

/** A number as the page shows it. */
const four = (value) => value.toFixed(4);

/** The pair as the page's script has it. */
function pairOf(page, a, b) {
  return page.evaluate(([a, b]) => {
    const { evidence, page: report } = globalThis.karat;
    const { runs } = evidence.raw;
    const [difference, interval, bounds, p, winner, because, basis, sample] =
      [2, 3, 4, 5, 6, 7, 9, 10].map((place) => evidence.pair(report.state.measure, runs.indexOf(a), runs.indexOf(b))[place]);
    return { difference, interval, bounds, p, winner, because, basis, sample };
  }, [a, b]);
}

for (const name of ["sampled.html", "report.html"]) {
  test(`${name}: difference, interval, p, basis and sources are karat compare --sample's`, async () => {
    const { page, faults, close } = await open(path.join(at, name));
    const pair = await pairOf(page, "fusion", "newcomer");
    assert.equal(found.basis, "sampled");
    const near = (one, other, what) => assert.ok(Math.abs(one - other) < 1e-12, `${what}: ${one} and ${other}`);
    near(pair.difference, found.difference, "difference");
    near(pair.interval[0], found.interval[0], "interval");
    near(pair.interval[1], found.interval[1], "interval");
    near(pair.bounds[0], found.low, "bounds");
    near(pair.bounds[1], found.high, "bounds");
    near(pair.p, found.sampled.p_adjusted, "p");
    near(pair.sample[2], found.sources.topics, "variance of topics");
    near(pair.sample[3], found.sources.judgement_sampling, "variance of the sample");
    near(pair.sample[4], found.value_a - found.value_b, "as judged");
    assert.deepEqual([pair.basis, pair.winner, pair.because], ["sampled", found.verdict === "a" ? 0 : 1, found.because]);
    assert.deepEqual([pair.sample[0], pair.sample[1]], [found.sampled.judged, found.sampled.drawn]);
    // Turned round, all signs are the others.
    const turned = await pairOf(page, "newcomer", "fusion");
    near(turned.difference, 0 - found.difference, "turned");
    near(turned.sample[4], found.value_b - found.value_a, "turned, as judged");
    assert.deepEqual(turned.interval, [-pair.interval[1], -pair.interval[0]]);
    assert.deepEqual(faults, []);
    await close();
  });
}

test("the first screen, the pairs and the figures agree on the sampled verdict", async () => {
  const { page, faults, close } = await open(path.join(at, "sampled.html"));
  const verdict = await page.locator("#verdict").innerText();
  assert.match(verdict, /newcomer is better than fusion by RBP\(p=0\.8\) \(sampled judgements\)/);
  assert.ok(verdict.includes(found.because), found.because);
  const asJudged = found.value_a - found.value_b;
  assert.ok(asJudged > 0 && found.difference < 0, "the sample turns the order");
  assert.ok(verdict.includes(`fusion leads by ${four(asJudged)}`), verdict);
  // The pair of the sample is the one that is looked at first.
  const words = page.locator('[data-widget="pair"]');
  const said = `RBP(p=0.8), newcomer − fusion: ${four(-found.difference)} from ${found.sampled.judged} sampled judgements (${four(-asJudged)} as judged without them)`;
  assert.ok((await words.innerText()).startsWith(said), await words.innerText());
  const differences = page.locator('[data-figure="topic_differences"] svg');
  const three = (value) => value.toFixed(3);
  assert.ok((await differences.innerHTML()).includes(`mean ${three(-asJudged)} as judged, ${three(-found.difference)} from the sample`));
  const matrix = page.locator('[data-figure="pairwise"] svg');
  assert.equal(((await matrix.innerHTML()).match(/\*<\/text>/g) ?? []).length, 2);
  assert.match(await matrix.innerHTML(), /better: newcomer, sampled/);
  // A measure that the sample does not cover keeps its own verdict.
  await page.selectOption("#choose-measure", { label: "P@10" });
  assert.doesNotMatch(await words.innerText(), /sampled judgements \(/);
  assert.doesNotMatch(await matrix.innerHTML(), /\*<\/text>/);
  assert.doesNotMatch(await differences.innerHTML(), /from the sample/);
  assert.deepEqual(faults, []);
  await close();
});

test("the script draws the sampled pair as Rust draws it", async () => {
  const { page, close } = await open(path.join(at, "sampled.html"));
  const html = require("node:fs").readFileSync(path.join(at, "sampled.html"), "utf8");
  const drawn = (id) => html.match(new RegExp(`<figure data-figure="${id}">[\\s\\S]*?(<svg[\\s\\S]*?</svg>\\n)`))[1];
  const built = await page.evaluate(() => {
    const { draw, evidence, page: report, differencesFigure, scatterFigure } = globalThis.karat;
    const { measure, a, b } = report.state;
    const reading = (name) => evidence.figures.get(name)[0].reading;
    return {
      topic_differences: draw(differencesFigure(evidence, measure, a, b, reading("topic_differences"))),
      scatter: draw(scatterFigure(evidence, measure, a, b, reading("scatter"))),
    };
  });
  for (const [id, svg] of Object.entries(built)) assert.equal(svg, drawn(id), id);
  await close();
});
