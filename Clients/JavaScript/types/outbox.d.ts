/** @typedef {import("./protocol.js").State} State */
/**
 * @typedef {object} Input
 * @property {string} text Written once, since each attempt has to be the same, and the caller may change what he gave.
 * @property {string} key
 * @property {(state: State) => void} resolve
 * @property {(problem: Problem) => void} reject
 */
/**
 * The inputs that the server has not answered, in their order. One is under way at a time, under its idempotency key and
 * again and again until an answer decides it: so each counts once, and none overtakes another.
 */
export class Outbox {
    /**
     * @param {import("./world.js").World} world
     * @param {(text: string, key: string) => Promise<State>} attempt
     * @param {number} bound How many may wait.
     * @param {{ changed: (count: number) => void, delayed: (cause: Problem) => void }} told Of how many wait, and why one is
     *   tried again.
     */
    constructor(world: import("./world.js").World, attempt: (text: string, key: string) => Promise<State>, bound: number, { changed, delayed }: {
        changed: (count: number) => void;
        delayed: (cause: Problem) => void;
    });
    get count(): number;
    /**
     * @param {any} body
     * @returns {Promise<State>} The state that answered it.
     * @throws {Problem} The server's refusal, or `unwritable`, `unsendable`, `queue-full` or `closed` of the client's own.
     */
    add(body: any): Promise<State>;
    /** Tries at once what waits for its next attempt. */
    wake(): void;
    /** Rejects what waits; one that is under way may count, or not. */
    close(): void;
    #private;
}
export type State = import("./protocol.js").State;
export type Input = {
    /**
     * Written once, since each attempt has to be the same, and the caller may change what he gave.
     */
    text: string;
    key: string;
    resolve: (state: State) => void;
    reject: (problem: Problem) => void;
};
import { Problem } from "./problem.js";
