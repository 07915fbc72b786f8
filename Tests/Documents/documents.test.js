// Compares statements in the documents about files, types and targets with the sources.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { basename, dirname, join, normalize } from "node:path";
import { test } from "node:test";
import { anchors, articleLinks, blocks, codeSpans, links, symbolLinks } from "./markdown.js";

const root = new URL("../..", import.meta.url).pathname;
const read = (path) => readFileSync(join(root, path), "utf8");
const isThere = (path) => existsSync(join(root, path));
const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { cwd: root, encoding: "utf8" })
  .split("\n").filter((path) => path && isThere(path));

const documents = files.filter((path) => path.endsWith(".md"));
const catalogs = documents.filter((path) => path.includes(".docc/"));
const readmes = files.filter((path) => /^Sources\/\w+\/README\.md$/.test(path));
// These documents name types and files of the code.
const speakingOfCode = ["docs/architecture.md", "docs/glossary.md", "docs/threat-model.md", "docs/performance.md", "docs/shared-journal.md", "CONTRIBUTING.md", ...readmes];

const sources = new Map(files.filter((path) => /^(Sources|Tests)\/.*\.swift$/.test(path)).map((path) => [path, read(path)]));
const folders = readdirSync(join(root, "Sources"));
// A system library's folder has a module map; the samples have a folder each.
const targets = folders.filter((name) => name !== "Samples" && !isThere(`Sources/${name}/module.modulemap`));

const declaration = /\b(?:class|struct|enum|actor|protocol|typealias|associatedtype|extension)\s+([A-Z]\w*(?:\.\w+)*)/g;
/** The files that declare or extend a type, by the type's unqualified name. @type {Map<string, string[]>} */
const declaring = new Map();
for (const [path, text] of sources) {
  for (const [, name] of text.matchAll(declaration)) {
    for (const part of name.split(".")) declaring.set(part, [...(declaring.get(part) ?? []), path]);
  }
}

// Capitalized names that are not this package's types: of Swift, C, and HTTP fields.
const foreign = new Set(
  ("Array Codable Dictionary Duration Encodable Decodable Error Int Mirror Mutex Never Result Sendable Set String Task "
    + "Testing UInt64 Foundation Accept Allow Authorization Connection Expect Host Location Origin Prefer Range "
    + "TLS SQLite Swift").split(" "));

test("every link in a document leads to an existing file, and every anchor to a heading there", () => {
  const broken = [];
  for (const path of documents) {
    for (const link of links(read(path))) {
      if (/^[a-z]+:/.test(link)) continue;
      const [file, anchor] = decodeURIComponent(link).split("#");
      const target = file ? normalize(join(dirname(path), file)) : path;
      if (!isThere(target)) broken.push(`${path}: ${link}`);
      else if (anchor && target.endsWith(".md") && !anchors(read(target)).includes(anchor)) broken.push(`${path}: ${link}`);
    }
  }
  assert.deepEqual(broken, []);
});

test("each article that a catalog names exists, and the catalog's first page links to every article", () => {
  for (const target of targets) {
    const folder = `Sources/${target}/${target}.docc`;
    const pages = catalogs.filter((path) => path.startsWith(`${folder}/`)).map((path) => basename(path, ".md"));
    if (!pages.length) continue;
    const named = (page) => articleLinks(read(`${folder}/${page}.md`));
    for (const page of pages) assert.deepEqual(named(page).filter((name) => !pages.includes(name)), [], `${folder}/${page}`);
    assert.deepEqual(pages.filter((page) => page !== target && !named(target).includes(page)), [], folder);
  }
});

test("the symbols that a catalog links to are public types of its target", () => {
  for (const path of catalogs) {
    const target = path.split("/")[1];
    for (const link of symbolLinks(read(path))) {
      const name = link.split("/")[0];
      const isPublic = name === target || [...sources].some(([source, text]) =>
        source.startsWith(`Sources/${target}/`)
          && new RegExp(`\\b(public|open)\\s+(final\\s+)?(class|struct|enum|protocol)\\s+${name}\\b`).test(text));
      assert.ok(isPublic, `${path}: ${link}`);
    }
  }
});

