// Two pages in a real browser: the example in Clients/JavaScript/README.md, and a page whose session token is in a cookie.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { blocks } from "../Documents/markdown.js";
import { Site } from "./support/site.js";
import { stage } from "./support/stage.js";

const readme = await readFile(new URL("../../Clients/JavaScript/README.md", import.meta.url), "utf8");
const app = blocks(readme).find(({ language }) => language === "html").code;
const reopening = `<title>Cookie</title><main></main><script type="module">
  import { open, resume } from "http://127.0.0.1:8080/client/usher.js";
  const server = "http://127.0.0.1:8080", id = sessionStorage.session;
  const session = id ? await resume(server, id, { cookie: true }) : await open(server, "start-login-main", { cookie: true });
  sessionStorage.session = session.id;
  document.querySelector("main").append(id ? "again" : "new");
  await session.send(id ? "login" : "startApp");
  document.querySelector("main").append(" ", session.state.stack.at(-1).screen, " ", String(session.token), document.cookie);
</script>`;
const site = await Site.start({ "/": app, "/reopening": reopening });
const scene = stage({ options: ["--allow-origin", site.origin, "--session-access", "token"] });

/** Returns the screens that the page shows. */
const shown = () => [...document.querySelectorAll("section")].map((section) => section.innerText.replaceAll(/\s+/g, " ").trim());
/** @param {import("./support/page.js").Page} page, @param {string[]} screens */
const shows = (page, screens) => page.becomes(() => page.evaluate(shown), screens, `it shows ${screens}`);

scene("The ten lines of Clients/JavaScript/README.md draw start-login-main", { isStranger: true }, async ({ server, page }) => {
  const lines = app.trim().split("\n");
  assert.equal(lines.length, 10);
  assert.ok(Math.max(...lines.map(({ length }) => length)) <= 120, "and each is a line");
  site.server = server.url;
  await page.open(`${site.origin}/`);
  await shows(page, ["start startApp"]);
  await page.get("button", "startApp").click();
  await shows(page, ["start", "login login"]);
  await page.get("button", "login").click();
  await shows(page, ["start", "main profileEdit"]);
  await page.get("button", "profileEdit").click();
  await shows(page, ["start", "main", "login login"]);
  const modules = page.network.exchanges.filter(({ url }) => url.endsWith(".js")).map(({ url }) => url);
  assert.deepEqual(modules, [`${server.url}/client/usher.js`], "the client is the server's own");
});

scene("The ten lines of Clients/JavaScript/README.md show another client's input, and a refusal", { isStranger: true, troubles: [/status of 409/] }, async ({ server, page }) => {
  site.server = server.url;
  await page.open(`${site.origin}/`);
  const main = page.get("main");
  await shows(page, ["start startApp"]);
  // A double tap: the first tap removes the screen before the second one hits it.
  await page.evaluate(() => {
    const button = document.querySelector("button");
    button.click();
    button.click();
  });
  await main.says(/screen 1 is covered/);
  await shows(page, ["start", "login login"]);
  const { url } = page.network.exchanges.find(({ url }) => url.endsWith("/stream"));
  await server.send(url.match(/sessions\/(\w+)\/stream/)[1], { back: true });
  await shows(page, ["start startApp"]);
});

scene("A page resumes its session by a cookie after a reload, and no script can read the token", { isStranger: true }, async ({ server, page }) => {
  site.server = server.url;
  await page.open(`${site.origin}/reopening`);
  const main = page.get("main");
  await main.says(/^new login null$/);
  await page.open(`${site.origin}/reopening?again`);
  await main.says(/^again main null$/);
});
