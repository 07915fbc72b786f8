// One thing that the server is asked for again and again: its newest value, or since when that is unknown.
import { follow } from "../client/client.js";
import { clockTime } from "../document/element.js";

const interval = 5_000;

/** How long the server may take to answer. */
export const patience = 10_000;

/**
 * @template Value
 * @typedef {object} Source
 * @property {Value | null} value The newest one, even if it is unknown by now.
 * @property {number} known When the value came, in milliseconds since 1970; 0 if none has come yet.
 * @property {string} fault Why the value is unknown; empty while it is known, and before the first answer.
 * @property {number} since Since when it is unknown.
 * @property {() => void} close
 */

/**
 * Asks now and every few seconds, on its own: no other source has to wait for this one, or fails with it.
 * @template Value
 * @param {import("../page.js").Page} page
 * @param {() => Promise<Value>} ask
 * @param {() => void} changed Called after each answer.
 * @returns {Source<Value>}
 */
export function makeSource(page, ask, changed) {
  const opened = Date.now();
  /** @type {Source<Value>} */
  const source = { value: null, known: 0, fault: "", since: 0, close: () => following.close() };
  const following = follow(page, interval, async () => {
    source.value = await ask();
    source.known = Date.now();
  }, (fault) => {
    if (fault && !source.fault) source.since = source.known || opened;
    source.fault = fault;
    changed();
  });
  return source;
}

/**
 * What is unknown, since when, and why.
 * @param {Pick<Source<unknown>, "fault" | "since">} source
 */
export function unknown({ fault, since }) {
  return fault ? `Unknown since ${clockTime(since)}: ${fault}` : "Asking …";
}
