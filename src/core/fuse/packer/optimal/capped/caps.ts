/** The caps of sections that may keep something out. */

import type { ClassBuilder } from "../classes.js";
import type { ChoiceRecorder } from "../compile.js";
import type { Pool } from "../pool.js";

/** The caps that a set of everything would break, numbered from 0 in the order of the sections. */
export interface Caps {
  /** By cap: the tokens that what is committed leaves. */
  readonly rooms: Float64Array;
  /** The caps of a fragment, by input position; equal lists are one list. */
  capsOf(inputIndex: number): readonly number[];
  /** What some fragments take of each cap. */
  demandOf(fragments: readonly number[]): Float64Array;
}

/** The list of what counts for no cap. */
export const NO_CAPS: readonly number[] = [];

/** Reads the caps of a pool; nothing where none can be broken. O(fragments x sections). */
export function readCaps({ input, possible }: Pool): Caps | undefined {
  const { sections, committed, tokenCounts } = input;
  if (sections === undefined) return undefined;
  const { caps, holding } = sections;
  const rooms = caps.slice();
  const wished = new Float64Array(caps.length);
  for (const { inputIndex, tokenCount } of committed) for (const s of holding[inputIndex]!) rooms[s]! -= tokenCount;
  for (let i = 0; i < possible.length; i++) {
    if (possible[i] === 1) for (const s of holding[i]!) wished[s]! += tokenCounts[i]!;
  }
  const tight = Array.from(caps.keys()).filter((s) => wished[s]! > rooms[s]!);
  if (tight.length === 0) return undefined;
  const known = new Map<readonly number[], readonly number[]>();
  const lists = new Map<string, readonly number[]>([["", NO_CAPS]]);
  const capsOf = (i: number): readonly number[] => {
    const held = holding[i]!;
    let own = known.get(held);
    if (own === undefined) {
      const all = tight.flatMap((s, cap) => (held.includes(s) ? [cap] : []));
      own = lists.get(all.join()) ?? all;
      lists.set(all.join(), own);
      known.set(held, own);
    }
    return own;
  };
  const demandOf = (fragments: readonly number[]): Float64Array => {
    const demand = new Float64Array(tight.length);
    for (const i of fragments) for (const cap of capsOf(i)) demand[cap]! += tokenCounts[i]!;
    return demand;
  };
  return { rooms: Float64Array.from(tight, (s) => Math.max(0, rooms[s]!)), capsOf, demandOf };
}

/** The choices of all classes in one row, as they were added; those of class c end at `ends[c]`. Empty choices are not among them. */
export class Choices implements ChoiceRecorder {
  readonly tokens: number[] = [];
  readonly values: number[] = [];
  readonly ids: number[] = [];
  readonly ends: number[] = [];

  constructor(readonly demandOf: Caps["demandOf"]) {}

  noting(builder: ClassBuilder): ClassBuilder {
    return {
      ...builder,
      add: (tokens, value, id) => {
        this.tokens.push(tokens);
        this.values.push(value);
        this.ids.push(id);
        builder.add(tokens, value, id);
      },
      close: () => {
        this.ends.push(this.ids.length);
        builder.close();
      },
    };
  }
}
