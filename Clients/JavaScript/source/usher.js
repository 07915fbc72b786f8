// The client of an Usher server, for browsers and node.
export { open, resume } from "./opening.js";
export { Session } from "./session.js";
export { Exchange } from "./exchange.js";
export { Problem } from "./problem.js";
export { operations } from "./operations.js";
export { platform } from "./world.js";

/** @typedef {import("./protocol.js").State} State */
/** @typedef {import("./protocol.js").Resumed} Resumed */
/** @typedef {import("./protocol.js").Screen} Screen */
/** @typedef {import("./protocol.js").Tabs} Tabs */
/** @typedef {import("./protocol.js").Client} Client */
/** @typedef {import("./operations.js").Operation} Operation */
/** @typedef {import("./observer.js").Observer} Observer */
/** @typedef {import("./session.js").Settings} Settings */
/** @typedef {import("./watcher.js").Connection} Connection */
/** @typedef {import("./world.js").World} World */
