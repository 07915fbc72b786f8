// The map of an app, without a session.
import { element } from "../document/element.js";
import { makeMap } from "./view.js";

/**
 * @param {import("../page.js").Page} page
 * @param {string} app
 * @returns {import("../page.js").View}
 */
export function open(page, app) {
  page.title(`Map of ${app}`);
  page.connection("live");
  const map = makeMap({ app, now: null, past: null, pastRevision: null, isReadOnly: true, isOver: false }, null, async () => []);
  map.update();
  return { root: element("div", { class: "list" }, element("h1", {}, element("bdi", {}, app)), element("h2", { class: "unseen" }, "All screens"), element("div", { class: "panel alone" }, map.root)), close() {} };
}
