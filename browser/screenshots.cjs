// Pictures of every section, for the documentation.
const path = require("node:path");
const { demoFolder, karat, open, closed, RUNS } = require("./setting.cjs");

const FOLDER = process.env.FOLDER ?? "docs/images";
const SECTIONS = [
  "truth", "leaderboard", "pairs", "differences", "scatter", "curves", "roc", "distribution", "judged", "residuals",
  "persistence", "budget", "topics", "judges", "published", "measures", "notes", "provenance",
];

/** A section, its first 1200 units where it is longer; the bar that stays in view would lie on it. */
async function section(page, id, options) {
  const box = await page.evaluate((id) => {
    document.getElementById("choice").style.position = "static";
    const { left, top, width, height } = document.getElementById(id).getBoundingClientRect();
    return { x: left + scrollX, y: top + scrollY, width, height: Math.min(height, 1200) };
  }, id);
  await page.screenshot({ ...options, fullPage: true, clip: box });
}

(async () => {
  const at = demoFolder();
  const published = path.join(at, "published.csv");
  require("node:fs").writeFileSync(published, "system,p,score,residual\nalpha,0.8,0.42,0.01\nbeta,0.95,0.30,0.02\ngamma,0.5,0.55,\n");
  // The demo's page, and one with published scores beside it.
  const other = path.join(at, "published.html");
  karat(at, "report", "qrels.txt", ...RUNS, "-o", other, "--published", published);
  for (const [width, ending] of [[1280, ""], [390, "-phone"]]) {
    const save = (name, options) => ({ path: path.join(FOLDER, `${name}${ending}.png`), ...options });
    const { page, close } = await open(path.join(at, "report.html"), { viewport: { width, height: 900 }, deviceScaleFactor: 1 });
    await page.waitForSelector("#persistence-table", { state: "attached" });
    // The top with the leaderboard in it.
    const top = await page.evaluate(() => document.querySelector("#leaderboard svg").getBoundingClientRect().bottom + scrollY);
    await page.screenshot(save("verdict", { fullPage: true, clip: { x: 0, y: 0, width, height: Math.min(Math.ceil(top) + 10, 1500) } }));
    for (const id of SECTIONS.filter((id) => id !== "published")) await section(page, id, save(id));
    await page.locator("#topics-table tbody button").first().click();
    await page.waitForSelector("dialog[open] .rankings li");
    await page.screenshot(save("rankings"));
    await close();
    const second = await open(other, { viewport: { width, height: 900 } });
    await section(second.page, "published", save("published"));
    await second.close();
    const dark = await open(path.join(at, "report.html"), { viewport: { width, height: 900 }, colorScheme: "dark" });
    await dark.page.screenshot(save("dark"));
    await dark.close();
  }
  await closed();
})();
