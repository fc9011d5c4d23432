import type { Pool } from "./pool.js";

/**
 * Takes out of a set what lacks something that it needs, and what is not wanted and nothing needs, until all that is left is sound. Flags
 * by input position; what is committed counts as there.
 */
export function repair({ input, possible, wanted }: Pool, chosen: Uint8Array): void {
  const { fragments, links, committed } = input;
  const isIn = (i: number): boolean => chosen[i] === 1 || (possible[i] === 0 && committed.has(fragments[i]!));
  const isWhole = (i: number): boolean => {
    const fragment = fragments[i]!;
    return (
      links.requiredBy(fragment).every(({ inputIndex }) => isIn(inputIndex)) &&
      links.partsOf(fragment).every((part) => part.some(({ inputIndex }) => isIn(inputIndex)))
    );
  };
  const dropUnless = (isKept: (i: number) => boolean): boolean => {
    let isChanged = false;
    for (let i = 0; i < chosen.length; i++) {
      if (chosen[i] === 0 || isKept(i)) continue;
      chosen[i] = 0;
      isChanged = true;
    }
    return isChanged;
  };
  for (let isChanged = true; isChanged; ) {
    while (dropUnless(isWhole));
    const called = calledFor(chosen, wanted, input);
    isChanged = dropUnless((i) => called[i] === 1);
  }
}

/** What is wanted, and what it needs in turn. */
function calledFor(chosen: Uint8Array, wanted: Uint8Array, { fragments, links }: Pool["input"]): Uint8Array {
  const called = chosen.map((flag, i) => flag & wanted[i]!);
  const waiting = fragments.filter(({ inputIndex }) => called[inputIndex] === 1);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const needed of [...links.requiredBy(next), ...links.groupOf(next)]) {
      const i = needed.inputIndex;
      if (chosen[i] === 0 || called[i] === 1) continue;
      called[i] = 1;
      waiting.push(needed);
    }
  }
  return called;
}
