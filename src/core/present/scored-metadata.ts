import { SCORE_METADATA } from "../model/fragment.js";
import type { ScoredParts } from "../trace.js";

/**
 * A fragment's metadata with the parts of its score, in which a later scoring finds the relevance to start from. It is a view: ten thousand
 * maps made anew would cost more than the scores in them.
 */
export class ScoredMetadata implements ReadonlyMap<string, string> {
  readonly #own: ReadonlyMap<string, string>;
  readonly #parts: ScoredParts;

  constructor(own: ReadonlyMap<string, string>, parts: ScoredParts) {
    this.#own = own;
    this.#parts = parts;
  }

  get size(): number {
    return [...this.keys()].length;
  }

  get(key: string): string | undefined {
    const part = PARTS.get(key);
    return part === undefined ? this.#own.get(key) : String(part(this.#parts));
  }

  has(key: string): boolean {
    return PARTS.has(key) || this.#own.has(key);
  }

  *entries(): MapIterator<[string, string]> {
    for (const entry of this.#own) if (!PARTS.has(entry[0])) yield entry;
    for (const [key, part] of PARTS) yield [key, String(part(this.#parts))];
  }

  *keys(): MapIterator<string> {
    for (const [key] of this.entries()) yield key;
  }

  *values(): MapIterator<string> {
    for (const [, value] of this.entries()) yield value;
  }

  forEach(callback: (value: string, key: string, map: ReadonlyMap<string, string>) => void): void {
    for (const [key, value] of this.entries()) callback(value, key, this);
  }

  [Symbol.iterator](): MapIterator<[string, string]> {
    return this.entries();
  }
}

/** What stands under each key of the server's. */
const PARTS: ReadonlyMap<string, (parts: ScoredParts) => number> = new Map([
  [SCORE_METADATA.originalRelevance, ({ originalRelevance }) => originalRelevance],
  ["acms.relevance", ({ components }) => components.relevance],
  ["acms.hierarchy", ({ components }) => components.hierarchy],
  ["acms.quality", ({ components }) => components.quality],
  ["acms.recency", ({ components }) => components.recency],
]);
