import assert from "node:assert/strict";
import { Element } from "./element.js";

/**
 * A part of the page, described by role and accessible name as in the browser's accessibility tree.
 * The part is searched for at each use, because pages replace their elements.
 */
export class Part {
  /**
   * @param {import("./page.js").Page} page
   * @param {string} role
   * @param {string | RegExp} [name]
   * @param {Part} [whole] that contains the part
   */
  constructor(page, role, name, whole) {
    this.page = page;
    this.role = role;
    this.name = name;
    this.whole = whole;
  }

  /** @param {string} role, @param {string | RegExp} [name] of a part within this part */
  get(role, name) {
    return new Part(this.page, role, name, this);
  }

  toString() {
    const name = this.name === undefined ? "" : ` ${this.name instanceof RegExp ? this.name : JSON.stringify(this.name)}`;
    return `${this.role}${name}${this.whole ? ` in ${this.whole}` : ""}`;
  }

  /** @returns {Promise<Element[]>} all matching elements, in the order of the document */
  async all() {
    const roots = this.whole ? await this.whole.all() : [await this.#document()];
    const found = [];
    for (const root of roots) found.push(...(await this.#within(root.object)));
    return found;
  }

  async #document() {
    const { result } = await this.page.send("Runtime.evaluate", { expression: "document", objectGroup: "parts" });
    return { object: result.objectId };
  }

  /** @param {string} object */
  async #within(object) {
    const exact = typeof this.name === "string" ? this.name : undefined;
    const query = { objectId: object, role: this.role, accessibleName: exact };
    const { nodes } = await this.page.send("Accessibility.queryAXTree", query);
    const fitting = nodes.filter(
      (node) => !node.ignored && (!(this.name instanceof RegExp) || this.name.test(node.name?.value ?? "")),
    );
    const elements = [];
    for (const node of fitting) {
      const id = { backendNodeId: node.backendDOMNodeId, objectGroup: "parts" };
      const { object: found } = await this.page.send("DOM.resolveNode", id);
      elements.push(new Element(this.page, found.objectId, node, String(this)));
    }
    return elements;
  }

  /** @returns {Promise<Element>} the only matching element, once there is one */
  async one() {
    let count = 0;
    return this.page.until(
      async () => {
        const all = await this.all();
        count = all.length;
        return all.length === 1 && all[0];
      },
      () => `there is one ${this}; there are ${count}`,
    );
  }

  /** Waits until the part exists. */
  async appears() {
    await this.page.until(async () => (await this.all()).length > 0, `there is ${this}`);
  }

  /** Waits until the part no longer exists. */
  async disappears() {
    await this.page.until(async () => (await this.all()).length === 0, `there is no ${this}`);
  }

  /** @returns {Promise<string[]>} the accessible names of all matching elements */
  async names() {
    return (await this.all()).map((each) => each.name);
  }

  /** Whether the part exists now. */
  async exists() {
    return (await this.all()).length > 0;
  }

  /** @param {string | RegExp} text that the part must show */
  async says(text) {
    let shown = [];
    const fits = async () => {
      shown = await Promise.all((await this.all()).map((each) => each.text()));
      return shown.some((each) => (text instanceof RegExp ? text.test(each) : each.includes(text)));
    };
    await this.page.until(fits, () => `${this} says ${text}; it says ${JSON.stringify(shown)}`);
  }

  async text() {
    return (await this.one()).text();
  }

  /** Clicks the part as soon as it can be hit. */
  async click() {
    await this.page.until(async () => (await this.one()).click(), () => `${this} can be clicked`);
  }

  /** Clicks the part twice, as soon as it can be hit. */
  async doubleClick() {
    await this.page.until(async () => (await this.one()).doubleClick(), () => `${this} can be clicked`);
  }

  /** @param {string} value that replaces the field's text */
  async fill(value) {
    await this.page.until(async () => (await this.one()).fill(value), () => `${this} holds ${value}`);
  }

  /** @returns {Promise<string>} the field's text */
  async value() {
    return (await this.one()).value();
  }

  /** @param {boolean} [isDisabled] */
  async isDisabled(isDisabled = true) {
    const read = async () => (await this.one()).isDisabled;
    await this.page.until(async () => (await read()) === isDisabled, `${this} is ${isDisabled ? "disabled" : "enabled"}`);
    assert.equal(await read(), isDisabled);
  }
}
