import assert from "node:assert/strict";
import { Browser } from "./support/browser.js";
import { Server, missing } from "./support/server.js";
import { logIn, stage } from "./support/stage.js";
import { test } from "node:test";

const scene = stage({ program: "gallery" });
const guarded = stage({ program: "gallery", options: ["--session-access", "token"] });
/** The browser's own messages about error responses. */
const gone = [/status of (404|410)/];

scene("When a session finishes, the page shows how it ended and offers no more inputs", { troubles: gone }, async ({ server, visit }) => {
  const view = await visit(await server.session("gallery"));
  await view.send("end");
  await view.device.says(/ended/i);
  await view.device.says("seen it all");
  await view.connection.says("ended");
  assert.ok(!(await view.button("echo").exists()), "nothing is offered any more");
});

scene("The page shows that another client ended the session", { troubles: gone }, async ({ server, visit }) => {
  const session = await server.session("gallery");
  const view = await visit(session);
  await server.ask("DELETE", `/sessions/${session}`);
  await view.device.says(/ended/i);
  await view.connection.says("ended");
});

scene("The page shows that a session had already ended", { troubles: gone }, async ({ server, page }) => {
  const session = await server.session("gallery");
  await server.ask("DELETE", `/sessions/${session}`);
  await page.open(`${server.url}/#/sessions/${session}`);
  await page.get("region", "Device").says(/ended/i);
});

scene("The page shows that a session does not exist", { troubles: gone }, async ({ server, page }) => {
  await page.open(`${server.url}/#/sessions/${"0".repeat(32)}`);
  await page.get("region", "Device").says(/missing|no such session|no session/i);
});

scene("The page shows that an address with a malformed id has no session", { troubles: gone }, async ({ server, page }) => {
  await page.open(`${server.url}/#/sessions/${encodeURIComponent("<b>%2e%2e/..</b>")}`);
  await page.get("region", "Device").says(/missing|no such session|no session/i);
});

scene("A session's page ends the session after a confirmation", { troubles: gone }, async ({ server, page, visit }) => {
  const session = await server.session("gallery");
  const view = await visit(session);
  const dialog = page.get("dialog", /^End this session of gallery/);
  await view.device.get("button", "End session …").click();
  await dialog.says(/its history is deleted at once.*You cannot undo that/);
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Keep it");
  await dialog.get("button", "Keep it").click();
  await dialog.disappears();
  assert.equal((await server.ask("GET", `/sessions/${session}`)).revision, 1);
  await view.device.get("button", "End session …").click();
  await dialog.get("button", "End it").click();
  await view.device.says(/ended/i);
  await dialog.disappears();
  await assert.rejects(server.ask("GET", `/sessions/${session}`), /410/);
});

scene("The page offers to export a session before it ends the session", { troubles: gone }, async ({ server, page, visit }) => {
  const session = await server.session("gallery");
  const view = await visit(session);
  await view.send("echo", { text: "kept" });
  await view.memory.says(/Coordinators live 1/);
  await view.device.get("button", "End session …").click();
  await page.get("dialog", /^End this session/).get("button", "Export first …").click();
  const exports = page.get("dialog", "Export up to revision 2");
  await exports.get("button", "JSON").click();
  await exports.get("group", "Export").says(/kept/);
  await exports.get("button", "Close").click();
  await page.get("dialog", /^End this session/).get("button", "End it").click();
  await view.device.says(/ended/i);
  await assert.rejects(server.ask("GET", `/admin/sessions/${session}/journal`), /4\d\d/);
});

scene("The Tab key reaches the button for ending the session after all other controls", {}, async ({ server, page, visit }) => {
  await visit(await server.session("gallery"));
  await page.evaluate(() => document.querySelector("main").focus());
  const passed = [];
  while (passed.at(-1) !== "End session …" && passed.length < 60) {
    await page.keyboard.press("Tab");
    passed.push(await page.evaluate(() => document.activeElement.textContent.trim()));
  }
  const end = passed.indexOf("End session …");
  for (const name of ["echo", "end", "Back", "Pull down"]) assert.ok(passed.indexOf(name) >= 0 && passed.indexOf(name) < end, `${name} in ${passed}`);
});

scene("The page of a deleted session offers only the start that the 410 answer names", { troubles: gone }, async ({ server, page }) => {
  const session = await server.session("gallery");
  await server.ask("DELETE", `/sessions/${session}`);
  await page.open(`${server.url}/#/sessions/${session}`);
  const device = page.get("region", "Device");
  const again = device.get("button", "Open another gallery");
  await again.appears();
  await page.get("region", "Journal").get("slider", "Revision").appears();
  for (const part of ["Device", "Journal"]) {
    for (const control of [...(await page.get("region", part).get("button").all()), ...(await page.get("region", part).get("slider").all())]) {
      assert.equal(control.isDisabled, control.name !== "Open another gallery", control.name);
    }
  }
  await device.get("link", "All sessions").appears();
  await again.click();
  await device.get("article", /^menu/).appears();
  assert.notEqual(await page.evaluate(() => location.hash), `#/sessions/${session}`);
});

/** Opens a session as a visitor's page does; a cookie contains the token. */
async function openWithCookie() {
  const body = JSON.stringify({ app: "gallery", cookie: true });
  const answer = await fetch("/sessions", { method: "POST", headers: { "Content-Type": "application/json" }, body });
  return (await answer.json()).session;
}

guarded("A user who is not logged in can open another session after a session has ended", { isStranger: true, troubles: gone }, async ({ server, page }) => {
  await page.open(`${server.url}/`);
  const session = await page.evaluate(openWithCookie);
  await page.open(`${server.url}/#/sessions/${session}`);
  const device = page.get("region", "Device");
  await device.get("button", "end").click();
  await device.get("button", "Open another gallery").click();
  await device.get("article", /^menu/).appears();
  await page.get("status", "Connection").says("live");
  assert.notEqual(await page.evaluate(() => location.hash), `#/sessions/${session}`);
});

scene("The page shows nothing as live after a session's end", { troubles: gone }, async ({ server, visit }) => {
  const session = await server.session("gallery");
  const view = await visit(session);
  await view.memory.says(/Coordinators live 1/);
  await server.ask("DELETE", `/sessions/${session}`);
  await view.shows({ figures: { live: 0, created: 1, finished: 1 } });
  await view.memory.says(/at the end[^]*Coordinators live 0/);
  await view.coordinators.says("No coordinator is in memory.");
});

test("The page shows that a session has expired, and an operator who looks at the session does not delay its expiry", { skip: missing("gallery"), timeout: 60_000 }, async () => {
  const [browser, server] = await Promise.all([
    Browser.start(),
    Server.start("gallery", ["--expire-after", "1s"]),
  ]);
  try {
    const page = await browser.page();
    await logIn(page, server);
    const used = await server.session("gallery");
    // Only a client's use postpones the session's expiry.
    const asking = setInterval(() => server.ask("GET", `/sessions/${used}`).catch(() => {}), 200);
    try {
      await page.open(`${server.url}/#/sessions/${used}`);
      await page.get("status", "Connection").says("live");
      const forgotten = await server.session("gallery");
      while ((await server.ask("GET", "/admin/sessions")).live > 1) await server.ask("GET", `/admin/sessions/${forgotten}`).catch(() => {});
      await page.get("status", "Connection").says("live");
    } finally {
      clearInterval(asking);
    }
    await page.get("region", "Device").says(/expired/i);
    await page.get("status", "Connection").says("ended");
    page.troubles.expectOnly(gone);
  } finally {
    await Promise.all([browser.close(), server.close()]);
  }
});
