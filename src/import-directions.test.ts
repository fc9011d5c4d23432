/** Who may know whom: the core knows nobody, the wire stays at the edge, and no two folders know each other. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix, relative, sep } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

interface Import {
  /** Path from the root of the project. */
  readonly from: string;
  /** The same of the imported file, or a package's name. */
  readonly to: string;
}

function sourcesUnder(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) =>
      relative(root, join(entry.parentPath ?? entry.path, entry.name))
        .split(sep)
        .join("/"),
    );
}

const IMPORTS = [/\bfrom\s+"([^"]+)"/g, /\bimport\s+"([^"]+)"/g, /\bimport\(\s*"([^"]+)"/g];

function importsOf(from: string): Import[] {
  const text = readFileSync(join(root, from), "utf8");
  const names = IMPORTS.flatMap((pattern) => [...text.matchAll(pattern)].map(([, name]) => name!));
  return names.map((name) => {
    const to = name.startsWith(".") ? posix.join(posix.dirname(from), name).replace(/\.js$/, ".ts") : name;
    return { from, to };
  });
}

const isTest = (path: string): boolean => /\.(test|fixture)\.ts$/.test(path);
const imports = sourcesUnder("src").flatMap(importsOf);
const productImports = imports.filter(({ from }) => !isTest(from));

const shown = (list: readonly Import[]): string[] => list.map(({ from, to }) => `${from} imports ${to}`);

test("the imports are found", () => {
  assert.ok(productImports.length > 100, `${productImports.length} imports`);
  assert.ok(productImports.some(({ to }) => to === "@grpc/grpc-js"));
});

test("the core imports only itself, zod and node:crypto", () => {
  const wrong = productImports.filter(({ from, to }) => {
    return from.startsWith("src/core/") && !to.startsWith("src/core/") && to !== "zod" && to !== "node:crypto";
  });
  assert.deepEqual(shown(wrong), []);
});

test("the core has no console, no process, no clock and no chance", () => {
  const forbidden =
    /\bconsole\.|\bprocess\.|\bDate\.now\b|\bnew Date\b|\bMath\.random\b|\bperformance\.now\b|\bset(?:Timeout|Immediate)\b/;
  const wrong = sourcesUnder("src/core").filter((path) => {
    return !isTest(path) && forbidden.test(readFileSync(join(root, path), "utf8"));
  });
  assert.deepEqual(wrong, []);
});

test("the tests of the core need nothing of the edges", () => {
  const allowed = ["zod", "node:crypto", "node:test", "node:assert/strict", "fast-check", "highs"];
  const wrong = imports.filter(({ from, to }) => {
    return from.startsWith("src/core/") && !to.startsWith("src/core/") && !allowed.includes(to);
  });
  assert.deepEqual(shown(wrong), []);
});

test("no product source imports a test or what is made for tests", () => {
  const wrong = productImports.filter(
    ({ to }) => isTest(to) || ["fast-check", "highs"].includes(to) || to.startsWith("node:test"),
  );
  assert.deepEqual(shown(wrong), []);
});

test("generated code is imported at the edges alone", () => {
  const edges = ["src/grpc/", "src/hosting/", "src/cli/", "src/proto-json/"];
  const wrong = productImports.filter(({ from, to }) => {
    return to.startsWith("gen/") && !edges.some((edge) => from.startsWith(edge));
  });
  assert.deepEqual(shown(wrong), []);
});

test("outsiders import the core by its index alone", () => {
  const wrong = productImports.filter(({ from, to }) => {
    return !from.startsWith("src/core/") && to.startsWith("src/core/") && to !== "src/core/index.ts";
  });
  assert.deepEqual(shown(wrong), []);
});

/** Every way from a node along its arrows back to itself; one for each node that is on one. */
function cyclesOf(arrows: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const cycles: string[] = [];
  for (const start of arrows.keys()) {
    const ways = [[start]];
    const seen = new Set<string>();
    for (let way = ways.pop(); way !== undefined; way = ways.pop()) {
      for (const next of arrows.get(way.at(-1)!) ?? []) {
        if (next === start) {
          cycles.push([...way, start].join(" > "));
          ways.length = 0;
          break;
        }
        if (!seen.has(next)) ways.push([...way, next]);
        seen.add(next);
      }
    }
  }
  return cycles;
}

function arrowsBetween(list: readonly Import[], nodeOf: (path: string) => string): Map<string, Set<string>> {
  const arrows = new Map<string, Set<string>>();
  for (const { from, to } of list) {
    const [a, b] = [nodeOf(from), nodeOf(to)];
    if (a !== b) arrows.set(a, (arrows.get(a) ?? new Set()).add(b));
  }
  return arrows;
}

const within = (folder: string) =>
  productImports.filter(({ from, to }) => from.startsWith(folder) && to.startsWith(folder));

/** The folder or the file directly under another folder. */
const childOf = (folder: string) => (path: string) => path.slice(folder.length).split("/")[0]!;

test("a cycle is found where there is one", () => {
  const arrows = new Map([
    ["a", new Set(["b"])],
    ["b", new Set(["c"])],
    ["c", new Set(["b"])],
  ]);
  assert.deepEqual(cyclesOf(arrows), ["b > c > b", "c > b > c"]);
});

test("the folders of src do not know each other in a circle", () => {
  assert.deepEqual(cyclesOf(arrowsBetween(within("src/"), childOf("src/"))), []);
});

test("the folders of the core do not know each other in a circle", () => {
  const isFolder = (path: string) => path.slice("src/core/".length).includes("/");
  const betweenFolders = within("src/core/").filter(({ from, to }) => isFolder(from) && isFolder(to));
  assert.deepEqual(
    cyclesOf(arrowsBetween(betweenFolders, (path) => dirname(path).split("/").slice(0, 3).join("/"))),
    [],
  );
});

/** What is imported for its types alone is gone at run time. */
function runtimeImportsOf(from: string): Import[] {
  const text = readFileSync(join(root, from), "utf8").replace(/\b(?:import|export) type\s[^;]*;/g, "");
  return [...text.matchAll(/\b(?:import|export)\s[^;]*?from\s+"(\.[^"]+)"/g)].map(([, name]) => {
    return { from, to: posix.join(posix.dirname(from), name!).replace(/\.js$/, ".ts") };
  });
}

test("no files of the product load each other in a circle", () => {
  const runtime = sourcesUnder("src")
    .filter((path) => !isTest(path))
    .flatMap(runtimeImportsOf);
  assert.deepEqual(cyclesOf(arrowsBetween(runtime, (path) => path)), []);
});
