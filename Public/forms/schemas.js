// The JSON Schemas of an app's payloads, options, links and messages, as the server's contract has them.
import { poll } from "../client/client.js";
import { secret } from "../session/card.js";

/** @typedef {Record<string, any>} Schema */
/** @typedef {Record<string, Schema>} Schemas By their names. */
/** @typedef {{ schemas: Schemas, schema: Schema }} Shape What is known of a value. */

/** How long an answer may take, in milliseconds: what is shown can do without. */
const patience = 4_000;

/** The schemas of this server; none if it does not answer, or does not tell this caller the apps' types. @returns {Promise<Schemas>} */
export async function contract() {
  try {
    return (await poll("/openapi.json", { patience })).components.schemas ?? {};
  } catch {
    return {};
  }
}

/**
 * The shape of an event's payload: as the contract has it, or as its example tells.
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
 * The name of a component, which has only letters, digits, dashes and underscores.
 * @param {string[]} parts
 */
export function componentName(...parts) {
  return parts.map((part) => [...part].map((each) => (/[A-Za-z0-9_-]/.test(each) ? each : "_")).join("")).join("-");
}

const mostReferences = 16;

/**
 * The schema that a reference leads to.
 * @param {Schemas} schemas
 * @param {Schema | undefined} schema
 * @returns {Schema} Of anything if there is none.
 */
export function resolve(schemas, schema) {
  let found = schema ?? {};
  for (let step = 0; found.$ref && step < mostReferences; step++) found = schemas[String(found.$ref).split("/").at(-1) ?? ""] ?? {};
  return found.$ref ? {} : found;
}

/**
 * The cases of a schema of an enum with payloads, each with the schema of its payload, and its example if there is one; null for
 * any other schema.
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
    // A case without a payload may also be its name alone.
    else if (!(each.type === "string" && Array.isArray(each.enum))) return null;
  }
  for (const [name, payload] of cases) {
    const example = examples.find((/** @type {any} */ each) => Object.hasOwn(Object(each), name));
    if (example) cases.set(name, { ...resolve(schemas, payload), examples: [example[name]] });
  }
  return cases.size ? cases : null;
}

/** @param {Schemas} schemas @param {string} app @param {string} screen @param {string} event The payload's schema; undefined if it is not told. */
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
 * The schema of a deep link: of its steps, as the opening of the app has them.
 * @param {Schemas} schemas
 * @param {string} app
 */
export function linkSchema(schemas, app) {
  return /** @type {Schema | undefined} */ (schemas[componentName(app, "Opening")]?.properties?.open);
}

/**
 * The schema that an example tells: what is known of a payload where the server tells no more.
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
 * A value that a schema takes, where there is no example: required members alone.
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
