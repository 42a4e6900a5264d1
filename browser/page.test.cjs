// The report page in a real browser, from the demo's collection.
const { test, before, after } = require("node:test");
const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { karat, demoFolder, open, closed, RUNS } = require("./setting.cjs");

let at, file;
before(() => {
  at = demoFolder();
  file = path.join(at, "page.html");
  fs.writeFileSync(path.join(at, "queries.tsv"), fs.readFileSync(path.join(at, "qrels.txt"), "utf8").split("\n").filter(Boolean)
    .map((line) => line.split(/\s+/)[0]).filter((topic, place, all) => all.indexOf(topic) === place)
    .map((topic) => `${topic}\twhat is asked in topic ${topic}`).join("\n"));
  const docno = fs.readFileSync(path.join(at, "fusion.run"), "utf8").split(/\s+/)[2];
  fs.writeFileSync(path.join(at, "docs.jsonl"), JSON.stringify({ _id: docno, title: "A title", text: "and its text" }) + "\n");
  karat(at, "report", "qrels.txt", ...RUNS, "-o", file, "--queries", "queries.tsv", "--docs", "docs.jsonl", "--labels", "labels.csv");
});
after(closed);

/** The drawings as Rust wrote them, by the figure's name. */
function drawings() {
  const html = fs.readFileSync(file, "utf8");
  const all = new Map();
  for (const found of html.matchAll(/<figure data-figure="([a-z_]+)">[\s\S]*?(<svg[\s\S]*?<\/svg>\n)/g)) all.set(found[1], found[2]);
  return all;
}

test("opens without an error and without a request", async () => {
  const { page, faults, close } = await open(file);
  await page.waitForSelector("#persistence-table", { state: "attached" });
  assert.deepEqual(faults, []);
  for (const id of ["verdict", "leaderboard", "pairs", "differences", "scatter", "curves", "roc", "distribution", "judged", "residuals", "persistence", "budget", "topics", "judges", "published", "measures", "notes", "provenance"]) {
    assert.equal(await page.locator(`section#${id}`).count(), 1, id);
  }
  const policy = await page.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute("content");
  assert.match(policy, /default-src 'none'/);
  assert.doesNotMatch(policy, /unsafe/);
  // The policy is in force: markup that somebody smuggles in later is dead.
  const ran = await page.evaluate(() => {
    const script = document.createElement("script");
    script.textContent = "window.smuggled = 1";
    document.body.append(script);
    return window.smuggled;
  });
  assert.equal(ran, undefined);
  await close();
});

test("the script draws what Rust draws, character by character", async () => {
  const { page, close } = await open(file);
  const drawn = drawings();
  const found = await page.evaluate(() => {
    const { draw, evidence, page: report, differencesFigure, scatterFigure } = globalThis.karat;
    const { measure, a, b } = report.state;
    const out = {};
    for (const [name, models] of evidence.figures) {
      const model = models[measure] ?? models[0];
      out[name] = draw(model);
      if (name === "topic_differences") out[`${name} built`] = draw(differencesFigure(evidence, measure, a, b, model.reading));
      if (name === "scatter") out[`${name} built`] = draw(scatterFigure(evidence, measure, a, b, model.reading));
    }
    return out;
  });
  assert.ok(Object.keys(found).length >= 9, Object.keys(found).join());
  for (const [name, svg] of Object.entries(found)) assert.equal(svg, drawn.get(name.split(" ")[0]), name);
  await close();
});

