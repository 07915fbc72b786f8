/**
 * A point in the window, in CSS pixels.
 * @typedef {{x: number, y: number}} Point
 */

/** The mouse; the browser handles its events like those of a real one. */
export class Mouse {
  #page;

  /** @param {import("./page.js").Page} page */
  constructor(page) {
    this.#page = page;
  }

  /** @param {Point} point */
  async click(point) {
    await this.#event("mouseMoved", point, 0);
    await this.#event("mousePressed", point, 1);
    await this.#event("mouseReleased", point, 0);
  }

  /** @param {Point} point to point at */
  async move(point) {
    await this.#event("mouseMoved", point, 0);
  }

  /** @param {Point} point */
  async doubleClick(point) {
    await this.click(point);
    await this.#event("mousePressed", point, 1, 2);
    await this.#event("mouseReleased", point, 0, 2);
  }

  /**
   * Presses the button, moves in steps, and releases the button.
   * @param {Point} from
   * @param {Point} to
   * @param {number} [steps] more than one, because gestures are recognized by their path
   */
  async drag(from, to, steps = 8) {
    await this.#event("mouseMoved", from, 0);
    await this.#event("mousePressed", from, 1);
    for (let step = 1; step <= steps; step++) {
      const part = step / steps;
      await this.#event("mouseMoved", { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part }, 1);
    }
    await this.#event("mouseReleased", to, 0);
  }

  /** @param {string} type, @param {Point} point, @param {number} buttons the pressed ones, @param {number} [count] of clicks so far */
  #event(type, { x, y }, buttons, count = 1) {
    const button = type === "mouseMoved" && !buttons ? "none" : "left";
    const clickCount = type === "mouseMoved" ? 0 : count;
    return this.#page.send("Input.dispatchMouseEvent", { type, x, y, button, buttons, clickCount });
  }
}
