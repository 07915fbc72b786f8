// What stands around the device: coordinators, memory and time; and fingers on its cards.
import { element } from "../document/element.js";
import { makeCoordinators } from "./coordinators.js";
import { follow } from "./gestures.js";
import { makeMemory } from "./memory.js";
import { makeTime } from "./time.js";

/**
 * @param {import("./session.js").Session} session
 * @param {ReturnType<typeof import("./device.js").makeDevice>} device
 * @returns {import("./view.js").Part}
 */
export function makeAround(session, device) {
  const parts = [makeCoordinators(), makeMemory(), makeTime(session)];
  follow(device.screens, device.gestures);
  return {
    root: element("div", { class: "regions" }, ...parts.map((part) => part.root)),
    update() {
      for (const part of parts) part.update(session);
    },
  };
}
