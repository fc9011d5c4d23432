// For tests: a command that runs in this process, and what it wrote.
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { createCli } from "./cli.js";
import { type CliIo, runCommand } from "./io.js";
import { awaitStopSignal, type SignalSource } from "./stop-signal.js";

/** What a command left behind. */
export interface CapturedRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a command finds around it. */
export interface Surroundings {
  readonly stdin?: string;
  readonly env?: CliIo["env"];
  /** Columns of the terminal that the standard output is. Absent: it is none. */
  readonly columns?: number;
  /** What tells of signals. Absent: this process. */
  readonly signals?: SignalSource;
}

/** Runs `acms` with its arguments. */
export async function captureRun(args: readonly string[], surroundings: Surroundings = {}): Promise<CapturedRun> {
  const { stdin = "", env = {}, columns, signals = process } = surroundings;
  const stdout = Object.assign(new PassThrough(), columns === undefined ? {} : { isTTY: true, columns });
  const io = { stdin: new PassThrough(), stdout, stderr: new PassThrough(), env };
  const output = Promise.all([text(io.stdout), text(io.stderr)]);
  io.stdin.end(stdin);
  const code = await runCommand(
    createCli(io, () => awaitStopSignal(signals)),
    args,
    io,
  );
  io.stdout.end();
  io.stderr.end();
  const [written, faults] = await output;
  return { code, stdout: written, stderr: faults };
}
