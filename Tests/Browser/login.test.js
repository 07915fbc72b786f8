import assert from "node:assert/strict";
import { accessibilityFaults } from "./support/accessibility.js";
import { operatorToken } from "./support/server.js";
import { stage } from "./support/stage.js";

const scene = stage();
const stranger = { isStranger: true };
/** The browser's own messages about error responses. */
const refused = [/status of (401|403)/];

scene("A user who is not logged in sees how to log in, and no figures", stranger, async ({ server, page }) => {
  const session = await server.session("tudy");
  await page.open(`${server.url}/`);
  await page.get("form", "Log in").says(/USHER_ADMIN_TOKEN.*link that the server printed/);
  assert.ok(!(await page.get("table", /^Sessions/).exists()));
  assert.ok(!(await page.evaluate(() => document.body.textContent)).includes(session.slice(0, 8)));
  assert.ok(!(await page.get("button", "Log out").exists()));
  assert.deepEqual(await accessibilityFaults(page), []);
});

scene("The token logs in, and logging out shows the login form again", { ...stranger, troubles: refused }, async ({ server, page }) => {
  const session = await server.session("tudy");
  await page.open(`${server.url}/`);
  const form = page.get("form", "Log in");
  await form.get("textbox", "Admin token").fill("wrong");
  await form.get("button", "Log in").click();
  await form.says(/not the admin token/);
  await form.get("textbox", "Admin token").fill(operatorToken);
  await form.get("button", "Log in").click();
  await page.get("link", session.slice(0, 8)).appears();
  assert.equal(await page.evaluate(() => document.cookie), "", "no script reads the cookie");
  assert.equal(await page.evaluate(() => sessionStorage.length + localStorage.length), 0);
  await page.get("button", "Log out").click();
  await form.appears();
  await page.reload();
  await form.appears();
});

scene("The printed link logs in, and its token leaves the address bar", stranger, async ({ server, page }) => {
  await page.open(server.loginLink);
  await page.get("heading", "Sessions").appears();
  assert.equal(await page.evaluate(() => location.href), `${server.url}/`);
  await page.get("button", "Log out").appears();
});

scene("Anyone with its address sees a session's screens, but only the operator sees its figures", stranger, async ({ server, page }) => {
  const session = await server.session("tudy");
  await page.open(`${server.url}/#/sessions/${session}`);
  await page.get("region", "Device").get("article").appears();
  const form = page.get("form", "Log in");
  await form.appears();
  assert.ok(!(await page.get("region", "Coordinators").exists()));
  await form.get("textbox", "Admin token").fill(operatorToken);
  await form.get("button", "Log in").click();
  await page.get("region", "Coordinators").get("treeitem").appears();
  await page.get("region", "Journal").get("slider", "Revision").appears();
});
