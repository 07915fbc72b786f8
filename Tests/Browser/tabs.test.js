// Many tabs of one browser: a browser opens at most six HTTP/1.1 connections to a server, and a stream occupies one.
import assert from "node:assert/strict";
import { Site } from "./support/site.js";
import { stage } from "./support/stage.js";

const tab = `<!doctype html><meta charset="utf-8"><title>Tab</title><script type="module">
  import { resume } from "http://127.0.0.1:8080/client/usher.js";
  window.session = await resume("http://127.0.0.1:8080", location.hash.slice(1));
</script>`;
const site = await Site.start({ "/": tab });
// Only a browser with windows hides the tabs behind the front one.
const scene = stage({ options: ["--allow-origin", site.origin], browser: "chromium" });
const count = 10;
/** An answer that takes longer than this has waited for a connection; the limit allows for a busy machine. */
const atOnce = 5_000;

const connection = () => window.session?.connection;
const revision = () => window.session?.state.revision;
const wait = async (tab) => { await window.session.select(tab); };
const streams = (tabs) => tabs.flatMap(({ network }) => network.exchanges).filter(({ url, done }) => url.endsWith("/stream") && !done).length;

/** Opens a tab for each session; the last is in front. */
async function open(server, page, sessions) {
  site.server = server.url;
  const tabs = [page];
  while (tabs.length < sessions.length) tabs.push(await page.tab());
  for (const [place, session] of sessions.entries()) await tabs[place].open(`${site.origin}/#${session}`);
  return tabs;
}

/** Waits until all tabs show the same. @param {import("./support/page.js").Page} front whose document changes */
const all = (front, tabs, read, expected) =>
  front.becomes(() => Promise.all(tabs.map((each) => each.evaluate(read))), tabs.map(() => expected), `${read} of each`);

/** Waits for a number of open streams: the browser reports the end of a stream a little later. */
const become = (front, tabs, number) => front.becomes(() => streams(tabs), number, `${number} streams`);

/** Sends an event from each tab, first one after the other and then all at the same time: none waits for a connection. */
async function sendFromEach(tabs) {
  const timed = async (page, selected) => {
    const began = Date.now();
    await page.evaluate(wait, selected);
    assert.ok(Date.now() - began < atOnce, `${Date.now() - began} ms`);
  };
  for (const page of tabs) await timed(page, "chat");
  await Promise.all(tabs.map((page) => timed(page, "home")));
}
const stranger = { isStranger: true };

scene("Of ten tabs with a session each, only the front one has a stream, and each tab's event is answered at once",
  { ...stranger, look: { covers: true } }, async ({ server, page }) => {
    const sessions = await Promise.all(Array.from({ length: count }, () => server.session("tudy")));
    const tabs = await open(server, page, sessions), front = tabs.at(-1);
    await all(front, tabs.slice(0, -1), connection, "hidden");
    await all(front, [front], connection, "live");
    await become(front, tabs, 1);
    await sendFromEach(tabs);
    await all(front, tabs, revision, 3);
    // Changes in a hidden tab are visible as soon as the tab is shown.
    await server.send(sessions[0], { event: "showSearch" });
    await tabs[0].bringToFront();
    await all(page, [page], revision, 4);
    await all(page, [page], connection, "live");
    await all(page, tabs.slice(1), connection, "hidden");
    await become(page, tabs, 1);
  });

scene("Ten visible tabs of one session share a stream, and each tab's event is answered at once", stranger, async ({ server, page }) => {
  const session = await server.session("tudy");
  const tabs = await open(server, page, Array(count).fill(session));
  await all(page, tabs, connection, "live");
  await become(page, tabs, 1);
  await sendFromEach(tabs);
  await all(page, tabs, revision, 1 + 2 * count);
  await server.send(session, { select: "chat" });
  await all(page, tabs, revision, 2 + 2 * count);
  await become(page, tabs, 1);
});

scene("Ten visible tabs with a session each leave connections free, and each tab's event is answered at once", stranger, async ({ server, page }) => {
  const sessions = await Promise.all(Array.from({ length: count }, () => server.session("tudy")));
  const tabs = await open(server, page, sessions);
  await all(page, tabs, connection, "live");
  await become(page, tabs, 4);
  await sendFromEach(tabs);
  for (const session of sessions) await server.send(session, { select: "chat" });
  await all(page, tabs, revision, 4);
  await become(page, tabs, 4);
});

scene("Ten tabs reconnect after the server was down, and after the tab with the stream was closed",
  { ...stranger, troubles: [/ERR_CONNECTION|ERR_INCOMPLETE|ERR_EMPTY|status of 503/] }, async ({ server, page }) => {
    const session = await server.session("tudy");
    const tabs = await open(server, page, Array(count).fill(session));
    await all(page, tabs, connection, "live");
    await server.stop();
    await all(page, tabs, connection, "unreachable");
    await server.restart();
    await all(page, tabs, connection, "live");
    await server.send(session, { select: "chat" });
    await all(page, tabs, revision, 2);
    const isWatching = (each) => streams([each]) === 1;
    await page.becomes(() => tabs.filter(isWatching).length, 1);
    const [watching] = tabs.filter(isWatching), others = tabs.filter((each) => each !== watching);
    await watching.open("about:blank");
    await others[0].until(() => streams(others) === 1, "another has a stream");
    await server.send(session, { select: "home" });
    await all(others[0], others, revision, 3);
  });