test("each catalog's first page lists every public type of its target", () => {
  for (const target of targets.filter((name) => isThere(`Sources/${name}/${name}.docc`))) {
    const listed = symbolLinks(read(`Sources/${target}/${target}.docc/${target}.md`));
    const declared = [...sources].filter(([path]) => path.startsWith(`Sources/${target}/`)).flatMap(([, text]) =>
      [...text.matchAll(/^(?:public|open) (?:final )?(?:class|struct|enum|protocol) (\w+)/gm)].map(([, name]) => name));
    assert.deepEqual(listed.filter((name) => name !== target).sort(), declared.sort(), target);
  }
});

/** Returns why a text in backticks is not a name in the code; nothing if it is one, or is something else. */
const complaint = (span, document) => {
  const path = span.match(/^[\w.+-]+(?:\/[\w.+-]+)*\/?$/)?.[0];
  const first = span.split("/")[0];
  if (path && (/\.(swift|js|sh|h)$/.test(path) || (path.includes("/") && (folders.includes(first) || files.some((f) => f.startsWith(`${first}/`)))))) {
    const places = [path, join("Sources", path), join(dirname(document), path)];
    if (places.some(isThere) || (!path.includes("/") && files.some((file) => basename(file) === path))) return "";
    return "there is no such file";
  }
  if (/^[A-Z]\w*\+\w+$/.test(span)) {
    return files.some((file) => basename(file) === `${span}.swift`) ? "" : "there is no such file";
  }
  const [, type, member, labels] = span.match(/^([A-Z]\w*)(?:\.([a-zA-Z]\w*))?(?:\(([\w:]*)\))?$/) ?? [];
  if (!type || !/[a-z]/.test(type) || foreign.has(type) || folders.includes(type) || files.some((file) => file.includes(`/${type}/`))) return "";
  const there = declaring.get(type);
  // A file may also be named without its extension, and a test suite without `Tests`.
  if (!there) return files.some((file) => basename(file) === `${type}.swift`) || declaring.has(`${type}Tests`) ? "" : "there is no such type";
  const label = labels?.split(":")[0];
  if (!member && !label) return "";
  const word = member ? `(func|var|let|struct|enum|class|typealias)\\s+${member}\\b|\\bcase\\b[^\\n]*\\b${member}\\b` : `init[^\\n]*\\(\\s*${label}\\b`;
  return there.some((file) => new RegExp(word).test(sources.get(file))) ? "" : "it has no such member";
};

for (const document of speakingOfCode) {
  test(`${document} names only files, types and members that exist`, () => {
    const complaints = codeSpans(read(document))
      .map((span) => [span, complaint(span, document)]).filter(([, why]) => why).map((pair) => pair.join(": "));
    assert.deepEqual(complaints, []);
  });
}

test("docs/architecture.md draws the same imports as Package.swift declares, and draws each target above its imports", () => {
  const manifest = JSON.parse(execFileSync("swift", ["package", "dump-package"], { cwd: root, encoding: "utf8" }));
  const named = ({ name, path }) => path?.startsWith("Sources/Samples/") ? "samples" : name;
  const isDrawn = ({ type, path }) => type !== "test" && !/^(Tests|Benchmarks)\//.test(path ?? "");
  const groups = new Map(manifest.targets.map((target) => [target.name, named(target)]));
  /** @type {Map<string, Set<string>>} */
  const edges = new Map();
  for (const target of manifest.targets.filter(isDrawn)) {
    const from = named(target);
    if (!edges.has(from)) edges.set(from, new Set());
    for (const dependency of target.dependencies) {
      const to = groups.get((dependency.byName ?? dependency.target)[0]);
      if (to !== from) edges.get(from).add(to);
    }
  }
  const picture = blocks(read("docs/architecture.md")).find(({ code }) => code.includes("─▶"))?.code ?? "";
  const rows = picture.split("\n").filter((line) => line.trim()).map((line) => {
    const [name, list = ""] = line.replace(/ {2,}\S[^─▶]*$/, "").split("─▶");
    return [name.trim(), list.split(",").map((word) => word.trim()).filter(Boolean)];
  });
  const sorted = (map) => Object.fromEntries([...map].map(([name, list]) => [name, [...list].sort()]).sort());
  assert.deepEqual(sorted(rows), sorted(edges));
  rows.forEach(([name, list], place) => {
    const below = rows.slice(place + 1).map(([other]) => other);
    assert.deepEqual(list.filter((other) => !below.includes(other)), [], `${name} imports what is not below it`);
  });
});

