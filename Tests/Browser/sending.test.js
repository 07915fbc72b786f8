import assert from "node:assert/strict";
import { stage } from "./support/stage.js";

const gallery = stage({ program: "gallery" });
const samples = stage();

gallery("A double click sends one input, and the page shows that", {}, async ({ server, page, visit }) => {
  const session = await server.session("gallery");
  const view = await visit(session);
  await view.button("leak").doubleClick();
  await view.device.get("status").says("leak: sent once, because a double click is one click");
  await view.shows({ figures: { leaked: 1 } });
  assert.equal((await server.ask("GET", `/sessions/${session}`)).revision, 2);
});

gallery("The second click of a double click does not reach the screen that the first click opened", {}, async ({ server, page, visit }) => {
  const session = await server.session("gallery");
  await server.send(session, { event: { deep: { count: 3 } } });
  const view = await visit(session);
  await view.button("next").doubleClick();
  await view.shows({ cards: ["menu", "step", "step", "step", "step"] });
  assert.equal((await server.ask("GET", `/sessions/${session}`)).revision, 3);
});

/** Holds the page's requests until `window.release()` is called. */
function hold() {
  const { fetch } = window;
  const released = new Promise((resolve) => {
    window.release = () => {
      window.fetch = fetch;
      resolve();
    };
  });
  window.fetch = async (...request) => {
    if (String(request[0]).endsWith("/events")) await released;
    return fetch(...request);
  };
}

gallery("The page names the event in progress and the events that wait, and sends no event twice", {}, async ({ server, page, visit }) => {
  const session = await server.session("gallery");
  const view = await visit(session);
  await page.evaluate(hold);
  const status = view.device.get("status");
  await view.button("leak").click();
  await status.says(/^Sending leak …$/);
  await view.button("leak").click();
  await status.says("leak: this click was ignored, because the same input is still being sent");
  await view.send("echo");
  await status.says(/^Sending leak; then echo …$/);
  await page.evaluate(() => window.release());
  await view.shows({ cards: ["menu", "echo"], figures: { leaked: 1 } });
  await page.becomes(() => status.text(), "", "nothing is under way any more");
  assert.equal((await server.ask("GET", `/sessions/${session}`)).revision, 3);
});

/** Holds the answer to the page's next input until `window.release()` is called. */
function keepAnswer() {
  const { fetch } = window;
  window.fetch = async (...request) => {
    const answer = await fetch(...request);
    if (!String(request[0]).endsWith("/events")) return answer;
    window.fetch = fetch;
    return new Promise((resolve) => { window.release = () => resolve(answer); });
  };
}

samples("An event with a different payload is a new input, even before the first event is answered", {}, async ({ server, page, visit }) => {
  const session = await server.session("tudy");
  await server.send(session, { event: "showLogin" });
  const view = await visit(session);
  await page.evaluate(keepAnswer);
  await view.send("login", { name: "kim", password: "wrong" });
  await view.device.says(/wrong/);
  await view.send("login", { name: "kim", password: "usher" });
  await view.device.get("status").says(/^Sending login; then login …$/);
  await page.evaluate(() => window.release());
  await view.shows({ cards: ["home"] });
});

gallery("After the user has looked at the past, typed text is restored, and one click shows the example", {}, async ({ server, page, visit }) => {
  const session = await server.session("gallery");
  await server.send(session, { event: "leak" });
  const view = await visit(session);
  const field = (await view.edit("echo")).get("textbox", "text");
  await field.fill("mine");
  await (await view.journal.get("slider", "Revision").one()).focus();
  await page.keyboard.press("ArrowLeft");
  await view.device.says(/read-only/);
  await field.disappears();
  await view.journal.get("button", "Return to now").click();
  await page.becomes(() => field.value(), "mine");
  await view.device.get("status").says("What you had typed is restored.");
  await view.form("echo").get("button", "Example of echo").click();
  assert.equal(await field.value(), "hello");
});

gallery("Deeply covered screens are counted and listed", {}, async ({ server, page, visit }) => {
  const session = await server.session("gallery");
  await server.send(session, { event: { deep: { count: 39 } } });
  const view = await visit(session);
  await view.device.says("34 more");
  await page.evaluate(() => document.querySelector(".more summary").click());
  const list = view.device.get("list", "Covered screens");
  assert.equal((await list.get("listitem").all()).length, 34);
  await list.says(/menu 1/);
  for (let time = 0; time < 34; time++) await server.send(session, { back: true });
  await page.becomes(() => view.device.get("list", "Covered screens").exists(), false);
});

samples("A secret has no example, and must be typed before the event is sent", {}, async ({ server, visit }) => {
  const session = await server.session("tudy");
  await server.send(session, { event: "showLogin" });
  const view = await visit(session);
  await view.form("login").says("Type a value for “password”");
  await view.form("login").says("name: kim, password: –");
  await view.send("login");
  await view.form("login").get("alert").says("Not sent: type a value for “password” first.");
  assert.equal((await server.ask("GET", `/sessions/${session}`)).revision, 2);
  await view.send("login", { name: "kim", password: "usher" });
  await view.shows({ cards: ["home"] });
});
