import assert from "node:assert/strict";
import { accessibilityFaults } from "./support/accessibility.js";
import { stage } from "./support/stage.js";

const scene = stage();

/** @param {import("./support/page.js").Page} page */
const links = (page) => page.get("table", /^Sessions/).get("link").names();

/** @param {import("./support/server.js").Server} server @param {string} subject */
async function sessionOf(server, subject) {
  return (await server.ask("POST", "/admin/sessions", { app: "notes", subject })).session;
}

/** The number of sessions, most of which are on further pages of the list. */
const crowd = process.env.USHER_LONG ? 5_000 : 500;

scene(`Support finds a user among ${crowd} sessions, and opens the user of a session`, {}, async ({ server, page }) => {
  for (let batch = 0; batch < crowd / 50; batch++) {
    await Promise.all(Array.from({ length: 50 }, (_, place) => sessionOf(server, `user ${50 * batch + place}`)));
  }
  const kims = [await sessionOf(server, "kim"), await sessionOf(server, "kim")].map((id) => id.slice(0, 8)).sort();
  await page.open(`${server.url}/`);
  const form = page.get("form", "Filter of the sessions");
  await page.becomes(async () => (await links(page)).includes("kim"), true, "the newest sessions name their users");
  await form.get("textbox", "Id").fill("kim");
  await form.get("button", "Find the user kim").click();
  await page.becomes(async () => (await links(page)).filter((name) => name !== "kim"), kims);
  await page.get("table", /^Sessions of kim, .*2 found$/).appears();
  await page.becomes(() => page.evaluate(() => location.hash), "#/?subject=kim");
  await page.get("link", kims[0]).click();
  await page.get("heading", /^notes .* of kim$/).get("link", "kim").click();
  await page.get("heading", "User kim").appears();
  const sessions = page.get("table", /^Live sessions 2 in all, last used first$/);
  await page.becomes(async () => (await sessions.get("link").names()).sort(), kims);
  await sessions.says(/not named[^]*its id alone/);
  await server.ask("DELETE", `/admin/sessions/${(await page.evaluate(() => document.querySelector("tr[data-session]").dataset.session))}`);
  const ended = page.get("table", /^Ended sessions 1 in all, last ended first$/);
  await ended.says(/notes[^]*deleted .* ago/);
  await page.get("table", /^Live sessions 1 in all, last used first$/).appears();
  const faults = await accessibilityFaults(page);
  assert.ok(faults.length === 0, `${faults.length} findings:\n${faults.join("\n")}`);
  const tudy = await server.session("tudy");
  await page.open(`${server.url}/#/?visible=hom`);
  await page.becomes(() => links(page), [tudy.slice(0, 8)]);
  const count = (crowd + 2).toLocaleString("en-US");
  await page.get("table", `Sessions by id, searched only the ${count} in memory, of ${count} in all`).appears();
  await form.get("textbox", "Visible screen").fill("home page");
  await page.get("paragraph").says(/^No session in memory shows such a screen\./);
});

scene("A user's page asks for the ended sessions again only after a live session has gone", {}, async ({ server, page }) => {
  const [first, other] = [await sessionOf(server, "ned"), await sessionOf(server, "ned")];
  await server.ask("DELETE", `/admin/sessions/${first}`);
  const asked = (/** @type {RegExp} */ kind) => page.network.exchanges.filter(({ url, done }) => done && /subject=ned/.test(url) && kind.test(url)).length;
  await page.open(`${server.url}/#/users/ned`);
  await page.get("table", /^Ended sessions 1 in all/).appears();
  await page.until(() => asked(/limit=50$/) >= 3, "the live sessions are asked for three times");
  assert.equal(asked(/state=ended/), 1);
  await server.ask("DELETE", `/admin/sessions/${other}`);
  await page.get("table", /^Ended sessions 2 in all/).appears();
  assert.equal(asked(/state=ended/), 2);
});

scene("A user's page shows that the user has no live session", {}, async ({ server, page }) => {
  await page.open(`${server.url}/#/users/nobody%2Fhere`);
  await page.get("heading", "User nobody/here").appears();
  await page.get("paragraph").says("This user has no live session.");
});

scene("Support reads the story of a session as sentences with times, and copies it", {}, async ({ server, page, visit }) => {
  const { session } = await server.ask("POST", "/admin/sessions", { app: "tudy", subject: "kim", client: { name: "iOS", version: "2.1" } });
  await server.send(session, { event: "showLogin" });
  await server.send(session, { event: "fly" }).catch(() => {});
  await server.send(session, { event: { login: { name: "kim", password: "usher" } } });
  const view = await visit(session);
  await view.journal.get("button", /^4 result of signIn$/).appears();
  await view.journal.get("button", "Story …").click();
  const dialog = page.get("dialog", "Story up to revision 4"), story = dialog.get("group", "Story");
  await story.says("kim (iOS 2.1) opened tudy → home");
  const { entries } = await server.ask("GET", `/admin/sessions/${session}/journal`), time = entries.map(({ time }) => time.slice(11, 19));
  const lines = (await story.text()).split("\n");
  assert.deepEqual(lines.slice(0, 4), [
    `Session ${session} of tudy, user kim, revisions 1 to 4. Times are UTC.`, entries[0].time.slice(0, 10),
    `${time[0]} kim (iOS 2.1) opened tudy → home`, `${time[1]} kim pressed showLogin on home → login`,
  ]);
  assert.match(lines[4], /^\d\d:\d\d:\d\d kim pressed fly on login → refused: .+fly/);
  assert.equal(lines[5], `${time[2]} kim pressed login on login with name: kim, password: … → began signIn`);
  assert.match(lines[6], /^\d\d:\d\d:\d\d effect signIn ended after [\d.]+ m?s → home$/);
  assert.equal(lines.length, 7);
  const faults = await accessibilityFaults(page);
  assert.ok(faults.length === 0, `${faults.length} findings:\n${faults.join("\n")}`);
  await dialog.get("button", "Copy").click();
  await dialog.get("status").says(/^(Copied|The text is selected)/);
  await dialog.get("button", "Close").click();
  await view.journal.get("button", /^2 showLogin$/).click();
  await view.device.says("Revision 2 of 4");
  await view.journal.get("button", "Story …").click();
  await page.get("dialog", "Story up to revision 2").says(/revisions 1 to 2\.[^]*refused: /);
});

scene("A long story begins with its newest inputs, and is shown completely on request", {}, async ({ server, page, visit }) => {
  const session = await server.session("tudy");
  for (let revision = 2; revision <= 230; revision++) await server.send(session, { event: revision % 2 ? "close" : "showLogin" });
  const view = await visit(session);
  await view.journal.get("button", "Story …").click();
  const story = page.get("dialog").get("group", "Story");
  await story.says("revisions 31 to 230.");
  assert.equal((await story.text()).split("\n").length, 202);
  await page.get("dialog").get("button", "Tell all 230 inputs").click();
  await story.says("revisions 1 to 230.");
  await story.says("the user opened tudy → home");
});
