import assert from "node:assert/strict";
import { readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { accessibilityFaults } from "./support/accessibility.js";
import { stage } from "./support/stage.js";

const scene = stage();
const refused = [/status of (400|409|412|422)/];

async function isAccessible(page) {
  const faults = await accessibilityFaults(page);
  assert.ok(faults.length === 0, `${faults.length} findings:\n${faults.join("\n")}`);
}

async function walked(server) {
  const session = await server.session("start-login-main");
  for (const event of ["startApp", "login"]) await server.send(session, { event });
  return session;
}

// The check covers both color schemes.
for (const [width, height] of [[360, 740], [768, 1024], [1440, 900]]) {
  scene(`The dialogs are accessible at ${width} pixels`, { look: { width, height } }, async ({ server, page, visit }) => {
    const view = await visit(await walked(server));
    await view.device.get("button", "Send …").click();
    await page.get("dialog").get("combobox", "event").appears();
    await isAccessible(page);
    await page.get("dialog").get("button", "Close").click();
    await page.get("dialog").disappears();
    await view.journal.get("button", "Export …").click();
    await page.get("dialog").says("#!/usr/bin/env bash");
    await isAccessible(page);
  });
}

scene("The export dialog shows a session as a script, as a test, and as JSON", {}, async ({ server, page, visit }) => {
  const session = await walked(server);
  const view = await visit(session);
  await view.journal.get("button", "Export …").click();
  const dialog = page.get("dialog", "Export up to revision 3");
  await dialog.says(/curl/);
  await dialog.get("button", "Test in Swift").click();
  await dialog.says(/StartLoginMainApp\.self/);
  await dialog.get("button", "JSON").click();
  await dialog.says(/"usher":"session 1"/);
  await dialog.get("link", "Download").appears();
});

scene("An exported JSON file opens a session, and another file does not", { troubles: refused }, async ({ server, page, visit }) => {
  const session = await walked(server);
  const view = await visit(session), main = page.get("main");
  const archive = await server.ask("GET", `/admin/sessions/${session}/export?as=json`);
  const path = join(tmpdir(), `usher-export-${process.pid}.json`);
  const choose = async (text) => {
    await writeFile(path, text);
    const { result } = await page.send("Runtime.evaluate", { expression: 'document.querySelector("#import")' });
    await page.send("DOM.setFileInputFiles", { files: [path], objectId: result.objectId });
  };
  try {
    await view.journal.get("button", "Export …").click();
    await page.get("dialog").get("link", "Open a session from exported JSON").click();
    await main.get("heading", "Open a session from an export").appears();
    await isAccessible(page);
    await choose('{"app":"tudy"}');
    await main.get("alert").says(/expected an export of a session/);
    await choose("so there");
    await main.get("alert").says(/not JSON/);
    assert.equal((await readFile(path, "utf8")).length, 8);
    await choose(JSON.stringify(archive));
    await page.until(async () => !(await page.evaluate(() => location.hash)).includes(session), "another session is shown");
    await page.get("region", "Device").get("article", /^main/).appears();
  } finally {
    await rm(path, { force: true });
  }
});

scene("The send dialog can send any input, and can require that the revision is unchanged", { troubles: refused }, async ({ server, page, visit }) => {
  const session = await walked(server);
  const view = await visit(session);
  await view.device.get("button", "Send …").click();
  const dialog = page.get("dialog", "Send an input");
  await dialog.get("button", "JSON of the input").click();
  await dialog.get("textbox", "JSON").fill("{");
  await dialog.get("button", "Send").click();
  await dialog.get("alert").says(/not JSON/);
  await dialog.get("textbox", "JSON").fill('{"back":true}');
  await dialog.get("textbox", "Only at revision (If-Match)").fill("2");
  await dialog.get("button", "Send").click();
  await dialog.get("alert").says(/at revision 3/);
  await dialog.get("textbox", "Only at revision (If-Match)").fill("3");
  await dialog.get("button", "Send").click();
  await dialog.says(/at revision 4/);
  await dialog.get("button", "Close").click();
  await view.shows({ cards: ["start"] });
});

scene("The page of a fork names the session from which the fork was made", {}, async ({ server, page, visit }) => {
  const session = await walked(server);
  const fork = await server.ask("POST", `/admin/sessions/${session}/fork`, { revision: 2 });
  await visit(fork.session);
  await page.get("link", `${session.slice(0, 8)} at revision 2`).click();
  await page.get("region", "Device").says("Revision 2 of 3");
});

scene("A link to a revision works even if the previous view changes the address late", {}, async ({ server, page, visit }) => {
  const session = await walked(server);
  const fork = await server.ask("POST", `/admin/sessions/${session}/fork`, { revision: 2 });
  await visit(fork.session);
  await page.get("link", `${session.slice(0, 8)} at revision 2`).appears();
  await page.evaluate(() => {
    // A view updates the address 200 ms after a change: here between the click and the event that the page receives.
    document.querySelector(".inspections button").click();
    setTimeout(() => document.querySelector(".origin a").click(), 150);
    const start = Date.now();
    while (Date.now() < start + 300);
  });
  await page.get("region", "Device").says("Revision 2 of 3");
});

scene("A screen, its coordinator and its journal entries highlight each other", {}, async ({ server, page, visit }) => {
  const view = await visit(await walked(server));
  await (await view.coordinators.get("treeitem", /^MainCoordinator/).one()).focus();
  const lit = () => page.evaluate(() => [...document.querySelectorAll("[data-lit]")].map((each) => each.localName).sort());
  await page.becomes(lit, ["article", "g", "tr"]);
});

scene("The page can open the state of a covered screen, and lists the screens in hidden tabs", {}, async ({ server, page, visit }) => {
  const session = await server.session("tudy");
  await server.send(session, { event: "showSearch" });
  const view = await visit(session);
  await view.device.get("DisclosureTriangle", /^State of home/).click();
  await view.device.says("An algorithms study group");
  await view.device.get("DisclosureTriangle", "Hidden tabs").click();
  await view.device.says(/chat: \w+ \d+/);
  const faults = await accessibilityFaults(page);
  assert.ok(faults.length === 0, `${faults.length} findings:\n${faults.join("\n")}`);
});

scene("An exploration's link opens a session before a finding, and offers the input that failed", { troubles: refused }, async ({ server, page, visit }) => {
  const session = await walked(server);
  const archive = await server.ask("GET", `/admin/sessions/${session}/export?as=json`);
  const query = new URLSearchParams({ export: JSON.stringify(archive), next: '{"event":"fly"}' });
  await visit(session);
  await page.open(`${server.url}/#/import?${query}`);
  const main = page.get("main");
  await main.says("A session of start-login-main after 2 inputs, at the screen main.");
  await isAccessible(page);
  await main.get("button", "Open the session").click();
  const dialog = page.get("dialog");
  assert.equal(await dialog.get("textbox", "JSON").value(), '{"event":"fly"}');
  await dialog.get("button", "Send").click();
  await dialog.get("alert").appears();
  await dialog.get("button", "Close").click();
  await page.until(async () => /^#\/sessions\/[0-9a-f]+$/.test(await page.evaluate(() => location.hash)), "the address names the session alone");
  assert.ok(!(await page.evaluate(() => location.hash)).includes(session));
});

scene("A damaged link shows a message and opens nothing", {}, async ({ server, page, visit }) => {
  await visit(await walked(server));
  await page.open(`${server.url}/#/import?export=%7B%22usher`);
  await page.get("main").get("alert").says(/This link is damaged/);
  await page.get("main").get("button", "Open the session").isDisabled();
});
