// Tests the package that npm would publish: packed, installed from the tarball, and used by node and TypeScript.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { bundle, targets } from "../../Clients/JavaScript/build.js";
import { Server, missing } from "../Browser/support/server.js";

const client = fileURLToPath(new URL("../../Clients/JavaScript", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "usher-package-"));
const run = (command, ...options) => execFileSync(command, options, { cwd: folder, encoding: "utf8" });
const npm = (...options) => run("npm", ...options, "--offline", "--no-audit", "--no-fund", "--cache", join(folder, "cache"));

before(() => {
  const [{ filename, files }] = JSON.parse(npm("pack", client, "--json"));
  assert.deepEqual(files.map(({ path }) => path).filter((path) => !path.startsWith("types/")).sort(),
    ["README.md", "package.json", "usher.js"]);
  writeFileSync(join(folder, "package.json"), '{"private":true,"type":"module"}');
  npm("install", `./${filename}`);
});
after(() => rmSync(folder, { recursive: true, force: true }));

test("the package has no dependencies", () => {
  assert.deepEqual(readdirSync(join(folder, "node_modules")).filter((name) => !name.startsWith(".")), ["usher-client"]);
  const { dependencies, scripts } = JSON.parse(readFileSync(join(client, "package.json"), "utf8"));
  assert.equal(dependencies, undefined);
  assert.deepEqual(Object.keys(scripts), ["build"], "nothing runs where it is installed");
});

test("a Node program with the installed package can use a sample app", { skip: missing("usher") }, async () => {
  const server = await Server.start();
  try {
    writeFileSync(join(folder, "walk.js"), `
      import { open } from "usher-client";
      const session = await open(process.argv[2], "start-login-main");
      await session.send("startApp");
      await session.send("login");
      console.log(session.state.stack.map(({ screen }) => screen).join(", "));
      await session.end();
    `);
    assert.equal(run("node", "walk.js", server.url), "start, main\n");
  } finally {
    await server.close();
  }
});

test("TypeScript accepts correct uses of the types and rejects wrong uses", () => {
  const compilerOptions = { strict: true, noEmit: true, target: "es2022", module: "es2022", moduleResolution: "node", types: [] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["use.ts"] }));
  const check = (code) => {
    writeFileSync(join(folder, "use.ts"), code);
    try {
      return run("tsc", "--project", folder);
    } catch ({ stdout }) {
      return stdout;
    }
  };
  const use = `
    import { open, resume, Problem, Session, Observer, State, operations } from "usher-client";
    const view: Observer = { insert(screen, at) { console.log(screen.id + at, screen.shown === "sheet"); }, remove(id, isHidden) {} };
    const session: Session = await open("http://server", "a", { view, options: { x: 1 }, headers: () => ({ Authorization: "Bearer T" }) });
    const other = await resume("http://server", session.id, { view, token: session.token });
    other.token = "rotated";
    const state: State = await session.send("go", { to: 1 });
    for (const operation of operations(null, state)) if ("insert" in operation) console.log(operation.insert.screen);
    session.back().catch((problem: Problem) => console.log(problem.isGone, problem.isDenied, problem.current?.revision));
    export {};`;
  assert.equal(check(use), "");
  assert.match(check(`import { open } from "usher-client"; open("http://server", 7); export {};`), /TS2345.*number/);
  assert.match(check(`import { open } from "usher-client"; open("http://server", "a", { token: "T" }); export {};`), /TS2345.*token|TS2353/);
  assert.match(check(`import { Session } from "usher-client"; declare const it: Session; it.swipe(); export {};`), /TS2339.*swipe/);
});

test("the published types are generated from the sources", () => {
  run("tsc", "--project", join(client, "jsconfig.json"), "--noEmit", "false", "--declaration", "--emitDeclarationOnly", "--outDir", join(folder, "types"));
  const all = (root) => readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    .map((entry) => join(entry.path, entry.name)).sort();
  const texts = (root) => all(root).map((path) => [path.slice(root.length), readFileSync(path, "utf8")]);
  assert.deepEqual(texts(join(client, "types")), texts(join(folder, "types")), "npm run build");
});

test("the modules in the package and on the page are built from the sources", () => {
  for (const target of targets) assert.equal(readFileSync(target, "utf8"), bundle(), "npm run build");
});
