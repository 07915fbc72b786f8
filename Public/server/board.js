// The alerts: which of them fire, which may have fired before the page was opened, and the first step for each.
import { count, element, set, write } from "../document/element.js";
import { alarms, judge } from "./alarms.js";

/** @typedef {import("./samples.js").Samples} Samples */

const ranks = { firing: 0, unsure: 1, quiet: 2 };

/** The alerts of deploy/usher.rules.yaml; alerts that fire come first. */
export function makeBoard() {
  const verdict = element("p", { class: "note verdict", role: "status", "aria-label": "Alerts that fire" }, "Asking …");
  const rows = alarms.map(({ expression, summary, action, link }) => {
    const state = element("bdi", {}, "unknown");
    const step = element("span", { class: "hint" }, ...withCode(action), link && " ", link && element("a", { href: link.address }, link.name));
    return { state, root: element("tr", {}, element("td", { "data-column": "State" }, state), element("td", {}, element("p", {}, ...withCode(summary)), step), element("td", {}, element("code", {}, expression))) };
  });
  const body = element("tbody", {}, ...rows.map(({ root }) => root));

  /** @type {HTMLElement} */
  const all = element("button", { type: "button", class: "quiet", onclick: () => toggle(root.hasAttribute("data-all")) });
  const scroll = element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Table of alerts" },
    element("table", {},
      element("caption", { class: "unseen" }, "Alerts"),
      element("thead", {}, element("tr", {}, ...["State", "Alert, and the first step", "Expression"].map((name) => element("th", { scope: "col" }, name)))),
      body));
  /** @type {HTMLElement} */
  const root = element("section", { class: "panel alarms", "aria-labelledby": "alarms" },
    element("div", { class: "row between" }, element("h2", { id: "alarms" }, "Alerts"), all), scroll);
  toggle(true);

  /**
   * Hides the alerts that do not fire.
   * @param {boolean} isFolded
   */
  function toggle(isFolded) {
    set(root, "data-all", !isFolded);
    write(all, isFolded ? `Show all ${alarms.length} alerts` : "Show only firing alerts");
    fold();
  }

  /** Hides a table without rows. */
  function fold() {
    scroll.hidden = !root.hasAttribute("data-all") && !body.querySelector("[data-verdict=firing], [data-verdict=unsure]");
  }

  /** @param {number[]} order The indices of the rows. */
  function arrange(order) {
    order.forEach((row, place) => {
      if (body.children[place] !== rows[row].root) body.insertBefore(rows[row].root, body.children[place] ?? null);
    });
  }

  return {
    verdict,
    root,
    /**
     * @param {Samples} samples
     * @param {string[]} faults Problems that the samples do not show; they come first.
     * @param {string} unknown Why the samples are out of date; empty if they are up to date.
     */
    update(samples, faults, unknown) {
      const judged = samples.isEmpty ? null : alarms.map((alarm) => judge(alarm, samples));
      const words = inWords(judged, samples.watched, unknown);
      write(verdict, [...faults, words].join(" "));
      verdict.classList.toggle("warning", faults.length > 0 || unknown !== "" || Boolean(judged?.some(({ verdict }) => verdict !== "quiet")));
      rows.forEach(({ state, root }, row) => {
        const known = unknown ? null : judged?.[row];
        write(state, stateInWords(known ?? null));
        set(root, "data-verdict", known?.verdict ?? "unknown");
      });
      fold();
      if (judged) arrange(judged.map((_, row) => row).sort((one, other) => ranks[judged[one].verdict] - ranks[judged[other].verdict] || one - other));
    },
  };
}

/** @param {string} text A text with code between backquotes. */
function withCode(text) {
  return text.split("`").map((part, place) => (place % 2 ? element("code", {}, part) : part));
}

/** @typedef {ReturnType<typeof judge>} Judgement */

/** @param {number} number */
function cases(number) {
  return number === 1 ? "1 case" : `${count(number)} cases`;
}

/** @param {Judgement | null} judgement Null if nothing is known. */
export function stateInWords(judgement) {
  if (!judgement) return "unknown";
  if (judgement.verdict === "firing") return "firing";
  return judgement.count ? `not firing, ${cases(judgement.count)} before` : "not firing";
}

/**
 * Describes all alerts in one or more sentences.
 * @param {Judgement[] | null} judged The judgements in the order of the alarms; null before the first answer.
 * @param {number} watched The observed time in milliseconds.
 * @param {string} unknown
 */
export function inWords(judged, watched, unknown) {
  if (unknown || !judged) return unknown || "Asking …";
  /** @param {Judgement["verdict"]} verdict */
  const summaries = (verdict) => alarms.flatMap(({ summary }, row) =>
    (judged[row].verdict === verdict ? [{ summary: summary.replaceAll("`", ""), count: judged[row].count }] : []));
  const firing = summaries("firing").map(({ summary }) => summary);
  const unsure = summaries("unsure").map(({ summary, count: number }) => `May have fired recently (${cases(number)} since the process began): ${summary}`);
  return [...(firing.length ? firing : [`No alert fires; watched for ${duration(watched)}.`]), ...unsure].join(" ");
}

/**
 * Formats a time in minutes only, because screen readers announce each change.
 * @param {number} time Milliseconds.
 */
function duration(time) {
  return time < 60_000 ? "less than 1 min" : `${Math.floor(time / 60_000)} min`;
}
