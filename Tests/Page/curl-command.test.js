import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { readJSON } from "../../Public/client/exact-json.js";
import { curlCommand, quoted } from "../../Public/inspector/curl-command.js";

const origin = "http://127.0.0.1:8080", session = "00ff";
const command = (input, kind = "input") => curlCommand({ kind, input }, origin, session);

for (const text of ["it's", "two\nlines", "$HOME `id` \\ \"", "''", "", "über ☃ \u202e", "-n", "a b", "!!"]) {
  test(`a shell reads the quoted text ${JSON.stringify(text)} unchanged`, () => {
    assert.equal(execFileSync("sh", ["-c", `printf '%s' ${quoted(text)}`], { encoding: "utf8" }), text);
  });
}

test("the command for an event uses the operator's token from the shell's environment", () => {
  assert.equal(
    command({ screen: 4, event: "close" }),
    `curl --json '{"screen":4,"event":"close"}' ${origin}/admin/sessions/00ff/events -H "Authorization: Bearer $USHER_ADMIN_TOKEN"`);
});

test("a quotation mark in a payload is escaped for the shell", () => {
  const text = command({ event: { say: { text: "it's\nme" } } });
  const words = execFileSync("sh", ["-c", text.replace("curl --json", "printf '%s\\n'")], { encoding: "utf8" }).split("\n");
  assert.deepEqual(JSON.parse(words[0]), { event: { say: { text: "it's\nme" } } });
});

test("the command keeps all digits of a large number", () => {
  assert.match(command(readJSON('{"event":{"pick":{"id":10452689035996205746}}}')), /10452689035996205746/);
});

test("the command for a creation omits the members that the server chooses", () => {
  const input = { app: "tudy", version: "1", seed: 7, options: { loggedIn: true }, open: ["tabBar"], subject: "kim", client: { screens: ["home"] }, fork: {} };
  const body = '{"app":"tudy","options":{"loggedIn":true},"open":["tabBar"],"subject":"kim","client":{"screens":["home"]}}';
  assert.equal(command(input, "creation"), `curl --json '${body}' ${origin}/admin/sessions -H "Authorization: Bearer $USHER_ADMIN_TOKEN"`);
});

test("the command for a message uses the operator's token too", () => {
  assert.match(command({ message: "paid" }), /8080\/sessions\/00ff\/messages -H "Authorization: Bearer \$USHER_ADMIN_TOKEN"$/);
});

test("there is no command for an input that only the server creates", () => {
  assert.equal(command({ effect: "7.1", success: {} }), null);
  assert.equal(command({ timer: "7.1" }), null);
  assert.equal(command({ resumed: 3 }, "divergence"), null);
});
