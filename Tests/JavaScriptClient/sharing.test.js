import assert from "node:assert/strict";
import { test } from "node:test";
import { open } from "../../Clients/JavaScript/usher.js";
import { json, opened, refusal, scripted, stream } from "./support/script.js";
import { Tabs } from "./support/tabs.js";
import { until } from "./support/world.js";

/** The tabs of one browser, each with a scripted server. */
class Browser {
  #tabs = new Tabs();
  streams = [];
  isOver = false;
  revision = 1;

  /** @param {string} [id] of its session */
  tab(id = opened.session) {
    const { world, show } = this.#tabs.make();
    const state = () => ({ ...opened, session: id, revision: this.revision });
    const script = scripted((request) => {
      if (request.path === "/sessions") return json(state(), 201);
      if (!request.path.endsWith("/stream")) return this.isOver ? refusal(410, "session-ended") : json(state());
      const made = stream(state());
      this.streams.push(made);
      return made;
    }, world);
    const streams = () => script.requests.filter(({ path }) => path.endsWith("/stream")).length;
    return { ...script, show, streams };
  }
}

async function two() {
  const browser = new Browser(), first = browser.tab(), second = browser.tab();
  first.session = await open("http://server", "a", { world: first.world });
  await until(() => first.session.connection === "live", "the first tab is live");
  second.session = await open("http://server", "a", { world: second.world });
  await until(() => second.session.connection === "live", "the second tab is live, too");
  return { browser, first, second, close: () => [first, second].forEach(({ session }) => session.close()) };
}

test("two tabs share one stream, and both get the stream's events", async () => {
  const { browser, first, second, close } = await two();
  assert.deepEqual([first.streams(), second.streams()], [1, 0]);
  browser.streams[0].tell({ ...opened, revision: 5 });
  await until(() => first.session.state.revision === 5 && second.session.state.revision === 5, "both have it");
  close();
});

test("both tabs that share a stream report the end of the session as a problem", async () => {
  const { browser, first, second, close } = await two();
  browser.isOver = true;
  browser.streams[0].send({ event: "end" });
  await until(() => first.session.ending && second.session.ending, "both know");
  for (const { session } of [first, second]) assert.deepEqual([session.ending.isGone, session.ending.message], [true, "session-ended it is"]);
  close();
});

test("a value that a custom parser created has the same type in the other tab", async () => {
  const { browser, first, second, close } = await two();
  class Exact {
    constructor(digits) { this.digits = digits; }
    toJSON() { return { digits: this.digits }; }
  }
  const read = (text) => JSON.parse(text, (_, value) => (value?.digits ? new Exact(value.digits) : value));
  for (const { world } of [first, second]) world.read = read;
  browser.streams[0].tell({ ...opened, revision: 5, warnings: [{ digits: "18446744073709551615" }] });
  await until(() => second.session.state.revision === 5, "it has it");
  assert.ok(second.session.state.warnings[0] instanceof Exact);
  close();
});

test("every tab gets a shared stream's events that are not states, also a tab that opens later", async () => {
  const { browser, first, second, close } = await two();
  const told = [first, second].map(({ session }) => {
    const events = [];
    session.observe({ event: (event) => events.push(event) });
    return events;
  });
  const refused = { number: 1, status: 422, detail: "not on Mondays" };
  browser.streams[0].send({ event: "refused", data: refused });
  browser.streams[0].send({ event: "gap" });
  await until(() => told.every((events) => events.length === 1), "both have it");
  assert.deepEqual(told, [[{ type: "refused", data: refused }], [{ type: "refused", data: refused }]]);
  const third = browser.tab(), later = [];
  third.session = await open("http://server", "a", { world: third.world, view: { event: (event) => later.push(event) } });
  await until(() => later.length > 0, "the third has it, too");
  assert.deepEqual([later[0], third.streams()], [{ type: "refused", data: refused }, 0]);
  third.session.close();
  close();
});

test("a hidden tab closes its stream, and the other tab opens a stream", async () => {
  const { browser, first, second, close } = await two();
  first.show(false);
  await until(() => second.streams() === 1, "the second has a stream");
  assert.equal(first.session.connection, "hidden");
  browser.streams[1].tell({ ...opened, revision: 6 });
  await until(() => second.session.state.revision === 6, "it follows");
  first.show(true);
  await until(() => first.session.connection === "live", "the first is live by the second's stream");
  assert.deepEqual([first.session.state.revision, first.streams()], [6, 1]);
  close();
});

test("a session that no visible tab shows opens no stream", async () => {
  const { first, second, close } = await two();
  second.show(false);
  first.show(false);
  await new Promise((resolve) => setTimeout(resolve, 30));
  assert.deepEqual([first.streams(), second.streams()], [1, 0]);
  second.show(true);
  await until(() => second.streams() === 1, "who looks again has one");
  close();
});

test("after the tab with the stream is closed, the other tab opens a stream", async () => {
  const { first, second, close } = await two();
  first.session.close();
  await until(() => second.streams() === 1, "the second has a stream");
  close();
});

test("of many visible sessions, four have a stream and all others poll, and a poller takes over a free stream", async () => {
  const browser = new Browser(), tabs = Array.from({ length: 6 }, (_, place) => browser.tab(`s${place}`));
  for (const tab of tabs) tab.session = await open("http://server", "a", { world: tab.world });
  await until(() => tabs.every(({ session }) => session.connection === "live"), "all are live");
  assert.deepEqual(tabs.map((tab) => tab.streams()), [1, 1, 1, 1, 0, 0]);
  browser.revision = 2;
  await until(() => tabs.slice(4).every(({ session }) => session.state.revision === 2), "those without a stream follow");
  tabs[1].session.close();
  await until(() => tabs.slice(4).some((tab) => tab.streams() === 1), "one of them has a stream");
  assert.equal(tabs[4].streams() + tabs[5].streams(), 1);
  tabs.forEach(({ session }) => session.close());
});
