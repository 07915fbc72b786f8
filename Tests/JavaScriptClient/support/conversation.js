import { LongPolls } from "./long-polls.js";
import { Performer } from "./performer.js";
import { answer, isStream, stream } from "./script.js";

/**
 * The client of a dialogue, which follows a stream or long polls that the test writes. They show only what the test writes,
 * because the states during an effect depend on time.
 */
export class Conversation {
  #live;
  #polls;

  /**
   * @param {string} url
   * @param {(url: string, request: RequestInit, failure?: any) => Promise<Response>} ask of all but the stream and the polls
   * @param {boolean} hasStream
   */
  constructor(url, ask, hasStream) {
    const made = (performer) => (this.#polls = hasStream ? null : new LongPolls(() => performer.state ?? performer.opened));
    this.performer = new Performer(url, async (path, request, failure) => {
      if (!isStream({ path })) return ask(path, request, failure);
      // Without a stream, something on the way answers with its own page.
      if (!hasStream) return new Response("<h1>Please wait</h1>", { headers: { "Content-Type": "text/html" } });
      this.#live = stream(this.performer.opened);
      request.signal.addEventListener("abort", () => { try { this.#live.fail(); } catch { /* It has ended. */ } });
      return this.#live.response;
    }, made);
  }

  /** @param {any[]} inputs of another client, @param {any[]} events of the stream that tell of them */
  follow(inputs, events) {
    events.forEach(this.#live.send);
    return this.performer.follow(inputs, events);
  }

  /**
   * @param {any[]} inputs of another client
   * @param {any[] | undefined} before what becomes of the polls before the one that tells of them
   * @param {(request: RequestInit) => Promise<any> | any} ask for the answer to that one
   */
  async poll(inputs, before = [], ask) {
    for (const failure of before) {
      await this.#polls.next();
      this.#polls.answer(failure.lost ? new TypeError("the connection was reset") : answer(failure));
    }
    const request = await this.#polls.next(), given = await ask(request);
    this.#polls.answer(answer(given));
    return this.performer.poll(inputs, before, request, given);
  }
}
