/** The objects that tabs of one browser share: exclusive locks in the order of requests, and channels to all other tabs. */
export class Tabs {
  #locks = new Map();
  /** The number of tabs that hold a lock or wait for it. */
  #counts = new Map();
  #channels = new Set();

  /** Returns a tab's part of a platform, and a function that shows or hides the tab. */
  make() {
    const visibility = new EventTarget();
    let isHidden = false;
    const observe = (changed) => {
      visibility.addEventListener("change", changed);
      return () => visibility.removeEventListener("change", changed);
    };
    const show = (isShown) => {
      isHidden = !isShown;
      visibility.dispatchEvent(new Event("change"));
    };
    const world = {
      visibility: { isHidden: () => isHidden, observe },
      tabs: { locks: { request: (...asked) => this.#request(...asked) }, channel: (name) => this.#channel(name) },
    };
    return { world, show };
  }

  async #request(name, { signal, ifAvailable }, run) {
    const count = this.#counts.get(name) ?? 0;
    if (ifAvailable && count) return run(null);
    this.#counts.set(name, count + 1);
    try {
      return await this.#queue(name, signal, run);
    } finally {
      this.#counts.set(name, this.#counts.get(name) - 1);
    }
  }

  async #queue(name, signal, run) {
    const before = this.#locks.get(name) ?? Promise.resolve();
    let release;
    this.#locks.set(name, before.then(() => new Promise((resolve) => (release = resolve))));
    await before;
    try {
      if (signal?.aborted) throw new Error("AbortError");
      await run({});
    } finally {
      await null;
      release();
    }
  }

  #channel(name) {
    const channel = { name, onmessage: null, close: () => this.#channels.delete(channel) };
    channel.postMessage = (data) => {
      const copy = structuredClone(data);
      for (const other of this.#channels) if (other !== channel && other.name === name) queueMicrotask(() => other.onmessage?.({ data: copy }));
    };
    this.#channels.add(channel);
    return channel;
  }
}
