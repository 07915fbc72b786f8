// The filter and the order of the session list: controls whose values are in the page's address.
import { count, element, write } from "../document/element.js";

/** @typedef {{ app: string, prefix: string, subject: string, visible: string, state: string, leaked: boolean, sort: string }} Filter An empty member matches everything. */

export const orders = { created: "newest first", used: "last used first", id: "by id" };
const states = { awake: "in memory", hibernated: "hibernated", held: "on hold" };

/**
 * Parses the filter in an address; ignores values that no control has.
 * @param {string} hash
 * @returns {Filter}
 */
export function readFilter(hash) {
  const given = new URLSearchParams(hash.split("?")[1] ?? "");
  /** @param {string} name @param {object} values */
  const one = (name, values) => (Object.hasOwn(values, given.get(name) ?? "") ? given.get(name) ?? "" : "");
  return {
    app: given.get("app") ?? "", prefix: given.get("prefix") ?? "", subject: given.get("subject") ?? "", visible: given.get("visible") ?? "", state: one("state", states),
    leaked: given.get("leaked") === "true", sort: one("sort", orders) || "created",
  };
}

/**
 * Returns the list's address with a filter, without the default values.
 * @param {Filter} filter
 */
export function hashOf(filter) {
  const parameters = parametersOf(filter);
  if (filter.sort === "created") parameters.delete("sort");
  const query = String(parameters);
  return query ? `#/?${query}` : "#/";
}

/**
 * Returns the request for a page of the list.
 * @param {Filter} filter
 * @param {string} after The cursor from the previous page; empty for the first page.
 * @param {number} limit
 */
export function pathOf(filter, after, limit) {
  const parameters = parametersOf(filter);
  parameters.set("limit", String(limit));
  if (after) parameters.set("after", after);
  return `/admin/sessions?${parameters}`;
}

/** @param {Filter} filter */
function parametersOf(filter) {
  const { app, prefix, subject, visible, state, leaked } = filter;
  // Only sessions in memory show a screen, so a screen excludes a filter by state.
  return new URLSearchParams(Object.entries({ app, prefix, subject, visible, state: visible ? "" : state, leaked: leaked ? "true" : "", sort: orderOf(filter) })
    .filter(([, value]) => value));
}

/**
 * Returns the order of the list: sessions on hold, and sessions found by id, user or screen, are always in the order of their ids.
 * @param {Filter} filter
 */
export function orderOf(filter) {
  return hasOneOrder(filter) ? "id" : filter.sort;
}

/**
 * Returns whether the server accepts the filter: an id has only hexadecimal digits; other texts may be a user's name.
 * @param {Filter} filter
 */
export function isAskable({ prefix }) {
  return /^[0-9a-f]{0,32}$/.test(prefix);
}

/** @param {Filter} filter */
function hasOneOrder({ prefix, subject, visible, state }) {
  return Boolean(prefix || subject || visible || state === "held");
}

/** @param {Filter} filter */
export function isForAll({ app, prefix, subject, visible, state, leaked }) {
  return !app && !prefix && !subject && !visible && !state && !leaked;
}

/**
 * Describes the number of sessions in words; for a screen, the number of searched sessions.
 * @param {{ count: number, of: string }} total
 * @param {Filter} filter
 * @param {number} awake The number of sessions in the server's memory.
 */
export function totalInWords({ count: number, of }, filter, awake) {
  if (filter.visible) return `searched only the ${count(awake)} in memory, of ${count(number)} in all`;
  if (isForAll(filter)) return `${count(number)} in all`;
  return of === "matching" ? `${count(number)} found` : `of ${count(number)} in all`;
}

/**
 * @param {Filter} start
 * @param {(filter: Filter) => void} changed
 */
export function makeFilter(start, changed) {
  const app = element("select", { id: "of-app" }, option("", "any app"));
  offer(start.app ? [start.app] : []);
  const prefix = element("input", {
    id: "of-prefix", value: start.prefix, maxlength: 32, size: 10, spellcheck: "false", autocomplete: "off", dir: "ltr",
    placeholder: "first digits",
  });
  const subject = element("input", {
    id: "of-subject", value: start.subject, maxlength: 255, size: 10, spellcheck: "false", autocomplete: "off", dir: "auto",
    placeholder: "any user",
  });
  const visible = element("input", {
    id: "of-visible", value: start.visible, maxlength: 255, size: 10, spellcheck: "false", autocomplete: "off", autocapitalize: "off", dir: "auto",
    placeholder: "any screen", title: "The beginning of the name. Only sessions in this server's memory are searched.",
  });
  const state = element("select", { id: "of-state" }, option("", "any state"), ...options(states));
  const sort = element("select", { id: "of-sort" }, ...options(orders));
  const leaked = element("input", { id: "of-leaked", type: "checkbox", checked: start.leaked });
  app.value = start.app;
  state.value = start.state;
  sort.value = start.sort;

  /** @returns {Filter} */
  const read = () => ({
    app: app.value, prefix: prefix.value.trim().toLowerCase(), subject: subject.value, visible: visible.value.trim(), state: state.value, leaked: leaked.checked,
    sort: sort.value,
  });
  const proposed = element("bdi");
  const proposal = element("p", { class: "row hint", role: "status", hidden: true }, "An id has only the digits 0 to 9 and a to f.",
    element("button", { type: "button", class: "quiet", onclick: findUser }, "Find the user ", proposed));
  const tell = () => {
    const filter = read();
    restrict(filter);
    proposal.hidden = isAskable(filter);
    write(proposed, prefix.value.trim());
    changed(filter);
  };
  /** @param {Filter} filter */
  function restrict(filter) {
    sort.disabled = hasOneOrder(filter);
    state.disabled = filter.visible !== "";
  }
  restrict(start);

  /** Uses the text in the id field as a user's name. */
  function findUser() {
    subject.value = prefix.value.trim();
    prefix.value = "";
    subject.focus();
    tell();
  }

  /** @param {string[]} names The names of the apps; the app in the address stays, even if this server no longer has it. */
  function offer(names) {
    const known = new Set([...app.options].map(({ value }) => value));
    app.append(...names.filter((name) => !known.has(name)).map((name) => option(name, name)));
  }

  return {
    root: element("form", { class: "row filter", "aria-label": "Filter of the sessions", oninput: tell, onsubmit: (event) => event.preventDefault() },
      labelled("App", app), labelled("Id", prefix), labelled("User", subject), labelled("Visible screen", visible), labelled("State", state), labelled("Order", sort),
      element("label", { class: "check", for: "of-leaked" }, leaked, " Leaked"), proposal),
    offer,
  };
}

/** @param {string} text @param {HTMLElement} control */
function labelled(text, control) {
  return element("div", {}, element("label", { for: control.id }, text), control);
}

/** @param {string} value @param {string} text */
function option(value, text) {
  return element("option", { value }, text);
}

/** @param {Record<string, string>} values */
function options(values) {
  return Object.entries(values).map(([value, text]) => option(value, text));
}
