// The conformance kit is what a server answers today, and the client passes it. USHER_RECORD=1 records it anew.
import assert from "node:assert/strict";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { Server, missing } from "../Browser/support/server.js";
import { dialogues } from "./support/dialogues.js";
import { Performer } from "./support/performer.js";
import { answer, isStream, stream } from "./support/script.js";

const folder = new URL("../../Clients/Conformance/", import.meta.url);
const file = (name) => new URL(`${name}.json`, folder);
const read = (name) => JSON.parse(readFileSync(file(name), "utf8"));
/** One line a step: short enough to be read, and a change is a line. */
const write = ({ steps }) => `{"steps":[\n${steps.map((step) => JSON.stringify(step)).join(",\n")}\n]}\n`;

/** Ids and times are other ones in each run. */
const settled = (steps, id) =>
  JSON.parse(JSON.stringify(steps).replaceAll(id, "SESSION").replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "2026-01-01T00:00:00.000Z"));

/**
 * The client on a stream that the test writes, which says nothing of itself: what an effect shows meanwhile is a matter of time.
 * @param {string} url
 * @param {(url: string, request: RequestInit, failure?: any) => Promise<Response>} ask of all but the stream
 */
function perform(url, ask) {
  let live;
  const performer = new Performer(url, async (path, request, failure) => {
    if (!isStream({ path })) return ask(path, request, failure);
    live = stream(performer.opened);
    request.signal.addEventListener("abort", () => { try { live.fail(); } catch { /* It has ended. */ } });
    return live.response;
  });
  /** @param {any[]} inputs of another client, @param {any[]} events of the stream that tell of them */
  const follow = (inputs, events) => {
    events.forEach(live.send);
    return performer.follow(inputs, events);
  };
  return { performer, follow };
}

/** What another client does, as the stream has it: an end, or the newest state; where there were several inputs, behind a gap. */
async function happen(server, session, inputs) {
  let state;
  for (const input of inputs) {
    if (input.end) {
      await server.ask("DELETE", `/sessions/${session}`);
      return [{ event: "end" }];
    }
    state = await server.send(session, input);
  }
  return [...(inputs.length > 1 ? [{ event: "gap" }] : []), { event: "state", id: state.revision, data: state }];
}

async function record(server, calls) {
  const { performer, follow } = perform(server.url, fetch);
  const steps = [];
  try {
    for (const make of calls) {
      const { elsewhere, overtaken, before, ...call } = make(performer.state, steps);
      if (elsewhere) {
        // One that is overtaken comes late: the state that was there before.
        const late = overtaken ? [{ event: "state", id: overtaken.revision, data: overtaken }] : [];
        steps.push(await follow(elsewhere, [...late, ...(await happen(server, performer.id, elsewhere))]));
      } else {
        steps.push(await performer.perform(call, before));
        if ((call.open || call.resume) && steps.at(-1).answer.status < 300) await performer.isLive();
      }
    }
    return settled(steps, performer.id);
  } finally {
    performer.close();
  }
}

/** Performs the steps of a file with the file's answers, and answers with what came of them. */
async function replay(steps) {
  let given;
  const { performer, follow } = perform("http://server", async (url, request, failure) => (failure ? null : answer(given)));
  const done = [];
  try {
    for (const step of steps) {
      given = step.answer;
      done.push(step.call ? await performer.perform(step.call, step.before) : await follow(step.elsewhere, step.stream));
      if ((step.call?.open || step.call?.resume) && given.status < 300) await performer.isLive();
      const isMissing = step.call?.resume && given.status >= 300;
      if (performer.state && !isMissing) assert.deepEqual(performer.view.screens, performer.state.stack);
    }
    return done;
  } finally {
    performer.close();
  }
}

test("the files are those of the dialogues", () => {
  const files = readdirSync(folder).filter((name) => name.endsWith(".json")).map((name) => name.replace(".json", ""));
  assert.deepEqual(files.sort(), Object.keys(dialogues).sort());
});

// Older versions of node run a file's own hooks only when nothing lives any more, and a server does.
for (const program of ["usher", "gallery"]) {
  const skip = missing(program);
  describe(`the conformance kit, with ${program}`, () => {
    let server;
    before(async () => { if (!skip) server = await Server.start(program); });
    after(() => server?.close());

    for (const [name, dialogue] of Object.entries(dialogues)) {
      if ((dialogue.program ?? "usher") !== program) continue;

      test(`${name}: the server answers as recorded`, { skip }, async () => {
        const steps = await record(server, dialogue.calls);
        if (process.env.USHER_RECORD) writeFileSync(file(name), write({ steps }));
        assert.deepEqual(steps, read(name).steps);
      });

      test(`${name}: the client passes`, async () => {
        const { steps } = read(name);
        assert.deepEqual(await replay(steps), steps);
      });
    }
  });
}
