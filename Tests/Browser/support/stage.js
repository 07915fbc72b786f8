import { after, before, test } from "node:test";
import { Browser } from "./browser.js";
import { Server, missing } from "./server.js";
import { SessionView } from "./session-view.js";

/**
 * What a test is given.
 * @typedef {object} Scene
 * @property {Server} server
 * @property {import("./page.js").Page} page
 * @property {(session: string) => Promise<SessionView>} visit opens a session's page
 */

/**
 * One browser and one server for the tests of a file. Each test has a page of its own, and fails where
 * the page had troubles that it did not expect.
 * @param {{program?: "usher" | "gallery", options?: string[]}} [setting] the server and its options
 */
export function stage({ program = "usher", options = [] } = {}) {
  const skip = missing(program);
  let browser, server;
  if (!skip) {
    before(async () => {
      [browser, server] = await Promise.all([Browser.start(), Server.start(program, options)]);
    });
    after(() => Promise.all([browser?.close(), server?.close()]));
  }

  /**
   * @param {string} name what holds, as a sentence
   * @param {{look?: import("./page.js").Look, troubles?: RegExp[], todo?: string}} setting the troubles are those to be expected
   * @param {(scene: Scene, test: import("node:test").TestContext) => Promise<void>} body
   */
  return (name, setting, body) => {
    test(name, { skip, todo: setting.todo, timeout: 120_000 }, async (test) => {
      const page = await browser.page(setting.look);
      const visit = async (session) => {
        await page.open(`${server.url}/#/sessions/${session}`);
        const view = new SessionView(page, session);
        await view.isThere();
        return view;
      };
      try {
        await body({ server, page, visit }, test);
        page.troubles.expectOnly(setting.troubles ?? []);
      } catch (error) {
        const isOfTroubles = /had troubles/.test(error.message);
        if (!isOfTroubles && page.troubles.found.length) error.message += `\n\nin the page: ${page.troubles.found.join("\n")}`;
        throw error;
      } finally {
        await page.close();
      }
    });
  };
}
