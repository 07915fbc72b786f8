import assert from "node:assert/strict";
import { stage } from "./support/stage.js";

const scene = stage({ program: "gallery" });
/** The browser's own messages about error responses. */
const refused = [/status of (409|422|500)/];

/** Returns the text of the alert beside a button. @this {HTMLElement} */
function besideText() {
  return this.closest("fieldset, .control")?.querySelector("[role=alert]")?.innerText ?? "";
}

/** Waits until the alert beside a button shows a text. */
async function saysBeside(view, button, text) {
  const beside = async () => (await view.device.get("button", button).one()).call(besideText);
  let said = "";
  await view.page.until(
    async () => text.test((said = await beside())),
    () => `beside ${button} stands ${text}, not ${JSON.stringify(said)}`,
  );
}

scene("A refusal is shown beside its control, with the app's reason", { troubles: refused }, async ({ server, visit }) => {
  const view = await visit(await server.session("gallery"));
  await view.send("refuse");
  await saysBeside(view, "refuse", /the gallery is closed on Mondays; come back tomorrow/);
  await view.shows({ cards: ["menu"] });
  await view.send("sheet");
  await view.shows({ cards: ["menu", "cover"] });
});

scene("A failed handler is reported, and the session continues", { troubles: refused }, async ({ server, visit }) => {
  const view = await visit(await server.session("gallery"));
  await view.send("fail");
  await saysBeside(view, "fail", /\w/);
  await view.send("echo");
  await view.shows({ cards: ["menu", "echo"] });
});

scene("A payload of the wrong shape shows what is wrong", { troubles: refused }, async ({ server, visit }) => {
  const view = await visit(await server.session("gallery"));
  await view.send("deep", { count: "many" });
  await saysBeside(view, "deep", /count/);
  await view.send("deep", { count: 1, much: true });
  await saysBeside(view, "deep", /much/);
  await view.send("deep", "{");
  await saysBeside(view, "deep", /JSON/);
  await view.send("deep", { count: 2 });
  await view.shows({ cards: ["menu", "step", "step"] });
});

scene("An input beyond a limit is refused and changes nothing", { troubles: refused }, async ({ server, visit }) => {
  const view = await visit(await server.session("gallery"));
  await view.send("deep", { count: 500 });
  await saysBeside(view, "deep", /64|limit/i);
  await view.shows({ cards: ["menu"] });
});

scene("A stack with the maximum depth is shown", {}, async ({ server, visit }) => {
  const view = await visit(await server.session("gallery"));
  await view.send("deep", { count: 60 });
  await view.shows({ cards: ["menu", ...Array(60).fill("step")] });
  await view.device.get("button", "Back").click();
  await view.shows({ cards: ["menu", ...Array(59).fill("step")] });
});

scene("Back on the first screen is refused with a reason", { troubles: refused }, async ({ server, visit }) => {
  const view = await visit(await server.session("gallery"));
  await view.device.get("button", "Back").click();
  await saysBeside(view, "Back", /\w/);
  await view.shows({ cards: ["menu"] });
});

scene("A form starts with the example and keeps the typed text", {}, async ({ server, visit }) => {
  const session = await server.session("gallery");
  const view = await visit(session);
  const field = (await view.edit("echo")).get("textbox", "text");
  assert.equal(await field.value(), "hello");
  await field.fill("mine");
  await server.send(session, { event: "leak" });
  await view.shows({ figures: { leaked: 1 } });
  assert.equal(await field.value(), "mine");
  await view.send("echo");
  await view.shows({ cards: ["menu", "echo"] });
  await view.device.says("mine");
});

scene("The page names an effect while it runs", {}, async ({ server, visit }) => {
  const session = await server.session("gallery");
  const view = await visit(session);
  await view.send("rest");
  await view.device.says(/waiting for rest/i);
  await server.send(session, { event: "wake" });
  await view.shows({ cards: ["menu", "rested"] });
});

scene("The page shows a leak's type and holder", {}, async ({ server, visit }) => {
  const view = await visit(await server.session("gallery"));
  await view.send("leak");
  await view.shows({ figures: { live: 1, leaked: 1 } });
  await view.coordinators.says("KeptCoordinator");
  await view.coordinators.says("itself");
});

scene("A large number keeps all its digits", { troubles: refused }, async ({ server, visit }) => {
  const view = await visit(await server.session("gallery"));
  await view.send("deep", '{"count":9223372036854775808}');
  await saysBeside(view, "deep", /count/);
});

scene("Alerts, sheets and full screens are drawn one above the other", {}, async ({ server, visit }) => {
  const view = await visit(await server.session("gallery"));
  await view.send("alert");
  await view.shows({ cards: ["menu", "question"] });
  await view.send("yes");
  await view.shows({ cards: ["menu", "cover"] });
  await view.send("more");
  await view.shows({ cards: ["menu", "cover", "question"] });
  await view.send("no");
  await view.shows({ cards: ["menu", "cover"] });
  await view.send("close");
  await view.shows({ cards: ["menu"] });
});
