import assert from "node:assert/strict";
import { accessibilityFaults } from "./support/accessibility.js";
import { stage } from "./support/stage.js";

const scene = stage(), gallery = stage({ program: "gallery" });

/** Opens the map of a session's page. */
async function mapped(view) {
  await view.page.get("tab", "Map").click();
  const map = view.page.get("region", "Map");
  await map.get("list", "Ways from here").get("listitem").appears();
  return map;
}

const address = (page) => page.evaluate(() => location.hash);

scene("The map shows where a session is, which inputs it has sent, and which inputs were not tried", {}, async ({ server, page, visit }) => {
  const session = await server.session("start-login-main");
  const view = await visit(session);
  await view.send("startApp");
  await view.shows({ cards: ["start", "login"] });
  const map = await mapped(view);
  await map.says(/seen 2 of 3 screens and walked 1 of \d+ ways/);
  await map.get("heading", "From login").appears();
  assert.deepEqual((await map.get("button").names()).filter((name) => name.includes("→")).sort(),
    ["back → start, not tried", "login → main, not tried"]);
  await map.get("image", /Map of 3 screens .*; the session is at login/).appears();
  await page.becomes(() => address(page), `#/sessions/${session}?view=map`);
});

scene("A click on a line of the map sends the line's input, and marks the line as walked", {}, async ({ server, visit }) => {
  const view = await visit(await server.session("start-login-main"));
  const map = await mapped(view);
  await map.get("button", /^startApp → login/).click();
  await view.shows({ cards: ["start", "login"] });
  await map.get("button", /^login → main/).click();
  await view.shows({ cards: ["start", "main"] });
  await map.says(/seen 3 of 3 screens and walked 2 of \d+ ways/);
  await map.get("button", /^back → start, not tried/).click();
  await view.shows({ cards: ["start"] });
  await map.get("button", /^startApp → login, walked/).appears();
});

scene("The map is shown as a whole, enlarged, and searched for a screen", {}, async ({ server, page, visit }) => {
  // Explores the app first, because this takes longer than the tests wait for the page.
  await server.ask("GET", "/admin/apps/sooda/map");
  const view = await visit(await server.session("sooda", { launch: { home: { workspaceID: 7 } } }));
  const map = await mapped(view);
  const shown = () => page.evaluate(() => {
    const place = document.querySelector(".charted"), picture = place.querySelector("svg").getBoundingClientRect();
    return { isWhole: picture.width <= place.clientWidth && picture.height <= place.clientHeight, width: picture.width };
  });
  assert.equal((await shown()).isWhole, false, "at its own size the map is larger than its place");
  await map.get("button", "Fit the whole map").click();
  await page.until(async () => (await shown()).isWhole, "all of the map is in view");
  const { width } = await shown();
  await map.get("button", "Zoom in").click();
  await page.until(async () => (await shown()).width > width * 1.2, "the map is larger");
  await map.get("searchbox", "Find a screen").fill("channelsetting");
  await map.get("status").says("1 found");
  const isInView = () => page.evaluate(() => {
    const place = document.querySelector(".charted").getBoundingClientRect(), found = document.querySelector("[data-found]").getBoundingClientRect();
    return found.left >= place.left && found.right <= place.right && found.top >= place.top && found.bottom <= place.bottom;
  });
  await page.until(isInView, "the screen is in view");
});

scene("The user can send a line's input by clicking the line of the map, or with the keyboard", {}, async ({ server, page, visit }) => {
  const view = await visit(await server.session("start-login-main"));
  const map = await mapped(view);
  await (await map.one()).call(function () {
    this.querySelector(".line[data-sends] .reach").dispatchEvent(new MouseEvent("click", { bubbles: true, detail: 1 }));
  });
  await view.shows({ cards: ["start", "login"] });
  await (await map.get("button", /^login → main/).one()).focus();
  await page.keyboard.press("Enter");
  await view.shows({ cards: ["start", "main"] });
});

scene("At an earlier revision, the map shows the lines that were walked until then, and sends no input", {}, async ({ server, page, visit }) => {
  const session = await server.session("start-login-main");
  for (const event of ["startApp", "login"]) await server.send(session, { event });
  await page.open(`${server.url}/#/sessions/${session}?revision=2&view=map`);
  const map = page.get("region", "Map");
  await map.says(/seen 2 of 3 screens and walked 1 of/);
  await map.get("button", /^login → main/).isDisabled();
  await page.get("tab", "Tree").click();
  await page.get("region", "Coordinators").get("treeitem").appears();
  await page.becomes(() => address(page), `#/sessions/${session}?revision=2`);
});

scene("The map of an app is shown without a session, and one click shows the lines that lead back", {}, async ({ server, page }) => {
  await page.open(`${server.url}/`);
  const form = page.get("form", "Open a session");
  await form.get("option", "start-login-main").appears();
  await (await form.get("combobox", "App").one()).focus();
  await page.keyboard.choose("start");
  await form.get("link", "Map of this app").click();
  const map = page.get("region", "Map");
  await map.says(/The app has 3 screens and \d+ ways between them\./);
  const lines = () => page.evaluate(() => document.querySelectorAll(".charted .line").length);
  const before = await page.until(lines, "the map is drawn");
  await map.get("button", /^\d+ ways back$/).click();
  await page.until(async () => (await lines()) > before, "there are more lines");
  assert.equal(await address(page), "#/apps/start-login-main");
  const faults = await accessibilityFaults(page);
  assert.ok(faults.length === 0, `${faults.length} findings:\n${faults.join("\n")}`);
});

// The check covers both color schemes.
for (const [width, height] of [[360, 740], [768, 1024], [1440, 900]]) {
  scene(`The map is accessible at ${width} pixels`, { look: { width, height } }, async ({ server, page, visit }) => {
    const view = await visit(await server.session("start-login-main"));
    await view.send("startApp");
    await mapped(view);
    const faults = await accessibilityFaults(page);
    assert.ok(faults.length === 0, `${faults.length} findings:\n${faults.join("\n")}`);
  });
}

gallery("A finding on the map opens a session in the state before the finding, with the input that failed", { troubles: [/status of 500/] }, async ({ server, page, visit }) => {
  // Explores the app first: it is endless, so the first request takes longer than a test waits.
  await server.ask("GET", "/admin/apps/gallery/map");
  const view = await visit(await server.session("gallery"));
  const map = await mapped(view);
  await map.says(/reached its limit of/);
  await map.get("button", "Explore further").appears();
  await map.get("list", "Mistakes on the map").get("link", /^Go there: menu: fail/).click();
  const main = page.get("main");
  await main.says("A session of gallery after 0 inputs, at the screen menu.");
  await main.get("button", "Open the session").click();
  const dialog = page.get("dialog", "Send an input");
  assert.match(await dialog.get("textbox", "JSON").value(), /"fail"/);
  await dialog.get("button", "Send").click();
  await dialog.get("alert").says(/a handler failed/);
});
