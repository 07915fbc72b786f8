import assert from "node:assert/strict";
import { test } from "node:test";
import { open } from "../../Clients/JavaScript/usher.js";
import { json, opened, refusal, scripted, stream } from "./support/script.js";
import { until } from "./support/world.js";

/** Tabs of one browser: exclusive locks in the order of asking, and channels that tell all others. */
class Browser {
  #locks = new Map();
  #channels = new Set();
  streams = [];
  isOver = false;

  tab() {
    const visibility = new EventTarget();
    let isHidden = false;
    const script = scripted((request) => {
      if (request.path === "/sessions") return json(opened, 201);
      if (!request.path.endsWith("/stream")) return this.isOver ? refusal(410, "session-ended") : json(opened);
      const made = stream(opened);
      this.streams.push(made);
      return made;
    }, {
      visibility: {
        isHidden: () => isHidden,
        observe: (changed) => {
          visibility.addEventListener("change", changed);
          return () => visibility.removeEventListener("change", changed);
        },
      },
      tabs: { locks: { request: (...asked) => this.#request(...asked) }, channel: (name) => this.#channel(name) },
    });
    const streams = () => script.requests.filter(({ path }) => path.endsWith("/stream")).length;
    const show = (isShown) => {
      isHidden = !isShown;
      visibility.dispatchEvent(new Event("change"));
    };
    return { ...script, show, streams };
  }

  async #request(name, { signal }, run) {
    const before = this.#locks.get(name) ?? Promise.resolve();
    let release;
    this.#locks.set(name, before.then(() => new Promise((resolve) => (release = resolve))));
    await before;
    try {
      if (signal.aborted) throw new Error("AbortError");
      await run({});
    } finally {
      await null;
      release();
    }
  }

  #channel(name) {
    const channel = { name, onmessage: null, close: () => this.#channels.delete(channel) };
    channel.postMessage = (data) => {
      const copy = structuredClone(data);
      for (const other of this.#channels) if (other !== channel && other.name === name) queueMicrotask(() => other.onmessage?.({ data: copy }));
    };
    this.#channels.add(channel);
    return channel;
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

test("two tabs have one stream, and both follow it", async () => {
  const { browser, first, second, close } = await two();
  assert.deepEqual([first.streams(), second.streams()], [1, 0]);
  browser.streams[0].tell({ ...opened, revision: 5 });
  await until(() => first.session.state.revision === 5 && second.session.state.revision === 5, "both have it");
  close();
});

test("both are told how the session ended, as a problem", async () => {
  const { browser, first, second, close } = await two();
  browser.isOver = true;
  browser.streams[0].send({ event: "end" });
  await until(() => first.session.ending && second.session.ending, "both know");
  for (const { session } of [first, second]) assert.deepEqual([session.ending.isGone, session.ending.message], [true, "session-ended it is"]);
  close();
});

test("a value of its own that a world reads reaches the other tab as one", async () => {
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

test("a tab that is hidden lets the stream go, and the other takes it", async () => {
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

test("a session that nobody sees has no stream", async () => {
  const { first, second, close } = await two();
  second.show(false);
  first.show(false);
  await new Promise((resolve) => setTimeout(resolve, 30));
  assert.deepEqual([first.streams(), second.streams()], [1, 0]);
  second.show(true);
  await until(() => second.streams() === 1, "who looks again has one");
  close();
});

test("a tab that is closed leaves the stream to the other", async () => {
  const { first, second, close } = await two();
  first.session.close();
  await until(() => second.streams() === 1, "the second has a stream");
  close();
});
