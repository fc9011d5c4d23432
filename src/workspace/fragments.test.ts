import assert from "node:assert/strict";
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { parseProtoJson, printProtoJson } from "../proto-json/index.js";
import { type FragmentOptions, fragmentsOf, fragmentsOfFolder } from "./fragments.js";

const modifiedAt = new Date("2026-01-31T12:00:00.500Z");
const allDepths: FragmentOptions = { name: "app", depths: [9, 0, 2] };

function fragmentsOfFiles(files: Record<string, string>, options: FragmentOptions = allDepths) {
  const content = Object.entries(files).map(([path, text]) => ({ path, text, modifiedAt }));
  return fragmentsOf({ files: content, skipped: [] }, options);
}

test("a file is one node with a variant for each depth, least first", () => {
  const { fragments } = fragmentsOfFiles({ "doc/a.md": "# A\ntext" });
  const shared = {
    ukoNode: "project://app/doc/a.md",
    createdAt: "2026-01-31T12:00:00.500Z",
    provenance: { resourceUri: "project://app/doc/a.md", resourceType: "file" },
  };
  assert.deepEqual(fragments, [
    { ...shared, fragmentId: "doc/a.md@0", content: "doc/a.md", tokenCount: 2, detailDepth: 0 },
    { ...shared, fragmentId: "doc/a.md@2", content: "# A", tokenCount: 1, detailDepth: 2 },
    { ...shared, fragmentId: "doc/a.md@9", content: "# A\ntext", tokenCount: 2, detailDepth: 9 },
  ]);
});

test("fragments are ProtoJSON of the contract", () => {
  const { fragments } = fragmentsOfFiles({ "a.ts": "const a = 1;", b: "b" }, { ...allDepths, query: "const" });
  for (const fragment of fragments) {
    const bytes = parseProtoJson("acms.v1.ContextFragment", JSON.stringify(fragment));
    assert.deepEqual(printProtoJson("acms.v1.ContextFragment", bytes), fragment);
  }
});

test("variants share the relevance of their file", () => {
  const { fragments } = fragmentsOfFiles({ a: "fox", b: "dog" }, { ...allDepths, query: "fox" });
  assert.deepEqual(
    fragments.map(({ relevanceScore }) => relevanceScore),
    [1, 1, 1, 0, 0, 0],
  );
});

test("variants without text are left out", () => {
  const { fragments } = fragmentsOfFiles({ empty: "", "plain.ts": "run();" });
  assert.deepEqual(
    fragments.map(({ fragmentId }) => fragmentId),
    ["empty@0", "plain.ts@0", "plain.ts@9"],
  );
});

test("ids have at most 128 characters, and stay apart", () => {
  const long = (start: string) => `${start}/${"🦊".repeat(200)}`;
  const paths = ["x".repeat(126), "x".repeat(127), long("a"), long("b")];
  const { fragments } = fragmentsOfFiles(Object.fromEntries(paths.map((path) => [path, "text"])), {
    name: "app",
    depths: [0],
  });
  const ids = fragments.map(({ fragmentId }) => fragmentId);
  assert.equal(ids[0], `${paths[0]}@0`);
  assert.deepEqual(
    ids.map((id) => Array.from(id).length),
    [128, 128, 128, 128],
  );
  assert.match(ids[2] ?? "", /^[0-9a-f]{16}~🦊+@0$/u);
  assert.equal(new Set(ids).size, 4);
});

test("a node that would be too long is skipped", () => {
  const longest = "x".repeat(2048 - "project://app/".length);
  const { fragments, skipped } = fragmentsOfFiles(
    { [longest]: "a", [`${longest}x`]: "a" },
    { name: "app", depths: [9] },
  );
  assert.equal(fragments.length, 1);
  assert.deepEqual(skipped, [{ path: `${longest}x`, reason: "name too long" }]);
});

function folderInOrder(t: TestContext, names: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), "acms-fragments-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of names) {
    writeFileSync(join(folder, name), `export const ${name} = "fox ${name}";`);
    utimesSync(join(folder, name), modifiedAt, modifiedAt);
  }
  return folder;
}

test("the same files give the same fragments, in whatever order they were made", (t) => {
  const names = Array.from({ length: 40 }, (_, index) => `f${(index * 17) % 40}`);
  const options = { ...allDepths, query: "fox f7" };
  assert.deepEqual(
    fragmentsOfFolder(folderInOrder(t, names), options),
    fragmentsOfFolder(folderInOrder(t, [...names].reverse()), options),
  );
});
