import type { MaybePromise } from "./run.js";

/** Counts tokens of texts. */
export interface TokenCounter {
  /** The tokenizer's name, which the payload carries. */
  readonly name: string;
  /** True where the counts are estimates and not what a model's tokenizer would say. */
  readonly estimated: boolean;
  /**
   * Counts each text, in order: whole numbers, 0 or more, 0 for the empty text. All texts of a request come in one call, so that a counter
   * in another process is asked once. A count that fails, fails the call; 0 is never a stand-in.
   */
  count(texts: readonly string[], signal: AbortSignal): MaybePromise<readonly number[]>;
}
