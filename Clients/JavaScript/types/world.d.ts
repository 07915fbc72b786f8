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
export function platform(): World;
export type Visibility = {
    isHidden: () => boolean;
    /**
     * Returns a function that stops observing.
     */
    observe: (changed: () => void) => () => void;
};
export type World = {
    fetch: typeof fetch;
    /**
     * The time of day, in milliseconds.
     */
    now: () => number;
    /**
     * Milliseconds since an arbitrary time; setting the time of day does not change it.
     */
    uptime: () => number;
    /**
     * From 0 up to 1.
     */
    random: () => number;
    /**
     * Returns a unique key for a request.
     */
    key: () => string;
    setTimer: (run: () => void, milliseconds: number) => any;
    clearTimer: (timer: any) => void;
    /**
     * Parses JSON.
     */
    read: (text: string) => any;
    /**
     * Writes JSON.
     */
    write: (value: any) => string;
    /**
     * Reports an error that a view threw.
     */
    report: (error: unknown) => void;
    /**
     * Calls `back` when the network is back; returns a function that
     * stops observing.
     */
    observeOnline: (back: () => void) => () => void;
    /**
     * Null if the client is never hidden.
     */
    visibility: Visibility | null;
    /**
     *   Null if tabs share no streams.
     */
    tabs: {
        locks: Pick<LockManager, "request">;
        channel: (name: string) => BroadcastChannel;
    } | null;
};
