// Memory over time: coordinators and bytes, since this page was opened.
import { element } from "../document/element.js";
import { bytes, count } from "../document/format.js";
import { makePlot } from "./plot.js";

/** @returns {import("./view.js").Part} */
export function makeMemory() {
  const live = makePlot("Coordinators live", count);
  const size = makePlot("Bytes of state", bytes);
  return {
    root: element("section", { class: "panel memory", "aria-label": "Memory" },
      element("h2", {}, "Memory"),
      element("p", { class: "hint" }, "Since this page was opened, revision by revision."),
      element("div", { class: "plots" }, live.root, size.root)),
    update({ samples }) {
      live.update(samples.map((sample) => ({ x: sample.revision, y: sample.live })));
      size.update(samples.map((sample) => ({ x: sample.revision, y: sample.bytes })));
    },
  };
}
