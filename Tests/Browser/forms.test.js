import assert from "node:assert/strict";
import { accessibilityFaults } from "./support/accessibility.js";
import { unfold } from "./support/open-form.js";
import { stage } from "./support/stage.js";

const scene = stage(), gallery = stage({ program: "gallery" });
const refused = [/status of 422/];

scene("A payload is edited in a form that follows its schema, with a field for a secret", {}, async ({ server, page, visit }) => {
  const session = await server.session("tudy");
  await server.send(session, { event: "showLogin" });
  const view = await visit(session), form = await view.edit("login");
  await form.get("textbox", "password").fill("usher");
  const isHidden = await (await form.get("textbox", "password").one()).call(function () { return this.type; });
  assert.equal(isHidden, "password");
  const faults = await accessibilityFaults(page);
  assert.ok(faults.length === 0, `${faults.length} findings:\n${faults.join("\n")}`);
  await view.button("login").click();
  await view.shows({ cards: ["home"] });
});

scene("Nested members, numbers and texts are fields, and the same value as JSON is one click away", {}, async ({ server, page, visit }) => {
  const view = await visit(await server.session("tudy")), form = await view.edit("showProjectDetail");
  await form.get("group", "project").get("group", "writer").get("textbox", "name").fill("Somebody");
  assert.equal(await page.evaluate(() => document.querySelector(".card[data-top]").scrollTop), 0, "the content of the card scrolls, and its head stays");
  const field = await view.payload("showProjectDetail");
  assert.deepEqual(JSON.parse(await field.value()).project.writer, { id: 2, name: "Somebody" });
  await form.get("button", "Form of showProjectDetail").click();
  assert.equal(await form.get("group", "writer").get("textbox", "name").value(), "Somebody");
  await form.get("group", "writer").get("textbox", "id").fill("two");
  await view.button("showProjectDetail").click();
  await form.get("alert").says("Not sent: “id” must be a whole number.");
  await form.get("group", "writer").get("textbox", "id").fill("9007199254740993");
  await view.button("showProjectDetail").click();
  await view.shows({ cards: ["home", "projectDetail"] });
  const { entries } = await server.ask("GET", `/admin/sessions/${view.session}/journal?after=1`);
  assert.equal(entries.length, 1);
  assert.match(await (await fetch(`${server.url}/admin/sessions/${view.session}/journal?after=1`, { headers: { authorization: `Bearer ${server.token}` } })).text(), /9007199254740993/);
});

scene("The user chooses a case for an option that is an enum, and edits the case's payload", {}, async ({ server, page }) => {
  await page.open(`${server.url}/#/`);
  const form = page.get("form", "Open a session");
  await form.get("option", "sooda").appears();
  await (await form.get("combobox", "App").one()).focus();
  await page.keyboard.choose("sooda");
  await unfold(form, "Options");
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
  await unfold(form, "Deep link");
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
      const isTaken = !(await dialog.text()).includes("This app accepts no") && !(await dialog.text()).includes("accepts no event");
      if (!isTaken) continue;
      await dialog.get("button", "Send").click();
      await dialog.get("status").says(/^Accepted: the session is at revision \d+\.$/);
    }
  });
}

scene("A form on a card with enough room does not move anything above the form", {}, async ({ visit, server, page }) => {
  const session = await server.session("tudy");
  await server.send(session, { event: "showLogin" });
  const view = await visit(session);
  await page.evaluate(noteAll, "login");
  await view.edit("login");
  assert.deepEqual(await page.evaluate(() => window.remains()), { isWhole: true, isInPlace: true });
});

const blocked = [/forms\/input\.js/, /ERR_BLOCKED/, /Failed to (load|fetch)/];

scene("If a form cannot be loaded, the page says so, and the event can be sent as JSON", { troubles: blocked }, async ({ visit, server, page }) => {
  const view = await visit(await server.session("tudy"));
  await page.send("Network.setBlockedURLs", { urls: ["*/forms/input.js"] });
  await view.form("showFastSearch").get("DisclosureTriangle", /^Payload of /).click();
  await view.form("showFastSearch").get("alert").says(/^This cannot be shown: .+ or reload the page\.$/);
  await view.button("showFastSearch").click();
  await view.shows({ cards: ["home", "fastSearch"] });
});

