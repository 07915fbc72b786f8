import assert from "node:assert/strict";
import { stage } from "./support/stage.js";

const scene = stage();

/** Records when an element first matches a selector; everything that its first paint needs was requested before. */
function watchFor(selector) {
  const observer = new MutationObserver(() => {
    if (!document.querySelector(selector)) return;
    observer.disconnect();
    window.readyAt = performance.timeOrigin + performance.now();
  });
  observer.observe(document, { childList: true, subtree: true });
}

/**
 * Fails unless the page requests little before it can paint something, and only from this server.
 * @param {import("./support/stage.js").Scene} given
 * @param {import("node:test").TestContext} test
 * @param {string} path
 * @param {string} selector matches the first real content; the page's frame does not count
 */
async function isLittle({ page, server }, test, path, selector) {
  await page.send("Page.addScriptToEvaluateOnNewDocument", { source: `(${watchFor})(${JSON.stringify(selector)})` });
  await page.open(server.url + path);
  const ready = await page.until(() => page.evaluate(() => window.readyAt), "there is something to paint");
  await page.until(() => page.network.isQuiet, "nothing is under way any more");
  const all = page.network.exchanges;
  const first = all.filter(({ began }) => began < ready);
  const sum = (exchanges) => exchanges.reduce((bytes, each) => bytes + each.bytes, 0);
  test.diagnostic(`${first.length} requests, ${sum(first)} bytes; with what follows ${all.length}, ${sum(all)} bytes`);
  const told = first.map((each) => `${each.bytes} ${each.url}`).join("\n");
  assert.ok(first.length <= 15, `${first.length} requests:\n${told}`);
  assert.ok(sum(first) <= 70_000, `${sum(first)} bytes:\n${told}`);
  assert.ok(sum(all) <= 125_000, `${sum(all)} bytes with what follows`);
  assert.deepEqual(all.filter(({ url }) => new URL(url).origin !== server.url), []);
}

scene("The list is painted with few requests and few bytes", {}, async (given, test) => {
  await given.server.session("tudy");
  await isLittle(given, test, "/", "tbody tr, form option");
});

scene("A session is painted with few requests and few bytes", {}, async (given, test) => {
  const session = await given.server.session("tudy");
  await isLittle(given, test, `/#/sessions/${session}`, "article");
});
