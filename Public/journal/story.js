// The story of a session: one sentence per input, with its time, for support to pass on.
import { clientInWords, clip } from "../document/element.js";
import { span } from "../inspector/difference.js";
import { inShort } from "../session/card.js";
import { resumption } from "../session/device.js";
import { caseName, payload } from "./journal.js";

/** @typedef {import("./journal.js").Entry} Entry */
/** @typedef {import("../session/moments.js").Refusal} Refusal */

const longest = 160;

/**
 * Returns one sentence per entry of a range, each with its time; each day begins with a line that has its date.
 * @param {import("./journal.js").Journal} journal
 * @param {number} first
 * @param {number} last
 * @param {{ user?: string, refusals: Refusal[] }} known Facts that the journal does not contain.
 * @returns {string[]}
 */
export function story(journal, first, last, { user, refusals }) {
  const who = { name: user ?? "the user" };
  /** @type {string[]} */
  const lines = [];
  let day = "";

  /** @param {string} time @param {string} sentence */
  function say(time, sentence) {
    if (time.slice(0, 10) !== day) lines.push(day = time.slice(0, 10));
    // Joins the lines of a typed text.
    lines.push(`${time.slice(11, 19)} ${sentence.replace(/\s+/g, " ")}`);
  }

  for (let revision = first; revision <= last; revision++) {
    const entry = journal.entry(revision), before = journal.entry(revision - 1)?.visible ?? "";
    if (entry) say(entry.time, sentence(entry, before, who, journal));
    const refused = refusals.filter((each) => each.revision === revision).sort((one, other) => one.time.localeCompare(other.time));
    for (const { time, input, detail } of refused) {
      say(time, `${input === undefined ? "an input that cannot be read" : action(input, entry?.visible ?? "", who.name)} → refused: ${clip(detail, longest)}`);
    }
  }
  return lines;
}

/**
 * @param {Entry} entry
 * @param {string} before The visible screen before the input, with its id.
 * @param {{ name: string }} who
 * @param {import("./journal.js").Journal} journal
 */
function sentence(entry, before, who, journal) {
  const { kind, input, visible, begun = [], dropped } = entry;
  const words = [kind === "creation" ? opening(input, who) : kind === "divergence" ? `a new build resumed the session ${withoutStop(resumption({ revision: input.resumed, ...input }))}`
    : result(entry, journal) ?? action(input, before, who.name)];
  if (dropped !== undefined) words.push(`, without the link that waited, because ${clip(dropped, longest)}`);
  if (visible !== before) words.push(` → ${visible ? nameOf(visible) : "no screen"}`);
  if (begun.length) words.push(`${visible !== before ? "," : " →"} began ${begun.map(({ name }) => name).join(", ")}`);
  return words.join("");
}

/** @param {any} input The input of a creation. @param {{ name: string }} who */
function opening({ app, client, subject, open, fork, import: isImport, startedOver }, who) {
  who.name = subject ?? who.name;
  if (startedOver && !fork && !isImport) return `${app} started over`;
  const by = clientInWords(client) && ` (${clientInWords(client)})`;
  const link = open?.length ? ` with the link ${linkInWords(open)}` : "";
  if (fork) return `an operator forked ${app} from session ${fork.session} at revision ${fork.revision}`;
  return isImport ? `an operator imported ${app}` : `${who.name}${by} opened ${app}${link}`;
}

/**
 * Describes the end of work; null for another input.
 * @param {Entry} entry
 * @param {import("./journal.js").Journal} journal
 */
function result(entry, journal) {
  const { effect, timer, refused, failure, reason } = entry.input, id = String(effect ?? timer ?? refused ?? "");
  if (!id) return null;
  const name = journal.nameOf(entry), time = journal.durationOf(id), after = time === null ? "" : ` after ${span(time)}`;
  if (timer !== undefined) return `timer${name && name !== "timer" ? ` ${name}` : ""} fired${after}`;
  const work = `effect ${name || id}`;
  if (refused !== undefined) return `result of ${work} was rejected${after}: ${clip(reason, longest)}`;
  return failure ? `${work} failed${after}: ${clip([failure.code, failure.message].filter(Boolean).join(", "), longest)}` : `${work} ended${after}`;
}

/**
 * Describes what somebody did.
 * @param {any} input
 * @param {string} visible The visible screen, with its id.
 * @param {string} who
 */
function action(input, visible, who) {
  const screen = nameOf(visible), { screen: id, event, back, popped, dismissed, select, open, message } = input;
  const place = id === undefined || !visible || String(id) === visible.split(" ").at(-1) ? screen : `screen ${id}, behind ${screen}`;
  if (event !== undefined) return `${who} pressed ${caseName(event)}${place && ` on ${place}`}${payloadInWords(input)}`;
  if (back) return `${who} went back${place && ` from ${place}`}`;
  if (popped !== undefined) return `${who} swiped back${screen && ` from ${screen}`}`;
  if (dismissed !== undefined) return `${who} pulled down${screen && ` ${screen}`}`;
  if (select !== undefined) return `${who} chose the tab ${select}`;
  if (open !== undefined) return `a link opened ${linkInWords(open)}`;
  if (message !== undefined) return `the backend sent ${caseName(message)}${payloadInWords(input)}`;
  return `${who} sent ${clip(inShort(input), longest)}`;
}

/** @param {any} input */
function payloadInWords(input) {
  const text = payload(input);
  return text && ` with ${text}`;
}

/** @param {any} steps */
function linkInWords(steps) {
  return Array.isArray(steps) ? steps.map(caseName).join(" › ") : "";
}

/** @param {string} visible A screen with its id. */
function nameOf(visible) {
  return visible.replace(/ \d+$/, "");
}

/** @param {string} text */
function withoutStop(text) {
  return text.replace(/\.$/, "");
}