/** Records the device's content, and the positions of the controls before a collapsed payload. @param {string} event */
function noteAll(event) {
  const fold = document.querySelector(`fieldset[aria-label="${event}"] details`), all = [...document.querySelectorAll("[aria-label=Device] *")];
  const card = fold.closest(".card"), before = [...card.querySelectorAll(".content *")].filter((each) => each.compareDocumentPosition(fold) & Node.DOCUMENT_POSITION_FOLLOWING);
  const scrolled = () => card.querySelector(".content").scrollTop - card.getBoundingClientRect().top;
  const places = () => before.map((each) => Math.round(each.getBoundingClientRect().top + scrolled()));
  const first = String(places());
  window.remains = () => ({ isWhole: all.every((each) => each.isConnected), isInPlace: String(places()) === first });
}

gallery("A form that appears late neither replaces nor moves anything, and does not change afterwards", {}, async ({ visit, server, page }) => {
  const session = await server.session("gallery"), view = await visit(session);
  await page.evaluate(noteAll, "echo");
  await page.send("Network.emulateNetworkConditions", { offline: false, latency: 300, downloadThroughput: -1, uploadThroughput: -1 });
  await view.form("echo").get("DisclosureTriangle", /^Payload of echo: text: hello$/).click();
  await (await view.form("deep").get("button", "deep").one()).focus();
  const field = view.form("echo").get("textbox", "text");
  await field.appears();
  assert.deepEqual(await page.evaluate(() => window.remains()), { isWhole: true, isInPlace: true });
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "deep", "the focus is where it was");
  await field.fill("mine");
  await page.evaluate(noteAll, "echo");
  await server.send(session, { event: "leak" });
  await view.shows({ figures: { leaked: 1 } });
  await view.edit("deep");
  assert.equal(await field.value(), "mine");
  assert.deepEqual(await page.evaluate(() => window.remains()), { isWhole: true, isInPlace: true });
  await view.form("echo").get("DisclosureTriangle", /^Payload of echo: text: mine$/).click();
  await view.send("echo");
  await view.shows({ cards: ["menu", "echo"] });
  await view.device.says("mine");
});

gallery("If a secret was not typed, sending opens the payload and moves the focus to the secret's field", {}, async ({ server, page }) => {
  await page.open(`${server.url}/#/`);
  // The gallery has no secret, so its menu gets one, as if the server had sent it.
  await page.evaluate(async () => {
    const { makeCard } = await import("/session/card.js");
    const card = makeCard(1, "gallery", new Map());
    window.sent = [];
    card.update({ id: 1, screen: "menu", shown: "root", coordinator: "Gallery", state: {}, events: { unlock: { pin: "…", door: { key: "…" } } } }, 0, false, (name, text) => window.sent.push(text));
    document.body.append(card.root);
  });
  const card = page.get("article", "menu 1"), told = () => page.evaluate(() => window.sent.map((text) => JSON.parse(text)));
  await card.get("button", "unlock").click();
  await card.get("alert").says("Not sent: type a value for “pin” first.");
  await page.becomes(() => page.evaluate(() => document.activeElement.labels?.[0].textContent), "pin");
  await card.get("textbox", "pin").fill("1234");
  await card.get("button", "unlock").click();
  await card.get("alert").says("Not sent: type a value for “key” first.");
  await card.get("textbox", "key").fill("k");
  assert.deepEqual(await told(), []);
  await card.get("button", "unlock").click();
  await page.becomes(told, [{ pin: "1234", door: { key: "k" } }]);
});

const reference = (name) => ({ $ref: `#/components/schemas/${name}` });
const only = (name, payload) => ({ type: "object", properties: { [name]: payload }, required: [name], additionalProperties: false });

/** The schema of an order with each kind of value. */
const schemas = {
  order: {
    type: "object", required: ["count", "price", "pin", "size", "tags", "extras", "isGift", "way", "to"], properties: {
      count: { type: "integer" }, price: { type: "number" }, pin: { type: "string", format: "password" }, size: { type: "string", enum: ["small", "large"] },
      tags: { type: "array", items: { type: "string" }, minItems: 1 }, extras: { type: "object", additionalProperties: { type: "integer" } }, isGift: { type: "boolean" },
      way: { anyOf: [{ type: "string", enum: ["post"] }, only("post", reference("NoPayload")), only("courier", reference("courier"))] }, to: reference("address"), note: { type: "string" },
    },
  },
  NoPayload: { type: "object", additionalProperties: false },
  courier: { type: "object", properties: { hours: { type: "integer" } }, required: ["hours"] },
  address: { type: "object", properties: { street: { type: "string" }, floor: { type: "integer" } }, required: ["street"] },
};
const order = { count: 2, price: 0.5, pin: "…", size: "small", tags: ["a"], extras: { salt: 1 }, isGift: false, way: { post: {} }, to: { street: "Main St" } };

