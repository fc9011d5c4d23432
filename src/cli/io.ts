import type { Readable, Writable } from "node:stream";
import { Command, CommanderError } from "commander";

/** All that a command may touch of the process it runs in, so that a test can run it with its own. */
export interface CliIo {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The exit codes of `acms`. */
export const exitCodes = { success: 0, refused: 1, wrongUse: 2, nothingFits: 3 } as const;

/** Ends a command on purpose: the message goes to stderr as it is (none: nothing), and the process ends with the code. */
export class ExitError extends Error {
  readonly code: number;

  constructor(code: number, message = "") {
    super(message);
    this.name = "ExitError";
    this.code = code;
  }
}

/** A command that writes its help and faults to the given streams, never ends the process, and fails with exit code 2 on wrong use. */
export function createCommand(io: CliIo, name: string): Command {
  return new Command(name)
    .configureOutput({ writeOut: (text) => void writeText(io.stdout, text), writeErr: (text) => io.stderr.write(text) })
    .exitOverride((error) => {
      throw error.exitCode === 0 ? error : new CommanderError(exitCodes.wrongUse, error.code, error.message);
    });
}

/**
 * Runs a command with its arguments, and gives the exit code. What no command threw on purpose is rethrown.
 *
 * @param args the arguments alone, without node and script
 */
export async function runCommand(command: Command, args: readonly string[], io: CliIo): Promise<number> {
  try {
    await command.parseAsync(args, { from: "user" });
    return exitCodes.success;
  } catch (error) {
    if (error instanceof CommanderError) {
      // Commander has written its message already.
      return error.exitCode;
    }
    if (error instanceof ExitError) {
      if (error.message !== "") {
        io.stderr.write(`${error.message}\n`);
      }
      return error.code;
    }
    throw error;
  }
}

/**
 * Writes lines as fast as the reader takes them. A reader that has left, such as `head`, wants no more lines: that is no error.
 *
 * @returns false where the reader has left
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
  const ignore = () => {};
  out.on("error", ignore);
  try {
    for (const text of texts) {
      await write(out, text);
    }
  } catch (error) {
    if (isClosedPipe(error)) {
      return false;
    }
    throw error;
  }
  out.off("error", ignore);
  return true;
}

function write(out: Writable, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    out.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

function isClosedPipe(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return code === "EPIPE" || code === "ERR_STREAM_DESTROYED";
}
