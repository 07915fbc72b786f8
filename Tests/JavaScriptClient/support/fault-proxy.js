import { Agent, createServer, request } from "node:http";
import { once } from "node:events";

/**
 * The faults, each for one request: the connection is cut before the server receives the request, during its answer, or after
 * the request was handled but before the answer begins; the server receives the request twice; the answer is late; or the request
 * is overtaken: its connection is cut, its retry passes, and it arrives after the next request with another key.
 */
export const faults = ["cut before", "cut within", "cut after", "duplicated", "delayed", "reordered"];

/** A proxy on 127.0.0.1 that disturbs requests; a function chooses the fault for each request. */
export class FaultProxy {
  #server;
  #target;
  #decide;
  #agent = new Agent({ keepAlive: true });
  /** Held requests; each is sent after a request with another key was answered. */
  #held = [];
  /** How often each fault has occurred; overtaken requests count when they have arrived. */
  counts = Object.fromEntries(faults.map((fault) => [fault, 0]));
  /** The server's answers to overtaken requests. */
  lateAnswers = [];

  /** @param {string} target, @param {(request: { method: string, url: string }) => string | null} decide */
  static async start(target, decide) {
    const proxy = new FaultProxy(target, decide);
    proxy.#server.listen(0, "127.0.0.1");
    await once(proxy.#server, "listening");
    proxy.url = `http://127.0.0.1:${proxy.#server.address().port}`;
    return proxy;
  }

  constructor(target, decide) {
    this.#target = new URL(target);
    this.#decide = decide;
    this.#server = createServer((incoming, outgoing) => this.#take(incoming, outgoing).catch(() => outgoing.destroy()));
  }

  async close() {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
    this.#agent.destroy();
  }

  async #take(incoming, outgoing) {
    const chunks = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const message = { method: incoming.method, path: incoming.url, headers: { ...incoming.headers }, body: Buffer.concat(chunks) };
    // The header would name the proxy.
    delete message.headers.host;
    if (message.path.endsWith("/stream")) return this.#stream(message, outgoing);
    const fault = this.#decide({ method: message.method, url: message.path });
    if (fault === "reordered") {
      // Requests without a key change nothing, and are only repeated.
      if (keyOf(message)) this.#held.push(message);
      return outgoing.destroy();
    }
    if (fault) this.counts[fault] += 1;
    if (fault === "cut before") return outgoing.destroy();
    const answer = await this.#ask(message);
    if (fault === "duplicated") await this.#ask(message);
    if (fault === "delayed") await new Promise((resolve) => setTimeout(resolve, 5));
    if (keyOf(message)) await this.#releaseBehind(message);
    if (fault === "cut after") return outgoing.destroy();
    this.#answer(outgoing, answer, fault === "cut within");
  }

  /** Sends the held requests that a request with another key has overtaken. */
  async #releaseBehind(message) {
    const overtaken = this.#held.filter((held) => keyOf(held) !== keyOf(message));
    this.#held = this.#held.filter((held) => keyOf(held) === keyOf(message));
    for (const held of overtaken) {
      this.lateAnswers.push(await this.#ask(held));
      this.counts.reordered += 1;
    }
  }

  #answer(outgoing, { status, headers, body }, isCut) {
    outgoing.writeHead(status, headers);
    if (!isCut || !body.length) return isCut ? outgoing.destroy() : outgoing.end(body);
    outgoing.write(body.subarray(0, body.length / 2), () => outgoing.destroy());
  }

  async #ask(message) {
    const response = await this.#send(message);
    const chunks = [];
    for await (const chunk of response) chunks.push(chunk);
    return { status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) };
  }

  /** Forwards a stream as it arrives; a fault cuts it immediately, or after its first piece. */
  async #stream(message, outgoing) {
    const decided = this.#decide({ method: message.method, url: message.path });
    const fault = decided === "reordered" ? "cut before" : decided;
    if (decided) this.counts[fault] += 1;
    if (fault === "cut before") return outgoing.destroy();
    const response = await this.#send(message);
    outgoing.on("close", () => response.destroy());
    response.on("error", () => outgoing.destroy());
    response.on("end", () => outgoing.end());
    outgoing.writeHead(response.statusCode, response.headers);
    outgoing.flushHeaders();
    response.on("data", (piece) => {
      if (fault === "cut within") outgoing.write(piece.subarray(0, piece.length / 2), () => outgoing.destroy());
      else outgoing.write(piece, () => { if (fault === "cut after") outgoing.destroy(); });
    });
  }

  async #send({ method, path, headers, body }) {
    const { hostname, port } = this.#target;
    const sent = request({ hostname, port, method, path, headers, agent: path.endsWith("/stream") ? false : this.#agent });
    sent.end(body);
    const [response] = await once(sent, "response");
    return response;
  }
}

const keyOf = ({ headers }) => headers["idempotency-key"];
