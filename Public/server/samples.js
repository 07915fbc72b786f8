// A server's metrics over time: a parser for Prometheus' text format, and the few functions of its query
// language that the alerts of deploy/usher.rules.yaml use.

/** @typedef {Record<string, string>} Labels */
/** @typedef {{ name: string, labels: Labels, value: number }} Sample */
/** @typedef {Labels | ((labels: Labels) => boolean)} Filter The labels that a series must have. */
/** @typedef {{ time: number, values: Map<string, number> }} Scrape */

const hour = 3_600_000;
/** The longest time between two scrapes while the page is visible. */
const gap = 30_000;

/**
 * Reads Prometheus' text format, version 0.0.4.
 * @param {string} text
 * @returns {Sample[]}
 */
export function parse(text) {
  const found = [];
  for (const line of text.split("\n")) {
    const [, name, list = "", value] = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (-?\d\S*|[+-]Inf|NaN)/.exec(line) ?? [];
    if (name) found.push({ name, labels: labels(list), value: number(value) });
  }
  return found;
}

/** @param {string} list @returns {Labels} */
function labels(list) {
  const pairs = [...list.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)];
  return Object.fromEntries(pairs.map(([, name, value]) => [name, value.replace(/\\(.)/g, (_, mark) => (mark === "n" ? "\n" : mark))]));
}

/** @param {string} text */
function number(text) {
  return text === "+Inf" ? Infinity : text === "-Inf" ? -Infinity : Number(text);
}

/** The scrapes of at most an hour. */
export class Samples {
  #wanted;
  /** @type {Scrape[]} */ #scrapes = [];
  /** @type {Map<string, { name: string, labels: Labels }>} */ #series = new Map();

