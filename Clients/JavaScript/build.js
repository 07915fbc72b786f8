// Writes the client as one module, for the package and for the server's page. A browser then loads the client with one
// request, and users of the package need no build step. The module has no documentation comments, because the files in
// `source` and `types` contain them.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const place = (path) => new URL(path, import.meta.url);
const imported = /^import \{ [\w, ]+ \} from "\.\/([\w-]+)\.js";\n/gm;
const handedOn = /^export \{ ([\w, ]+) \} from "\.\/([\w-]+)\.js";\n/gm;
const documentation = /^ *\/\*\*(?:(?!\*\/)[^])*\*\/\n|\/\*\* @(?:type|param) (?:(?!\*\/)[^])*\*\/ ?/gm;

/** The modules by name, each after the modules that it imports. */
function modules() {
  /** @type {Map<string, string>} */
  const found = new Map();
  const visit = (name) => {
    const text = readFileSync(place(`source/${name}.js`), "utf8");
    for (const [, other] of text.matchAll(imported)) if (!found.has(other)) visit(other);
    found.set(name, text.replaceAll(imported, "").replaceAll(/^export (?!\{)/gm, "").replaceAll(documentation, ""));
  };
  for (const [, , name] of readFileSync(place("source/usher.js"), "utf8").matchAll(handedOn)) if (!found.has(name)) visit(name);
  return found;
}

/** The client as one module. */
export function bundle() {
  const names = [...readFileSync(place("source/usher.js"), "utf8").matchAll(handedOn)].map(([, some]) => some);
  const head = "// The client of an Usher server, for browsers and node. `build.js` writes this file from the folder `source`; the folder `types` has the type declarations.\n";
  const text = [head, ...modules().values(), `export { ${names.join(", ")} };\n`].map((part) => part.trim()).join("\n\n");
  if (/^(import|export (?!\{))/m.test(text)) throw new Error("a source file has an import or export in a form that build.js does not support");
  return `${text}\n`;
}

/** The files that contain the module. */
export const targets = [place("usher.js"), place("../../Public/client/usher.js")];

if (process.argv[1] === fileURLToPath(import.meta.url)) for (const target of targets) writeFileSync(target, bundle());
