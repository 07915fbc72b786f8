import { after, before, describe, test } from "node:test";
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
 * Logs a page's browser in, as its user would, and leaves the page as it was.
 * @param {import("./page.js").Page} page
 * @param {Server} server
 */
export async function logIn(page, server) {
  await page.open(server.loginLink);
  await page.open("about:blank");
  await page.send("Network.clearBrowserCache");
  page.network.clear();
}

/**
 * One browser and one server for the tests of a file. Each test has a page of its own, and fails where
 * the page had troubles that it did not expect.
 * @param {{program?: "usher" | "gallery", options?: string[], browser?: string}} [setting] the server, its options, and
 *   the browser
 */
export function stage({ program = "usher", options = [], browser: browserProgram } = {}) {
  const skip = missing(program);
  const scenes = [];
  let browser, server;
  // A file's own hooks are run by older versions of node only when nothing lives any more, and a browser does;
  // so its tests are a suite, declared as soon as all are known.
  queueMicrotask(() =>
    describe(`with ${program}`, { skip }, () => {
      before(async () => {
        [browser, server] = await Promise.all([Browser.start(browserProgram), Server.start(program, options)]);
      });
      after(() => Promise.all([browser?.close(), server?.close()]));
      for (const scene of scenes) scene();
    }),
  );

  /**
   * @param {string} name what holds, as a sentence
   * @param {{look?: import("./page.js").Look, troubles?: RegExp[], isStranger?: boolean, todo?: string}} setting the troubles are
   *   those to be expected; a stranger has not logged in
   * @param {(scene: Scene, test: import("node:test").TestContext) => Promise<void>} act
   */
  return (name, setting, act) => {
    const body = async (test) => {
      const page = await browser.page(setting.look);
      if (!setting.isStranger) await logIn(page, server);
      const visit = async (session) => {
        await page.open(`${server.url}/#/sessions/${session}`);
        const view = new SessionView(page, session);
        await view.isThere();
        return view;
      };
      try {
        await act({ server, page, visit }, test);
        page.troubles.expectOnly(setting.troubles ?? []);
      } catch (error) {
        const isOfTroubles = /had troubles/.test(error.message);
        if (!isOfTroubles && page.troubles.found.length) error.message += `\n\nin the page: ${page.troubles.found.join("\n")}`;
        throw error;
      } finally {
        await page.close();
      }
    };
    scenes.push(() => test(name, { todo: setting.todo, timeout: 120_000 }, body));
  };
}
