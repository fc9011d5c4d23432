/** The core: the classes, and of each the choices, that a price leaves open, in the order in which the lists decide them. */
import type { TieOrder } from "./classes.js";
import type { Level } from "./list-search.js";
import { turnLevels } from "./network-price.js";
import type { Sums } from "./network-rows.js";
import type { Relaxed } from "./relax.js";
import { keyAtRank } from "./select.js";
import { stepsOfWeb, webLevels } from "./web-levels.js";

/** Levels, those of networks first, and what their options stand for. */
export interface Core {
  readonly levels: readonly Level[];
  /** The open classes among them, those nearest to the price first. */
  readonly classes: Int32Array;
  /** False where the webs have no levels: they stay as they are in the baseline. */
  readonly hasWebs: boolean;
  /** The set in which every level takes the option given, and everything else stands at the baseline. */
  pick(options: Int32Array): Pick<Picked, "picks" | "turns">;
}

/** A set: the choice of each class, in the row of classes, and the option of each turn of each network. */
export interface Picked extends Sums {
  readonly picks: Int32Array;
  readonly turns: readonly Int32Array[];
}

/**
 * What a choice may lose at the price against the best of its class: one that loses more is in no set that beats the best known, or
 * equals it (reduction by reduced costs).
 */
export function slackOf({ surplus, price, capacity }: Relaxed, best: Sums): number {
  return surplus - Math.min(best.value + 1 - price * capacity, best.value - price * best.tokens);
}

/** True where no set beats the best known, by value or by fewer tokens; there may be equals. */
export function isSettled({ surplus, price, capacity, networks }: Relaxed, best: Sums): boolean {
  // Without a price the baseline has all that is worth anything, at the fewest tokens; but for webs, whose baseline is a guess.
  if (price === 0 && !networks.some(({ priced }) => priced !== undefined)) return true;
  return surplus < best.value + 1 - price * capacity && surplus < best.value - price * (best.tokens - 1);
}

/** The classes in which more than the baseline is left, and how far the price would have to move for each to leave it. */
export interface OpenClasses {
  readonly classes: Int32Array;
  readonly distances: Float64Array;
}

export function findOpen(relaxed: Relaxed, best: Sums): OpenClasses {
  const slack = slackOf(relaxed, best);
  const { count } = relaxed.classes;
  const open = new Int32Array(count);
  const distances = new Float64Array(count);
  let found = 0;
  for (let c = 0; c < count; c++) {
    const distance = distanceOf(c, relaxed, slack);
    if (distance === Number.POSITIVE_INFINITY) continue;
    distances[found] = distance;
    open[found++] = c;
  }
  return { classes: open.subarray(0, found), distances: distances.subarray(0, found) };
}

/**
 * The core of open classes: those nearest to the price first, of equals the earliest; at most so many. Webs are left out where one entry of
 * each of their levels costs more steps than `mostWebSteps`.
 */
export function coreOf(
  open: OpenClasses,
  relaxed: Relaxed,
  best: Sums,
  around: { order: TieOrder; most: number; mostWebSteps: number },
): Core {
  const slack = slackOf(relaxed, best);
  const { price, networks, baseline } = relaxed;
  // What the baseline loses at the price in all that comes after a network; networks come first, in their order.
  let leeway = relaxed.surplus - (relaxed.value - price * relaxed.tokens);
  let webSteps = 0;
  for (const network of networks) {
    if (network.priced === undefined || webSteps > around.mostWebSteps) continue;
    webSteps += stepsOfWeb(network, network.priced, { price, slack });
  }
  const hasWebs = webSteps <= around.mostWebSteps;
  const linked = networks.map((network) => {
    leeway -= network.peak - (network.value - price * network.tokens);
    if (network.priced === undefined) return turnLevels(network, price, { slack, leeway });
    return hasWebs ? webLevels(network, network.priced, { price, slack, leeway }) : [];
  });
  const nearest = nearestFirst(open, around.order, around.most);
  const choices = Array.from(nearest, (c) => choicesOf(c, relaxed, slack));
  return {
    classes: nearest,
    hasWebs,
    levels: [...linked.flatMap((levels) => levels.map(({ level }) => level)), ...levelsOf(relaxed, choices)],
    pick: (options) => {
      let depth = 0;
      const turns = networks.map((network, i) => {
        const taken = network.options.slice();
        for (const { turn, options: meant } of linked[i]!) taken[turn] = meant[options[depth++]!]!;
        return taken;
      });
      const picks = baseline.slice();
      for (let i = 0; i < nearest.length; i++) picks[nearest[i]!] = choices[i]![options[depth++]!]!;
      return { picks, turns };
    },
  };
}

/** How far the price would have to move for a class to leave its baseline for a choice within the slack; infinite where there is none. */
function distanceOf(c: number, { classes, baseline, peaks, price }: Relaxed, slack: number): number {
  const { starts, tokens, values } = classes;
  const base = baseline[c]!;
  const peak = peaks[c]!;
  let least = Number.POSITIVE_INFINITY;
  for (let choice = starts[c]!; choice < starts[c + 1]!; choice++) {
    if (choice === base) continue;
    const loss = peak - values[choice]! + price * tokens[choice]!;
    if (loss <= slack) least = Math.min(least, loss / Math.abs(tokens[choice]! - tokens[base]!));
  }
  return least;
}

function nearestFirst({ classes, distances }: OpenClasses, order: TieOrder, most: number): Int32Array {
  const limit = classes.length > most ? keyAtRank(distances.slice(), most - 1) : Number.POSITIVE_INFINITY;
  const ranks: number[] = [];
  for (let i = 0; i < classes.length; i++) if (distances[i]! <= limit) ranks.push(i);
  ranks.sort(
    (a, b) =>
      distances[a]! - distances[b]! || order.comparePlaces(order.placeOf(classes[a]!), order.placeOf(classes[b]!)),
  );
  return Int32Array.from(ranks.slice(0, most), (i) => classes[i]!);
}

/** The baseline of a class, then its other choices within the slack. */
function choicesOf(c: number, { classes, baseline, peaks, price }: Relaxed, slack: number): Int32Array {
  const { starts, tokens, values } = classes;
  const kept = [baseline[c]!];
  for (let choice = starts[c]!; choice < starts[c + 1]!; choice++) {
    const loss = peaks[c]! - values[choice]! + price * tokens[choice]!;
    if (choice !== baseline[c] && loss <= slack) kept.push(choice);
  }
  return Int32Array.from(kept);
}

function levelsOf({ classes }: Relaxed, choices: readonly Int32Array[]): Level[] {
  const levels = new Array<Level>(choices.length);
  let up = 0;
  let down = Number.POSITIVE_INFINITY;
  for (let depth = choices.length - 1; depth >= 0; depth--) {
    const kept = choices[depth]!;
    const base = kept[0]!;
    const tokens = new Float64Array(kept.length);
    const values = new Float64Array(kept.length);
    const ids = Int32Array.from(kept, (choice) => classes.ids[choice]!);
    kept.forEach((choice, option) => {
      tokens[option] = classes.tokens[choice]! - classes.tokens[base]!;
      values[option] = classes.values[choice]! - classes.values[base]!;
    });
    levels[depth] = { tokens, values, ids, up, down };
    for (let option = 1; option < kept.length; option++) {
      const gradient = values[option]! / tokens[option]!;
      if (tokens[option]! > 0) up = Math.max(up, gradient);
      else down = Math.min(down, gradient);
    }
  }
  return levels;
}
