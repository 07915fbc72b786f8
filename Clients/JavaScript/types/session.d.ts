/** @param {string | URL} server @param {string} path */
export function address(server: string | URL, path: string): string;
/** A session that this client follows. */
export class Session {
    /** @param {string | URL} server @param {import("./snapshot.js").Snapshot} opened @param {Settings} settings @param {string | null} [token] */
    constructor(server: string | URL, opened: import("./snapshot.js").Snapshot, settings: Settings, token?: string | null | undefined);
    id: string;
    /**
     * Set the new token after a rotation: denied requests are sent again with the new token, and a denied session is
     * followed again.
     */
    set token(arg: string | null);
    /** The session's token, which gives access and must be kept secret; null if the server issued none. */
    get token(): string | null;
    /** The newest known state. */
    get state(): import("./protocol.js").State;
    /** The entity tag of the state, for `If-Match`. */
    get tag(): string;
    get connection(): import("./watcher.js").Connection;
    /** The visible screen; null if there is none. */
    get visible(): import("./protocol.js").Screen | null;
    /** The number of inputs that the server has not answered. */
    get waiting(): number;
    /** The reason for the session's end, if the last state does not contain the reason. */
    get ending(): Problem | null;
    /**
     * Adds an observer, which first receives the current state and then each change.
     * @param {Observer} observer
     * @returns {() => void} Removes the observer.
     */
    observe(observer: Observer): () => void;
    /**
     * Sends a screen's event, to the visible screen by default. The input names the screen, so that the server refuses a double
     * tap, or a tap that waited while the display changed, instead of applying it to another screen.
     * @param {string} event
     * @param {Record<string, any>} [payload]
     * @param {number} [screen]
     * @returns {Promise<State>}
     * @throws {Problem}
     */
    send(event: string, payload?: Record<string, any> | undefined, screen?: number | undefined): Promise<State>;
    /**
     * Asks to go back from a screen, by default from the visible one. The input names the screen for the same reason as `send`.
     * @param {number} [screen]
     * @returns {Promise<State>}
     * @throws {Problem}
     */
    back(screen?: number | undefined): Promise<State>;
    /**
     * Reports that the user has popped a screen, by a swipe.
     * @param {number} screen
     * @returns {Promise<State>}
     * @throws {Problem}
     */
    popped(screen: number): Promise<State>;
    /**
     * Reports that the user has dismissed a sheet.
     * @param {number} screen The sheet's first screen.
     * @returns {Promise<State>}
     * @throws {Problem}
     */
    dismissed(screen: number): Promise<State>;
    /**
     * Selects a tab that the user tapped.
     * @param {string} tab
     * @returns {Promise<State>}
     * @throws {Problem}
     */
    select(tab: string): Promise<State>;
    /**
     * Opens a deep link.
     * @param {any[]} flows
     * @returns {Promise<State>}
     * @throws {Problem}
     */
    follow(flows: any[]): Promise<State>;
    /**
     * Sends an input in the format of docs/protocol.md.
     * @param {any} body
     * @returns {Promise<State>}
     * @throws {Problem}
     */
    input(body: any): Promise<State>;
    /** Makes the next attempt of waiting requests at once. */
    retryNow(): void;
    /**
     * Ends the session on the server and here.
     * @throws {Problem}
     */
    end(): Promise<void>;
    /** Stops using the session, which stays on the server. Waiting inputs are rejected. */
    close(): void;
    #private;
}
export type State = import("./protocol.js").State;
export type Observer = import("./observer.js").Observer;
export type Settings = {
    /**
     * The header fields of each request, such as `Authorization`.
     */
    headers?: import("./exchange.js").Headers | undefined;
    /**
     * True to keep the session's token in a cookie, which no script can read. Only for a page in a
     * browser whose origin is the server's, or an allowed origin of the same site.
     */
    cookie?: boolean | undefined;
    view?: import("./observer.js").Observer | undefined;
    /**
     * The seconds that the response to an input waits for its effects, up to 60; 0 for no wait. The
     * server's default is 5.
     */
    wait?: number | undefined;
    /**
     * The maximum number of inputs that wait for the server; 32 by default.
     */
    mostWaiting?: number | undefined;
    /**
     * False to open no stream, so that only responses bring states.
     */
    isWatching?: boolean | undefined;
    /**
     * Ends the attempts to open or resume.
     */
    signal?: AbortSignal | undefined;
    /**
     * For tests.
     */
    world?: import("./world.js").World | undefined;
};
import { Problem } from "./problem.js";
