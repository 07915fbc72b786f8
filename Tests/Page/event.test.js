import assert from "node:assert/strict";
import { test } from "node:test";
import { Digits, writeJSON } from "../../Public/client/exact-json.js";
import { opening } from "../../Public/list/open-form.js";
import { eventBody, inShort, secretMembers, withoutSecrets } from "../../Public/session/card.js";

test("the body of an event without a payload has only its name", () => {
  assert.deepEqual(eventBody(4, "close", null).body, { screen: 4, event: "close" });
});

test("a payload is sent exactly as typed, with all its digits", () => {
  const { body } = eventBody(4, "pick", ' {"id": 10452689035996205746}\n');
  assert.equal(writeJSON(body), '{"screen":4,"event":{"pick":{"id": 10452689035996205746}}}');
});

for (const payload of ["", "{", "5", "null", "[1]", '"text"', '{"a":1},"b":{}', "{a:1}"]) {
  test(`the payload ${JSON.stringify(payload)} is refused before it is sent`, () => {
    const { body, fault } = eventBody(1, "pick", payload);
    assert.equal(body, undefined);
    assert.match(fault, /JSON/);
  });
}

test("the name of an event may contain a quotation mark", () => {
  assert.deepEqual(JSON.parse(writeJSON(eventBody(1, 'a"b', "{}").body)).event, { 'a"b': {} });
});

test("a session is opened with the options and the link exactly as typed", () => {
  assert.equal(writeJSON(opening('{"seed":10452689035996205746}', "").start), '{"options":{"seed":10452689035996205746}}');
  assert.equal(writeJSON(opening(" ", ' ["tabBar" ]').start), '{"link":["tabBar" ]}');
});

test("if the options or the link are not valid JSON, the error says which of the two", () => {
  assert.match(opening("{", "").fault, /^The options are not JSON/);
  assert.match(opening("{}", "[").fault, /^The deep link is not JSON/);
});

test("a prefilled payload omits secrets at any depth and says where they are missing", () => {
  const example = { name: "kim", password: "…", device: { keys: ["…"], text: "and so on …" } };
  assert.deepEqual(secretMembers(example), ["password", "0"]);
  assert.deepEqual(withoutSecrets(example), { name: "kim", password: "", device: { keys: [""], text: "and so on …" } });
});

for (const [payload, text] of [
  [{ name: "kim", password: "" }, "name: kim, password: –"], [{ project: { id: 2, tags: ["a"], writer: null } }, "project.id: 2, project.tags.0: a, project.writer: none"],
  [{ list: [], all: {}, isOn: false }, "list: empty, all: empty, isOn: false"], [{ seed: new Digits("9") }, "seed: 9"],
]) {
  test(`the summary of a payload is "${text}"`, () => assert.equal(inShort(payload), text));
}

test("the summary of a long payload is its beginning", () => {
  const text = inShort({ title: "x".repeat(500), other: { text: "y".repeat(500) } });
  assert.ok(text.startsWith("title: xxx") && text.endsWith(" …") && text.length <= 90, text);
});
