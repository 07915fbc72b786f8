// Creates elements and their texts. Text always becomes a text node: the page never parses a string as markup.

/** @typedef {Node | string | number | false | null | undefined} Child */
/** @typedef {Record<string, string | number | boolean | null | undefined | ((event: any) => void)>} Attributes */

/**
 * Creates an HTML element.
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Attributes} [attributes] A function listens to the event that the name has after "on"; false, null and undefined are left out.
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[Name]}
 */
export function element(name, attributes = {}, ...children) {
  return dress(document.createElement(name), attributes, children);
}

/**
 * Creates an SVG element.
 * @template {keyof SVGElementTagNameMap} Name
 * @param {Name} name
 * @param {Attributes} [attributes]
 * @param {...Child} children
 * @returns {SVGElementTagNameMap[Name]}
 */
export function drawing(name, attributes = {}, ...children) {
  return dress(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

/**
 * @template {Element} Kind
 * @param {Kind} target
 * @param {Attributes} attributes
 * @param {Child[]} children
 * @returns {Kind}
 */
function dress(target, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) set(target, name, value);
  for (const child of children) {
    if (child !== false && child !== null && child !== undefined) target.append(child instanceof Node ? child : String(child));
  }
  return target;
}

/**
 * Sets or removes an attribute; leaves an equal value untouched, so that screen readers do not announce it again.
 * @param {Element} target
 * @param {string} name
 * @param {Attributes[string]} value
 */
export function set(target, name, value) {
  if (typeof value === "function") return target.addEventListener(name.slice(2), value);
  const text = value === true ? "" : value === false || value === null || value === undefined ? null : String(value);
  if (text === null) target.removeAttribute(name);
  else if (target.getAttribute(name) !== text) target.setAttribute(name, text);
}

/**
 * Sets an element's text if it differs.
 * @param {Element} target
 * @param {string | number} text
 */
export function write(target, text) {
  if (target.textContent !== String(text)) target.textContent = String(text);
}

/**
 * Loads a style sheet that the first paint does not need.
 * @param {string} path
 * @returns {Promise<void>} Resolves when the style sheet is applied, or has failed to load.
 */
export function stylesheet(path) {
  if (document.querySelector(`link[href="${path}"]`)) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => resolve();
    document.head.append(element("link", { rel: "stylesheet", href: path, onload: done, onerror: done }));
  });
}

/**
 * Returns the beginning of a text, without cutting a character in half.
 * @param {string} text
 * @param {number} limit The maximum number of UTF-16 units.
 */
export function clip(text, limit) {
  if (text.length <= limit) return text;
  const last = text.charCodeAt(limit - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? limit - 1 : limit);
}

/**
 * Shows a text of any origin, isolated in its text direction; of a long text, only the beginning until the user asks for more.
 * @param {string} text
 * @param {number} [limit]
 * @returns {HTMLElement}
 */
export function shown(text, limit = 280) {
  const place = element("bdi", { class: "text" }, clip(text, limit));
  if (text.length <= limit) return place;
  const more = element("button", {
    type: "button", class: "quiet", onclick: () => {
      place.textContent = text;
      place.tabIndex = -1;
      place.focus();
      more.remove();
    },
  }, `Show all ${count(text.length)} characters`);
  return element("span", {}, place, "… ", more);
}

/**
 * Returns the tab to which a key moves the focus; null for other keys.
 * @param {string} key
 * @param {number} place The index of the focused tab.
 * @param {number} size
 */
export function placeByKey(key, place, size) {
  const step = { ArrowRight: 1, ArrowLeft: -1, Home: -place, End: size - 1 - place }[key];
  return step === undefined ? null : (place + step + size) % size;
}

/**
 * Creates a line for an error message, which is hidden without a message.
 * @returns {{ root: HTMLElement, say: (message: string) => void }} An empty message hides the line.
 */
export function alertLine() {
  const root = element("p", { class: "fault", role: "alert", hidden: true });
  return {
    root,
    say(message) {
      write(root, message);
      root.hidden = !message;
    },
  };
}

/**
 * Creates a collapsed section, whose content is created when the user first opens the section.
 * @param {string} name
 * @param {Child[]} summary
 * @param {() => Promise<Node[]>} make
 * @returns {{ root: HTMLDetailsElement, open: () => Promise<void> }} `open` resolves when the content, or the reason for its absence, is shown.
 */
export function fold(name, summary, make) {
  const fault = alertLine();
  const root = element("details", { class: "fold", "aria-label": name, ontoggle: () => { if (root.open) open(); } }, element("summary", {}, ...summary));
  /** @type {Promise<void> | null} */
  let making = null;

  function open() {
    root.open = true;
    return making ??= make().then((parts) => {
      fault.root.remove();
      root.append(...parts);
    }, (error) => {
      making = null;
      fault.say(`This cannot be shown: ${error.message}. Close it and open it again, or reload the page.`);
      root.append(fault.root);
    });
  }

  return { root, open };
}

/**
 * Returns how long ago a time was, in words.
 * @param {string} time A timestamp (RFC 3339).
 * @param {number} now Milliseconds since 1970.
 */
export function age(time, now) {
  const seconds = Math.max(0, Math.round((now - Date.parse(time)) / 1000));
  if (!Number.isFinite(seconds)) return "unknown";
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86_400)} d`;
}

/**
 * Returns the time of day in this machine's time zone.
 * @param {number} time Milliseconds since 1970.
 */
export function clockTime(time) {
  return new Date(time).toTimeString().slice(0, 8);
}

/** @param {number} count */
export function bytes(count) {
  if (count < 1024) return `${count} B`;
  if (count < 1024 * 1024) return `${short(count / 1024)} KiB`;
  return `${short(count / 1024 / 1024)} MiB`;
}

/** @param {number} number */
function short(number) {
  return number < 10 ? number.toFixed(1) : String(Math.round(number));
}

/**
 * Formats a number with separated thousands, and at most three decimals. The browser's own formatter takes longer than a frame
 * when it is first used.
 * @param {number} number
 */
export function count(number) {
  const [whole, decimals] = String(Math.round(number * 1_000) / 1_000).split(".");
  return whole.replace(/\B(?=(\d{3})+$)/g, ",") + (decimals ? `.${decimals}` : "");
}

/**
 * Returns the name and version of a client's program, as the client sent them; empty if it sent none.
 * @param {{ name?: string, version?: string } | undefined} client
 */
export function clientInWords(client) {
  return client?.name ? [client.name, client.version].filter(Boolean).join(" ") : "";
}

/**
 * Returns the beginning of a session's id, which is enough to distinguish sessions.
 * @param {string} id
 */
export function shortID(id) {
  return id.slice(0, 8);
}
