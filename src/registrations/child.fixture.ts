// For tests: the other process.
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import ts from "typescript";

/** How the process ends: not by itself, in the middle of rewriting the file, or with a file that may not grow beyond 64 KiB. */
export type Fate = "none" | "half-written" | "before-sync" | "before-rename" | "after-rename" | "full";

/** A process that waits for a line on its input, and then registers as fast as it can. */
export interface Child {
  readonly process: ChildProcessByStdio<Writable, Readable, null>;
  readonly lines: AsyncIterator<string>;
  /** Every line so far: the names of what was acknowledged, and errors. */
  readonly said: readonly string[];
  /** Its exit code, or the signal that ended it, once all of its lines are there. */
  readonly ended: Promise<number | NodeJS.Signals>;
}

let compiled: string | undefined;

/** This folder as JavaScript: a process that has to compile it takes ten times as long to start. */
function compile(): string {
  if (compiled !== undefined) return compiled;
  const from = fileURLToPath(new URL(".", import.meta.url));
  const to = mkdtempSync(join(tmpdir(), "acms-registrations-js-"));
  process.once("exit", () => rmSync(to, { recursive: true, force: true }));
  writeFileSync(join(to, "package.json"), '{"type": "module"}');
  const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 };
  for (const name of readdirSync(from).filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))) {
    const { outputText } = ts.transpileModule(readFileSync(join(from, name), "utf8"), { compilerOptions });
    writeFileSync(join(to, name.replace(/ts$/, "js")), outputText);
  }
  compiled = to;
  return to;
}

/** Starts the process; it ends with the test at the latest. */
export function spawnChild(t: TestContext, folder: string, prefix: string, fate: Fate = "none"): Child {
  const script = join(compile(), "registering.fixture.js");
  const limit = fate === "full" ? "ulimit -f 64; " : "";
  const child = spawn("/bin/sh", ["-c", `${limit}exec "$0" "$@"`, process.execPath, script, folder, prefix, fate], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  t.after(() => child.kill("SIGKILL"));
  child.stdin.on("error", () => {}); // Who was killed reads no more.
  const reader = createInterface(child.stdout);
  const said: string[] = [];
  reader.on("line", (line) => said.push(line));
  const closed = once(reader, "close");
  const ended = once(child, "exit").then(async ([code, signal]) => {
    await closed;
    return code ?? signal;
  });
  return { process: child, lines: reader[Symbol.asyncIterator](), said, ended };
}
