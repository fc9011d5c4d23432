import assert from "node:assert/strict";
import { test } from "node:test";
import { outline } from "./outline.js";

function check(path: string, text: string, lines: readonly string[]): void {
  assert.deepEqual(outline(path, text).split("\n"), lines);
}

test("Markdown: the headings, but none inside fences", () => {
  check("a.md", "# One\ntext\n```sh\n# comment\n```\n\n## Two\n~~~~\n# no\n~~~\n# no\n~~~~\n#tag\n### Three\r\n", [
    "# One",
    "## Two",
    "### Three",
  ]);
});

test("TypeScript: top-level declarations without their bodies", () => {
  check(
    "a.ts",
    [
      'import { x } from "y";',
      "// const no = 1",
      "export const limit = 5;",
      "export async function run(a: string): Promise<void> {",
      "  const inner = 1;",
      "}",
      "abstract class A extends B {",
      "type T =",
      "  | 1;",
      'export { a } from "./a.js";',
      "export default run;",
      "const list = [",
      "constant();",
    ].join("\n"),
    [
      "export const limit = 5;",
      "export async function run(a: string): Promise<void>",
      "abstract class A extends B",
      "type T",
      'export { a } from "./a.js";',
      "export default run;",
      "const list",
    ],
  );
});

test("Python", () => {
  check(
    "a.py",
    "import x\nLIMIT: int = 3\nclass A(B):\n    def m(self):\n        pass\n\nasync def f(a):\n    pass\nx = 1\n",
    ["LIMIT: int = 3", "class A(B)", "async def f(a)"],
  );
});

test("Go", () => {
  check(
    "a.go",
    'package main\n\nimport "fmt"\n\nfunc (s *S) Run() error {\n\tvar x int\n}\ntype S struct {\n}\nvar (\n',
    ["package main", "func (s *S) Run() error", "type S struct", "var"],
  );
});

test("Rust", () => {
  check(
    "a.rs",
    "use x;\npub(crate) async fn go() -> u8 {\n    let y = 1;\n}\nimpl T for S {\nmacro_rules! m {\nstructure();\n",
    ["pub(crate) async fn go() -> u8", "impl T for S", "macro_rules! m"],
  );
});

test("Java", () => {
  check(
    "A.java",
    "package a.b;\nimport c;\n\npublic final class A extends B {\n  public void m() {\n  }\n}\nrecord R(int a) {\n",
    ["package a.b;", "public final class A extends B", "record R(int a)"],
  );
});

test("C", () => {
  check(
    "a.c",
    "#include <x.h>\n#define MAX 3\nstatic int run(char *a,\n               int b)\n{\n  if (a) {\n}\nstruct s {\nint x;\n",
    ["#define MAX 3", "static int run(char *a,", "struct s"],
  );
});

test("proto", () => {
  check(
    "a.proto",
    'syntax = "proto3";\npackage a.v1;\nmessage M {\n  int32 a = 1;\n}\nservice S {\n  rpc Do(M) returns (M) {}\n',
    ["package a.v1;", "message M", "service S", "  rpc Do(M) returns (M)"],
  );
});

test("shell", () => {
  check("a.sh", "#!/bin/sh\nset -e\nrun() {\n  echo\n}\nfunction stop {\n", ["run()", "function stop"]);
});

test("anything else: the first lines that are not indented and say something", () => {
  check("a.yaml", "name: x\n  inner: y\n---\n\njobs:\n", ["name: x", "jobs:"]);
  assert.equal(
    outline("Makefile", Array.from({ length: 99 }, (_, index) => `t${index}:`).join("\n")).split("\n").length,
    20,
  );
});

test("a text without anything that stands out has no outline", () => {
  assert.equal(outline("a.json", '{\n  "a": 1\n}\n'), "");
  assert.equal(outline("a.ts", ""), "");
});

test("lines of megabytes are cut before they are looked at", () => {
  const text = `export const a = ${" ".repeat(900_000)}🦊`;
  assert.equal(Array.from(outline("a.ts", text)).length, 201);
  assert.equal(outline("a.txt", "𝒜".repeat(500_000)), `${"𝒜".repeat(200)}…`);
});
