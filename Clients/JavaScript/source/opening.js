// The ways to a session: opened anew, or gone on with.
import { Backoff } from "./backoff.js";
import { Exchange, textOf } from "./exchange.js";
import { inform } from "./observer.js";
import { Problem } from "./problem.js";
import { Session, address } from "./session.js";
import { platform } from "./world.js";

/** @typedef {import("./session.js").Settings} Settings */
/** @typedef {import("./protocol.js").Client} Client */

/**
 * Opens a session. It is tried until the server answers, and opens one, however often it is tried.
 * @param {string | URL} server Its address.
 * @param {string} app
 * @param {Settings & { options?: any, link?: any[], client?: Client }} [settings] With the app's options, a deep link to begin
 *   with, and what this client says of itself, so that it is sent no screen that it cannot draw.
 * @returns {Promise<Session>}
 * @throws {Problem} The server's refusal, or `unwritable` or `unsendable` of the client's own.
 */
export async function open(server, app, settings = {}) {
  const world = settings.world ?? platform();
  const { options, link, client, cookie } = settings;
  // What is left out is no member of the JSON.
  const text = textOf({ app, options, open: link, client, cookie }, world);
  const headers = { "Idempotency-Key": world.key() };
  const exchange = new Exchange(world, settings);
  const { state: { token = null, ...state }, ...snapshot } = await persist(world, settings, (signal) =>
    exchange.askForState(address(server, "sessions"), { method: "POST", text, headers, signal }));
  return new Session(server, { ...snapshot, state }, settings, token);
}

/**
 * Goes on with a session that was opened before, here or elsewhere.
 * @param {string | URL} server
 * @param {string} id
 * @param {Settings & { token?: string | null }} [settings] With the session's token, as `token` of the session that was opened.
 * @returns {Promise<Session>}
 * @throws {Problem} `isGone` where it is over, `isHeld` where the server's build cannot restore it, `isDenied` where the token
 *   does not open it, `unsendable` of the client's own.
 */
export async function resume(server, id, settings = {}) {
  const world = settings.world ?? platform(), token = settings.token ?? null;
  const exchange = new Exchange(world, settings, token);
  const url = address(server, `sessions/${encodeURIComponent(id)}`);
  const snapshot = await persist(world, settings, (signal) => exchange.askForState(url, { signal }));
  return new Session(server, snapshot, settings, token);
}

/**
 * Tries until an answer decides.
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
