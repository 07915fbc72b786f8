// The client of an Usher server, for browsers and node. `build.js` writes this file from the folder `source`; the folder `types` has the type declarations.

const shortest = 400, longest = 15_000;
const longestAsked = 3_600_000;

class Backoff {
  #world;
  #pause = shortest;
  #wake = null;

  constructor(world) { this.#world = world; }

  reset() { this.#pause = shortest; }

  wake() { this.#wake?.(); }

  async wait(least = 0) {
    const asked = Math.min(least, longestAsked);
    const jittered = this.#pause * (0.5 + this.#world.random() / 2);
    this.#pause = Math.min(this.#pause * 2, longest);
    await new Promise((resolve) => {
      const timer = this.#world.setTimer(resolve, asked ? asked + jittered / 2 : jittered);
      this.#wake = () => {
        this.#world.clearTimer(timer);
        resolve();
      };
    });
    this.#wake = null;
  }
}

class Problem extends Error {
  constructor(status, detail, members = {}, retryAfter = 0, tag = null) {
    super(detail);
    this.name = "Problem";
    this.status = status;
    this.type = members.type ?? "about:blank";
    this.current = members.current ?? null;
    this.members = members;
    this.retryAfter = retryAfter;
    this.tag = tag;
  }

  get isUnreachable() { return this.status === 0; }

  get isGone() { return this.type === "urn:usher:problem:session-ended" || this.type === "urn:usher:problem:unknown-session"; }

  get isDenied() { return (this.status === 401 || this.status === 403) && this.#isServers; }

  get #isServers() { return this.type.startsWith("urn:usher:problem:"); }

  get isHeld() { return this.type === "urn:usher:problem:session-held"; }

  get isFinal() { return this.isGone || this.isDenied || this.isHeld; }

  get isTransient() {
    if (this.type === "urn:usher:problem:handler-failed" || this.isHeld) return false;
    return this.status === 0 || this.status === 408 || this.status === 425 || this.status === 429 || this.status >= 500;
  }

  static own(name, detail) {
    return new Problem(-1, detail, { type: `urn:usher:client:${name}` });
  }

  static from(error) {
    return error instanceof Problem ? error : new Problem(0, `the server does not answer: ${error instanceof Error ? error.message : error}`);
  }
}

function snapshotOf(state, tag, isReplayed = false) {
  return { state, tag: tag?.replace(/^W\//, "") || `"${state.revision}"`, isReplayed };
}

function runOf({ tag }) {
  return tag.match(/^"\d+\.([^"]+)"$/)?.[1] ?? "";
}

function isOfAnotherRun(snapshot, before) {
  const run = runOf(snapshot), other = runOf(before);
  return run !== "" && other !== "" && run !== other;
}

// One attempt to send a request, which returns a complete response or throws a `Problem`.


const usualPatience = 30_000;

class Exchange {
  #world;
  #headers;
  #credentials;

  constructor(world, settings = {}, token = null) {
    const { headers = {}, cookie = false } = settings;
    this.#world = world;
    this.#headers = headers;
    this.#credentials = cookie ? ({ credentials: "include" }) : {};
    this.token = token;
  }

  async ask(url, request = {}) { return (await this.#complete(url, request)).body; }

  async askForState(url, request = {}) {
    const { status, headers, body } = await this.#complete(url, request);
    if (status === 304) return null;
    if (!body) throw new Problem(0, "the answer is empty");
    return snapshotOf(body, headers.get("ETag"), headers.get("Idempotent-Replayed") === "true");
  }

  async #complete(url, request) {
    const { signal, stop } = this.#limit(request.patience ?? usualPatience, request.signal);
    try {
      const response = await this.begin(url, { ...request, signal });
      const { status, headers } = response, text = await response.text();
      return { status, headers, body: status === 304 || !text ? null : this.#world.read(text) };
    } catch (error) {
      throw Problem.from(error);
    } finally {
      stop();
    }
  }

  async begin(url, request) {
    for (;;) {
      const token = this.token, response = await this.#send(url, request);
      if (response.ok || response.status === 304) return response;
      const problem = await this.#refusal(response);
      if (!problem.isDenied || token === this.token) throw problem;
    }
  }

  #send(url, { method = "GET", body, text, headers = {}, signal }) {
    const sent = text ?? (body === undefined ? undefined : textOf(body, this.#world));
    const content = sent === undefined ? {} : { "Content-Type": "application/json" };
    const all = { Accept: "application/json", ...content, ...this.#common(), ...headers };
    checkSendable(url, all);
    return this.#world.fetch(url, {
      method, signal, cache: "no-store", ...this.#credentials, headers: all, ...(sent === undefined ? {} : { body: sent }),
    });
  }

  #common() {
    const given = typeof this.#headers === "function" ? this.#headers() : this.#headers;
    if (this.token === null) return given;
    const others = Object.entries(given).filter(([name]) => name.toLowerCase() !== "authorization");
    return { ...Object.fromEntries(others), Authorization: `Bearer ${this.token}` };
  }

  async #refusal(response) {
    const text = await response.text();
    let members = {};
    try {
      members = this.#world.read(text) ?? {};
    } catch {
      // The body is a proxy's page, so only the status is known.
    }
    const { detail, title } = (members);
    return new Problem(response.status, detail ?? title ?? response.statusText, members, this.#retryAfter(response.headers), response.headers.get("ETag"));
  }

  #retryAfter(headers) {
    const asked = headers.get("Retry-After") ?? "";
    if (/^\d+$/.test(asked)) return Number(asked);
    // A page of another origin cannot read the response's date.
    const now = Date.parse(headers.get("Date") ?? "") || this.#world.now();
    return Math.max(0, (Date.parse(asked) - now) / 1000) || 0;
  }

  #limit(patience, outer) {
    const controller = new AbortController();
    const abort = () => controller.abort();
    const timer = this.#world.setTimer(abort, patience);
    if (outer?.aborted) abort();
    outer?.addEventListener("abort", abort);
    const stop = () => {
      this.#world.clearTimer(timer);
      outer?.removeEventListener("abort", abort);
    };
    return { signal: controller.signal, stop };
  }
}

function textOf(body, world) {
  try {
    const text = world.write(body);
    if (typeof text === "string") return text;
  } catch (error) {
    throw Problem.own("unwritable", `the value cannot be written as JSON: ${error instanceof Error ? error.message : error}`);
  }
  throw Problem.own("unwritable", "JSON cannot represent this value");
}

function checkSendable(url, headers) {
  for (const [name, value] of Object.entries(headers)) {
    try {
      new Headers([[name, value]]);
    } catch {
      // The platform's own message may quote the value, which may be a token.
      throw Problem.own("unsendable", `this is not a valid name or value of a header field: ${name}`);
    }
  }
  let address = "";
  try {
    address = new Request(url).url;
  } catch {
    // The URL is malformed.
  }
  if (!/^https?:/.test(address)) throw Problem.own("unsendable", `${url} is not an http or https URL`);
}

function show(observer, list, state) {
  for (const operation of list) {
    if ("remove" in operation) observer.remove?.(operation.remove, operation.hidden ?? false);
    else if ("select" in operation) observer.select?.(operation.select);
    else if ("insert" in operation) observer.insert?.(operation.insert, operation.at);
    else observer.update?.(operation.update);
  }
  observer.state?.(state);
}

function inform(world, observer, tell) {
  try {
    tell(observer);
  } catch (error) {
    world.report(error);
  }
}

// The only place that turns a new state into operations on a view.


function operations(before, after) {
  const old = before?.stack ?? [];
  const kept = keptScreens(old, after.stack);
  const isTabChange = before?.tabs && after.tabs && before.tabs.selected !== after.tabs.selected;
  const base = old.findIndex(({ shown }) => shown !== "root" && shown !== "push");
  const list = [];
  for (let place = old.length - 1; place >= 0; place--) {
    if (kept.has(old[place].id)) continue;
    const isHidden = isTabChange && (base < 0 || place < base) && !hasLeft(old[place].id, after.changes);
    list.push(isHidden ? { remove: old[place].id, hidden: true } : { remove: old[place].id });
  }
  if (!isEqual(before?.tabs, after.tabs)) list.push({ select: after.tabs ?? null });
  after.stack.forEach((screen, at) => { if (!kept.has(screen.id)) list.push({ insert: screen, at }); });
  for (const screen of after.stack) {
    if (kept.has(screen.id) && !isEqual(kept.get(screen.id), screen)) list.push({ update: screen });
  }
  return list;
}

function keptScreens(old, fresh) {
  const places = new Map(old.map(({ id }, place) => [id, place]));
  const kept = new Map();
  let last = -1;
  for (const { id } of fresh) {
    const place = places.get(id);
    if (place === undefined || place < last) continue;
    last = place;
    kept.set(id, old[place]);
  }
  return kept;
}

function hasLeft(id, changes) {
  return changes.some(({ pop, remove, dismiss, replace }) =>
    [pop, remove, dismiss, replace?.out].some((ids) => Array.isArray(ids) && ids.includes(id)));
}

function isEqual(one, other) {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || !one || !other || Array.isArray(one) !== Array.isArray(other)) return false;
  const names = Object.keys(one);
  return names.length === Object.keys(other).length
    && names.every((name) => Object.hasOwn(other, name) && isEqual(one[name], other[name]));
}

class Outbox {
  #attempt;
  #bound;
  #backoff;
  #world;
  #changed;
  #delayed;
  #inputs = [];
  #isDelivering = false;
  #closing = null;

  constructor(world, attempt, bound, { changed, delayed }) {
    this.#world = world;
    this.#attempt = attempt;
    this.#bound = bound;
    this.#changed = changed;
    this.#delayed = delayed;
    this.#backoff = new Backoff(world);
  }

  get count() { return this.#inputs.length; }

  add(body) {
    if (this.#closing) return Promise.reject(this.#closing);
    if (this.#inputs.length >= this.#bound) {
      return Promise.reject(Problem.own("queue-full", `${this.#bound} inputs are already waiting for the server`));
    }
    return new Promise((resolve, reject) => {
      this.#inputs.push({ text: textOf(body, this.#world), key: this.#world.key(), resolve, reject });
      this.#changed(this.#inputs.length);
      this.#deliverAll();
    });
  }

  wake() { this.#backoff.wake(); }

  close() {
    this.#closing ??= Problem.own("closed", "the client was closed before the server had answered");
    for (const input of this.#inputs.splice(0)) input.reject(this.#closing);
    this.#backoff.wake();
  }

  async #deliverAll() {
    if (this.#isDelivering) return;
    this.#isDelivering = true;
    for (let input = this.#inputs[0]; input; input = this.#inputs[0]) {
      await this.#deliver(input).then(input.resolve, (error) => input.reject(Problem.from(error)));
      if (this.#inputs[0] === input) this.#inputs.shift();
      this.#changed(this.#inputs.length);
    }
    this.#isDelivering = false;
  }

  async #deliver({ text, key }) {
    this.#backoff.reset();
    for (;;) {
      try {
        return await this.#attempt(text, key);
      } catch (error) {
        const problem = Problem.from(error);
        if (!problem.isTransient) throw problem;
        if (!this.#closing) this.#delayed(problem);
        if (!this.#closing) await this.#backoff.wait(problem.retryAfter * 1000);
        if (this.#closing) throw this.#closing;
      }
    }
  }
}

class SessionRecord {
  #newest;
  #taken = 0;
  #takenAtConnect = -1;

  constructor(snapshot) { this.#newest = snapshot; }

  get state() { return this.#newest.state; }
  get tag() { return this.#newest.tag; }

  connecting() { this.#takenAtConnect = this.#taken; }

  answer(snapshot) {
    return this.#isOlder(snapshot) ? null : this.#take(snapshot);
  }

  follow(snapshot) {
    return this.#isOlder(snapshot) && this.#takenAtConnect !== this.#taken ? null : this.#take(snapshot);
  }

  #isOlder(snapshot) {
    if (snapshot.state.revision >= this.state.revision) return false;
    return snapshot.isReplayed || !isOfAnotherRun(snapshot, this.#newest);
  }

  #take(snapshot) {
    const { state } = snapshot, list = operations(this.state, state);
    const isNews = state.revision !== this.state.revision || list.length > 0 || Boolean(state.ended);
    this.#newest = snapshot;
    this.#taken += 1;
    this.#takenAtConnect = -1;
    return isNews ? list : null;
  }
}

class EventReader {
  #text = "";
  #type = "";
  #data = [];
  #id = "";
  retry = 0;

  read(text) {
    this.#text += text;
    const lines = this.#text.split(/\r\n|\n|\r(?!$)/);
    this.#text = (lines.pop());
    return lines.flatMap((line) => this.#take(line));
  }

  #take(line) {
    if (line === "") return this.#dispatch();
    const [, field, value] = (line.match(/^([^:]*)(?:: ?(.*))?$/s));
    if (field === "event") this.#type = value ?? "";
    else if (field === "data") this.#data.push(value ?? "");
    else if (field === "id") this.#id = value ?? "";
    else if (field === "retry" && /^\d+$/.test(value ?? "")) this.retry = Number(value);
    return [];
  }

  #dispatch() {
    const event = { type: this.#type || "message", data: this.#data.join("\n"), id: this.#id };
    const isEmpty = this.#data.length === 0;
    this.#type = "";
    this.#data = [];
    return isEmpty ? [] : [event];
  }
}

const most = 4;

class StreamSemaphore {
  #world;
  #name;

  constructor(world, url) {
    this.#world = world;
    this.#name = `usher streams ${url.slice(0, url.lastIndexOf("/sessions/"))}`;
  }

  async acquire() {
    for (let number = 1; this.#world.tabs && number <= most; number++) {
      const release = await this.#lock(this.#world.tabs.locks, `${this.#name} ${number}`);
      if (release) return release;
    }
    return this.#world.tabs ? null : () => {};
  }

  #lock(locks, name) {
    return new Promise((resolve) => {
      const hold = (lock) =>
        (lock ? new Promise((release) => resolve(release)) : resolve(null));
      locks.request(name, { ifAvailable: true }, hold).catch(() => resolve(null));
    });
  }
}

const firstPatience = 5_000, silence = 45_000;
const pollWait = 25, pollingFor = 300_000, suspiciouslyShort = 500;
const glancePause = 2_000;

class NoStream extends Error {}

class Watcher {
  #world;
  #exchange;
  #url;
  #told;
  #backoff;
  #semaphore;
  #stopping = new AbortController();
  #pollsUntil = 0;
  #leastPause = 0;
  #tag = "";

  constructor(world, exchange, url, told) {
    this.#world = world;
    this.#exchange = exchange;
    this.#url = url;
    this.#told = told;
    this.#backoff = new Backoff(world);
    this.#semaphore = new StreamSemaphore(world, url);
  }

  stop() {
    this.#stopping.abort();
    this.#backoff.wake();
  }

  wake() { this.#backoff.wake(); }

  async start() {
    while (!this.#isStopped) {
      try {
        this.#told.connecting();
        await this.#follow();
      } catch (error) {
        if (this.#isStopped) return;
        if (error instanceof NoStream) {
          this.#pollsUntil = this.#world.uptime() + pollingFor;
          continue;
        }
        const problem = Problem.from(error);
        // Any other response may be a proxy's and says nothing about the session.
        if (problem.isFinal) return this.#told.gone(problem);
        this.#told.connection(problem.isUnreachable ? "unreachable" : "reconnecting");
        await this.#backoff.wait(Math.max(problem.retryAfter * 1000, this.#leastPause));
        this.#leastPause = 0;
      }
    }
  }

  get #isStopped() { return this.#stopping.signal.aborted; }

  async #follow() {
    const release = await this.#semaphore.acquire();
    try {
      if (this.#isStopped) return;
      if (!release) await this.#glance();
      else await (this.#world.uptime() < this.#pollsUntil ? this.#poll() : this.#stream());
    } finally {
      release?.();
    }
  }

  async #glance() {
    this.#tell(await this.#look());
    this.#backoff.reset();
    await this.#backoff.wait(glancePause);
  }

  async #stream() {
    const connection = new AbortController(), reader = new EventReader();
    const abort = () => connection.abort();
    this.#stopping.signal.addEventListener("abort", abort);
    let hasSpoken = false, timer = this.#world.setTimer(abort, firstPatience * 2);
    const restart = (patience) => {
      this.#world.clearTimer(timer);
      timer = this.#world.setTimer(abort, patience);
    };
    let hasHead = false;
    try {
      const body = await this.#open(connection.signal);
      hasHead = true;
      restart(firstPatience);
      for (;;) {
        const { done, value } = await body.read();
        if (done) throw new Problem(503, "the stream ended");
        const events = reader.read(value);
        hasSpoken ||= events.some(({ type }) => type === "state");
        if (hasSpoken) restart(silence);
        for (const event of events) await this.#take(event);
      }
    } catch (error) {
      if (error instanceof Problem || error instanceof NoStream || !hasHead) throw error;
      if (!hasSpoken && connection.signal.aborted && !this.#isStopped) throw new NoStream();
      throw new Problem(503, `the stream broke: ${error}`);
    } finally {
      this.#leastPause = reader.retry;
      this.#world.clearTimer(timer);
      this.#stopping.signal.removeEventListener("abort", abort);
      connection.abort();
    }
  }

  async #open(signal) {
    const response = await this.#exchange.begin(`${this.#url}/stream`, { headers: { Accept: "text/event-stream" }, signal });
    const isStream = response.headers.get("Content-Type")?.startsWith("text/event-stream");
    if (!isStream || !response.body) throw new NoStream();
    return response.body.pipeThrough((new TextDecoderStream())).getReader();
  }

  async #take(event) {
    if (this.#isStopped) return;
    if (event.type === "state") {
      this.#backoff.reset();
      this.#tell(snapshotOf(this.#world.read(event.data), event.id && `"${event.id}"`));
    }
    // Read from the session how it ended or why it is held. If the session continues after all, the stream is opened
    // again.
    else if (event.type === "end" || event.type === "held") this.#tell(await this.#look());
    else if (event.type !== "gap") this.#told.event({ type: event.type, data: this.#world.read(event.data) });
  }

  async #poll() {
    this.#tell(await this.#look());
    while (!this.#isStopped && this.#world.uptime() < this.#pollsUntil) {
      const began = this.#world.uptime();
      const snapshot = await this.#look({ "If-None-Match": this.#tag, Prefer: `wait=${pollWait}` });
      const isNews = snapshot !== null && snapshot.tag !== this.#tag;
      this.#tell(snapshot);
      if (isNews || this.#world.uptime() - began >= suspiciouslyShort) this.#backoff.reset();
      // A proxy may have removed the wait or the known state from the request.
      else await this.#backoff.wait();
    }
  }

  #look(headers = {}) {
    const patience = (pollWait + 10) * 1000;
    return this.#exchange.askForState(this.#url, { headers, patience, signal: this.#stopping.signal });
  }

  #tell(snapshot) {
    if (this.#isStopped || !snapshot) return;
    this.#tag = snapshot.tag;
    this.#told.connection("live");
    this.#told.state(snapshot);
  }
}

const mostEvents = 64;

class SharedWatcher {
  #world;
  #make;
  #told;
  #name;
  #channel = null;
  #watcher = null;
  #seeking = null;
  #stopObserving = () => {};
  #isStopped = false;
  #last = null;
  #events = [];

  constructor(world, name, make, told) {
    this.#world = world;
    this.#name = `usher ${name}`;
    this.#make = make;
    this.#told = told;
  }

  start() {
    if (this.#world.tabs) {
      this.#channel = this.#world.tabs.channel(this.#name);
      this.#channel.onmessage = ({ data }) => this.#hear(this.#world.read(data));
    }
    this.#stopObserving = this.#world.visibility?.observe(() => this.#see()) ?? this.#stopObserving;
    this.#see();
  }

  stop() {
    this.#isStopped = true;
    this.#stopObserving();
    this.#letGo();
    this.#channel?.close();
    this.#channel = null;
  }

  wake() { this.#watcher?.wake(); }

  #see() {
    if (this.#world.visibility?.isHidden()) {
      this.#letGo();
      this.#told.connection("hidden");
    } else if (!this.#seeking) this.#seek();
  }

  #seek() {
    const seeking = this.#seeking = new AbortController();
    if (!this.#world.tabs) return this.#watch(seeking.signal);
    this.#say({ kind: "ask" });
    this.#world.tabs.locks.request(this.#name, { signal: seeking.signal }, () => this.#watch(seeking.signal)).catch(() => {});
  }

  async #watch(signal) {
    if (signal.aborted) return;
    const watcher = this.#watcher = this.#make(this.#telling());
    const isOver = new Promise((resolve) => signal.addEventListener("abort", resolve));
    watcher.start();
    await isOver;
    watcher.stop();
    if (this.#watcher === watcher) this.#watcher = null;
  }

  #letGo() {
    // This listener runs at once, so the connection is closed before a browser freezes the tab.
    this.#watcher?.stop();
    this.#watcher = null;
    this.#seeking?.abort();
    this.#seeking = null;
  }

  #telling() {
    const tell = (kind) => (value) => {
      if (kind === "state") this.#last = value;
      if (kind === "event") this.#events = [...this.#events, value].slice(-mostEvents);
      // Inform this tab first, because an ending closes the channel. A denial of this tab's token does not concern other tabs.
      if (kind === "state") this.#sayState(value);
      else if (kind !== "gone") this.#say({ kind, value });
      else if (!value.isDenied) this.#say({ kind, value: { status: value.status, detail: value.message, members: value.members } });
      this.#pass(kind, value);
    };
    return { connecting: tell("connecting"), state: tell("state"), event: tell("event"), connection: tell("connection"), gone: tell("gone") };
  }

  #hear({ kind, value, tag }) {
    if (this.#isStopped) return;
    if (kind === "gone") return this.#pass(kind, new Problem(value.status, value.detail, value.members));
    if (kind === "state") return this.#pass(kind, snapshotOf(value, tag));
    if (kind !== "ask") return this.#pass(kind, value);
    if (!this.#watcher || !this.#last) return;
    this.#sayState(this.#last);
    for (const value of this.#events) this.#say({ kind: "event", value });
    this.#say({ kind: "connection", value: "live" });
  }

  #pass(kind, value) {
    if (this.#isStopped) return;
    if (kind === "connection" && this.#world.visibility?.isHidden()) return;
    this.#told[kind](value);
  }

  #sayState({ state, tag }) { this.#say({ kind: "state", value: state, tag }); }

  #say(message) { this.#channel?.postMessage(this.#world.write(message)); }
}

// The platform of a client, which tests can replace.


function platform() {
  const isPage = typeof document !== "undefined";
  const canShare = isPage && "locks" in navigator && typeof BroadcastChannel === "function";
  return {
    fetch: (...request) => fetch(...request),
    now: () => Date.now(),
    uptime: () => performance.now(),
    random: () => Math.random(),
    key: randomKey,
    setTimer: (run, milliseconds) => setTimeout(run, milliseconds),
    clearTimer: (timer) => clearTimeout(timer),
    read: JSON.parse,
    write: (value) => JSON.stringify(value),
    report: (error) => queueMicrotask(() => { throw error; }),
    observeOnline: (back) => (isPage ? listen(window, "online", back) : () => {}),
    visibility: isPage
      ? { isHidden: () => document.visibilityState === "hidden", observe: (changed) => listen(document, "visibilitychange", changed) }
      : null,
    tabs: canShare ? { locks: navigator.locks, channel: (name) => new BroadcastChannel(name) } : null,
  };
}

const cryptography = globalThis.crypto ?? (await import(("node:crypto"))).webcrypto;

function randomKey() {
  const bytes = cryptography.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function listen(target, type, run) {
  target.addEventListener(type, run);
  return () => target.removeEventListener(type, run);
}

// A session: it sends each input once and reports changes to views.


const usualBound = 32;
const patience = 30;

class Session {
  #world;
  #url;
  #exchange;
  #outbox;
  #record;
  #wait;
  #watcher = null;
  #connection = "reconnecting";
  #observers = new Set();
  #ending = null;
  #isClosed = false;
  #stopObserving;

  constructor(server, opened, settings, token = null) {
    const { state } = opened;
    const world = this.#world = settings.world ?? platform();
    this.id = state.session;
    this.#record = new SessionRecord(opened);
    this.#wait = settings.wait;
    this.#url = address(server, `sessions/${encodeURIComponent(state.session)}`);
    this.#exchange = new Exchange(world, settings, token);
    this.#outbox = new Outbox(world, (text, key) => this.#deliver(text, key), settings.mostWaiting ?? usualBound, {
      changed: (count) => this.#tell((observer) => observer.waiting?.(count)),
      delayed: (cause) => this.#tell((observer) => observer.delayed?.(cause)),
    });
    this.#stopObserving = world.observeOnline(() => this.retryNow());
    if (settings.view) this.observe(settings.view);
    if (state.ended) this.#finish();
    else if (settings.isWatching ?? true) this.#watch();
  }

  get token() { return this.#exchange.token; }
  set token(token) {
    this.#exchange.token = token;
    if (!this.#ending?.isDenied || this.#isClosed) return;
    this.#ending = null;
    this.#connect("reconnecting");
    this.#watch();
  }
  get state() { return this.#record.state; }
  get tag() { return this.#record.tag; }
  get connection() { return this.#connection; }
  get visible() { return this.state.stack.at(-1) ?? null; }
  get waiting() { return this.#outbox.count; }
  get ending() { return this.#ending; }

  observe(observer) {
    this.#observers.add(observer);
    inform(this.#world, observer, () => show(observer, operations(null, this.state), this.state));
    inform(this.#world, observer, () => observer.connection?.(this.#connection));
    return () => { this.#observers.delete(observer); };
  }

  send(event, payload, screen = this.visible?.id) {
    return this.input({ ...(screen === undefined ? {} : { screen }), event: payload === undefined ? event : { [event]: payload } });
  }

  back(screen = this.visible?.id) {
    return this.input({ ...(screen === undefined ? {} : { screen }), back: true });
  }
  popped(screen) { return this.input({ popped: screen }); }
  dismissed(screen) { return this.input({ dismissed: screen }); }
  select(tab) { return this.input({ select: tab }); }
  follow(flows) { return this.input({ open: flows }); }

  input(body) { return this.#outbox.add(body); }

  retryNow() {
    this.#outbox.wake();
    this.#watcher?.wake();
  }

  async end() {
    let ending = Problem.own("ended", "this client ended the session");
    try {
      await this.#exchange.ask(this.#url, { method: "DELETE" });
    } catch (error) {
      ending = Problem.from(error);
      if (!ending.isGone) throw ending;
    }
    this.#end(ending);
  }

  close() {
    this.#isClosed = true;
    this.#watcher?.stop();
    this.#outbox.close();
    this.#stopObserving();
    this.#observers.clear();
  }

  async #deliver(text, key) {
    try {
      const answer = await this.#exchange.askForState(`${this.#url}/events`, { method: "POST", text, ...this.#preference(key) });
      if (!answer) throw new Problem(0, "the server did not answer with a state");
      this.#take(() => this.#record.answer(answer));
      return answer.state;
    } catch (error) {
      const problem = Problem.from(error), { current, tag } = problem;
      if (current) this.#take(() => this.#record.answer(snapshotOf(current, tag)));
      // A client that may not send inputs may still read the session; the watcher finds out whether it may.
      if (problem.isGone || problem.isHeld) this.#end(problem);
      throw problem;
    }
  }

  #preference(key) {
    if (this.#wait === undefined) return { headers: { "Idempotency-Key": key } };
    const preference = this.#wait === 0 ? "respond-async" : `wait=${this.#wait}`;
    return { headers: { "Idempotency-Key": key, Prefer: preference }, patience: (this.#wait + patience) * 1000 };
  }

  #watch() {
    const make = (told) => new Watcher(this.#world, this.#exchange, this.#url, told);
    this.#watcher = new SharedWatcher(this.#world, this.#url, make, {
      connecting: () => this.#record.connecting(),
      state: (snapshot) => this.#take(() => this.#record.follow(snapshot)),
      event: (event) => this.#tell((observer) => observer.event?.(event)),
      connection: (connection) => this.#connect(connection),
      gone: (ending) => this.#end(ending),
    });
    this.#watcher.start();
  }

  #take(take) {
    const list = this.#ending ? null : take();
    if (!list) return;
    const { state } = this;
    this.#tell((observer) => show(observer, list, state));
    if (state.ended) this.#finish();
  }

  #connect(connection) {
    if (connection === this.#connection) return;
    this.#connection = connection;
    this.#tell((observer) => observer.connection?.(connection));
  }

  #end(ending) {
    if (this.#ending) return;
    this.#ending = ending;
    this.#finish();
    this.#tell((observer) => observer.gone?.(ending));
  }

  #finish() {
    this.#watcher?.stop();
    // A client whose token was denied may continue with another token.
    if (!this.#ending?.isDenied) this.#stopObserving();
    this.#connect("ended");
  }

  #tell(tell) {
    for (const observer of this.#observers) inform(this.#world, observer, tell);
  }
}

function address(server, path) {
  return `${String(server).replace(/\/+$/, "")}/${path}`;
}

// Opening and resuming a session.


async function open(server, app, settings = {}) {
  const world = settings.world ?? platform();
  const { options, link, client, cookie } = settings;
  // JSON has no member whose value is undefined.
  const text = textOf({ app, options, open: link, client, cookie }, world);
  const headers = { "Idempotency-Key": world.key() };
  const exchange = new Exchange(world, settings);
  const { state: { token = null, ...state }, ...snapshot } = await persist(world, settings, (signal) =>
    exchange.askForState(address(server, "sessions"), { method: "POST", text, headers, signal }));
  return new Session(server, { ...snapshot, state }, settings, token);
}

async function resume(server, id, settings = {}) {
  const world = settings.world ?? platform(), token = settings.token ?? null;
  const exchange = new Exchange(world, settings, token);
  const url = address(server, `sessions/${encodeURIComponent(id)}`);
  const snapshot = await persist(world, settings, (signal) => exchange.askForState(url, { signal }));
  return new Session(server, snapshot, settings, token);
}

async function persist(world, { signal, view }, attempt) {
  const backoff = new Backoff(world);
  const wake = () => backoff.wake();
  signal?.addEventListener("abort", wake);
  try {
    for (;;) {
      try {
        return await attempt(signal);
      } catch (error) {
        const problem = Problem.from(error);
        if (!problem.isTransient || signal?.aborted) throw problem;
        if (view) inform(world, view, () => view.delayed?.(problem));
        await backoff.wait(problem.retryAfter * 1000);
        if (signal?.aborted) throw problem;
      }
    }
  } finally {
    signal?.removeEventListener("abort", wake);
  }
}

export { open, resume, Session, Exchange, Problem, operations, platform };
