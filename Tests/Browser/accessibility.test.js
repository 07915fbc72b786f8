import assert from "node:assert/strict";
import { accessibilityFaults } from "./support/accessibility.js";
import { stage } from "./support/stage.js";

const samples = stage();
const gallery = stage({ program: "gallery" });
const gone = [/status of (404|410)/];

/** Fails if the page has accessibility faults, and shows them. */
async function isAccessible(page) {
  const faults = await accessibilityFaults(page);
  assert.ok(faults.length === 0, `${faults.length} findings:\n${faults.join("\n")}`);
}

samples("The list is accessible", {}, async ({ server, page }) => {
  const session = await server.session("tudy");
  await page.open(`${server.url}/#/`);
  await page.get("link", session.slice(0, 8)).appears();
  await page.get("option", "tudy").appears();
  await isAccessible(page);
});

samples("A session with tabs is accessible", {}, async ({ server, page, visit }) => {
  const view = await visit(await server.session("tudy"));
  await view.shows({ cards: ["home"], figures: { live: 4 } });
  await isAccessible(page);
});

gallery("A sheet with an alert over it is accessible", {}, async ({ server, page, visit }) => {
  const view = await visit(await server.session("gallery"));
  await view.send("sheet");
  await view.send("more");
  await view.shows({ cards: ["menu", "cover", "question"] });
  await isAccessible(page);
});

gallery("A refusal is accessible", { troubles: [/status of 422/] }, async ({ server, page, visit }) => {
  const view = await visit(await server.session("gallery"));
  await view.send("refuse");
  await view.device.get("alert").appears();
  await isAccessible(page);
});

samples("Time travel is accessible", {}, async ({ server, page, visit }) => {
  const session = await server.session("tudy");
  await server.send(session, { event: "showLogin" });
  await server.send(session, { event: "close" });
  const view = await visit(session);
  const slider = view.journal.get("slider", "Revision");
  await page.becomes(() => slider.value(), "3");
  await (await slider.one()).focus();
  await page.keyboard.press("ArrowLeft");
  await view.shows({ cards: ["home", "login"] });
  await view.device.says(/read-only/i);
  await isAccessible(page);
});

gallery("A leak is accessible", {}, async ({ server, page, visit }) => {
  const view = await visit(await server.session("gallery"));
  await view.send("leak");
  await view.shows({ figures: { leaked: 1 } });
  await isAccessible(page);
});

gallery("A session that has ended is accessible", { troubles: gone }, async ({ server, page, visit }) => {
  const view = await visit(await server.session("gallery"));
  await view.send("end");
  await view.device.says(/ended/i);
  await isAccessible(page);
});

gallery("A session that does not exist is accessible", { troubles: gone }, async ({ server, page }) => {
  await page.open(`${server.url}/#/sessions/${"0".repeat(32)}`);
  await page.get("region", "Device").says(/missing|no session|no such/i);
  await isAccessible(page);
});

samples("A session on a narrow phone is accessible", { look: { width: 360, height: 740 } }, async ({ server, page, visit }) => {
  const view = await visit(await server.session("sooda", { launch: { home: { workspaceID: 7 } } }));
  await view.send("done");
  await view.shows({ cards: ["homeDefault"], figures: { live: 6 } });
  const faults = await accessibilityFaults(page);
  assert.ok(faults.length === 0, `${faults.length} findings:\n${faults.join("\n")}`);
});

samples("The list is accessible at 768 pixels", { look: { width: 768, height: 1024 } }, async ({ server, page }) => {
  const session = await server.session("tudy");
  await page.open(`${server.url}/#/`);
  await page.get("link", session.slice(0, 8)).appears();
  await page.get("option", "tudy").appears();
  await isAccessible(page);
});

gallery("Covered screens, pending work and a leak are accessible", { look: { width: 1440, height: 900 } }, async ({ server, page, visit }) => {
  const session = await server.session("gallery");
  for (const event of ["leak", "rest", { deep: { count: 8 } }]) {
    await server.ask("POST", `/sessions/${session}/events`, { event });
  }
  const view = await visit(session);
  await view.coordinators.says("waits for rest");
  await view.device.says("3 more");
  await isAccessible(page);
});

gallery("A deleted session is accessible", { look: { width: 1440, height: 900 }, troubles: gone }, async ({ server, page }) => {
  const session = await server.session("gallery");
  await server.ask("DELETE", `/sessions/${session}`);
  await page.open(`${server.url}/#/sessions/${session}`);
  await page.get("button", "Open another gallery").appears();
  await page.get("region", "Journal").appears();
  await isAccessible(page);
});
