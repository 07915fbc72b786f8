import assert from "node:assert/strict";
import { accessibilityFaults } from "./support/accessibility.js";
import { stage } from "./support/stage.js";

const samples = stage();
const gallery = stage({ program: "gallery" });
const refused = [/status of (409|412|422)/];

/** Opens a session of tudy at revision 5: a search, back, a login, and back again. */
async function walked(server) {
  const session = await server.session("tudy");
  for (const event of [{ event: "showSearch" }, { back: true }, { event: "showLogin" }, { event: "close" }]) await server.send(session, event);
  return session;
}

const address = (page) => page.evaluate(() => location.hash);

samples("The page lists each revision's changes, and the coordinators that the revision created and finished", {}, async ({ server, page, visit }) => {
  const session = await walked(server);
  const view = await visit(session);
  await view.inspect("Changed");
  const changed = view.inspector.get("group", "What changed");
  await changed.says(/after revision 4[^]*finished LoginCoordinator/);
  await page.keyboard.choose("j");
  await changed.says(/after revision 3[^]*present 4[^]*created LoginCoordinator/);
  await view.inspect("Tree");
  await view.coordinators.get("treeitem", /^LoginCoordinator, created here/).appears();
  await page.becomes(() => address(page), `#/sessions/${session}?revision=4`);
});

samples("The tree of an earlier revision draws coordinators that have finished since as ghosts", {}, async ({ server, page, visit }) => {
  const session = await walked(server);
  await server.send(session, { event: "showSearch" });
  const view = await visit(session);
  await view.shows({ cards: ["home", "search"] });
  await page.keyboard.choose("j");
  await view.shows({ cards: ["home"] });
  await view.coordinators.get("treeitem", "LoginCoordinator: finished here").appears();
  await page.keyboard.choose("k");
  await view.shows({ tree: "App→[TabBar→[Home, Chat]]" });
});

samples("When a member of a screen's state has changed, the inspector shows the old and the new value", {}, async ({ server, page, visit }) => {
  const session = await server.session("notes");
  const view = await visit(session);
  const { stack } = await server.ask("GET", `/sessions/${session}`);
  await server.send(session, { event: { [Object.keys(stack.at(-1).events)[0]]: Object.values(stack.at(-1).events)[0] } });
  await view.inspect("Changed");
  await view.inspector.get("group", "What changed").says(/after revision 1/);
  await page.until(async () => (await view.inspector.get("group", "What changed").text()).split("\n").length > 1, "there is more than the time");
});

samples("The player steps through the revisions up to the newest", {}, async ({ server, page, visit }) => {
  const view = await visit(await walked(server));
  await view.journal.get("button", "Play").click();
  await view.device.says(/Revision [1-4] of 5/);
  // At the newest revision, the player stops by itself.
  await view.journal.get("button", "Play").appears();
  await view.shows({ cards: ["home"], figures: { live: 4, finished: 1 } });
  await page.becomes(async () => Number(await view.journal.get("slider", "Revision").value()), 5);
});

samples("The page's address names the revision, and an address with an unknown revision shows the newest", {}, async ({ server, page, visit }) => {
  const session = await walked(server);
  await page.open(`${server.url}/#/sessions/${session}?revision=4`);
  await page.get("region", "Device").says("Revision 4 of 5");
  await page.evaluate((id) => { location.hash = `#/sessions/${id}?revision=2`; }, session);
  await page.get("region", "Device").says("Revision 2 of 5");
  await page.evaluate((id) => { location.hash = `#/sessions/${id}?revision=77`; }, session);
  await page.becomes(() => address(page), `#/sessions/${session}`);
});

gallery("The journal shows each refused input with its content and the reason", { troubles: refused }, async ({ server, page, visit }) => {
  const session = await server.session("gallery");
  await server.send(session, { event: "fly" }).catch(() => {});
  const view = await visit(session);
  await view.journal.get("button", /^refused 422 fly$/).appears();
  await view.send("refuse");
  await view.journal.get("button", /^refused 422 refuse$/).click();
  await view.inspector.says(/Refused: 422[^]*closed on Mondays/);
  await view.inspect("Changed");
  await view.inspector.get("group", "What changed").says("Nothing changed, because the input was refused.");
  await view.inspect("Raw");
  await view.inspector.says(/"refuse"/);
  await view.shows({ cards: ["menu"] });
  const faults = await accessibilityFaults(page);
  assert.ok(faults.length === 0, `${faults.length} findings:\n${faults.join("\n")}`);
  await view.journal.get("button", /^1 open gallery$/).click();
  await view.inspector.get("heading", "Revision 1").appears();
});

samples("The journal shows the names of effects", {}, async ({ server, visit }) => {
  const session = await server.session("tudy");
  await server.send(session, { event: "showLogin" });
  await server.send(session, { event: { login: { name: "kim", password: "usher" } } });
  const view = await visit(session);
  await view.journal.get("button", /^4 result of signIn$/).appears();
});

// The check covers both color schemes.
for (const [width, height] of [[360, 740], [768, 1024], [1440, 900]]) {
  samples(`An earlier revision with its changes is accessible at ${width} pixels`, { look: { width, height } }, async ({ server, page }) => {
    const session = await walked(server);
    await server.send(session, { event: "fly" }).catch(() => {});
    await page.open(`${server.url}/#/sessions/${session}?revision=4&view=changed`);
    await page.get("region", "Inspector").get("group", "What changed").says(/created LoginCoordinator/);
    const faults = await accessibilityFaults(page);
    assert.ok(faults.length === 0, `${faults.length} findings:\n${faults.join("\n")}`);
  });
}
