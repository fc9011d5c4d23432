// For tests: a process that registers as fast as it can and says what was acknowledged, until it is killed.
import { writeSync } from "node:fs";
import fs, { type FileHandle, open } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import type { Fate } from "./child.fixture.js";
import { openRegistrations, type Registrations } from "./index.js";
import { bytes } from "./temporary-folder.fixture.js";

const IN_FLIGHT = 8;

const [folder = "", prefix = "", fate = "none"] = process.argv.slice(2);

function say(line: string): void {
  writeSync(1, `${line}\n`);
}

function die(): never {
  process.kill(process.pid, "SIGKILL");
  throw new Error("lives on");
}

type WriteAt = (buffer: Buffer, offset: number, length: number, place: number) => Promise<unknown>;

/** Ends the process at a place in the next rewriting. */
async function arrange(at: Fate): Promise<void> {
  const probe = await open(new URL(import.meta.url));
  const prototype = Object.getPrototypeOf(probe) as FileHandle;
  await probe.close();
  const write = prototype.write as WriteAt;
  const { rename } = fs;
  if (at === "half-written") {
    let isNew = false;
    prototype.write = async function (this: FileHandle, ...[buffer, offset, length, place]: Parameters<WriteAt>) {
      if (isNew) {
        await write.call(this, buffer, offset, length >> 1, place);
        die();
      }
      // Only a file that is written anew begins at its beginning.
      isNew = place === 0;
      return write.call(this, buffer, offset, length, place);
    } as WriteAt as FileHandle["write"];
  }
  if (at === "before-sync") prototype.sync = async () => die();
  if (at === "before-rename" || at === "after-rename") {
    fs.rename = async (from, to) => {
      if (at === "after-rename") await rename(from, to);
      die();
    };
    syncBuiltinESMExports();
  }
}

async function register(registrations: Registrations): Promise<void> {
  for (let i = 0; ; i++) {
    const names = Array.from({ length: IN_FLIGHT }, (_, k) => `${prefix}-${i * IN_FLIGHT + k}`);
    const changes = names.map(async (name) => {
      await registrations.put("kept", name, bytes(`value of ${name}`));
      say(name);
    });
    // Of no use a moment later, so that the file is rewritten again and again.
    const other = registrations.put("other", "same", new Uint8Array(2_000).fill(i));
    await Promise.all([...changes, other]);
  }
}

say("ready");
process.stdin.once("data", async () => {
  try {
    const options = { maxPerNamespace: 1_000_000, rewriteAboveBytes: fate === "full" ? 1_000_000 : 8_000 };
    const registrations = await openRegistrations(folder, options);
    say("open");
    if (fate !== "none" && fate !== "full") await arrange(fate as Fate);
    await register(registrations);
  } catch (error) {
    say(`error: ${(error as Error).message}`);
    process.exit(3);
  }
});
