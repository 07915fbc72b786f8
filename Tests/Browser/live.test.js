import assert from "node:assert/strict";
import { stage } from "./support/stage.js";

const scene = stage();

scene("The page shows another client's events without a reload", {}, async ({ server, page, visit }) => {
  const session = await server.session("tudy");
  const view = await visit(session);
  await view.connection.says("live");
  await page.evaluate(() => (window.isSamePage = true));
  await server.send(session, { event: "showLogin" });
  await view.shows({ cards: ["home", "login"], tree: "App→[TabBar→[Home, Chat, Login]]", figures: { live: 5 } });
  await server.send(session, { event: "close" });
  await view.shows({ cards: ["home"], tree: "App→[TabBar→[Home, Chat]]", figures: { live: 4, finished: 1 } });
  assert.ok(await page.evaluate(() => window.isSamePage), "the page was not loaded anew");
});

scene("A hidden page closes its stream, and is up to date once it is visible", {}, async ({ server, page, visit }) => {
  const session = await server.session("tudy");
  const view = await visit(session);
  await view.connection.says("live");
  const look = (visibility) => {
    Object.defineProperty(document, "visibilityState", { value: visibility, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  };
  const streams = () => page.network.exchanges.filter(({ url, done }) => url.endsWith("/stream") && !done).length;
  assert.equal(streams(), 1);
  await page.evaluate(look, "hidden");
  await view.connection.says("hidden");
  await page.until(() => streams() === 0, "the stream is closed");
  await server.send(session, { event: "showLogin" });
  await page.evaluate(look, "visible");
  await view.connection.says("live");
  await view.shows({ cards: ["home", "login"] });
});

scene("The page catches up with many events of another client", {}, async ({ server, visit }) => {
  const session = await server.session("start-login-main");
  const view = await visit(session);
  for (let time = 0; time < 100; time++) {
    await server.send(session, { event: "startApp" });
    await server.send(session, { back: true });
  }
  await server.send(session, { event: "startApp" });
  await view.shows({
    cards: ["start", "login"],
    tree: "App→[Start→[Login]]",
    figures: { live: 3, created: 103, finished: 100, leaked: 0 },
  });
});

scene("The tree draws a new coordinator, and a coordinator that finishes fades out and is counted", { look: { motion: true } }, async (given) => {
  const view = await given.visit(await given.server.session("tudy"));
  await view.send("showLogin");
  await view.shows({ tree: "App→[TabBar→[Home, Chat, Login]]", figures: { reclaimed: 0 } });
  await view.send("close");
  await view.shows({ cards: ["home"], tree: "App→[TabBar→[Home, Chat]]", figures: { reclaimed: 1 } });
  const drawn = async () => (await view.coordinators.one()).call(countOfRectangles);
  await given.page.becomes(drawn, 4, "what has faded out is gone in the end");
});

/** @this {HTMLElement} */
function countOfRectangles() {
  return this.querySelectorAll("svg[role=tree] rect").length;
}

scene("The list shows sessions that other clients open, use and end", {}, async ({ server, page }) => {
  await page.open(`${server.url}/#/`);
  await page.get("heading", "Sessions").appears();
  const session = await server.session("notes");
  const link = page.get("link", session.slice(0, 8));
  await link.appears();
  await server.ask("DELETE", `/sessions/${session}`);
  await link.disappears();
});
