// The APIs of UsherUIKit's modules: the declarations in their symbol graphs, and the rows of the tables.

import { readFileSync } from "node:fs";
import { basename } from "node:path";

/** Members that every value type has, which the tables do not list. */
const common = /^(init|rawValue|hash|[^a-zA-Z_]+)$/;

const isType = /^swift\.(class|struct|enum|protocol)$/;

/**
 * @typedef {{ members: Set<string>, supertypes: Set<string> }} Type
 * @typedef {{ line: number, section: string, api: string, type: string | undefined, members: string[], cells: string[],
 *   status: string, behaviour: string, source: string | undefined }} Row
 */

/**
 * The public types by name, each with its members' names without labels and the types that it inherits members from,
 * and the other global names. A type that a graph only extends has no supertypes.
 * @param {string[]} graphs
 */
export const readDeclarations = (graphs) => {
  /** @type {Map<string, Type>} */
  const types = new Map();
  const globals = new Set();
  const typeNamed = (name) => {
    const type = types.get(name) ?? { members: new Set(), supertypes: new Set() };
    types.set(name, type);
    return type;
  };
  const documents = graphs.map((path) => ({ path, ...JSON.parse(readFileSync(path, "utf8")) }));
  const own = new Set();
  const names = new Map();
  for (const { path, symbols } of documents) {
    for (const { kind, pathComponents, identifier } of symbols) {
      const [name] = pathComponents.at(-1).split("(");
      const owner = pathComponents.slice(0, -1).join(".");
      names.set(identifier.precise, pathComponents.join("."));
      if (isType.test(kind.identifier)) {
        typeNamed(pathComponents.join("."));
        if (!basename(path).includes("@")) own.add(pathComponents.join("."));
      } else if (owner && !common.test(name)) typeNamed(owner).members.add(name);
      if (!owner) globals.add(name);
    }
  }
  for (const { relationships } of documents) {
    for (const { kind, source, target, targetFallback } of relationships) {
      if (kind !== "inheritsFrom" && kind !== "conformsTo") continue;
      const supertype = names.get(target) ?? targetFallback?.split(".").slice(1).join(".");
      if (names.has(source) && supertype) types.get(names.get(source))?.supertypes.add(supertype);
    }
  }
  return { types, globals, own };
};

/**
 * Returns the rows of all tables.
 * @param {string} path
 * @returns {Row[]}
 */
export const readRows = (path) => {
  let section = "";
  return readFileSync(path, "utf8").split("\n").flatMap((text, index) => {
    if (text.startsWith("## ")) section = text.slice(3);
    if (!text.startsWith("| `")) return [];
    const cells = text.split("|").slice(1, -1).map((cell) => cell.trim());
    const [api, status, behaviour, source] = cells;
    const [type, ...members] = [...api.matchAll(/`([^`]+)`/g)].map(([, name]) => name);
    return [{ line: index + 1, section, api, type, members, cells, status, behaviour, source }];
  });
};
