/** A view like an app's: it applies operations to a list of ids, and fails for an operation that does not fit. */
export class ScreenList {
  /** @type {any[]} */ screens = [];
  tabs = null;
  /** @type {any[]} */ operations = [];

  insert(screen, at) {
    this.operations.push({ insert: screen, at });
    if (at > this.screens.length || this.#place(screen.id) >= 0) throw new Error(`insert ${screen.id} at ${at} does not fit`);
    this.screens.splice(at, 0, screen);
  }

  remove(id, isHidden) {
    this.operations.push(isHidden ? { remove: id, hidden: true } : { remove: id });
    if (this.#place(id) < 0) throw new Error(`remove ${id} does not fit`);
    this.screens.splice(this.#place(id), 1);
  }

  update(screen) {
    this.operations.push({ update: screen });
    if (this.#place(screen.id) < 0) throw new Error(`update ${screen.id} does not fit`);
    this.screens[this.#place(screen.id)] = screen;
  }

  select(tabs) {
    this.operations.push({ select: tabs });
    this.tabs = tabs;
  }

  gone() { this.operations.push({ gone: true }); }

  #place(id) { return this.screens.findIndex((screen) => screen.id === id); }
}
