// The conformance kit is what a server answers today, and the client passes it. USHER_RECORD=1 records it anew.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { Server, missing } from "../Browser/support/server.js";
import { dialogues } from "./support/dialogues.js";
import { Performer } from "./support/performer.js";
import { json, stream } from "./support/script.js";

const skip = missing("usher");
const file = (name) => new URL(`../../Clients/Conformance/${name.replace(", ", "-").replace(" ", "-")}.json`, import.meta.url);
const read = (name) => JSON.parse(readFileSync(file(name), "utf8"));
/** One line a step: short enough to be read, and a change is a line. */
const write = ({ steps }) => `{"steps":[\n${steps.map((step) => JSON.stringify(step)).join(",\n")}\n]}\n`;

/** Ids and times are other ones in each run. */
const settled = (steps, id) =>
  JSON.parse(JSON.stringify(steps).replaceAll(id, "SESSION").replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "2026-01-01T00:00:00.000Z"));

let server;

/**
 * The client on a stream that the test writes, which says nothing of itself: what an effect shows meanwhile is a matter of time.
 * @param {string} url
 * @param {(path: string, request: RequestInit) => Promise<Response>} answer to all but the stream
 */
function perform(url, answer) {
  let live;
  const performer = new Performer(url, async (path, request) => {
    if (!path.endsWith("/stream")) return answer(path, request);
    live = stream(performer.opened);
    request.signal.addEventListener("abort", () => { try { live.fail(); } catch { /* It has ended. */ } });
    return live.response;
  });
  /** @param {any} input, @param {any} state to which it has led */
  const follow = (input, state) => performer.follow(input, () => {
    live.tell(state);
    return state.revision;
  });
  return { performer, follow };
}

async function record({ app, options, calls }) {
  const { performer, follow } = perform(server.url, fetch);
  try {
    const steps = [await performer.perform({ open: { app, ...(options ? { options } : {}) } })];
    await performer.isLive();
    for (const make of calls) {
      const made = make(performer.state);
      if (made.elsewhere) steps.push(await follow(made.elsewhere, await server.send(performer.id, made.elsewhere)));
      else steps.push(await performer.perform(made));
    }
    return settled(steps, performer.id);
  } finally {
    performer.close();
  }
}

/** Performs the steps of a file with the file's answers, and answers with what came of them. */
async function replay(steps) {
  let answer;
  const { performer, follow } = perform("http://server", async () => json(answer.body ?? null, answer.status));
  const done = [];
  try {
    for (const step of steps) {
      answer = step.answer;
      done.push(step.call ? await performer.perform(step.call) : await follow(step.elsewhere, step.streamed));
      if (step === steps[0]) await performer.isLive();
      assert.deepEqual(performer.view.screens, performer.state.stack);
    }
    return done;
  } finally {
    performer.close();
  }
}

// Older versions of node run a file's own hooks only when nothing lives any more, and a server does.
describe("the conformance kit", () => {
  before(async () => { if (!skip) server = await Server.start(); });
  after(() => server?.close());

  for (const [name, dialogue] of Object.entries(dialogues)) {
    test(`${name}: the server answers as recorded`, { skip }, async () => {
      const steps = await record(dialogue);
      if (process.env.USHER_RECORD) writeFileSync(file(name), write({ steps }));
      assert.deepEqual(steps, read(name).steps);
    });

    test(`${name}: the client passes`, async () => {
      const { steps } = read(name);
      assert.deepEqual(await replay(steps), steps);
    });
  }
});
