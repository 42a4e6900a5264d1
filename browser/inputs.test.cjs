// Hostile strings stay strings, and partial inputs give pages that explain themselves.
const { test, after } = require("node:test");
const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { karat, folder, open, closed } = require("./setting.cjs");

after(closed);

/** Writes qrels and runs (rows of fields) and opens their report. */
async function report(qrels, runs, ...more) {
  return open(path.join(written(karat, qrels, runs, ...more), "page.html"));
}

/** The folder with qrels, runs and their report; `run` runs karat. */
function written(run, qrels, runs, ...more) {
  const at = folder();
  const lines = (rows) => rows.map((row) => row.join(" ")).join("\n") + "\n";
  fs.writeFileSync(path.join(at, "qrels.txt"), lines(qrels));
  runs.forEach((rows, place) => fs.writeFileSync(path.join(at, `r${place}.run`), lines(rows)));
  run(at, "report", "qrels.txt", ...runs.map((_, place) => `r${place}.run`), "-o", "page.html", ...more);
  return at;
}

const rows = (topics, tag, score) => topics.flatMap((topic) => [0, 1, 2, 3].map((rank) => [topic, "Q0", `d${rank}`, rank + 1, score(topic, rank), tag]));
const judged = (topics, grade) => topics.flatMap((topic) => [0, 1, 2].map((rank) => [topic, 0, `d${rank}`, grade(topic, rank)]));
const topics = ["1", "2", "3", "4", "5", "6"];
const up = (topic, rank) => 10 - rank, down = (topic, rank) => 10 + rank + Number(topic) / 10;

test("hostile names are shown and do nothing", async () => {
  const evil = ["<script>window.bad=1</script>", "</script><script>window.bad=2</script>", "\"onload=\"window.bad=3", "'><img/src=x/onerror=window.bad=4>", "\u202ereversed", "&lt;b&gt;"];
  const runs = ["</script><script>window.bad=5</script>", "<svg/onload=window.bad=6>"].map((tag, place) =>
    evil.flatMap((topic) => evil.map((docno, rank) => [topic, "Q0", docno, rank + 1, place ? 10 + rank : 10 - rank, tag])));
  const qrels = evil.flatMap((topic, place) => evil.slice(0, 4).map((docno, rank) => [topic, 0, docno, (rank + place) % 2]));
  const { page, faults, close } = await report(qrels, runs);
  await page.waitForSelector("#persistence-table", { state: "attached" });
  for (const measure of ["nDCG@10", "P@10"]) await page.selectOption("#choose-measure", { label: measure });
  const buttons = page.locator("#topics-table tbody button");
  for (let place = 0; place < evil.length; place += 1) {
    await buttons.nth(place).click();
    await page.waitForSelector("dialog[open] .rankings li");
    assert.ok((await page.locator("dialog").innerText()).includes("<script>window.bad=1</script>"));
    await page.keyboard.press("Escape");
  }
  assert.equal(await page.evaluate(() => window.bad), undefined);
  assert.equal(await page.locator("img").count(), 0);
  assert.ok((await page.locator("#topics-table").innerText()).includes("\ufffdreversed"));
  assert.deepEqual(faults, []);
  await close();
});

/** The page says these words, has no fault, and no figure that breaks. */
async function explains(name, made, ...words) {
  const { page, faults, close } = await made;
  const text = await page.locator("body").innerText();
  for (const word of words) assert.ok(text.includes(word), `${name}: no "${word}" in\n${text.slice(0, 3000)}`);
  assert.doesNotMatch(text, /NaN|undefined|Infinity/, name);
  assert.deepEqual(faults, [], name);
  await close();
}

test("no topic in common is a page that says so, and exit status 2", () => {
  const fails = (...words) => assert.throws(() => karat(...words), { status: 2 });
  const at = written(fails, judged(["901"], () => 1), [rows(topics, "a", up), rows(topics, "b", down)]);
  return explains("no overlap", open(path.join(at, "page.html")), "no run shares a topic with the judgements", "Not in this report");
});
test("one run without a judged topic is left out by name", () =>
  explains("half overlap", report(judged(topics, (t, r) => r % 2), [rows(topics, "a", up), rows(["77"], "b", down)]), "r1.run shares no topic with the judgements", "no comparison"));
test("one topic", () => explains("one topic", report(judged(["1"], (t, r) => r % 2), [rows(["1"], "a", up), rows(["1"], "b", down)]), "No winner", "too few"));
test("one run", () => explains("one run", report(judged(topics, (t, r) => r % 2), [rows(topics, "a", up)]), "One run, a", "there is one run only"));
test("nothing retrieved was judged", () =>
  explains("nothing judged", report(topics.map((t) => [t, 0, "elsewhere", 1]), [rows(topics, "a", up), rows(topics, "b", down)]), "No winner", "unjudged"));
test("judged documents without a grade", () =>
  explains("no grades", report(judged(topics, () => -1), [rows(topics, "a", up), rows(topics, "b", down)]), "No winner"));
test("nothing relevant", () =>
  explains("nothing relevant", report(judged(topics, () => 0), [rows(topics, "a", up), rows(topics, "b", down)]), "No winner", "nothing to draw"));
test("a broken file is an error and writes nothing", () => {
  const at = folder();
  fs.writeFileSync(path.join(at, "qrels.txt"), "1 0 d0 1\n");
  fs.writeFileSync(path.join(at, "r.run"), "1 Q0 d0 1\n");
  assert.throws(() => karat(at, "report", "qrels.txt", "r.run", "-o", "page.html"));
  assert.equal(fs.existsSync(path.join(at, "page.html")), false);
});
