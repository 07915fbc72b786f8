import assert from "node:assert/strict";
import { test } from "node:test";
import { accessibilityFaults } from "./support/accessibility.js";
import { Browser } from "./support/browser.js";
import { Database, missingDatabase } from "./support/database.js";
import { Server, missing } from "./support/server.js";
import { logIn } from "./support/stage.js";

/** The browser's own messages if the server responds with an error or not at all. */
const outage = [/status of 503|ERR_CONNECTION|ERR_INCOMPLETE|ERR_EMPTY/];

/** Matches the board without firing alerts; on a busy machine, the alert for a slow journal may fire. */
const quiet = /^(No alert fires; watched for |One commit in a hundred )/;

/** @param {import("./support/page.js").Page} page @param {string} name */
const known = (page, name) =>
  page.evaluate((name) => [...document.querySelectorAll(".states dt")].find((term) => term.textContent === name)?.nextElementSibling.textContent ?? "", name);

/**
 * Runs a body on the page of a server at which nothing fires yet, and expects only an outage's messages.
 *
 * @param {string} app The program of the server.
 * @param {(page: import("./support/page.js").Page, server: Server, verdict: any) => Promise<void>} body
 */
const incident = async (app, body) => {
  const [browser, server] = await Promise.all([Browser.start(), Server.start(app)]);
  try {
    const page = await browser.page();
    await logIn(page, server);
    await page.open(`${server.url}/#/server`);
    const verdict = page.get("status", "Alerts that fire");
    await verdict.says(quiet);
    await body(page, server, verdict);
    page.troubles.expectOnly(outage);
  } finally {
    await Promise.all([browser.close(), server.close()]);
  }
};

test("While the database is down, the server's page shows which values are unknown and since when, and still shows the values that the server knows", {
  skip: missing("postgres") || missingDatabase(), timeout: 120_000,
}, async () => {
  const database = await Database.start();
  const [browser, server] = await Promise.all([Browser.start(), Server.on(database)]);
  try {
    await server.session("tudy");
    const page = await browser.page();
    await logIn(page, server);
    await page.open(`${server.url}/#/server`);
    const verdict = page.get("status", "Alerts that fire");
    await verdict.says(quiet);
    await page.becomes(() => known(page, "Servers"), "1 on this journal");
    database.stop();
    await verdict.says(/^The server says: the journal does not answer this server\./);
    await page.until(async () => /^Unknown since \d\d:\d\d:\d\d: the journal cannot be read/.test(await known(page, "Servers")), "the servers are unknown");
    await page.until(async () => /^Unknown since/.test(await known(page, "Crashes")), "the crashes are unknown");
    assert.match(await known(page, "Process"), /^Began \d+ s ago$/, "what the process counts is known all the while");
    await page.get("image", /^Sessions: 1 at /).appears();
    database.resume();
    await page.becomes(() => known(page, "Servers"), "1 on this journal");
    await verdict.says(quiet);
    page.troubles.expectOnly(outage);
  } finally {
    await Promise.all([browser.close(), server.close()]);
    database.close();
  }
});

test("While the server is down, the page shows every alert as unknown, and no alert as quiet", { skip: missing("gallery"), timeout: 120_000 }, () =>
  incident("gallery", async (page, server, verdict) => {
    const states = () => page.evaluate(() => [...new Set([...document.querySelectorAll(".alarms tbody [data-column=State]")].map((cell) => cell.textContent))]);
    assert.ok((await states()).includes("not firing"));
    await server.stop();
    await verdict.says(/^Unknown since \d\d:\d\d:\d\d: The server does not answer/);
    assert.deepEqual(await states(), ["unknown"]);
    await server.restart();
    await verdict.says(quiet);
    assert.ok(!(await page.get("form", "Log in").exists()), "the login outlives the server");
  }));

test("A server crash keeps the operator logged in and fires the alert", { skip: missing("usher"), timeout: 120_000 }, () =>
  incident("usher", async (page, server, verdict) => {
    /** Waits until the page has received an answer from the present worker. */
    const looks = async () => {
      const count = () => page.network.exchanges.filter(({ url, status }) => url.endsWith("/metrics") && status === 200).length;
      const before = count();
      await page.until(() => count() > before, "the page asks again");
    };
    for (let crash = 0; crash < 3; crash++) {
      await server.kill();
      await looks();
    }
    await verdict.says("The worker process crashed more than once in 15 minutes.");
    assert.ok(!(await page.get("form", "Log in").exists()));
    await page.get("button", "Log out").click();
    await page.get("form", "Log in").get("textbox", "Admin token").fill(server.token);
    await page.get("form", "Log in").get("button", "Log in").click();
    await page.get("status", "Alerts that fire").says("The worker process crashed more than once in 15 minutes.");
  }));

test("The server's page shows the input that crashed the server, and links to its session and user", { skip: missing("crash"), timeout: 120_000 }, async () => {
  const [browser, server] = await Promise.all([Browser.start(), Server.start("crash")]);
  try {
    const { session } = await server.ask("POST", "/admin/sessions", { app: "crash", subject: "kim" });
    await server.ask("POST", "/admin/sessions", { app: "crash", subject: "lee" });
    await assert.rejects(server.send(session, { event: { event: { deed: "index" } } }));
    await server.back();
    const page = await browser.page();
    await logIn(page, server);
    await page.open(`${server.url}/#/server`);
    await page.until(async () => /^1 recorded, the last \d+ s ago$/.test(await known(page, "Crashes")), "the crash is known");
    const crashes = page.get("table", "Crashes");
    await crashes.says(/kim.*crash.*event event.*SIG(ILL|TRAP)/);
    for (const width of [360, 768, 1440]) {
      await page.look({ width });
      const faults = await accessibilityFaults(page);
      assert.ok(faults.length === 0, `${faults.length} findings at ${width}:\n${faults.join("\n")}`);
    }
    await crashes.get("link", session.slice(0, 8)).click();
    await page.get("heading", /^crash .* of kim$/).appears();
    page.troubles.expectOnly(outage);
  } finally {
    await Promise.all([browser.close(), server.close()]);
  }
});

test("The alert for leaks fires for a leak that happened before the page was opened", { skip: missing("gallery"), timeout: 120_000 }, async () => {
  const [browser, server] = await Promise.all([Browser.start(), Server.start("gallery")]);
  try {
    await server.send(await server.session("gallery"), { event: "leak" });
    const page = await browser.page();
    await logIn(page, server);
    await page.open(`${server.url}/#/server`);
    await page.get("status", "Alerts that fire").says("An app keeps coordinators that have ended, so the server's memory grows.");
    await page.get("link", "Sessions with leaks").click();
    await page.becomes(() => page.evaluate(() => location.hash), "#/?leaked=true");
    page.troubles.expectOnly([]);
  } finally {
    await Promise.all([browser.close(), server.close()]);
  }
});
