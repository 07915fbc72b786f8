import { once } from "node:events";
import { createServer } from "node:http";

/** An app's own web server; its pages use an Usher server of another origin, which they name as in the documents: `http://127.0.0.1:8080`. */
export class Site {
  #pages;
  /** The origin that replaces this name. */
  server = "";

  /** @param {Record<string, string>} pages by path */
  static async start(pages) {
    const site = new Site(pages);
    const web = createServer(({ url }, answer) => site.#answer(url, answer));
    web.listen(0, "127.0.0.1").unref();
    await once(web, "listening");
    site.origin = `http://127.0.0.1:${web.address().port}`;
    return site;
  }

  constructor(pages) {
    this.#pages = pages;
  }

  #answer(path, answer) {
    const page = this.#pages[path.split("?")[0]];
    if (page === undefined) return answer.writeHead(204).end();
    answer.setHeader("Content-Type", "text/html").end(page.replaceAll("http://127.0.0.1:8080", this.server));
  }
}
