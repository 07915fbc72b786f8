import assert from "node:assert/strict";
import { accessibilityFaults } from "./support/accessibility.js";
import { stage } from "./support/stage.js";

const scene = stage({ program: "gallery" }), samples = stage();

/** Returns an uncompressed answer of the server as text. */
async function read(server, path) {
  return (await fetch(server.url + path, { headers: { authorization: `Bearer ${server.token}` } })).text();
}

/** Waits for the first figures; on a busy machine, the alert for a slow journal may fire. */
async function isFilled(page) {
  await page.get("status", "Alerts that fire").says(/\.$/);
}

scene("The server's figures and alerts have their own page", {}, async ({ server, page }) => {
  await server.session("gallery");
  await page.open(`${server.url}/`);
  await page.get("link", "Server: alerts and crashes").click();
  await page.get("heading", "Server").appears();
  await isFilled(page);
  await page.get("image", /^Sessions: [1-9]\d* at /).appears();
  await page.get("image", /^Coordinators: [1-9]\d* at /).appears();
  assert.equal(new URL(await page.evaluate(() => location.href)).hash, "#/server");
});

scene("An alert fires while its condition holds", {}, async ({ server, page }) => {
  const session = await server.session("gallery");
  await page.open(`${server.url}/#/server`);
  await isFilled(page);
  assert.doesNotMatch(await page.get("status", "Alerts that fire").text(), /memory grows/);
  await server.send(session, { event: "leak" });
  await page.get("status", "Alerts that fire").says("An app keeps coordinators that have ended, so the server's memory grows.");
  const first = await page.evaluate(() => document.querySelector(".alarms tbody tr").textContent);
  assert.match(first, /^firing.*increase\(usher_coordinators_leaked_total\[1h\]\) > 0$/);
});

for (const width of [360, 768, 1440]) {
  scene(`The server's page is accessible at ${width} px`, { look: { width, height: 900 } }, async ({ server, page }) => {
    await page.open(`${server.url}/#/server`);
    await isFilled(page);
    const faults = await accessibilityFaults(page);
    assert.ok(faults.length === 0, `${faults.length} findings:\n${faults.join("\n")}`);
  });
}

samples("The list, a map and the metrics arrive compressed, and a list without a change is not sent again", {}, async ({ server, page }) => {
  for (let number = 0; number < 60; number++) await server.session("tudy");
  const exchanges = (/** @type {string} */ path) => page.network.exchanges.filter(({ url, done }) => done && new URL(url).pathname === path);
  /** Checks that a path's answers are compressed to far fewer bytes. */
  const isSmall = async (/** @type {string} */ path, query = "") => {
    await page.until(() => exchanges(path).length > 0, `${path} is answered`);
    const size = (await read(server, path + query)).length, { bytes } = exchanges(path)[0];
    assert.ok(size > 4_000 && bytes * 3 < size, `${path}: ${bytes} bytes for ${size}`);
  };
  await page.open(`${server.url}/`);
  await isSmall("/admin/sessions", "?limit=100&sort=created");
  await page.until(() => exchanges("/admin/sessions").some(({ status, bytes }) => status === 304 && bytes < 1_000), "an unchanged list is not sent again");
  await page.open(`${server.url}/#/server`);
  await isSmall("/metrics");
  await server.ask("GET", "/admin/apps/sooda/map");
  await page.open(`${server.url}/#/apps/sooda`);
  await isSmall("/admin/apps/sooda/map");
});

scene("The server's page asks a stranger to log in first", { isStranger: true }, async ({ server, page }) => {
  await page.open(`${server.url}/#/server`);
  await page.get("form", "Log in").appears();
});
