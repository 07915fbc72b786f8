import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Page } from "./page.js";
import { Pipe } from "./pipe.js";

const switches = [
  "--headless=new",
  "--remote-debugging-pipe",
  "--no-first-run",
  "--no-default-browser-check",
  "--disable-gpu",
  "--disable-dev-shm-usage",
  "--disable-extensions",
  "--disable-sync",
  "--disable-component-update",
  "--disable-background-networking",
  "--disable-background-timer-throttling",
  "--disable-renderer-backgrounding",
  "--force-color-profile=srgb",
  "--font-render-hinting=none",
  "--lang=en-US",
];

/** A headless Chromium with its own profile, which is deleted at the end. */
export class Browser {
  #process;
  #profile;
  #pipe;

  /**
   * @param {string} [program] the headless shell takes half the processor time, but never hides a page
   * @returns {Promise<Browser>} a browser that is ready for pages
   */
  static async start(program = process.env.CHROMIUM ?? "chromium-headless-shell") {
    const profile = await mkdtemp(join(tmpdir(), "usher-browser-"));
    // The sandbox refuses to run as root; other users keep it.
    const sandbox = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
    const child = spawn(
      program,
      [...switches, ...sandbox, `--user-data-dir=${profile}`, "about:blank"],
      { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] },
    );
    await once(child, "spawn");
    const browser = new Browser(child, profile);
    await browser.#pipe.send("Browser.getVersion");
    return browser;
  }

  /**
   * @param {import("node:child_process").ChildProcess} child
   * @param {string} profile the folder of the profile
   */
  constructor(child, profile) {
    this.#process = child;
    this.#profile = profile;
    this.#pipe = new Pipe(child.stdio[3], child.stdio[4]);
    // Kills the browser even if a test throws an error that nothing catches.
    process.once("exit", () => child.kill("SIGKILL"));
  }

  /**
   * Opens an empty page that shares no data with other pages.
   * @param {import("./page.js").Look} [look]
   */
  async page(look = {}) {
    const { browserContextId } = await this.#pipe.send("Target.createBrowserContext", { disposeOnDetach: true });
    return this.#open(browserContextId, look, () => this.#pipe.send("Target.disposeBrowserContext", { browserContextId }));
  }

  /**
   * @param {string} browserContextId of the page's user
   * @param {import("./page.js").Look} look
   * @param {(targetId: string) => Promise<void>} end
   */
  async #open(browserContextId, look, end) {
    const { targetId } = await this.#pipe.send("Target.createTarget", { url: "about:blank", browserContextId });
    const { sessionId } = await this.#pipe.send("Target.attachToTarget", { targetId, flatten: true });
    const close = () => {
      this.#pipe.unlisten(sessionId);
      return end(targetId);
    };
    const open = () => this.#open(browserContextId, look, (tab) => this.#pipe.send("Target.closeTarget", { targetId: tab }));
    const page = new Page(this.#pipe, sessionId, close, open);
    await page.prepare(look);
    return page;
  }

  /** Ends the browser's process and deletes its profile. */
  async close() {
    const exit = once(this.#process, "exit");
    const impatience = setTimeout(() => this.#process.kill("SIGKILL"), 5000);
    this.#pipe.send("Browser.close").catch(() => {});
    await exit;
    clearTimeout(impatience);
    await rm(this.#profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}
