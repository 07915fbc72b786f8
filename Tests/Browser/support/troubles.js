import assert from "node:assert/strict";

/** The problems of a page: exceptions, errors on the console, policy violations, failed requests. */
export class Troubles {
  #found = [];
  #urls = new Map();

  /** @param {string} method, @param {any} params */
  hear(method, params) {
    switch (method) {
      case "Network.requestWillBeSent":
        this.#urls.set(params.requestId, params.request.url);
        break;
      case "Network.loadingFailed":
        // A page that is left cancels its requests, which is not a failure.
        if (!params.canceled) this.#found.push(`request failed: ${params.errorText} ${this.#urls.get(params.requestId)}`);
        break;
      case "Runtime.exceptionThrown": {
        const { text, exception } = params.exceptionDetails;
        this.#found.push(`exception: ${exception?.description ?? text}`);
        break;
      }
      case "Runtime.consoleAPICalled":
        if (["error", "warning", "assert"].includes(params.type)) {
          this.#found.push(`console.${params.type}: ${params.args.map((each) => each.value ?? each.description).join(" ")}`);
        }
        break;
      case "Log.entryAdded":
        if (["error", "warning"].includes(params.entry.level)) {
          this.#found.push(`${params.entry.source}: ${params.entry.text} ${params.entry.url ?? ""}`);
        }
        break;
    }
  }

  /** @returns {string[]} one line each */
  get found() {
    return [...this.#found];
  }

  /**
   * Fails if there were unexpected problems.
   * @param {RegExp[]} expected
   */
  expectOnly(expected) {
    const unexpected = this.#found.filter((each) => !expected.some((pattern) => pattern.test(each)));
    assert.ok(unexpected.length === 0, `the page had troubles:\n${unexpected.join("\n")}`);
  }
}