test("choosing measures and runs changes the figures", async () => {
  const { page, faults, close } = await open(file);
  const board = page.locator('[data-figure="leaderboard"] svg');
  const before = await board.innerHTML();
  await page.selectOption("#choose-measure", { label: "P@10" });
  assert.match(await board.getAttribute("aria-label"), /^P@10/);
  assert.notEqual(await board.innerHTML(), before);
  assert.match(await page.locator('[data-figure="pairwise"] svg').getAttribute("aria-label"), /^P@10/);
  await page.locator(".runs summary").click();
  assert.match(await board.innerHTML(), /newcomer/);
  await page.locator('.boxes label:has-text("newcomer") input').uncheck();
  for (const figure of ["leaderboard", "pairwise", "distribution", "precision_recall", "judged_share"]) {
    assert.doesNotMatch(await page.locator(`[data-figure="${figure}"] svg`).innerHTML(), /newcomer/, figure);
  }
  await page.selectOption("#choose-a", { label: "baseline" });
  await page.selectOption("#choose-b", { label: "expanded" });
  assert.match(await page.locator('[data-figure="topic_differences"] svg').getAttribute("aria-label"), /baseline − expanded/);
  assert.match(await page.locator('[data-widget="pair"]').innerText(), /P@10, baseline − expanded: .*Unjudged documents: expanded's lead of /);
  assert.match(await page.locator("#topics-table").innerText(), /baseline − expanded/);
  assert.deepEqual(faults, []);
  await close();
});

test("RBP at any p is karat eval's to 1e-9, bounds and chances too", async () => {
  const { page, close } = await open(file);
  await page.waitForSelector("#persistence-table", { state: "attached" });
  const read = () => page.$$eval("#persistence-table tbody tr", (rows) => Object.fromEntries(rows.map((row) => [row.cells[0].textContent, { ...row.dataset }])));
  const expected = (p, ...more) => {
    // The script's intervals are Student's t; those of the page's tables are chosen by the rule of karat explain auto.
    const answer = JSON.parse(karat(at, "eval", "qrels.txt", ...RUNS, "-m", `RBP(p=${p})@100`, "--interval", "t", "-f", "json", ...more));
    return Object.fromEntries(answer.scores.map((row) => [row.run, row]));
  };
  const near = (one, other, what) => assert.ok(Math.abs(Number(one) - other) < 1e-9, `${what}: ${one} and ${other}`);
  for (const p of ["0.05", "0.5", "0.8", "0.95", "0.99"]) {
    await page.locator("#p-slider").fill(p);
    await page.waitForFunction((wanted) => document.querySelector('[data-widget="persistence"] code').textContent.includes(`p=${wanted})`), String(Number(p)));
    const rows = await read();
    assert.equal(Object.keys(rows).length, RUNS.length);
    for (const [run, row] of Object.entries(expected(p))) {
      for (const key of ["value", "low", "high"]) near(rows[run][key], row[key], `${run} p=${p} ${key}`);
      near(rows[run].from, row.interval[0], `${run} p=${p}, interval`);
    }
  }
  const typed = page.locator('input[aria-label="p as a number"]');
  await typed.fill("1.5");
  await page.waitForSelector('[data-widget="persistence"] [role="status"]:not([hidden])');
  await typed.fill("0.99");
  assert.equal(await page.locator('[data-widget="persistence"] [role="status"]:not([hidden])').count(), 0);
  await page.locator('input[name="treatment"][value="chance"]').check();
  await page.locator("#q-slider").fill("0.3");
  await page.waitForFunction(() => document.querySelector('[data-widget="persistence"] code').textContent.includes("q=0.3"));
  const rows = await read();
  for (const [run, row] of Object.entries(expected("0.99", "--unjudged", "q=0.3"))) {
    near(rows[run].value, row.value, `${run} q=0.3`);
    near(rows[run].from, row.interval[0], `${run} q=0.3, interval`);
    near(rows[run].to, row.interval[1], `${run} q=0.3, interval`);
  }
  await page.locator('input[name="treatment"][value="nonrelevant"]').check();
  await page.waitForFunction(() => document.querySelector('[data-widget="persistence"] code').textContent.includes("nonrelevant"));
  assert.match(await page.locator("#persistence-table").evaluate((table) => table.rows[1].cells[2].textContent), /—/);
  await close();
});

test("the keyboard reaches everything", async () => {
  const { page, faults, close } = await open(file);
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.className), "skip");
  const drawing = page.locator('[data-figure="topic_differences"] .drawing');
  await drawing.focus();
  await page.keyboard.press("ArrowRight");
  await page.waitForSelector(".tip:not([hidden])");
  assert.match(await page.locator(".tip").innerText(), /^topic /);
  const first = await page.locator(".tip").innerText();
  await page.keyboard.press("ArrowRight");
  assert.notEqual(await page.locator(".tip").innerText(), first);
  await page.keyboard.press("Enter");
  await page.waitForSelector("dialog[open] .rankings li");
  // The key press ends with the panel open, and goes no further.
  await page.waitForTimeout(200);
  assert.equal(await page.locator("dialog[open]").count(), 1);
  const heading = await page.locator("dialog h2").innerText();
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction((old) => document.querySelector("dialog h2").textContent !== old, heading);
  assert.match(await page.locator("dialog .query").innerText(), /what is asked/);
  await page.keyboard.press("Escape");
  assert.equal(await page.locator("dialog[open]").count(), 0);
  // Sorting by keyboard, and the focus stays.
  const head = page.locator("#topics-table th button").first();
  await head.focus();
  await page.keyboard.press("Enter");
  assert.equal(await page.locator("#topics-table th[aria-sort]").getAttribute("aria-sort"), "ascending");
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "topic");
  await page.locator('input[type="search"]').fill("topic 1");
  assert.match(await page.locator('[data-widget="topics"] [role="status"]').innerText(), /topics?, /);
  assert.deepEqual(faults, []);
  await close();
});

