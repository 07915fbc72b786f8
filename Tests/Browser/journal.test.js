import assert from "node:assert/strict";
import { tasks, traced } from "./page-trace.js";
import { accessibilityFaults } from "./support/accessibility.js";
import { stage } from "./support/stage.js";

const samples = stage(), gallery = stage({ program: "gallery" });

/** Opens a session of tudy at revision 5: a search, back, a login, and back again. */
async function walked(server) {
  const session = await server.session("tudy");
  for (const event of [{ event: "showSearch" }, { back: true }, { event: "showLogin" }, { event: "close" }]) await server.send(session, event);
  return session;
}

/** The number of inputs of a session that is far longer than the page's window, and the input in its middle, a search. */
const count = process.env.USHER_LONG ? 5_000 : 1_000, middle = count / 2;

/** @type {Promise<string> | null} */
let huge = null;

/** Returns a session of tudy with so many inputs, which is created only once. */
function hugeSession(server) {
  huge ??= (async () => {
    const session = await server.session("tudy");
    for (let revision = 2; revision <= count; revision++) {
      await server.send(session, revision === middle ? { event: "showSearch" } : revision === middle + 1 ? { back: true } : { event: revision % 2 ? "close" : "showLogin" });
    }
    return session;
  })();
  return huge;
}

/** Returns the texts of the rows' cells in the document. */
const rows = (page) => page.evaluate(() => [...document.querySelectorAll(".inputs tbody:not([aria-hidden]) tr")].map((row) => [...row.cells].map((cell) => cell.textContent)));

samples("Each input is a row with its time, outcome, change, effects and live coordinators", {}, async ({ server, page, visit }) => {
  const session = await server.session("tudy");
  await server.send(session, { event: "showLogin" });
  await server.send(session, { event: { login: { name: "kim", password: "usher" } } });
  const view = await visit(session);
  const told = async () => (await rows(page)).map(([revision, , ...cells]) => [revision, ...cells].map((cell) => cell.replace(/ [\d.]+ m?s$/, " …")));
  await page.becomes(told, [
    ["1", "open tudy", "opened", "→ home 1 +4", "", "4"],
    ["2", "showLogin", "accepted", "→ login 3 +1", "", "5"],
    ["3", "login name: kim, password: …", "accepted", "same screen", "signIn …", "5"],
    ["4", "result of signIn", "accepted", "→ home 1 −1", "", "4"],
  ]);
  const { entries } = await server.ask("GET", `/admin/sessions/${session}/journal`);
  assert.deepEqual((await rows(page)).map((cells) => cells[1]), entries.map(({ time }) => time.slice(11, 19)));
  await view.journal.get("table", "Inputs").get("button", /^2 showLogin$/).click();
  await view.shows({ cards: ["home", "login"] });
  await view.inspector.get("heading", "Revision 2").appears();
});

/** Chooses a kind of inputs by keys: a select's list is not part of the page, and further letters would extend the typed text. */
async function choose(view, kind) {
  await (await view.journal.get("combobox", "Kind of inputs").one()).call(function (kind) {
    this.value = kind;
    this.dispatchEvent(new Event("input", { bubbles: true }));
  }, kind);
}

samples("The journal is filtered by text and by kind, and shows the number of matches", {}, async ({ server, page, visit }) => {
  const session = await walked(server);
  await server.send(session, { event: "fly" }).catch(() => {});
  const view = await visit(session);
  const shown = async () => (await rows(page)).map(([revision, , what]) => `${revision} ${what}`);
  await page.becomes(shown, ["1 open tudy", "2 showSearch", "3 back", "4 showLogin", "5 close", "– fly"]);
  const found = view.journal.get("status", "Found inputs");
  await view.journal.get("searchbox", "Find inputs").fill("BACK");
  await page.becomes(shown, ["3 back"]);
  await found.says("1 found");
  await view.journal.get("searchbox", "Find inputs").fill("");
  await choose(view, "refused");
  await page.becomes(shown, ["– fly"]);
  await found.says("1 found; inputs refused since the session entered memory: 1");
  await choose(view, "user");
  await page.becomes(shown, ["2 showSearch", "3 back", "4 showLogin", "5 close", "– fly"]);
  await server.send(session, { event: "showSearch" });
  await page.becomes(async () => (await shown()).at(-1), "6 showSearch", "what comes is searched, too");
  const faults = await accessibilityFaults(page);
  assert.ok(faults.length === 0, `${faults.length} findings:\n${faults.join("\n")}`);
});

samples("A pinned revision can be compared with any other revision, and the address names both revisions", {}, async ({ server, page, visit }) => {
  const session = await walked(server), view = await visit(session);
  await view.journal.get("button", /^2 showSearch$/).click();
  await view.shows({ cards: ["home", "search"] });
  await view.inspect("Changed");
  await view.inspector.get("button", "Pin revision 2 as A").click();
  await view.journal.get("button", /^4 showLogin$/).click();
  const changed = view.inspector.get("group", "What changed");
  await view.inspector.says("From A, revision 2, to B, revision 4.");
  await changed.says(/screen search \d+\nscreen login \d+[^]*created LoginCoordinator/);
  await view.journal.get("button", "2 showSearch, pinned as A").appears();
  await page.becomes(() => page.evaluate(() => location.hash), `#/sessions/${session}?revision=4&view=changed&a=2`);
  const copy = await page.tab();
  try {
    await copy.open(`${server.url}/#/sessions/${session}?revision=4&view=changed&a=2`);
    await copy.get("region", "Inspector").says("From A, revision 2, to B, revision 4.");
    await copy.get("region", "Inspector").get("group", "What changed").says(/created LoginCoordinator/);
  } finally {
    await copy.close();
  }
  await view.inspector.get("button", "Unpin A").click();
  await view.inspector.says("Compared with the previous revision.");
});

