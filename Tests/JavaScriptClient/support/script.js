import { hastyWorld } from "./world.js";

export const opened = { session: "s1", app: "a", revision: 1, stack: [{ id: 1, screen: "home", coordinator: "app", shown: "root", state: {} }],
  back: false, changes: [], pending: [] };

/** Returns a JSON answer. */
export function json(body, status = 200, headers = {}) {
  return new Response(body === null ? null : JSON.stringify(body), { status, headers: { "Content-Type": "application/json", ...headers } });
}

/** Returns an answer from a file of the conformance kit: its body is JSON or another text. */
export function answer({ status, headers, body }) {
  return typeof body === "string" ? new Response(body, { status, headers }) : json(body ?? null, status, headers);
}

export const isStream = ({ path }) => path.endsWith("/stream");

export function refusal(status, name, more = {}, headers = {}) {
  return json({ type: name && `urn:usher:problem:${name}`, title: "Refused", detail: `${name} it is`, status, ...more }, status, headers);
}

/** Returns a stream that a test writes; it breaks when the request is cancelled. */
export function stream(...states) {
  let controller;
  const body = new ReadableStream({ start: (made) => (controller = made) });
  const encoder = new TextEncoder();
  const write = (text) => controller.enqueue(encoder.encode(text));
  const tell = (state) => send({ event: "state", id: state.revision, data: state });
  const send = ({ event, id, data = {} }) => write(`${id === undefined ? "" : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  states.forEach(tell);
  return { response: new Response(body, { headers: { "Content-Type": "text/event-stream" } }), write, tell, send,
    close: () => controller.close(), fail: () => controller.error(new Error("cut")) };
}

/**
 * Returns a platform whose server is a function of the request, and which records all requests.
 * @param {(request: { method: string, path: string, body: any, headers: Record<string, string> }, count: number) => any} answer
 */
export function scripted(answer, changes = {}) {
  const requests = [], pauses = [];
  const world = hastyWorld(1, {
    async fetch(url, { method, headers, body, signal }) {
      const request = { method, path: new URL(url).pathname, headers, body: body && JSON.parse(body) };
      requests.push(request);
      const given = await Promise.race([answer(request, requests.length), aborted(signal)]);
      if (given instanceof Error) throw given;
      // Fetch does the same with a body that is read when its request is cancelled.
      if (given?.response) signal?.addEventListener("abort", () => { try { given.fail(); } catch { /* It has ended. */ } });
      return given?.response ?? given;
    },
    ...changes,
  });
  const setTimer = world.setTimer;
  world.setTimer = (run, milliseconds) => {
    pauses.push(milliseconds);
    return setTimer(run, milliseconds);
  };
  return { world, requests, pauses };
}

function aborted(signal) {
  return new Promise((_, reject) => signal?.addEventListener("abort", () => reject(new Error("given up"))));
}
