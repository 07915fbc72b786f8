// The client of an Usher server, for browsers and node.
export { open, resume, Session } from "./source/session.js";
export { Problem } from "./source/problem.js";
export { operations } from "./source/operations.js";

/** @typedef {import("./source/protocol.js").State} State */
/** @typedef {import("./source/protocol.js").Screen} Screen */
/** @typedef {import("./source/protocol.js").Tabs} Tabs */
/** @typedef {import("./source/operations.js").Operation} Operation */
/** @typedef {import("./source/session.js").Observer} Observer */
/** @typedef {import("./source/session.js").Settings} Settings */
/** @typedef {import("./source/watcher.js").Connection} Connection */
/** @typedef {import("./source/world.js").World} World */
