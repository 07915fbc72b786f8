// Compares docs/uikit-parity.md with the modules' symbol graphs: declared members, and missing ones.
//
//     node parity.js TABLES GRAPH...
//
// Prints a line for each difference, and ends with status 1 if there is one.

import { existsSync } from "node:fs";
import { readDeclarations, readRows } from "./apis.js";

const [tables, ...graphs] = process.argv.slice(2);
const folder = (path) => new URL(`../../${path}/`, import.meta.url).pathname;
const suites = ["UIKitTests", "CombineTests", "SwiftUITests"].map((name) => folder(`Tests/${name}`));

/** The members of each public type, by name without labels. @type {Map<string, Set<string>>} */
const declared = new Map([...readDeclarations(graphs).types].map(([name, { members }]) => [name, members]));

const complaints = [];
/** The members that the rows name for each type; `*` means all. @type {Map<string, Set<string>>} */
const listed = new Map();
for (const { line, api, type, members, cells, status, behaviour, source } of readRows(tables)) {
  const complain = (text) => complaints.push(`${tables}:${line}: ${text}`);
  if (cells.length !== 4) complain("a row has four cells");
  if (!["same", "differs", "kept", "missing"].includes(status)) complain(`"${status}" is no status`);
  if (status === "differs" && !behaviour) complain("the row does not say how it differs");
  if (!source) complain("the row has no source");
  for (const [, suite] of (source ?? "").matchAll(/`(\w+)`/g)) {
    if (!suites.some((folder) => existsSync(`${folder}${suite}.swift`))) complain(`there is no suite ${suite}`);
  }
  if (status === "missing") {
    // If a row names only types, none of them may be declared.
    const present = declared.has(type) ? members.filter((name) => declared.get(type)?.has(name)) : [];
    const types = declared.has(type) ? [] : [type, ...members].filter((name) => declared.has(name));
    for (const name of [...present, ...types]) complain(`${name} is declared`);
    if (declared.has(type) && !members.length) complain(`${type} is declared`);
    for (const name of [type, ...members]) {
      const [, module] = name?.match(/^import (\w+)$/) ?? [];
      if (module && existsSync(folder(`Sources/${module}`))) complain(`there is a module ${module}`);
    }
    continue;
  }
  // Attributes and expressions of the language, which no module declares.
  if (/^[#@]/.test(type ?? "")) continue;
  if (!declared.has(type)) complain(`${type} is not declared`);
  const names = listed.get(type) ?? listed.set(type, new Set()).get(type);
  if (/ all$/.test(api)) names?.add("*");
  else if (!members.length) complain("the row names no members; write all for all");
  for (const name of members) {
    if (!declared.get(type)?.has(name)) complain(`${type} declares no ${name}`);
    names?.add(name);
  }
}
for (const [type, members] of declared) {
  const names = listed.get(type);
  if (!names) complaints.push(`${tables}: ${type} is declared, and has no row`);
  else if (!names.has("*")) {
    for (const name of members) if (!names.has(name)) complaints.push(`${tables}: ${type} declares ${name}, which is in no row`);
  }
}
for (const complaint of complaints) console.error(complaint);
if (complaints.length) process.exit(1);
const count = [...declared.values()].reduce((sum, members) => sum + members.size, 0);
console.log(`${tables} has all ${count} members of ${declared.size} types`);
