import assert from "node:assert/strict";
import { SessionView } from "./support/session-view.js";
import { stage } from "./support/stage.js";

const scene = stage();
const base = "App→[TabBar→[Home, Chat]]";

/** Opens a session of tudy at revision 5: a search, back, a login, and back again. */
async function walked(server) {
  const session = await server.session("tudy");
  for (const event of [{ event: "showSearch" }, { back: true }, { event: "showLogin" }, { event: "close" }]) {
    await server.send(session, event);
  }
  return session;
}

/** Moves the slider with the arrow keys. */
async function travel(view, revision) {
  const slider = view.journal.get("slider", "Revision");
  await view.page.until(async () => (await (await slider.one()).call(sliderMaximum)) === 5, "the line reaches revision 5");
  await (await slider.one()).focus();
  const now = Number(await slider.value());
  for (let step = now; step > revision; step--) await view.page.keyboard.press("ArrowLeft");
  for (let step = now; step < revision; step++) await view.page.keyboard.press("ArrowRight");
  assert.equal(Number(await slider.value()), revision);
}

/** @this {HTMLInputElement} */
function sliderMaximum() {
  return Number(this.max);
}

scene("The slider shows the device and the tree of a revision", {}, async ({ server, visit }) => {
  const view = await visit(await walked(server));
  await view.shows({ cards: ["home"], tree: base, figures: { live: 4, finished: 1 } });
  await travel(view, 4);
  await view.shows({
    cards: ["home", "login"],
    tree: "App→[TabBar→[Home, Chat, Login]]",
    figures: { live: 5, created: 5, finished: 0 },
  });
  await travel(view, 2);
  await view.shows({ cards: ["home", "search"], tree: base, figures: { live: 4, created: 4, finished: 0 } });
});

scene("The slider can be dragged", {}, async ({ server, page, visit }) => {
  const view = await visit(await walked(server));
  const slider = view.journal.get("slider", "Revision");
  await page.until(async () => (await (await slider.one()).call(sliderMaximum)) === 5, "the line reaches revision 5");
  await (await slider.one()).call(function () {
    this.scrollIntoView({ block: "center" });
  });
  const { x, y, width, height } = await (await slider.one()).box();
  await page.mouse.drag({ x: x + width - 8, y: y + height / 2 }, { x: x + 2, y: y + height / 2 });
  await page.becomes(async () => Number(await slider.value()), 1);
  await view.shows({ cards: ["home"], tree: base, figures: { finished: 0 } });
});

scene("An old revision is read-only, and the page shows that", {}, async ({ server, visit }) => {
  const session = await walked(server);
  const view = await visit(session);
  await travel(view, 4);
  await view.shows({ cards: ["home", "login"] });
  await view.device.says(/read-only/i);
  for (const button of await view.device.get("button").all()) assert.ok(button.isDisabled, `${button.name} is disabled`);
  for (const tab of await view.device.get("tab").all()) assert.ok(tab.isDisabled, `${tab.name} is disabled`);
  assert.equal((await server.ask("GET", `/sessions/${session}`)).revision, 5);
});

scene("A button returns to the newest revision", {}, async ({ server, visit }) => {
  const view = await visit(await walked(server));
  await travel(view, 4);
  await view.shows({ cards: ["home", "login"] });
  await view.journal.get("button", "Return to now").click();
  await view.shows({ cards: ["home"], tree: base, figures: { live: 4, finished: 1 } });
  await view.send("showSearch");
  await view.shows({ cards: ["home", "search"] });
});

scene("A fork begins at the revision that the page shows, and does not change the original session", {}, async ({ server, page, visit }) => {
  const session = await walked(server);
  const view = await visit(session);
  await travel(view, 4);
  await view.shows({ cards: ["home", "login"] });
  await view.journal.get("button", "Fork here").click();
  const address = () => page.evaluate(() => location.hash);
  await page.until(async () => (await address()) !== `#/sessions/${session}`, "another session is shown");
  const fork = new SessionView(page, (await address()).replace("#/sessions/", "").replace(/\?.*/, ""));
  await fork.isThere();
  await fork.shows({ cards: ["home", "login"], tree: "App→[TabBar→[Home, Chat, Login]]" });
  await fork.send("close");
  await fork.shows({ cards: ["home"], tree: base });
  assert.equal((await server.ask("GET", `/sessions/${session}`)).revision, 5);
  assert.equal((await server.ask("GET", `/sessions/${fork.session}`)).revision, 5);
});

scene("While the page shows an earlier revision, other clients' inputs do not change the view", {}, async ({ server, visit }) => {
  const session = await walked(server);
  const view = await visit(session);
  await travel(view, 4);
  await view.shows({ cards: ["home", "login"] });
  await server.send(session, { event: "showSearch" });
  await view.page.becomes(
    async () => (await view.journal.get("slider", "Revision").one()).call(sliderMaximum),
    6,
    "the line grows meanwhile",
  );
  await view.shows({ cards: ["home", "login"] });
  await view.journal.get("button", "Return to now").click();
  await view.shows({ cards: ["home", "search"] });
});

scene("A journal entry shows its JSON and a command that repeats it", {}, async ({ server, visit }) => {
  const session = await walked(server);
  const view = await visit(session);
  await travel(view, 4);
  await view.inspect("Raw");
  await view.inspector.says(/"showLogin"/);
  await view.inspector.get("button", "Copy as curl").click();
  await view.inspector.says(/curl/);
  await view.inspector.says(`/sessions/${session}/events`);
});

scene("The journal scrolls to the revision that the page shows", {}, async ({ server, visit }) => {
  const session = await server.session("tudy");
  for (let step = 0; step < 60; step++) await server.send(session, step % 2 ? { event: "close" } : { event: "showLogin" });
  const view = await visit(session);
  const seen = () => view.page.evaluate(() => {
    const chosen = document.querySelector(".inputs [aria-current]"), table = document.querySelector(".inputs-window");
    if (!chosen || !table) return "nothing";
    const [item, window] = [chosen.getBoundingClientRect(), table.getBoundingClientRect()];
    return item.top >= window.top - 1 && item.bottom <= window.bottom + 1 ? chosen.textContent.trim() : "out of view";
  });
  await view.page.becomes(seen, "61");
  await (await view.journal.get("slider", "Revision").one()).focus();
  await view.page.keyboard.press("Home");
  await view.page.becomes(seen, "1");
  await view.page.keyboard.press("End");
  await view.page.becomes(seen, "61");
  await server.send(session, { event: "showLogin" });
  await view.page.becomes(seen, "62");
});
