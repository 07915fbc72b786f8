import assert from "node:assert/strict";
import { stage } from "./support/stage.js";

const scene = stage();

/** Fails unless all that has been asked for is little, and of this server alone. */
async function isLittle({ page, server }, test) {
  await page.until(() => page.network.isQuiet, "nothing is under way any more");
  const { exchanges } = page.network;
  const bytes = exchanges.reduce((sum, each) => sum + each.bytes, 0);
  test.diagnostic(`${exchanges.length} requests, ${bytes} bytes`);
  const told = exchanges.map((each) => `${each.bytes} ${each.url}`).join("\n");
  assert.ok(exchanges.length < 15, `${exchanges.length} requests:\n${told}`);
  assert.ok(bytes < 150_000, `${bytes} bytes:\n${told}`);
  assert.deepEqual(exchanges.filter(({ url }) => new URL(url).origin !== server.url), []);
}

/** Waits for the browser to say that there is something to see. */
function contentfulPaint() {
  return performance.getEntriesByName("first-contentful-paint").length > 0;
}

scene("The list is painted with few requests and few bytes", {}, async (given, test) => {
  await given.server.session("tudy");
  await given.page.open(`${given.server.url}/`);
  await given.page.get("heading", "Sessions").appears();
  await given.page.until(() => given.page.evaluate(contentfulPaint), "something is painted");
  await isLittle(given, test);
});

scene("A session is painted with few requests and few bytes", {}, async (given, test) => {
  const session = await given.server.session("tudy");
  await given.page.open(`${given.server.url}/#/sessions/${session}`);
  await given.page.get("region", "Device").get("article").appears();
  await given.page.until(() => given.page.evaluate(contentfulPaint), "something is painted");
  await isLittle(given, test);
});
