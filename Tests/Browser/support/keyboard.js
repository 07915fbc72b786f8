/** The virtual key codes and texts of special keys. */
const keys = {
  Tab: { code: 9 },
  Enter: { code: 13, text: "\r" },
  Escape: { code: 27 },
  " ": { code: 32, text: " ", name: "Space" },
  PageUp: { code: 33 },
  PageDown: { code: 34 },
  End: { code: 35 },
  Home: { code: 36 },
  ArrowLeft: { code: 37 },
  ArrowUp: { code: 38 },
  ArrowRight: { code: 39 },
  ArrowDown: { code: 40 },
  Delete: { code: 46 },
};

/** The keyboard. */
export class Keyboard {
  #page;

  /** @param {import("./page.js").Page} page */
  constructor(page) {
    this.#page = page;
  }

  /**
   * Presses and releases a key.
   * @param {string} key the key's name, as in `KeyboardEvent.key`
   * @param {{shift?: boolean}} [modifiers]
   */
  async press(key, { shift = false } = {}) {
    const { code, text, name } = keys[key];
    const event = { key, code: name ?? key, windowsVirtualKeyCode: code, modifiers: shift ? 8 : 0 };
    await this.#page.send("Input.dispatchKeyEvent", { type: text ? "keyDown" : "rawKeyDown", text, ...event });
    await this.#page.send("Input.dispatchKeyEvent", { type: "keyUp", ...event });
  }

  /** @param {string} text typed into the focused element */
  async type(text) {
    await this.#page.send("Input.insertText", { text });
  }

  /** @param {string} text whose letters are pressed one by one, to choose from a list */
  async choose(text) {
    for (const letter of text) {
      await this.#page.send("Input.dispatchKeyEvent", { type: "keyDown", key: letter, text: letter });
      await this.#page.send("Input.dispatchKeyEvent", { type: "keyUp", key: letter });
    }
  }

  /** Selects the focused field's text, so that typing replaces it. */
  async selectAll() {
    const event = { key: "a", code: "KeyA", windowsVirtualKeyCode: 65, modifiers: 2, commands: ["selectAll"] };
    await this.#page.send("Input.dispatchKeyEvent", { type: "rawKeyDown", ...event });
    await this.#page.send("Input.dispatchKeyEvent", { type: "keyUp", ...event });
  }
}
