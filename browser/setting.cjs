// A browser that may not go anywhere, pages made by karat, and what they said while they were open.
const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { pathToFileURL } = require("node:url");
const { chromium } = require("playwright-core");

const KARAT = path.resolve(process.env.KARAT ?? "target/release/karat");
const FLAGS = [
  "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync",
];

/** Runs karat and returns what it printed. */
function karat(folder, ...words) {
  return execFileSync(KARAT, words, { cwd: folder, encoding: "utf8", maxBuffer: 1 << 28 });
}

/** A folder that is gone afterwards. */
function folder() {
  return fs.mkdtempSync(path.join(os.tmpdir(), "karat-browser-"));
}

/** The demo's files, once. */
let demo = null;
function demoFolder() {
  if (!demo) {
    const base = folder();
    karat(base, "demo");
    demo = path.join(base, "karat-demo");
  }
  return demo;
}

const RUNS = ["baseline.run", "expanded.run", "fusion.run", "newcomer.run"];

let browser = null;
async function launched() {
  if (!browser) browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: FLAGS });
  return browser;
}

/** Opens a file; collects everything it should not do. */
async function open(file, options = {}) {
  const context = await (await launched()).newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const faults = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") faults.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
  page.on("dialog", (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  const address = pathToFileURL(file).href;
  page.on("request", (request) => {
    if (request.url().split("#")[0] !== address) faults.push(`request: ${request.url()}`);
  });
  await page.goto(address);
  await page.waitForFunction(() => document.documentElement.dataset.ready === "yes");
  return { page, faults, close: () => context.close() };
}

async function closed() {
  if (browser) await browser.close();
}

module.exports = { karat, folder, demoFolder, open, closed, RUNS, launched };
