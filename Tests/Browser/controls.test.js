import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { accessibilityFaults } from "./support/accessibility.js";
import { stage } from "./support/stage.js";

const scene = stage(), guarded = stage({ options: ["--session-access", "token"] });

scene("The page backs up the journal after a confirmation", {}, async ({ server, page }) => {
  await server.session("tudy");
  await page.open(`${server.url}/#/server`);
  await page.get("button", "Back up the journal …").click();
  const dialog = page.get("dialog", "Back up the journal?");
  const faults = await accessibilityFaults(page);
  assert.ok(faults.length === 0, `${faults.length} findings:\n${faults.join("\n")}`);
  await dialog.get("button", "Back it up").click();
  await dialog.get("status").says(/^The copy is \S+, [\d.]+ [KM]?i?B\.$/);
  const [, path] = (await dialog.get("status").text()).match(/^The copy is (\S+),/);
  assert.ok(existsSync(path), path);
  await dialog.get("button", "Close").click();
  await dialog.disappears();
});

scene("The page makes no backup without a confirmation", {}, async ({ server, page }) => {
  await page.open(`${server.url}/#/server`);
  await page.get("button", "Back up the journal …").click();
  await page.get("dialog", "Back up the journal?").get("button", "Cancel").click();
  await page.get("dialog").disappears();
  assert.ok(!page.network.exchanges.some(({ url }) => url.endsWith("/admin/backup")));
});

scene("The page confirms a release", {}, async ({ server, page }) => {
  await page.open(`${server.url}/#/server`);
  await page.get("button", "Confirm the release …").click();
  const dialog = page.get("dialog", "Confirm the release of this build?");
  await dialog.get("button", "Confirm it").click();
  await dialog.get("status").says("release is confirmed");
});

guarded("Support issues a new token for a user, and the old token no longer opens the session", {}, async ({ server, page, visit }) => {
  const { session, token: old } = await server.ask("POST", "/admin/sessions", { app: "tudy" }), view = await visit(session);
  await view.device.get("button", "New token …").click();
  const dialog = page.get("dialog", "Issue a new token?");
  const faults = await accessibilityFaults(page);
  assert.ok(faults.length === 0, `${faults.length} findings:\n${faults.join("\n")}`);
  await dialog.get("button", "Issue a new token").click();
  await dialog.get("status").says(/^The new token: \S{20,}$/);
  const token = (await dialog.get("status").text()).replace("The new token: ", "");
  const status = async (headers) => (await fetch(`${server.url}/sessions/${session}`, { headers })).status;
  assert.equal(await status({ authorization: `Bearer ${old}` }), 403);
  assert.equal(await status({ authorization: `Bearer ${token}` }), 200);
});
