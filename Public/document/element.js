// Makes elements, and the texts in them. Text only ever becomes a text node: nothing on this page reads markup from a string.

/** @typedef {Node | string | number | false | null | undefined} Child */
/** @typedef {Record<string, string | number | boolean | null | undefined | ((event: any) => void)>} Attributes */

/**
 * An HTML element.
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Attributes} [attributes] A function is a listener for the event after "on"; false, null and undefined are left out.
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[Name]}
 */
export function element(name, attributes = {}, ...children) {
  return dress(document.createElement(name), attributes, children);
}

/**
 * An SVG element.
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
 * Sets an attribute, or removes it; leaves one that is right alone, so that nothing is announced twice.
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
 * Writes an element's text where it differs.
 * @param {Element} target
 * @param {string | number} text
 */
export function write(target, text) {
  if (target.textContent !== String(text)) target.textContent = String(text);
}

/**
 * Asks for a style sheet that the page can be painted without at first.
 * @param {string} path
 * @returns {Promise<void>} It counts from now on, or cannot be had.
 */
export function stylesheet(path) {
  if (document.querySelector(`link[href="${path}"]`)) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => resolve();
    document.head.append(element("link", { rel: "stylesheet", href: path, onload: done, onerror: done }));
  });
}

/**
 * The beginning of a text, never half a character.
 * @param {string} text
 * @param {number} limit How many UTF-16 units at most.
 */
export function clip(text, limit) {
  if (text.length <= limit) return text;
  const last = text.charCodeAt(limit - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? limit - 1 : limit);
}

/**
 * Text from anywhere: its direction stays its own, and of a long one only the beginning is laid out until asked for.
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
 * The place in a row of tabs to which a key leads; null for a key that leads nowhere.
 * @param {string} key
 * @param {number} place The place that has the focus.
 * @param {number} size
 */
export function placeByKey(key, place, size) {
  const step = { ArrowRight: 1, ArrowLeft: -1, Home: -place, End: size - 1 - place }[key];
  return step === undefined ? null : (place + step + size) % size;
}

/**
 * A line that says what is wrong, and is hidden while nothing is.
 * @returns {{ root: HTMLElement, say: (message: string) => void }} An empty message takes back what was said.
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
 * A part that is folded away. It is made when it is first opened, and stays as it is from then on.
 * @param {string} name
 * @param {Child[]} summary
 * @param {() => Promise<Node[]>} make
 * @returns {{ root: HTMLDetailsElement, open: () => Promise<void> }} Opening is done once the part is there, or says why it is not.
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
 * How long ago something was.
 * @param {string} time As RFC 3339 has it.
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
 * The time of day, by this machine's clock.
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
 * A number with its thousands apart, and three decimals at most. The browser's own way to do so takes more than a frame at its
 * first use.
 * @param {number} number
 */
export function count(number) {
  const [whole, decimals] = String(Math.round(number * 1_000) / 1_000).split(".");
  return whole.replace(/\B(?=(\d{3})+$)/g, ",") + (decimals ? `.${decimals}` : "");
}

/**
 * A client's program with its version, as the client tells them; empty if it tells none.
 * @param {{ name?: string, version?: string } | undefined} client
 */
export function clientInWords(client) {
  return client?.name ? [client.name, client.version].filter(Boolean).join(" ") : "";
}

/**
 * The beginning of a session's id, enough to tell two apart.
 * @param {string} id
 */
export function shortID(id) {
  return id.slice(0, 8);
}
