// The programs of docs/hosting-a-component.md compile, and print what the page shows.
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { pino } from "pino";
import { ComponentDeclaration, ComponentRole } from "../gen/acms/v1/hosted_component.js";
import { createApp } from "./app.js";
import { compileFolder } from "./compiled-docs.fixture.js";
import { FAILURE_KINDS } from "./core/index.js";
import { startServer } from "./grpc/server.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const page = readFileSync(`${root}docs/hosting-a-component.md`, "utf8");
const files = new Map([...page.matchAll(/^```ts\n\/\/ (\S+)\n(.*?)^```$/gms)].map(([, name, code]) => [name!, code!]));
const shown = [...page.matchAll(/^```text\n(.*?)^```$/gms)].map(([, text]) => text!);

/** Writes the files as if their folder were the root of a clone, but for the address. */
function writeFiles(t: TestContext, name: string, address: string): string {
  const folder = `${root}.build/${name}-${process.pid}`;
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(folder, { recursive: true });
  for (const [file, code] of files) {
    const relocated = code.replace(/"\.\/(src|gen)\//g, '"../../$1/').replaceAll("127.0.0.1:50551", address);
    writeFileSync(`${folder}/${file}`, relocated);
  }
  return folder;
}

test("the example has its two programs", () => {
  assert.deepEqual([...files.keys()], ["host.ts", "ask.ts"]);
});

test("they compile under the project's own rules", async (t) => {
  const folder = writeFiles(t, "docs-hosting-compiled", "127.0.0.1:50551");
  assert.equal(await compileFolder(folder), "");
});

test("host and client print what the page shows, with the host and without it", async (t) => {
  const options = {
    host: "127.0.0.1",
    port: 0,
    maxReceiveBytes: 16 * 1_024 * 1_024,
    maxConcurrentCalls: 64,
    shutdownGraceMs: 1_000,
  };
  // A machine under load is no failure of the example.
  const app = createApp({ hosting: { stageTimeoutMs: 5_000 } });
  const server = await startServer(app, options, pino({ level: "silent" }));
  t.after(() => server.stop());
  const folder = writeFiles(t, "docs-hosting-run", server.address);
  const host = spawn(process.execPath, ["--import", "tsx", `${folder}/host.ts`], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const gone = once(host, "exit");
  t.after(async () => {
    host.kill("SIGKILL");
    await gone;
  });
  const { value: line } = await createInterface(host.stdout)[Symbol.asyncIterator]().next();
  assert.equal(line, "hosts touched_today");
  const ask = async (): Promise<string> => {
    const run = ["--import", "tsx", `${folder}/ask.ts`];
    return (await promisify(execFile)(process.execPath, run, { cwd: root, timeout: 60_000 })).stdout;
  };
  assert.equal(await ask(), shown[0]);
  host.kill("SIGTERM");
  await gone;
  assert.equal(await ask(), shown[1]);
});

test("the tables have every role and every field of a declaration, and the text every kind of failure", () => {
  const named = [...page.matchAll(/^\| `([A-Z_]+)` /gm)].map(([, name]) => name!);
  const roles = Object.keys(ComponentRole).filter(
    (name) => name.startsWith("COMPONENT_ROLE_") && !name.endsWith("UNSPECIFIED"),
  );
  assert.deepEqual(
    named.filter((name) => !["FAIL", "SKIP", "FALLBACK"].includes(name)).sort(),
    roles.map((name) => name.replace("COMPONENT_ROLE_", "")).sort(),
  );
  const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  for (const field of Object.keys(ComponentDeclaration.fromPartial({})))
    assert.ok(page.includes(`\`${snake(field)}\``), field);
  for (const kind of FAILURE_KINDS) assert.ok(page.includes(`\`${kind}\``), kind);
});
