/** An element of the document at this moment. */
export class Element {
  #page;
  #node;
  #what;

  /**
   * @param {import("./page.js").Page} page
   * @param {string} object the browser's handle
   * @param {any} node its node in the accessibility tree
   * @param {string} what the description in the search
   */
  constructor(page, object, node, what) {
    this.#page = page;
    this.#node = node;
    this.#what = what;
    this.object = object;
  }

  /** The accessible name. */
  get name() {
    return this.#node.name?.value ?? "";
  }

  /** The accessible description. */
  get description() {
    return this.#node.description?.value ?? "";
  }

  /** @param {string} name of a property such as `selected`, `expanded`, `level` */
  property(name) {
    return this.#node.properties?.find((each) => each.name === name)?.value.value;
  }

  get isDisabled() {
    return this.property("disabled") === true;
  }

  /**
   * Calls a function with the element as `this`.
   * @param {Function} body
   * @param {...unknown} values its arguments, as JSON
   */
  async call(body, ...values) {
    const answer = await this.#page.send("Runtime.callFunctionOn", {
      objectId: this.object,
      functionDeclaration: String(body),
      arguments: values.map((value) => ({ value })),
      returnByValue: true,
      awaitPromise: true,
      userGesture: true,
    });
    if (answer.exceptionDetails) throw new Error(answer.exceptionDetails.exception?.description ?? "thrown in the page");
    return answer.result.value;
  }

  /** @returns {Promise<string>} the visible text */
  async text() {
    return this.call(function () {
      return (this.innerText ?? this.textContent).trim();
    });
  }

  /** @returns {Promise<{x: number, y: number, width: number, height: number}>} its place, once the element does not move */
  box() {
    return this.#page.until(() => this.call(restingBox), `${this.#what} does not move`);
  }

  /**
   * Clicks into the element's middle, once the element does not move and nothing covers it.
   * @returns {Promise<boolean>} whether the element was hit; it is missed if it moves at the last moment
   */
  click() {
    return this.#hit((point) => this.#page.mouse.click(point));
  }

  /** Like `click`, with two clicks. @returns {Promise<boolean>} */
  doubleClick() {
    return this.#hit((point) => this.#page.mouse.doubleClick(point));
  }

  /** @param {(point: import("./mouse.js").Point) => Promise<void>} press @returns {Promise<boolean>} whether the element was hit */
  async #hit(press) {
    const point = await this.call(restingPoint);
    if (!point) return false;
    await press(point);
    return this.call(wasHit);
  }

  async focus() {
    await this.call(function () {
      this.focus();
    });
  }

  /**
   * @param {string} value replaces the field's text
   * @returns {Promise<boolean>} whether the field has this text now
   */
  async fill(value) {
    if (!(await this.click())) return false;
    await this.#page.keyboard.selectAll();
    if (value === "") await this.#page.keyboard.press("Delete");
    else await this.#page.keyboard.type(value);
    return (await this.value()) === value;
  }

  /** @returns {Promise<string>} the field's text */
  value() {
    return this.call(function () {
      return this.value;
    });
  }
}

/**
 * Returns the place of an element that does not move for two frames; otherwise nothing.
 * @this {HTMLElement}
 */
async function restingBox() {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const before = this.getBoundingClientRect();
  await frame();
  await frame();
  const { x, y, width, height } = this.getBoundingClientRect();
  return Math.abs(before.x - x) > 0.5 || Math.abs(before.y - y) > 0.5 ? null : { x, y, width, height };
}

/**
 * Returns the middle of an element that does not move, if a click there would hit the element; otherwise nothing.
 * @this {HTMLElement}
 */
async function restingPoint() {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  this.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
  const before = this.getBoundingClientRect();
  await frame();
  await frame();
  const { x, y, width, height } = this.getBoundingClientRect();
  if (!width || !height || Math.abs(before.x - x) > 0.5 || Math.abs(before.y - y) > 0.5) return null;
  // The middle of wrapped text may be empty, so a click must hit the first line.
  const line = this.getClientRects()[0];
  for (const rectangle of [{ x, y, width, height }, line]) {
    const point = { x: rectangle.x + rectangle.width / 2, y: rectangle.y + rectangle.height / 2 };
    const hit = document.elementFromPoint(point.x, point.y);
    const label = hit?.closest("label");
    if (!hit || !(this.contains(hit) || label?.control === this)) continue;
    this.wasHit = false;
    // The page may remove the element immediately, so this listener must run before the page's own.
    this.addEventListener("click", () => (this.wasHit = true), { capture: true, once: true });
    return point;
  }
  return null;
}

/** @this {HTMLElement} */
function wasHit() {
  return this.wasHit;
}
