import assert from "node:assert/strict";
import { SessionView } from "./support/session-view.js";
import { stage } from "./support/stage.js";

const scene = stage();

/** Returns the accessible name of the focused element, as far as its attributes and text determine the name. */
function focusedName() {
  const { activeElement } = document;
  const label = activeElement.labels?.[0]?.innerText;
  return (activeElement.getAttribute("aria-label") ?? label ?? activeElement.innerText ?? activeElement.textContent ?? "").trim();
}

/** Presses Tab until an element with the name has the focus. @param {RegExp} name */
async function tabTo(page, name) {
  const passed = [];
  for (let step = 0; step < 100; step++) {
    await page.keyboard.press("Tab");
    const focused = await page.evaluate(focusedName);
    if (name.test(focused)) return;
    passed.push(focused.slice(0, 30));
  }
  assert.fail(`Tab never comes to ${name}; it came to ${[...new Set(passed)].join(", ")}`);
}

scene("T-11, T-13 the login opens and closes with only Tab, Enter and the arrow keys", {}, async ({ server, page }) => {
  await page.open(`${server.url}/`);
  await page.get("form", "Open a session").get("option", "tudy").appears();
  await tabTo(page, /^App$/);
  await page.keyboard.choose("tudy");
  await tabTo(page, /^Open$/);
  await page.keyboard.press("Enter");
  const view = new SessionView(page, "");
  await view.isThere();
  await tabTo(page, /^showLogin$/);
  await page.keyboard.press("Enter");
  await view.shows({ cards: ["home", "login"], tree: "App→[TabBar→[Home, Chat, Login]]" });
  await tabTo(page, /^close$/);
  await page.keyboard.press(" ");
  await view.shows({ cards: ["home"], tree: "App→[TabBar→[Home, Chat]]", figures: { finished: 1 } });
});

scene("The keyboard types and sends a payload", {}, async ({ server, page, visit }) => {
  const view = await visit(await server.session("tudy"));
  await tabTo(page, /^Payload of showFastSearch:/);
  await page.keyboard.press("Enter");
  await view.form("showFastSearch").get("textbox", "work").appears();
  await tabTo(page, /^work$/);
  await page.keyboard.selectAll();
  await page.keyboard.type("Swift");
  await page.keyboard.press("Enter");
  await view.shows({ cards: ["home", "fastSearch"] });
  await view.device.says("Swift");
});

scene("The arrow keys select tabs", {}, async ({ server, page, visit }) => {
  const view = await visit(await server.session("tudy"));
  await tabTo(page, /^home$/);
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.evaluate(focusedName), "chat");
  await page.keyboard.press("Enter");
  await view.shows({ cards: ["chatList"], tab: "chat" });
});

scene("The arrow keys move through the tree", {}, async ({ server, page, visit }) => {
  await visit(await server.session("tudy"));
  await tabTo(page, /^AppCoordinator/);
  await page.keyboard.press("ArrowDown");
  assert.match(await page.evaluate(focusedName), /^TabBarCoordinator/);
  await page.keyboard.press("End");
  assert.match(await page.evaluate(focusedName), /^ChatCoordinator/);
});

scene("The focus moves on when the focused element is removed", {}, async ({ server, page, visit }) => {
  const view = await visit(await server.session("tudy"));
  await tabTo(page, /^showSearch$/);
  await page.keyboard.press("Enter");
  await view.shows({ cards: ["home", "search"] });
  const isKept = () => page.evaluate(() => document.querySelector("main").contains(document.activeElement));
  assert.ok(await isKept(), "what has the focus is within the page's content");
  await tabTo(page, /^Back$/);
  await page.keyboard.press("Enter");
  await view.shows({ cards: ["home"] });
  assert.ok(await isKept(), "what has the focus is within the page's content");
});
