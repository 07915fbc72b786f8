// The ways to a session: opened anew, or gone on with.
import { Backoff } from "./backoff.js";
import { Exchange } from "./exchange.js";
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
 * @throws {Problem}
 */
export async function open(server, app, settings = {}) {
  const world = settings.world ?? platform();
  const { options, link, client, cookie } = settings;
  // What is left out is no member of the JSON.
  const body = { app, options, open: link, client, cookie };
  const headers = { "Idempotency-Key": world.key() };
  const exchange = new Exchange(world, settings);
  const { token, ...state } = await persist(world, settings, (signal) =>
    exchange.ask(address(server, "sessions"), { method: "POST", body, headers, signal }));
  return new Session(server, state, settings, token ?? null);
}

/**
 * Goes on with a session that was opened before, here or elsewhere.
 * @param {string | URL} server
 * @param {string} id
 * @param {Settings & { token?: string | null }} [settings] With the session's token, as `token` of the session that was opened.
 * @returns {Promise<Session>}
 * @throws {Problem} `isGone` where it is over, `isDenied` where the token does not open it.
 */
export async function resume(server, id, settings = {}) {
  const world = settings.world ?? platform(), token = settings.token ?? null;
  const exchange = new Exchange(world, settings, token);
  const url = address(server, `sessions/${encodeURIComponent(id)}`);
  const state = await persist(world, settings, (signal) => exchange.ask(url, { signal }));
  return new Session(server, state, settings, token);
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
        view?.delayed?.(problem);
        await backoff.wait(problem.retryAfter * 1000);
        if (signal?.aborted) throw problem;
      }
    }
  } finally {
    signal?.removeEventListener("abort", wake);
  }
}
