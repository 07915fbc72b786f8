/** @typedef {import("./protocol.js").State} State */
/** @typedef {import("./protocol.js").Screen} Screen */
/** @typedef {import("./problem.js").Problem} Problem */
/**
 * A view or another observer; each method is optional.
 * @typedef {object} Observer
 * @property {(screen: Screen, at: number) => void} [insert]
 * @property {(id: number, isHidden: boolean) => void} [remove] A hidden screen left with its tab and may come back with its id.
 * @property {(screen: Screen) => void} [update]
 * @property {(tabs: import("./protocol.js").Tabs | null) => void} [select]
 * @property {(state: State) => void} [state] Called after the operations that lead to the state.
 * @property {(connection: import("./watcher.js").Connection) => void} [connection]
 * @property {(event: import("./watcher.js").StreamEvent) => void} [event] Called with a stream's other events: the operator's
 *   stream reports refused inputs. An event may be repeated after a reconnection.
 * @property {(count: number) => void} [waiting] Called with the number of inputs that the server has not answered.
 * @property {(cause: Problem) => void} [delayed] Called when an attempt to open, to resume or to send an input failed and will
 *   be repeated.
 * @property {(ending: Problem) => void} [gone] Called when the session has ended or is held, or this client may not use it.
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
 * Calls an observer. The observer's errors are reported, and affect neither other observers, an input's result, nor an
 * opening.
 * @param {import("./world.js").World} world @param {Observer} observer @param {(observer: Observer) => void} tell
 */
export function inform(world, observer, tell) {
  try {
    tell(observer);
  } catch (error) {
    world.report(error);
  }
}
