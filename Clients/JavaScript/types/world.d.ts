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
export function platform(): World;
export type Visibility = {
    isHidden: () => boolean;
    /**
     * Answers with what ends it.
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
     * Milliseconds since any time; setting the time of day does not change it.
     */
    uptime: () => number;
    /**
     * From 0 up to 1.
     */
    random: () => number;
    /**
     * A name that no other request has.
     */
    key: () => string;
    setTimer: (run: () => void, milliseconds: number) => any;
    clearTimer: (timer: any) => void;
    /**
     * JSON.
     */
    read: (text: string) => any;
    /**
     * JSON.
     */
    write: (value: any) => string;
    /**
     * Of what a view threw.
     */
    report: (error: unknown) => void;
    /**
     * Tells that the network is back; answers with what ends it.
     */
    observeOnline: (back: () => void) => () => void;
    /**
     * Null where nothing is ever hidden.
     */
    visibility: Visibility | null;
    /**
     *   Null where streams are not shared.
     */
    tabs: {
        locks: Pick<LockManager, "request">;
        channel: (name: string) => BroadcastChannel;
    } | null;
};
