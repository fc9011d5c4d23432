import type { Network } from "../network.js";
import { goTogether, type Web } from "../web.js";
import type { CappedProblem } from "./problem.js";

/** A set of a network: an option by turn, and what it takes and is worth. */
export interface NetworkSet {
  readonly options: Int32Array;
  tokens: number;
  value: number;
  readonly caps: Float64Array;
}

/** So many options may be tried for one network; where that is not enough, nothing of it is taken. */
const MOST_TRIALS = 20_000;

/** What a set of a network takes and is worth. */
export function networkSet({ turns }: Network, options: Int32Array, problem: CappedProblem): NetworkSet {
  const set: NetworkSet = { options, tokens: 0, value: 0, caps: new Float64Array(problem.rooms.length) };
  turns.forEach(({ tokens, values, ids }, turn) => {
    const option = options[turn]!;
    if (option === 0) return;
    set.tokens += tokens[option]!;
    set.value += values[option]!;
    problem.demandOf(ids[option]!).forEach((taken, cap) => {
      set.caps[cap]! += taken;
    });
  });
  return set;
}

/**
 * Takes out of a set what nothing that stays needs, of what counts for a limit that is broken, the least value per token first, until no
 * limit is; nothing where that does not succeed. In place.
 */
export function shrinkToFit(network: Network, set: NetworkSet, problem: CappedProblem): NetworkSet | undefined {
  const { capacity, rooms, demandOf } = problem;
  const { turns } = network;
  const { options } = set;
  let trials = MOST_TRIALS;
  const isOver = (): boolean => set.tokens > capacity || set.caps.some((taken, cap) => taken > rooms[cap]!);
  const helps = (demand: Float64Array): boolean =>
    set.tokens > capacity || demand.some((taken, cap) => taken > 0 && set.caps[cap]! > rooms[cap]!);
  const density = (turn: number): number => {
    const { tokens, values } = turns[turn]!;
    return values[options[turn]!]! / Math.max(1, tokens[options[turn]!]!);
  };
  while (isOver()) {
    const taken = Array.from(options.keys()).filter((turn) => options[turn] !== 0);
    taken.sort((a, b) => density(a) - density(b) || b - a);
    let isChanged = false;
    for (const turn of taken) {
      if (!isOver()) break;
      const option = options[turn]!;
      const demand = demandOf(turns[turn]!.ids[option]!);
      if (!helps(demand)) continue;
      if (trials-- === 0) return undefined;
      options[turn] = 0;
      if (!isWhole(network, options, turn)) {
        options[turn] = option;
        continue;
      }
      isChanged = true;
      set.tokens -= turns[turn]!.tokens[option]!;
      set.value -= turns[turn]!.values[option]!;
      for (let cap = 0; cap < demand.length; cap++) set.caps[cap]! -= demand[cap]!;
    }
    if (!isChanged) return undefined;
  }
  return set;
}

/** True where a set lacks nothing after one of its turns changed. */
function isWhole({ turns, web }: Network, options: Int32Array, changed: number): boolean {
  if (web !== undefined) return agreesAt(web, options, changed);
  let situation = 0;
  for (let turn = 0; turn < turns.length; turn++) {
    situation = turns[turn]!.moves[situation * turns[turn]!.tokens.length + options[turn]!]!;
    if (situation < 0) return false;
  }
  return true;
}

function agreesAt({ ahead, behind }: Web, options: Int32Array, turn: number): boolean {
  return (
    ahead[turn]!.every((tie) => goTogether(tie, options[turn]!, options[tie.second]!)) &&
    behind[turn]!.every((tie) => goTogether(tie, options[tie.first]!, options[turn]!))
  );
}
