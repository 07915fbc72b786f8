import assert from "node:assert/strict";
import { test } from "node:test";
import { Digits, Verbatim, readJSON, writeJSON } from "../../Public/client/exact-json.js";

for (const text of [
  '{"seed":10452689035996205746}', '[9007199254740993,-9223372036854775808,1]', '{"a":"10452689035996205746"}',
  '{"a\\"10452689035996205746":1.10}', '[1e400,-0]', '"\\\\"', '{"a":[{"b":123456789012345678901234567890}]}', "18446744073709551615",
]) {
  test(`${text} is unchanged after reading and writing`, () => assert.equal(writeJSON(readJSON(text)), text));
}

test("a number that JavaScript represents exactly is a number", () => {
  assert.deepEqual(readJSON('{"a":1,"b":1.5,"c":-3}'), { a: 1, b: 1.5, c: -3 });
});

test("a number that JavaScript would round keeps its digits", () => {
  const { seed } = readJSON('{"seed":10452689035996205746}');
  assert.ok(seed instanceof Digits);
  assert.equal(String(seed), "10452689035996205746");
});

test("text that the user typed is written verbatim", () => {
  const typed = ' {"a" : "\\"\\u0041\\n", "a": [10452689035996205746, 1.0] }\n';
  assert.equal(writeJSON({ event: { say: new Verbatim(typed) } }), `{"event":{"say":${typed}}}`);
});

test("a member named __proto__ is an ordinary member", () => {
  assert.equal(writeJSON(readJSON('{"__proto__":{"x":10452689035996205746}}')), '{"__proto__":{"x":10452689035996205746}}');
});

test("text that is not JSON is refused", () => {
  for (const text of ["", "{", "[1,]", "01", "{'a':1}", "10452689035996205746x"]) assert.throws(() => readJSON(text), SyntaxError);
});

test("a large text is read within five seconds", () => {
  const text = JSON.stringify({ text: "\\\"1".repeat(100_000), seed: 1 });
  const begin = performance.now();
  readJSON(text);
  assert.ok(performance.now() - begin < 5_000);
});
