// The platform of a client, which tests can replace.

/**
 * @typedef {object} Visibility
 * @property {() => boolean} isHidden
 * @property {(changed: () => void) => () => void} observe Returns a function that stops observing.
 */
/**
 * @typedef {object} World
 * @property {typeof fetch} fetch
 * @property {() => number} now The time of day, in milliseconds.
 * @property {() => number} uptime Milliseconds since an arbitrary time; setting the time of day does not change it.
 * @property {() => number} random From 0 up to 1.
 * @property {() => string} key Returns a unique key for a request.
 * @property {(run: () => void, milliseconds: number) => any} setTimer
 * @property {(timer: any) => void} clearTimer
 * @property {(text: string) => any} read Parses JSON.
 * @property {(value: any) => string} write Writes JSON.
 * @property {(error: unknown) => void} report Reports an error that a view threw.
 * @property {(back: () => void) => () => void} observeOnline Calls `back` when the network is back; returns a function that
 *   stops observing.
 * @property {Visibility | null} visibility Null if the client is never hidden.
 * @property {{ locks: Pick<LockManager, "request">, channel: (name: string) => BroadcastChannel } | null} tabs
 *   Null if tabs share no streams.
 */

/** @returns {World} The platform of this browser or of node. */
export function platform() {
  const isPage = typeof document !== "undefined";
  const canShare = isPage && "locks" in navigator && typeof BroadcastChannel === "function";
  return {
    fetch: (...request) => fetch(...request),
    now: () => Date.now(),
    uptime: () => performance.now(),
    random: () => Math.random(),
    key: randomKey,
    setTimer: (run, milliseconds) => setTimeout(run, milliseconds),
    clearTimer: (timer) => clearTimeout(timer),
    read: JSON.parse,
    write: (value) => JSON.stringify(value),
    report: (error) => queueMicrotask(() => { throw error; }),
    observeOnline: (back) => (isPage ? listen(window, "online", back) : () => {}),
    visibility: isPage
      ? { isHidden: () => document.visibilityState === "hidden", observe: (changed) => listen(document, "visibilitychange", changed) }
      : null,
    tabs: canShare ? { locks: navigator.locks, channel: (name) => new BroadcastChannel(name) } : null,
  };
}

/** Node has had this global since version 19. */
const cryptography = globalThis.crypto ?? (await import(/** @type {string} */ ("node:crypto"))).webcrypto;

/** `randomUUID` exists only in secure contexts, and a development server on another machine is not one. */
function randomKey() {
  const bytes = cryptography.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @param {EventTarget} target @param {string} type @param {() => void} run */
function listen(target, type, run) {
  target.addEventListener(type, run);
  return () => target.removeEventListener(type, run);
}
