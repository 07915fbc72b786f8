import assert from "node:assert/strict";
import { test } from "node:test";
import { casesOf, componentName, linkSchema, payloadSchema, resolve, sampleOf, schemaOf } from "../../Public/forms/schemas.js";

const reference = (name) => ({ $ref: `#/components/schemas/${name}` });
const only = (name, payload) => ({ type: "object", properties: { [name]: payload }, required: [name], additionalProperties: false });

/** As the server's contract has an app, with each kind of value. */
const schemas = {
  NoPayload: { type: "object", additionalProperties: false },
  "a_b-screens-log_in-event": { anyOf: [{ type: "string", enum: ["close"] }, reference("close"), reference("login")] },
  close: only("close", reference("NoPayload")), login: only("login", reference("payload")),
  payload: { type: "object", properties: { name: { type: "string" }, password: { type: "string", format: "password" }, device: reference("device") }, required: ["name", "password"] },
  device: { type: "object", properties: { id: { type: "integer", minimum: 1 }, kind: { type: "string", enum: ["phone", "pad"] }, tags: { type: "array", items: { type: "string" } }, next: reference("device") }, required: ["id", "kind", "tags", "next"] },
  "a_b-Opening": { type: "object", properties: { open: { type: "array", minItems: 1, items: { anyOf: [reference("flows-one"), reference("flows-two")] } } } },
  "flows-one": { anyOf: [{ type: "string", enum: ["tabs"] }, only("tabs", reference("NoPayload"))] }, "flows-two": { anyOf: [only("chat", { type: "object", properties: { id: { type: "integer" } }, required: ["id"] })] },
  round: reference("round"),
};

test("a component is named by its app and screen, with nothing but letters, digits, dashes and underscores", () => {
  assert.equal(componentName("a b", "screens", "log.in", "event"), "a_b-screens-log_in-event");
});

test("the schema of an event's payload is found by app, screen and event", () => {
  assert.deepEqual(resolve(schemas, payloadSchema(schemas, "a b", "log in", "login")), schemas.payload);
  assert.equal(payloadSchema(schemas, "a b", "log in", "fly"), undefined);
  assert.equal(payloadSchema(schemas, "other", "log in", "login"), undefined);
});

test("a reference to itself leads nowhere, rather than for ever", () => assert.deepEqual(resolve(schemas, schemas.round), {}));

test("the steps of a link have the flows of all coordinators as their cases", () => {
  assert.deepEqual([...casesOf(schemas, linkSchema(schemas, "a b").items).keys()], ["tabs", "chat"]);
});

test("a case has the example that its enum tells, so that a sample is one that the app takes", () => {
  const schema = { anyOf: [only("home", reference("NoPayload")), only("chat", { type: "object", properties: { id: { type: "integer" } }, required: ["id"] })], examples: [{ home: {} }, { chat: { id: 7 } }] };
  assert.deepEqual(sampleOf(schemas, casesOf(schemas, schema).get("chat")), { id: 7 });
  assert.deepEqual(sampleOf({ ...schemas, nested: schema }, casesOf({ ...schemas, nested: schema }, { anyOf: [reference("nested")] }).get("chat")), { id: 7 });
});

test("what is no enum with payloads has no cases", () => {
  for (const schema of [{}, { type: "string" }, { anyOf: [{ type: "integer" }] }, { anyOf: [{ type: "string", enum: ["a"] }] }]) assert.equal(casesOf(schemas, schema), null);
});

for (const [schema, value] of [
  [{ type: "string" }, ""], [{ type: "integer", minimum: 3 }, 3], [{ type: "integer", minimum: -9e18 }, 0], [{ type: "boolean" }, false], [{ const: "x" }, "x"],
  [{ enum: ["b", "c"] }, "b"], [{ type: "array", items: {}, minItems: 1 }, [{}]], [{ examples: [{ a: 1 }], type: "object" }, { a: 1 }],
  [reference("payload"), { name: "", password: "" }], [reference("a_b-screens-log_in-event"), { close: {} }], [linkSchema(schemas, "a b"), [{ tabs: {} }]],
]) {
  test(`a sample of ${JSON.stringify(schema).slice(0, 60)} is ${JSON.stringify(value)}`, () => assert.deepEqual(sampleOf(schemas, schema), value));
}

test("a type that needs itself has a sample that ends", () => {
  assert.ok(JSON.stringify(sampleOf(schemas, reference("device"))).length < 1_000);
});

test("an example tells the kind of its members, and which are secrets", () => {
  assert.deepEqual(schemaOf({ name: "kim", password: "…", age: 7, share: 0.5, isNew: true, tags: ["a"], none: null }), {
    type: "object", required: ["name", "password", "age", "share", "isNew", "tags", "none"],
    properties: {
      name: { type: "string" }, password: { type: "string", format: "password" }, age: { type: "integer" }, share: { type: "number" },
      isNew: { type: "boolean" }, tags: { type: "array", items: { type: "string" } }, none: {},
    },
  });
});
