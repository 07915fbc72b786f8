/** @typedef {import("./protocol.js").State} State */
/**
 * @typedef {object} Input
 * @property {string} text The body, written once: each attempt must be the same, even if the caller changes the value.
 * @property {string} key
 * @property {(state: State) => void} resolve
 * @property {(problem: Problem) => void} reject
 */
/**
 * The queue of inputs that the server has not answered. One input is sent at a time, with its idempotency key, until a response
 * decides it. So each input counts once and in order.
 */
export class Outbox {
    /**
     * @param {import("./world.js").World} world
     * @param {(text: string, key: string) => Promise<State>} attempt
     * @param {number} bound The maximum number of waiting inputs.
     * @param {{ changed: (count: number) => void, delayed: (cause: Problem) => void }} told Called with the number of waiting
     *   inputs, and with the causes of retries.
     */
    constructor(world: import("./world.js").World, attempt: (text: string, key: string) => Promise<State>, bound: number, { changed, delayed }: {
        changed: (count: number) => void;
        delayed: (cause: Problem) => void;
    });
    get count(): number;
    /**
     * @param {any} body
     * @returns {Promise<State>} The state after the input.
     * @throws {Problem} The server's refusal, or the client's own `unwritable`, `unsendable`, `queue-full` or `closed`.
     */
    add(body: any): Promise<State>;
    /** Makes the next attempt at once. */
    wake(): void;
    /** Rejects the waiting inputs; an input that was already sent may count. */
    close(): void;
    #private;
}
export type State = import("./protocol.js").State;
export type Input = {
    /**
     * The body, written once: each attempt must be the same, even if the caller changes the value.
     */
    text: string;
    key: string;
    resolve: (state: State) => void;
    reject: (problem: Problem) => void;
};
import { Problem } from "./problem.js";
