import { open } from "../../../Clients/JavaScript/usher.js";
import { platform } from "../../../Clients/JavaScript/source/world.js";
import { ScreenList } from "./screen-list.js";
import { until } from "./world.js";

/** Performs the calls of a dialogue with the client, and notes what it asked, what it got, and what its view was told. */
export class Performer {
  #view = new ScreenList();
  #session;
  #exchanges = [];
  #world;
  #server;
  /** The answer to the opening. */
  opened = null;

  /** @param {string} server, @param {typeof fetch} ask */
  constructor(server, ask = fetch) {
    this.#server = server;
    this.#world = { ...platform(), fetch: (url, request) => this.#ask(ask, url, request) };
  }

  get state() { return this.#session.state; }
  get view() { return this.#view; }
  get id() { return this.#session.id; }

  close() { this.#session?.close(); }

  /** Waits until the session follows its stream. */
  async isLive() { await until(() => this.#session.connection === "live", "the session is live"); }

  /** @param {any} call of the client */
  async perform(call) {
    try {
      await this.#call(call);
    } catch (problem) {
      // A refusal is an answer.
      if (!problem.status) throw problem;
    }
    return this.#step({ call });
  }

  /** @param {any} input of another client, @param {() => number} arrive has its state arrive, and answers with its revision */
  async follow(input, arrive) {
    const revision = arrive();
    await until(() => this.state.revision === revision, "the stream brings what others do");
    return this.#step({ elsewhere: input, streamed: this.state });
  }

  async #call(call) {
    const [[name, value]] = Object.entries(call);
    const { app, options } = value;
    if (name === "open") this.#session = await open(this.#server, app, { options, view: this.#view, world: this.#world });
    else if (name === "send") await this.#session.send(value.event, value.payload, value.screen);
    else if (name === "back" || name === "end") await this.#session[name]();
    else await this.#session[name](value);
  }

  #step(step) {
    const [exchange = {}] = this.#exchanges.splice(0);
    return { ...step, ...exchange, operations: this.#view.operations.splice(0) };
  }

  async #ask(ask, url, request) {
    const response = await ask(url, request);
    const path = new URL(url).pathname;
    if (request.method === "GET") return response;
    const text = await response.clone().text();
    const sent = { method: request.method, path, ...(request.body ? { body: JSON.parse(request.body) } : {}) };
    const answer = { status: response.status, ...(text ? { body: JSON.parse(text) } : {}) };
    this.opened ??= answer.body;
    this.#exchanges.push({ request: sent, answer });
    return response;
  }
}
