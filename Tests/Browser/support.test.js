import assert from "node:assert/strict";
import { stage } from "./support/stage.js";

const scene = stage();

/** @param {import("./support/page.js").Page} page */
const links = (page) => page.get("table", /^Sessions/).get("link").names();

/** @param {import("./support/server.js").Server} server @param {string} subject */
async function sessionOf(server, subject) {
  return (await server.ask("POST", "/admin/sessions", { app: "notes", subject })).session;
}

scene("Support finds a user among 5,000 sessions, and goes from a session to its user", {}, async ({ server, page }) => {
  for (let batch = 0; batch < 100; batch++) {
    await Promise.all(Array.from({ length: 50 }, (_, place) => sessionOf(server, `user ${50 * batch + place}`)));
  }
  const kims = [await sessionOf(server, "kim"), await sessionOf(server, "kim")].map((id) => id.slice(0, 8)).sort();
  await page.open(`${server.url}/`);
  const form = page.get("form", "Which sessions");
  await page.becomes(async () => (await links(page)).includes("kim"), true, "the newest sessions name their users");
  await form.get("textbox", "Id").fill("kim");
  await form.get("button", "Find the user kim").click();
  await page.becomes(async () => (await links(page)).filter((name) => name !== "kim"), kims);
  await page.get("table", /^Sessions of kim, .*2 found$/).appears();
  await page.becomes(() => page.evaluate(() => location.hash), "#/?subject=kim");
  await page.get("link", kims[0]).click();
  await page.get("heading", /^notes .* of kim$/).get("link", "kim").click();
  await page.becomes(async () => (await links(page)).filter((name) => name !== "kim"), kims);
});
