// The client in a real browser: the README's page, and tabs that share a stream.
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { blocks } from "../Documents/markdown.js";
import { stage } from "./support/stage.js";

const root = new URL("../../", import.meta.url);
const readme = await readFile(new URL("README.md", root), "utf8");
const walk = blocks(readme).find(({ code }) => code.startsWith("<!doctype html>")).code;
/** Two frames of a page are to each other what two tabs are. */
const tab = `<!doctype html><meta charset="utf-8"><title>Tab</title><script type="module">
  import { resume } from "./usher-client/usher.js";
  window.session = await resume("http://127.0.0.1:8080", location.hash.slice(1));
</script>`;
const pages = new Map([["/", walk], ["/tab", tab], ["/tabs", '<!doctype html><meta charset="utf-8"><title>Tabs</title>']]);

/** The server that the pages, which were written for another port, are for. */
let address = "";
/** A web server of the client and the pages. */
const site = createServer(async ({ url }, answer) => {
  const page = pages.get(url);
  if (page) return answer.setHeader("Content-Type", "text/html").end(page.replace("http://127.0.0.1:8080", address));
  if (!/^\/usher-client\/[\w/-]+\.js$/.test(url)) return answer.writeHead(204).end();
  const module = await readFile(new URL(url.replace("/usher-client", "Clients/JavaScript"), root), "utf8");
  answer.setHeader("Content-Type", "text/javascript").end(module);
});
site.listen(0, "127.0.0.1").unref();
await once(site, "listening");
const origin = `http://127.0.0.1:${site.address().port}`;

const scene = stage({ options: ["--allow-origin", origin] });

/** The screens as the page shows them. */
const shown = () => [...document.querySelectorAll("section")].map((section) => section.textContent.trim());
/** @param {import("./support/page.js").Page} page, @param {string[]} screens */
const shows = (page, screens) =>
  page.until(async () => JSON.stringify(await page.evaluate(shown)) === JSON.stringify(screens), `it shows ${screens}`);

scene("The page of the README draws start-login-main", { isStranger: true }, async ({ server, page }) => {
  address = server.url;
  await page.open(`${origin}/`);
  await shows(page, ["start startApp"]);
  await page.get("button", "startApp").click();
  await shows(page, ["start", "login login"]);
  await page.get("button", "login").click();
  await shows(page, ["start", "main profileEdit"]);
  await page.get("button", "profileEdit").click();
  await shows(page, ["start", "main", "login login"]);
});

scene("Two tabs of a session have one stream, which brings both what others do", { isStranger: true }, async ({ server, page }) => {
  const session = await server.session("start-login-main");
  address = server.url;
  await page.open(`${origin}/tabs`);
  const open = (id) => {
    document.body.append(Object.assign(document.createElement("iframe"), { src: `tab#${id}` }));
  };
  const revisions = () => [...document.querySelectorAll("iframe")].map(({ contentWindow }) => contentWindow.session?.state.revision ?? 0);
  const areLive = () => [...document.querySelectorAll("iframe")].every(({ contentWindow }) => contentWindow.session?.connection === "live");
  await page.evaluate(open, session);
  await page.evaluate(open, session);
  await page.until(() => page.evaluate(areLive), "both are live");
  await server.send(session, { event: "startApp" });
  await page.until(async () => String(await page.evaluate(revisions)) === "2,2", "both have the new revision");
  const streams = page.network.exchanges.filter(({ url }) => url.endsWith("/stream"));
  assert.equal(streams.length, 1);
  // The one that has the stream goes: the other takes it.
  await page.evaluate(() => document.querySelector("iframe").remove());
  await server.send(session, { event: "login" });
  await page.until(async () => String(await page.evaluate(revisions)) === "3", "the other follows");
});
