import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { readFolder } from "./read-folder.js";

function folderWith(t: TestContext, files: Record<string, string | Uint8Array>): string {
  const folder = mkdtempSync(join(tmpdir(), "acms-folder-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

function paths(files: readonly { readonly path: string }[]): string[] {
  return files.map(({ path }) => path);
}

test("files come by the UTF-8 bytes of their paths", (t) => {
  const folder = folderWith(t, { "b/z": "", "b-a": "", "a.txt": "", Z: "", "b/a": "", "\u{1f98a}": "", "\uff41": "" });
  assert.deepEqual(paths(readFolder(folder).files), ["Z", "a.txt", "b-a", "b/a", "b/z", "\uff41", "\u{1f98a}"]);
});

test("text comes without its byte order mark, and empty files are files", (t) => {
  const folder = folderWith(t, { bom: "\ufefftext", empty: "" });
  assert.deepEqual(
    readFolder(folder).files.map(({ text }) => text),
    ["text", ""],
  );
});

test("binary files are skipped", (t) => {
  const folder = folderWith(t, { nul: "a\0b", latin1: Uint8Array.of(0x63, 0x61, 0x66, 0xe9), text: "café" });
  const { files, skipped } = readFolder(folder);
  assert.deepEqual(paths(files), ["text"]);
  assert.deepEqual(skipped, [
    { path: "latin1", reason: "binary" },
    { path: "nul", reason: "binary" },
  ]);
});

test("a file may have a million characters, counted as code points", (t) => {
  const folder = folderWith(t, {
    full: "🦊".repeat(1_000_000),
    over: `${"🦊".repeat(999_999)}ab`,
    "far-over": "a".repeat(4_000_001),
  });
  const { files, skipped } = readFolder(folder);
  assert.deepEqual(paths(files), ["full"]);
  assert.deepEqual(skipped, [
    { path: "far-over", reason: "too long" },
    { path: "over", reason: "too long" },
  ]);
});

test("links are not followed", (t) => {
  const folder = folderWith(t, { "inside/a": "a" });
  symlinkSync(tmpdir(), join(folder, "outside"));
  symlinkSync(folder, join(folder, "inside", "loop"));
  symlinkSync("nowhere", join(folder, "broken"));
  const { files, skipped } = readFolder(folder);
  assert.deepEqual(paths(files), ["inside/a"]);
  assert.deepEqual(paths(skipped), ["broken", "inside/loop", "outside"]);
});

test(".git is left out at every level", (t) => {
  const folder = folderWith(t, { ".git/config": "", "module/.git": "gitdir: x", "module/a": "", ".github/a.yml": "" });
  assert.deepEqual(paths(readFolder(folder).files), [".github/a.yml", "module/a"]);
});

test("each .gitignore rules below its folder, and the innermost decides", (t) => {
  const folder = folderWith(t, {
    ".gitignore": "\ufeff*.log\r\n/build/\ncache/\n*.tmp\n",
    "a.log": "",
    "build/out": "",
    "a/build/kept": "",
    "a/.gitignore": "!keep.log\n*.txt\n!cache/\n",
    "a/keep.log": "",
    "a/other.log": "",
    "a/b/x.txt": "",
    "a/b/.gitignore": "!x.txt\n",
    "a/cache/back": "",
    "a/cache/back.tmp": "",
    "b/cache/gone": "",
    "x.txt": "",
    "X.LOG": "",
  });
  assert.deepEqual(paths(readFolder(folder).files), [
    ".gitignore",
    "X.LOG",
    "a/.gitignore",
    "a/b/.gitignore",
    "a/b/x.txt",
    "a/build/kept",
    "a/cache/back",
    "a/keep.log",
    "x.txt",
  ]);
});

test("a part of a repository obeys the rules of the whole", (t) => {
  const folder = folderWith(t, {
    ".git/HEAD": "",
    ".gitignore": "/part/secret\nignored/\n",
    "part/secret": "",
    "part/open": "",
    "ignored/part/seen": "",
  });
  assert.deepEqual(paths(readFolder(join(folder, "part")).files), ["open"]);
  assert.deepEqual(paths(readFolder(join(folder, "ignored", "part")).files), ["seen"], "named, so wanted");
});

test("a .gitignore above that belongs to no repository has no say", (t) => {
  const folder = folderWith(t, { ".gitignore": "*\n", "part/open": "" });
  assert.deepEqual(paths(readFolder(join(folder, "part")).files), ["open"]);
});
