// How long a page takes until it can be used: from navigation to the script's being done with the first view. The median of five.
const { pathToFileURL } = require("node:url");
const fs = require("node:fs");
const path = require("node:path");
const { launched, closed } = require("./setting.cjs");

(async () => {
  const file = path.resolve(process.argv[2]);
  const times = [], slides = [];
  for (let turn = 0; turn < 5; turn += 1) {
    const context = await (await launched()).newContext({ viewport: { width: 1280, height: 900 } });
    const page = await context.newPage();
    const start = process.hrtime.bigint();
    await page.goto(pathToFileURL(file).href);
    await page.waitForFunction(() => document.documentElement.dataset.ready === "yes");
    times.push(Number(process.hrtime.bigint() - start) / 1e9);
    await page.waitForSelector("#persistence-table", { state: "attached" });
    const slid = await page.evaluate(async () => {
      const begin = performance.now();
      const view = globalThis.karat.page.persistence;
      view.p = 0.9;
      await view.show();
      return performance.now() - begin;
    });
    slides.push(slid);
    await context.close();
  }
  await closed();
  const median = (all) => all.sort((a, b) => a - b)[2];
  const size = fs.statSync(file).size / 1e6, opening = median(times);
  console.log(`opens in ${opening.toFixed(2)} s (median of 5), ${size.toFixed(2)} MB; moving p takes ${median(slides).toFixed(0)} ms`);
  if (size > 10 || opening > 2) process.exitCode = 1;
})();
