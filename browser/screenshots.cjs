// Pictures of every section, for the documentation.
const fs = require("node:fs");
const path = require("node:path");
const zlib = require("node:zlib");
const { demoFolder, karat, open, closed, RUNS } = require("./setting.cjs");

const FOLDER = process.env.FOLDER ?? "docs/images";
const SECTIONS = [
  "truth", "leaderboard", "pairs", "differences", "scatter", "curves", "roc", "distribution", "judged", "residuals",
  "persistence", "budget", "topics", "judges", "published", "measures", "notes", "provenance",
];

/** A picture with its pixels packed as tightly as they go: the browser is in a hurry. */
function squeezed(png) {
  const pieces = [];
  let at = 8;
  const chunks = [];
  while (at < png.length) {
    const length = png.readUInt32BE(at), kind = png.toString("latin1", at + 4, at + 8);
    const data = png.subarray(at + 8, at + 8 + length);
    if (kind === "IDAT") pieces.push(data);
    else chunks.push([kind, data]);
    at += 12 + length;
  }
  const pixels = zlib.deflateSync(zlib.inflateSync(Buffer.concat(pieces)), { level: 9, memLevel: 9 });
  chunks.splice(-1, 0, ["IDAT", pixels]);
  const written = chunks.map(([kind, data]) => {
    const body = Buffer.concat([Buffer.from(kind, "latin1"), data]);
    const length = Buffer.alloc(4), check = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    check.writeUInt32BE(zlib.crc32(body));
    return Buffer.concat([length, body, check]);
  });
  return Buffer.concat([png.subarray(0, 8), ...written]);
}

/** Takes a picture and keeps it. */
async function taken(page, { path: file, ...options }) {
  fs.writeFileSync(file, squeezed(await page.screenshot(options)));
}

/** A section, its first 1200 units where it is longer; the bar that stays in view would lie on it. */
async function section(page, id, options) {
  const box = await page.evaluate((id) => {
    document.getElementById("choice").style.position = "static";
    const { left, top, width, height } = document.getElementById(id).getBoundingClientRect();
    return { x: left + scrollX, y: top + scrollY, width, height: Math.min(height, 1200) };
  }, id);
  await taken(page, { ...options, fullPage: true, clip: box });
}

(async () => {
  const at = demoFolder();
  const published = path.join(at, "published.csv");
  fs.writeFileSync(published, "system,p,score,residual\nalpha,0.8,0.62,0.01\nbeta,0.95,0.45,0.02\ngamma,0.9,0.18,0.01\ndelta,0.8,0.31,0.02\n");
  // The demo's page, and one with published scores beside it.
  const other = path.join(at, "published.html");
  karat(at, "report", "qrels.txt", ...RUNS, "-o", other, "--published", published);
  for (const [width, ending] of [[1280, ""], [390, "-phone"]]) {
    const save = (name, options) => ({ path: path.join(FOLDER, `${name}${ending}.png`), ...options });
    const { page, close } = await open(path.join(at, "report.html"), { viewport: { width, height: 900 }, deviceScaleFactor: 1 });
    await page.waitForSelector("#persistence-table", { state: "attached" });
    // The top with the leaderboard in it.
    const top = await page.evaluate(() => document.querySelector("#leaderboard svg").getBoundingClientRect().bottom + scrollY);
    await taken(page, save("verdict", { fullPage: true, clip: { x: 0, y: 0, width, height: Math.min(Math.ceil(top) + 10, 1500) } }));
    for (const id of SECTIONS.filter((id) => id !== "published")) await section(page, id, save(id));
    await page.locator("#topics-table tbody button").first().click();
    await page.waitForSelector("dialog[open] .rankings li");
    await taken(page, save("rankings"));
    await close();
    const second = await open(other, { viewport: { width, height: 900 } });
    await second.page.waitForSelector("#persistence-table", { state: "attached" });
    await section(second.page, "published", save("published"));
    await second.close();
    const dark = await open(path.join(at, "report.html"), { viewport: { width, height: 900 }, colorScheme: "dark" });
    await taken(dark.page, save("dark"));
    await dark.close();
  }
  await closed();
})();
