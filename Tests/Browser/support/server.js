import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** The servers under test: the samples', and one with everything that a page must be able to show. */
export const programs = {
  usher: process.env.USHER ?? join(root, ".build/debug/usher"),
  gallery: process.env.GALLERY ?? join(root, ".build/debug/GalleryProgram"),
  crash: process.env.CRASH ?? join(root, ".build/debug/CrashProgram"),
  postgres: process.env.USHER_POSTGRES ?? join(root, ".build/debug/usher-postgres"),
};

/** Returns why tests with a program cannot run; false if they can. In CI, they must run. */
export function missing(program) {
  return !process.env.CI && !existsSync(programs[program]) && `${programs[program]} is not built`;
}

/** The operator's token of servers under test. */
export const operatorToken = "the-operator-of-tests";

/** A server on a free port, with a journal on disk or in a database, which is deleted at the end. */
export class Server {
  #program;
  #options;
  #folder;
  #process;
  #log = "";
  /** The operator's token; a new value applies from the next run on. */
  token = operatorToken;

  /**
   * @param {keyof typeof programs} [program]
   * @param {string[]} [options] further options of the command line
   */
  static async start(program = "usher", options = []) {
    const server = new Server(program, options, await mkdtemp(join(tmpdir(), "usher-journal-")));
    await server.run(0);
    return server;
  }

  /** @param {import("./database.js").Database} database which stores the journal */
  static async on(database) {
    const folder = await mkdtemp(join(tmpdir(), "usher-journal-"));
    execFileSync(programs.postgres, ["migrate", "--journal", database.journal]);
    const server = new Server("postgres", ["--journal", database.journal, "--journal-key", "none", "--node", "one", "--state", folder], folder);
    await server.run(0);
    return server;
  }

  /** @param {keyof typeof programs} program, @param {string[]} options, @param {string} folder of the journal */
  constructor(program, options, folder) {
    this.#program = programs[program];
    this.#options = options.includes("--journal") ? options : ["--journal", `sqlite:${join(folder, "journal.sqlite")}`, ...options];
    this.#folder = folder;
    process.once("exit", () => this.#process?.kill("SIGKILL"));
  }

  /** @param {number} port to listen on; 0 for a free one, @param {string[]} [further] options of this run */
  async run(port, further = []) {
    const settings = ["--port", String(port)];
    const page = ["--public", process.env.USHER_PUBLIC ?? join(root, "Public")];
    const child = spawn(this.#program, ["serve", ...settings, ...page, ...this.#options, ...further], {
      env: { USHER_SESSION_ACCESS: "id", ...process.env, USHER_ADMIN_TOKEN: this.token },
    });
    this.#process = child;
    child.stderr.on("data", (text) => (this.#log += text));
    const line = await new Promise((resolve, reject) => {
      let text = "";
      child.stdout.on("data", (more) => (text += more).includes("\n") && resolve(text));
      child.once("error", reject);
      child.once("exit", (status) => reject(new Error(`the server ended with ${status}: ${this.#log}`)));
    });
    this.url = /http:\S+/.exec(line)[0];
  }

  /** Stops the server and waits for its end; the journal remains. */
  async stop() {
    if (this.#process.exitCode !== null) return;
    const exit = once(this.#process, "exit");
    const impatience = setTimeout(() => this.#process.kill("SIGKILL"), 15_000);
    this.#process.kill("SIGTERM");
    await exit;
    clearTimeout(impatience);
  }

  /** Runs the server again with the same port and journal. */
  async restart() {
    await this.run(Number(new URL(this.url).port));
  }

  /** Kills the worker process as a crash does; returns when the supervisor has started another one that serves. */
  async kill() {
    const { pid } = this.#process;
    const worker = () => readFile(`/proc/${pid}/task/${pid}/children`, "utf8").then((text) => text.trim().split(" ")[0]);
    const before = await worker();
    process.kill(Number(before), "SIGKILL");
    while ([before, ""].includes(await worker())) await new Promise((resolve) => setTimeout(resolve, 20));
    await this.back();
  }

  /** Waits until the server responds again after a crash. */
  async back() {
    const answers = () => fetch(`${this.url}/healthz`).then(({ ok }) => ok, () => false);
    while (!(await answers())) await new Promise((resolve) => setTimeout(resolve, 20));
  }

  /** Replaces the process as a deploy does; returns when the old process has ended. */
  async replace() {
    const exit = once(this.#process, "exit");
    await this.run(Number(new URL(this.url).port), ["--replace"]);
    await exit;
  }

  /** Stops the server and deletes its journal. */
  async close() {
    await this.stop();
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** The link that logs a browser in. */
  get loginLink() {
    return `${this.url}/login?token=${this.token}`;
  }

  /**
   * Sends a request as another client than the page.
   * @param {string} method
   * @param {string} path
   * @param {unknown} [body] sent as JSON
   * @returns {Promise<any>} the answer's JSON
   */
  async ask(method, path, body) {
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    const headers = { authorization: `Bearer ${this.token}`, ...(body === undefined ? {} : { "content-type": "application/json" }) };
    const answer = await fetch(this.url + path, { method, headers, ...content });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return text && JSON.parse(text);
  }

  /**
   * @param {string} app
   * @param {object} [options]
   * @returns {Promise<string>} the id of a new session
   */
  async session(app, options) {
    return (await this.ask("POST", "/sessions", { app, options })).session;
  }

  /** @param {string} session, @param {unknown} event the body of an input */
  send(session, event) {
    return this.ask("POST", `/admin/sessions/${session}/events`, event);
  }
}
