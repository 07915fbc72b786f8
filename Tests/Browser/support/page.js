import assert from "node:assert/strict";
import { Keyboard } from "./keyboard.js";
import { Mouse } from "./mouse.js";
import { Network } from "./network.js";
import { Part } from "./part.js";
import { Troubles } from "./troubles.js";

/**
 * How a page is shown.
 * @typedef {object} Look
 * @property {number} [width]
 * @property {number} [height]
 * @property {boolean} [dark]
 * @property {boolean} [motion] whether things may move; without it the page is asked to keep still
 * @property {boolean} [covers] whether a tab in front hides the others of its window, as it does for a user; without it all
 *   are seen
 */

/** How long a condition may take to come true: far longer than it does, since the machine may be busy. */
const patience = 15_000;

/** A tab of the browser, driven as its user would: by roles and names, by mouse and keys. */
export class Page {
  #pipe;
  #session;
  #close;
  #open;
  /** @type {((method: string, params: any) => void)[]} */
  #listeners = [];

  /**
   * @param {import("./pipe.js").Pipe} pipe
   * @param {string} session
   * @param {() => Promise<void>} close
   * @param {() => Promise<Page>} open a further one of the same user
   */
  constructor(pipe, session, close, open) {
    this.#pipe = pipe;
    this.#session = session;
    this.#close = close;
    this.#open = open;
    this.mouse = new Mouse(this);
    this.keyboard = new Keyboard(this);
    this.network = new Network();
    this.troubles = new Troubles();
    pipe.listen(session, (method, params) => {
      this.network.hear(method, params);
      this.troubles.hear(method, params);
      for (const listener of this.#listeners) listener(method, params);
    });
  }

  /** Hears all events of the page, too. @param {(method: string, params: any) => void} listener */
  listen(listener) {
    this.#listeners.push(listener);
  }

  /** @param {string} method of the protocol, @param {object} [params] */
  send(method, params) {
    return this.#pipe.send(method, params, this.#session);
  }

  /** @param {Look} look */
  async prepare(look) {
    for (const domain of ["Page", "Runtime", "Network", "Log", "DOM"]) await this.send(`${domain}.enable`);
    await this.send("Emulation.setFocusEmulationEnabled", { enabled: !look.covers });
    await this.look(look);
  }

  /** @param {Look} look */
  async look({ width = 1280, height = 900, dark = false, motion = false }) {
    await this.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: false });
    const features = [
      { name: "prefers-color-scheme", value: dark ? "dark" : "light" },
      { name: "prefers-reduced-motion", value: motion ? "no-preference" : "reduce" },
    ];
    await this.send("Emulation.setEmulatedMedia", { features });
  }

  /** @param {string} address to go to; returns once the document is there */
  async open(address) {
    const { errorText } = await this.send("Page.navigate", { url: address });
    assert.equal(errorText, undefined, `${address} does not open`);
    await this.until(() => this.evaluate(() => document.readyState !== "loading"), "the document is read");
  }

  /** Loads the page anew. */
  async reload() {
    await this.evaluate(() => (window.isOld = true));
    await this.send("Page.reload");
    await this.until(
      () => this.evaluate(() => !window.isOld && document.readyState !== "loading"),
      "the document is read again",
    );
  }

  /**
   * Runs a function in the page.
   * @param {Function} body which sees nothing but its arguments and the page
   * @param {...unknown} values its arguments, as JSON
   */
  async evaluate(body, ...values) {
    const expression = `(${body})(...${JSON.stringify(values)})`;
    const answer = await this.send("Runtime.evaluate", {
      expression,
      awaitPromise: true,
      returnByValue: true,
      userGesture: true,
    });
    if (answer.exceptionDetails) throw new Error(answer.exceptionDetails.exception?.description ?? "thrown in the page");
    return answer.result.value;
  }

  /**
   * A part of the page, by what a screen reader says of it.
   * @param {string} role
   * @param {string | RegExp} [name]
   */
  get(role, name) {
    return new Part(this, role, name);
  }

  /**
   * Waits until something is true, and looks again whenever the page has changed.
   * @template T
   * @param {() => Promise<T> | T} condition
   * @param {string | (() => unknown)} what should have come true, for the message
   * @returns {Promise<T>}
   */
  async until(condition, what) {
    const deadline = Date.now() + patience;
    for (;;) {
      // While a document is replaced, what was asked of the old one fails: that is "not yet".
      const value = await Promise.resolve(condition()).catch((error) => {
        if (!/context|navigat|node with given id|object with given id/i.test(error.message)) throw error;
      });
      if (value) return value;
      if (Date.now() > deadline) assert.fail(`in vain waited until ${typeof what === "string" ? what : await what()}`);
      await this.change();
    }
  }

  /**
   * Waits until what is read equals what is expected, and shows the difference where it does not.
   * @param {() => Promise<unknown>} read
   * @param {unknown} expected
   * @param {string} [message]
   */
  async becomes(read, expected, message) {
    let value;
    const equal = async () => {
      value = await read();
      try {
        assert.deepEqual(value, expected);
        return true;
      } catch {
        return false;
      }
    };
    await this.until(equal, () => "").catch((error) => {
      assert.deepEqual(value, expected, message);
      throw error;
    });
  }

  /** Waits for the next change of the document, or a moment for what changes without one. */
  async change() {
    const next = () =>
      new Promise((resolve) => {
        const observer = new MutationObserver(done);
        const timer = setTimeout(done, 100);
        function done() {
          observer.disconnect();
          clearTimeout(timer);
          // A tab that is covered draws no frames.
          if (document.hidden) resolve(null);
          else requestAnimationFrame(() => resolve(null));
        }
        observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
      });
    await this.evaluate(next).catch(() => {});
  }

  /** @returns {Promise<Buffer>} what the page looks like, as PNG */
  async picture() {
    const { data } = await this.send("Page.captureScreenshot", { format: "png" });
    return Buffer.from(data, "base64");
  }

  /** Opens a further tab of the same user and window, which comes to the front. */
  tab() {
    return this.#open();
  }

  /** Has the user look at this tab. */
  bringToFront() {
    return this.send("Page.bringToFront");
  }

  close() {
    return this.#close();
  }
}
