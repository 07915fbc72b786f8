import assert from "node:assert/strict";
import { test } from "node:test";
import { Browser } from "./support/browser.js";
import { Server, missing } from "./support/server.js";
import { logIn, stage } from "./support/stage.js";

const scene = stage();

/** @param {import("./support/page.js").Page} page */
const links = (page) => page.get("table", /^Sessions/).get("link").names();

/** Returns the counts on the first page as a screen reader reads them: the names, and the sign before each. */
function readEquation() {
  const boxes = [...document.querySelectorAll("dl.equation > div")];
  return Object.fromEntries(boxes.map((box) => {
    const [name, figure] = [box.querySelector("dt").textContent, Number(box.querySelector("dd").textContent.replace(/\D/g, "") || NaN)];
    return [name, { figure, sign: box.dataset.sign ?? "" }];
  }));
}

scene("The start page explains itself and offers to open a session of each app", {}, async ({ page, server }) => {
  await page.open(`${server.url}/`);
  await page.get("heading", "Sessions").appears();
  await page.get("link", "Usher").appears();
  const form = page.get("form", "Open a session");
  await form.get("option").appears();
  assert.deepEqual(await form.get("option").names(), ["hello-bye", "notes", "sooda", "start-login-main", "tudy"]);
  for (const figure of ["live", "created", "finished", "leaked"]) await page.get("term", figure).appears();
});

scene("The newest session is first, and the list has no button to end a session", {}, async ({ page, server }) => {
  const ids = [];
  for (const app of ["tudy", "notes", "hello-bye"]) {
    ids.unshift((await server.session(app)).slice(0, 8));
    // The list is sorted by milliseconds, so the next session must get a later one.
    for (const now = Date.now(); Date.now() < now + 3; );
  }
  await page.open(`${server.url}/`);
  await page.becomes(async () => (await links(page)).slice(0, 3), ids);
  assert.deepEqual(await page.get("button", /end/i).names(), []);
});

scene("The list stays still under the pointer and counts changes, and updates once the pointer leaves", {}, async ({ page, server }) => {
  const [ended, pointed] = [await server.session("tudy"), await server.session("tudy")];
  await page.open(`${server.url}/`);
  const link = page.get("link", pointed.slice(0, 8));
  await link.appears();
  const { x, y, width, height } = await (await link.one()).box();
  await page.mouse.move({ x: x + width / 2, y: y + height / 2 });
  const before = await links(page);
  const added = await server.session("notes");
  await server.ask("DELETE", `/sessions/${ended}`);
  await page.get("status", "Changes").says(/1 new, 1 ended/);
  assert.deepEqual(await links(page), before, "no row has moved, come or gone");
  const box = await (await link.one()).box();
  assert.deepEqual([box.x, box.y].map(Math.round), [x, y].map(Math.round), "what is pointed at stands where it stood");
  const state = (id) => document.querySelector(`[data-session="${id}"]`)?.lastElementChild.textContent;
  await page.becomes(() => page.evaluate(state, ended), "ended");
  await page.mouse.move({ x: 2, y: 2 });
  await page.get("link", added.slice(0, 8)).appears();
  await page.get("link", ended.slice(0, 8)).disappears();
});

scene("The list is filtered by its controls and by its address", {}, async ({ page, server }) => {
  const [tudy, notes] = [await server.session("tudy"), await server.session("notes")].map((id) => id.slice(0, 8));
  const address = () => page.evaluate(() => location.hash);
  await page.open(`${server.url}/#/?app=notes&sort=used`);
  await page.get("link", notes).appears();
  assert.ok(!(await links(page)).includes(tudy), "it is of another app");
  await page.get("table", /last used first, \d+ found/).appears();
  const form = page.get("form", "Filter of the sessions");
  const app = form.get("combobox", "App");
  assert.equal(await app.value(), "notes");
  await (await app.one()).focus();
  await page.keyboard.choose("any app");
  await page.get("link", tudy).appears();
  await page.becomes(address, "#/?sort=used");
  await form.get("textbox", "Id").fill(tudy);
  await page.becomes(() => links(page), [tudy]);
  await page.becomes(address, `#/?prefix=${tudy}&sort=id`);
  await form.get("textbox", "Id").fill("xyz");
  await form.get("status").says(/An id has only the digits 0 to 9 and a to f/);
  await page.becomes(() => links(page), [], "no rows rather than others");
  await form.get("textbox", "Id").fill("");
  await page.becomes(address, "#/?sort=used");
  await form.get("checkbox", "Leaked").click();
  await page.get("paragraph").says("No session matches.");
  await form.get("checkbox", "Leaked").click();
  const row = (id) => document.querySelector(`[data-session^="${id}"]`)?.textContent ?? "";
  const { sessions } = await server.ask("GET", `/admin/sessions?prefix=${notes}`);
  await page.until(async () => (await page.evaluate(row, notes)).includes(sessions[0].visible), "the visible screen is told");
});

test("The list shows a hundred sessions on one page, and the next session on a second page", { skip: missing("usher"), timeout: 120_000 }, async () => {
  const [browser, server] = await Promise.all([Browser.start(), Server.start()]);
  try {
    for (let number = 0; number < 100; number++) await server.session("hello-bye");
    const page = await browser.page();
    await logIn(page, server);
    await page.open(`${server.url}/`);
    await page.becomes(async () => (await links(page)).length, 100);
    assert.ok(!(await page.get("button", "Next page").exists()), "there is nothing on a next page");
    await server.session("hello-bye");
    await page.get("button", "Next page").click();
    await page.becomes(async () => (await links(page)).length, 1);
    assert.ok(!(await page.get("button", "Next page").exists()));
    await page.get("button", "First page").click();
    await page.becomes(async () => (await links(page)).length, 100);
    page.troubles.expectOnly([]);
  } finally {
    await Promise.all([browser.close(), server.close()]);
  }
});

test("The numbers of created, live, finished and hibernated coordinators add up, also after a restart", { skip: missing("usher"), timeout: 120_000 }, async () => {
  const [browser, server] = await Promise.all([Browser.start(), Server.start("usher", ["--idle-after", "1s"])]);
  const even = async (page, rest) => {
    let read = {};
    await page.until(async () => {
      read = await page.evaluate(readEquation);
      return read[rest]?.figure > 0 && read.created.figure >= 0;
    }, () => `some coordinators are ${rest}: ${JSON.stringify(read)}`);
    const sign = rest === "at rest" ? 1 : -1;
    assert.equal(read[rest].sign, sign > 0 ? "+" : "−");
    assert.equal(read.created.figure, read.live.figure + read.finished.figure + sign * read[rest].figure);
  };
  try {
    const sessions = [await server.session("tudy"), await server.session("tudy")];
    await server.send(sessions[0], { event: "showLogin" });
    await server.send(sessions[0], { event: "close" });
    const page = await browser.page();
    await logIn(page, server);
    await page.open(`${server.url}/`);
    await even(page, "at rest");
    await page.open("about:blank");
    await server.stop();
    await server.restart();
    await server.ask("GET", `/sessions/${sessions[0]}`);
    await logIn(page, server);
    await page.open(`${server.url}/`);
    // Sends requests repeatedly, because the session may hibernate again before the page has shown it.
    const awake = setInterval(() => server.ask("GET", `/sessions/${sessions[0]}`).catch(() => {}), 200);
    await even(page, "from before").finally(() => clearInterval(awake));
  } finally {
    await Promise.all([browser.close(), server.close()]);
  }
});
