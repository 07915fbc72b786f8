import { once } from "node:events";
import { createServer } from "node:http";
import { opened } from "./script.js";

/** An HTTP server with one session, which requires the session's token. */
export class GuardedServer {
  #server;
  #streams = new Set();
  #state = opened;
  /** The required token; null if none is required. */
  token;
  /** `false` if something on the way answers streams with its own page. */
  hasStreams = true;
  /** The requests in the order of arrival, each with `method`, `path` and `authorization`. */
  requests = [];

  /** @param {string | null} token */
  static async start(token) {
    const server = new GuardedServer(token);
    server.#server.listen(0, "127.0.0.1");
    await once(server.#server, "listening");
    server.url = `http://127.0.0.1:${server.#server.address().port}`;
    return server;
  }

  constructor(token) {
    this.token = token;
    this.#server = createServer(({ method, url, headers }, answer) => {
      this.requests.push({ method, path: url, authorization: headers.authorization ?? null });
      this.#answer(method, url, headers, answer);
    });
  }

  async close() {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  /** Replaces the token, which ends the streams of the previous one. */
  rotate(token) {
    this.token = token;
    for (const stream of this.#streams) stream.destroy();
  }

  /** Returns the different authorizations of the requests for a path. */
  authorizations(path) {
    return [...new Set(this.requests.filter((request) => request.path === path).map(({ authorization }) => authorization))];
  }

  #answer(method, path, headers, answer) {
    if (path === "/sessions") return send(answer, 201, { ...this.#state, ...(this.token === null ? {} : { token: this.token }) });
    const bearer = headers.authorization?.replace("Bearer ", "");
    if (this.token !== null && bearer === undefined) return refuse(answer, 401, "token-needed");
    if (this.token !== null && bearer !== this.token) return refuse(answer, 403, "wrong-token");
    if (method === "DELETE") return answer.writeHead(204).end();
    if (method === "POST") this.#state = { ...this.#state, revision: this.#state.revision + 1 };
    if (path.endsWith("/stream")) return this.hasStreams ? this.#stream(answer) : answer.end("<h1>Please wait</h1>");
    // A long poll that is never answered.
    if (method === "GET" && headers["if-none-match"] === `"${this.#state.revision}"`) return;
    send(answer, 200, this.#state);
  }

  #stream(answer) {
    this.#streams.add(answer);
    answer.on("close", () => this.#streams.delete(answer));
    answer.writeHead(200, { "Content-Type": "text/event-stream" });
    answer.write(`id: ${this.#state.revision}\nevent: state\ndata: ${JSON.stringify(this.#state)}\n\n`);
  }
}

function send(answer, status, body) {
  answer.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
}

function refuse(answer, status, name) {
  send(answer, status, { type: `urn:usher:problem:${name}`, title: "Refused", status, detail: `${name} it is` });
}
