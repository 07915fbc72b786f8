import assert from "node:assert/strict";
import { test } from "node:test";
import { Browser } from "./support/browser.js";
import { Server, missing } from "./support/server.js";
import { SessionView } from "./support/session-view.js";
import { logIn, stage } from "./support/stage.js";

const samples = stage();
const gallery = stage({ program: "gallery" });

gallery("Pending work is drawn with the coordinator that waits for it", {}, async ({ server, visit }) => {
  const session = await server.session("gallery");
  const view = await visit(session);
  await server.ask("POST", `/sessions/${session}/events`, { event: "leak" });
  await view.send("rest");
  await view.coordinators.get("treeitem", /^GalleryCoordinator: menu 1, waits for rest$/).appears();
  await server.send(session, { event: "wake" });
  await view.coordinators.get("treeitem", /^GalleryCoordinator: menu 1, rested \d+$/).appears();
});

gallery("A node shows how many entries it has no room for, and lists all of them under the pointer", {}, async ({ server, page, visit }) => {
  const session = await server.session("gallery");
  await server.send(session, { event: { deep: { count: 9 } } });
  const view = await visit(session);
  const node = view.coordinators.get("treeitem", /^GalleryCoordinator/);
  assert.match(await (await node.one()).text(), /and 7 more/);
  await (await node.one()).focus();
  await view.coordinators.says("menu 1, step 2, step 3, step 4");
});

samples("The description below the tree disappears with its coordinator", {}, async ({ server, page, visit }) => {
  const session = await server.session("tudy");
  await server.send(session, { event: "showLogin" });
  const view = await visit(session);
  const child = view.coordinators.get("treeitem", /^LoginCoordinator/);
  const { x, y, width, height } = await (await child.one()).box();
  await page.mouse.move({ x: x + width / 2, y: y + height / 2 });
  const detail = () => page.evaluate(() => document.querySelector(".coordinators .detail").textContent);
  await page.until(async () => /^LoginCoordinator/.test(await detail()), "the coordinator is told");
  await server.send(session, { event: "close" });
  await child.disappears();
  await page.becomes(async () => /LoginCoordinator/.test(await detail()), false);
});

test("The page does not show a hibernated session as in memory", { skip: missing("usher"), timeout: 60_000 }, async () => {
  const [browser, server] = await Promise.all([Browser.start(), Server.start("usher", ["--idle-after", "1s"])]);
  try {
    const session = await server.session("tudy");
    const page = await browser.page();
    await logIn(page, server);
    await page.open(`${server.url}/#/sessions/${session}`);
    const view = new SessionView(page, session);
    await view.isThere();
    await view.coordinators.get("status").says(/^4 coordinators have left memory/);
    await view.shows({ figures: { live: 0, created: 4, finished: 0, reclaimed: 0 } });
    await view.send("showSearch");
    await view.shows({ cards: ["home", "search"], figures: { live: 4 } });
    page.troubles.expectOnly([]);
  } finally {
    await Promise.all([browser.close(), server.close()]);
  }
});

/** @this {HTMLElement} Returns how far the tree is scrolled. */
function scrolled() {
  return this.querySelector(".trees").scrollTop;
}

samples("An event keeps the tree's scroll position", { look: { width: 1366, height: 700 } }, async ({ server, page, visit }) => {
  const session = await server.session("sooda", { launch: { home: { workspaceID: 7 } } });
  await server.send(session, { event: "done" });
  await server.send(session, { event: "exploreChannels" });
  const view = await visit(session);
  await view.shows({ figures: { live: 7 } });
  const region = await view.coordinators.one();
  await region.call(function () {
    const place = this.querySelector(".trees");
    place.style.maxHeight = "9rem";
    place.scrollTop = 9;
  });
  const before = await region.call(scrolled);
  assert.ok(before > 0, "the tree is higher than its place");
  await view.send("openChannel");
  await view.coordinators.get("treeitem", /channelChat/).appears();
  assert.equal(await region.call(scrolled), before);
});

samples("A tree without enough room is an outline that fits the window", { look: { width: 360, height: 740 } }, async ({ server, visit }) => {
  const session = await server.session("sooda", { launch: { home: { workspaceID: 7 } } });
  await server.send(session, { event: "done" });
  const view = await visit(session);
  await view.shows({ tree: "App→[TabBar→[HomeDefault, DM, Search, Setting]]" });
  const width = await (await view.coordinators.one()).call(function () { return this.querySelector("svg").getBoundingClientRect().width; });
  assert.ok(width <= 330, `${width} pixels`);
});
