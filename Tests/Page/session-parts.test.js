import assert from "node:assert/strict";
import { test } from "node:test";
import { writeJSON } from "../../Public/client/exact-json.js";
import { resumption } from "../../Public/session/device.js";
import { screensOf } from "../../Public/session/lights.js";
import { request } from "../../Public/session/input-request.js";

const session = { id: "s 1", adminPath: "/admin/sessions/s%201", tag: '"9"' };

test("an entry belongs to the screen that it names and to the screen that is visible afterwards", () => {
  assert.equal(screensOf({ input: { screen: 2, event: "a" }, visible: "main 3" }), "2 3");
  assert.equal(screensOf({ input: { back: true }, visible: "main 3" }), "3");
  assert.equal(screensOf({ input: { screen: 3, event: "a" }, visible: "main 3" }), "3");
  assert.equal(screensOf({ input: undefined }), "");
  assert.equal(screensOf({ input: { screen: "x y" }, visible: "" }), "");
});

test("an input is sent exactly as typed, with all its digits, and with its condition as If-Match", () => {
  const input = request("input", ' {"event":{"open":{"id":9007199254740993}}} ', session, "7");
  assert.equal(input.path, "/admin/sessions/s%201/events");
  assert.equal(writeJSON(input.body), '{"event":{"open":{"id":9007199254740993}}}');
  assert.deepEqual(input.headers, { "If-Match": '"7"' });
  assert.equal(writeJSON(request("link", '["a"]', session, "").body), '{"open":["a"]}');
  const message = request("message", '{"shipped":{"order":1}}', session, "");
  assert.deepEqual([message.path, writeJSON(message.body), message.headers], ["/sessions/s%201/messages", '{"message":{"shipped":{"order":1}}}', {}]);
  assert.throws(() => request("input", "{", session, ""), SyntaxError);
});

test("the condition of an input names the same run as the newest state", () => {
  const condition = (tag) => request("input", '{"back":true}', { ...session, tag }, "7").headers["If-Match"];
  assert.deepEqual(['"7.run"', '"12.run"', '"12"', null].map(condition), ['"7.run"', '"7.run"', '"7"', '"7"']);
});

test("a resumed session shows the revision, the reason and what was lost", () => {
  const dropped = { inputs: 2, messages: 1, results: ["charge"], effects: ["brew"], timers: ["cafe table"] };
  assert.equal(
    resumption({ revision: 3, reason: "input 4 differs", dropped }),
    "at revision 3, because input 4 differs. Lost: 2 inputs, 1 message, result of charge, effect brew, timer of cafe table.",
  );
  const nothing = { inputs: 0, messages: 0, results: [], effects: [], timers: [] };
  assert.equal(resumption({ revision: 0, reason: "input 1 differs", dropped: nothing }), "from the start, because input 1 differs. Nothing was lost.");
});
