// What README.md shows works: its fenced blocks with the word `run` are run as printed, against a server on a free port. What it and the other
// documents list is there.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { promisify } from "node:util";
import { settings } from "../src/config/schema.js";
import { builtInRegistry } from "../src/core/index.js";
import { startTestServer } from "../src/grpc/server.fixture.js";

const readme = readFileSync("README.md", "utf8");
const printedAddress = "127.0.0.1:50551";
const folder = ".build/readme";

test("the commands run as printed", async (t) => {
  assert.ok(existsSync("dist/src/cli/main.js"), "there is no build; make build makes one");
  const commands = await forServer(t, blocks("sh"));
  const printed = new Set(
    (await run(t, "bash", "-O", "expand_aliases", "-euo", "pipefail", "-c", commands)).split("\n"),
  );
  // Times differ from run to run, and what goes by the times of files from clone to clone.
  const varies = /^ {3}…$|^[A-C] {2}\w|^ {2}B {2}|^ {2}[A-C]=|^ {3}tokens {2}A|^They differ|[█·] [█·] /;
  const shown = [...readme.matchAll(/^```sh run\n[^`]*^```\n\n```text\n(.*?)^```$/gms)].map(([, text]) => text!);
  assert.ok(shown.length > 1);
  const lines = shown.flatMap((text) => text.split("\n")).filter((line) => !varies.test(line));
  assert.deepEqual(
    lines.filter((line) => !printed.has(line)),
    [],
  );
});

test("the snippet runs as printed and prints what stands below it", async (t) => {
  const snippet = await forServer(t, blocks("ts"));
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/snippet.ts`, snippet.replaceAll('"./gen/', '"../../gen/'));
  const printed = /^```ts run\n.*?^```\n\n```text\n(.*?)^```$/ms.exec(readme)?.[1];
  assert.equal(await run(t, process.execPath, "--import", "tsx", `${folder}/snippet.ts`), printed);
});

test("the settings stand in the table, with their defaults", () => {
  const rows = settings.map(
    ({ key, variable, fallback, meaning }) =>
      `| \`${key}\` | \`${variable}\` | ${fallback === "" ? "none" : `\`${fallback}\``} | ${meaning} |`,
  );
  const shown = readme.split("\n").map((line) => line.replace(/ +\|/g, " |"));
  assert.deepEqual(
    shown.filter((line) => line.includes("| `ACMS_")),
    rows,
  );
});

test("every call of the contract is named, and every built-in strategy and profile", () => {
  const protos = readdirSync("proto/acms/v1").map((name) => readFileSync(join("proto/acms/v1", name), "utf8"));
  const calls = protos.flatMap((text) => [...text.matchAll(/^(?:service| {2}rpc) (\w+)/gm)].map(([, name]) => name!));
  assert.ok(calls.length > 0);
  const names = [...calls, ...builtInRegistry().strategies().keys(), "direct", "fusion"];
  assert.deepEqual(
    names.filter((name) => !readme.includes(`\`${name}\``)),
    [],
  );
});

test("links lead to files and headings that exist", () => {
  const documents = readdirSync("docs", { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => join("docs", name));
  const broken = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", ...documents].flatMap((document) =>
    [...readFileSync(document, "utf8").matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)]
      .filter(([, path = "", heading]) => !leads(path === "" ? document : join(dirname(document), path), heading))
      .map(([link]) => `${document}: ${link}`),
  );
  assert.deepEqual(broken, []);
});

function leads(path: string, heading: string | undefined): boolean {
  if (heading === undefined || !existsSync(path)) return existsSync(path);
  const headings = [...readFileSync(path, "utf8").matchAll(/^#+ (.*)$/gm)].map(([, text]) => text!);
  return headings.some(
    (text) =>
      text
        .toLowerCase()
        .replace(/[^\w\- ]/g, "")
        .replaceAll(" ", "-") === heading,
  );
}

/** The text of all blocks of a language that are to be run. */
function blocks(language: string): string {
  const found = [...readme.matchAll(new RegExp(`^\`\`\`${language} run\\n(.*?)^\`\`\`$`, "gms"))];
  assert.ok(found.length > 0, `README.md has no block of ${language} to run`);
  return found.map(([, text]) => text).join("");
}

/** The text with the address of a server that runs until the test ends. */
async function forServer(t: TestContext, text: string): Promise<string> {
  const server = await startTestServer(t);
  return text.replaceAll(printedAddress, server.address);
}

async function run(t: TestContext, program: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(program, args, { signal: t.signal, timeout: 60_000 });
  return stdout;
}
