import assert from "node:assert/strict";
import { stage } from "./support/stage.js";

const samples = stage();
const gallery = stage({ program: "gallery" });

gallery("Work that is under way is drawn with the coordinator that waits for it", {}, async ({ server, visit }) => {
  const session = await server.session("gallery");
  const view = await visit(session);
  await server.ask("POST", `/sessions/${session}/events`, { event: "leak" });
  await view.send("rest");
  await view.coordinators.get("treeitem", /^GalleryCoordinator: menu 1, waits for rest$/).appears();
  await server.send(session, { event: "wake" });
  await view.coordinators.get("treeitem", /^GalleryCoordinator: menu 1, rested \d+$/).appears();
});

gallery("A node that has more to say than it can hold says how much, and all of it to who points at it", {}, async ({ server, page, visit }) => {
  const session = await server.session("gallery");
  await server.send(session, { event: { deep: { count: 9 } } });
  const view = await visit(session);
  const node = view.coordinators.get("treeitem", /^GalleryCoordinator/);
  assert.match(await (await node.one()).text(), /and 7 more/);
  await (await node.one()).focus();
  await view.coordinators.says("menu 1, step 2, step 3, step 4");
});

/** @this {HTMLElement} How far its tree is scrolled. */
function scrolled() {
  return this.querySelector(".trees").scrollTop;
}

samples("An event leaves the tree where it was scrolled to", { look: { width: 1366, height: 700 } }, async ({ server, page, visit }) => {
  const session = await server.session("sooda", { launch: { home: { workspaceID: 7 } } });
  await server.send(session, { event: "done" });
  await server.send(session, { event: "exploreChannels" });
  const view = await visit(session);
  await view.shows({ figures: { live: 7 } });
  const region = await view.coordinators.one();
  await region.call(function () { this.querySelector(".trees").scrollTop = 9; });
  const before = await region.call(scrolled);
  assert.ok(before > 0, "the tree is higher than its place");
  await view.send("openChannel");
  await view.coordinators.get("treeitem", /channelChat/).appears();
  assert.equal(await region.call(scrolled), before);
});

samples("Where the tree finds no room it is an outline, and no wider than the window", { look: { width: 360, height: 740 } }, async ({ server, visit }) => {
  const session = await server.session("sooda", { launch: { home: { workspaceID: 7 } } });
  await server.send(session, { event: "done" });
  const view = await visit(session);
  await view.shows({ tree: "App→[TabBar→[HomeDefault, DM, Search, Setting]]" });
  const width = await (await view.coordinators.one()).call(function () { return this.querySelector("svg").getBoundingClientRect().width; });
  assert.ok(width <= 330, `${width} pixels`);
});
