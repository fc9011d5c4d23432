import { closeSync, openSync, readFileSync, readSync } from "node:fs";

/** The most characters (code points) that the content of a fragment may have, where a server is not set otherwise. */
export const maxCharacters = 1_000_000;

const headBytes = 8192;
/** UTF-8 needs at most four bytes for a character, so a larger file is too long whatever it holds. */
const maxBytes = 4 * maxCharacters;

export type TextOrReason = { readonly text: string } | { readonly skipped: "binary" | "too long" };

/**
 * The text of a file without its byte order mark, or why it has none to use. Text is UTF-8 without a NUL in its first 8 KB.
 *
 * @throws the file system's error where the file cannot be read
 */
export function readText(path: string, sizeBytes: number): TextOrReason {
  if (readHead(path).includes(0)) {
    return { skipped: "binary" };
  }
  if (sizeBytes > maxBytes) {
    return { skipped: "too long" };
  }
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(path));
  } catch (error) {
    if (error instanceof TypeError) {
      return { skipped: "binary" };
    }
    throw error;
  }
  return countCharacters(text) > maxCharacters ? { skipped: "too long" } : { text };
}

/** Length in code points. */
export function countCharacters(text: string): number {
  let surrogatePairs = 0;
  for (let index = 0; index < text.length; index++) {
    if (text.codePointAt(index)! > 0xffff) {
      surrogatePairs++;
    }
  }
  return text.length - surrogatePairs;
}

function readHead(path: string): Uint8Array {
  const file = openSync(path, "r");
  try {
    const head = new Uint8Array(headBytes);
    return head.subarray(0, readSync(file, head, 0, headBytes, 0));
  } finally {
    closeSync(file);
  }
}