/** Shows an order as a form, and returns the typed value as JSON, or what is wrong with it. */
async function showOrder(page, url) {
  await page.open(`${url}/#/`);
  await page.evaluate(async (schemas, order) => {
    const { makeInput } = await import("/forms/input.js");
    const input = makeInput("order", "Order"), place = document.createElement("section");
    place.ariaLabel = "Order";
    place.append(input.root, input.way);
    document.body.append(place);
    input.show(order, { schemas, schema: schemas.order });
    window.told = () => {
      try {
        return JSON.parse(input.text());
      } catch (error) {
        return error.message;
      }
    };
  }, schemas, order);
  return { form: page.get("region", "Order"), told: () => page.evaluate(() => window.told()) };
}

scene("Secrets, enums, lists, optionals, nested members and references are fields", {}, async ({ server, page }) => {
  const { form, told } = await showOrder(page, server.url);
  await form.get("textbox", "pin").fill("1234");
  assert.deepEqual(await told(), { ...order, pin: "1234" });
  await form.get("textbox", "count").fill("9007199254740993");
  await form.get("checkbox", "isGift").click();
  await (await form.get("combobox", "size").one()).focus();
  await page.keyboard.choose("large");
  await (await form.get("combobox", "way").one()).focus();
  await page.keyboard.choose("courier");
  await form.get("textbox", "hours").fill("3");
  await form.get("checkbox", "with note").click();
  await form.get("textbox", "note").fill("ring twice");
  await form.get("group", "to").get("checkbox", "with floor").click();
  await form.get("textbox", "floor").fill("4");
  for (const _ of [1, 2]) await form.get("button", "Add to tags").click();
  await form.get("textbox", "tags 2").fill("b");
  await form.get("textbox", "tags 3").fill("c");
  await form.get("button", "Remove tags 2").click();
  await form.get("textbox", "extras (JSON)").fill('{"salt":2}');
  await page.becomes(told, {
    count: 9007199254740992, price: 0.5, pin: "1234", size: "large", tags: ["a", "c"], extras: { salt: 2 }, isGift: true, way: { courier: { hours: 3 } },
    to: { street: "Main St", floor: 4 }, note: "ring twice",
  });
  const faults = await accessibilityFaults(page);
  assert.ok(faults.length === 0, `${faults.length} findings:\n${faults.join("\n")}`);
  await form.get("button", "JSON of order").click();
  assert.match(await form.get("textbox", "Order").value(), /"count": 9007199254740993,/);
});

for (const [label, text, fault] of [
  ["count", "two", /^“count” must be a whole number$/], ["count", "1.5", /^“count” must be a whole number$/], ["price", "cheap", /^“price” must be a number$/],
  ["pin", "", /^type a value for “pin” first$/], ["extras (JSON)", "{", /^“extras” is not JSON: .+/],
]) {
  scene(`${JSON.stringify(text)} in ${label} is told as ${fault}`, {}, async ({ server, page }) => {
    const { form, told } = await showOrder(page, server.url);
    await form.get("textbox", "pin").fill("1234");
    await form.get("textbox", label).fill(text);
    assert.match(await told(), fault);
  });
}

scene("A list that needs an item says so", {}, async ({ server, page }) => {
  const { form, told } = await showOrder(page, server.url);
  await form.get("textbox", "pin").fill("1234");
  await form.get("button", "Remove tags 1").click();
  assert.equal(await told(), "“tags” needs at least one item");
});

scene("JSON that the form cannot show completely stays JSON, and no part of the JSON is lost", {}, async ({ server, page }) => {
  const { form, told } = await showOrder(page, server.url);
  await form.get("button", "JSON of order").click();
  const field = form.get("textbox", "Order");
  for (const [value, fault] of [
    [JSON.stringify({ ...order, colour: "red" }), "Not possible: the form has no field for “colour”; leave the value as JSON."],
    [JSON.stringify({ ...order, to: { street: 4 } }), "Not possible: the form has no field for “to.street”; leave the value as JSON."],
    ["{", /^This is not JSON: .+\.$/],
  ]) {
    await field.fill(value);
    await form.get("button", "Form of order").click();
    await form.get("alert").says(fault);
    assert.equal(await field.value(), value);
  }
  await field.fill(JSON.stringify({ ...order, count: 7, pin: "1" }));
  await form.get("button", "Form of order").click();
  await form.get("textbox", "count").appears();
  assert.deepEqual(await told(), { ...order, count: 7, pin: "1" });
});
