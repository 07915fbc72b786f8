import assert from "node:assert/strict";
import { test } from "node:test";
import { casesOf, componentName, linkSchema, payloadSchema, resolve, sampleOf, schemaOf } from "../../Public/forms/schemas.js";

const reference = (name) => ({ $ref: `#/components/schemas/${name}` });
const only = (name, payload) => ({ type: "object", properties: { [name]: payload }, required: [name], additionalProperties: false });

/** An app's schemas as in the server's contract, with each kind of value. */
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

test("a schema's name is made of the app and the screen, with only letters, digits, dashes and underscores", () => {
  assert.equal(componentName("a b", "screens", "log.in", "event"), "a_b-screens-log_in-event");
});

test("the schema of an event's payload is found by app, screen and event", () => {
  assert.deepEqual(resolve(schemas, payloadSchema(schemas, "a b", "log in", "login")), schemas.payload);
  assert.equal(payloadSchema(schemas, "a b", "log in", "fly"), undefined);
  assert.equal(payloadSchema(schemas, "other", "log in", "login"), undefined);
});

test("a schema that refers only to itself resolves to an empty schema, without endless recursion", () => assert.deepEqual(resolve(schemas, schemas.round), {}));

test("the cases of a link's step are the flows of all coordinators", () => {
  assert.deepEqual([...casesOf(schemas, linkSchema(schemas, "a b").items).keys()], ["tabs", "chat"]);
});

test("the sample value of an enum's case comes from the enum's examples, so that the app accepts the value", () => {
  const schema = { anyOf: [only("home", reference("NoPayload")), only("chat", { type: "object", properties: { id: { type: "integer" } }, required: ["id"] })], examples: [{ home: {} }, { chat: { id: 7 } }] };
  assert.deepEqual(sampleOf(schemas, casesOf(schemas, schema).get("chat")), { id: 7 });
  assert.deepEqual(sampleOf({ ...schemas, nested: schema }, casesOf({ ...schemas, nested: schema }, { anyOf: [reference("nested")] }).get("chat")), { id: 7 });
});

test("a schema that does not describe an enum with payloads has no cases", () => {
  for (const schema of [{}, { type: "string" }, { anyOf: [{ type: "integer" }] }, { anyOf: [{ type: "string", enum: ["a"] }] }]) assert.equal(casesOf(schemas, schema), null);
});

for (const [schema, value] of [
  [{ type: "string" }, ""], [{ type: "integer", minimum: 3 }, 3], [{ type: "integer", minimum: -9e18 }, 0], [{ type: "boolean" }, false], [{ const: "x" }, "x"],
  [{ enum: ["b", "c"] }, "b"], [{ type: "array", items: {}, minItems: 1 }, [{}]], [{ examples: [{ a: 1 }], type: "object" }, { a: 1 }],
  [reference("payload"), { name: "", password: "" }], [reference("a_b-screens-log_in-event"), { close: {} }], [linkSchema(schemas, "a b"), [{ tabs: {} }]],
]) {
  test(`the sample value for ${JSON.stringify(schema).slice(0, 60)} is ${JSON.stringify(value)}`, () => assert.deepEqual(sampleOf(schemas, schema), value));
}

test("a type that contains itself has a finite sample value", () => {
  assert.ok(JSON.stringify(sampleOf(schemas, reference("device"))).length < 1_000);
});

test("a schema made from an example has the types of its members, and marks secrets", () => {
  assert.deepEqual(schemaOf({ name: "kim", password: "…", age: 7, share: 0.5, isNew: true, tags: ["a"], none: null }), {
    type: "object", required: ["name", "password", "age", "share", "isNew", "tags", "none"],
    properties: {
      name: { type: "string" }, password: { type: "string", format: "password" }, age: { type: "integer" }, share: { type: "number" },
      isNew: { type: "boolean" }, tags: { type: "array", items: { type: "string" } }, none: {},
    },
  });
});
