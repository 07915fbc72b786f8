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
export function show(observer, list, state) {
  for (const operation of list) {
    if ("remove" in operation) observer.remove?.(operation.remove, operation.hidden ?? false);
    else if ("select" in operation) observer.select?.(operation.select);
    else if ("insert" in operation) observer.insert?.(operation.insert, operation.at);
    else observer.update?.(operation.update);
  }
  observer.state?.(state);
}

/**
 * Tells an observer. What it throws is reported, and keeps neither the others nor an input's answer, nor a session from opening.
 * @param {import("./world.js").World} world @param {Observer} observer @param {(observer: Observer) => void} tell
 */
export function inform(world, observer, tell) {
  try {
    tell(observer);
  } catch (error) {
    world.report(error);
  }
}
