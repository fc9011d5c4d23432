/** A key that an object of a JSON text has more than once. */
export interface DuplicateKey {
  /** The keys and positions that lead to the object. */
  readonly path: readonly (string | number)[];
  readonly key: string;
}

/** An object or an array that is open, with its key or position at work. */
interface Open {
  readonly keys: Map<string, number> | undefined;
  at: string | number;
}

/** Every key that comes again in its object, once for each, in the order of the text, which has to be JSON: parsed, it no longer tells. */
export function findDuplicateKeys(text: string): DuplicateKey[] {
  const found: DuplicateKey[] = [];
  const open: Open[] = [];
  let expectsKey = false;
  for (const token of tokensOf(text)) {
    const inner = open.at(-1);
    if (token === "{" || token === "[") {
      open.push(token === "{" ? { keys: new Map(), at: "" } : { keys: undefined, at: 0 });
      expectsKey = token === "{";
    } else if (token === "}" || token === "]") {
      open.pop();
      expectsKey = false;
    } else if (inner === undefined) {
      // A text that is one string.
      return found;
    } else if (token === ",") {
      if (typeof inner.at === "number") inner.at++;
      expectsKey = inner.keys !== undefined;
    } else if (expectsKey && inner.keys !== undefined) {
      const key: string = JSON.parse(token);
      const times = (inner.keys.get(key) ?? 0) + 1;
      if (times === 2) found.push({ path: open.slice(0, -1).map(({ at }) => at), key });
      inner.keys.set(key, times);
      inner.at = key;
      expectsKey = false;
    }
  }
  return found;
}

/** The strings of a JSON text, and the signs that open, close and part. */
function* tokensOf(text: string): Iterable<string> {
  const signs = /["[\]{},]/g;
  for (let match = signs.exec(text); match !== null; match = signs.exec(text)) {
    const [sign] = match;
    if (sign === '"') signs.lastIndex = endOfString(text, match.index);
    yield sign === '"' ? text.slice(match.index, signs.lastIndex) : sign;
  }
}

/** Where a string that begins at a quote is over: after the first quote that no odd number of backslashes stands before. */
function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); ; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (text[quote - 1 - backslashes] === "\\") backslashes++;
    if (backslashes % 2 === 0) return quote + 1;
  }
}
