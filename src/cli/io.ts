import type { Readable, Writable } from "node:stream";
import { getSystemErrorMap } from "node:util";
import { Command, CommanderError } from "commander";
import { printable } from "./printable.js";

/** All that a command may touch of the process it runs in, so that a test can run it with its own. */
export interface CliIo {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The exit codes of `acms`. */
export const exitCodes = { success: 0, refused: 1, wrongUse: 2, nothingFits: 3 } as const;

/** Ends a command on purpose: its lines go to stderr (none: nothing), and the process ends with the code. */
export class ExitError extends Error {
  readonly code: number;
  /** The message, a line each. A break within one is not ours, and is spelled out as everything that steers a terminal. */
  readonly lines: readonly string[];

  constructor(code: number, lines: string | readonly string[] = []) {
    const all = typeof lines === "string" ? [lines] : lines;
    super(all.join("\n"));
    this.name = "ExitError";
    this.code = code;
    this.lines = all;
  }
}

/**
 * The one door to the standard error for what people read. Arguments, files and servers have a say in it, so that every line is written
 * with all that would steer a terminal spelled out.
 */
export function tell(io: Pick<CliIo, "stderr">, lines: readonly string[]): void {
  if (lines.length > 0) io.stderr.write(lines.map((line) => `${printable(line)}\n`).join(""));
}

/** Help that commands have for the standard output, until the command is at its end and may wait for the stream. */
const helpTexts = new WeakMap<CliIo, string>();

/** A command that writes its help and faults to the given streams, never ends the process, and fails with exit code 2 on wrong use. */
export function createCommand(io: CliIo, name: string): Command {
  return new Command(name)
    .configureOutput({
      writeOut: (text) => void helpTexts.set(io, (helpTexts.get(io) ?? "") + text),
      writeErr: (text) => io.stderr.write(text),
      outputError: (text) => tell(io, linesOfFault(text)),
    })
    .exitOverride((error) => {
      throw error.exitCode === 0 ? error : new CommanderError(exitCodes.wrongUse, error.code, error.message);
    });
}

/** The library quotes what was given as it is, and breaks a line before a suggestion alone, which ends as no quote does. */
function linesOfFault(text: string): string[] {
  const [, fault = "", suggestion] = /^(.*?)(?:\n(\(Did you mean [^\n]*\?\)))?\n?$/s.exec(text) ?? [];
  return suggestion === undefined ? [fault] : [fault, suggestion];
}

/**
 * Runs a command with its arguments, and gives the exit code. What the operating system refuses is told in a line, as wrong use; what else
 * no command threw on purpose is rethrown.
 *
 * @param args the arguments alone, without node and script
 */
export async function runCommand(command: Command, args: readonly string[], io: CliIo): Promise<number> {
  // Where nobody can be told, the exit code remains; and a reader of its log that leaves must not take a server with it.
  io.stderr.on("error", ignore);
  try {
    await command.parseAsync(args, { from: "user" });
    return exitCodes.success;
  } catch (error) {
    return await endWith(error, io);
  }
}

async function endWith(error: unknown, io: CliIo): Promise<number> {
  if (error instanceof CommanderError) {
    const help = helpTexts.get(io);
    helpTexts.delete(io);
    try {
      if (help !== undefined) await writeText(io.stdout, help);
    } catch (fault) {
      return await endWith(fault, io);
    }
    return error.exitCode;
  }
  const exit = isSystemError(error) ? new ExitError(exitCodes.wrongUse, `error: ${error.message}`) : error;
  if (!(exit instanceof ExitError)) throw error;
  tell(io, exit.lines);
  return exit.code;
}

/** An error of the operating system, such as a file that may not be read. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException & { readonly errno: number } {
  return error instanceof Error && "errno" in error && typeof error.errno === "number" && "syscall" in error;
}

/** What the operating system says of its error, without what it was about. */
export function systemWords(error: NodeJS.ErrnoException & { readonly errno: number }): string {
  return getSystemErrorMap().get(error.errno)?.[1] ?? error.message;
}

/**
 * Writes lines as fast as the reader takes them. A reader that has left, such as `head`, wants no more lines: that is no error.
 *
 * @returns false where the reader has left
 * @throws ExitError where the stream takes no more, such as a file on a full disk
 */
export function writeLines(out: Writable, lines: Iterable<string>): Promise<boolean> {
  return writeTexts(out, withBreaks(lines));
}

/** Writes a text to the last character and nothing after it, in the way of `writeLines`. */
export function writeText(out: Writable, text: string): Promise<boolean> {
  return writeTexts(out, [text]);
}

function* withBreaks(lines: Iterable<string>): Iterable<string> {
  for (const line of lines) {
    yield `${line}\n`;
  }
}

async function writeTexts(out: Writable, texts: Iterable<string>): Promise<boolean> {
  // The stream reports a fault to the write and again as an event, which ends the process where nobody listens.
  out.on("error", ignore);
  try {
    for (const text of texts) {
      await write(out, text);
    }
  } catch (error) {
    if (isClosedPipe(error)) return false;
    const name = (out as { fd?: unknown }).fd === 2 ? "standard error" : "standard output";
    const why = isSystemError(error) ? systemWords(error) : error instanceof Error ? error.message : String(error);
    throw new ExitError(exitCodes.wrongUse, `error: cannot write the ${name}: ${why}`);
  }
  out.off("error", ignore);
  return true;
}

function ignore(): void {}

function write(out: Writable, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    out.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

function isClosedPipe(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return code === "EPIPE" || code === "ERR_STREAM_DESTROYED";
}
