import assert from "node:assert/strict";
import { accessibilityFaults } from "./support/accessibility.js";
import { operatorToken } from "./support/server.js";
import { stage } from "./support/stage.js";

const scene = stage();
const guarded = stage({ options: ["--session-access", "token"] });
/** The browser's own messages if no server responds. */
const unreachable = [/ERR_CONNECTION|ERR_INCOMPLETE|ERR_EMPTY|status of (401|503)/];

/** Logs in again after a login has ended. */
async function logInAgain(page, token) {
  const form = page.get("form", "Log in");
  await form.appears();
  await form.get("textbox", "Admin token").fill(token);
  await form.get("button", "Log in").click();
  await form.disappears();
}

scene("The page reconnects after a restart of the server", { troubles: unreachable }, async ({ server, page, visit }) => {
  const session = await server.session("tudy");
  const view = await visit(session);
  await page.evaluate(() => (window.isSamePage = true));
  await view.send("showLogin");
  await view.shows({ cards: ["home", "login"] });
  await view.connection.says("live");
  await server.stop();
  await view.connection.says(/reconnecting|server unreachable/);
  await view.connection.says("server unreachable");
  await server.restart();
  await view.connection.says("live");
  await view.shows({ cards: ["home", "login"], tree: "App→[TabBar→[Home, Chat, Login]]" });
  await view.send("close");
  await view.shows({ cards: ["home"], tree: "App→[TabBar→[Home, Chat]]", figures: { live: 4, leaked: 0 } });
  await server.send(session, { event: "showSearch" });
  await view.shows({ cards: ["home", "search"] });
  assert.ok(await page.evaluate(() => window.isSamePage), "the page was not loaded anew");
});

scene("An input that is sent while the server is down is marked as waiting, and is handled once", { troubles: unreachable }, async (given) => {
  const { server, page, visit } = given;
  const session = await server.session("tudy");
  const view = await visit(session);
  await server.stop();
  await view.connection.says("server unreachable");
  try {
    await view.send("showSearch");
    await view.device.get("alert").appears();
  } finally {
    await server.restart();
  }
  await view.connection.says("live");
  await view.shows({ cards: ["home", "search"] });
  assert.equal((await server.ask("GET", `/sessions/${session}`)).revision, 2);
  await page.becomes(() => view.device.get("alert").exists(), false, "what was refused once is not said for ever");
});

/** The figures that a page must not show for a session that continues. */
const living = { live: 4, created: 4, finished: 0, reclaimed: 0, leaked: 0 };

guarded("When the operator's login ends, the page does not draw the session as reclaimed", { troubles: unreachable }, async ({ server, page, visit }) => {
  const session = await server.session("tudy");
  const view = await visit(session);
  await view.shows({ cards: ["home"], figures: living });
  await page.get("button", "Log out").appears();
  await server.stop();
  server.token = "another-token-of-the-operator";
  try {
    await server.restart();
    await page.get("form", "Log in").says(/You are logged out/);
    await view.connection.says("logged out");
    await view.device.says(/Logged out: this view is from \d\d:\d\d:\d\d; the session itself continues\./);
    await view.coordinators.says(/Coordinators as of \d\d:\d\d:\d\d/);
    await view.shows({ cards: ["home"], figures: living });
    assert.doesNotMatch(await view.memory.text(), /at the end|Coordinators live 0/);
    assert.doesNotMatch(await view.device.text(), /Ended/);
    await view.button("showSearch").disappears();
    assert.deepEqual(await accessibilityFaults(page), []);
    assert.equal((await server.ask("GET", `/admin/sessions/${session}`)).revision, 1, "the session lives all the while");
    await logInAgain(page, server.token);
    await view.connection.says("live");
    await view.shows({ cards: ["home"], figures: living });
  } finally {
    server.token = operatorToken;
    await server.stop();
    await server.restart();
  }
});

guarded("A login survives a restart of the server, so the page continues a session that needs a token", { troubles: unreachable }, async (given) => {
  const { server, page, visit } = given;
  const session = await server.session("tudy");
  const view = await visit(session);
  await view.shows({ cards: ["home"], tree: "App→[TabBar→[Home, Chat]]" });
  await server.stop();
  await view.connection.says("server unreachable");
  await server.restart();
  await view.connection.says("live");
  assert.ok(!(await page.get("form", "Log in").exists()));
  await view.send("showSearch");
  await view.shows({ cards: ["home", "search"], tree: "App→[TabBar→[Home, Chat]]" });
});

guarded("After a deploy, the session that the page shows continues, and nothing is drawn as reclaimed", { troubles: unreachable }, async ({ server, visit, page }) => {
  const session = await server.session("tudy");
  const view = await visit(session);
  await view.shows({ cards: ["home"], figures: living });
  await server.replace();
  await view.send("showSearch");
  await view.shows({ cards: ["home", "search"], figures: living });
  await view.connection.says("live");
  assert.ok(!(await page.get("form", "Log in").exists()));
  assert.doesNotMatch(await view.memory.text(), /at the end|Coordinators live 0/);
});

scene("The list recovers after a restart of the server", { troubles: unreachable }, async ({ server, page }) => {
  const session = await server.session("notes");
  await page.open(`${server.url}/#/`);
  await page.get("link", session.slice(0, 8)).appears();
  await server.stop();
  await page.get("status", "Connection").says("server unreachable");
  await server.restart();
  await page.get("status", "Connection").says("live");
  const other = await server.session("notes");
  await page.get("link", other.slice(0, 8)).appears();
});
