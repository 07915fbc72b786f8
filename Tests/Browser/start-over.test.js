import assert from "node:assert/strict";
import { accessibilityFaults } from "./support/accessibility.js";
import { stage } from "./support/stage.js";

const scene = stage({ program: "gallery" });

/** Returns the journal's rows as number and input. */
const rows = (page) => page.evaluate(() => [...document.querySelectorAll(".inputs tbody:not([aria-hidden]) tr")].map((row) => `${row.cells[0].textContent} ${row.cells[2].textContent}`));
const gone = "Revision 2 is gone: the session started over at revision 4, the oldest that is kept.";

async function play(server, session, ...events) {
  for (const event of events) await server.send(session, event === "back" ? { back: true } : { event });
}

/** Opens a session that has started over at revision 4 and is at revision 6. */
async function restarted(server) {
  const session = await server.session("gallery");
  await play(server, session, { echo: { text: "before" } }, "back", "startOver", { echo: { text: "after" } }, "back");
  return session;
}

/** @this {HTMLInputElement} */
function range() {
  return [this.min, this.value, this.max].map(Number);
}

scene("The journal of a session that started over begins there, for the slider, J, Play and Go", {}, async ({ server, page, visit }) => {
  const session = await restarted(server), view = await visit(session);
  const slider = async () => (await view.journal.get("slider", "Revision").one()).call(range);
  await page.becomes(() => rows(page), ["4 start over gallery", "5 echo text: after", "6 back"]);
  await page.becomes(slider, [4, 6, 6]);
  await page.get("heading", /started over at revision 4/).appears();
  await view.journal.says(/started over\s*→ menu \d+ \+1/);
  await view.journal.get("textbox", "Go to revision").fill("2");
  await page.keyboard.press("Enter");
  await view.journal.get("alert").says(gone);
  await page.becomes(slider, [4, 4, 6]);
  await view.device.says("Revision 4 of 6");
  assert.deepEqual(await accessibilityFaults(page), []);
  await view.journal.get("textbox", "Go to revision").fill("99");
  await page.keyboard.press("Enter");
  await view.journal.get("alert").says("There is no revision 99 yet: the newest is 6.");
  await page.becomes(slider, [4, 6, 6]);
  await (await view.journal.get("slider", "Revision").one()).focus();
  for (const [key, revision] of [["j", 5], ["j", 4], ["j", 4], ["k", 5]]) {
    await page.keyboard.choose(key);
    await page.becomes(slider, [4, revision, 6]);
  }
  await view.journal.get("button", "Return to now").click();
  await view.journal.get("button", "Play").click();
  await page.becomes(slider, [4, 4, 6]);
  await page.becomes(slider, [4, 6, 6]);
});

scene("A link to a revision before the session started over says so, and shows the oldest revision", {}, async ({ server, page }) => {
  const session = await restarted(server), journal = page.get("region", "Journal");
  await page.open(`${server.url}/#/sessions/${session}?revision=2&view=changed`);
  await journal.get("alert").says(gone);
  await page.get("region", "Device").says("Revision 4 of 6");
  await page.becomes(() => page.evaluate(() => location.hash), `#/sessions/${session}?revision=4&view=changed`);
});

scene("If a session starts over while an earlier revision is shown, the page leaves that revision", {}, async ({ server, page, visit }) => {
  const session = await server.session("gallery");
  await play(server, session, { echo: { text: "before" } }, "back");
  const view = await visit(session);
  await view.journal.get("button", /^2 echo$/).click();
  await view.shows({ cards: ["menu", "echo"] });
  await view.journal.get("searchbox", "Find inputs").fill("echo");
  await page.becomes(() => rows(page), ["2 echo text: before"]);
  await play(server, session, "startOver");
  await view.journal.get("alert").says(gone);
  await view.shows({ cards: ["menu"], figures: { live: 1, created: 2, finished: 1 } });
  await page.becomes(() => rows(page), []);
  await play(server, session, { echo: { text: "after" } });
  await page.becomes(() => rows(page), ["5 echo text: after"]);
  await page.get("heading", /started over at revision 4/).appears();
});
