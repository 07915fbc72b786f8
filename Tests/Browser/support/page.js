import assert from "node:assert/strict";
import { Keyboard } from "./keyboard.js";
import { Mouse } from "./mouse.js";
import { Network } from "./network.js";
import { Part } from "./part.js";
import { Troubles } from "./troubles.js";

/**
 * The settings of a page.
 * @typedef {object} Look
 * @property {number} [width]
 * @property {number} [height]
 * @property {boolean} [dark]
 * @property {boolean} [motion] whether animations are allowed; by default, the page is asked to avoid them
 * @property {boolean} [covers] whether the front tab hides the others of its window, as it does for a user; by default, all
 *   are visible
 */

/** The time limit of a condition in milliseconds: far longer than necessary, because the machine may be busy. */
const patience = 15_000;

/** A tab of the browser, used as a user would: by roles and names, mouse and keys. */
export class Page {
  #pipe;
  #session;
  #close;
  #open;
  /** @type {((method: string, params: any) => void)[]} */
  #listeners = [];
  /** @type {Look} */
  #look = {};

  /**
   * @param {import("./pipe.js").Pipe} pipe
   * @param {string} session
   * @param {() => Promise<void>} close
   * @param {() => Promise<Page>} open opens another page of the same user
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

  /** Adds a listener for all events of the page. @param {(method: string, params: any) => void} listener */
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

  /** @param {Look} change settings that are missing stay as they are */
  async look(change) {
    this.#look = { ...this.#look, ...change };
    const { width = 1280, height = 900, dark = false, motion = false } = this.#look;
    await this.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: false });
    const features = [
      { name: "prefers-color-scheme", value: dark ? "dark" : "light" },
      { name: "prefers-reduced-motion", value: motion ? "no-preference" : "reduce" },
    ];
    await this.send("Emulation.setEmulatedMedia", { features });
  }

  /** @param {string} address to open; returns when the document has loaded */
  async open(address) {
    const { errorText } = await this.send("Page.navigate", { url: address });
    assert.equal(errorText, undefined, `${address} does not open`);
    await this.until(() => this.evaluate(() => document.readyState !== "loading"), "the document is read");
  }

  /** Reloads the page. */
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
   * @param {Function} body which can use only its arguments and the page
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
   * Returns a part of the page by its role and accessible name.
   * @param {string} role
   * @param {string | RegExp} [name]
   */
  get(role, name) {
    return new Part(this, role, name);
  }

  /**
   * Waits until a condition is true, and checks it again after each change of the page.
   * @template T
   * @param {() => Promise<T> | T} condition
   * @param {string | (() => unknown)} the expected condition, for the message
   * @returns {Promise<T>}
   */
  async until(condition, what) {
    const deadline = Date.now() + patience;
    for (;;) {
      // While a document is replaced, requests to the old one fail, which counts as "not yet".
      const value = await Promise.resolve(condition()).catch((error) => {
        if (!/context|navigat|node with given id|object with given id/i.test(error.message)) throw error;
      });
      if (value) return value;
      if (Date.now() > deadline) assert.fail(`in vain waited until ${typeof what === "string" ? what : await what()}`);
      await this.change();
    }
  }

  /**
   * Waits until a value equals the expected one; shows the difference if it never does.
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

  /** Waits for the next change of the document, or for a moment, because some changes do not affect the document. */
  async change() {
    const next = () =>
      new Promise((resolve) => {
        const observer = new MutationObserver(done);
        const timer = setTimeout(done, 100);
        function done() {
          observer.disconnect();
          clearTimeout(timer);
          // A hidden tab draws no frames.
          if (document.hidden) resolve(null);
          else requestAnimationFrame(() => resolve(null));
        }
        observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
      });
    await this.evaluate(next).catch(() => {});
  }

  /** @returns {Promise<Buffer>} a picture of the page as PNG */
  async picture() {
    const { data } = await this.send("Page.captureScreenshot", { format: "png" });
    return Buffer.from(data, "base64");
  }

  /** Opens another tab of the same user and window, in front. */
  tab() {
    return this.#open();
  }

  /** Brings this tab to the front. */
  bringToFront() {
    return this.send("Page.bringToFront");
  }

  close() {
    return this.#close();
  }
}
