// The example of docs/writing-a-component.md compiles, and prints what the page shows.
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { compileFolder } from "./compiled-docs.fixture.js";
import { builtInRegistry, STAGES } from "./core/index.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const page = readFileSync(`${root}docs/writing-a-component.md`, "utf8");
const files = new Map([...page.matchAll(/^```ts\n\/\/ (\S+)\n(.*?)^```$/gms)].map(([, name, code]) => [name!, code!]));
const [, shown] = /^```text\n(.*?)^```$/ms.exec(page) ?? [];

const printedAddress = "127.0.0.1:50551";

/** Writes the files as if their folder were the root of a clone, but for the port. */
function writeFiles(t: TestContext, name: string): string {
  const folder = `${root}.build/${name}-${process.pid}`;
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(folder, { recursive: true });
  for (const [file, code] of files) writeFileSync(`${folder}/${file}`, relocated(code));
  return folder;
}

function relocated(code: string): string {
  return code.replace(/"\.\/(src|gen)\//g, '"../../$1/').replace("port: 50551", "port: 0");
}

test("the example has its five files", () => {
  assert.deepEqual([...files.keys()], ["mentions.ts", "trusted.ts", "oldest-first.ts", "serve.ts", "ask.ts"]);
});

test("it compiles under the project's own rules", async (t) => {
  const folder = writeFiles(t, "docs-compiled");
  assert.equal(await compileFolder(folder), "");
});

test("a server that is made of it answers its client as the page shows", async (t) => {
  const folder = writeFiles(t, "docs-run");
  const server = spawn(process.execPath, ["--import", "tsx", `${folder}/serve.ts`], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const gone = once(server, "exit");
  t.after(async () => {
    server.kill();
    await gone;
  });
  const log = text(server.stderr);
  const { done, value: line = "" } = await createInterface(server.stdout)[Symbol.asyncIterator]().next();
  const address = /^listens on (\S+)$/.exec(line)?.[1];
  assert.ok(address, done ? await log : line);
  const ask = async (without: string): Promise<string> => {
    const code = files.get("ask.ts")!.replace(printedAddress, address).replace(without, "");
    writeFileSync(`${folder}/ask.ts`, relocated(code));
    const run = ["--import", "tsx", `${folder}/ask.ts`];
    return (await promisify(execFile)(process.execPath, run, { cwd: root, timeout: 60_000 })).stdout;
  };
  assert.equal(await ask(""), shown);
  assert.match(await ask(', scorer: "trusted"'), /^(?=.*forum)(?!.*steps)/);
  assert.match(await ask(', orderer: "oldest_first"'), /^parser, steps\n/);
});

test("the table of contracts has every role, and the page names only calls that there are", () => {
  const roles = [...page.matchAll(/^\| `(\w+)` +\| `(\w+)` +\|/gm)];
  assert.deepEqual(
    roles.map(([, role]) => role),
    STAGES.slice(),
  );
  const registry = builtInRegistry();
  for (const [, role, verb] of roles) {
    const stage = STAGES.find((one) => one === role)!;
    const component = registry.component(stage, registry.profile("fusion").components[stage], {});
    assert.equal(typeof Reflect.get(component, verb!), "function", role);
  }
});
