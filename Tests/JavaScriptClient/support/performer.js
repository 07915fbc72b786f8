import { open, resume } from "../../../Clients/JavaScript/usher.js";
import { platform } from "../../../Clients/JavaScript/source/world.js";
import { ScreenList } from "./screen-list.js";
import { answer, isStream } from "./script.js";
import { until } from "./world.js";

/** Pauses between attempts end immediately; longer timers, which limit silent requests, stay unchanged. */
const longestPause = 4_000;

/** Performs the calls of a dialogue with the client, and records its requests, its results, and what its view received. */
export class Performer {
  #view = new ScreenList();
  #session = null;
  #exchanges = [];
  /** The outcomes of the attempts before the answered one. */
  #before = [];
  #keys = new Set();
  #world;
  #server;
  #polls;
  /** The state at the session's opening or resumption. */
  opened = null;
  /** An attempt that something on the way holds. */
  held = null;

  /** @param {string} server, @param {typeof fetch} ask, @param {(performer: Performer) => any} [makePolls] where there is no stream */
  constructor(server, ask = fetch, makePolls = () => null) {
    this.#server = server;
    this.#polls = makePolls(this);
    const setTimer = (run, milliseconds) => setTimeout(run, milliseconds > longestPause ? milliseconds : 0);
    this.#world = { ...platform(), setTimer, fetch: (url, request) => this.#ask(ask, url, request) };
  }

  /** The session's state; null before a session is open. */
  get state() { return this.#session?.state ?? null; }
  get view() { return this.#view; }
  get id() { return this.#session?.id; }
  /** The session's token, from the answer that opened it; null if there is none. */
  token = null;

  close() { this.#session?.close(); }

  /** Waits until the session follows its stream. */
  async isLive() { await until(() => this.#session.connection === "live", "the session is live"); }

  /** @param {any} call of the client, @param {any[]} [before] what becomes of the first attempts */
  async perform(call, before = []) {
    this.#before = [...before];
    try {
      await this.#call(call);
    } catch (problem) {
      // A refusal is a valid answer.
      if (!problem.status) throw problem;
    }
    if (this.#before.length) throw new Error(`${JSON.stringify(call)} was not tried again`);
    return this.#step({ call, ...(before.length ? { before } : {}) });
  }

  /**
   * @param {any} inputs of another client
   * @param {any[]} events of the stream, which have arrived when the client is as the last of them says
   */
  async follow(inputs, events) {
    if (events.length) await this.#follows(events.at(-1).event === "end" ? null : events.at(-1).data.revision);
    return this.#step({ elsewhere: inputs, stream: events });
  }

  /**
   * @param {any} inputs of another client
   * @param {any[]} before what becomes of the polls that tell nothing
   * @param {RequestInit} request of the one that does
   * @param {any} answer to it
   */
  async poll(inputs, before, request, answer) {
    await this.#follows(answer.status === 200 ? answer.body.revision : null);
    this.#exchanges.push({ request: described(`/sessions/${this.id}`, request), answer });
    return this.#step({ elsewhere: inputs, ...(before.length ? { before } : {}) });
  }

  /** @param {number | null} revision null where the session is over */
  async #follows(revision) {
    await until(() => (revision === null ? this.#session.ending : this.state.revision === revision), "what others do arrives");
  }

  async #call(call) {
    const [[name, value], ...more] = Object.entries(call);
    const { app, ...opening } = value;
    const settings = { view: this.#view, world: this.#world, ...Object.fromEntries(more) };
    if (name === "open") this.#session = await open(this.#server, app, { ...opening, ...settings });
    else if (name === "resume") await this.#resume(value, settings);
    else if (name === "send") await this.#session.send(value.event, value.payload, value.screen);
    else if (name === "back") await this.#session.back(call.screen);
    else if (name === "end") await this.#session.end();
    else await this.#session[name](value);
  }

  /** Continues with a new view, as an app does after a restart. */
  async #resume(id, settings) {
    this.#session.close();
    const view = new ScreenList();
    const token = settings.token === "TOKEN" ? this.token : settings.token;
    this.#session = await resume(this.#server, id, { ...settings, token, view }).catch((problem) => {
      view.gone(problem);
      throw problem;
    }).finally(() => { this.#view = view; });
  }

  #step(step) {
    const [exchange = {}, more] = this.#exchanges.splice(0);
    if (more) throw new Error(`${JSON.stringify(step)} asked twice: ${JSON.stringify(more.request)}`);
    return { ...step, ...exchange, operations: this.#view.operations.splice(0) };
  }

  async #ask(ask, url, request) {
    const path = new URL(url).pathname;
    if (isStream({ path })) return ask(url, request);
    if (this.#polls && this.opened && request.method === "GET") return this.#polls.take(request);
    this.#checkKey(request);
    const failure = this.#before.shift();
    if (failure?.status) return answer(failure);
    if (failure?.held) this.held = { url, request };
    const response = failure?.held ? null : await ask(url, request, failure);
    if (failure) throw new TypeError("the connection was reset");
    const text = await response.clone().text();
    const sent = described(path, request);
    const given = { status: response.status, ...(text ? { body: JSON.parse(text) } : {}) };
    if (response.ok && given.body && !path.endsWith("/events")) ({ token: this.token = this.token, ...this.opened } = given.body);
    this.#exchanges.push({ request: sent, answer: given });
    this.#keys.clear();
    return response;
  }

  /** All attempts at an opening or an input have the same key, which no other request has. */
  #checkKey({ method, headers }) {
    const key = headers["Idempotency-Key"];
    if ((method === "POST") !== Boolean(key)) throw new Error(`a ${method} with the key ${key}`);
    this.#keys.add(key);
    if (this.#keys.size > 1) throw new Error("another attempt has another key");
  }
}

/** Returns a request as the files describe it: with header fields only if they are preferences, conditions or tokens. */
function described(path, { method, headers, body }) {
  const told = ["Authorization", "If-None-Match", "Prefer"].filter((name) => headers[name]).map((name) => [name, headers[name]]);
  return { method, path, ...(told.length ? { headers: Object.fromEntries(told) } : {}), ...(body ? { body: JSON.parse(body) } : {}) };
}
