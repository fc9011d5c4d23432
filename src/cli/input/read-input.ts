import { readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { type CliIo, ExitError, exitCodes } from "../io.js";

/** The text of a file, or of the standard input where it is named `-`. What cannot be read, or is not UTF-8, is wrong use. */
export async function readInput(io: CliIo, file: string): Promise<string> {
  const bytes = file === "-" ? await buffer(io.stdin) : await readBytes(file);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    // The decoder says no more than that.
    throw new ExitError(exitCodes.wrongUse, `error: ${nameOf(file)} is not UTF-8 text`);
  }
}

/** An input as a message names it. */
export function nameOf(file: string): string {
  return file === "-" ? "the standard input" : JSON.stringify(file);
}

async function readBytes(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new ExitError(exitCodes.wrongUse, `error: cannot read ${nameOf(file)}: ${message}`);
  }
}
