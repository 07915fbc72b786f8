/** @param {string | URL} server @param {string} path */
export function address(server: string | URL, path: string): string;
/** A session that this client follows. */
export class Session {
    /** @param {string | URL} server @param {import("./snapshot.js").Snapshot} opened @param {Settings} settings @param {string | null} [token] */
    constructor(server: string | URL, opened: import("./snapshot.js").Snapshot, settings: Settings, token?: string | null | undefined);
    id: string;
    /** Of one that was rotated: for all requests that come to nothing without it. A session that was denied is followed again. */
    set token(arg: string | null);
    /** Opens the session to who has it, so it is kept as a password is; null where the server gave none. */
    get token(): string | null;
    /** The newest that is known. */
    get state(): import("./protocol.js").State;
    /** The entity tag of the state, as `If-Match` takes it. */
    get tag(): string;
    get connection(): import("./watcher.js").Connection;
    /** The visible screen; none where nothing is shown. */
    get visible(): import("./protocol.js").Screen | null;
    /** How many inputs the server has not answered. */
    get waiting(): number;
    /** Why the session is over, where it did not say so in a last state. */
    get ending(): Problem | null;
    /**
     * Has a view follow: it is told of what is there already, then of what changes.
     * @param {Observer} observer
     * @returns {() => void} Ends it.
     */
    observe(observer: Observer): () => void;
    /**
     * Sends a screen's event: of the visible one where none is named. It names the screen, so that a second tap, or one that
     * waited while others went on, is refused instead of meaning another screen.
     * @param {string} event
     * @param {Record<string, any>} [payload]
     * @param {number} [screen]
     * @returns {Promise<State>}
     * @throws {Problem}
     */
    send(event: string, payload?: Record<string, any> | undefined, screen?: number | undefined): Promise<State>;
    /**
     * Asks to go back from a screen: from the visible one if none is named. It names the screen for the same reason as `send`.
     * @param {number} [screen]
     * @returns {Promise<State>}
     * @throws {Problem}
     */
    back(screen?: number | undefined): Promise<State>;
    /**
     * The user has popped a screen, by a swipe.
     * @param {number} screen
     * @returns {Promise<State>}
     * @throws {Problem}
     */
    popped(screen: number): Promise<State>;
    /**
     * The user has pulled a sheet down.
     * @param {number} screen Its first.
     * @returns {Promise<State>}
     * @throws {Problem}
     */
    dismissed(screen: number): Promise<State>;
    /**
     * The user tapped a tab.
     * @param {string} tab
     * @returns {Promise<State>}
     * @throws {Problem}
     */
    select(tab: string): Promise<State>;
    /**
     * Follows a deep link.
     * @param {any[]} flows
     * @returns {Promise<State>}
     * @throws {Problem}
     */
    follow(flows: any[]): Promise<State>;
    /**
     * Sends an input as docs/protocol.md has it.
     * @param {any} body
     * @returns {Promise<State>}
     * @throws {Problem}
     */
    input(body: any): Promise<State>;
    /** Tries at once what waits for its next attempt. */
    retryNow(): void;
    /**
     * Ends the session on the server, and then here.
     * @throws {Problem}
     */
    end(): Promise<void>;
    /** Lets go of the session, which stays on the server. Inputs that wait are rejected. */
    close(): void;
    #private;
}
export type State = import("./protocol.js").State;
export type Observer = import("./observer.js").Observer;
export type Settings = {
    /**
     * Of each request, such as `Authorization`.
     */
    headers?: import("./exchange.js").Headers | undefined;
    /**
     * True: a cookie has the session's token, which no script can read; for a page in a browser, whose
     * origin is the server's or one that it allows, of the same site.
     */
    cookie?: boolean | undefined;
    view?: import("./observer.js").Observer | undefined;
    /**
     * Seconds that the answer to an input waits for the effects which that began, up to 60; 0 is none,
     * and the server's usual 5 where it is left out.
     */
    wait?: number | undefined;
    /**
     * How many inputs may wait for the server; 32 where it is left out.
     */
    mostWaiting?: number | undefined;
    /**
     * False: no stream, and only answers tell of states.
     */
    isWatching?: boolean | undefined;
    /**
     * Ends the tries to open, or to resume.
     */
    signal?: AbortSignal | undefined;
    /**
     * For tests.
     */
    world?: import("./world.js").World | undefined;
};
import { Problem } from "./problem.js";