samples("A revision of another session can be pinned", {}, async ({ server, page, visit }) => {
  const one = await walked(server), other = await walked(server);
  await server.send(other, { event: "showSearch" });
  const view = await visit(one);
  await view.inspect("Changed");
  await view.inspector.get("button", "Pin revision 5 as A").click();
  await page.evaluate((id) => { location.hash = `#/sessions/${id}?view=changed`; }, other);
  await page.get("region", "Inspector").get("button", `Compare with A: ${one.slice(0, 8)} at 5`).click();
  await page.get("region", "Inspector").says(`From A, revision 5 of ${one.slice(0, 8)}, to B, revision 6.`);
  await page.get("region", "Inspector").get("group", "What changed").says(/screen search \d+/);
  await page.becomes(() => page.evaluate(() => location.hash), `#/sessions/${other}?view=changed&a=5@${one}`.replace("@", "%40"));
});

samples(`Of ${count} inputs only the visible ones are in the document; the user jumps to a number and finds an input`, {}, async ({ server, page, visit }) => {
  const view = await visit(await hugeSession(server));
  const table = view.journal.get("table", "Inputs");
  const last = async () => (await rows(page)).at(-1);
  await page.becomes(async () => (await last())?.slice(0, 1).concat((await last()).slice(-1)), [`${count}`, "5"]);
  assert.ok((await rows(page)).length < 60, "the document has few rows");
  assert.equal(await (await table.one()).call(function () { return this.getAttribute("aria-rowcount"); }), `${count + 1}`);
  await view.journal.get("textbox", "Go to revision").fill(`${middle}`);
  await page.keyboard.press("Enter");
  await view.device.says(`Revision ${middle} of ${count}`);
  await view.shows({ cards: ["home", "search"] });
  await table.get("button", `${middle} showSearch`).appears();
  assert.ok((await rows(page)).length < 60);
  await page.becomes(async () => (await rows(page)).find(([revision]) => revision === `${middle + 2}`)?.at(-1), "5", "figures are there, though a line has only some of them");
  await view.journal.get("searchbox", "Find inputs").fill("showSearch");
  await page.becomes(async () => (await rows(page)).map(([revision]) => revision), [`${middle}`]);
  await view.journal.get("status", "Found inputs").says("1 found");
});

/** Returns the tasks that exceed a limit, with their places in the code. */
function long(all, limit) {
  return all.filter(({ total }) => total > limit).map(({ total, parts, places }) =>
    `${total.toFixed(0)} ms: ${[...parts].map(([kind, time]) => `${kind} ${time.toFixed(0)}`).join(", ")} ${[...new Set(places)].slice(0, 6).join("; ")}`);
}

// The limits of a long run are for a quiet machine; in the gate, other gates use the processors at the same time.
for (const [rate, limit] of process.env.USHER_LONG ? [[1, 50], [4, 100]] : [[1, 200]]) {
  samples(`A session of ${count} inputs has no task over ${limit} ms with ${rate === 1 ? "the processor at full speed" : "a processor four times slower"}`, {}, async ({ server, page }, test) => {
    const session = await hugeSession(server);
    await page.send("Emulation.setCPUThrottlingRate", { rate });
    const view = () => page.get("region", "Journal");
    const rest = () => page.until(() => page.network.isQuiet, "nothing is under way any more");
    const loaded = tasks(await traced(page, async () => {
      await page.open(`${server.url}/#/sessions/${session}`);
      await page.becomes(async () => (await rows(page)).at(-1)?.at(-1), "5");
      await rest();
    }));
    test.diagnostic(`load: ${loaded[0].total.toFixed(0)} ms`);
    assert.deepEqual(long(loaded, limit), [], "at load");
    const used = tasks(await traced(page, async () => {
      for (const top of [6 * count, 12 * count, 18 * count, 4 * count]) {
        await page.evaluate((top) => { document.querySelector(".inputs-window").scrollTop = top; }, top);
        await page.change();
        await rest();
      }
      await (await view().get("slider", "Revision").one()).focus();
      for (const key of ["Home", "ArrowRight", "ArrowRight", "End"]) {
        await page.keyboard.press(key);
        await page.change();
        await rest();
      }
      await view().get("searchbox", "Find inputs").fill("showSearch");
      await view().get("status", "Found inputs").says("1 found");
      await rest();
    }));
    test.diagnostic(`use: ${used[0].total.toFixed(0)} ms`);
    assert.deepEqual(long(used, limit), [], "in use");
  });
}

gallery("The arrow keys move through the journal's table, which keeps the focus", {}, async ({ server, page, visit }) => {
  const session = await server.session("gallery");
  for (let step = 0; step < 40; step++) await server.send(session, step % 2 ? { back: true } : { event: { echo: { text: "x" } } });
  const view = await visit(session);
  await (await view.journal.get("button", /^41 back$/).one()).focus();
  await page.keyboard.choose("j");
  await view.device.says("Revision 40 of 41");
  await page.evaluate(() => { document.querySelector(".inputs-window").scrollTop = 0; });
  await view.journal.get("button", /^1 open gallery$/).appears();
  assert.ok(await page.evaluate(() => document.activeElement.closest(".inputs-window") !== null), "the table has the focus of the row that left");
});
