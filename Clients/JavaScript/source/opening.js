// Opening and resuming a session.
import { Backoff } from "./backoff.js";
import { Exchange, textOf } from "./exchange.js";
import { inform } from "./observer.js";
import { Problem } from "./problem.js";
import { Session, address } from "./session.js";
import { platform } from "./world.js";

/** @typedef {import("./session.js").Settings} Settings */
/** @typedef {import("./protocol.js").Client} Client */

/**
 * Opens a session. The opening is retried until the server answers, and opens one session only.
 * @param {string | URL} server The server's URL.
 * @param {string} app
 * @param {Settings & { options?: any, link?: any[], client?: Client }} [settings] With the app's options, a deep link
 *   to begin with, and a description of this client, so that the server sends no screen that this client cannot draw.
 * @returns {Promise<Session>}
 * @throws {Problem} The server's refusal, or the client's own `unwritable` or `unsendable`.
 */
export async function open(server, app, settings = {}) {
  const world = settings.world ?? platform();
  const { options, link, client, cookie } = settings;
  // JSON has no member whose value is undefined.
  const text = textOf({ app, options, open: link, client, cookie }, world);
  const headers = { "Idempotency-Key": world.key() };
  const exchange = new Exchange(world, settings);
  const { state: { token = null, ...state }, ...snapshot } = await persist(world, settings, (signal) =>
    exchange.askForState(address(server, "sessions"), { method: "POST", text, headers, signal }));
  return new Session(server, { ...snapshot, state }, settings, token);
}

/**
 * Resumes a session that was opened before, here or elsewhere.
 * @param {string | URL} server
 * @param {string} id
 * @param {Settings & { token?: string | null }} [settings] With the session's token, which was `token` of the opened session.
 * @returns {Promise<Session>}
 * @throws {Problem} `isGone` if the session has ended, `isHeld` if the server's build cannot restore it, `isDenied` if the
 *   token is refused, or the client's own `unsendable`.
 */
export async function resume(server, id, settings = {}) {
  const world = settings.world ?? platform(), token = settings.token ?? null;
  const exchange = new Exchange(world, settings, token);
  const url = address(server, `sessions/${encodeURIComponent(id)}`);
  const snapshot = await persist(world, settings, (signal) => exchange.askForState(url, { signal }));
  return new Session(server, snapshot, settings, token);
}

/**
 * Repeats an attempt until a response decides the outcome.
 * @param {import("./world.js").World} world
 * @param {Settings} settings
 * @param {(signal?: AbortSignal) => Promise<any>} attempt
 */
async function persist(world, { signal, view }, attempt) {
  const backoff = new Backoff(world);
  const wake = () => backoff.wake();
  signal?.addEventListener("abort", wake);
  try {
    for (;;) {
      try {
        return await attempt(signal);
      } catch (error) {
        const problem = Problem.from(error);
        if (!problem.isTransient || signal?.aborted) throw problem;
        if (view) inform(world, view, () => view.delayed?.(problem));
        await backoff.wait(problem.retryAfter * 1000);
        if (signal?.aborted) throw problem;
      }
    }
  } finally {
    signal?.removeEventListener("abort", wake);
  }
}
