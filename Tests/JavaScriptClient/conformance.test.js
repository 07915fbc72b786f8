// Checks that the conformance kit has the server's present answers, and that the client passes it. USHER_RECORD=1 records the kit.
import assert from "node:assert/strict";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { Server, missing } from "../Browser/support/server.js";
import { Conversation } from "./support/conversation.js";
import { dialogues } from "./support/dialogues.js";
import { answer } from "./support/script.js";

const folder = new URL("../../Clients/Conformance/", import.meta.url);
const file = (name) => new URL(`${name}.json`, folder);
const read = (name) => JSON.parse(readFileSync(file(name), "utf8"));
/** Writes one step per line, so that a change in a step is a change in one line. */
const write = ({ steps, ...more }) => `${JSON.stringify({ ...more, steps: [] }).slice(0, -2)}\n${steps.map((step) => JSON.stringify(step)).join(",\n")}\n]}\n`;

/** Replaces ids, tokens and times, which differ in each run, and removes a leak's holder, which is found at some later time. */
const settled = (file, { id, token }) => JSON.parse(JSON.stringify(file).replaceAll(id, "SESSION").replaceAll(token ?? id, "TOKEN")
  .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "2026-01-01T00:00:00.000Z").replaceAll(/,"holder":"(?:[^"\\]|\\.)*"/g, ""));

/** Performs another client's inputs, and returns the stream's events: an end, or the newest state, after a gap if there are several inputs. */
async function happen(server, { id, held }, inputs) {
  let state = inputs.length ? null : await settledState(server, id);
  for (const input of inputs) {
    if (input.end) {
      await server.ask("DELETE", `/admin/sessions/${id}`);
      return [{ event: "end" }];
    }
    if (input.late) return arrive(held, input.late);
    state = await server.send(id, input);
  }
  return [...(inputs.length > 1 ? [{ event: "gap" }] : []), told(state)];
}

/** Returns the state after all effects have ended. */
async function settledState(server, id) {
  for (let headers = {}; ;) {
    const response = await fetch(`${server.url}/sessions/${id}`, { headers }), state = await response.json();
    if (!state.pending.length) return state;
    headers = { "If-None-Match": response.headers.get("ETag"), Prefer: "wait=10" };
  }
}

const told = (state) => ({ event: "state", id: state.revision, data: state });

/** Delivers a held request to the server; if the server accepts its input, the stream shows it. */
async function arrive({ url, request: { method, headers, body } }, input) {
  assert.deepEqual(JSON.parse(body), input);
  const response = await fetch(url, { method, headers, body }), state = await response.json();
  return response.ok && !response.headers.has("Idempotent-Replayed") ? [told(state)] : [];
}

async function record(server, { calls, stream = true }) {
  const conversation = new Conversation(server.url, fetch, stream), { performer } = conversation, steps = [];
  /** Sends a long poll that has waited; only the answer matters. */
  const ask = async ({ headers }) => {
    const response = await fetch(`${server.url}/sessions/${performer.id}`, { headers });
    return { status: response.status, body: await response.json() };
  };
  try {
    for (const make of calls) {
      const { elsewhere, overtaken, before, ...call } = make(performer.state, steps);
      if (!elsewhere) {
        steps.push(await performer.perform(call, before));
        if ((call.open || call.resume) && steps.at(-1).answer.status < 300) await performer.isLive();
      } else if (stream) {
        // A poll that was overtaken gets the previous state.
        const late = overtaken ? [told(overtaken)] : [];
        steps.push(await conversation.follow(elsewhere, [...late, ...(await happen(server, performer, elsewhere))]));
      } else {
        steps.push(await conversation.poll(elsewhere, before, async (request) => {
          await happen(server, performer, elsewhere);
          return ask(request);
        }));
      }
    }
    return settled({ ...(stream ? {} : { stream }), steps }, performer);
  } finally {
    performer.close();
  }
}

/** Performs a file's steps with the file's answers, and returns the results. */
async function replay({ steps, stream = true }) {
  let given;
  const conversation = new Conversation("http://server", async (url, request, failure) => (failure ? null : answer(given)), stream);
  const { performer } = conversation, done = [];
  try {
    for (const step of steps) {
      given = step.answer;
      if (step.call) done.push(await performer.perform(step.call, step.before));
      else if (stream) done.push(await conversation.follow(step.elsewhere, step.stream));
      else done.push(await conversation.poll(step.elsewhere, step.before, () => given));
      if ((step.call?.open || step.call?.resume) && given.status < 300) await performer.isLive();
      const newest = newestOf(step);
      if (newest) assert.deepEqual([performer.state, performer.view.screens], [newest, newest.stack]);
    }
    return { ...(stream ? {} : { stream }), steps: done };
  } finally {
    performer.close();
  }
}

/** Returns the state after a step; none if the step has no state. */
function newestOf({ stream, answer }) {
  const told = stream?.findLast(({ event }) => event === "state")?.data ?? answer?.body?.current ?? answer?.body;
  if (!told?.stack) return null;
  const { token, ...state } = told;
  return state;
}

test("every dialogue of the kit has a file, and every file belongs to a dialogue", () => {
  const files = readdirSync(folder).filter((name) => name.endsWith(".json")).map((name) => name.replace(".json", ""));
  assert.deepEqual(files.sort(), Object.keys(dialogues).sort());
});

// Older versions of node run a file's hooks only after all processes have ended, and a server is a process.
for (const [program, access] of [["usher", "id"], ["usher", "token"], ["gallery", "id"]]) {
  const skip = missing(program);
  describe(`the conformance kit with ${program} and session access by ${access}`, () => {
    let server;
    before(async () => { if (!skip) server = await Server.start(program, ["--session-access", access]); });
    after(() => server?.close());

    for (const [name, dialogue] of Object.entries(dialogues)) {
      if ((dialogue.program ?? "usher") !== program || (dialogue.access ?? "id") !== access) continue;

      test(`${name}: the server gives the recorded answers`, { skip }, async () => {
        const recorded = await record(server, dialogue);
        if (process.env.USHER_RECORD) writeFileSync(file(name), write(recorded));
        assert.deepEqual(recorded, read(name));
      });

      test(`${name}: the client gets the recorded results`, async () => {
        assert.deepEqual(await replay(read(name)), read(name));
      });
    }
  });
}
