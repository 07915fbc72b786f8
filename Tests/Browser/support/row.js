import { openSession } from "./open-form.js";

/**
 * A step of a row: an action, and the expected result. Omitted results must be unchanged.
 * @typedef {object} Step
 * @property {string} [send] an event
 * @property {object} [payload] instead of the example
 * @property {string} [select] a tab
 * @property {string} [press] a button of the device
 * @property {string[]} [cards] bottom to top
 * @property {string | null} [tab] the selected tab; null if there are none
 * @property {string} [tree]
 * @property {number} [reclaimed] coordinators that have finished so far
 * @property {string} [says] a text that the device then shows
 */

/**
 * Creates tests of an app's rows: each opens a session, walks it by clicking, and checks the page after each step.
 * @param {ReturnType<typeof import("./stage.js").stage>} scene
 * @param {string} app
 */
export function rowsOf(scene, app) {
  let count = 0;
  /**
   * @param {string} name begins with the row's id
   * @param {{options?: object, link?: unknown[], troubles?: RegExp[]}} opening
   * @param {Step[]} steps the first of which has only expectations
   */
  return (name, opening, steps) => {
    // The server's own tests walk every row; for the page, a third is enough, except in a long run.
    if (count++ % 3 && !process.env.USHER_LONG) return;
    scene(name, opening, async (given) => {
      const view = await openSession(given, app, opening);
      let seen = { reclaimed: 0 };
      for (const step of steps) {
        if (step.send) await view.send(step.send, step.payload);
        if (step.select) await view.select(step.select);
        if (step.press) await view.device.get("button", step.press).click();
        seen = { ...seen, ...step };
        const live = seen.tree.match(/\w+/g).length;
        const figures = { live, created: live + seen.reclaimed, finished: seen.reclaimed, leaked: 0 };
        await view.shows({ cards: seen.cards, tab: seen.tab, tree: seen.tree, figures });
        if (step.says) await view.device.says(step.says);
      }
    });
  };
}