test("a topic shows both rankings with grades, ties and lines", async () => {
  const { page, close } = await open(file);
  await page.locator("#topics-table tbody button").first().click();
  await page.waitForSelector("dialog[open] .rankings li");
  assert.equal(await page.locator("dialog .rankings ol").count(), 2);
  assert.ok((await page.locator("dialog .rankings svg path").count()) > 0);
  assert.ok((await page.locator("dialog .chip").count()) > 10);
  // What is shown is what karat reads: the first documents of the run, best score first, larger docno first among ties.
  const name = (await page.locator("dialog h2").innerText()).replace("Topic ", "");
  const run = await page.locator("dialog .rankings ol").first().getAttribute("aria-label");
  const rows = fs.readFileSync(path.join(at, `${run}.run`), "utf8").split("\n").map((line) => line.split(/\s+/)).filter((row) => row[0] === name);
  rows.sort((one, other) => Number(other[4]) - Number(one[4]) || (one[2] < other[2] ? 1 : -1));
  const shown = await page.locator("dialog .rankings ol").first().locator("bdi").allInnerTexts();
  assert.deepEqual(shown, rows.slice(0, shown.length).map((row) => row[2]));
  const ranks = await page.locator("dialog .rankings ol").first().locator(".rank").allInnerTexts();
  rows.slice(0, ranks.length).forEach((row, place) => assert.equal(ranks[place].startsWith("="), place > 0 && rows[place - 1][4] === row[4], `rank ${place + 1}`));
  await close();
});

test("dark, light, print and phone", async () => {
  const dark = await open(file, { colorScheme: "dark" });
  const ground = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  assert.equal(await ground(dark.page), "rgb(20, 23, 27)");
  await dark.page.locator("#theme").click();
  assert.equal(await ground(dark.page), "rgb(255, 255, 255)");
  await dark.page.locator("#theme").click();
  await dark.page.emulateMedia({ media: "print" });
  assert.equal(await ground(dark.page), "rgb(255, 255, 255)");
  assert.equal(await dark.page.locator("nav").isVisible(), false);
  assert.equal(await dark.page.locator("#choice").isVisible(), false);
  assert.equal(await dark.page.locator('[data-figure="leaderboard"] svg').isVisible(), true);
  const pdf = await dark.page.pdf({ format: "A4" });
  assert.ok(pdf.length > 20_000 && pdf.subarray(0, 4).toString() === "%PDF");
  await dark.close();
  const phone = await open(file, { viewport: { width: 390, height: 800 } });
  assert.ok((await phone.page.evaluate(() => document.documentElement.scrollWidth)) <= 390);
  // Every figure fits, and a figure of the width of a desktop would not.
  await phone.page.waitForSelector("#persistence-table", { state: "attached" });
  const figures = await phone.page.evaluate(() => [...document.querySelectorAll(".drawing")].map((drawing) => ({
    id: drawing.closest("figure")?.dataset.figure ?? "persistence", width: Number(drawing.querySelector("svg").getAttribute("width")), room: drawing.clientWidth,
  })));
  assert.ok(figures.length > 10);
  for (const { id, width, room } of figures) assert.ok(width <= room && room < 390, `${id}: ${width} in ${room}`);
  await phone.page.locator("#topics-table tbody button").first().click();
  await phone.page.waitForSelector("dialog[open] .rankings li");
  assert.ok((await phone.page.evaluate(() => document.documentElement.scrollWidth)) <= 390);
  await phone.close();
});

test("without scripts every figure and the verdict are there", async () => {
  const { launched } = require("./setting.cjs");
  const context = await (await launched()).newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`file://${file}`);
  assert.ok((await page.locator("figure svg").count()) >= 9);
  assert.ok(await page.locator(".headline").isVisible());
  assert.equal(await page.locator("#choice").isVisible(), false);
  assert.ok((await page.locator('[data-widget="topics"] tbody tr').count()) > 10);
  await context.close();
});
