import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";

const place = new URL("../../../../.build/axe/lib", import.meta.url).pathname;
/** @type {Promise<string> | null} */
let source = null;

/** Reads the script with the rules from the package in `Tests/Browser/requirements.txt`. */
async function read() {
  const [python] = await readdir(place).catch(() => []);
  if (!python) throw new Error("axe-core is missing; script/python-packages .build/axe Tests/Browser/requirements.txt --no-deps installs it");
  return readFile(join(place, python, "site-packages/axe_playwright_python/axe.min.js"), "utf8");
}

/**
 * Returns the violations of axe-core's rules for WCAG 2.2, A and AA, and of its best practices, in the current page.
 * @param {import("../page.js").Page} page
 * @returns {Promise<string[]>} one line each
 */
export async function axeFaults(page) {
  source ??= read();
  if (!(await page.evaluate(() => "axe" in window))) await page.send("Runtime.evaluate", { expression: await source });
  return page.evaluate(run);
}

async function run() {
  const values = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
  const { violations } = await window.axe.run(document, { runOnly: { type: "tag", values }, resultTypes: ["violations"] });
  return violations.flatMap(({ id, help, nodes }) => nodes.map(({ target, any }) => `axe ${id}: ${help}: ${target.join(" ")} ${any[0]?.message ?? ""}`));
}