  /** @param {Iterable<string>} names The names of the metrics to store; a server has some hundred series. */
  constructor(names) { this.#wanted = new Set(names); }

  /** @param {number} time The time in milliseconds. @param {string} text */
  add(time, text) {
    const values = new Map();
    for (const { name, labels, value } of parse(text)) {
      if (!this.#wanted.has(name)) continue;
      const key = `${name}${JSON.stringify(labels)}`;
      if (!this.#series.has(key)) this.#series.set(key, { name, labels });
      values.set(key, value);
    }
    this.#scrapes.push({ time, values });
    while (time - this.#scrapes[0].time > hour) this.#scrapes.shift();
  }

  get isEmpty() { return this.#scrapes.length === 0; }

  /** The time of the newest scrape; 0 if there is none. */
  get end() { return this.#scrapes.at(-1)?.time ?? 0; }

  /** The time between the first scrape and the newest one, in milliseconds. */
  get watched() { return this.isEmpty ? 0 : this.end - this.#scrapes[0].time; }

  /** The start of the process, at which all counts were 0; null if it is unknown. */
  get #began() {
    const seconds = this.sum("process_start_time_seconds");
    return seconds === null ? null : seconds * 1_000;
  }

  /**
   * Returns whether a whole time span is known: it was observed, or the process started within it.
   * @param {number} span The milliseconds before the newest scrape.
   */
  covers(span) {
    const [first] = this.#within(span), begin = this.end - span;
    return first !== undefined && (first.time - begin <= gap || (this.#began ?? begin) > begin);
  }

  /**
   * Returns the sum of the newest values; null if there are no values.
   * @param {string} name
   * @param {Filter} [filter]
   */
  sum(name, filter = {}) {
    return total(this.#keys(name, filter), this.#scrapes.at(-1));
  }

  /**
   * Returns the sum at each scrape.
   * @param {string} name
   * @param {Filter} [filter]
   */
  line(name, filter = {}) {
    const keys = this.#keys(name, filter);
    return this.#scrapes.flatMap((scrape) => {
      const y = total(keys, scrape);
      return y === null ? [] : [{ x: scrape.time, y }];
    });
  }

  /**
   * Returns the growth of a count per second, between successive scrapes.
   * @param {string} name
   * @param {Filter} [filter]
   */
  rates(name, filter = {}) {
    const keys = this.#keys(name, filter);
    return this.#scrapes.slice(1).map((scrape, index) => {
      const before = this.#scrapes[index];
      return { x: scrape.time, y: grown(keys, [before, scrape]) / (scrape.time - before.time) * 1_000 };
    });
  }

  /**
   * Returns the growth of one count divided by that of another, between successive scrapes; skips scrapes without
   * growth of the other count.
   * @param {string} name
   * @param {string} other
   * @param {Filter} [filter] The filter for both.
   */
  ratios(name, other, filter = {}) {
    const [keys, others] = [name, other].map((name) => this.#keys(name, filter));
    return this.#scrapes.slice(1).flatMap((scrape, index) => {
      const pair = [this.#scrapes[index], scrape], count = grown(others, pair);
      return count ? [{ x: scrape.time, y: grown(keys, pair) / count }] : [];
    });
  }

  /**
   * Returns one value divided by another, at each scrape.
   * @param {string} name
   * @param {string} whole
   */
  shares(name, whole) {
    const wholes = new Map(this.line(whole).map(({ x, y }) => [x, y]));
    return this.line(name).flatMap(({ x, y }) => (wholes.get(x) ? [{ x, y: y / /** @type {number} */ (wholes.get(x)) }] : []));
  }

  /**
   * Returns a quantile of a histogram's growth between successive scrapes; skips scrapes without growth.
   * @param {number} part From 0 to 1.
   * @param {string} name
   */
  quantiles(part, name) {
    return this.#scrapes.slice(1).flatMap((scrape, index) => {
      const y = this.#quantile(part, name, [this.#scrapes[index], scrape]);
      return y === null ? [] : [{ x: scrape.time, y }];
    });
  }

  /**
   * Returns the growth of a count within a time span, as far as it is known: from the start of the process or the first scrape on.
   * @param {string} name
   * @param {Filter} filter
   * @param {number} span Milliseconds.
   */
  increase(name, filter, span) {
    return grown(this.#keys(name, filter), this.#grownWithin(span));
  }

  /**
   * Returns the growth of a count per second within a time span.
   * @param {string} name
   * @param {Filter} filter
   * @param {number} span Milliseconds.
   */
  rate(name, filter, span) {
    const scrapes = this.#grownWithin(span);
    const time = scrapes.length > 1 ? scrapes[scrapes.length - 1].time - scrapes[0].time : 0;
    return time ? grown(this.#keys(name, filter), scrapes) / time * 1_000 : 0;
  }

  /**
   * Returns how often a value has changed within a time span.
   * @param {string} name
   * @param {number} span Milliseconds.
   */
  changes(name, span) {
    const keys = this.#keys(name, {}), scrapes = this.#within(span);
    return scrapes.slice(1).filter((scrape, index) => total(keys, scrape) !== total(keys, scrapes[index])).length;
  }

  /**
   * Returns a quantile of a histogram's growth within a time span, linear within a bucket; null if there was no growth.
   * @param {number} part From 0 to 1.
   * @param {string} name
   * @param {number} span
   */
  quantile(part, name, span) {
    return this.#quantile(part, name, this.#grownWithin(span));
  }

  /** @param {number} part @param {string} name @param {Scrape[]} scrapes */
  #quantile(part, name, scrapes) {
    /** @type {Map<number, string[]>} */
    const keys = new Map();
    for (const key of this.#keys(`${name}_bucket`, {})) {
      const limit = number(this.#series.get(key)?.labels.le ?? "");
      keys.set(limit, [...(keys.get(limit) ?? []), key]);
    }
    const buckets = [...keys].sort(([one], [other]) => one - other).map(([limit, all]) => ({ limit, count: grown(all, scrapes) }));
    const wanted = part * (buckets.at(-1)?.count ?? 0);
    const place = buckets.findIndex(({ count }) => count >= wanted && count > 0);
    if (place < 0) return null;
    const { limit, count } = buckets[place], low = buckets[place - 1] ?? { limit: 0, count: 0 };
    if (limit === Infinity) return low.limit;
    return low.limit + (limit - low.limit) * (wanted - low.count) / (count - low.count);
  }

  /** @param {number} span */
  #within(span) {
    return this.#scrapes.filter(({ time }) => this.end - time <= span);
  }

  /**
   * Returns the scrapes within a time span; if the process started within it, an empty scrape for its start comes first.
   * @param {number} span
   * @returns {Scrape[]}
   */
  #grownWithin(span) {
    const scrapes = this.#within(span), began = this.#began;
    const isYoung = began !== null && scrapes.length > 0 && began < scrapes[0].time && this.end - began <= span;
    return isYoung ? [{ time: began, values: new Map() }, ...scrapes] : scrapes;
  }

  /** @param {string} name @param {Filter} filter */
  #keys(name, filter) {
    const fits = typeof filter === "function" ? filter
      : (/** @type {Labels} */ labels) => Object.entries(filter).every(([label, value]) => labels[label] === value);
    return [...this.#series].filter(([, series]) => series.name === name && fits(series.labels)).map(([key]) => key);
  }
}

/**
 * @param {string[]} keys
 * @param {Scrape | undefined} scrape
 * @returns {number | null}
 */
function total(keys, scrape) {
  const values = keys.flatMap((key) => scrape?.values.get(key) ?? []);
  return values.length ? values.reduce((sum, value) => sum + value, 0) : null;
}

/**
 * Returns the growth of counts; a count that is lower than before has restarted with its process.
 * @param {string[]} keys
 * @param {Scrape[]} scrapes
 */
function grown(keys, scrapes) {
  let sum = 0;
  for (const key of keys) {
    let before = /** @type {number | undefined} */ (undefined);
    for (const { values } of scrapes) {
      const value = values.get(key);
      if (value === undefined) continue;
      // A series that is new since the first scrape has grown from 0.
      const start = before ?? (scrapes[0].values.has(key) ? value : 0);
      sum += value >= start ? value - start : value;
      before = value;
    }
  }
  return sum;
}
