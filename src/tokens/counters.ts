import { type TokenCounter, unknownName } from "../core/index.js";
import { estimateCounter } from "./estimate-counter.js";

const counters = new Map<string, TokenCounter>([[estimateCounter.name, estimateCounter]]);

/** The names of all tokenizers. */
export const tokenizerNames: readonly string[] = [...counters.keys()];

/** The counter of a tokenizer's name; empty: the default's. Throws `UNKNOWN_TOKENIZER`. */
export function counterOf(name: string, defaultName: string): TokenCounter {
  const wanted = name === "" ? defaultName : name;
  const counter = counters.get(wanted);
  if (counter === undefined) throw unknownName("UNKNOWN_TOKENIZER", "tokenizer", wanted, tokenizerNames);
  return counter;
}
