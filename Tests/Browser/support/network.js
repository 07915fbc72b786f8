/**
 * A request that the page has made.
 * @typedef {{url: string, type: string, began: number, bytes: number, status?: number, done: boolean}} Exchange
 * `began` is in milliseconds since 1970
 */

/** All requests of a page, with the bytes that were transferred. */
export class Network {
  #exchanges = new Map();

  /** @param {string} method, @param {any} params */
  hear(method, params) {
    const exchange = this.#exchanges.get(params.requestId);
    if (method === "Network.requestWillBeSent") {
      const { url } = params.request;
      this.#exchanges.set(params.requestId, { url, type: params.type, began: params.wallTime * 1000, bytes: 0, done: false });
    } else if (!exchange) {
      return;
    } else if (method === "Network.responseReceived") {
      exchange.status = params.response.status;
      exchange.type = params.type;
      exchange.bytes = params.response.encodedDataLength;
    } else if (method === "Network.dataReceived" && isStream(exchange)) {
      exchange.bytes += params.dataLength;
    } else if (method === "Network.loadingFinished") {
      exchange.bytes = params.encodedDataLength;
      exchange.done = true;
    } else if (method === "Network.loadingFailed") {
      exchange.done = true;
    }
  }

  /** @returns {Exchange[]} in the order in which they began */
  get exchanges() {
    return [...this.#exchanges.values()];
  }

  /** Whether no request is pending; streams, which never end, do not count. */
  get isQuiet() {
    return this.exchanges.every(({ done, url }) => done || isStream({ url }));
  }
}

/** Whether a request is for a session's stream. @param {{ url: string }} exchange */
const isStream = ({ url }) => new URL(url).pathname.endsWith("/stream");
