// The JSON Schemas of an app's payloads, options, links and messages, from the server's contract.
import { poll } from "../client/client.js";
import { secret } from "../session/card.js";

/** @typedef {Record<string, any>} Schema */
/** @typedef {Record<string, Schema>} Schemas The schemas by name. */
/** @typedef {{ schemas: Schemas, schema: Schema }} Shape The schema of a value. */

/** The time limit of an answer in milliseconds; without the schemas, forms fall back to examples. */
const patience = 4_000;

/** Returns the server's schemas; none if the server does not answer, or does not show this caller the apps' types. @returns {Promise<Schemas>} */
export async function contract() {
  try {
    return (await poll("/openapi.json", { patience })).components.schemas ?? {};
  } catch {
    return {};
  }
}

/**
 * Returns the schema of an event's payload: from the contract, or derived from the example.
 * @param {string} app
 * @param {string} screen
 * @param {string} event
 * @param {any} example
 * @returns {Promise<Shape>}
 */
export async function payloadShape(app, screen, event, example) {
  const schemas = await contract();
  return { schemas, schema: payloadSchema(schemas, app, screen, event) ?? schemaOf(example) };
}

/**
 * Returns the name of a component of the contract, which has only letters, digits, dashes and underscores.
 * @param {string[]} parts
 */
export function componentName(...parts) {
  return parts.map((part) => [...part].map((each) => (/[A-Za-z0-9_-]/.test(each) ? each : "_")).join("")).join("-");
}

const mostReferences = 16;

/**
 * Resolves a reference to a schema.
 * @param {Schemas} schemas
 * @param {Schema | undefined} schema
 * @returns {Schema} A schema of anything if the reference leads nowhere.
 */
export function resolve(schemas, schema) {
  let found = schema ?? {};
  for (let step = 0; found.$ref && step < mostReferences; step++) found = schemas[String(found.$ref).split("/").at(-1) ?? ""] ?? {};
  return found.$ref ? {} : found;
}

/**
 * Returns the cases of an enum's schema, each with the schema of its payload and, if there is one, its example; null for any
 * other schema.
 * @param {Schemas} schemas
 * @param {Schema | undefined} schema
 * @returns {Map<string, Schema> | null}
 */
export function casesOf(schemas, schema) {
  const { anyOf, examples = [] } = resolve(schemas, schema);
  if (!Array.isArray(anyOf)) return null;
  /** @type {Map<string, Schema>} */
  const cases = new Map();
  for (const each of anyOf.map((one) => resolve(schemas, one))) {
    const names = Object.keys(each.properties ?? {});
    const inner = Array.isArray(each.anyOf) ? casesOf(schemas, each) : null;
    if (inner) for (const [name, payload] of inner) cases.set(name, payload);
    else if (each.type === "object" && names.length === 1 && each.required?.[0] === names[0]) cases.set(names[0], each.properties[names[0]]);
    // A case without a payload may also be just its name.
    else if (!(each.type === "string" && Array.isArray(each.enum))) return null;
  }
  for (const [name, payload] of cases) {
    const example = examples.find((/** @type {any} */ each) => Object.hasOwn(Object(each), name));
    if (example) cases.set(name, { ...resolve(schemas, payload), examples: [example[name]] });
  }
  return cases.size ? cases : null;
}

/** @param {Schemas} schemas @param {string} app @param {string} screen @param {string} event Returns the payload's schema; undefined if the contract has none. */
export function payloadSchema(schemas, app, screen, event) {
  return casesOf(schemas, schemas[componentName(app, "screens", screen, "event")])?.get(event);
}

/** @param {Schemas} schemas @param {string} app */
export function optionsSchema(schemas, app) {
  return schemas[componentName(app, "options")];
}

/** @param {Schemas} schemas @param {string} app */
export function messageSchema(schemas, app) {
  return schemas[componentName(app, "message")];
}

/**
 * Returns the schema of a deep link's steps, from the request that opens the app.
 * @param {Schemas} schemas
 * @param {string} app
 */
export function linkSchema(schemas, app) {
  return /** @type {Schema | undefined} */ (schemas[componentName(app, "Opening")]?.properties?.open);
}

/**
 * Derives a schema from an example, for a payload without a schema in the contract.
 * @param {any} example
 * @returns {Schema}
 */
export function schemaOf(example) {
  if (example === secret) return { type: "string", format: "password" };
  if (typeof example === "string") return { type: "string" };
  if (typeof example === "boolean") return { type: "boolean" };
  if (typeof example === "number") return { type: Number.isInteger(example) ? "integer" : "number" };
  if (Array.isArray(example)) return { type: "array", items: example.length ? schemaOf(example[0]) : {} };
  if (example === null || Object.getPrototypeOf(example) !== Object.prototype) return {};
  const properties = Object.fromEntries(Object.entries(example).map(([name, value]) => [name, schemaOf(value)]));
  return { type: "object", properties, required: Object.keys(properties) };
}

const deepest = 8;

/**
 * Returns a value that matches a schema without an example: only the required members.
 * @param {Schemas} schemas
 * @param {Schema | undefined} schema
 * @param {number} [depth]
 * @returns {any}
 */
export function sampleOf(schemas, schema, depth = 0) {
  const found = resolve(schemas, schema), cases = casesOf(schemas, found);
  if (found.examples?.length) return found.examples[0];
  if ("const" in found) return found.const;
  if (Array.isArray(found.enum)) return found.enum[0];
  if (depth > deepest) return null;
  if (cases) {
    const [[name, payload]] = cases;
    return { [name]: sampleOf(schemas, payload, depth + 1) };
  }
  if (Array.isArray(found.anyOf)) return sampleOf(schemas, found.anyOf[0], depth + 1);
  switch (found.type) {
    case "string": return "";
    case "boolean": return false;
    case "integer": case "number": return Math.max(0, Number(found.minimum ?? 0));
    case "array": return Array.from({ length: Math.min(8, found.minItems ?? 0) }, () => sampleOf(schemas, found.items, depth + 1));
    case "object": return Object.fromEntries((found.required ?? []).map((/** @type {string} */ name) => [name, sampleOf(schemas, found.properties?.[name], depth + 1)]));
    default: return {};
  }
}
