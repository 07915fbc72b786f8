import assert from "node:assert/strict";
import { accessibilityFaults } from "./support/accessibility.js";
import { stage } from "./support/stage.js";

const scene = stage();

/** @param {import("./support/page.js").Page} page */
const links = (page) => page.get("table", /^Sessions/).get("link").names();

/** @param {import("./support/server.js").Server} server @param {string} subject */
async function sessionOf(server, subject) {
  return (await server.ask("POST", "/admin/sessions", { app: "notes", subject })).session;
}

scene("Support finds a user among 5,000 sessions, and opens the user of a session", {}, async ({ server, page }) => {
  for (let batch = 0; batch < 100; batch++) {
    await Promise.all(Array.from({ length: 50 }, (_, place) => sessionOf(server, `user ${50 * batch + place}`)));
  }
  const kims = [await sessionOf(server, "kim"), await sessionOf(server, "kim")].map((id) => id.slice(0, 8)).sort();
  await page.open(`${server.url}/`);
  const form = page.get("form", "Filter of the sessions");
  await page.becomes(async () => (await links(page)).includes("kim"), true, "the newest sessions name their users");
  await form.get("textbox", "Id").fill("kim");
  await form.get("button", "Find the user kim").click();
  await page.becomes(async () => (await links(page)).filter((name) => name !== "kim"), kims);
  await page.get("table", /^Sessions of kim, .*2 found$/).appears();
  await page.becomes(() => page.evaluate(() => location.hash), "#/?subject=kim");
  await page.get("link", kims[0]).click();
  await page.get("heading", /^notes .* of kim$/).get("link", "kim").click();
  await page.get("heading", "User kim").appears();
  const sessions = page.get("table", /^Live sessions 2 in all, last used first$/);
  await page.becomes(async () => (await sessions.get("link").names()).sort(), kims);
  await sessions.says(/not named[^]*its id alone/);
  const faults = await accessibilityFaults(page);
  assert.ok(faults.length === 0, `${faults.length} findings:\n${faults.join("\n")}`);
  const tudy = await server.session("tudy");
  await page.open(`${server.url}/#/?visible=hom`);
  await page.becomes(() => links(page), [tudy.slice(0, 8)]);
  await page.get("table", /^Sessions by id, searched: the 5,003 in memory, of 5,003 in all$/).appears();
  await form.get("textbox", "Visible screen").fill("home page");
  await page.get("paragraph").says(/^No session in memory shows such a screen\./);
});

scene("A user's page shows that the user has no live session", {}, async ({ server, page }) => {
  await page.open(`${server.url}/#/users/nobody%2Fhere`);
  await page.get("heading", "User nobody/here").appears();
  await page.get("paragraph").says("This user has no live session.");
});
