// The platform that a client stands on, so that tests can bring their own.

/**
 * @typedef {object} Visibility
 * @property {() => boolean} isHidden
 * @property {(changed: () => void) => () => void} observe Answers with what ends it.
 */
/**
 * @typedef {object} World
 * @property {typeof fetch} fetch
 * @property {() => number} now The time of day, in milliseconds.
 * @property {() => number} uptime Milliseconds since any time; setting the time of day does not change it.
 * @property {() => number} random From 0 up to 1.
 * @property {() => string} key A name that no other request has.
 * @property {(run: () => void, milliseconds: number) => any} setTimer
 * @property {(timer: any) => void} clearTimer
 * @property {(text: string) => any} read JSON.
 * @property {(value: any) => string} write JSON.
 * @property {(error: unknown) => void} report Of what a view threw.
 * @property {(back: () => void) => () => void} observeOnline Tells that the network is back; answers with what ends it.
 * @property {Visibility | null} visibility Null where nothing is ever hidden.
 * @property {{ locks: Pick<LockManager, "request">, channel: (name: string) => BroadcastChannel } | null} tabs
 *   Null where streams are not shared.
 */

/** @returns {World} That of this browser, or of node. */
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

/** Node has it as a global since 19. */
const cryptography = globalThis.crypto ?? (await import(/** @type {string} */ ("node:crypto"))).webcrypto;

/** `randomUUID` is there in secure contexts alone, and a development server on another machine is none. */
function randomKey() {
  const bytes = cryptography.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @param {EventTarget} target @param {string} type @param {() => void} run */
function listen(target, type, run) {
  target.addEventListener(type, run);
  return () => target.removeEventListener(type, run);
}
