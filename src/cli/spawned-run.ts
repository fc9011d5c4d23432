// For tests: `acms` as a process of its own.
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

const main = fileURLToPath(new URL("./main.ts", import.meta.url));

/** A process with its three streams. */
export type Spawned = ChildProcessByStdio<Writable, Readable, Readable>;

/** Starts `acms` from source. */
export function spawnAcms(args: readonly string[], env: Readonly<Record<string, string>> = {}): Spawned {
  return spawn(process.execPath, ["--import", "tsx", main, ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
}

/** A server in a process of its own. */
export interface SpawnedServer {
  readonly process: Spawned;
  readonly address: string;
  /** The next line that it writes to its standard output; fails where it has ended. */
  nextLine(): Promise<string>;
  /** Its exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals>;
}

/** Starts `acms serve` on a free port and waits until it says that it listens. */
export async function spawnServer(...args: string[]): Promise<SpawnedServer> {
  const server = spawnAcms(["serve", "--port", "0", ...args]);
  const ended = once(server, "exit").then(([code, signal]) => code ?? signal);
  // Unread, its log would fill the pipe and hold it up.
  const log = text(server.stderr).catch(() => "(closed by the test)");
  const lines = createInterface(server.stdout)[Symbol.asyncIterator]();
  const nextLine = async (): Promise<string> => {
    const { done, value } = await lines.next();
    if (done) throw new Error(`acms serve has ended; its log:\n${await log}`);
    return value;
  };
  const address = /^acms listens on (\S+)$/.exec(await nextLine())?.[1];
  if (address === undefined) throw new Error("acms serve did not say where it listens");
  return { process: server, address, nextLine, ended };
}
