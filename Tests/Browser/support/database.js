import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const programs = "/usr/lib/postgresql/15/bin";

/** Returns why tests with PostgreSQL cannot run; false if they can. In CI, they must run. */
export function missingDatabase() {
  return !process.env.CI && !existsSync(`${programs}/postgres`) && "PostgreSQL is not installed";
}

/** PostgreSQL refuses to run as root. */
const unprivileged = process.getuid?.() === 0 ? ["setpriv", "--reuid=nobody", "--regid=65534", "--clear-groups"] : [];

/** A database server in a temporary folder, with a Unix socket and no port. */
export class Database {
  #folder;

  /** @returns {Promise<Database>} a database that accepts connections */
  static async start() {
    const database = new Database(run("mktemp", "-d", "/tmp/usher-postgres.XXXXXX").trim());
    run(`${programs}/initdb`, "--auth=trust", "--username=usher_owner", "--encoding=UTF8", "--no-locale", "--no-sync", database.#data);
    database.resume();
    return database;
  }

  /** @param {string} folder */
  constructor(folder) {
    this.#folder = folder;
    process.once("exit", () => this.close());
  }

  get #data() { return `${this.#folder}/data`; }

  /** The journal of a server that uses this database. */
  get journal() {
    return `postgres:///postgres?host=${encodeURIComponent(this.#folder)}&user=usher_owner`;
  }

  /** Ends the database server as a crash does; its files remain. */
  stop() {
    run(`${programs}/pg_ctl`, "stop", "--silent", "--mode=immediate", "-D", this.#data);
  }

  /** Starts the stopped database server. */
  resume() {
    const settings = `-k ${this.#folder} -c listen_addresses= -c shared_buffers=16MB`;
    run(`${programs}/pg_ctl`, "start", "--silent", "-D", this.#data, "-o", settings, "--log", `${this.#folder}/log`);
  }

  /** Ends the database server and deletes its files. */
  close() {
    if (!existsSync(this.#folder)) return;
    spawnSync(unprivileged[0] ?? "env", [...unprivileged.slice(1), `${programs}/pg_ctl`, "stop", "--silent", "--mode=immediate", "-D", this.#data]);
    run("rm", "-rf", this.#folder);
  }
}

/** @param {...string} command @returns {string} the command's output */
function run(...command) {
  const [program, ...words] = [...unprivileged, ...command];
  const { status, stdout, stderr, error } = spawnSync(program, words, { encoding: "utf8" });
  if (status !== 0) throw error ?? new Error(`${command.join(" ")}: ${stderr}`);
  return stdout;
}
