// A value that the page requests repeatedly: the newest value, or the time since when it is unknown.
import { follow } from "../client/client.js";
import { clockTime } from "../document/element.js";

const interval = 5_000;

/** The time limit of an answer in milliseconds. */
export const patience = 10_000;

/**
 * @template Value
 * @typedef {object} Source
 * @property {Value | null} value The newest value, even if it is out of date.
 * @property {number} known The time of the newest value in milliseconds since 1970; 0 if there is none yet.
 * @property {string} fault Why the value is unknown; empty while it is known, and before the first answer.
 * @property {number} since The time since which the value is unknown.
 * @property {() => void} close
 */

/**
 * Requests a value now and every few seconds; an outage of one source neither delays nor fails the requests of the
 * other sources.
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
 * Describes what is unknown, since when, and why.
 * @param {Pick<Source<unknown>, "fault" | "since">} source
 */
export function unknown({ fault, since }) {
  return fault ? `Unknown since ${clockTime(since)}: ${fault}` : "Asking …";
}
