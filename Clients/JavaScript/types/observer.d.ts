/** @typedef {import("./protocol.js").State} State */
/** @typedef {import("./protocol.js").Screen} Screen */
/** @typedef {import("./problem.js").Problem} Problem */
/**
 * A view, or who else follows: each method may be missing.
 * @typedef {object} Observer
 * @property {(screen: Screen, at: number) => void} [insert]
 * @property {(id: number, isHidden: boolean) => void} [remove] Hidden: in a tab, and it may come back under its id.
 * @property {(screen: Screen) => void} [update]
 * @property {(tabs: import("./protocol.js").Tabs | null) => void} [select]
 * @property {(state: State) => void} [state] After the operations that lead to it.
 * @property {(connection: import("./watcher.js").Connection) => void} [connection]
 * @property {(event: import("./watcher.js").StreamEvent) => void} [event] What the stream tells beside states: the operator's
 *   of refused inputs. One may come twice, when the stream was opened anew.
 * @property {(count: number) => void} [waiting] How many inputs the server has not answered.
 * @property {(cause: Problem) => void} [delayed] An attempt at an input, or to open or to resume, has decided nothing: there
 *   will be another.
 * @property {(ending: Problem) => void} [gone] The session is over or on hold, or this client may not see it.
 */
/** @param {Observer} observer @param {import("./operations.js").Operation[]} list @param {State} state */
export function show(observer: Observer, list: import("./operations.js").Operation[], state: State): void;
/**
 * Tells an observer. What it throws is reported, and keeps neither the others nor an input's answer, nor a session from opening.
 * @param {import("./world.js").World} world @param {Observer} observer @param {(observer: Observer) => void} tell
 */
export function inform(world: import("./world.js").World, observer: Observer, tell: (observer: Observer) => void): void;
export type State = import("./protocol.js").State;
export type Screen = import("./protocol.js").Screen;
export type Problem = import("./problem.js").Problem;
/**
 * A view, or who else follows: each method may be missing.
 */
export type Observer = {
    insert?: ((screen: Screen, at: number) => void) | undefined;
    /**
     * Hidden: in a tab, and it may come back under its id.
     */
    remove?: ((id: number, isHidden: boolean) => void) | undefined;
    update?: ((screen: Screen) => void) | undefined;
    select?: ((tabs: import("./protocol.js").Tabs | null) => void) | undefined;
    /**
     * After the operations that lead to it.
     */
    state?: ((state: State) => void) | undefined;
    connection?: ((connection: import("./watcher.js").Connection) => void) | undefined;
    /**
     * What the stream tells beside states: the operator's
     * of refused inputs. One may come twice, when the stream was opened anew.
     */
    event?: ((event: import("./watcher.js").StreamEvent) => void) | undefined;
    /**
     * How many inputs the server has not answered.
     */
    waiting?: ((count: number) => void) | undefined;
    /**
     * An attempt at an input, or to open or to resume, has decided nothing: there
     * will be another.
     */
    delayed?: ((cause: Problem) => void) | undefined;
    /**
     * The session is over or on hold, or this client may not see it.
     */
    gone?: ((ending: Problem) => void) | undefined;
};
