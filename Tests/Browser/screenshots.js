import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Browser } from "./support/browser.js";
import { Server } from "./support/server.js";
import { logIn } from "./support/stage.js";
import { SessionView } from "./support/session-view.js";

// Walks to interesting states and writes a picture of each; `script/screenshots` runs this.
const folder = process.argv[2] ?? fileURLToPath(new URL("../../docs/images", import.meta.url));

/** The events that lead to a channel's settings in sooda through a modal, twice. */
const toSetting = ["done", "exploreChannels", "openChannel", "openSetting", "backHome", "presentWorkspaceList", "choose"].concat(
  ["exploreChannels", "openChannel", "openSetting"],
);
/** The events of a guest of tudy who looks around without logging in. */
const toLogin = ["showLogin", "close", "showFastSearch", "showProjectDetail", "showLogin", "close", "showPersonalChat"];

/** Sends an event of the visible screen, with the example payload if there is one. */
async function send(server, session, event) {
  const { stack } = await server.ask("GET", `/admin/sessions/${session}`);
  return server.send(session, { event: { [event]: stack.at(-1).events[event] } });
}

/** Opens a page and writes its picture. */
async function take(browser, name, look, prepare) {
  const page = await browser.page(look);
  await logIn(page, server);
  await page.send("Emulation.setScrollbarsHidden", { hidden: true });
  await prepare(page);
  await page.evaluate(async () => {
    document.activeElement?.blur();
    scrollTo(0, 0);
    await document.fonts.ready;
  });
  await page.until(() => page.evaluate(() => document.getAnimations().every((each) => each.playState !== "running")), "all rests");
  await writeFile(join(folder, `${name}.png`), await page.picture());
  await page.close();
  console.log(`${name}.png`);
}

/** Opens a session's page and sends events, so that the page has shown every state. */
async function walk(page, server, session, events) {
  await page.open(`${server.url}/#/sessions/${session}`);
  const view = new SessionView(page, session);
  await view.isThere();
  const revision = async () => Number(await view.journal.get("slider", "Revision").value());
  for (const event of events) {
    const state = await send(server, session, event);
    await page.becomes(revision, state.revision);
    const { coordinators } = await server.ask("GET", `/admin/sessions/${session}/tree`);
    await view.shows({ figures: { live: coordinators.live, finished: coordinators.finished } });
  }
  return view;
}

await mkdir(folder, { recursive: true });
const [browser, server] = await Promise.all([Browser.start(), Server.start()]);
try {
  const tudy = await server.session("tudy");
  const sooda = await server.session("sooda", { launch: { home: { workspaceID: 7 } } });
  for (const app of ["hello-bye", "notes", "start-login-main"]) await server.session(app);

  await take(browser, "session", { width: 1440, height: 900 }, (page) => walk(page, server, tudy, toLogin));
  await take(browser, "dark", { width: 1440, height: 900, dark: true }, async (page) => {
    const view = await walk(page, server, sooda, toSetting);
    // Three inputs ago, the list of workspaces was closed.
    await (await view.journal.get("slider", "Revision").one()).focus();
    for (let step = 0; step < 3; step++) await page.keyboard.press("ArrowLeft");
    await view.shows({ cards: ["homeDefault"], figures: { live: 6 } });
  });
  await take(browser, "map", { width: 1440, height: 1000 }, async (page) => {
    await walk(page, server, sooda, []);
    await page.get("tab", "Map").click();
    await page.get("region", "Map").get("list", "Ways from here").get("listitem").appears();
  });
  await take(browser, "phone", { width: 390, height: 844 }, (page) => walk(page, server, tudy, []));
  await take(browser, "sessions", { height: 820 }, async (page) => {
    await page.open(`${server.url}/#/`);
    await page.get("link", tudy.slice(0, 8)).appears();
    await page.get("option", "tudy").appears();
  });
} finally {
  await Promise.all([browser.close(), server.close()]);
}
