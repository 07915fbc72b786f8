import assert from "node:assert/strict";
import { test } from "node:test";
import { Browser } from "./support/browser.js";
import { Server, missing } from "./support/server.js";
import { SessionView } from "./support/session-view.js";
import { logIn, stage } from "./support/stage.js";

const scene = stage();
const outage = [/status of (503|422)|ERR_CONNECTION|ERR_INCOMPLETE|ERR_EMPTY/];

/** Counts views, beginning at the start page: each address is one, and so is each choice within a view. */
function counted() {
  let views = 0;
  return {
    /** @param {() => Promise<void>} act Opens the next view. */
    async next(act) {
      await act();
      views++;
    },
    isShort() { assert.ok(views <= 5, `it takes ${views} views`); },
  };
}

test("An operator finds the session that crashed the server within five views from the start page", { skip: missing("crash"), timeout: 120_000 }, async () => {
  const [browser, server] = await Promise.all([Browser.start(), Server.start("crash")]);
  try {
    const { session } = await server.ask("POST", "/admin/sessions", { app: "crash", subject: "kim" });
    await server.ask("POST", "/admin/sessions", { app: "crash", subject: "lee" });
    await assert.rejects(server.send(session, { event: { event: { deed: "index" } } }));
    await server.back();
    const page = await browser.page(), views = counted();
    await logIn(page, server);
    await views.next(() => page.open(`${server.url}/`));
    await views.next(() => page.get("link", "Server: alerts and crashes").click());
    await page.get("table", "Crashes").get("link", "kim").appears();
    await views.next(() => page.get("table", "Crashes").get("link", session.slice(0, 8)).click());
    await page.get("heading", /^crash .* of kim$/).appears();
    views.isShort();
    page.troubles.expectOnly(outage);
  } finally {
    await Promise.all([browser.close(), server.close()]);
  }
});

scene("An operator finds a user's inputs before an error within five views from the start page", { troubles: outage }, async ({ server, page }) => {
  const sessions = [];
  for (const subject of ["lee", "kim", "lee"]) sessions.push((await server.ask("POST", "/admin/sessions", { app: "tudy", subject })).session);
  const [, session] = sessions;
  await server.send(session, { event: "showSearch" });
  await server.send(session, { back: true });
  await server.send(session, { event: { showFastSearch: { work: "iOS" } } });
  await server.send(session, { event: "fly" }).catch(() => {});
  const views = counted();
  await views.next(() => page.open(`${server.url}/`));
  await views.next(() => page.get("table", /^Sessions/).get("link", "kim").click());
  await views.next(() => page.get("table", /^Live sessions/).get("link", session.slice(0, 8)).click());
  const view = new SessionView(page, session);
  await views.next(() => view.journal.get("button", /^refused 422 fly$/).click());
  await view.inspector.says(/Refused: 422/);
  const rows = await page.evaluate(() => [...document.querySelectorAll(".inputs tbody:not([aria-hidden]) tr")].map((row) => row.cells[2].textContent));
  assert.deepEqual(rows, ["open tudy", "showSearch", "back", "showFastSearch work: iOS", "fly"]);
  views.isShort();
  await view.journal.get("button", /^4 showFastSearch$/).click();
  await view.inspector.says(/Revision 4\n[^]*showFastSearch work: iOS · /);
});

scene("An operator finds why a coordinator is alive within five views from the start page", {}, async ({ server, page }) => {
  const session = await server.session("tudy");
  await server.send(session, { event: "showLogin" });
  const views = counted();
  await views.next(() => page.open(`${server.url}/`));
  await views.next(() => page.get("link", session.slice(0, 8)).click());
  await views.next(() => page.get("region", "Coordinators").get("treeitem", /^LoginCoordinator/).click());
  await page.get("region", "Coordinator").says("It is alive because it shows login");
  views.isShort();
});
