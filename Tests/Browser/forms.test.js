import assert from "node:assert/strict";
import { accessibilityFaults } from "./support/accessibility.js";
import { stage } from "./support/stage.js";

const scene = stage(), gallery = stage({ program: "gallery" });
const refused = [/status of 422/];

scene("A payload is a form of its schema, with a field for a secret", {}, async ({ server, page, visit }) => {
  const session = await server.session("tudy");
  await server.send(session, { event: "showLogin" });
  const view = await visit(session), form = view.form("login");
  await form.get("textbox", "password").fill("usher");
  const isHidden = await (await form.get("textbox", "password").one()).call(function () { return this.type; });
  assert.equal(isHidden, "password");
  const faults = await accessibilityFaults(page);
  assert.ok(faults.length === 0, `${faults.length} findings:\n${faults.join("\n")}`);
  await view.button("login").click();
  await view.shows({ cards: ["home"] });
});

scene("Nested members, numbers and texts are fields, and the same value as JSON is one click away", {}, async ({ server, page, visit }) => {
  const view = await visit(await server.session("tudy")), form = view.form("showProjectDetail");
  await form.get("group", "project").get("group", "writer").get("textbox", "name").fill("Somebody");
  const field = await view.payload("showProjectDetail");
  assert.deepEqual(JSON.parse(await field.value()).project.writer, { id: 2, name: "Somebody" });
  await form.get("button", "Form of showProjectDetail").click();
  assert.equal(await form.get("group", "writer").get("textbox", "name").value(), "Somebody");
  await form.get("group", "writer").get("textbox", "id").fill("two");
  await view.button("showProjectDetail").click();
  await form.get("alert").says("Not sent: id takes a whole number.");
  await form.get("group", "writer").get("textbox", "id").fill("9007199254740993");
  await view.button("showProjectDetail").click();
  await view.shows({ cards: ["home", "projectDetail"] });
  const { entries } = await server.ask("GET", `/admin/sessions/${view.session}/journal?after=1`);
  assert.equal(entries.length, 1);
  assert.match(await (await fetch(`${server.url}/admin/sessions/${view.session}/journal?after=1`, { headers: { authorization: `Bearer ${server.token}` } })).text(), /9007199254740993/);
});

scene("Options with an enum are chosen, with the payload of the chosen case", {}, async ({ server, page }) => {
  await page.open(`${server.url}/#/`);
  const form = page.get("form", "Open a session");
  await form.get("option", "sooda").appears();
  await (await form.get("combobox", "App").one()).focus();
  await page.keyboard.choose("sooda");
  await (await form.get("combobox", "launch").one()).focus();
  await page.keyboard.choose("home");
  await form.get("textbox", "workspaceID").fill("7");
  const faults = await accessibilityFaults(page);
  assert.ok(faults.length === 0, `${faults.length} findings:\n${faults.join("\n")}`);
  await form.get("button", "Open").click();
  await page.get("region", "Device").get("article", /^splash/).appears();
  const session = await page.evaluate(() => location.hash.replace("#/sessions/", ""));
  const { entries } = await server.ask("GET", `/admin/sessions/${session}/journal`);
  assert.deepEqual(entries[0].input.options, { launch: { home: { workspaceID: 7 } } });
});

scene("A deep link is put together from flows, step by step", {}, async ({ server, page }) => {
  await page.open(`${server.url}/#/`);
  const form = page.get("form", "Open a session");
  await form.get("option", "tudy").appears();
  const add = form.get("button", "Add to Deep link");
  await add.click();
  await add.click();
  await (await form.get("combobox", "Deep link 2").one()).focus();
  await page.keyboard.choose("chat");
  await form.get("button", "Open").click();
  await page.get("region", "Device").get("article", /^(personalChat|groupChat)/).appears();
});

for (const app of ["tudy", "sooda", "notes", "start-login-main", "hello-bye"]) {
  scene(`The server takes each template of Send … in ${app}`, {}, async ({ server, page, visit }) => {
    const view = await visit(await server.session(app));
    await view.device.get("button", "Send …").click();
    const dialog = page.get("dialog", "Send an input");
    for (const kind of ["Link", "Message", "Input"]) {
      await (await dialog.get("combobox", "Kind").one()).call(function (kind) {
        this.value = kind.toLowerCase();
        this.dispatchEvent(new Event("change", { bubbles: true }));
      }, kind);
      const isTaken = !(await dialog.text()).includes("This app takes no") && !(await dialog.text()).includes("takes no event");
      if (!isTaken) continue;
      await dialog.get("button", "Send").click();
      await dialog.get("status").says(/^Accepted: the session is at revision \d+\.$/);
    }
  });
}

gallery("A schema that the server tells late does not take what was typed", { troubles: refused }, async ({ visit, server }) => {
  const view = await visit(await server.session("gallery"));
  await view.form("deep").get("textbox", "count").fill("3");
  await view.button("deep").click();
  await view.shows({ cards: ["menu", "step", "step", "step"] });
});
