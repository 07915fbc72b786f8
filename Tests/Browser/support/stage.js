import { after, before, describe, test } from "node:test";
import { Browser } from "./browser.js";
import { Server, missing } from "./server.js";
import { SessionView } from "./session-view.js";

/**
 * The arguments of a test.
 * @typedef {object} Scene
 * @property {Server} server
 * @property {import("./page.js").Page} page
 * @property {(session: string) => Promise<SessionView>} visit opens a session's page
 */

/**
 * Logs a page's user in: gives the browser the cookie of the link that the server prints. `login.test.js` opens the link.
 * @param {import("./page.js").Page} page
 * @param {Server} server
 */
export async function logIn(page, server) {
  const { headers } = await fetch(server.loginLink, { redirect: "manual" });
  const [, name, value] = /^([^=]+)=([^;]+)/.exec(headers.get("set-cookie"));
  await page.send("Network.setCookie", { name, value, url: server.url, httpOnly: true, sameSite: "Strict" });
}

/**
 * Creates one browser and one server for the tests of a file. Each test has its own page, and fails if
 * the page had unexpected troubles.
 * @param {{program?: "usher" | "gallery", options?: string[], browser?: string}} [setting] the server, its options, and
 *   the browser
 */
export function stage({ program = "usher", options = [], browser: browserProgram } = {}) {
  const skip = missing(program);
  const scenes = [];
  let browser, server;
  // Older versions of node run a file's hooks only after all processes have ended, and the browser is a process.
  // The tests are therefore a suite, which is declared when all of them are known.
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
   * @param {string} name a sentence
   * @param {{look?: import("./page.js").Look, troubles?: RegExp[], isStranger?: boolean, todo?: string}} setting `troubles` are the
   *   expected ones; a stranger has not logged in
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