test("docs/architecture.md lists each target", () => {
  const table = read("docs/architecture.md").split("## The modules")[1].split("\n## ")[0];
  const listed = [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  assert.deepEqual(listed.sort(), [...targets].sort());
});

test("each target has a README of 20 to 40 lines", () => {
  const lines = targets.map((name) => {
    const path = `Sources/${name}/README.md`;
    return [name, isThere(path) ? read(path).trimEnd().split("\n").length : 0];
  });
  assert.deepEqual(lines.filter(([, count]) => count < 20 || count > 40), []);
});

test("each C library is imported by one target, and only the targets that CONTRIBUTING.md names use unsafe code", () => {
  const importers = new Map(), unsafe = new Set();
  for (const [path, text] of sources) {
    const [top, target] = path.split("/");
    if (top !== "Sources") continue;
    for (const [, library] of text.matchAll(/^[a-z ]*import (C[A-Z]\w*)$/gm)) {
      if (isThere(`Sources/${library}/module.modulemap`)) importers.set(library, (importers.get(library) ?? new Set()).add(target));
    }
    if (/^[^/\n]*\bunsafe\b/m.test(text)) unsafe.add(target);
  }
  assert.deepEqual([...importers].filter(([, doors]) => doors.size > 1), []);
  const allowed = read("CONTRIBUTING.md").match(/`unsafe` only in ([^.]*)\./)[1].split(/,\s+|\s+and\s+/);
  assert.deepEqual([...unsafe].sort(), allowed.sort());
});

test("a test runs each example of the Swift client in the documents", () => {
  const tested = read("Clients/Swift/Tests/UsherClientTests/ServerTests.swift").replaceAll(/^ {8}/gm, "");
  for (const [path, counts] of [["README.md", [0, 1]], ["Clients/Swift/README.md", [1]]]) {
    const shown = blocks(read(path)).map(({ code }) => code).filter((code) => code.startsWith("import UsherClient"));
    assert.ok(counts.includes(shown.length), `${path} shows ${shown.length} blocks`);
    for (const code of shown) assert.ok(tested.includes(code.replace("import UsherClient", "").trim()), path);
  }
});

test("the Swift client imports only the toolchain's libraries", () => {
  const modules = ["Foundation", "FoundationNetworking", "Observation", "Synchronization", "SwiftUI", "UIKit"];
  for (const path of files.filter((name) => /^Clients\/Swift\/Sources\/.*\.swift$/.test(name))) {
    for (const [, name] of read(path).matchAll(/^ *(?:public )?import (\w+)$/gm)) assert.ok(modules.includes(name), `${path}: ${name}`);
  }
});

test("every document in docs/ is listed in docs/README.md", () => {
  const listed = links(read("docs/README.md")).map((link) => normalize(join("docs", link.split("#")[0])));
  const present = documents.filter((path) => /^docs\/[^/]+\.md$/.test(path) && path !== "docs/README.md");
  assert.deepEqual(present.filter((path) => !listed.includes(path)), []);
});

const lineCount = (path) => read(path).trimEnd().split("\n").length;

test("README.md has at most 130 lines", () => {
  assert.ok(lineCount("README.md") <= 130, `it has ${lineCount("README.md")}`);
});

test("CHANGELOG.md has at most 60 lines", () => {
  assert.ok(lineCount("CHANGELOG.md") <= 60, `it has ${lineCount("CHANGELOG.md")}`);
});

test("README.md, CHANGELOG.md and docs/*.md have at most 25,000 words", () => {
  // Counts runs of non-space characters, as wc -w does. Excludes the table of UIKit's members, which is for reference.
  const counts = documents.filter((path) => /^(README|CHANGELOG|docs\/[^/]+)\.md$/.test(path) && path !== "docs/uikit-parity.md")
    .map((path) => /** @type {const} */ ([path, read(path).match(/\S+/g)?.length ?? 0]));
  const total = counts.reduce((sum, [, count]) => sum + count, 0);
  assert.ok(total <= 25_000, `they have ${total}: ${counts.map((pair) => pair.join(" ")).join(", ")}`);
});
