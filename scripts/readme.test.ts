// What README.md shows works: its fenced blocks with the word `run` are run as printed, against a server on a free port.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { promisify } from "node:util";
import { settings } from "../src/config/schema.js";
import { startTestServer } from "../src/grpc/server.fixture.js";

const readme = readFileSync("README.md", "utf8");
const printedAddress = "127.0.0.1:50551";
const folder = ".build/readme";

test("the commands run as printed", async (t) => {
  assert.ok(existsSync("dist/src/cli/main.js"), "there is no build; make build makes one");
  const commands = await forServer(t, blocks("sh"));
  await run(t, "bash", "-O", "expand_aliases", "-euo", "pipefail", "-c", commands);
});

test("the snippet runs as printed", async (t) => {
  const snippet = await forServer(t, blocks("ts"));
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/snippet.ts`, snippet.replaceAll('"./gen/', '"../../gen/'));
  assert.match(await run(t, process.execPath, "--import", "tsx", `${folder}/snippet.ts`), /\S/);
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
