import assert from "node:assert/strict";
import { Browser } from "./support/browser.js";
import { Server, missing } from "./support/server.js";
import { logIn, stage } from "./support/stage.js";
import { test } from "node:test";

const scene = stage({ program: "gallery" });
/** What a browser says by itself of an answer that is an error. */
const gone = [/status of (404|410)/];

scene("A session that finishes shows how it ended, and takes nothing more", { troubles: gone }, async ({ server, visit }) => {
  const view = await visit(await server.session("gallery"));
  await view.send("end");
  await view.device.says(/ended/i);
  await view.device.says("seen it all");
  await view.connection.says("ended");
  assert.ok(!(await view.button("echo").exists()), "nothing is offered any more");
});

scene("A session that someone else ends says so", { troubles: gone }, async ({ server, visit }) => {
  const session = await server.session("gallery");
  const view = await visit(session);
  await server.ask("DELETE", `/sessions/${session}`);
  await view.device.says(/ended/i);
  await view.connection.says("ended");
});

scene("A session that has ended before says so", { troubles: gone }, async ({ server, page }) => {
  const session = await server.session("gallery");
  await server.ask("DELETE", `/sessions/${session}`);
  await page.open(`${server.url}/#/sessions/${session}`);
  await page.get("region", "Device").says(/ended/i);
});

scene("A session that never was is missing", { troubles: gone }, async ({ server, page }) => {
  await page.open(`${server.url}/#/sessions/${"0".repeat(32)}`);
  await page.get("region", "Device").says(/missing|no such session|no session/i);
});

scene("An address that is no id at all is missing, too", { troubles: gone }, async ({ server, page }) => {
  await page.open(`${server.url}/#/sessions/${encodeURIComponent("<b>%2e%2e/..</b>")}`);
  await page.get("region", "Device").says(/missing|no such session|no session/i);
});

scene("The list ends a session", {}, async ({ server, page }) => {
  const session = await server.session("gallery");
  await page.open(`${server.url}/#/`);
  await page.get("link", session.slice(0, 8)).appears();
  await page.get("button", `End session ${session.slice(0, 8)}`).click();
  await page.get("link", session.slice(0, 8)).disappears();
  await assert.rejects(server.ask("GET", `/sessions/${session}`), /410/);
});

test("A session that has expired says so, and one that is looked at does not expire", { skip: missing("gallery"), timeout: 60_000 }, async () => {
  const [browser, server] = await Promise.all([
    Browser.start(),
    Server.start("gallery", ["--expire-after", "1s"]),
  ]);
  try {
    const page = await browser.page();
    await logIn(page, server);
    const [watched, forgotten] = [await server.session("gallery"), await server.session("gallery")];
    await page.open(`${server.url}/#/sessions/${watched}`);
    await page.get("status", "Connection").says("live");
    // The list is no use of a session, and puts nothing off.
    while ((await server.ask("GET", "/admin/sessions")).live > 1);
    await page.get("status", "Connection").says("live");
    await page.open(`${server.url}/#/sessions/${forgotten}`);
    await page.get("region", "Device").says(/expired/i);
    await page.get("status", "Connection").says("ended");
    page.troubles.expectOnly(gone);
  } finally {
    await Promise.all([browser.close(), server.close()]);
  }
});
