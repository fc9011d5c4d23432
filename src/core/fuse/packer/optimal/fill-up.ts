import type { TieOrder } from "./classes.js";
import type { Picked } from "./core.js";
import type { Relaxed } from "./relax.js";

/** How many times the best step that still fits is looked for. */
const ROUNDS = 12;

/**
 * Spends what a set leaves on the step to a dearer choice that pays most per token, again and again while one fits. What fits shrinks
 * with the room, so a round looks only at the classes that had such a step in the round before.
 */
export function fillUp({ classes, capacity }: Relaxed, from: Picked, order: TieOrder): Picked {
  const { starts, tokens, values } = classes;
  const picks = from.picks.slice();
  let spent = from.tokens;
  let value = from.value;
  let open = new Int32Array(classes.count);
  for (let c = 0; c < open.length; c++) open[c] = c;
  for (let round = 0; round < ROUNDS && open.length > 0 && spent < capacity; round++) {
    const room = capacity - spent;
    let kept = 0;
    let best = { gradient: 0, c: -1, choice: -1 };
    for (const c of open) {
      const base = picks[c]!;
      const end = starts[c + 1]!;
      if (base + 1 >= end || tokens[base + 1]! - tokens[base]! > room) continue;
      open[kept++] = c;
      for (let choice = base + 1; choice < end && tokens[choice]! - tokens[base]! <= room; choice++) {
        const gradient = (values[choice]! - values[base]!) / (tokens[choice]! - tokens[base]!);
        if (gradient < best.gradient || gradient === 0) continue;
        if (gradient > best.gradient || isEarlier(c, best.c, order)) best = { gradient, c, choice };
      }
    }
    open = open.subarray(0, kept);
    if (best.c < 0) break;
    const base = picks[best.c]!;
    spent += tokens[best.choice]! - tokens[base]!;
    value += values[best.choice]! - values[base]!;
    picks[best.c] = best.choice;
  }
  return { ...from, picks, tokens: spent, value };
}

function isEarlier(a: number, b: number, order: TieOrder): boolean {
  return a !== b && order.comparePlaces(order.placeOf(a), order.placeOf(b)) < 0;
}
